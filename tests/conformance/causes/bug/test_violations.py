"""A requirement is violated where its cases differ at the stage and in the field of the difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Encode, Normalize, TokenizerSource
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.bug import violations
from tokenizer_conformance.causes.bug.violations import MOST_VIOLATED, Rule, area_of, violated

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import Observation

DOCUMENT = {"model": {"type": "Toy"}}
LATER = Encode("abc", add_special_tokens=False)
"""What is encoded is not asked where the difference is one of the normalizer."""


def rule(name: str, *questions: Observation) -> Rule:
    return Rule(name, name, "A rule.", tuple((DOCUMENT, question) for question in questions))


def found(tmp_path: Path, asked: Observation, *rules: Rule) -> list[str]:
    file = tmp_path / "toy.json"
    file.write_text('{"model": {"type": "Toy"}}')
    with Bench(fakes.Toy(), fakes.WrongNormalization()) as bench:
        witness = bench.trial(TokenizerSource("toy", str(file))).witness(asked)
        assert witness is not None
        return [each.id for each in violated(bench, witness, rules)]


def test_rules_whose_cases_differ_alike_are_violated(tmp_path: Path) -> None:
    rules = [
        rule("none"),
        rule("agrees", Normalize("abc")),
        rule("differs", Normalize("B")),
        rule("of another stage", LATER, Encode("B", add_special_tokens=False)),
        rule("one case of two", Normalize("a"), Normalize("bB")),
    ]
    assert found(tmp_path, Normalize("xBx"), *rules) == ["differs", "one case of two"]


def test_some_violated_rules_are_enough(tmp_path: Path) -> None:
    rules = [rule(str(number), Normalize("B")) for number in range(MOST_VIOLATED + 2)]
    assert found(tmp_path, Normalize("B"), *rules) == ["0", "1", "2"]


def test_no_rule_is_tried_once_the_time_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(violations, "MOST_SECONDS", -1.0)
    assert found(tmp_path, Normalize("B"), rule("late", Normalize("B"))) == []


@pytest.mark.parametrize(
    ("component", "area"),
    [
        ("model: BPE", "models.BPE"),
        ("post_processor: ByteLevel", "processors.ByteLevel"),
        ("added_tokens", "added_tokens"),
        ("normalizer", None),
        ("normalizer: NFC + Lowercase", None),
        ("truncation: Right", None),
    ],
)
def test_the_area_of_a_component(component: str, area: str | None) -> None:
    assert area_of(component) == area
