"""The pages of a site about the suite: a page for each requirement, lists of them, the matrix, and known changes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenizer_conformance.releases.known_changes.listing import page as changes_page
from tokenizer_conformance.releases.known_changes.reader import known_changes
from tokenizer_conformance.report.site.document_pages import contents_of, enter_parts
from tokenizer_conformance.report.site.documents import parsed, relative, rendered
from tokenizer_conformance.report.site.results import suite_matrix
from tokenizer_conformance.report.site.timelines import Mark, timelines
from tokenizer_conformance.validation.suite.requirement import Importance
from tokenizer_conformance.validation.suite.specification import pages_by_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tokenizer_conformance.report.site.results import RequirementResult, SuiteResults
    from tokenizer_conformance.report.site.site import Site
    from tokenizer_conformance.validation.suite.requirement import Area, Requirement, Suite

REQUIREMENT = re.compile(r'^<a id="([A-Za-z0-9._-]+)"></a>\n### ', re.MULTILINE)
"""Where a requirement begins in a page of the specification."""

AREA = re.compile(r"^## ", re.MULTILINE)
"""Where the next area begins there."""

NAMED = re.compile(r"\brequirement ([A-Z0-9]+(?:-[A-Z0-9]+)+)")
"""How a known change names a requirement."""

LEVEL_OF_CHANGES = 4
"""The level of the headings of known changes on their page."""

ABOUT_REQUIREMENTS = "Each requirement is one rule of the pipeline, with cases that show it; ids never change."

ABOUT_QUIRKS = (
    "Oddities of tokenizers that nobody would guess. An implementation may choose to do better, and says so in a "
    "ledger."
)


def add_suite(
    site: Site,
    suite: Suite,
    results: Sequence[SuiteResults],
    pages: Mapping[str, str],
    records: Mapping[Path, str],
) -> None:
    """Add what a site has of the ``suite``.

    ``pages`` are the addresses of the pages of implementations by their names, ``records`` those of records.
    """
    texts = _texts_of_requirements(suite)
    for area in suite.areas:
        for requirement in area.requirements:
            _add_requirement(site, area, requirement, texts, [(pages[each.implementation], each) for each in results])
    columns = ("id", "requirement", "area", "importance", *(each.title for each in results))
    rows = [
        (address_of(requirement), requirement.id, _cells(area, requirement, results))
        for area in suite.areas
        for requirement in area.requirements
    ]
    site.add(
        "requirements/index.html",
        "Requirements",
        "list.html.jinja",
        note=ABOUT_REQUIREMENTS,
        columns=columns,
        rows=rows,
        filtered=True,
    )
    if results:
        matrix = suite_matrix(list(results), [area.name for area in suite.areas])
        site.add(
            "suite.html",
            "The suite",
            "suite.html.jinja",
            matrix=matrix,
            leads=lambda cell: cell.of,
            bases=[records[each.record] for each in results],
        )
        site.enter("The suite", "matrix of areas and implementations", "suite.html")


def address_of(requirement: Requirement) -> str:
    """Return the address of the page of a requirement; its id is a name of a file."""
    return f"requirements/{requirement.id}.html"


def _add_requirement(
    site: Site,
    area: Area,
    requirement: Requirement,
    texts: Mapping[str, str],
    results: Sequence[tuple[str, SuiteResults]],
) -> None:
    path = address_of(requirement)
    came_to = [(each.title, page, result) for page, each in results if (result := each.of(requirement.id)) is not None]
    title = plain(requirement.title)
    site.add(
        path,
        title,
        "requirement.html.jinja",
        area=area,
        requirement=requirement,
        body=rendered(parsed(texts[requirement.id]), _lead_of_requirements(texts, path)),
        results=came_to,
    )
    site.enter(title, f"requirement {requirement.id}", path, f"{area.title}: {requirement.rule}")


def _lead_of_requirements(texts: Mapping[str, str], start: str) -> Callable[[str], str | None]:
    """Return what says where links lead whose fragment is the id of a requirement."""

    def lead(href: str) -> str | None:
        id_ = href.rpartition("#")[2]
        return relative(f"requirements/{id_}.html", start) if id_ in texts else None

    return lead


def _cells(
    area: Area, requirement: Requirement, results: Sequence[SuiteResults]
) -> tuple[str | RequirementResult | None, ...]:
    said = (plain(requirement.title), area.title, requirement.importance.value)
    return (*said, *_came_to(requirement, results))


def _came_to(requirement: Requirement, results: Sequence[SuiteResults]) -> tuple[RequirementResult | None, ...]:
    return tuple(each.of(requirement.id) for each in results)


def plain(text: str) -> str:
    """Return the words of a requirement without the marks of code."""
    return text.replace("`", "")


def _texts_of_requirements(suite: Suite) -> dict[str, str]:
    """Return what the specification says of each requirement, in Markdown, without its heading."""
    found: dict[str, str] = {}
    for text in pages_by_file(suite).values():
        begins = list(REQUIREMENT.finditer(text))
        for begin, end in zip(begins, [*(match.start() for match in begins[1:]), None], strict=False):
            body = text[begin.end() : end].partition("\n")[2]
            found[begin[1]] = AREA.split(body, maxsplit=1)[0]
    return found


# Registers -----------------------------------------------------------------------------------------------------------


def add_registers(site: Site, suite: Suite, results: Sequence[SuiteResults]) -> None:
    """Add the register of quirks, with who has which, and that of known changes."""
    quirks = [
        (address_of(requirement), plain(requirement.title), (area.title, *_came_to(requirement, results)))
        for area in suite.areas
        for requirement in area.requirements
        if requirement.importance is Importance.QUIRK
    ]
    columns = ("quirk", "area", *(each.title for each in results))
    site.add("quirks.html", "Quirks", "list.html.jinja", note=ABOUT_QUIRKS, columns=columns, rows=quirks, filtered=True)
    site.enter("Quirks", "register", "quirks.html")
    changes = known_changes().changes
    text = changes_page(changes, (), (), "tokconf changes --markdown FILE").partition("\n")[
        2
    ]  # the heading is the page's
    markdown = parsed(NAMED.sub(r"requirement [\1](#\1)", text))
    headings = (part.id for part in markdown.parts() if part.level == LEVEL_OF_CHANGES)
    ids = {change.id: id_ for change, id_ in zip(changes, headings, strict=True)}
    texts = {requirement.id: "" for area in suite.areas for requirement in area.requirements}
    site.add(
        "changes.html",
        "Known changes",
        "changes.html.jinja",
        body=rendered(markdown, _lead_of_requirements(texts, "changes.html"), folded=LEVEL_OF_CHANGES),
        contents=contents_of(markdown),
        timelines=timelines(changes, ids),
        marks=list(Mark),
    )
    site.enter("Known changes", "register", "changes.html")
    enter_parts(site, "changes.html", "known change", markdown)
