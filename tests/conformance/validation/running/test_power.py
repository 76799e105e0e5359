"""What a plain `tokconf run` asks on the bundled tokenizers finds the faults that ports have, at the right stage."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import port_faults
import pytest
from planted_faults import Sound

from tokenizer_adapters import load_implementation
from tokenizer_conformance import Corpus, RunPlan, read_corpus, run
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.results.records.run import Difference

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation, Stage


@cache
def corpus() -> Corpus:
    found, refusals = read_corpus([("built in", builtin_inputs())])
    assert not refusals
    return found


def first_differing(fault: Implementation, tokenizer: str) -> Stage | None:
    """Return the stage at which the first input that shows ``fault`` differs first, ``None`` where none shows it."""
    plan = RunPlan(
        tokenizers=(read_tokenizer(find_tokenizer(tokenizer)),),
        implementations=(load_implementation("tokenizers"), fault),
        baseline="tokenizers",
        corpus=corpus(),
        max_failing=1,
        cause_seconds=0,
    )
    found = [event.differs_at for event in run(plan) if isinstance(event, Difference)]
    return found[0] if found else None


@pytest.mark.long_but(4)
@pytest.mark.parametrize("fault", port_faults.OVERLOOKED, ids=lambda fault: fault.name)
def test_an_option_that_a_port_overlooks_is_found(fault: port_faults.Overlooked) -> None:
    assert first_differing(port_faults.Overlooking(fault), fault.tokenizer) is fault.stage


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("fault", "tokenizer", "stage"), port_faults.SPOILT, ids=[fault.name for fault, *_ in port_faults.SPOILT]
)
def test_an_answer_that_a_port_gets_wrong_is_found(fault: Implementation, tokenizer: str, stage: Stage) -> None:
    assert first_differing(fault, tokenizer) is stage


@pytest.mark.long
def test_without_a_fault_nothing_is_found() -> None:
    assert first_differing(Sound(), "options-mini") is None
