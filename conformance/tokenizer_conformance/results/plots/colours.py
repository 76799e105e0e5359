"""The colours of plots in files, which stand on white; those in pages have their own two sets in ``inline.css``.

Heat maps that judge go from red to green, those that do not are of one hue; the text in each cell is read on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.results.plots.plot import Tone, step_of

if TYPE_CHECKING:
    from tokenizer_conformance.results.plots.plot import HeatMap

JUDGED = (
    "#ee8d82", "#f2a49b", "#f7bcb5", "#fbd3ce", "#f8e4e0", "#f6f4f1", "#e7f2e6", "#d8efdc", "#bfe4c6",
    "#a6d9b1", "#74bf85",
)  # fmt: skip
NEUTRAL = (
    "#f3f7fc", "#e6effa", "#d8e7f7", "#cbdff5", "#bdd7f2", "#b0cef0", "#a3c6ee", "#95beeb", "#88b6e9",
    "#7aaee6", "#6da6e4",
)  # fmt: skip

TONES: dict[Tone, str] = {
    Tone.AGREE: "#1d7a35",
    Tone.DIFFER: "#b3261a",
    Tone.ERROR: "#9a1a7b",
    Tone.KNOWN: "#8a6100",
    Tone.QUIET: "#5f6670",
}


def steps_of(plot: HeatMap) -> list[list[float]]:
    """Return for each cell of ``plot`` which of the colours it has; not a number where it has none."""
    return [[float("nan") if share is None else float(step_of(share)) for share in row] for row in plot.shares]
