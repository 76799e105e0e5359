"""Fuzzing with a ledger: what is known hides nothing that is new, and what follows from it is known too."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import planted_faults
import pytest
import searching
from planted.fakes import Fault
from searching import fuzz_plan, loading

from tokenizer_adapters.contract import (
    Encode,
    Encoded,
    Normalize,
    Observation,
    Outcome,
    Stage,
    Text,
)
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.validation.search.random_results import AnswerDifference, FuzzResult
from tokenizer_conformance.validation.search.random_tokenizers import (
    find_difference,
    generate,
    names_of,
)

if TYPE_CHECKING:
    from tokenizer_conformance.validation.search.plan import FuzzPlan
    from tokenizer_conformance.validation.search.random_tokenizers import Load

TOKENIZERS = 15


class WrongTypeAndShortDecode(planted_faults.Planted):
    """Has two faults."""

    name = "wrong-type-and-short-decode"
    fault = Fault(
        spoil=lambda question, outcome: spoilt_by(
            planted_faults.ShortDecode, question, spoilt_by(planted_faults.WrongType, question, outcome)
        )
    )


def spoilt_by(planted: type[planted_faults.Planted], question: Observation, outcome: Outcome) -> Outcome:
    assert planted.fault.spoil is not None
    return planted.fault.spoil(question, outcome)


def more_for_e(question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(question, Normalize) and isinstance(outcome, Text) and "e" in question.text:
        return Text(outcome.text + "!")
    return one_more("e", question, outcome)


def one_more(letter: str, question: Observation, outcome: Outcome) -> Outcome:
    is_met = isinstance(question, Encode) and any(letter in each for each in texts(question))
    return replace(outcome, ids=(*outcome.ids, 0)) if is_met and isinstance(outcome, Encoded) else outcome


class MoreTokens(planted_faults.Planted):
    """Normalizes texts with an e in another way, and has one more token for them."""

    name = "more-tokens"
    fault = Fault(spoil=more_for_e)


def more_for_a(question: Observation, outcome: Outcome) -> Outcome:
    more = one_more("a", question, outcome)
    return more_for_e(question, outcome) if more is outcome else more


class MoreTokensToo(planted_faults.Planted):
    """Has one more token for texts with an a too, which it normalizes as it should."""

    name = "more-tokens-too"
    fault = Fault(spoil=more_for_a)


def texts(question: Encode) -> list[str]:
    parts = (question.text, question.pair or ())
    return [each for part in parts for each in ((part,) if isinstance(part, str) else part)]


FAULTS = (*planted_faults.ALL, WrongTypeAndShortDecode, MoreTokens, MoreTokensToo)


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Load:
    return loading(tmp_path_factory.mktemp("fuzzing"), *FAULTS)


@cache
def fuzzed(load: Load, name: str, *entries: Entry) -> tuple[FuzzPlan, FuzzResult]:
    """Return the plan of fuzzing and what came of it, which is not to be changed."""
    plan = fuzz_plan(name, 7, TOKENIZERS, texts=4, ledger=Ledger(entries))
    return plan, searching.fuzzed(plan, load)


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
