"""Several pages as one: whoever is sent a run, its audit and its metrics opens one file."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, islice
from typing import TYPE_CHECKING

from tokenizer_conformance.plural import counted, few
from tokenizer_conformance.results.outcomes import listed
from tokenizer_conformance.results.page import Fact, Page, Sentence, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.results.page import Cell, Compared, Matrix, Section, ShownFinding

GRAVEST = (
    *(State.ERROR, State.DIFFER, State.UNSTABLE, State.NOT_COMPARED, State.KNOWN, State.ACCEPTABLE, State.AGREE),
    State.MEASURED,
)
"""The states that a page may have, the one first that decides about several."""

MOST_HEADLINES = 4
"""How many findings of each page are shown first."""


def combined(pages: Sequence[Page]) -> Page:
    """Return one page that has all of ``pages``; a single one stays as it is.

    Titles, sentences and ids of findings then begin with the name of their record, and findings say which one they are
    of; names that occur twice get a number. What cells lead to is in their own record alone.
    """
    if len(pages) == 1:
        return pages[0]
    named = list(zip(_names(pages), pages, strict=True))
    state = min((page.state for page in pages), key=_rank)
    return Page(
        name=", ".join(name for name, _ in named),
        kind="report",
        title=few(list(dict.fromkeys(page.title for page in pages)), "record"),
        state=state,
        conclusion="; ".join(dict.fromkeys(page.conclusion for page in pages)),
        headline=_headline(named),
        summary=counted(len(pages), "record"),
        sentences=tuple(Sentence(f"{name}: {line}") for name, page in named for line in _lead(page)),
        facts=tuple(Fact(f"{name}: {fact.label}", fact.value) for name, page in named for fact in page.facts),
        compared=tuple(_compared(pages)),
        complaints=tuple(f"{name}: {line}" for name, page in named for line in page.complaints),
        matrices=tuple(matrix for name, page in named for matrix in _matrices(name, page)),
        headlines=tuple(f"{name}/{id_}" for name, page in named for id_ in page.headlines[:MOST_HEADLINES]),
        findings=tuple(finding for name, page in named for finding in _findings(name, page)),
        counted=pages[0].counted if len({page.counted for page in pages}) == 1 else "count",
        tokenizers=tuple(dict.fromkeys(name for page in pages for name in page.tokenizers)),
        sections=tuple(section for name, page in named for section in _sections(name, page)),
    )


def _headline(named: Sequence[tuple[str, Page]]) -> str:
    """Say in which records something new is wrong, in which nothing is, and in which nothing was compared."""
    wrong = [name for name, page in named if page.state in (State.ERROR, State.DIFFER, State.UNSTABLE)]
    idle = [name for name, page in named if page.state is State.NOT_COMPARED]
    others = [name for name, _ in named if name not in wrong and name not in idle]
    told = [f"{_show(wrong)} differences or failures"] if wrong else []
    told += [f"{_show(others)} {'none that is new' if wrong else 'no new differences or failures'}"] if others else []
    told += [f"{listed(idle)} compared nothing, or not all"] if idle else []
    return "; ".join(told)


def _show(names: Sequence[str]) -> str:
    return f"{listed(names)} {'shows' if len(names) == 1 else 'show'}"


def _lead(page: Page) -> tuple[str, ...]:
    return (*([page.headline] if page.headline else []), page.summary, *page.said)


def _rank(state: State) -> int:
    return GRAVEST.index(state) if state in GRAVEST else len(GRAVEST)


def _names(pages: Sequence[Page]) -> Iterator[str]:
    taken: set[str] = set()
    for page in pages:
        numbered = (f"{page.name} ({number})" for number in count(2))
        name = next(each for each in (page.name, *islice(numbered, len(pages))) if each not in taken)
        taken.add(name)
        yield name


def _compared(pages: Sequence[Page]) -> Iterator[Compared]:
    """Yield what was compared in any of the ``pages``, each once."""
    yield from dict.fromkeys(each for page in pages for each in page.compared)


def _matrices(name: str, page: Page) -> Iterator[Matrix]:
    """Yield the matrices of ``page``; what their cells lead to is of its record alone."""
    for matrix in page.matrices:
        rows = tuple((row, tuple(_of_record(name, cell) for cell in cells)) for row, cells in matrix.rows)
        yield replace(matrix, title=f"{name}: {matrix.title}", rows=rows)


def _of_record(name: str, cell: Cell) -> Cell:
    return replace(cell, of={**cell.of, "record": name}) if cell.of else cell


def _findings(name: str, page: Page) -> Iterator[ShownFinding]:
    for finding in page.findings:
        yield replace(finding, id=f"{name}/{finding.id}", record=name)


def _sections(name: str, page: Page) -> Iterator[Section]:
    for section in page.sections:
        yield replace(section, title=f"{name}: {section.title}")
