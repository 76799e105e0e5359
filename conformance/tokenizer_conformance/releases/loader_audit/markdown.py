"""An audit of loaders in Markdown; written at the end, whole or not at all."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.markdown import write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.releases.loader_audit.events import (
    DifferenceJudged,
    LoaderAudited,
    LoaderAuditFinished,
    LoaderAuditStarted,
    LoaderRefused,
    TokenizerLoaded,
)
from tokenizer_conformance.releases.loader_audit.sections import Section
from tokenizer_conformance.releases.loader_audit.wording import ending

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.releases.loader_audit.events import LoaderAuditEvent


PACKAGE = "tokenizer_conformance.releases.loader_audit"
"""Where the template stands."""


class LoaderAuditMarkdownReport:
    """Writes the report ``to`` what is open, at the end."""

    def __init__(self, to: Sink) -> None:
        self._sink = to
        self._started: LoaderAuditStarted | None = None
        self._gathered = Gathered()

    def handle(self, event: LoaderAuditEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        if isinstance(event, LoaderAuditStarted):
            self._started = event
        self._gathered.take(event)
        if isinstance(event, LoaderAuditFinished) and self._started is not None:
            write_report(self._sink, self._render(self._started, event))

    def _render(self, started: LoaderAuditStarted, finished: LoaderAuditFinished) -> str:
        template = markdown_environment(PACKAGE).get_template("loader-audit.md.jinja")
        return template.render(
            started=started,
            finished=finished,
            refused=self._gathered.refused,
            sections=self._gathered.sections,
            summary=ending(finished),
            command=shlex.join(started.environment.command),
        )


@dataclass(slots=True)
class Gathered:
    """The sections of a report, one for each tokenizer and loader, and what could not be used."""

    sections: list[Section] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    _baseline: str = ""

    def take(self, event: LoaderAuditEvent) -> None:
        """Take in ``event``."""
        match event:
            case LoaderAuditStarted():
                self._baseline = event.baseline.name
            case ImplementationMissing(refusal) | InputRefused(refusal):
                self.refused.append(refusal.reason)
            case LoaderRefused() | TokenizerLoaded():
                self.sections.append(Section(event, self._baseline))
            case DifferenceJudged():
                self.sections[-1].differences.append(event)
            case LoaderAudited():
                self.sections[-1].audited = event
            case LoaderAuditFinished():
                pass
