"""How a vocabulary is spent: worked examples, and what holds of any distribution."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.research.metrics.measures.catalogue import MEASURE_BY_ID
from tokenizer_conformance.research.metrics.measures.id_counts import IdCounts
from tokenizer_conformance.research.metrics.measures.id_measures import (
    ID_MEASURES,
    rank_frequency,
    renyi_entropy,
    zipf_exponent,
)
from tokenizer_conformance.research.metrics.measures.subjects import Distribution
from tokenizer_conformance.research.metrics.measures.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping

VOCABULARY = Vocabulary(
    size=8,
    unknown_ids=frozenset(),
    bytes_of={0: b"a", 1: "né".encode(), 2: b"\xe6\x97", 3: b"\xa5", 4: b"  ", 5: b"longer"},
    marked=frozenset(),
)


def distribution(
    counts: Mapping[int, int], alpha: float = 2.5, vocabulary: Vocabulary | None = VOCABULARY
) -> Distribution:
    ids = sorted(counts)
    return Distribution(np.array(ids, np.int64), np.array([counts[id] for id in ids], np.int64), vocabulary, alpha)


EVEN = {0: 2, 1: 2, 2: 2, 3: 2}
HALVES = {0: 4, 1: 2, 4: 1, 7: 1}  # shares 1/2, 1/4, 1/8, 1/8

WORKED = [
    ("ids_seen", HALVES, 4),
    ("vocabulary_use", HALVES, 4 / 8),
    ("shannon_entropy", EVEN, 2),
    ("shannon_entropy", HALVES, 1 / 2 * 1 + 1 / 4 * 2 + 1 / 8 * 3 + 1 / 8 * 3),
    ("shannon_efficiency", HALVES, 1.75 / 2),
    ("renyi_entropy", EVEN, 2),
    ("renyi_entropy", HALVES, math.log2(0.5**2.5 + 0.25**2.5 + 2 * 0.125**2.5) / (1 - 2.5)),
    ("renyi_efficiency", HALVES, math.log2(0.5**2.5 + 0.25**2.5 + 2 * 0.125**2.5) / (1 - 2.5) / 2),
    ("renyi_efficiency_vocabulary", HALVES, math.log2(0.5**2.5 + 0.25**2.5 + 2 * 0.125**2.5) / (1 - 2.5) / 3),
    # Ranks 0 to 2 of 4: int(0.03 · 4) = 0, int(0.83 · 4) = 3.
    ("percentile_frequency", HALVES, 1 / 2 + 1 / 4 + 1 / 8),
    # Of the counts 100, 99, … 1 those of the ranks 3 to 82: 97 down to 18.
    ("percentile_frequency", {id: id + 1 for id in range(100)}, (97 + 18) * 80 / 2 / 5050),
    # Ids 0, 1 and 4 have 1, 3 and 2 bytes; 7 has no entry.
    ("token_bytes", HALVES, (4 * 1 + 2 * 3 + 1 * 2) / 7),
    ("token_bytes_median", HALVES, 1),
    ("token_bytes_median", {0: 1, 1: 1, 5: 3}, 6),
    ("token_bytes_median", {1: 1}, 3),
    # The two parts of 日 come to its one character.
    ("token_characters", {2: 1, 3: 1, 1: 2}, (1 + 0 + 2 * 2) / 4),
    ("white_space_tokens", HALVES, 1 / 8),
    # Of the ids 2 and 3, 日 in two parts; é in the entry of 1 is whole.
    ("partial_tokens", {0: 1, 1: 2, 2: 3, 3: 4}, (3 + 4) / 10),
    # Two ranks with shares p and 1 - p: 1 / 2^s = (1 - p) / p.
    ("zipf_exponent", {0: 8, 1: 2}, math.log2(8 / 2)),
    ("zipf_exponent", {0: 5, 1: 5}, 0),
    ("zipf_exponent", {0: 1000, 1: 1}, math.log2(1000)),
    ("zipf_exponent", {0: 1448, 1: 1}, None),  # the exponent would be log2(1448), nearly 10.5
    ("shannon_entropy", {0: 9}, 0),
    ("renyi_entropy", {0: 9}, 0),
    ("shannon_efficiency", {0: 9}, None),
    ("renyi_efficiency", {0: 9}, None),
    ("percentile_frequency", {0: 9}, None),
    ("zipf_exponent", {0: 9}, None),
    ("zipf_exponent", {}, None),
    ("shannon_entropy", {}, None),
    ("vocabulary_use", {}, None),
    ("token_bytes", {7: 3}, None),
    ("token_bytes_median", {7: 3}, None),
    ("white_space_tokens", {}, None),
    ("partial_tokens", {}, None),
]


@pytest.mark.parametrize(("measure", "counts", "expected"), WORKED)
def test_worked_example(measure: str, counts: Mapping[int, int], expected: float | None) -> None:
    assert MEASURE_BY_ID[measure].compute(distribution(counts)) == (
        None if expected is None else pytest.approx(expected, abs=1e-9)
    )


def test_every_measure_of_ids_has_a_worked_example() -> None:
    assert {measure for measure, _, expected in WORKED if expected} == {measure.id for measure in ID_MEASURES}


COUNTS = st.dictionaries(st.integers(0, 7), st.integers(1, 10**6), min_size=2)


@given(COUNTS)
def test_renyi_comes_to_shannon_as_its_order_comes_to_one(counts: dict[int, int]) -> None:
    probabilities = distribution(counts).probabilities
    shannon = renyi_entropy(probabilities, 1)
    assert renyi_entropy(probabilities, 1 + 1e-6) == pytest.approx(shannon, abs=1e-4)
    assert renyi_entropy(probabilities, 1 - 1e-6) == pytest.approx(shannon, abs=1e-4)


@given(COUNTS, st.floats(0.1, 20), st.floats(0.1, 20))
def test_renyi_falls_with_its_order_and_has_bounds(counts: dict[int, int], one: float, other: float) -> None:
    probabilities = distribution(counts).probabilities
    low, high = renyi_entropy(probabilities, max(one, other)), renyi_entropy(probabilities, min(one, other))
    assert -1e-9 <= low <= high + 1e-9 <= math.log2(len(counts)) + 2e-9
    assert low >= -math.log2(probabilities.max()) - 1e-9  # the entropy of order infinity


@given(COUNTS)
def test_efficiencies_are_shares(counts: dict[int, int]) -> None:
    of = distribution(counts)
    for name in ("shannon_efficiency", "renyi_efficiency", "renyi_efficiency_vocabulary", "percentile_frequency"):
        value = MEASURE_BY_ID[name].compute(of)
        assert value is not None
        assert 0 <= value <= 1 + 1e-9
    observed = MEASURE_BY_ID["renyi_efficiency"].compute(of)
    of_all = MEASURE_BY_ID["renyi_efficiency_vocabulary"].compute(of)
    assert observed is not None
    assert of_all is not None
    assert of_all <= observed + 1e-9


def test_powers_of_small_probabilities_are_not_lost() -> None:
    even = np.full(200_000, 1 / 200_000)
    assert renyi_entropy(even, 100) == pytest.approx(math.log2(200_000))


@pytest.mark.parametrize("exponent", [0.5, 1.0, 1.7])
def test_the_exponent_of_a_law_is_found(exponent: float) -> None:
    counts = {rank: round(10**9 / (rank + 1) ** exponent) for rank in range(1000)}
    assert zipf_exponent(distribution(counts)) == pytest.approx(exponent, abs=1e-4)


def test_ranks_as_data() -> None:
    of = distribution(HALVES)
    assert rank_frequency(of) == [4, 2, 1, 1]


def test_lengths_of_entries_in_bytes_and_in_characters() -> None:
    assert [each.tolist() for each in distribution(HALVES).lengths] == [[1, 3, 2, -1], [1, 2, 2, -1]]
    assert [each.tolist() for each in distribution(HALVES, vocabulary=None).lengths] == [[-1] * 4, [-1] * 4]


def test_without_the_file_there_is_no_length_and_no_share_of_it() -> None:
    of = distribution(HALVES, vocabulary=None)
    unknown = {measure.id for measure in ID_MEASURES if measure.compute(of) is None}
    assert unknown == {measure.id for measure in ID_MEASURES if measure.needs}


def test_all_folds_together_are_the_distribution_of_what_was_counted() -> None:
    counted = IdCounts()
    counted.add(0, (5, 2, 5))
    counted.add(1, (5,))
    of = Distribution.of(counted, VOCABULARY, 3)
    assert (of.ids.tolist(), of.counts.tolist(), of.tokens) == ([2, 5], [1, 3], 4)
    assert (of.vocabulary, of.alpha) == (VOCABULARY, 3)


def test_ids_that_did_not_come_count_nothing() -> None:
    assert Counter(rank_frequency(distribution({0: 3, 1: 0, 2: 1}))) == {3: 1, 1: 1}
