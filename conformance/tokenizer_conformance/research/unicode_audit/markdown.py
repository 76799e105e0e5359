"""An audit of Unicode behaviour in Markdown; written at the end, whole or not at all."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.markdown import as_block, write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.research.unicode_audit.behaviours import BEHAVIOURS
from tokenizer_conformance.research.unicode_audit.events import (
    BehaviourDiffers,
    BehaviourExplained,
    BehaviourNotAsked,
    PartsDisagree,
    UnicodeAuditFinished,
    UnicodeAuditStarted,
)
from tokenizer_conformance.research.unicode_audit.wording import (
    called,
    difference_line,
    disagreement_lines,
    ending,
    residual_lines,
    version_cell,
)

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.markdown import Markdown
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.research.unicode_audit.events import UnicodeAuditEvent

MOST_RANGES = 40
"""How many ranges of a set are shown; the record has all."""


PACKAGE = "tokenizer_conformance.research.unicode_audit"
"""Where the template stands."""


class UnicodeAuditMarkdownReport:
    """Writes the report ``to`` what is open, at the end."""

    def __init__(self, to: Sink) -> None:
        self._sink = to
        self._started: UnicodeAuditStarted | None = None
        self._refused: list[str] = []
        self._columns: dict[tuple[str, str], Column] = {}
        self._changes: dict[tuple[str, str], list[str]] = {}

    def handle(self, event: UnicodeAuditEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case UnicodeAuditStarted():
                self._started = event
            case ImplementationMissing(refusal):
                self._refused.append(refusal.reason)
            case BehaviourExplained() | BehaviourNotAsked():
                self._column(event.implementation).behaviours[event.behaviour.name] = event
            case PartsDisagree(info, found):
                self._column(info).disagreements += disagreement_lines(found, MOST_RANGES)
            case BehaviourDiffers():
                pair = (called(event.one), called(event.other))
                self._changes.setdefault(pair, []).append(difference_line(event, MOST_RANGES))
            case UnicodeAuditFinished():
                if self._started is not None:
                    write_report(self._sink, self._render(self._started, event))

    def _column(self, info: ImplementationInfo) -> Column:
        return self._columns.setdefault((info.name, info.version), Column(called(info)))

    def _render(self, started: UnicodeAuditStarted, finished: UnicodeAuditFinished) -> str:
        template = markdown_environment(PACKAGE).get_template("unicode-audit.md.jinja")
        columns = list(self._columns.values())
        return template.render(
            started=started,
            summary=ending(finished),
            refused=self._refused,
            command=shlex.join(started.environment.command),
            columns=[column for column in columns if column.is_asked],
            mute=[column for column in columns if not column.is_asked],
            behaviours=[name for name in BEHAVIOURS if any(name in column.behaviours for column in columns)],
            about=BEHAVIOURS,
            changes=[(one, other, as_block(lines)) for (one, other), lines in self._changes.items()],
        )


@dataclass(slots=True)
class Column:
    """What is known of one implementation, which is ``called`` so."""

    called: str
    behaviours: dict[str, BehaviourExplained | BehaviourNotAsked] = field(default_factory=dict)
    disagreements: list[str] = field(default_factory=list)

    @property
    def is_asked(self) -> bool:
        """Whether anything could be asked."""
        return any(isinstance(each, BehaviourExplained) for each in self.behaviours.values())

    def rule(self, name: str) -> str:
        """Return the rule of a behaviour."""
        event = self.behaviours.get(name)
        return event.explanation.rule if isinstance(event, BehaviourExplained) else "–"

    def version(self, name: str) -> str:
        """Return the version of a behaviour, with the number of characters that it leaves unexplained."""
        event = self.behaviours.get(name)
        if not isinstance(event, BehaviourExplained):
            return "cannot be asked"
        count = event.explanation.residual.count
        return f"{version_cell(event)}, {count:,} otherwise" if count else version_cell(event)

    @property
    def reasons(self) -> dict[str, list[str]]:
        """Why behaviours cannot be asked, each reason with the names of these."""
        told: dict[str, list[str]] = {}
        for name, event in self.behaviours.items():
            if isinstance(event, BehaviourNotAsked):
                told.setdefault(one_line(event.reason, limit=300), []).append(name)
        return told

    @property
    def residuals(self) -> list[tuple[str, Markdown]]:
        """What is left unexplained of each behaviour."""
        told = []
        for name, event in self.behaviours.items():
            lines = list(residual_lines(event, MOST_RANGES)) if isinstance(event, BehaviourExplained) else []
            if lines:
                told.append((name, as_block(lines)))
        return told

    @property
    def disagreement(self) -> Markdown | None:
        """On what its parts disagree."""
        return as_block(self.disagreements) if self.disagreements else None
