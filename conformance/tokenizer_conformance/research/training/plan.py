"""What is to be trained: trainers, corpus, algorithms and options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.training import CountedWords, TextFiles, TrainingRequest
from tokenizer_conformance.defaults import TRAINING_TOLERANCE
from tokenizer_conformance.research.training.task import TrainingTask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.training import Algorithm, PreTokenizer, Trainer, TrainingOptions
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.research.training.corpus import CorpusFile


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPlan:
    """Train ``trainers``, the first of which the others are compared with, ``repeat`` times each, on ``corpus``.

    ``options`` are those of each algorithm. ``words`` are those of the corpus with their counts, as the pre-tokenizer
    of ``counter`` cuts it. ``unavailable`` are trainers that were asked for and cannot be used.
    """

    trainers: tuple[Trainer, ...]
    corpus: tuple[CorpusFile, ...]
    pre_tokenizer: PreTokenizer
    words: Mapping[str, int]
    counter: str
    options: Mapping[Algorithm, TrainingOptions]
    repeat: int = 1
    tolerance: float = TRAINING_TOLERANCE
    unavailable: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()

    @property
    def baseline(self) -> Trainer:
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

    def request(self, algorithm: Algorithm, trainer: Trainer) -> TrainingRequest:
        """Return what ``trainer`` is asked: to learn from the words, if it takes these, and else from the files."""
        return TrainingRequest(
            algorithm=algorithm,
            pre_tokenizer=self.pre_tokenizer,
            corpus=CountedWords(self.words) if trainer.info.takes_words else TextFiles(self.files),
            options=self.options[algorithm],
        )
