r"""Unicode 16.0 properties by name, as the regexes of `Split` and `Replace` know them (Oniguruma's ``\p{…}``).

Source of the names: Oniguruma's documentation (doc/RE, "Unicode Properties"); every name here was compared with
`tokenizers` 0.23.3 over all code points.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text import unicode_tables
from tokenizer_reference.text.code_point_sets import (
    EVERYTHING,
    MAX_CODE_POINT,
    Ranges,
    complement,
    decode_ranges,
    difference,
    from_characters,
    intersection,
    union,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_HEXADECIMAL_DIGITS: Final[Ranges] = ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66))

# General categories and scripts ---------------------------------------------------------------------------------------

_MAJOR_CATEGORIES: Final = ("C", "L", "M", "N", "P", "S", "Z")
_CASED_LETTERS: Final = ("Ll", "Lt", "Lu")


@cache
def general_category(name: str) -> Ranges:
    """Return a general category of 16.0 by its short name: two letters, one (``L``), or ``LC``.

    :raises KeyError: there is no such category.

    >>> general_category("Zl")
    ((8232, 8232),)
    """
    if name == "Cn":
        return complement(union(*(decode_ranges(table) for table in unicode_tables.GENERAL_CATEGORY_16_0.values())))
    if name == "LC":
        return union(*map(general_category, _CASED_LETTERS))
    if name in _MAJOR_CATEGORIES:
        minor = (category for category in (*unicode_tables.GENERAL_CATEGORY_16_0, "Cn") if category[0] == name)
        return union(*map(general_category, minor))
    return decode_ranges(unicode_tables.GENERAL_CATEGORY_16_0[name])


@cache
def binary_property(name: str) -> Ranges:
    """Return a binary property of 16.0 by its long name, such as ``Alphabetic``.

    :raises KeyError: there is no such property.
    """
    return decode_ranges(unicode_tables.BINARY_PROPERTY_16_0[name])


@cache
def _without_script() -> Ranges:
    return complement(union(*(decode_ranges(table) for table in unicode_tables.SCRIPT_16_0.values())))


@cache
def _without_block() -> Ranges:
    return complement(union(*(decode_ranges(table) for table in unicode_tables.BLOCK_16_0.values())))


@cache
def _conjunct_break() -> Ranges:
    """Return ``InCB``, which is no binary property; Oniguruma has what its table generator made of it.

    These are the six linkers and, of the characters after the last linker, those with any Indic_Conjunct_Break.
    Observed, tokenizers 0.23.3.
    """
    linkers = from_characters("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d")
    return union(linkers, intersection(binary_property("InCB"), ((0x0D4E, MAX_CODE_POINT),)))


# Names of POSIX brackets, as properties -------------------------------------------------------------------------------


def _graph() -> Ranges:
    left_out = union(
        binary_property("White_Space"), general_category("Cc"), general_category("Cs"), general_category("Cn")
    )
    return difference(EVERYTHING, left_out)


def _word() -> Ranges:
    return union(binary_property("Alphabetic"), general_category("M"), general_category("Nd"), general_category("Pc"))


_POSIX_PROPERTIES: Final[dict[str, Callable[[], Ranges]]] = {
    "alnum": lambda: union(binary_property("Alphabetic"), general_category("Nd")),
    "alpha": lambda: binary_property("Alphabetic"),
    "ascii": lambda: ((0, 0x7F),),
    "blank": lambda: union(general_category("Zs"), ((9, 9),)),
    "cntrl": lambda: general_category("Cc"),
    "digit": lambda: general_category("Nd"),
    "graph": _graph,
    "lower": lambda: binary_property("Lowercase"),
    "newline": lambda: ((0x0A, 0x0A),),
    "print": lambda: union(_graph(), general_category("Zs")),
    "punct": lambda: general_category("P"),
    "space": lambda: binary_property("White_Space"),
    "upper": lambda: binary_property("Uppercase"),
    "word": _word,
    "xdigit": lambda: _HEXADECIMAL_DIGITS,
}

# Look-up --------------------------------------------------------------------------------------------------------------


def _lookup_name(name: str) -> str:
    """Return ``name`` without blanks, ``_``, ``-`` and capitals."""
    return name.translate({ord(ignored): None for ignored in " _-"}).lower()


def _named_sets() -> Iterator[tuple[str, Callable[[], Ranges]]]:
    """Give every long name with its set; a later one replaces an earlier one."""
    yield "Any", lambda: EVERYTHING
    yield "Assigned", lambda: complement(general_category("Cn"))
    for name in (*unicode_tables.GENERAL_CATEGORY_16_0, "Cn", "LC", *_MAJOR_CATEGORIES):
        yield name, partial(general_category, name)
    for name in unicode_tables.BINARY_PROPERTY_16_0:
        yield name, partial(binary_property, name)
    yield "InCB", _conjunct_break
    for name, table in unicode_tables.SCRIPT_16_0.items():
        yield name, partial(decode_ranges, table)
    yield "Unknown", _without_script
    for name, table in unicode_tables.BLOCK_16_0.items():
        yield f"In_{name}", partial(decode_ranges, table)
    yield "In_No_Block", _without_block
    yield from _POSIX_PROPERTIES.items()


@cache
def _sets_by_lookup_name() -> dict[str, Callable[[], Ranges]]:
    named = {_lookup_name(name): make for name, make in _named_sets()}
    aliases = {alias: named[_lookup_name(name)] for alias, name in unicode_tables.PROPERTY_ALIAS.items()}
    return aliases | named


@cache
def unicode_property(name: str) -> Ranges:
    r"""Return the set that ``\p{name}`` matches.

    Short and long names of general categories, scripts, binary properties and blocks (``In_…``) are known, and the
    names of POSIX brackets. Blanks, ``_``, ``-`` and case are ignored. The ``^`` that negates is not part of a name.
    ``Word`` is the set that stands for it in brackets; outside of them it has ``²³¹¼½¾`` too (observed, tokenizers
    0.23.3).

    :raises KeyError: there is no property of that name; the message tells it as given.

    >>> unicode_property("Line Separator") == unicode_property("zl") == ((0x2028, 0x2028),)
    True
    >>> unicode_property("In_Basic_Latin")
    ((0, 127),)
    """
    make = _sets_by_lookup_name().get(_lookup_name(name)) if name.isascii() else None
    if make is None:
        raise KeyError(name)
    return make()
