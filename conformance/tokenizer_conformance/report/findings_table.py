"""The findings of a page as a table for other programs: a row each, whatever command they are of.

The columns are a contract: a new one comes at the end, with a greater minor version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.table_files import csv_table, parquet_table
from tokenizer_conformance.comparison.wording import shown_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.page import Page, ShownFinding

COLUMNS: dict[str, type] = {
    "finding": str,
    "list": str,
    "implementation": str,
    "tokenizer": str,
    "stage": str,
    "class": str,
    "standing": str,
    "headline": str,
    "count": int,
    "counted": str,
    "impact": str,
    "subject": str,
    "explanation": str,
    "known": str,
    "repeat": str,
    "record": str,
}
"""The columns, and what they hold."""

METADATA = {"schema": "tokenizer-conformance-findings", "version": "1.0"}
"""What a Parquet file says of itself, in the metadata of its schema."""


def csv_of(page: Page) -> bytes:
    """Return the findings of ``page`` as CSV."""
    return csv_table(COLUMNS, _rows(page))


def parquet_of(page: Page) -> bytes:
    """Return the findings of ``page`` as Parquet. Raises ``BadInputError`` where ``pyarrow`` is not installed."""
    return parquet_table(COLUMNS, _rows(page), METADATA)


def _rows(page: Page) -> Iterator[dict[str, str | int]]:
    for finding in page.findings:
        yield {
            "finding": finding.id,
            "list": finding.group,
            "implementation": finding.implementation,
            "tokenizer": finding.tokenizer,
            "stage": finding.stage,
            "class": finding.reason,
            "standing": str(finding.standing),
            "headline": finding.headline,
            "count": finding.count,
            "counted": page.counted,
            "impact": finding.impact,
            "subject": _subject(finding),
            "explanation": finding.explanation,
            "known": finding.known,
            "repeat": finding.repeat,
            "record": finding.record or page.name,
        }


def _subject(finding: ShownFinding) -> str:
    return "; ".join(
        f"{each.label} {shown_text(each.text) if each.text is not None else ', '.join(map(str, each.ids))}"
        for each in finding.subjects
    )
