"""How sure a value is: that intervals are what they say, whoever counted the texts and in whichever order."""

from __future__ import annotations

import math
import random
import statistics
from dataclasses import fields

import numpy as np
import pytest
from segmentations import cut, cut_of, sample

from tokenizer_conformance.research.metrics.measures import estimates
from tokenizer_conformance.research.metrics.measures.estimates import Estimate
from tokenizer_conformance.research.metrics.measures.intervals import (
    Interval,
    Resampling,
    caution,
    jackknife_interval,
    percentile_interval,
    replicates_of,
    student_quantile,
    weights,
)
from tokenizer_conformance.research.metrics.measures.pair_tally import PairTally
from tokenizer_conformance.research.metrics.measures.sample import Cut, Sample
from tokenizer_conformance.research.metrics.measures.sums import BUCKETS
from tokenizer_conformance.research.metrics.measures.tally import Tally, Totals
from tokenizer_conformance.research.metrics.measures.vocabulary import Vocabulary
from tokenizer_conformance.research.segmentation.segmented import Segmented


def random_tally(chance: random.Random, texts: int, first: int = 0) -> Tally:
    """Return the tally of ``texts`` of 1 to 40 words of 1 to 9 characters; the later a text, the longer its words."""
    tally = Tally()
    for number in range(first, first + texts):
        longest = chance.randint(2, 9)
        words = ["abcdefghi"[: chance.randint(1, longest)] for _ in range(chance.randint(1, 40))]
        text = " ".join(words)
        tally.add(cut(text, "|".join(text.replace(" ", "~")), number))
    return tally


def by_measure(found: list[Estimate]) -> dict[str, Estimate]:
    return {each.measure: each for each in found}


def test_weights_are_poisson_numbers_of_mean_one() -> None:
    drawn = weights(1000, 0)
    assert drawn.shape == (1000, BUCKETS)
    assert drawn.mean() == pytest.approx(1, abs=0.005)
    assert drawn.var() == pytest.approx(1, abs=0.01)
    for count in range(5):
        assert (drawn == count).mean() == pytest.approx(math.exp(-1) / math.factorial(count), abs=0.002)
    assert abs(np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1]) < 0.12
    assert abs(np.corrcoef(drawn[0], drawn[1])[0, 1]) < 0.12


def test_weights_are_those_of_the_seed() -> None:
    """They are the same in every release of numpy, so that a report can be made again."""
    assert weights(3, 0)[0, :12].tolist() == WEIGHTS
    assert (weights(3, 0) != weights(3, 1)).any()


WEIGHTS = [0, 0, 1, 0, 3, 0, 3, 0, 0, 0, 2, 1]


def test_replicates_are_weighted_sums() -> None:
    tally = random_tally(random.Random(1), 5)
    resampling = Resampling(replicates=7, seed=3)
    drawn = weights(7, 3)
    column = [each.name for each in fields(Totals)].index("tokens")
    for row, replicate in enumerate(replicates_of(tally.sums, resampling)):
        assert replicate.texts == sum(drawn[row, number] for number in range(5))
        assert replicate.tokens == sum(drawn[row, number] * tally.sums.matrix[number][column] for number in range(5))


def test_blank_texts_are_no_units() -> None:
    tally = Tally()
    for number in range(3):
        tally.add(cut("ab c", "ab| c", number))
    for number in range(3, 50):
        tally.add(cut("", "", number))
    found = by_measure([*estimates.of_texts(tally), *estimates.of_ids(tally)])
    assert found["fertility"].units == 3
    assert {each.interval for each in found.values()} == {None}, "three texts are too few to be resampled"


def test_order_parts_and_processes_change_nothing() -> None:
    chance = random.Random(2)
    lines = ["ab c" * chance.randint(1, 9) for _ in range(60)]
    cuts = [cut(line, "|".join(line), number) for number, line in enumerate(lines)]
    whole, backwards, parts = Tally(), Tally(), Tally()
    for each in cuts:
        whole.add(each)
    for each in reversed(cuts):
        backwards.add(each)
    for start in (40, 0, 20):
        part = Tally()
        for each in cuts[start : start + 20]:
            part.add(each)
        parts.merge(part)
    assert estimates.of_texts(whole) == estimates.of_texts(backwards) == estimates.of_texts(parts)
    assert estimates.of_ids(whole) == estimates.of_ids(backwards) == estimates.of_ids(parts)


@pytest.mark.parametrize("texts", [4, 30, 3000])
def test_intervals_have_the_value_in_them(texts: int) -> None:
    tally = random_tally(random.Random(texts), texts)
    found = [*estimates.of_texts(tally), *estimates.of_ids(tally)]
    with_interval = [each for each in found if each.interval]
    assert len(with_interval) >= (4 if texts == 4 else 8)
    for each in with_interval:
        assert each.interval is not None
        assert each.value is not None
        assert each.interval.low <= each.value <= each.interval.high
        assert each.interval.low >= 0


@pytest.mark.long
def test_a_higher_level_makes_longer_intervals_and_more_texts_shorter_ones() -> None:
    few, many = random_tally(random.Random(4), 100), random_tally(random.Random(4), 1600)

    def length(tally: Tally, measure: str, level: float) -> float:
        resampling = Resampling(level=level)
        of_ids = estimates.of_ids(tally, resampling=resampling)
        interval = by_measure([*estimates.of_texts(tally, resampling), *of_ids])[measure].interval
        assert interval is not None
        return interval.high - interval.low

    for measure in ("fertility", "shannon_entropy"):
        assert length(few, measure, 0.8) < length(few, measure, 0.95) < length(few, measure, 0.99)
        # Four times as short with sixteen times as many texts, as far as a sample tells.
        assert 2.4 < length(few, measure, 0.95) / length(many, measure, 0.95) < 6.5


def test_differences_on_the_same_texts_are_paired() -> None:
    """A tokenizer that needs one token more for each text differs for sure, however much the texts differ."""
    chance = random.Random(5)
    first, second, alike = Tally(), Tally(), Tally()
    for number in range(100):
        of = sample("ab" * chance.randint(1, 50), number)
        whole = "|".join(of.text)
        first.add(cut_of(of, whole))
        second.add(cut_of(of, whole.replace("a|b", "ab", 1)))
        alike.add(cut_of(of, whole))
    alone = by_measure(estimates.of_texts(first))["tokens_per_text"].interval
    assert alone is not None
    assert alone.high - alone.low > 5
    difference = by_measure(estimates.differences_of_texts(first, second))
    assert difference["tokens_per_text"].value == pytest.approx(1)
    assert difference["tokens_per_text"].interval is None  # the same in all replicates
    # Two characters less one token: each text differs by as much, but texts differ in length.
    interval = difference["characters_per_token"].interval
    assert interval is not None
    assert interval.high < 0
    nothing = by_measure(estimates.differences_of_texts(first, alike))
    assert nothing["fertility"] == Estimate("fertility", 0.0, None, 100)


def test_texts_of_languages_are_resampled_together() -> None:
    """Where each translation has twice as many tokens as its text, the premium is 2 in every replicate."""
    chance = random.Random(6)
    english, double = Tally(), Tally()
    for number in range(50):
        length = chance.randint(1, 60)
        english.add(cut("a" * length, "|".join("a" * length), number))
        double.add(cut("a" * 2 * length, "|".join("a" * 2 * length), number))
    (premium,) = estimates.of_reference_language(double, english)
    assert premium == Estimate("premium", 2.0, None, 50)
    found = by_measure(estimates.of_languages([english, double]))
    assert found["gini"].value == pytest.approx(1 / 6)
    assert found["premium_spread"].value == pytest.approx(2)


@pytest.mark.parametrize("texts", [1, 3])
def test_few_texts_have_no_interval(texts: int) -> None:
    tally = random_tally(random.Random(7), texts)
    found = [*estimates.of_texts(tally), *estimates.of_ids(tally), *estimates.of_base(tally, tally)]
    assert [each for each in found if each.interval] == []
    assert [each for each in found if each.value is not None]
    assert caution(texts) == "too few texts to be resampled, so there are no intervals: they take at least 4"
    assert str(caution(29)).startswith("29 texts: intervals are rough")
    assert caution(30) is None


def test_what_never_varies_and_what_often_has_no_value_has_no_interval() -> None:
    assert percentile_interval([1.0] * 10, 0.95) is None
    assert percentile_interval([1.0, 2.0] * 9 + [None] * 2, 0.95) is None
    assert percentile_interval([float(value) for value in range(101)], 0.9) == Interval(
        pytest.approx(5), pytest.approx(95)
    )
    assert jackknife_interval(1.0, [1.0] * 20, 0.95) is None
    assert jackknife_interval(1.0, [1.0, 2.0, 3.0], 0.95) is None
    assert jackknife_interval(1.0, [*map(float, range(19)), None], 0.95) is None


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    values = [float(value * value % 17) for value in range(20)]
    mean = statistics.fmean(values)
    without = [(sum(values) - value) / 19 for value in values]
    interval = jackknife_interval(mean, without, 0.95)
    reach = student_quantile(0.975, 19) * statistics.stdev(values) / math.sqrt(20)
    assert interval is not None
    assert (interval.low, interval.high) == (pytest.approx(mean - reach), pytest.approx(mean + reach))


def test_without_a_fold_its_tokens_are_taken_off() -> None:
    """Of ten texts of one token each, four have one of 1 byte and six one of 2: the interval is that of their mean."""
    vocabulary = Vocabulary(2, frozenset(), {0: b"a", 1: b"ab"}, frozenset())
    tally = Tally()
    for number in range(10):
        tally.add(Cut(Sample(number, "a", ()), Segmented("a", (int(number >= 4),))))
    found = by_measure(estimates.of_ids(tally, vocabulary, resampling=Resampling(level=0.95)))["token_bytes"]
    reach = student_quantile(0.975, 9) * math.sqrt(0.4 * 0.6 / 9)
    assert found.interval == Interval(pytest.approx(1.6 - reach), pytest.approx(1.6 + reach))
    assert (found.value, found.units) == (pytest.approx(1.6), 10)


@pytest.mark.parametrize("seed", range(4))
def test_bootstrap_and_jackknife_of_the_same_measure_agree(seed: int) -> None:
    """The length of tokens from the vocabulary is that from the text, where tokens are all of the text."""
    chance = random.Random(seed)
    kinds = ["a" * length for length in range(1, 9)]
    vocabulary = Vocabulary(8, frozenset(), {length: b"a" * length for length in range(1, 9)}, frozenset())
    tally = Tally()
    for number in range(400):
        longest = chance.randint(1, 8)
        tokens = [chance.choice(kinds[:longest]) for _ in range(chance.randint(1, 30))]
        text = "".join(tokens)
        tally.add(Cut(Sample(number, text, ()), Segmented(text, tuple(map(len, tokens)))))
    bootstrap = by_measure(estimates.of_texts(tally))["bytes_per_token"]
    jackknife = by_measure(estimates.of_ids(tally, vocabulary))["token_bytes"]
    assert jackknife.value == pytest.approx(bootstrap.value)
    assert bootstrap.interval is not None
    assert jackknife.interval is not None
    lengths = [each.high - each.low for each in (jackknife.interval, bootstrap.interval)]
    # The relative error of a standard error from 20 folds is 16 %; three of them, and t with 19 degrees for 1.96.
    assert 0.5 < lengths[0] / lengths[1] < 1.65


@pytest.mark.parametrize("bad", [{"replicates": 1}, {"level": 1.0}, {"level": 0.0}])
def test_resampling_that_gives_no_interval_is_refused(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="at least 2 replicates, and a level between 0 and 1"):
        Resampling(**bad)  # type: ignore[arg-type]


def test_two_replicates_and_any_level_between_are_taken() -> None:
    assert Resampling(2, 0.01).replicates == 2
    assert Resampling(2, 0.99).level == 0.99


def test_a_pair_has_intervals() -> None:
    chance = random.Random(8)
    pair = PairTally()
    for number in range(200):
        of = sample("abcdefgh " * chance.randint(1, 9), number)
        both = ["".join(each + chance.choice(["", "", "|"]) for each in of.text).removesuffix("|") for _ in range(2)]
        pair.add(*(cut_of(of, marked) for marked in both))
    for each in estimates.of_pair(pair):
        assert each.interval is not None
        assert each.value is not None
        assert each.interval.low < each.value < each.interval.high


def drawn_tally(chance: np.random.Generator, texts: int) -> Tally:
    """Return the tally of texts of a source: of any length, each with a liking for some ids, and for long words."""
    tally = Tally()
    shares = 1 / np.arange(1, 201)
    for number in range(texts):
        length = int(chance.geometric(1 / 20))
        liked = shares * chance.gamma(0.5, size=200)
        ids = chance.choice(200, length, p=liked / liked.sum())
        words = int(chance.binomial(length, chance.beta(8, 4))) or 1
        of = Sample(number, "", ((0, 0),) * words)
        tally.add(Cut(of, Segmented("", tuple(ids.tolist()))))
    return tally


@pytest.mark.slow
@pytest.mark.parametrize("texts", [60, 1500])
def test_intervals_cover_as_often_as_they_say(texts: int) -> None:
    """Of many corpora from one source, 95 % should have what they are on average in their interval.

    That average is not the value of the source for entropies, which are too low for few tokens: the interval is about
    what other texts would give, and not about the bias.
    """
    chance = np.random.default_rng(9)
    found: dict[str, list[Estimate]] = {}
    for _ in range(200):
        tally = drawn_tally(chance, texts)
        for each in [*estimates.of_texts(tally), *estimates.of_ids(tally)]:
            found.setdefault(each.measure, []).append(each)
    for measure in ("fertility", "tokens_per_text", "shannon_entropy", "renyi_entropy", "renyi_efficiency"):
        average = statistics.fmean(each.value for each in found[measure] if each.value is not None)
        intervals = [each.interval for each in found[measure] if each.interval is not None]
        assert len(intervals) == 200
        covered = sum(interval.low <= average <= interval.high for interval in intervals)
        print(measure, texts, covered / 200)
        # Three standard errors of a share of 95 % of 200 are 4.6 %.
        assert 0.90 <= covered / 200 <= 0.995
