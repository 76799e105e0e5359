"""What stands where in a figure: in a file of its own, and inside a page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.results.plots import drawing
from tokenizer_conformance.results.plots.library import settings
from tokenizer_conformance.results.plots.page_figures import DASHES, HATCHES, MARKERS, SERIES, SETTINGS, figure_of
from tokenizer_conformance.results.plots.plot import Bar, Bars, Dots, HeatMap, Lines, Plot

if TYPE_CHECKING:
    from collections.abc import Callable

HEAT = HeatMap("t", ("a", "b"), ((1.0, None, 0.25), (0.5, 0.0, 0.75)), ("x", "y", "z"))
MANY = Bars("t", "unit", tuple(map(str, range(40))), {name: (Bar(2.0), Bar(None)) * 20 for name in "abc"})
CURVE = ((1.0, 100.0), (10.0, 10.0), (100.0, 1.0))


def axes_of(plot: Plot, draw: Callable[[Plot], Any]) -> Any:
    pytest.importorskip("matplotlib", reason="plots are drawn by matplotlib, of the extra 'plots'")
    with settings(SETTINGS if draw is figure_of else {}):
        return draw(plot).axes[0]


def labels(ticks: Any) -> list[str]:
    return [each.get_text() for each in ticks]


def steps(values: Any) -> list[float | None]:
    """Return the steps of the colours of cells, row by row; ``None`` where they have none."""
    filled = values.filled(math.nan).ravel().tolist()
    return [None if math.isnan(each) else each for each in filled]


EITHER = pytest.mark.parametrize("draw", [figure_of, drawing._figure], ids=["in a page", "in a file"])


@EITHER
def test_each_cell_of_a_heat_map_stands_at_its_names(draw: Callable[[Plot], Any]) -> None:
    axes = axes_of(HEAT, draw)
    cells = axes.collections[0] if draw is figure_of else axes.images[0]
    assert steps(cells.get_array()) == [10, None, 2, 5, 0, 7]
    assert (labels(axes.get_xticklabels()), labels(axes.get_yticklabels())) == (["x", "y", "z"], ["a", "b"])
    places = {each.get_text(): each.get_position() for each in axes.texts}
    across, down = axes.get_xticks(), axes.get_yticks()
    assert places == {
        "1.00": (across[0], down[0]),
        "–": (across[1], down[0]),
        "0.25": (across[2], down[0]),
        "0.50": (across[0], down[1]),
        "0.00": (across[1], down[1]),
        "0.75": (across[2], down[1]),
    }
    centre = 0.5 if draw is figure_of else 0
    assert (list(across), list(down)) == ([centre, centre + 1, centre + 2], [centre, centre + 1])
    bottom, top = axes.get_ylim()
    assert top < down[0] < down[1] < bottom, "the first row is at the top"


@EITHER
def test_a_cell_may_say_something_else_than_its_share(draw: Callable[[Plot], Any]) -> None:
    plot = HeatMap("t", ("a",), ((0.5, None),), ("x", "y"), texts=(("15.0", "\u202e"),))
    assert labels(axes_of(plot, draw).texts) == ["15.0", "\\u202e"]


@EITHER
def test_bars_begin_at_0_and_dots_where_they_are(draw: Callable[[Plot], Any]) -> None:
    values = {"x": (Bar(0.95, 0.94, 0.96), Bar(0.99, 0.98, 1.0))}
    bars, dots = (axes_of(made("t", "share", ("a", "b"), values), draw) for made in (Bars, Dots))
    assert (bars.get_xlim()[0] if draw is figure_of else bars.get_ylim()[0]) == 0
    left, right = dots.get_xlim()
    assert 0.9 < left < 0.94
    assert right > 1
    assert all(each.get_visible() for each in dots.get_xgridlines())
    assert labels(dots.texts) == ["0.95", "0.99"]


@EITHER
def test_bars_too_many_are_marks_on_an_axis_from_0(draw: Callable[[Plot], Any]) -> None:
    assert -0.1 < axes_of(MANY, draw).get_xlim()[0] <= 0


@EITHER
def test_bars_too_many_are_marks_on_a_line_for_each_group(draw: Callable[[Plot], Any]) -> None:
    axes = axes_of(MANY, draw)
    assert labels(axes.get_yticklabels()) == list(MANY.groups)
    assert axes.get_xlabel() == "unit"
    bottom, top = axes.get_ylim()
    down = list(axes.get_yticks())
    assert top < down[0] < down[-1] < bottom, "the first group is at the top"
    assert down[0] - top < 1
    assert bottom - down[-1] < 1
    marks = axes.containers[0].lines[0]
    assert list(marks.get_xdata()) == [2.0] * 20
    assert [round(each) for each in marks.get_ydata()] == list(range(0, 40, 2))
    assert all(each.get_visible() for each in axes.get_ygridlines())


@EITHER
def test_values_are_written_where_lines_are_not_too_close(draw: Callable[[Plot], Any]) -> None:
    for series, groups, shown in (("abc", 30, 90), ("abcd", 15, 60), ("abcd", 16, 0)):
        plot = Dots("t", "unit", tuple(map(str, range(groups))), {name: (Bar(2.0),) * groups for name in series})
        assert len(axes_of(plot, draw).texts) == shown


def test_what_stands_behind_stacked_bars_does_not_reach_the_next_one() -> None:
    names = [f"roberta-{number} (truncated)" for number in range(7)]
    short = {name: (Bar(10.0), Bar(10.0)) for name in names}
    plot = Bars("t", "inputs", ("a", "b"), {**short, "others": (Bar(1000.0),) * 2}, stacked=True)
    axes = axes_of(plot, figure_of)
    behind = [text for text in axes.texts if text.get_text().endswith("more")]
    upper, lower = sorted((text.get_window_extent() for text in behind), key=lambda box: -box.y0)
    assert upper.y0 > lower.y1
    assert behind[0].get_text().replace("\N{NO-BREAK SPACE}", " ") == "10 roberta-\n0 (truncated), 6 more"


def test_a_file_is_as_high_as_its_groups_are_many() -> None:
    for count in (20, 40):
        bars = Bars("t", "unit", MANY.groups[:count], {name: (Bar(1.0),) * count for name in "abcde"})
        size = axes_of(bars, drawing._figure).figure.get_size_inches()
        assert size.tolist() == pytest.approx([7, 1.2 + 0.3 * count])


@EITHER
@pytest.mark.parametrize("logarithmic", [True, False])
def test_lines_have_the_axes_that_are_asked_for(draw: Callable[[Plot], Any], logarithmic: bool) -> None:
    axes = axes_of(Lines("t", "x", "y", {"a": CURVE}, logarithmic=logarithmic), draw)
    scale = "log" if logarithmic else "linear"
    assert (axes.get_xscale(), axes.get_yscale(), axes.get_xlabel(), axes.get_ylabel()) == (scale, scale, "x", "y, a")
    (line,) = axes.lines
    assert list(zip(line.get_xdata(), line.get_ydata(), strict=True)) == list(CURVE)


def test_there_are_as_many_hatches_dashes_and_marks_as_colours_and_each_once() -> None:
    assert [len(set(each)) for each in (SERIES, HATCHES, DASHES, MARKERS)] == [8, 8, 8, 8]
    assert [len(each) for each in (SERIES, HATCHES, DASHES, MARKERS)] == [8, 8, 8, 8]
