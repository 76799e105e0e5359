"""The report of a check in a notebook: markup in which everything from tokenizers and texts is escaped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import jinja2

from tokenizer_conformance.escape import visible
from tokenizer_conformance.validation.python_api.wording import (
    closing_lines,
    conclusion_of,
    finding_blocks,
    requirement_blocks,
    summary_of,
)
from tokenizer_conformance.validation.running.wording import cell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.validation.python_api.results import Results

MOST_BLOCKS = 25
"""How many findings, and how many requirements, a notebook shows."""


def notebook_markup(report: Results) -> str:
    """Return ``report`` as a part of an HTML document."""
    return (
        _environment()
        .get_template("notebook.html.jinja")
        .render(
            sign="\N{CHECK MARK}" if report.conforms else "\N{BALLOT X}",
            conclusion=conclusion_of(report).value,
            summary=summary_of(report),
            stages=list(_stages(report)),
            parts=[
                ("Differences on texts", finding_blocks(report)),
                ("Requirements that failed", requirement_blocks(report)),
            ],
            closing=list(closing_lines(report)),
            most=MOST_BLOCKS,
        )
    )


def _stages(report: Results) -> Iterator[tuple[str, str]]:
    """Yield the result of each stage, on each tokenizer."""
    for finished in report.finished:
        for result in finished.results:
            for stage in result.stages:
                yield str(stage), ", ".join(cell(result, stage))


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("tokenizer_conformance.validation.python_api", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["text"] = lambda value: visible(str(value))
    return made
