"""Texts of all characters that the normalizers of a tokenizer are about: a fault on one of them is a table's fault."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.code_points import category
from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.enumerations import crossed, in_turns, packed
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


CHARACTERS_A_TEXT = 32

MORE_CASED = (
    (0x23A, 0x24F), (0x370, 0x377), (0x37F, 0x37F), (0x3CF, 0x3FF), (0x4C0, 0x4CF), (0x4F6, 0x52F), (0x10A0, 0x10CD),
    (0x13A0, 0x13FD), (0x1C80, 0x1CBF), (0x1E9E, 0x1E9F), (0x1EFA, 0x1EFF), (0x2132, 0x214E), (0x2160, 0x216F),
    (0x2183, 0x2184), (0x24B6, 0x24CF), (0x2C00, 0x2C7F), (0x2C80, 0x2CF3), (0xA640, 0xA69D), (0xA722, 0xA7DC),
    (0xA7F5, 0xA7F6), (0xAB70, 0xABBF), (0x10400, 0x10427), (0x104B0, 0x104D3), (0x10570, 0x10595), (0x10C80, 0x10CB2),
    (0x10D50, 0x10D65), (0x118A0, 0x118BF), (0x16E40, 0x16E5F), (0x16EA0, 0x16EB8), (0x1E900, 0x1E921),
)  # fmt: skip
"""Where characters with two cases stand that are later than Unicode 3.2, or no letters, among others."""

LATER_DECOMPOSING = (
    (0x3F9, 0x3F9), (0x10FC, 0x10FC), (0x1B06, 0x1B12), (0x1B3B, 0x1B43), (0x1D2C, 0x1DBF), (0x2090, 0x209C),
    (0x213B, 0x213C), (0x2150, 0x2152), (0x2189, 0x2189), (0x2C7C, 0x2C7D), (0x2D6F, 0x2D6F), (0x321D, 0x321E),
    (0x3244, 0x3247), (0x3250, 0x327E), (0x32CC, 0x32FF), (0x3377, 0x337A), (0x33DE, 0x33DF), (0x33FF, 0x33FF),
    (0xA69C, 0xA69D), (0xA770, 0xA770), (0xA7F1, 0xA7F9), (0xAB5C, 0xAB69), (0xFA2E, 0xFAD9), (0xFE10, 0xFE19),
    (0xFE47, 0xFE48), (0x105C9, 0x105C9), (0x105E4, 0x105E4), (0x10781, 0x107BA), (0x1109A, 0x110AB),
    (0x1112E, 0x1112F), (0x1134B, 0x1134C), (0x11383, 0x113C8), (0x114BB, 0x114BE), (0x115BA, 0x115BB),
    (0x11938, 0x11938), (0x16121, 0x16128), (0x16D68, 0x16D6A), (0x1CCD6, 0x1CCF9), (0x1D4C1, 0x1D4C1),
    (0x1D6A4, 0x1D6A5), (0x1D7CA, 0x1D7CB), (0x1E030, 0x1E06D), (0x1EE00, 0x1EEBB), (0x1F100, 0x1F251),
    (0x1FBF0, 0x1FBF9),
)  # fmt: skip
"""Where characters with decompositions stand that are later than Unicode 3.2, among others."""

HANGUL = (0xAC00, 0xD7A3)
HANGUL_STEP = 201
"""Syllables are taken apart by a rule, so that some of them show it; the step meets all parts."""

_CASED = frozenset({"Lowercase", "BertNormalizer"})
_DECOMPOSING = frozenset({"NFC", "NFD", "NFKC", "NFKD", "StripAccents", "BertNormalizer", "Precompiled", "Nmt"})
"""Types of normalizers by what they are about."""

_CONTEXTS: tuple[Callable[[str], str], ...] = (
    lambda character: character,
    lambda character: f"a{character}b",
    lambda character: f"{character}\u0301",
    lambda character: f"A{character}",
    lambda character: character * 2,
    lambda character: f" {character} ",
    lambda character: f"e\u0301{character}",
    lambda character: f"{character}\u0345\u0323",
    lambda character: f"{character}Σ",
)


def _characters(material: Material) -> Produced:
    types = {each.type for each in parts_of(material.document).components if each.stage == "normalizer"}
    cased = cased_characters() if types & _CASED else ()
    decomposing = decomposing_characters() if types & _DECOMPOSING else ()
    sources = [tuple(cased), tuple(decomposing)]
    return in_turns(
        *(packed(len(row), CHARACTERS_A_TEXT, _joined(row), material.seed) for row in sources),
        *(crossed(row, _CONTEXTS, material.seed + 1) for row in sources),
    )


def _joined(row: Sequence[str]) -> Callable[[Sequence[int]], str]:
    return lambda places: " ".join(f"a{row[place]}" for place in places)


@lru_cache(maxsize=1)
def cased_characters() -> tuple[str, ...]:
    """Return all characters that have a lower case, and all that stand beside some."""
    return _those_in([*category("Lu"), *category("Lt"), *MORE_CASED])


@lru_cache(maxsize=1)
def decomposing_characters() -> tuple[str, ...]:
    """Return characters with decompositions, and marks; of Hangul's syllables only some."""
    decomposition = unicodedata.ucd_3_2_0.decomposition
    old = (chr(number) for number in range(0x80, 0x2FA20) if decomposition(chr(number)))
    syllables = (chr(number) for number in range(HANGUL[0], HANGUL[1] + 1, HANGUL_STEP))
    return tuple(dict.fromkeys([*old, *_those_in([*LATER_DECOMPOSING, *category("M")]), *syllables]))


def _those_in(ranges: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chr(number) for first, last in ranges for number in range(first, last + 1)))


NORMALIZED_CHARACTER_GENERATORS = (
    Generator(
        "normalizer-characters",
        "every character with a case or a decomposition, if a normalizer is about these: one wrong row of a table",
        _characters,
    ),
)
