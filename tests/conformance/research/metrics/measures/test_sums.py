"""Texts are dealt to buckets and folds by nothing but their numbers."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.research.metrics.measures import id_counts, sums
from tokenizer_conformance.research.metrics.measures.id_counts import IdCounts
from tokenizer_conformance.research.metrics.measures.morphemes import MorphemeTotals
from tokenizer_conformance.research.metrics.measures.sums import (
    BUCKETS,
    FOLD_OF_BUCKET,
    FOLDS,
    Sums,
    bucket_of,
    units_of,
)
from tokenizer_conformance.research.metrics.measures.tally import Totals

FIRST_RUN = (4, 15, 6, 10, 7, 12, 17, 11, 3, 14, 9, 16, 13, 0, 8, 5, 1, 2, 19, 18)
LAST_RUN = (9, 10, 12, 1, 13, 2, 3, 11, 18, 5, 15, 8, 6, 7, 4, 19, 17, 16, 14, 0)


def test_the_first_texts_have_a_bucket_each_and_others_any_of_them() -> None:
    assert [bucket_of(number) for number in range(BUCKETS)] == list(range(BUCKETS))
    dealt = Counter(bucket_of(number) for number in range(BUCKETS, 101 * BUCKETS))
    assert set(dealt) == set(range(BUCKETS))
    # 100 texts to a bucket on average; the variance of a Poisson number is its mean.
    assert np.var(list(dealt.values())) == pytest.approx(100, rel=0.15)


def test_buckets_by_chance_are_those_of_splitmix64() -> None:
    """The numbers are published as the first ones that the generator gives for the seed 1234567."""
    drawn = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    states = [(1234567 + place * 0x9E3779B97F4A7C15) % 2**64 for place in range(5)]
    assert [bucket_of(state) for state in states] == [number % BUCKETS for number in drawn]


def test_folds_are_the_same_in_every_release() -> None:
    """Or a report could not be made again."""
    assert FOLD_OF_BUCKET[:FOLDS] == FIRST_RUN
    assert FOLD_OF_BUCKET[-FOLDS:] == LAST_RUN


@pytest.mark.parametrize("period", [2, 3, 5, 7, 20, 100])
def test_kinds_of_texts_that_alternate_are_dealt_alike(period: int) -> None:
    """A bucket or a fold that had texts of one kind only would make intervals too long."""
    numbers = range(0, 40_000 * period, period)
    dealt = Counter(bucket_of(number) for number in numbers)
    assert len(dealt) == BUCKETS
    folds = Counter(FOLD_OF_BUCKET[bucket_of(number)] for number in numbers)
    assert len(folds) == FOLDS
    assert max(folds.values()) < 1.15 * min(folds.values())


def test_each_run_of_buckets_is_dealt_to_all_folds_in_an_order_of_its_own() -> None:
    runs = [FOLD_OF_BUCKET[start : start + FOLDS] for start in range(0, BUCKETS, FOLDS)]
    assert all(sorted(run) == list(range(FOLDS)) for run in runs)
    assert all(one != next_one for one, next_one in pairwise(runs))


def test_rows_are_added_up_before_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "MOST_PENDING", 3)
    added = Sums(Totals)
    waiting = []
    for number in range(5):
        added.add(number, [1] * 22)
        waiting.append(len(added._waiting))
    assert waiting == [1, 2, 0, 1, 2]
    assert added.total.texts == 5


def test_totals_of_nothing_are_zero() -> None:
    assert Sums(Totals).total.texts == 0


def test_whole_sums_are_written_as_whole_numbers_and_others_as_they_are() -> None:
    added = Sums(MorphemeTotals)
    for _ in range(3):
        added.add(7, [1, 2, *[0] * 4, 0.5, *[0] * 4])
    assert json.dumps(added.to_json()["rows"]) == "[[7, 3, 6, 0, 0, 0, 0, 1.5, 0, 0, 0, 0]]"
    assert (added.total.gold, added.total.precision) == (6, 1.5)


@pytest.mark.parametrize(("unit", "units"), [(None, 2), ("written_texts", 1), ("lost_words", 0)])
def test_units_are_all_texts_or_those_that_a_field_counts(unit: str | None, units: int) -> None:
    added = Sums(Totals, unit)
    added.add(0, [1, 1, *[0] * 20])
    added.add(9, [1, 0, *[0] * 20])
    assert units_of([added]) == units
    assert units_of([added, Sums(Totals, unit)]) == units


@given(st.lists(st.tuples(st.integers(0, 3000), st.lists(st.integers(0, 300_000), max_size=20)), max_size=20))
def test_ids_are_counted_by_fold(texts: list[tuple[int, list[int]]]) -> None:
    counted = IdCounts()
    expected: dict[int, Counter[int]] = {}
    for number, ids in texts:
        counted.add(number, tuple(ids))
        expected.setdefault(FOLD_OF_BUCKET[bucket_of(number)], Counter()).update(ids)
    assert counted.folds == sorted(expected)
    columns = counted.ids.tolist()
    assert columns == sorted(set().union(*expected.values()))
    for fold in range(FOLDS):
        row = dict(zip(columns, counted.counts[fold].tolist(), strict=True))
        assert {id: count for id, count in row.items() if count} == dict(expected.get(fold, Counter()))


def test_ids_are_counted_before_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(id_counts, "MOST_PENDING", 4)
    counted = IdCounts()
    waiting = []
    for number in range(5):
        counted.add(number, (1, number))
        waiting.append((counted._waiting, len(counted._pending)))
    assert waiting == [(2, 1), (4, 2), (0, 0), (2, 1), (4, 2)]
    assert (counted.ids.tolist(), counted.counts.sum(axis=0).tolist()) == ([0, 1, 2, 3, 4], [1, 6, 1, 1, 1])


def test_few_arrays_wait_however_short_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(id_counts, "MOST_PENDING_ARRAYS", 2)
    counted = IdCounts()
    waiting = []
    for number in range(4):
        counted.add(number, ())
        waiting.append(len(counted._pending))
    assert waiting == [1, 2, 0, 1]


def test_whatever_is_answered_for_an_id_is_counted() -> None:
    counted = IdCounts()
    counted.add(0, (-1, 3, -1, 1 << 40))
    assert (counted.ids.tolist(), counted.counts.sum(axis=0).tolist()) == ([-1, 3, 1 << 40], [2, 1, 1])
    counted.add(1, (-1, 3))
    assert (counted.ids.tolist(), counted.counts.sum(axis=0).tolist()) == ([-1, 3, 1 << 40], [3, 2, 1])


@pytest.mark.parametrize(("count", "dtype"), [(2**31 - 1, np.int32), (2**31, np.int64)])
def test_counts_take_64_bits_where_they_need_them(count: int, dtype: type[np.integer[Any]]) -> None:
    counted = IdCounts()
    counted.add_json({"folds": [[3, [7], [count]]]})
    assert counted.counts.dtype == dtype
    assert counted.counts[3].tolist() == [count]


def test_what_waits_is_counted_with_what_is_added() -> None:
    ours, theirs = IdCounts(), IdCounts()
    ours.add(0, (5, 5, 1))
    theirs.add(0, (5, 2))
    ours.merge(theirs)
    ours.add_json(theirs.to_json())
    assert (ours.ids.tolist(), ours.counts.sum(axis=0).tolist()) == ([1, 2, 5], [1, 2, 4])


def test_written_counts_are_of_the_ids_that_a_fold_has_as_differences() -> None:
    counted = IdCounts()
    counted.add(0, (9, 5, 9))
    counted.add(1, (7,))
    assert counted.to_json() == {"folds": [[FIRST_RUN[0], [5, 4], [1, 2]], [FIRST_RUN[1], [7], [1]]]}


def test_what_waits_is_counted_when_counts_are_asked_for() -> None:
    counted = IdCounts()
    counted.add(0, (5, 5, 1))
    assert counted.counts.sum(axis=0).tolist() == [1, 2]


def test_counts_beyond_32_bits_are_kept() -> None:
    counted = IdCounts()
    many = {"folds": [[3, [7], [2_000_000_000]]]}
    for _ in range(3):
        counted.add_json(json.loads(json.dumps(many)))
    assert counted.counts[3].tolist() == [6_000_000_000]
    again = IdCounts()
    again.add_json(counted.to_json())
    assert again.counts[3].tolist() == [6_000_000_000]
