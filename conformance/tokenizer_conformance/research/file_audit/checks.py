"""An audit of files as checks: of each file every check, which fails for what the command fails for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.research.file_audit.checks_table import CHECKS
from tokenizer_conformance.research.file_audit.engine import READING
from tokenizer_conformance.research.file_audit.events import (
    FileAudited,
    FileAuditFinished,
    FileAuditStarted,
    FileBegun,
    FileFixed,
    FindingMade,
)
from tokenizer_conformance.research.file_audit.finding import Severity, path_text
from tokenizer_conformance.research.file_audit.wording import ending, finding_lines, remedy
from tokenizer_conformance.results.ci_results.check import (
    Check,
    CheckedRun,
    CheckOutcome,
    Level,
    Location,
    Problem,
    Rule,
    plain_rule,
)
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.ci_results.rules import unusable_check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.file_audit.events import FileAuditEvent
    from tokenizer_conformance.research.file_audit.finding import Defect

TITLE = "tokconf audit file"

LEVELS = {Severity.ERROR: Level.ERROR, Severity.WARNING: Level.WARNING, Severity.NOTE: Level.NOTE}

CHECK_OF = {defect.id: check.name for check in CHECKS for defect in check.defects}
"""The check that finds each kind of defect; those that are not here are found on reading."""


@dataclass(slots=True)
class _Audited:
    """A file, as far as the audit has come."""

    tokenizer: TokenizerFile
    findings: list[FindingMade] = field(default_factory=list)
    done: FileAudited | None = None


class FileAuditChecks:
    """Tells ``write`` in the end what an audit of files has checked."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write
        self._started: FileAuditStarted | None = None
        self._given: list[Check] = []
        self._audited: list[_Audited] = []

    def handle(self, event: FileAuditEvent) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case FileAuditStarted():
                self._started = event
            case InputRefused(refusal):
                self._given.append(unusable_check(refusal))
            case FileBegun(tokenizer):
                self._audited.append(_Audited(tokenizer))
            case FindingMade():
                self._audited[-1].findings.append(event)
            case FileAudited():
                self._audited[-1].done = event
            case FileFixed():
                pass
            case FileAuditFinished():
                if self._started is not None:
                    self._write(self._checked(self._started, event))

    def _checked(self, started: FileAuditStarted, finished: FileAuditFinished) -> CheckedRun:
        reached = {each.tokenizer.source.file: each for each in self._audited}
        checks = [*self._given]
        for tokenizer in started.tokenizers:
            checks += _of_file(reached.get(tokenizer.source.file, _Audited(tokenizer)))
        return CheckedRun.of(
            finished, title=TITLE, environment=started.environment, checks=checks, conclusion=ending(finished)
        )


def _of_file(audited: _Audited) -> Iterator[Check]:
    location = tokenizer_location(audited.tokenizer)
    for name in (READING, *(check.name for check in CHECKS)):
        found = [each for each in audited.findings if CHECK_OF.get(each.finding.defect.id, READING) == name]
        problems = tuple(_problem(each, location) for each in found if each.fails)
        is_done = audited.done is not None and name in audited.done.checks
        outcome = CheckOutcome.PASSED if is_done else CheckOutcome.SKIPPED
        yield Check(
            group=audited.tokenizer.source.name,
            name=name,
            outcome=CheckOutcome.FAILED if problems else outcome,
            message="" if is_done or problems else "not done: not selected, not reached, or the file is no tokenizer",
            problems=problems,
            remarks=tuple(_problem(each, location) for each in found if not each.fails),
            location=location,
        )


def _problem(event: FindingMade, location: Location) -> Problem:
    finding = event.finding
    message, *details = finding_lines(finding)
    path = path_text(finding.path)
    return Problem(
        rule=rule_of(finding.defect),
        message=f"{path}: {message}",
        details=(*details, f"fix: {remedy(finding)}"),
        location=Location(location.file, event.line),
        identity=path,
        level=LEVELS[finding.defect.severity],
    )


def rule_of(defect: Defect) -> Rule:
    """Return ``defect`` as a rule."""
    return plain_rule(defect.id, defect.title, defect.explanation, defect.remedy)
