"""An audit of offsets from beginning to end: one implementation after the other, on one tokenizer after the other."""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError, Crashed, Failed, Unsupported
from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.research.offsets_audit.events import (
    EncodingsAudited,
    InputsJudged,
    KnownFinding,
    OffsetsAuditFinished,
    OffsetsAuditStarted,
    TokenizerNotLoaded,
)
from tokenizer_conformance.research.offsets_audit.findings import FindingCollector
from tokenizer_conformance.research.offsets_audit.judge import Judge
from tokenizer_conformance.research.offsets_audit.known import KnownViolations
from tokenizer_conformance.research.offsets_audit.loading import Loaded, read_document

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tokenizer_adapters.contract import Implementation, Outcome
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.offsets_audit.events import OffsetsAuditEvent
    from tokenizer_conformance.research.offsets_audit.findings import Finding
    from tokenizer_conformance.research.offsets_audit.loading import Document
    from tokenizer_conformance.research.offsets_audit.plan import OffsetsAuditPlan

BATCH = 32
"""How many inputs are asked about at once."""

MOST_TROUBLE = 3
"""How many messages of questions without a value are told of one implementation on one tokenizer."""


def audit(plan: OffsetsAuditPlan) -> Generator[OffsetsAuditEvent | InternalError]:
    """Carry out ``plan`` and yield what happens.

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
        self._too_little = False
        self._done: list[EncodingsAudited] = []

    def events(self) -> Generator[OffsetsAuditEvent | InternalError]:
        plan = self._plan
        stop = Stop()
        yield OffsetsAuditStarted(
            environment=current_environment(plan.command),
            implementations=tuple(each.info for each in plan.implementations),
            tokenizers=plan.tokenizers,
            inputs=plan.corpus.count,
            inputs_sha256=plan.corpus.sha256,
        )
        yield from stop.guard(self._work())
        stale = () if stop.conclusion else self._known.stale()
        earned = [each for each in self._done if each.has_spans]
        findings = [found for each in self._done for found in each.findings]
        yield OffsetsAuditFinished(
            finished=stop.conclusion is None,
            conclusion=stop.conclusion or self._conclusion(is_stale=bool(stale)),
            audited=len(earned),
            violating=sum(bool(each.new) for each in self._done),
            findings=len(findings),
            known=sum(each.known is not None for each in findings),
            things=sum(tally.things for each in self._done for tally in each.tallies.values()),
            stale=stale,
            seconds=time.monotonic() - self._began,
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
                Conclusion.IMPLEMENTATION_FAILED: self._failed,
                Conclusion.NOTHING_COMPARED: not any(each.has_spans for each in self._done),
                Conclusion.TOO_LITTLE: self._too_little,
                Conclusion.DIFFERENCES: any(each.new for each in self._done),
                Conclusion.STALE: is_stale,
            }
        )

    def _of_tokenizer(self, tokenizer: TokenizerFile) -> Iterator[OffsetsAuditEvent]:
        try:
            document = read_document(tokenizer)
        except BadInputError as error:
            self._refused = True
            yield InputRefused(Rejected("tokenizer", tokenizer.source.name, str(error)))
            return
        for implementation in self._plan.implementations:
            STATUS.begin(tokenizer.source.name, f"loading into {implementation.info.name}")
            try:
                with Loaded(implementation, document) as loaded:
                    yield from self._of_implementation(implementation, document, loaded)
            except CannotLoadError as error:
                self._failed = self._failed or not error.unsupported
                yield TokenizerNotLoaded(tokenizer, implementation.info, str(error), unsupported=error.unsupported)

    def _of_implementation(
        self, implementation: Implementation, document: Document, loaded: Loaded
    ) -> Iterator[OffsetsAuditEvent]:
        pairing = _Pairing(self._plan, implementation, document, loaded)
        try:
            yield from pairing.judge_all()
        except KeyboardInterrupt:
            yield self._taken(pairing)
            raise
        yield self._taken(pairing)

    def _taken(self, pairing: _Pairing) -> EncodingsAudited:
        done = pairing.audited(self._known)
        self._done.append(done)
        self._failed = self._failed or done.lost > 0
        self._too_little = self._too_little or (done.is_needed and not done.has_spans)
        return done


class _Pairing:
    """One implementation on one tokenizer."""

    def __init__(
        self, plan: OffsetsAuditPlan, implementation: Implementation, document: Document, loaded: Loaded
    ) -> None:
        self._plan = plan
        self._info = implementation.info
        self._document = document
        self._loaded = loaded
        self._judge = Judge(loaded, document)
        self._collector = FindingCollector()
        self._found: tuple[Finding, ...] | None = None
        self._answers = self._unsupported = self._failed = self._lost = self._inputs = 0
        self._trouble: dict[str, str] = {}
        self._finished = False

    def judge_all(self) -> Iterator[InputsJudged]:
        """Judge all inputs, and look for smaller examples of what was found."""
        name, total = self._document.tokenizer.source.name, self._plan.corpus.count
        title = f"{name} by {self._info.name}"
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
            yield InputsJudged(Place(title, self._inputs, total))
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

    def audited(self, known: KnownViolations) -> EncodingsAudited:
        """Return what was found."""
        found = tuple(self._collector.findings()) if self._found is None else self._found
        name = self._document.tokenizer.source.name
        if self._finished:
            checked = frozenset(id for id, tally in self._collector.tallies.items() if tally.things)
            known.audited(name, self._info, checked)
        return EncodingsAudited(
            tokenizer=self._document.tokenizer,
            implementation=self._info,
            inputs=self._inputs,
            answers=self._answers,
            unsupported=self._unsupported,
            failed=self._failed,
            lost=self._lost,
            trouble=tuple(self._trouble.values()),
            tallies=self._collector.tallies,
            left_out=tuple(self._loaded.left_out),
            findings=tuple(
                KnownFinding(
                    each,
                    self._plan.call.repeat(name, self._info.name, each.input),
                    known.of(name, self._info, each),
                )
                for each in found
            ),
            finished=self._finished,
            is_needed=self._info.name not in self._plan.optional,
        )
