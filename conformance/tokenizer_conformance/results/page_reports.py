"""What a command tells by its page: at the terminal, in Markdown, in HTML, each imported where it is wanted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tokenizer_conformance.command_io.outputs import NOT_KEPT
from tokenizer_conformance.lazy import lazy
from tokenizer_conformance.results.records.ending import ended_by
from tokenizer_conformance.results.records.headers import Footer, Header
from tokenizer_conformance.results.records.writing import LinesFile
from tokenizer_conformance.results.terminal import PageTerminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rich.console import Console

    from tokenizer_conformance.command_io.output import Consumer, Report
    from tokenizer_conformance.command_io.outputs import OpenReports
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.results.page import Page
    from tokenizer_conformance.results.recorded_page import PageReader, RecordedPage
    from tokenizer_conformance.results.records.value import Value

E = TypeVar("E")

_markdown_file = lazy("tokenizer_conformance.results.markdown:markdown_file")
_html_file = lazy("tokenizer_conformance.results.html.writing:html_file")


class PageFile(Generic[E]):
    """Hands the page that ``kind`` makes of the lines of events to ``write`` in the end.

    ``name`` is what the record is called.
    """

    def __init__(
        self,
        kind: RecordedPage,
        lines_of: Callable[[E], Iterator[Value]],
        write: Callable[[Page], None],
        name: str = "",
    ) -> None:
        self._kind = kind
        self._lines_of = lines_of
        self._write = write
        self._name = name
        self._reader: PageReader[Any] | None = None

    def handle(self, event: E) -> None:
        """Take in ``event``; at the end, write the page. Raises ``OSError``."""
        for line in self._lines_of(event):
            if isinstance(line, Header):
                self._reader = self._kind.reader(self._name, line)
            elif self._reader is not None:
                self._reader.take(line)
                if isinstance(line, Footer):
                    self._write(replace(self._reader.page(ended_by(line)), seconds=line.seconds))


class PageMarkdown(PageFile[E]):
    """Writes the page to ``sink`` in Markdown, whole or not at all."""

    def __init__(self, kind: RecordedPage, lines_of: Callable[[E], Iterator[Value]], sink: Sink) -> None:
        def write(page: Page) -> None:
            sink.write(_markdown_file(page))

        super().__init__(kind, lines_of, write)


class PageHtml(PageFile[E]):
    """Writes the page of the record that is ``known_as`` that to ``sink``, as an HTML file."""

    def __init__(self, kind: RecordedPage, lines_of: Callable[[E], Iterator[Value]], sink: Sink, known_as: str) -> None:
        def write(page: Page) -> None:
            sink.write(_html_file(replace(page, name=known_as)))

        super().__init__(kind, lines_of, write, known_as.replace(NOT_KEPT, ""))


@dataclass(frozen=True, slots=True)
class PageOf(Generic[E]):
    """The page of a command: its ``kind``, and what makes typed lines of events.

    That is a class where it has to keep something between events: each renderer then has one of its own.
    """

    kind: RecordedPage
    lines_of: Callable[[E], Iterator[Value]] | type[Callable[[E], Iterator[Value]]]

    def reports(self, opened: OpenReports, json: Callable[[Sink], Consumer[E]] | None = None) -> list[Report[E]]:
        """Return the reports that were asked for: the page, and the record, which ``json`` writes where it is given."""
        return opened.reports(json=json or self.record, markdown=self.markdown, html=self.html)

    def record(self, to: Path | Sink) -> LinesFile[E]:
        """Return what writes the record. Raises ``OSError``."""
        return LinesFile(self.kind.format, self._lines(), to)

    def terminal(self, console: Console, complaints: Console) -> PageTerminal[E]:
        """Return what tells the page on ``console``."""
        return PageTerminal(self.kind, self._lines(), console, complaints)

    def markdown(self, sink: Sink) -> PageMarkdown[E]:
        """Return what writes it in Markdown."""
        return PageMarkdown(self.kind, self._lines(), sink)

    def html(self, sink: Sink, known_as: str) -> PageHtml[E]:
        """Return what writes it as an HTML file."""
        return PageHtml(self.kind, self._lines(), sink, known_as)

    def _lines(self) -> Callable[[E], Iterator[Value]]:
        made: Callable[[E], Iterator[Value]] = self.lines_of() if isinstance(self.lines_of, type) else self.lines_of
        return made
