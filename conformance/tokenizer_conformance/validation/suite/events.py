"""What happens while the suite is run, as a stream of values.

It begins with :class:`SuiteStarted` and ends with :class:`SuiteFinished`, also when it is interrupted. The
implementations are asked one after the other: a :class:`CaseJudged` for each case, then :class:`ImplementationJudged`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing
from tokenizer_conformance.command_io.status import Place

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.command_io.events import MergedPart
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.suite.judging import CaseResult
    from tokenizer_conformance.validation.suite.plan import SuitePlan
    from tokenizer_conformance.validation.suite.results import RequirementResult


@dataclass(frozen=True, slots=True)
class SuiteStarted:
    """The suite is begun. A record that is ``merged`` of parts names them."""

    environment: Environment
    plan: SuitePlan
    implementations: tuple[ImplementationInfo, ...]
    merged: tuple[MergedPart, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseJudged:
    """One more case was judged, number ``done`` of ``total`` for the implementation."""

    implementation: str
    result: CaseResult
    done: int
    total: int

    @property
    def place(self) -> Place:
        """How far the suite has come with the implementation."""
        return Place(self.implementation, self.done, self.total, "cases")


@dataclass(frozen=True, slots=True)
class ImplementationJudged:
    """An implementation was asked all cases, or not all (``complete`` is then false)."""

    info: ImplementationInfo
    results: tuple[RequirementResult, ...]
    seconds: float
    complete: bool


@dataclass(frozen=True, slots=True)
class SuiteFinished(Finished):
    """The suite is over; ``finished`` is false where it was ended before that.

    ``stale`` are the entries of the ledger that nothing matched, although all that they are about was judged.
    """

    stale: tuple[Entry, ...] = ()


SuiteEvent = SuiteStarted | ImplementationMissing | CaseJudged | ImplementationJudged | SuiteFinished


def is_ending(event: SuiteEvent) -> bool:
    """Return whether ``event`` shows that the suite is being ended."""
    match event:
        case ImplementationJudged(complete=complete):
            return not complete
    return isinstance(event, SuiteFinished)
