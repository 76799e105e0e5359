"""The report of a check: its result, what can be done with it, and how a notebook shows it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import jinja2

from tokenizer_conformance.escape import visible
from tokenizer_conformance.validation.python_api.frame import frame_of
from tokenizer_conformance.validation.python_api.results import Results
from tokenizer_conformance.validation.python_api.wording import (
    closing_lines,
    conclusion_of,
    finding_blocks,
    message_of,
    requirement_blocks,
    summary_of,
)
from tokenizer_conformance.validation.running.wording import cell

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BLOCKS = 25
"""How many findings, and how many requirements, a notebook shows."""


class ConformanceError(AssertionError):
    """An implementation does not conform. The message says where it differs first, and shows both sides.

    ``report`` is the whole report.
    """

    def __init__(self, message: str, report: ConformanceReport) -> None:
        super().__init__(message)
        self.report = report


class ConformanceReport(Results):
    """The result of a check (:class:`~.results.Results`), to be asked and to be raised."""

    __slots__ = ()

    def raise_for_differences(self) -> None:
        """Raise :class:`ConformanceError` unless the implementation conforms."""
        __tracebackhide__ = True
        if not self.conforms:
            raise ConformanceError(message_of(self), self)

    def to_frame(self) -> Any:
        """Return a table of ``pandas`` with a row for each finding, known or not, and for each requirement.

        Raises :class:`ImportError` where ``pandas`` is not installed.
        """
        return frame_of(self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: markup without scripts and styles, in which all text is escaped."""
        return notebook_markup(self)

    def __str__(self) -> str:
        return message_of(self)

    def __repr__(self) -> str:
        return f"<ConformanceReport {summary_of(self)}>"


# In a notebook -------------------------------------------------------------------------------------------------------


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
