"""Text and alignment are the target's: pairs of a base and a mark, all kinds of jamo, prefixes of keys of real maps.

The default run takes a sample of every group, the slow one all. Many combinations are put into one text, with a letter
after each that keeps them apart; :mod:`combinations` says which characters there are.
"""

from __future__ import annotations

from base64 import b64decode
from functools import cache
from itertools import product
from math import prod
from time import perf_counter
from typing import TYPE_CHECKING

import pytest
from both_sides import NORMALIZERS, Json, NormalizerOnBothSides
from combinations import (
    LEADING,
    OPEN_SYLLABLES,
    SYLLABLES,
    TRAILING,
    VOWELS,
    bases,
    composing_bases,
    mark_representatives,
    marks,
)
from real_charsmaps import CHECKPOINTS, precompiled_of, prefixes_of_keys
from sweeps import check

from tokenizer_reference.text.charsmap import Charsmap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

AT_ONCE = 4096
APART = "x"

Combinations = tuple[tuple[str, ...], ...]
"""What each combination has in the first place, the second, and so on."""


def texts(combinations: Combinations) -> Iterator[str]:
    return ("".join(parts) + APART for parts in product(*combinations))


def sample(combinations: Combinations, every: int) -> Iterator[str]:
    """Give every so manieth of :func:`texts`."""
    for number in range(0, prod(map(len, combinations)), every):
        rest, parts = number, [APART]
        for choices in reversed(combinations):
            rest, at = divmod(rest, len(choices))
            parts.append(choices[at])
        yield "".join(reversed(parts))


def check_all(document: Json, combinations: Combinations, every: int) -> None:
    """Compare the answers to every so manieth combination."""
    start = perf_counter()
    some = texts(combinations) if every == 1 else sample(combinations, every)
    count = check(NormalizerOnBothSides(document), some, AT_ONCE)
    total = prod(map(len, combinations))
    assert count == -(-total // every) > 0
    print(f"{count:,} of {total:,} combinations, {perf_counter() - start:.0f} s: 0 differences")


def sampled(every: int) -> pytest.MarkDecorator:
    """Run a test on each ``every``th combination by default, and on all when it may be slow."""
    return pytest.mark.parametrize("every", [every, pytest.param(1, marks=pytest.mark.slow)], ids=["sample", "all"])


def test_a_sample_is_some_of_all() -> None:
    combinations = (("a", "b", "c"), ("1", "2"), ("-", "+", "*"))
    for every in (1, 2, 5, 7):
        assert list(sample(combinations, every)) == list(texts(combinations))[::every]


# Pairs of a base and a mark -------------------------------------------------------------------------------------------

FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def test_there_are_as_many_bases_and_marks_as_the_tables_have() -> None:
    assert (len(bases()), len(composing_bases()), len(marks())) == (8_970, 376, 2_650)


@sampled(every=19_997)
@pytest.mark.parametrize("name", FORMS)
def test_a_base_and_a_mark_are_normalized_as_by_tokenizers(name: str, every: int) -> None:
    check_all(NORMALIZERS[name], (bases(), marks()), every)


@sampled(every=997)
@pytest.mark.parametrize("name", sorted(NORMALIZERS.keys() - set(FORMS)))
def test_other_normalizers_treat_composing_bases_and_marks_as_those_of_tokenizers(name: str, every: int) -> None:
    check_all(NORMALIZERS[name], (composing_bases(), marks()), every)


# Jamo -----------------------------------------------------------------------------------------------------------------

JAMO: dict[str, Combinations] = {
    "leading, vowel": (LEADING, VOWELS),
    "syllable, trailing": (SYLLABLES, TRAILING),
    "open syllable, vowel, trailing": (OPEN_SYLLABLES, VOWELS, TRAILING),
    "leading, vowel, trailing": (LEADING, VOWELS, TRAILING),
}
JAMO_NORMALIZERS = ("NFC", "NFD", "NFKC", "NFKD", "BERT, uncased", "Precompiled", "ByteLevel")


@sampled(every=4_999)
@pytest.mark.parametrize("kind", JAMO)
@pytest.mark.parametrize("name", JAMO_NORMALIZERS)
def test_jamo_are_normalized_as_by_tokenizers(name: str, kind: str, every: int) -> None:
    check_all(NORMALIZERS[name], JAMO[kind], every)


# Real character maps --------------------------------------------------------------------------------------------------

SEVERAL_MARKS = (
    "\u0301\u0302",
    "\u0327\u0301\u0302",
    "\u200d\U0001f600",
    "\u3099\u3099",
    "\u0903\u0301",
    "\u1161\u11a8",
)


@cache
def distinct_maps(shared: Path) -> dict[bytes, list[str]]:
    """Return the maps of the checkpoints, each with the names of those that have it."""
    found: dict[bytes, list[str]] = {}
    for name in CHECKPOINTS:
        document = precompiled_of(shared / "tokenizers" / name)
        found.setdefault(b64decode(document["precompiled_charsmap"]), []).append(name)
    return found


@cache
def prefixes(data: bytes) -> tuple[str, ...]:
    return tuple(prefixes_of_keys(data))


def check_maps(shared: Path, combinations: Callable[[bytes], Combinations], every: int) -> None:
    maps = distinct_maps(shared)
    assert sorted(name for names in maps.values() for name in names) == sorted(CHECKPOINTS)
    for data, names in maps.items():
        print(", ".join(names), end=": ")
        check_all(precompiled_of(shared / "tokenizers" / names[0]), combinations(data), every)


def _following(data: bytes) -> tuple[str, ...]:
    map_ = Charsmap(data)
    alone = mark_representatives(lambda mark: map_.replacement(mark) is not None)
    return ("", *alone, *SEVERAL_MARKS)


@sampled(every=9_973)
def test_every_prefix_of_every_key_is_replaced_as_by_tokenizers_before_marks_of_every_kind(
    shared: Path, every: int
) -> None:
    check_maps(shared, lambda data: (prefixes(data), _following(data)), every)


@sampled(every=9_973)
def test_every_character_at_the_start_of_a_key_is_replaced_as_by_tokenizers_before_every_mark(
    shared: Path, every: int
) -> None:
    def combinations(data: bytes) -> Combinations:
        return tuple(sorted({prefix[0] for prefix in prefixes(data)})), marks()

    check_maps(shared, combinations, every)


@sampled(every=997)
def test_every_proper_prefix_that_is_no_key_is_replaced_as_by_tokenizers_before_every_mark(
    shared: Path, every: int
) -> None:
    def combinations(data: bytes) -> Combinations:
        map_ = Charsmap(data)
        return tuple(prefix for prefix in prefixes(data) if map_.replacement(prefix) is None), marks()

    check_maps(shared, combinations, every)


@sampled(every=997)
@pytest.mark.parametrize("kind", JAMO)
def test_jamo_are_replaced_by_real_maps_as_by_tokenizers(shared: Path, kind: str, every: int) -> None:
    check_maps(shared, lambda _: JAMO[kind], every)
