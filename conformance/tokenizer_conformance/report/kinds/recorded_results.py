"""What ``tokconf metrics`` measured, from the lines of its record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.counts import Failure, Failures, Read
from tokenizer_conformance.research.metrics.groups import Group
from tokenizer_conformance.research.metrics.measures.catalogue import MEASURE_BY_ID
from tokenizer_conformance.research.metrics.results import Measurement, Results, RowResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.releases.diff.records.node import Node
    from tokenizer_conformance.research.metrics.measures.measure import Measure


class RecordedResults:
    """Collects the lines of a record whose header names ``implementations``, each with its version."""

    def __init__(self, implementations: dict[str, str]) -> None:
        self._versions = implementations
        self._measures: list[Measure[object]] = []
        self._rows: list[RowResult] = []
        self._groups: list[tuple[Group, Read]] = []
        self._measurements: list[Measurement] = []
        self._differences: list[Measurement] = []

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``; those of no results are left out."""
        match kind:
            case "measure":
                known = MEASURE_BY_ID.get(line.text("id"))
                self._measures += [] if known is None else [known]  # a later release may have more
            case "group":
                read = Read(line.count("texts"), line.count("characters"), line.count("bytes"))
                self._groups.append((Group(line.text("by"), line.text("name")), read))
            case "row":
                self._rows.append(self._row(line))
            case "measurement":
                self._measurements.append(_measurement(line))
            case "difference":
                self._differences.append(_measurement(line))

    def _row(self, line: Node) -> RowResult:
        implementation = line.text("implementation")
        return RowResult(
            line.text("name"),
            line.text("tokenizer"),
            implementation,
            self._versions.get(implementation, ""),
            _failures(line.node("failures")),
            _failures(line.node("not_decoded")),
            _failures(line.node("gold_failures")),
            tuple((int(rank), int(count)) for rank, count in _curve(line, "rank_frequency")),
            tuple((int(length), share) for length, share in _curve(line, "token_lengths")),
        )

    def results(self, *, partial: bool) -> Results:
        """Return what was collected; ``partial`` where it is of a part of the texts."""
        return Results(
            tuple(self._measures),
            tuple(self._rows),
            tuple(self._groups),
            tuple(self._measurements),
            tuple(self._differences),
            partial=partial,
        )


def _curve(line: Node, key: str) -> Iterator[tuple[float, float]]:
    """Yield the points under ``key``."""
    for point in line.nodes(key):
        horizontal, vertical = (each.as_number() for each in point.entries())
        yield horizontal, vertical


def _failures(node: Node) -> Failures:
    examples = [Failure(each.text("id"), each.text("kind"), each.text("message")) for each in node.nodes("examples")]
    return Failures(node.counts("kinds"), examples)


def _measurement(line: Node) -> Measurement:
    value, low, high = (line.number(key) if line.holds(key) else None for key in ("value", "low", "high"))
    return Measurement(
        line.text("measure"),
        line.text("row"),
        line.text_or_none("other") or "",
        Group(line.text("by"), line.text("group")),
        value,
        low,
        high,
        line.text_or_none("missing") or "",
    )
