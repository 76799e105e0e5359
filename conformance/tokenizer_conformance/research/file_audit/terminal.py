"""An audit of files for people at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.escape import one_line, visible
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.events import (
    FileAudited,
    FileAuditFinished,
    FileAuditStarted,
    FileBegun,
    FileFixed,
    FindingMade,
)
from tokenizer_conformance.research.file_audit.finding import Severity
from tokenizer_conformance.research.file_audit.wording import (
    ending,
    finding_lines,
    fix_lines,
    place,
    remedy,
    severity_counts,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_conformance.research.file_audit.events import FileAuditEvent

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold"}


class FileAuditTerminalReport:
    """Writes an audit to ``console``, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)

    def handle(self, event: FileAuditEvent) -> None:
        """Show ``event``."""
        match event:
            case FileAuditStarted():
                self._screen.head(event.environment, (event.baseline,))
                self._screen.labelled("checks", f"for {counted(event.defects, 'kind')} of defects")
            case InputRefused(refusal):
                self._screen.complain(refusal.reason)
            case FileBegun(tokenizer):
                self._screen.blank()
                self._screen.say(one_line(tokenizer.source.name), style="bold")
            case FindingMade():
                self._finding(event)
            case FileAudited():
                loaded = "" if event.is_loaded else "; the file is not loaded, so that what needs answers was not asked"
                self._screen.note([f"{severity_counts(event.counts)} in {event.seconds:.1f} s{loaded}"])
                self._screen.note(f"not looked at within --time: {visible(each)}" for each in event.cut_short)
            case FileFixed():
                self._screen.note(fix_lines(event))
            case FileAuditFinished():
                self._screen.conclude(ending(event), event)

    def _finding(self, event: FindingMade) -> None:
        finding, defect = event.finding, event.finding.defect
        self._screen.say(
            f"  {defect.severity} {defect.id} at {place(finding, event.line)}", hanging=4, style=STYLES[defect.severity]
        )
        self._screen.note(
            f"  {line}" for line in (f"{defect.title}.", *finding_lines(finding), f"fix: {remedy(finding)}")
        )
