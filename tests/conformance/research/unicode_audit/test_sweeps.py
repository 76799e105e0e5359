"""Many characters in one text are told apart as each would be alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.research.unicode_audit import sweeps
from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints
from tokenizer_conformance.research.unicode_audit.documents import Sentinels
from tokenizer_conformance.research.unicode_audit.sweeps import (
    NO_ANSWER,
    Frame,
    Stand,
    held_together,
    mapping,
    removed,
    segments,
    stands,
    stands_alone,
    texts_changed,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Span

LETTERS = [*range(ord("a"), ord("k")), 0x301, 0x1F600]


def points(text: str) -> CodePoints:
    return CodePoints.of(map(ord, text))


def upper_vowels(texts: Sequence[str]) -> list[str | None]:
    """Return the texts with their vowels in capitals and without ``d``; ``h`` has no answer."""
    return [None if "h" in text else text.replace("a", "A").replace("e", "E").replace("d", "") for text in texts]


@pytest.mark.parametrize("size", [1, 3, 512])
def test_what_becomes_of_each_character(size: int) -> None:
    found = {"a": "A", "d": "", "e": "E", "h": NO_ANSWER}
    assert mapping(upper_vowels, Frame("|"), LETTERS, size=size) == {ord(at): value for at, value in found.items()}
    framed = mapping(upper_vowels, Frame("|", before="a", after="x", becomes=("A", "x")), LETTERS, size=size)
    assert framed == {ord("a"): "AAx", ord("d"): "Ax", ord("e"): "AEx", ord("h"): NO_ANSWER}


def test_what_becomes_of_each_text() -> None:
    texts = ["ab", "bc", "cd", "h", "ff"]
    assert texts_changed(upper_vowels, texts, "|") == {"ab": "Ab", "cd": "c", "h": NO_ANSWER}


def tokens_of(texts: Sequence[str]) -> list[list[str] | None]:
    """Return a token for each character, ``<`` the added one; ``b`` has none, ``c`` two, and ``h`` no answer."""
    return [None if "h" in text else list(text.replace("b", "").replace("c", "cc")) for text in texts]


@pytest.mark.parametrize("size", [1, 3, 512])
def test_tokens_between_added_ones(size: int) -> None:
    found = segments(tokens_of, Frame("<"), ("a",), list(map(ord, "abch")), size=size)
    assert found == {ord("b"): (), ord("c"): ("c", "c"), ord("h"): (NO_ANSWER,)}
    found = segments(tokens_of, Frame("<", before="x"), ("x", "a"), list(map(ord, "ab")), size=size)
    assert found == {ord("b"): ("x",)}


@pytest.mark.parametrize("tokens", [[], ["a"], ["<", "a"], ["a", "<"], ["a", "<", "a", "<"], ["<", "a", "<", "a"]])
def test_what_is_not_between_two_added_tokens_is_no_answer(tokens: list[str]) -> None:
    assert segments(lambda texts: [tokens] * len(texts), Frame("<"), ("a",), [ord("a")]) == {ord("a"): (NO_ANSWER,)}


def test_which_characters_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    every = ("abcdeé\U0001f600", "hi\U000e0001j")
    gone, lost = points("aeéj"), points("\U000e0001")
    monkeypatch.setattr(sweeps, "_all_texts", lambda: every)

    def kept(texts: Sequence[str]) -> list[str | None]:
        taken = dict.fromkeys(gone)
        return [None if "\U000e0001" in text else text.translate(taken) for text in texts]

    assert removed(kept) == (gone, lost)
    assert removed(lambda texts: [""] * len(texts)) == (points("".join(every)), CodePoints())
    assert removed(list) == (CodePoints(), CodePoints())
    # What is not made of the others in their order tells nothing: each character is asked about alone then.
    shifted = removed(lambda texts: [text[1:] + "?" if len(text) > 1 else text for text in texts])
    assert shifted == (CodePoints(), CodePoints())


def cut(text: str) -> list[int] | None:
    """Return the pieces of a text: ``j`` joins, ``l`` and ``r`` go with one side, ``d`` is dropped, ``h`` unknown."""
    if "h" in text:
        return None
    cuts: list[int] = []
    number = 0
    for before, char in zip(" " + text, text, strict=False):
        apart = before in "rsd " or char in "lsd"
        goes_on = before in "jr" or char in "jl"
        number += 1 if not goes_on or (apart and not (before == "r" or char == "l")) else 0
        cuts.append(-1 if char == "d" else number)
    return cuts


SENTINELS = Sentinels("a", "b", "|")


@pytest.mark.parametrize(
    ("character", "stand"),
    [
        ("j", Stand.JOINED),
        ("l", Stand.LEFT),
        ("r", Stand.RIGHT),
        ("s", Stand.SPLIT),
        ("d", Stand.DROPPED),
        ("h", Stand.UNKNOWN),
    ],
)
def test_how_each_character_stands(character: str, stand: Stand) -> None:
    def ask(texts: Sequence[str]) -> list[list[int] | None]:
        return list(map(cut, texts))

    for found in (stands(ask, SENTINELS, list(map(ord, "jlrsdh"))), stands_alone(ask, SENTINELS, [ord(character)])):
        assert [each for each in Stand if ord(character) in found[each]] == [stand]


@pytest.mark.parametrize(
    ("cuts", "stand"),
    [
        ([1, 1, 1, 1], Stand.JOINED),
        ([1, -1, -1, 2], Stand.DROPPED),
        ([1, 2, 2, 3], Stand.SPLIT),
        ([-1, 2, 2, -1], Stand.SPLIT),
        ([1, 1, 1, 2], None),
        ([1, 2, 2, 2], None),
        ([1, 2, 3, 4], None),
        ([-1, -1, -1, -1], Stand.DROPPED),
        (None, None),
    ],
)
def test_characters_of_a_run_that_stand_alike_are_told_at_once(cuts: list[int] | None, stand: Stand | None) -> None:
    """Where a run is told, nothing is asked about the characters one by one."""
    two = [0x4E00, 0x4E01]
    asked: list[str] = []

    def ask(texts: Sequence[str]) -> list[list[int] | None]:
        asked.extend(texts)
        return [cuts if text == "a\u4e00\u4e01b" else [1, 2, 3, 4, 5, 6, 7] for text in texts]

    found = stands(ask, SENTINELS, two)
    assert found[stand or Stand.SPLIT] == CodePoints.of(two)
    assert asked == (["a\u4e00\u4e01b"] if stand else ["a\u4e00\u4e01b"] * 2 + ["a\u4e00b|a\u4e01b"])


def test_which_characters_stay_with_the_sentinels() -> None:
    def pieces(texts: Sequence[str]) -> list[list[Span] | None]:
        """``l`` is in one piece with what is before it, ``r`` with what is after it, ``j`` with both."""
        told: list[list[Span] | None] = []
        for text in texts:
            spans = [(at - (char in "lj"), at + 1 + (char in "rj")) for at, char in enumerate(text) if char in "lrj"]
            told.append(None if "h" in text else spans)
        return told

    before, after, lost = held_together(pieces, "a", list(map(ord, "xlyrzjh")))
    assert (before, after, lost) == (points("lj"), points("rj"), points("h"))
