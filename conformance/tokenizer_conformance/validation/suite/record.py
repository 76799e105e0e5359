r"""The record of a run of the suite as JSON Lines: header, a line for each requirement and implementation, footer.

The format has a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). A record
without a footer is that of a run that was killed. Only ASCII is written: other characters, lone surrogates too, stand
as ``\u`` escapes.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.record import (
    RecordFile,
    footer_record,
    header_record,
    implementation_record,
    merged_part_record,
    refusal_record,
    rounded,
)
from tokenizer_conformance.comparison.record_forms import difference_record
from tokenizer_conformance.comparison.whole_answers import answers_record
from tokenizer_conformance.ledger.record_forms import entry_record
from tokenizer_conformance.results.records.suite_run import FORMAT
from tokenizer_conformance.validation.suite.events import ImplementationJudged, SuiteFinished, SuiteStarted
from tokenizer_conformance.validation.suite.results import score_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.suite.events import SuiteEvent
    from tokenizer_conformance.validation.suite.judging import CaseResult, Failure
    from tokenizer_conformance.validation.suite.results import RequirementResult


class SuiteJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    sealed = True

    def handle(self, event: SuiteEvent) -> None:
        """Write the lines of ``event``. Raises ``OSError``."""
        for record in records_of(event):
            self.write(record)


def lines_of(event: SuiteEvent) -> Iterator[Value]:
    """Yield the lines of the record for ``event``."""
    return map(FORMAT.read, records_of(event))


def records_of(event: SuiteEvent) -> list[dict[str, Any]]:
    """Return the lines of the record for ``event``."""
    match event:
        case SuiteStarted():
            entries = event.plan.ledger.entries
            is_told = entries or event.plan.shard is not None
            in_play = [{"type": "ledger_entries", "entries": _entries(entries)}] if is_told else []
            return [_header(event), *in_play]
        case ImplementationMissing():
            return [refusal_record(event)]
        case ImplementationJudged():
            lines = [_requirement(event.info.name, result) for result in event.results]
            return [*lines, _implementation(event)]
        case SuiteFinished():
            return [_footer(event)]
        case _:
            return []


def _header(event: SuiteStarted) -> dict[str, Any]:
    wanted = event.plan.wanted
    return {
        **header_record(FORMAT.name, FORMAT.version, event.environment),
        "implementations": [implementation_record(info) for info in event.implementations],
        "suite": None if event.plan.suite is None else asdict(event.plan.suite),
        "requirements": len({case.requirement.id for case in event.plan.cases}),
        "cases": len(event.plan.cases),
        "selection": wanted.expression,
        "features": sorted(wanted.features),
        "importances": sorted(wanted.importances),
        "fields": None if event.plan.fields is None else sorted(event.plan.fields),
        "ledgers": [{"name": Path(file.name).name, "sha256": file.sha256} for file in event.plan.ledger.files],
        "options": dict(event.plan.options),
        "words": dict(event.plan.words),
        "repeated": list(event.plan.repeated),
        "shard": None if event.plan.shard is None else asdict(event.plan.shard),
        **({} if not event.merged else {"merged": list(map(merged_part_record, event.merged))}),
    }


def _entries(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return ``entries`` whole, with the place by which cases name them."""
    return [{**entry_record(entry), "called": str(entry.place)} for entry in entries]


def _requirement(implementation: str, result: RequirementResult) -> dict[str, Any]:
    return {
        "type": "requirement",
        "implementation": implementation,
        "area": result.area.name,
        "requirement": result.requirement.id,
        "importance": result.requirement.importance,
        "verdict": result.verdict,
        "blame": result.blame,
        "cases": [_case(case) for case in result.results],
    }


def _case(result: CaseResult) -> dict[str, Any]:
    return {
        "case": result.judged.case.name,
        "verdict": result.verdict,
        "blame": result.blame,
        "reason": result.reason,
        "known": [str(entry.place) for entry in result.entries],
        "failures": [failure_record(failure) for failure in result.failures],
        **({"asked": sorted(result.asked)} if result.asked else {}),
        **({"unanswered": sorted(result.unanswered)} if result.unanswered else {}),
    }


def failure_record(failure: Failure) -> dict[str, Any]:
    """Return what is wrong with an answer as a record has it."""
    return {
        "step": failure.step,
        "place": failure.place,
        "wrong": failure.wrong,
        "difference": None if failure.difference is None else difference_record(failure.difference),
        **({} if failure.unit is None else {"unit": failure.unit}),
        **answers_record(failure.answers),
    }


def _implementation(event: ImplementationJudged) -> dict[str, Any]:
    score = score_of(event.results)
    return {
        "type": "implementation",
        "implementation": event.info.name,
        "complete": event.complete,
        "requirements": {verdict.value: count for verdict, count in sorted(score.requirements.items())},
        "cases": {verdict.value: count for verdict, count in sorted(score.cases.items())},
        "seconds": rounded(event.seconds),
    }


def _footer(event: SuiteFinished) -> dict[str, Any]:
    return {
        **footer_record(event),
        "stale": [str(entry.place) for entry in event.stale],
    }
