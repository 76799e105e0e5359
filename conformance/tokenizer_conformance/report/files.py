"""The files that are made of a record: a page, and tables of findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.outputs import CSV, HTML, PARQUET
from tokenizer_conformance.command_io.table_files import require_pyarrow
from tokenizer_conformance.report.findings_table import csv_of, parquet_of
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.html.writing import html_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tokenizer_conformance.results.page import Page


def _nothing() -> None:
    """Require nothing: the file can be made wherever this package is installed."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file that is made of a page; ``require`` raises ``BadInputError`` where it cannot be made here."""

    of_page: Callable[[Page], bytes]
    require: Callable[[], None] = _nothing

    def make(self, record: Path, known_as: str) -> bytes:
        """Return the file of the record at that path, which the user knows as ``known_as``.

        Raises ``BadInputError`` for what is no record of a kind that has pages.
        """
        return self.of_page(read_page(record, known_as))


def html_file(page: Page) -> bytes:
    """Return ``page`` as an HTML file, in UTF-8."""
    return html_of(page).encode("utf-8", "backslashreplace")


FILES: Mapping[str, RecordFile] = {
    HTML: RecordFile(html_file),
    CSV: RecordFile(csv_of),
    PARQUET: RecordFile(parquet_of, require_pyarrow),
}
"""The files, by the options that ask for them."""
