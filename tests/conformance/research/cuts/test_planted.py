"""A tokenizer that differs from another in one thing: the report names that kind, with the whole difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from compared_tokenizers import plan_of, results_of

from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.research.cuts.kinds import Group
from tokenizer_conformance.research.cuts.wording import pair_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.results.records.cuts import Pair

    Change = Callable[[dict[str, Any]], object]
    Changed = Callable[[str, Change], str]

TEXTS = (
    "The HTTPserver of McDonald's answers: 2026-11-23, 14:59 -- or it doesn't!",
    'Was "Gutenberg" born in 1400? (Nobody knows...) The caf\u00e9\'s na\u00efve fa\u00e7ade, \u00c9lan.',
    "tabs\tand  runs   of spaces\nand lines\n\n\nand \ufb01ne \uff11\uff12 \uff2f\uff2b forms",
    "the thing that they thought, THE END; 12345678 and 3rd and x86",
    "",
)


def normalizer(**component: object) -> Change:
    return lambda document: document.update(normalizer=component)


def pre_tokenizer(**component: object) -> Change:
    """Cut by ``component`` first, and then as before."""

    def change(document: dict[str, Any]) -> None:
        document["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [component, document["pre_tokenizer"]]}

    return change


def without_merges(*merges: str) -> Change:
    def change(document: dict[str, Any]) -> None:
        model = document["model"]
        before = len(model["merges"])
        wanted = [merge.split() for merge in merges]
        model["merges"] = [
            each for each in model["merges"] if (each if isinstance(each, list) else each.split()) not in wanted
        ]
        assert len(model["merges"]) == before - len(merges)

    return change


SPACES = {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}

ONE_KIND: dict[str, Change] = {
    "case": normalizer(type="Lowercase"),
    "accents": normalizer(type="Sequence", normalizers=[{"type": "NFD"}, {"type": "StripAccents"}]),
    "compatibility forms": normalizer(type="NFKC"),
    "digits": pre_tokenizer(type="Digits", individual_digits=True),
    "punctuation": pre_tokenizer(type="Punctuation", behavior="Isolated"),
    "white space": normalizer(**SPACES),
    "beginning of the text": lambda document: document["pre_tokenizer"].update(add_prefix_space=True),
}


@pytest.mark.parametrize("kind", ONE_KIND)
def test_one_change_is_one_kind_with_all_of_the_difference(kind: str, changed: Changed) -> None:
    (result,) = results_of(plan_of(["gpt2-mini", changed("gpt2-mini", ONE_KIND[kind])], TEXTS))
    assert [each.kind for each in result.kinds] == [kind]
    assert result.kinds[0].difference == result.difference
    assert result.regions > 0
    proven = [each.evidence for each in result.kinds[0].examples]
    assert set(proven) == {"proven"}


def test_a_merge_that_is_gone_is_seen_in_words_alone(changed: Changed) -> None:
    path = changed("gpt2-mini", without_merges("h e"))
    (result,) = results_of(plan_of(["gpt2-mini", path], TEXTS))
    assert {Group(each.part) for each in result.kinds} == {Group.WORDS}
    assert sum(each.difference for each in result.kinds) == result.difference > 0


def test_a_character_that_is_unknown_is_told_from_one_that_is_dropped(changed: Changed) -> None:
    def dropping(document: dict[str, Any]) -> None:
        document["normalizer"] = {
            "type": "Sequence",
            "normalizers": [
                {"type": "Replace", "pattern": {"String": "\u2603"}, "content": ""},
                document["normalizer"],
            ],
        }

    texts = ["a \u2603 b", "two \u2603\u2603"]
    (dropped,) = results_of(plan_of(["bert-mini", changed("bert-mini", dropping)], texts))
    assert [(each.kind, each.lost) for each in dropped.kinds] == [("unknown", 2)]
    (unknown,) = results_of(plan_of(["gpt2-mini", "bert-mini"], texts))
    assert [each.kind for each in unknown.kinds if "\u2603" in each.examples[0].characters] == ["unknown"]


def test_case_is_not_blamed_for_what_stays_in_lower_case(changed: Changed) -> None:
    def change(document: dict[str, Any]) -> None:
        ONE_KIND["case"](document)
        ONE_KIND["digits"](document)

    texts = ["ABC 123", "Hello", "X9Y8"]
    (result,) = results_of(plan_of(["gpt2-mini", changed("gpt2-mini", change)], texts))
    kinds = {each.kind: [x.characters for x in each.examples] for each in result.kinds}
    assert " 123" in kinds["digits"]
    assert "Hello" in kinds["case"]
    assert all(not any(character.isdigit() for character in each) for each in kinds["case"])


# Any two -------------------------------------------------------------------------------------------------------------

SOME = tuple(each.text for each in builtin_inputs() if len(each.text) < 400)[::54]


OF_EACH_SORT = ("gpt2-mini", "bert-mini", "xlnet-mini", "options-mini", "llama3-mini")
"""Bundled tokenizers of which none has the pipeline of another one."""


def sums(result: Pair) -> dict[str, tuple[int, int, int, int]]:
    return {each.kind: (each.regions, each.characters, each.gained, each.lost) for each in result.kinds}


@pytest.fixture(scope="module")
def every_pair() -> list[Pair]:
    return results_of(plan_of(OF_EACH_SORT, SOME, all_pairs=True, examples=1))


@pytest.mark.long
def test_kinds_and_scripts_sum_to_the_whole_difference(every_pair: list[Pair]) -> None:
    assert len(every_pair) == len(OF_EACH_SORT) * (len(OF_EACH_SORT) - 1) // 2
    for result in every_pair:
        assert result.texts == len(SOME)
        assert sum(each.difference for each in result.kinds) == result.difference
        assert sum(each.difference for each in result.scripts) == result.difference
        assert sum(each.regions for each in result.scripts) == result.regions > 0
    # So these are not sums of one kind.
    assert len({each.kind for result in every_pair for each in result.kinds}) >= 14


@pytest.mark.long
def test_the_other_order_gives_the_opposite_counts(every_pair: list[Pair]) -> None:
    names = OF_EACH_SORT[::-1]
    back = {(each.second, each.first): each for each in results_of(plan_of(names, SOME, all_pairs=True, examples=0))}
    for there in every_pair:
        other = back[there.first, there.second]
        assert other.difference == -there.difference
        assert sums(there) == {
            kind: (regions, characters, lost, gained)
            for kind, (regions, characters, gained, lost) in sums(other).items()
        }


def test_the_same_tokens_with_other_offsets_are_cut_alike(changed: Changed) -> None:
    def change(document: dict[str, Any]) -> None:
        assert document["post_processor"]["type"] == "ByteLevel"
        document["post_processor"]["trim_offsets"] = not document["post_processor"]["trim_offsets"]

    (result,) = results_of(plan_of(["gpt2-mini", changed("gpt2-mini", change)], ["a  b c", "plain", "two   b"]))
    assert {each.kind for each in result.kinds} == {"offsets"}
    assert (result.cut_regions, result.difference, result.moved) == (0, 0, 0)
    assert result.regions == 2
    assert list(pair_lines(result))[1:] == [
        "they cut every text alike",
        "the same tokens with other offsets: 2 regions",
    ]


def test_a_tokenizer_differs_from_itself_in_nothing(changed: Changed) -> None:
    (result,) = results_of(plan_of(["bert-mini", changed("bert-mini", lambda _: None)], SOME))
    assert (result.difference, result.regions, result.texts) == (0, 0, len(SOME))
