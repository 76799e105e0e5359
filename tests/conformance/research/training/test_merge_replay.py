"""Doing merges again says which were of a most frequent pair, and when training ended too early."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import fake_trainers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.training import Algorithm, TrainedModel, TrainingOptions
from tokenizer_conformance.research.training.merge_replay import counts_before, replay, steps_of
from tokenizer_conformance.research.training.task import Affixes, TrainingTask

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = st.dictionaries(st.text("abc", min_size=1, max_size=8), st.integers(1, 4), min_size=1, max_size=6)


@pytest.mark.parametrize("algorithm", [Algorithm.BPE, Algorithm.WORDPIECE])
@pytest.mark.parametrize("trainer", [fake_trainers.Honest, fake_trainers.OtherEquals])
def test_merges_of_most_frequent_pairs_are_legal_whatever_equal_is_taken(
    task: Callable[..., TrainingTask],
    learned: Callable[..., TrainedModel],
    algorithm: Algorithm,
    trainer: type[fake_trainers.Honest],
) -> None:
    on = task(algorithm, {"abab": 3, "baba": 3, "cab": 3, "bac": 3}, vocab_size=14)
    model = learned(on, trainer)
    for shown in (model, replace(model, merges=None)):  # the ids tell the order, too
        found = replay(shown, on)
        assert found.is_legal
        assert found.most_frequent == found.steps == len(steps_of(shown, on))
        assert found.tied > 0


@given(WORDS, st.booleans(), st.sampled_from([Algorithm.BPE, Algorithm.WORDPIECE]), st.booleans())
def test_every_honest_training_is_legal(
    words: dict[str, int], last_of_equals: bool, algorithm: Algorithm, is_shown: bool
) -> None:
    prefix = "##" if algorithm is Algorithm.WORDPIECE else ""
    model = fake_trainers.learn_merges(words, 12, prefix, last_of_equals=last_of_equals)
    options = TrainingOptions(vocab_size=12, continuing_subword_prefix=prefix)
    on = TrainingTask(algorithm=algorithm, words=words, options=options)
    assert replay(model if is_shown else replace(model, merges=None), on).is_legal


def test_ties_that_the_lowest_ids_decide_are_counted() -> None:
    words = {"ab": 1, "cd": 1}
    on = TrainingTask(algorithm=Algorithm.BPE, words=words, options=TrainingOptions(vocab_size=6))
    tokens = {"a": 0, "b": 1, "c": 2, "d": 3, "cd": 4, "ab": 5}
    other = replay(TrainedModel(tokens, (("c", "d"), ("a", "b")), None, 0, None), on)
    lowest = replay(TrainedModel(tokens, (("a", "b"), ("c", "d")), None, 0, None), on)
    assert (other.tied, other.lowest_ids) == (1, 0)
    assert (lowest.tied, lowest.lowest_ids) == (1, 1)


def test_a_merge_of_a_rarer_pair_is_shown_with_the_counts_of_both(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task()
    found = replay(fake_trainers.swapped(learned(on), 0, 1), on)
    assert not found.is_legal
    assert found.first is not None
    assert (found.first.number, found.first.pair, found.first.count) == (0, ("u", "n"), 16)
    assert (found.first.better, found.first.better_count) == (("u", "g"), 20)


def test_a_merge_of_a_pair_that_is_not_in_the_corpus_is_shown(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task()
    model = learned(on)
    wrong = replace(model, merges=(("s", "h"), *(model.merges or ())[1:]))
    found = replay(wrong, on).first
    assert found is not None
    assert (found.number, found.count, found.better) == (0, 0, ("u", "g"))


def test_merges_below_the_least_frequency_are_no_merges_of_most_frequent_pairs(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    model = learned(task(vocab_size=30))
    found = replay(model, task(vocab_size=30, min_frequency=10)).first
    assert found is not None
    assert found.better is None
    assert found.count < 10


def test_training_that_ends_early_is_shown(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    model = learned(task(vocab_size=9))
    found = replay(model, task(vocab_size=12))
    assert found.first is None
    assert found.left is not None
    assert (found.left.pair, found.left.count) == (("h", "ug"), 15)
    assert not found.is_legal
    assert replay(model, task(vocab_size=12, min_frequency=16)).is_legal


def test_a_vocabulary_that_does_not_fit_the_merges_is_shown(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task(vocab_size=9)
    model = learned(on)
    assert replay(fake_trainers.without(model, "ug"), on).stray == ("ug",)
    more = replace(model, tokens={**model.tokens, "hugs": 9})
    assert replay(more, on).stray == ("hugs",)
    assert not replay(more, on).is_legal


def test_steps_are_read_from_the_ids_where_merges_are_not_shown(task: Callable[..., TrainingTask]) -> None:
    on = task(Algorithm.WORDPIECE, special_tokens=("[UNK]",))
    tokens = {"[UNK]": 0, "h": 1, "##u": 2, "hu": 4, "##ug": 3}
    steps = steps_of(TrainedModel(tokens, None, None, 0, None), on)
    assert [(step.token, step.pair) for step in steps] == [("##ug", None), ("hu", None)]


def test_pairs_whose_token_is_known_may_be_merged_or_passed_over() -> None:
    """Of ``abc`` and ``a``+``bc``: the second pair to give a token is seen in no list of tokens."""
    words = {"abcx": 5, "abc": 1, "bc": 9, "ab": 8, "zabc": 4}
    for last_of_equals in (False, True):
        model = fake_trainers.learn_merges(words, 12, "", last_of_equals=last_of_equals)
        on = TrainingTask(algorithm=Algorithm.BPE, words=words, options=TrainingOptions(vocab_size=12))
        assert replay(replace(model, merges=None), on).is_legal


def test_counts_before_a_step_are_those_that_the_model_had_there(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task()
    model = learned(on)
    counts = counts_before(2, replay(model, on), model, on)
    assert counts.count(("h", "ug")) == 15
    assert counts.count(("u", "g")) == 0


def test_the_pairs_of_a_token_are_all_its_cuts() -> None:
    assert Affixes().pairs("abc") == [("a", "bc"), ("ab", "c")]
    assert Affixes("##").pairs("abc") == [("a", "##bc"), ("ab", "##c")]
    assert Affixes("", "</w>").pairs("ab</w>") == [("a", "b</w>")]
    assert Affixes("##", "$").pairs("##a$") == []
