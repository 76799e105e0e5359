"""How sure a measure is: what it would be on other texts of the same kind.

**Bootstrap.** For measures that are functions of sums. A replicate weights each bucket of texts (:mod:`.sums`) by a
number drawn from Poisson(1), and computes the measure from the weighted sums; the interval goes from one quantile of
the replicates to the other (percentile interval; Efron and Tibshirani 1993, with Poisson weights as Hanley and
MacGibbon 2006 and Chamandy et al. 2012). Weights depend on the seed, the replicate and the bucket alone: tokenizers,
languages and pairs are resampled together, so that intervals of differences are paired. Where all replicates have the
same value, there is no interval: resampling texts without any unknown token shows none, and not that there are none.

**Jackknife.** For measures of the distribution of ids, which are no functions of few sums: computed again without each
fold of texts (delete-a-group jackknife; Kott 2001); the interval is the value, less and plus the standard error times
Student's t.

The unit is the text. Tokens of one text depend on each other, so that resampling tokens would show intervals that are
too short. Intervals say nothing about texts of another kind than those that were given.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from tokenizer_conformance.defaults import CONFIDENCE, REPLICATES, RESAMPLING_SEED
from tokenizer_conformance.research.metrics.measures.sums import BUCKETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tokenizer_conformance.research.metrics.measures.sums import Sums

T = TypeVar("T")

FEWEST_TEXTS = 30
"""With fewer texts than this, intervals are likely to be too short, and it is said."""

FEWEST_UNITS = 4
"""With fewer texts than this there is no bootstrap: too many replicates would have none of them."""

FEWEST_FOLDS = 10
"""With fewer folds of texts than this there is no jackknife."""

MOST_WITHOUT_VALUE = 0.05
"""The share of replicates without value from which on there is no interval: those with value would be a selection."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """How to resample: the number of ``replicates``, the ``level`` of intervals (between 0 and 1), and the ``seed``."""

    replicates: int = REPLICATES
    level: float = CONFIDENCE
    seed: int = RESAMPLING_SEED

    def __post_init__(self) -> None:
        if self.replicates < 2 or not 0 < self.level < 1:
            raise ValueError("intervals take at least 2 replicates, and a level between 0 and 1")


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float


@lru_cache(maxsize=2)
def weights(replicates: int, seed: int) -> NDArray[np.float64]:
    """Return a weight for each bucket (columns) in each replicate (rows), drawn from Poisson(1).

    The bits are those of Philox, whose stream is the same in every release of numpy, turned into weights here.
    """
    bits = np.random.Philox(seed).random_raw(replicates * BUCKETS)
    shares = np.cumsum([math.exp(-1) / math.factorial(count) for count in range(20)])
    drawn = np.searchsorted(shares, (bits >> np.uint64(11)).astype(np.float64) / 2**53, side="right")
    return drawn.reshape(replicates, BUCKETS).astype(np.float64)


def replicates_of(sums: Sums[T], resampling: Resampling) -> list[T]:
    """Return the totals of ``sums`` in each replicate."""
    buckets = sums.buckets
    drawn = weights(resampling.replicates, resampling.seed)[:, buckets] @ sums.matrix[buckets]
    return [sums.kind(*row) for row in drawn.tolist()]


def percentile_interval(values: Sequence[float | None], level: float) -> Interval | None:
    """Return the interval that has the share ``level`` of ``values`` in it, and as many below as above.

    Replicates without value (a ratio to nothing) are left out. There is no interval with too many of them, nor where
    all values are the same.
    """
    given = [value for value in values if value is not None]
    if not given or len(given) < len(values) * (1 - MOST_WITHOUT_VALUE):
        return None
    if min(given) == max(given):
        return None
    low, high = np.quantile(given, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def jackknife_interval(value: float, without: Sequence[float | None], level: float) -> Interval | None:
    """Return the interval around ``value`` that the values ``without`` one fold each show, if each of them has one."""
    given = [each for each in without if each is not None]
    folds = len(given)
    if folds < FEWEST_FOLDS or folds < len(without):
        return None
    if min(given) == max(given):
        return None
    mean = math.fsum(given) / folds
    error = math.sqrt((folds - 1) / folds * math.fsum((each - mean) ** 2 for each in given))
    reach = student_quantile((1 + level) / 2, folds - 1) * error
    return Interval(value - reach, value + reach)


def student_quantile(probability: float, degrees: int) -> float:
    """Return the quantile of Student's t with ``degrees`` of freedom, for a ``probability`` of one half or more.

    By bisection of its distribution function, which for whole degrees is a finite sum (Abramowitz and Stegun 26.7).
    """
    low, high = 0.0, 1.0
    while _student(high, degrees) < probability:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _student(middle, degrees) < probability else (low, middle)
    return (low + high) / 2


def _student(value: float, degrees: int) -> float:
    """Return the probability that Student's t with ``degrees`` of freedom is at most ``value``, which is 0 or more."""
    angle = math.atan2(value, math.sqrt(degrees))
    cosine = math.cos(angle)
    is_odd = degrees % 2
    term, total = (cosine, cosine) if is_odd else (1.0, 1.0)
    for step in range(2 if is_odd else 1, degrees - 1, 2):
        term *= cosine**2 * step / (step + 1)
        total += term
    within = (
        2 / math.pi * (angle + (math.sin(angle) * total if degrees > 1 else 0)) if is_odd else math.sin(angle) * total
    )
    return (1 + within) / 2


def caution(units: int) -> str | None:
    """Return what to say of intervals from ``units`` texts, where these are too few."""
    if units < FEWEST_UNITS:
        return f"too few texts to be resampled, so there are no intervals: they take at least {FEWEST_UNITS}"
    rough = f"{units} texts: intervals are rough, and likely too short, with fewer than {FEWEST_TEXTS}"
    return rough if units < FEWEST_TEXTS else None
