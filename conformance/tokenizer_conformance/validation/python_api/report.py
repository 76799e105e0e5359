"""The report of a check: its result, and what can be done with it."""

from __future__ import annotations

from typing import Any

from tokenizer_conformance.validation.python_api.frame import frame_of
from tokenizer_conformance.validation.python_api.notebook import notebook_markup
from tokenizer_conformance.validation.python_api.results import Results
from tokenizer_conformance.validation.python_api.wording import message_of, summary_of


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
