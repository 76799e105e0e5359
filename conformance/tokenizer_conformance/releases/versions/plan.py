"""What a comparison of releases is to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import PIPELINE_STAGES, Field
from tokenizer_conformance.defaults import CAUSE_SECONDS_EACH
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.validation.running.plan import Call

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.inputs.corpus import Corpus
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.releases.versions.bisecting import ReleasesBetween
    from tokenizer_conformance.releases.versions.facts import Release, Section


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsPlan:
    """One comparison of ``releases``, in their order.

    ``words`` name the tokenizers on a command line, by their names; ``call`` has what else of the command matters for
    one input. Snapshots are kept in ``folder``, and those of an
    earlier run taken from there. ``sections`` collect further facts, and with ``measures_speed`` speed and memory are
    measured with the first tokenizer. ``refusals`` and ``unavailable`` are of what cannot be used.
    Where releases ``between`` two can be had, it is found out which of them brought each change. ``truncated`` are
    copies of the tokenizers with truncation, which are asked what :func:`~truncated.shows_truncation` says.
    """

    releases: tuple[Release, ...]
    tokenizers: tuple[TokenizerFile, ...]
    words: dict[str, str]
    corpus: Corpus
    folder: Path
    refusals: tuple[Rejected, ...] = ()
    unavailable: tuple[Rejected, ...] = ()
    stages: tuple[Stage, ...] = PIPELINE_STAGES
    fields: frozenset[Field] = field(default_factory=lambda: frozenset(Field))
    ledger: Ledger = field(default_factory=Ledger)
    cause_seconds: float = CAUSE_SECONDS_EACH
    sections: tuple[Section, ...] = ()
    between: ReleasesBetween | None = None
    measures_speed: bool = False
    truncated: tuple[TokenizerFile, ...] = ()
    command: tuple[str, ...] = ()
    call: Call = field(default_factory=Call)

    @property
    def asked(self) -> tuple[TokenizerFile, ...]:
        """All that releases are asked about: the tokenizers, then their copies with truncation."""
        return (*self.tokenizers, *self.truncated)
