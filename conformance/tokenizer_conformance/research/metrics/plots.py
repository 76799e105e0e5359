"""Plots of what was measured, as values: those of a folder, and those that a page shows besides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.groups import ALL_TEXTS, By
from tokenizer_conformance.results.plots.plot import Bar, Dots, HeatMap, Lines, Points

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.research.metrics.results import Measurement, Results
    from tokenizer_conformance.results.plots.plot import Plot

DOTTED = ("fertility", "bytes_per_token", "premium")
"""The measures that are drawn group by group: dots with intervals, for they are estimates, and many are near 1."""

MOST_GROUPS = 40
"""How many groups a plot has at most: those with the most text."""

MEASURES_OF_ALL_TEXTS = ("fertility", "bytes_per_token", "renyi_efficiency")
"""The measures of which a page has dots of all texts."""


def plot_names() -> tuple[str, ...]:
    """Return the names that the plots of a folder may have."""
    return (*_PLOTS, *(f"{measure}-by-{by}" for measure in DOTTED for by in By))


def plots_of(results: Results) -> Iterator[tuple[str, Plot]]:
    """Yield the plots of ``results`` that have anything to show, with the names of their files."""
    for name, made in _PLOTS.items():
        plot = made(results)
        if plot is not None:
            yield name, plot
    yield from _all_dots(results)


def _titled(title: str, results: Results) -> str:
    return f"{title} (PARTIAL: stopped before the end)" if results.partial else title


def _agreement(results: Results) -> Plot | None:
    return _shares("boundary_f1", "Agreement of segmentations (boundary F1)", results)


def _shares(measure: str, title: str, results: Results) -> Plot | None:
    """Return a heat map of a ``measure`` of pairs that does not ask which of them comes first."""
    found = {(each.row, each.other): each.value for each in results.of(measure, ALL_TEXTS)}
    if not found:
        return None
    names = tuple(each.name for each in results.rows)
    shares = tuple(
        tuple(1.0 if first == second else found.get((first, second), found.get((second, first))) for second in names)
        for first in names
    )
    return HeatMap(_titled(title, results), names, shares)


def _rank_frequency(results: Results) -> Plot | None:
    series = {each.name: tuple((float(x), float(y)) for x, y in each.ranks) for each in results.rows if each.ranks}
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
    series = {each.name: tuple((float(x), y) for x, y in each.lengths) for each in results.rows if each.lengths}
    title = _titled("Lengths of tokens", results)
    return Lines(title, "characters (20: 20 or more)", "share of tokens", series) if series else None


_PLOTS: dict[str, Callable[[Results], Plot | None]] = {
    "agreement": _agreement,
    "rank-frequency": _rank_frequency,
    "compression": _compression,
    "token-lengths": _token_lengths,
}
"""The plots of all texts, by the names of their files."""


def _all_dots(results: Results) -> Iterator[tuple[str, Plot]]:
    titles = {measure.id: measure for measure in results.measures}
    sizes = {group: read.bytes for group, read in results.groups}
    for by in By:
        groups = results.groups_by(by)
        largest = set(sorted(groups, key=lambda group: -sizes[group])[:MOST_GROUPS])
        shown = [group for group in groups if group in largest]
        for measure in DOTTED:
            found = {(each.row, each.group): each for each in results.of(measure)}
            series = {each.name: tuple(_bar(found.get((each.name, group))) for group in shown) for each in results.rows}
            if any(bar.value is not None for bars in series.values() for bar in bars):
                unit = titles[measure].unit
                axis = titles[measure].title if unit == "1" else f"{titles[measure].title}, {unit}"
                title = _titled(f"{titles[measure].title} by {by}", results)
                yield f"{measure}-by-{by}", Dots(title, axis, tuple(group.name for group in shown), series)


def _bar(measurement: Measurement | None) -> Bar:
    return Bar(None) if measurement is None else Bar(measurement.value, measurement.low, measurement.high)


def plots_of_all_texts(results: Results) -> Iterator[tuple[str, Plot]]:
    """Yield, with names, plots of all texts that a page shows beside those of a folder."""
    for measure in results.measures:
        found = [each for each in results.of(measure.id, ALL_TEXTS) if each.value is not None]
        if measure.id in MEASURES_OF_ALL_TEXTS and found:
            axis = measure.title if measure.unit == "1" else f"{measure.title}, {measure.unit}"
            series = {measure.title: tuple(map(_bar, found))}
            yield measure.id, Dots(_titled(measure.title, results), axis, tuple(each.row for each in found), series)
    overlap = _shares("vocabulary_overlap", "Overlap of vocabularies", results)
    if overlap is not None:
        yield "vocabulary-overlap", overlap
