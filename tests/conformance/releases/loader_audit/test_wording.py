"""Values and witnesses in words: long texts are cut, and where nothing was found it is said why."""

from __future__ import annotations

from typing import Any

import fake_implementations as fakes
import pytest

from tokenizer_conformance.comparison.component_differences import Component, Replacement
from tokenizer_conformance.releases.loader_audit.events import DifferenceJudged
from tokenizer_conformance.releases.loader_audit.witness import NoWitness
from tokenizer_conformance.releases.loader_audit.wording import value_text, witness_lines


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x" * 60, f'"{"x" * 60}"'),
        ("x" * 61, '"xxxxxxxxxxxx… (61 characters)"'),
        ({"map": "é" * 1234}, '{"map": "éééééééééééé… (1,234 characters)"}'),
        ([["y" * 61], "short", 1, None], '[["yyyyyyyyyyyy… (61 characters)"], "short", 1, null]'),
        (list(range(100)), f"{str(list(range(100)))[:200]}…"),
        ("\u202e", '"\\u202e"'),
    ],
)
def test_a_value_is_shown_on_one_line_with_long_texts_cut(value: Any, text: str) -> None:
    assert value_text(value) == text


@pytest.mark.parametrize(
    ("witness", "line"),
    [
        (NoWitness(0, "no document\nhas it alone"), "no witness: no document has it alone"),
        (NoWitness(1), "no witness in 1 input"),
        (NoWitness(1234), "no witness in 1,234 inputs"),
    ],
)
def test_without_a_witness_it_is_said_why(witness: NoWitness, line: str) -> None:
    replacement = Replacement(Component.MODEL, "model", "another model", (), 1, {})
    assert witness_lines(DifferenceJudged("toy", fakes.Toy().info, replacement, witness, None)) == [line]
