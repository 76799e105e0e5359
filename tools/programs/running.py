"""Running a program on both sides, step by step, until they part."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import warnings
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import tokenizers
from call_outcomes import agree, names_of, plain
from lone_process import ProcessLostError

import tokenizer_reference
from programs.left_out import FIRST_CLASSES, left_out
from programs.step import PRELUDE
from tokenizer_conformance.comparison.reduction import shortest
from tokenizer_reference.errors import UpstreamPanicError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType

    from lone_process import LoneProcess

    from programs.step import Step

LONGEST_SHOWN = 600


@dataclass(frozen=True, slots=True)
class Difference:
    """The steps of a program up to the one after which the sides part, and what either did then."""

    steps: tuple[Step, ...]
    reference: str
    target: str


@dataclass(slots=True)
class Counts:
    """How often steps of each kind ran, how often each gave a value, and what was left out."""

    ran: Counter[str] = field(default_factory=Counter)
    succeeded: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    ended_early: int = 0

    def add(self, other: Counts) -> None:
        """Add what ``other`` counted."""
        self.ran += other.ran
        self.succeeded += other.succeeded
        self.left_out += other.left_out
        self.ended_early += other.ended_early


# In the process that runs programs -----------------------------------------------------------------------------------


def run(steps: Sequence[Step]) -> tuple[Counts, Difference | None]:
    """Return how the steps went, and where the sides part."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"  # which of several errors comes first
    counts = Counts()
    ours, theirs = (start(package) for package in (tokenizer_reference, tokenizers))
    for at, step in enumerate(steps):
        doubt = left_out(step, ours)
        if doubt is not None:
            counts.left_out[doubt] += 1
            continue
        expected = outcome(step, theirs)
        known = len(ours)
        answer = outcome(step, ours)
        ours[FIRST_CLASSES] |= {name: type(ours[name]).__name__ for name in list(ours)[known:]}
        counts.ran[step.kind] += 1
        if not agree(answer, expected):
            return counts, Difference(tuple(steps[: at + 1]), _shown(answer), _shown(expected))
        if not isinstance(expected, BaseException):
            counts.succeeded[step.kind] += 1
        elif step.locks and type(expected).__name__ == "PanicException":
            counts.ended_early += 1
            break
    return counts, None


def start(package: Any) -> dict[str, Any]:
    """Return the names that a program of a package begins with."""
    names = names_of(package) | {FIRST_CLASSES: {}}
    exec(PRELUDE, names)
    return names


def outcome(step: Step, names: dict[str, Any]) -> Any:
    """Return the value of the last line of ``step`` in its plain form, or the exception that it raises."""
    statements, last = _compiled(step.code)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            exec(statements, names)
            return None if last is None else plain(eval(last, names))
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001 - a panic is one, and an outcome
            return error


@lru_cache(maxsize=4096)
def _compiled(code: str) -> tuple[CodeType, CodeType | None]:
    body = ast.parse(code).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    return (
        compile(ast.Module(body, []), "<step>", "exec"),
        None if last is None else compile(ast.Expression(last.value), "<step>", "eval"),
    )


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"


# In the process that asks for it -------------------------------------------------------------------------------------


def run_in(process: LoneProcess, steps: tuple[Step, ...]) -> tuple[Counts, Difference | None]:
    """Return what :func:`run` returns in ``process``; where that is lost, the step at which it is.

    Where the reference says that the target panics there, an abort is no difference.
    """
    try:
        return process.call(run, steps)
    except ProcessLostError as error:
        found = _where_lost(process, steps, str(error))
    try:
        counts, difference = process.call(run, found.steps[:-1])
        is_panic = process.call(ends_in_panic, found.steps)
    except ProcessLostError:
        return Counts(), found
    if difference is not None or not is_panic:
        return counts, difference or found
    counts.ended_early += 1
    return counts, None


def ends_in_panic(steps: Sequence[Step]) -> bool:
    """Return whether the reference says of the last step that the target panics."""
    names = start(tokenizer_reference)
    return isinstance([outcome(step, names) for step in steps][-1], UpstreamPanicError)


def _where_lost(process: LoneProcess, steps: tuple[Step, ...], how: str) -> Difference:
    survived, lost = 0, len(steps)
    while survived + 1 < lost:
        middle = (survived + lost) // 2
        try:
            process.call(run, steps[:middle])
            survived = middle
        except ProcessLostError:
            lost = middle
    return Difference(steps[:lost], "not asked any more", how)


def reduced(process: LoneProcess, difference: Difference) -> Difference:
    """Return ``difference`` with no more steps than show one of its kind at its last step."""
    *before, last = difference.steps
    found = difference

    def parts_there(steps: tuple[Step, ...]) -> bool:
        nonlocal found
        _, seen = run_in(process, (*steps, last))
        if seen is None or seen.steps != (*steps, last):
            return False
        found = seen
        return True

    steps = shortest(tuple(before), parts_there)
    return replace(found, steps=(*steps, last))
