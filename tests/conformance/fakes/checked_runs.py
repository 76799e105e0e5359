"""Runs of checks for the tests of their writers: one with every outcome, and any with any text in any field."""

from __future__ import annotations

from hypothesis import strategies as st

from tokenizer_conformance.command_io.environment import Environment
from tokenizer_conformance.results.ci_results.check import (
    Check,
    CheckedRun,
    CheckOutcome,
    Location,
    Problem,
    Rule,
    with_conclusion,
)

EVIL = "\x1b[2J\u202e\ud800\ufffe\r\n::error::x]]>&<\"'`|\x00%0A\x85\u2028"
"""What ends lines, strings, elements and commands, and what XML cannot have."""

TEXTS = st.text(st.characters(), max_size=12) | st.sampled_from((EVIL, "", " ", "a", "::error file=x::y", "##[error]x"))
LINES = st.lists(TEXTS, max_size=3).map(tuple)

RULES = st.builds(Rule, TEXTS, TEXTS, LINES)
LOCATIONS = st.builds(Location, TEXTS.filter(bool), st.none() | st.integers(1, 10**6))
PROBLEMS = st.builds(
    Problem,
    rule=RULES,
    message=TEXTS,
    details=LINES,
    repeat=TEXTS,
    location=st.none() | LOCATIONS,
    identity=TEXTS,
)


@st.composite
def checks(draw: st.DrawFn) -> Check:
    outcome = draw(st.sampled_from(CheckOutcome))
    return Check(
        group=draw(TEXTS),
        name=draw(TEXTS),
        outcome=outcome,
        message=draw(TEXTS),
        details=draw(LINES),
        problems=tuple(draw(st.lists(PROBLEMS, min_size=1, max_size=3))) if outcome.is_wrong else (),
        location=draw(st.none() | LOCATIONS),
        properties=draw(st.dictionaries(TEXTS, TEXTS, max_size=2)),
        seconds=draw(st.none() | st.floats(0, 1e9)),
    )


ENVIRONMENTS = st.builds(
    Environment,
    tokconf=TEXTS,
    python=TEXTS,
    platform=TEXTS,
    started=st.just("2026-11-22T10:00:00+00:00"),
    command=LINES,
)

RUNS = st.builds(
    CheckedRun,
    title=TEXTS.map("tokconf {}".format),
    environment=ENVIRONMENTS,
    checks=st.lists(checks(), max_size=4).map(tuple),
    conclusion=TEXTS,
    exit_status=st.sampled_from((0, 1, 2, 3, 130)),
    finished=st.booleans(),
    seconds=st.floats(0, 1e9),
    notes=LINES,
).map(with_conclusion)


def run_of(*given: Check, exit_status: int = 1, finished: bool = True, notes: tuple[str, ...] = ()) -> CheckedRun:
    """A run of these checks."""
    environment = Environment("0.1.0", "CPython 3.11", "Linux x86_64", "2026-11-22T10:00:00+00:00", ("tokconf", "run"))
    return with_conclusion(
        CheckedRun(
            title="tokconf run",
            environment=environment,
            checks=given,
            conclusion="differences" if exit_status else "conform",
            exit_status=exit_status,
            finished=finished,
            seconds=1.5,
            notes=notes,
        )
    )


def failed(name: str = "model", *, problems: int = 1, **changes: object) -> Check:
    """A check that fails for so many problems."""
    rule = Rule("score-tie", "segmentations of equal score", ("Both are right.",))
    fields: dict[str, object] = {
        "group": "mine on bert",
        "name": name,
        "outcome": CheckOutcome.FAILED,
        "problems": tuple(
            Problem(rule=rule, message=f"problem {number}", details=('text  "a"',), repeat="x", identity=str(number))
            for number in range(problems)
        ),
        "location": Location("models/bert/tokenizer.json", 7),
    }
    return Check(**{**fields, **changes})  # type: ignore[arg-type]


def of(outcome: CheckOutcome, name: str = "decode", message: str = "why") -> Check:
    """A check that did not fail."""
    return Check(group="mine on bert", name=name, outcome=outcome, message=message)
