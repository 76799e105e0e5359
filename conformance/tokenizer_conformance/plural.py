"""Numbers with the noun that they count."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return ``number`` with ``noun``, in the plural where it is due.

    >>> counted(1, "input"), counted(2400, "input")
    ('1 input', '2,400 inputs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
