"""Random tokenizer.json documents: every component and option, in small, and valid.

A document is a plain ``dict``. It is *valid* in that ``tokenizers`` loads it (but for a few models that it refuses);
what it then does may still be to raise an error, or to panic: those answers are compared as well. Left out is only what
the target answers at random, since there is nothing to compare with: a dropout between 0 and 1, two vocabulary entries
with one id, special tokens of a template that are missing (several of them are listed in random order).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.inputs.random_tokenizers.components import (
    random_decoder,
    random_normalizer,
    random_pre_tokenizer,
    random_processor,
)
from tokenizer_conformance.inputs.random_tokenizers.legacy_forms import in_legacy_form
from tokenizer_conformance.inputs.random_tokenizers.models import random_model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

Json = dict[str, Any]

ADDED = (
    "<m>", "[CLS]", "[SEP]", "<pad>", "<unk>", "abc", "AB", "é", " b", "b ", "##a", "Ġ", "▁", "京都", "don", "12", "<|end|>",
    "[MASK]", "a", "\u0301", "😀", "\n", "  ", "İ", "ß", "x y", "[UNK]", "ab", "e\u0301", "</s>", "<s>", "\u3000", "①", "[PAD]", "hello",
    "'t", ".", "$", "\u200d", "▁a", "_", "\x00", "Ab", "ABC", "한", "㎏", "<0x41>", "\r\n",
)  # fmt: skip
"""Contents of added tokens."""

ADDED_FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")

LEGACY_SHARE = 0.08
"""How many documents are written in a form that only older files have."""


@dataclass(frozen=True, slots=True)
class Document:
    """A tokenizer.json, and the strings that a text should hold now and then: vocabulary entries and added tokens."""

    json: Json
    strings: tuple[str, ...]


def random_document(rng: Random) -> Document:
    """Return a random document."""
    model, vocabulary = random_model(rng)
    added = random_added_tokens(rng, vocabulary)
    json: Json = {
        "version": "1.0",
        "truncation": _maybe(rng, 0.25, random_truncation),
        "padding": _maybe(rng, 0.25, random_padding),
        "added_tokens": added,
        "normalizer": _maybe(rng, 0.75, random_normalizer),
        "pre_tokenizer": _maybe(rng, 0.8, random_pre_tokenizer),
        "post_processor": _maybe(rng, 0.6, random_processor),
        "decoder": _maybe(rng, 0.8, random_decoder),
        "model": model,
    }
    if rng.random() < LEGACY_SHARE:
        json = in_legacy_form(rng, json)
    return Document(json, tuple(vocabulary) + tuple(token["content"] for token in added))


def _maybe(rng: Random, probability: float, make: Callable[[Random], Json]) -> Json | None:
    return make(rng) if rng.random() < probability else None


# Added tokens, truncation, padding -----------------------------------------------------------------------------------


def random_added_tokens(rng: Random, vocabulary: Sequence[str] = ()) -> list[Json]:
    """Return up to six added tokens with random flags: new ones, ones of ``vocabulary``, and one twice now and then."""
    contents = rng.sample(ADDED, k=rng.choice((0, 0, 1, 2, 3, 5)))
    if vocabulary and rng.random() < 0.3:
        contents.append(rng.choice(vocabulary))
    if contents and rng.random() < 0.05:
        contents.append(rng.choice((*contents, "")))
    # Ids are assigned anew when the file is read; what stands here does not matter.
    return [
        {"id": rng.choice((index, index, 7)), "content": content, **{flag: rng.random() < 0.35 for flag in ADDED_FLAGS}}
        for index, content in enumerate(contents)
    ]


def random_truncation(rng: Random) -> Json:
    """Return a truncation, of lengths that are too short as well."""
    return {
        "direction": rng.choice(("Left", "Right")),
        "max_length": rng.choice((0, 1, 2, 3, 4, 5, 8, 16, 512)),
        "strategy": rng.choice(("LongestFirst", "LongestFirst", "OnlyFirst", "OnlySecond")),
        "stride": rng.choice((0, 0, 0, 1, 2, 7)),
    }


def random_padding(rng: Random) -> Json:
    """Return a padding."""
    return {
        "strategy": rng.choice(("BatchLongest", {"Fixed": rng.choice((0, 3, 9, 40))})),
        "direction": rng.choice(("Left", "Right")),
        "pad_to_multiple_of": rng.choice((None, None, 0, 1, 4, 7)),
        "pad_id": rng.choice((0, 7)),
        "pad_type_id": rng.choice((0, 3)),
        "pad_token": rng.choice(("[PAD]", "<pad>", "")),
    }
