"""What happens in a search, as a stream of values.

It begins with :class:`SearchStarted` and ends with :class:`SearchFinished`, also when it is interrupted. Each pairing
of a tokenizer and an implementation is searched in turn: it ends with :class:`PairingSearched`, or is given up at once
with :class:`PairingRefused`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing, InputRefused

if TYPE_CHECKING:
    from collections import Counter

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.command_io.status import Place
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.search.cases import Case
    from tokenizer_conformance.validation.search.dealing import GeneratorCount
    from tokenizer_conformance.validation.search.plan import Pairing


@dataclass(frozen=True, slots=True)
class SearchStarted:
    """A search begins. ``seconds`` are for all of it, ``cases`` for each pairing; ``generators`` are their names."""

    environment: Environment
    baseline: ImplementationInfo
    implementations: tuple[ImplementationInfo, ...]
    tokenizers: tuple[TokenizerFile, ...]
    seed: int
    jobs: int
    seconds: float | None
    cases: int | None
    generators: tuple[str, ...]
    corpus: str | None


@dataclass(frozen=True, slots=True)
class PairingRefused:
    """A pairing cannot be searched, since one side does not load the tokenizer; ``reason`` is what it says."""

    pairing: Pairing
    reason: str


@dataclass(frozen=True, slots=True)
class BatchTaken:
    """A further batch has been taken in: how far the search of the pairing has come."""

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
class Tally:
    """What was asked of a pairing.

    ``cases`` are texts, ``questions`` what was asked about them, ``values`` the single fields that agree. ``hits`` are
    the cases that differ for their own sake. ``unstable`` counts answers that were others when they were asked for
    again, ``known`` differences that the ledger expects. ``skipped`` texts had been asked about before. ``lost`` counts
    batches over which a process was lost. ``seconds`` it took. ``unexamined`` are cases that differ and that nobody has
    looked at, since the search was over; of them a few are kept.
    """

    cases: int
    questions: int
    values: int
    hits: int
    unstable: int
    skipped: int
    lost: int
    seconds: float
    known: Counter[Entry]
    unexamined: int
    unexamined_cases: tuple[Case, ...]

    @property
    def pace(self) -> float:
        """How many cases were asked about in a second."""
        return self.cases / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far the search of a pairing has come: what another search needs to go on from here."""

    pairing: Pairing
    tally: Tally
    positions: dict[str, int]


@dataclass(frozen=True, slots=True)
class NumberedCause:
    """A cause as it stands at the end, with the number by which it was told."""

    number: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class PairingSearched:
    """A pairing has been searched, or not to the end (``complete`` is then false).

    ``gone`` counts the kept cases of a corpus that do not differ any more, of ``kept``. ``exhausted``: no generator has
    a further text.
    """

    pairing: Pairing
    tally: Tally
    generators: tuple[GeneratorCount, ...]
    positions: dict[str, int]
    complete: bool
    exhausted: bool
    kept: int
    gone: int


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


SearchEvent = (
    SearchStarted
    | ImplementationMissing
    | InputRefused
    | PairingRefused
    | BatchTaken
    | CauseFound
    | Checkpoint
    | PairingSearched
    | SearchFinished
)


def is_ending(event: SearchEvent) -> bool:
    """Return whether ``event`` shows that the search is being ended."""
    match event:
        case PairingSearched(complete=complete):
            return not complete
    return isinstance(event, SearchFinished)
