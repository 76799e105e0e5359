"""Random pipelines of truncation, post-processor and padding, compared with the target in everything that shows."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any

import pytest
import tokenizers
from in_one_test import in_one_test
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Split

from tokenizer_reference.errors import TruncationError, UpstreamPanicError
from tokenizer_reference.pipeline.padding import PaddingParams, pad_encodings
from tokenizer_reference.pipeline.truncation import TruncationParams, truncate_encodings
from tokenizer_reference.processors.base import merge_unprocessed
from tokenizer_reference.values.encoding import Encoding

WORDS = ["a", "é", "京", "Ġa", "a b", "ĠĠ", "bĠ", " x ", "\u3000Ġy", "Ġ", "unknown", "<t>", ""]
SPECIAL_TOKENS = [("X", 50), ("Y", 51), {"id": "M", "ids": [60, 61], "tokens": ["m1", "m2"]}]

Recipe = tuple[str, tuple[Any, ...]]
"""Name of a post-processor, and the arguments of its constructor (recipes, for a sequence)."""


@dataclass(frozen=True)
class Pipeline:
    """What is done to one input, drawn at random."""

    text: str
    pair: str | None
    processor: Recipe | None
    truncation: TruncationParams | None
    padding: PaddingParams | None
    add_special_tokens: bool


def _pipeline(rng: random.Random) -> Pipeline:
    return Pipeline(
        _text(rng),
        _text(rng) if rng.random() < 0.5 else None,
        _recipe(rng) if rng.random() < 0.85 else None,
        _truncation(rng) if rng.random() < 0.7 else None,
        _padding(rng) if rng.random() < 0.3 else None,
        rng.random() < 0.75,
    )


def _text(rng: random.Random) -> str:
    return "|".join(rng.choices(WORDS, k=rng.randint(0, 5)))


def _truncation(rng: random.Random) -> TruncationParams:
    strategy = rng.choice(["longest_first", "longest_first", "only_first", "only_second"])
    return TruncationParams(rng.randint(0, 8), rng.choice([0, 0, 1, 2]), strategy, rng.choice(["left", "right"]))


def _padding(rng: random.Random) -> PaddingParams:
    length, multiple = rng.choice([None, 0, 4, 9]), rng.choice([None, 0, 4])
    return PaddingParams(rng.choice(["left", "right"]), 5, 4, "P", length, multiple)


def _recipe(rng: random.Random, *, nested: bool = False) -> Recipe:
    names = ["BertProcessing", "RobertaProcessing", "ByteLevel", "TemplateProcessing", "TemplateProcessing"]
    name = rng.choice(names if nested else [*names, "Sequence"])
    flags = tuple(rng.random() < 0.6 for _ in range(3))
    match name:
        case "Sequence":
            return name, tuple(_recipe(rng, nested=True) for _ in range(rng.randint(0, 3)))
        case "TemplateProcessing":
            single = [*_special(rng), _typed(rng, "$A"), *_special(rng)]
            pair = [*_special(rng), _typed(rng, "$A"), *_special(rng), _typed(rng, "$B"), *_special(rng)]
            return name, (single, " ".join(pair), SPECIAL_TOKENS)
        case "ByteLevel":
            return name, flags
        case _:
            return name, (("S", 70), ("C", 71), *(flags[:2] if name == "RobertaProcessing" else ()))


def _special(rng: random.Random) -> list[str]:
    return [_typed(rng, name) for name in rng.choices("XYM", k=rng.choice([0, 0, 1]))]


def _typed(rng: random.Random, piece: str) -> str:
    return f"{piece}:{rng.randint(0, 3)}" if rng.random() < 0.5 else piece


def _build(processors: Any, recipe: Recipe | None) -> Any:
    if recipe is None:
        return None
    name, arguments = recipe
    if name == "Sequence":
        return processors.Sequence([_build(processors, each) for each in arguments])
    return getattr(processors, name)(*arguments)


def _tokenizer() -> Any:
    tokenizer = tokenizers.Tokenizer(WordLevel({word: id_ for id_, word in enumerate(WORDS)}, "unknown"))
    tokenizer.pre_tokenizer = Split("|", "removed")
    tokenizer.add_tokens(["<t>"])
    return tokenizer


def _theirs(pipeline: Pipeline, processors: Any) -> Any:
    tokenizer = _tokenizer()
    processor = _build(processors, pipeline.processor)
    if processor is not None:
        tokenizer.post_processor = processor
    document = json.loads(tokenizer.to_str())
    document["truncation"] = pipeline.truncation and pipeline.truncation._to_json()
    document["padding"] = pipeline.padding and pipeline.padding._to_json()
    tokenizer = tokenizers.Tokenizer.from_str(json.dumps(document))
    return tokenizer.encode(pipeline.text, pipeline.pair, add_special_tokens=pipeline.add_special_tokens)


def _ours(pipeline: Pipeline, processors: Any) -> Encoding:
    encoding = _tokenized(pipeline.text, 0)
    pair = None if pipeline.pair is None else _tokenized(pipeline.pair, 1)
    processor = _build(processors, pipeline.processor)
    if pipeline.truncation is not None:
        adds = processor is not None and pipeline.add_special_tokens
        added = processor.num_special_tokens_to_add(pair is not None) if adds else 0
        encoding, pair = truncate_encodings(encoding, pair, pipeline.truncation.room_for(added))
    if processor is None:
        encoding = merge_unprocessed(encoding, pair)
    else:
        encoding = processor.process(encoding, pair, pipeline.add_special_tokens)
    if pipeline.padding is not None:
        pad_encodings([encoding], pipeline.padding)
    return encoding


def _tokenized(text: str, type_id: int) -> Encoding:
    encoding = Encoding()
    encoding.__setstate__(_tokenizer().encode(text).__getstate__())
    encoding._set_type_ids(type_id)
    return encoding


@in_one_test("seed", range(400))
def test_random_pipelines_end_as_in_the_target(seed: int, reference: Any, target: Any, shows: Any) -> None:
    pipeline = _pipeline(random.Random(seed))
    try:
        ours = shows(_ours(pipeline, reference.processors))
    except TruncationError:
        with pytest.raises(Exception, match="Truncation error"):
            _theirs(pipeline, target.processors)
    except UpstreamPanicError:
        with pytest.raises(target.panic):
            _theirs(pipeline, target.processors)
    else:
        assert ours == shows(_theirs(pipeline, target.processors))
