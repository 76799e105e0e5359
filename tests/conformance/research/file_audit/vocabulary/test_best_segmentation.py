"""The lemma about scores, held against all texts up to a length over small random vocabularies."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
from tokenizer_conformance.research.file_audit.vocabulary.models import Segmentation
from tokenizer_conformance.research.file_audit.vocabulary.proofs import Blocked, Reason
from tokenizer_conformance.research.file_audit.vocabulary.reachability import Reached

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[[dict[str, Any]], Any]

SEEDS = range(40)


def unigram_document(pieces: list[tuple[str, float]], unk_id: int | None = 0, **options: Any) -> dict[str, Any]:
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": unk_id, "vocab": [list(piece) for piece in pieces]} | options,
    }


def random_unigram(seed: int, *, ties: bool) -> dict[str, Any]:
    drawn = random.Random(seed)
    letters = drawn.choice(["ab", "abc"])
    names = {"".join(drawn.choices(letters, k=drawn.randint(1, 4))) for _ in range(12)}
    score = (lambda: -float(drawn.randint(1, 4))) if ties else (lambda: -drawn.uniform(1, 6))
    return unigram_document([("<u>", 0.0), *((name, score()) for name in sorted(names))])


@pytest.mark.long_but(1)
@pytest.mark.parametrize("ties", [False, True])
def test_what_is_declared_holds_for_all_texts_up_to_a_length(load: Load, ties: bool) -> None:
    texts = ["".join(each) for size in range(1, 7) for each in product("abc", repeat=size)]
    blocked = 0
    for seed in SEEDS:
        tokenizer = load(random_unigram(seed, ties=ties))
        given = tokenizer.ids_of_all(texts)
        found = tokenizer.reachability
        assert not found.not_found(), seed
        for each in found.decided:
            if each.entry.id in given:
                assert found.proofs.of(each.entry) is None, (seed, each)
            if isinstance(each.decision, Blocked):
                blocked += 1
                assert each.entry.id not in given, (seed, each)
            else:
                assert isinstance(each.decision, Reached)
                assert each.entry.id in tokenizer.ids_of_all([each.decision.text])
    assert blocked > 5


PIECES = [("<u>", 0.0), ("a", -1.0), ("b", -1.0), ("c", -3.0)]


@pytest.mark.parametrize(
    ("score", "better"),
    [
        (-2.5, ("a", "b")),
        (-2.0000005, None),  # within the margin, only a text can tell
        (-2.0, None),  # the target keeps the longer piece
        (-1.5, None),
    ],
)
def test_a_lead_has_to_be_greater_than_rounding(score: float, better: tuple[str, ...] | None) -> None:
    found = Segmentation(DocumentParts(unigram_document([*PIECES, ("ab", score)]))).better("ab")
    assert (found and found[0]) == better


def test_an_unknown_character_is_ten_worse_than_the_worst_piece() -> None:
    pieces = [("<u>", 0.0), ("a", -1.0), ("xa", -14.5)]
    # The worst piece is "xa" itself: the unknown "x" costs 24.5, and "a" one more.
    assert Segmentation(DocumentParts(unigram_document(pieces))).better("xa") is None


def test_of_pieces_that_are_there_twice_the_later_one_counts(load: Load) -> None:
    tokenizer = load(unigram_document([*PIECES, ("ab", -0.5), ("ab", -0.7)]))
    decisions = {each.entry.id: each.decision for each in tokenizer.reachability.decided}
    assert decisions[4] == Blocked(Reason.REPEATED, '"ab" is there again later, with id 5')
    assert isinstance(decisions[5], Reached)


def test_scores_that_are_no_numbers_prove_nothing() -> None:
    document = unigram_document([*PIECES, ("ab", -9.0)])
    document["model"]["vocab"][1][1] = float("inf")
    assert Segmentation(DocumentParts(document)).better("ab") is None
