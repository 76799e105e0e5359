"""The lines of the record of measurements: header, what cannot be used, rows, groups, values, differences, footer.

All but the header is written at the end, when it is computed; what a run that is killed has counted by then is in the
checkpoint beside the record.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.record import RecordFile
from tokenizer_conformance.research.metrics.events import (
    ChunkCounted,
    Measured,
    MetricsFinished,
    MetricsStarted,
    RowRefused,
)
from tokenizer_conformance.results.records import metrics as lines
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.making import footer_of, header_of, implementation_of, refusal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.metrics.counts import Failures
    from tokenizer_conformance.research.metrics.events import MetricsEvent
    from tokenizer_conformance.research.metrics.results import Measurement, Results, RowResult
    from tokenizer_conformance.results.records.value import Value


class MetricsJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    sealed = True

    def handle(self, event: MetricsEvent) -> None:
        """Write the lines of ``event``. Raises ``OSError``."""
        for line in lines_of(event):
            self.write(json_of(line))


def lines_of(event: MetricsEvent) -> Iterator[Value]:
    """Yield the lines of the record for ``event``."""
    match event:
        case MetricsStarted():
            yield _header(event)
        case ImplementationMissing() | InputRefused():
            yield refusal_of(event)
        case RowRefused():
            yield lines.NotLoaded(row=event.row.name, reason=event.reason)
        case ChunkCounted():
            return
        case Measured(results):
            yield from _results(results)
        case MetricsFinished():
            yield lines.Footer(**footer_of(event), reason=event.reason, texts=event.texts, bytes=event.bytes)


def _header(event: MetricsStarted) -> lines.Header:
    plan = event.plan
    how = plan.estimating
    return lines.Header(
        **header_of(lines.FORMAT, event.environment),
        implementations=tuple(implementation_of(each.info) for each in plan.implementations.values()),
        tokenizers=tuple(
            lines.Tokenizer(name=each.source.name, sha256=each.sha256, size=each.size, model=each.model)
            for each in {row.tokenizer.source.file: row.tokenizer for row in plan.rows}.values()
        ),
        inputs=lines.Inputs(
            count=plan.corpus.count,
            sha256=plan.corpus.sha256,
            sources=tuple(
                lines.Source(name=each.name, language=each.language, count=each.reading.inputs) for each in plan.sources
            ),
            notes=plan.notes,
        ),
        by=tuple(each.value for each in plan.by),
        parallel=plan.parallel,
        base=how.base or None,
        base_language=how.base_language or None,
        words=plan.counting.words,
        round_trip=plan.counting.round_trip,
        longest=plan.longest,
        alpha=how.alpha,
        gold_words=len(plan.gold),
        confidence=how.resampling.level,
        replicates=how.resampling.replicates,
        seed=how.resampling.seed,
    )


def _results(results: Results) -> Iterator[Value]:
    for measure in results.measures:
        yield lines.Measure(
            id=measure.id,
            title=measure.title,
            definition=measure.definition,
            unit=measure.unit,
            better=measure.better,
            scope=measure.scope.name.lower(),
        )
    for group, read in results.groups:
        yield lines.Group(by=group.by, name=group.name, **asdict(read))
    yield from map(_row, results.rows)
    yield from (lines.Measurement(**_measured(each)) for each in results.measurements)
    yield from (lines.Difference(**_measured(each)) for each in results.differences)


def _row(result: RowResult) -> lines.Row:
    return lines.Row(
        name=result.name,
        tokenizer=result.tokenizer,
        implementation=result.implementation,
        failures=_failures(result.failures),
        not_decoded=_failures(result.decoding),
        gold_failures=_failures(result.gold_failures),
        rank_frequency=result.ranks,
        token_lengths=result.lengths,
    )


def _failures(failures: Failures) -> lines.Failures:
    examples = tuple(lines.FailedText(id=each.id, kind=each.kind, message=each.message) for each in failures.examples)
    return lines.Failures(kinds=failures.kinds, examples=examples)


def _measured(each: Measurement) -> dict[str, Any]:
    return {
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
