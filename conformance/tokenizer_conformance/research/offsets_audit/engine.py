"""An audit of offsets from beginning to end: one implementation after the other, on one tokenizer after the other.

It yields the lines of its record, and how far it has come.
"""

from __future__ import annotations

import shlex
import time
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError, Crashed, Failed, Unsupported
from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.status import STATUS, Place, Reached
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.comparison.record_forms import question_record
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.research.offsets_audit.findings import FindingCollector
from tokenizer_conformance.research.offsets_audit.judge import Judge
from tokenizer_conformance.research.offsets_audit.known import KnownViolations
from tokenizer_conformance.research.offsets_audit.loading import loaded_under_settings, read_document
from tokenizer_conformance.research.offsets_audit.table import TABLE
from tokenizer_conformance.results.records import offsets_audit as lines
from tokenizer_conformance.results.records.headers import Inputs, NamedEntry
from tokenizer_conformance.results.records.making import (
    LastLine,
    header_of,
    implementation_of,
    last_line,
    made,
    tokenizer_file_of,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from tokenizer_adapters.contract import Implementation, Outcome
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.inputs.corpus import Inputs as Corpus
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.research.offsets_audit.findings import ViolationGroup
    from tokenizer_conformance.research.offsets_audit.loading import Document, Loaded

BATCH = 32
"""How many inputs are asked about at once."""

MOST_TROUBLE = 3
"""How many messages of questions without a value are told of one implementation on one tokenizer."""


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
    ``has_small_examples`` tells whether smaller examples are looked for, which takes its time.
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


OffsetsAuditEvent = (
    lines.Header | lines.NotLoaded | lines.Audited | InputRefused | ImplementationMissing | Reached | LastLine
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

    def events(self) -> Generator[OffsetsAuditEvent | InternalError]:
        plan = self._plan
        stop = Stop()
        yield lines.Header(
            **header_of(lines.FORMAT, current_environment(plan.command)),
            implementations=tuple(implementation_of(each.info) for each in plan.implementations),
            tokenizers=tuple(map(tokenizer_file_of, plan.tokenizers)),
            inputs=Inputs(count=plan.corpus.count, sha256=plan.corpus.sha256),
            invariants=tuple(
                made(lines.Invariant, each, topic=topic, needs=sorted(each.look.needs))
                for topic, rows in TABLE.items()
                for each in rows
            ),
        )
        yield from stop.guard(self._work())
        stale = () if stop.conclusion else self._known.stale()
        findings = [found for each in self._done for found in each.findings]
        yield last_line(
            lines.Footer,
            stop.conclusion or self._conclusion(is_stale=bool(stale)),
            time.monotonic() - self._began,
            finished=stop.conclusion is None,
            audited=sum(each.has_spans for each in self._done),
            violating=sum(bool(each.new) for each in self._done),
            findings=len(findings),
            known=sum(each.known is not None for each in findings),
            things=sum(tally.things for each in self._done for tally in each.invariants),
            stale=tuple(map(_entry, stale)),
        )

    def _work(self) -> Iterator[OffsetsAuditEvent]:
        plan = self._plan
        yield from map(InputRefused, plan.refusals)
        yield from map(ImplementationMissing, plan.unavailable)
        yield from (ImplementationMissing(refusal, asked=False) for refusal in plan.absent)
        for tokenizer in plan.tokenizers:
            yield from self._of_tokenizer(tokenizer)

    def _conclusion(self, *, is_stale: bool) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.BAD_INPUT: self._refused,
                Conclusion.IMPLEMENTATION_FAILED: self._failed or any(each.lost for each in self._done),
                Conclusion.NOTHING_COMPARED: not any(each.has_spans for each in self._done),
                Conclusion.TOO_LITTLE: any(
                    not each.has_spans and each.implementation not in self._plan.optional for each in self._done
                ),
                Conclusion.DIFFERENCES: any(each.new for each in self._done),
                Conclusion.STALE: is_stale,
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
        for implementation in self._plan.implementations:
            info = implementation.info
            STATUS.begin(name, f"loading into {info.name}")
            try:
                with loaded_under_settings(implementation, document) as loaded:
                    yield from self._of_implementation(_Pairing(self._plan, implementation, document, loaded))
            except CannotLoadError as error:
                self._failed = self._failed or not error.unsupported
                yield lines.NotLoaded(
                    tokenizer=name,
                    implementation=info.name,
                    implementation_version=info.version,
                    reason=why_not_loaded(error, tokenizer.source),
                    unsupported=error.unsupported,
                )

    def _of_implementation(self, pairing: _Pairing) -> Iterator[OffsetsAuditEvent]:
        try:
            yield from pairing.judge_all()
        except KeyboardInterrupt:
            yield self._taken(pairing)
            raise
        yield self._taken(pairing)

    def _taken(self, pairing: _Pairing) -> lines.Audited:
        self._done.append(pairing.audited(self._known))
        return self._done[-1]


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
        self._collector = FindingCollector()
        self._found: tuple[ViolationGroup, ...] | None = None
        self._answers = self._unsupported = self._failed = self._lost = self._inputs = 0
        self._trouble: dict[str, str] = {}
        self._finished = False

    def judge_all(self) -> Iterator[Reached]:
        """Judge all inputs, and look for smaller examples of what was found."""
        title, total = f"{self._name} by {self._info.name}", self._plan.corpus.count
        inputs = iter(self._plan.corpus)
        while batch := list(islice(inputs, BATCH)):
            STATUS.at("asking", self._info.name)
            self._judge.prepare(batch)
            STATUS.at("judging", self._info.name)
            for each in batch:
                for asking in self._judge.questions(each):
                    judged = self._judge.judged(asking)
                    if isinstance(judged, list):
                        self._answers += 1
                        self._collector.take(judged, asking, each.input.id)
                    else:
                        self._count(judged)
                self._inputs += 1
            yield Reached(Place(title, self._inputs, total))
        if self._plan.has_small_examples:
            STATUS.begin(title, "looking for smaller examples")
            self._found = tuple(self._collector.shrunk(self._judge))
        self._finished = True

    def _count(self, outcome: Outcome) -> None:
        match outcome:
            case Unsupported():
                self._unsupported += 1
                return
            case Failed(kind, message):
                self._failed += 1
                told = f"{kind}: {message}"
            case _:
                self._lost += 1
                told = outcome.detail if isinstance(outcome, Crashed) else in_words(outcome)
        kind = f"{type(outcome).__name__}: {told[:40]}"
        if len(self._trouble) < MOST_TROUBLE:
            self._trouble.setdefault(kind, told)

    def audited(self, known: KnownViolations) -> lines.Audited:
        """Return what was found."""
        tallies = self._collector.tallies
        if self._finished:
            known.audited(self._name, self._info, frozenset(id for id, tally in tallies.items() if tally.things))
        found = self._collector.findings() if self._found is None else self._found
        return lines.Audited(
            tokenizer=self._name,
            implementation=self._info.name,
            implementation_version=self._info.version,
            finished=self._finished,
            inputs=self._inputs,
            answers=self._answers,
            unsupported=self._unsupported,
            failed=self._failed,
            lost=self._lost,
            trouble=tuple(self._trouble.values()),
            left_out=self._left_out,
            invariants=tuple(
                made(
                    lines.AuditedInvariant,
                    tally,
                    id=id,
                    unchecked=[{"reason": reason, "answers": count} for reason, count in tally.unchecked.most_common()],
                )
                for id, tally in tallies.items()
            ),
            findings=tuple(self._finding(each, known.of(self._name, self._info, each)) for each in found),
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


def _entry(entry: Entry) -> NamedEntry:
    return NamedEntry(entry=str(entry.place), reason=entry.reason)
