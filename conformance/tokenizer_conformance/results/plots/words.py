"""What is written in a plot: names that are the user's, numbers along an axis."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.figures import NONE, figure
from tokenizer_conformance.results.plots.library import FONT, part

if TYPE_CHECKING:
    from tokenizer_conformance.results.plots.plot import Bar, HeatMap

LONGEST_NAME = 40
LONGEST_CELL = 12


def shown_name(name: str, longest: int = LONGEST_NAME) -> str:
    r"""Return ``name`` as it is drawn: what is hidden, or has no glyph, as an escape; cut where it is too long."""
    shown = "".join(each if ord(each) in _glyphs() else _escape(each) for each in visible(name))
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def _escape(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


@cache
def _glyphs() -> frozenset[int]:
    """Return the code points that the font has a glyph for."""
    manager = part("matplotlib.font_manager")
    return frozenset(manager.get_font(manager.findfont(FONT)).get_charmap())


def share_words(share: float) -> str:
    """Return ``share`` with two decimals; what is not all, or not nothing, is not shown as that.

    >>> [share_words(share) for share in (0, 0.001, 0.25, 0.999, 1)]
    ['0.00', '<.01', '0.25', '>.99', '1.00']
    """
    told = f"{share:.2f}"
    if told == "1.00" and share < 1:
        return ">.99"
    return "<.01" if told == "0.00" and share > 0 else told


def cell_words(plot: HeatMap, row: int, column: int) -> str:
    """Return what stands in a cell of ``plot``."""
    if plot.texts is not None:
        return shown_name(plot.texts[row][column], LONGEST_CELL)
    share = plot.shares[row][column]
    return NONE if share is None else share_words(share)


def bar_words(bar: Bar) -> str:
    """Return what stands beside the bar or the dot of a value."""
    return "" if bar.value is None else figure(bar.value)


def plain_ticks(axis: Any, between: tuple[float, ...] = (1.0,)) -> None:
    """Label a logarithmic ``axis`` with plain numbers: these times the powers of ten."""
    ticker = part("matplotlib.ticker")
    axis.set_major_locator(ticker.LogLocator(subs=between))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,g}" if value < 1e6 else f"{value:g}"))
    axis.set_minor_formatter(ticker.NullFormatter())
