"""Comparing the answers of both sides to millions of texts, in little memory."""

from __future__ import annotations

import unicodedata
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SURROGATES = range(0xD800, 0xE000)
CODE_POINTS = 0x110000 - len(SURROGATES)

SHOWN = 20


class OnBothSides(Protocol):
    """Something that the reference and `tokenizers` have, and what each makes of a text."""

    def reference_answer(self, text: str) -> Any: ...

    def target_answer(self, text: str) -> Any: ...


def all_characters() -> Iterator[str]:
    """Give every code point that UTF-8 can hold, as a character."""
    return (chr(code_point) for code_point in range(0x110000) if code_point not in SURROGATES)


LONG_RUN, AT_END, LAST_BLOCK = 256, 16, 0x32000
"""A run that is so long is thinned; so many characters of its ends stay; from there on nearly nothing is assigned."""


def characters_with_ends_of_long_runs() -> Iterator[str]:
    """Give all characters but the inner ones of long runs of which all are alike: ideographs, private, unassigned.

    Those stay that are the first or last of sixteen, where a range may begin or end; of planes that are empty fewer.
    """
    for chars, does_change in _runs():
        if does_change or len(chars) < LONG_RUN:
            yield from chars
            continue
        yield from chars[:AT_END]
        yield from [  # in one expression, for there are a million
            char
            for char in chars[AT_END:-AT_END]
            if (ord(char) + 1) % (AT_END if ord(char) < LAST_BLOCK else 0x1000) < 2  # the last of a block, or the first
        ]
        yield from chars[-AT_END:]


def _runs() -> Iterator[tuple[list[str], bool]]:
    """Give the runs of characters that are alike, and whether these change: unassigned and private ones never do."""
    for category, of_category in groupby(all_characters(), key=unicodedata.category):
        if category in ("Cn", "Co"):
            yield list(of_category), False
        else:
            for (_, does_change), run in groupby(of_category, key=_kind):
                yield list(run), does_change


def _kind(char: str) -> tuple[int, bool]:
    """Return the combining class, and whether a form or case of ``char`` is another character."""
    does_change = unicodedata.normalize("NFKD", char) != char or char.lower() != char or char.upper() != char
    return unicodedata.combining(char), does_change


def check(both: OnBothSides, texts: Iterable[str], at_once: int = 1) -> int:
    """Compare the answers to ``texts``, as many ``at_once`` as one text, and return how many they were.

    Where two answers differ, or are a panic, which may come of any of the texts, each of these is asked for by itself.
    Put together, texts must mean what they mean alone, so each should end with a character that keeps it apart from the
    next.
    """
    remaining = iter(texts)
    count = 0
    while some := list(islice(remaining, at_once)):
        count += len(some)
        whole = "".join(some)
        answer = both.reference_answer(whole)
        if answer == both.target_answer(whole) and (answer != "panic" or at_once == 1):
            continue
        differing = [text for text in some if both.reference_answer(text) != both.target_answer(text)]
        if differing or answer != "panic":
            pytest.fail(
                f"{len(differing)} of {len(some)} texts differ: {differing[:SHOWN]!a}, the first of {some[0]!a}"
            )
    return count
