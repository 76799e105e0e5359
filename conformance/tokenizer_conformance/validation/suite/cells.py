"""What stands in the cells of matrices of the suite: how many requirements pass, of those that were compared."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.results.page import Cell, State
from tokenizer_conformance.results.recorded_page import NOT_LOADED
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.results import GRAVITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

STATES: dict[CaseVerdict, State] = {
    CaseVerdict.ERROR: State.ERROR,
    CaseVerdict.FAILED: State.DIFFER,
    CaseVerdict.KNOWN: State.KNOWN,
    CaseVerdict.PASSED: State.AGREE,
    CaseVerdict.UNSUPPORTED: State.UNSUPPORTED,
}
"""The state of a cell whose gravest verdict is this one."""

WORDS: dict[State, tuple[str, str]] = {
    State.AGREE: ("", "so many pass, and none fails; + n: more that are not loaded or not shown"),
    State.DIFFER: ("", "so many pass, of those that were compared"),
    State.ERROR: ("no answer", "a crash, no answer in time, or a broken protocol"),
    State.KNOWN: ("known", "all that fails is known, by a ledger"),
    State.UNSUPPORTED: ("", "so many are not shown: neither passed nor failed"),
    State.NOT_COMPARED: ("", "so many whose tokenizers it cannot load, or that were not asked"),
}
"""The words and the meanings of the signs where requirements are judged; the others the cells say themselves."""

WRONG = (State.ERROR, State.DIFFER, State.KNOWN)


def state_of(verdict: CaseVerdict, *, is_not_loaded: bool) -> State:
    """Return the state of a requirement; where no tokenizer of it is loaded, nothing was compared."""
    return State.NOT_COMPARED if is_not_loaded else STATES[verdict]


def cell_of(judged: Iterable[tuple[CaseVerdict, bool]], of: Mapping[str, str]) -> Cell:
    """Return the cell of requirements, each with its verdict and whether it is not loaded; ``of`` is what it leads to.

    What is not loaded or not shown is in no number of what was compared, and stands beside it.
    """
    own = list(judged)
    counts = Counter(verdict for verdict, is_not_loaded in own if not is_not_loaded)
    not_loaded, not_shown = sum(each for _, each in own), counts.pop(CaseVerdict.UNSUPPORTED, 0)
    passed, compared = counts[CaseVerdict.PASSED], sum(counts.values())
    beside = [f"{count:,} {what}" for count, what in ((not_loaded, NOT_LOADED), (not_shown, "not shown")) if count]
    detail = ", ".join([*(f"{counts[each]:,} {each}" for each in GRAVITY if counts[each]), *beside])
    left_out = not_loaded + not_shown
    text = f"{left_out:,}" if own else "not asked"
    if compared:
        text = f"{passed:,}{'' if passed == compared else f' of {compared:,}'}{f' + {left_out:,}' if beside else ''}"
    state = next((STATES[each] for each in GRAVITY if counts[each]), State.UNSUPPORTED if not_shown else None)
    if state not in WRONG and (not_loaded or state is None):
        state = State.NOT_COMPARED
    return Cell(state or State.NOT_COMPARED, text, detail, of if state in WRONG or not_loaded else {})
