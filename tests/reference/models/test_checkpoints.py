"""The models of published checkpoints, on pre-tokens of real text as `tokenizers` makes them."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from published_checkpoints import PUBLISHED

from tokenizer_reference.json_text.document import parse_json
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.models.base import MODEL

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TEXTS = ["botchan.txt", "pride_and_prejudice.txt", "wagahai.txt"]


def lines(shared: Path) -> list[str]:
    return [line for text in TEXTS for line in (shared / "texts" / text).read_text("utf-8").splitlines(keepends=True)]


def pieces(tokenizer: tokenizers.Tokenizer, texts: Iterable[str]) -> list[str]:
    """Return the distinct pre-tokens of `texts`."""
    normalizer, pre_tokenizer = tokenizer.normalizer, tokenizer.pre_tokenizer
    found: dict[str, None] = {}
    for text in texts:
        normalized = normalizer.normalize_str(text) if normalizer else text
        found.update((piece, None) for piece, _ in pre_tokenizer.pre_tokenize_str(normalized))
    return list(found)


def assert_same(shared: Path, checkpoint: str, sample: int | None) -> None:
    text = (shared / "tokenizers" / checkpoint / "tokenizer.json").read_text("utf-8")
    target = tokenizers.Tokenizer.from_str(text)
    model: Any = MODEL.read(JsonValue(parse_json(text)["model"], "$.model"))
    assert json.dumps(model._to_json()) == json.dumps(json.loads(target.to_str())["model"])
    texts = lines(shared)
    texts = texts if sample is None else random.Random(checkpoint).sample(texts, sample)
    words = pieces(target, texts)
    assert len(words) > len(texts) / 10
    target_model = target.model
    for word in [*words, "".join(words)[:20_000]]:
        expected = [token.as_tuple() for token in target_model.tokenize(word)]
        assert [token.as_tuple() for token in model.tokenize(word)] == expected, word


@pytest.mark.parametrize("checkpoint", PUBLISHED)
def test_a_sample_of_real_text_is_the_targets(shared: Path, checkpoint: str) -> None:
    assert_same(shared, checkpoint, 400)


@pytest.mark.slow
@pytest.mark.parametrize("checkpoint", PUBLISHED)
def test_all_of_the_real_text_is_the_targets(shared: Path, checkpoint: str) -> None:
    assert_same(shared, checkpoint, None)
