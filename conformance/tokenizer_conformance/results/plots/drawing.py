"""Plots of what was measured, by ``matplotlib`` where that is installed; each as SVG and as PNG.

The files of one result are the same bytes each time: no date, no random ids. Names of tokenizers and groups are the
user's: their hidden characters, and those that the font of ``matplotlib`` has no glyph for, are drawn as escapes, and
nothing in them is markup.
"""

from __future__ import annotations

import io
from itertools import cycle
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.results.plots.colours import JUDGED, NEUTRAL, TONES, steps_of
from tokenizer_conformance.results.plots.library import part, settings
from tokenizer_conformance.results.plots.plot import (
    STEPS,
    Bars,
    Dots,
    HeatMap,
    Lines,
    Points,
    axis_of,
    below_and_above,
    has_values,
)
from tokenizer_conformance.results.plots.words import bar_words, cell_words, plain_ticks, shown_name

if TYPE_CHECKING:
    from tokenizer_conformance.results.plots.plot import Plot

FORMATS = ("svg", "png")

DOTS_PER_INCH = 150

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b")
"""The palette of Okabe and Ito, which people with any colour vision tell apart, but for yellow; and brown."""

STYLES = ("-", "--", "-.", ":", (0, (5, 5)))
MARKERS = "osD^vP*"

MOST_BARS = 60
"""More bars than these are too many to be told apart: marks on lines are drawn in their place."""

CREATOR = "tokconf metrics"
"""What the files say made them."""


def is_plot(content: bytes) -> bool:
    """Return whether a file of this ``content`` is a plot of ours, or empty."""
    return not content or (content.startswith((b"<?xml", b"\x89PNG")) and CREATOR.encode() in content)


def drawn(plot: Plot, form: str) -> bytes:
    """Return ``plot`` as a file of ``form``, one of :data:`FORMATS`."""
    with settings({"figure.dpi": DOTS_PER_INCH}):
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
        case Bars() if plot.stacked or len(plot.groups) * len(plot.series) <= MOST_BARS:
            return _bars(plot)
        case Bars() | Dots():
            return _dots(plot)
        case Lines():
            return _lines(plot)
        case Points():
            return _points(plot)


# Kinds of plots ------------------------------------------------------------------------------------------------------


def _heat_map(plot: HeatMap) -> Any:
    rows, columns = len(plot.names), len(plot.column_names)
    figure, axes = _empty(2.4 + 0.75 * columns, 1.8 + 0.6 * rows, plot.title)
    colours = part("matplotlib.colors").ListedColormap(JUDGED if plot.judges else NEUTRAL)
    axes.imshow(steps_of(plot), vmin=-0.5, vmax=STEPS - 0.5, cmap=colours)
    for row in range(rows):
        for column in range(columns):
            axes.text(column, row, cell_words(plot, row, column), ha="center", va="center", fontsize=8)
    names = list(map(shown_name, plot.column_names))
    axes.set_xticks(range(columns), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(rows), list(map(shown_name, plot.names)))
    return figure


def _bars(plot: Bars) -> Any:
    groups, series = len(plot.groups), len(plot.series)
    side_by_side = 1 if plot.stacked else series
    figure, axes = _empty(2.5 + 0.18 * groups * (side_by_side + 1.5), 4, plot.title)
    width = 0.85 / max(side_by_side, 1)
    for number, (name, bars) in enumerate(plot.series.items()):
        bases = plot.bases(number)
        left = 0.0 if plot.stacked else -0.425 + width * (number + 0.5)
        shown = [(place, bar) for place, bar in enumerate(bars) if bar.value is not None]
        drawn_bars = axes.bar(
            [place + left for place, _ in shown],
            [bar.value for _, bar in shown],
            width,
            [bases[place] for place, _ in shown],
            yerr=None if plot.stacked else below_and_above([bar for _, bar in shown]),
            color=TONES[plot.tones[name]] if name in plot.tones else COLOURS[number % len(COLOURS)],
            hatch=("", "//", "..", "xx")[number // len(COLOURS) % 4],
            error_kw={"elinewidth": 0.8},
            label=shown_name(name),
        )
        told = [bar_words(bar) for _, bar in shown]
        if plot.stacked:
            plate = {"facecolor": "white", "edgecolor": "none", "boxstyle": "square,pad=0.1"}
            axes.bar_label(drawn_bars, told, label_type="center", fontsize=6, bbox=plate)
        else:
            axes.bar_label(drawn_bars, told, rotation=90, padding=2, fontsize=6)
            axes.margins(y=0.15)  # for these
    axes.set_xticks(range(groups), list(map(shown_name, plot.groups)), rotation=30, ha="right", rotation_mode="anchor")
    axes.set_ylabel(shown_name(axis_of(plot.axis, plot.series)))
    _legend(axes, series)
    return figure


def _dots(plot: Bars | Dots) -> Any:
    """Draw a line for each group, and about it a mark for each of the series, each a little lower than the last.

    The values stand in a column on the right, where there is room for them.
    """
    groups, series = len(plot.groups), len(plot.series)
    figure, axes = _empty(7, 1.2 + max((0.13 if has_values(plot) else 0.06) * series, 0.26) * groups, plot.title)
    for number, (name, bars) in enumerate(plot.series.items()):
        lower = 0.8 * ((number + 0.5) / series - 0.5)
        shown = [(place + lower, bar) for place, bar in enumerate(bars) if bar.value is not None]
        axes.errorbar(
            [bar.value for _, bar in shown],
            [place for place, _ in shown],
            xerr=below_and_above([bar for _, bar in shown]),
            fmt=MARKERS[(number + number // len(COLOURS)) % len(MARKERS)],
            markerfacecolor="none",  # of two marks in one place, both are seen
            markersize=5,
            elinewidth=0.8,
            color=COLOURS[number % len(COLOURS)],
            label=shown_name(name),
        )
        for place, bar in shown if has_values(plot) else ():
            axes.text(1.01, place, bar_words(bar), transform=axes.get_yaxis_transform(), va="center", fontsize=6)
    if isinstance(plot, Bars):
        axes.set_xlim(left=0)
    axes.set_yticks(range(groups), list(map(shown_name, plot.groups)))
    axes.set_ylim(max(groups, 1) - 0.5, -0.5)  # the first group at the top
    axes.grid(linewidth=0.3)
    axes.set_xlabel(shown_name(axis_of(plot.axis, plot.series)))
    _legend(axes, series, left=1.09 if has_values(plot) else 1.01)
    return figure


def _lines(plot: Lines) -> Any:
    figure, axes = _empty(7, 4.5, plot.title)
    # Neighbours differ in style as well: of two lines in one place, both are seen.
    looks = zip(cycle(STYLES), cycle(COLOURS), strict=False)
    for (name, points), (style, colour) in zip(plot.series.items(), looks, strict=False):
        horizontal, vertical = [x for x, _ in points], [y for _, y in points]
        axes.plot(
            horizontal,
            vertical,
            linestyle=style,
            drawstyle="steps-mid" if plot.steps else "default",
            color=colour,
            linewidth=1.3,
            label=shown_name(name),
        )
    if plot.logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain_ticks(axes.xaxis)
        plain_ticks(axes.yaxis)
    else:
        axes.xaxis.set_major_locator(part("matplotlib.ticker").MaxNLocator(integer=True))
    axes.set_xlabel(plot.horizontal)
    axes.set_ylabel(shown_name(axis_of(plot.vertical, plot.series)))
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
            yerr=below_and_above([bar]),
            fmt=marker,
            markerfacecolor="none",  # of two points in one place, both are seen
            color=colour,
            label=shown_name(name),
        )
    axes.set_xscale("log")
    plain_ticks(axes.xaxis, between=(1.0, 2.0, 3.0, 5.0))
    axes.set_xlabel(plot.horizontal)
    axes.set_ylabel(shown_name(axis_of(plot.vertical, plot.points)))
    axes.margins(0.15)
    _legend(axes, len(plot.points))
    return figure


def _empty(width: float, height: float, title: str) -> tuple[Any, Any]:
    figure = part("matplotlib.figure").Figure(figsize=(min(width, 40.0), min(height, 40.0)))
    axes = figure.subplots()
    axes.set_title(shown_name(title, 100), fontsize=10)
    return figure, axes


def _legend(axes: Any, entries: int, left: float = 1.01) -> None:
    """Write a legend beside the axes, from ``left`` on in their widths; one entry needs none: the axis names it."""
    if entries > 1:
        axes.legend(fontsize=8, frameon=False, bbox_to_anchor=(left, 1), loc="upper left")
