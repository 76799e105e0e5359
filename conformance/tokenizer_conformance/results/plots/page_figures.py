"""Plots as figures for a narrow page: readable at :data:`WIDTH` pixels, in colours that stand for roles.

Bars lie, so names stand beside them in full, and values are written at their ends; the legend is below, and left out
where it had one entry; the title is left to the page. What a colour tells, a hatch, a marker, a dash or a number tells
too.
"""

from __future__ import annotations

import math
import re
import textwrap
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.results.plots.colours import steps_of
from tokenizer_conformance.results.plots.library import part
from tokenizer_conformance.results.plots.plot import (
    STEPS,
    Bars,
    Dots,
    HeatMap,
    Lines,
    Points,
    Tone,
    axis_of,
    below_and_above,
    has_values,
)
from tokenizer_conformance.results.plots.words import bar_words, cell_words, plain_ticks, shown_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_conformance.results.plots.plot import Plot

WIDTH = 360
"""How wide a plot is, in units of its picture; on a page of so many pixels its text has the size that is set here."""

INK, GRID, GROUND = "#010001", "#010003", "#010005"
SERIES = tuple(f"#0100{number:02x}" for number in range(0x11, 0x21, 2))
TONES = {tone: f"#0100{number:02x}" for number, tone in enumerate(Tone, 0x31)}
JUDGED = tuple(f"#0103{number:02x}" for number in range(STEPS))
NEUTRAL = tuple(f"#0104{number:02x}" for number in range(STEPS))

FILLS: dict[str, str] = {
    **{colour: f"series-{number}" for number, colour in enumerate(SERIES, 1)},
    **{colour: str(tone) for tone, colour in TONES.items()},
}
"""What the colours of series stand for: each series has its own, or the tone of what it counts."""

ROLES: dict[str, str] = {
    INK: "ink",
    GRID: "grid",
    GROUND: "ground",
    **FILLS,
    **{colour: f"judged-{step}" for step, colour in enumerate(JUDGED)},
    **{colour: f"neutral-{step}" for step, colour in enumerate(NEUTRAL)},
}
"""What the colours stand for: ink is text and axes, ground what they stand on; cells of heat maps have their steps."""

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
    f"#02{hatch:02x}{fill[-2:]}": (role, HATCHES[hatch])
    for hatch in range(1, len(HATCHES))
    for fill, role in FILLS.items()
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
LONGEST_LINE = 20
PARTS = re.compile(r"[\s._/=-]+")
"""After what a long name is parted."""

LINE_OF_TEXT = 15
CELL = 28
BAR = 13
STACK = 40
CHARACTER = 6
"""How wide a character is, about."""

LONGEST_STACK = 150
"""How long the longest of stacked bars is, at least."""

LONGEST_BEHIND = 22
"""So many characters stand on a line behind a bar."""

MOST_LINES_BEHIND = 3
"""and so many lines: further ones would lie on those of the next bar."""

UNBROKEN = "\N{NO-BREAK SPACE}"

TALL = 2 * WIDTH


def is_wide(plot: Plot) -> bool:
    """Return whether ``plot`` is wider than :data:`WIDTH`: a heat map of many columns, or of long words."""
    return isinstance(plot, HeatMap) and _width_of(plot) > WIDTH


def is_tall(plot: Plot) -> bool:
    """Return whether ``plot`` is much higher than others, beside which it would leave a gap."""
    return isinstance(plot, Bars | Dots) and _height_of(plot) > TALL


def figure_of(plot: Plot) -> Any:
    """Return ``plot`` as a figure of ``matplotlib``, drawn under :data:`SETTINGS`."""
    match plot:
        case HeatMap():
            return _heat_map(plot)
        case Dots():
            return _dots(plot)
        case Bars() if _is_of_marks(plot):
            return _dots(plot)
        case Bars(stacked=True):
            return _stacked(plot)
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
    height = CELL if plot.texts is None else LINE_OF_TEXT + 5
    figure, axes = _empty(_width_of(plot), 30 + height * rows + 5 * min(longest, 24))
    colours = part("matplotlib.colors").ListedColormap(JUDGED if plot.judges else NEUTRAL).with_extremes(bad=GROUND)
    if rows and columns:
        axes.pcolormesh(steps_of(plot), vmin=-0.5, vmax=STEPS - 0.5, cmap=colours, edgecolors=GROUND, linewidth=1)
    for row in range(rows):
        for column in range(columns):
            told = cell_words(plot, row, column)
            axes.text(column + 0.5, row + 0.5, told, ha="center", va="center", color=INK)
    names = [shown_name(name, 24) for name in plot.column_names]
    centres = [place + 0.5 for place in range(columns)]
    if plot.texts is not None:
        axes.xaxis.tick_top()  # such maps are high
    beside = "right" if plot.texts is None else "left"
    axes.set_xticks(centres, names, rotation=45, ha=beside, rotation_mode="anchor")
    axes.set_yticks([place + 0.5 for place in range(rows)], _beside_rows(plot))
    axes.set_ylim(max(rows, 1), 0)  # the first row at the top
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def _width_of(plot: HeatMap) -> float:
    """Return how wide ``plot`` is, so that the longest words fit into a cell, and beside the axis."""
    columns = len(plot.column_names)
    words = (cell_words(plot, row, column) for row in range(len(plot.names)) for column in range(columns))
    lines = (line for name in _beside_rows(plot) for line in name.split("\n"))
    cell = max(CELL, CHARACTER * max(map(len, words), default=0))
    return max(WIDTH, 30 + CHARACTER * max(map(len, lines), default=0) + cell * columns)


def _beside_rows(plot: HeatMap) -> list[str]:
    """Return the names of rows as they stand beside them: in two lines where they are long and rows are high."""
    return [_wrapped(name) if plot.texts is None else shown_name(name) for name in plot.names]


def _bars(plot: Bars) -> Any:
    series = max(len(plot.series), 1)
    figure, axes = _lying(plot)
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
            **_filled(plot, number, name),
            label=shown_name(name),
        )
        for place, bar in shown:
            _beside(axes, max(bar.value or 0.0, bar.high or 0.0), place, bar_words(bar))
    _begin_at_0(axes, 1.14 * axes.dataLim.x1)
    _legend(figure, plot.series)
    return figure


def _stacked(plot: Bars) -> Any:
    """Draw the parts of each group end to end; numbers that their parts are too short for stand behind them all."""
    figure, axes = _lying(plot)
    ends = plot.bases(len(plot.series))
    outside: dict[int, list[str]] = {}
    for number, (name, bars) in enumerate(plot.series.items()):
        bases = plot.bases(number)
        shown = [(place, bar.value, bar_words(bar)) for place, bar in enumerate(bars) if bar.value]
        filled = _filled(plot, number, name)
        axes.barh(
            [place for place, _, _ in shown],
            [value for _, value, _ in shown],
            0.7,
            [bases[place] for place, _, _ in shown],
            **filled,
            label=shown_name(name),
        )
        for place, value, told in shown:
            if value * LONGEST_STACK < max(ends, default=0.0) * CHARACTER * (len(told) + 1):
                words = told if len(plot.series) == 1 else f"{told} {shown_name(name)}"
                outside.setdefault(place, []).append(words.replace(" ", UNBROKEN))
            else:
                _inside(axes, bases[place] + value / 2, place, told, is_hatched=filled["color"] not in FILLS)
    for place, parts in outside.items():
        _beside(axes, ends[place], place, "\n".join(_lines_behind(parts)))
    whole = max(ends, default=0.0)
    axes.set_xticks([tick for tick in axes.xaxis.get_major_locator().tick_values(0, whole) if 0 <= tick <= whole])
    _begin_at_0(axes, max([1.02 * whole, *(ends[place] + 0.75 * whole for place in outside)]))
    _legend(figure, plot.series)
    return figure


def _lines_behind(parts: Sequence[str]) -> list[str]:
    """Return ``parts`` as lines behind a bar: as many as have room beside it, and how many more there are."""
    lines: list[str] = []
    for left_out in range(len(parts)):
        more = [f"{left_out}{UNBROKEN}more"] if left_out else []
        lines = textwrap.wrap(", ".join((*parts[: len(parts) - left_out], *more)), LONGEST_BEHIND)
        if len(lines) <= MOST_LINES_BEHIND:
            break
    return lines


def _dots(plot: Bars | Dots) -> Any:
    """Draw a line for each group, and about it a mark for each of the series, each a little lower than the last.

    The values stand in a column on the right, where there is room for them.
    """
    series = len(plot.series)
    figure, axes = _lying(plot)
    for number, (name, bars) in enumerate(plot.series.items()):
        lower = 0.8 * ((number + 0.5) / series - 0.5)
        shown = [(place + lower, bar) for place, bar in enumerate(bars) if bar.value is not None]
        axes.errorbar(
            [bar.value for _, bar in shown],
            [place for place, _ in shown],
            xerr=below_and_above([bar for _, bar in shown]),
            **_marked(number),
            label=shown_name(name),
        )
        for place, bar in shown if has_values(plot) else ():
            right = axes.get_yaxis_transform()
            axes.text(1.02, place, bar_words(bar), transform=right, va="center", color=INK)
    if isinstance(plot, Bars):
        _begin_at_0(axes, 1.05 * axes.dataLim.x1)
        axes.set_xlim(left=-0.02 * axes.get_xlim()[1])  # a mark at 0 is whole
    axes.grid(axis="y")
    _legend(figure, plot.series)
    return figure


def _is_of_marks(plot: Bars) -> bool:
    """Return whether the bars of ``plot`` are so many that they are marks on lines."""
    return not plot.stacked and len(plot.groups) * len(plot.series) > MOST_BARS


def _height_of(plot: Bars | Dots) -> float:
    """Return how high the axes of ``plot`` are, with a line for each of its groups."""
    series = len(plot.series)
    if isinstance(plot, Dots) or _is_of_marks(plot):
        line = max((BAR if has_values(plot) else 6) * series, 22)
    else:
        line = STACK if plot.stacked else max(BAR * (series + 1), 30)
    return 50 + line * len(plot.groups)


def _lying(plot: Bars | Dots) -> tuple[Any, Any]:
    """Return an empty figure with lines for the groups of ``plot``, the first at the top."""
    figure, axes = _empty(WIDTH, _height_of(plot), plot.series)
    axes.set_yticks(range(len(plot.groups)), list(map(_wrapped, plot.groups)))
    axes.set_ylim(max(len(plot.groups), 1) - 0.5, -0.5)
    axes.set_xlabel(shown_name(axis_of(plot.axis, plot.series), LONGEST_LABEL))
    axes.xaxis.set_major_locator(part("matplotlib.ticker").MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(part("matplotlib.ticker").FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.grid(axis="x")
    return figure, axes


def _beside(axes: Any, end: float, place: float, told: str) -> None:
    """Write a value behind the ``end`` of a bar."""
    axes.annotate(told, (end, place), (3, 0), textcoords="offset points", va="center", color=INK, linespacing=1)


def _inside(axes: Any, middle: float, place: float, told: str, *, is_hatched: bool) -> None:
    """Write a value inside its part of a bar; on a plate where lines of a hatch would cross it."""
    plate = {"facecolor": GROUND, "edgecolor": "none", "boxstyle": "square,pad=0.15"} if is_hatched else None
    colour = INK if is_hatched else GROUND
    axes.text(middle, place, told, ha="center", va="center", color=colour, bbox=plate)


def _begin_at_0(axes: Any, end: float) -> None:
    """Have the axis of bars begin at 0 and ``end`` there, behind which nothing is written any more."""
    axes.set_xlim(0, end if math.isfinite(end) and end > 0 else 1)


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
    _labelled(axes, plot.horizontal, axis_of(plot.vertical, plot.series))
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
    _labelled(axes, plot.horizontal, axis_of(plot.vertical, plot.points))
    _legend(figure, plot.points)
    return figure


# What plots have in common --------------------------------------------------------------------------------------------


def _empty(width: float, height: float, legend: Iterable[str] = ()) -> tuple[Any, Any]:
    """Return a figure of that size in units, and its axes; a ``legend`` of these names makes it higher."""
    names = list(legend)
    height += LINE_OF_TEXT * -(-len(names) // _legend_columns(names)) if len(names) > 1 else 0
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


def _filled(plot: Bars, number: int, name: str) -> dict[str, Any]:
    """Return how the bars of the series of that ``number`` and ``name`` are filled."""
    fill = TONES[plot.tones[name]] if name in plot.tones else SERIES[number % len(SERIES)]
    hatch = _second(number) % len(HATCHES)
    colour = f"#02{hatch:02x}{fill[-2:]}" if HATCHES[hatch] else fill
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
    named = list(names)
    columns = _legend_columns(named)
    if len(named) > 1 and any(axes.get_legend_handles_labels()[0] for axes in figure.axes):
        figure.legend(loc="outside lower left", ncols=columns, handlelength=2.6, borderaxespad=0.2)


def _legend_columns(names: list[str]) -> int:
    return 2 if all(len(shown_name(name)) <= 18 for name in names) else 1


def _wrapped(name: str) -> str:
    """Return ``name`` as it stands beside an axis: in two lines where it is long, parted after a mark if it has any."""
    shown = shown_name(name)
    if len(shown) <= LONGEST_LINE:
        return shown
    end = max((each.end() for each in PARTS.finditer(shown[:LONGEST_LINE])), default=LONGEST_LINE)
    first, rest = shown[:end].rstrip(), shown[end:].lstrip()
    return f"{first}\n{rest if len(rest) <= LONGEST_LINE else f'{rest[: LONGEST_LINE - 1]}…'}"
