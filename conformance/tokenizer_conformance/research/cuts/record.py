r"""The record of a comparison of tokenizers as JSON Lines: header, tokenizers, the text or the pairs, footer.

The format has a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). Only ASCII
is written: other characters stand as ``\u`` escapes. All offsets are code points of the original text, end exclusive.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.record import (
    RecordFile,
    footer_record,
    header_record,
    implementation_record,
    refusal_record,
    tokenizer_file_record,
)
from tokenizer_conformance.research.cuts.events import (
    ComparisonFinished,
    ComparisonStarted,
    PairCompared,
    TextCut,
    TextsFailed,
    TokenizerReady,
    TokenizerRefused,
)
from tokenizer_conformance.research.cuts.sides import TRAITS
from tokenizer_conformance.results.records.cuts import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.cuts.events import ComparisonEvent, CutText
    from tokenizer_conformance.research.cuts.tally import CountedExample, KindResult, Sum
    from tokenizer_conformance.results.records.value import Value


class ComparisonJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    def handle(self, event: ComparisonEvent) -> None:
        """Write the line of ``event``. Raises ``OSError``."""
        self.write(record_of(event))


def lines_of(event: ComparisonEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``."""
    yield FORMAT.read(record_of(event))


def record_of(event: ComparisonEvent) -> dict[str, Any]:
    """Return the line of the record for ``event``."""
    match event:
        case ComparisonStarted():
            return _header(event)
        case InputRefused():
            return refusal_record(event)
        case TokenizerReady(tokenizer, facts):
            ignored = {trait.name: trait.name in facts.ignored for trait in TRAITS}
            return {"type": "tokenizer", "name": tokenizer.source.name, "unknown": facts.unknown, "ignores": ignored}
        case TokenizerRefused(tokenizer, reason):
            return {"type": "refused", "what": "tokenizer", "name": tokenizer.source.name, "reason": reason}
        case TextCut(text, rows):
            return {"type": "text", "text": text, "cuts": list(map(_cut, rows))}
        case TextsFailed():
            return {"type": "failures", **asdict(event)}
        case PairCompared():
            return _pair(event)
        case ComparisonFinished():
            return _footer(event)


def _header(event: ComparisonStarted) -> dict[str, Any]:
    return {
        **header_record(FORMAT.name, FORMAT.version, event.environment),
        "implementation": implementation_record(event.implementation),
        "tokenizers": list(map(tokenizer_file_record, event.tokenizers)),
        "of": "corpus" if event.text is None else "text",
        "inputs": {"count": event.inputs, "sha256": event.inputs_sha256},
    }


def _cut(row: CutText) -> dict[str, Any]:
    if row.placed is None:
        return {"tokenizer": row.name, "reason": row.reason}
    return {
        "tokenizer": row.name,
        "tokens": [
            {"id": each.id, "token": each.token, "span": each.span, "unknown": each.is_unknown}
            for each in row.placed.tokens
        ],
        "differing": list(row.differing),
    }


def _pair(event: PairCompared) -> dict[str, Any]:
    result = event.result
    return {
        "type": "pair",
        "first": result.first,
        "second": result.second,
        "texts": result.texts,
        "characters": result.characters,
        "first_tokens": result.first_tokens,
        "second_tokens": result.second_tokens,
        "difference": result.difference,
        "kinds": list(map(_kind, result.kinds)),
        "scripts": [{"script": name, **_sum(each)} for name, each in result.scripts],
        "finished": not event.interrupted,
    }


def _sum(each: Sum) -> dict[str, int]:
    return {**asdict(each), "difference": each.difference}


def _kind(each: KindResult) -> dict[str, Any]:
    return {
        "kind": each.kind.name,
        "part": each.kind.group,
        "rule": each.kind.words,
        **_sum(each.sum),
        "examples": list(map(_example, each.examples)),
        "missed": each.missed,
    }


def _example(counted: CountedExample) -> dict[str, Any]:
    example = counted.example
    return {
        "count": counted.count,
        "characters": example.characters,
        "length": example.length,
        "first": list(example.first),
        "second": list(example.second),
        "difference": example.difference,
        "context": None if example.context is None else asdict(example.context),
        "experiment": None if counted.experiment is None else counted.experiment.words,
        "evidence": counted.evidence,
    }


def _footer(event: ComparisonFinished) -> dict[str, Any]:
    return {
        **footer_record(event),
        "texts": event.texts,
        "pairs": event.pairs,
        "differing": event.differing,
        "failed": event.failed,
    }
