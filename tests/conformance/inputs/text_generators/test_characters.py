"""Characters by what is odd about them: tables of ranges are those of Unicode, rare ones come before common ones."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import regex
from in_one_test import in_one_test

from tokenizer_conformance.inputs.text_generators.characters import (
    CATEGORIES,
    CODE_POINTS,
    CURATED,
    DEFAULT_IGNORABLE,
    JAMO,
    _is_in,
    assigned,
    categories,
    in_order,
    representatives,
    script,
)
from tokenizer_conformance.inputs.text_generators.sweeps import PACKED

# Tables --------------------------------------------------------------------------------------------------------------


def test_ignorable_characters_are_those_of_unicode() -> None:
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    runs = [match[0] for match in regex.finditer(r"\p{Default_Ignorable_Code_Point}+", every)]
    assert tuple((ord(run[0]), ord(run[-1])) for run in runs) == DEFAULT_IGNORABLE
    is_ignorable = _is_in(DEFAULT_IGNORABLE)
    assert [each for run in runs for each in run if not is_ignorable(each)] == []


def test_jamo_are_the_letters_of_hangul_and_their_fillers() -> None:
    """All but the halfwidth filler, which is ignorable; a few code points between them are not assigned."""
    kinds = ("CHOSEONG", "JUNGSEONG", "JONGSEONG", "LETTER", "FILLER")
    names = (*(f"HANGUL {kind}" for kind in kinds), "HALFWIDTH HANGUL LETTER")
    hangul = [number for number in range(0x10000) if script(chr(number)) in {"HANGUL", "HALFWIDTH"}]
    jamo = [number for number in hangul if unicodedata.name(chr(number)).startswith(names)]
    first = [number for before, number in pairwise([-9, *jamo]) if number - before > 5]
    last = [number for number, after in pairwise([*jamo, 0x10000]) if after - number > 5]
    assert tuple(zip(first, last, strict=True)) == JAMO


def test_every_code_point_has_its_category() -> None:
    every = (*CATEGORIES, "Cs")
    assert set(categories()) == set(range(len(set(every))))
    odd = "\x00A\u01c5\u0378\ud7ff\ud800\udfff\ue000\U0010fffd\U0010ffff"
    found = [every[categories()[ord(each)]] for each in odd]
    assert found == ["Cc", "Lu", "Lt", "Cn", "Cn", "Cs", "Cs", "Co", "Co", "Cn"]


def test_what_is_assigned_is_neither_a_surrogate_nor_for_private_use() -> None:
    found = "".join(map(chr, assigned()))
    assert sorted(found) == list(found)
    assert {unicodedata.category(each) for each in found} == set(CATEGORIES) - {"Cn", "Co"}
    assert [each in found for each in "\x00a\U000e0001\ud800\ue000\u0378"] == [True, True, True, False, False, False]


# Order ---------------------------------------------------------------------------------------------------------------


def test_representatives_are_the_curated_characters_and_a_first_of_every_kind() -> None:
    characters = representatives()
    assert characters[: len(CURATED)] == CURATED
    assert len(set(characters)) == len(characters)
    assert {unicodedata.category(each) for each in characters} == set(CATEGORIES)
    assert {unicodedata.combining(each) for each in characters} == {
        unicodedata.combining(chr(number)) for number in assigned()
    }


def test_every_code_point_but_surrogates_comes_once() -> None:
    order = in_order()
    found = set(order)
    assert len(order) == len(found) == CODE_POINTS == 1_112_064
    assert found.isdisjoint(range(0xD800, 0xE000))
    assert order[-1] == 0


RARE = {
    "a case mapping to two characters": "ǰ",
    "a mark": "\u0b56",
    "a format character": "\U000e0001",
    "a digit": "꧓",
    "a jamo": "\ud7c5",
    "an ideograph of an extension": "\U00020000",
    "assigned in Unicode 16": "\u1c8a",
    "assigned in Unicode 17": "\u1acf",
    "assigned in Unicode 15": "\U0001fae8",
    "a decomposition": "\U0001d15f",
    "a space": "\u205f",
    "an emoji": "🫠",
    "unassigned": "\u0378",
    "a letter without case": "ꡀ",
}


@in_one_test("what", RARE)
def test_a_rare_character_comes_in_the_first_hundreds_of_packed_texts(what: str) -> None:
    assert in_order().index(ord(RARE[what])) // PACKED < 600
