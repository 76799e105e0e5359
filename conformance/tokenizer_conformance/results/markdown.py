"""A page in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.markdown import HOW_MADE, HOW_MADE_LINK, as_block, as_code, as_words, report_file
from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.figures import NONE, figure
from tokenizer_conformance.results.page import SIGNS, Estimate, legend
from tokenizer_conformance.results.problem_lines import as_ascii, heading, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.page import Compared, Fact, Matrix, Page, Section, ShownFinding, Table, TableCell


IN_FULL = 100
"""So many findings are told in full. What a page of a forge may hold ends somewhere, and nobody reads so far."""

NAMED = 1000
"""So many findings are named, those told in full among them; others are counted."""

LONGEST_HEADING = 160
"""How many characters of the heading of any other are shown."""


def markdown_file(told: Page) -> bytes:
    """Return the Markdown file of ``told``."""
    return report_file(markdown_of(told))


def markdown_of(told: Page) -> str:
    """Return ``told`` in Markdown."""
    said, conclusion = (told.headline, f"{told.conclusion}; ") if told.headline else (told.conclusion, "")
    took = "" if told.seconds is None else f"; {told.seconds:.1f} s"
    counts = as_words(f"{conclusion}{told.summary}{took}")
    lines = [f"# {as_words(told.title)}", "", f"**{as_words(said)}**", "", f"{counts}; {HOW_MADE_LINK}"]
    lines += _list(told.said)
    if told.complaints:
        lines += ["", "## What could not be used", *_list(told.complaints)]
    for matrix in told.matrices:
        lines += ["", f"## {as_words(matrix.title)}", "", *_matrix(matrix)]
    if told.matrices:
        lines += ["", as_words(f"Signs: {legend(told.matrices)}.")]
    for section in told.sections:
        lines += _section(section) if section.is_first else ()
    if told.findings:
        lines += ["", "## Findings"]
    for number, finding in enumerate(told.findings[:IN_FULL], 1):
        shown = [*lines_of(finding), *_to_be_copied(finding)]
        lines += ["", f"{number}. {as_words(heading(finding))}", *(["", as_block(shown)] if shown else [])]
    if others := told.findings[IN_FULL:]:
        lines += ["", f"{len(others):,} more, of which the page in HTML has all that is known:", ""]
        named = others[: NAMED - IN_FULL]
        lines += [f"{number}. {as_words(cut(heading(each)))}" for number, each in enumerate(named, IN_FULL + 1)]
        if left := len(others) - len(named):
            lines += ["", f"{left:,} are not named here."]
    for section in told.sections:
        lines += () if section.is_first else _section(section)
    lines += ["", f"## {HOW_MADE}", ""]
    lines += map(_fact, sorted(told.facts, key=lambda fact: fact.label != "command"))
    lines += map(_compared, told.compared)
    return "\n".join(lines) + "\n"


def cut(heading: str) -> str:
    """Return ``heading``, cut where it is long."""
    return heading if len(heading) <= LONGEST_HEADING else f"{heading[:LONGEST_HEADING]}…"


def _to_be_copied(finding: ShownFinding) -> Iterator[str]:
    yield from (f"{visible(fact.label)}: {as_ascii(fact.value)}" for fact in finding.facts if fact.is_document)
    if finding.repeat:
        yield f"repeat: {visible(finding.repeat)}"


def _fact(fact: Fact) -> str:
    value = as_code(fact.value) if fact.label == "command" else as_words(fact.value)
    return f"- {as_words(fact.label)}: {value}"


def _compared(each: Compared) -> str:
    note = f"({each.note})" if each.note else ""
    return f"- {as_words(' '.join(filter(None, (f'{each.role}:', each.name, each.version, note))))}"


def _list(sentences: tuple[str, ...]) -> list[str]:
    return ["", *(f"- {as_words(sentence)}" for sentence in sentences)] if sentences else []


def _matrix(matrix: Matrix) -> Iterator[str]:
    yield f"| {' | '.join(map(as_words, (matrix.corner, *matrix.columns)))} |"
    yield f"|{'---|' * (len(matrix.columns) + 1)}"
    for name, cells in matrix.rows:
        texts = (as_words(f"{SIGNS[cell.state][0]} {cell.text}".rstrip()) for cell in cells)
        yield f"| {' | '.join((as_words(name), *texts))} |"


def _section(section: Section) -> Iterator[str]:
    tables = [table for table in section.tables if table.rows]
    if not section.sentences and not tables:
        return
    yield from ("", f"## {as_words(section.title)}")
    yield from _list(section.sentences)
    for table in tables:
        if table.title:
            yield from ("", f"### {as_words(table.title)}")
        yield ""
        yield from _table(table)
        if table.note:
            yield from ("", as_words(table.note))


def _table(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(map(as_words, table.columns))} |"
    numbers = [
        any(isinstance(row[column], int | float | Estimate) for row in table.rows)
        for column in range(len(table.columns))
    ]
    yield f"|{'|'.join('--:' if is_number else '---' for is_number in numbers)}|"
    yield from (f"| {' | '.join(map(_cell, row))} |" for row in table.rows)


def _cell(value: TableCell) -> str:
    match value:
        case None:
            return NONE
        case str():
            return as_words(value)
        case Estimate():
            interval = value.interval
            return f"{value.words} ({interval})" if interval else value.words
        case _:
            return figure(value)
