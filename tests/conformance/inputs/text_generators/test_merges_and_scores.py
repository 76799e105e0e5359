"""Words in which merges compete, and words of which two segmentations score nearly the same."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest
from tokenizers import Tokenizer

from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.merges import merged
from tokenizer_conformance.inputs.text_generators.scores import near_ties

if TYPE_CHECKING:
    from conftest import Bundled, Document, Made
    from tokenizer_conformance.inputs.text_generators.generator import Produced

LETTERS = "abcd"


def bpe(*merges: tuple[str, str]) -> Document:
    tokens = dict.fromkeys([*LETTERS, *("".join(merge) for merge in merges)])
    vocabulary = {token: number for number, token in enumerate(tokens)}
    return {"model": {"type": "BPE", "vocab": vocabulary, "merges": list(map(list, merges))}}


def unigram(**scores: float) -> Document:
    return {"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], *map(list, scores.items())]}}


def texts_of(produced: Produced) -> list[str]:
    return [produced.text(number) for number in range(produced.count)]


def segmentations(word: str, scores: dict[str, float]) -> list[float]:
    """The scores of all segmentations of ``word``."""
    found = []
    for size in range(len(word)):
        for cuts in combinations(range(1, len(word)), size):
            edges = (0, *cuts, len(word))
            pieces = [word[start:end] for start, end in pairwise(edges)]
            if all(piece in scores for piece in pieces):
                found.append(sum(scores[piece] for piece in pieces))
    return sorted(found, reverse=True)


@pytest.mark.parametrize(
    ("word", "prefix", "symbols"),
    [
        ("abc", "", ["ab", "c"]),
        ("abc", "##", ["ab", "##c"]),
        ("bcc", "##", ["b", "##cc"]),
        ("abcc", "##", ["abcc"]),
        ("##cc", "##", ["##cc"]),
        ("##", "##", ["#", "###"]),
        ("", "##", [""]),
    ],
)
def test_merging_cuts_the_prefix_of_what_goes_on(word: str, prefix: str, symbols: list[str]) -> None:
    of_prefix = {("a", "##b"): 0, ("##c", "##c"): 1, ("ab", "##cc"): 2}
    ranks = of_prefix if prefix else {("a", "b"): 0}
    assert merged(word, ranks, prefix) == symbols


@pytest.mark.parametrize(
    ("word", "symbols"),
    [("ab|", ["ab|"]), ("bab|", ["b", "ab|"]), ("ab", ["a", "b"]), ("a|", ["a|"]), ("|", ["|"]), ("", [""])],
)
def test_the_last_character_of_a_word_has_the_suffix(word: str, symbols: list[str]) -> None:
    assert merged(word, {("a", "b|"): 0}, suffix="|") == symbols


@pytest.mark.parametrize("seed", range(5))
def test_merging_is_that_of_the_target(seed: int) -> None:
    rng = Random(seed)
    merges: list[tuple[str, str]] = []
    for _ in range(12):
        known = [*LETTERS, *map("".join, merges)]
        merge = rng.choice(known), rng.choice(known)
        if "".join(merge) not in known:
            merges.append(merge)
    document = bpe(*merges)
    tokenizer = Tokenizer.from_str(json.dumps(document))
    for _ in range(200):
        word = "".join(rng.choices(LETTERS, k=rng.randint(1, 12)))
        assert merged(word, parts_of(document).ranks) == tokenizer.encode(word).tokens


def test_greedy_and_ranked_merging_differ_on_every_word_of_that_generator(made: Made) -> None:
    document = bpe(("b", "c"), ("a", "b"), ("c", "d"), ("bc", "d"))
    assert sorted(texts_of(made("merge-greedy", document))) == ["abc"]
    assert sorted(texts_of(made("merge-overlaps", document))) == ["bcd"]


@pytest.mark.parametrize(
    ("merges", "greedy", "overlaps"),
    [
        (("cd", "bc", "ab"), ["abc", "bcd"], []),
        (("bc", "ab", "cd", "da"), ["abc", "dab"], ["bcd", "cda"]),
        (("ab", "bc", "cd", "da"), ["dab"], ["abc", "bcd", "cda"]),
        (("aa",), [], []),
        ((), [], []),
    ],
)
def test_all_words_of_two_merges_that_overlap_come_once(
    merges: tuple[str, ...], greedy: list[str], overlaps: list[str], made: Made
) -> None:
    document = bpe(*((left, right) for left, right in merges))
    assert sorted(texts_of(made("merge-greedy", document))) == greedy
    assert sorted(texts_of(made("merge-overlaps", document))) == overlaps


def test_every_merge_stands_in_a_pack(bundled: Bundled, made: Made) -> None:
    document = bundled("llama-mini")
    packs = " ".join(texts_of(made("merge-words", document)))
    words = ["".join(merge).replace("▁", "") for merge in parts_of(document).ranks]
    assert all(word in packs for word in words)


def test_rivals_are_decided_by_their_ranks(made: Made) -> None:
    document = bpe(("a", "b"), ("b", "c"), ("c", "d"))
    words = set(" ".join(texts_of(made("merge-rivals", document))).replace("ᚠ", "").split())
    assert {"abc", "bcd"} <= words


@pytest.mark.parametrize("run", ["aa", "aaa", "aaaa", "aaaaa", "a" * 33])
def test_runs_of_a_part_that_merges_with_itself(run: str, made: Made) -> None:
    assert run in texts_of(made("merge-runs", bpe(("a", "a"))))


def test_an_exact_tie_is_found_and_is_one(made: Made) -> None:
    scores = {"a": -1.0, "b": -2.0, "c": -3.0, "ab": -1.5, "bc": -3.5}
    # ab + c is -4.5, and so is a + bc.
    assert texts_of(made("score-ties", unigram(**scores))) == ["abc"]
    assert segmentations("abc", scores)[:2] == [-4.5, -4.5]


def test_a_near_tie_is_none_but_comes_first_among_the_narrow_ones(made: Made) -> None:
    scores = {"a": -1.0, "b": -2.0, "c": -3.0, "d": -9.0, "ab": -1.5, "bc": -3.25, "cd": -10.0}
    assert made("score-ties", unigram(**scores)).count == 0
    assert near_ties(parts_of(unigram(**scores)))[0] == (0.25, "abc")
    assert "abc" in made("score-margins", unigram(**scores)).text(0)


@pytest.mark.parametrize("name", ["xlnet-mini", "t5-mini"])
def test_gaps_are_those_of_two_segmentations(name: str, bundled: Bundled) -> None:
    parts = parts_of(bundled(name))
    rows = [(gap, word) for gap, word in near_ties(parts) if len(word) <= 7][:150]
    assert len(rows) > 50
    for gap, word in rows:
        found = segmentations(word, parts.scores)
        assert any(abs(abs(one - other) - gap) < 1e-9 for one, other in combinations(found, 2)), word
