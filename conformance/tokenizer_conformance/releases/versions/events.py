"""What happens in a comparison of releases."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished
from tokenizer_conformance.releases.versions.facts import SectionFinished
from tokenizer_conformance.releases.versions.snapshots import SnapshotProgress, SnapshotReady
from tokenizer_conformance.validation.running.events import InputCompared

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import LedgerFile
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.releases.diff.asking_again import AskedAgain
    from tokenizer_conformance.releases.diff.events import LoadingChanged
    from tokenizer_conformance.releases.versions.bisecting import Boundary
    from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix
    from tokenizer_conformance.releases.versions.speed import Speeds
    from tokenizer_conformance.validation.running.events import RunStarted, TokenizerFinished


class Changed(StrEnum):
    """What of a step a release is sought for."""

    CAUSE = "cause"
    LOADING = "change"


@dataclass(frozen=True, slots=True)
class VersionsStarted:
    """The comparison begins, of ``releases`` in their order; each has a word and a version.

    ``sections`` are the names of those that are compared; ``left_out`` says what the others are about, by their names.
    ``ledgers`` are the files of the ledger.
    """

    environment: Environment
    releases: tuple[tuple[str, str], ...]
    tokenizers: tuple[TokenizerFile, ...]
    inputs: int
    inputs_sha256: str
    sections: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    ledgers: tuple[LedgerFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A tokenizer, a file of inputs or a release cannot be used; the comparison goes on without it."""

    refusal: Rejected
    is_release: bool = False


@dataclass(frozen=True, slots=True)
class MatrixMade:
    """All releases were compared on one tokenizer."""

    matrix: TokenizerMatrix


@dataclass(frozen=True, slots=True)
class StepFinished:
    """What changed from a release to the next one, ``old`` to ``new``.

    ``loading`` are changes in how tokenizers are loaded; ``tokenizers`` have findings and causes, each of a tokenizer
    on which inputs differ, and ``causes`` are those of all. ``inputs`` counts the inputs that differ, summed over the
    tokenizers, and ``unconfirmed`` those of them that were not looked into. ``unstable`` counts others, which differed
    only until a release was asked again: they are no change. ``asked_again`` says which release does not repeat its
    answers, or was not asked all of them again. ``run`` says who was compared, and ``infos`` describe the two releases
    under names that differ.
    """

    old: str
    new: str
    inputs: int
    loading: tuple[LoadingChanged, ...]
    tokenizers: tuple[TokenizerFinished, ...]
    causes: tuple[Cause, ...]
    uncounted: int
    run: RunStarted | None
    infos: tuple[ImplementationInfo, ImplementationInfo]
    seconds: float
    unstable: int = 0
    unconfirmed: int = 0
    asked_again: tuple[AskedAgain, ...] = ()

    @property
    def is_unstable(self) -> bool:
        """Whether a release gave answers that it did not repeat."""
        return any(each.unstable for each in self.tokenizers)

    @property
    def is_new(self) -> bool:
        """Whether anything changed that no ledger knows."""
        findings = any(each.findings for each in self.tokenizers)
        return findings or any(each.entry is None for each in self.loading)


@dataclass(frozen=True, slots=True)
class Bisected:
    """Since which release a change of the step from ``old`` to ``new`` is there.

    ``what`` says which: the cause of that ``number`` (from 1), or the change of loading. ``boundary`` is ``None`` where
    neither end showed it when it was asked anew. ``missing`` says of releases why they could not be asked.
    """

    old: str
    new: str
    what: Changed
    number: int
    boundary: Boundary | None
    missing: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SpeedMeasured:
    """Speed and memory of the releases were measured with ``tokenizer``; numbers, and no verdict."""

    tokenizer: str
    speeds: Speeds


@dataclass(frozen=True, slots=True)
class VersionsFinished(Finished):
    """The comparison is over. ``finished`` is false where it was stopped early, for a ``reason``.

    ``stale`` are entries of the ledger that nothing has matched, although all that they are about was compared.
    """

    reason: str | None
    releases: int
    tokenizers: int
    steps: Sequence[StepFinished]
    stale: tuple[Entry, ...] = ()


Event = (
    VersionsStarted
    | Refused
    | SnapshotProgress
    | SnapshotReady
    | InputCompared
    | MatrixMade
    | StepFinished
    | Bisected
    | SectionFinished
    | SpeedMeasured
    | VersionsFinished
)
