"""Parts of two documents are exchanged until it is known which of them carry the difference, and nothing else."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.comparison import exchange
from tokenizer_conformance.comparison.component_differences import ABSENT
from tokenizer_conformance.comparison.exchange import (
    LONGEST_TEXT,
    MOST_OF_A_KIND,
    MOST_PLACES,
    MOST_TEXTS,
    Carrier,
    Exchange,
    Exchanged,
    KeptTexts,
    Part,
    _some,
    exchanged,
    parts_between,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Json = dict[str, Any]
    Answer = Callable[[Json, str], object]

SPLIT = {"type": "Split", "pattern": {"Regex": "a+"}, "behavior": "Isolated", "invert": False}
LATER = 60.0


def document(**parts: Any) -> Json:
    return {"normalizer": None, "pre_tokenizer": None, "decoder": None, "model": {"type": "BPE", "vocab": {}}, **parts}


def outcome(
    first: Json, second: Json, answer: Answer, texts: str, controls: str = "", seconds: float = LATER
) -> Exchanged:
    def answers(asked: Json, of: Sequence[str]) -> list[object]:
        return [answer(asked, text) for text in of]

    until = time.monotonic() + seconds
    search = Exchange(first, second, answers, lambda one, other: one == other, list(texts), list(controls), until)
    everything = [*texts, *controls]
    return search.outcome(answers(first, everything), answers(second, everything))


def names(found: Exchanged) -> list[list[str]]:
    return [[part.name for part in each.parts] for each in found.carriers]


# Parts ---------------------------------------------------------------------------------------------------------------


def test_a_part_is_as_small_as_a_place_of_a_component() -> None:
    other = {**SPLIT, "pattern": {"Regex": "b+"}}
    digits = {"type": "Digits", "individual_digits": True}
    first = document(pre_tokenizer={"type": "Sequence", "pretokenizers": [digits, SPLIT]}, decoder={"type": "Fuse"})
    second = document(pre_tokenizer={"type": "Sequence", "pretokenizers": [digits, other]})
    second["model"] = {"type": "BPE", "vocab": {"a": 0}, "dropout": 0.1}
    found = list(parts_between(first, second))
    assert [(part.name, part.path) for part in found] == [
        ("the pre-tokenizer's Split pattern", ("pre_tokenizer", "pretokenizers", 1, "pattern", "Regex")),
        ("the vocabulary", ("model", "vocab")),
        ("the model's dropout", ("model", "dropout")),
        ("the decoder", ("decoder",)),
    ]
    assert found[2].first is ABSENT
    assert exchanged(first, found) == second
    assert exchanged(second, found, back=True) == first


def test_a_part_of_a_sequence_that_is_of_another_type_is_named_by_its_number() -> None:
    first = document(normalizer={"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]})
    second = document(normalizer={"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Nmt"}]})
    longer = document(normalizer={"type": "Sequence", "normalizers": [{"type": "NFC"}]})
    assert [part.name for part in parts_between(first, second)] == ["the normalizer's part 2"]
    assert [part.name for part in parts_between(first, longer)] == ["the normalizer's list of parts"]


# Carriers ------------------------------------------------------------------------------------------------------------


def test_the_one_part_that_carries_all_is_found_among_others() -> None:
    first, second = document(normalizer=1, decoder=1), document(normalizer=2, decoder=2)
    found = outcome(first, second, lambda asked, text: (text, asked["normalizer"]), "abc")
    assert names(found) == [["the normalizer"]]
    assert found.is_all
    (carrier,) = found.carriers
    assert (carrier.texts, carrier.back, found.texts, found.parts) == (3, 3, 3, 2)


def test_where_none_suffices_the_smallest_set_is_found() -> None:
    first, second = (
        document(normalizer=1, pre_tokenizer=1, decoder=1),
        document(normalizer=2, pre_tokenizer=2, decoder=2),
    )
    parts = {"a": "normalizer", "b": "decoder"}
    found = outcome(first, second, lambda asked, text: asked[parts[text]], "ab")
    assert names(found) == [["the normalizer", "the decoder"]]
    assert found.is_all


def test_a_part_that_changes_a_control_carries_nothing() -> None:
    """With the normalizer alone the text that differs is right, and one that does not is wrong."""

    def answer(asked: Json, text: str) -> object:
        if text == "d":
            return asked["normalizer"]
        return asked["normalizer"] == asked["decoder"]

    first, second = document(normalizer=1, decoder=1), document(normalizer=2, decoder=2)
    found = outcome(first, second, answer, "d", "c")
    assert names(found) == [["the normalizer", "the decoder"]]
    assert names(outcome(first, second, answer, "d")) == [["the normalizer"]]


def test_only_what_carries_a_text_and_keeps_the_controls_is_tried_the_other_way_round() -> None:
    members = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
    first, second = (dict.fromkeys(members, number) | {"model": {}} for number in (1, 2))
    loaded = []

    def answers(asked: Json, of: Sequence[str]) -> list[object]:
        loaded.append(tuple(asked[member] for member in members))
        carried = {"a": asked["normalizer"], "b": asked["pre_tokenizer"]}
        return [carried.get(text, asked["pre_tokenizer"] == asked["post_processor"]) for text in of]

    search = Exchange(
        first, second, answers, lambda one, other: one == other, ["a", "b"], [*"cde"], time.monotonic() + LATER
    )
    found = search.outcome([1, 1, *[True] * 3], [2, 2, *[True] * 3])
    assert names(found) == [["the normalizer", "the pre-tokenizer", "the post-processor"]]
    both = [(1, 1, 1, 1), (2, 2, 2, 2)]
    assert loaded[:7] == [*both, (2, 1, 1, 1), (1, 2, 2, 2), (1, 2, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2)]
    (carrier,) = found.carriers
    assert (carrier.texts, carrier.back, carrier.keeps_controls) == (2, 2, True)
    assert (found.texts, found.controls, found.parts) == (2, 3, 4)


def test_what_cannot_be_loaded_alone_is_exchanged_with_others() -> None:
    def answer(asked: Json, _text: str) -> object:
        model = asked["model"]
        if len(model["vocab"]) != len(model["merges"]):
            raise CannotLoadError("merges of no token")
        return len(model["merges"])

    first, second = document(), document()
    first["model"] = {"type": "BPE", "vocab": {"a": 0}, "merges": [1]}
    second["model"] = {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": [1, 2]}
    assert names(outcome(first, second, answer, "x")) == [["the vocabulary", "the merges"]]


def test_what_cannot_be_loaded_the_other_way_round_carries_nothing_back() -> None:
    def answer(asked: Json, _text: str) -> object:
        if (asked["normalizer"], asked["decoder"]) == (1, 2):
            raise CannotLoadError("these two do not go together")
        return asked["normalizer"]

    found = outcome(document(normalizer=1, decoder=1), document(normalizer=2, decoder=2), answer, "ab")
    assert [(names(found), each.texts, each.back) for each in found.carriers] == [([["the normalizer"]], 2, 0)]


def test_many_parts_are_told_where_none_can_be_left_out() -> None:
    parts = ["normalizer", "pre_tokenizer", "decoder", "padding"]
    first, second = (dict.fromkeys([*parts, "truncation"], number) | {"model": {}} for number in (1, 2))
    texts = dict(zip("abcd", parts, strict=True))
    found = outcome(first, second, lambda asked, text: asked[texts[text]], "abcd")
    assert names(found) == [["the normalizer", "the pre-tokenizer", "the decoder", "the padding"]]
    assert (found.is_all, found.parts) == (True, 5)


def test_what_carries_some_is_said_where_the_time_was_over(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = ["normalizer", "pre_tokenizer", "decoder"]
    first, second = (dict.fromkeys(parts, number) | {"model": {}} for number in (1, 2))
    texts = dict(zip("abc", parts, strict=True)) | {"d": "decoder"}
    monkeypatch.setattr(exchange, "MOST_TRIES", 8)  # both files, and each part in both directions
    found = outcome(first, second, lambda asked, text: asked[texts[text]], "abcd")
    assert (found.is_all, found.reason) == (False, "the time for trying parts was over")
    assert [(each.parts[0].name, each.texts) for each in found.carriers] == [
        ("the decoder", 2),
        ("the normalizer", 1),
        ("the pre-tokenizer", 1),
    ]


@pytest.mark.parametrize(
    ("second", "answer", "seconds", "reason"),
    [
        (document(), lambda _asked, text: text, LATER, "both files say the same"),
        (
            document(normalizer=1, decoder=1),
            lambda asked, _: asked["normalizer"],
            -1.0,
            "the time for trying parts was over",
        ),
    ],
)
def test_what_is_not_known_is_said_with_the_reason(second: Json, answer: Answer, seconds: float, reason: str) -> None:
    found = outcome(document(), second, answer, "a", seconds=seconds)
    assert (found.is_all, found.carriers, found.reason) == (False, (), reason)


def test_files_that_answer_otherwise_alone_prove_nothing() -> None:
    first, second = document(), document(normalizer=1)

    def answers(asked: Json, of: Sequence[str]) -> list[object]:
        return [asked["normalizer"] for _ in of]

    search = Exchange(first, second, answers, lambda one, other: one == other, ["a"], [], time.monotonic() + LATER)
    found = search.outcome(["what its folder adds"], [1])
    assert found.reason == "the files alone do not answer as they do where they are"
    assert not found.carriers


def test_texts_of_every_way_are_kept() -> None:
    kept = KeptTexts()
    for number in range(1000):
        kept.take(f"often {number}", ["one"])
        kept.take(f"alike {number}", [])
    kept.take("seldom", ["two"])
    kept.take("both", ["two", "one"])
    kept.take("", ["two"])
    assert kept.count == 1003
    assert {"seldom", "both", "often 0"} <= set(kept.differing)
    assert len(kept.differing) < 20
    assert len(kept.alike) == 100


@given(st.lists(st.tuples(st.text("ab", max_size=2), st.sets(st.integers(0, 7), max_size=3)), max_size=400), st.data())
def test_those_kept_of_parts_are_those_of_the_whole(texts: list[tuple[str, set[int]]], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(texts)))
    whole, first, second = KeptTexts(), KeptTexts(), KeptTexts()
    for number, (text, ways) in enumerate(texts):
        for each in (whole, first if number < at else second):
            each.take(text, ways)
    first.merge(second)
    assert (first.differing, first.alike, first.count) == (whole.differing, whole.alike, whole.count)


FIRST, SECOND = (Part(name, (name,), 1, 2) for name in ("first", "second"))


@pytest.mark.parametrize(
    ("carriers", "whole", "some"),
    [
        ([Carrier((FIRST,), 2, 2, True), Carrier((SECOND,), 2, 2, True)], [0, 1], [0, 1]),
        ([Carrier((FIRST,), 2, 1, True), Carrier((SECOND,), 2, 2, True)], [1], [0, 1]),  # it does so in both directions
        ([Carrier((FIRST,), 2, 1, True), Carrier((SECOND,), 2, 0, True)], [0, 1], [0, 1]),
        ([Carrier((FIRST,), 2, 2, False), Carrier((SECOND,), 1, 2, True)], [], [1]),  # a control, and a text less
        ([Carrier((FIRST,), 1, 0, True), Carrier((SECOND,), 2, 0, True)], [1], [1, 0]),
        ([Carrier((FIRST,), 0, 0, True)], [], []),
    ],
)
def test_carriers_of_all_texts_keep_the_controls(carriers: list[Carrier], whole: list[int], some: list[int]) -> None:
    exchange: Any = SimpleNamespace(_texts=2)
    assert Exchange._whole(exchange, carriers) == tuple(carriers[number] for number in whole)
    assert _some(carriers) == tuple(carriers[number] for number in some)


@pytest.mark.parametrize(
    ("ways", "count", "kept"),
    [
        ({"a"}, MOST_OF_A_KIND, MOST_OF_A_KIND),
        ({"a"}, MOST_OF_A_KIND + 1, MOST_OF_A_KIND),
        (set(), MOST_TEXTS, MOST_TEXTS),
        (set(), MOST_TEXTS + 1, MOST_TEXTS),
    ],
)
def test_so_many_texts_of_a_way_are_kept(ways: set[str], count: int, kept: int) -> None:
    texts = KeptTexts()
    for number in range(count):
        texts.take(f"text {number}", ways)
    assert len(texts.texts) == kept
    assert texts.count == (count if ways else 0)


@pytest.mark.parametrize(("length", "kept"), [(0, 0), (1, 1), (LONGEST_TEXT, 1), (LONGEST_TEXT + 1, 0)])
def test_texts_of_these_lengths_are_kept(length: int, kept: int) -> None:
    texts = KeptTexts()
    texts.take("a" * length, {"a"})
    assert (len(texts.texts), texts.count) == (kept, 1)


@pytest.mark.parametrize(("places", "parts"), [(MOST_PLACES, MOST_PLACES), (MOST_PLACES + 1, 1)])
def test_a_component_with_many_places_is_one_part(places: int, parts: int) -> None:
    first, second = ({"normalizer": {"type": "A"} | {str(n): value for n in range(places)}} for value in (1, 2))
    assert len(list(parts_between(first, second))) == parts
