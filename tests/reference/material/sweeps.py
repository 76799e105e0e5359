"""Comparing the answers of both sides to millions of texts, in little memory."""

from __future__ import annotations

from itertools import islice
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
