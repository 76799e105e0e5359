"""A search as checks: one for each implementation on each tokenizer, or on all random ones.

Its problems are the causes, or the kinds of differences, that were found.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import UNSET

from tokenizer_conformance.causes.rules import UNEXPLAINED_RULE, cause_problem
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.comparison.record_forms import difference_of, question_of
from tokenizer_conformance.comparison.verdicts import NO_ANSWER as NO_ANSWERS
from tokenizer_conformance.comparison.wording import describe, shown_text, subject_lines, window
from tokenizer_conformance.escape import escape, one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.ci_results.rules import (
    NO_ANSWER,
    UNAVAILABLE,
    UNSTABLE,
    group_of,
    load_check,
    unusable_check,
)
from tokenizer_conformance.results.records import fuzz, search
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.validation.search.events import (
    FuzzFinished,
    PairingRefused,
    PairingSearched,
    SearchFinished,
    Started,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokenizer_adapters.contract import ImplementationInfo, Observation
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.results.ci_results.check import Location
    from tokenizer_conformance.validation.search.events import SearchEvent

RANDOM_TOKENIZER = plain_rule(
    "random-tokenizer-differs",
    "Answers about a random tokenizer differ",
    "The tokenizer.json is made at random and made small; the seed and its number give it again.",
)

LONGEST_DOCUMENT = 2000
"""How many characters of a tokenizer.json are shown."""

SHOWN_UNEXAMINED = 3
"""How many of the texts that nobody has looked at are shown."""


class SearchChecks:
    """Tells ``write`` in the end what a search has checked."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write
        self._started: Started | None = None
        self._given: list[Check] = []
        self._searched: list[PairingSearched] = []
        self._compared: list[fuzz.Result] = []
        self._findings: list[fuzz.Finding] = []

    def handle(self, event: SearchEvent) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case Started():
                self._started = event
            case InputRefused(refusal):
                self._given.append(unusable_check(refusal))
            case ImplementationMissing(refusal, asked):
                self._given.append(unusable_check(refusal, rule=UNAVAILABLE, is_asked=asked))
            case PairingRefused() if self._started is not None:
                self._given.append(_refused(event, self._started.plan.baseline_info))
            case PairingSearched():
                self._searched.append(event)
            case fuzz.Result():
                self._compared.append(event)
            case fuzz.Finding():
                self._findings.append(event)
            case SearchFinished() | FuzzFinished() if self._started is not None:
                self._write(self._checked(self._started, event))
            case _:
                pass

    def _checked(self, started: Started, finished: SearchFinished | FuzzFinished) -> CheckedRun:
        baseline = started.plan.baseline_info.name
        if isinstance(finished, SearchFinished):
            checks = [_searched(each, finished, baseline) for each in self._searched]
        else:
            checks = [_fuzzed(each, self._findings, baseline) for each in self._compared]
        return CheckedRun.of(
            finished,
            title="tokconf fuzz",
            environment=started.environment,
            checks=(*self._given, *checks),
            conclusion=summary(finished) if isinstance(finished, SearchFinished) else finished.conclusion.value,
            notes=(f"seed {started.plan.seed}",),
        )


def _check(
    group: str,
    name: str,
    problems: Iterable[Problem],
    line: search.Result | fuzz.Result,
    *,
    asked: str,
    is_empty: bool,
    location: Location | None = None,
) -> Check:
    """Return the check of what was ``asked``, of which ``line`` is the result."""
    problems = tuple(problems)
    outcome = CheckOutcome.PASSED
    if problems:
        is_error = any(problem.rule in (NO_ANSWER, UNSTABLE) for problem in problems)
        outcome = CheckOutcome.ERROR if is_error else CheckOutcome.FAILED
    elif not line.complete or is_empty:
        outcome = CheckOutcome.SKIPPED
    elif line.known:
        outcome = CheckOutcome.KNOWN
    so_far = f"{asked}, {counted(line.values, 'value')} agree"
    return Check(
        group=group,
        name=name,
        outcome=outcome,
        message=so_far if line.complete else f"not finished: {so_far}",
        details=tuple(f"known: {counted(each.count, 'difference')}: {each.reason}" for each in line.known),
        problems=problems,
        location=location,
        seconds=line.seconds,
    )


def _unstable(count: int) -> Iterator[Problem]:
    if count:
        yield Problem(rule=UNSTABLE, message=f"{counted(count, 'answer')} differed, and were others when asked again")


# Given tokenizers ----------------------------------------------------------------------------------------------------


def _refused(refused: PairingRefused, baseline: ImplementationInfo) -> Check:
    pairing, reason = refused.pairing, refused.reason
    info = pairing.implementation.info
    return load_check(info, baseline, pairing.tokenizer, reason, is_needed=refused.is_failure)


def _searched(searched: PairingSearched, finished: SearchFinished, baseline: str) -> Check:
    line = searched.line
    return _check(
        group_of(line.implementation, line.tokenizer),
        "search",
        _problems(searched, finished, baseline),
        line,
        asked=counted(line.cases, "case"),
        is_empty=not (line.values or line.known),
        location=tokenizer_location(searched.pairing.tokenizer),
    )


def _problems(searched: PairingSearched, finished: SearchFinished, baseline: str) -> Iterator[Problem]:
    line = searched.line
    for each in finished.causes:
        cause = each.cause
        if line.tokenizer in cause.tokenizers and cause.implementation == line.implementation:
            manner = cause.signature.manner
            place = tokenizer_location(searched.pairing.tokenizer, manner.stage)
            rule = NO_ANSWER if manner.verdict in NO_ANSWERS else None
            problem = cause_problem(cause, baseline, location=place, rule=rule)
            yield replace(problem, details=tuple(_cause_lines(cause, baseline)))
    yield from _unstable(line.unstable)
    if line.unexamined:
        texts = (f"  text  {shown_text(case.text)}" for case in searched.waiting[:SHOWN_UNEXAMINED])
        told = f"{counted(line.unexamined, 'text')} with differences not looked at any more, since the search was over:"
        yield Problem(
            rule=UNEXPLAINED_RULE,
            message=f"{counted(line.unexamined, 'case')} differ and were not looked at, since the search was over",
            details=(told, *texts),
            identity="unexamined",
        )


def _cause_lines(cause: Cause, baseline: str) -> Iterator[str]:
    """Yield the lines that show the smallest witness of ``cause`` on both sides, and its reason."""
    witness, reason = cause.shown, cause.reason
    part = f", {witness.difference.part}" if witness.difference.part else ""
    yield f"{describe(witness.question)}{part}"
    if witness.document is not None:
        yield "of a tokenizer.json made smaller: it stands in the record (--json)"
    yield from subject_lines(witness.question)
    yield from window(witness.difference, escape(baseline), escape(cause.implementation))
    yield f"reason: {one_line(f'{reason.name} ({reason.parameter})' if reason.parameter else reason.name)}"


def summary(finished: SearchFinished) -> str:
    """Return the last word on a search."""
    parts = [
        counted(finished.cases, "case"),
        f"{counted(finished.values, 'value')} agree",
        counted(len(finished.causes), "finding"),
    ]
    if finished.known:
        parts.append(f"{finished.known:,} known")
    if finished.unexamined:
        parts.append(f"{finished.unexamined:,} not looked at")
    return f"{finished.conclusion.value}; {', '.join(parts)}"


# Random tokenizers ---------------------------------------------------------------------------------------------------


def _fuzzed(result: fuzz.Result, findings: Iterable[fuzz.Finding], baseline: str) -> Check:
    problems = (_kind_problem(each, baseline) for each in findings if each.implementation == result.implementation)
    return _check(
        f"{result.implementation} on random tokenizers",
        "fuzz",
        (*problems, *_unstable(result.unstable)),
        result,
        asked=counted(result.tokenizers, "tokenizer"),
        is_empty=not result.values,
    )


def _kind_problem(finding: fuzz.Finding, baseline: str) -> Problem:
    case = finding.smallest
    asked = [] if case.question is None else _asked(question_of(json_of(case.question)))
    signature = ": ".join(finding.signature)
    return Problem(
        rule=RANDOM_TOKENIZER,
        message=f"{signature} ({counted(finding.tokenizers, 'tokenizer')})",
        details=(
            f"tokenizer.json  {one_line(_as_ascii(case.tokenizer_json), LONGEST_DOCUMENT)}",
            *asked,
            *_found_lines(case.found, escape(baseline), escape(finding.implementation)),
        ),
        repeat=finding.repeat,
        identity=signature,
    )


def _asked(question: Observation) -> list[str]:
    return [describe(question), *subject_lines(question)]


def _as_ascii(document: Json) -> str:
    """Return ``document`` on one line of printable ASCII characters."""
    return json.dumps(document).replace("\x7f", "\\u007f")


def _found_lines(found: fuzz.Found, *names: str) -> list[str]:
    """Return the lines that show ``found`` on both sides, which are called by ``names``."""
    if found.refused_by is not UNSET:
        who = "both sides" if found.refused_by is Party.BOTH else f"the {found.refused_by}"
        return [f"refused by {who}: {one_line(str(found.reason))}"]
    if found.token is not UNSET:
        ids = zip(names, (found.baseline_id, found.implementation_id), strict=True)
        parts = (f"{name}: {'none' if id is None else id}" for name, id in ids)
        return [f"the id of {quoted(found.token)} is {', '.join(parts)}"]
    if found.difference is UNSET:
        return []
    difference = difference_of(json_of(found.difference))
    what = difference.part or difference.field or ""
    return [f"{what} {difference.kind}".lstrip(), *window(difference, *names)]
