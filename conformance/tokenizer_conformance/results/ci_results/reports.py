"""The reports of checks that were asked for, each of which a command tells what it has checked."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

import click

from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.output import Report
from tokenizer_conformance.command_io.standard_streams import complain, reason_of
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.ci_results.check import CheckedRun, with_conclusion
from tokenizer_conformance.results.ci_results.github import github
from tokenizer_conformance.results.ci_results.junit import write_junit
from tokenizer_conformance.results.ci_results.rules import unusable_check
from tokenizer_conformance.results.ci_results.sarif import write_sarif

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_conformance.command_io.output import Consumer
    from tokenizer_conformance.command_io.outputs import OpenReports
    from tokenizer_conformance.results.ci_results.github import GitHub

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
