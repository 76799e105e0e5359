"""Of several reasons for an exit status the heavier one counts: each pair, through the end of a run and its reports."""

from __future__ import annotations

import errno
import io
import itertools
import re
from pathlib import Path

import pytest
from fake_implementations import Toy, Utf8

import tokenizer_conformance
from tokenizer_adapters.contract import PIPELINE_STAGES, Field, Stage
from tokenizer_conformance.command_io.conclusion import EXIT_STATUSES, Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.output import Dispatcher, Report
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.results.records.run import Result, ResultStage
from tokenizer_conformance.validation.running.concluding import INTERRUPTED, Course, concluded
from tokenizer_conformance.validation.running.events import RunFinished, RunStarted, TokenizerFinished
from tokenizer_conformance.validation.running.plan import Requirement

REASONS = (
    ("interrupted", 130),
    ("internal error", 3),
    ("bad input", 2),
    ("parts are missing", 3),
    ("failed implementation", 3),
    ("unstable", 3),
    ("nothing compared", 3),
    ("too little answered", 3),
    ("report not written", 3),
    ("differences", 1),
    ("stale ledger", 1),
)
"""What keeps a command from ending with 0, the heaviest first, each with its status."""

STATUS = dict(REASONS)


class Consumer:
    """A report; one that is lost cannot be written."""

    def __init__(self, *, is_lost: bool = False) -> None:
        self._is_lost = is_lost

    def handle(self, _event: object) -> None:
        """Take in an event."""
        if self._is_lost:
            raise OSError(errno.ENOSPC, "No space left on device")


def status_of(*reasons: str) -> int:
    """Return the exit status of a run for which ``reasons`` hold: as the run concludes, and as its reports go."""
    started = RunStarted(
        environment=current_environment(()),
        baseline="toy",
        implementations=(Toy().info, Utf8().info),
        tokenizers=(),
        inputs=1,
        inputs_sha256="",
        stages=PIPELINE_STAGES,
        fields=tuple(Field),
        every_id=False,
        seed=0,
        required=(Requirement(Stage.MODEL, Field.OFFSETS),) if "too little answered" in reasons else (),
    )
    done = TokenizerFinished(
        tokenizer="toy",
        results=(row_of(reasons),),
        findings=(),
        inputs=1,
        ids=0,
        baseline_seconds=0.0,
        seconds=0.0,
        complete=True,
    )
    course = Course(
        done=(done,),
        reason=INTERRUPTED if "interrupted" in reasons else None,
        seconds=0.0,
        refused="bad input" in reasons,
        failed="failed implementation" in reasons,
        broken="internal error" in reasons,
        incomplete="parts are missing" in reasons,
    )
    stale = (
        (Entry(implementation="utf8", reason="it was so", place=Place("known.toml", 1, 1)),)
        if "stale ledger" in reasons
        else ()
    )
    return status_after(concluded(started, course, stale), is_lost="report not written" in reasons)


def row_of(reasons: tuple[str, ...]) -> Result:
    """Return what was compared. Where nothing was, an error stands for the difference."""
    nothing = "nothing compared" in reasons
    values = {Verdict.AGREE: 0 if nothing else 5, Verdict.UNSTABLE: int("unstable" in reasons)}
    values[Verdict.ERROR if nothing else Verdict.DIFFER] = int("differences" in reasons)
    lost = {Field.OFFSETS: 5} if "too little answered" in reasons else {}
    count = ResultStage(
        inputs={}, values=values, unsupported_fields=lost, questions=5, answerable=5, unanswered_fields=lost
    )
    return Result(
        implementation="utf8",
        stages={Stage.MODEL: count},
        blamed={},
        failing_inputs=0,
        seconds=0.0,
        load_error=None,
    )


def status_after(end: RunFinished, *, is_lost: bool) -> int:
    """Return the exit status after ``end`` was handed to a summary, and to a report that is lost."""
    reports = [Report("'report.md'", Consumer(is_lost=True))] if is_lost else []
    dispatcher: Dispatcher[object] = Dispatcher(reports, Report("the summary", Consumer(), stream=io.StringIO()))
    dispatcher.handle(end)
    return dispatcher.status_after(end.exit_status)


def test_all_reasons_and_only_these_are_in_the_table() -> None:
    assert status_of() == 0
    assert {reason: status_of(reason) for reason in STATUS} == STATUS
    assert {row.status for row in EXIT_STATUSES} == {0, *STATUS.values()}


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(STATUS, 2)))
def test_of_two_reasons_the_heavier_one_counts(first: str, second: str) -> None:
    assert status_of(first, second) == STATUS[first]
    assert status_of(first, second, "differences", "stale ledger") == STATUS[first]


def test_no_command_weighs_reasons_in_another_way() -> None:
    package = Path(tokenizer_conformance.__file__).parent
    deciding = re.compile(r"return Conclusion\.(?!INTERRUPTED if ending)|else Conclusion\.[A-Z]+$", re.MULTILINE)
    files = [file for file in package.rglob("*.py") if file.name != "conclusion.py"]
    assert len(files) > 500
    assert [str(file) for file in files if deciding.search(file.read_text("utf-8"))] == []


IN_ORDER = (
    "interrupted",
    "internal error",
    "bad input",
    "parts are missing",
    "an implementation failed",
    "nothing was compared",
    "too little was answered",
    "differences",
    "a ledger is stale",
    "conform",
)


@pytest.mark.parametrize("first", range(len(IN_ORDER)))
def test_of_all_that_holds_the_gravest_is_told(first: int) -> None:
    holding = {Conclusion(name): True for name in reversed(IN_ORDER[first:])}
    others = {Conclusion(name): False for name in IN_ORDER[:first]}
    assert conclusion_from(holding | others) == IN_ORDER[first]
    assert len(Conclusion) == len(IN_ORDER)
