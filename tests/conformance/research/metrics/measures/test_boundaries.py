"""Where a measure or an interval begins and ceases to have a value, and which side a boundary belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tokenizer_conformance.research.metrics.measures.catalogue import MEASURE_BY_ID
from tokenizer_conformance.research.metrics.measures.estimates import (
    Estimate,
    _within_range,
    differences_of_texts,
    of_ids,
    of_texts,
)
from tokenizer_conformance.research.metrics.measures.id_measures import renyi_entropy, zipf_exponent
from tokenizer_conformance.research.metrics.measures.intervals import (
    FEWEST_FOLDS,
    FEWEST_TEXTS,
    FEWEST_UNITS,
    Interval,
    Resampling,
    caution,
    jackknife_interval,
    percentile_interval,
    student_quantile,
)
from tokenizer_conformance.research.metrics.measures.sample import Cut, Sample
from tokenizer_conformance.research.metrics.measures.subjects import Distribution
from tokenizer_conformance.research.metrics.measures.tally import Tally
from tokenizer_conformance.research.metrics.measures.vocabulary import Vocabulary
from tokenizer_conformance.research.segmentation.segmented import Segmented

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Values --------------------------------------------------------------------------------------------------------------


def distribution(counts: Mapping[int, int], lengths: Mapping[int, int] | None = None, size: int = 9) -> Distribution:
    """Return the distribution of ids that came so often, the entries of which have so many bytes."""
    entries = {id: b"a" * length for id, length in (lengths or {}).items()}
    ids = sorted(counts)
    vocabulary = Vocabulary(size, frozenset(), entries, frozenset())
    return Distribution(np.array(ids, np.int64), np.array([counts[id] for id in ids], np.int64), vocabulary, 2.5)


LENGTHS = {0: 4, 1: 1, 2: 2, 3: 3, 9: 6}  # no entry has the id 8, nor any above 9


@pytest.mark.parametrize(
    ("counts", "median"),
    [
        ({1: 1}, 1),
        ({1: 2, 3: 2}, 1),
        ({1: 2, 3: 3}, 3),
        ({1: 1, 2: 1, 3: 2}, 2),
        ({0: 2, 1: 1, 2: 1}, 2),
        ({0: 3, 1: 1, 2: 1}, 4),
        ({0: 1, 1: 1, 2: 1}, 2),
        ({1: 1, 8: 100}, 1),
        ({8: 1}, None),
        ({1: 1, 10: 100}, 1),
        ({10: 1}, None),
    ],
)
def test_half_of_the_tokens_have_the_median_or_stay_below(counts: dict[int, int], median: float | None) -> None:
    assert MEASURE_BY_ID["token_bytes_median"].compute(distribution(counts, LENGTHS)) == median


@pytest.mark.parametrize(
    ("measure", "counts", "size", "value"),
    [
        ("percentile_frequency", {1: 5}, 9, None),
        ("percentile_frequency", {1: 6, 2: 2}, 9, 6 / 8),
        ("percentile_frequency", {1: 5, 2: 3, 3: 2}, 9, 8 / 10),
        ("percentile_frequency", dict.fromkeys(range(34), 1), 99, 27 / 34),  # int(0.03 · 34) = 1, int(0.83 · 34) = 28
        ("percentile_frequency", dict.fromkeys(range(33), 1), 99, 27 / 33),  # int(0.03 · 33) = 0, int(0.83 · 33) = 27
        ("shannon_efficiency", {1: 5}, 9, None),
        ("shannon_efficiency", {1: 5, 2: 5}, 9, 1),
        ("shannon_efficiency", {}, 9, None),
        ("renyi_efficiency_vocabulary", {1: 5, 2: 5}, 1, None),
        ("renyi_efficiency_vocabulary", {1: 5, 2: 5}, 2, 1),
        ("shannon_entropy", {1: 5}, 9, 0),
        ("shannon_entropy", {}, 9, None),
        ("vocabulary_use", {1: 5}, 1, 1),
        ("vocabulary_use", {}, 1, None),
        ("vocabulary_use", {1: 5}, 0, None),
        ("ids_seen", {}, 9, 0),
        ("white_space_tokens", {}, 9, None),
        ("zipf_exponent", {1: 5}, 9, None),
    ],
)
def test_few_ids_have_a_value_or_none(measure: str, counts: dict[int, int], size: int, value: float | None) -> None:
    found = MEASURE_BY_ID[measure].compute(distribution(counts, size=size))
    assert found == (None if value is None else pytest.approx(value))
    assert str(found) != "-0.0"


def test_an_even_distribution_has_no_slope_and_a_steep_one_no_exponent() -> None:
    assert zipf_exponent(distribution({1: 5, 2: 5})) == pytest.approx(0)
    assert zipf_exponent(distribution({1: 10**9, 2: 1})) is None


def test_the_order_one_is_shannons_and_none_beside_it() -> None:
    probabilities = np.array([0.5, 0.25, 0.25])
    assert renyi_entropy(probabilities, 1) == pytest.approx(1.5)
    assert renyi_entropy(probabilities, 2) == pytest.approx(-np.log2(0.25 + 2 * 0.0625))


# Intervals -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "level", "interval"),
    [
        ([1.0, 2.0], 0.5, (1.25, 1.75)),
        ([1.0], 0.5, None),
        ([1.0, 1.0], 0.5, None),
        ([float(number) for number in range(101)], 0.9, (5, 95)),
        ([float(number) for number in range(101)], 0.5, (25, 75)),
        ([*(float(number) for number in range(19)), None], 0.5, (4.5, 13.5)),
        ([*(float(number) for number in range(18)), None, None], 0.5, None),
        ([*(float(number) for number in range(95)), *[None] * 5], 0.5, (23.5, 70.5)),
        ([*(float(number) for number in range(94)), *[None] * 6], 0.5, None),
        ([None, None], 0.5, None),
    ],
)
def test_where_replicates_have_an_interval(
    values: Sequence[float | None], level: float, interval: tuple[float, float] | None
) -> None:
    found = percentile_interval(values, level)
    assert (found and (found.low, found.high)) == (interval and pytest.approx(interval))


ALTERNATING = [float(number % 2) for number in range(FEWEST_FOLDS)]


@pytest.mark.parametrize(
    ("without", "half"),
    [
        (ALTERNATING, 2.2621571627982 * 1.5),  # Student's t for 0.975 and 9; √(9/10 · 10 · 1/4)
        (ALTERNATING[:-1], None),
        ([*ALTERNATING, None], None),
        ([*ALTERNATING[:-1], None], None),
        ([1.0] * FEWEST_FOLDS, None),
    ],
)
def test_where_folds_have_an_interval(without: Sequence[float | None], half: float | None) -> None:
    found = jackknife_interval(10, without, 0.95)
    assert found == (None if half is None else Interval(pytest.approx(10 - half), pytest.approx(10 + half)))


@pytest.mark.parametrize(
    ("probability", "degrees", "quantile"),
    [
        (0.975, 1, 12.7062047364),
        (0.975, 2, 4.3026527297),
        (0.95, 3, 2.3533634348),
        (0.9, 4, 1.5332062740),
        (0.995, 19, 2.8609346065),
        (0.5, 5, 0),
    ],
)
def test_quantiles_of_students_t(probability: float, degrees: int, quantile: float) -> None:
    assert student_quantile(probability, degrees) == pytest.approx(quantile, abs=1e-9)


@pytest.mark.parametrize(
    ("units", "words"),
    [
        (FEWEST_UNITS - 1, f"they take at least {FEWEST_UNITS}"),
        (FEWEST_UNITS, f"{FEWEST_UNITS} texts: intervals are rough"),
        (FEWEST_TEXTS - 1, f"with fewer than {FEWEST_TEXTS}"),
        (FEWEST_TEXTS, None),
    ],
)
def test_what_is_said_of_few_texts(units: int, words: str | None) -> None:
    told = caution(units)
    assert told is None if words is None else words in str(told)


@pytest.mark.parametrize(
    ("measure", "given", "kept"),
    [
        ("shannon_efficiency", (-0.5, 1.5), (0, 1)),
        ("shannon_efficiency", (0.25, 0.5), (0.25, 0.5)),
        ("shannon_entropy", (-0.5, 1.5), (0, 1.5)),
    ],
)
def test_no_interval_has_what_no_value_can_be(
    measure: str, given: tuple[float, float], kept: tuple[float, float]
) -> None:
    assert _within_range(Interval(*given), MEASURE_BY_ID[measure]) == Interval(*kept)
    assert _within_range(None, MEASURE_BY_ID[measure]) is None


def tally_of(texts: int, seen: int = 2) -> Tally:
    """Return a tally of so many texts, each of another number of tokens."""
    tally = Tally()
    for number in range(texts):
        ids = tuple(range(number % 3 + 1 + seen))
        text = "a" * len(ids)
        spans = tuple((place, place + 1) for place in range(len(ids)))
        tally.add(Cut(Sample(number, text, ((0, len(text)),)), Segmented(text, ids, None, spans)))
    return tally


USUAL = Resampling(50, 0.9, 0)


@pytest.mark.parametrize(("texts", "has_interval"), [(FEWEST_UNITS - 1, False), (FEWEST_UNITS, True)])
def test_few_texts_are_not_resampled(texts: int, has_interval: bool) -> None:
    found = {each.measure: each for each in of_texts(tally_of(texts), USUAL)}["fertility"]
    assert (found.units, found.interval is not None) == (texts, has_interval)
    other = {each.measure: each for each in differences_of_texts(tally_of(texts), tally_of(texts, 3), USUAL)}
    assert (other["fertility"].units, other["fertility"].value) == (texts, pytest.approx(-1))
    assert "texts" not in other, "it tells of the texts alone"


def test_where_one_of_two_has_no_value_there_is_no_difference() -> None:
    shown, without_spans = tally_of(FEWEST_UNITS), Tally()
    for number in range(FEWEST_UNITS):
        without_spans.add(Cut(Sample(number, "ab", ((0, 2),)), Segmented("ab", (1, 2))))
    for both in ((shown, without_spans), (without_spans, shown)):
        found = {each.measure: each for each in differences_of_texts(*both, USUAL)}
        assert found["word_fertility"] == Estimate("word_fertility", None, None, FEWEST_UNITS)
        assert found["fertility"].value is not None


@pytest.mark.parametrize(("texts", "has_interval"), [(FEWEST_FOLDS - 1, False), (FEWEST_FOLDS, True)])
def test_few_folds_have_no_jackknife(texts: int, has_interval: bool) -> None:
    found = {each.measure: each for each in of_ids(tally_of(texts), resampling=USUAL)}["shannon_entropy"]
    assert (found.units, found.interval is not None) == (texts, has_interval)
    assert {each.interval for each in of_ids(tally_of(texts), resampling=None)} == {None}
