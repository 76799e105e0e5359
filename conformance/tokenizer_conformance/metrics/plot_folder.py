"""The plots of what was measured, in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.metrics.events import Measured
from tokenizer_conformance.metrics.groups import ALL_TEXTS, By
from tokenizer_conformance.metrics.plots import (
    FORMATS,
    Bar,
    Bars,
    HeatMap,
    Lines,
    Points,
    drawn,
    is_plot,
    require_matplotlib,
)
from tokenizer_conformance.session.sinks import write_atomically
from tokenizer_conformance.session.standard_streams import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tokenizer_conformance.metrics.events import MetricsEvent
    from tokenizer_conformance.metrics.plots import Plot
    from tokenizer_conformance.metrics.results import Measurement, Results

BAR_MEASURES = ("fertility", "bytes_per_token", "premium")
MOST_BARS = 40
"""How many groups a plot of bars has at most: those with the most text."""


class PlotFolder:
    """Draws plots into ``folder`` at the end, each whole or not at all.

    Building raises :class:`BadInputError` where they cannot be drawn or put there, or would replace what is no plot of
    ours, unless ``force``.
    """

    def __init__(self, folder: Path, *, force: bool = False) -> None:
        self._folder = folder
        require_matplotlib()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path in _every_path(folder):
                if path.exists() and not force and not is_plot(path.read_bytes()):
                    raise BadInputError(
                        f"--plots would replace {str(path)!r}, which is no plot of tokconf; give another folder, or "
                        "--force"
                    )
        except OSError as error:
            raise BadInputError(f"cannot write plots to {str(folder)!r}: {reason_of(error)}") from error

    def handle(self, event: MetricsEvent) -> None:
        """Draw what was measured. Raises ``OSError``."""
        if not isinstance(event, Measured):
            return
        for name, plot in plots_of(event.results):
            for form in FORMATS:
                write_atomically(self._folder / f"{name}.{form}", drawn(plot, form))


def _every_path(folder: Path) -> Iterator[Path]:
    names = [*_PLOTS, *(f"{measure}-by-{by}" for measure in BAR_MEASURES for by in By)]
    return (folder / f"{name}.{form}" for name in names for form in FORMATS)


def plots_of(results: Results) -> Iterator[tuple[str, Plot]]:
    """Yield the plots of ``results`` that have anything to show, with the names of their files."""
    for name, made in _PLOTS.items():
        plot = made(results)
        if plot is not None:
            yield name, plot
    yield from _all_bars(results)


def _titled(title: str, results: Results) -> str:
    return f"{title} (PARTIAL: stopped before the end)" if results.partial else title


def _agreement(results: Results) -> Plot | None:
    found = {(each.row, each.other): each.value for each in results.of("boundary_f1", ALL_TEXTS)}
    if not found:
        return None
    names = tuple(each.row.name for each in results.rows)
    shares = tuple(
        tuple(1.0 if first == second else found.get((first, second), found.get((second, first))) for second in names)
        for first in names
    )
    return HeatMap(_titled("Agreement of segmentations (boundary F1)", results), names, shares)


def _rank_frequency(results: Results) -> Plot | None:
    series = {each.row.name: tuple((float(x), float(y)) for x, y in each.ranks) for each in results.rows if each.ranks}
    title = _titled("Tokens by frequency", results)
    return Lines(title, "rank", "count", series, logarithmic=True) if series else None


def _compression(results: Results) -> Plot | None:
    sizes = {each.row: each.value for each in results.of("vocabulary_size")}
    points = {
        each.row: (size, _bar(each))
        for each in results.of("bytes_per_token", ALL_TEXTS)
        if (size := sizes.get(each.row)) is not None and each.value is not None
    }
    title = _titled("Compression against the size of the vocabulary", results)
    return Points(title, "ids in the vocabulary", "bytes per token", points) if points else None


def _token_lengths(results: Results) -> Plot | None:
    series = {each.row.name: tuple((float(x), y) for x, y in each.lengths) for each in results.rows if each.lengths}
    title = _titled("Lengths of tokens", results)
    return Lines(title, "characters (20: 20 or more)", "share of tokens", series) if series else None


_PLOTS: dict[str, Callable[[Results], Plot | None]] = {
    "agreement": _agreement,
    "rank-frequency": _rank_frequency,
    "compression": _compression,
    "token-lengths": _token_lengths,
}
"""The plots of all texts, by the names of their files."""


def _all_bars(results: Results) -> Iterator[tuple[str, Plot]]:
    titles = {measure.id: measure for measure in results.measures}
    sizes = {group: read.bytes for group, read in results.groups}
    for by in By:
        groups = results.groups_by(by)
        largest = set(sorted(groups, key=lambda group: -sizes[group])[:MOST_BARS])
        shown = [group for group in groups if group in largest]
        for measure in BAR_MEASURES:
            found = {(each.row, each.group): each for each in results.of(measure)}
            series = {
                each.row.name: tuple(_bar(found.get((each.row.name, group))) for group in shown)
                for each in results.rows
            }
            if any(bar.value is not None for bars in series.values() for bar in bars):
                unit = titles[measure].unit
                axis = titles[measure].title if unit == "1" else f"{titles[measure].title}, {unit}"
                title = _titled(f"{titles[measure].title} by {by}", results)
                yield f"{measure}-by-{by}", Bars(title, axis, tuple(group.name for group in shown), series)


def _bar(measurement: Measurement | None) -> Bar:
    return Bar(None) if measurement is None else Bar(measurement.value, measurement.low, measurement.high)
