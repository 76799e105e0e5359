"""The states that the verdicts on answers have on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.verdicts import SEVERITY, Verdict
from tokenizer_conformance.results.page import State

if TYPE_CHECKING:
    from collections.abc import Iterable

STATE_OF: dict[Verdict, State] = {
    Verdict.CRASH: State.ERROR,
    Verdict.TIMEOUT: State.ERROR,
    Verdict.PROTOCOL: State.ERROR,
    Verdict.ERROR: State.ERROR,
    Verdict.DIFFER: State.DIFFER,
    Verdict.UNSTABLE: State.UNSTABLE,
    Verdict.KNOWN: State.KNOWN,
    Verdict.BOTH_ERROR: State.ACCEPTABLE,
    Verdict.AGREE: State.AGREE,
    Verdict.UNSUPPORTED: State.UNSUPPORTED,
}
"""The state of a cell whose gravest verdict is this one. Where both sides refuse, there is nothing to compare."""


def state_of(verdicts: Iterable[Verdict]) -> State:
    """Return the state of a cell that has these ``verdicts``: that of the gravest one."""
    found = set(verdicts)
    return next((STATE_OF[verdict] for verdict in SEVERITY if verdict in found), State.NOT_COMPARED)
