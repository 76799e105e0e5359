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

from both_sides import NORMALIZERS, PRE_TOKENIZERS, NormalizerOnBothSides, PreTokenizerOnBothSides

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SURROGATES = range(0xD800, 0xE000)
ALL = [chr(code_point) for code_point in range(0x110000) if code_point not in SURROGATES]

NORMALIZER_NAMES = (
    *("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Nmt", "StripAccents", "ByteLevel", "Strip", "Prepend"),
    *("BERT, uncased", "BERT, cased", "BERT, all but clean_text", "Precompiled", "Replace, runs", "Sequence, accents"),
)
PRE_TOKENIZER_NAMES = (
    *("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts", "Digits", "FixedLength, 3"),
    *("CharDelimiterSplit", "ByteLevel", "ByteLevel, no prefix", "Metaspace", "Punctuation, Isolated"),
    *("Split, Isolated", "Sequence, T5"),
)
"""One of every kind: further options of a component do not tell further characters apart."""

AROUND_NORMALIZED = "a{}b{}\u0301 "
AROUND_CUT = "a{}!{} 1{}"
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
@pytest.mark.parametrize("name", NORMALIZER_NAMES)
def test_a_character_alone_is_normalized_as_tokenizers_does(name: str) -> None:
    check_alone(NormalizerOnBothSides(NORMALIZERS[name]))


@pytest.mark.slow
@pytest.mark.parametrize("name", PRE_TOKENIZER_NAMES)
def test_a_character_alone_is_cut_as_tokenizers_does(name: str) -> None:
    check_alone(PreTokenizerOnBothSides(PRE_TOKENIZERS[name]))


@pytest.mark.slow
@pytest.mark.parametrize("name", NORMALIZER_NAMES)
def test_a_character_between_others_is_normalized_as_tokenizers_does(name: str) -> None:
    check_between(NormalizerOnBothSides(NORMALIZERS[name]), AROUND_NORMALIZED)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRE_TOKENIZER_NAMES)
def test_a_character_between_others_is_cut_as_tokenizers_does(name: str) -> None:
    check_between(PreTokenizerOnBothSides(PRE_TOKENIZERS[name]), AROUND_CUT)
