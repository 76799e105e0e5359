"""What the adapters of TensorFlow Text tell its tokenizers of a tokenizer.json, without an environment of it."""

from __future__ import annotations

from typing import Any

import pytest

from tokenizer_adapters.peers.tensorflow_text import case_and_accents, listed, word_options
from tokenizer_adapters.pipeline import UnfitTokenizerError

NORMALIZER = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
WORDS = {"type": "WordPiece", "unk_token": "?", "continuing_subword_prefix": "@@", "max_input_chars_per_word": 4}


def words(lowercase: bool, strip_accents: bool | None, **changes: Any) -> dict[str, Any]:
    """A tokenizer.json of a few words, without a template."""
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": NORMALIZER | {"lowercase": lowercase, "strip_accents": strip_accents},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": None,
        "model": WORDS,
    } | changes


REFUSED: list[tuple[dict[str, Any], str]] = [
    (
        {"normalizer": NORMALIZER | {"lowercase": False, "strip_accents": True}},
        "it strips accents only where it lowers",
    ),
    (
        {"normalizer": NORMALIZER | {"lowercase": True, "strip_accents": None, "clean_text": False}},
        "it cleans, normalizes and splits as BERT",
    ),
    ({"normalizer": {"type": "Lowercase"}}, "it cleans, normalizes and splits as BERT does, with Chinese characters"),
    ({"normalizer": None}, "it cleans, normalizes and splits as BERT does"),
    ({"pre_tokenizer": {"type": "Whitespace"}}, "it cleans, normalizes and splits as BERT does"),
]


@pytest.mark.parametrize(("change", "reason"), REFUSED)
def test_what_has_no_option_is_refused(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnfitTokenizerError, match=f"^{reason}"):
        case_and_accents(words(lowercase=True, strip_accents=None) | change)


@pytest.mark.parametrize(
    ("lowercase", "strip_accents", "found"),
    [
        (True, None, (True, True)),
        (False, None, (False, False)),
        (True, False, (True, False)),
        (True, True, (True, True)),
        (False, False, (False, False)),
    ],
)
def test_accents_are_stripped_with_the_case_where_a_file_says_nothing(
    lowercase: bool, strip_accents: bool | None, found: tuple[bool, bool]
) -> None:
    assert case_and_accents(words(lowercase, strip_accents)) == found


def test_the_options_of_a_vocabulary() -> None:
    assert word_options({"model": WORDS}) == {"suffix_indicator": "@@", "max_bytes_per_word": 4, "unknown_token": "?"}


def test_a_vocabulary_is_listed_by_its_ids_or_refused() -> None:
    assert listed({"b": 1, "a": 0, "c": 2}) == ["a", "b", "c"]
    for gap in ({"a": 0, "b": 2}, {"a": 1}):
        with pytest.raises(UnfitTokenizerError, match="the ids of this vocabulary do not follow one another"):
            listed(gap)
