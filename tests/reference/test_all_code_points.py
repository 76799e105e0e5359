"""Every component that looks at characters against `tokenizers`, on every code point: alone, and between others.

Alone each is a text of its own. Between others many are put into one text; the characters between them keep them apart:
nothing composes, reorders or joins across a letter or a space.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import pytest

sys.path.insert(0, str(Path(__file__).parent / "material"))  # test folders are not packages

from both_sides import (
    CHARSMAP,
    NORMALIZERS,
    PRE_TOKENIZERS,
    SPLIT_INTO_CHARACTERS,
    DecoderOnBothSides,
    Json,
    NormalizerOnBothSides,
    PreTokenizerOnBothSides,
    TokenizerOnBothSides,
    byte_level,
    split,
)
from real_charsmaps import CHECKPOINTS, precompiled_of
from sweeps import CODE_POINTS, OnBothSides, all_characters, characters_with_ends_of_long_runs, check

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NORMALIZER_NAMES = (
    *("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Nmt", "StripAccents", "ByteLevel", "Strip", "Prepend"),
    *("BERT, uncased", "BERT, cased", "BERT, all but clean_text", "BERT, clean_text", "BERT, handle_chinese_chars"),
    *("BERT, strip_accents", "BERT, lowercase", "Precompiled", "Replace, runs", "Sequence, accents"),
)
PRE_TOKENIZER_NAMES = (
    *("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts", "Digits", "FixedLength, 3"),
    *("CharDelimiterSplit", "ByteLevel", "ByteLevel, no prefix", "Metaspace", "Punctuation, Isolated"),
    *("Split, Isolated", "Sequence, T5"),
)
"""One of every kind: further options of a component do not tell further characters apart."""

SPLIT_CLASSES = (
    *(rf"\p{{{name}}}" for name in ("L", "Lu", "Ll", "M", "N", "P", "S", "Z", "C", "Han")),
    *(r"\w", r"\d", r"\s", r"\h", r"\X", r"\R", r"\b", ".", "[[:punct:]]", r"[^\s\p{L}\p{N}]+", "(?i:[a-z]+)"),
)
"""Patterns of `Split` that tell characters apart; all names of properties are in ``text/test_unicode_properties.py``,
other classes in ``text/test_regex_characters.py``."""

AROUND_NORMALIZED = "a{}b{}\u0301 "
AROUND_CUT = "a{}!{} 1{}"
"""What is put around each character."""

AT_ONCE = 4096


def texts(template: str) -> Iterator[str]:
    return (template.replace("{}", char) for char in all_characters())


def check_all(both: OnBothSides, template: str = "{}", at_once: int = 1) -> None:
    start = perf_counter()
    assert check(both, texts(template), at_once) == CODE_POINTS
    print(f"{CODE_POINTS:,} code points, {perf_counter() - start:.0f} s: 0 differences")


# In one text ----------------------------------------------------------------------------------------------------------

QUICK_NORMALIZERS = [name for name in NORMALIZER_NAMES if name not in {"ByteLevel", "Precompiled"}]
QUICK_PRE_TOKENIZERS = (
    *("BertPreTokenizer", "WhitespaceSplit", "UnicodeScripts", "Digits", "CharDelimiterSplit", "Metaspace"),
    "Punctuation, Isolated",
)
"""What takes a second or two over a text of all code points."""


@pytest.fixture(scope="module", params=["the ends of long runs", pytest.param("all", marks=pytest.mark.long)])
def in_one(request: pytest.FixtureRequest) -> str:
    """Many characters, with a letter between each two, so that no mark moves past another."""
    return "a".join(all_characters() if request.param == "all" else characters_with_ends_of_long_runs())


@pytest.mark.parametrize("name", QUICK_NORMALIZERS)
def test_characters_are_normalized_as_tokenizers_does(name: str, in_one: str) -> None:
    both = NormalizerOnBothSides(NORMALIZERS[name])
    ours, theirs = (side.normalize_str(in_one) for side in (both.reference, both.target.normalizer))
    if ours != theirs:
        pytest.fail(_first_that_differs(ours, theirs))


@pytest.mark.parametrize("name", QUICK_PRE_TOKENIZERS)
def test_characters_are_cut_as_tokenizers_does(name: str, in_one: str) -> None:
    both = PreTokenizerOnBothSides(PRE_TOKENIZERS[name])
    ours, theirs = (side.pre_tokenize_str(in_one) for side in (both.reference, both.target))
    if ours != theirs:
        pytest.fail(_first_that_differs(ours, theirs))


def _first_that_differs(ours: Sequence[Any], theirs: Sequence[Any]) -> str:
    """Tell where the two differ first: whole, they would fill the terminal."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    at = next((index for index, (one, other) in pairs if one != other), min(len(ours), len(theirs)))
    around = slice(max(0, at - 3), at + 3)
    return f"{ours[around]!a} here, {theirs[around]!a} in the target"


# Normalizers and pre-tokenizers ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", NORMALIZER_NAMES)
def test_a_character_alone_is_normalized_as_tokenizers_does(name: str) -> None:
    check_all(NormalizerOnBothSides(NORMALIZERS[name]))


@pytest.mark.slow
@pytest.mark.parametrize("name", PRE_TOKENIZER_NAMES)
def test_a_character_alone_is_cut_as_tokenizers_does(name: str) -> None:
    check_all(PreTokenizerOnBothSides(PRE_TOKENIZERS[name]))


@pytest.mark.slow
@pytest.mark.parametrize("name", NORMALIZER_NAMES)
def test_a_character_between_others_is_normalized_as_tokenizers_does(name: str) -> None:
    check_all(NormalizerOnBothSides(NORMALIZERS[name]), AROUND_NORMALIZED, AT_ONCE)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRE_TOKENIZER_NAMES)
def test_a_character_between_others_is_cut_as_tokenizers_does(name: str) -> None:
    check_all(PreTokenizerOnBothSides(PRE_TOKENIZERS[name]), AROUND_CUT, AT_ONCE)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", SPLIT_CLASSES)
def test_a_character_of_a_class_is_split_as_tokenizers_does(pattern: str) -> None:
    check_all(PreTokenizerOnBothSides(split("Regex", pattern, "Isolated")), AROUND_CUT, AT_ONCE)


@pytest.mark.slow
@pytest.mark.parametrize("around", ["{}", AROUND_NORMALIZED])
def test_a_character_is_replaced_as_tokenizers_does_by_the_map_of_a_checkpoint(shared: Path, around: str) -> None:
    maps = {json.dumps(precompiled_of(shared / "tokenizers" / name)) for name in CHECKPOINTS}
    for document in maps:
        check_all(NormalizerOnBothSides(json.loads(document)), around, 1 if around == "{}" else AT_ONCE)


# Added tokens ---------------------------------------------------------------------------------------------------------


def _added_token(id: int, content: str, **flags: bool) -> Json:
    off = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    return {"id": id, "content": content, **off, **flags}


ADDED_TOKENS = [
    _added_token(1, "<w>", single_word=True),
    _added_token(2, "<l>", lstrip=True),
    _added_token(3, "<r>", rstrip=True),
    _added_token(4, "<ß>", normalized=True),
    _added_token(5, "<lr>", lstrip=True, rstrip=True, single_word=True, special=True),
]
WORD_LEVEL: Json = {"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"}

WITH_ADDED_TOKENS: dict[str, tuple[Json | None, str]] = {
    "beside a word": (None, "a{}<w> <w>{}b\n"),
    "beside white space": (None, "a{}<l>a{}{}<r>{}b\n"),
    "before a token that takes both": (None, "a {}<lr>{} b\n"),
    "in normalized text": ({"type": "NFKC"}, "a{}<ß>{}<w>b\n"),
    "in lowercase text": ({"type": "Lowercase"}, "a{}<ß>{}<L>b\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_ADDED_TOKENS)
def test_a_character_beside_added_tokens_does_what_it_does_in_tokenizers(name: str) -> None:
    normalizer, template = WITH_ADDED_TOKENS[name]
    document = {"added_tokens": ADDED_TOKENS, "normalizer": normalizer, "model": WORD_LEVEL}
    check_all(TokenizerOnBothSides(document), template, AT_ONCE)


# Models ---------------------------------------------------------------------------------------------------------------

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
CHARACTERS = ["?", "a", "é", "Ａ", "\u0301", "▁", "\U0001f600"]


def _bpe(**options: Any) -> Json:
    vocabulary = {piece: id for id, piece in enumerate([*CHARACTERS, "##a", "##é", "a</w>", *BYTES])}
    return {"type": "BPE", "unk_token": "?", "vocab": vocabulary, "merges": [], **options}


MODELS: dict[str, Json] = {
    "BPE": _bpe(),
    "BPE, fuse_unk": _bpe(fuse_unk=True),
    "BPE, byte_fallback": _bpe(byte_fallback=True),
    "BPE, prefix and suffix": _bpe(continuing_subword_prefix="##", end_of_word_suffix="</w>"),
    "Unigram": {"type": "Unigram", "unk_id": 0, "vocab": [[char, -1.0] for char in CHARACTERS], "byte_fallback": False},
    "Unigram, byte_fallback": {
        "type": "Unigram",
        "unk_id": 0,
        "vocab": [[piece, -1.0] for piece in [*CHARACTERS, *BYTES]],
        "byte_fallback": True,
    },
    "WordPiece": {
        "type": "WordPiece",
        "unk_token": "?",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {piece: id for id, piece in enumerate([*CHARACTERS, "##a", "##é"])},
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_a_character_is_tokenized_as_tokenizers_does(name: str) -> None:
    document = {"model": MODELS[name], "pre_tokenizer": {"type": "CharDelimiterSplit", "delimiter": "|"}}
    check_all(TokenizerOnBothSides(document), "a{}aé|{}|{}{}|", 256)


# Post-processors ------------------------------------------------------------------------------------------------------


def _vocabulary_of_characters() -> dict[str, int]:
    """Return a vocabulary of all characters, as tokens must be what they stand for here."""
    return {char: ord(char) for char in all_characters()}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ByteLevel", "RobertaProcessing"])
def test_a_character_is_trimmed_from_offsets_as_tokenizers_does(kind: str) -> None:
    processor = {"type": kind, "add_prefix_space": True, "trim_offsets": True, "sep": ["?", 1], "cls": ["?", 1]}
    model = {"type": "WordLevel", "vocab": _vocabulary_of_characters(), "unk_token": "?"}
    document = {"pre_tokenizer": SPLIT_INTO_CHARACTERS, "model": model, "post_processor": processor}
    check_all(TokenizerOnBothSides(document), "a{}", AT_ONCE)


# Decoders -------------------------------------------------------------------------------------------------------------

DECODERS: dict[str, Json] = {
    **{name: {"type": name} for name in ("ByteFallback", "Fuse")},
    "ByteLevel": byte_level(True, True),
    "BPEDecoder": {"type": "BPEDecoder", "suffix": "</w>"},
    "WordPiece": {"type": "WordPiece", "prefix": "##", "cleanup": True},
    "Metaspace": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
    "CTC": {"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True},
    "Strip": {"type": "Strip", "content": "é", "start": 1, "stop": 0},
    "Replace": {"type": "Replace", "pattern": {"Regex": r"\s|\p{P}"}, "content": "-"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DECODERS)
def test_a_character_is_decoded_as_tokenizers_does(name: str) -> None:
    check_all(DecoderOnBothSides(DECODERS[name]))


# A character for all others -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["a\u00df", "\u0301", "\u3000", "e\u0301", "\U0001f600"])
def test_the_comparison_finds_a_difference(text: str) -> None:
    class OneDiffers(NormalizerOnBothSides):
        def target_answer(self, text_asked: str) -> Any:
            answer = super().target_answer(text_asked)
            return "another" if text in text_asked else answer

    both = OneDiffers(CHARSMAP)
    others = [f"{char} " for char in "abcdefghij"]
    assert check(both, others, at_once=4) == len(others)
    with pytest.raises(pytest.fail.Exception, match="1 of 4 texts differ"):
        check(both, [*others[:5], text + " ", *others[5:]], at_once=4)
