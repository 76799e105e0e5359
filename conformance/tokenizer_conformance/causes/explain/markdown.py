"""An explanation in Markdown; written at the end, whole or not at all."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.explain.answer_lines import answer_section
from tokenizer_conformance.causes.explain.events import (
    ExplanationFinished,
    ExplanationStarted,
    ImplementationAnswered,
    TextTraced,
)
from tokenizer_conformance.causes.explain.wording import ending, texts_of, title_of, trace_sections
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.markdown import HOW_MADE, HOW_MADE_LINK, write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment

if TYPE_CHECKING:
    from tokenizer_conformance.causes.explain.events import ExplanationEvent
    from tokenizer_conformance.causes.explain.section import Section
    from tokenizer_conformance.command_io.sinks import Sink

WIDTH = 100
"""How many cells the lines of a block take."""


class ExplanationMarkdownReport:
    """Writes the report ``to`` what is open, at the end."""

    def __init__(self, to: Sink) -> None:
        self._sink = to
        self._started: ExplanationStarted | None = None
        self._refused: list[str] = []
        self._sections: list[Section] = []
        self._answers = 0

    def handle(self, event: ExplanationEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        started = self._started
        match event:
            case ExplanationStarted():
                self._started = event
            case ImplementationMissing(refusal):
                self._refused.append(refusal.reason)
            case TextTraced() if started is not None:
                self._sections += trace_sections(event, started.limits, WIDTH)
            case ImplementationAnswered() if started is not None:
                self._answers += 1
                self._sections.append(answer_section(event, started.tracer.name, texts_of(started), WIDTH))
            case ExplanationFinished() if started is not None:
                write_report(self._sink, self._render(started, event))
            case _:
                pass

    def _render(self, started: ExplanationStarted, finished: ExplanationFinished) -> str:
        template = markdown_environment("tokenizer_conformance.causes.explain").get_template("explanation.md.jinja")
        return template.render(
            title=title_of(texts_of(started), started.source.name),
            how_made=HOW_MADE_LINK,
            how_made_title=HOW_MADE,
            started=started,
            finished=finished,
            refused=[*self._refused, *([finished.reason] if finished.reason else [])],
            sections=self._sections,
            summary=ending(finished, self._answers),
            command=shlex.join(started.environment.command),
        )
