"""The search of one pairing: batches are dealt, asked about, taken in their order, and gathered into causes."""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import TimeoutError as NotYetError
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.command_io.worker_pool import LostProcessError, WorkerPool
from tokenizer_conformance.command_io.worker_process import program
from tokenizer_conformance.comparison.questions import texts_in
from tokenizer_conformance.comparison.verdicts import NO_ANSWER
from tokenizer_conformance.inputs.text_generators.generator import Material
from tokenizer_conformance.results.records import search as lines
from tokenizer_conformance.results.records.making import known_of
from tokenizer_conformance.validation.search.asking import NOTHING, CaseAsker, in_worker
from tokenizer_conformance.validation.search.dealing import KEPT, WINDOW, Dealer
from tokenizer_conformance.validation.search.events import BatchTaken, CauseFound, Checkpoint, PairingSearched
from tokenizer_conformance.validation.search.sides import Sides, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.search.cases import Answered, Batch, Case, CaseResult
    from tokenizer_conformance.validation.search.events import SearchEvent
    from tokenizer_conformance.validation.search.plan import Pairing, SearchPlan
    from tokenizer_conformance.validation.search.sides import BothSides

POLL_SECONDS = 0.1
"""How long the end of the time, and Ctrl-C where waiting cannot be interrupted, may go unheard."""

SECONDS_OF_A_BATCH = 5.0
"""A batch may take so much longer than an answer before its process counts as lost; twice as long each time it was
only slow."""

MOST_SHORTENED = 8
"""How many questions over which a process is lost are made shorter, for each pairing: each try costs a process."""

MOST_UNEXAMINED = 100
"""How many of the cases that nobody has looked at are kept."""

LONGEST_UNEXAMINED = 2000
"""Longer texts are not among them."""


class Asking(Protocol):
    """Asks about batches, one or several at a time; a batch may take ``patience`` seconds."""

    patience: float

    def submit(self, task: Batch, /) -> Future[Answered]:
        """Have ``task`` asked about; the future may raise :class:`LostProcessError`."""


Opening = Callable[["SearchPlan", "Pairing"], AbstractContextManager[Asking]]
"""Makes what asks about the batches of a pairing; it is ended at exit."""


def in_processes(plan: SearchPlan, pairing: Pairing) -> WorkerPool[Batch, Answered]:
    """Return the processes that ask about the batches of ``pairing``."""
    side = pairing.implementation.selected
    setup = partial(in_worker, plan.baseline.selected, side, pairing.tokenizer.source, plan.known(pairing))
    patience = plan.patience + SECONDS_OF_A_BATCH
    return WorkerPool(program("a process that asks"), setup, min(plan.jobs, WINDOW), side.limits, patience)


COUNTED = ("cases", "questions", "values", "differing", "unstable", "lost")
"""What is counted of a pairing, by its name in a record."""


class BrokenAskerError(Exception):
    """A process that asks reports a bug. The message says which."""


@dataclass(frozen=True, slots=True)
class _Mismatch:
    """A question of ``case`` whose answers differ; ``careful``: it was put to sides in processes of their own."""

    batch: Batch
    case: Case
    question: Observation
    careful: bool


class PairingSearch:
    """The search of ``pairing`` until ``until`` (of the monotonic clock), where there is such an end."""

    def __init__(
        self,
        plan: SearchPlan,
        pairing: Pairing,
        both: BothSides,
        careful: BothSides,
        numbering: Numbering,
        until: float | None,
        began: float,
    ) -> None:
        self.pairing = pairing
        self._plan = plan
        self._both = both
        self._careful = careful
        self._numbering = numbering
        self._until = until
        self._search_began = began
        self._began = time.monotonic()
        self._checkpoint = self._began
        material = Material(both.sides(pairing).trial.read(), plan.texts, plan.seed)
        self._kept = len(pairing.begun.kept)
        self._gone = 0
        self._dealer = Dealer(
            plan.generators,
            material,
            cases=plan.cases,
            kept=pairing.begun.kept,
            starts=pairing.begun.positions,
        )
        self._ahead: deque[tuple[Batch, Future[Answered]]] = deque()
        self._pending: deque[_Mismatch] = deque()
        self._asked: Counter[str] = Counter()
        self._known: Counter[Entry] = Counter()
        self._found = self._shortened = 0
        self._is_exhausted = False

    # Events

    def events(self, asking: Asking) -> Iterator[SearchEvent]:
        """Yield what happens until the search of the pairing is over; not its end, which is :meth:`finished`."""
        for batch, results, careful in self._taken(asking):
            hits = self._count(batch, results, careful)
            causes = 0
            while self._pending and (not self._time_is_over() or not self._found + causes):
                found = self._examined(self._pending[0])
                self._pending.popleft()
                if found is not None:
                    causes += 1
                    yield found
            self._dealer.took(batch, len(results), causes, hits)
            self._found += causes
            yield BatchTaken(self._place(batch))
            yield from self._checkpoint_when_due()
            if self._time_is_over():
                return

    def _place(self, batch: Batch) -> Place:
        seconds = time.monotonic() - self._began
        pace = self._asked["cases"] / seconds if seconds else 0.0
        STATUS.at(f"{pace:,.0f} cases/s, {self._found:,} findings, {batch.generator}")
        if self._until is None:
            return Place(self.pairing.name, self._asked["cases"], self._plan.cases or self._asked["cases"], "cases")
        total = math.ceil(self._until - self._began)
        return Place(self.pairing.name, min(int(seconds), total), total, "seconds")

    def _checkpoint_when_due(self) -> Iterator[Checkpoint]:
        now = time.monotonic()
        if now - self._checkpoint >= self._plan.checkpoint_seconds:
            self._checkpoint = now
            yield Checkpoint(self.pairing, lines.Checkpoint(**self._counts()), self._waiting())

    # Batches

    def _taken(self, asking: Asking) -> Iterator[tuple[Batch, tuple[CaseResult, ...], bool]]:
        """Yield the batches with what came of them, in the order in which they were dealt.

        The last item tells whether they were asked about with care.
        """
        while True:
            while len(self._ahead) < WINDOW and (batch := self._dealer.next()) is not None:
                self._ahead.append((batch, asking.submit(batch)))
            if not self._ahead:
                self._is_exhausted = self._dealer.is_exhausted
                return
            batch, future = self._ahead[0]
            try:
                answered = self._waited(future)
                if answered is None:
                    return
                if answered.error is not None:
                    raise BrokenAskerError(f"in a process that asks: {answered.error}")
                results, careful = answered.results, False
            except LostProcessError:
                self._asked["lost"] += 1
                results, careful = self._asked_with_care(batch), True
                if len(results) == len(batch.cases) and not any(result.is_lost for result in results):
                    asking.patience *= 2
            if len(results) == len(batch.cases) or not self._time_is_over():
                self._ahead.popleft()  # else whoever goes on asks about it again
            yield batch, results, careful

    def _waited(self, future: Future[Answered]) -> Answered | None:
        """Return the answer, ``None`` where the time is over before it comes."""
        while not self._time_is_over():
            try:
                return future.result(POLL_SECONDS)
            except NotYetError:
                continue
        return None

    def _asked_with_care(self, batch: Batch) -> tuple[CaseResult, ...]:
        """Return the outcome of the cases of ``batch``, each side in a process for itself.

        Where a side then does not load the tokenizer, nothing is known of the rest of them.
        """
        STATUS.at(f"asking again, each side in a process for itself, {batch.generator}")
        results: list[CaseResult] = []
        try:
            sides = self._careful.sides(self.pairing)
            for case in batch.cases:
                if self._time_is_over():
                    break
                trial = sides.trial_for(case.variant)
                known = self._plan.known(self.pairing)
                results.append(NOTHING if trial is None else CaseAsker(trial, known).result(case, until_lost=True))
                if results[-1].is_lost:
                    sides.load()
        except CannotLoadError:
            return tuple(results)
        return tuple(results)

    def _time_is_over(self) -> bool:
        return self._until is not None and time.monotonic() >= self._until

    # Cases

    def _count(self, batch: Batch, results: tuple[CaseResult, ...], careful: bool) -> int:
        """Count the result of a batch, and return how many of its cases differ."""
        hits = 0
        for case, result in zip(batch.cases, results, strict=False):
            self._asked["cases"] += 1
            for name in ("questions", "values", "unstable"):
                self._asked[name] += getattr(result, name)
            self._known.update(result.known)
            hits += bool(result.mismatches)
            if batch.generator == KEPT and not result.mismatches:
                self._gone += 1
            self._pending.extend(_Mismatch(batch, case, question, careful) for question in result.mismatches)
        self._asked["differing"] += hits
        return hits

    def _examined(self, mismatch: _Mismatch) -> CauseFound | None:
        """Hand ``mismatch`` to the collector, and return the cause where it is a new one."""
        case, input_id = mismatch.case, mismatch.batch.input_id(mismatch.case)
        both = self._careful if mismatch.careful else self._both
        sides, collector = both.sides(self.pairing), both.collector
        STATUS.at(f"looking into what {input_id} shows")
        trial = sides.trial_for(case.variant)
        witness = None if trial is None else trial.witness(mismatch.question)
        if trial is None or witness is None:
            return None
        before = len(collector.causes())
        if witness.difference.verdict in NO_ANSWER and case.variant is None:
            witness = self._shorter(sides, witness)
            trial = sides.trial
        cause = collector.take_witness(trial, witness, input_id)
        if witness.difference.verdict in NO_ANSWER:
            sides.load()
        if cause is None or len(collector.causes()) <= before:
            return None
        if cause.signature.manner.verdict not in NO_ANSWER:  # changes of what kills a process kill it over and over
            for text in (case.text, *texts_in(cause.witness.question)):
                self._dealer.changes.put(text)
        return CauseFound(
            pairing=self.pairing,
            number=self._numbering.tell(cause),
            cause=cause,
            case=case,
            generator=mismatch.batch.generator,
            input_id=input_id,
            seconds=time.monotonic() - self._search_began,
            cases=self._asked["cases"],
        )

    def _shorter(self, sides: Sides, witness: Witness) -> Witness:
        """Return ``witness``, over which a process is lost each time, with a shorter question; not for the many."""
        self._shortened += 1
        return shortened(sides, witness) if self._shortened <= MOST_SHORTENED else witness

    # The result

    def finished(self, *, complete: bool) -> PairingSearched:
        """Return the outcome of the search of the pairing."""
        line = lines.Result(
            **self._counts(),
            complete=complete,
            exhausted=self._is_exhausted,
            kept=self._kept,
            gone=self._gone,
            generators=tuple(count.line for count in self._dealer.counts.values()),
        )
        return PairingSearched(self.pairing, line, self._waiting())

    def _counts(self) -> dict[str, Any]:
        """Return what has been asked so far, as a record says it."""
        return {
            "tokenizer": self.pairing.tokenizer.source.name,
            "implementation": self.pairing.implementation.info.name,
            **{name: self._asked[name] for name in COUNTED},
            "skipped": self._dealer.skipped,
            "unexamined": len(self._unexamined()),
            "known": known_of(self._known),
            "seconds": rounded(time.monotonic() - self._began),
            "positions": self._dealer.positions(batch for batch, _ in self._ahead),
        }

    def _unexamined(self) -> list[Case]:
        return list(dict.fromkeys(mismatch.case for mismatch in self._pending))

    def _waiting(self) -> tuple[Case, ...]:
        """Return some of the cases that nobody has looked at."""
        return tuple([case for case in self._unexamined() if len(case.text) <= LONGEST_UNEXAMINED][:MOST_UNEXAMINED])


class Numbering:
    """Gives numbers to causes as they are told, and finds them again.

    A cause may be known better in the end than when it was told: its witness is smaller then, and all that follows from
    that is another. The input that showed it first stays.
    """

    def __init__(self) -> None:
        self._told: dict[int, Cause] = {}

    def tell(self, cause: Cause) -> int:
        """Return the number of ``cause``, which is told for the first time."""
        number = len(self._told) + 1
        self._told[number] = cause
        return number

    def numbered(self, causes: Iterable[Cause]) -> Iterator[tuple[int, Cause]]:
        """Yield ``causes`` with their numbers; one that was never told gets a new one."""
        left = dict(self._told)
        # Those that have not changed come first: two causes may have been shown by one input.
        for cause in sorted(causes, key=lambda each: each.signature not in [told.signature for told in left.values()]):
            alike = [number for number, told in left.items() if _first_shown(told) == _first_shown(cause)]
            same = [number for number in alike if left[number].signature == cause.signature]
            number = next(iter(same or alike), 0) or self.tell(cause)
            left.pop(number, None)
            yield number, cause


def _first_shown(cause: Cause) -> tuple[str, str, str]:
    return cause.implementation, next(iter(cause.tokenizers), ""), next(iter(cause.examples), "")
