"""The values of measures, with how sure they are: what a report asks for.

Each function computes the measures of one scope. Differences are computed for any measure of one subject: of two
tallies on the same texts they are paired, since texts are resampled by their numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tokenizer_conformance.defaults import RENYI_ALPHA
from tokenizer_conformance.research.metrics.measures.agreement_measures import MORPHEME_MEASURES, PAIR_MEASURES
from tokenizer_conformance.research.metrics.measures.id_measures import ID_MEASURES
from tokenizer_conformance.research.metrics.measures.intervals import (
    FEWEST_UNITS,
    Interval,
    Resampling,
    jackknife_interval,
    percentile_interval,
    replicates_of,
)
from tokenizer_conformance.research.metrics.measures.language_measures import (
    BASE_MEASURES,
    LANGUAGE_MEASURES,
    REFERENCE_MEASURES,
)
from tokenizer_conformance.research.metrics.measures.subjects import Against, Distribution, Vocabularies
from tokenizer_conformance.research.metrics.measures.sums import units_of
from tokenizer_conformance.research.metrics.measures.text_measures import TEXT_MEASURES
from tokenizer_conformance.research.metrics.measures.vocabulary_measures import OVERLAP_MEASURES, VOCABULARY_MEASURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.research.metrics.measures.measure import Measure
    from tokenizer_conformance.research.metrics.measures.morphemes import MorphemeTally
    from tokenizer_conformance.research.metrics.measures.pair_tally import PairTally
    from tokenizer_conformance.research.metrics.measures.sums import Sums
    from tokenizer_conformance.research.metrics.measures.tally import Tally, Totals
    from tokenizer_conformance.research.metrics.measures.vocabulary import Vocabulary

S = TypeVar("S")

USUAL = Resampling()


@dataclass(frozen=True, slots=True)
class Estimate:
    """The ``value`` of the measure with the id ``measure``, ``None`` where it has none, and its ``interval``, if any.

    ``units`` says by how many texts, or buckets or folds of texts, it was resampled. :func:`.intervals.caution` says
    what follows from few texts.
    """

    measure: str
    value: float | None
    interval: Interval | None = None
    units: int = 0


def of_texts(tally: Tally, resampling: Resampling | None = USUAL) -> list[Estimate]:
    """Return the measures of a tokenizer on texts; without intervals where ``resampling`` is ``None``."""
    return _of_sums(TEXT_MEASURES, tally.sums, resampling)


def of_ids(
    tally: Tally,
    vocabulary: Vocabulary | None = None,
    *,
    alpha: float = RENYI_ALPHA,
    resampling: Resampling | None = USUAL,
) -> list[Estimate]:
    """Return the measures of the distribution of tokens; those of the file have no value without ``vocabulary``."""
    whole, without = _distributions(tally, vocabulary, alpha)
    return [_jackknifed(measure, whole, without if resampling else [], resampling) for measure in ID_MEASURES]


def of_base(tally: Tally, base: Tally, resampling: Resampling | None = USUAL) -> list[Estimate]:
    """Return the measures of a tokenizer against a base on the same texts."""
    return _against(BASE_MEASURES, tally, base, resampling)


def of_reference_language(tally: Tally, reference: Tally, resampling: Resampling | None = USUAL) -> list[Estimate]:
    """Return the measures of texts in a language against the same texts in another, with the same numbers."""
    return _against(REFERENCE_MEASURES, tally, reference, resampling)


def of_languages(tallies: Sequence[Tally], resampling: Resampling | None = USUAL) -> list[Estimate]:
    """Return the measures over languages, of the tally of each; the same texts have the same number in all of them."""
    sums = [tally.sums for tally in tallies]
    replicates = list(zip(*_replicates(sums, resampling), strict=True))
    totals: Sequence[Totals] = [tally.totals for tally in tallies]
    return _resampled(LANGUAGE_MEASURES, totals, replicates, sums, resampling)


def of_pair(pair: PairTally, resampling: Resampling | None = USUAL) -> list[Estimate]:
    """Return the measures of the agreement of two tokenizers."""
    return _of_sums(PAIR_MEASURES, pair.sums, resampling)


def of_morphemes(tally: MorphemeTally, resampling: Resampling | None = USUAL) -> list[Estimate]:
    """Return the measures of how far tokens are morphemes; what is resampled is words."""
    return _of_sums(MORPHEME_MEASURES, tally.sums, resampling)


def of_vocabulary(vocabulary: Vocabulary) -> list[Estimate]:
    """Return the measures of a vocabulary."""
    return [Estimate(measure.id, measure.compute(vocabulary)) for measure in VOCABULARY_MEASURES]


def of_vocabularies(first: Vocabulary, second: Vocabulary) -> list[Estimate]:
    """Return the measures of two vocabularies."""
    both = Vocabularies(first, second)
    return [Estimate(measure.id, measure.compute(both)) for measure in OVERLAP_MEASURES]


def differences_of_texts(first: Tally, second: Tally, resampling: Resampling = USUAL) -> list[Estimate]:
    """Return by how much each measure of a tokenizer on texts is higher for ``first`` than for ``second``.

    Where an interval does not have 0 in it, the two differ by more than the choice of texts explains, at the level of
    the interval; of many differences some do so by chance.
    """
    sums = [first.sums, second.sums]
    ours, theirs = (replicates_of(each, resampling) for each in sums)
    units = units_of(sums)
    estimates = []
    for measure in filter(_can_differ, TEXT_MEASURES):
        value = _difference(measure.compute(first.totals), measure.compute(second.totals))
        drawn = [
            _difference(measure.compute(one), measure.compute(other))
            for one, other in zip(ours, theirs, strict=True)
            if measure.has_interval
        ]
        estimates.append(Estimate(measure.id, value, _interval(value, drawn, units, resampling), units))
    return estimates


def _can_differ(measure: Measure[Totals]) -> bool:
    """Return whether ``measure`` tells of a tokenizer, and not of the texts alone."""
    return measure.better != "none"


def _difference(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second


def _replicates(sums: Sequence[Sums[S]], resampling: Resampling | None) -> list[list[S]]:
    return [replicates_of(each, resampling) if resampling else [] for each in sums]


def _of_sums(measures: Sequence[Measure[S]], sums: Sums[S], resampling: Resampling | None) -> list[Estimate]:
    (replicates,) = _replicates([sums], resampling)
    return _resampled(measures, sums.total, replicates, [sums], resampling)


def _against(
    measures: Sequence[Measure[Against]], tally: Tally, base: Tally, resampling: Resampling | None
) -> list[Estimate]:
    sums = [tally.sums, base.sums]
    replicates = [Against(*both) for both in zip(*_replicates(sums, resampling), strict=True)]
    return _resampled(measures, Against(tally.totals, base.totals), replicates, sums, resampling)


def _resampled(
    measures: Sequence[Measure[S]],
    subject: S,
    replicates: Sequence[S],
    sums: Sequence[Sums[Any]],
    resampling: Resampling | None,
) -> list[Estimate]:
    """Return the ``measures`` of ``subject``, with intervals from its ``replicates``."""
    units = units_of(sums)
    estimates = []
    for measure in measures:
        value = measure.compute(subject)
        drawn = [measure.compute(each) for each in replicates] if measure.has_interval else []
        estimates.append(Estimate(measure.id, value, _interval(value, drawn, units, resampling), units))
    return estimates


def _interval(
    value: float | None, drawn: Sequence[float | None], units: int, resampling: Resampling | None
) -> Interval | None:
    if value is None or resampling is None or units < FEWEST_UNITS:
        return None
    return percentile_interval(drawn, resampling.level)


def _within_range(interval: Interval | None, measure: Measure[Any]) -> Interval | None:
    """Return ``interval`` without what no value can be: nothing is below 0, and no share above 1."""
    if interval is None:
        return None
    return Interval(max(interval.low, 0.0), min(interval.high, 1.0) if measure.unit == "1" else interval.high)


def _jackknifed(
    measure: Measure[Distribution],
    whole: Distribution,
    without: Sequence[Distribution],
    resampling: Resampling | None,
) -> Estimate:
    value = measure.compute(whole)
    if value is None or resampling is None or not measure.has_interval:
        return Estimate(measure.id, value)
    values = [measure.compute(each) for each in without]
    interval = _within_range(jackknife_interval(value, values, resampling.level), measure)
    return Estimate(measure.id, value, interval, len(values))


def _distributions(
    tally: Tally, vocabulary: Vocabulary | None, alpha: float
) -> tuple[Distribution, list[Distribution]]:
    """Return the distribution of all tokens, and those without the texts of each fold."""
    ids, counts = tally.ids.ids, tally.ids.counts
    total = counts.sum(axis=0, dtype=np.int64)
    without = [Distribution(ids, total - counts[fold], vocabulary, alpha) for fold in tally.ids.folds]
    return Distribution(ids, total, vocabulary, alpha), without
