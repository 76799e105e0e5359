"""What happens in an audit of offsets, as a stream of values.

It begins with :class:`OffsetsAuditStarted` and ends with :class:`OffsetsAuditFinished`, also when it is interrupted.
For each tokenizer and implementation it tells what was checked and what was found, or why the tokenizer was not loaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing, InputRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.command_io.status import Place
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.research.offsets_audit.findings import Finding, InvariantTally
    from tokenizer_conformance.research.offsets_audit.loading import LeftOut


@dataclass(frozen=True, slots=True)
class OffsetsAuditStarted:
    """An audit begins, of ``inputs`` texts, whose ids and texts have the digest ``inputs_sha256``."""

    environment: Environment
    implementations: tuple[ImplementationInfo, ...]
    tokenizers: tuple[TokenizerFile, ...]
    inputs: int
    inputs_sha256: str


@dataclass(frozen=True, slots=True)
class TokenizerNotLoaded:
    """An implementation does not load a tokenizer; ``unsupported``: it says that it has no way to."""

    tokenizer: TokenizerFile
    implementation: ImplementationInfo
    reason: str
    unsupported: bool


@dataclass(frozen=True, slots=True)
class InputsJudged:
    """Some more inputs were judged."""

    place: Place


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """A finding, the command that shows it again, and the entry of a ledger about it, ``None`` if it is new."""

    finding: Finding
    repeat: str
    known: Entry | None


@dataclass(frozen=True, slots=True)
class EncodingsAudited:
    """An implementation was audited on a tokenizer: what was checked of each invariant, by its id, and what was found.

    ``answers`` were judged; ``unsupported`` questions it has no way to answer, ``failed`` it answered with an error,
    and to ``lost`` ones there came no answer at all; ``trouble`` has the first message of each kind. ``left_out`` are
    the settings under which it could not be asked. ``finished`` is false where the audit was interrupted before the
    last input.
    """

    tokenizer: TokenizerFile
    implementation: ImplementationInfo
    inputs: int
    answers: int
    unsupported: int
    failed: int
    lost: int
    trouble: tuple[str, ...]
    tallies: Mapping[str, InvariantTally]
    left_out: tuple[LeftOut, ...]
    findings: tuple[KnownFinding, ...]
    finished: bool
    is_needed: bool

    @property
    def new(self) -> tuple[KnownFinding, ...]:
        """The findings that no ledger knows."""
        return tuple(each for each in self.findings if each.known is None)

    @property
    def has_spans(self) -> bool:
        """Whether any span was looked at: without that, nothing is said of offsets."""
        return self.tallies[SPANS].things > 0


SPANS = "spans.in-text"
"""The invariant without which nothing is said of offsets."""


@dataclass(frozen=True, slots=True)
class OffsetsAuditFinished(Finished):
    """The audit is over; ``finished`` is false where it was interrupted.

    ``audited`` counts pairs of tokenizer and implementation of which spans were looked at, ``violating`` those with a
    new finding, ``findings`` and ``known`` all findings and those that a ledger has, ``things`` all that was checked.
    ``stale`` are the entries of a ledger that are not true any more.
    """

    audited: int
    violating: int
    findings: int
    known: int
    things: int
    stale: tuple[Entry, ...]


OffsetsAuditEvent = (
    OffsetsAuditStarted
    | ImplementationMissing
    | InputRefused
    | TokenizerNotLoaded
    | InputsJudged
    | EncodingsAudited
    | OffsetsAuditFinished
)
