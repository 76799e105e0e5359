"""Which ids an implementation refuses, told only where others bear it out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from tokenizer_adapters.contract import Decode, DecodeStream, Encode, Failed, Text
from tokenizer_conformance.causes.classes import failures
from tokenizer_conformance.causes.classes.failures import explained_by_refused_ids
from tokenizer_conformance.causes.classes.probes import Drawn, Probes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.cause import Reason
    from tokenizer_conformance.causes.witness import Witness

ERROR = Failed("ValueError", "no\nid")
SAID = "The implementation raises ValueError: no id."
WORDS = {0: "<s>", 1: "a", 2: "b", 3: "\ufffd", 4: "\ufffd", 5: "<t>"}
ADDED = ({"id": 0, "content": "<s>"}, {"id": 5, "content": "<t>"})

Asked = Decode | DecodeStream


class MadeUp:
    """A ground of six ids, of which two are halves of a character, whose implementation refuses what it is told to."""

    def __init__(self, refuses: Callable[[Asked], bool], near: Iterable[Any] = (), drawn: Iterable[Asked] = ()) -> None:
        self._refuses = refuses
        self._near = tuple(near)
        self._drawn = tuple(drawn)
        self.document = {"added_tokens": ADDED}

    def expected(self, question: Asked) -> Outcome:
        text = "".join(WORDS.get(id_, "") for id_ in question.ids)
        return Text(text.replace("\ufffd\ufffd", "\u00e9"))

    def actual(self, question: Asked) -> Outcome:
        return ERROR if self._refuses(question) else self.expected(question)

    def agrees(self, question: Asked) -> bool:
        return self.actual(question) == self.expected(question)

    def vocabulary(self) -> dict[str, int]:
        return {word: id_ for id_, word in WORDS.items() if id_ != 4} | {"half": 4}

    def probes_like(self, _question: Asked) -> Probes:
        return Probes(self._near[:1], self._near[1:])

    def drawn_like(self, _question: Asked) -> list[Drawn]:
        return [Drawn(each, (each,)) for each in self._drawn]


def refusing(*ids: int) -> Callable[[Asked], bool]:
    return lambda question: bool(set(ids) & set(question.ids))


def is_broken(question: Asked) -> bool:
    return (question.ids.count(3) + question.ids.count(4)) % 2 == 1


@pytest.fixture
def reason(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Reason | None]:
    def look(ground: MadeUp, question: Observation, **other: Outcome) -> Reason | None:
        monkeypatch.setattr(failures, "ground_of", lambda _bench, _witness: ground)
        told = {"expected": Text("a"), "actual": ERROR} | other
        witness = cast("Witness", SimpleNamespace(question=question, **told))
        return explained_by_refused_ids(cast("Bench", None), witness)

    return look


@pytest.mark.parametrize(
    ("ground", "question", "parameter", "proof"),
    [
        (
            MadeUp(refusing(9, 8), drawn=[Decode((1,))]),
            Decode((9, 1, 8)),
            "ids outside the vocabulary",
            ("It does so for each of these ids alone: 8, 9.", "Without these the answers agree."),
        ),
        (
            MadeUp(refusing(0, 5), drawn=[Decode((1,)), Decode((5,))]),
            DecodeStream((0,)),
            "ids of added tokens",
            ("It does so for each of these ids alone: 0.", "Drawn ids of other tokens are not refused."),
        ),
        (
            MadeUp(refusing(*range(10, 20))),
            Decode(tuple(range(18, 9, -1))),
            "ids outside the vocabulary",
            ("It does so for each of these ids alone: 10, 11, 12, 13, 14, 15.",
             "Drawn ids of other tokens are not refused."),
        ),
    ],
)  # fmt: skip
def test_ids_that_are_refused_alone(
    ground: MadeUp,
    question: Asked,
    parameter: str,
    proof: tuple[str, ...],
    reason: Callable[..., Reason | None],
) -> None:
    found = reason(ground, question)
    assert found is not None
    assert (found.name, found.parameter, found.proof) == ("ids-without-value", parameter, (SAID, *proof))


@pytest.mark.parametrize(
    ("ground", "question"),
    [
        (MadeUp(lambda question: len(question.ids) > 1), Decode((1, 2))),
        (MadeUp(lambda question: 9 in question.ids or len(question.ids) > 1), Decode((9, 1, 2))),
        (MadeUp(refusing(1)), Decode((1,))),
        (MadeUp(refusing(0, 9)), Decode((0, 9))),
        (MadeUp(refusing(0, 1), drawn=[Decode((2,)), Decode((1,))]), Decode((0,))),
        (MadeUp(refusing(0, 9), drawn=[Decode((9,))]), Decode((0,))),
        (MadeUp(refusing(3)), Decode((3,))),
    ],
    ids=[
        "several at once",
        "the others, too",
        "an ordinary token",
        "two kinds",
        "another drawn one",
        "a drawn one of another kind",
        "half a character",
    ],
)
def test_ids_that_are_refused_for_no_known_reason(
    ground: MadeUp, question: Asked, reason: Callable[..., Reason | None]
) -> None:
    assert reason(ground, question) is None


HALVES = [Decode(each) for each in ((3,), (1, 4), (3, 4), (1,), (2, 3), (3, 4, 1))]


def test_what_is_no_character_is_refused(reason: Callable[..., Reason | None]) -> None:
    found = reason(MadeUp(is_broken, [*HALVES, Encode("a")]), Decode((1, 3)))
    assert found is not None
    assert (found.name, found.parameter) == ("partial-character", "an error")
    assert found.proof == (
        SAID,
        "It raises for all of 4 lists of ids whose bytes are no UTF-8, and for none of 3 others.",
    )
    assert reason(MadeUp(is_broken, HALVES[:2]), Decode((1, 3))) is None  # no other shows that it can be right
    assert reason(MadeUp(refusing(3), HALVES), Decode((1, 3))) is None
    assert reason(MadeUp(lambda question: is_broken(question) and question.ids != (2, 3), HALVES), Decode((3,))) is None


def test_a_whole_text_that_is_refused_is_no_half_character(reason: Callable[..., Reason | None]) -> None:
    ground = MadeUp(lambda question: is_broken(question) or question.ids == (1, 2), HALVES)
    assert reason(ground, Decode((1, 2))) is None
    assert reason(ground, Decode((1, 3))) is not None


def test_where_there_is_no_error_or_another_question_nothing_is_said(reason: Callable[..., Reason | None]) -> None:
    ground = MadeUp(refusing(9))
    assert reason(ground, Decode((9,))) is not None
    assert reason(ground, Decode((9,)), actual=Text("")) is None
    assert reason(ground, Decode((9,)), expected=ERROR) is None
    assert reason(ground, Encode("a")) is None
