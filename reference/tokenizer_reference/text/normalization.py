r"""The normalization forms NFD, NFC, NFKD and NFKC of Unicode 9.0, with what `tokenizers` needs to keep text aligned.

The forms are those of UAX #15 with the data of 9.0: what was assigned later neither decomposes, composes nor is
reordered. No limit on the number of marks applies.

:func:`changes` gives the new characters, each with a number that says what it is to the old text (the contract is that
of the crate unicode-normalization-alignments 0.1.12, observed in tokenizers 0.23.3):

- 0: it stands for the next old character;
- +1: it is inserted, as every character of a decomposition but the first;
- -n: it stands for the next old character, and n more old ones are removed, as in a composition of n + 1 characters.

A character keeps its number when it is reordered, and a composition adds the numbers of its parts:

>>> changes("\u00e0\u0323", "NFD") == [("a", 0), ("\u0323", 0), ("\u0300", 1)]
True
>>> changes("\u00e0\u0323", "NFC") == [("\u1ea1", -1), ("\u0300", 1)]
True
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, Final, Literal

from tokenizer_reference.text import unicode_tables
from tokenizer_reference.text.code_point_sets import (
    character_class,
    characters,
    complement,
    contains,
    decode_mapping,
    decode_ranges,
    from_characters,
    union,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

Change = tuple[str, int]
"""A new character, and what it is to the old text: 0 replaces one, +1 is inserted, -n replaces one and removes n
more.
"""


# Hangul syllables (The Unicode Standard, section 3.12)
# -----------------------------------------------------------------

S_BASE: Final = 0xAC00
L_BASE: Final = 0x1100
V_BASE: Final = 0x1161
T_BASE: Final = 0x11A7
L_COUNT: Final = 19
V_COUNT: Final = 21
T_COUNT: Final = 28
N_COUNT: Final = V_COUNT * T_COUNT
S_COUNT: Final = L_COUNT * N_COUNT

_SYLLABLES: Final = ((S_BASE, S_BASE + S_COUNT - 1),)
_VOWELS_AND_TRAILERS: Final = ((V_BASE, V_BASE + V_COUNT - 1), (T_BASE + 1, T_BASE + T_COUNT - 1))


def _decompose_syllable(index: int) -> str:
    leading, vowel, trailing = index // N_COUNT, index % N_COUNT // T_COUNT, index % T_COUNT
    syllable = chr(L_BASE + leading) + chr(V_BASE + vowel)
    return syllable + chr(T_BASE + trailing) if trailing else syllable


def _compose_syllable(left: str, right: str) -> str | None:
    first, second = ord(left), ord(right)
    if L_BASE <= first < L_BASE + L_COUNT and V_BASE <= second < V_BASE + V_COUNT:
        return chr(S_BASE + ((first - L_BASE) * V_COUNT + second - V_BASE) * T_COUNT)
    is_open_syllable = S_BASE <= first < S_BASE + S_COUNT and (first - S_BASE) % T_COUNT == 0
    if is_open_syllable and T_BASE < second < T_BASE + T_COUNT:
        return chr(first + second - T_BASE)
    return None


# Tables ---------------------------------------------------------------------------------------------------------------


class _Decompositions(dict[str, str]):
    """Character -> full decomposition. What is not in it is a Hangul syllable, added when asked for, or stays."""

    def __missing__(self, char: str) -> str:
        index = ord(char) - S_BASE
        if not 0 <= index < S_COUNT:
            return char
        self[char] = _decompose_syllable(index)
        return self[char]


@cache
def _decompositions(*, compatibility: bool) -> _Decompositions:
    one_level = decode_mapping(unicode_tables.CANONICAL_DECOMPOSITION_9_0)
    if compatibility:
        one_level |= decode_mapping(unicode_tables.COMPATIBILITY_DECOMPOSITION_9_0)
    full = _Decompositions()

    def decompose(char: str) -> str:
        parts = one_level.get(ord(char))
        return char if parts is None else "".join(map(decompose, parts))

    full.update((chr(code_point), decompose(chr(code_point))) for code_point in one_level)
    return full


@cache
def _combining_classes() -> dict[str, int]:
    """Return the canonical combining class of every character that has another than 0."""
    return {
        char: int(combining_class)
        for combining_class, table in unicode_tables.COMBINING_CLASS_9_0.items()
        for char in characters(decode_ranges(table))
    }


@cache
def _compositions() -> dict[str, str]:
    """Return pair of characters -> primary composite."""
    excluded = characters(decode_ranges(unicode_tables.COMPOSITION_EXCLUSION_9_0))
    canonical = decode_mapping(unicode_tables.CANONICAL_DECOMPOSITION_9_0)
    return {pair: chr(composite) for composite, pair in canonical.items() if chr(composite) not in excluded}


@cache
def _seconds() -> frozenset[str]:
    """Return the characters that compose with one before them, but for those of Hangul."""
    return frozenset(pair[1] for pair in _compositions())


# The definition -------------------------------------------------------------------------------------------------------


def _decompose(text: str, *, compatibility: bool) -> list[Change]:
    """Return the full decomposition in canonical order."""
    decompositions = _decompositions(compatibility=compatibility)
    classes = _combining_classes()
    decomposed: list[Change] = []
    marks: list[Change] = []  # the run of characters with a class, which is put in order at its end

    def flush_marks() -> None:
        marks.sort(key=lambda change: classes[change[0]])
        decomposed.extend(marks)
        marks.clear()

    for char in text:
        number = 0
        for part in decompositions[char]:
            if part in classes:
                marks.append((part, number))
            else:
                if marks:
                    flush_marks()
                decomposed.append((part, number))
            number = 1
    flush_marks()
    return decomposed


def _compose(decomposed: Iterable[Change]) -> list[Change]:
    """Join every character to the last starter before it, where they have a composite and nothing between blocks it."""
    compositions = _compositions()
    classes = _combining_classes()
    composed: list[Change] = []
    starter: int | None = None  # where in `composed` it stands
    last_class: int | None = None  # that of the character before, None directly after the starter
    for char, change in decomposed:
        char_class = classes.get(char, 0)
        if starter is not None and (last_class is None or last_class < char_class):
            left, left_change = composed[starter]
            composite = compositions.get(left + char) or _compose_syllable(left, char)
            if composite is not None:
                composed[starter] = (composite, left_change + change - 1)
                continue
        if char_class == 0:
            starter, last_class = len(composed), None
        else:
            last_class = char_class
        composed.append((char, change))
    return composed


def _plain_changes(text: str, form: Form) -> list[Change]:
    """Return the whole form, as defined, without a short cut."""
    decomposed = _decompose(text, compatibility="K" in form)
    return _compose(decomposed) if form.endswith("C") else decomposed


# The same, only where it matters
# ---------------------------------------------------------------------------------------


@cache
def _active(form: Form) -> re.Pattern[str]:
    """Return a pattern of runs of characters that change, or act on the characters before them.

    Written as the complement of the other characters, which `re` recognizes fastest where they are many.
    """
    decompositions = dict(_decompositions(compatibility="K" in form))
    marks = from_characters(_combining_classes())
    if form.endswith("D"):
        active = union(from_characters(decompositions), marks, _SYLLABLES)
    else:
        # No composite starts with a character that composes with one before it, so those that stay need no care.
        changing = (
            char
            for char, parts in decompositions.items()
            if [new for new, _ in _compose((part, 0) for part in parts)] != [char]
        )
        active = union(from_characters(changing), marks, from_characters(_seconds()), _VOWELS_AND_TRAILERS)
    return re.compile(f"[^{character_class(complement(active))}]+")


_LONGEST_CACHED_REGION: Final = 8


@lru_cache(maxsize=4096)
def _cached_region(region: str, form: Form) -> tuple[Change, ...]:
    return tuple(_plain_changes(region, form))


def changed_regions(text: str, form: Form) -> Iterator[tuple[int, int, Sequence[Change]]]:
    r"""Give the ranges of ``text`` in which characters may change, in order, each with its changes.

    Outside of them every character stays, and has no part in what happens inside.

    >>> list(changed_regions("ae\u0301c", "NFC"))
    [(1, 3, (('é', -1),))]
    >>> list(changed_regions("aéc", "NFKD")) == [(1, 2, (("e", 0), ("\u0301", 1)))]
    True
    """
    if text.isascii():
        return
    # A form that composes can also change the one character before a run of active ones.
    margin = 1 if form.endswith("C") else 0
    for match in _active(form).finditer(text):
        start, end = match.span()
        if start > 0:
            start -= margin
        region = text[start:end]
        cached = end - start <= _LONGEST_CACHED_REGION
        yield start, end, _cached_region(region, form) if cached else _plain_changes(region, form)


def stands_alone(char: str, form: Form) -> bool:
    r"""Whether ``char`` becomes what it becomes whatever is around it, as long as that stands alone too.

    It must not begin with a mark, which could be reordered, nor (in a form that composes) with what joins the character
    before it.

    >>> stands_alone("é", "NFC"), stands_alone("\u0301", "NFC"), stands_alone("\u1161", "NFC")
    (True, False, False)
    """
    first = _decompositions(compatibility="K" in form)[char][0]
    if first in _combining_classes():
        return False
    return form.endswith("D") or not (first in _seconds() or contains(_VOWELS_AND_TRAILERS, ord(first)))


def changes(text: str, form: Form) -> list[Change] | None:
    r"""Return the characters of ``form``, each with its number (see the module), or None if every character stays.

    >>> changes("e\u0301x", "NFC")
    [('é', -1), ('x', 0)]
    >>> changes("plain", "NFKC") is None
    True
    """
    result: list[Change] = []
    done = 0
    for start, end, region in changed_regions(text, form):
        result.extend(zip(text[done:start], repeat(0)))
        result.extend(region)
        done = end
    if not done:
        return None
    result.extend(zip(text[done:], repeat(0)))
    return result


def normalize(text: str, form: Form) -> str:
    r"""Return ``text`` in ``form``.

    >>> normalize("\u212b \ufb01", "NFC"), normalize("\u212b \ufb01", "NFKC")
    ('Å ﬁ', 'Å fi')
    """
    pieces: list[str] = []
    done = 0
    for start, end, region in changed_regions(text, form):
        pieces.append(text[done:start])
        pieces.extend(char for char, _ in region)
        done = end
    pieces.append(text[done:])
    return "".join(pieces)
