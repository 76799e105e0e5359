"""What each rule of a stream gives out, step by step, on texts where it differs from the right one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import DecodeStream
from tokenizer_conformance.causes.classes.stream_rules import IDEOGRAPHS, OTHER_RULES, RIGHT, StreamRule, WordRule

if TYPE_CHECKING:
    from collections.abc import Callable

HALF = "\ufffd"
CHUNKS = ["a", " b", HALF, HALF, "\n", "  ", "c", "\u4e2d", ""]
A, B, FIRST, SECOND, LINE, SPACES, C, IDEOGRAPH, NOTHING = range(9)
"""Ids: a letter, one after a space, the halves of a character, a line break, and so on."""

RULES: dict[str, Callable[..., tuple[str, ...]]] = {each.name: each.steps for each in OTHER_RULES}


def text_of(ids: tuple[int, ...]) -> str:
    """Return the text; a space at its head is left out, as many decoders do."""
    text = "".join(CHUNKS[id_] for id_ in ids).replace(HALF * 2, "\u00e9")
    return text.removeprefix(" ")


def stream(*ids: int, prompt: tuple[int, ...] = (), chunks: tuple[int, ...] = ()) -> DecodeStream:
    return DecodeStream(ids, prompt=prompt, chunks=chunks)


BROKEN, WHOLE = stream(A, FIRST, SECOND, B), stream(A, B, B)
AFTER_HALF = stream(SECOND, B, prompt=(A, FIRST))
SPACED = stream(SPACES, A, LINE, B, SPACES, chunks=(2, 1, 1, 1))
LINES = stream(A, LINE, LINE, B, LINE, chunks=(3, 2))


@pytest.mark.parametrize(
    ("question", "right"),
    [
        (BROKEN, ("a", "", "\u00e9", " b")),
        (WHOLE, ("a", " b", " b")),
        (AFTER_HALF, ("\u00e9", " b")),
        (stream(B, B, prompt=(A,)), (" b", " b")),
        (stream(NOTHING, A), ("", "a")),
        (stream(), ()),
        (stream(FIRST, A), ("", f"{HALF}a")),
    ],
)
def test_the_right_rule(question: DecodeStream, right: tuple[str, ...]) -> None:
    assert RIGHT.steps(text_of, question) == right


@pytest.mark.parametrize(
    ("name", "question", "steps"),
    [
        ("U+FFFD kept", BROKEN, ("a", HALF, "", " b")),
        ("U+FFFD kept", AFTER_HALF, ("\u00e9", " b")),
        ("U+FFFD kept, and counted", BROKEN, ("a", HALF, "", " b")),
        ("each id alone", BROKEN, ("a", HALF, HALF, "b")),
        ("whole words", stream(A, A, B, A), ("", "", "aa ", "ba")),
        ("whole words", stream(A, IDEOGRAPH, A), ("", "a\u4e2d", "a")),
        ("whole words", stream(A, LINE, B, C), ("", "a\n", "", "bc")),
        ("whole words", stream(A, B, prompt=(C,)), ("", "a b")),
        ("whole words", stream(A, LINE), ("", "a\n")),
        ("whole words", stream(), ()),
        ("the prompt forgotten", stream(B, B, prompt=(A,)), ("b", " b")),
        ("the prompt again", stream(B, prompt=(A,)), ("a b",)),
        ("the incomplete character of the prompt again", AFTER_HALF, ("a\u00e9", " b")),
        ("the incomplete character of the prompt again", stream(B, prompt=(A,)), (" b",)),
        ("the incomplete character of the prompt lost", AFTER_HALF, ("", " b")),
        ("without the ids before", WHOLE, ("a", "b", "b")),
        ("without the ids before", BROKEN, ("a", "", "\u00e9", "b")),
        ("without the first id of a step", stream(A, B, C, B, chunks=(2, 1, 1)), ("b", "c", " b")),
        ("the first id of a step", stream(A, B, C, chunks=(2,)), ("a", "c")),
        ("the last id of a step", stream(A, B, C, chunks=(2,)), ("b", "c")),
        ("texts stripped", SPACED, ("a", "", "b", "")),
        ("ends stripped", SPACED, (" a", "", " b", "")),
        ("beginnings stripped", SPACED, ("a", "", "b", "")),
        ("line breaks stripped", LINES, ("a", " b")),
        ("U+FFFD left out", stream(FIRST, A, C), ("", "a", "c")),
        ("the first text stripped", SPACED, ("a", "\n", " b", "  ")),
        ("the first text stripped", stream(NOTHING), ("",)),
        ("all at the end", stream(A, B, B, prompt=(C,)), ("", "", "a b b")),
        ("all at the end", stream(SECOND, B, prompt=(A, FIRST)), ("", "\u00e9 b")),
        ("all at the end", stream(), ()),
    ],
)
def test_each_other_rule(name: str, question: DecodeStream, steps: tuple[str, ...]) -> None:
    assert RULES[name](text_of, question) == steps


def test_words_may_have_a_prompt_and_lines_as_their_context() -> None:
    question = stream(B, LINE, B, prompt=(A,))
    assert WordRule().steps(text_of, question) == ("", "b\n", "b")
    assert WordRule(keeps_prompt=True).steps(text_of, question) == (" ", "b\n", "b")
    assert WordRule(keeps_lines=True).steps(text_of, question) == ("", "b\n", " b")
    assert WordRule(keeps_prompt=True).steps(text_of, stream(SECOND, prompt=(A, FIRST))) == ("\u00e9",)


def test_a_rule_may_know_the_end_of_the_prompt_alone() -> None:
    seen: list[tuple[int, ...]] = []

    def told(ids: tuple[int, ...]) -> str:
        seen.append(ids)
        return text_of(ids)

    assert StreamRule(context=2).steps(told, stream(B, prompt=(A, C, B))) == (" b",)
    assert seen == [(C, B), (C, B, B)]


BLOCKS = (
    *("\u3400\u4dbf", "\u4e00\u9fff", "\uf900\ufaff", "\U00020000\U0002a6df", "\U0002a700\U0002b73f"),
    *("\U0002b740\U0002b81f", "\U0002b820\U0002ceaf", "\U0002f800\U0002fa1f"),
)


def test_ideographs_are_those_of_the_blocks_that_transformers_has() -> None:
    assert tuple(chr(first) + chr(last) for first, last in IDEOGRAPHS) == BLOCKS

    def gives_at_once(character: str) -> bool:
        first, _ = WordRule().steps(lambda ids: character + "a" * (len(ids) - 1), stream(A, A))
        return first == character

    inside = set("".join(BLOCKS))
    beside = {chr(ord(each) + step) for each in inside for step in (-1, 1)}
    assert all(map(gives_at_once, inside))
    outside = {each for each in beside if not any(block[0] <= each <= block[1] for block in BLOCKS)}
    assert len(outside) == 12
    assert not any(map(gives_at_once, outside))
