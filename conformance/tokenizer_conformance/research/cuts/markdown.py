"""A comparison of tokenizers in Markdown; written at the end, whole or not at all."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.markdown import write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.comparison.wording import aligned
from tokenizer_conformance.research.cuts.events import (
    ComparisonFinished,
    ComparisonStarted,
    PairCompared,
    TextCut,
    TextsFailed,
    TokenizerReady,
    TokenizerRefused,
)
from tokenizer_conformance.research.cuts.wording import (
    KIND_HEADERS,
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
    rule_lines,
    script_words,
)

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.research.cuts.events import ComparisonEvent
    from tokenizer_conformance.research.cuts.tally import KindResult, PairResult

WIDTH = 100
"""How many cells the lines of a block take."""


class ComparisonMarkdownReport:
    """Writes the report ``to`` what is open, at the end."""

    def __init__(self, to: Sink) -> None:
        self._sink = to
        self._started: ComparisonStarted | None = None
        self._refused: list[str] = []
        self._tokenizers: list[TokenizerReady] = []
        self._text: TextCut | None = None
        self._pairs: list[PairResult] = []

    def handle(self, event: ComparisonEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case ComparisonStarted():
                self._started = event
            case InputRefused(refusal):
                self._refused.append(refusal.reason)
            case TokenizerRefused():
                self._refused.append(event.reason)
            case TextsFailed():
                self._refused.append(failure_line(event))
            case TokenizerReady():
                self._tokenizers.append(event)
            case TextCut():
                self._text = event
            case PairCompared():
                self._pairs.append(event.result)
            case ComparisonFinished() if self._started is not None:
                write_report(self._sink, self._render(self._started, event))
            case _:
                pass

    def _render(self, started: ComparisonStarted, finished: ComparisonFinished) -> str:
        template = markdown_environment("tokenizer_conformance.research.cuts").get_template("comparison.md.jinja")
        blocks = [] if self._text is None else list(grid_lines(self._text, WIDTH))
        return template.render(
            started=started,
            finished=finished,
            refused=self._refused,
            tokenizers=[(each.tokenizer.source.name, facts_words(each.facts)) for each in self._tokenizers],
            blocks=[line for block in blocks for line in ([*block, ""] if block is not blocks[-1] else block)],
            legend=legend_lines(blocks),
            counts=[] if self._text is None else count_rows(self._text),
            headers=KIND_HEADERS,
            rules=rule_lines(),
            pairs=[_pair(each) for each in self._pairs],
            summary=ending(finished),
            command=shlex.join(started.environment.command),
        )


def _pair(result: PairResult) -> dict[str, object]:
    return {
        "title": pair_title(result),
        "lines": list(pair_lines(result)),
        "rows": list(kind_rows(result)) if result.regions else [],
        "groups": group_words(result) if result.moved else "",
        "scripts": script_words(result),
        "kinds": [(kind_heading(each), _examples(each, result), missed_words(each)) for each in ordered(result)],
    }


def _examples(each: KindResult, result: PairResult) -> list[str]:
    """Return the lines of the examples of a kind."""
    lines = []
    for example in each.examples:
        lines.append(example_headline(example))
        lines += [f"    {line}" for line in aligned(example_rows(example, result))]
    return lines
