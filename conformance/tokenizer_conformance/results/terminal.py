"""A page at a terminal: what is compared and what cannot be used at once, the rest when the command is over."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tokenizer_conformance.command_io.screen import LABEL, Screen
from tokenizer_conformance.command_io.tables import Table
from tokenizer_conformance.command_io.wrapping import wrapped_command, wrapped_json
from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.figures import NONE, figure
from tokenizer_conformance.results.page import SIGNS, Estimate, State, legend
from tokenizer_conformance.results.problem_lines import as_ascii, heading, lines_of
from tokenizer_conformance.results.records.ending import Ended
from tokenizer_conformance.results.records.headers import Footer, Header

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console

    from tokenizer_conformance.results import page
    from tokenizer_conformance.results.page import Page
    from tokenizer_conformance.results.recorded_page import PageReader, RecordedPage
    from tokenizer_conformance.results.records.headers import Environment
    from tokenizer_conformance.results.records.value import Value

E = TypeVar("E")

MOST_COLUMNS = 8
"""A matrix of more columns than rows, and than this, is turned."""

UNEVENTFUL = frozenset({State.AGREE, State.UNSUPPORTED, State.NOT_COMPARED})
"""The states of cells for which neither a long matrix nor a further one is shown."""

MOST_ROWS = 30
"""A matrix of more rows has only those in which something is wrong."""


class PageTerminal(Generic[E]):
    """Tells on ``console`` the page that ``kind`` makes of the lines of events; complaints go to ``complaints``."""

    def __init__(
        self, kind: RecordedPage, lines_of: Callable[[E], Iterator[Value]], console: Console, complaints: Console
    ) -> None:
        self._screen = Screen(console, complaints)
        self._kind = kind
        self._lines_of = lines_of
        self._reader: PageReader[Any] | None = None
        self._complained = self._told = 0

    def handle(self, event: E) -> None:
        """Take in ``event``; tell what can be told by now. Raises ``OSError``."""
        for line in self._lines_of(event):
            self.take(line)

    def take(self, line: Value) -> None:
        """Take in a ``line``; tell what can be told by now. Raises ``OSError``."""
        if isinstance(line, Header):
            self._reader = self._kind.reader("", line)
            self._head(line, self._reader.page(Ended()))
        elif self._reader is not None:
            self._reader.take(line)
            self._complain(self._reader)
            if isinstance(line, Footer):
                self._tell(self._reader.page(Ended(line.finished, line.conclusion)), line)

    def _complain(self, reader: PageReader[Any]) -> None:
        for each in reader.complaints[self._complained :]:
            self._screen.complain(each)
        self._complained = len(reader.complaints)
        for each in reader.news[self._told :]:
            self._screen.say(visible(each))
        self._told = len(reader.news)

    # What is known at the beginning

    def _head(self, header: Header, told: Page) -> None:
        screen = self._screen
        tell_environment(screen, header.environment)
        for each in told.compared:
            if each.name not in told.tokenizers:
                note = f" ({visible(each.note)})" if each.note else ""
                version = f" {visible(each.version)}" if each.version else ""
                screen.labelled(each.role, f"{visible(each.name)}{version}{note}")
        for fact in told.facts:
            if not fact.is_detail:
                screen.labelled(fact.label if len(fact.label) < LABEL else f"{fact.label} ", visible(fact.value))

    # What is known at the end

    def _tell(self, told: Page, footer: Footer) -> None:
        screen = self._screen
        if told.said:
            screen.blank()
            for sentence in told.said:
                screen.say(visible(sentence))
        matrices = told.matrices[:1] + tuple(filter(_is_worth_telling, told.matrices[1:]))
        sections = [section for section in told.sections if not section.is_detail]
        for matrix in matrices:
            screen.blank()
            screen.say(visible(matrix.title), style="bold")
            rows = _worth_telling(matrix)
            if rows:
                screen.draw(_matrix(replace(matrix, rows=rows)))
            screen.note(
                [f"{len(matrix.rows) - len(rows):,} rows in which nothing is wrong"] if rows != matrix.rows else []
            )
        if matrices:
            screen.note([f"Signs: {legend(matrices)}"])
        for section in filter(lambda each: each.is_first, sections):
            self._section(section)
        self._problems(told)
        for section in filter(lambda each: not each.is_first, sections):
            self._section(section)
        counts = f"{visible(told.conclusion)}; {told.summary}; {footer.seconds:.1f} s"
        screen.conclude(counts, footer.exit_status, visible(told.headline))

    def _problems(self, told: Page) -> None:
        screen = self._screen
        if not told.findings:
            return
        screen.blank()
        screen.say("Findings", style="bold")
        for number, finding in enumerate(told.findings[: told.told], 1):
            screen.say(f"{number:>3}. {heading(finding)}", hanging=5)
            screen.show(list(lines_of(finding)), 5)
            self._to_be_copied(finding)
        left = len(told.findings) - told.told
        if left > 0:
            screen.note([f"{left:,} more on the page (--html) and in Markdown (--markdown)"])

    def _to_be_copied(self, finding: page.ShownFinding) -> None:
        screen = self._screen
        for fact in finding.facts:
            if fact.is_document:
                screen.put(wrapped_json(f"     {visible(fact.label)}  ", as_ascii(fact.value), screen.width, 7))
        if finding.repeat:
            screen.put(wrapped_command("     repeat:", visible(finding.repeat), screen.width, 7))

    def _section(self, section: page.Section) -> None:
        screen = self._screen
        for table in filter(lambda each: each.rows, section.tables):
            screen.blank()
            if table.title:
                screen.say(visible(table.title), style="bold")
            screen.draw(_laid_out(table))
            left = len(table.rows) - table.told
            more = f"{left:,} more rows on the page (--html) and in Markdown (--markdown)" if left > 0 else ""
            screen.note(filter(None, (more, visible(table.note))))
        if section.sentences:
            screen.blank()
            if section.is_first:
                screen.say(visible(section.title), style="bold")
            for sentence in section.sentences:
                screen.say(visible(sentence))


def tell_environment(screen: Screen, environment: Environment) -> None:
    """Say what runs where, and which file options were taken from, where there was one."""
    screen.say(f"tokconf {environment.tokconf}, {environment.python}, {environment.platform}")
    if environment.configuration:
        used = environment.configuration
        screen.labelled("options", f"also from {visible(used.name)}, SHA-256 {used.sha256[:16]}…")


def _is_worth_telling(matrix: page.Matrix) -> bool:
    return not matrix.is_detail and any(cell.state not in UNEVENTFUL for _, cells in matrix.rows for cell in cells)


def _worth_telling(matrix: page.Matrix) -> page.MatrixRows:
    """Return the rows of a matrix; of a long one those in which something is otherwise than it should be."""
    if len(matrix.rows) <= MOST_ROWS:
        return matrix.rows
    return tuple(row for row in matrix.rows if any(cell.state not in UNEVENTFUL for cell in row[1]))


def _matrix(matrix: page.Matrix) -> Table:
    if len(matrix.columns) > max(MOST_COLUMNS, len(matrix.rows)):
        return _matrix(matrix.turned(matrix.corner))
    rows = tuple(
        ((visible(name),), *((f"{SIGNS[cell.state][0]} {visible(cell.text)}".rstrip(),) for cell in cells))
        for name, cells in matrix.rows
    )
    return Table((visible(matrix.corner), *map(visible, matrix.columns)), rows)


def _laid_out(table: page.Table) -> Table:
    rows = tuple(tuple(map(_cell, row)) for row in table.rows[: table.told])
    numbers = frozenset(
        column
        for column in range(len(table.columns))
        if any(isinstance(row[column], int | float | Estimate) for row in table.rows)
    )
    return Table(tuple(map(visible, table.columns)), rows, right=numbers)


def _cell(value: page.TableCell) -> tuple[str, ...]:
    match value:
        case None:
            return (NONE,)
        case str():
            return (visible(value),) if value else ()
        case Estimate():
            interval = value.interval
            return (value.words, interval) if interval else (value.words,)
        case _:
            return (figure(value),)
