"""The options that a pattern can switch: ``(?imxWDSP)``, ``(?y{…})``, and ``(?CIL)`` for the whole pattern."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Options:
    """The options in force at some place of a pattern; all are off at its start."""

    ignore_case: bool = False
    dot_matches_newline: bool = False
    extended: bool = False
    ascii_word: bool = False
    ascii_digit: bool = False
    ascii_space: bool = False
    ascii_posix: bool = False
    segment_words: bool = False

    def switched(self, letter: str, on: bool) -> Options:
        """Return these options with the one called ``letter`` on or off.

        :raises KeyError: no option is called so.
        """
        return replace(self, **{_FIELD_BY_LETTER[letter]: on})

    def is_ascii(self, set_name: str) -> bool:
        """Return whether the set of that POSIX name (``word``, ``digit``, …) has only its ASCII characters."""
        return (
            (self.ascii_posix and set_name != "ascii")
            or (self.ascii_word and set_name == "word")
            or (self.ascii_digit and set_name == "digit")
            or (self.ascii_space and set_name == "space")
        )


_FIELD_BY_LETTER: Final = {
    "i": "ignore_case",
    "m": "dot_matches_newline",
    "x": "extended",
    "W": "ascii_word",
    "D": "ascii_digit",
    "S": "ascii_space",
    "P": "ascii_posix",
}
SWITCHABLE: Final = frozenset(_FIELD_BY_LETTER)

WHOLE_PATTERN: Final = frozenset("CIL")
"""Without captures (``C``), case of ASCII letters only (``I``), the longest match (``L``)."""
