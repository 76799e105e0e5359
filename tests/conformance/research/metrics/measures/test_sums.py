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

from tokenizer_conformance.research.metrics.measures import id_counts
from tokenizer_conformance.research.metrics.measures.id_counts import IdCounts
from tokenizer_conformance.research.metrics.measures.sums import BUCKETS, FOLD_OF_BUCKET, FOLDS, Sums, bucket_of
from tokenizer_conformance.research.metrics.measures.tally import Totals


def test_the_first_texts_have_a_bucket_each_and_others_any_of_them() -> None:
    assert [bucket_of(number) for number in range(BUCKETS)] == list(range(BUCKETS))
    dealt = Counter(bucket_of(number) for number in range(BUCKETS, 101 * BUCKETS))
    assert set(dealt) == set(range(BUCKETS))
    # 100 texts to a bucket on average; the variance of a Poisson number is its mean.
    assert np.var(list(dealt.values())) == pytest.approx(100, rel=0.15)


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


def test_totals_of_nothing_are_zero() -> None:
    assert Sums(Totals).total.texts == 0


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
    monkeypatch.setattr(id_counts, "MOST_PENDING", 10)
    counted = IdCounts()
    for number in range(50):
        counted.add(number, (1, 2, number))
        assert counted._waiting <= 10
    assert dict(zip(counted.ids.tolist(), counted.counts.sum(axis=0).tolist(), strict=True)) == {
        0: 1, 1: 51, 2: 51, **dict.fromkeys(range(3, 50), 1)
    }  # fmt: skip


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


def test_counts_beyond_32_bits_are_kept() -> None:
    counted = IdCounts()
    many = {"folds": [[3, [7], [2_000_000_000]]]}
    for _ in range(3):
        counted.add_json(json.loads(json.dumps(many)))
    assert counted.counts[3].tolist() == [6_000_000_000]
    again = IdCounts()
    again.add_json(counted.to_json())
    assert again.counts[3].tolist() == [6_000_000_000]
