"""Unicode properties in the versions since 6.0, and the tables of the reference as another version has them."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from tokenizer_adapters.variants.change import Property
from tokenizer_adapters.variants.unicode_history import (
    HISTORY,
    LATER_CANONICAL_DECOMPOSITION,
    LATER_COMBINING_CLASS,
    LATER_COMPATIBILITY_DECOMPOSITION,
    VERSIONS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

Ranges = tuple[tuple[int, int], ...]

FAMILIES: Final[Mapping[Property, tuple[str, ...]]] = {
    Property.CATEGORY: ("General_Category", "Alphabetic", "White_Space"),
    Property.CASE: ("Lowercase_Mapping",),
    Property.NORMALIZATION: ("General_Category",),  # what is assigned decomposes as it does for ever
    Property.SCRIPT: ("Script",),
    Property.GRAPHEME: ("Grapheme_Cluster_Break",),
}
"""The properties of each group."""

UNASSIGNED: Final = "Cn"

_LAST: Final = 0x10FFFF

_WITHOUT: Final = {"General_Category": UNASSIGNED, "Script": "Unknown", "Grapheme_Cluster_Break": "Other"}
"""What the code points have that are in no set of a property."""


# Values of single characters ------------------------------------------------------------------------------------------


def value_of(family: str, char: str, version: str) -> str:
    r"""Return the value that ``char`` has in ``version``: that of the last step that is about it.

    >>> [value_of("General_Category", "\u1734", version) for version in ("8.0", "13.0", "14.0")]
    ['Mn', 'Mn', 'Mc']
    """
    last = VERSIONS.index(version)
    known = [value for since, value in changes_of(family, char) if VERSIONS.index(since) <= last]
    return (known[-1] if known else "") or _WITHOUT.get(family, "")


@lru_cache(maxsize=4096)
def changes_of(family: str, char: str) -> tuple[tuple[str, str], ...]:
    """Return the versions in which ``char`` got another value of a property, each with that value, in order."""
    code_point = ord(char)
    return tuple(
        (version, value)
        for version, step in steps(family).items()
        for value, ranges in step.items()
        if _contains(ranges, code_point)
    )


def values_of(properties: Property, chars: Iterable[str], version: str) -> tuple[str, ...]:
    """Return what ``version`` says about ``chars``: equal answers, equal data.

    A decomposition belongs to a character from the version on that assigned it.
    """
    values = [value_of(family, char, version) for char in chars for family in FAMILIES[properties]]
    if properties is Property.NORMALIZATION:
        return tuple("" if value == UNASSIGNED else "assigned" for value in values)
    return tuple(values)


def age(char: str) -> str | None:
    r"""Return the version that assigned ``char``, 6.0 for all before; ``None`` where none did.

    >>> age("\U0001144b"), age("a"), age("\u0378")
    ('9.0', '6.0', None)
    """
    return next((version for version in VERSIONS if value_of("General_Category", char, version) != UNASSIGNED), None)


def siblings(properties: Property, char: str, version: str, most: int) -> list[str]:
    """Return other characters that ``version`` changed as it changed ``char``: the same old and new value.

    The value of a mapping is another for each character, so there it only counts that there is one.
    """
    family = FAMILIES[properties][0]
    before = VERSIONS[max(VERSIONS.index(version) - 1, 0)]
    found: list[str] = []
    is_mapping = properties is Property.CASE
    wanted = value_of(family, char, version)
    old = value_of(family, char, before)
    for value, ranges in steps(family).get(version, {}).items():
        if value != wanted and not (is_mapping and value and wanted):
            continue
        for first, last in ranges:
            samples = map(chr, sorted({first, (first + last) // 2, last}))
            found += [other for other in samples if other != char and value_of(family, other, before) == old]
    nearest = sorted(dict.fromkeys(found), key=lambda other: abs(ord(other) - ord(char)))
    return [*nearest[: most - most // 2], *nearest[len(nearest) - most // 2 :]] if len(nearest) > most else nearest


def long_known(properties: Property, char: str, version: str, most: int) -> list[str]:
    """Return the characters nearest to ``char`` that have its value of ``version``, and had it in every version.

    Of a mapping it only counts whether there is one.
    """
    family = FAMILIES[properties][0]
    wanted = value_of(family, char, version)
    found: list[str] = []
    for value, ranges in steps(family)[VERSIONS[0]].items():
        if value == wanted or (properties is Property.CASE and value and wanted):
            found += [chr(at) for span in ranges for at in {span[0], min(max(ord(char), span[0]), span[1]), span[1]}]
    nearest = sorted((other for other in found if other != char), key=lambda other: abs(ord(other) - ord(char)))
    return [other for other in nearest[: 4 * most] if len(changes_of(family, other)) == 1][:most]


# Steps ----------------------------------------------------------------------------------------------------------------


@cache
def steps(family: str) -> Mapping[str, Mapping[str, Ranges]]:
    """Return version -> value -> the ranges, ends inclusive, that got this value of a property in that version.

    The first version has all of its values; what lost its value is under the empty one.
    """
    return {
        version: {value: decoded(table) for value, table in step.items()} for version, step in HISTORY[family].items()
    }


def _steps_up_to(family: str, version: str) -> Iterator[Mapping[str, Ranges]]:
    last = VERSIONS.index(version)
    return (step for of, step in steps(family).items() if VERSIONS.index(of) <= last)


def decoded(table: str) -> Ranges:
    """Return the ranges, ends inclusive, that ``table`` has in the writing of the generated tables."""
    numbers = iter([int(number, 16) for number in table.split()])
    position = 0
    ranges = []
    for distance, length in zip(numbers, numbers, strict=True):
        first = position + distance
        position = first + length
        ranges.append((first, position - 1))
    return tuple(ranges)


def _contains(ranges: Ranges, code_point: int) -> bool:
    at = bisect_right(ranges, (code_point, _LAST)) - 1
    return at >= 0 and code_point <= ranges[at][1]


@lru_cache(maxsize=3)  # ten megabytes each
def members(family: str, version: str) -> Mapping[str, tuple[int, ...]]:
    """Return the code points of each value of a property in ``version``, in order."""
    values: dict[int, str] = {}
    for step in _steps_up_to(family, version):
        for value, ranges in step.items():
            for first, last in ranges:
                values.update(dict.fromkeys(range(first, last + 1), value))
    found: dict[str, list[int]] = {}
    for code_point in sorted(values):
        found.setdefault(values[code_point], []).append(code_point)
    found.pop("", None)
    return {value: tuple(code_points) for value, code_points in found.items()}


# Tables of the reference ----------------------------------------------------------------------------------------------


def written_set(code_points: Iterable[int]) -> str:
    """Return a set, in order, as the tables of the reference have it."""
    numbers: list[int] = []
    end = 0
    for code_point in code_points:
        if numbers and code_point == end:
            numbers[-1] += 1
        else:
            numbers += [code_point - end, 1]
        end = code_point + 1
    return " ".join(f"{number:x}" for number in numbers)


def _written_mapping(mapping: Mapping[int, str]) -> str:
    entries = []
    position = 0
    for key in sorted(mapping):
        entries.append(" ".join([f"{key - position:x}", *(f"{ord(char):x}" for char in mapping[key])]))
        position = key
    return ",".join(entries)


def change_categories(tables: Any, version: str) -> None:
    """Put the general categories of ``version`` into all tables of the reference that are made of them."""
    categories = members("General_Category", version)

    def of(*names: str) -> str:
        return written_set(sorted(code_point for name in names for code_point in categories.get(name, ())))

    def major(letter: str) -> str:
        return of(*(name for name in categories if name[0] == letter))

    tables.PUNCTUATION_8_0 = major("P")
    tables.CONTROL_8_0, tables.FORMAT_8_0, tables.PRIVATE_USE_8_0 = of("Cc"), of("Cf"), of("Co")
    tables.NONSPACING_MARK_8_0 = of("Mn")
    tables.MARK_9_0 = major("M")
    tables.NUMBER_17_0 = major("N")
    tables.GENERAL_CATEGORY_16_0 = {name: of(name) for name in tables.GENERAL_CATEGORY_16_0}
    changed = {name: written_set(_members_of_binary(name, version)) for name in ("Alphabetic", "White_Space")}
    tables.BINARY_PROPERTY_16_0 = {**tables.BINARY_PROPERTY_16_0, **changed}


def change_white_space(characters: Any, version: str) -> None:
    """Put the White_Space of ``version`` into the place of that of the reference."""
    characters.WHITE_SPACE = "".join(map(chr, _members_of_binary("White_Space", version)))


def _members_of_binary(name: str, version: str) -> tuple[int, ...]:
    return members(name, version)[name]


def change_case(tables: Any, version: str) -> None:
    """Put the lowercase mapping of ``version`` into the place of that of the reference."""
    mapped = members("Lowercase_Mapping", version)
    tables.LOWERCASE_17_0 = _written_mapping(
        {
            code_point: "".join(chr(int(number, 16)) for number in value.split())
            for value, code_points in mapped.items()
            for code_point in code_points
        }
    )


def change_normalization(tables: Any, decode: Callable[[str], dict[int, str]], version: str) -> None:
    """Put the decompositions and combining classes of ``version`` into the tables of the reference.

    ``decode`` reads a mapping of the tables.
    """
    assigned = {at for found in members("General_Category", version).values() for at in found}

    def known(*mappings: str) -> str:
        return _written_mapping({at: to for each in mappings for at, to in decode(each).items() if at in assigned})

    tables.CANONICAL_DECOMPOSITION_9_0 = known(tables.CANONICAL_DECOMPOSITION_9_0, LATER_CANONICAL_DECOMPOSITION)
    tables.COMPATIBILITY_DECOMPOSITION_9_0 = known(
        tables.COMPATIBILITY_DECOMPOSITION_9_0, LATER_COMPATIBILITY_DECOMPOSITION
    )
    classes: dict[str, set[int]] = {}
    for source in (tables.COMBINING_CLASS_9_0, LATER_COMBINING_CLASS):
        for combining_class, table in source.items():
            found = {at for first, last in decoded(table) for at in range(first, last + 1)}
            classes.setdefault(combining_class, set()).update(found & assigned)
    tables.COMBINING_CLASS_9_0 = {name: written_set(sorted(found)) for name, found in classes.items()}


def change_scripts(tables: Any, version: str) -> None:
    """Put the scripts of ``version`` into the tables of the reference."""
    scripts = {name: written_set(code_points) for name, code_points in members("Script", version).items()}
    tables.SCRIPT_9_0 = scripts
    # A regex may name a script that the version does not have yet: nothing is in it then.
    tables.SCRIPT_16_0 = {name: scripts.get(name, "") for name in tables.SCRIPT_16_0}


def change_graphemes(tables: Any, version: str) -> None:
    """Put the grapheme breaks of ``version`` into the tables of the reference; the rules stay."""
    breaks = members("Grapheme_Cluster_Break", version)
    tables.GRAPHEME_CLUSTER_BREAK_17_0 = {
        name: written_set(breaks.get(name, ())) for name in tables.GRAPHEME_CLUSTER_BREAK_17_0
    }
