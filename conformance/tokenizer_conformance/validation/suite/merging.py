"""Merging the records of the parts of one run of the suite: a stream of events, like that of a run.

A requirement is in one part with all its cases. What can be known of the whole run alone is said here: whether enough
was answered, and which entries of ledgers that are about several requirements are stale.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.parts import changes_of_headers, merged_parts, missing
from tokenizer_conformance.ledger.matching import Ledger, LedgerFile
from tokenizer_conformance.validation.suite.engine import conclusion_of
from tokenizer_conformance.validation.suite.events import ImplementationJudged, SuiteEvent, SuiteFinished, SuiteStarted
from tokenizer_conformance.validation.suite.known import scope_of
from tokenizer_conformance.validation.suite.plan import SuitePlan
from tokenizer_conformance.validation.suite.reader import read_suite, suite_identity
from tokenizer_conformance.validation.suite.results import by_requirement
from tokenizer_conformance.validation.suite.selection import Wanted, chosen_cases

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.suite.recorded_suite import RecordedSuiteRun
    from tokenizer_conformance.validation.suite.requirement import CaseInPlace

Json = dict[str, Any]


def sharded(cases: Sequence[CaseInPlace], shard: Shard) -> tuple[CaseInPlace, ...]:
    """Return those of ``cases`` that are in ``shard``: those of whole requirements, about as many in each part."""
    first: dict[str, int] = {}
    for number, case in enumerate(cases):
        first.setdefault(case.requirement.id, number)
    return tuple(case for case in cases if shard.takes(first[case.requirement.id], len(cases)))


def changes_of_suites(one: Json, other: Json) -> list[str]:
    """Return what is not the same in the headers of two parts of a run of the suite (:func:`changes_of_headers`)."""
    return changes_of_headers(one, other, COMMON)


COMMON = {
    "implementations": "implementations",
    "suite": "suite",
    "selection": "-k",
    "features": "--features",
    "importances": "--importance",
    "fields": "--field",
    "ledgers": "ledgers",
    "options": "options",
}
"""What the headers of all parts have in common, and what it is called."""


def merged_suite(parts: Sequence[RecordedSuiteRun], *, partial: bool) -> Generator[SuiteEvent]:
    """Yield what the whole run of the ``parts``, in their order, would have told.

    They belong together, and none is there twice (:mod:`tokenizer_conformance.command_io.parts`). With ``partial`` the
    conclusion is that of what is there, where parts or their ends are missing.
    """
    first = parts[0]
    lacks = bool(missing([part.read for part in parts]))
    plan = _plan(parts, lacks=lacks)
    yield SuiteStarted(
        current_environment(plan.command),
        plan,
        first.implementations,
        merged_parts([(part.read, part.shard, part.environment) for part in parts]),
    )
    for refusal in plan.unavailable:
        yield ImplementationMissing(refusal)
    judged = [_joined(info, parts, lacks=lacks) for info in first.implementations]
    yield from judged
    stale = _stale(plan, judged)  # none where parts are missing: nobody is complete then
    footers = [part.read.footer for part in parts if part.read.footer is not None]
    broken = any(footer["conclusion"] == Conclusion.INTERNAL_ERROR for footer in footers)
    yield SuiteFinished(
        finished=not lacks and all(footer["finished"] for footer in footers),
        conclusion=conclusion_from(
            {Conclusion.INTERNAL_ERROR: broken, Conclusion.INCOMPLETE: lacks and not partial}
            | {conclusion_of(plan, judged, is_stale=bool(stale)): True}
        ),
        seconds=sum(float(footer["seconds"]) for footer in footers),
        stale=stale,
    )


def replayed_suite(recorded: RecordedSuiteRun) -> Iterator[SuiteEvent]:
    """Yield what the run of the suite told that is ``recorded``; of one that was killed, that it did not finish."""
    footer = recorded.read.footer
    plan = _plan([recorded], lacks=footer is None)
    yield SuiteStarted(recorded.environment, plan, recorded.implementations)
    yield from map(ImplementationMissing, plan.unavailable)
    yield from (
        _joined(info, [recorded], lacks=False) for info in recorded.implementations if info.name in recorded.found
    )
    stale = () if footer is None else tuple(map(str, footer["stale"]))
    yield SuiteFinished(
        finished=footer is not None and bool(footer["finished"]),
        conclusion=Conclusion.INTERRUPTED if footer is None else Conclusion(footer["conclusion"]),
        seconds=0.0 if footer is None else float(footer["seconds"]),
        stale=tuple(entry for entry in recorded.entries if str(entry.place) in stale),
    )


def _plan(parts: Sequence[RecordedSuiteRun], *, lacks: bool) -> SuitePlan:
    """Return the plan of the whole run; where parts are missing, it is that of a part still."""
    first = parts[0]
    header = first.read.header
    files = tuple(LedgerFile(each["name"], each["sha256"]) for each in header.get("ledgers", ()))
    suite = read_suite()
    wanted = first.wanted
    return SuitePlan(
        implementations=(),
        words=dict(header.get("words", {})),
        unavailable=tuple(dict.fromkeys(each for part in parts for each in part.missing)),
        cases=chosen_cases(suite, wanted),
        wanted=wanted,
        fields=first.fields,
        max_fail=0,
        ledger=Ledger(first.entries, files),
        every_requirement=wanted == Wanted() and first.fields is None,
        command=("tokconf", *sys.argv[1:]),
        not_asked=sum(1 for area, each in suite.requirements() if not each.cases and wanted.takes(area, each)),
        repeated=tuple(header.get("repeated", ())),
        suite=suite_identity(),
        shard=first.shard if lacks else None,
        options=dict(header.get("options", {})),
    )


def _joined(info: ImplementationInfo, parts: Sequence[RecordedSuiteRun], *, lacks: bool) -> ImplementationJudged:
    found = [part.found[info.name] for part in parts if info.name in part.found]
    return ImplementationJudged(
        info,
        by_requirement(result for each in found for result in each.results),
        sum(each.seconds for each in found),
        complete=not lacks and len(found) == len(parts) and all(each.complete for each in found),
    )


def _stale(plan: SuitePlan, judged: Sequence[ImplementationJudged]) -> tuple[Entry, ...]:
    complete = [(each.info, each.results) for each in judged if each.complete]
    return plan.ledger.stale(scope_of(complete, every_requirement=plan.every_requirement))
