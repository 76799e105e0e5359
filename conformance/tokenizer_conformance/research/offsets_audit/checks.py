"""An audit of offsets as checks: of each implementation on each tokenizer its loading, and every invariant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.ledger.audit_entries import stale_line
from tokenizer_conformance.research.offsets_audit.events import (
    EncodingsAudited,
    OffsetsAuditFinished,
    OffsetsAuditStarted,
    TokenizerNotLoaded,
)
from tokenizer_conformance.research.offsets_audit.table import INVARIANTS
from tokenizer_conformance.research.offsets_audit.wording import ending, finding_lines, headline, summary_line, why_not
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.ci_results.rules import (
    LOAD,
    NO_ANSWER,
    TOO_LITTLE,
    UNAVAILABLE,
    group_of,
    load_check,
    stale_check,
    unusable_check,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.offsets_audit.events import OffsetsAuditEvent
    from tokenizer_conformance.research.offsets_audit.invariant import Invariant

TITLE = "tokconf audit offsets"

ANSWERS = "answers"
"""The name of the check that questions are answered, and that spans are shown."""

RULES = {
    each.id: plain_rule(each.id, f"An invariant of {each.topic} is violated", each.sentence) for each in INVARIANTS
}


@dataclass(frozen=True, slots=True)
class _Key:
    implementation: str
    tokenizer: str


class OffsetsAuditChecks:
    """Tells ``write`` in the end what an audit has checked."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write
        self._started: OffsetsAuditStarted | None = None
        self._given: list[Check] = []
        self._done: dict[_Key, EncodingsAudited | TokenizerNotLoaded] = {}

    def handle(self, event: OffsetsAuditEvent) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case OffsetsAuditStarted():
                self._started = event
            case InputRefused(refusal):
                self._given.append(unusable_check(refusal))
            case ImplementationMissing(refusal, asked):
                self._given.append(unusable_check(refusal, rule=UNAVAILABLE, is_asked=asked))
            case TokenizerNotLoaded() | EncodingsAudited():
                self._done[_Key(event.implementation.name, event.tokenizer.source.name)] = event
            case OffsetsAuditFinished():
                if self._started is not None:
                    self._write(self._checked(self._started, event))
            case _:
                pass

    def _checked(self, started: OffsetsAuditStarted, finished: OffsetsAuditFinished) -> CheckedRun:
        checks = [*self._given]
        for tokenizer in started.tokenizers:
            for info in started.implementations:
                checks += self._of(tokenizer, info)
        checks += (stale_check(entry, stale_line(entry)) for entry in finished.stale)
        return CheckedRun.of(
            finished, title=TITLE, environment=started.environment, checks=checks, conclusion=ending(finished)
        )

    def _of(self, tokenizer: TokenizerFile, info: ImplementationInfo) -> Iterator[Check]:
        done = self._done.get(_Key(info.name, tokenizer.source.name))
        match done:
            case None:
                yield Check(
                    group=group_of(info.name, tokenizer.source.name),
                    name=LOAD,
                    outcome=CheckOutcome.SKIPPED,
                    message="not reached",
                )
            case TokenizerNotLoaded():
                yield load_check(info, info, tokenizer, done.reason, is_needed=not done.unsupported)
            case EncodingsAudited():
                yield load_check(info, info, tokenizer, None)
                yield _answers(done)
                yield from (_of_invariant(done, invariant) for invariant in INVARIANTS)


def _answers(done: EncodingsAudited) -> Check:
    """Return the check that every question was answered, and that there were spans to look at."""
    message = summary_line(done)
    problems: tuple[Problem, ...] = ()
    if done.lost:
        problems = (Problem(rule=NO_ANSWER, message=message, details=done.trouble),)
    elif not done.has_spans and done.is_needed and done.finished:
        problems = (Problem(rule=TOO_LITTLE, message=f"it shows no spans; {message}"),)
    outcome = CheckOutcome.ERROR if problems else CheckOutcome.PASSED
    if not problems and not done.has_spans:
        outcome = CheckOutcome.SKIPPED
    return Check(
        group=group_of(done.implementation.name, done.tokenizer.source.name),
        name=ANSWERS,
        outcome=outcome,
        message=message,
        problems=problems,
        location=tokenizer_location(done.tokenizer),
    )


def _of_invariant(done: EncodingsAudited, invariant: Invariant) -> Check:
    tally = done.tallies[invariant.id]
    found = [each for each in done.findings if each.finding.invariant.id == invariant.id]
    problems = tuple(
        Problem(
            rule=RULES[invariant.id],
            message=headline(each),
            details=tuple(finding_lines(each)[:-1]),
            repeat=each.repeat,
            identity=each.finding.manner,
        )
        for each in found
        if each.known is None
    )
    known = [each for each in found if each.known is not None]
    outcome, message = CheckOutcome.PASSED, f"{tally.things:,} things in {tally.answers:,} answers"
    details: tuple[str, ...] = ()
    if problems:
        outcome = CheckOutcome.FAILED
    elif known:
        outcome, message = CheckOutcome.KNOWN, headline(known[0])
        details = tuple(line for each in known for line in finding_lines(each))
    elif not tally.things:
        outcome, message = CheckOutcome.SKIPPED, f"cannot be checked: {why_not(tally)}"
    return Check(
        group=group_of(done.implementation.name, done.tokenizer.source.name),
        name=invariant.id,
        outcome=outcome,
        message=message,
        details=details,
        problems=problems,
        location=tokenizer_location(done.tokenizer),
    )
