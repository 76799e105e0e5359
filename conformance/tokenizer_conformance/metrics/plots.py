"""Plots of what was measured, by ``matplotlib`` where that is installed; each as SVG and as PNG.

The files of one result are the same bytes each time: no date, no random ids. Names of tokenizers and groups are the
user's: their hidden characters, and those that the font of ``matplotlib`` has no glyph for, are drawn as escapes, and
nothing in them is markup.
"""

from __future__ import annotations

import importlib
import io
import math
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

INSTALL = "pip install 'tokenizer-conformance[plots]'"

FORMATS = ("svg", "png")

DOTS_PER_INCH = 150

SETTINGS: dict[str, object] = {
    "font.family": "DejaVu Sans",  # comes with the package, so a file does not hang on the fonts of a machine
    "svg.hashsalt": "tokconf",
    "svg.fonttype": "path",
    "text.parse_math": False,
    "text.usetex": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": False,
    "figure.dpi": DOTS_PER_INCH,
}

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b")
"""The palette of Okabe and Ito, which people with any colour vision tell apart, but for yellow; and brown."""

STYLES = ("-", "--", "-.", ":", (0, (5, 5)))
MARKERS = "osD^vP*"

LONGEST_NAME = 40

MOST_BARS = 60
"""More bars than these are too many to be told apart: marks on lines are drawn in their place."""

CREATOR = "tokconf metrics"
"""What the files say made them."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its interval; ``None`` where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A matrix of shares from 0 to 1 among ``names``; ``None`` where a share is not known."""

    title: str
    names: tuple[str, ...]
    shares: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """For each of ``groups`` a bar of each of the ``series``, by its name."""

    title: str
    axis: str
    groups: tuple[str, ...]
    series: Mapping[str, tuple[Bar, ...]]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines through points; with ``logarithmic`` both axes are."""

    title: str
    horizontal: str
    vertical: str
    series: Mapping[str, tuple[tuple[float, float], ...]]
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    """A named point each, with an interval of its height; the horizontal axis is logarithmic."""

    title: str
    horizontal: str
    vertical: str
    points: Mapping[str, tuple[float, Bar]]


Plot = HeatMap | Bars | Lines | Points


def require_matplotlib() -> None:
    """Raise :class:`BadInputError` where ``matplotlib`` is not installed."""
    _library("matplotlib")


def is_plot(content: bytes) -> bool:
    """Tell whether a file of this ``content`` is a plot of ours, or empty."""
    return not content or (content.startswith((b"<?xml", b"\x89PNG")) and CREATOR.encode() in content)


def drawn(plot: Plot, form: str) -> bytes:
    """Return ``plot`` as a file of ``form``, one of :data:`FORMATS`."""
    with _settings():
        figure = _figure(plot)
        # A date, and the version of the library, would make each file another one.
        metadata = {"Date": None, "Creator": CREATOR} if form == "svg" else {"Software": CREATOR}
        file = io.BytesIO()
        figure.savefig(file, format=form, metadata=metadata, dpi=DOTS_PER_INCH, bbox_inches="tight")
    return file.getvalue()


def _figure(plot: Plot) -> Any:
    match plot:
        case HeatMap():
            return _heat_map(plot)
        case Bars():
            return _bars(plot)
        case Lines():
            return _lines(plot)
        case Points():
            return _points(plot)


# Kinds of plots ------------------------------------------------------------------------------------------------------


def _heat_map(plot: HeatMap) -> Any:
    size = len(plot.names)
    figure, axes = _empty(2.4 + 0.75 * size, 1.8 + 0.6 * size, plot.title)
    shares = [[math.nan if share is None else share for share in row] for row in plot.shares]
    image = axes.imshow(shares, vmin=0, vmax=1, cmap="viridis")
    for row, each in enumerate(plot.shares):
        for column, share in enumerate(each):
            dark = share is not None and share < 0.6
            axes.text(
                column,
                row,
                "–" if share is None else f"{share:.2f}",
                ha="center",
                va="center",
                color="white" if dark else "black",
                fontsize=8,
            )
    names = list(map(_name, plot.names))
    axes.set_xticks(range(size), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(size), names)
    figure.colorbar(image, ax=axes, fraction=0.04)
    return figure


def _bars(plot: Bars) -> Any:
    groups, series = len(plot.groups), len(plot.series)
    if groups * series > MOST_BARS:
        return _dots(plot)
    figure, axes = _empty(2.5 + 0.18 * groups * (series + 1.5), 4, plot.title)
    width = 0.85 / max(series, 1)
    for number, (name, bars) in enumerate(plot.series.items()):
        left = -0.425 + width * (number + 0.5)
        shown = [(place + left, bar) for place, bar in enumerate(bars) if bar.value is not None]
        axes.bar(
            [place for place, _ in shown],
            [bar.value for _, bar in shown],
            width,
            yerr=_errors([bar for _, bar in shown]),
            color=COLOURS[number % len(COLOURS)],
            hatch=("", "//", "..", "xx")[number // len(COLOURS) % 4],
            error_kw={"elinewidth": 0.8},
            label=_name(name),
        )
    axes.set_xticks(range(groups), list(map(_name, plot.groups)), rotation=30, ha="right", rotation_mode="anchor")
    axes.set_ylabel(plot.axis)
    _legend(axes, series)
    return figure


def _dots(plot: Bars) -> Any:
    """Draw a line for each group, and on it a mark for each of the series: so many groups fit on a page."""
    groups = len(plot.groups)
    figure, axes = _empty(7, 1.2 + 0.26 * groups, plot.title)
    for number, (name, bars) in enumerate(plot.series.items()):
        shown = [(place, bar) for place, bar in enumerate(bars) if bar.value is not None]
        axes.errorbar(
            [bar.value for _, bar in shown],
            [place for place, _ in shown],
            xerr=_errors([bar for _, bar in shown]),
            fmt=MARKERS[(number + number // len(COLOURS)) % len(MARKERS)],
            markerfacecolor="none",  # of two marks in one place, both are seen
            markersize=5,
            elinewidth=0.8,
            color=COLOURS[number % len(COLOURS)],
            label=_name(name),
        )
    axes.set_yticks(range(groups), list(map(_name, plot.groups)))
    axes.set_ylim(groups - 0.5, -0.5)  # the first group at the top
    axes.grid(axis="y", linewidth=0.3)
    axes.set_xlabel(plot.axis)
    _legend(axes, len(plot.series))
    return figure


def _errors(bars: Sequence[Bar]) -> tuple[list[float], list[float]]:
    """Return how far below and above their values the intervals of ``bars`` reach; 0 where there is none."""
    below, above = [], []
    for bar in bars:
        value = bar.value or 0.0
        below.append(0.0 if bar.low is None else max(value - bar.low, 0.0))
        above.append(0.0 if bar.high is None else max(bar.high - value, 0.0))
    return below, above


def _lines(plot: Lines) -> Any:
    figure, axes = _empty(7, 4.5, plot.title)
    # Neighbours differ in style as well: of two lines in one place, both are seen.
    looks = zip(cycle(STYLES), cycle(COLOURS), strict=False)
    for (name, points), (style, colour) in zip(plot.series.items(), looks, strict=False):
        horizontal, vertical = [x for x, _ in points], [y for _, y in points]
        axes.plot(horizontal, vertical, linestyle=style, color=colour, linewidth=1.3, label=_name(name))
    if plot.logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")
        _plain_ticks(axes.xaxis)
        _plain_ticks(axes.yaxis)
    else:
        axes.xaxis.set_major_locator(_library("matplotlib.ticker").MaxNLocator(integer=True))
    axes.set_xlabel(plot.horizontal)
    axes.set_ylabel(plot.vertical)
    _legend(axes, len(plot.series))
    return figure


def _points(plot: Points) -> Any:
    figure, axes = _empty(7, 4.5, plot.title)
    for number, (name, (x, bar)) in enumerate(plot.points.items()):
        colour = COLOURS[number % len(COLOURS)]
        marker = MARKERS[(number + number // len(COLOURS)) % len(MARKERS)]
        axes.errorbar(
            [x],
            [bar.value],
            yerr=_errors([bar]),
            fmt=marker,
            markerfacecolor="none",  # of two points in one place, both are seen
            color=colour,
            label=_name(name),
        )
    axes.set_xscale("log")
    _plain_ticks(axes.xaxis, between=(1.0, 2.0, 3.0, 5.0))
    axes.set_xlabel(plot.horizontal)
    axes.set_ylabel(plot.vertical)
    axes.margins(0.15)
    _legend(axes, len(plot.points))
    return figure


def _empty(width: float, height: float, title: str) -> tuple[Any, Any]:
    figure = _library("matplotlib.figure").Figure(figsize=(min(width, 40.0), min(height, 40.0)))
    axes = figure.subplots()
    axes.set_title(_name(title, 100), fontsize=10)
    return figure, axes


def _plain_ticks(axis: Any, between: tuple[float, ...] = (1.0,)) -> None:
    """Label a logarithmic ``axis`` with plain numbers: these times the powers of ten."""
    ticker = _library("matplotlib.ticker")
    axis.set_major_locator(ticker.LogLocator(subs=between))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,g}" if value < 1e6 else f"{value:g}"))
    axis.set_minor_formatter(ticker.NullFormatter())


def _legend(axes: Any, entries: int) -> None:
    if entries:
        axes.legend(fontsize=8, frameon=False, bbox_to_anchor=(1.01, 1), loc="upper left")


# Names ---------------------------------------------------------------------------------------------------------------


def _name(name: str, longest: int = LONGEST_NAME) -> str:
    r"""Return ``name`` as it is drawn: what is hidden, or has no glyph, as an escape; cut where it is too long."""
    shown = "".join(each if ord(each) in _glyphs() else _escape(each) for each in visible(name))
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def _escape(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


@cache
def _glyphs() -> frozenset[int]:
    """Return the code points that the font has a glyph for."""
    manager = _library("matplotlib.font_manager")
    font = manager.get_font(manager.findfont(str(SETTINGS["font.family"])))
    return frozenset(font.get_charmap())


# The library ---------------------------------------------------------------------------------------------------------


@contextmanager
def _settings() -> Iterator[None]:
    library = _library("matplotlib")
    with library.rc_context():
        library.rcdefaults()  # what stands in a matplotlibrc of the user makes no other file
        library.rcParams.update(SETTINGS)
        yield


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise BadInputError(f"plots need matplotlib, which is not installed; install it with: {INSTALL}") from error
