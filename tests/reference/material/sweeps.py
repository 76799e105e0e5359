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
    for (_, _, does_change), run in groupby(all_characters(), key=_kind):
        chars = list(run)
        if does_change or len(chars) < LONG_RUN:
            yield from chars
            continue
        for at, char in enumerate(chars):
            is_at_end = at < AT_END or len(chars) - at <= AT_END
            if is_at_end or _is_at_edge(ord(char), AT_END if ord(char) < LAST_BLOCK else 0x1000):
                yield char


def _is_at_edge(code_point: int, block: int) -> bool:
    return code_point % block in (0, block - 1)


def _kind(char: str) -> tuple[str, int, bool]:
    """Return the category, the combining class, and whether a form or case of ``char`` is another character."""
    does_change = unicodedata.normalize("NFKD", char) != char or char.lower() != char or char.upper() != char
    return unicodedata.category(char), unicodedata.combining(char), does_change


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
