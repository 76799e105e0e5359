"""Unigram: its rules case by case, beside the target."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers.models
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference.errors import ModelError, UpstreamPanicError
from tokenizer_reference.models import Unigram

if TYPE_CHECKING:
    from collections.abc import Iterator

Scored = list[tuple[str, float]]
Rows = list[tuple[int, str, tuple[int, int]]]


def even(*pieces: str, score: float = -1.0) -> Scored:
    return [(piece, score) for piece in pieces]


UNK: Scored = [("<unk>", 0.0)]
BYTES = even("<0xC3>", "<0xA9>")

RULES: list[tuple[str, Scored, int | None, bool, str, Rows]] = [
    ("the highest sum", [*UNK, *even("a", "b"), ("ab", -1.9)], 0, False, "ab", [(3, "ab", (0, 2))]),
    ("of equal sums the piece that begins first", [*UNK, *even("a", "b"), ("ab", -2.0)], 0, False, "ab",
     [(3, "ab", (0, 2))]),
    ("of equal sums the last piece that begins first", [*UNK, *even("a", "b", "c"), ("ab", -2.0), ("bc", -2.0)], 0,
     False, "abc",
     [(1, "a", (0, 1)), (5, "bc", (1, 3))]),
    ("offsets are bytes", [*UNK, *even("日", "é")], 0, False, "é日", [(2, "é", (0, 2)), (1, "日", (2, 5))]),
    ("unknown characters in a row are one", [*UNK, *even("a")], 0, False, "xyaé",
     [(0, "xy", (0, 2)), (1, "a", (2, 3)), (0, "é", (3, 5))]),
    ("an unknown character scores 10 less than the worst piece", [*UNK, *even("ab", "b", score=-30.0), ("a", -1.0)],
     0, False,
     "ab", [(1, "ab", (0, 2))]),
    ("no unknown edge where the character is a piece", [*UNK, ("a", -100.0), ("b", -1.0)], 0, False, "ab",
     [(1, "a", (0, 1)), (2, "b", (1, 2))]),
    ("a run of unknown characters may be a piece", [*UNK, ("xy", -100.0)], 0, False, "xy", [(1, "xy", (0, 2))]),
    ("the unknown token in the text joins its unknown neighbours", [*UNK, *even("a")], 0, False, "a<unk>xa",
     [(1, "a", (0, 1)), (0, "<unk>x", (1, 7)), (1, "a", (7, 8))]),
    ("any piece can be the unknown one", even("a", "b"), 1, False, "abx", [(0, "a", (0, 1)), (1, "bx", (1, 3))]),
    ("the last of equal pieces counts", [*UNK, ("a", -1.0), ("b", -1.0), ("ab", -1.0), ("ab", -5.0)], 0, False, "ab",
     [(1, "a", (0, 1)), (2, "b", (1, 2))]),
    ("bytes have the offsets of the whole run", [*UNK, *BYTES], 0, True, "éé",
     [(1, "<0xC3>", (0, 4)), (2, "<0xA9>", (0, 4)), (1, "<0xC3>", (0, 4)), (2, "<0xA9>", (0, 4))]),
    ("one byte missing: the run is unknown", [*UNK, *BYTES], 0, True, "éx", [(0, "éx", (0, 3))]),
    ("bytes only where asked for", [*UNK, *BYTES], 0, False, "é", [(0, "é", (0, 2))]),
    ("an empty piece never fits", [("", -1.0), ("a", -1.0)], 0, False, "aa", [(1, "a", (0, 1)), (1, "a", (1, 2))]),
    ("nothing from nothing", UNK, 0, False, "", []),
    ("no unknown token needed", even("a"), None, False, "aa", [(0, "a", (0, 1)), (0, "a", (1, 2))]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("vocab", "unk_id", "byte_fallback", "text", "expected"),
    [rule[1:] for rule in RULES],
    ids=[rule[0] for rule in RULES],
)
def test_rules_are_the_targets(
    vocab: Scored, unk_id: int | None, byte_fallback: bool, text: str, expected: Rows
) -> None:
    for models in (Unigram, tokenizers.models.Unigram):
        assert [token.as_tuple() for token in models(vocab, unk_id, byte_fallback).tokenize(text)] == expected


@pytest.mark.parametrize("text", ["x", "ax", "ab"])
def test_an_unknown_character_without_unknown_token_is_an_error(text: str) -> None:
    # "ab" is a piece; but "b" is none, nor "a", so that a path over "a" and "b" is begun.
    vocab = even("ab")
    with pytest.raises(ModelError, match="`unk_id` is missing"):
        Unigram(vocab).tokenize(text)
    with pytest.raises(Exception, match="`unk_id` is missing"):
        tokenizers.models.Unigram(vocab).tokenize(text)


# The best cut --------------------------------------------------------------------------------------------------------


def all_cuts(pieces: dict[str, float], text: str) -> Iterator[list[str]]:
    if not text:
        yield []
    for end in range(1, len(text) + 1):
        if text[:end] in pieces:
            for rest in all_cuts(pieces, text[end:]):
                yield [text[:end], *rest]


whole_scores = st.integers(-9, 3).map(float)  # whole, so that sums do not depend on the order of adding


@given(
    st.dictionaries(st.text("abé", min_size=2, max_size=4), whole_scores, max_size=12),
    st.tuples(whole_scores, whole_scores, whole_scores),
    st.text("abé", max_size=9),
)
def test_the_cut_is_one_of_the_best(longer: dict[str, float], single: tuple[float, float, float], text: str) -> None:
    pieces = {**longer, **dict(zip("abé", single, strict=True))}
    values = [token.value for token in Unigram(list(pieces.items())).tokenize(text)]
    assert "".join(values) == text
    assert sum(pieces[value] for value in values) == max(
        sum(pieces[piece] for piece in cut) for cut in all_cuts(pieces, text)
    )


def test_a_long_text_is_the_targets() -> None:
    vocab = [*UNK, ("a", -2.0), ("aa", -3.1), ("aab", -3.3), ("ba", -2.9), ("é", -4.0)]
    text = "aabaxéyb" * 5_000
    target = tokenizers.models.Unigram(vocab, 0)
    ours = [token.as_tuple() for token in Unigram(vocab, 0).tokenize(text)]
    assert ours == [token.as_tuple() for token in target.tokenize(text)]


# Sampling ------------------------------------------------------------------------------------------------------------

SAMPLED = [*UNK, ("a", -1.0), ("b", -2.0), ("c", -1.5), ("ab", -2.0), ("bc", -2.7), ("abc", -4.4)]


def drawn(model: Any, text: str, draws: int) -> dict[tuple[str, ...], float]:
    counts = Counter(tuple(token.value for token in model.tokenize(text)) for _ in range(draws))
    return {cut: count / draws for cut, count in counts.items()}


def seeded(alpha: float, nbest_size: int | None = None) -> Unigram:
    model = Unigram(SAMPLED, 0, alpha=alpha, nbest_size=nbest_size)
    model._random.seed(3)
    return model


def published(cuts: list[tuple[str, ...]], alpha: float) -> dict[tuple[str, ...], float]:
    """Return how probable each cut is: its probability to the power of alpha, normalized."""
    scores = dict(SAMPLED)
    weights = {cut: math.exp(alpha * sum(scores[piece] for piece in cut)) for cut in cuts}
    return {cut: weight / sum(weights.values()) for cut, weight in weights.items()}


ABC = [("ab", "c"), ("a", "bc"), ("abc",), ("a", "b", "c")]


@pytest.mark.long_but(2)
@pytest.mark.parametrize(("alpha", "nbest_size"), [(1.0, None), (0.5, 4), (2.0, 3), (0.5, 2), (-1.0, 9)])
def test_cuts_are_drawn_by_their_probability(alpha: float, nbest_size: int | None) -> None:
    best = sorted(ABC, key=lambda cut: -sum(dict(SAMPLED)[piece] for piece in cut))[:nbest_size]
    assert drawn(seeded(alpha, nbest_size), "abc", 10_000) == pytest.approx(published(best, alpha), abs=0.02)


def test_alpha_over_all_cuts_is_not_as_published_but_as_the_target() -> None:
    # What leads to "c" is weighted by alpha twice, so cuts with an early "ab" or "b" gain.
    expected = {("ab", "c"): 0.3334, ("a", "bc"): 0.2724, ("a", "b", "c"): 0.2022, ("abc",): 0.1920}
    assert drawn(seeded(0.5), "abc", 10_000) == pytest.approx(expected, abs=0.02)
    target = tokenizers.models.Unigram(SAMPLED, 0, alpha=0.5)
    assert drawn(target, "abc", 10_000) == pytest.approx(expected, abs=0.04)
    assert published(ABC, 0.5)[("abc",)] == pytest.approx(0.204, abs=0.002)


def test_alpha_0_and_nbest_size_alone_draw_nothing() -> None:
    for model in (Unigram(SAMPLED, 0, alpha=0.0, nbest_size=3), Unigram(SAMPLED, 0, nbest_size=3)):
        assert drawn(model, "abc", 20) == {("ab", "c"): 1.0}


def test_the_best_path_alone_is_the_rule() -> None:
    assert drawn(seeded(0.5, 1), "abcxyb", 20) == {("ab", "c", "xy", "b"): 1.0}


def test_best_paths_too_improbable_for_a_float_give_the_best() -> None:
    text = "abc" * 250
    for model in (seeded(1.0, 2), tokenizers.models.Unigram(SAMPLED, 0, alpha=1.0, nbest_size=2)):
        assert drawn(model, text, 20) == {("ab", "c") * 250: 1.0}


def test_unknown_characters_are_joined_in_a_drawn_cut() -> None:
    assert drawn(seeded(0.5), "axyb", 20) == {("a", "xy", "b"): 1.0}
    assert drawn(seeded(0.5), "", 1) == {(): 1.0}


NO_UNKNOWN = SAMPLED[1:]


@pytest.mark.parametrize(
    ("vocab", "text", "alpha", "nbest_size", "expected"),
    [
        (NO_UNKNOWN, "abc", 0.5, None, "error"),
        (NO_UNKNOWN, "abc", 0.5, 2, "error"),
        (NO_UNKNOWN, "axc", 0.5, None, "panic"),
        (NO_UNKNOWN, "axc", 0.5, 2, []),
        ([("ab", -1.0)], "ab", 0.5, 1, []),
        ([("ab", -1.0)], "ab", 0.5, 2, "error"),
        (NO_UNKNOWN, "", 0.5, 2, []),
        (NO_UNKNOWN, "abc", math.nan, None, "panic"),
        (NO_UNKNOWN, "abc", 1_000.0, None, "panic"),
        (NO_UNKNOWN, "abc", -1_000.0, 3, "panic"),
    ],
)
def test_drawing_without_unknown_token_or_with_impossible_weights(
    vocab: Scored, text: str, alpha: float, nbest_size: int | None, expected: Any, tokens_of: Any
) -> None:
    for models in (Unigram, tokenizers.models.Unigram):
        assert tokens_of(models(vocab, None, alpha=alpha, nbest_size=nbest_size), text) == expected


def test_a_drawn_cut_is_not_remembered_and_the_options_can_be_set() -> None:
    model = Unigram(SAMPLED, 0)
    first = model._tokenization("abc")
    assert model._tokenization("abc") is first
    model.alpha, model.nbest_size = 0.5, 4
    assert model._tokenization("abc") is not model._tokenization("abc")
    model.alpha = None
    model._resize_cache(0)
    assert model._tokenization("abc") is not model._tokenization("abc")
    with pytest.raises(UpstreamPanicError, match="no path can be drawn"):
        seeded(math.inf).tokenize("abc")


# Construction --------------------------------------------------------------------------------------------------------


def test_without_vocabulary_there_is_the_unknown_token() -> None:
    for models in (Unigram, tokenizers.models.Unigram):
        assert [token.as_tuple() for token in models().tokenize("hi")] == [(0, "hi", (0, 2))]
    assert Unigram(None, None, True)._to_json()["byte_fallback"] is False


@pytest.mark.parametrize(("vocab", "unk_id"), [(None, 0), ([], 0), (UNK, 1)])
def test_an_unknown_token_outside_the_vocabulary_is_refused(vocab: Scored | None, unk_id: int) -> None:
    for models in (Unigram, tokenizers.models.Unigram):
        with pytest.raises(Exception, match="unk"):
            models(vocab, unk_id)


def test_lookups_and_size_with_equal_pieces() -> None:
    vocab = [*even("a", "b"), *even("a", score=-2.0)]
    model = Unigram(vocab, 0)
    assert (model.token_to_id("a"), model.token_to_id("x")) == (2, None)
    assert [model.id_to_token(id_) for id_ in (0, 1, 2, 3)] == ["a", "b", "a", None]
    assert (model._vocabulary(), model._vocabulary_size()) == ({"a": 2, "b": 1}, 3)
    target = tokenizers.Tokenizer(tokenizers.models.Unigram(vocab, 0))
    assert (target.get_vocab(), target.get_vocab_size()) == (model._vocabulary(), model._vocabulary_size())
