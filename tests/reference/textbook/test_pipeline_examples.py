"""The documents' examples of normalizers and pre-tokenizers, on the reference and on `tokenizers`."""

from __future__ import annotations

import json
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_reference.textbook import count_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GREETING = "Hello, how are  you?"
CASES_AND_ACCENTS = "ThÍs is  áN ExaMPlé     sÉnteNCE"
PUNCTUATION = "this sentence's content includes: characters, spaces, and punctuation."

BERT_GREETING = [
    ("Hello", (0, 5)), (",", (5, 6)), ("how", (7, 10)), ("are", (11, 14)), ("you", (16, 19)), ("?", (19, 20)),
]  # fmt: skip
GPT2_GREETING = [
    ("Hello", (0, 5)), (",", (5, 6)), ("Ġhow", (6, 10)), ("Ġare", (10, 14)), ("Ġ", (14, 15)), ("Ġyou", (15, 19)),
    ("?", (19, 20)),
]  # fmt: skip
T5_GREETING = [("▁Hello,", (0, 6)), ("▁how", (7, 10)), ("▁are", (11, 14)), ("▁you?", (16, 20))]
BERT_PUNCTUATION = [
    ("this", (0, 4)), ("sentence", (5, 13)), ("'", (13, 14)), ("s", (14, 15)), ("content", (16, 23)),
    ("includes", (24, 32)), (":", (32, 33)), ("characters", (34, 44)), (",", (44, 45)), ("spaces", (46, 52)),
    (",", (52, 53)), ("and", (54, 57)), ("punctuation", (58, 69)), (".", (69, 70)),
]  # fmt: skip
WHITESPACE_PUNCTUATION = ["this", "sentence's", "content", "includes:", "characters,", "spaces,", "and", "punctuation."]
GPT2_PUNCTUATION = [
    "this",
    "Ġsentence",
    "'s",
    "Ġcontent",
    "Ġincludes",
    ":",
    "Ġcharacters",
    ",",
    "Ġspaces",
    ",",
    "Ġand",
    "Ġpunctuation",
    ".",
]
ALBERT_PUNCTUATION = ["▁" + word for word in WHITESPACE_PUNCTUATION]


@pytest.fixture
def checkpoint(package: Any, load_checkpoint: Callable[[Any, str], Any]) -> Callable[[str], Any]:
    return partial(load_checkpoint, package)


def words(pre_tokenizer: Any, text: str) -> list[str]:
    return [word for word, _ in pre_tokenizer.pre_tokenize_str(text)]


# Components ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("normalizer", "normalized"),
    [
        ("NFC", CASES_AND_ACCENTS),
        ("Lowercase", "thís is  án examplé     séntence"),
        ("BertNormalizer", "this is  an example     sentence"),
    ],
)
def test_normalizers(package: Any, normalizer: str, normalized: str) -> None:
    assert getattr(package.normalizers, normalizer)().normalize_str(CASES_AND_ACCENTS) == normalized


def test_whitespace_split_leaves_punctuation_at_its_words(package: Any) -> None:
    assert words(package.pre_tokenizers.WhitespaceSplit(), PUNCTUATION) == WHITESPACE_PUNCTUATION


def test_the_bert_pre_tokenizer_isolates_punctuation(package: Any) -> None:
    assert package.pre_tokenizers.BertPreTokenizer().pre_tokenize_str(PUNCTUATION) == BERT_PUNCTUATION
    assert package.pre_tokenizers.BertPreTokenizer().pre_tokenize_str(GREETING) == BERT_GREETING


def test_words_by_spaces_by_punctuation_and_by_characters(package: Any) -> None:
    sentence = "This sentence is a great, interesting sentence!"
    by_spaces = ["This", "sentence", "is", "a", "great,", "interesting", "sentence!"]
    by_punctuation = ["This", "sentence", "is", "a", "great", ",", "interesting", "sentence", "!"]
    assert words(package.pre_tokenizers.WhitespaceSplit(), sentence) == by_spaces
    assert words(package.pre_tokenizers.BertPreTokenizer(), sentence) == by_punctuation
    characters = words(package.pre_tokenizers.Split("", "isolated"), sentence)
    assert characters == list(sentence)
    assert len(characters) == 47


# Checkpoints ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "normalized"),
    [
        ("bert-base-uncased", "Héllò hôw are ü?", "hello how are u?"),
        ("bert-base-uncased", CASES_AND_ACCENTS, "this is  an example     sentence"),
        ("google-fnet-base", CASES_AND_ACCENTS, "ThÍs is áN ExaMPlé sÉnteNCE"),
    ],
)
def test_normalizers_of_checkpoints(checkpoint: Any, name: str, text: str, normalized: str) -> None:
    assert checkpoint(name).normalizer.normalize_str(text) == normalized


@pytest.mark.parametrize(
    ("name", "expected"),
    [("bert-base-uncased", BERT_GREETING), ("gpt2", GPT2_GREETING), ("t5-small", T5_GREETING)],
)
def test_pre_tokenizers_of_checkpoints_with_offsets(checkpoint: Any, name: str, expected: list[Any]) -> None:
    assert checkpoint(name).pre_tokenizer.pre_tokenize_str(GREETING) == expected


@pytest.mark.parametrize(("name", "expected"), [("gpt2", GPT2_PUNCTUATION), ("albert-base-v1", ALBERT_PUNCTUATION)])
def test_pre_tokenizers_of_checkpoints(checkpoint: Any, name: str, expected: list[str]) -> None:
    assert words(checkpoint(name).pre_tokenizer, PUNCTUATION) == expected


@pytest.mark.parametrize(
    ("name", "kept"), [("bert-base-uncased", False), ("gpt2", True), ("t5-small", False), ("xlnet-base-cased", False)]
)
def test_whether_all_spaces_can_be_found_again(checkpoint: Any, name: str, kept: bool) -> None:
    spans = [span for _, span in checkpoint(name).pre_tokenizer.pre_tokenize_str(GREETING)]
    assert all(before[1] == after[0] for before, after in pairwise(spans)) == kept


@pytest.mark.parametrize("section", ["course_bpe", "course_wordpiece", "course_unigram"])
def test_words_of_the_courses_corpus(checkpoint: Any, shared: Path, section: str) -> None:
    example = json.loads((shared / "facts" / "worked_examples.json").read_text("utf-8"))[section]
    counts = count_words(example["corpus"], checkpoint(example["pre_tokenizer"]).pre_tokenizer.pre_tokenize_str)
    assert list(counts.items()) == list(example["word_freqs"].items())


def test_sentencepiece_tokens_are_joined_and_marks_made_spaces(checkpoint: Any) -> None:
    tokenizer = checkpoint("xlnet-base-cased")
    tokens = ["▁This", "▁is", "▁the", "▁Hugging", "▁Face", "▁", "c", "ou", "r", "s", "e", "."]
    joined = "".join(tokens).replace("▁", " ").removeprefix(" ")
    assert tokenizer.decoder.decode(tokens) == joined == "This is the Hugging Face course."
