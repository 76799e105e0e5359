"""Where the events of a command go: standard output, and the reports that were asked for."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import click

from tokenizer_conformance.command_io import internal_error
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.standard_streams import complain, discard, reason_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

E = TypeVar("E")
E_contra = TypeVar("E_contra", contravariant=True)

REPORTED_RESULTS = (EXIT_STATUS[Conclusion.CONFORM], EXIT_STATUS[Conclusion.DIFFERENCES])
"""The exit statuses that say how a comparison ended."""

NOT_REPORTED = EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED]
"""The exit status where a report that was asked for could not be written."""


class Consumer(Protocol[E_contra]):
    """A report at work."""

    def handle(self, event: E_contra) -> None:
        """Take in one event. May raise ``OSError`` where the report cannot be written."""


@dataclass(frozen=True, slots=True)
class Report(Generic[E]):
    """A report at work: how a message calls the place where it is written, and the standard ``stream`` if it is one.

    ``is_last``: it is printed where the summary is, and comes after it.
    """

    name: str
    consumer: Consumer[E]
    stream: TextIO | None = None
    is_last: bool = False


class BadInput(click.ClickException):
    """Nothing that was given can be used; the message says why."""

    exit_code = EXIT_STATUS[Conclusion.BAD_INPUT]

    def show(self, file: object = None) -> None:  # noqa: ARG002 - click's signature
        """Print the message in the form of all complaints about what was given."""
        complain(self.message)


class ReportLost(BadInput):
    """A report that was asked for could not be written; the message says why."""

    exit_code = NOT_REPORTED


def takes_standard_output(reports: Sequence[Report[E]]) -> bool:
    """Return whether one of the ``reports`` is written to standard output, which then is nothing but that report."""
    return any(report.stream is not None and report.stream is sys.stdout for report in reports)


class Dispatcher(Generic[E]):
    """Hands events to the ``reports`` and to the ``summary``. One that cannot be written costs the others nothing.

    That is said in one line; but where a reader has gone away, as that of ``tokconf run | head``, nobody is told. The
    summary is still handed all events then, since it says on standard error what could not be used.
    """

    def __init__(self, reports: Sequence[Report[E]], summary: Report[E]) -> None:
        self._summary = summary
        self._at_work = sorted([*reports, summary], key=lambda report: report.is_last)
        self._read = [report for report in self._at_work if report is not summary or summary.stream is not None]
        self._is_lost = False
        self._has_told_of_loss = False

    def handle(self, event: E) -> None:
        """Hand ``event`` to every report that is left."""
        for report in list(self._at_work):
            try:
                report.consumer.handle(event)
            except OSError as error:
                self._give_up(report, error)
            except Exception as error:  # noqa: BLE001 - a bug in one report is no reason to lose the others
                internal_error.tell(error, f" in the report to {report.name}")
                self._has_told_of_loss = True
                self._leave_out(report)

    def _give_up(self, report: Report[E], error: OSError) -> None:
        discard(report.stream)
        if report not in self._read:
            return
        is_gone = isinstance(error, BrokenPipeError)
        if not is_gone:
            self._has_told_of_loss = True
            complain(f"cannot write {report.name}: {reason_of(error)}")
        if report is self._summary:
            self._read.remove(report)
            self._is_lost = self._is_lost or not is_gone
        else:
            self._leave_out(report)

    def _leave_out(self, report: Report[E]) -> None:
        """Hand ``report`` nothing more: it is lost."""
        self._is_lost = True
        self._at_work.remove(report)
        if report in self._read:
            self._read.remove(report)

    def nobody_listens(self) -> bool:
        """Whether there is no report left that anybody can read."""
        return not self._read

    def has_named_another_status(self) -> bool:
        """Whether the summary, which is read, has told a status that a lost report has changed since."""
        return self._has_told_of_loss and self._summary in self._read

    def status_after(self, status: int) -> int:
        """Return the exit status: conformity, or a difference, that could not be reported is a failure.

        A summary whose reader has gone away is no loss where another report was written.
        """
        is_reported = not self._is_lost and not self.nobody_listens()
        return status if is_reported or status not in REPORTED_RESULTS else NOT_REPORTED
