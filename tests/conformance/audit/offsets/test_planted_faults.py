"""Every planted fault is seen by the invariants that have to see it; right answers violate none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[4] / "tools"
sys.path.insert(0, str(TOOLS))  # tools are no package of the project

from offsets_report import seen_of  # noqa: E402 - found by the line above
from planted.fakes import Fault  # noqa: E402
from planted.offset_faults import FAULTS, PlantedFault  # noqa: E402

COMPOSED = ("t5-mini", "coverage.text", "what is normalized with its neighbours is in no span")
"""What is known of tokenizers: a composed letter has the span of its first character."""


def test_right_answers_violate_nothing_but_what_is_known() -> None:
    assert seen_of(Fault()) == {COMPOSED}


@pytest.mark.parametrize("planted", FAULTS, ids=lambda each: each.name)
def test_a_fault_is_seen(planted: PlantedFault) -> None:
    found = {invariant for _, invariant, _ in seen_of(planted.fault, (planted.tokenizer,)) - {COMPOSED}}
    assert found >= planted.seen_by
    assert bool(found) == bool(planted.seen_by)
    assert bool(planted.seen_by) != bool(planted.why_not)


def test_the_table_is_of_different_faults() -> None:
    assert len({each.name for each in FAULTS}) == len(FAULTS) >= 40
