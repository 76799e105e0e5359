r"""The record of measurements as JSON Lines: header, what cannot be used, rows, groups, values, differences, footer.

The format has a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). Only ASCII
is written: other characters stand as ``\u`` escapes. All but the header is written at the end, when it is computed;
what a run that is killed has counted by then is in the checkpoint beside the record.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.record import (
    RecordFile,
    footer_record,
    header_record,
    implementation_record,
    refusal_record,
)
from tokenizer_conformance.research.metrics.events import (
    ChunkCounted,
    Measured,
    MetricsFinished,
    MetricsStarted,
    RowRefused,
)
from tokenizer_conformance.results.records.metrics import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.metrics.events import MetricsEvent
    from tokenizer_conformance.research.metrics.results import Measurement, Results, RowResult


Json = dict[str, Any]


class MetricsJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    sealed = True

    def handle(self, event: MetricsEvent) -> None:
        """Write the lines of ``event``. Raises ``OSError``."""
        for line in records_of(event):
            self.write(line)


def records_of(event: MetricsEvent) -> Iterator[Json]:
    """Yield the lines of the record for ``event``."""
    match event:
        case MetricsStarted():
            yield _header(event)
        case ImplementationMissing() | InputRefused():
            yield refusal_record(event)
        case RowRefused():
            yield {"type": "not_loaded", "row": event.row.name, "reason": event.reason}
        case ChunkCounted():
            return
        case Measured(results):
            yield from _results(results)
        case MetricsFinished():
            yield _footer(event)


def _header(event: MetricsStarted) -> Json:
    plan = event.plan
    how = plan.estimating
    return {
        **header_record(FORMAT.name, FORMAT.version, event.environment),
        "implementations": [implementation_record(each.info) for each in plan.implementations.values()],
        "tokenizers": [
            {"name": each.source.name, "sha256": each.sha256, "size": each.size, "model": each.model}
            for each in {row.tokenizer.source.file: row.tokenizer for row in plan.rows}.values()
        ],
        "inputs": {
            "count": plan.corpus.count,
            "sha256": plan.corpus.sha256,
            "sources": [
                {"name": each.name, "language": each.language, "count": each.reading.inputs} for each in plan.sources
            ],
            "notes": list(plan.notes),
        },
        "by": list(plan.by),
        "parallel": plan.parallel,
        "base": how.base or None,
        "base_language": how.base_language or None,
        "words": plan.counting.words,
        "round_trip": plan.counting.round_trip,
        "longest": plan.longest,
        "alpha": how.alpha,
        "gold_words": len(plan.gold),
        "confidence": how.resampling.level,
        "replicates": how.resampling.replicates,
        "seed": how.resampling.seed,
    }


def _results(results: Results) -> Iterator[Json]:
    for measure in results.measures:
        yield {
            "type": "measure",
            "id": measure.id,
            "title": measure.title,
            "definition": measure.definition,
            "unit": measure.unit,
            "better": measure.better,
            "scope": measure.scope.name.lower(),
        }
    for group, read in results.groups:
        yield {"type": "group", "by": group.by, "name": group.name, **asdict(read)}
    yield from map(_row, results.rows)
    for kind, found in (("measurement", results.measurements), ("difference", results.differences)):
        yield from (_measurement(kind, each) for each in found)


def _row(result: RowResult) -> Json:
    return {
        "type": "row",
        "name": result.name,
        "tokenizer": result.tokenizer,
        "implementation": result.implementation,
        "failures": asdict(result.failures),
        "not_decoded": asdict(result.decoding),
        "gold_failures": asdict(result.gold_failures),
        "rank_frequency": [list(point) for point in result.ranks],
        "token_lengths": [list(point) for point in result.lengths],
    }


def _measurement(kind: str, each: Measurement) -> Json:
    return {
        "type": kind,
        "measure": each.measure,
        "row": each.row,
        "other": each.other or None,
        "by": each.group.by,
        "group": each.group.name,
        "value": each.value,
        "low": each.low,
        "high": each.high,
        "missing": each.missing or None,
    }


def _footer(event: MetricsFinished) -> Json:
    return {
        **footer_record(event),
        "reason": event.reason,
        "texts": event.texts,
        "bytes": event.bytes,
    }
