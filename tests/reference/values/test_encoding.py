"""Encoding: look-ups, merging, padding, truncating and state, on the reference and on the target."""

from __future__ import annotations

import copy
import json
import pickle
import random
from itertools import pairwise
from typing import Any

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from in_one_test import in_one_test

from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.values.encoding import Encoding

PAIR = {
    "tokens": ["[CLS]", "a", "b", "##c", "[SEP]", "d"],
    "words": [None, 0, 1, 1, None, 0],
    "offsets": [(0, 0), (0, 1), (2, 3), (3, 5), (0, 0), (0, 4)],
    "sequence_ranges": {"0": {"start": 1, "end": 4}, "1": {"start": 5, "end": 6}},
}

LOOK_UPS = [
    ("token_to_sequence", (0,), None),
    ("token_to_sequence", (3,), 0),
    ("token_to_sequence", (5,), 1),
    ("token_to_sequence", (6,), None),
    ("token_to_sequence", (7,), None),
    ("token_to_chars", (0,), None),
    ("token_to_chars", (3,), (3, 5)),
    ("token_to_chars", (6,), None),
    ("token_to_word", (3,), 1),
    ("token_to_word", (4,), None),
    ("char_to_token", (2,), 2),
    ("char_to_token", (1,), None),
    ("char_to_token", (3, 1), 5),
    ("char_to_word", (4,), 1),
    ("char_to_word", (3, 1), 0),
    ("char_to_word", (9, 1), None),
    ("word_to_tokens", (1,), (2, 4)),
    ("word_to_tokens", (2,), None),
    ("word_to_chars", (1,), (2, 5)),
    ("word_to_chars", (0, 1), (0, 4)),
    # An unknown sequence is the whole encoding, special tokens and all.
    ("word_to_tokens", (0, 7), (1, 2)),
    ("char_to_token", (0, 7), 1),
]


@pytest.mark.parametrize(("method", "arguments", "expected"), LOOK_UPS)
def test_look_up(library: Any, method: str, arguments: tuple[int, ...], expected: Any) -> None:
    assert getattr(library.encoding(**PAIR), method)(*arguments) == expected


def test_without_ranges_all_is_one_sequence_that_reaches_one_token_too_far(library: Any) -> None:
    encoding = library.encoding(tokens=["a", "b"])
    assert (encoding.n_sequences, encoding.sequence_ids) == (1, [0, 0])
    assert [encoding.token_to_sequence(index) for index in range(4)] == [0, 0, 0, None]
    assert encoding.token_to_chars(2) is None


def test_sequence_ids_of_a_number_without_range_cover_everything(library: Any) -> None:
    encoding = library.encoding(tokens=["a", "b"], sequence_ranges={"1": {"start": 1, "end": 2}})
    assert (encoding.n_sequences, encoding.sequence_ids) == (1, [0, 0])
    assert encoding.token_to_sequence(1) == 1


def test_a_range_past_the_end_panics_upstream(library: Any) -> None:
    encoding = library.encoding(tokens=["a"], sequence_ranges={"0": {"start": 0, "end": 2}})
    with pytest.raises(library.panic):
        _ = encoding.sequence_ids


def test_words_that_decrease_end_the_search_for_a_word(library: Any) -> None:
    encoding = library.encoding(tokens=["a", "b", "c"], words=[0, 2, 0])
    assert (encoding.word_to_tokens(0), encoding.word_to_tokens(1)) == ((0, 1), None)


@pytest.mark.parametrize("method", ["token_to_sequence", "token_to_chars", "token_to_word", "char_to_token"])
def test_negative_positions_are_refused(library: Any, method: str) -> None:
    with pytest.raises(OverflowError):
        getattr(library.encoding(tokens=["a"]), method)(-1)


def test_fields_cannot_be_set_and_give_new_lists(library: Any) -> None:
    encoding = library.encoding(tokens=["a"])
    encoding.ids.append(5)
    assert encoding.ids == [0]
    for field in ("ids", "tokens", "offsets", "overflowing", "n_sequences"):
        with pytest.raises(AttributeError):
            setattr(encoding, field, [])


def test_changing_an_overflow_part_that_was_read_leaves_the_encoding(library: Any) -> None:
    encoding = library.encoding(tokens=["a"], overflowing=[{"tokens": ["b"]}])
    encoding.overflowing[0].pad(5)
    assert encoding.overflowing[0].tokens == ["b"]


def test_repr_and_an_empty_encoding(library: Any) -> None:
    encoding = library.Encoding()
    assert (len(encoding), encoding.ids, encoding.sequence_ids, encoding.n_sequences) == (0, [], [], 1)
    assert repr(encoding) == (
        "Encoding(num_tokens=0, attributes=[ids, type_ids, tokens, offsets, attention_mask, special_tokens_mask, "
        "overflowing])"
    )


def test_encodings_are_equal_only_to_themselves(library: Any) -> None:
    encoding = library.encoding(tokens=["a"])
    assert encoding == encoding  # noqa: PLR0124
    assert encoding != library.encoding(tokens=["a"])


def test_state_is_json_with_the_targets_keys_in_its_order(library: Any) -> None:
    encoding = library.encoding(tokens=["é\n\x7f"], sequence_ranges={"0": {"start": 0, "end": 1}})
    assert encoding.__getstate__().decode() == (
        '{"ids":[0],"type_ids":[0],"tokens":["é\\n\x7f"],"words":[0],"offsets":[[0,1]],"special_tokens_mask":[0],'
        '"attention_mask":[1],"overflowing":[],"sequence_ranges":{"0":{"start":0,"end":1}}}'
    )


@pytest.mark.parametrize("copied", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
def test_pickling_and_copying_keep_everything(library: Any, shows: Any, copied: Any) -> None:
    encoding = library.encoding(**PAIR, overflowing=[{"tokens": ["x"]}])
    assert shows(copied(encoding)) == shows(encoding)


# Truncating, padding, merging ----------------------------------------------------------------------------------------

TRUNCATIONS = [
    # tokens, max_length, stride, direction: what stays, overflow
    ("abcdef", 3, 1, "left", "def", ["bcd", "ab"]),
    ("abcdef", 3, 1, "right", "abc", ["cde", "ef"]),
    ("abcdef", 3, 0, "right", "abc", ["def"]),
    ("abcdef", 3, 2, "right", "abc", ["bcd", "cde", "def"]),
    ("abcdef", 4, 0, "left", "cdef", ["ab"]),
    ("abcdef", 6, 9, "right", "abcdef", []),
    ("abcdef", 0, 9, "right", "", ["abcdef"]),
    ("", 0, 0, "right", "", []),
]


@pytest.mark.parametrize(("tokens", "max_length", "stride", "direction", "kept", "overflow"), TRUNCATIONS)
def test_truncate(
    library: Any, tokens: Any, max_length: Any, stride: Any, direction: Any, kept: Any, overflow: Any
) -> None:
    encoding = library.encoding(tokens=list(tokens))
    encoding.truncate(max_length, stride, direction)
    assert "".join(encoding.tokens) == kept
    assert ["".join(part.tokens) for part in encoding.overflowing] == overflow


def test_truncating_forgets_ranges_and_former_overflow(library: Any) -> None:
    encoding = library.encoding(**PAIR, overflowing=[{"tokens": ["x"]}])
    encoding.truncate(5)
    assert encoding.n_sequences == 1
    assert [part.tokens for part in encoding.overflowing] == [["d"]]


def test_truncating_to_nothing_keeps_the_whole_as_overflow_with_its_own(library: Any) -> None:
    encoding = library.encoding(**PAIR, overflowing=[{"tokens": ["x"]}])
    encoding.truncate(0)
    (whole,) = encoding.overflowing
    assert (encoding.ids, whole.tokens, whole.n_sequences) == ([], PAIR["tokens"], 2)
    assert [part.tokens for part in whole.overflowing] == [["x"]]


def test_truncate_refuses_another_direction_and_panics_without_progress(library: Any) -> None:
    encoding = library.encoding(tokens=["a", "b"])
    with pytest.raises(ValueError, match="Invalid truncation direction value : up"):
        encoding.truncate(1, 0, "up")
    with pytest.raises(library.panic):
        encoding.truncate(1, 1)


def test_padding_has_no_word_no_attention_and_moves_ranges(library: Any) -> None:
    encoding = library.encoding(**PAIR, overflowing=[{"tokens": ["x"]}])
    encoding.pad(7, direction="left", pad_id=9, pad_type_id=3, pad_token="P")
    assert encoding.tokens[:2] == ["P", "[CLS]"]
    assert (encoding.ids[0], encoding.type_ids[0], encoding.offsets[0], encoding.word_ids[0]) == (9, 3, (0, 0), None)
    assert (encoding.attention_mask[0], encoding.special_tokens_mask[0]) == (0, 1)
    assert encoding.sequence_ids == [None, None, 0, 0, 0, None, 1]
    assert encoding.overflowing[0].tokens == ["P"] * 6 + ["x"]


def test_padding_of_an_encoding_without_ranges_counts_as_its_sequence(library: Any) -> None:
    encoding = library.encoding(tokens=["a"])
    encoding.pad(3)
    assert encoding.sequence_ids == [0, 0, 0]


def test_overflow_is_padded_where_the_encoding_itself_is_long_enough(library: Any) -> None:
    encoding = library.encoding(tokens=["a", "b"], overflowing=[{"tokens": ["c"]}])
    encoding.pad(2)
    assert (encoding.tokens, encoding.overflowing[0].tokens) == (["a", "b"], ["c", "[PAD]"])


def test_pad_refuses_another_direction(library: Any) -> None:
    with pytest.raises(ValueError, match="Use one of `left` or `right`"):
        library.encoding(tokens=["a"]).pad(3, direction="up")


@pytest.mark.parametrize(("growing", "offsets"), [((), [(0, 1), (5, 6), (6, 8)]), ((False,), [(0, 1), (5, 6), (0, 2)])])
def test_merged_offsets_grow_by_default(library: Any, growing: Any, offsets: Any) -> None:
    first = library.encoding(tokens=["a", "b"], offsets=[(0, 1), (5, 6)])
    second = library.encoding(tokens=["c"], offsets=[(0, 2)])
    assert library.Encoding.merge([first, second], *growing).offsets == offsets


def test_merging_pairs_every_overflow_with_every_other(library: Any) -> None:
    first = library.encoding(tokens=["a"], overflowing=[{"tokens": ["b"]}])
    second = library.encoding(tokens=["x"], overflowing=[{"tokens": ["y"]}, {"tokens": ["z"]}])
    merged = library.Encoding.merge([first, second], growing_offsets=False)

    def tree(encoding: Any) -> Any:
        return ["".join(encoding.tokens), *map(tree, encoding.overflowing)]

    assert tree(merged) == ["ax", ["bx", ["by"], ["bz"]], ["by"], ["bz"], ["ay", ["by"]], ["az", ["bz"]]]


def test_merging_nothing_gives_an_empty_encoding(library: Any) -> None:
    assert library.Encoding.merge([]).ids == []


def test_a_later_range_of_the_same_number_replaces_the_earlier(library: Any) -> None:
    whole = {"0": {"start": 0, "end": 1}}
    encodings = [library.encoding(tokens=[token], sequence_ranges=whole) for token in "ab"]
    assert library.Encoding.merge(encodings).sequence_ids == [None, 0]


def test_set_sequence_id_covers_everything_and_leaves_other_ranges(library: Any) -> None:
    encoding = library.encoding(**PAIR)
    encoding.set_sequence_id(1)
    assert encoding.sequence_ids == [1] * 6
    assert encoding.n_sequences == 2


# Laws ----------------------------------------------------------------------------------------------------------------

columns = st.integers(0, 12)


def _encoding(size: int, shift: int = 0) -> Encoding:
    return Encoding._of(
        ids=list(range(shift, shift + size)),
        tokens=[str(index) for index in range(shift, shift + size)],
        offsets=[(index, index + 1) for index in range(size)],
    )


@given(columns, st.integers(1, 13), st.integers(0, 12), st.sampled_from(["left", "right"]))
def test_windows_cover_all_tokens_and_share_the_stride(size: Any, max_length: Any, stride: Any, direction: Any) -> None:
    encoding = _encoding(size)
    if stride >= max_length and max_length < size:
        with pytest.raises(UpstreamPanicError):
            encoding.truncate(max_length, stride, direction)
        return
    encoding.truncate(max_length, stride, direction)
    windows = [encoding.ids, *(part.ids for part in encoding.overflowing)]
    assert {id_ for window in windows for id_ in window} == set(range(size))
    assert all(len(window) == max_length for window in windows[:-1])
    for window, following in pairwise(windows):
        shared = window[len(window) - stride :] if direction == "right" else window[:stride]
        assert sorted({*window} & {*following}) == shared


@given(columns, columns, st.sampled_from(["left", "right"]))
def test_padding_adds_only_what_is_missing(size: Any, length: Any, direction: Any) -> None:
    encoding = _encoding(size)
    encoding.pad(length, direction=direction, pad_id=99)
    padding = [99] * max(0, length - size)
    text = list(range(size))
    assert encoding.ids == (padding + text if direction == "left" else text + padding)


@given(st.lists(columns, max_size=4), st.booleans())
def test_merging_concatenates_columns(sizes: Any, growing: Any) -> None:
    merged = Encoding.merge([_encoding(size, 100 * index) for index, size in enumerate(sizes)], growing)
    assert merged.ids == [100 * index + token for index, size in enumerate(sizes) for token in range(size)]
    if growing:
        assert merged.offsets == [(index, index + 1) for index in range(sum(sizes))]


@given(st.lists(columns, min_size=1, max_size=4), st.booleans(), st.booleans())
def test_the_way_without_overflow_gives_what_the_way_with_overflow_gives(
    sizes: Any, has_ranges: Any, growing: Any
) -> None:
    encodings = [_encoding(size) for size in sizes]
    if has_ranges:
        for index, encoding in enumerate(encodings):
            encoding.set_sequence_id(index)
    plain = Encoding.merge(encodings, growing)
    encodings[-1]._overflowing = [_encoding(1)]
    with_overflow = Encoding.merge(encodings, growing)
    with_overflow._overflowing = []
    assert with_overflow.__getstate__() == plain.__getstate__()


many = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=9)


@given(many, st.lists(st.none() | st.integers(0, 4), min_size=9, max_size=9), st.tuples(columns, columns))
def test_look_ups_find_what_a_look_at_every_token_finds(spans: Any, words: Any, bounds: Any) -> None:
    size = len(spans)
    first, last = sorted(min(bound, size) for bound in bounds)
    offsets = [(start, start + width) for start, width in spans]
    encoding = Encoding._of(
        ids=[0] * size,
        tokens=[""] * size,
        offsets=offsets,
        words=words[:size],
        sequence_ranges={0: (first, last)},
    )
    for position in range(14):
        holding = (at for at in range(first, last) if offsets[at][0] <= position < offsets[at][1])
        assert encoding.char_to_token(position) == next(holding, None)
    for word in range(5):
        own = []
        for at in range(first, last):
            if words[at] is not None and words[at] > word:
                break
            own += [at] * (words[at] == word)
        assert encoding.word_to_tokens(word) == ((own[0], own[-1] + 1) if own else None)


# The target ----------------------------------------------------------------------------------------------------------


def _random_state(rng: random.Random, depth: int = 0) -> dict[str, Any]:
    size = rng.randint(0, 6)
    start = rng.randint(0, size)
    ranges = {str(rng.randint(0, 2)): {"start": start, "end": rng.randint(start, size)}} if rng.random() < 0.6 else {}
    starts = [rng.randint(0, 9) for _ in range(size)]
    return {
        "ids": [rng.randint(0, 99) for _ in range(size)],
        "type_ids": [rng.randint(0, 2) for _ in range(size)],
        "tokens": [rng.choice(["a", "é", "京", ""]) for _ in range(size)],
        "words": [rng.choice([None, 0, 1, 2]) for _ in range(size)],
        "offsets": [[start, start + rng.randint(0, 3)] for start in starts],
        "special_tokens_mask": [rng.randint(0, 1) for _ in range(size)],
        "attention_mask": [rng.randint(0, 1) for _ in range(size)],
        "overflowing": [_random_state(rng, depth + 1) for _ in range(rng.randint(0, 2 if depth < 2 else 0))],
        "sequence_ranges": ranges,
    }


def _changes(rng: random.Random) -> list[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    direction = rng.choice(["left", "right"])
    stride = rng.randint(0, 1)
    return [
        ("truncate", (rng.choice([0, *range(stride + 1, 7)]), stride, direction), {}),
        ("pad", (rng.randint(0, 9),), {"direction": direction, "pad_id": 7, "pad_type_id": 8, "pad_token": "P"}),
        ("set_sequence_id", (rng.randint(0, 2),), {}),
    ]


def _look_ups(encoding: Any) -> list[Any]:
    """Return what is at each character and each word of each input."""
    return [
        look_up(position, sequence)
        for look_up in (encoding.char_to_token, encoding.word_to_tokens)
        for sequence in range(3)
        for position in range(14)
    ]


@in_one_test("seed", range(60))
def test_random_encodings_change_as_in_the_target(seed: int, reference: Any, target: Any, shows: Any) -> None:
    rng = random.Random(seed)
    states = [_random_state(rng) for _ in range(rng.randint(1, 2))]
    changes = rng.sample(_changes(rng), k=rng.randint(0, 3))
    growing = rng.random() < 0.5

    def result(encoding_class: Any) -> dict[str, Any]:
        encodings = [encoding_class() for _ in states]
        for encoding, state in zip(encodings, states, strict=True):
            encoding.__setstate__(json.dumps(state).encode())
        merged = encoding_class.merge(encodings, growing)
        found = [_look_ups(merged)]
        for name, arguments, keywords in changes:
            getattr(merged, name)(*arguments, **keywords)
            found.append(_look_ups(merged))
        return shows(merged) | {"found": found}

    assert result(reference.Encoding) == result(target.Encoding)


def test_the_target_is_the_version_that_the_reference_mirrors() -> None:
    assert tokenizers.__version__ == "0.23.3"
