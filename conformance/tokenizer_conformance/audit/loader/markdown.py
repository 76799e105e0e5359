"""An audit of loaders in Markdown; written at the end, whole or not at all."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.audit.loader.events import (
    AuditFinished,
    AuditStarted,
    DifferenceJudged,
    LoaderAudited,
    LoaderRefused,
    TokenizerLoaded,
)
from tokenizer_conformance.audit.loader.sections import Section
from tokenizer_conformance.audit.loader.wording import ending
from tokenizer_conformance.session.events import ImplementationMissing, InputRefused
from tokenizer_conformance.session.markdown import markdown_environment, write_report
from tokenizer_conformance.session.sinks import Sink, WholeFile

if TYPE_CHECKING:
    from tokenizer_conformance.audit.loader.events import AuditEvent


class AuditMarkdownReport:
    """Writes the report at the end, ``to`` a path, or to what is open already.

    Building raises ``OSError`` where no file can be written there.
    """

    def __init__(self, to: Path | Sink) -> None:
        self._sink = WholeFile(to) if isinstance(to, Path) else to
        self._started: AuditStarted | None = None
        self._gathered = Gathered()

    def handle(self, event: AuditEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        if isinstance(event, AuditStarted):
            self._started = event
        self._gathered.take(event)
        if isinstance(event, AuditFinished) and self._started is not None:
            write_report(self._sink, self._render(self._started, event))

    def _render(self, started: AuditStarted, finished: AuditFinished) -> str:
        template = markdown_environment("tokenizer_conformance.audit").get_template("loader-audit.md.jinja")
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

    def take(self, event: AuditEvent) -> None:
        """Take in ``event``."""
        match event:
            case AuditStarted():
                self._baseline = event.baseline.name
            case ImplementationMissing(refusal) | InputRefused(refusal):
                self.refused.append(refusal.reason)
            case LoaderRefused() | TokenizerLoaded():
                self.sections.append(Section(event, self._baseline))
            case DifferenceJudged():
                self.sections[-1].differences.append(event)
            case LoaderAudited():
                self.sections[-1].audited = event
            case AuditFinished():
                pass
