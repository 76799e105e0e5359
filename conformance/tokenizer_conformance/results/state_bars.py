"""Stacked bars of states: of how many things each one has come to which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.results.page import State
from tokenizer_conformance.results.plots.plot import Bar, Bars, Tone

if TYPE_CHECKING:
    from collections.abc import Mapping

TONES: dict[State, Tone] = {
    State.AGREE: Tone.AGREE,
    State.DIFFER: Tone.DIFFER,
    State.ERROR: Tone.ERROR,
    State.KNOWN: Tone.KNOWN,
}
"""What the parts of bars have the colours of; any other state is quiet."""


def state_bars(title: str, axis: str, counts: Mapping[str, Mapping[State, int]], words: Mapping[State, str]) -> Bars:
    """Return a stacked bar for each name of ``counts``, a part for each state that any of them has.

    The states are called by their ``words``, and stand in their order.
    """
    shown = {state: word for state, word in words.items() if any(of_one.get(state) for of_one in counts.values())}
    return Bars(
        title,
        axis,
        tuple(counts),
        {
            word: tuple(Bar(float(of_one[state]) if of_one.get(state) else None) for of_one in counts.values())
            for state, word in shown.items()
        },
        stacked=True,
        tones={word: TONES.get(state, Tone.QUIET) for state, word in shown.items()},
    )
