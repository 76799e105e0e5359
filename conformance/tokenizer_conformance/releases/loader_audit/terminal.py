"""An audit of loaders for people at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.ledger.audit_entries import stale_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.loader_audit.events import (
    DifferenceJudged,
    LoaderAudited,
    LoaderAuditFinished,
    LoaderAuditStarted,
    LoaderRefused,
    TokenizerLoaded,
)
from tokenizer_conformance.releases.loader_audit.wording import (
    behaviour_line,
    change_lines,
    defaults_lines,
    ending,
    finding_headline,
    finding_lines,
    headline,
    impact_line,
    witness_lines,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_conformance.command_io.screen import Highlights
    from tokenizer_conformance.releases.loader_audit.events import LoaderAuditEvent

HIGHLIGHTS: Highlights = ((r"^\s+no witness.*", "dim"), (r"^\s+touches.*", "yellow"))

MOST_FINDINGS = 8
"""How many findings of answers are shown of one loader; the record has all."""


class LoaderAuditTerminalReport:
    """Writes an audit to ``console``, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._baseline = ""
        self._has_structure = True
        self._number = 0

    def handle(self, event: LoaderAuditEvent) -> None:
        """Show ``event``."""
        match event:
            case LoaderAuditStarted():
                self._start(event)
            case ImplementationMissing(refusal) | InputRefused(refusal):
                self._screen.complain(refusal.reason)
            case LoaderRefused():
                self._screen.blank()
                self._screen.say(f"{_title(event)}: not loaded", style="bold")
                self._screen.note([one_line(event.reason)])
            case TokenizerLoaded():
                self._loaded(event)
            case DifferenceJudged():
                self._difference(event)
            case LoaderAudited():
                self._audited(event)
            case LoaderAuditFinished():
                for entry in event.stale:
                    self._screen.complain(f"ledger: {stale_line(entry)}")
                self._screen.conclude(ending(event), event)

    def _start(self, event: LoaderAuditStarted) -> None:
        self._baseline = event.baseline.name
        self._screen.head(event.environment, (event.baseline, *event.loaders))
        given = f", {event.given:,} of them given" if event.given else ""
        self._screen.labelled("inputs", f"{event.inputs:,}{given}")
        self._screen.labelled(
            "search",
            f"{counted(event.budget.cases, 'input')} or {event.budget.seconds:g} s a component, seed {event.seed}",
        )

    def _loaded(self, event: TokenizerLoaded) -> None:
        self._number, self._has_structure = 0, not event.no_structure
        kept = event.defaults
        self._screen.blank()
        self._screen.say(f"{_title(event)}{'' if kept is None else f', {one_line(kept.loader)}'}", style="bold")
        others = [name for name in event.files if name != event.tokenizer.source.file]
        notes = [f"it has read {', '.join(map(one_line, others))}"] if others else []
        if event.no_structure:
            notes.append(f"components cannot be compared, only answers: {one_line(event.no_structure)}")
        if kept is not None:
            notes += defaults_lines(kept)
        self._screen.note(notes)

    def _difference(self, event: DifferenceJudged) -> None:
        self._number += 1
        self._screen.say(
            f"  {self._number}. {headline(event)}", hanging=5, style="bold red" if event.known is None else ""
        )
        self._screen.show(change_lines(event.difference), 5)
        lines = witness_lines(event)
        self._screen.put((f"     {line}" for line in lines), HIGHLIGHTS)
        if event.impact is not None:
            self._screen.put([f"     {impact_line(event.impact)}"], HIGHLIGHTS)

    def _audited(self, event: LoaderAudited) -> None:
        if not self._number and self._has_structure:
            self._screen.note(["every component is as in the file"])
        self._screen.note([behaviour_line(event.behaviour, has_structure=self._has_structure)])
        findings = event.behaviour.findings
        for finding in findings[:MOST_FINDINGS]:
            self._screen.say(f"  - {finding_headline(finding)}", hanging=4)
            self._screen.show(finding_lines(finding, self._baseline, event.loader.name), 4)
        if len(findings) > MOST_FINDINGS:
            self._screen.note([f"and {counted(len(findings) - MOST_FINDINGS, 'finding')} more, in the record (--json)"])


def _title(event: TokenizerLoaded | LoaderRefused) -> str:
    return f"{one_line(event.tokenizer.source.name)}, by {escape(event.loader.name)} {escape(event.loader.version)}"
