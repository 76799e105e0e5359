"""A comparison of tokenizers for people at a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.command_io.tables import table
from tokenizer_conformance.comparison.wording import aligned
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.cuts.events import (
    ComparisonFinished,
    ComparisonStarted,
    PairCompared,
    TextCut,
    TextsFailed,
    TokenizerReady,
    TokenizerRefused,
)
from tokenizer_conformance.research.cuts.grid import OTHER_BAR, UNKNOWN
from tokenizer_conformance.research.cuts.wording import (
    KIND_HEADERS,
    NUMBERS,
    count_rows,
    ending,
    example_headline,
    example_rows,
    facts_words,
    failure_line,
    grid_lines,
    group_words,
    kind_heading,
    kind_rows,
    legend_lines,
    missed_words,
    ordered,
    pair_lines,
    pair_title,
    region_rows,
    script_words,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_conformance.command_io.screen import Highlights
    from tokenizer_conformance.research.cuts.events import ComparisonEvent
    from tokenizer_conformance.research.cuts.tally import KindResult, PairResult

WIDTH = 100
"""For how many cells a text is laid out where nothing says how wide lines may be, as in a pipe."""

GRID_HIGHLIGHTS: Highlights = (
    (rf"{OTHER_BAR}[^|{OTHER_BAR}]*", "red"),
    (rf"(?<=[|{OTHER_BAR}]){re.escape(UNKNOWN)}[^|{OTHER_BAR}]*", "magenta"),
    (r"^differ .*", "bold yellow"),
    (r"^text .*", "bold"),
)

EXAMPLE_HIGHLIGHTS: Highlights = ((r"; alike .*$", "green"), (r"; differs still .*$", "yellow"))


class ComparisonTerminalReport:
    """Writes a comparison to ``console``, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._is_text = False

    def handle(self, event: ComparisonEvent) -> None:
        """Show ``event``."""
        match event:
            case ComparisonStarted():
                self._start(event)
            case InputRefused(refusal):
                self._screen.complain(refusal.reason)
            case TokenizerRefused():
                self._screen.complain(event.reason)
            case TokenizerReady():
                self._screen.labelled(
                    "tokenizer", f"{one_line(event.tokenizer.source.name)}: {facts_words(event.facts)}"
                )
            case TextCut():
                self._text(event)
            case TextsFailed():
                self._screen.complain(failure_line(event))
            case PairCompared():
                self._pair(event)
            case ComparisonFinished():
                self._screen.conclude(ending(event), event.exit_status)

    def _start(self, event: ComparisonStarted) -> None:
        self._is_text = event.text is not None
        info = event.implementation
        self._screen.head(event.environment)
        self._screen.labelled("cut by", f"{escape(info.name)} {escape(info.version)} ({escape(info.language)})")
        if event.text is None:
            self._screen.labelled("inputs", f"{event.inputs:,}")

    def _text(self, event: TextCut) -> None:
        size = f"{counted(len(event.text), 'code point')}, {counted(len(event.text.encode()), 'UTF-8 byte')}"
        self._screen.labelled("text", size)
        blocks = list(grid_lines(event, self._screen.width or WIDTH))
        for block in blocks:
            self._screen.blank()
            self._screen.put(block, GRID_HIGHLIGHTS)
        if blocks:
            self._screen.blank()
            self._screen.say("; ".join(legend_lines(blocks)), style="dim")
        self._screen.blank()
        self._screen.show(aligned(count_rows(event)))

    def _pair(self, event: PairCompared) -> None:
        result = event.result
        self._screen.blank()
        partial = " (on what was read before the interrupt)" if event.interrupted else ""
        self._screen.say(f"{pair_title(result)}{partial}", style="bold")
        self._screen.note(pair_lines(result))
        if not result.regions:
            return
        if self._is_text:
            self._screen.show(aligned(region_rows(result)), 2)
            return
        self._screen.blank()
        self._screen.draw(table(KIND_HEADERS, list(kind_rows(result)), right=NUMBERS))
        self._screen.blank()
        if result.moved:
            self._screen.note([f"by part of the tokenizer: {group_words(result)}"])
        scripts = script_words(result)
        if scripts:
            self._screen.note([f"by script: {scripts}"])
        for each in ordered(result):
            self._kind(each, result)

    def _kind(self, each: KindResult, result: PairResult) -> None:
        self._screen.blank()
        self._screen.say(f"  {kind_heading(each)}", hanging=4)
        for example in each.examples:
            self._screen.put([f"    {example_headline(example)}"], EXAMPLE_HIGHLIGHTS)
            self._screen.show(aligned(example_rows(example, result)), 8)
        missed = missed_words(each)
        if missed:
            self._screen.note([missed])
