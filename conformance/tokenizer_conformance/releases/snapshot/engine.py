"""Making a snapshot: one implementation is asked everything about every input, in order."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    BrokeProtocol,
    CannotLoadError,
    Crashed,
    Encode,
    Failed,
    TimedOut,
    Unsupported,
)
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.internal_error import InternalError, in_short
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.comparison.asking import Asked, loaded
from tokenizer_conformance.comparison.batching import Pace, batches
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.releases.snapshot.events import (
    Event,
    PartMade,
    SnapshotFinished,
    TokenizerAsked,
)
from tokenizer_conformance.releases.snapshot_file.loading import loaded_tokenizer
from tokenizer_conformance.releases.snapshot_file.parts import Answers, LoadedTokenizer
from tokenizer_conformance.releases.snapshot_file.questions import asked_of, every_question
from tokenizer_conformance.results.records.making import header_of, implementation_of
from tokenizer_conformance.results.records.snapshot import FORMAT, AskedInputs, AskedTokenizer, Header, Input

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Implementation, Observation, Outcome, Stage
    from tokenizer_conformance.inputs.corpus import Corpus, PairedInput
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

INTERRUPTED = "interrupted"

WITHOUT_VALUE: dict[type, str] = {
    Unsupported: "unsupported",
    Failed: "error",
    Crashed: "crash",
    TimedOut: "timeout",
    BrokeProtocol: "protocol",
}
"""What an answer is called that is no value."""

NO_ANSWER = ("crash", "timeout", "protocol")


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotPlan:
    """One snapshot: what ``implementation``, selected by ``word``, answers at ``stages`` about ``tokenizers``.

    ``words`` name the tokenizers on a command line, by their names. ``refusals`` are of what cannot be used.
    ``asks`` says of some tokenizers, by their names, which questions are put; of all others, every one is.
    """

    implementation: Implementation
    word: str
    tokenizers: tuple[TokenizerFile, ...]
    words: dict[str, str]
    corpus: Corpus
    refusals: tuple[Rejected, ...] = ()
    stages: tuple[Stage, ...] = PIPELINE_STAGES
    asks: Mapping[str, Callable[[Observation], bool]] = field(default_factory=dict)
    command: tuple[str, ...] = ()


def make_snapshot(plan: SnapshotPlan) -> Generator[Event | InternalError]:
    """Carry out ``plan`` and yield what happens, each part of the snapshot in its order.

    A ``KeyboardInterrupt`` ends it early, and :class:`SnapshotFinished` then says so.
    """
    return _Making(plan).events()


class _Making:
    """A snapshot in the making."""

    def __init__(self, plan: SnapshotPlan) -> None:
        self._plan = plan
        self._began = time.perf_counter()
        self._asking = 0.0
        self._done: list[TokenizerAsked] = []
        self._refused = bool(plan.refusals)
        self._broken = False

    def events(self) -> Generator[Event | InternalError]:
        reason: str | None = None
        try:
            yield self._header()
            yield from map(InputRefused, self._plan.refusals)
            yield from self._inputs()
            for tokenizer in self._plan.tokenizers:
                yield from self._tokenizer(tokenizer)
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except BadInputError as error:  # a file was readable when the snapshot was planned
            self._refused = True
            reason = str(error)
            yield InputRefused(Rejected("inputs file", "", str(error)))
        except Exception as error:  # noqa: BLE001 - a bug, here or in an adapter: what was made is not lost by it
            self._broken = True
            reason = in_short(error)
            yield InternalError(error)
        yield self._finished(reason)

    def _header(self) -> Header:
        plan = self._plan
        return Header(
            **header_of(FORMAT, current_environment(plan.command)),
            selected_by=plan.word,
            implementation=implementation_of(plan.implementation.info),
            tokenizers=tuple(
                AskedTokenizer(
                    name=each.source.name, word=plan.words[each.source.name], sha256=each.sha256, size=each.size
                )
                for each in plan.tokenizers
            ),
            inputs=AskedInputs(
                count=plan.corpus.count,
                sha256=plan.corpus.sha256,
                sources=tuple(str(getattr(each, "word", "")) for each in plan.corpus.sources),
            ),
            stages=plan.stages,
        )

    def _inputs(self) -> Iterator[Event]:
        number = 0
        for source, inputs in enumerate(self._plan.corpus.by_source()):
            for each in inputs:
                number += 1
                text = each.input
                part = Input(source=source, id=text.id, category=text.category, text=text.text)
                yield PartMade(part, Place("inputs", number, self._plan.corpus.count))

    # One tokenizer

    def _tokenizer(self, tokenizer: TokenizerFile) -> Iterator[Event]:
        name, total = tokenizer.source.name, self._plan.corpus.count
        STATUS.begin(name, "loading")
        began = time.perf_counter()
        try:
            asked = loaded(self._plan.implementation, tokenizer.source)
        except CannotLoadError as error:
            yield PartMade(LoadedTokenizer(name, str(error)), Place(name, 0, total))
            self._done.append(TokenizerAsked(name, why_not_loaded(error), 0, 0, {}, time.perf_counter() - began))
            yield self._done[-1]
            return
        yield PartMade(loaded_tokenizer(asked, tokenizer.source), Place(name, 0, total))
        counts: Counter[str] = Counter()
        questions = done = 0
        try:
            for answers in self._answers(asked, self._plan.asks.get(name, every_question)):
                done += 1
                questions += len(answers.outcomes)
                counts.update(map(_kind, answers.outcomes.values()))
                yield PartMade(answers, Place(name, done, total))
        finally:
            self._asking += asked.seconds
        without_value = {kind: counts[kind] for kind in WITHOUT_VALUE.values() if counts[kind]}
        self._done.append(TokenizerAsked(name, None, done, questions, without_value, time.perf_counter() - began))
        yield self._done[-1]

    def _answers(self, asked: Asked, asks: Callable[[Observation], bool]) -> Iterator[Answers]:
        pace = Pace()
        asking = _Asking(asked, self._plan.stages, asks)
        number = 0
        for batch in batches(self._plan.corpus, pace):
            pace.begin()
            asking.ahead(batch)
            pace.end()
            for each in batch:
                yield Answers(number, asking.answers(each))
                number += 1

    # The end

    def _finished(self, reason: str | None) -> SnapshotFinished:
        return SnapshotFinished(
            finished=reason is None,
            reason=reason,
            conclusion=self._conclusion(reason),
            tokenizers=len(self._done),
            inputs=sum(done.inputs for done in self._done),
            questions=sum(done.questions for done in self._done),
            seconds=time.perf_counter() - self._began,
            asking=self._asking,
        )

    def _conclusion(self, reason: str | None) -> Conclusion:
        failed = any(done.without_value.get(kind) for done in self._done for kind in NO_ANSWER)
        loaded_none = all(done.error is not None for done in self._done)  # a refusal among others is an answer, too
        answered = sum(done.questions - sum(done.without_value.values()) for done in self._done)
        return conclusion_from(
            {
                Conclusion.INTERRUPTED: reason == INTERRUPTED,
                Conclusion.INTERNAL_ERROR: self._broken,
                Conclusion.BAD_INPUT: self._refused,
                Conclusion.IMPLEMENTATION_FAILED: failed or loaded_none,
                Conclusion.NOTHING_COMPARED: not answered,
            }
        )


class _Asking:
    """Asks about one input after the other; what was answered about the text after it is not asked again."""

    def __init__(self, asked: Asked, stages: Sequence[Stage], asks: Callable[[Observation], bool]) -> None:
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

    def answers(self, each: PairedInput) -> dict[str, Outcome]:
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


def _kind(outcome: Outcome) -> str:
    return WITHOUT_VALUE.get(type(outcome), "")
