"""An audit of offsets from beginning to end: one implementation after the other, on one tokenizer after the other.

It yields the lines of its record, and how far it has come.
"""

from __future__ import annotations

import shlex
import time
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.shard import numbers_in_shard
from tokenizer_conformance.command_io.status import STATUS, Place, Reached
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.command_io.worker_pool import LostWorkerError
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.comparison.record_forms import question_record
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.research.offsets_audit.gathered import Gathered
from tokenizer_conformance.research.offsets_audit.judge import Judge
from tokenizer_conformance.research.offsets_audit.known import KnownViolations
from tokenizer_conformance.research.offsets_audit.loading import loaded_under_settings, read_document
from tokenizer_conformance.research.offsets_audit.table import TABLE
from tokenizer_conformance.research.offsets_audit.workers import Task, judging
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records import offsets_audit as lines
from tokenizer_conformance.results.records.headers import Inputs, NamedEntry
from tokenizer_conformance.results.records.making import (
    LastLine,
    header_of,
    implementation_of,
    last_line,
    ledger_entries_of,
    ledger_files_of,
    made,
    tokenizer_file_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Generator, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Implementation
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.inputs.corpus import Inputs as Corpus
    from tokenizer_conformance.inputs.corpus import PairedInput
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.research.offsets_audit.findings import ViolationGroup
    from tokenizer_conformance.research.offsets_audit.loading import Document, Loaded

BATCH = 32
"""How many inputs are asked about at once."""


@dataclass(frozen=True, slots=True)
class Call:
    """How an audit was called, as far as it matters for one input.

    ``tokenizers`` and ``implementations`` lead from names to the words that name them on a command line; ``options``
    are those that say where inputs come from.
    """

    tokenizers: Mapping[str, str] = field(default_factory=dict)
    implementations: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()

    def repeat(self, tokenizer: str, implementation: str, input_id: str) -> str:
        """Return the command line that audits ``implementation`` on one input alone."""
        words = ["tokconf", "audit", "offsets", self.tokenizers.get(tokenizer, tokenizer)]
        words += ["-i", self.implementations.get(implementation, implementation)]
        return shlex.join([*words, *self.options, "--only", input_id])


@dataclass(frozen=True, slots=True)
class OffsetsAuditPlan:
    """Each of ``implementations`` is asked about the inputs of ``corpus`` with each of ``tokenizers``.

    ``optional`` are the names of those that were not asked for one by one: they need not show offsets. ``refusals``,
    ``unavailable`` and ``absent`` were asked for and cannot be used; ``command`` is the command line.
    ``has_small_examples`` tells whether smaller examples are looked for, which takes its time. Where there are several
    ``jobs``, so many processes judge, and build the implementations as they were ``selected``. Where several machines
    share the inputs, those in ``shard`` are asked about here.
    """

    tokenizers: tuple[TokenizerFile, ...]
    implementations: tuple[Implementation, ...]
    corpus: Corpus
    ledger: Ledger = field(default_factory=Ledger)
    call: Call = field(default_factory=Call)
    optional: frozenset[str] = frozenset()
    refusals: tuple[Rejected, ...] = ()
    unavailable: tuple[Rejected, ...] = ()
    absent: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()
    has_small_examples: bool = True
    selected: tuple[Selected, ...] = ()
    jobs: int = 1
    shard: Shard | None = None

    def batches(self, numbers: range) -> Iterator[tuple[PairedInput, ...]]:
        """Yield the inputs of these ``numbers``, a few at a time."""
        inputs = islice(self.corpus, numbers.start, numbers.stop)
        return iter(lambda: tuple(islice(inputs, BATCH)), ())


OffsetsAuditEvent = (
    lines.Header
    | headers.LedgerEntries
    | lines.NotLoaded
    | lines.Audited
    | InputRefused
    | ImplementationMissing
    | Reached
    | LastLine
)


def audit(plan: OffsetsAuditPlan) -> Generator[OffsetsAuditEvent | InternalError]:
    """Carry out ``plan`` and yield the lines of its record, and how far it has come.

    A ``KeyboardInterrupt`` ends it early, and what was found until then is told; after an error that nobody expected it
    ends in the same way.
    """
    return _Audit(plan).events()


class _Audit:
    def __init__(self, plan: OffsetsAuditPlan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._known = KnownViolations(plan.ledger)
        self._refused = bool(plan.refusals)
        self._failed = bool(plan.unavailable)
        self._done: list[lines.Audited] = []
        self._numbers = range(0)
        self._side_by_side: Callable[[Iterator[Task]], Iterator[Gathered]] | None = None

    def events(self) -> Generator[OffsetsAuditEvent | InternalError]:
        plan = self._plan
        stop = Stop()
        yield lines.Header(
            **header_of(lines.FORMAT, current_environment(plan.command)),
            implementations=tuple(implementation_of(each.info) for each in plan.implementations),
            tokenizers=tuple(map(tokenizer_file_of, plan.tokenizers)),
            inputs=Inputs(count=plan.corpus.count, sha256=plan.corpus.sha256),
            optional=tuple(sorted(plan.optional)),
            ledgers=ledger_files_of(plan.ledger),
            repeated=plan.call.options,
            shard=None if plan.shard is None else headers.Shard(part=plan.shard.part, of=plan.shard.of),
            invariants=tuple(
                made(lines.Invariant, each, topic=topic, needs=sorted(each.look.needs))
                for topic, rows in TABLE.items()
                for each in rows
            ),
        )
        if plan.shard is not None:
            yield ledger_entries_of(plan.ledger.entries)
        yield from stop.guard(self._work())
        # Of a part it is not known which entries are stale.
        stale = () if stop.conclusion or plan.shard is not None else self._known.stale()
        conclusion = stop.conclusion or self._conclusion(is_stale=bool(stale))
        seconds = time.monotonic() - self._began
        yield ending_of(self._done, conclusion, seconds, tuple(map(_entry, stale)), finished=stop.conclusion is None)

    def _work(self) -> Iterator[OffsetsAuditEvent]:
        plan = self._plan
        yield from map(InputRefused, plan.refusals)
        yield from map(ImplementationMissing, plan.unavailable)
        yield from (ImplementationMissing(refusal, asked=False) for refusal in plan.absent)
        self._numbers = numbers_in_shard(plan.shard, plan.corpus)
        with judging(plan.selected, plan.jobs) as self._side_by_side:
            for tokenizer in plan.tokenizers:
                yield from self._of_tokenizer(tokenizer)

    def _conclusion(self, *, is_stale: bool) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.BAD_INPUT: self._refused,
                Conclusion.IMPLEMENTATION_FAILED: self._failed,
                Conclusion.STALE: is_stale,
                conclusion_of(self._done, self._plan.optional, is_whole=self._plan.shard is None): True,
            }
        )

    def _of_tokenizer(self, tokenizer: TokenizerFile) -> Iterator[OffsetsAuditEvent]:
        name = tokenizer.source.name
        try:
            document = read_document(tokenizer)
        except BadInputError as error:
            self._refused = True
            yield InputRefused(Rejected("tokenizer", name, str(error)))
            return
        for number, implementation in enumerate(self._plan.implementations):
            info = implementation.info
            STATUS.begin(name, f"loading into {info.name}")
            try:
                with loaded_under_settings(implementation, document) as loaded:
                    pairing = _Pairing(self._plan, implementation, document, loaded)
                    yield from self._of_implementation(pairing, tokenizer, number)
            except CannotLoadError as error:
                self._failed = self._failed or not error.unsupported
                yield lines.NotLoaded(
                    tokenizer=name,
                    implementation=info.name,
                    implementation_version=info.version,
                    reason=why_not_loaded(error, tokenizer.source),
                    unsupported=error.unsupported,
                )

    def _of_implementation(
        self, pairing: _Pairing, tokenizer: TokenizerFile, number: int
    ) -> Iterator[OffsetsAuditEvent]:
        inputs = self._plan.batches(self._numbers)
        batches: Iterator[Gathered | tuple[PairedInput, ...]] = inputs
        if self._side_by_side is not None:
            batches = self._side_by_side(Task(tokenizer, number, batch) for batch in inputs)
        try:
            yield from pairing.judge_all(batches, len(self._numbers))
        except (KeyboardInterrupt, LostWorkerError):
            yield self._taken(pairing)
            raise
        yield self._taken(pairing)

    def _taken(self, pairing: _Pairing) -> lines.Audited:
        self._done.append(pairing.audited(self._known))
        return self._done[-1]


def conclusion_of(done: Sequence[lines.Audited], optional: Container[str], *, is_whole: bool) -> Conclusion:
    """Return what those that were audited show; whether enough was, can be known of a ``whole`` audit alone."""
    return conclusion_from(
        {
            Conclusion.IMPLEMENTATION_FAILED: any(each.lost for each in done),
            Conclusion.NOTHING_COMPARED: is_whole and not any(each.has_spans for each in done),
            Conclusion.TOO_LITTLE: is_whole
            and any(not each.has_spans and each.implementation not in optional for each in done),
            Conclusion.DIFFERENCES: any(each.new for each in done),
        }
    )


def ending_of(
    done: Sequence[lines.Audited],
    conclusion: Conclusion,
    seconds: float,
    stale: tuple[NamedEntry, ...],
    *,
    finished: bool,
) -> LastLine:
    """Return the last event of an audit that has ``done`` this."""
    findings = [found for each in done for found in each.findings]
    return last_line(
        lines.Footer,
        conclusion,
        seconds,
        finished=finished,
        audited=sum(each.has_spans for each in done),
        violating=sum(bool(each.new) for each in done),
        findings=len(findings),
        known=sum(each.known is not None for each in findings),
        things=sum(tally.things for each in done for tally in each.invariants),
        stale=stale,
    )


class _Pairing:
    """One implementation on one tokenizer."""

    def __init__(
        self, plan: OffsetsAuditPlan, implementation: Implementation, document: Document, loaded: Loaded
    ) -> None:
        self._plan = plan
        self._info = implementation.info
        self._name = document.tokenizer.source.name
        self._left_out = loaded.left_out
        self._judge = Judge(loaded, document)
        self._gathered = Gathered()
        self._found: tuple[ViolationGroup, ...] | None = None
        self._finished = False

    def judge_all(self, batches: Iterator[Gathered | tuple[PairedInput, ...]], total: int) -> Iterator[Reached]:
        """Judge ``total`` inputs in ``batches``, or take in what came of them, and look for smaller examples."""
        title = f"{self._name} by {self._info.name}"
        STATUS.begin(title, "asking")
        for batch in batches:
            if isinstance(batch, Gathered):
                self._gathered.add(batch)
            else:
                self._gathered.take(batch, self._judge)
            yield Reached(Place(title, self._gathered.inputs, total))
        if self._plan.has_small_examples:
            STATUS.begin(title, "looking for smaller examples")
            self._found = tuple(self._gathered.collector.shrunk(self._judge))
        self._finished = True

    def audited(self, known: KnownViolations) -> lines.Audited:
        """Return what was found."""
        gathered = self._gathered
        tallies = gathered.collector.tallies
        if self._finished:
            known.audited(self._name, self._info, frozenset(id for id, tally in tallies.items() if tally.things))
        found = gathered.collector.findings() if self._found is None else self._found
        return lines.Audited(
            tokenizer=self._name,
            implementation=self._info.name,
            implementation_version=self._info.version,
            finished=self._finished,
            inputs=gathered.inputs,
            answers=gathered.answers,
            unsupported=gathered.unsupported,
            failed=gathered.failed,
            lost=gathered.lost,
            trouble=gathered.trouble,
            left_out=self._left_out,
            invariants=tuple(
                made(
                    lines.AuditedInvariant,
                    tally,
                    id=id,
                    unchecked=unchecked_of(tally.unchecked),
                )
                for id, tally in tallies.items()
            ),
            findings=tuple(
                self._finding(each, known.of(self._name, self._info, each.name, each.asking.question)) for each in found
            ),
        )

    def _finding(self, finding: ViolationGroup, known: Entry | None) -> lines.Finding:
        return made(
            lines.Finding,
            finding,
            invariant=finding.invariant.id,
            setting=finding.asking.setting.name,
            question=question_record(finding.asking.question),
            repeat=self._plan.call.repeat(self._name, self._info.name, finding.input),
            known=None if known is None else _entry(known),
        )


def unchecked_of(answers: Mapping[str, int]) -> tuple[lines.Unchecked, ...]:
    """Return why how many answers could not be checked, the most frequent reason first."""
    ranked = sorted(answers.items(), key=lambda each: (-each[1], each[0]))
    return tuple(lines.Unchecked(reason=reason, answers=count) for reason, count in ranked)


def _entry(entry: Entry) -> NamedEntry:
    return NamedEntry(entry=str(entry.place), reason=entry.reason)
