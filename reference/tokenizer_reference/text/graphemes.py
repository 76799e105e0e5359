r"""Extended grapheme clusters of Unicode 17.0 (UAX #29), as the `Precompiled` normalizer of `tokenizers` cuts text.

Each character is replaced by one letter for its class; the rules are then a regular expression over these letters, the
one of UAX #29, table 1c. The rules it stands for:

===============  ====================================================================================================
GB3, GB4, GB5    CR and LF stay together; nothing else stays with a control.
GB6, GB7, GB8    Hangul syllables: L with L, V, LV, LVT; LV and V with V, T; LVT and T with T.
GB9, GB9a        Extend, ZWJ and SpacingMark stay with what is before them.
GB9b             Prepend stays with what is after it.
GB9c             Indic conjuncts: consonants with a linker between them.
GB11             Emoji joined by ZWJ.
GB12, GB13       Regional indicators in pairs from the left.
GB999            Everything else is cut.
===============  ====================================================================================================
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text import unicode_tables
from tokenizer_reference.text.code_point_sets import Ranges, contains, decode_ranges

if TYPE_CHECKING:
    from collections.abc import Iterator

# Classes --------------------------------------------------------------------------------------------------------------

_BREAK_LETTERS: Final = {
    "CR": "r",
    "LF": "n",
    "Control": "C",
    "Extend": "E",
    "ZWJ": "Z",
    "SpacingMark": "S",
    "Prepend": "P",
    "Regional_Indicator": "R",
    "L": "L",
    "V": "V",
    "T": "T",
    "LV": "G",
    "LVT": "H",
}
"""Grapheme_Cluster_Break -> letter."""

_CONJUNCT_LETTERS: Final = {
    "Consonant": "K",  # of those without a Grapheme_Cluster_Break
    "Linker": "J",  # of Extend
    "Extend": "e",  # of Extend; ZWJ has this value too and keeps its own letter
}
"""Indic_Conjunct_Break -> letter, instead of the one above."""

_PICTOGRAPH: Final = "X"
_OTHER: Final = "O"


@cache
def _lettered_sets() -> tuple[tuple[str, Ranges], ...]:
    """Return the classes, the more special before the more general."""
    breaks = unicode_tables.GRAPHEME_CLUSTER_BREAK_17_0
    conjuncts = unicode_tables.INDIC_CONJUNCT_BREAK_17_0
    tables = [
        (_BREAK_LETTERS["ZWJ"], breaks["ZWJ"]),
        *((letter, conjuncts[name]) for name, letter in _CONJUNCT_LETTERS.items()),
        *((letter, breaks[name]) for name, letter in _BREAK_LETTERS.items()),
        (_PICTOGRAPH, unicode_tables.EXTENDED_PICTOGRAPHIC_17_0),
    ]
    return tuple((letter, decode_ranges(table)) for letter, table in tables)


class _Letters(dict[int, str]):
    """Code point -> letter of its class, filled as characters are met. For :meth:`str.translate`."""

    def __missing__(self, code_point: int) -> str:
        found = (letter for letter, ranges in _lettered_sets() if contains(ranges, code_point))
        letter = self[code_point] = next(found, _OTHER)
        return letter


_LETTERS: Final = _Letters()

_SEPARATE: Final = "COXKnGH"
"""Letters of characters of which no two are in one cluster."""


def is_separate(char: str) -> bool:
    r"""Whether ``char`` is a cluster of its own beside any others of which this holds.

    >>> is_separate("한"), is_separate("\u0301"), is_separate("\u0600")
    (True, False, False)
    """
    return _LETTERS[ord(char)] in _SEPARATE


# Rules ----------------------------------------------------------------------------------------------------------------

# Possessive repetitions keep the time linear; none of them can take what a later part needs.
_HANGUL_SYLLABLE: Final = "L*+(?:V++|GV*+|H)T*+|L++|T++"
_FLAG: Final = "RR"
_EMOJI_SEQUENCE: Final = "X(?:[EeJ]*+ZX)*+"
_CONJUNCT_CLUSTER: Final = "K(?:[eZ]*+J[eZJ]*+K)*+"
_CORE: Final = f"(?:{_HANGUL_SYLLABLE}|{_FLAG}|{_EMOJI_SEQUENCE}|{_CONJUNCT_CLUSTER}|[^Crn])"
_CLUSTER: Final = re.compile(f"rn|[Crn]|P*{_CORE}[EeJZS]*+")
_SPECIAL: Final = re.compile(f"[^{_OTHER}]+")


def cluster_spans(text: str) -> Iterator[tuple[int, int]]:
    r"""Give the range of every cluster, in order; together they are the whole text.

    >>> list(cluster_spans("e\u0301\r\nx"))
    [(0, 2), (2, 4), (4, 5)]
    """
    for match in _CLUSTER.finditer(text.translate(_LETTERS)):
        yield match.span()


def clusters(text: str) -> list[str]:
    r"""Return the clusters of ``text``.

    >>> clusters("🇫🇷🇩🇪👩‍🚀") == ["🇫🇷", "🇩🇪", "👩‍🚀"]
    True
    """
    return [text[start:end] for start, end in cluster_spans(text)]


def joined_spans(text: str) -> Iterator[tuple[int, int]]:
    r"""Give the range of every cluster of two or more characters, in order: the short way for text that has few.

    >>> list(joined_spans("plain e\u0301\u0323 text"))
    [(6, 9)]
    """
    if text.isascii() and "\r\n" not in text:
        return
    letters = text.translate(_LETTERS)
    if "P" in letters:  # it can join two others; rare
        yield from ((start, end) for start, end in cluster_spans(text) if end - start > 1)
        return
    # A cluster of two or more has a character that is not Other, after at most one that is.
    for region in _SPECIAL.finditer(letters):
        for match in _CLUSTER.finditer(letters, max(region.start() - 1, 0), region.end()):
            if match.end() - match.start() > 1:
                yield match.span()
