"""An entry is stale only where it had its full chance, and nothing came of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from in_one_test import in_one_test

from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.ledger.staleness import Compared, ComparedFacts, Scope, Texts

FIELDS = {"model": frozenset({"ids", "offsets"}), "decode": frozenset({"text"})}

COMPARED = Compared("mine", "1.5", "bert", FIELDS, FIELDS, baseline_version="0.23.3")

BUILTIN = frozenset({"emoji/flag", "space/two"})

SCOPE = Scope(
    matched=frozenset(),
    compared=(COMPARED,),
    texts=Texts(ids=BUILTIN | {"book:1"}, texts=frozenset({"a"}), pairs=frozenset({""}), builtin=BUILTIN),
)


def entry(**selectors: Any) -> Entry:
    values = {"implementation": "mine", "reason": "so", "place": Place("a ledger", 1), "tokenizers": ("bert",)}
    return Entry(**{**values, **selectors})


def is_stale(scope: Scope, **selectors: Any) -> bool:
    (which,) = (entry(**selectors),)
    return Ledger([which]).stale(scope) == (which,)


JUDGED: dict[str, dict[str, Any]] = {
    "all of a tokenizer": {},
    "its version": {"version": "<2"},
    "the baseline's version": {"since": "0.20", "until": "1"},
    "a stage": {"stages": ("model",)},
    "stages": {"stages": ("model", "decode")},
    "a field": {"fields": ("offsets",)},
    "a field of a stage": {"stages": ("model",), "fields": ("ids",)},
    "a class": {"classes": ("crash",)},
    "inputs": {"inputs": ("emoji/flag", "book:1")},
    "a pattern of built-in inputs": {"inputs": ("emoji/*",)},
    "a text": {"text": "a", "pair": ""},
}

NOT_JUDGED: dict[str, dict[str, Any]] = {
    "another implementation": {"implementation": "other"},
    "another version": {"version": ">=2"},
    "another baseline": {"baselines": ("reference",)},
    "another version of the baseline": {"until": "0.23"},
    "another tokenizer": {"tokenizers": ("gpt2",)},
    "one more tokenizer": {"tokenizers": ("bert", "gpt2")},
    "a pattern of tokenizers": {"tokenizers": ("b*",)},
    "any tokenizer": {"tokenizers": ()},
    "a stage that was not compared": {"stages": ("normalize",)},
    "one more stage": {"stages": ("model", "normalize")},
    "a field that was not shown": {"fields": ("tokens",)},
    "a field of another stage": {"stages": ("model",), "fields": ("text",)},
    "another input": {"inputs": ("book:2",)},
    "one more input": {"inputs": ("emoji/flag", "book:2")},
    "a pattern of other inputs": {"inputs": ("book:*",)},
    "another text": {"text": "b"},
    "another pair": {"pair": "b"},
    "a requirement": {"requirements": ("BERT-1",)},
}


@pytest.mark.parametrize("selectors", JUDGED.values(), ids=JUDGED.keys())
def test_what_had_its_chance_is_judged(selectors: dict[str, Any]) -> None:
    assert is_stale(SCOPE, **selectors)
    assert not is_stale(replace(SCOPE, matched=frozenset({entry(**selectors)})), **selectors)
    assert not is_stale(replace(SCOPE, compared=()), **selectors)


@in_one_test("selectors", NOT_JUDGED.values())
def test_what_had_no_full_chance_is_not(selectors: dict[str, Any]) -> None:
    assert not is_stale(SCOPE, **selectors)


def test_without_all_built_in_inputs_only_those_that_name_inputs_are_judged() -> None:
    part = replace(SCOPE, texts=replace(SCOPE.texts, ids=frozenset({"emoji/flag"})))
    for inputs in (("emoji/flag",), ("emoji/*",), ("emoji/flag", "emoji/*")):
        assert is_stale(part, inputs=inputs)
    for selectors in (
        {},
        {"inputs": ("*/*",)},
        {"inputs": ("space/*",)},
        {"inputs": ("emoji/*", "book:*")},
        {"inputs": ("emoji/flag", "space/two")},
    ):
        assert not is_stale(part, **selectors)


def test_with_stages_or_fields_left_out_only_those_that_name_both_are_judged() -> None:
    part = replace(SCOPE, whole=False)
    assert is_stale(part, stages=("model",), fields=("ids",))
    for selectors in ({}, {"stages": ("model",)}, {"fields": ("ids",)}):
        assert not is_stale(part, **selectors)


def test_a_field_that_is_missing_in_some_answers_is_not_judged() -> None:
    part = replace(SCOPE, compared=(replace(COMPARED, shown=FIELDS | {"model": frozenset({"ids"})}),))
    assert is_stale(part, stages=("model",), fields=("ids",))
    assert not is_stale(part, stages=("model",), fields=("ids", "offsets"))


def test_names_with_signs_of_patterns_are_names_where_these_are_escaped() -> None:
    odd = replace(SCOPE, compared=(replace(COMPARED, tokenizer="b[1]*"),))
    assert is_stale(odd, tokenizers=("b[[]1][*]",))
    assert not is_stale(odd, tokenizers=("b[1]*",))


SUITE = Scope(matched=frozenset(), requirements={("mine", "1.5"): frozenset({"BERT-1", "BERT-2"})})


def test_in_a_suite_entries_are_judged_by_their_requirements() -> None:
    every = replace(SUITE, every_requirement=True)
    assert is_stale(SUITE, requirements=("BERT-1",), tokenizers=())
    assert is_stale(SUITE, requirements=("BERT-1", "BERT-2"), version="==1.5")
    assert is_stale(every, requirements=("BERT-*",))
    for scope, selectors in (
        (SUITE, {"requirements": ("BERT-*",)}),
        (every, {"requirements": ("BPE-*",)}),
        (every, {"requirements": ("BERT-1", "BPE-1")}),
        (every, {"requirements": ("BERT-1",), "version": "==1.4"}),
        (every, {"requirements": ("BERT-1",), "implementation": "other"}),
        (every, {}),
    ):
        assert not is_stale(scope, **selectors)


# Facts ----------------------------------------------------------------------------------------------------------------

FACTS = Scope(
    matched=frozenset(),
    facts=(
        ComparedFacts(
            "mine",
            "1.5",
            "mine",
            "1.4",
            {"saved": frozenset({"padding 0", "model"}), "defaults": frozenset({"Tokenizer"}), "suite": frozenset()},
        ),
    ),
)


def is_stale_fact(**selectors: Any) -> bool:
    which = replace(entry(tokenizers=(), baselines=("mine",)), **{"sections": ("saved",), **selectors})
    return Ledger([which]).stale(FACTS) == (which,)


@pytest.mark.parametrize(
    "selectors",
    [{}, {"facts": ("model",)}, {"facts": ("padding *",)}, {"sections": ("saved", "defaults")}, {"since": "1.4"}],
    ids=str,
)
def test_an_entry_about_facts_that_were_all_compared_is_stale(selectors: dict[str, Any]) -> None:
    assert is_stale_fact(**selectors)


@pytest.mark.parametrize(
    "selectors",
    [
        {"sections": ("training",)},
        {"sections": ("saved", "training")},
        {"sections": ("suite",)},
        {"facts": ("truncation",)},
        {"facts": ("model", "truncation")},
        {"facts": ("trunc*",)},
        {"version": "<1.5"},
        {"until": "1.4"},
        {"baselines": ("tokenizers",)},
        {"implementation": "other"},
    ],
    ids=str,
)
def test_facts_that_were_not_compared_make_nothing_stale(selectors: dict[str, Any]) -> None:
    assert not is_stale_fact(**selectors)


def test_answers_give_no_chance_to_an_entry_about_facts() -> None:
    assert not is_stale(SCOPE, sections=("saved",), tokenizers=())
    assert is_stale(SCOPE)


@pytest.mark.parametrize("lacking", ["bert", "gpt2"])
def test_an_entry_about_two_tokenizers_has_its_chance_where_both_were_shown_whole(lacking: str) -> None:
    both = tuple(replace(COMPARED, tokenizer=name) for name in ("bert", "gpt2"))
    named = {"tokenizers": ("bert", "gpt2"), "fields": ("offsets",), "stages": ("model",)}
    assert is_stale(replace(SCOPE, compared=both), **named)
    less = FIELDS | {"model": frozenset({"ids"})}
    part = tuple(replace(each, shown=less) if each.tokenizer == lacking else each for each in both)
    assert not is_stale(replace(SCOPE, compared=part), **named)
