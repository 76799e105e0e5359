"""Random patterns in random texts: `Split` cuts where that of `tokenizers` cuts, or both refuse the pattern.

The slow run makes more than 100,000 comparisons of a pattern in a text. A pattern is named by seed and number.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest
import tokenizers
from both_sides import outcome
from hypothesis import given, settings
from hypothesis import strategies as st
from random_regexes import random_pattern, random_text
from regex_sides import differing_texts, is_accepted_by_target
from tokenizers import pre_tokenizers as target

from tokenizer_reference import pre_tokenizers
from tokenizer_reference.text.regex import InvalidRegexError, Regex, UnsupportedRegexError

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED: Final = 20240607
PATTERNS: Final = 100
BATCHES_OF_SLOW_RUN: Final = 4
PATTERNS_OF_BATCH: Final = 5_000
COMPARISONS_OF_BATCH: Final = 25_000
TEXTS_PER_PATTERN: Final = 8

BEHAVIORS: Final = ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous")


def kind_of(pattern: str) -> str:
    """Tell what the reference makes of a pattern."""
    try:
        Regex(pattern)
    except UnsupportedRegexError:
        return "unsupported"
    except InvalidRegexError:
        return "refused"
    return "taken"


def differences(pattern: str, source: Random, counts: Counter[str]) -> Iterator[Any]:
    """Give what differs between the two; count patterns and comparisons."""
    kind = kind_of(pattern)
    counts[kind] += 1
    if kind == "unsupported":
        return
    if is_accepted_by_target(pattern) is not (kind == "taken"):
        yield pattern, kind
    if kind == "taken":
        behavior, invert = source.choice(BEHAVIORS), source.random() < 0.3
        ours = pre_tokenizers.Split(Regex(pattern), behavior, invert)
        theirs = target.Split(tokenizers.Regex(pattern), behavior, invert)
        for _ in range(TEXTS_PER_PATTERN):
            text = random_text(source, pattern)
            own, expected = (outcome(partial(split.pre_tokenize_str, text)) for split in (ours, theirs))
            counts["compared"] += 1
            counts["cut"] += len(expected) > 1
            if own != expected:
                yield pattern, behavior, invert, text, own, expected


def check(seed: int, patterns: int, at_least: int) -> None:
    counts: Counter[str] = Counter()
    different = []
    for number in range(patterns):
        source = Random(f"{seed}:{number}")
        different += [(number, *each) for each in differences(random_pattern(source), source, counts)]
    print(f"seed {seed}, {patterns:,} patterns: {dict(counts)}, {len(different)} differences")
    assert different == []
    assert counts["compared"] > at_least
    assert counts["cut"] > counts["compared"] / 5
    assert counts["unsupported"] < patterns / 20


def test_a_random_pattern_cuts_where_it_cuts_in_the_target() -> None:
    check(SEED, PATTERNS, at_least=400)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(1, BATCHES_OF_SLOW_RUN + 1))
def test_many_random_patterns_cut_where_they_cut_in_the_target(batch: int) -> None:
    check(SEED + batch, PATTERNS_OF_BATCH, COMPARISONS_OF_BATCH)


@settings(max_examples=2 * settings.default.max_examples, deadline=None)
@given(st.randoms(use_true_random=False))
def test_any_pattern_matches_or_is_refused_as_in_the_target(source: Random) -> None:
    pattern = random_pattern(source)
    match kind_of(pattern):
        case "taken":
            assert differing_texts(pattern, [random_text(source, pattern) for _ in range(4)]) == []
        case "refused":
            assert not is_accepted_by_target(pattern)


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Regex, "spans", lambda _, text: [(0, 1)] if text else [])
    counts: Counter[str] = Counter()
    assert list(differences("b|c", Random(SEED), counts))
    monkeypatch.setattr(f"{__name__}.kind_of", lambda _: "refused")
    assert list(differences("b|c", Random(SEED), counts)) == [("b|c", "refused")]
