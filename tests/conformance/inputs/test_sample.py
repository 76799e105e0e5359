"""A sample is spread over all inputs, and each input keeps the one that follows it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.inputs.corpus import Sample, Selection, read_corpus, sampled
from tokenizer_conformance.inputs.text import Input


@pytest.mark.parametrize(("most", "taken"), [(1, ["9"]), (2, ["4", "9"]), (5, ["1", "3", "5", "7", "9"]), (99, None)])
def test_a_sample_is_spread(most: int, taken: list[str] | None) -> None:
    corpus, _ = read_corpus([("ten", [Input(str(number), "test", str(number)) for number in range(10)])])
    sample = Sample(corpus, most)
    found = list(sample)
    assert [each.input.id for each in found] == (taken or list("0123456789"))
    assert sample.count == len(found)
    assert all(int(each.following.id) == (int(each.input.id) + 1) % 10 for each in found)
    assert sample.sha256 != Sample(corpus, most % 10 + 1).sha256 or most == 99


@given(total=st.integers(1, 60), most=st.integers(1, 60), seed=st.integers(0, 5))
def test_a_drawn_sample_has_one_of_each_run(total: int, most: int, seed: int) -> None:
    corpus, _ = read_corpus([("all", [Input(str(number), "test", "") for number in range(total)])])
    taken = [int(each.input.id) for each in sampled(corpus, most, seed)]
    count = min(most, total)
    assert [number * count // total for number in taken] == list(range(count))
    assert [int(each.input.id) for each in sampled(corpus, most, seed)] == taken


def test_another_seed_draws_other_texts_and_all_are_drawn_some_time() -> None:
    corpus, _ = read_corpus([("all", [Input(str(number), "test", "") for number in range(100)])])
    samples = {seed: tuple(each.input.id for each in sampled(corpus, 10, seed)) for seed in range(100)}
    assert len(set(samples.values())) > 90
    assert len({taken for sample in samples.values() for taken in sample}) == 100
    digests = {sampled(corpus, 10, seed).sha256 for seed in (None, 0, 1)}
    assert len(digests) == 3, "another sample is another corpus"


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("most", range(1, 13))
@pytest.mark.parametrize("lengths", [(12,), (1, 11), (5, 1, 6), (4, 4, 4)])
def test_it_is_known_whether_the_following_text_is_an_input_too(
    most: int, lengths: tuple[int, ...], seed: int | None
) -> None:
    sources = [
        (str(at), [Input(f"{at}:{number}", "test", "") for number in range(length)])
        for at, length in enumerate(lengths)
    ]
    corpus, _ = read_corpus(sources)
    sample = list(Sample(corpus, most, seed))
    taken = {each.input.id for each in sample}
    assert len(sample) == most
    assert [each.is_asked_alone for each in sample] == [each.following.id in taken for each in sample]
    selected, _ = read_corpus(sources, Selection(ids=frozenset(taken)))
    assert list(selected) == sample
