"""Which entry a difference has: every selector counts, and what an entry does not name it does not ask for."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest

from tokenizer_conformance.ledger.answers import Answered
from tokenizer_conformance.ledger.entry import Difference, Entry, FactDifference, Place
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.ledger.versions import in_range

PLACE = Place("a ledger", 1)

SEEN = Difference(
    implementation="mine",
    version="1.5",
    tokenizer="bert-mini",
    stage="model",
    fields=("ids", "offsets"),
    requirement="BERT-1",
    kind="other values",
    input="emoji/flag",
    text="a",
    pair="",
    baseline_version="0.23.3",
)


def entry(**selectors: Any) -> Entry:
    return Entry(**{"implementation": "mine", "reason": "so", "place": PLACE, **selectors})


def knows(difference: Difference, **selectors: Any) -> bool:
    return Ledger([entry(**selectors)]).entry_for(difference) is not None


def test_an_entry_that_names_an_implementation_alone_is_about_all_of_its_differences() -> None:
    assert knows(SEEN)
    assert not knows(replace(SEEN, implementation="mine-too"))


FITTING: dict[str, tuple[Any, Any]] = {
    "version": (">=1.5,<2", ">1.5"),
    "baselines": (("reference", "tokenizers"), ("reference",)),
    "since": ("0.23.3", "0.23.4"),
    "until": ("0.24", "0.23.3"),
    "tokenizers": (("gpt2", "bert-*"), ("bert",)),
    "stages": (("model", "decode"), ("decode",)),
    "fields": (("ids", "tokens", "offsets"), ("ids",)),
    "requirements": (("BERT-?",), ("BERT-??",)),
    "classes": (("crash", "other values"), ("other length",)),
    "inputs": (("emoji/*",), ("flag",)),
    "text": ("a", ""),
    "pair": ("", "a"),
}


@pytest.mark.parametrize(("selector", "values"), FITTING.items(), ids=FITTING.keys())
def test_each_selector_fits_or_does_not(selector: str, values: tuple[Any, Any]) -> None:
    fitting, other = values
    assert knows(SEEN, **{selector: fitting})
    assert not knows(SEEN, **{selector: other})
    assert not knows(SEEN, **{name: value[0] for name, value in FITTING.items()} | {selector: other})


def test_all_selectors_together() -> None:
    assert knows(SEEN, **{name: fitting for name, (fitting, _) in FITTING.items()})


def test_an_entry_that_tells_answers_is_about_no_others() -> None:
    answered = Answered({"ids": b"1", "offsets": b"2"})
    seen = replace(SEEN, answered=answered)
    of_ids = answered.letters(("ids", "tokens"))
    assert knows(seen, answers=frozenset({"aaaa", answered.letters()}))
    assert knows(replace(seen, fields=("ids",)), fields=("ids", "tokens"), answers=frozenset({of_ids}))
    assert not knows(seen, answers=frozenset({of_ids}))
    assert not knows(replace(seen, answered=Answered({"ids": b"1"})), answers=frozenset({answered.letters()}))
    assert not knows(SEEN, answers=frozenset({"aaaa", ""})), "it is not known what was answered"
    assert knows(SEEN, cause="another one", component="any"), "these are only told"


def test_the_entries_of_an_answer_are_those_about_the_two_sides_and_the_tokenizer() -> None:
    told = entry(stages=("normalize",), answers=frozenset({"aaaa"}))
    other = entry(tokenizers=("gpt2",), answers=frozenset({"bbbb"}))
    assert Ledger([told, other, entry()]).by_answers(SEEN) == {"aaaa": told}
    assert Ledger([told]).by_answers(replace(SEEN, implementation="yours")) == {}


def test_of_entries_about_the_same_the_first_is_told() -> None:
    first, second = (entry(answers=frozenset({"aaaa"}), place=Place("a ledger", number)) for number in (1, 2))
    wide = entry(place=Place("a ledger", 3))
    assert Ledger([first, second]).by_answers(SEEN)["aaaa"] is first
    assert Ledger([second, first]).by_answers(SEEN)["aaaa"] is second
    assert Ledger([wide, first]).entry_for(SEEN) is wide


def test_a_class_may_be_a_verdict() -> None:
    crash = replace(SEEN, fields=(), kind="crashed", verdict="crash")
    assert knows(crash, classes=("crash",))
    assert knows(crash, classes=("crashed",))
    assert not knows(crash, classes=("differ",))
    assert knows(SEEN, classes=("differ",))


def test_an_entry_that_names_fields_is_about_no_error() -> None:
    assert not knows(replace(SEEN, fields=()), fields=("ids", "offsets"))


@pytest.mark.parametrize("selector", ["requirements", "inputs"])
def test_no_pattern_fits_what_has_no_name(selector: str) -> None:
    nameless = replace(SEEN, requirement=None, input=None)
    assert knows(nameless)
    assert not knows(nameless, **{selector: ("*",)})


def test_a_tokenizer_may_have_several_names() -> None:
    random = replace(SEEN, tokenizer="fuzz", also_called=("fuzz:BPE", "fuzz:NFC"))
    assert knows(random, tokenizers=("fuzz:N*",))
    assert not knows(random, tokenizers=("fuzz:NFD",))


def test_versions_of_a_baseline_that_is_not_known_are_not_asked_for() -> None:
    assert knows(replace(SEEN, baseline_version=None), since="1", until="2")
    assert not knows(replace(SEEN, baseline_version="built today"), since="0.1")


@pytest.mark.parametrize(
    ("version", "wanted", "expected"),
    [
        ("1.0rc1", "<1.0", False),  # PEP 440: not before the release that it is a candidate of
        ("1.0rc1", ">=0.9", True),
        ("1.0.post1", "==1.0.*", True),
        ("1.0+cuda", "==1.0", True),
        ("v1.0", ">=1", True),
        ("nightly", ">=0", False),
        ("nightly", "===nightly", True),
    ],
)
def test_ranges_are_those_of_pep_440(version: str, wanted: str, expected: bool) -> None:
    assert in_range(version, wanted) is expected


def test_the_first_entry_counts_and_all_are_told() -> None:
    first, second, other = (
        entry(stages=("model",)),
        entry(place=Place("a ledger", 2)),
        entry(stages=("decode",), place=Place("a ledger", 3)),
    )
    ledger = Ledger([other, first, second])
    assert ledger.entry_for(SEEN) is first
    assert ledger.entries_for(SEEN) == (first, second)
    assert ledger.entries_for(replace(SEEN, stage="decode")) == (other, second)


def test_a_ledger_can_be_handed_to_another_process() -> None:
    ledger = Ledger([entry()])
    ledger.entry_for(SEEN)
    assert pickle.loads(pickle.dumps(ledger)).entry_for(SEEN) == ledger.entries[0]


# Facts ----------------------------------------------------------------------------------------------------------------

FACT = FactDifference(
    implementation="mine",
    version="1.5",
    baseline="mine",
    baseline_version="1.4",
    section="saved",
    name="padding 0",
)

ABOUT_FACT: dict[str, tuple[Any, Any]] = {
    "version": ("==1.5", "<1.5"),
    "baselines": (("mine",), ("tokenizers",)),
    "since": ("1.4", "1.5"),
    "until": ("1.5", "1.4"),
    "sections": (("defaults", "saved"), ("defaults",)),
    "facts": (("padding *",), ("padding",)),
}


@pytest.mark.parametrize(("selector", "values"), ABOUT_FACT.items(), ids=ABOUT_FACT.keys())
def test_a_fact_is_known_where_every_selector_fits(selector: str, values: tuple[Any, Any]) -> None:
    fitting, other = values
    all_fit = {name: fit for name, (fit, _) in ABOUT_FACT.items()}
    assert Ledger([entry(**all_fit | {selector: fitting})]).entry_for_fact(FACT) is not None
    assert Ledger([entry(**all_fit | {selector: other})]).entry_for_fact(FACT) is None


def test_entries_about_answers_are_about_no_fact_and_the_other_way_round() -> None:
    assert Ledger([entry(baselines=("mine",))]).entry_for_fact(FACT) is None
    assert not knows(SEEN, sections=("saved",))
