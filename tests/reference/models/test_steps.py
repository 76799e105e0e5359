"""The steps of a word: what won, what lost, which paths there are, and why a word is unknown."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

from tokenizer_reference.models import BPE, Unigram, WordLevel, WordPiece
from tokenizer_reference.models.bpe_steps import SymbolKind, bpe_steps
from tokenizer_reference.models.lookups import WhyUnknown, word_lookup, wordpiece_matches
from tokenizer_reference.models.unigram_paths import unigram_paths

# BPE -----------------------------------------------------------------------------------------------------------------


def test_the_lowest_rank_wins_and_the_leftmost_of_equals() -> None:
    model = BPE({"a": 0, "b": 1, "ab": 2, "ba": 3}, [("a", "b"), ("b", "a")])
    first, second = bpe_steps(model, "abab").merges
    assert (first.won.rank, first.won.position, first.result) == (0, 0, "ab")
    assert [(other.rank, other.position) for other in first.others] == [(0, 2), (1, 1)]
    assert first.many == 2
    assert (second.won.position, second.others) == (1, ())


def test_what_a_character_starts_as() -> None:
    model = BPE({"a": 0, "<0x62>": 1, "<u>": 2}, [], byte_fallback=True, unk_token="<u>", fuse_unk=True)
    steps = bpe_steps(model, "abcd")
    kinds = [symbol.kind for symbol in steps.symbols]
    assert kinds == [SymbolKind.VOCABULARY, SymbolKind.BYTES, SymbolKind.UNKNOWN, SymbolKind.UNKNOWN]
    assert steps.start == steps.tokens == ("a", "<0x62>", "<u>")
    assert bpe_steps(BPE({"a": 0}, []), "x").symbols[0].kind is SymbolKind.DROPPED


def test_a_word_that_the_vocabulary_has_is_not_merged() -> None:
    model = BPE({"a": 0, "aa": 1}, [], ignore_merges=True)
    assert bpe_steps(model, "aa").is_whole
    assert not bpe_steps(model, "aaa").is_whole


def test_only_the_best_that_lost_are_kept_and_all_are_counted() -> None:
    model = BPE({"a": 0, "aa": 1}, [("a", "a")])
    first = bpe_steps(model, "a" * 20).merges[0]
    assert (len(first.others), first.many) == (4, 18)


# Unigram -------------------------------------------------------------------------------------------------------------


def every_path(size: int) -> list[tuple[int, ...]]:
    inner = range(1, size)
    return [(0, *cuts, size) for count in range(size) for cuts in combinations(inner, count)]


def test_best_and_second_are_the_best_two_of_all_paths() -> None:
    rng = Random("paths")
    for _ in range(150):
        pieces = {"".join(rng.choices("ab", k=rng.randint(1, 3))): -rng.randint(1, 12) / 4 for _ in range(6)}
        model = Unigram([("<u>", -9.0), *pieces.items()], unk_id=0)
        text = "".join(rng.choices("ab", k=rng.randint(1, 6)))
        found = unigram_paths(model, text)
        scores = {(piece.start, piece.end): Fraction(piece.score) for piece in found.lattice}
        sums = sorted(
            (sum((scores[span] for span in pairwise(cuts)), Fraction(0))
            for cuts in every_path(len(text))
            if all(span in scores for span in pairwise(cuts))), reverse=True,
        )  # fmt: skip
        assert found.best is not None
        assert found.best.cuts == found.cuts
        assert found.best.exact == sums[0]
        assert (None if found.second is None else found.second.exact) == (sums[1] if len(sums) > 1 else None)


def test_a_tie_is_one_only_by_exact_arithmetic() -> None:
    tie = unigram_paths(Unigram([("a", -1.0), ("b", -1.0), ("ab", -2.0)]), "ab")
    assert tie.margin == 0
    rounded = unigram_paths(Unigram([("a", -0.1), ("b", -0.2), ("ab", -0.3)]), "ab")
    assert rounded.margin != 0
    assert rounded.best is not None
    assert rounded.second is not None
    assert abs(rounded.best.rounded - rounded.second.rounded) < 1e-15


def test_scores_that_are_not_finite_have_no_exact_sum() -> None:
    found = unigram_paths(Unigram([("a", float("-inf")), ("aa", -1.0)]), "aa")
    assert (found.best, found.second, found.margin) == (None, None, None)


def test_unknown_characters_are_pieces_of_the_lattice() -> None:
    found = unigram_paths(Unigram([("<u>", -1.0), ("a", -2.0)], unk_id=0), "ax")
    assert [(piece.text, piece.score, piece.is_unknown) for piece in found.lattice] == [
        ("a", -2.0, False),
        ("x", -12.0, True),
    ]


# WordPiece and WordLevel ---------------------------------------------------------------------------------------------


def test_why_a_word_is_unknown() -> None:
    model = WordPiece({"[UNK]": 0, "a": 1, "##b": 2}, max_input_chars_per_word=3)
    assert wordpiece_matches(model, "ab").why_unknown is None
    none = wordpiece_matches(model, "ac")
    assert none.why_unknown is WhyUnknown.NO_PIECE
    assert [(match.token, match.tried) for match in none.matches] == [("a", ("ac", "a")), (None, ("##c",))]
    long = wordpiece_matches(model, "abbb")
    assert (long.why_unknown, long.matches, long.limit) == (WhyUnknown.TOO_LONG, (), 3)
    level = WordLevel({"<unk>": 0, "a": 1})
    assert word_lookup(level, "a").why_unknown is None
    assert word_lookup(level, "b").why_unknown is WhyUnknown.NOT_IN_VOCABULARY
