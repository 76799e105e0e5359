"""The lemma about merges, held against all texts up to a length over small random vocabularies."""

from __future__ import annotations

import random
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
from tokenizer_conformance.research.file_audit.vocabulary.models import Merging
from tokenizer_conformance.research.file_audit.vocabulary.proofs import Blocked, Reason
from tokenizer_conformance.research.file_audit.vocabulary.reachability import NotFound, Reached

if TYPE_CHECKING:
    from collections.abc import Callable

    Load = Callable[[dict[str, Any]], Any]
    Document = dict[str, Any]

SEEDS = range(40)
LONGEST = 5

OPTIONS = (
    {},
    {"continuing_subword_prefix": "#"},
    {"end_of_word_suffix": "$"},
    {"continuing_subword_prefix": "#", "end_of_word_suffix": "$"},
    {"ignore_merges": True},
    {"unk_token": "<u>", "fuse_unk": True},
    {"unk_token": "<u>", "byte_fallback": True},
    {"dropout": 0.5},
)


def bpe_document(vocabulary: list[str], merges: list[tuple[str, str]], **options: Any) -> dict[str, Any]:
    model = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": {token: number for number, token in enumerate(vocabulary)},
        "merges": [list(merge) for merge in merges],
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        "model": model | options,
    }


def random_bpe(seed: int, options: Document) -> dict[str, Any]:
    """A vocabulary over "abc" with merges in random order, and entries that no merge gives among them."""
    drawn = random.Random(seed)
    prefix, suffix = options.get("continuing_subword_prefix") or "", options.get("end_of_word_suffix") or ""
    letters = "ab" if drawn.random() < 0.5 else "abc"
    symbols = [before + letter + after for letter in letters for before in {"", prefix} for after in {"", suffix}]
    if drawn.random() < 0.3:
        symbols.remove(drawn.choice(symbols))
    vocabulary, merges = list(dict.fromkeys(symbols)), []
    for _ in range(drawn.randint(4, 14)):
        left, right = drawn.choice(vocabulary), drawn.choice(vocabulary)
        ends = suffix and left.endswith(suffix)
        if ends or not right.startswith(prefix) or (left, right) in merges:
            continue
        result = left + right.removeprefix(prefix)
        if len(result) > 9:
            continue
        merges.append((left, right))
        vocabulary.append(result)
    vocabulary += ["".join(drawn.choices(letters, k=drawn.randint(2, 4))) for _ in range(3)]
    vocabulary += ["<u>"] if "unk_token" in options else []
    vocabulary += ["<0x61>", "<0xC3>"] if "byte_fallback" in options else []
    drawn.shuffle(merges)
    return bpe_document(list(dict.fromkeys(vocabulary)), merges, **options)


def texts(letters: str = "abc", longest: int = LONGEST) -> list[str]:
    return ["".join(each) for size in range(1, longest + 1) for each in product(letters, repeat=size)]


def traced(document: Document, text: str) -> tuple[list[str], list[tuple[str, str]]]:
    """BPE as its inventors tell it, with the merges that it applies: the definition that the lemma is held against."""
    model = document["model"]
    prefix, suffix = model["continuing_subword_prefix"] or "", model["end_of_word_suffix"] or ""
    symbols = [(prefix if index else "") + each for index, each in enumerate(text)]
    symbols[-1] += suffix
    symbols = [symbol for symbol in symbols if symbol in model["vocab"]]
    ranks = {tuple(pair): rank for rank, pair in enumerate(model["merges"])}
    applied = []
    while found := [(ranks[pair], at) for at, pair in enumerate(pairwise(symbols)) if pair in ranks]:
        _, at = min(found)
        left, right = symbols[at : at + 2]
        applied.append((left, right))
        symbols[at : at + 2] = [left + right.removeprefix(prefix)]
    return symbols, applied


@pytest.mark.long_but(1)
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "+".join(options) or "plain")
def test_what_is_declared_holds_for_all_texts_up_to_a_length(load: Load, options: Document) -> None:
    blocked = reached = 0
    for seed in SEEDS:
        tokenizer = load(random_bpe(seed, options))
        given = tokenizer.ids_of_all(texts() * (3 if options.get("dropout") else 1))
        found = tokenizer.reachability
        for each in found.decided:
            if each.entry.id in given:
                assert found.proofs.of(each.entry) is None, (seed, each)
            if isinstance(each.decision, Blocked):
                blocked += 1
                assert each.entry.id not in given, (seed, each)
            if isinstance(each.decision, Reached):
                reached += 1
                if not options.get("dropout"):  # what is given at random was given once
                    assert each.entry.id in tokenizer.ids_of_all([each.decision.text]), (seed, each)
            if each.entry.id in given:
                assert isinstance(each.decision, Reached | NotFound), (seed, each)
    # Without a pre-tokenizer, each entry is a word that ignore_merges takes as it is.
    assert blocked > 20 or options.get("ignore_merges")
    assert reached > 150


@pytest.mark.parametrize("options", OPTIONS[:4], ids=lambda options: "+".join(options) or "plain")
def test_nothing_is_left_undecided_where_the_lemma_applies(load: Load, options: Document) -> None:
    for seed in SEEDS:
        found = load(random_bpe(seed, options)).reachability
        if not found.proofs.merging.no_proof:
            assert not found.not_found(), seed


@pytest.mark.long_but(2)
@pytest.mark.parametrize("options", OPTIONS[:4], ids=lambda options: "+".join(options) or "plain")
def test_dead_merges_are_those_that_no_text_applies(load: Load, options: Document) -> None:
    dead_ones = 0
    for seed in SEEDS:
        document = random_bpe(seed, options)
        tokenizer = load(document)
        merging = Merging(DocumentParts(document))
        if merging.no_proof:
            continue
        dead = {pair for pair, _ in merging.dead()}
        dead_ones += len(dead)
        applied: set[tuple[str, str]] = set()
        for text in texts(longest=5):
            symbols, merges = traced(document, text)
            assert tokenizer.tokens(text) == tuple(symbols)
            applied.update(merges)
        assert not dead & applied, seed
        affixes = len(merging.prefix) + len(merging.suffix)
        for pair in set(merging.ranks) - dead - applied:
            assert len(merging.result(pair)) > 5 - affixes, (seed, pair)
    assert dead_ones


def test_without_a_dead_merge_every_text_is_the_same(load: Load) -> None:
    tried = 0
    for seed in SEEDS:
        document = random_bpe(seed, {})
        dead = [list(pair) for pair, _ in Merging(DocumentParts(document)).dead()]
        if not dead:
            continue
        tried += 1
        kept = [pair for pair in document["model"]["merges"] if pair not in dead]
        whole, other = load(document), load(bpe_document(list(document["model"]["vocab"]), kept))
        for text in texts():
            assert whole.tokens(text) == other.tokens(text), (seed, text)
    assert tried > 5


ALPHABET = ["a", "b", "c"]


@pytest.mark.parametrize(
    ("merges", "reason"),
    [
        ([("a", "b"), ("b", "c"), ("a", "bc")], "earlier merges make"),
        ([("b", "c")], "no merge gives it"),
        ([("a", "b"), ("ab", "c")], None),
        ([("b", "c"), ("a", "bc"), ("a", "b")], None),
    ],
)
def test_the_clause_says_what_is_in_the_way(load: Load, merges: list[tuple[str, str]], reason: str | None) -> None:
    results = [left + right for left, right in merges]
    tokenizer = load(bpe_document(list(dict.fromkeys([*ALPHABET, *results, "abc"])), merges))
    decision = next(each.decision for each in tokenizer.reachability.decided if each.entry.token == "abc")
    if reason is None:
        assert isinstance(decision, Reached)
    else:
        assert isinstance(decision, Blocked)
        assert decision.reason is Reason.MERGE_ORDER
        assert decision.because.startswith(reason)


@pytest.mark.parametrize(
    ("options", "vocabulary", "merges", "why"),
    [
        ({"unk_token": "a"}, ["a", "b", "ab"], [("a", "b")], "the unknown token is part of a merge"),
        ({"byte_fallback": True}, ["<0x61>", "b", "<0x61>b"], [("<0x61>", "b")], "a byte token is part of a merge"),
        ({"continuing_subword_prefix": "#"}, ["a", "b", "a#"], [("a", "b#")], "the right part of a merge"),
    ],
)
def test_there_is_no_proof_where_the_lemma_does_not_apply(
    options: Document, vocabulary: list[str], merges: list[tuple[str, str]], why: str
) -> None:
    merging = Merging(DocumentParts(bpe_document(vocabulary, merges, **options)))
    assert merging.no_proof.startswith(why)
    assert not list(merging.dead())


def test_shared_ids_allow_no_proof() -> None:
    document = bpe_document(["a", "b", "ab"], [("a", "b")])
    document["model"]["vocab"]["b"] = 0
    assert Merging(DocumentParts(document)).no_proof == "ids are not unique"


def test_a_word_that_is_an_entry_needs_no_merges_where_they_are_ignored(load: Load) -> None:
    document = bpe_document(["a", "b", "ab"], [], ignore_merges=True)
    found = load(document).reachability
    assert all(found.proofs.of(each.entry) is None for each in found.decided)
    characters = {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": False}
    cut = load(document | {"pre_tokenizer": characters}).reachability
    decision = next(each.decision for each in cut.decided if each.entry.token == "ab")
    assert isinstance(decision, Blocked)
    assert decision.reason is Reason.PRE_TOKENIZATION


def test_a_token_is_derivable_where_any_order_of_merges_leads_to_it() -> None:
    merges = [("b", "c"), ("a", "b"), ("ab", "c"), ("c", "d")]
    model = Merging(DocumentParts(bpe_document(["a", "b", "c", "d", "bc", "ab", "abc", "cd", "abd"], merges)))
    assert {token: model.is_derivable(token) for token in ("a", "bc", "abc", "cd", "abd", "x")} == {
        "a": True,
        "bc": True,
        "abc": True,
        "cd": True,
        "abd": False,
        "x": False,
    }
    prefixed = bpe_document(["a", "#b", "ab"], [("a", "#b")], continuing_subword_prefix="#")
    assert Merging(DocumentParts(prefixed)).is_derivable("ab")
