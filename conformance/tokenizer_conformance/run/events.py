"""What happens in a run, as a stream of values.

The engine emits events and knows nothing of reports; reports consume events and know nothing of the engine. Every event
stream begins with :class:`RunStarted` and ends with :class:`RunFinished`, also when the run is interrupted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.session.conclusion import EXIT_STATUS
from tokenizer_conformance.session.events import ImplementationMissing
from tokenizer_conformance.session.progress import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Field, ImplementationInfo, Stage
    from tokenizer_conformance.comparing.findings import Example, Finding
    from tokenizer_conformance.comparing.verdicts import Verdict
    from tokenizer_conformance.session.conclusion import Conclusion
    from tokenizer_conformance.session.environment import Environment
    from tokenizer_conformance.unusable import Unusable


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The run begins. ``tokenizers`` are names with the SHA-256 of their files; ``inputs`` are counted per tokenizer."""

    environment: Environment
    baseline: str
    implementations: tuple[ImplementationInfo, ...]
    tokenizers: tuple[tuple[str, str], ...]
    inputs: int
    inputs_sha256: str
    stages: tuple[Stage, ...]
    fields: tuple[Field, ...]
    every_id: bool
    seed: int

    def info(self, name: str) -> ImplementationInfo:
        """Return the description of the implementation called ``name``."""
        return next(info for info in self.implementations if info.name == name)


@dataclass(frozen=True, slots=True)
class InputRefused:
    """A tokenizer or a file of inputs cannot be used; the run goes on without it."""

    refusal: Unusable


@dataclass(frozen=True, slots=True)
class TokenizerLoaded:
    """An implementation has loaded a tokenizer."""

    tokenizer: str
    implementation: str
    seconds: float


@dataclass(frozen=True, slots=True)
class LoadFailed:
    """An implementation cannot load a tokenizer that another one loads."""

    tokenizer: str
    implementation: str
    reason: str


@dataclass(frozen=True, slots=True)
class DifferenceFound:
    """One difference. Only the first ones of a finding are reported; the finding counts all."""

    tokenizer: str
    implementation: str
    stage: Stage
    example: Example


@dataclass(frozen=True, slots=True)
class InputCompared:
    """All answers about the input called ``id`` have been compared; it was number ``done`` of ``total``."""

    tokenizer: str
    id: str
    done: int
    total: int

    @property
    def place(self) -> Place:
        """How far the run has come with the tokenizer."""
        return Place(self.tokenizer, self.done, self.total)


@dataclass(frozen=True, slots=True)
class StageCount:
    """What was compared at one stage between an implementation and the baseline.

    ``inputs`` counts inputs by the gravest verdict on each, ``values`` single fields of single answers (an error, crash
    or timeout counts as one value). ``unsupported_fields`` counts the values that were not shown, by field.
    """

    inputs: Mapping[Verdict, int]
    values: Mapping[Verdict, int]
    unsupported_fields: Mapping[Field, int]

    @property
    def compared(self) -> int:
        """How many values stood side by side."""
        return sum(count for verdict, count in self.values.items() if verdict.is_compared)


@dataclass(frozen=True, slots=True)
class ImplementationResult:
    """One row of a tokenizer's matrix.

    ``failing_inputs`` is the number of inputs with any difference, ``blamed`` counts them by the first stage at which they
    part; an input that differs only in its pair with a text that parts is not blamed on any stage.
    ``load_error`` is set where the implementation could not load the tokenizer. ``seconds`` were spent waiting for
    the implementation's answers. ``files`` are the names of the files that it was given in place of
    the ``tokenizer.json``, none where that is what it was given.
    """

    implementation: str
    stages: Mapping[Stage, StageCount]
    blamed: Mapping[Stage, int]
    failing_inputs: int
    seconds: float
    load_error: str | None = None
    files: tuple[str, ...] = ()

    @property
    def compared(self) -> int:
        """How many values stood side by side."""
        return sum(count.compared for count in self.stages.values())

    def has(self, *verdicts: Verdict) -> bool:
        """Whether any of ``verdicts`` was reached at any stage."""
        return any(count.values.get(verdict, 0) for count in self.stages.values() for verdict in verdicts)


@dataclass(frozen=True, slots=True)
class TokenizerFinished:
    """A tokenizer is done, or was broken off (``complete`` is then false).

    ``results`` has a row per implementation other than the baseline, ``inputs`` is the number of inputs compared, and
    ``ids`` that of ids decoded one by one.
    """

    tokenizer: str
    results: tuple[ImplementationResult, ...]
    findings: tuple[Finding, ...]
    inputs: int
    ids: int
    baseline_seconds: float
    seconds: float
    complete: bool
    baseline_load_error: str | None = None


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What has been found so far on a tokenizer that is still at work: a run that is resumed goes on from here."""

    so_far: TokenizerFinished


@dataclass(frozen=True, slots=True)
class Replayed:
    """Something that an earlier run, which this one resumes, has recorded."""

    event: LoadFailed | TokenizerFinished


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The run is over. ``finished`` is false where it was broken off, and ``reason`` then says by what."""

    finished: bool
    reason: str | None
    conclusion: Conclusion
    tokenizers: int
    inputs: int
    compared: int
    differences: int
    seconds: float

    @property
    def exit_status(self) -> int:
        """The exit status of the command line."""
        return EXIT_STATUS[self.conclusion]


Event = (
    RunStarted
    | InputRefused
    | ImplementationMissing
    | TokenizerLoaded
    | LoadFailed
    | DifferenceFound
    | InputCompared
    | Checkpoint
    | Replayed
    | TokenizerFinished
    | RunFinished
)


def is_ending(event: Event) -> bool:
    """Tell whether ``event`` shows that the engine is ending the run."""
    return isinstance(event, RunFinished) or (isinstance(event, TokenizerFinished) and not event.complete)
