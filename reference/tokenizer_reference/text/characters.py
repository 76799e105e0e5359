"""The classes and case mappings of characters that the components of `tokenizers` 0.23.3 use.

There is no single Unicode version in the target: its parts come from libraries of different ages. A name here ends in
the version whose data it has, unless every version has the same. Each class was compared with the target over all code
points.

Sets are :data:`~tokenizer_reference.text.code_point_sets.Ranges`; ``contains``, ``characters`` and ``character_class``
of :mod:`~tokenizer_reference.text.code_point_sets` read them.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import Final

from tokenizer_reference.text import unicode_tables
from tokenizer_reference.text.code_point_sets import (
    Ranges,
    decode_mapping,
    decode_ranges,
    difference,
    from_characters,
    union,
)
from tokenizer_reference.text.unicode_properties import binary_property, general_category

WHITE_SPACE: Final = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The 25 characters with White_Space (the same in 6.3 to 17.0).

Unlike :meth:`str.isspace`, it leaves out U+001C..U+001F. Used by Strip, WhitespaceSplit, BertPreTokenizer, ``\\s`` of
all regexes, ``lstrip`` and ``rstrip`` of added tokens, ``trim_offsets``.
"""

ASCII_PUNCTUATION: Final = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""What ASCII has of categories P and S."""


# Blanks and controls --------------------------------------------------------------------------------------------------


def is_whitespace(char: str) -> bool:
    r"""Return whether ``char`` has White_Space.

    >>> is_whitespace("\u3000"), is_whitespace("\x1c")
    (True, False)
    """
    return char in WHITE_SPACE


@cache
def bert_removed() -> Ranges:
    """Return what BertNormalizer's ``clean_text`` deletes: Cc, Cf and Co of 8.0 and U+FFFD, but not TAB, LF and CR.

    Unassigned characters stay. The remaining White_Space turns into U+0020.
    """
    tables = (unicode_tables.CONTROL_8_0, unicode_tables.FORMAT_8_0, unicode_tables.PRIVATE_USE_8_0)
    return difference(union(*map(decode_ranges, tables), from_characters("\ufffd")), from_characters("\t\n\r"))


# Marks and punctuation ------------------------------------------------------------------------------------------------


@cache
def nonspacing_marks_8() -> Ranges:
    """Return category Mn of 8.0: what BertNormalizer's ``strip_accents`` deletes after NFD."""
    return decode_ranges(unicode_tables.NONSPACING_MARK_8_0)


@cache
def marks_9() -> Ranges:
    """Return category M (Mn, Mc, Me) of 9.0: what StripAccents deletes."""
    return decode_ranges(unicode_tables.MARK_9_0)


@cache
def punctuation() -> Ranges:
    """Return category P of 8.0 and the ASCII symbols: the 726 characters of Punctuation and BertPreTokenizer."""
    return union(decode_ranges(unicode_tables.PUNCTUATION_8_0), from_characters(ASCII_PUNCTUATION))


# Words and numbers ----------------------------------------------------------------------------------------------------


@cache
def word_characters_16() -> Ranges:
    r"""Return ``\w`` of Rust's regex crate (UTS #18, Annex C), 16.0: Whitespace, and ``single_word`` of added tokens.

    Marks and joiners are word characters; numbers other than decimal digits are not.
    """
    return union(
        binary_property("Alphabetic"),
        general_category("M"),
        general_category("Nd"),
        general_category("Pc"),
        binary_property("Join_Control"),
    )


@cache
def numeric_17() -> Ranges:
    """Return category N (Nd, Nl, No) of 17.0: what Digits splits off. Han numerals such as 二 are letters."""
    return decode_ranges(unicode_tables.NUMBER_17_0)


# Case -----------------------------------------------------------------------------------------------------------------


@cache
def lowercase_table() -> dict[int, str]:
    """Return the full lowercase mapping of 17.0 for :meth:`str.translate`; only what changes is in it.

    It has no rule that looks at neighbours: the target lowercases each character on its own.

    >>> "ΑΣ".translate(lowercase_table())
    'ασ'
    """
    return decode_mapping(unicode_tables.LOWERCASE_17_0)


@cache
def uppercase_table() -> dict[int, str]:
    """Return the full uppercase mapping of 17.0 for :meth:`str.translate`; only what changes is in it."""
    return decode_mapping(unicode_tables.UPPERCASE_17_0)


def lowercase(char: str) -> str:
    """Return the lowercase form of one character, which may have two characters: İ (U+0130) gives ``i`` and U+0307."""
    return lowercase_table().get(ord(char), char)


def uppercase(char: str) -> str:
    """Return the uppercase form of one character, which may have up to three characters: ß gives ``SS``."""
    return uppercase_table().get(ord(char), char)


@cache
def full_case_folding_16() -> dict[int, str]:
    """Return full case folding of 16.0 (statuses C and F), each value one to three characters."""
    common = decode_mapping(unicode_tables.CASE_FOLDING_COMMON_16_0)
    return common | decode_mapping(unicode_tables.CASE_FOLDING_FULL_16_0)


# Scripts --------------------------------------------------------------------------------------------------------------


@cache
def _script_boundaries() -> tuple[list[int], list[str]]:
    """Return where a script (or the part without one) starts, in order, and its name."""
    spans = sorted(
        (first, last, name) for name, table in unicode_tables.SCRIPT_9_0.items() for first, last in decode_ranges(table)
    )
    starts, names = [0], ["Unknown"]
    for first, last, name in spans:
        if starts[-1] == first:
            names[-1] = name
        else:
            starts.append(first)
            names.append(name)
        starts.append(last + 1)
        names.append("Unknown")
    return starts, names


def script_9(char: str) -> str:
    """Return the Script of one character in 9.0 by its long name; ``Unknown`` where it has none.

    >>> script_9("a"), script_9("ひ"), script_9("1"), script_9("\u0301")
    ('Latin', 'Hiragana', 'Common', 'Inherited')
    """
    starts, names = _script_boundaries()
    return names[bisect_right(starts, ord(char)) - 1]
