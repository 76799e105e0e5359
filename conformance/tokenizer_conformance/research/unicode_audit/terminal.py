"""An audit of Unicode behaviour for people at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.escape import escape, one_line, visible
from tokenizer_conformance.research.unicode_audit.behaviours import BEHAVIOURS
from tokenizer_conformance.research.unicode_audit.events import (
    AuditReached,
    BehaviourDiffers,
    BehaviourExplained,
    BehaviourNotAsked,
    PartsDisagree,
    UnicodeAuditFinished,
    UnicodeAuditStarted,
)
from tokenizer_conformance.research.unicode_audit.wording import (
    called,
    difference_line,
    disagreement_lines,
    ending,
    residual_lines,
    version_cell,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.research.unicode_audit.events import UnicodeAuditEvent

NAME = max(map(len, BEHAVIOURS)) + 2
VERSION = 16
LABEL = 10


class UnicodeAuditTerminalReport:
    """Writes an audit to ``console``, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._of: ImplementationInfo | None = None
        self._part = ""

    def handle(self, event: UnicodeAuditEvent) -> None:
        """Show ``event``."""
        match event:
            case UnicodeAuditStarted():
                self._start(event)
            case ImplementationMissing(refusal):
                self._screen.complain(refusal.reason)
            case BehaviourExplained():
                self._begin(event.implementation)
                line = (
                    f"  {visible(event.behaviour.name):<{NAME}}{version_cell(event):<{VERSION}}{event.explanation.rule}"
                )
                self._screen.say(line, hanging=4 + NAME, style="" if event.is_explained else "bold red")
                self._screen.note(f"    {line}" for line in residual_lines(event))
            case BehaviourNotAsked():
                self._begin(event.implementation)
                self._screen.say(
                    f"  {visible(event.behaviour.name):<{NAME}}cannot be asked: {one_line(event.reason)}",
                    hanging=4 + NAME,
                    style="dim",
                )
            case PartsDisagree():
                self._section(f"parts of {escape(called(event.implementation))} that disagree")
                self._screen.note(disagreement_lines(event.disagreement))
            case BehaviourDiffers():
                self._section(f"{escape(called(event.other))} against {escape(called(event.one))}")
                self._screen.note([difference_line(event)])
            case UnicodeAuditFinished():
                self._screen.conclude(ending(event), event)
            case AuditReached():
                pass

    def _start(self, event: UnicodeAuditStarted) -> None:
        self._screen.head(event.environment)
        for info in event.implementations:
            self._screen.labelled("audited", f"{escape(called(info))} ({escape(info.language)})")
        self._screen.labelled("tables", f"Unicode {event.oldest} to {event.newest}")

    def _begin(self, info: ImplementationInfo) -> None:
        if self._of != info:
            self._of = info
            self._section(escape(called(info)))

    def _section(self, title: str) -> None:
        if self._part != title:
            self._part = title
            self._screen.blank()
            self._screen.say(title, style="bold")
