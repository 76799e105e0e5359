"""Answers that depend on what was asked before are told as such, with the shortest sequence that shows it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, ClassVar

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Decode, Encode, Normalize, Stage, Text, Unsupported
from tokenizer_conformance.causes.cause import UNEXPLAINED
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.inputs.asked import AskedQuestions, question_in
from tokenizer_conformance.validation.running.earlier_questions import NAME
from tokenizer_conformance.validation.running.events import TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.cause import Cause

    EventsOf = Callable[..., list[Any]]


class AfterNul(fakes.Toy):
    """Once it has seen U+0000, it leaves a capital B as it is."""

    name = "after-nul"

    class subject(fakes.ToySubject):  # noqa: N801 - stands for the attribute
        has_seen = False

        def normalize(self, text: str) -> str:
            self.has_seen |= "\0" in text
            return text if self.has_seen and "B" in text else super().normalize(text)


class AfterNulAndWrong(AfterNul):
    """Loses every z as well, whatever was asked before."""

    name = "after-nul-and-wrong"

    class subject(AfterNul.subject, fakes.LossyDecode.subject):  # noqa: N801
        pass


class EverySecond(fakes.Toy):
    """Answers every second question to normalize with capitals."""

    name = "every-second"

    class subject(fakes.ToySubject):  # noqa: N801
        asked = 0

        def observe(self, observation: Observation) -> Outcome:
            if isinstance(observation, Normalize):
                self.asked += 1
                found = self.normalize(observation.text)
                return Text(found.upper() if self.asked % 2 == 0 else found)
            return super().observe(observation)


class LastOnly(fakes.Toy):
    """Is wrong about a text that is asked about once more after others."""

    name = "last-only"

    class subject(fakes.ToySubject):  # noqa: N801
        def __init__(self) -> None:
            self.seen: list[str] = []

        def normalize(self, text: str) -> str:
            again = text in self.seen[:-2]
            self.seen.append(text)
            return "wrong" if again and text == "first" else super().normalize(text)


TEXTS = ("aBc", "x", "a\0", "y", "Bz", "BBB")
ONLY: dict[str, Any] = {"stages": (Stage.NORMALIZE,), "cause_seconds": 30.0}


def causes_of(events: Sequence[Any]) -> tuple[Cause, ...]:
    causes: tuple[Cause, ...] = events[-1].causes
    return causes


def finished(events: Sequence[Any]) -> TokenizerFinished:
    return next(event for event in events if isinstance(event, TokenizerFinished))


def test_what_does_not_show_alone_has_the_shortest_sequence_and_no_other_reason(events_of: EventsOf) -> None:
    events = events_of(AfterNul, texts=TEXTS, **ONLY)
    (cause,) = causes_of(events)
    assert cause.reason.name == NAME
    assert (cause.earlier, cause.witness.question) == ((Normalize("\0"),), Normalize("B"))
    done = finished(events)
    assert [each.differences for each in done.findings] == [2]
    assert [each.differences for each in done.unstable] == [1]  # the first text, asked again
    assert cause.differences == 3
    assert not events[-1].unexamined


def test_the_printed_command_asks_just_these_questions_and_shows_it_again(events_of: EventsOf) -> None:
    (cause,) = causes_of(events_of(AfterNul, texts=TEXTS, **ONLY))
    words = shlex.split(cause.repeat)
    questions = tuple(question_in(each) for at, each in enumerate(words) if words[at - 1] == "--ask")
    assert questions == (*cause.earlier, cause.witness.question)
    (again,) = causes_of(events_of(AfterNul, corpus=AskedQuestions(questions), **ONLY))
    assert (again.reason, again.earlier) == (cause.reason, cause.earlier)
    assert finished(events_of(AfterNul, corpus=AskedQuestions(questions[-1:]), **ONLY)).findings == ()


def test_what_shows_alone_keeps_its_own_reason(events_of: EventsOf) -> None:
    events = events_of(AfterNulAndWrong, texts=TEXTS, cause_seconds=30.0)
    by_reason = {each.reason.name: each for each in causes_of(events)}
    assert by_reason.keys() >= {NAME}
    others = [each for each in causes_of(events) if each.reason.name != NAME]
    assert {each.witness.stage for each in others} == {Stage.DECODE}
    assert all(isinstance(each.witness.question, Decode) and not each.earlier for each in others)
    assert all(each.witness.stage is not Stage.DECODE for each in causes_of(events) if each.earlier)


def test_an_implementation_without_a_memory_is_given_no_such_reason(events_of: EventsOf) -> None:
    for fake in (fakes.WrongNormalization, fakes.SwappedMerge, fakes.LossyDecode):
        assert NAME not in {each.reason.name for each in causes_of(events_of(fake, texts=TEXTS, cause_seconds=30.0))}


def test_what_is_unstable_for_its_number_says_so(events_of: EventsOf) -> None:
    events = events_of(EverySecond, texts=TEXTS, **ONLY)
    assert {each.reason.name for each in causes_of(events)} == {NAME} or not causes_of(events)
    told = [each for each in finished(events).causes if each.reason.name == NAME]
    assert told
    assert UNEXPLAINED not in {each.reason.name for each in causes_of(events)}


def test_a_sample_is_asked_again_in_another_order(events_of: EventsOf) -> None:
    events = events_of(LastOnly, texts=("first", "second", "third", "fourth"), **ONLY)
    done = finished(events)
    assert not done.findings
    assert [each.signature.verdict for each in done.unstable] == [Verdict.UNSTABLE]
    assert done.results[0].has(Verdict.UNSTABLE)
    assert done.results[0].stages[Stage.NORMALIZE].inputs == {Verdict.UNSTABLE: 1, Verdict.AGREE: 3}
    (cause,) = done.causes
    assert cause.reason.name == NAME
    assert cause.earlier[0] == cause.witness.question == Normalize("first")
    assert len(cause.earlier) == 3


@pytest.mark.parametrize("seconds", [0.0, 30.0])
def test_it_is_told_without_time_for_causes_too(events_of: EventsOf, seconds: float) -> None:
    events = events_of(AfterNul, texts=TEXTS, **(ONLY | {"cause_seconds": seconds}))
    (cause,) = causes_of(events)
    assert (cause.reason.name, cause.differences, cause.inputs) == (NAME, 3, 3)
    assert "Encode" not in str(cause.earlier)
    assert isinstance(cause.witness.question, Normalize | Encode)


class OnlyAtFirst(fakes.Toy):
    """Is wrong about a capital B for the first subject that is loaded, and never again."""

    name = "only-at-first"
    loaded: ClassVar[list[object]] = []

    class subject(fakes.ToySubject):  # noqa: N801
        def __init__(self) -> None:
            self.is_first = not OnlyAtFirst.loaded
            OnlyAtFirst.loaded.append(None)

        def normalize(self, text: str) -> str:
            return text if self.is_first and "B" in text else super().normalize(text)


def test_what_is_never_shown_again_is_told_as_the_run_has_seen_it(
    events_of: EventsOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OnlyAtFirst, "loaded", [])
    events = events_of(OnlyAtFirst, texts=TEXTS, **ONLY)
    (cause,) = causes_of(events)
    witness = cause.witness
    assert (cause.reason.name, cause.earlier, cause.differences) == (UNEXPLAINED, (), 3)
    assert witness.question == Normalize("Bz")
    assert witness.expected == witness.actual == Unsupported("the answer was not given again")
    assert (witness.stage, witness.difference) == (Stage.NORMALIZE, finished(events).findings[0].smallest.difference)
