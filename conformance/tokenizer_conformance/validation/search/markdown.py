"""The report of a search in Markdown: a page to keep, in which nothing from a tokenizer can become markup."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.markdown import write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.command_io.sinks import Sink, WholeFile
from tokenizer_conformance.validation.search.events import (
    PairingRefused,
    PairingSearched,
    SearchFinished,
    SearchStarted,
)
from tokenizer_conformance.validation.search.wording import (
    cause_lines,
    cause_title,
    counts_words,
    limit_words,
    searched_notes,
    searched_title,
    summary,
)

if TYPE_CHECKING:
    from tokenizer_conformance.validation.search.events import SearchEvent


class SearchMarkdownReport:
    """Writes the report of a search when it is over, ``to`` a path or to what is open already.

    Building raises ``OSError`` where no file can be written there.
    """

    def __init__(self, to: Path | Sink) -> None:
        self._sink = WholeFile(to) if isinstance(to, Path) else to
        self._started: SearchStarted | None = None
        self._refused: list[str] = []
        self._searched: list[PairingSearched] = []

    def handle(self, event: SearchEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case SearchStarted():
                self._started = event
            case InputRefused(refusal) | ImplementationMissing(refusal):
                self._refused.append(refusal.reason)
            case PairingRefused(pairing, reason):
                self._refused.append(f"{pairing.name}: {reason}")
            case PairingSearched():
                self._searched.append(event)
            case SearchFinished() if self._started is not None:
                write_report(self._sink, render(self._started, self._refused, self._searched, event))
            case _:
                pass


def render(
    started: SearchStarted, refused: list[str], searched: list[PairingSearched], finished: SearchFinished
) -> str:
    """Return the report as Markdown."""
    return (
        markdown_environment("tokenizer_conformance.validation.search")
        .get_template("search.md.jinja")
        .render(
            started=started,
            refused=refused,
            searched=searched,
            finished=finished,
            summary=summary(finished),
            command=shlex.join(started.environment.command),
            limit=limit_words(started),
            title=cause_title,
            counts=counts_words,
            lines=partial(cause_lines, baseline=started.baseline.name),
            searched_title=searched_title,
            notes=searched_notes,
        )
    )
