"""The state of a cell is that of its gravest verdict."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from tokenizer_conformance.comparison.verdicts import Verdict, graver
from tokenizer_conformance.results.page import State
from tokenizer_conformance.results.verdict_states import state_of


@pytest.mark.parametrize(
    ("state", "verdicts"),
    [
        (State.ERROR, {Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL, Verdict.ERROR}),
        (State.DIFFER, {Verdict.DIFFER}),
        (State.UNSTABLE, {Verdict.UNSTABLE}),
        (State.KNOWN, {Verdict.KNOWN}),
        (State.ACCEPTABLE, {Verdict.BOTH_ERROR}),
        (State.AGREE, {Verdict.AGREE}),
        (State.UNSUPPORTED, {Verdict.UNSUPPORTED}),
    ],
)
def test_a_verdict_alone_has_its_state(state: State, verdicts: set[Verdict]) -> None:
    assert {verdict for verdict in Verdict if state_of([verdict]) is state} == verdicts


def test_of_several_verdicts_the_gravest_counts() -> None:
    for first, second in combinations_with_replacement(Verdict, 2):
        assert state_of([second, first]) is state_of([graver(first, second)])
    assert state_of([]) is State.NOT_COMPARED
