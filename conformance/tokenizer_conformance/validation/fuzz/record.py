"""The lines of the record of fuzzing: each tokenizer that differs, results, small cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.comparison.record_forms import difference_record, question_record
from tokenizer_conformance.results.records import fuzz as lines
from tokenizer_conformance.results.records.answers import DifferenceOfSides, Question
from tokenizer_conformance.results.records.making import footer_of, header_of, implementation_of, made
from tokenizer_conformance.validation.fuzz.events import (
    FuzzCompared,
    FuzzFinding,
    FuzzFinished,
    FuzzStarted,
    TokenizerFuzzed,
)
from tokenizer_conformance.validation.fuzz.results import AnswerDifference, LoadDifference, VocabularyDifference
from tokenizer_conformance.validation.fuzz.wording import repeating

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.comparison.verdicts import Verdict
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.fuzz.events import FuzzEvent
    from tokenizer_conformance.validation.fuzz.results import Found, FuzzDifference


def lines_of(event: FuzzEvent) -> Iterator[Value]:
    """Yield the lines of the record for ``event``."""
    match event:
        case FuzzStarted():
            yield made(
                lines.Header,
                event,
                **header_of(lines.FORMAT, event.environment),
                baseline=implementation_of(event.baseline),
                implementations=tuple(map(implementation_of, event.implementations)),
            )
        case ImplementationMissing(refusal):
            yield made(lines.ImplementationMissing, refusal)
        case TokenizerFuzzed(plan, result):
            for each in result.differences:
                yield lines.Difference(implementation=plan.implementation, **_case(each))
        case FuzzCompared():
            yield _result(event)
        case FuzzFinding():
            yield made(
                lines.Finding,
                event,
                implementation=event.plan.implementation,
                smallest=lines.Case(**_case(event.difference)),
                repeat=repeating(event.plan, event.first),
            )
        case FuzzFinished():
            yield made(lines.Footer, event, **footer_of(event))


def _result(event: FuzzCompared) -> lines.Result:
    result = event.result
    answers: dict[Stage, dict[Verdict, int]] = {}
    for (stage, verdict), count in sorted(result.answers.items()):
        answers.setdefault(stage, {})[verdict] = count
    return made(
        lines.Result,
        result,
        implementation=event.plan.implementation,
        complete=event.complete,
        answers=answers,
        no_value=[made(lines.NoValue, row, count=count) for row, count in sorted(result.no_value.items())],
        differences=len(result.differences),
        known=tuple(
            lines.Known(
                ledger=Path(entry.place.file).name,
                entry=entry.place.number,
                reason=entry.reason,
                link=entry.link,
                count=count,
            )
            for entry, count in result.known.items()
        ),
        seconds=rounded(event.seconds),
    )


def _case(difference: FuzzDifference) -> dict[str, Any]:
    question = difference.case.question
    return {
        "number": difference.number,
        "tokenizer_json": difference.case.document,
        "question": None if question is None else msgspec.convert(question_record(question), Question),
        "found": _found(difference.found),
    }


def _found(found: Found) -> lines.Found:
    match found:
        case LoadDifference(refused_by, reason):
            return lines.Found(refused_by=refused_by, reason=reason)
        case VocabularyDifference(token, baseline, implementation):
            return lines.Found(token=token, baseline_id=baseline, implementation_id=implementation)
        case AnswerDifference(_, difference):
            return lines.Found(difference=msgspec.convert(difference_record(difference), DifferenceOfSides))
