"""The report of a comparison of two records in Markdown."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.markdown import write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.releases.diff.records.events import (
    ChangeFound,
    FigureFound,
    RecordDiffEvent,
    RecordDiffFinished,
    RecordsOpened,
)
from tokenizer_conformance.releases.diff.records.wording import (
    command_of,
    figure_rows,
    same_line,
    seconds_line,
    sections,
    side_line,
    summary,
)

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.releases.diff.records.changes import Changed


class MarkdownReport:
    """Writes the report ``to`` what is open, when the comparison is over."""

    def __init__(self, to: Sink) -> None:
        self._sink = to
        self._opened: RecordsOpened | None = None
        self._found: list[Changed] = []
        self._figures: list[FigureFound] = []

    def handle(self, event: RecordDiffEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case RecordsOpened():
                self._opened = event
            case ChangeFound(changed):
                self._found.append(changed)
            case FigureFound():
                self._figures.append(event)
            case RecordDiffFinished() if self._opened is not None:
                write_report(self._sink, self._rendered(self._opened, event))
            case _:
                pass

    def _rendered(self, opened: RecordsOpened, finished: RecordDiffFinished) -> str:
        return (
            markdown_environment("tokenizer_conformance.releases.diff.records")
            .get_template("records.md.jinja")
            .render(
                opened=opened,
                summary=summary(finished),
                command=shlex.join(opened.environment.command),
                sides=[
                    (when, side_line(side), command_of(side))
                    for when, side in (("old", opened.then), ("new", opened.now))
                ],
                sections=sections(self._found),
                same=same_line(self._found, finished.sound),
                figures=figure_rows(self._figures),
                seconds=seconds_line(self._figures),
            )
        )
