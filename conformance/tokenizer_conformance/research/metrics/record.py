"""The lines of the record of measurements: header, what cannot be used, rows, groups, values, differences, footer.

All but the header is written at the end, when it is computed; what a run that is killed has counted by then is in the
checkpoint beside the record.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.research.metrics.measures.catalogue import DENOMINATORS
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records import metrics as lines
from tokenizer_conformance.results.records.making import V, header_of, implementation_of, made

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.inputs.corpus import Draw
    from tokenizer_conformance.research.metrics.plan import MetricsPlan
    from tokenizer_conformance.research.metrics.results import Measurement, Results, RowResult
    from tokenizer_conformance.results.records.value import Value


def header(plan: MetricsPlan) -> lines.Header:
    """Return the first line of the record of ``plan``."""
    how = plan.estimating
    return lines.Header(
        **header_of(lines.FORMAT, current_environment(plan.command)),
        implementations=tuple(implementation_of(each.info) for each in plan.implementations.values()),
        tokenizers=tuple(
            lines.Tokenizer(name=each.source.name, sha256=each.sha256, size=each.size, model=each.model)
            for each in {row.tokenizer.source.file: row.tokenizer for row in plan.rows}.values()
        ),
        inputs=lines.Inputs(
            count=sum(plan.corpus.counts),
            sha256=plan.corpus.sha256,
            sources=tuple(
                lines.Source(name=each.name, language=each.language, count=count)
                for each, count in zip(plan.sources, plan.corpus.counts, strict=True)
            ),
            notes=_notes(plan.corpus.texts.draw),
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
        measures=how.chosen,
        gold_sha256=_digest(plan) if plan.gold else None,
        shard=None if plan.shard is None else headers.Shard(part=plan.shard.part, of=plan.shard.of),
    )


def _notes(draw: Draw | None) -> tuple[str, ...]:
    if draw is None:
        return ()
    how = "spread evenly" if draw.seed is None else f"drawn with seed {draw.seed}"
    return (f"a sample of {draw.count:,} of {draw.total:,} lines and rows, {how}",)


def _digest(plan: MetricsPlan) -> str:
    told = [[each.word, *sorted(each.boundaries)] for each in plan.gold]
    return hashlib.sha256(json.dumps(told).encode("ascii")).hexdigest()


def result_lines(results: Results) -> Iterator[Value]:
    """Yield the lines about what was measured."""
    for measure in results.measures:
        denominator = DENOMINATORS.get(measure.id, "")
        yield made(lines.Measure, measure, scope=measure.scope.name.lower(), denominator=denominator)
    for group, read in results.groups:
        yield lines.Group(by=group.by, name=group.name, **asdict(read))
    yield from map(_row, results.rows)
    yield from (_measured(lines.Measurement, each) for each in results.measurements)
    yield from (_measured(lines.Difference, each) for each in results.differences)


def _row(result: RowResult) -> lines.Row:
    return made(
        lines.Row, result, not_decoded=result.decoding, rank_frequency=result.ranks, token_lengths=result.lengths
    )


def _measured(type_: type[V], each: Measurement) -> V:
    group = {"by": each.group.by, "group": each.group.name}
    return made(type_, each, **group, other=each.other or None, missing=each.missing or None)
