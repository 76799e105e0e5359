"""A search for people at a terminal: each finding as it comes, what the generators have done, and all findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.validation.search.events import (
    CauseFound,
    PairingRefused,
    PairingSearched,
    SearchFinished,
    SearchStarted,
)
from tokenizer_conformance.validation.search.wording import (
    cause_lines,
    cause_title,
    found_words,
    generators_table,
    limit_words,
    ranking,
    searched_notes,
    searched_title,
    summary,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_conformance.validation.search.events import SearchEvent


class SearchTerminalReport:
    """Writes results to ``console`` as they come, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._baseline = ""

    def handle(self, event: SearchEvent) -> None:
        """Show ``event``."""
        match event:
            case SearchStarted():
                self._header(event)
            case InputRefused(refusal) | ImplementationMissing(refusal):
                self._screen.complain(refusal.reason)
            case PairingRefused(pairing, reason):
                self._screen.blank()
                self._screen.say(f"{one_line(pairing.name)}: not searched: {one_line(reason)}", style="bold magenta")
            case CauseFound():
                self._found(event)
            case PairingSearched():
                self._searched(event)
            case SearchFinished():
                self._finish(event)
            case _:
                pass

    def _header(self, started: SearchStarted) -> None:
        self._baseline = started.baseline.name
        self._screen.head(started.environment, [started.baseline, *started.implementations])
        self._screen.labelled("search", limit_words(started))

    def _found(self, event: CauseFound) -> None:
        self._screen.blank()
        self._screen.say(f"{event.number}. {cause_title(event.cause)}", hanging=3, style="bold red")
        self._screen.say(f"   {found_words(event)}", hanging=3)
        self._screen.show(cause_lines(event.cause, self._baseline), indent=3)

    def _searched(self, searched: PairingSearched) -> None:
        self._screen.blank()
        self._screen.say(searched_title(searched), style="bold")
        self._screen.draw(generators_table(searched))
        self._screen.note(searched_notes(searched))

    def _finish(self, finished: SearchFinished) -> None:
        if finished.causes:
            self._screen.blank()
            self._screen.say("findings, by how many inputs show them:", style="bold")
        for number, line in ranking(finished):
            self._screen.say(f"  {number}. {line}", hanging=5)
        self._screen.conclude(f"{summary(finished)}; {finished.seconds:.1f} s", finished)
