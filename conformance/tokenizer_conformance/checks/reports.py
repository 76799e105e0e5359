"""The reports of checks that were asked for, each of which a command tells what it has checked."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from tokenizer_conformance.checks.check import with_conclusion
from tokenizer_conformance.checks.github import github
from tokenizer_conformance.checks.junit import write_junit
from tokenizer_conformance.checks.sarif import write_sarif
from tokenizer_conformance.session.output import Report

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.checks.check import CheckedRun
    from tokenizer_conformance.checks.github import GitHub
    from tokenizer_conformance.session.output import Consumer
    from tokenizer_conformance.session.outputs import OpenReports

E = TypeVar("E")


GITHUB = "GitHub's annotations and summary"
"""How a message calls the place where GitHub is told."""


def check_reports(
    opened: OpenReports[E], make: Callable[[Callable[[CheckedRun], None]], Consumer[E]]
) -> list[Report[E]]:
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
