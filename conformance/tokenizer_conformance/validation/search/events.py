"""What happens in a search, as a stream of values.

It begins with :class:`Started` and ends with a :class:`SearchFinished` or :class:`FuzzFinished`, also when it is
interrupted. With given tokenizers each pairing of a tokenizer and an implementation is searched in turn: it ends with
:class:`PairingSearched`, or is given up at once with :class:`PairingRefused`. With random tokenizers every
implementation is compared in turn: its tokenizers first, then its result, then a finding for each kind of difference,
all as lines of the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing, InputRefused
from tokenizer_conformance.results.records import fuzz

if TYPE_CHECKING:
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.command_io.events import MergedPart
    from tokenizer_conformance.command_io.status import Place
    from tokenizer_conformance.results.records import search as lines
    from tokenizer_conformance.validation.search.cases import Case
    from tokenizer_conformance.validation.search.plan import FuzzPlan, Pairing, SearchPlan


@dataclass(frozen=True, slots=True)
class Started:
    """A search begins, that of the ``plan``. A record that is ``merged`` of parts names them."""

    environment: Environment
    plan: SearchPlan | FuzzPlan
    merged: tuple[MergedPart, ...] = ()


# Given tokenizers ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PairingRefused:
    """A pairing cannot be searched, since one side does not load the tokenizer; ``reason`` is what it says.

    ``is_failure``: the implementation has to load every tokenizer.
    """

    pairing: Pairing
    reason: str
    is_failure: bool = True


@dataclass(frozen=True, slots=True)
class BatchTaken:
    """A further batch, or a random tokenizer, has been taken in: how far the search has come."""

    place: Place


@dataclass(frozen=True, slots=True)
class CauseFound:
    """A new cause, number ``number`` of the search, first seen by ``case`` of a ``generator``, called ``input_id``.

    ``seconds`` of the search, and ``cases`` of the pairing, had gone by then.
    """

    pairing: Pairing
    number: int
    cause: Cause
    case: Case
    generator: str
    input_id: str
    seconds: float
    cases: int


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far the search of a pairing has come, as its record says it: another search can go on from here.

    ``waiting`` are a few of the cases that differ and that nobody has looked at.
    """

    pairing: Pairing
    line: lines.Checkpoint | lines.Result
    waiting: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class PairingSearched(Checkpoint):
    """A pairing has been searched, or not to the end, as its record says it."""

    line: lines.Result


@dataclass(frozen=True, slots=True)
class NumberedCause:
    """A cause as it stands at the end, with the number by which it was told."""

    number: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class SearchFinished(Finished):
    """The search is over; ``finished`` is false where it was interrupted. Counts are sums over the pairings.

    ``causes`` stand in the order of how many inputs they were seen on. ``unexamined`` counts cases that differ and that
    nobody has looked at, ``failed`` the pairings that could not be searched.
    """

    pairings: int
    cases: int
    questions: int
    values: int
    causes: tuple[NumberedCause, ...]
    known: int
    unexamined: int
    failed: int


# Random tokenizers ---------------------------------------------------------------------------------------------------


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


SearchEvent = (
    Started
    | ImplementationMissing
    | InputRefused
    | PairingRefused
    | BatchTaken
    | CauseFound
    | Checkpoint
    | PairingSearched
    | SearchFinished
    | fuzz.Difference
    | fuzz.Result
    | fuzz.Finding
    | FuzzFinished
)


def is_ending(event: SearchEvent) -> bool:
    """Return whether ``event`` shows that the search is being ended."""
    match event:
        case PairingSearched(line=line):
            return not line.complete
        case fuzz.Result(complete=complete):
            return not complete
        case fuzz.Finding(is_reduced=is_reduced):
            return not is_reduced
    return isinstance(event, Finished)
