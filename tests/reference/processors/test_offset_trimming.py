"""ByteLevel, and the trimming of offsets that it shares with RobertaProcessing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference.processors.offset_trimming import blanks_around, trimmed_offsets, trimmed_span

TRIMS = [
    # token, offsets, position, add_prefix_space, offsets after
    ("Ġa", (4, 6), 1, True, (5, 6)),
    ("Ġa", (4, 6), 1, False, (5, 6)),
    ("Ġa", (0, 2), 0, True, (0, 2)),
    ("Ġa", (0, 2), 0, False, (1, 2)),
    ("Ġa", (4, 6), 0, True, (4, 6)),
    ("Ġa", (0, 2), 1, True, (0, 2)),
    ("ĠĠa", (0, 3), 0, True, (2, 3)),
    ("aĠ", (4, 6), 1, True, (4, 5)),
    ("ĠaĠ", (4, 7), 1, True, (5, 6)),
    ("Ġ", (4, 5), 1, True, (5, 5)),
    ("ĠĠĠ", (4, 7), 1, True, (7, 7)),
    ("ĠĠĠ", (0, 1), 1, True, (1, 1)),
    (" a\n", (4, 7), 1, True, (5, 6)),
    ("\u3000a\x85", (4, 7), 1, True, (5, 6)),
    ("\x1ca", (4, 6), 1, True, (4, 6)),
    ("\u200ba", (4, 6), 1, True, (4, 6)),
    ("Ċa", (4, 6), 1, True, (4, 6)),
    ("Ġa", (4, 4), 1, True, (4, 4)),
    ("aĠĠĠ", (0, 2), 1, True, (0, 2)),
    ("aĠĠĠ", (0, 3), 1, True, (0, 0)),
    ("", (4, 6), 1, True, (4, 6)),
]


@pytest.mark.parametrize(("token", "offsets", "position", "add_prefix_space", "expected"), TRIMS)
def test_blanks_are_taken_out_of_offsets(
    library: Any, token: Any, offsets: Any, position: Any, add_prefix_space: Any, expected: Any
) -> None:
    encoding = library.encoding(tokens=["x"] * position + [token], offsets=[(1, 2)] * position + [offsets])
    processor = library.processors.ByteLevel(add_prefix_space=add_prefix_space)
    assert processor.process(encoding).offsets[position] == expected


def test_overflow_is_trimmed_but_not_its_own_overflow(library: Any) -> None:
    part = {"tokens": ["x", "Ġa"], "offsets": [(1, 2), (4, 6)]}
    encoding = library.encoding(tokens=["x"], overflowing=[{**part, "overflowing": [part]}])
    (trimmed,) = library.processors.ByteLevel().process(encoding).overflowing
    assert trimmed.offsets == [(1, 2), (5, 6)]
    assert trimmed.overflowing[0].offsets == [(1, 2), (4, 6)]


def test_without_trimming_offsets_stay(library: Any) -> None:
    encoding = library.encoding(tokens=["x", "Ġa"], offsets=[(1, 2), (4, 6)])
    assert library.processors.ByteLevel(trim_offsets=False).process(encoding).offsets == [(1, 2), (4, 6)]


@pytest.mark.parametrize("is_pair", [False, True])
def test_byte_level_adds_no_tokens_and_numbers_sequences(library: Any, is_pair: Any) -> None:
    processor = library.processors.ByteLevel()
    pair = library.encoding(tokens=["b"]) if is_pair else None
    processed = processor.process(library.encoding(tokens=["a"]), pair)
    assert processed.sequence_ids == ([0, 1] if is_pair else [0])
    assert processor.num_special_tokens_to_add(is_pair) == 0


def test_options_default_to_true_and_can_be_set(library: Any) -> None:
    processor = library.processors.ByteLevel(None, None, None)
    assert (processor.add_prefix_space, processor.trim_offsets, processor.use_regex) == (True, True, True)
    processor.trim_offsets = False
    encoding = library.encoding(tokens=["x", "Ġa"], offsets=[(1, 2), (4, 6)])
    assert processor.process(encoding).offsets == [(1, 2), (4, 6)]


tokens_and_offsets = st.lists(
    st.tuples(
        st.text(alphabet="Ġ a\u3000", max_size=4),
        st.tuples(st.integers(0, 5), st.integers(0, 4)).map(lambda each: (each[0], sum(each))),
    ),
    max_size=8,
)


@given(tokens_and_offsets, st.booleans())
def test_all_offsets_at_once_are_what_each_is_by_itself(rows: Any, add_prefix_space: Any) -> None:
    tokens = [token for token, _ in rows]
    offsets = [span for _, span in rows]
    assert trimmed_offsets(tokens, offsets, add_prefix_space=add_prefix_space) == [
        trimmed_span(span, blanks_around(token), is_first=index == 0, add_prefix_space=add_prefix_space)
        for index, (token, span) in enumerate(rows)
    ]


@given(tokens_and_offsets, st.booleans())
def test_trimmed_offsets_lie_within_the_given_ones(rows: Any, add_prefix_space: Any) -> None:
    offsets = [span for _, span in rows]
    trimmed = trimmed_offsets([token for token, _ in rows], offsets, add_prefix_space=add_prefix_space)
    for (start, end), (new_start, new_end) in zip(offsets, trimmed, strict=True):
        assert start <= new_start <= new_end <= end
