"""What happens while implementations are fuzzed, as a stream of values.

It begins with :class:`FuzzStarted` and ends with :class:`FuzzFinished`, also when it is interrupted. Every
implementation is compared with the baseline in turn: its tokenizers first, then :class:`FuzzCompared`, then a
:class:`FuzzFinding` for each kind of difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing
from tokenizer_conformance.command_io.status import Place

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.validation.fuzz.plan import ImplementationPlan
    from tokenizer_conformance.validation.fuzz.results import FuzzDifference, FuzzResult, FuzzSignature


@dataclass(frozen=True, slots=True)
class FuzzStarted:
    """Fuzzing begins; all get the same ``tokenizers``, from number ``start`` on, each with so many ``texts``."""

    environment: Environment
    baseline: ImplementationInfo
    implementations: tuple[ImplementationInfo, ...]
    seed: int
    start: int
    tokenizers: int
    texts: int


@dataclass(frozen=True, slots=True)
class TokenizerFuzzed:
    """One more tokenizer has been compared, number ``done`` of ``total``."""

    plan: ImplementationPlan
    result: FuzzResult
    done: int
    total: int

    @property
    def place(self) -> Place:
        """How far fuzzing has come with the implementation."""
        return Place(self.plan.implementation, self.done, self.total, "tokenizers")


@dataclass(frozen=True, slots=True)
class FuzzCompared:
    """An implementation has been compared, or not to the end (``complete`` is then false). ``result`` is the sum."""

    plan: ImplementationPlan
    result: FuzzResult
    seconds: float
    complete: bool


@dataclass(frozen=True, slots=True)
class FuzzFinding:
    """Differences with one ``signature``: on how many ``tokenizers``, which is the ``first``, and one of them.

    ``is_reduced`` says that its case is as small as could be made.
    """

    plan: ImplementationPlan
    signature: FuzzSignature
    tokenizers: int
    first: int
    difference: FuzzDifference
    is_reduced: bool


@dataclass(frozen=True, slots=True)
class FuzzFinished(Finished):
    """Fuzzing is over; ``finished`` is false where it was interrupted. Counts are sums over the implementations.

    ``known`` counts the differences that the ledger expects.
    """

    tokenizers: int
    cases: int
    values: int
    differences: int
    known: int = 0


FuzzEvent = FuzzStarted | ImplementationMissing | TokenizerFuzzed | FuzzCompared | FuzzFinding | FuzzFinished


def is_ending(event: FuzzEvent) -> bool:
    """Return whether ``event`` shows that fuzzing is being ended."""
    match event:
        case FuzzCompared(complete=complete):
            return not complete
        case FuzzFinding(is_reduced=is_reduced):
            return not is_reduced
    return isinstance(event, FuzzFinished)
