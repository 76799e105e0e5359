"""Which components, options and values a tokenizer has, and how many cases of a suite have them."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import Any

import pytest
from small_suites import area, case, files_of, requirement, toy_step

from tokenizer_adapters.contract import Encode, Normalize
from tokenizer_conformance.validation.suite.coverage import (
    BEHAVIOR,
    LIST,
    NUMBER,
    NUMBER_OR_NULL,
    NUMBER_OR_ZERO,
    OPTIONS,
    PARTS,
    PATTERN,
    SEQUENCES,
    STAGE_FIELDS,
    TEXT,
    TEXT_OR_EMPTY,
    TEXT_OR_NULL,
    Cell,
    Values,
    cells_of,
    coverage,
    value_class,
    wanted_cells,
)
from tokenizer_conformance.validation.suite.reader import suite_of
from tokenizer_conformance.validation.suite.requirement import Feature


@pytest.mark.parametrize(
    ("value", "values", "found"),
    [
        (True, (), "true"),
        (False, NUMBER_OR_ZERO, "false"),
        (None, TEXT_OR_NULL, "null"),
        ("", TEXT_OR_EMPTY, "empty"),
        ("", TEXT, "empty"),
        ("a", TEXT, "text"),
        ("Removed", BEHAVIOR, "Removed"),
        ("Removed", TEXT, "text"),
        ("another", BEHAVIOR, "text"),
        (0, NUMBER_OR_ZERO, "0"),
        (0.0, NUMBER_OR_ZERO, "0"),
        (0, NUMBER, "number"),
        (-1, NUMBER_OR_ZERO, "number"),
        (0.1, NUMBER_OR_NULL, "number"),
        ([], LIST, "empty"),
        ([[]], LIST, "one"),
        ([1, 2], LIST, "several"),
        ([1, 2, 3], LIST, "several"),
        ({"Regex": "a", "more": 1}, PATTERN, "Regex"),
        ({}, PATTERN, "empty"),
        ((), LIST, "tuple"),
    ],
)
def test_a_value_is_of_one_class(value: Any, values: Values, found: str) -> None:
    assert value_class(value, values) == found


SPLIT = {"type": "Split", "pattern": {"String": " "}, "behavior": "Isolated", "invert": False}
TRUNCATION = {"direction": "Left", "max_length": 0, "strategy": "OnlyFirst", "stride": 1}
TOKEN = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False) | {"special": True}


@pytest.mark.parametrize(
    ("document", "cells"),
    [
        ({}, set()),
        ({"normalizer": None, "truncation": None, "padding": None, "added_tokens": None}, set()),
        ({"normalizer": {"type": "Lowercase"}}, {("normalizers.Lowercase", "", "")}),
        ({"normalizer": {"type": "Another", "left": 1}}, {("normalizers.Another", "", "")}),
        (
            {
                "pre_tokenizer": {
                    "type": "Sequence",
                    "pretokenizers": [SPLIT, {"type": "Sequence", "pretokenizers": []}],
                }
            },
            {
                ("pre_tokenizers.Sequence", "", ""),
                ("pre_tokenizers.Sequence", "pretokenizers", "several"),
                ("pre_tokenizers.Sequence", "pretokenizers", "empty"),
                ("pre_tokenizers.Split", "", ""),
                ("pre_tokenizers.Split", "pattern", "String"),
                ("pre_tokenizers.Split", "behavior", "Isolated"),
                ("pre_tokenizers.Split", "invert", "false"),
            },
        ),
        (
            {"decoder": {"type": "Sequence", "decoders": [{"type": "Sequence", "decoders": [{"type": "Fuse"}]}, None]}},
            {
                ("decoders.Sequence", "", ""),
                ("decoders.Sequence", "decoders", "several"),
                ("decoders.Sequence", "decoders", "one"),
                ("decoders.Fuse", "", ""),
            },
        ),
        ({"decoder": {"type": "Fuse", "decoders": [{"type": "ByteFallback"}]}}, {("decoders.Fuse", "", "")}),
        ({"decoder": {"type": "Sequence"}}, {("decoders.Sequence", "", "")}),
        (
            {"model": {"type": "BPE", "merges": [["a", "b"]], "dropout": None}},
            {("models.BPE", "", ""), ("models.BPE", "merges", "one"), ("models.BPE", "dropout", "null")},
        ),
        (
            {"truncation": TRUNCATION},
            {
                ("truncation", "", ""),
                ("truncation", "direction", "Left"),
                ("truncation", "max_length", "0"),
                ("truncation", "strategy", "OnlyFirst"),
                ("truncation", "stride", "number"),
            },
        ),
        ({"padding": {"pad_id": 3}}, {("padding", "", ""), ("padding", "pad_id", "number")}),
        (
            {"added_tokens": [TOKEN, TOKEN | {"special": False}]},
            {
                ("added_tokens", "", ""),
                *(("added_tokens", name, "false") for name in ("single_word", "lstrip", "rstrip", "normalized")),
                ("added_tokens", "special", "true"),
                ("added_tokens", "special", "false"),
            },
        ),
    ],
)
def test_a_tokenizer_has_the_cells_of_all_its_parts(document: dict[str, Any], cells: set[tuple[str, str, str]]) -> None:
    assert set(cells_of(document)) == {Cell(*cell) for cell in cells}


def test_each_part_is_looked_for_where_it_stands() -> None:
    assert set(STAGE_FIELDS.values()) == set(OPTIONS)
    for field, stage in STAGE_FIELDS.items():
        for name in OPTIONS[stage]:
            assert Cell(f"{stage}.{name}") in set(cells_of({field: {"type": name}}))
    for stage, member in SEQUENCES.items():
        field = next(field for field, its in STAGE_FIELDS.items() if its == stage)
        inner = {"type": "Sequence", member: [{"type": "Inner"}]}
        assert Cell(f"{stage}.Inner") in set(cells_of({field: inner}))
    for part in PARTS:
        assert Cell(part) in set(cells_of({part: [{}] if part == "added_tokens" else {"strategy": "BatchLongest"}}))


def test_every_component_of_the_reference_is_wanted() -> None:
    stages = {stage: import_module(f"tokenizer_reference.{stage}") for stage in OPTIONS}
    assert {stage: set(OPTIONS[stage]) for stage in stages} == {
        stage: set(package.COMPONENTS) for stage, package in stages.items()
    }


def test_only_a_sequence_has_components_within() -> None:
    for type_ in ("ByteLevel", "Strip"):
        inner = {"type": type_, "normalizers": [{"type": "Inner"}]}
        assert Cell("normalizers.Inner") not in set(cells_of({"normalizer": inner}))


def test_every_cell_is_wanted_once() -> None:
    cells = wanted_cells()
    assert len(set(cells)) == len(cells)
    options = [options for named in OPTIONS.values() for options in named.values()] + list(PARTS.values())
    values = sum(len(values) for each in options for values in each.values())
    assert len(cells) == len(options) + values + len(Feature)


def test_cases_are_counted_by_the_cells_of_their_tokenizers_and_what_they_ask() -> None:
    found = area(
        requirement("R", case(toy_step(Normalize("aB"))), case(toy_step(Encode("a", "b")), name="2")),
        requirement("S", case(toy_step(Normalize("aB")))),
    )
    found["tokenizers"]["t1"] = {"normalizer": {"type": "Lowercase"}}
    counts = coverage(suite_of(files_of(found)))
    assert counts[Cell("normalizers.Lowercase")] == 3
    assert counts[Cell("questions", "feature", Feature.NORMALIZE)] == 2
    assert counts[Cell("questions", "feature", Feature.PAIR)] == 1
    assert isinstance(counts, Counter)


def test_tokenizers_of_two_areas_are_two_though_they_have_one_name() -> None:
    step = toy_step(Normalize("aB"))
    areas = [area(requirement(name, case(step)), name=f"normalizers.{name}") for name in ("Lowercase", "NFC")]
    for each, name in zip(areas, ("Lowercase", "NFC"), strict=True):
        each["tokenizers"]["t1"] = {"normalizer": {"type": name}}
    counts = coverage(suite_of(files_of(*areas)))
    assert (counts[Cell("normalizers.Lowercase")], counts[Cell("normalizers.NFC")]) == (1, 1)
