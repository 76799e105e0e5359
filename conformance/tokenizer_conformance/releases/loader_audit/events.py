"""What happens in an audit of loaders, as a stream of values.

It begins with :class:`LoaderAuditStarted` and ends with :class:`LoaderAuditFinished`, also when it is interrupted. For
each tokenizer and loader it tells what was loaded, each difference when its witness was looked for, and the
result of the answers; or why the loader does not load it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing, InputRefused

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo, LoaderDefaults
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.releases.loader_audit.behaviour import Behaviour
    from tokenizer_conformance.releases.loader_audit.defaults import CallWitness
    from tokenizer_conformance.releases.loader_audit.structure import Replacement
    from tokenizer_conformance.releases.loader_audit.witness import Budget, ComponentWitness, Impact, NoWitness


@dataclass(frozen=True, slots=True)
class LoaderAuditStarted:
    """An audit begins. ``inputs`` texts are compared, of which ``given`` are the user's."""

    environment: Environment
    baseline: ImplementationInfo
    loaders: tuple[ImplementationInfo, ...]
    tokenizers: tuple[TokenizerFile, ...]
    budget: Budget
    seed: int
    inputs: int
    given: int


@dataclass(frozen=True, slots=True)
class LoaderRefused:
    """A loader loads a tokenizer not; ``unsupported``: it says that it has no way to."""

    tokenizer: TokenizerFile
    loader: ImplementationInfo
    reason: str
    unsupported: bool


@dataclass(frozen=True, slots=True)
class TokenizerLoaded:
    """A loader has loaded a tokenizer from ``files``.

    ``defaults`` are what it keeps beside the pipeline, ``None`` where it shows none. ``no_structure`` says why the
    components cannot be compared, and is empty where they were.
    """

    tokenizer: TokenizerFile
    loader: ImplementationInfo
    files: tuple[str, ...]
    defaults: LoaderDefaults | None
    no_structure: str


@dataclass(frozen=True, slots=True)
class DifferenceJudged:
    """A difference, with what shows it. ``impact`` is ``None`` where no document has that difference alone.

    ``known`` is the entry of a ledger that is about it.
    """

    tokenizer: TokenizerFile
    loader: ImplementationInfo
    difference: Replacement
    witness: ComponentWitness | CallWitness | NoWitness
    impact: Impact | None
    known: Entry | None


@dataclass(frozen=True, slots=True)
class LoaderAudited:
    """A loader has been audited on a tokenizer: the result of its answers.

    ``entries`` are those of a ledger that are about its findings, one for each, ``None`` where it is new.
    """

    tokenizer: TokenizerFile
    loader: ImplementationInfo
    behaviour: Behaviour
    entries: tuple[Entry | None, ...]


@dataclass(frozen=True, slots=True)
class LoaderAuditFinished(Finished):
    """The audit is over; ``finished`` is false where it was interrupted.

    ``audited`` counts pairs of tokenizer and loader, ``differing`` those with any new difference, ``differences`` the
    replaced components, ``witnessed`` those of them that something shows, ``known`` those that a ledger has. ``stale``
    are entries of it that were not met although all that they name was audited.
    """

    audited: int
    differing: int
    differences: int
    witnessed: int
    known: int
    stale: tuple[Entry, ...]


LoaderAuditEvent = (
    LoaderAuditStarted
    | ImplementationMissing
    | InputRefused
    | LoaderRefused
    | TokenizerLoaded
    | DifferenceJudged
    | LoaderAudited
    | LoaderAuditFinished
)
