"""What a search has checked, as it stands in the files of CI systems."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import msgspec

from tokenizer_conformance.results.ci_results.check import CheckOutcome
from tokenizer_conformance.validation.search.cases import Case
from tokenizer_conformance.validation.search.checks import SearchChecks
from tokenizer_conformance.validation.search.events import PairingSearched

if TYPE_CHECKING:
    from tokenizer_conformance.results.ci_results.check import CheckedRun


def test_what_nobody_looked_at_fails(searched: Any) -> None:
    waiting = tuple(Case(number, text) for number, text in enumerate(["a\x1b", "b", "c", "d"]))
    written: list[CheckedRun] = []
    checks = SearchChecks(written.append)
    for event in searched(type("Twin", (fakes.Toy,), {"name": "twin"}), cases=20):
        if isinstance(event, PairingSearched):
            line = msgspec.structs.replace(event.line, unexamined=len(waiting))
            event = replace(event, line=line, waiting=waiting)  # noqa: PLW2901 - as if it had been so
        checks.handle(event)
    ((check,),) = (run.checks for run in written)
    (problem,) = check.problems
    assert check.outcome is CheckOutcome.FAILED
    assert problem.message == "4 cases differ and were not looked at, since the search was over"
    assert problem.details == (
        "4 texts with differences not looked at any more, since the search was over:",
        '  text  "a\\x1b"',
        '  text  "b"',
        '  text  "c"',
    )
