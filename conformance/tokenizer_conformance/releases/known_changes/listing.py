"""What is known to have changed, as a list: at the terminal, in Markdown (``reports/changes.md``) and as JSON.

The entries of the files are listed, the requirements of the suite, and release notes of changes that no probe shows.
"""

from __future__ import annotations

import importlib.resources
import json
import tomllib
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec import structs

from tokenizer_conformance.command_io.markdown import as_block, as_code, as_words
from tokenizer_conformance.escape import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.releases.known_changes.change import Answer, KnownChange

SCHEMA = "tokenizer-conformance-changes"
SCHEMA_VERSION = "1.0"

INDENT = 4


@dataclass(frozen=True, slots=True)
class ListedRequirement:
    """A requirement of the suite that releases of ``tokenizers`` meet ``since`` then: its ``id`` and ``title``.

    Where ``refused_before``, older ones fail it by refusing the tokenizers of its cases alone.
    """

    since: str
    id: str
    title: str
    area: str
    refused_before: bool


@dataclass(frozen=True, slots=True)
class UnseenChange:
    """A change that ``release`` of ``package`` has by ``link``, and the ``reason`` why no probe shows it."""

    package: str
    release: str
    link: str
    title: str
    reason: str


def unseen_changes() -> tuple[UnseenChange, ...]:
    """Return what the project says of release notes without a probe, in the order of the file."""
    file = importlib.resources.files("tokenizer_conformance.releases.known_changes") / "known" / "unseen.toml"
    notes: list[dict[str, str]] = tomllib.loads(file.read_text("utf-8"))["note"]
    return tuple(UnseenChange(**{**note, "reason": " ".join(note["reason"].split())}) for note in notes)


def shown(answer: Answer) -> str:
    """Return ``answer`` on one line, made safe to show.

    >>> shown({"error": "TypeError: no"}), shown(["a", None])
    ('TypeError: no', '["a", null]')
    """
    if isinstance(answer, dict) and answer.keys() == {"error"}:
        return _plainly(str(answer["error"]))
    return _plainly(json.dumps(answer, ensure_ascii=False))


def _plainly(text: str) -> str:
    """Return ``text`` with an escape for all that is not plainly visible, and quotes and backslashes as they are."""
    return escape(text).replace('\\"', '"').replace("\\\\", "\\")


# JSON ----------------------------------------------------------------------------------------------------------------


def as_document(
    changes: tuple[KnownChange, ...], requirements: tuple[ListedRequirement, ...], asked: dict[str, str | None]
) -> str:
    """Return ``changes`` and ``requirements`` as one JSON document; ``asked`` is what was asked for."""
    document = {
        "schema": SCHEMA,
        "version": SCHEMA_VERSION,
        **asked,
        "changes": list(map(_as_json, changes)),
        "requirements": [asdict(requirement) for requirement in requirements],
    }
    return json.dumps(document, indent=2)


def _as_json(change: KnownChange) -> dict[str, Any]:
    told = structs.asdict(change)
    selector, probe = told.pop("selector"), told.pop("probe")
    return {
        **told,
        "explains_differences": selector is not None,
        "probe": {"program": probe.program, "files": dict(probe.files), "old": probe.old, "new": probe.new},
    }


# The terminal --------------------------------------------------------------------------------------------------------


def told(changes: tuple[KnownChange, ...], requirements: tuple[ListedRequirement, ...]) -> Iterator[tuple[str, int]]:
    """Yield the lines of the list with the indent of what is wrapped of each, a block for each release."""
    blocks = {key: list(group) for key, group in groupby(changes, key=lambda change: (change.package, change.since))}
    rest = sorted({each.since for each in requirements if ("tokenizers", each.since) not in blocks})
    for package, release in (*blocks, *(("tokenizers", each) for each in rest)):
        yield f"{package} {release}", 0
        for change in blocks.get((package, release), ()):
            yield from _lines_of(change)
        for requirement in requirements:
            if (package, release) == ("tokenizers", requirement.since):
                before = "; its tokenizers are refused before" if requirement.refused_before else ""
                yield f"  {requirement.title} (requirement {requirement.id}, {requirement.area}{before})", INDENT
        yield "", 0


def _lines_of(change: KnownChange) -> Iterator[tuple[str, int]]:
    again = "" if change.until is None else f" ({change.holds}; as before since {change.until})"
    sources = ", ".join((*change.links, *(f"requirement {each}" for each in change.requirements)))
    yield f"  {change.component}: {change.title}{again}", INDENT
    yield f"    {change.description}", INDENT
    yield f"    before: {shown(change.probe.old)}", 2 * INDENT
    yield f"    since:  {shown(change.probe.new)}", 2 * INDENT
    yield f"    {change.id}{': ' if sources else ''}{sources}", INDENT


# Markdown ------------------------------------------------------------------------------------------------------------


def page(
    changes: tuple[KnownChange, ...],
    requirements: tuple[ListedRequirement, ...],
    unseen: tuple[UnseenChange, ...],
    command: str,
) -> str:
    """Return the page about ``changes``, ``requirements`` and what is ``unseen``, which ``command`` writes."""
    return "\n".join((*_changes(changes, command), *_requirements(requirements), *_notes(unseen))) + "\n"


def _changes(changes: tuple[KnownChange, ...], command: str) -> Iterator[str]:
    yield "# Known changes\n"
    yield f"Written by `{command}`. Each change was measured: its probe gives the old answer in the release before the"
    yield "one named, and the new answer in that one. What has no word on differences is seen by users of Python alone."
    for package, of_package in groupby(changes, key=lambda change: change.package):
        yield f"\n## {package}"
        for release, group in groupby(of_package, key=lambda change: change.since):
            yield f"\n### {package} {release}"
            for change in group:
                yield from _section(change)


def _section(change: KnownChange) -> Iterator[str]:
    yield f"\n#### {_prose(change.title)}\n"
    about = "explains differences" if change.selector is not None else "seen from Python"
    yield f"{as_code(change.id)}, {as_words(change.component)}, {about}"
    if change.until is not None:
        yield f"; only in {change.holds}, as before since {change.until}"
    yield f"\n{_prose(change.description)}\n"
    yield as_block([_plainly(line) for line in change.probe.program.rstrip("\n").split("\n")])
    yield f"\n- {change.before}: {as_code(shown(change.probe.old))}"
    yield f"- {change.since}: {as_code(shown(change.probe.new))}"
    sources = [*map(as_words, change.links), *(f"requirement {each}" for each in change.requirements)]
    if sources:
        yield f"\nSee {', '.join(sources)}."


def _requirements(requirements: tuple[ListedRequirement, ...]) -> Iterator[str]:
    if requirements:
        yield "\n## Requirements that older releases of tokenizers do not meet\n"
        yield "These rules of the suite hold since the release named; older ones fail at least one of their cases.\n"
        yield "| since | requirement | rule | before |"
        yield "| --- | --- | --- | --- |"
    for each in requirements:
        before = "its tokenizers are refused" if each.refused_before else "another answer"
        yield f"| {each.since} | {each.id} | {as_words(each.title)} | {before} |"


def _notes(unseen: tuple[UnseenChange, ...]) -> Iterator[str]:
    if unseen:
        yield "\n## Release notes without a probe\n"
        yield "These say that something behaves in another way; nothing that can be asked shows it.\n"
    for note in unseen:
        yield f"- {note.package} {note.release}, {as_words(note.link)}: {_prose(note.title)}. {_prose(note.reason)}"


def _prose(text: str) -> str:
    """Return ``text``, our own words, with what stands between backticks as code."""
    parts = text.split("`")
    return "".join(as_code(part) if number % 2 else _words(part) for number, part in enumerate(parts))


def _words(text: str) -> str:
    """Return ``text`` as running words, with the spaces at its ends."""
    before = " " if text[:1] == " " else ""
    after = " " if text[-1:] == " " and text.strip() else ""
    return f"{before}{as_words(text)}{after}"
