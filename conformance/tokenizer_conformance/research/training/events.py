"""What happens while trainers are compared, as a stream of values.

It begins with :class:`TrainingStarted` and ends with :class:`TrainingFinished`, also when it is interrupted. For each
algorithm every trainer is trained (:class:`RunEnded`), judged (:class:`TrainerJudged`) and compared with the baseline
(:class:`TrainerCompared`), then comes :class:`AlgorithmFinished`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing
from tokenizer_conformance.command_io.status import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import WithoutValue
    from tokenizer_adapters.training import Algorithm, PreTokenizer, TrainerInfo, TrainingOptions
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.research.training.comparison import Judgement, ModelComparison
    from tokenizer_conformance.research.training.corpus import CorpusFile
    from tokenizer_conformance.research.training.effect import Coverage


@dataclass(frozen=True, slots=True)
class CorpusWords:
    """The words that all is compared on, counted by ``counter``: their ``total``, ``kinds`` and ``characters``."""

    counter: str
    total: int
    kinds: int
    characters: int


@dataclass(frozen=True, slots=True)
class TrainingStarted:
    """Training begins. Others are compared with the first of ``trainers``."""

    environment: Environment
    trainers: tuple[TrainerInfo, ...]
    corpus: tuple[CorpusFile, ...]
    pre_tokenizer: PreTokenizer
    words: CorpusWords
    options: Mapping[Algorithm, TrainingOptions]
    repeat: int
    tolerance: float

    @property
    def baseline(self) -> str:
        """The name of the trainer that others are compared with."""
        return self.trainers[0].name


@dataclass(frozen=True, slots=True)
class WordDifference:
    """A word with its counts: as compared on, and as counted by another trainer."""

    word: str
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class WordsCompared:
    """The own pre-tokenizer of ``trainer`` has cut the corpus into ``kinds`` of words.

    ``differing`` of them have other counts, the most frequent of which is ``example``. Nothing is known where it gave
    ``no_answer``.
    """

    trainer: str
    kinds: int
    differing: int
    example: WordDifference | None
    no_answer: WithoutValue | None = None


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """A trained model in short; ``sha256`` is that of all that was learned."""

    tokens: int
    merges: int | None
    scores: int | None
    seconds: float | None
    peak_memory: int | None
    sha256: str


@dataclass(frozen=True, slots=True)
class RunEnded:
    """One training is over, number ``run`` from 1 on; it was number ``done`` of ``total``."""

    algorithm: Algorithm
    trainer: str
    run: int
    outcome: ModelSummary | WithoutValue
    done: int
    total: int

    @property
    def place(self) -> Place:
        """How far training has come with the algorithm."""
        return Place(str(self.algorithm), self.done, self.total, "trainings")


@dataclass(frozen=True, slots=True)
class DistinctModel:
    """What one or more ``runs`` of a trainer have learned, the same to the last bit.

    ``against_first`` compares it with the answer of the first run, ``None`` for that itself.
    """

    runs: tuple[int, ...]
    summary: ModelSummary
    judgement: Judgement
    coverage: Coverage
    against_first: ModelComparison | None


@dataclass(frozen=True, slots=True)
class TrainerJudged:
    """All trainings of a trainer are over, and its different ``answers`` judged; ``no_answers`` are by number of run.

    ``seconds`` and ``peak_memory`` are the least of all runs (``None``: there is none).
    """

    algorithm: Algorithm
    trainer: str
    answers: tuple[DistinctModel, ...]
    no_answers: Mapping[int, WithoutValue]
    seconds: float | None
    peak_memory: int | None


@dataclass(frozen=True, slots=True)
class TrainerCompared:
    """The first answer of ``second`` has been compared with the first one of the baseline, ``first``."""

    algorithm: Algorithm
    first: str
    second: str
    comparison: ModelComparison


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many tokens the vocabularies of two trainers share, and how many each has alone."""

    first: str
    second: str
    shared: int
    only_first: int
    only_second: int


@dataclass(frozen=True, slots=True)
class AlgorithmFinished:
    """An algorithm is done, or was stopped early (``complete`` is then false)."""

    algorithm: Algorithm
    overlaps: tuple[Overlap, ...]
    seconds: float
    complete: bool


@dataclass(frozen=True, slots=True)
class TrainingFinished(Finished):
    """Training is over; ``finished`` is false where it was interrupted. Counts are sums over the algorithms.

    ``ties`` and ``differences`` count comparisons with the baseline.
    """

    runs: int
    comparisons: int
    ties: int
    differences: int


TrainingEvent = (
    TrainingStarted
    | ImplementationMissing
    | WordsCompared
    | RunEnded
    | TrainerJudged
    | TrainerCompared
    | AlgorithmFinished
    | TrainingFinished
)


def is_ending(event: TrainingEvent) -> bool:
    """Return whether ``event`` shows that training is being ended."""
    return isinstance(event, TrainingFinished) or (isinstance(event, AlgorithmFinished) and not event.complete)
