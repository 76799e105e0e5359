"""An explanation for people at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.explain.answer_lines import answer_section
from tokenizer_conformance.causes.explain.events import (
    ExplanationFinished,
    ExplanationStarted,
    ImplementationAnswered,
    TextTraced,
)
from tokenizer_conformance.causes.explain.wording import ending, texts_of, trace_sections
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.escape import escape, one_line

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_conformance.causes.explain.events import ExplanationEvent
    from tokenizer_conformance.causes.explain.section import Section
    from tokenizer_conformance.command_io.screen import Highlights

WIDTH = 80
"""For how many cells it is laid out where nothing says how wide lines may be, as in a pipe."""

HIGHLIGHTS: Highlights = (
    (r"^  (?:DIFFER|CRASH|ERROR|TIMEOUT|PROTOCOL)\b", "bold red"),
    (r"^> .*", "red"),
    (r"they part first at .*", "bold red"),
    (r"\bnot cut out\b", "yellow"),
    (r"\ba tie\b", "bold yellow"),
)


class ExplanationTerminalReport:
    """Writes an explanation to ``console``, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._started: ExplanationStarted | None = None
        self._answers = 0

    def handle(self, event: ExplanationEvent) -> None:
        """Show ``event``."""
        started = self._started
        match event:
            case ExplanationStarted():
                self._started = event
                info = event.tracer
                self._screen.say(
                    f"{one_line(event.source.name)}, as {escape(info.name)} {escape(info.version)} takes it",
                    style="bold",
                )
            case ImplementationMissing(refusal):
                self._screen.complain(refusal.reason)
            case TextTraced() if started is not None:
                for section in trace_sections(event, started.limits, self._width):
                    self._show(section)
            case ImplementationAnswered() if started is not None:
                self._answers += 1
                self._show(answer_section(event, started.tracer.name, texts_of(started), self._width))
            case ExplanationFinished():
                self._finish(event)
            case _:
                pass

    @property
    def _width(self) -> int:
        return self._screen.width or WIDTH

    def _show(self, section: Section) -> None:
        self._screen.blank()
        self._screen.say(section.title, style="bold")
        self._screen.put(section.lines, HIGHLIGHTS)

    def _finish(self, event: ExplanationFinished) -> None:
        if event.reason:
            self._screen.complain(event.reason)
        self._screen.conclude(ending(event, self._answers), event.exit_status)
