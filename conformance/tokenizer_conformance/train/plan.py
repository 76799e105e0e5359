"""What is to be trained: trainers, corpus, algorithms and options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.training import TrainingRequest
from tokenizer_conformance.train.task import TOLERANCE, TrainingTask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.training import Algorithm, PreTokenizer, TrainerInfo, TrainingOptions
    from tokenizer_conformance.train.corpus import CorpusFile
    from tokenizer_conformance.unusable import Unusable

PATIENCE = 3600.0
"""How many seconds a training may take, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class ChosenTrainer:
    """A trainer: its description, and the path ``package.module:Class`` by which a process of its own finds it."""

    info: TrainerInfo
    path: str

    @property
    def name(self) -> str:
        """The name of the trainer."""
        return self.info.name


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """Train ``trainers``, the first of which the others are compared with, ``repeat`` times each, on ``corpus``.

    ``options`` are those of each algorithm. ``words`` are those of the corpus with their counts, as the pre-tokenizer of
    ``counter`` cuts it. ``patience`` is how long one training may take, in seconds.
    ``unavailable`` are trainers that were asked for and cannot be used.
    """

    trainers: tuple[ChosenTrainer, ...]
    corpus: tuple[CorpusFile, ...]
    pre_tokenizer: PreTokenizer
    words: Mapping[str, int]
    counter: str
    options: Mapping[Algorithm, TrainingOptions]
    repeat: int = 1
    tolerance: float = TOLERANCE
    patience: float = PATIENCE
    unavailable: tuple[Unusable, ...] = ()
    command: tuple[str, ...] = ()

    @property
    def baseline(self) -> ChosenTrainer:
        """The trainer that the others are compared with."""
        return self.trainers[0]

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of the corpus."""
        return tuple(file.name for file in self.corpus)

    def task(self, algorithm: Algorithm) -> TrainingTask:
        """Return what answers of ``algorithm`` are compared on."""
        return TrainingTask(
            algorithm=algorithm, words=self.words, options=self.options[algorithm], tolerance=self.tolerance
        )

    def request(self, algorithm: Algorithm) -> TrainingRequest:
        """Return what every trainer is asked."""
        return TrainingRequest(
            algorithm=algorithm,
            pre_tokenizer=self.pre_tokenizer,
            files=self.files,
            words=self.words,
            options=self.options[algorithm],
        )
