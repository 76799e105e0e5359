"""An audit as checks: of each implementation every behaviour, and every pair of implementations that differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.research.unicode_audit.events import (
    BehaviourDiffers,
    BehaviourExplained,
    BehaviourNotAsked,
    UnicodeAuditFinished,
    UnicodeAuditStarted,
)
from tokenizer_conformance.research.unicode_audit.wording import (
    called,
    difference_line,
    ending,
    residual_lines,
    version_cell,
)
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.rules import UNAVAILABLE, unusable_check

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.research.unicode_audit.events import UnicodeAuditEvent

TITLE = "tokconf audit unicode"

UNEXPLAINED = plain_rule(
    "unicode-unexplained",
    "No version of Unicode explains what an implementation does with some characters",
    "The nearest rule and version are named, with the characters that are treated otherwise.",
)
DIFFERS = plain_rule(
    "unicode-differs",
    "Two implementations treat characters differently",
    "An implementation, or a release, is held against the one that was given before it.",
)


class UnicodeAuditChecks:
    """Tells ``write`` in the end what an audit has checked."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write
        self._started: UnicodeAuditStarted | None = None
        self._checks: list[Check] = []

    def handle(self, event: UnicodeAuditEvent) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case UnicodeAuditStarted():
                self._started = event
            case ImplementationMissing(refusal, asked):
                self._checks.append(unusable_check(refusal, rule=UNAVAILABLE, is_asked=asked))
            case BehaviourExplained():
                self._checks.append(_explained(event))
            case BehaviourNotAsked():
                self._checks.append(
                    Check(
                        group=called(event.implementation),
                        name=event.behaviour.name,
                        outcome=CheckOutcome.SKIPPED,
                        message=event.reason,
                    )
                )
            case BehaviourDiffers():
                self._checks.append(_differs(event))
            case UnicodeAuditFinished():
                if self._started is not None:
                    self._write(self._checked(self._started, event))

    def _checked(self, started: UnicodeAuditStarted, finished: UnicodeAuditFinished) -> CheckedRun:
        return CheckedRun.of(
            finished, title=TITLE, environment=started.environment, checks=self._checks, conclusion=ending(finished)
        )


def _explained(event: BehaviourExplained) -> Check:
    lines = tuple(residual_lines(event))
    told = f"{event.explanation.rule}, Unicode {version_cell(event)}"
    problem = Problem(rule=UNEXPLAINED, message=f"{event.behaviour.name}: {told}", details=lines)
    return Check(
        group=called(event.implementation),
        name=event.behaviour.name,
        outcome=CheckOutcome.FAILED if lines else CheckOutcome.PASSED,
        message="" if lines else told,
        problems=(problem,) if lines else (),
        properties={"rule": event.explanation.rule, "unicode": version_cell(event)},
        seconds=event.seconds,
    )


def _differs(event: BehaviourDiffers) -> Check:
    return Check(
        group=f"{called(event.other)} against {called(event.one)}",
        name=event.behaviour.name,
        outcome=CheckOutcome.FAILED,
        problems=(Problem(rule=DIFFERS, message=difference_line(event)),),
    )
