"""Fuzzing with a ledger: what is known hides nothing that is new, and what follows from it is known too."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import planted_faults
import pytest

from tokenizer_adapters.contract import (
    Encode,
    Encoded,
    Failed,
    Normalize,
    Observation,
    Outcome,
    Stage,
    Text,
    TokenizerSource,
)
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.validation.fuzz.known import names_of
from tokenizer_conformance.validation.fuzz.plan import ImplementationPlan
from tokenizer_conformance.validation.fuzz.results import AnswerDifference, FuzzResult
from tokenizer_conformance.validation.fuzz.tokenizer_fuzz import compare_tokenizer, find_difference, generate, load_here

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.no_value import Refusal
    from tokenizer_conformance.validation.fuzz.tokenizer_fuzz import Load, LoadedSide

TOKENIZERS = 15


class WrongTypeAndShortDecode(planted_faults.Planted):
    """Has two faults."""

    name = "wrong-type-and-short-decode"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        return planted_faults.ShortDecode().spoil(question, planted_faults.WrongType().spoil(question, outcome))


class MoreTokens(planted_faults.Planted):
    """Normalizes texts with an e in another way, and has one more token for them."""

    name = "more-tokens"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Normalize) and isinstance(outcome, Text) and "e" in question.text:
            return Text(outcome.text + "!")
        if (
            isinstance(question, Encode)
            and isinstance(outcome, Encoded)
            and any("e" in each for each in texts(question))
        ):
            return replace(outcome, ids=(*outcome.ids, 0))
        return outcome


class MoreTokensToo(MoreTokens):
    """Has one more token for texts with an a too, which it normalizes as it should."""

    name = "more-tokens-too"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if (
            isinstance(question, Encode)
            and isinstance(outcome, Encoded)
            and any("a" in each for each in texts(question))
        ):
            return replace(outcome, ids=(*outcome.ids, 0))
        return super().spoil(question, outcome)


def texts(question: Encode) -> list[str]:
    parts = (question.text, question.pair or ())
    return [each for part in parts for each in ((part,) if isinstance(part, str) else part)]


FAULTS = {fault.name: fault for fault in (*planted_faults.ALL, WrongTypeAndShortDecode, MoreTokens, MoreTokensToo)}


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Load:
    folder = tmp_path_factory.mktemp("fuzzing")

    def load_side(name: str, document: str) -> LoadedSide | Refusal:
        if name not in FAULTS:
            return load_here(str(folder), name, document)
        file = folder / "planted.json"
        file.write_text(document, encoding="utf-8")
        try:
            return loaded(FAULTS[name](), TokenizerSource("the tokenizer", str(file)))
        except Exception as error:
            return Failed(type(error.__cause__ or error).__name__, str(error))

    return load_side


@cache
def fuzzed(load: Load, name: str, *entries: Entry) -> tuple[ImplementationPlan, FuzzResult]:
    """Return the plan of fuzzing and what came of it, which is not to be changed."""
    plan = ImplementationPlan(
        "tokenizers", name, 7, TOKENIZERS, texts=4, ledger=Ledger(entries), versions=("0.23.3", "1")
    )
    result = FuzzResult()
    for number in range(TOKENIZERS):
        one = FuzzResult()
        compare_tokenizer(plan, number, load, one)
        result.add(one)
    return plan, result


def entry(name: str, **selectors: Any) -> Entry:
    return Entry(**{"implementation": name, "reason": "so", "place": Place("a ledger", 1), **selectors})


def test_a_known_difference_is_counted_by_its_entry(load: Load) -> None:
    which = entry("wrong-type", tokenizers=("fuzz",), stages=("post_process",), fields=("type_ids",))
    _, before = fuzzed(load, "wrong-type")
    _, after = fuzzed(load, "wrong-type", which)
    assert before.differences
    assert not after.differences
    assert after.known[which] == before.answers[Stage.POST_PROCESS, Verdict.DIFFER] > 0
    assert after.answers[Stage.POST_PROCESS, Verdict.KNOWN] == before.answers[Stage.POST_PROCESS, Verdict.DIFFER]
    assert after.values == before.values


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    "selectors",
    [
        {"stages": ("model",)},
        {"fields": ("ids",)},
        {"classes": ("other length",)},
        {"tokenizers": ("bert",)},
        {"version": "<1"},
        {"inputs": ("*",)},
        {"requirements": ("*",)},
        {"baselines": ("reference",)},
    ],
    ids=lambda selectors: next(iter(selectors)),
)
def test_an_entry_about_something_else_changes_nothing(load: Load, selectors: dict[str, Any]) -> None:
    _, before = fuzzed(load, "wrong-type")
    _, after = fuzzed(load, "wrong-type", entry("wrong-type", **selectors))
    assert after == before


def test_a_known_difference_does_not_hide_a_new_one_of_the_same_tokenizer(load: Load) -> None:
    name = WrongTypeAndShortDecode.name
    _, short = fuzzed(load, "short-decode")
    _, both = fuzzed(load, name)
    _, after = fuzzed(load, name, entry(name, fields=("type_ids",)))
    numbers = [difference.number for difference in short.differences]
    assert numbers
    assert [difference.number for difference in after.differences] == numbers
    assert [each.found for each in after.differences] == [each.found for each in short.differences]
    assert {each.number for each in both.differences} > set(numbers)


def test_what_follows_from_a_known_difference_is_known(load: Load) -> None:
    _, before = fuzzed(load, MoreTokens.name)
    assert before.answers[Stage.MODEL, Verdict.DIFFER]
    which = entry(MoreTokens.name, stages=("normalize",))
    _, after = fuzzed(load, MoreTokens.name, which)
    assert not after.differences
    for stage in (Stage.NORMALIZE, Stage.MODEL, Stage.POST_PROCESS):
        assert after.answers[stage, Verdict.KNOWN] == before.answers[stage, Verdict.DIFFER] > 0


def test_what_does_not_follow_from_it_is_new(load: Load) -> None:
    _, after = fuzzed(load, MoreTokensToo.name, entry(MoreTokensToo.name, stages=("normalize",)))
    assert after.differences
    for difference in after.differences:
        assert isinstance(difference.found, AnswerDifference)
        question = difference.found.question
        assert isinstance(question, Encode)
        assert any("a" in each and "e" not in each for each in texts(question))


def test_an_entry_can_name_a_component_of_random_tokenizers(load: Load) -> None:
    _, before = fuzzed(load, "wrong-type")
    _, after = fuzzed(load, "wrong-type", entry("wrong-type", tokenizers=("fuzz:BPE",)))
    left = {difference.number for difference in after.differences}
    gone = {difference.number for difference in before.differences} - left
    assert left
    assert gone
    for number in range(TOKENIZERS):
        is_bpe = generate(7, number, 4)[0].json["model"]["type"] == "BPE"
        assert (number in gone) <= is_bpe
        assert (number in left) <= (not is_bpe)


def test_components_are_named_wherever_they_stand() -> None:
    sequence = {"type": "Sequence", "decoders": [{"type": "Fuse"}, {"type": "Sequence", "decoders": [{"type": "CTC"}]}]}
    document = {"normalizer": None, "model": {"type": "BPE", "vocab": {"type": 0}}, "decoder": sequence}
    assert names_of(document) == ("fuzz:BPE", "fuzz:CTC", "fuzz:Fuse", "fuzz:Sequence")


@pytest.mark.parametrize(("name", "stage"), [("forgetful", "vocabulary"), ("picky", "load")])
def test_refused_tokenizers_and_other_vocabularies_can_be_known(load: Load, name: str, stage: str) -> None:
    _, before = fuzzed(load, name)
    which = entry(name, stages=(stage,))
    plan, after = fuzzed(load, name, which)
    cases = [difference.case for difference in before.differences]
    assert cases
    assert not after.differences
    assert after.known == {which: len(cases)}
    assert [find_difference(plan, case, load) for case in cases] == [None] * len(cases)
    assert [find_difference(replace(plan, ledger=Ledger()), case, load) for case in cases] == [
        each.found for each in before.differences
    ]
