"""How many requirements implementations pass, as a picture for every page that shows it: one bar an implementation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.results.page import Drawing, State
from tokenizer_conformance.results.state_bars import state_bars

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS: dict[State, str] = {
    State.AGREE: "passed",
    State.DIFFER: "failed",
    State.ERROR: "no answer",
    State.KNOWN: "failed, as is known",
    State.NOT_COMPARED: "not loaded",
    State.UNSUPPORTED: "not shown",
}
"""What is counted, in the order of the parts of a bar."""


def requirement_bars(counts: Mapping[str, Mapping[State, int]]) -> Drawing:
    """Return a stacked bar for each implementation of ``counts``: how many requirements came to which state."""
    return Drawing(
        state_bars("Requirements, by what came of them", "requirements", counts, WORDS),
        "How many requirements of the suite each implementation passes and fails. It gives no answer where it crashes "
        "or takes too long; where it loads no tokenizer of a requirement, or does not show what it is about, nothing "
        "is judged.",
    )
