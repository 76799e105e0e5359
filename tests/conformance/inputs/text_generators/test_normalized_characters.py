"""Characters that normalizers are about: all of them are there, and each stands in texts of its own and in a pack."""

from __future__ import annotations

import unicodedata
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING

import pytest
import regex

from tokenizer_conformance.inputs.text_generators.normalized_characters import (
    LATER_DECOMPOSING,
    MORE_CASED,
    cased_characters,
    decomposing_characters,
)

if TYPE_CHECKING:
    from conftest import Made
    from tokenizer_conformance.inputs.text_generators.generator import Produced

EVERY = [*map(chr, range(0x110000))]

CASED, DECOMPOSING = 2459, 6990
"""How many characters there are of either kind: with another number of them, a seed draws other texts."""


def of_normalizer(made: Made, type_: str) -> Produced:
    return made("normalizer-characters", {"normalizer": {"type": type_}})


@pytest.mark.parametrize(
    ("type_", "count", "some"),
    [
        ("Lowercase", CASED, "AÀİΣǅ\u1e9eⰀ\u13a0\U00010400"),
        ("NFD", DECOMPOSING, "\u01f0é가\u212b\u2126\u0344\u0958\uf900\U0001d15e\u1b06"),
        ("StripAccents", DECOMPOSING, "\u0301\u0903\u20dd"),
        ("NFKC", DECOMPOSING, "ﬁ①㎏ﷺ\uff76\U0001d400"),
    ],
)
def test_each_character_that_a_normalizer_is_about_stands_in_an_early_pack_of_32_and_in_nine_texts(
    type_: str, count: int, some: str, made: Made
) -> None:
    produced = of_normalizer(made, type_)
    packs = -(-count // 32)
    assert produced.count == packs + 9 * count
    words = [produced.text(2 * number).split(" ") for number in range(packs)]
    assert [len(pack) for pack in words] == [*[32] * (packs - 1), count % 32]
    assert {word[:-1] for pack in words for word in pack} == {"a"}
    found = {word[-1] for pack in words for word in pack}
    assert len(found) == count
    assert set(some) <= found


def test_a_character_stands_alone_and_beside_others(made: Made) -> None:
    produced = of_normalizer(made, "Lowercase")
    texts = [produced.text(number) for number in range(produced.count)]
    assert {text for text in texts if "Ⰰ" in text and len(text) < 5} == {
        *("Ⰰ", "aⰀb", "Ⰰ\u0301", "AⰀ", "ⰀⰀ", " Ⰰ ", "e\u0301Ⰰ", "Ⰰ\u0345\u0323", "ⰀΣ")
    }


def test_a_normalizer_of_both_kinds_has_the_texts_of_both(made: Made) -> None:
    produced = of_normalizer(made, "BertNormalizer")
    assert produced.count == sum(of_normalizer(made, type_).count for type_ in ("Lowercase", "NFD"))
    assert set("A\u01f0\u0301") <= set("".join(produced.text(number) for number in range(800)))


def test_without_such_a_normalizer_there_are_none(made: Made) -> None:
    assert of_normalizer(made, "Strip").count == 0


def test_no_character_with_a_lower_case_or_a_decomposition_is_left_out() -> None:
    cased = compress(EVERY, map(ne, EVERY, map(str.lower, EVERY)))
    assert [hex(ord(each)) for each in cased if each not in set(cased_characters())] == []
    decomposing = set(decomposing_characters())
    assert [hex(ord(each)) for each in filter(unicodedata.decomposition, EVERY) if each not in decomposing] == []


def test_ranges_of_later_characters_begin_and_end_with_one() -> None:
    def edges(ranges: tuple[tuple[int, int], ...]) -> list[str]:
        return [chr(edge) for span in ranges for edge in span]

    assert [hex(ord(each)) for each in edges(MORE_CASED) if not regex.match(r"\p{Cased}", each)] == []
    later = edges(LATER_DECOMPOSING)
    assert [hex(ord(each)) for each in later if regex.match(r"\p{Decomposition_Type=None}", each)] == []
    assert [hex(ord(each)) for each in later if unicodedata.ucd_3_2_0.decomposition(each)] == []


def test_syllables_of_hangul_have_every_letter() -> None:
    syllables = [each for each in decomposing_characters() if "가" <= each <= "힣"]
    assert syllables[0] == "가"
    letters = (range(0x1100, 0x1113), range(0x1161, 0x1176), range(0x11A8, 0x11C3))
    every = {chr(number) for part in letters for number in part}
    assert set(unicodedata.normalize("NFD", "".join(syllables))) == every
