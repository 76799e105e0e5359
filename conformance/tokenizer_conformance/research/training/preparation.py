"""From what a user gives to a plan: the corpus is read, its words counted, and what cannot be learned is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.client import in_words
from tokenizer_adapters.training import CountedWords
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.research.training.corpus import corpus_files, refuse_unlearnable
from tokenizer_conformance.research.training.plan import TrainingPlan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_adapters.training import Algorithm, PreTokenizer, Trainer, TrainingOptions
    from tokenizer_conformance.rejected import Rejected


class CannotCountError(Exception):
    """The words of the corpus cannot be counted, for a reason that lies in a trainer."""


def prepared(
    *,
    trainers: tuple[Trainer, ...],
    unavailable: tuple[Rejected, ...],
    counters: Sequence[Trainer],
    files: Sequence[str],
    pre_tokenizer: PreTokenizer,
    options: Mapping[Algorithm, TrainingOptions],
    repeat: int,
    tolerance: float,
    command: tuple[str, ...],
) -> TrainingPlan:
    """Return the plan to train ``trainers`` on ``files``; the first of ``counters`` counts the words.

    Raises :class:`BadInputError` where the corpus cannot be used or nothing can be learned from it as asked, and
    :class:`CannotCountError`.
    """
    STATUS.begin("reading the corpus")
    corpus = corpus_files(files)
    if not counters:
        raise CannotCountError("no trainer is installed that can cut a corpus into words; pip install tokenizers")
    counter = counters[0]
    STATUS.begin("words of the corpus", f"counted by {counter.info.name}")
    answer = counter.count_words(pre_tokenizer, tuple(file.name for file in corpus))
    if not isinstance(answer, CountedWords):
        raise CannotCountError(f"{counter.info.name} cannot count the words of the corpus: {in_words(answer)}")
    plan = TrainingPlan(
        trainers=trainers,
        corpus=corpus,
        pre_tokenizer=pre_tokenizer,
        words=answer.counts,
        counter=counter.info.name,
        options=options,
        repeat=repeat,
        tolerance=tolerance,
        unavailable=unavailable,
        command=command,
    )
    for algorithm in options:
        refuse_unlearnable(plan.task(algorithm), corpus)
    return plan
