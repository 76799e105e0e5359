"""The list of known changes on the terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokenizer_conformance.releases.known_changes.listing import releases_told, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.releases.known_changes.change import KnownChange
    from tokenizer_conformance.releases.known_changes.listing import ListedRequirement

INDENT = 4


def told(changes: tuple[KnownChange, ...], requirements: tuple[ListedRequirement, ...]) -> Iterator[tuple[str, int]]:
    """Yield the lines of the list with the indent of what is wrapped of each, a block for each release."""
    for (package, release), group in groupby(changes, key=lambda change: (change.package, change.since)):
        yield f"{package} {release}", 0
        for change in group:
            yield from _told(change)
        of_release = [each for each in requirements if package == "tokenizers" and each.since == release]
        for requirement in of_release:
            yield _requirement(requirement), INDENT
        yield "", 0
    rest = sorted({each.since for each in requirements} - {c.since for c in changes if c.package == "tokenizers"})
    for release in rest:
        yield f"tokenizers {release}", 0
        for requirement in requirements:
            if requirement.since == release:
                yield _requirement(requirement), INDENT
        yield "", 0


def _requirement(requirement: ListedRequirement) -> str:
    before = "; its tokenizers are refused before" if requirement.refused_before else ""
    return f"  {requirement.title} (requirement {requirement.id}, {requirement.area}{before})"


def _told(change: KnownChange) -> Iterator[tuple[str, int]]:
    again = "" if change.until is None else f" ({releases_told(change)}; as before since {change.until})"
    yield f"  {change.component}: {change.title}{again}", INDENT
    yield f"    {change.description}", INDENT
    yield f"    before: {shown(change.probe.old)}", 2 * INDENT
    yield f"    since:  {shown(change.probe.new)}", 2 * INDENT
    sources = (*change.links, *(f"requirement {each}" for each in change.requirements))
    yield f"    {change.id}{': ' if sources else ''}{', '.join(sources)}", INDENT
