"""Plots as figures for a narrow page: readable at :data:`WIDTH` pixels, in colours that stand for roles.

Bars lie, so names stand beside them in full; the legend is below; the title is left to the page. What a colour tells, a
hatch, a marker or a dash tells too.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.results.plots.library import part
from tokenizer_conformance.results.plots.plot import Bars, HeatMap, Lines, Points, below_and_above
from tokenizer_conformance.results.plots.words import plain_ticks, shown_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.results.plots.plot import Plot

BLACK = "#000000"
WHITE = "#ffffff"


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours written as ``#rrggbb``: from 1 (the same) to 21 (black and white).

    >>> round(contrast("#000000", "#ffffff"), 2)
    21.0
    """
    dark, light = sorted((_luminance(first), _luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def text_on(ground: str) -> str:
    """Return black or white, whichever is read better on ``ground``; its contrast is 4.58 at least.

    >>> text_on("#440154"), text_on("#fde725")
    ('#ffffff', '#000000')
    """
    return max((BLACK, WHITE), key=lambda colour: contrast(colour, ground))


def _luminance(colour: str) -> float:
    """Return the relative luminance: from 0 (black) to 1 (white)."""
    red, green, blue = (_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


WIDTH = 360
"""How wide a plot is, in units of its picture; on a page of so many pixels its text has the size that is set here."""

INK, GRID, GROUND = "#010001", "#010003", "#010005"
SERIES = tuple(f"#0100{number:02x}" for number in range(0x11, 0x21, 2))

ROLES: dict[str, str] = {
    INK: "ink",
    GRID: "grid",
    GROUND: "ground",
    **{colour: f"series-{number}" for number, colour in enumerate(SERIES, 1)},
}
"""What the colours stand for: ink is text and axes, ground what they stand on, and each series has its own."""

HATCHES = (
    "",
    "M-1 1L1 -1M0 6L6 0M5 7L7 5",
    "M2 2h2v2h-2z",
    "M0 3H6",
    "M3 0V6",
    "M-1 5L1 7M0 0L6 6M5 -1L7 1",
    "M0 3H6M3 0V6",
    "M0 0L6 6M0 6L6 0",
)
"""What bars are hatched with: paths in a square of :data:`HATCH_SIZE` units, which is put side by side."""

HATCH_SIZE = 6

HATCHED: dict[str, tuple[str, str]] = {
    f"#02{hatch:02x}{series:02x}": (f"series-{series + 1}", HATCHES[hatch])
    for hatch in range(1, len(HATCHES))
    for series in range(len(SERIES))
}
"""What the colours of hatched bars stand for: a role, and the hatch on it."""

MARKERS = "osD^vP*X"
DASHES = ("-", "--", ":", "-.", (0, (6, 1)), (0, (1, 3)), (0, (6, 2, 1, 2, 1, 2)), (0, (10, 4)))

SETTINGS: dict[str, object] = {
    "figure.dpi": 72,  # a unit of the picture is a point
    "svg.fonttype": "none",
    "font.size": 10,
    "legend.fontsize": 10,
    "legend.frameon": False,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.axisbelow": True,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
}

MOST_BARS = 40
"""More bars than these are too many for a page: marks on lines are drawn in their place."""

LONGEST_LABEL = 48
LINE_OF_TEXT = 15
CELL = 30
BAR = 9


def figure_of(plot: Plot) -> Any:
    """Return ``plot`` as a figure of ``matplotlib``, drawn under :data:`SETTINGS`."""
    match plot:
        case HeatMap():
            return _heat_map(plot)
        case Bars(stacked=True):
            return _stacked(plot)
        case Bars() if len(plot.groups) * len(plot.series) > MOST_BARS:
            return _dots(plot)
        case Bars():
            return _bars(plot)
        case Lines():
            return _lines(plot)
        case Points():
            return _points(plot)


# Kinds of plots ------------------------------------------------------------------------------------------------------


def _heat_map(plot: HeatMap) -> Any:
    columns, rows = len(plot.column_names), len(plot.names)
    longest = max(map(len, plot.column_names), default=0)
    figure, axes = _empty(max(WIDTH, 150 + CELL * columns), 30 + CELL * rows + 5 * min(longest, 24))
    map_ = part("matplotlib").colormaps["viridis"].with_extremes(bad=GROUND)
    shares = [[float("nan") if share is None else share for share in row] for row in plot.shares]
    if rows and columns:
        axes.pcolormesh(shares, vmin=0, vmax=1, cmap=map_, edgecolors=GROUND, linewidth=1)
    for row, each in enumerate(plot.shares):
        for column, share in enumerate(each):
            shown = "–" if share is None else f"{share:.2f}"
            colour = INK if share is None else text_on(part("matplotlib.colors").to_hex(map_(float(share))))
            axes.text(column + 0.5, row + 0.5, shown, ha="center", va="center", color=colour, fontsize=10)
    names = [shown_name(name, 24) for name in plot.column_names]
    centres = [place + 0.5 for place in range(columns)]
    axes.set_xticks(centres, names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks([place + 0.5 for place in range(rows)], list(map(_wrapped, plot.names)))
    axes.set_ylim(max(rows, 1), 0)  # the first row at the top
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def _bars(plot: Bars) -> Any:
    series = max(len(plot.series), 1)
    figure, axes = _lying(plot, max(BAR * (series + 1), 30))
    height = 0.85 / series
    has_intervals = any(bar.low is not None for bars in plot.series.values() for bar in bars)
    for number, (name, bars) in enumerate(plot.series.items()):
        top = -0.425 + height * (number + 0.5)
        shown = [(place + top, bar) for place, bar in enumerate(bars) if bar.value is not None]
        axes.barh(
            [place for place, _ in shown],
            [bar.value for _, bar in shown],
            height,
            xerr=below_and_above([bar for _, bar in shown]) if has_intervals else None,
            error_kw={"elinewidth": 1, "ecolor": INK, "capsize": 2},
            **_filled(number),
            label=shown_name(name),
        )
    _legend(figure, plot.series)
    return figure


def _stacked(plot: Bars) -> Any:
    figure, axes = _lying(plot, 30)
    for number, (name, bars) in enumerate(plot.series.items()):
        bases = plot.bases(number)
        shown = [(place, bar) for place, bar in enumerate(bars) if bar.value]
        axes.barh(
            [place for place, _ in shown],
            [bar.value for _, bar in shown],
            0.7,
            [bases[place] for place, _ in shown],
            **_filled(number),
            label=shown_name(name),
        )
    _legend(figure, plot.series)
    return figure


def _dots(plot: Bars) -> Any:
    """Draw a line for each group, and about it a mark for each of the series, each a little lower than the last."""
    series = len(plot.series)
    figure, axes = _lying(plot, max(6 * series, 22))
    for number, (name, bars) in enumerate(plot.series.items()):
        lower = 0.7 * ((number + 0.5) / series - 0.5)
        shown = [(place + lower, bar) for place, bar in enumerate(bars) if bar.value is not None]
        axes.errorbar(
            [bar.value for _, bar in shown],
            [place for place, _ in shown],
            xerr=below_and_above([bar for _, bar in shown]),
            **_marked(number),
            label=shown_name(name),
        )
    axes.grid(axis="y")
    _legend(figure, plot.series)
    return figure


def _lying(plot: Bars, height: float) -> tuple[Any, Any]:
    """Return an empty figure with lines of ``height`` units for the groups of ``plot``, the first at the top."""
    figure, axes = _empty(WIDTH, 50 + height * len(plot.groups), plot.series)
    axes.set_yticks(range(len(plot.groups)), list(map(_wrapped, plot.groups)))
    axes.set_ylim(max(len(plot.groups), 1) - 0.5, -0.5)
    axes.set_xlabel(shown_name(plot.axis, LONGEST_LABEL))
    axes.xaxis.set_major_locator(part("matplotlib.ticker").MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(part("matplotlib.ticker").FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.grid(axis="x")
    return figure, axes


def _lines(plot: Lines) -> Any:
    figure, axes = _empty(WIDTH, 230, plot.series)
    for number, (name, points) in enumerate(plot.series.items()):
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            color=SERIES[number % len(SERIES)],
            linestyle=DASHES[_second(number) % len(DASHES)],
            drawstyle="steps-mid" if plot.steps else "default",
            linewidth=1.4,
            marker=MARKERS[_second(number) % len(MARKERS)],
            markersize=4,
            markevery=(0.04 * (number % 4), 0.16),  # of the axis: marks of lines in one place are side by side
            markerfacecolor=GROUND,
            label=shown_name(name),
        )
    if plot.logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain_ticks(axes.xaxis)
        plain_ticks(axes.yaxis)
    else:
        axes.xaxis.set_major_locator(part("matplotlib.ticker").MaxNLocator(nbins=6, integer=True))
    _labelled(axes, plot.horizontal, plot.vertical)
    _legend(figure, plot.series)
    return figure


def _points(plot: Points) -> Any:
    figure, axes = _empty(WIDTH, 230, plot.points)
    for number, (name, (x, bar)) in enumerate(plot.points.items()):
        axes.errorbar([x], [bar.value], yerr=below_and_above([bar]), **_marked(number), label=shown_name(name))
    axes.set_xscale("log")
    widths = [x for x, _ in plot.points.values()]
    is_wide = bool(widths) and max(widths) > 30 * min(widths)
    plain_ticks(axes.xaxis, between=(1.0,) if is_wide else (1.0, 2.0, 5.0))
    axes.margins(0.15)
    _labelled(axes, plot.horizontal, plot.vertical)
    _legend(figure, plot.points)
    return figure


# What plots have in common --------------------------------------------------------------------------------------------


def _empty(width: float, height: float, legend: Iterable[str] = ()) -> tuple[Any, Any]:
    """Return a figure of that size in units, and its axes; a ``legend`` of these names makes it higher."""
    names = list(legend)
    height += LINE_OF_TEXT * -(-len(names) // _legend_columns(names))
    figure = part("matplotlib.figure").Figure(figsize=(width / 72, height / 72), layout="constrained")
    axes = figure.subplots()
    figure.patch.set_visible(False)  # the page is the ground
    axes.patch.set_visible(False)
    return figure, axes


def _labelled(axes: Any, horizontal: str, vertical: str) -> None:
    axes.set_xlabel(shown_name(horizontal, LONGEST_LABEL))
    axes.set_ylabel(shown_name(vertical, LONGEST_LABEL))
    axes.grid()


def _second(number: int) -> int:
    """Return which hatch, marker or dash the series of that ``number`` has: another one in each round of colours."""
    return number + number // len(SERIES)


def _filled(number: int) -> dict[str, Any]:
    series, hatch = number % len(SERIES), _second(number) % len(HATCHES)
    colour = f"#02{hatch:02x}{series:02x}" if HATCHES[hatch] else SERIES[series]
    return {"color": colour, "edgecolor": GROUND, "linewidth": 0.5}


def _marked(number: int) -> dict[str, Any]:
    return {
        "fmt": MARKERS[_second(number) % len(MARKERS)],
        "color": SERIES[number % len(SERIES)],
        "markerfacecolor": "none",  # of two marks in one place, both are seen
        "markersize": 6,
        "elinewidth": 1,
        "capsize": 2,
    }


def _legend(figure: Any, names: Iterable[str]) -> None:
    columns = _legend_columns(list(names))
    if any(axes.get_legend_handles_labels()[0] for axes in figure.axes):
        figure.legend(loc="outside lower left", ncols=columns, handlelength=2.6, borderaxespad=0.2)


def _legend_columns(names: list[str]) -> int:
    return 2 if all(len(shown_name(name)) <= 18 for name in names) else 1


def _wrapped(name: str) -> str:
    """Return ``name`` as it stands beside an axis: in two lines where it is long."""
    return "\n".join(textwrap.wrap(shown_name(name), 20, max_lines=2, placeholder="…"))
