"""The reports of checks that were asked for, each of which a command tells what it has checked."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.output import Report
from tokenizer_conformance.command_io.standard_streams import complain, reason_of
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.ci_results.check import CheckedRun, with_conclusion
from tokenizer_conformance.results.ci_results.github import github
from tokenizer_conformance.results.ci_results.junit import write_junit
from tokenizer_conformance.results.ci_results.rules import UNAVAILABLE, unusable_check
from tokenizer_conformance.results.ci_results.sarif import write_sarif
from tokenizer_conformance.results.records.headers import Footer
from tokenizer_conformance.results.records.making import lines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tokenizer_conformance.command_io.output import Consumer
    from tokenizer_conformance.command_io.outputs import OpenReports
    from tokenizer_conformance.results.ci_results.check import Check
    from tokenizer_conformance.results.ci_results.github import GitHub
    from tokenizer_conformance.results.records.value import Value

E = TypeVar("E")


REFUSALS = (Conclusion.BAD_INPUT, Conclusion.IMPLEMENTATION_FAILED)
"""The outcome of a command that can do nothing."""

GITHUB = "GitHub's annotations and summary"
"""How a message calls the place where GitHub is told."""


def check_reports(opened: OpenReports, make: Callable[[Callable[[CheckedRun], None]], Consumer[E]]) -> list[Report[E]]:
    """Return the reports of checks that ``opened`` has places for.

    ``make`` returns a consumer of the command's events that calls what it is given once, in the end, with all that was
    checked; the check about the end of the run is added here.
    """
    reports: list[Report[E]] = []
    for place, write in ((opened.junit, write_junit), (opened.sarif, write_sarif)):
        if place is not None:
            stream = sys.stdout if place.destination.is_standard_output else None
            reports.append(Report(place.destination.shown, make(_concluding(partial(write, place.sink))), stream))
    if opened.github:
        output = sys.stderr if opened.takes_standard_output else sys.stdout
        told = github(output, os.environ)
        reports.append(Report(GITHUB, _Guarded(make(_concluding(told.write)), told), is_last=True))
    return reports


@dataclass(frozen=True, slots=True)
class ChecksOf(Generic[E]):
    """What a command called ``title`` has checked, as lines of its record tell it; for :func:`check_reports`.

    ``checks_of`` makes the checks of all ``lines`` of events, from the header on, ``conclusion`` says what the footer
    comes to, and ``notes`` what of the header belongs to no check. That what was given can be used is checked first,
    for all commands alike.
    """

    title: str
    checks_of: Callable[[Sequence[Any]], Iterable[Check]]
    conclusion: Callable[[Any], str]
    notes: Callable[[Any], tuple[str, ...]] = lambda _header: ()
    lines: Callable[[E], Iterator[Value]] = lines_of

    def __call__(self, write: Callable[[CheckedRun], None]) -> Consumer[E]:
        """Return what tells ``write`` in the end what was checked."""
        return _Checking(self, write)


class _Checking(Generic[E]):
    """Keeps the lines of a record until the last one has come."""

    def __init__(self, told: ChecksOf[E], write: Callable[[CheckedRun], None]) -> None:
        self._told = told
        self._write = write
        self._given: list[Check] = []
        self._lines: list[Any] = []

    def handle(self, event: E) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case InputRefused(refusal):
                self._given.append(unusable_check(refusal))
            case ImplementationMissing(refusal, asked):
                self._given.append(unusable_check(refusal, rule=UNAVAILABLE, is_asked=asked))
        self._lines += self._told.lines(event)
        if self._lines and isinstance(self._lines[-1], Footer):
            self._write(self._checked(self._lines[-1]))

    def _checked(self, footer: Footer) -> CheckedRun:
        header = self._lines[0]
        return CheckedRun(
            title=self._told.title,
            environment=header.environment,
            checks=(*self._given, *self._told.checks_of(self._lines)),
            conclusion=self._told.conclusion(footer),
            exit_status=footer.exit_status,
            finished=footer.finished,
            seconds=footer.seconds,
            notes=self._told.notes(header),
        )


class _Guarded(Generic[E]):
    """A report for GitHub, which heeds nothing else from the first event on."""

    def __init__(self, consumer: Consumer[E], told: GitHub) -> None:
        self._consumer = consumer
        self._told = told

    def handle(self, event: E) -> None:
        """Take in ``event``. Raises ``OSError`` where nothing can be written."""
        self._told.heed_nothing()
        self._consumer.handle(event)


def _concluding(write: Callable[[CheckedRun], None]) -> Callable[[CheckedRun], None]:
    return lambda run: write(with_conclusion(run))


@contextmanager
def refusals_told(opened: OpenReports, title: str, what: str, name: str, command: Sequence[str]) -> Iterator[None]:
    """Tell the reports of checks where nothing can be done for what is refused in here; it is raised again.

    So a CI system does not read what an earlier run left. ``title`` names the command, whose words are ``command``;
    ``what`` and ``name`` say what is refused.
    """
    try:
        yield
    except click.ClickException as error:
        run = CheckedRun(
            title=title,
            environment=current_environment(command),
            checks=(unusable_check(Rejected(what, name, error.format_message())),),
            conclusion=next((each for each in REFUSALS if EXIT_STATUS[each] == error.exit_code), Conclusion.BAD_INPUT),
            exit_status=error.exit_code,
            finished=True,
            seconds=0.0,
        )
        reports: list[Report[CheckedRun]] = check_reports(opened, _Given)
        for report in reports:
            try:
                report.consumer.handle(run)
            except OSError as lost:
                complain(f"cannot write {report.name}: {reason_of(lost)}")
        raise


class _Given:
    """Writes the checks that it is given."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write

    def handle(self, run: CheckedRun) -> None:
        """Write ``run``. Raises ``OSError``."""
        self._write(run)
