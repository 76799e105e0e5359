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


RAISED = "only the implementation raised an error (ValueError: no)"


@pytest.mark.parametrize(
    ("findings", "what", "counts", "by_part"),
    [
        ((finding(Field.IDS, 1, 1),), "model: other values of ids", "1 input", ""),
        ((finding(Field.IDS, 2, 5),), "model: other values of ids", "2 inputs, 5 differences", ""),
        (
            (finding(Field.IDS, 2, 5, 3),),
            "model: other values of ids",
            "2 inputs, 5 differences, 3 of them consequences",
            "",
        ),
        (
            (finding(Field.IDS, 2, 5), finding(Field.TOKENS, 2, 5), finding(Field.OFFSETS, 1, 4)),
            "model: other values of ids, tokens and offsets",
            "2 inputs, 14 differences",
            "ids 2, tokens 2, offsets 1",
        ),
        (
            (finding(Field.IDS, 2, 2), finding(Field.TOKENS, 2, 2, kind=DifferenceKind.LENGTH)),
            "model: other values of ids; other length of tokens",
            "2 inputs, 4 differences",
            "",
        ),
        (
            (finding(Field.OFFSETS, 2, 2, kind=DifferenceKind.OFFSET_OUTSIDE_TEXT),),
            "model: offsets: offset outside the text",
            "2 inputs",
            "",
        ),
        ((finding(None, 2, 5),), f"model: {RAISED}", "2 inputs, 5 differences", ""),
        (
            (finding(None, 2, 5), finding(None, 3, 3, 2, stage=Stage.DECODE)),
            f"model, decode: {RAISED}",
            "3 inputs, 8 differences",
            "model 2, decode 3",
        ),
    ],
)
def test_a_headline_counts_nothing_and_what_is_beneath_it_all(
    findings: tuple[Finding, ...], what: str, counts: str, by_part: str
) -> None:
    group = FindingGroup(findings)
    assert group.headline == f"mine at {what}"
    assert (group.counts, group.counts_by_part) == (counts, by_part)
    assert group.differences == sum(each.differences for each in findings)


def test_the_example_is_that_of_the_first_that_no_earlier_stage_explains() -> None:
    follows, own, other = finding(Field.IDS, 1, 1, 1), finding(Field.TOKENS, 2, 2, 1), finding(Field.TYPE_IDS, 3, 3)
    group = FindingGroup((follows, own, other))
    assert (group.shown, group.example.input.id) == (own, "2")
