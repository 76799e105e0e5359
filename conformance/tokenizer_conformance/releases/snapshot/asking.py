"""Asking one implementation about a batch of inputs, here or in another process; the answers are lines at once."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    BrokeProtocol,
    Crashed,
    Encode,
    Failed,
    TimedOut,
    Unsupported,
)
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.worker_pool import told_when_broken
from tokenizer_conformance.comparison.asking import Asked, loaded
from tokenizer_conformance.releases.snapshot_file.lines import Written, written
from tokenizer_conformance.releases.snapshot_file.parts import Answers
from tokenizer_conformance.releases.snapshot_file.questions import asked_of, every_question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome, Stage, TokenizerSource
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.command_io.worker_pool import Broken
    from tokenizer_conformance.inputs.corpus import PairedInput

WITHOUT_VALUE: dict[type, str] = {
    Unsupported: "unsupported",
    Failed: "error",
    Crashed: "crash",
    TimedOut: "timeout",
    BrokeProtocol: "protocol",
}
"""What an answer is called that is no value."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What was answered about one input, ``written`` as a line.

    So many ``questions`` were asked; ``without_value`` counts answers that were no value, by what they were.
    """

    written: Written
    questions: int
    without_value: Counter[str]


class Asking:
    """Asks about one input after the other; what was answered about the text after it is not asked again."""

    def __init__(
        self, asked: Asked, stages: Sequence[Stage], asks: Callable[[Observation], bool] = every_question
    ) -> None:
        self._asked = asked
        self._asks = asks
        self._stages = frozenset(stages)
        self._answers: dict[Observation, Outcome] = {}

    def ahead(self, batch: Sequence[PairedInput]) -> None:
        """Ask about ``batch`` at once, where that is faster."""
        self._asked.forget()
        if not self._asked.takes_batches:
            return
        STATUS.at("asking ahead", self._asked.info.name)
        self._ask_ahead(batch, _nothing)
        self._ask_ahead(batch, self._asked_now)  # questions that follow from answers

    def _ask_ahead(self, batch: Sequence[PairedInput], answer: Callable[[Observation], Outcome]) -> None:
        asked = (asked_of(each.input.text, each.following.text, self._stages, answer) for each in batch)
        self._asked.ask_ahead([question for each in asked for _, question in each if self._asks(question)])

    def answered(self, first: int, batch: Sequence[PairedInput]) -> Iterator[Answered]:
        """Yield what is answered about each input of ``batch``, the first of which has the number ``first``."""
        for number, each in enumerate(batch, first):
            outcomes = self._answers_about(each)
            kinds = Counter(WITHOUT_VALUE[type(each)] for each in outcomes.values() if type(each) in WITHOUT_VALUE)
            yield Answered(written(Answers(number, outcomes)), len(outcomes), kinds)

    def _answers_about(self, each: PairedInput) -> dict[str, Outcome]:
        """Return the answers about an input, by the names of the questions."""
        kept = Encode(each.input.text)
        self._answers = {kept: self._answers[kept]} if kept in self._answers else {}
        return {
            name: self._answer(question)
            for name, question in asked_of(each.input.text, each.following.text, self._stages, self._answer)
            if self._asks(question)
        }

    def _answer(self, question: Observation) -> Outcome:
        outcome = self._answers.get(question)
        if outcome is None:
            outcome = self._answers[question] = self._asked_now(question)
        return outcome

    def _asked_now(self, question: Observation) -> Outcome:
        """Return the answer to ``question``, where it is one that is put."""
        return self._asked.ask(question) if self._asks(question) else _nothing(question)


def _nothing(_question: Observation) -> Outcome:
    return Unsupported("not asked yet")


# In another process ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Setup:
    """What a process that asks has to know: who is asked, and at which stages."""

    selected: Selected
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """A task: ``inputs``, the first of which has the number ``first``, are asked about on the tokenizer of ``source``.

    Where there are none, the tokenizer is loaded.
    """

    source: TokenizerSource
    first: int = 0
    inputs: tuple[PairedInput, ...] = ()


@dataclass(frozen=True, slots=True)
class BatchAnswered:
    """What was answered about a batch, in ``seconds``, ``waited`` of which were spent waiting for answers."""

    answered: tuple[Answered, ...]
    seconds: float
    waited: float


def begin(setup: Setup) -> Callable[[Batch], BatchAnswered | Broken]:
    """Return what does the tasks of a process."""
    return told_when_broken(_Process(setup).done)


class _Process:
    def __init__(self, setup: Setup) -> None:
        self._implementation = setup.selected.build()
        self._stages = setup.stages
        self._source: TokenizerSource | None = None

    def done(self, batch: Batch) -> BatchAnswered:
        if batch.source != self._source:
            self._asked = loaded(self._implementation, batch.source)
            self._asking = Asking(self._asked, self._stages)
            self._source = batch.source
        began, waited = time.perf_counter(), self._asked.seconds
        if batch.inputs:
            self._asking.ahead(batch.inputs)
        answered = tuple(self._asking.answered(batch.first, batch.inputs))
        return BatchAnswered(answered, time.perf_counter() - began, self._asked.seconds - waited)
