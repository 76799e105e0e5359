"""Numbers with the noun that they count, and names with what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """Return ``number`` with ``noun``, in the plural where it is due.

    >>> counted(1, "input"), counted(2400, "input")
    ('1 input', '2,400 inputs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


FEW = 3
"""Things of so many are named; of more it is said how many they are."""


def few(names: Sequence[str], noun: str) -> str:
    """Return ``names`` where they are few, else how many they are, with ``noun``.

    >>> few(["gpt2"], "tokenizer"), few(["a", "b", "c"], "tokenizer"), few([*"abcd"], "tokenizer")
    ('gpt2', 'a, b and c', '4 tokenizers')
    """
    return together(names) if 0 < len(names) <= FEW else counted(len(names), noun)


def together(names: Sequence[str]) -> str:
    """Return all ``names`` as a list in words.

    >>> together(["a"]), together(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def who(names: Sequence[str], does: str, do: str) -> str:
    """Return ``names`` with what they do, in the plural where it is due.

    >>> who(["ours"], "agrees", "agree"), who(["a", "b", "c"], "agrees", "agree")
    ('ours agrees', 'a, b and c agree')
    """
    return f"{together(names)} {does if len(names) == 1 else do}"
