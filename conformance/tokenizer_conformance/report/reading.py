"""A record read as a page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.outputs import NOT_KEPT
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.releases.diff.records.kinds.kind import is_later_minor
from tokenizer_conformance.report.page_kinds import PAGE_KINDS
from tokenizer_conformance.report.record_names import record_name
from tokenizer_conformance.results.records.ending import Ended
from tokenizer_conformance.results.records.lines import MALFORMED, Ending, opened, read_lines, wrong_line
from tokenizer_conformance.results.records.node import ShapeError

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.results.page import Page
    from tokenizer_conformance.results.records.node import Node


def read_page(path: Path, known_as: str | None = None) -> Page:
    """Return the page of the record at ``path``, which the user knows as ``known_as``, or by the name of the file.

    A record may be compressed by gzip or xz; that is no part of its name.

    Raises :class:`BadInputError`, with file and line, for what is no record of a kind that has pages, for one of a
    format that this release does not read, and for one that was altered.
    """
    opening = opened(path)
    kind = PAGE_KINDS.get(opening.schema)
    if kind is None:
        known = ", ".join(sorted(each.noun for each in PAGE_KINDS.values()))
        raise BadInputError(
            f"{opening.name} is a record of the format {opening.schema!r}, which has no page; pages are made of {known}"
        )
    if opening.version.partition(".")[0] != kind.format.version.partition(".")[0]:
        raise BadInputError(
            f"{opening.name} is of version {opening.version} of its format; this release reads version "
            f"{kind.format.version}: use the release of tokconf that wrote it"
        )
    # A later minor version may have lines that are not known here: they are left out, the rest is as it was.
    known_types = kind.format.tags | {"resumed"}
    is_later = is_later_minor(opening.version, kind.format.version)
    ending = Ending()
    try:
        reader = kind.reader(_name(path, known_as), kind.format.read(opening.header.value))
    except MALFORMED as error:
        raise wrong_line(path, 1, error) from error

    def take(type_: str, line: Node) -> None:
        if type_ in known_types:
            reader.take(kind.format.read(line.value))
        elif not is_later:
            raise ShapeError(f"there is no line of type {type_!r}")

    read_lines(opening, ending, take)
    try:
        page = reader.page(_ended(ending))
    except MALFORMED as error:
        raise BadInputError(f"{opening.name} is not that of a record: {error}") from error
    return replace(page, name=record_name(path) if known_as is None else known_as)


def _ended(ending: Ending) -> Ended:
    """Return how the command came to its end; one without a footer was interrupted."""
    complaints = () if ending.is_whole else (ending.words,)
    if ending.footer is None:
        return Ended(complaints=complaints)
    return Ended(finished=True, conclusion=Conclusion(ending.footer.text("conclusion")), complaints=complaints)


def _name(path: Path, known_as: str | None) -> str:
    """Return what a command is given to read the record again; empty where it is not kept."""
    return str(path) if known_as is None else known_as.replace(NOT_KEPT, "")
