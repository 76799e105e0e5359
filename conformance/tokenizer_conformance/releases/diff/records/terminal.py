"""What is told of two records: what they are, what is new, fixed, changed, not compared, the same, and the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.command_io.tables import table
from tokenizer_conformance.releases.diff.records.events import (
    ChangeFound,
    FigureFound,
    RecordDiffEvent,
    RecordDiffFinished,
    RecordsOpened,
)
from tokenizer_conformance.releases.diff.records.wording import (
    figure_rows,
    same_line,
    seconds_line,
    sections,
    side_line,
    summary,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_conformance.releases.diff.records.changes import Changed
    from tokenizer_conformance.releases.diff.records.wording import Section

LISTED_FIGURES = 30
"""How many numbers are listed; the record has all."""

ALARMING = ("new", "worse")
"""The sections that are told in bold."""


class TerminalReport:
    """Tells of a comparison of two records on ``console``, and of what cannot be used on ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._found: list[Changed] = []
        self._figures: list[FigureFound] = []

    def handle(self, event: RecordDiffEvent) -> None:
        """Tell ``event``; changes are told at the end, in order."""
        match event:
            case RecordsOpened():
                self._opened(event)
            case ChangeFound(changed):
                self._found.append(changed)
            case FigureFound():
                self._figures.append(event)
            case RecordDiffFinished():
                self._finished(event)
            case _:
                pass

    def _opened(self, opened: RecordsOpened) -> None:
        self._screen.say(f"two records of a {opened.noun}")
        self._screen.labelled("old", side_line(opened.then))
        self._screen.labelled("new", side_line(opened.now))
        for line in opened.matches:
            self._screen.labelled("who", line)
        for line in opened.remarks:
            self._screen.labelled("not same", line)

    def _finished(self, finished: RecordDiffFinished) -> None:
        for section in sections(self._found):
            self._section(section)
        self._screen.blank()
        self._screen.say(same_line(self._found, finished.sound))
        rows = figure_rows(self._figures)
        if rows:
            self._screen.blank()
            self._screen.draw(table(("numbers", "what", "then", "now"), rows[:LISTED_FIGURES], right=frozenset({2, 3})))
            if len(rows) > LISTED_FIGURES:
                self._screen.say(f"  … and {len(rows) - LISTED_FIGURES:,} more: --json FILE has all")
        seconds = seconds_line(self._figures)
        if seconds is not None:
            self._screen.say(f"time: {seconds}")
        self._screen.blank()
        self._screen.say(summary(finished), style="bold")

    def _section(self, section: Section) -> None:
        self._screen.blank()
        style = "bold red" if section.title.split(":")[0] in ALARMING else "bold"
        self._screen.say(section.title, style=style)
        for entry in section.entries:
            self._screen.say(f"  {entry.title}", hanging=4)
            self._screen.show(entry.lines, 5)
            if entry.repeat:
                self._screen.say(f"     repeat: {entry.repeat}", hanging=7)
        if section.left:
            self._screen.say(f"  … and {section.left:,} more: --json FILE has all")
