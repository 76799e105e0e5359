"""What records say about one implementation or one tokenizer: the parts of their pages that are about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.html.writing import leading
from tokenizer_conformance.results.page import Novelty
from tokenizer_conformance.results.recorded_page import RESULT_STATES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizer_conformance.results.outcomes import Outcomes
    from tokenizer_conformance.results.page import Cell, Matrix, Page, ShownFinding, State

MOST_FINDINGS = 8
"""How many findings of a record are listed; a link leads to all of them."""


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page of a record, and its ``address`` in the site.

    Of the findings the page has what lists of them show, and no more: a site has the pages of all its records at once.
    ``leads`` says which findings a cell of its matrices leads to.
    """

    address: str
    page: Page
    leads: Callable[[Cell], Mapping[str, str]]

    @property
    def started(self) -> str:
        """When the command of the record began, as the record says it."""
        return started(self.page)


def started(page: Page) -> str:
    """Return when the command of the record of ``page`` began, as the record says it."""
    return next((fact.value for fact in page.facts if fact.label == "started"), "")


def placed(address: str, page: Page) -> PlacedPage:
    """Return ``page`` at that address, without the details of its findings."""
    return PlacedPage(address, replace(page, findings=tuple(map(_listed, page.findings))), leading(page))


def _listed(finding: ShownFinding) -> ShownFinding:
    return replace(
        finding,
        answers=(),
        lines=(),
        pipeline=(),
        explanation="",
        proof=(),
        agreeing=(),
        repeat="",
        snippets=(),
        facts=(),
    )


@dataclass(frozen=True, slots=True)
class Part:
    """What the record at ``address`` says about one thing; ``findings`` are the first ones of ``count``.

    ``state`` and ``headline`` are about that thing, whatever others came to.

    ``version`` is the one that was compared, ``role`` what it was in that: what is the baseline has no findings.
    """

    title: str
    kind: str
    address: str
    state: State
    headline: str
    started: str
    version: str
    role: str
    sentences: tuple[str, ...]
    matrices: tuple[Matrix, ...]
    findings: tuple[ShownFinding, ...]
    count: int
    query: str
    leads: Callable[[Cell], Mapping[str, str]]


def implementations_of(page: Page) -> Iterator[str]:
    """Yield the names of the implementations that ``page`` is about."""
    yield from (each.name for each in page.compared if each.name not in page.tokenizers)
    yield from (finding.implementation for finding in page.findings if finding.implementation)
    yield from (agreement.implementation for agreement in page.agreements)


def tokenizers_of(page: Page) -> Iterator[str]:
    """Yield the names of the tokenizers that ``page`` is about."""
    yield from page.tokenizers
    yield from (agreement.tokenizer for agreement in page.agreements)


def parts_about(name: str, what: str, pages: Sequence[PlacedPage]) -> list[Part]:
    """Return what ``pages`` say about the implementation or tokenizer called ``name``; ``what`` is which of them."""
    return [part for placed in pages if (part := _part(name, what, placed)) is not None]


def _part(name: str, what: str, placed: PlacedPage) -> Part | None:
    page = placed.page
    findings = sorted(
        (finding for finding in page.findings if getattr(finding, what) == name),
        key=lambda finding: (finding.standing is not Novelty.NEW, -finding.count),
    )
    matrices = tuple(_matrices(name, page.matrices))
    sentences = tuple(each.of(name) for each in page.sentences if name in each.about)
    compared = next(
        (each for each in page.compared if each.name == name and (name in page.tokenizers) is (what == "tokenizer")),
        None,
    )
    if not (findings or matrices or sentences or compared) and name not in page.tokenizers:
        return None
    own = page.outcomes.about(name) if what == "implementation" else page.outcomes.on(name)
    return Part(
        title=page.title,
        kind=page.kind,
        address=placed.address,
        state=RESULT_STATES[own.gravest] if own.of else page.state,
        headline=_headline(page, own, "" if compared is None else compared.role),
        started=placed.started,
        version="" if compared is None else compared.version,
        role="" if compared is None else compared.role,
        sentences=sentences,
        matrices=matrices,
        findings=tuple(findings[:MOST_FINDINGS]),
        count=len(findings),
        leads=placed.leads,
        query=urlencode({what: visible(name)}),
    )


def _headline(page: Page, own: Outcomes, role: str) -> str:
    """Return what one thing came to; of what is the baseline that, and of a page that judges nobody its own."""
    if own.of:
        return own.sentence()
    if role == "baseline":
        return "the others were compared with it"
    return page.headline or page.conclusion


def _matrices(name: str, matrices: Sequence[Matrix]) -> Iterator[Matrix]:
    """Yield the rows and columns of ``matrices`` that are called ``name``, and those with a title of it."""
    for matrix in matrices:
        rows = tuple(row for row in matrix.rows if row[0] == name)
        if rows:
            yield replace(matrix, rows=rows)
        elif name in matrix.columns:
            at = matrix.columns.index(name)
            yield replace(matrix, columns=(name,), rows=tuple((row, (cells[at],)) for row, cells in matrix.rows))
        elif matrix.title.startswith(f"{name}, "):
            yield matrix
