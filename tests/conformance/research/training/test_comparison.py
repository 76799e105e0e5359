"""A planted difference is found at its level and not earlier; only what the algorithm leaves open is a tie."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import fake_trainers
import pytest
from fake_trainers import renumbered, rescored, swapped, without

from tokenizer_adapters.training import Algorithm, TrainedModel
from tokenizer_conformance.research.training.comparison import (
    Agreement,
    JudgedModel,
    Level,
    TokenOrigin,
    compare,
    words_with,
)
from tokenizer_conformance.research.training.divergence import DivergenceKind
from tokenizer_conformance.results.records import training as lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.research.training.task import TrainingTask

AGREE, TIE, DIFFER, NOT_SHOWN = Agreement.AGREE, Agreement.TIE, Agreement.DIFFER, Agreement.NOT_SHOWN


def compared(first: TrainedModel, second: TrainedModel, task: TrainingTask) -> lines.ComparisonBody:
    return compare(JudgedModel(first, task), JudgedModel(second, task), task)


def agreements(comparison: lines.ComparisonBody) -> dict[Level, Agreement]:
    return {result.level: result.agreement for result in comparison.levels}


def merges_differ(compared: int, differing: int) -> lines.LevelOfComparison:
    return lines.LevelOfComparison(level="merges", agreement="differ", compared=compared, differing=differing)


# Planted differences -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_a_model_agrees_with_itself(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel], algorithm: Algorithm
) -> None:
    on = task(algorithm)
    comparison = compared(learned(on), learned(on), on)
    assert set(agreements(comparison).values()) <= {AGREE}
    assert comparison.blamed is None
    assert comparison.divergence is None
    assert comparison.effect.differing_words == 0


def test_exchanged_merges_differ_at_merges(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task()
    model = learned(on)
    comparison = compared(model, swapped(model, 0, 1), on)
    assert agreements(comparison) == {Level.TOKENS: AGREE, Level.MERGES: DIFFER, Level.IDS: AGREE}
    assert comparison.blamed == Level.MERGES
    assert comparison.levels[1].differing == 2
    assert comparison.divergence is not None
    first, second = comparison.divergence.first, comparison.divergence.second
    assert first is not None
    assert second is not None
    assert (comparison.divergence.number, first.pair, second.pair) == (0, ("u", "g"), ("u", "n"))
    assert (first.count, second.count) == (20, 16)
    assert (first.count_on_other_side, second.count_on_other_side) == (20, 16)
    assert comparison.divergence.kind == DivergenceKind.SECOND_NOT_MOST_FREQUENT


@pytest.mark.parametrize("missing", [1, 3])
def test_merges_that_one_side_lacks_at_the_end_are_differences(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel], missing: int
) -> None:
    on = task()
    model = learned(on)
    merges = model.merges or ()
    shorter = replace(model, merges=merges[:-missing])
    for first, second in ((model, shorter), (shorter, model)):
        comparison = compared(first, second, on)
        assert comparison.levels[1] == merges_differ(len(merges), missing)
        assert comparison.blamed == Level.MERGES
        divergence = comparison.divergence
        assert divergence is not None
        assert (divergence.number, divergence.kind) == (len(merges) - missing, DivergenceKind.ENDS)
        assert (divergence.first is None) == (first is shorter)
        assert (divergence.second is None) == (second is shorter)
    both = compared(swapped(model, 0, 1), shorter, on)
    assert both.levels[1] == merges_differ(len(merges), missing + 2)


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_a_dropped_token_differs_at_tokens(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel], algorithm: Algorithm
) -> None:
    on = task(algorithm, vocab_size=4 if algorithm is Algorithm.WORDLEVEL else 14)
    model = learned(on)
    dropped = max(model.tokens, key=model.tokens.__getitem__)
    comparison = compared(model, without(model, dropped), on)
    assert comparison.blamed == Level.TOKENS
    assert agreements(comparison)[Level.TOKENS] == DIFFER
    assert (comparison.only_first.entries, comparison.only_second.entries) == ((dropped,), ())
    assert compared(without(model, dropped), model, on).only_second.entries == (dropped,)


@pytest.mark.parametrize("algorithm", [Algorithm.BPE, Algorithm.WORDPIECE])
def test_other_ids_differ_at_ids(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel], algorithm: Algorithm
) -> None:
    on = task(algorithm)
    model = learned(on)
    tokens = sorted(model.tokens, key=model.tokens.__getitem__)
    first, second, *_ = (token for token in tokens if len(token) == 1)
    for one, other in ((first, second), (tokens[-1], tokens[-2])):
        comparison = compared(model, renumbered(model, one, other), on)
        assert agreements(comparison) == {Level.TOKENS: AGREE, Level.MERGES: AGREE, Level.IDS: DIFFER}
        assert comparison.blamed == Level.IDS
        assert {moved.token for moved in comparison.moved.entries} == {one, other}


def test_other_ids_of_marked_characters_are_a_tie(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    """They are numbered as they are met, and the order of words is open (in ``tokenizers``, random)."""
    on = task(Algorithm.WORDPIECE)
    comparison = compared(learned(on), renumbered(learned(on), "##u", "##g"), on)
    assert agreements(comparison) == {Level.TOKENS: AGREE, Level.MERGES: AGREE, Level.IDS: TIE}


def test_other_ids_of_a_trainer_that_shows_no_merges_differ_at_ids(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task(Algorithm.WORDPIECE)
    model = replace(learned(on), merges=None)
    tokens = sorted(model.tokens, key=model.tokens.__getitem__)
    comparison = compared(model, renumbered(model, tokens[-1], tokens[-2]), on)
    assert agreements(comparison) == {Level.TOKENS: AGREE, Level.MERGES: NOT_SHOWN, Level.IDS: DIFFER}
    assert comparison.divergence is not None
    assert not comparison.divergence.is_shown


@pytest.mark.parametrize(("difference", "expected"), [(2e-6, DIFFER), (-2e-6, DIFFER), (5e-7, AGREE)])
def test_another_score_differs_at_scores_if_it_is_beyond_the_tolerance(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel], difference: float, expected: Agreement
) -> None:
    on = task(Algorithm.UNIGRAM)
    model = learned(on)
    comparison = compared(model, rescored(model, "ug", difference), on)
    assert agreements(comparison) == {Level.TOKENS: AGREE, Level.SCORES: expected, Level.IDS: AGREE}
    assert comparison.blamed == (Level.SCORES if expected == DIFFER else None)
    assert comparison.scores is not None
    assert comparison.scores.largest[0].token == "ug"


def test_special_tokens_are_not_judged_by_their_scores(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task(Algorithm.UNIGRAM, special_tokens=("<s>",))
    model = learned(on)
    with_score = replace(model, scores={**(model.scores or {}), "<s>": 0.0})
    other = replace(model, scores={**(model.scores or {}), "<s>": -3.0})
    assert compared(with_score, other, on).blamed is None


def test_a_side_that_shows_no_merges_or_scores_is_not_compared_there(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    for algorithm, level in ((Algorithm.BPE, Level.MERGES), (Algorithm.UNIGRAM, Level.SCORES)):
        on = task(algorithm)
        model = learned(on)
        comparison = compared(model, replace(model, merges=None, scores=None), on)
        assert agreements(comparison)[level] == NOT_SHOWN
        assert comparison.agreement == AGREE


# Ties ----------------------------------------------------------------------------------------------------------------

TIED = {"ab": 3, "cd": 3, "ef": 3, "gh": 1}


@pytest.mark.parametrize("algorithm", [Algorithm.BPE, Algorithm.WORDPIECE])
@pytest.mark.parametrize("vocab_size", [9, 10, 11])
def test_other_equals_are_a_tie_at_every_level(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel], algorithm: Algorithm, vocab_size: int
) -> None:
    on = task(algorithm, TIED, vocab_size)
    first, second = learned(on), learned(on, fake_trainers.OtherEquals)
    comparison = compared(first, second, on)
    assert comparison.agreement == TIE
    assert agreements(comparison)[Level.TOKENS] == (AGREE if vocab_size == 11 else TIE)
    assert comparison.divergence is not None
    assert comparison.divergence.kind == DivergenceKind.TIE
    assert comparison.divergence.number == 0
    shown = compared(replace(first, merges=None), replace(second, merges=None), on)
    assert shown.agreement == TIE


def test_what_is_no_tie_on_one_side_is_a_tie_on_none(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task(words=TIED, vocab_size=12)
    comparison = compared(swapped(learned(on), 0, 3), learned(on, fake_trainers.OtherEquals), on)
    assert agreements(comparison)[Level.MERGES] == DIFFER


def test_words_of_equal_counts_are_a_tie_and_others_are_not(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task(Algorithm.WORDLEVEL, {"a": 3, "b": 2, "c": 2, "d": 1}, vocab_size=2)
    model = learned(on)
    assert list(model.tokens) == ["a", "b"]
    tied = replace(model, tokens={"a": 0, "c": 1})
    assert agreements(compared(model, tied, on))[Level.TOKENS] == TIE
    rarer = replace(model, tokens={"a": 0, "d": 1})
    assert agreements(compared(model, rarer, on))[Level.TOKENS] == DIFFER
    moved = replace(model, tokens={"b": 0, "a": 1})
    assert agreements(compared(model, moved, on)) == {Level.TOKENS: AGREE, Level.IDS: DIFFER}
    shifted = replace(model, tokens={"a": 1, "b": 2})
    assert agreements(compared(model, shifted, on)) == {Level.TOKENS: AGREE, Level.IDS: DIFFER}


def unigram(*pieces: tuple[str, float]) -> TrainedModel:
    return TrainedModel({piece: id_ for id_, (piece, _) in enumerate(pieces)}, None, dict(pieces), 0.0, None)


def test_pieces_of_equal_scores_are_a_tie(task: Callable[..., TrainingTask]) -> None:
    on = task(Algorithm.UNIGRAM)
    first = unigram(("u", -1.0), ("h", -2.0), ("g", -2.0), ("hug", -3.0), ("pun", -3.0))
    order = unigram(("u", -1.0), ("g", -2.0), ("h", -2.0), ("hug", -3.0), ("pun", -3.0))
    assert agreements(compared(first, order, on)) == {Level.TOKENS: AGREE, Level.SCORES: AGREE, Level.IDS: TIE}
    last = unigram(("u", -1.0), ("h", -2.0), ("g", -2.0), ("hug", -3.0), ("bun", -3.0))
    assert agreements(compared(first, last, on))[Level.TOKENS] == TIE
    not_last = unigram(("u", -1.0), ("h", -2.0), ("ug", -2.0), ("hug", -3.0), ("pun", -3.0))
    assert agreements(compared(first, not_last, on))[Level.TOKENS] == DIFFER


def test_characters_that_pruning_dropped_may_exchange_their_scores_and_no_others(
    task: Callable[..., TrainingTask],
) -> None:
    on = task(Algorithm.UNIGRAM)
    first = unigram(("u", -1.0), ("g", -2.0), ("p", -8.9998), ("b", -8.9999), ("s", -9.0), ("pun", -9.0))
    order = unigram(("u", -1.0), ("g", -2.0), ("s", -8.9998), ("b", -8.9999), ("p", -9.0), ("pun", -9.0))
    comparison = compared(first, order, on)
    assert agreements(comparison) == {Level.TOKENS: AGREE, Level.SCORES: TIE, Level.IDS: TIE}
    high = unigram(("g", -1.0), ("u", -2.0), ("p", -8.9998), ("b", -8.9999), ("s", -9.0), ("pun", -9.0))
    assert agreements(compared(first, high, on))[Level.SCORES] == DIFFER
    long = unigram(("u", -1.0), ("g", -2.0), ("pun", -8.9998), ("b", -8.9999), ("s", -9.0), ("p", -9.0))
    assert agreements(compared(first, long, on))[Level.SCORES] == DIFFER
    other = unigram(("u", -1.0), ("g", -2.0), ("s", -8.9998), ("b", -8.9999), ("p", -8.9999), ("pun", -9.0))
    assert agreements(compared(first, other, on))[Level.SCORES] == DIFFER


def test_alphabets_that_a_limit_draws_from_equally_frequent_characters_are_a_tie(
    task: Callable[..., TrainingTask],
) -> None:
    on = task(words={"aab": 2, "aac": 2, "aad": 1}, vocab_size=3, limit_alphabet=2)
    models = {last: TrainedModel({"a": 0, last: 1, "aa": 2}, (("a", "a"),), None, 0.0, None) for last in "bcd"}
    assert compared(models["b"], models["c"], on).agreement == TIE
    assert compared(models["b"], models["d"], on).agreement == DIFFER


def test_pairs_of_words_that_begin_as_other_tokens_are_no_tie(task: Callable[..., TrainingTask]) -> None:
    """Each side counts only the pairs of characters that its alphabet has."""
    on = task(words={"ab": 3, "ac": 3}, vocab_size=3, limit_alphabet=2)
    first, second = (
        TrainedModel({"a": 0, char: 1, f"a{char}": 2}, (("a", char),), None, 0.0, None) for char in ("b", "c")
    )
    divergence = compared(first, second, on).divergence
    assert divergence is not None
    assert divergence.first is not None
    assert divergence.second is not None
    assert (divergence.first.count, divergence.second.count) == (3, 3)
    assert (divergence.first.count_on_other_side, divergence.second.count_on_other_side) == (0, 0)
    assert divergence.kind == DivergenceKind.EACH_ITS_OWN


def test_ids_of_other_pieces_are_no_tie(task: Callable[..., TrainingTask]) -> None:
    first = unigram(("u", -1.0), ("h", -2.0), ("g", -2.0), ("hug", -3.0), ("pun", -3.0))
    other = unigram(("u", -1.0), ("g", -2.0), ("h", -2.0), ("ug", -2.0), ("pun", -3.0))
    found = agreements(compared(first, other, task(Algorithm.UNIGRAM)))
    assert found == {Level.TOKENS: DIFFER, Level.SCORES: AGREE, Level.IDS: DIFFER}


@pytest.mark.parametrize("algorithm", [Algorithm.BPE, Algorithm.WORDPIECE, Algorithm.WORDLEVEL])
def test_other_ids_of_special_tokens_are_no_tie(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel], algorithm: Algorithm
) -> None:
    on = task(algorithm, special_tokens=("<s>", "<t>"))
    model = learned(on)
    comparison = compared(model, renumbered(model, "<s>", "<t>"), on)
    assert agreements(comparison)[Level.IDS] == DIFFER
    assert {moved.token for moved in comparison.moved.entries} == {"<s>", "<t>"}


@pytest.mark.parametrize("algorithm", [Algorithm.BPE, Algorithm.WORDPIECE])
def test_a_special_token_of_one_side_only_is_no_tie(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel], algorithm: Algorithm
) -> None:
    on = task(algorithm, special_tokens=("<s>",), vocab_size=10)
    model = learned(on)
    comparison = compared(model, without(model, "<s>"), replace(on, options=replace(on.options, vocab_size=9)))
    assert comparison.only_first.entries == ("<s>",)
    assert agreements(comparison)[Level.TOKENS] == DIFFER


@pytest.mark.parametrize(("other", "expected"), [("c", TIE), ("d", DIFFER)])
def test_merges_of_other_alphabets_are_a_tie_only_where_their_characters_are_equally_frequent(
    task: Callable[..., TrainingTask], other: str, expected: Agreement
) -> None:
    on = task(words={"ab": 3, "ac": 3, "ad": 1}, vocab_size=3, limit_alphabet=2)
    first, second = (
        TrainedModel({"a": 0, char: 1, f"a{char}": 2}, (("a", char),), None, 0.0, None) for char in ("b", other)
    )
    comparison = compared(first, second, on)
    assert agreements(comparison)[Level.TOKENS] == expected
    assert agreements(comparison)[Level.MERGES] == expected


# What is shown -------------------------------------------------------------------------------------------------------


def test_the_effect_on_the_corpus_counts_words_tokens_and_kinds(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task(vocab_size=9)
    model = learned(on)  # one merge more than the alphabet of 7, and another: ug, un
    fewer = learned(task(vocab_size=8))
    effect = compared(model, fewer, on).effect
    assert (effect.words, effect.kinds) == (36, 5)
    assert (effect.differing_words, effect.differing_kinds) == (16, 2)
    assert effect.second_tokens - effect.first_tokens == 16
    assert [(split.word, split.first, split.second) for split in effect.examples] == [
        ("pun", ("p", "un"), ("p", "u", "n")),
        ("bun", ("b", "un"), ("b", "u", "n")),
    ]


def test_kinds_of_tokens_are_told_in_the_order_of_their_ids(task: Callable[..., TrainingTask]) -> None:
    on = task(Algorithm.WORDPIECE, special_tokens=("[UNK]",))
    first = TrainedModel({"[UNK]": 0, "h": 1, "##u": 2, "hu": 3}, None, None, 0.0, None)
    second = TrainedModel({"hu": 0, "[UNK]": 1, "h": 2, "##u": 3}, None, None, 0.0, None)
    assert compared(first, second, on).layouts == (
        (TokenOrigin.SPECIAL, TokenOrigin.CHARACTER, TokenOrigin.AFFIXED, TokenOrigin.LEARNED),
        (TokenOrigin.LEARNED, TokenOrigin.SPECIAL, TokenOrigin.CHARACTER, TokenOrigin.AFFIXED),
    )


def test_pieces_within_one_kind_of_word_are_counted(task: Callable[..., TrainingTask]) -> None:
    on = task(Algorithm.UNIGRAM, {"hug": 9, "hugs": 1, "pun": 50})
    first = unigram(("hug", -1.0), ("pun", -1.0), ("u", -2.0))
    second = unigram(("ug", -1.0), ("pu", -1.0), ("u", -2.0), ("nowhere", -3.0))
    assert compared(first, second, on).in_one_word == (1, 1)
    assert words_with({"ug", "u", "x"}, on) == {"u": 3, "ug": 2, "x": 0}
