"""Every planted fault is seen by the invariants that have to see it; right answers violate none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from offsets_report import seen_of
from planted.fakes import Fault
from planted.offset_faults import FAULTS, PlantedFault

from tokenizer_adapters.contract import Encode, Encoded, Observation, Outcome
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.research.offsets_audit.case import picked

if TYPE_CHECKING:
    from pathlib import Path

COMPOSED = ("t5-mini", "coverage.text", "what is normalized with its neighbours is in no span")
"""What is known of tokenizers: a composed letter has the span of its first character."""


def test_right_answers_violate_nothing_but_what_is_known() -> None:
    assert seen_of(Fault()) == {COMPOSED}


def test_a_template_that_is_not_applied_is_no_fault_of_truncation() -> None:
    """Which tokens of a window are text is told by the template: without it, only texts alone have windows."""
    seen = seen_of(Fault(change=lambda document: document.update(post_processor=None)), ("bert-mini",))
    found = {invariant for _, invariant, _ in seen}
    assert "special.template" in found
    assert not [invariant for invariant in found if invariant.startswith("truncation.")]


def test_special_tokens_that_truncation_takes_away_are_seen() -> None:
    """The template is there where nothing is cut, so a window without it is at fault."""

    def cut(question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Encode) and isinstance(outcome, Encoded) and outcome.overflowing:
            return picked(outcome, range(len(outcome.ids) - 1))
        return outcome

    seen = seen_of(Fault(spoil=cut), ("bert-mini",))
    assert ("bert-mini", "truncation.kept", "another number of tokens kept") in seen


def test_a_model_that_cuts_at_random_is_not_compared_with_itself(tmp_path: Path) -> None:
    document = json.loads(bundled_file("gpt2-mini").read_text(encoding="utf-8"))
    document["model"]["dropout"] = 0.5
    (tmp_path / "tokenizer.json").write_text(json.dumps(document), encoding="utf-8")
    assert seen_of(Fault(), (str(tmp_path),)) == frozenset()


@pytest.mark.long_but(2)
@pytest.mark.parametrize("planted", FAULTS, ids=lambda each: each.name)
def test_a_fault_is_seen(planted: PlantedFault) -> None:
    found = {invariant for _, invariant, _ in seen_of(planted.fault, (planted.tokenizer,)) - {COMPOSED}}
    assert found >= planted.seen_by
    assert bool(found) == bool(planted.seen_by)
    assert bool(planted.seen_by) != bool(planted.why_not)


def test_the_table_is_of_different_faults() -> None:
    assert len({each.name for each in FAULTS}) == len(FAULTS) >= 40
