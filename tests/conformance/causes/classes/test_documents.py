"""Two changes of a tokenizer.json at once, and how the answers of an implementation tell the values of options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import (
    After,
    Chunks,
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    EncodeSpecialTokens,
    Pieces,
    Text,
)
from tokenizer_conformance.causes.classes.component_changes import DocumentChange
from tokenizer_conformance.causes.classes.documents import _both
from tokenizer_conformance.causes.classes.experiment import inputs_of, length_of_answer

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome

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
