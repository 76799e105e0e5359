"""What is written in a plot: names that are the user's, numbers along an axis."""

from __future__ import annotations

from functools import cache
from typing import Any

from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.plots.library import FONT, part

LONGEST_NAME = 40


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


def plain_ticks(axis: Any, between: tuple[float, ...] = (1.0,)) -> None:
    """Label a logarithmic ``axis`` with plain numbers: these times the powers of ten."""
    ticker = part("matplotlib.ticker")
    axis.set_major_locator(ticker.LogLocator(subs=between))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,g}" if value < 1e6 else f"{value:g}"))
    axis.set_minor_formatter(ticker.NullFormatter())
