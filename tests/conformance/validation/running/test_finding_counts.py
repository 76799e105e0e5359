"""How often a finding was made, in words: inputs, differences and consequences are told apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Failed, Field, Stage
from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Excerpt, Party
from tokenizer_conformance.comparison.findings import Example, Finding, Signature
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.validation.running.wording import FindingGroup

SHOWN = Excerpt(0, 1, ("a",), is_text=True)


def finding(
    field: Field | None, inputs: int, differences: int, consequences: int = 0, stage: Stage = Stage.MODEL, **given: Any
) -> Finding:
    """Return a finding that so many inputs show, in so many differences; the input is called by their number."""
    kind, detail = (DifferenceKind.VALUES, "") if field else (DifferenceKind.RAISED, "ValueError")
    verdict, party = (Verdict.DIFFER, None) if field else (Verdict.ERROR, Party.IMPLEMENTATION)
    other = SHOWN if field else Failed("ValueError", "no")
    difference = Difference(verdict, kind, field, SHOWN, other, party=party, detail=detail)
    example = Example(Input(str(inputs), "test", "a"), fakes.Decode((1,)), difference, stage, None)
    signature = Signature("t", "mine", stage, field, verdict, kind, party, detail)
    return Finding(replace(signature, **given), differences, inputs, consequences, example, example)


@pytest.mark.parametrize(
    ("findings", "headline"),
    [
        ((finding(Field.IDS, 1, 1),), "mine at model: ids: other values (1 input)"),
        ((finding(Field.IDS, 2, 2),), "mine at model: ids: other values (2 inputs)"),
        ((finding(Field.IDS, 2, 5),), "mine at model: ids: other values (2 inputs, 5 differences)"),
        (
            (finding(Field.IDS, 2, 5, 3),),
            "mine at model: ids: other values (2 inputs, 5 differences, 3 of them consequences)",
        ),
        ((finding(Field.IDS, 4, 4, 1),), "mine at model: ids: other values (4 inputs, 1 of them consequences)"),
        (
            (finding(Field.IDS, 2, 5), finding(Field.TOKENS, 2, 5), finding(Field.OFFSETS, 2, 4)),
            (
                "mine at model: ids, tokens: other values (2 inputs, 5 differences); offsets: other values (2 inputs, "
                "4 differences)"
            ),
        ),
        (
            (finding(Field.IDS, 2, 2), finding(Field.TOKENS, 2, 2, kind=DifferenceKind.LENGTH)),
            "mine at model: ids: other values (2 inputs); tokens: other length (2 inputs)",
        ),
        (
            (finding(None, 2, 5),),
            "mine at model: only the implementation raised an error (ValueError: no) (2 inputs, 5 differences)",
        ),
        (
            (finding(None, 2, 5), finding(None, 2, 7, stage=Stage.DECODE)),
            "mine at model, decode: only the implementation raised an error (ValueError: no) (2 inputs at each)",
        ),
        (
            (finding(None, 2, 5), finding(None, 3, 3, stage=Stage.DECODE)),
            (
                "mine at model, decode: only the implementation raised an error (ValueError: no) (inputs: model 2, "
                "decode 3)"
            ),
        ),
    ],
)
def test_a_headline_counts_inputs_and_differences(findings: tuple[Finding, ...], headline: str) -> None:
    group = FindingGroup(findings)
    assert group.headline == headline
    assert group.differences == sum(each.differences for each in findings)


def test_the_example_is_that_of_the_first_that_no_earlier_stage_explains() -> None:
    follows, own, other = finding(Field.IDS, 1, 1, 1), finding(Field.TOKENS, 2, 2, 1), finding(Field.TYPE_IDS, 3, 3)
    group = FindingGroup((follows, own, other))
    assert (group.shown, group.example.input.id) == (own, "2")
