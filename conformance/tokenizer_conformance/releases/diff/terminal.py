"""What is told of a diff: what stands side by side, how loading changed, then what a run tells."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.asking_again import AskedAgain
from tokenizer_conformance.releases.diff.events import Ending, Event, LoadingChanged, LoadingCompared, SidesCompared
from tokenizer_conformance.releases.diff.loading_changes import NOT_TOLD
from tokenizer_conformance.releases.diff.wording import asked_again_line, change_line, files_line, inputs_line
from tokenizer_conformance.validation.running.terminal import TerminalReport as RunTerminalReport

if TYPE_CHECKING:
    from rich.console import Console

LISTED_CHANGES = 12
"""How many changes of loading are listed of one tokenizer; the record has more."""


class TerminalReport:
    """Tells of a diff on ``console``, and of what cannot be used on ``complaints``."""

    def __init__(self, console: Console, complaints: Console, *, has_record: bool = False) -> None:
        self._screen = Screen(console, complaints)
        self._run = RunTerminalReport(console, complaints, has_record=has_record)
        self._changes: Counter[str] = Counter()

    def handle(self, event: Event) -> None:
        """Tell ``event``."""
        match event:
            case SidesCompared():
                self._screen.labelled("old", one_line(event.old))
                self._screen.labelled("new", one_line(event.new))
                for label, line in (("inputs", inputs_line(event)), ("files", files_line(event))):
                    if line is not None:
                        self._screen.labelled(label, line)
            case LoadingChanged(change):
                is_rest = change.new == NOT_TOLD
                self._changes[change.tokenizer] += not is_rest
                if is_rest or self._changes[change.tokenizer] <= LISTED_CHANGES:
                    self._screen.say(change_line(event), hanging=4, style="" if event.entry else "bold")
            case LoadingCompared():
                pass
            case AskedAgain():
                self._screen.say(asked_again_line(event), hanging=4, style="bold")
            case Ending():
                return
            case _:
                self._tell_left_out()
                self._run.handle(event)

    def _tell_left_out(self) -> None:
        left = sum(max(0, count - LISTED_CHANGES) for count in self._changes.values())
        self._changes.clear()
        if left:
            self._screen.say(f"  … {counted(left, 'further change')} of loading: --json FILE has them", hanging=4)
