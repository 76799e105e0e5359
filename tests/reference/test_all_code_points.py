"""Every normalizer and pre-tokenizer against `tokenizers`, on every code point: alone, and between others.

Alone each is a text of its own. Between others many are put into one text; the characters between them keep them apart:
nothing composes, reorders or joins across a letter or a space.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parent / "material"))  # test folders are not packages

from both_sides import NORMALIZERS, PRE_TOKENIZERS, Json, NormalizerOnBothSides, PreTokenizerOnBothSides

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SURROGATES = range(0xD800, 0xE000)
ALL = [chr(code_point) for code_point in range(0x110000) if code_point not in SURROGATES]

BETWEEN = {
    "NORMALIZERS": "a{}b e{}\u0301 {} ",
    "PRE_TOKENIZERS": "a{}a!{}! {}1京{} ",
}
"""What is put around each character."""

CHARACTERS_PER_TEXT = 4096
SHOWN = 20

OnBothSides = NormalizerOnBothSides | PreTokenizerOnBothSides


def differing(component: OnBothSides, texts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Give the characters, as code points, of which the text that belongs to them gets two answers."""
    for char, text in texts:
        if component.reference_answer(text) != component.target_answer(text):
            yield f"U+{ord(char):04X}"


def check_alone(component: OnBothSides) -> None:
    assert list(islice(differing(component, zip(ALL, ALL, strict=True)), SHOWN)) == []


def check_between(component: OnBothSides, template: str) -> None:
    for first in range(0, len(ALL), CHARACTERS_PER_TEXT):
        chars = ALL[first : first + CHARACTERS_PER_TEXT]
        texts = [template.replace("{}", char) for char in chars]
        whole = "".join(texts)
        if component.reference_answer(whole) != component.target_answer(whole):
            singly = list(islice(differing(component, zip(chars, texts, strict=True)), SHOWN))
            pytest.fail(f"{singly or 'several together'} among the {len(chars)} from U+{ord(chars[0]):04X}")


@pytest.mark.slow
@pytest.mark.parametrize("document", NORMALIZERS.values(), ids=NORMALIZERS)
def test_a_character_alone_is_normalized_as_tokenizers_does(document: Json) -> None:
    check_alone(NormalizerOnBothSides(document))


@pytest.mark.slow
@pytest.mark.parametrize("document", PRE_TOKENIZERS.values(), ids=PRE_TOKENIZERS)
def test_a_character_alone_is_cut_as_tokenizers_does(document: Json) -> None:
    check_alone(PreTokenizerOnBothSides(document))


@pytest.mark.slow
@pytest.mark.parametrize("document", NORMALIZERS.values(), ids=NORMALIZERS)
def test_a_character_between_others_is_normalized_as_tokenizers_does(document: Json) -> None:
    check_between(NormalizerOnBothSides(document), BETWEEN["NORMALIZERS"])


@pytest.mark.slow
@pytest.mark.parametrize("document", PRE_TOKENIZERS.values(), ids=PRE_TOKENIZERS)
def test_a_character_between_others_is_cut_as_tokenizers_does(document: Json) -> None:
    check_between(PreTokenizerOnBothSides(document), BETWEEN["PRE_TOKENIZERS"])
