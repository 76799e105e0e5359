"""An audit of offsets for people at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.ledger.audit_entries import stale_line
from tokenizer_conformance.research.offsets_audit.events import (
    EncodingsAudited,
    InputsJudged,
    OffsetsAuditFinished,
    OffsetsAuditStarted,
    TokenizerNotLoaded,
)
from tokenizer_conformance.research.offsets_audit.table import INVARIANTS
from tokenizer_conformance.research.offsets_audit.wording import (
    checked_line,
    ending,
    finding_lines,
    headline,
    notes,
    summary_line,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_conformance.research.offsets_audit.events import OffsetsAuditEvent


class OffsetsAuditTerminalReport:
    """Writes an audit to ``console``, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)

    def handle(self, event: OffsetsAuditEvent) -> None:
        """Show ``event``."""
        match event:
            case OffsetsAuditStarted():
                self._start(event)
            case ImplementationMissing(refusal) | InputRefused(refusal):
                self._screen.complain(refusal.reason)
            case TokenizerNotLoaded():
                self._screen.blank()
                self._screen.say(f"{_title(event)}: not loaded", style="bold")
                self._screen.note([one_line(event.reason)])
            case EncodingsAudited():
                self._audited(event)
            case OffsetsAuditFinished():
                for entry in event.stale:
                    self._screen.complain(f"ledger: {stale_line(entry)}")
                self._screen.conclude(ending(event), event)
            case InputsJudged():
                pass

    def _start(self, event: OffsetsAuditStarted) -> None:
        self._screen.head(event.environment)
        for info in event.implementations:
            told = (
                f"{escape(info.name)} {escape(info.version)} ({escape(info.language)}), offsets in {info.offset_unit}"
            )
            self._screen.labelled("audited", told)
        self._screen.labelled("checked", f"{len(INVARIANTS)} invariants on {event.inputs:,} inputs")

    def _audited(self, event: EncodingsAudited) -> None:
        self._screen.blank()
        style = "bold red" if event.new or event.lost else "bold"
        unfinished = "" if event.finished else " (interrupted)"
        self._screen.say(f"{_title(event)}: {checked_line(event)}{unfinished}", style=style)
        self._screen.note([summary_line(event), *notes(event)])
        for number, found in enumerate(event.findings, 1):
            self._screen.say(
                f"  {number}. {headline(found)}", hanging=5, style="bold red" if found.known is None else ""
            )
            self._screen.show(finding_lines(found), 5)
        if not event.has_spans:
            self._screen.note(["it shows no spans: nothing is said of offsets"])


def _title(event: EncodingsAudited | TokenizerNotLoaded) -> str:
    info = event.implementation
    return f"{one_line(event.tokenizer.source.name)}, by {escape(info.name)} {escape(info.version)}"
