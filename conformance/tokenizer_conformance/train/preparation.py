"""From what a user gives to a plan: the corpus is read, its words are counted, and what cannot be learned is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Crashed, Failed, TimedOut
from tokenizer_adapters.training import CountedWords
from tokenizer_conformance.train.corpus import corpus_files, refuse_unlearnable
from tokenizer_conformance.train.plan import TrainingPlan
from tokenizer_conformance.train.processes import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_adapters.training import Algorithm, PreTokenizer, TrainingOptions
    from tokenizer_conformance.train.plan import ChosenTrainer
    from tokenizer_conformance.train.processes import NoAnswer
    from tokenizer_conformance.unusable import Unusable


class CannotCountError(Exception):
    """The words of the corpus cannot be counted, for a reason that lies in a trainer."""


def prepared(
    *,
    trainers: tuple[ChosenTrainer, ...],
    unavailable: tuple[Unusable, ...],
    counters: Sequence[ChosenTrainer],
    files: Sequence[str],
    pre_tokenizer: PreTokenizer,
    options: Mapping[Algorithm, TrainingOptions],
    repeat: int,
    tolerance: float,
    patience: float,
    command: tuple[str, ...],
) -> TrainingPlan:
    """Return the plan to train ``trainers`` on ``files``; the first of ``counters`` counts the words.

    Raises :class:`BadInputError` where the corpus cannot be used or nothing can be learned from it as asked, and
    :class:`CannotCountError`.
    """
    corpus = corpus_files(files)
    if not counters:
        raise CannotCountError("no trainer is installed that can cut a corpus into words; pip install tokenizers")
    counter = counters[0]
    answer = counted(counter, pre_tokenizer, tuple(file.name for file in corpus), patience)
    if not isinstance(answer, CountedWords):
        raise CannotCountError(f"{counter.name} cannot count the words of the corpus: {_reason(answer)}")
    plan = TrainingPlan(
        trainers=trainers,
        corpus=corpus,
        pre_tokenizer=pre_tokenizer,
        words=answer.counts,
        counter=counter.name,
        options=options,
        repeat=repeat,
        tolerance=tolerance,
        patience=patience,
        unavailable=unavailable,
        command=command,
    )
    for algorithm in options:
        refuse_unlearnable(plan.task(algorithm), corpus)
    return plan


def _reason(answer: NoAnswer) -> str:
    match answer:
        case Failed(kind, message):
            return f"{kind}: {message}"
        case Crashed(detail):
            return detail
        case TimedOut(seconds):
            return f"no answer within {seconds:g} s"
    return answer.reason
