"""Two changes of a tokenizer.json at once, and how the answers of an implementation tell the values of options."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from tokenizer_adapters.contract import (
    After,
    Chunks,
    Crashed,
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    EncodeSpecialTokens,
    Failed,
    Pieces,
    Text,
)
from tokenizer_conformance.causes.classes.component_changes import DocumentChange
from tokenizer_conformance.causes.classes.documents import _both, _is_silent, _skipped
from tokenizer_conformance.causes.classes.experiment import inputs_of, length_of_answer
from tokenizer_conformance.comparison.questions import texts_in

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.classes.experiment import Ground

DOCUMENT: dict[str, Any] = {
    "added_tokens": [{"content": "a", "lstrip": False}, {"content": "b", "lstrip": False}],
    "model": {"unk_id": 0, "vocab": [1, 2]},
    "padding": None,
}


def change(name: str, **members: Any) -> DocumentChange:
    return DocumentChange("a-class", name, next(iter(members)), members)


def tokens(first: bool, second: bool) -> list[dict[str, Any]]:
    return [{"content": "a", "lstrip": first}, {"content": "b", "lstrip": second}]


@pytest.mark.parametrize(
    ("one", "other", "members"),
    [
        ({"padding": {}}, {"model": {"unk_id": 1, "vocab": [1, 2]}},
         {"padding": {}, "model": {"unk_id": 1, "vocab": [1, 2]}}),
        ({"added_tokens": tokens(True, False)}, {"added_tokens": tokens(False, True)},
         {"added_tokens": tokens(True, True)}),
        ({"model": {"unk_id": 1, "vocab": [1, 2]}}, {"model": {"unk_id": 0, "vocab": [1, 3]}},
         {"model": {"unk_id": 1, "vocab": [1, 3]}}),
        ({"model": {"unk_id": 1, "vocab": [1, 2]}}, {"model": {"unk_id": 2, "vocab": [1, 2]}}, None),
        ({"model": {"vocab": [1, 2]}}, {"model": {"unk_id": 0, "vocab": [1]}}, None),
        ({"added_tokens": []}, {"added_tokens": tokens(True, False)}, None),
        ({"added_tokens": {}}, {"added_tokens": tokens(True, False)}, None),
        ({"added_tokens": []}, {"padding": {}}, {"added_tokens": [], "padding": {}}),
    ],
)  # fmt: skip
def test_two_changes_are_one_unless_they_are_of_one_place(
    one: dict[str, Any], other: dict[str, Any], members: dict[str, Any] | None
) -> None:
    for first, second in ((one, other), (other, one)):
        both = _both(DOCUMENT, change("first", **first), change("second", **second))
        assert (None if both is None else both.members) == members


def test_two_changes_go_by_the_names_of_both() -> None:
    both = _both(DOCUMENT, change("first", padding={}), change("second", model=DOCUMENT["model"] | {"unk_id": 3}))
    assert both is not None
    assert (both.name, both.parameter, both.part) == ("a-class", "first; second", "padding")
    assert both.keys == (("a-class", "first"), ("a-class", "second"))
    three = _both(DOCUMENT, both, change("third", added_tokens=[]))
    assert three is not None
    assert three.keys == (*both.keys, ("a-class", "third"))


@pytest.mark.parametrize("silent", ["only_encodes", "without_added_tokens"])
def test_two_changes_are_silent_where_one_is(silent: str) -> None:
    one, other = change("first", padding={}), change("second", added_tokens=[])
    told = replace(one, **{silent: True})
    for first, second in ((told, other), (other, told)):
        both = _both(DOCUMENT, first, second)
        assert both is not None
        assert {each for each in SILENT if getattr(both, each)} == {silent}


SILENT = ("only_encodes", "without_added_tokens")


class Tokens:
    """A tokenizer with one added token."""

    def added_tokens_in(self, question: Observation) -> tuple[str, ...]:
        return tuple(each for each in ("[a]",) if each in " ".join(texts_in(question)))


@pytest.mark.parametrize(
    ("question", "silent"),
    [
        (Encode("x [a]"), {"without_added_tokens"}),
        (Encode("x a"), set()),
        (Encode("x", "[a]"), {"without_added_tokens"}),
        (Decode((7,)), {"only_encodes"}),
        (Decode((1,)), {"only_encodes"}),
    ],
)
def test_some_changes_are_silent_about_ids_or_added_tokens(question: Observation, silent: set[str]) -> None:
    changes = {each: replace(change("x", padding={}), **{each: True}) for each in SILENT}
    assert {each for each in SILENT if _is_silent(changes[each], cast("Ground", Tokens()), question)} == silent


class Decoding:
    """A tokenizer with these special tokens, of which an implementation decodes each alone as told."""

    def __init__(self, **answers: Outcome) -> None:
        self.asked = 0
        self.answers = dict(enumerate(answers.values()))
        self.ids = {name: id_ for id_, name in enumerate(answers)}
        self.document = {"added_tokens": [{"content": name, "special": True} for name in answers]}
        self.document["added_tokens"].append({"content": "plain", "special": False})

    def vocabulary(self) -> dict[str, int]:
        return self.ids

    def actual(self, question: Decode) -> Outcome:
        self.asked += 1
        return self.answers[question.ids[0]] if question.skip_special_tokens else Failed("ValueError", "")


@pytest.mark.parametrize(
    ("answers", "question", "skipped"),
    [
        ({"a": Text(""), "b": Text("b"), "c": Text("")}, Decode((7,)), frozenset("ac")),
        ({"a": Text("a")}, Decode((7,)), frozenset()),
        ({"a": Text(""), "b": Failed("ValueError", "")}, Decode((7,)), None),
        ({"a": Text("")}, Decode((7,), False), None),
        ({"a": Text("")}, Encode("a"), None),
        ({f"t{at}": Text("") for at in range(129)}, Decode((7,)), None),
    ],
    ids=["some", "none", "an error", "kept", "a text", "too many"],
)
def test_what_is_left_out_alone_tells_which_tokens_are_special(
    answers: dict[str, Outcome], question: Observation, skipped: frozenset[str] | None
) -> None:
    assert _skipped(cast("Ground", Decoding(**answers)), question) == skipped


def test_a_program_that_is_lost_over_a_special_token_is_asked_about_no_other() -> None:
    ground = Decoding(a=Text(""), b=Crashed("ended"), c=Text(""))
    assert _skipped(cast("Ground", ground), Decode((7,))) is None
    assert ground.asked == 2


def test_answers_have_a_length() -> None:
    answers: list[Outcome] = [
        Text("abc"),
        Pieces((("a", None), ("b", None))),
        Encoded((1, 2, 3, 4)),
        Chunks(("a",)),
        EncodedBatch(()),
    ]
    assert [length_of_answer(each) for each in answers] == [3, 2, 4, 0, 0]


def test_inputs_of_questions() -> None:
    one, other = Encode("a"), Encode("b")
    questions: list[Observation] = [
        one,
        EncodeBatch((one, other)),
        After((EncodeSpecialTokens(True),), one),
        Decode((1,)),
    ]
    assert [inputs_of(each) for each in questions] == [(one,), (one, other), (one,), ()]
