"""What each version of Unicode says: sets of code points by the names of properties and their values."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from tokenizer_adapters.variants.unicode_history import VERSIONS
from tokenizer_adapters.variants.unicode_versions import steps
from tokenizer_conformance.research.unicode_audit.code_point_sets import SCALARS, CodePoints

if TYPE_CHECKING:
    from collections.abc import Mapping

OLDEST: Final = "8.0"
"""The oldest version that rules are tried with."""

TRIED: Final = VERSIONS[VERSIONS.index(OLDEST) :]
"""The versions that rules are tried with, the oldest first."""

CATEGORY: Final = "General_Category"
SCRIPT: Final = "Script"
BREAK: Final = "Grapheme_Cluster_Break"

BINARY: Final = ("Alphabetic", "White_Space", "Lowercase", "Uppercase", "Cased", "Case_Ignorable")
"""The binary properties that are known in all versions."""

_SURROGATE: Final = "Cs"
UNASSIGNED: Final = "Cn"


@cache
def _values(family: str) -> tuple[Mapping[str, CodePoints], ...]:
    """Return the code points of each value of a property, in each version of :data:`VERSIONS`."""
    current: dict[str, CodePoints] = {}
    told: list[Mapping[str, CodePoints]] = []
    history = steps(family)
    for version in VERSIONS:
        step = {value: CodePoints.of_ranges(ranges) for value, ranges in history.get(version, {}).items()}
        if step:
            moved = CodePoints()
            for found in step.values():
                moved |= found
            current = {value: found - moved if found & moved else found for value, found in current.items()}
            for value, found in step.items():
                current[value] = current.get(value, CodePoints()) | found
            current.pop("", None)
        told.append(dict(current))
    return tuple(told)


def values_in(family: str, version: str) -> Mapping[str, CodePoints]:
    """Return the code points of each value of a property in ``version``; values of nobody may be empty."""
    return _values(family)[VERSIONS.index(version)]


@cache
def assigned(version: str) -> CodePoints:
    """Return all code points that are assigned in ``version``, surrogates apart."""
    found = CodePoints()
    for value, members in values_in(CATEGORY, version).items():
        if value != _SURROGATE:
            found |= members
    return found


@cache
def named(name: str, version: str) -> CodePoints:
    """Return the set that ``name`` stands for in ``version``.

    A name is a category (``Mn``), the first letter of several (``M``), a binary property of :data:`BINARY`, or
    ``GCB=`` or ``Script=`` with a value. Raises :class:`KeyError` where it is none of them.
    """
    family, equals, value = name.partition("=")
    if equals:
        return values_in({"GCB": BREAK, "Script": SCRIPT}[family], version).get(value, CodePoints())
    if name in BINARY:
        (found,) = values_in(name, version).values()
        return found & SCALARS
    if name == UNASSIGNED:
        return SCALARS - assigned(version)
    categories = values_in(CATEGORY, version)
    if name in categories:
        return categories[name] & SCALARS
    members = [found for value, found in categories.items() if value[0] == name]
    if not members:
        raise KeyError(name)
    union = SCALARS - assigned(version) if name == "C" else CodePoints()
    for found in members:
        union |= found
    return union & SCALARS


def age_of(code_point: int) -> str | None:
    """Return the version that assigned a code point, 6.0 for all before; ``None`` where none has."""
    return next((version for version in VERSIONS if code_point in assigned(version)), None)


def category_of(code_point: int, version: str) -> str:
    """Return the general category of a code point in ``version``."""
    found = (value for value, members in values_in(CATEGORY, version).items() if code_point in members)
    return next(found, UNASSIGNED)
