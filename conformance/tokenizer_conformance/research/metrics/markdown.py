"""Measurements in Markdown; written at the end, whole or not at all."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.markdown import Markdown, as_words, write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.research.metrics.events import Measured, MetricsFinished, MetricsStarted, RowRefused
from tokenizer_conformance.research.metrics.sheets import Cell, sheets_of
from tokenizer_conformance.research.metrics.wording import ending, notes_on, settings

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.research.metrics.events import MetricsEvent
    from tokenizer_conformance.research.metrics.results import Results


class MetricsMarkdownReport:
    """Writes the report ``to`` what is open, at the end."""

    def __init__(self, to: Sink) -> None:
        self._sink = to
        self._started: MetricsStarted | None = None
        self._results: Results | None = None
        self._refused: list[str] = []

    def handle(self, event: MetricsEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case MetricsStarted():
                self._started = event
            case InputRefused(refusal) | ImplementationMissing(refusal):
                self._refused.append(refusal.reason)
            case RowRefused():
                self._refused.append(f"{event.row.name} by {event.row.info.name}: {event.reason}")
            case Measured(results):
                self._results = results
            case MetricsFinished() if self._started is not None:
                write_report(self._sink, self._render(self._started, event))
            case _:
                pass

    def _render(self, started: MetricsStarted, finished: MetricsFinished) -> str:
        results = self._results
        template = markdown_environment("tokenizer_conformance.research.metrics").get_template("metrics.md.jinja")
        return template.render(
            started=started,
            settings=list(settings(started)),
            summary=ending(finished),
            command=shlex.join(started.environment.command),
            refused=self._refused,
            sheets=[] if results is None else list(sheets_of(results, started.plan.estimating.chosen)),
            notes=[] if results is None else notes_on(results),
            measures=() if results is None else results.measures,
            cell=_cell,
        )


def _cell(cell: Cell) -> Markdown:
    return as_words(f"{cell.value} ({cell.interval})" if cell.interval else cell.value)
