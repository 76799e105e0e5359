"""The normal forms of single characters and pairs in each version of Unicode, as UAX #15 defines them."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final

from tokenizer_adapters.variants.decomposition_data import decomposition_data
from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints
from tokenizer_conformance.research.unicode_audit.properties import assigned

if TYPE_CHECKING:
    from collections.abc import Mapping

FORMS: Final = ("NFC", "NFD", "NFKC", "NFKD")

# Hangul syllables (The Unicode Standard, section 3.12)
S_BASE: Final = 0xAC00
L_BASE: Final = 0x1100
V_BASE: Final = 0x1161
T_BASE: Final = 0x11A7
L_COUNT: Final = 19
V_COUNT: Final = 21
T_COUNT: Final = 28
S_COUNT: Final = L_COUNT * V_COUNT * T_COUNT


def syllable(leading: int, vowel: int, trailing: int) -> str:
    """Return the Hangul syllable of jamo, each counted from the first of its kind; trailing 0 is none.

    >>> syllable(0, 0, 1)
    '각'
    """
    return chr(S_BASE + (leading * V_COUNT + vowel) * T_COUNT + trailing)


def _jamo(index: int) -> str:
    leading, vowel, trailing = index // (V_COUNT * T_COUNT), index % (V_COUNT * T_COUNT) // T_COUNT, index % T_COUNT
    return chr(L_BASE + leading) + chr(V_BASE + vowel) + (chr(T_BASE + trailing) if trailing else "")


@cache
def _decompositions(*, compatibility: bool) -> Mapping[int, str]:
    """Return the full decompositions of the newest version, in canonical order."""
    data = decomposition_data()
    one_level = {**data.canonical, **data.compatibility} if compatibility else data.canonical

    def full(text: str) -> str:
        return "".join(full(one_level[ord(char)]) if ord(char) in one_level else char for char in text)

    return {
        **{at: _ordered(full(chr(at))) for at in one_level},
        **{S_BASE + index: _jamo(index) for index in range(S_COUNT)},
    }


def _ordered(text: str) -> str:
    """Return ``text`` with its marks in canonical order."""
    classes = decomposition_data().classes
    chars = list(text)
    start = 0
    for at in range(len(chars) + 1):
        if at == len(chars) or not classes.get(ord(chars[at]), 0):
            chars[start:at] = sorted(chars[start:at], key=lambda char: classes.get(ord(char), 0))
            start = at + 1
    return "".join(chars)


@cache
def composites() -> Mapping[str, str]:
    """Return pair of characters -> primary composite, of the newest version, without Hangul syllables."""
    data = decomposition_data()
    return {pair: chr(at) for at, pair in data.canonical.items() if at not in data.excluded and len(pair) == 2}


def composed(text: str) -> str:
    """Return ``text``, which is decomposed, with its characters composed."""
    classes = decomposition_data().classes
    done: list[str] = []
    starter: int | None = None
    last_class = 0
    for char in text:
        own = classes.get(ord(char), 0)
        if starter is not None and (last_class < own or (last_class == 0 and starter == len(done) - 1)):
            composite = _composite(done[starter], char)
            if composite is not None:
                done[starter] = composite
                continue
        if own == 0:
            starter = len(done)
        last_class = own
        done.append(char)
    return "".join(done)


def _composite(first: str, second: str) -> str | None:
    leading, vowel = ord(first) - L_BASE, ord(second) - V_BASE
    if 0 <= leading < L_COUNT and 0 <= vowel < V_COUNT:
        return syllable(leading, vowel, 0)
    index, trailing = ord(first) - S_BASE, ord(second) - T_BASE
    if 0 <= index < S_COUNT and index % T_COUNT == 0 and 0 < trailing < T_COUNT:
        return chr(ord(first) + trailing)
    return composites().get(first + second)


@cache
def _newest(form: str) -> Mapping[int, str]:
    found = _decompositions(compatibility="K" in form)
    if form.endswith("D"):
        return found
    return {at: composed(text) for at, text in found.items() if composed(text) != chr(at)}


@cache
def single_characters(form: str, version: str) -> Mapping[int, str]:
    """Return what ``form`` makes of each character alone that it changes, in ``version``."""
    found = _newest(form)
    return {at: found[at] for at in CodePoints.of(found) & assigned(version)}


@cache
def combining_classes(version: str) -> Mapping[int, int]:
    """Return the canonical combining classes that are not 0, in ``version``."""
    found = decomposition_data().classes
    return {at: found[at] for at in CodePoints.of(found) & assigned(version)}


@cache
def pairs() -> tuple[str, ...]:
    """Return every first character of a composition with every second one, of the newest version."""
    firsts = sorted({pair[0] for pair in composites()})
    seconds = sorted({pair[1] for pair in composites()})
    return tuple(map("".join, product(firsts, seconds)))


@cache
def jamo_pairs() -> tuple[str, ...]:
    """Return pairs of jamo and syllables, with those beside the ones that compose."""
    leading = [chr(L_BASE + at) for at in range(-1, L_COUNT + 1)]
    vowels = [chr(V_BASE + at) for at in range(-1, V_COUNT + 1)]
    trailing = [chr(T_BASE + at) for at in range(T_COUNT + 1)]
    open_syllables = [syllable(first, second, 0) for first in range(L_COUNT) for second in range(V_COUNT)]
    closed = [syllable(first, 0, 1) for first in range(L_COUNT)]
    sets = ((leading, vowels), ([*open_syllables, *closed], trailing), (vowels, trailing))
    return tuple("".join(pair) for left, right in sets for pair in product(left, right))


@cache
def composed_pairs(version: str, asked: tuple[str, ...]) -> Mapping[str, str]:
    """Return the NFC of each text that is ``asked`` about, a pair of characters, that it changes in ``version``."""
    told = _composed_pairs(asked)
    # A composite of a later version is none yet.
    known = set(
        map(chr, CodePoints.of(ord(char) for pair in told.items() for char in "".join(pair)) & assigned(version))
    )
    return {text: result for text, result in told.items() if known.issuperset(text + result)}


@cache
def _composed_pairs(texts: tuple[str, ...]) -> Mapping[str, str]:
    found = _decompositions(compatibility=False)
    results = {text: composed(_ordered("".join(found.get(ord(char), char) for char in text))) for text in texts}
    return {text: result for text, result in results.items() if result != text}
