"""The report of a diff in Markdown: that of a run, with what changed in loading before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.asking_again import AskedAgain
from tokenizer_conformance.releases.diff.events import Ending, Event, LoadingChanged, LoadingCompared, SidesCompared
from tokenizer_conformance.releases.diff.wording import asked_again_line, change_line, files_line, inputs_line
from tokenizer_conformance.validation.running.markdown import MarkdownReport as RunMarkdownReport

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.sinks import Sink


class MarkdownReport:
    """Writes the report of a diff ``to`` what is open, when the diff is over."""

    def __init__(self, to: Sink) -> None:
        self._before: list[str] = []
        self._run = RunMarkdownReport(to, self._before)

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case SidesCompared():
                self._before += [f"old: {one_line(event.old)}", f"new: {one_line(event.new)}"]
                self._before += filter(None, [inputs_line(event), files_line(event)])
            case LoadingChanged():
                self._before.append(change_line(event))
            case LoadingCompared():
                pass
            case AskedAgain():
                self._before.append(asked_again_line(event))
            case Ending():
                return
            case _:
                self._run.handle(event)
