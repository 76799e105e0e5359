"""An audit of offsets in Markdown; written at the end, whole or not at all."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.markdown import Markdown, as_block, as_words, write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.research.offsets_audit.events import (
    EncodingsAudited,
    OffsetsAuditFinished,
    OffsetsAuditStarted,
    TokenizerNotLoaded,
)
from tokenizer_conformance.research.offsets_audit.table import INVARIANTS
from tokenizer_conformance.research.offsets_audit.wording import (
    cell,
    checked_line,
    ending,
    finding_lines,
    headline,
    notes,
    summary_line,
)

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.research.offsets_audit.events import OffsetsAuditEvent
    from tokenizer_conformance.research.offsets_audit.invariant import Invariant


PACKAGE = "tokenizer_conformance.research.offsets_audit"
"""Where the template stands."""


class OffsetsAuditMarkdownReport:
    """Writes the report ``to`` what is open, at the end."""

    def __init__(self, to: Sink) -> None:
        self._sink = to
        self._started: OffsetsAuditStarted | None = None
        self._refused: list[str] = []
        self._done: list[EncodingsAudited] = []
        self._not_loaded: list[TokenizerNotLoaded] = []

    def handle(self, event: OffsetsAuditEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case OffsetsAuditStarted():
                self._started = event
            case ImplementationMissing(refusal) | InputRefused(refusal):
                self._refused.append(refusal.reason)
            case TokenizerNotLoaded():
                self._not_loaded.append(event)
            case EncodingsAudited():
                self._done.append(event)
            case OffsetsAuditFinished():
                if self._started is not None:
                    write_report(self._sink, self._render(self._started, event))
            case _:
                pass

    def _render(self, started: OffsetsAuditStarted, finished: OffsetsAuditFinished) -> str:
        template = markdown_environment(PACKAGE).get_template("offsets-audit.md.jinja")
        return template.render(
            started=started,
            summary=ending(finished),
            command=shlex.join(started.environment.command),
            refused=self._refused,
            not_loaded=self._not_loaded,
            implementations=self._names(),
            rows=[self._row(invariant) for invariant in INVARIANTS],
            sections=list(map(_section, self._done)),
            invariants=INVARIANTS,
        )

    def _names(self) -> list[str]:
        return list(dict.fromkeys(each.implementation.name for each in self._done))

    def _row(self, invariant: Invariant) -> dict[str, object]:
        """Return what an invariant came to for each implementation, over all tokenizers."""
        return {"id": invariant.id, "cells": [self._cell(invariant, name) for name in self._names()]}

    def _cell(self, invariant: Invariant, name: str) -> str:
        counts: dict[str, int] = {}
        for done in self._done:
            if done.implementation.name == name:
                found = [each for each in done.findings if each.finding.invariant.id == invariant.id]
                word = cell(done.tallies[invariant.id], found)
                counts[word] = counts.get(word, 0) + 1
        order = ("violated", "known", "holds", "–")
        told = [f"{counts[each]} {each}" for each in order if each in counts]
        return "–" if list(counts) == ["–"] else ", ".join(each for each in told if not each.endswith("–"))


def _section(done: EncodingsAudited) -> dict[str, object]:
    """Return what a page says of one implementation on one tokenizer."""
    items = []
    for number, found in enumerate(done.findings, 1):
        items.append(Markdown(f"{number}. {as_words(headline(found))}\n\n{as_block(finding_lines(found))}"))
    return {
        "title": f"{done.tokenizer.source.name}, by {done.implementation.name} {done.implementation.version}",
        "summary": f"{checked_line(done)}; {summary_line(done)}.",
        "notes": notes(done),
        "items": items,
    }
