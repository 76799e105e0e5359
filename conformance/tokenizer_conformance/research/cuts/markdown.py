"""A comparison of tokenizers in Markdown; written at the end, whole or not at all."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.markdown import HOW_MADE, HOW_MADE_LINK, write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.comparison.wording import aligned
from tokenizer_conformance.research.cuts import wording
from tokenizer_conformance.results.records import cuts as lines
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.making import lines_of

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.research.cuts.engine import ComparisonEvent
    from tokenizer_conformance.results.records.value import Value


class ComparisonMarkdownReport:
    """Writes the report ``to`` what is open, at the end."""

    def __init__(self, to: Sink) -> None:
        self._sink = to
        self._header: lines.Header | None = None
        self._refused: list[str] = []
        self._tokenizers: list[tuple[str, str]] = []
        self._text: lines.Text | None = None
        self._pairs: list[lines.Pair] = []

    def handle(self, event: ComparisonEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        for line in lines_of(event):
            self._take(line)

    def _take(self, line: Value) -> None:
        match line:
            case lines.Header():
                self._header = line
            case headers.Refused(reason=reason):
                self._refused.append(reason)
            case lines.Failures():
                self._refused.append(wording.failure_line(line))
            case lines.Tokenizer():
                self._tokenizers.append((line.name, wording.facts_words(line)))
            case lines.Text():
                self._text = line
            case lines.Pair():
                self._pairs.append(line)
            case lines.Footer() if self._header is not None:
                write_report(self._sink, self._render(self._header, line))

    def _render(self, header: lines.Header, footer: lines.Footer) -> str:
        template = markdown_environment("tokenizer_conformance.research.cuts").get_template("comparison.md.jinja")
        blocks = [] if self._text is None else list(wording.grid_lines(self._text, wording.WIDTH))
        return template.render(
            title=wording.title(header, self._text),
            headline=wording.headline(self._pairs),
            how_made=HOW_MADE_LINK,
            how_made_title=HOW_MADE,
            header=header,
            refused=self._refused,
            tokenizers=self._tokenizers,
            blocks=[line for block in blocks for line in ([*block, ""] if block is not blocks[-1] else block)],
            legend=wording.legend_lines(blocks),
            counts=[] if self._text is None else wording.count_rows(self._text),
            headers=wording.KIND_HEADERS,
            rules=wording.rule_lines(),
            pairs=[_pair(each) for each in self._pairs],
            summary=wording.ending(footer),
            command=shlex.join(header.environment.command),
        )


def _pair(result: lines.Pair) -> dict[str, object]:
    return {
        "title": wording.pair_title(result),
        "lines": list(wording.pair_lines(result)),
        "rows": list(wording.kind_rows(result)) if result.regions else [],
        "groups": wording.group_words(result),
        "scripts": wording.script_words(result),
        "kinds": [
            (wording.kind_heading(each), _examples(each, result), wording.missed_words(each))
            for each in wording.ordered(result)
        ],
    }


def _examples(each: lines.Kind, result: lines.Pair) -> list[str]:
    """Return the lines of the examples of a kind."""
    lines = []
    for example in each.examples:
        lines.append(wording.example_headline(example))
        lines += [f"    {line}" for line in aligned(wording.example_rows(example, result))]
    return lines
