r"""The tables in LaTeX, with the rules of ``booktabs``: to be taken into a paper by ``\input``."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from tabulate import tabulate

from tokenizer_conformance.escape import one_line, visible
from tokenizer_conformance.research.metrics.events import Measured
from tokenizer_conformance.research.metrics.sheets import sheets_of
from tokenizer_conformance.results.page import Estimate
from tokenizer_conformance.results.records.metrics import Header

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.research.metrics.events import MetricsEvent
    from tokenizer_conformance.results.page import Table, TableCell


BEGINNING_OF_ROW = re.compile(r"(?m)^( *)([\[*])")


class LatexReport:
    r"""Writes the tables to ``sink`` at the end, whole or not at all.

    They need ``\usepackage{booktabs}``; names that are not Latin need an engine and a font for them (XeLaTeX,
    LuaLaTeX). ``chosen`` are the measures that were asked for, by id; none for the usual ones.
    """

    def __init__(self, sink: Sink, chosen: Sequence[str] = ()) -> None:
        self._sink = sink
        self._chosen = chosen
        self._header: Header | None = None

    def handle(self, event: MetricsEvent) -> None:
        """Take in ``event``; write what was measured. Raises ``OSError``."""
        if isinstance(event, Header):
            self._header = event
        if not isinstance(event, Measured) or self._header is None:
            return
        header = self._header
        command = _comment(shlex.join(header.environment.command))
        lines = [
            f"% tokconf {header.environment.tokconf} metrics: {command}",
            rf"% needs \usepackage{{booktabs}}; intervals are at the level {header.confidence:g}",
        ]
        if event.results.partial:
            lines.append("% PARTIAL: measuring was stopped before the end of the corpus")
        for sheet in sheets_of(event.results, self._chosen):
            lines += ["", f"% {_comment(sheet.title or 'tokenizers')}", _table(sheet)]
        self._sink.write(("\n".join(lines) + "\n").encode("utf-8", "backslashreplace"))


def _comment(text: str) -> str:
    """Return ``text`` for a comment, which ends with the line."""
    return one_line(text, 10_000)


def _table(sheet: Table) -> str:
    # `tabulate` escapes what LaTeX takes for markup in this format, but for what begins a row: behind the end of the
    # row before, a bracket or an asterisk belongs to that.
    drawn = tabulate(
        [list(map(_cell, row)) for row in sheet.rows],
        list(map(visible, sheet.columns)),
        tablefmt="latex_booktabs",
        disable_numparse=True,
        colalign=["left", *["right"] * (len(sheet.columns) - 1)],
    )
    return BEGINNING_OF_ROW.sub(r"\1{\2}", drawn)


def _cell(value: TableCell) -> str:
    match value:
        case None:
            return "--"
        case Estimate():
            interval = value.interval.replace("…", ", ")
            return f"{value.words} [{interval}]" if interval else value.words
        case _:
            return visible(str(value))
