"""Padding: rules, options and JSON, beside the target."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit

from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.pipeline.padding import PaddingParams, pad_encodings
from tokenizer_reference.values.encoding import Encoding


def _encodings(sizes: list[int]) -> list[Encoding]:
    return [Encoding._of(ids=[7] * size, tokens=["a"] * size, offsets=[(0, 1)] * size) for size in sizes]


def _padded_lengths(sizes: list[int], params: PaddingParams) -> list[int]:
    encodings = _encodings(sizes)
    pad_encodings(encodings, params)
    return [len(encoding) for encoding in encodings]


LENGTHS = [
    # length, pad_to_multiple_of, lengths before, lengths after
    (None, None, [1, 3, 2], [3, 3, 3]),
    (None, 4, [1, 3], [4, 4]),
    (None, 3, [1, 3], [3, 3]),
    (None, 0, [1, 3], [3, 3]),
    (5, None, [1, 3], [5, 5]),
    (5, 4, [1, 3], [8, 8]),
    (2, None, [1, 3], [2, 3]),
    (0, None, [1, 3], [1, 3]),
    (None, 4, [0], [0]),
]


@pytest.mark.parametrize(("length", "multiple", "before", "after"), LENGTHS)
def test_lengths_after_padding(length: Any, multiple: Any, before: Any, after: Any) -> None:
    params = PaddingParams(length=length, pad_to_multiple_of=multiple)
    assert _padded_lengths(before, params) == after
    tokenizer = tokenizers.Tokenizer(WordLevel({"a": 0}, "a"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    tokenizer.enable_padding(length=length, pad_to_multiple_of=multiple)
    assert [len(encoding) for encoding in tokenizer.encode_batch(["a " * size for size in before])] == after


def test_an_empty_batch_stays_empty() -> None:
    encodings: list[Encoding] = []
    pad_encodings(encodings, PaddingParams(length=3))
    assert encodings == []


def test_padding_uses_the_given_token_and_side() -> None:
    (encoding,) = _encodings([1])
    pad_encodings([encoding], PaddingParams("left", 5, 2, "<p>", length=3))
    assert (encoding.ids, encoding.tokens) == ([5, 5, 7], ["<p>", "<p>", "a"])
    assert (encoding.type_ids, encoding.attention_mask) == ([2, 2, 0], [0, 0, 1])


@given(st.lists(st.integers(0, 20), min_size=1, max_size=5), st.none() | st.integers(0, 20), st.integers(1, 9))
def test_lengths_are_the_next_multiple_or_stay(sizes: Any, length: Any, multiple: Any) -> None:
    wanted = max(sizes) if length is None else length
    rounded = next(each for each in range(wanted, wanted + multiple) if each % multiple == 0)
    params = PaddingParams(length=length, pad_to_multiple_of=multiple)
    assert _padded_lengths(sizes, params) == [max(size, rounded) for size in sizes]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"direction": "up"}, ValueError),
        ({"pad_id": -1}, OverflowError),
        ({"pad_type_id": -1}, OverflowError),
        ({"length": -1}, OverflowError),
        ({"pad_to_multiple_of": -1}, OverflowError),
    ],
)
def test_bad_arguments_are_refused_as_in_the_target(arguments: Any, error: Any) -> None:
    with pytest.raises(error):
        PaddingParams.of_arguments(**{**PaddingParams().as_arguments(), **arguments})
    with pytest.raises(error):
        tokenizers.Tokenizer(WordLevel({"a": 0}, "a")).enable_padding(**arguments)


FULL: dict[str, Any] = {
    "strategy": {"Fixed": 3},
    "direction": "Left",
    "pad_to_multiple_of": 4,
    "pad_id": 5,
    "pad_type_id": 6,
    "pad_token": "<p>",
}

DOCUMENTS = [
    (FULL, True),
    ({**FULL, "strategy": "BatchLongest"}, True),
    ({**FULL, "strategy": {"BatchLongest": None}}, True),
    ({**FULL, "pad_to_multiple_of": None}, True),
    ({**FULL, "pad_to_multiple_of": 0}, True),
    ({key: value for key, value in FULL.items() if key != "pad_to_multiple_of"}, True),
    ({**FULL, "unknown": 1}, True),
    (list(FULL.values()), True),
    (list(FULL.values())[:-1], False),
    *(
        ({key: value for key, value in FULL.items() if key != missing}, False)
        for missing in FULL
        if missing != "pad_to_multiple_of"
    ),
    *(({**FULL, key: None}, False) for key in FULL if key != "pad_to_multiple_of"),
    ({**FULL, "strategy": "Fixed"}, False),
    ({**FULL, "strategy": {"Fixed": None}}, False),
    ({**FULL, "strategy": {"Fixed": 3, "x": 1}}, False),
    ({**FULL, "direction": "left"}, False),
    ({**FULL, "pad_id": 2**32}, False),
    ({**FULL, "pad_id": -1}, False),
]


@pytest.mark.parametrize(("document", "is_read"), DOCUMENTS)
def test_json_is_read_and_written_as_in_the_target(document: Any, is_read: Any) -> None:
    whole = json.loads(tokenizers.Tokenizer(WordLevel({"a": 0}, "a")).to_str())
    text = json.dumps({**whole, "padding": document})
    if not is_read:
        with pytest.raises(TokenizerFileError, match=r"\$\.padding"):
            PaddingParams._from_json(JsonValue(document, "$.padding"))
        with pytest.raises(Exception, match="line 1"):
            tokenizers.Tokenizer.from_str(text)
        return
    params = PaddingParams._from_json(JsonValue(document, "$.padding"))
    tokenizer = tokenizers.Tokenizer.from_str(text)
    assert list(params._to_json().items()) == list(json.loads(tokenizer.to_str())["padding"].items())
    assert list(params.as_arguments().items()) == list(tokenizer.padding.items())
    assert PaddingParams.of_arguments(**params.as_arguments()) == params
