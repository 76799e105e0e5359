"""Truncation: rules, options and JSON, beside the target."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from in_one_test import in_one_test
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit

from tokenizer_reference.errors import TokenizerFileError, TruncationError, UpstreamPanicError
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.pipeline.truncation import TruncationParams, truncate_encodings
from tokenizer_reference.processors.base import merge_unprocessed
from tokenizer_reference.values.encoding import Encoding


def _encoding(size: int) -> Encoding:
    return Encoding._of(ids=[0] * size, tokens=["a"] * size, offsets=[(2 * n, 2 * n + 1) for n in range(size)])


def _lengths(first: int, second: int | None, params: TruncationParams) -> tuple[int, int | None]:
    pair = None if second is None else _encoding(second)
    truncated, truncated_pair = truncate_encodings(_encoding(first), pair, params)
    return len(truncated), None if truncated_pair is None else len(truncated_pair)


LENGTHS = [
    # strategy, max_length, first, second: what stays of both
    ("longest_first", 8, 2, 9, (2, 6)),
    ("longest_first", 8, 9, 2, (6, 2)),
    ("longest_first", 7, 9, 8, (4, 3)),
    ("longest_first", 7, 8, 9, (3, 4)),
    ("longest_first", 7, 8, 8, (3, 4)),
    ("longest_first", 7, 5, 5, (3, 4)),
    ("longest_first", 1, 5, 5, (0, 1)),
    ("longest_first", 3, 5, None, (3, None)),
    ("longest_first", 5, 5, None, (5, None)),
    ("only_first", 5, 4, 3, (2, 3)),
    ("only_second", 5, 3, 4, (3, 2)),
    ("only_second", 9, 3, None, (3, None)),
    ("longest_first", 0, 3, 4, (0, 0)),
    ("only_first", 0, 3, 4, (0, 0)),
]


@pytest.mark.parametrize(("strategy", "max_length", "first", "second", "expected"), LENGTHS)
def test_how_much_of_each_sequence_stays(
    strategy: Any, max_length: Any, first: Any, second: Any, expected: Any
) -> None:
    params = TruncationParams(max_length, strategy=strategy)
    assert _lengths(first, second, params) == expected
    tokenizer = _tokenizer(params)
    pair = None if second is None else "b " * second
    type_ids = tokenizer.encode("a " * first, pair).type_ids
    assert (type_ids.count(0), None if second is None else type_ids.count(1)) == expected


def _tokenizer(params: TruncationParams) -> Any:
    tokenizer = tokenizers.Tokenizer(WordLevel({"a": 0, "b": 1}, "a"))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    document = json.loads(tokenizer.to_str())
    return tokenizers.Tokenizer.from_str(json.dumps({**document, "truncation": params._to_json()}))


FAILURES = [
    ("only_first", 2, 2, 5, "Sequence to truncate too short"),
    ("only_second", 2, 5, 2, "Sequence to truncate too short"),
    ("only_second", 2, 5, None, "Second sequence not provided"),
]


@pytest.mark.parametrize(("strategy", "max_length", "first", "second", "message"), FAILURES)
def test_a_sequence_that_is_missing_or_too_short_cannot_be_truncated(
    strategy: Any, max_length: Any, first: Any, second: Any, message: Any
) -> None:
    params = TruncationParams(max_length, strategy=strategy)
    with pytest.raises(TruncationError, match=message):
        _lengths(first, second, params)
    with pytest.raises(Exception, match=message):
        _tokenizer(params).encode("a " * first, None if second is None else "b " * second)


def test_all_text_is_overflow_where_nothing_may_stay() -> None:
    truncated, pair = truncate_encodings(_encoding(3), _encoding(2), TruncationParams(0, stride=9))
    assert pair is not None
    assert [len(part) for part in truncated.overflowing] == [3]
    assert [len(part) for part in pair.overflowing] == [2]


def test_arguments_stay_as_they_are() -> None:
    encoding = _encoding(5)
    truncate_encodings(encoding, None, TruncationParams(2))
    assert (len(encoding), encoding.overflowing) == (5, [])


def test_a_stride_that_leaves_no_progress_panics_upstream_only_where_something_is_cut() -> None:
    params = TruncationParams(3, stride=3)
    assert _lengths(3, None, params) == (3, None)
    with pytest.raises(UpstreamPanicError, match="stride"):
        _lengths(4, None, params)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 40))
def test_longest_first_gives_exactly_what_fits_and_is_fair(first: Any, second: Any, max_length: Any) -> None:
    kept_first, kept_second = _lengths(first, second, TruncationParams(max_length))
    assert kept_second is not None
    assert kept_first + kept_second == min(first + second, max_length)
    assert kept_first <= first
    assert kept_second <= second
    # Neither loses tokens as long as it is the shorter one by more than the odd token.
    if kept_first < first and kept_second < second:
        assert abs(kept_first - kept_second) <= 1
    elif kept_first < first:
        assert kept_first >= kept_second - 1
    elif kept_second < second:
        assert kept_second >= kept_first - 1


@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 30), st.sampled_from(["only_first", "only_second"]))
def test_the_other_sequence_stays_whole(first: Any, second: Any, max_length: Any, strategy: Any) -> None:
    excess = first + second - max_length
    params = TruncationParams(max_length, strategy=strategy)
    named = first if strategy == "only_first" else second
    if excess > 0 and named <= excess:
        with pytest.raises(TruncationError):
            _lengths(first, second, params)
        return
    cut = max(excess, 0)
    expected = (first - cut, second) if strategy == "only_first" else (first, second - cut)
    assert _lengths(first, second, params) == expected


# Arguments -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("max_length", "added", "left"),
    [(512, 2, 510), (2, 2, 0), (1, 2, 2**64 - 1), (0, 3, 2**64 - 3)],
)
def test_room_for_special_tokens_wraps_around_below_zero(max_length: Any, added: Any, left: Any) -> None:
    assert TruncationParams(max_length).room_for(added).max_length == left


@in_one_test("max_length, stride", [(length, stride) for length in range(5) for stride in range(5)])
def test_the_stride_is_checked_as_in_the_target(max_length: Any, stride: Any) -> None:
    """It is compared with what a single sequence leaves, and may be equal to it."""
    tokenizer = tokenizers.Tokenizer(WordLevel({"a": 0}, "a"))
    tokenizer.post_processor = tokenizers.processors.BertProcessing(("a", 0), ("a", 0))
    params = TruncationParams.of_arguments(max_length, stride, "longest_first", "right")
    assert _complaint(lambda: params.check_stride(2)) == _complaint(
        lambda: tokenizer.enable_truncation(max_length, stride=stride)
    )


def _complaint(call: Any) -> str | None:
    try:
        call()
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((3, 0, "LongestFirst", "right"), ValueError),
        ((3, 0, "longest_first", "up"), ValueError),
    ],
)
def test_unknown_names_are_refused_as_in_the_target(arguments: Any, error: Any) -> None:
    ours, theirs = _refusals(arguments, error)
    assert ours == theirs


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((-1, 0, "longest_first", "right"), "max_length"), ((3, -1, "longest_first", "right"), "stride")],
)
def test_numbers_below_zero_are_refused_by_name(arguments: Any, name: str) -> None:
    ours, _ = _refusals(arguments, OverflowError)
    assert ours.startswith(f"{name}: expected a whole number from 0")


def _refusals(arguments: Any, error: type[Exception]) -> tuple[str, str]:
    with pytest.raises(error) as ours:
        TruncationParams.of_arguments(*arguments)
    max_length, stride, strategy, direction = arguments
    tokenizer = tokenizers.Tokenizer(WordLevel({"a": 0}, "a"))
    with pytest.raises(error) as theirs:
        tokenizer.enable_truncation(max_length, stride=stride, strategy=strategy, direction=direction)
    return str(ours.value), str(theirs.value)


# JSON ----------------------------------------------------------------------------------------------------------------

FULL = {"direction": "Left", "max_length": 3, "strategy": "OnlyFirst", "stride": 1}

DOCUMENTS = [
    (FULL, True),
    ({**FULL, "direction": "Right"}, True),
    ({key: value for key, value in FULL.items() if key != "direction"}, True),
    ({**FULL, "unknown": 1}, True),
    ({**FULL, "stride": 9}, True),
    ({**FULL, "max_length": 2**64 - 1}, True),
    (["Left", 3, "OnlySecond", 1], True),
    ({**FULL, "strategy": {"OnlyFirst": None}}, True),
    (["Left", 3, "OnlySecond"], False),
    (["Left", 3, "OnlySecond", 1, 1], False),
    ({**FULL, "direction": "left"}, False),
    ({**FULL, "direction": None}, False),
    ({**FULL, "strategy": "only_first"}, False),
    ({**FULL, "strategy": {"OnlyFirst": 1}}, False),
    ({**FULL, "max_length": 2**64}, False),
    ({**FULL, "max_length": -1}, False),
    ({**FULL, "stride": 1.0}, False),
    ({**FULL, "stride": None}, False),
    *(({key: value for key, value in FULL.items() if key != missing}, False) for missing in list(FULL)[1:]),
    ({}, False),
    (3, False),
]


@pytest.mark.parametrize(("document", "is_read"), DOCUMENTS)
def test_json_is_read_and_written_as_in_the_target(document: Any, is_read: Any) -> None:
    whole = json.loads(tokenizers.Tokenizer(WordLevel({"a": 0}, "a")).to_str())
    text = json.dumps({**whole, "truncation": document})
    if not is_read:
        with pytest.raises(TokenizerFileError, match=r"\$\.truncation"):
            TruncationParams._from_json(JsonValue(document, "$.truncation"))
        with pytest.raises(Exception, match="line 1"):
            tokenizers.Tokenizer.from_str(text)
        return
    params = TruncationParams._from_json(JsonValue(document, "$.truncation"))
    tokenizer = tokenizers.Tokenizer.from_str(text)
    assert list(params._to_json().items()) == list(json.loads(tokenizer.to_str())["truncation"].items())
    assert list(params.as_arguments().items()) == list(tokenizer.truncation.items())
    assert TruncationParams.of_arguments(**params.as_arguments()) == params


# The target ----------------------------------------------------------------------------------------------------------


@in_one_test("seed", range(100))
def test_random_pairs_are_truncated_as_in_the_target(seed: int, target: Any, shows: Any) -> None:
    rng = random.Random(seed)
    params = TruncationParams(
        rng.randint(0, 14),
        rng.randint(0, 2),
        rng.choice(["longest_first", "only_first", "only_second"]),
        rng.choice(["left", "right"]),
    )
    sizes = rng.randint(0, 9), rng.randint(0, 9)
    tokenizer = _tokenizer(params)

    def theirs() -> Any:
        return shows(tokenizer.encode("a " * sizes[0], "b " * sizes[1]))

    try:
        ours = shows(
            merge_unprocessed(*truncate_encodings(_typed_encoding(sizes[0], 0), _typed_encoding(sizes[1], 1), params))
        )
    except TruncationError:
        with pytest.raises(Exception, match="Truncation error: Sequence to truncate too short"):
            theirs()
    except UpstreamPanicError:
        with pytest.raises(target.panic, match="stride"):
            theirs()
    else:
        assert ours == theirs()


def _typed_encoding(size: int, number: int) -> Encoding:
    return Encoding._of(
        ids=[number] * size,
        tokens=["ab"[number]] * size,
        type_ids=[number] * size,
        words=list(range(size)),
        offsets=[(2 * index, 2 * index + 1) for index in range(size)],
    )
