"""Which failures are known: those that an entry of a ledger is about, and what follows from them.

A failure of a case is a consequence where everything that is wrong at the place to blame is known: a text that is
normalized in another way, as expected, has other tokens too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import plain_of
from tokenizer_conformance.command_io.ledger_update import LedgerUpdate, new_entry
from tokenizer_conformance.comparison.differences import DifferenceKind
from tokenizer_conformance.comparison.questions import text_and_pair
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.ledger.entry import Difference as LedgerDifference
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.ledger.staleness import Scope
from tokenizer_conformance.validation.suite.events import ImplementationJudged
from tokenizer_conformance.validation.suite.judging import WRONG, CaseVerdict, first_place
from tokenizer_conformance.validation.suite.requirement import Observed, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.validation.suite.events import SuiteEvent
    from tokenizer_conformance.validation.suite.judging import CaseResult, Failure
    from tokenizer_conformance.validation.suite.results import RequirementResult

REFUSED = "refused"
"""The kind of a failure where a tokenizer, or what is none, is loaded or not."""


def with_known(result: CaseResult, info: ImplementationInfo, ledger: Ledger) -> CaseResult:
    """Return ``result`` of the implementation that ``info`` describes, as known where ``ledger`` says so."""
    if result.verdict not in WRONG:
        return result
    entries = {
        index: entry
        for index, failure in enumerate(result.failures)
        if (entry := ledger.entry_for(_as_difference(failure, result, info))) is not None
    }
    first = first_place(failure.place for failure in result.failures)
    blamed = [index for index, failure in enumerate(result.failures) if failure.place is first]
    if not all(index in entries for index in blamed):
        return result
    return replace(result, verdict=CaseVerdict.KNOWN, entries=tuple(dict.fromkeys(entries.values())))


def _as_difference(failure: Failure, result: CaseResult, info: ImplementationInfo) -> LedgerDifference:
    difference = failure.difference
    step = None if failure.step is None else result.judged.case.steps[failure.step]
    text, pair = text_and_pair(plain_of(step.observation)) if isinstance(step, Observed) else (None, None)
    return LedgerDifference(
        implementation=info.name,
        version=info.version,
        tokenizer=f"{result.judged.area.name}/{result.judged.case.tokenizer}",
        stage=failure.place,
        fields=() if failure.field is None else (failure.field,),
        requirement=result.judged.requirement.id,
        kind=REFUSED if difference is None and failure.place is Place.LOAD else _kind(failure),
        input=result.judged.id,
        verdict=_verdict(failure, result),
        text=text,
        pair=pair,
    )


def _kind(failure: Failure) -> str:
    return DifferenceKind.RAISED if failure.difference is None else failure.difference.kind


def _verdict(failure: Failure, result: CaseResult) -> str:
    if failure.difference is not None:
        return failure.difference.verdict
    return Verdict.CRASH if result.verdict is CaseVerdict.ERROR else Verdict.ERROR


def scope_of(
    results: Iterable[tuple[ImplementationInfo, Iterable[RequirementResult]]], *, every_requirement: bool
) -> Scope:
    """Return what was judged to the end, by implementation: requirements, and the entries that were met."""
    judged = {(info.name, info.version): tuple(found) for info, found in results}
    return Scope(
        matched=frozenset(
            entry for found in judged.values() for each in found for case in each.results for entry in case.entries
        ),
        requirements={key: frozenset(each.requirement.id for each in found) for key, found in judged.items()},
        every_requirement=every_requirement,
    )


class SuiteLedgerUpdate(LedgerUpdate["SuiteEvent"]):
    """Appends an entry without a reason to a ledger for each requirement that failed, in the end."""

    def entries_of(self, event: SuiteEvent) -> Iterator[tuple[Entry, str]]:
        """Yield an entry for each requirement that failed, with its title as a comment."""
        if isinstance(event, ImplementationJudged):
            for result in event.results:
                if result.wrong:
                    yield _entry(event.info, result), result.requirement.title


def _entry(info: ImplementationInfo, result: RequirementResult) -> Entry:
    all_wrong = len(result.wrong) == len(result.results)
    return new_entry(
        info,
        requirements=(result.requirement.id,),
        inputs=() if all_wrong else tuple(pattern_of(case.judged.id) for case in result.wrong),
    )
