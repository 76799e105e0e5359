"""A run asks a few built-in texts more: so often that they are long, and after tokens were added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import After, Encode, Encoded, Stage, plain_of
from tokenizer_conformance.comparison import questions
from tokenizer_conformance.comparison.questions import CHANGED_ONES, LONG, LONG_ONES, further, is_extra
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.corpus import read_corpus
from tokenizer_conformance.validation.running.events import TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.inputs.text import Input

    EventsOf = Callable[..., list[Any]]

BY_ID = {each.id: each for each in builtin_inputs()}


def events_about(events_of: EventsOf, fake: type[fakes.Toy], inputs: Sequence[Input], **options: Any) -> list[Any]:
    corpus, _ = read_corpus([("built-in", inputs)])
    return events_of(fake, corpus=corpus, asks_further=True, **options)


class LosesTheEnd(fakes.Toy):
    """Loses the last token of a text of more than 500 characters, which none of the inputs has."""

    name = "loses-the-end"

    class subject(fakes.ToySubject):  # noqa: N801 - stands for the attribute
        def model(self, text: str) -> list[fakes.Token]:
            return super().model(text)[: -1 if len(text) > 500 else None]


class Noting(fakes.Toy):
    """Notes what it is asked, and adds tokens."""

    name = "noting"
    asked: list[Observation] = []  # noqa: RUF012 - the test reads it

    class subject(fakes.ToySubject):  # noqa: N801
        def observe(self, observation: Observation) -> Outcome:
            Noting.asked.append(observation)
            return Encoded((1,)) if isinstance(observation, After) else super().observe(observation)


@pytest.mark.long
def test_a_fault_of_long_texts_is_found(events_of: EventsOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "LONG", 600)  # what is long is made smaller in many steps
    inputs = [BY_ID[each] for each in sorted(LONG_ONES)]
    events = events_about(events_of, LosesTheEnd, inputs)
    (done,) = (event for event in events if isinstance(event, TokenizerFinished))
    assert done.results[0].failing_inputs == len(inputs) == 2
    own = [each for each in done.findings if not each.is_consequence]
    assert {each.signature.stage for each in own} == {Stage.MODEL}
    corpus, _ = read_corpus([("built-in", inputs)])
    without = events_of(LosesTheEnd, corpus=corpus)
    assert not next(event for event in without if isinstance(event, TokenizerFinished)).findings


def test_texts_are_asked_about_after_tokens_were_added(events_of: EventsOf) -> None:
    inputs = [each for each in builtin_inputs() if each.category == CHANGED_ONES][:3]
    Noting.asked.clear()
    events_about(events_of, Noting, inputs, stages=(Stage.MODEL,))
    changed = {each for each in Noting.asked if isinstance(each, After)}
    assert {plain_of(each) for each in changed} == {Encode(each.text, add_special_tokens=False) for each in inputs}
    assert all(map(is_extra, changed)), "who cannot add a token loses nothing by it"


@pytest.mark.parametrize("name", sorted(LONG_ONES))
def test_the_long_texts_are_long(name: str) -> None:
    (question,) = further(BY_ID[name])
    assert isinstance(question, Encode)
    assert len(question.text) >= LONG
