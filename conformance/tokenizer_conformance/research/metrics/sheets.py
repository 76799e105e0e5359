"""Which tables of measurements people are shown: the same in every report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.measures.measure import Scope
from tokenizer_conformance.research.metrics.measures.text_measures import COUNTS
from tokenizer_conformance.results.page import Estimate, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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

COUNTED = tuple(each.id for each in COUNTS)
"""How much was counted: a table of its own, before all others."""

BY_GROUP = ("tokens", "premium", "fertility", "bytes_per_token", "unknown_tokens")
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


def sheets_of(results: Results, chosen: Sequence[str] = ()) -> Iterator[Table]:
    """Yield the tables of ``results``: counts, the first one, differences, tokenizers against each other, and groups.

    ``chosen`` are the measures that a reader asked for.
    """
    others = [each for each in chosen if each not in COUNTED]
    yield from _of_each("What was counted", results, _shown(results, OF_ONE, COUNTED, ()))
    yield from _of_each("", results, _shown(results, OF_ONE, (*MAIN, *OVER_LANGUAGES), others))
    yield from _beside_base(results, chosen)
    yield from _matrices(results, chosen)
    yield from _by_group(results, chosen)


def _shown(
    results: Results, scopes: Sequence[Scope], usual: Iterable[str], chosen: Sequence[str]
) -> list[Measure[object]]:
    """Return the measures of these ``scopes`` to be shown: those that were chosen, else the usual ones."""
    wanted = list(chosen or usual)
    found = {each.id: each for each in results.measures if each.scope in scopes}
    return [found[name] for name in wanted if name in found]


def _of_each(title: str, results: Results, measures: Sequence[Measure[object]]) -> Iterator[Table]:
    """Yield a table of ``measures``, a row each tokenizer; none where they have no values."""
    columns = []
    for measure in measures:
        by_row = {each.row: each for each in results.of(measure.id, ALL_TEXTS)}
        if any(each.value is not None or each.missing for each in by_row.values()):
            columns.append((measure, by_row))
    if not columns:
        return
    headers = ("tokenizer", *(_headed(measure, by_row.values()) for measure, by_row in columns))
    rows = [(each.name, *(estimate_of(by_row.get(each.name)) for _, by_row in columns)) for each in results.rows]
    yield Table(title, headers, tuple(rows))


def _headed(measure: Measure[object], found: Iterable[Measurement]) -> str:
    """Return the header of a column; what all its values stand against is named there."""
    others = {each.other for each in found if each.other}
    return f"{measure.title} to {others.pop()}" if len(others) == 1 else measure.title


def estimate_of(measurement: Measurement | None, *, is_signed: bool = False) -> Estimate | None:
    """Return the value of ``measurement`` with its interval; ``None`` where it has none."""
    if measurement is None or measurement.value is None:
        return None
    return Estimate(measurement.value, measurement.low, measurement.high, is_signed)


def _beside_base(results: Results, chosen: Sequence[str]) -> Iterator[Table]:
    """Yield the differences of the other tokenizers to the base, on all texts."""
    found = {(each.measure, each.row): each for each in results.differences if each.group == ALL_TEXTS}
    names = list(dict.fromkeys(row for _, row in found))
    columns = [
        measure
        for measure in _shown(results, (Scope.TEXTS,), MAIN, chosen)
        if any((measure.id, name) in found and found[measure.id, name].value is not None for name in names)
    ]
    if columns:
        base = next(iter(found.values())).other
        rows = [
            (name, *(estimate_of(found[measure.id, name], is_signed=True) for measure in columns)) for name in names
        ]
        headers = ("tokenizer", *(measure.title for measure in columns))
        yield Table(f"Differences to {base}, text by text", headers, tuple(rows))


def _matrices(results: Results, chosen: Sequence[str]) -> Iterator[Table]:
    names = [each.name for each in results.rows]
    for measure in _shown(results, OF_TWO, MATRICES, chosen):
        by_pair = {(each.row, each.other): each for each in results.of(measure.id, ALL_TEXTS)}
        if not by_pair:
            continue
        rows = [(first, *(_of_pair(first, second, by_pair, measure.id) for second in names)) for first in names]
        yield Table(measure.title, ("tokenizer", *names), tuple(rows))


def _of_pair(
    first: str, second: str, by_pair: dict[tuple[str, str], Measurement], measure: str
) -> Estimate | str | None:
    if first == second:
        return ""
    found = by_pair.get((first, second))
    if found is None and measure in SYMMETRIC:
        found = by_pair.get((second, first))
    return None if found is None or found.value is None else Estimate(found.value)


def _by_group(results: Results, chosen: Sequence[str]) -> Iterator[Table]:
    for by in dict.fromkeys(group.by for group, _ in results.groups if group.by):
        groups = results.groups_by(by)
        for measure in _shown(results, OF_GROUPS, BY_GROUP, chosen):
            found = {(each.group, each.row): each for each in results.of(measure.id)}
            rows = [
                (group.name, *(estimate_of(found.get((group, each.name))) for each in results.rows)) for group in groups
            ]
            if not any((group, each.name) in found for group in groups for each in results.rows):
                continue
            headers = (by, *(each.name for each in results.rows))
            of = [each for (group, _), each in found.items() if group in groups]
            yield Table(f"{_headed(measure, of)}, by {by}", headers, tuple(rows))
