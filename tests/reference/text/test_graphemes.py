"""Grapheme clusters: the pattern is the rules of UAX #29, and the target cuts the same where it can be seen."""

from __future__ import annotations

import struct
from functools import cache
from itertools import count, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import normalizers

from tokenizer_reference.text import unicode_tables
from tokenizer_reference.text.code_point_sets import characters, decode_ranges
from tokenizer_reference.text.graphemes import cluster_spans, clusters, joined_spans

BREAKS = {name: characters(decode_ranges(table)) for name, table in unicode_tables.GRAPHEME_CLUSTER_BREAK_17_0.items()}
CONJUNCTS = {name: characters(decode_ranges(table)) for name, table in unicode_tables.INDIC_CONJUNCT_BREAK_17_0.items()}
PICTOGRAPHS = characters(decode_ranges(unicode_tables.EXTENDED_PICTOGRAPHIC_17_0))

CLASSES = [*BREAKS.values(), *CONJUNCTS.values(), PICTOGRAPHS]
SAMPLES = [char for members in CLASSES for char in sorted(members)[:: len(members) // 2 or 1]]
"""Two or three characters of every class."""
SAMPLES += ["a", "é", "京", "\u0378"]  # of none


# The rules, one by one
# -------------------------------------------------------------------------------------------------


def break_of(char: str) -> str:
    return next((name for name, chars in BREAKS.items() if char in chars), "Other")


def conjunct_of(char: str) -> str:
    return next((name for name, chars in CONJUNCTS.items() if char in chars), "None")


def ends_in_conjunct(before: str) -> bool:
    """Tell whether ``before`` ends in a consonant, then linkers and extenders with at least one linker."""
    kinds = [conjunct_of(char) for char in before]
    linkers = 0
    while kinds and kinds[-1] in {"Linker", "Extend"}:
        linkers += kinds.pop() == "Linker"
    return linkers > 0 and kinds[-1:] == ["Consonant"]


def ends_in_joined_pictograph(before: str) -> bool:
    """Tell whether ``before`` ends in a pictograph, extenders and a ZWJ."""
    if break_of(before[-1]) != "ZWJ":
        return False
    rest = before[:-1]
    while rest and break_of(rest[-1]) == "Extend":
        rest = rest[:-1]
    return rest[-1:] in PICTOGRAPHS if rest else False


def trailing_flags(before: str) -> int:
    return next((n for n in count() if n == len(before) or before[-1 - n] not in BREAKS["Regional_Indicator"]), 0)


def is_boundary(text: str, index: int) -> bool:
    """Decide by the rules in their order whether there is a boundary before ``text[index]``, which is not the first."""
    before, after = text[:index], text[index]
    left, right = break_of(before[-1]), break_of(after)
    controls = {"CR", "LF", "Control"}
    if (left, right) == ("CR", "LF"):  # GB3
        return False
    if left in controls or right in controls:  # GB4, GB5
        return True
    joined = (
        (left == "L" and right in {"L", "V", "LV", "LVT"})  # GB6
        or (left in {"LV", "V"} and right in {"V", "T"})  # GB7
        or (left in {"LVT", "T"} and right == "T")  # GB8
        or right in {"Extend", "ZWJ", "SpacingMark"}  # GB9, GB9a
        or left == "Prepend"  # GB9b
        or (conjunct_of(after) == "Consonant" and ends_in_conjunct(before))  # GB9c
        or (after in PICTOGRAPHS and ends_in_joined_pictograph(before))  # GB11
        or (right == "Regional_Indicator" and trailing_flags(before) % 2 == 1)  # GB12, GB13
    )
    return not joined  # GB999


def spans_by_rules(text: str) -> list[tuple[int, int]]:
    boundaries = [0, *(index for index in range(1, len(text)) if is_boundary(text, index)), len(text)]
    return list(pairwise(boundaries)) if text else []


def test_three_neighbours_of_any_classes_are_cut_by_the_rules() -> None:
    kinds = SAMPLES[::2]
    for text in map("".join, product(kinds, kinds, kinds)):
        assert list(cluster_spans(text)) == spans_by_rules(text), ascii(text)


@given(st.text(alphabet=st.sampled_from(SAMPLES), max_size=15))
def test_any_text_is_cut_by_the_rules(text: str) -> None:
    assert list(cluster_spans(text)) == spans_by_rules(text)


def test_conjuncts_and_emoji_sequences_are_cut_by_the_rules() -> None:
    consonant, linker, extender, joiner, non_joiner, pictograph = "क", "\u094d", "\u0301", "\u200d", "\u200c", "❤"
    for text in map("".join, product([consonant, linker, extender, joiner, non_joiner, pictograph], repeat=5)):
        assert list(cluster_spans(text)) == spans_by_rules(text), ascii(text)


@given(st.text(alphabet=st.one_of(st.sampled_from(SAMPLES), st.sampled_from("ab\u0301\u0323")), max_size=20))
def test_joined_spans_are_the_clusters_of_several_characters(text: str) -> None:
    assert list(joined_spans(text)) == [(start, end) for start, end in cluster_spans(text) if end - start > 1]


@given(st.text(max_size=30))
def test_clusters_make_up_the_text(text: str) -> None:
    assert "".join(clusters(text)) == text


@pytest.mark.parametrize(
    "expected",
    [
        ["\r\n", "\n", "\r", "\r\n"],
        ["e\u0301", "x"],
        ["\u1112\u1161\u11ab", "한", "\u1100\uac01\u11a8", "글"],
        ["🇫🇷", "🇩🇪", "🇮"],
        ["👩🏽‍🚀", "👨‍👩‍👧‍👦", "❤️‍🔥"],
        ["क्षि", "त्र", "क", "ष"],
        ["\u0600\u0661", "\u0600", "\n"],
        ["\n", "\u0301", "a\u200d", "b"],
    ],
)
def test_known_clusters(expected: list[str]) -> None:
    assert clusters("".join(expected)) == expected


@pytest.mark.parametrize(
    "text",
    ["क" + "\u094d" * 100_000, "👩" + "\u200d" * 100_000, "\u0600" * 100_000, "\u1100" * 100_000, "क\u094d" * 50_000],
)
def test_a_very_long_cluster_is_one(text: str) -> None:
    assert list(cluster_spans(text)) == [(0, len(text))]


# The target -----------------------------------------------------------------------------------------------------------


@cache
def precompiled() -> normalizers.Precompiled:
    """Return a charsmap that maps ``a`` to ``Z`` and U+0600 to ``W``.

    The target looks a cluster of less than six bytes up as a whole and replaces it if its start is in the map; it takes
    a longer one character by character. So what is lost after an ``a`` is in its cluster.
    """
    root, a, d8, d8_80, leaf = 256, 512, 768, 1024, 0x80000000
    units = [0xFF] * 1280
    offset = 10  # of the bits that lead to the next block
    units[0] = root << offset
    for position, label, block, is_leaf in [
        (root ^ 0x61, 0x61, a, 1),
        (root ^ 0xD8, 0xD8, d8, 0),
        (d8 ^ 0x80, 0x80, d8_80, 1),
    ]:
        units[position] = label | is_leaf << 8 | (position ^ block) << offset
    units[a], units[d8_80] = leaf, leaf | 2
    return normalizers.Precompiled(struct.pack(f"<{len(units) + 1}I", 4 * len(units), *units) + b"Z\0W\0")


def as_target_maps(text: str) -> str:
    """Return what the charsmap makes of ``text`` cut into our clusters."""
    mapped = {"a": "Z", "\u0600": "W"}
    return "".join(
        mapped[cluster[0]]
        if len(cluster.encode()) < 6 and cluster[0] in mapped
        else "".join(mapped.get(char, char) for char in cluster)
        for cluster in clusters(text)
    )


def test_what_joins_a_letter_is_what_joins_it_in_the_target(every_character: str) -> None:
    text = "".join(f"\na{char}" for char in every_character)
    assert precompiled().normalize_str(text) == as_target_maps(text)


def test_prepended_characters_are_those_of_the_target(every_character: str) -> None:
    text = "".join(f"\n\u0600{char}" for char in every_character)
    assert precompiled().normalize_str(text) == as_target_maps(text)
    text = "".join(f"\n{char}a" for char in every_character)
    assert precompiled().normalize_str(text) == as_target_maps(text)


@given(st.text(alphabet=st.sampled_from([*SAMPLES, "a", "\u0600"]), max_size=12))
def test_text_is_mapped_cluster_by_cluster_as_in_the_target(text: str) -> None:
    assert precompiled().normalize_str(text) == as_target_maps(text)


def test_a_linker_without_a_consonant_before_it_does_not_join_one_after_it() -> None:
    # The rule of 17.0; from 18.0 on the cluster would be the whole text, and too long to be looked up.
    assert clusters("a\u094dक") == ["a\u094d", "क"]
    assert precompiled().normalize_str("a\u094dक") == "Zक"
