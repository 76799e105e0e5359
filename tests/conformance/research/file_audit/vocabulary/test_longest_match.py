"""What WordPiece never gives, held against all words up to a length over small random vocabularies."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.research.file_audit.vocabulary.proofs import Blocked, Reason
from tokenizer_conformance.research.file_audit.vocabulary.reachability import Reached

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[[dict[str, Any]], Any]

SEEDS = range(60)


def wordpiece_document(
    tokens: list[str], pre_tokenizer: dict[str, Any] | None = None, longest: int = 100
) -> dict[str, Any]:
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": longest,
            "vocab": {token: number for number, token in enumerate(["[UNK]", *tokens])},
        },
    }


def random_wordpiece(seed: int) -> dict[str, Any]:
    """Pieces over "ab", all beginnings with their continuations, so that many a continuation is shadowed."""
    drawn = random.Random(seed)
    letters = drawn.choice(["ab", "a"])
    names = {"".join(drawn.choices(letters, k=drawn.randint(1, 4))) for _ in range(drawn.randint(2, 12))}
    continuing = {"##" + "".join(drawn.choices(letters, k=drawn.randint(1, 3))) for _ in range(drawn.randint(1, 6))}
    return wordpiece_document(sorted(names | continuing), {"type": "BertPreTokenizer"}, drawn.choice([3, 100]))


@pytest.mark.long
def test_what_is_declared_holds_for_all_words_up_to_a_length(load: Load) -> None:
    words = ["".join(each) for size in range(1, 9) for each in product("ab#", repeat=size) if "##" not in "".join(each)]
    words = [word for word in words if len(word) <= 5 or "#" not in word]
    reasons = set()
    for seed in SEEDS:
        tokenizer = load(random_wordpiece(seed))
        given = tokenizer.ids_of_all(words)
        found = tokenizer.reachability
        for each in found.decided:
            if each.entry.id in given:
                assert found.proofs.of(each.entry) is None, (seed, each)
            if isinstance(each.decision, Blocked):
                reasons.add(each.decision.reason)
                assert each.entry.id not in given, (seed, each)
            elif isinstance(each.decision, Reached):
                assert each.entry.id in tokenizer.ids_of_all([each.decision.text])
            else:
                assert each.entry.id not in given, (seed, each)
    assert reasons == {Reason.LONGEST_MATCH, Reason.WORD_LENGTH}


@pytest.mark.parametrize(
    ("tokens", "longest", "entry", "expected"),
    [
        (["a", "ab", "##b"], 2, "##b", Reason.LONGEST_MATCH),
        (["a", "ab", "##b"], 3, "##b", Reached),  # "abb"
        (["a", ".", "ab", "##b"], 2, "##b", Reason.LONGEST_MATCH),  # the point stands alone
        (["a", "c", "ab", "##b"], 2, "##b", Reached),  # "cb"
        (["a" * 101], 100, "a" * 101, Reason.WORD_LENGTH),
        (["a", "##" + "a" * 100], 100, "##" + "a" * 100, Reason.WORD_LENGTH),
        (["a", "##" + "a" * 99], 100, "##" + "a" * 99, Reached),
    ],
)
def test_a_continuation_needs_something_before_it(
    load: Load, tokens: list[str], longest: int, entry: str, expected: Any
) -> None:
    tokenizer = load(wordpiece_document(tokens, {"type": "BertPreTokenizer"}, longest))
    decision = next(each.decision for each in tokenizer.reachability.decided if each.entry.token == entry)
    if isinstance(expected, Reason):
        assert isinstance(decision, Blocked)
        assert decision.reason is expected
    else:
        assert isinstance(decision, Reached)


def test_a_word_that_is_spelt_with_the_prefix_gives_a_continuation(load: Load) -> None:
    tokenizer = load(wordpiece_document(["a", "ab", "##b"], {"type": "WhitespaceSplit"}))
    decision = next(each.decision for each in tokenizer.reachability.decided if each.entry.token == "##b")
    assert decision == Reached("##b")
