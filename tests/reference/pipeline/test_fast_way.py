"""The fast way beside the plain one, in random pipelines of nested components, with the encoder's limits at random.

Where the limits are as low as 1, short texts are cut into lines, meet patterns, and find the cache full.
``make exhaustive`` prints how many texts were compared.
"""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from nested_pipelines import random_pipeline, text_of

from tokenizer_reference import Tokenizer
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.pipeline import fast_encoder

Json = dict[str, Any]


def columns(tokenizer: Any, texts: tuple[str, ...]) -> Any:
    """Return every column of an encoding, and of those that overflow."""
    return json.loads(tokenizer.encode(*texts).__getstate__())


def answer(tokenizer: Tokenizer, texts: tuple[str, ...], fast: bool) -> Any:
    tokenizer.fast = fast
    try:
        return columns(tokenizer, texts)
    except TokenizerReferenceError as error:
        return type(error), str(error)


def went_fast(tokenizer: Tokenizer, text: str) -> bool:
    return tokenizer._fast_encoder().encode(text, tokenizer._added, 0) is not None


# Random pipelines ----------------------------------------------------------------------------------------------------

LIMITS: dict[str, tuple[float | str, ...]] = {
    "_LONG_TEXT": (1, 1, 1, 8, 2000),
    "_WORTH_A_PATTERN": (0.01, 0.5, 64),
    "_LAST_OF_SETS": ("z", "\uffff"),
    "_CACHED_SIZE": (1, 20, 1_000_000),
    "_LONGEST_CACHED": (1, 3, 4096),
}


def loaded(document: Json) -> Tokenizer | None:
    """Return the tokenizer, or ``None`` for a document that is refused."""
    try:
        return Tokenizer.from_str(json.dumps(document))
    except TokenizerReferenceError:
        return None


def draws_added_tokens(tokenizer: Tokenizer) -> bool:
    """Whether the target draws one of several added tokens with the same normalized form."""
    forms = list(tokenizer._added._normalized_patterns.values())
    return len(set(forms)) < len(forms)


def compare(rng: Random, texts: int, longest: int, beside_target: bool) -> Counter[str]:
    """Compare the two ways of a random tokenizer, and the plain one with the target; return what was counted."""
    document, strings = random_pipeline(rng)
    tokenizer = loaded(document)
    if tokenizer is None:
        return Counter(refused=1)
    target = None
    if beside_target and not draws_added_tokens(tokenizer):
        target = tokenizers.Tokenizer.from_str(json.dumps(document))
    counts = Counter(tokenizers=1)
    with pytest.MonkeyPatch.context() as patch:
        for name, values in LIMITS.items():
            patch.setattr(fast_encoder, name, rng.choice(values))
        for _ in range(texts):
            given_texts = tuple(text_of(rng, strings, longest) for _ in range(rng.choice((1,) * 9 + (2,))))
            plain = answer(tokenizer, given_texts, fast=False)
            fast = answer(tokenizer, given_texts, fast=True)
            assert (given_texts, fast) == (given_texts, plain), document
            if target is not None and isinstance(plain, dict):
                assert (given_texts, plain) == (given_texts, columns(target, given_texts)), document
                counts["beside tokenizers"] += len(given_texts)
            counts["texts"] += len(given_texts)
            counts["the fast way"] += sum(went_fast(tokenizer, text) for text in given_texts)
            counts["2,000 characters and more"] += sum(len(text) >= 2000 for text in given_texts)
    return counts


# Drawn piece by piece an example would take five times as long, and chances would not be those given.
@settings(max_examples=3 * settings.default.max_examples)
@given(rng=st.randoms(use_true_random=True))
def test_nested_pipelines_encode_alike_both_ways(rng: Random) -> None:
    compare(rng, texts=12, longest=300, beside_target=rng.random() < 0.5)


PARTS = 8
TEXTS_OF_A_PART = 62_500


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_half_a_million_texts_encode_alike_both_ways(part: int) -> None:
    rng = Random(f"nested {part}")
    counts: Counter[str] = Counter()
    while counts["texts"] < TEXTS_OF_A_PART:
        counts += compare(rng, texts=20, longest=4000, beside_target=rng.random() < 0.2)
    print(dict(counts))
    assert counts["the fast way"] > counts["texts"] / 3
    assert counts["2,000 characters and more"] > counts["texts"] / 400


# What was wrong once, and what is close to it ------------------------------------------------------------------------


def replace(pattern: str, content: str) -> Json:
    return {"type": "Replace", "pattern": {"String": pattern}, "content": content}


def sequence(*members: Json) -> Json:
    return {"type": "Sequence", "normalizers": list(members)}


LOWERCASE: Json = {"type": "Lowercase"}
BERT: Json = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": None,
    "lowercase": True,
}

INNER_LITERALS: dict[str, Json] = {
    "behind another": sequence(LOWERCASE, sequence(replace("ab", "x"))),
    "in front": sequence(sequence(replace("ab", "x")), LOWERCASE),
    "behind another literal": sequence(replace("bb", "y"), sequence(replace("ab", "x"), LOWERCASE)),
    "two deep": sequence(sequence(LOWERCASE), sequence(sequence(replace("ab", "x")))),
    "arisen before it": sequence(sequence(replace("A", "a")), replace("ab", "x")),
    "made by another literal": sequence(sequence(replace("cc", "ab")), replace("ab", "x")),
}

NEWLINES: dict[str, Json] = {
    "removed": sequence(replace("\n", ""), BERT),
    "removed later": sequence(BERT, replace("\n", ""), replace(" ", "")),
    "made a letter": sequence(replace("\n", "a"), BERT),
    "part of a literal": sequence(replace("b\na", "x"), BERT),
    "made of a letter": sequence(replace("c", "\n"), BERT),
    "made several": sequence(replace("\n", " \n "), BERT),
    "composed over": {"type": "NFC"},
}


def spelled(normalizer: Json, pre_tokenizer: str) -> Json:
    """Return a tokenizer whose tokens are the characters of its words, and ``ab``."""
    characters = ["?", *"abcxyABé\u0301e"]
    vocab = {token: id for id, token in enumerate([*characters, "ab"])}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": normalizer,
        "pre_tokenizer": {"type": pre_tokenizer},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "BPE", "vocab": vocab, "merges": [["a", "b"]], "unk_token": "?"},
    }


def check_beside_target(document: Json, *texts: str) -> None:
    tokenizer, target = Tokenizer.from_str(json.dumps(document)), tokenizers.Tokenizer.from_str(json.dumps(document))
    for text in texts:
        expected = columns(target, (text,))
        assert columns(tokenizer, (text,)) == expected
        assert answer(tokenizer, (text,), fast=False) == expected
        tokenizer.fast = True


@pytest.mark.parametrize("normalizer", INNER_LITERALS)
def test_literals_of_inner_sequences_are_replaced(normalizer: str) -> None:
    check_beside_target(spelled(INNER_LITERALS[normalizer], "Whitespace"), "ab c abc", "Ab cb AB", "cc bb a", "c cy")


def test_the_literal_of_an_inner_sequence_gives_its_content() -> None:
    tokenizer = Tokenizer.from_str(json.dumps(spelled(INNER_LITERALS["behind another"], "Whitespace")))
    assert tokenizer.encode("ab c abc").tokens == ["x", "c", "x", "c"]
    assert went_fast(tokenizer, "ab c abc")


@pytest.mark.parametrize("normalizer", NEWLINES)
def test_newlines_of_long_texts_become_what_the_normalizer_makes_of_them(normalizer: str) -> None:
    lines = ["ab", "abc b", "", "\u0301c", "É\r", "c\r"]
    text = "\n".join(lines * 110)
    assert len(text) > fast_encoder._LONG_TEXT
    document = spelled(NEWLINES[normalizer], "BertPreTokenizer")
    check_beside_target(document, text, text.replace("\r", "").replace("\u0301", ""), "ab\n" * 700)


def test_a_long_text_whose_newlines_go_has_the_tokens_of_one_line() -> None:
    tokenizer = Tokenizer.from_str(json.dumps(spelled(NEWLINES["removed"], "BertPreTokenizer")))
    text = "ab c\n" * 600
    assert tokenizer.encode(text).word_ids[-1] == 600
    assert went_fast(tokenizer, text)


def test_a_normalized_token_in_a_later_line_is_found() -> None:
    document = spelled(BERT, "BertPreTokenizer")
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": True, "special": False}
    document["added_tokens"] = [{"id": 12, "content": "CB", **flags}]
    check_beside_target(document, "ab a\n" * 500 + "Cb a")
