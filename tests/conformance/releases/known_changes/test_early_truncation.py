"""Early truncation: what comes of a text in the releases that have it, and answers beside that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokenizer_adapters.contract import Encode, Encoded
from tokenizer_conformance.releases.known_changes.early_truncation import is_cut_early

LEFT = {"direction": "Left", "max_length": 5, "strategy": "LongestFirst", "stride": 0}
TO_TWO = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}


def letters(written: str, first_word: int = 0, overflowing: tuple[Encoded, ...] = ()) -> Encoded:
    """Return the letters of ``written`` between brackets, each a word at its place in the alphabet."""
    places = [ord(letter) - ord("a") for letter in written]
    return Encoded(
        ids=(90, *places, 91),
        offsets=((0, 0), *((2 * place, 2 * place + 1) for place in places), (0, 0)),
        word_ids=(None, *(place - first_word for place in places), None),
        special_tokens_mask=(1, *(0 for _ in places), 1),
        overflowing=overflowing,
    )


def of_pair(first: int, second: int, *overflowing: Encoded) -> Encoded:
    """Return one token of a text and one of its pair, as they overflow where each is cut to one token."""
    return Encoded(
        ids=(first, 10 + second),
        offsets=((2 * first, 2 * first + 1), (2 * second, 2 * second + 1)),
        word_ids=(first, second),
        type_ids=(0, 1),
        overflowing=overflowing,
    )


WORDS = Encode("a b c d e f g")
BEFORE = letters("efg", overflowing=(letters("bcd"), letters("a")))
SINCE = letters("efg", 2, (letters("cd", 2),))
PAIR = Encode("a b c", pair="a b")
PAIR_BEFORE = of_pair(
    0, 0, of_pair(1, 0, of_pair(1, 1)), of_pair(1, 1), of_pair(2, 0, of_pair(2, 1)), of_pair(2, 1), of_pair(0, 1)
)
PAIR_SINCE = of_pair(0, 0, of_pair(1, 0, of_pair(1, 1)), of_pair(1, 1), of_pair(0, 1))


def test_words_are_counted_from_where_a_text_is_left() -> None:
    assert is_cut_early(WORDS, LEFT, BEFORE, SINCE)


def test_what_overflows_of_a_pair_has_the_parts_of_both() -> None:
    assert is_cut_early(PAIR, TO_TWO, PAIR_BEFORE, PAIR_SINCE)


def test_a_text_that_leaves_no_room_is_kept_up_to_the_length() -> None:
    assert is_cut_early(WORDS, {**TO_TWO}, letters("abcdefg"), letters("ab"))
    assert not is_cut_early(WORDS, {**TO_TWO}, letters("abcdefg"), letters("abc"))


@pytest.mark.parametrize(
    "since",
    [
        pytest.param(letters("efg", 2), id="nothing overflows"),
        pytest.param(letters("efg", 2, (letters("bc", 2),)), id="another end"),
        pytest.param(letters("efg", 3, (letters("cd", 3),)), id="words counted from elsewhere"),
        pytest.param(letters("dfg", 2, (letters("cd", 2),)), id="another token kept"),
        pytest.param(letters("efg", 2, (letters("cd", 2), letters("cd", 2))), id="a part twice"),
        pytest.param(letters("efg", 2, (replace(letters("cd", 2), ids=(90, 2, 3, 92)),)), id="another special token"),
    ],
)
def test_another_cut_is_none_of_this_rule(since: Encoded) -> None:
    assert not is_cut_early(WORDS, LEFT, BEFORE, since)


def test_parts_of_a_pair_in_another_order_are_none_of_this_rule() -> None:
    moved = replace(PAIR_SINCE, overflowing=(PAIR_SINCE.overflowing or ())[::-1])
    assert not is_cut_early(PAIR, TO_TWO, PAIR_BEFORE, moved)


def test_parts_shorter_than_the_stride_are_none_of_this_rule() -> None:
    short = letters("a", overflowing=(letters("ab"),))
    assert not is_cut_early(WORDS, {**TO_TWO, "stride": 3}, short, short)
