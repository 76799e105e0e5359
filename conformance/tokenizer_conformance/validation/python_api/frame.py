"""The report of a check as a table of ``pandas``, where that is installed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.wording import example_headline, subject_lines
from tokenizer_conformance.validation.suite.judging import CaseVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.comparison.findings import Finding
    from tokenizer_conformance.validation.python_api.results import Results
    from tokenizer_conformance.validation.suite.results import RequirementResult

COLUMNS = ("kind", "name", "stage", "field", "verdict", "detail", "inputs", "differences", "known", "example")
"""``kind`` is ``text`` or ``requirement``; ``inputs`` counts texts or cases, ``differences`` those that are wrong."""

INSTALL = "pip install 'tokenizer-conformance[frame]'"


def frame_of(report: Results) -> Any:
    """Return ``report`` as a table with the columns :data:`COLUMNS`.

    Raises :class:`ImportError` where ``pandas`` is not installed.
    """
    try:
        pandas = importlib.import_module("pandas")
    except ImportError as error:
        raise ImportError(f"to_frame needs pandas, which is not installed; install it with: {INSTALL}") from error
    return pandas.DataFrame(list(rows_of(report)), columns=list(COLUMNS))


def rows_of(report: Results) -> Iterator[tuple[object, ...]]:
    """Yield the rows of the table."""
    yield from (_finding_row(finding, is_known=False) for finding in report.findings)
    yield from (_finding_row(finding, is_known=True) for finding in report.known)
    yield from map(_requirement_row, report.requirements)


def _finding_row(finding: Finding, *, is_known: bool) -> tuple[object, ...]:
    signature, example = finding.signature, finding.smallest
    return (
        "text",
        signature.tokenizer,
        str(signature.stage),
        None if signature.field is None else str(signature.field),
        str(signature.verdict),
        str(signature.kind),
        finding.inputs,
        finding.differences,
        is_known,
        "; ".join([example_headline(example), *subject_lines(example.question, example.near)]),
    )


def _requirement_row(result: RequirementResult) -> tuple[object, ...]:
    first = result.wrong[0].failures[0] if result.wrong else None
    field = None if first is None else first.field
    return (
        "requirement",
        result.requirement.id,
        str(result.area.stage if result.blame is None else result.blame),
        None if field is None else str(field),
        str(result.verdict),
        result.requirement.title if first is None else first.wrong,
        len(result.results),
        len(result.wrong),
        result.verdict is CaseVerdict.KNOWN,
        result.wrong[0].judged.id if result.wrong else None,
    )
