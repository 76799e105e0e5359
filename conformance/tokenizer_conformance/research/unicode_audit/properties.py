"""What each version of Unicode says: sets of code points by the values of properties, and the normal forms.

What is assigned is normalized in one way for ever, so an older version does what the newest one does, with its own
characters.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final

from tokenizer_adapters.variants.newest_normal_forms import newest_normal_forms
from tokenizer_adapters.variants.unicode_history import VERSIONS
from tokenizer_adapters.variants.unicode_versions import steps
from tokenizer_conformance.research.unicode_audit.code_point_sets import NOTHING, SCALARS, CodePoints, union

if TYPE_CHECKING:
    from collections.abc import Mapping

OLDEST: Final = "8.0"
"""The oldest version that rules are tried with."""

TRIED: Final = VERSIONS[VERSIONS.index(OLDEST) :]
"""The versions that rules are tried with, the oldest first."""

CATEGORY: Final = "General_Category"
SCRIPT: Final = "Script"

FAMILIES: Final = {"GCB": "Grapheme_Cluster_Break", "Script": SCRIPT}
"""The properties by the words before a value."""

BINARY: Final = ("Alphabetic", "White_Space", "Lowercase", "Uppercase", "Cased", "Case_Ignorable")
"""The binary properties that are known in all versions."""

UNASSIGNED: Final = "Cn"

FORMS: Final = ("NFC", "NFD", "NFKC", "NFKD")


@cache
def _values(family: str) -> tuple[Mapping[str, CodePoints], ...]:
    """Return the code points of each value of a property, in each version of :data:`VERSIONS`."""
    current: dict[str, CodePoints] = {}
    told: list[Mapping[str, CodePoints]] = []
    history = steps(family)
    for version in VERSIONS:
        step = {value: CodePoints.of_ranges(ranges) for value, ranges in history.get(version, {}).items()}
        if step:
            moved = union(step.values())
            current = {value: found - moved if found & moved else found for value, found in current.items()}
            current |= {value: current.get(value, NOTHING) | found for value, found in step.items()}
            current.pop("", None)
        told.append(dict(current))
    return tuple(told)


def values_in(family: str, version: str) -> Mapping[str, CodePoints]:
    """Return the code points of each value of a property in ``version``; values of nobody may be empty."""
    return _values(family)[VERSIONS.index(version)]


@cache
def categories(version: str) -> Mapping[str, CodePoints]:
    """Return the code points of each general category in ``version``, surrogates apart."""
    found = {name: values for name, values in values_in(CATEGORY, version).items() if name not in ("Cs", UNASSIGNED)}
    return {**found, UNASSIGNED: SCALARS - union(found.values())}


@cache
def named(name: str, version: str) -> CodePoints:
    """Return the set that ``name`` stands for in ``version``.

    A name is a category (``Mn``), the first letter of several (``M``), a binary property of :data:`BINARY`, or
    ``GCB=`` or ``Script=`` with a value. Raises :class:`KeyError` where it is none of them.
    """
    family, equals, value = name.partition("=")
    if equals:
        return values_in(FAMILIES[family], version).get(value, NOTHING)
    if name in BINARY:
        return union(values_in(name, version).values()) & SCALARS
    members = [found for category, found in categories(version).items() if name in (category, category[0])]
    if not members:
        raise KeyError(name)
    return union(members)


# Normal forms of single characters and pairs --------------------------------------------------------------------------


def _assigned(version: str) -> CodePoints:
    return SCALARS - named(UNASSIGNED, version)


@cache
def single_characters(form: str, version: str) -> Mapping[int, str]:
    """Return what ``form`` makes of each character alone that it changes, in ``version``."""
    found = _newest(form)
    return {at: found[at] for at in CodePoints.of(found) & _assigned(version)}


@cache
def _newest(form: str) -> Mapping[int, str]:
    newest = newest_normal_forms()
    told = {at: newest.normalize(chr(at), form) for at in newest.decomposed}
    return {at: text for at, text in told.items() if text != chr(at)}


@cache
def combining_classes(version: str) -> Mapping[int, int]:
    """Return the canonical combining classes that are not 0, in ``version``."""
    found = newest_normal_forms().classes
    return {at: found[at] for at in CodePoints.of(found) & _assigned(version)}


@cache
def pairs() -> tuple[str, ...]:
    """Return every first character of a composition with every second one, of the newest version."""
    firsts, seconds = (sorted({pair[at] for pair in newest_normal_forms().composed}) for at in (0, 1))
    return tuple(map("".join, product(firsts, seconds)))


JAMO: Final = (range(0x1100, 0x1113), range(0x1161, 0x1176), range(0x11A8, 0x11C3))
"""The jamo that syllables are made of: leading consonants, vowels, trailing consonants."""


@cache
def jamo_pairs() -> tuple[str, ...]:
    """Return pairs of jamo and syllables, with those beside the ones that compose."""
    leading, vowels, trailing = ([chr(at) for at in range(jamo.start - 1, jamo.stop + 1)] for jamo in JAMO)
    syllables = [chr(at) for at in range(0xAC00, 0xD7A4)]
    open_syllables, closed = syllables[:: len(JAMO[2]) + 1], syllables[1 :: len(JAMO[1]) * (len(JAMO[2]) + 1)]
    sets = ((leading, vowels), ([*open_syllables, *closed], trailing), (vowels, trailing))
    return tuple("".join(pair) for left, right in sets for pair in product(left, right))


@cache
def composed_pairs(version: str) -> Mapping[str, str]:
    """Return the NFC of each of :func:`pairs` and :func:`jamo_pairs` that it changes in ``version``."""
    told = _newest_pairs()
    # A composite of a later version is none yet.
    chars = CodePoints.of(ord(char) for pair in told.items() for char in "".join(pair))
    known = set(map(chr, chars & _assigned(version)))
    return {text: result for text, result in told.items() if known.issuperset(text + result)}


@cache
def _newest_pairs() -> Mapping[str, str]:
    results = {text: newest_normal_forms().normalize(text, "NFC") for text in (*pairs(), *jamo_pairs())}
    return {text: result for text, result in results.items() if result != text}
