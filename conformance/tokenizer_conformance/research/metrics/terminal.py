"""What people read at a terminal: tables of tokenizers, of pairs of them, and of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.command_io.tables import Table
from tokenizer_conformance.escape import escape
from tokenizer_conformance.research.metrics.definitions import PAGE
from tokenizer_conformance.research.metrics.events import Measured, MetricsFinished, MetricsStarted, RowRefused
from tokenizer_conformance.research.metrics.sheets import MOST_GROUPS, sheets_of
from tokenizer_conformance.research.metrics.wording import ending, notes_on, settings

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_conformance.research.metrics.events import MetricsEvent
    from tokenizer_conformance.research.metrics.results import Results
    from tokenizer_conformance.research.metrics.sheets import Sheet


class MetricsTerminalReport:
    """Tells of measuring on ``console``, and of what cannot be used on ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._chosen: tuple[str, ...] = ()

    def handle(self, event: MetricsEvent) -> None:
        """Tell ``event``."""
        screen = self._screen
        match event:
            case MetricsStarted():
                self._chosen = event.plan.estimating.chosen
                screen.head(event.environment)
                for label, words in settings(event):
                    screen.labelled(label, words)
                screen.note(map(escape, event.plan.notes))
            case InputRefused(refusal) | ImplementationMissing(refusal):
                screen.complain(refusal.reason)
            case RowRefused():
                screen.complain(f"{event.row.name} cannot be loaded by {event.row.info.name}: {event.reason}")
            case Measured(results):
                self._tell(results)
            case MetricsFinished():
                screen.conclude(ending(event), event)
            case _:
                pass

    def _tell(self, results: Results) -> None:
        screen = self._screen
        if results.partial:
            screen.blank()
            screen.say("PARTIAL: what follows is of a part of the texts", style="bold red")
        for sheet in sheets_of(results, self._chosen, MOST_GROUPS):
            screen.blank()
            if sheet.title:
                screen.say(escape(sheet.title), style="bold")
            screen.draw(_table(sheet))
            if sheet.note:
                screen.note([sheet.note])
        notes = notes_on(results)
        if notes:
            screen.blank()
            for note in notes:
                screen.say(note)
        screen.blank()
        screen.say(f"What each column is: tokconf metrics --definitions, and {PAGE}")


def _table(sheet: Sheet) -> Table:
    rows = tuple(
        ((escape(name),), *((cell.value, cell.interval) if cell.interval else (cell.value,) for cell in cells))
        for name, cells in sheet.rows
    )
    headers = tuple(map(escape, sheet.headers))
    return Table(headers, rows, right=frozenset(range(1, len(headers))))
