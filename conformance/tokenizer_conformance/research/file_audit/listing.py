"""The list of all kinds of defects, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.research.file_audit.checks_table import CHECKS, ON_READING
from tokenizer_conformance.research.file_audit.engine import READING

if TYPE_CHECKING:
    from collections.abc import Iterator


def defect_lines() -> Iterator[str]:
    """Yield a block for each kind of defect, by the check that finds it."""
    groups = [(READING, ON_READING), *((check.name, check.defects) for check in CHECKS)]
    for number, (name, defects) in enumerate(groups):
        yield from ([""] if number else [])
        yield f"{name}:"
        for defect in defects:
            yield f"  {defect.id} ({defect.severity}): {defect.title}."
            yield f"      {defect.explanation}"
            yield f"      Fix: {defect.remedy}"
