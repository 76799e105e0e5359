r"""The record of fuzzing as JSON Lines: header, a line for each tokenizer that differs, results, small cases, footer.

The format has a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). A record
without a footer is that of a run that was killed. Only ASCII is written: other characters, lone surrogates too, stand
as ``\u`` escapes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.record import (
    RecordFile,
    footer_record,
    header_record,
    implementation_record,
    refusal_record,
    rounded,
)
from tokenizer_conformance.comparison.record_forms import difference_record, question_record
from tokenizer_conformance.results.records.fuzz import FORMAT
from tokenizer_conformance.validation.fuzz.events import (
    FuzzCompared,
    FuzzFinding,
    FuzzFinished,
    FuzzStarted,
    TokenizerFuzzed,
)
from tokenizer_conformance.validation.fuzz.results import AnswerDifference, LoadDifference, VocabularyDifference
from tokenizer_conformance.validation.fuzz.terminal import repeating

if TYPE_CHECKING:
    from tokenizer_conformance.validation.fuzz.events import FuzzEvent
    from tokenizer_conformance.validation.fuzz.results import Found, FuzzDifference


class FuzzJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    def handle(self, event: FuzzEvent) -> None:
        """Write the lines of ``event``. Raises ``OSError``."""
        for record in records_of(event):
            self.write(record)


def records_of(event: FuzzEvent) -> list[dict[str, Any]]:
    """Return the lines of the record for ``event``."""
    match event:
        case FuzzStarted():
            return [_header(event)]
        case ImplementationMissing():
            return [refusal_record(event)]
        case TokenizerFuzzed(plan, result):
            return [
                {"type": "difference", "implementation": plan.implementation, **_difference(difference)}
                for difference in result.differences
            ]
        case FuzzCompared():
            return [_result(event)]
        case FuzzFinding():
            return [_finding(event)]
        case FuzzFinished():
            return [_footer(event)]


def _header(event: FuzzStarted) -> dict[str, Any]:
    return {
        **header_record(FORMAT.name, FORMAT.version, event.environment),
        "baseline": implementation_record(event.baseline),
        "implementations": [implementation_record(info) for info in event.implementations],
        "seed": event.seed,
        "start": event.start,
        "tokenizers": event.tokenizers,
        "texts": event.texts,
    }


def _result(event: FuzzCompared) -> dict[str, Any]:
    result = event.result
    answers: dict[str, dict[str, int]] = {}
    for (stage, verdict), count in sorted(result.answers.items()):
        answers.setdefault(stage, {})[verdict] = count
    return {
        "type": "result",
        "implementation": event.plan.implementation,
        "complete": event.complete,
        "tokenizers": result.tokenizers,
        "cases": result.cases,
        "values": result.values,
        "ambiguous": result.ambiguous,
        "given_up": result.given_up,
        "unstable": result.unstable,
        "answers": answers,
        "no_value": [
            {
                "where": row.where,
                "baseline": row.baseline,
                "implementation": row.implementation,
                "count": count,
            }
            for row, count in sorted(result.no_value.items())
        ],
        "differences": len(result.differences),
        "known": [
            {
                "ledger": Path(entry.place.file).name,
                "entry": entry.place.number,
                "reason": entry.reason,
                "link": entry.link,
                "count": count,
            }
            for entry, count in result.known.items()
        ],
        "seconds": rounded(event.seconds),
    }


def _finding(event: FuzzFinding) -> dict[str, Any]:
    return {
        "type": "finding",
        "implementation": event.plan.implementation,
        "signature": list(event.signature),
        "tokenizers": event.tokenizers,
        "first": event.first,
        "is_reduced": event.is_reduced,
        "smallest": _difference(event.difference),
        "repeat": repeating(event.plan, event.first),
    }


def _difference(difference: FuzzDifference) -> dict[str, Any]:
    question = difference.case.question
    return {
        "number": difference.number,
        "tokenizer_json": difference.case.document,
        "question": None if question is None else question_record(question),
        "found": _found(difference.found),
    }


def _found(found: Found) -> dict[str, Any]:
    match found:
        case LoadDifference(refused_by, reason):
            return {"refused_by": refused_by, "reason": reason}
        case VocabularyDifference(token, baseline, implementation):
            return {"token": token, "baseline_id": baseline, "implementation_id": implementation}
        case AnswerDifference(_, difference):
            return {"difference": difference_record(difference)}


def _footer(event: FuzzFinished) -> dict[str, Any]:
    return {
        **footer_record(event),
        "tokenizers": event.tokenizers,
        "cases": event.cases,
        "values": event.values,
        "differences": event.differences,
        "known": event.known,
    }
