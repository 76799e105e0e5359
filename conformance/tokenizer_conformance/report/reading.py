"""A record read as a page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.explain.page import EXPLANATIONS
from tokenizer_conformance.command_io.outputs import NOT_KEPT
from tokenizer_conformance.errors import BadInputError, form_words
from tokenizer_conformance.releases.diff.records.page import RECORD_DIFFS
from tokenizer_conformance.releases.loader_audit.page import LOADER_AUDITS
from tokenizer_conformance.releases.versions.page import VERSIONS
from tokenizer_conformance.report.record_names import record_name
from tokenizer_conformance.research.cuts.page import COMPARISONS
from tokenizer_conformance.research.file_audit.page import FILE_AUDITS
from tokenizer_conformance.research.metrics.page import METRICS
from tokenizer_conformance.research.offsets_audit.page import OFFSETS_AUDITS
from tokenizer_conformance.research.streams_audit.page import STREAMS_AUDITS
from tokenizer_conformance.research.training.page import TRAININGS
from tokenizer_conformance.research.unicode_audit.page import UNICODE_AUDITS
from tokenizer_conformance.results.records.ending import Ending
from tokenizer_conformance.results.records.lines import MALFORMED, opened, read_lines
from tokenizer_conformance.validation.running.page import RUNS
from tokenizer_conformance.validation.search.page import SEARCHES
from tokenizer_conformance.validation.search.random_page import FUZZING
from tokenizer_conformance.validation.suite.page import SUITES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenizer_conformance.results.page import Page
    from tokenizer_conformance.results.recorded_page import RecordedPage

PAGE_KINDS: Mapping[str, RecordedPage] = {
    kind.format.name: kind
    for kind in (
        COMPARISONS,
        EXPLANATIONS,
        FILE_AUDITS,
        FUZZING,
        LOADER_AUDITS,
        METRICS,
        OFFSETS_AUDITS,
        RECORD_DIFFS,
        RUNS,
        SEARCHES,
        STREAMS_AUDITS,
        SUITES,
        TRAININGS,
        UNICODE_AUDITS,
        VERSIONS,
    )
}
"""The kinds; a further one is a module and an entry here."""


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
    ending = Ending()
    reader = opening.made_of_header(kind.reader, _name(path, known_as), opening.header(kind.format))
    read_lines(opening, kind.format, ending, reader.take)
    try:
        page = reader.page(ending.ended())
    except MALFORMED as error:
        raise BadInputError(f"{opening.name} is not that of a record: {form_words(error)}") from error
    seconds = None if ending.footer is None else ending.footer.seconds
    return replace(page, name=record_name(path) if known_as is None else known_as, seconds=seconds)


def _name(path: Path, known_as: str | None) -> str:
    """Return what a command is given to read the record again; empty where it is not kept."""
    return str(path) if known_as is None else known_as.replace(NOT_KEPT, "")
