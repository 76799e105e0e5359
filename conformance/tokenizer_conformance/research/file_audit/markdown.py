"""An audit of files in Markdown; written at the end, whole or not at all."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.markdown import Markdown, as_block, as_code, write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.research.file_audit.events import (
    FileAudited,
    FileAuditFinished,
    FileAuditStarted,
    FileBegun,
    FileFixed,
    FindingMade,
)
from tokenizer_conformance.research.file_audit.finding import Severity
from tokenizer_conformance.research.file_audit.wording import (
    ending,
    finding_lines,
    fix_lines,
    place,
    remedy,
    severity_counts,
)

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.file_audit.events import FileAuditEvent

TITLE = "Tokenizer file audit"


@dataclass(slots=True)
class _Section:
    """One file: its findings, and what it comes to once it is done."""

    tokenizer: TokenizerFile
    findings: list[FindingMade] = field(default_factory=list)
    audited: FileAudited | None = None
    fixed: FileFixed | None = None

    @property
    def mending(self) -> list[str]:
        """What was mended, and what was not."""
        return [] if self.fixed is None else list(fix_lines(self.fixed))

    @property
    def name(self) -> str:
        """What the file is called."""
        return self.tokenizer.source.name

    def count(self, severity: str) -> int:
        """Return how many findings of that severity there are."""
        return sum(each.finding.defect.severity == severity for each in self.findings)

    @property
    def summary(self) -> str:
        """What was found."""
        if self.audited is None:
            return "not finished"
        left = [f"not looked at within --time: {each}" for each in self.audited.cut_short]
        return "; ".join([severity_counts(self.audited.counts), *left])

    @property
    def items(self) -> list[Markdown]:
        """The findings, the worst first."""
        ordered = sorted(self.findings, key=lambda each: each.finding.defect.severity.rank)
        return [_item(each) for each in ordered]


def _item(event: FindingMade) -> Markdown:
    finding = event.finding
    lines = [*finding_lines(finding), f"fix: {remedy(finding)}"]
    head = f"**{finding.defect.severity}** `{finding.defect.id}`: {finding.defect.title}, at"
    return Markdown(f"{head} {as_code(place(finding, event.line))}\n\n{as_block(lines)}")


PACKAGE = "tokenizer_conformance.research.file_audit"
"""Where the template stands."""


class FileAuditMarkdownReport:
    """Writes the report ``to`` what is open, at the end."""

    def __init__(self, to: Sink) -> None:
        self._sink = to
        self._started: FileAuditStarted | None = None
        self._sections: list[_Section] = []
        self._refused: list[str] = []

    def handle(self, event: FileAuditEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case FileAuditStarted():
                self._started = event
            case InputRefused(refusal):
                self._refused.append(refusal.reason)
            case FileBegun(tokenizer):
                self._sections.append(_Section(tokenizer))
            case FindingMade():
                self._sections[-1].findings.append(event)
            case FileAudited():
                self._sections[-1].audited = event
            case FileFixed():
                self._sections[-1].fixed = event
            case FileAuditFinished():
                if self._started is not None:
                    write_report(self._sink, self._render(self._started, event))

    def _render(self, started: FileAuditStarted, finished: FileAuditFinished) -> str:
        template = markdown_environment(PACKAGE).get_template("file-audit.md.jinja")
        return template.render(
            title=Markdown(TITLE),
            started=started,
            finished=finished,
            refused=self._refused,
            sections=self._sections,
            severities=[severity.value for severity in Severity],
            summary=ending(finished),
            command=shlex.join(started.environment.command),
        )
