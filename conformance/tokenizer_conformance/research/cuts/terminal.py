"""A comparison of tokenizers for people at a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.command_io.tables import table
from tokenizer_conformance.comparison.wording import aligned
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.cuts import wording
from tokenizer_conformance.research.cuts.grid import OTHER_BAR, UNKNOWN
from tokenizer_conformance.results.records import cuts as lines
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.making import lines_of
from tokenizer_conformance.results.terminal import tell_environment

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_conformance.command_io.screen import Highlights
    from tokenizer_conformance.research.cuts.engine import ComparisonEvent
    from tokenizer_conformance.results.records.value import Value

GRID_HIGHLIGHTS: Highlights = (
    (rf"{OTHER_BAR}[^|{OTHER_BAR}]*", "red"),
    (rf"(?<=[|{OTHER_BAR}]){re.escape(UNKNOWN)}[^|{OTHER_BAR}]*", "magenta"),
    (r"^differ .*", "bold yellow"),
    (r"^text .*", "bold"),
)

EXAMPLE_HIGHLIGHTS: Highlights = ((r"; alike .*$", "green"), (r"; differs still .*$", "yellow"))


class ComparisonTerminalReport:
    """Writes a comparison to ``console``, and complaints to ``complaints``.

    One text comes first, with its tokens under it, and what it was cut by comes last.
    """

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._header: lines.Header | None = None
        self._tokenizers: list[lines.Tokenizer] = []
        self._is_text = False

    def handle(self, event: ComparisonEvent) -> None:
        """Show ``event``."""
        for line in lines_of(event):
            self._show(line)

    def _show(self, line: Value) -> None:
        match line:
            case lines.Header():
                self._header = line
                self._is_text = line.of == "text"
                if not self._is_text:
                    self._cut_by(line)
            case headers.Refused(reason=reason):
                self._screen.complain(reason)
            case lines.Tokenizer() if self._is_text:
                self._tokenizers.append(line)
            case lines.Tokenizer():
                self._tokenizer(line)
            case lines.Text():
                self._text(line)
            case lines.Failures():
                self._screen.complain(wording.failure_line(line))
            case lines.Pair():
                self._pair(line)
            case lines.Footer():
                self._end_text()
                self._screen.conclude(wording.ending(line), line.exit_status)

    def _end_text(self) -> None:
        if self._is_text and self._header is not None:
            self._screen.blank()
            self._cut_by(self._header)
            for each in self._tokenizers:
                self._tokenizer(each)

    def _tokenizer(self, line: lines.Tokenizer) -> None:
        self._screen.labelled("tokenizer", f"{one_line(line.name)}: {wording.facts_words(line)}")

    def _cut_by(self, header: lines.Header) -> None:
        info = header.implementation
        tell_environment(self._screen, header.environment)
        self._screen.labelled("cut by", f"{escape(info.name)} {escape(info.version)} ({escape(info.language)})")
        if not self._is_text:
            self._screen.labelled("inputs", wording.inputs_words(header))

    def _text(self, event: lines.Text) -> None:
        blocks = list(wording.grid_lines(event, self._screen.width or wording.WIDTH))
        for block in blocks:
            self._screen.put(block, GRID_HIGHLIGHTS)
            self._screen.blank()
        if blocks:
            self._screen.say("; ".join(wording.legend_lines(blocks)), style="dim")
            self._screen.blank()
        size = f"{counted(len(event.text), 'code point')}, {counted(len(event.text.encode()), 'UTF-8 byte')}"
        self._screen.labelled("text", size)
        self._screen.show(aligned(wording.count_rows(event)))

    def _pair(self, result: lines.Pair) -> None:
        self._screen.blank()
        partial = "" if result.finished else " (on what was read before the interrupt)"
        self._screen.say(f"{wording.pair_title(result)}{partial}", style="bold")
        self._screen.note(wording.pair_lines(result))
        if not result.regions:
            return
        if self._is_text:
            self._screen.show(aligned(wording.region_rows(result)), 2)
            return
        self._screen.blank()
        self._screen.draw(table(wording.KIND_HEADERS, list(wording.kind_rows(result)), right=wording.NUMBERS))
        self._screen.blank()
        if groups := wording.group_words(result):
            self._screen.note([f"by the look of the places, not proven: {groups}"])
        if scripts := wording.script_words(result):
            self._screen.note([f"by script: {scripts}"])
        for each in wording.ordered(result):
            self._kind(each, result)

    def _kind(self, each: lines.Kind, result: lines.Pair) -> None:
        self._screen.blank()
        self._screen.say(f"  {wording.kind_heading(each)}", hanging=4)
        for example in each.examples:
            self._screen.put([f"    {wording.example_headline(example)}"], EXAMPLE_HIGHLIGHTS)
            self._screen.show(aligned(wording.example_rows(example, result)), 8)
        self._screen.note(filter(None, [wording.missed_words(each)]))
