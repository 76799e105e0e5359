"""Texts that show one fault end in one text; a replacement does not go from one fault to another."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    NewToken,
    Normalize,
)
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.question_reduction import reduced_question, simpler_forms, slots_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation

WORDS = [
    *("the", "quick", "naïve", "ＡＢＣ", "☃", "東京", "2024", "Ωmega", "ß", "straße", "İstanbul", "été", "привет"),
    *("한국어", "👍🏽", "ﬁn", "½", "Ⅷ", "\u200b", "ﺍ", "𝔘", "𐐀", ";,."),
]
"""What texts are made of."""


def about(text: str) -> Normalize:
    return Normalize(text)


def smallest(text: str, fault: Callable[[str], bool]) -> str:
    question = reduced_question(about(text), lambda question: fault("".join(map(str, slots_of(question)))))
    assert isinstance(question, Normalize)
    return question.text


def texts_with(part: Callable[[Random], str], count: int = 20) -> list[str]:
    rng = Random(1)
    texts = []
    for _ in range(count):
        words = rng.choices(WORDS, k=rng.randint(2, 20))
        words.insert(rng.randint(0, len(words)), f"x{part(rng)}y")
        texts.append(" ".join(words))
    return texts


def has(category: str) -> Callable[[str], bool]:
    return lambda text: any(unicodedata.category(character).startswith(category) for character in text)


FAULTS: dict[str, tuple[Callable[[str], bool], str, str]] = {
    "beyond ASCII": (lambda text: not text.isascii(), "éЖ😀", "Æ"),
    "four bytes": (lambda text: any(character > "\uffff" for character in text), "😀𝔘🎉", "𐐀"),
    "capitals": (has("Lu"), "AÄЖΩ", "A"),
    "digits": (has("Nd"), "٣९7", "0"),
    "marks": (has("M"), "\u0301\u0323\u093e", "\u0300"),
    "spaces": (lambda text: any(map(str.isspace, text)), " \u00a0\t", " "),
    "ideographs": (lambda text: any("\u4e00" <= character <= "\u9fff" for character in text), "東漢一", "一"),
    "five in a row": (lambda text: "!!!!!" in text, "!", "!!!!!"),
    "after a letter": (
        lambda text: any(a.isalpha() and unicodedata.combining(b) for a, b in pairwise(text)),
        "\u0301\u0308",
        "a\u0300",
    ),
}


@pytest.mark.long_but(5)
@pytest.mark.parametrize("name", FAULTS)
def test_texts_that_show_one_fault_end_in_one_text(name: str) -> None:
    fault, characters, expected = FAULTS[name]
    times = 7 if name == "five in a row" else 1
    found = {smallest(text, fault) for text in texts_with(lambda rng: rng.choice(characters) * times)}
    assert found == {expected}


@in_one_test("character", list("ǰéßÑⅧ①½İ𝔘한東😀\u0301\u200b\u00a0\tﷺqZ7;\ue000\ud800"))
def test_a_fault_of_one_character_keeps_it(character: str) -> None:
    for text in texts_with(lambda _: character, 3):
        assert smallest(text, lambda text: character in text) == character


def test_a_replacement_does_not_go_from_one_fault_to_another() -> None:
    """Both characters are of one class; the simpler one would show the same, for a reason of its own."""
    wrong = {"é", "ñ", "\u00c4"}
    for character in wrong:
        assert smallest(f"some {character} text", lambda text: bool(wrong & set(text))) == character


def test_what_stands_around_a_fault_does_not_become_one() -> None:
    """A letter is needed before the mark; that letter alone is another fault, and the first to be tried for it."""

    def fault(text: str) -> bool:
        return "a" in text or any(one.isalpha() and other == "\u0301" for one, other in pairwise(text))

    assert smallest("xx \u0301 Z\u0301 7", fault) in {"b\u0301", "c\u0301"}


def test_an_exception_in_a_class_does_not_matter() -> None:
    assert smallest("Ж", lambda text: any(c.isupper() and c != "B" for c in text)) == "A"


@pytest.mark.parametrize(("length", "is_asked"), [(12, True), (13, False)])
def test_in_short_texts_it_is_asked_whether_each_character_is_still_needed(length: int, is_asked: bool) -> None:
    whole = "qwertyuiopsdf"[:length]
    asked: set[str] = set()

    def fault(text: str) -> bool:
        asked.add(text)
        return len(text) == length and text[0].isalpha() and text[1:] == whole[1:]

    assert smallest(whole, fault) == f"a{whole[1:]}"
    shorter = {f"a{whole[1:place]}{whole[place + 1 :]}" for place in range(1, length)}
    assert (shorter <= asked, bool(shorter & asked)) == (is_asked, is_asked)


@pytest.mark.parametrize(("length", "left"), [(7, 7), (8, 8), (9, 20)])
def test_few_equal_characters_are_tried_in_the_place_of_many(length: int, left: int) -> None:
    assert smallest("a" * 20, lambda text: len(text) in (length, 20)) == "a" * left


@pytest.mark.parametrize(("length", "first"), [(24, "a"), (25, "q")])
def test_in_texts_that_are_not_long_equal_characters_are_replaced_one_by_one(length: int, first: str) -> None:
    rest = f"{'wertyuiopsdfghjklzxcvbnmW'[: length - 2]}q"
    assert smallest(f"q{rest}", lambda text: text[:1].isalpha() and text[1:] == rest) == f"{first}{rest}"


@pytest.mark.parametrize(("simplest", "found"), [("a", "a"), ("b", "b"), ("c", "c"), ("d", "q")])
def test_the_three_simplest_of_a_class_are_tried(simplest: str, found: str) -> None:
    assert smallest("q", lambda text: text >= simplest) == found


@settings(max_examples=40)
@given(st.text(max_size=12), st.integers(0, 400), st.integers(0, 50))
def test_a_question_never_grows_and_always_shows_the_same(text: str, budget: int, seed: int) -> None:
    def shows(question: Observation) -> bool:
        return Random(f"{seed} {question}").random() < 0.4

    asked: list[Observation] = []

    def counted(question: Observation) -> bool:
        asked.append(question)
        return shows(question)

    question = Encode(text, text[:3])
    found = reduced_question(question, counted, budget)
    assert found == question or shows(found)
    assert length_of(found) <= length_of(question)
    assert len(asked) <= budget
    assert len(set(asked)) == len(asked)


TOKENS = {"<s>": 0, "a": 1, "b": 2, "##a": 3, "##b": 4, "##zz": 5}


def test_ids_are_replaced_by_simpler_ones_of_their_kind() -> None:
    def shows(question: Observation) -> bool:
        return any(number in {3, 4, 5} for slot in slots_of(question) for number in slot)

    assert reduced_question(Decode((1, 5, 2)), shows, tokens=lambda: TOKENS) == Decode((3,))
    assert reduced_question(Decode((1, 5, 2)), shows) == Decode((5,))
    assert reduced_question(
        DecodeStream((1, 4, 2)), lambda question: 4 in slots_of(question)[0], tokens=lambda: TOKENS
    ) == Decode((4,))


FORMS: list[tuple[Observation, Observation]] = [
    (After((AddTokens((NewToken("x"),)),), Encode("a")), Encode("a")),
    (EncodeBatch((Encode("a"), Encode("b"))), Encode("b")),
    (DecodeStream((1,)), Decode((1,))),
    (DecodeStream((1,), prompt=(2,)), Decode((2, 1))),
    (DecodeStream((1, 3), prompt=(2,), chunks=(2,)), DecodeStream((1, 3), prompt=(2,))),
    (DecodeStream((1, 3), prompt=(2,), chunks=(2,)), DecodeStream((1, 3), chunks=(2,))),
    (DecodeStream((1, 3), prompt=(2,), chunks=(2,)), DecodeStream((1, 3))),
    (Encode("a", "b"), Encode("b", None)),
    (Encode("a"), Encode("a", None, add_special_tokens=False)),
    (Encode(("a", "b"), ("c",)), Encode("a b", "c")),
    (After((), EncodeBatch((Encode("a"),))), After((), Encode("a"))),
]


@pytest.mark.parametrize(("question", "form"), FORMS)
def test_simpler_forms(question: Observation, form: Observation) -> None:
    assert form in list(simpler_forms(question))


def test_the_simplest_questions_have_no_simpler_form() -> None:
    assert not [*simpler_forms(Normalize("a")), *simpler_forms(Encode("a", None, False)), *simpler_forms(Decode((1,)))]
