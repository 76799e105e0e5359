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


def who(names: Sequence[str], does: str, do: str) -> str:
    """Return ``names`` with what they do, in the plural where it is due.

    >>> who(["ours"], "agrees", "agree"), who(["a", "b", "c"], "agrees", "agree")
    ('ours agrees', 'a, b and c agree')
    """
    *others, last = names
    return f"{', '.join(others)} and {last} {do}" if others else f"{last} {does}"
