"""Checks made of the lines of a record: what was given comes first, then what the command makes of its lines."""

from __future__ import annotations

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome
from tokenizer_conformance.results.ci_results.reports import ChecksOf
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.making import header_of, last_line
from tokenizer_conformance.results.records.suite_run import FORMAT

EVENTS = (
    headers.Header(**header_of(FORMAT, current_environment(["tokconf", "toy"]))),
    InputRefused(Rejected("tokenizer", "a.json", "there is none")),
    ImplementationMissing(Rejected("implementation", "b", "pip install b"), asked=False),
    headers.Refused(what="more", name="c", reason="d"),
    last_line(headers.Footer, Conclusion.BAD_INPUT, 1.5, finished=True),
)

LINES = ("Header", "Refused", "ImplementationMissing", "Refused", "Footer")


def test_the_run_is_told_once_at_the_end_with_what_was_given_first() -> None:
    told: list[CheckedRun] = []
    checks: ChecksOf[object] = ChecksOf(
        "tokconf toy",
        lambda lines: [Check(group="lines", name=type(each).__name__, outcome=CheckOutcome.PASSED) for each in lines],
        lambda footer: f"over: {footer.conclusion}",
        lambda header: (f"by {header.environment.command[0]}",),
    )
    consumer = checks(told.append)
    for event in EVENTS:
        assert not told
        consumer.handle(event)
    (run,) = told
    assert [(each.group, each.name, each.outcome) for each in run.checks] == [
        ("what was given", "tokenizer a.json", CheckOutcome.ERROR),
        ("what was given", "implementation b", CheckOutcome.SKIPPED),
        *(
            ("lines", name, CheckOutcome.PASSED)
            for name in ("Header", "Refused", "ImplementationMissing", "Refused", "Footer")
        ),
    ]
    assert (run.title, run.conclusion) == ("tokconf toy", "over: bad input")
    assert (run.exit_status, run.finished, run.seconds) == (2, True, 1.5)
    assert (run.environment.command, run.notes) == (("tokconf", "toy"), ("by tokconf",))
