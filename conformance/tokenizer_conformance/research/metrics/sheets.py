"""Which tables a reader is shown, and what stands in their cells: the same in every report for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.figures import NONE, interval_of, signed, value_of
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.measures.measure import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_conformance.research.metrics.groups import Group
    from tokenizer_conformance.research.metrics.measures.measure import Measure
    from tokenizer_conformance.research.metrics.results import Measurement, Results

MAIN = (
    "vocabulary_size",
    "fertility",
    "kept_words",
    "bytes_per_token",
    "normalized_sequence_length",
    "renyi_efficiency",
    "vocabulary_use",
    "unknown_tokens",
    "lossless",
    "morpheme_f1",
)
"""The measures of the first table, where nobody has chosen others."""

BY_GROUP = ("premium", "fertility", "bytes_per_token", "unknown_tokens")
"""The measures that are shown group by group, where nobody has chosen others."""

OVER_LANGUAGES = ("gini", "premium_spread")
MATRICES = ("boundary_f1", "same_words", "vocabulary_overlap")
"""The measures of two tokenizers that are shown, where nobody has chosen others."""

OF_ONE = (Scope.TEXTS, Scope.IDS, Scope.BASE, Scope.VOCABULARY, Scope.MORPHEMES, Scope.LANGUAGES)
OF_GROUPS = (Scope.TEXTS, Scope.IDS, Scope.BASE, Scope.REFERENCE_LANGUAGE)
OF_TWO = (Scope.PAIR, Scope.VOCABULARIES)

SYMMETRIC = frozenset(
    {"boundary_f1", "boundary_kappa", "same_words", "vocabulary_overlap", "vocabulary_overlap_unmarked"}
)
"""The measures of two tokenizers that do not ask which of them comes first."""

MOST_GROUPS = 12
"""How many groups a table of the terminal has; the others are in the record."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value, and its interval where it has one; both empty where there is nothing to tell."""

    value: str
    interval: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: its ``title``, the ``headers`` of its columns, the first of which names the rows, and the rows.

    ``note`` says what more there would be.
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    note: str = ""


def sheets_of(results: Results, chosen: Sequence[str] = (), most_groups: int | None = None) -> Iterator[Sheet]:
    """Yield the tables of ``results``: the first one, differences, tokenizers against each other, and groups.

    ``chosen`` are the measures that a reader asked for; of no more than ``most_groups`` groups a table tells.
    """
    yield from _first(results, chosen)
    yield from _beside_base(results, chosen)
    yield from _matrices(results, chosen)
    yield from _by_group(results, chosen, most_groups)


def _shown(
    results: Results, scopes: Sequence[Scope], usual: Iterable[str], chosen: Sequence[str]
) -> list[Measure[object]]:
    """Return the measures of these ``scopes`` to be shown: those that were chosen, else the usual ones."""
    wanted = list(chosen or usual)
    found = {each.id: each for each in results.measures if each.scope in scopes}
    return [found[name] for name in wanted if name in found]


def _first(results: Results, chosen: Sequence[str]) -> Iterator[Sheet]:
    measures = _shown(results, OF_ONE, (*MAIN, *OVER_LANGUAGES), chosen)
    columns = []
    for measure in measures:
        by_row = {each.row: each for each in results.of(measure.id, ALL_TEXTS)}
        if any(each.value is not None or each.missing for each in by_row.values()):
            columns.append((measure, by_row))
    if not columns:
        return
    headers = ("tokenizer", *(_headed(measure, by_row.values()) for measure, by_row in columns))
    rows = [(each.name, tuple(_cell(by_row.get(each.name)) for _, by_row in columns)) for each in results.rows]
    yield Sheet("", headers, tuple(rows))


def _headed(measure: Measure[object], found: Iterable[Measurement]) -> str:
    """Return the header of a column; what all its values stand against is named there."""
    others = {each.other for each in found if each.other}
    return f"{measure.title} to {others.pop()}" if len(others) == 1 else measure.title


def _cell(measurement: Measurement | None) -> Cell:
    return Cell(NONE) if measurement is None else Cell(value_of(measurement), interval_of(measurement))


def _beside_base(results: Results, chosen: Sequence[str]) -> Iterator[Sheet]:
    """Yield the differences of the other tokenizers to the base, on all texts."""
    found = {(each.measure, each.row): each for each in results.differences if each.group == ALL_TEXTS}
    names = list(dict.fromkeys(row for _, row in found))
    columns = [
        measure
        for measure in _shown(results, (Scope.TEXTS,), MAIN, chosen)
        if any(found[measure.id, name].value is not None for name in names)
    ]
    if columns:
        base = next(iter(found.values())).other
        rows = [(name, tuple(_difference(found[measure.id, name]) for measure in columns)) for name in names]
        headers = ("tokenizer", *(measure.title for measure in columns))
        yield Sheet(f"Differences to {base}, text by text", headers, tuple(rows))


def _difference(each: Measurement) -> Cell:
    if each.value is None:
        return Cell(NONE)
    interval = "" if each.low is None or each.high is None else f"{signed(each.low)}…{signed(each.high)}"
    return Cell(signed(each.value), interval)


def _matrices(results: Results, chosen: Sequence[str]) -> Iterator[Sheet]:
    names = [each.name for each in results.rows]
    for measure in _shown(results, OF_TWO, MATRICES, chosen):
        by_pair = {(each.row, each.other): each for each in results.of(measure.id, ALL_TEXTS)}
        if not by_pair:
            continue
        rows = [(first, tuple(_of_pair(first, second, by_pair, measure.id) for second in names)) for first in names]
        yield Sheet(measure.title, ("tokenizer", *names), tuple(rows))


def _of_pair(first: str, second: str, by_pair: dict[tuple[str, str], Measurement], measure: str) -> Cell:
    if first == second:
        return Cell("")
    found = by_pair.get((first, second))
    if found is None and measure in SYMMETRIC:
        found = by_pair.get((second, first))
    return Cell(NONE) if found is None else Cell(value_of(found))


def _by_group(results: Results, chosen: Sequence[str], most: int | None) -> Iterator[Sheet]:
    for by in dict.fromkeys(group.by for group, _ in results.groups if group.by):
        groups = results.groups_by(by)
        largest = _largest(results, groups, most)
        for measure in _shown(results, OF_GROUPS, BY_GROUP, chosen):
            found = {(each.group, each.row): each for each in results.of(measure.id)}
            rows = [
                (group.name, tuple(_cell(found.get((group, each.name))) for each in results.rows)) for group in largest
            ]
            if not any((group, each.name) in found for group in largest for each in results.rows):
                continue
            left = len(groups) - len(largest)
            note = f"{left} more in the record (--json) and the tables (--csv)" if left else ""
            headers = (by, *(each.name for each in results.rows))
            of = [each for (group, _), each in found.items() if group in largest]
            yield Sheet(f"{_headed(measure, of)}, by {by}", headers, tuple(rows), note)


def _largest(results: Results, groups: Sequence[Group], most: int | None) -> list[Group]:
    """Return the ``groups`` in their order; of more than ``most`` those with the most text."""
    if most is None or len(groups) <= most:
        return list(groups)
    sizes = {group: read.bytes for group, read in results.groups}
    kept = set(sorted(groups, key=lambda group: -sizes[group])[:most])
    return [group for group in groups if group in kept]
