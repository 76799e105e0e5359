"""The list of known changes in Markdown, as ``reports/changes.md`` has it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.markdown import as_block, as_code, as_words
from tokenizer_conformance.releases.known_changes.listing import escape_line, releases_told, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.releases.known_changes.change import KnownChange
    from tokenizer_conformance.releases.known_changes.listing import ListedRequirement
    from tokenizer_conformance.releases.known_changes.unseen import UnseenChange


def page(
    changes: tuple[KnownChange, ...],
    requirements: tuple[ListedRequirement, ...],
    unseen: tuple[UnseenChange, ...],
    command: str,
) -> str:
    """Return the page about ``changes``, ``requirements`` and what is ``unseen``, which ``command`` writes."""
    return "\n".join((*_lines(changes, requirements, command), *_notes(unseen))) + "\n"


def _lines(
    changes: tuple[KnownChange, ...], requirements: tuple[ListedRequirement, ...], command: str
) -> Iterator[str]:
    yield "# Known changes"
    yield ""
    yield f"Written by `{command}`. Each change was measured: its probe gives the old answer in the release before the"
    yield "one named, and the new answer in that one. What has no word on differences is seen by users of Python alone."
    for package, of_package in groupby(changes, key=lambda change: change.package):
        yield ""
        yield f"## {package}"
        for release, group in groupby(of_package, key=lambda change: change.since):
            yield ""
            yield f"### {package} {release}"
            for change in group:
                yield from _told(change)
    if requirements:
        yield ""
        yield "## Requirements that older releases of tokenizers do not meet"
        yield ""
        yield "These rules of the suite hold since the release named; older ones fail at least one of their cases."
        yield ""
        yield "| since | requirement | rule | before |"
        yield "| --- | --- | --- | --- |"
        for each in requirements:
            before = "its tokenizers are refused" if each.refused_before else "another answer"
            yield f"| {each.since} | {each.id} | {as_words(each.title)} | {before} |"


def _notes(unseen: tuple[UnseenChange, ...]) -> Iterator[str]:
    if unseen:
        yield ""
        yield "## Release notes without a probe"
        yield ""
        yield "These say that something behaves in another way; nothing that can be asked shows it."
        yield ""
    for note in unseen:
        yield f"- {note.package} {note.release}, {as_words(note.link)}: {_prose(note.title)}. {_prose(note.reason)}"


def _told(change: KnownChange) -> Iterator[str]:
    yield ""
    yield f"#### {_prose(change.title)}"
    yield ""
    about = "explains differences" if change.selector is not None else "seen from Python"
    yield f"{as_code(change.id)}, {as_words(change.component)}, {about}"
    if change.until is not None:
        yield f"; only in {releases_told(change)}, as before since {change.until}"
    yield ""
    yield _prose(change.description)
    yield ""
    yield as_block([escape_line(line) for line in change.probe.program.rstrip("\n").split("\n")])
    yield ""
    yield f"- {change.before}: {as_code(shown(change.probe.old))}"
    yield f"- {change.since}: {as_code(shown(change.probe.new))}"
    sources = [as_words(link) for link in change.links] + [f"requirement {each}" for each in change.requirements]
    if sources:
        yield ""
        yield f"See {', '.join(sources)}."


def _prose(text: str) -> str:
    """Return ``text``, our own words, with what stands between backticks as code."""
    parts = text.split("`")
    return "".join(as_code(part) if number % 2 else _words(part) for number, part in enumerate(parts))


def _words(text: str) -> str:
    """Return ``text`` as running words, with the spaces at its ends."""
    before = " " if text[:1] == " " else ""
    after = " " if text[-1:] == " " and text.strip() else ""
    return f"{before}{as_words(text)}{after}"
