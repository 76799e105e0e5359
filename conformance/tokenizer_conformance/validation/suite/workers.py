"""Asking in several processes: each takes the cases of a few tokenizers at a time, and results keep their order."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.side_by_side import side_by_side
from tokenizer_conformance.validation.suite.judging import CaseResult
from tokenizer_conformance.validation.suite.requirement import CaseInPlace
from tokenizer_conformance.validation.suite.running import of_one_tokenizer, results_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import Field, Implementation
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.validation.suite.plan import SuitePlan

ENOUGH_CASES = 32
"""A task has the cases of so many tokenizers that there are at least so many cases."""

AFTER_CASE = tuple(each.name for each in fields(CaseResult))[1:]
"""What is told of a result by a process: all but the case, which is known."""

Told = list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Task:
    """Cases that an implementation, the one of this ``number``, is asked; they have with them what is asked alone."""

    number: int
    cases: tuple[CaseInPlace, ...]


@contextmanager
def asking(plan: SuitePlan) -> Iterator[Callable[[int], Iterator[CaseResult]]]:
    """Yield what asks the implementation of a number all cases of ``plan``, in this process or in ``plan.jobs``."""
    if plan.jobs == 1:
        yield lambda number: results_of(plan.cases, plan.implementations[number], plan.fields)
        return
    with side_by_side(partial(_in_worker, plan.selected, plan.fields), plan.jobs, "asks") as done:
        yield lambda number: _results(plan.cases, done(_tasks(plan.cases, number)))


def _tasks(cases: Sequence[CaseInPlace], number: int) -> Iterator[Task]:
    taken: list[CaseInPlace] = []
    for same in of_one_tokenizer(cases):
        taken += map(_alone, same)
        if len(taken) >= ENOUGH_CASES:
            yield Task(number, tuple(taken))
            taken = []
    if taken:
        yield Task(number, tuple(taken))


def _alone(case: CaseInPlace) -> CaseInPlace:
    """Return ``case`` without the other cases and the tokenizers of its area."""
    area, name = case.area, case.case.tokenizer
    own = {
        which: {name: documents[name]} if name in documents else {}
        for which, documents in (("tokenizers", area.tokenizers), ("configurations", area.configurations))
    }
    return CaseInPlace(
        replace(area, requirements=(), tokenizers=own["tokenizers"], configurations=own["configurations"]),
        replace(case.requirement, cases=()),
        case.case,
    )


def _results(cases: Sequence[CaseInPlace], told: Iterator[Told]) -> Iterator[CaseResult]:
    each_case = iter(cases)
    for results in told:
        for result in results:
            yield CaseResult(next(each_case), *result)


def _in_worker(selected: Sequence[Selected], wanted: frozenset[Field] | None) -> Callable[[Task], Told]:
    @cache
    def built(number: int) -> Implementation:
        return selected[number].build()

    def asked(task: Task) -> Told:
        results = results_of(task.cases, built(task.number), wanted)
        return [tuple(getattr(result, name) for name in AFTER_CASE) for result in results]

    return asked
