"""Merging the records of the parts of one run into the whole run: a stream of events, like that of a run.

Parts are stretches of one row of work, so what one of them has found comes before all that later ones have. What can
be known of the whole run alone is said here: whether enough was compared, and which entries of ledgers are stale.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import structs

from tokenizer_conformance.causes.collecting import merged as merged_causes
from tokenizer_conformance.command_io.compact_names import compact, spelled_out
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.parts import merged_parts, state_of
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.command_io.shard import Shard, overlaps
from tokenizer_conformance.comparison.findings import joined as joined_findings
from tokenizer_conformance.results.records.headers import Refused
from tokenizer_conformance.results.records.run import (
    Difference,
    Failing,
    ImplementationMissing,
    Loaded,
    LoadFailed,
    Result,
)
from tokenizer_conformance.validation.running import vocabularies
from tokenizer_conformance.validation.running.concluding import Course, concluded
from tokenizer_conformance.validation.running.events import CausesSought, TokenizerFinished
from tokenizer_conformance.validation.running.plan import EXAMPLES_PER_FINDING
from tokenizer_conformance.validation.running.stale import stale_of_parts
from tokenizer_conformance.validation.running.tally import Tally, impact_of_parts

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.running.events import Event, RunFinished
    from tokenizer_conformance.validation.running.recorded_run import RecordedRun


def merged_run(parts: Sequence[RecordedRun], *, partial: bool) -> Generator[Event]:
    """Yield what the whole run of the ``parts``, in their order, would have told.

    They belong together, and none is there twice (:mod:`tokenizer_conformance.command_io.parts`). With ``partial`` the
    conclusion is that of what is there, where parts or their ends are missing.
    """
    return _Merging(parts, partial=partial).events()


class _Merging:
    def __init__(self, parts: Sequence[RecordedRun], *, partial: bool) -> None:
        self._parts = parts
        self._partial = partial
        self._by_tokenizer: dict[str, list[Loaded | LoadFailed | Difference | Failing]] = {}
        for line in self._lines(Loaded, LoadFailed, Difference, Failing):
            self._by_tokenizer.setdefault(line.tokenizer, []).append(line)
        self._of = of = parts[0].started.shard.of if parts[0].started.shard else 1
        there = {part.started.shard: part for part in parts}
        self._lacking = {
            shard
            for shard in (Shard(number, of) for number in range(1, of + 1))
            if shard not in there or state_of(there[shard].read) is not None
        }
        first = parts[0].started
        self._started = replace(
            first,
            environment=current_environment(("tokconf", *sys.argv[1:])),
            shard=None,
            merged=merged_parts([(part.read, part.started.shard, part.started.environment) for part in parts]),
        )

    def events(self) -> Generator[Event]:
        yield self._started
        yield from self._once(Refused)
        yield from self._once(ImplementationMissing)
        done = []
        for number, tokenizer in enumerate(self._started.tokenizers):
            name = tokenizer.source.name
            yield from self._told_of(name)
            finished = [part.finished[name] for part in self._parts if name in part.finished]
            if finished:
                is_whole = not any(overlaps(each, number, len(self._started.tokenizers)) for each in self._lacking)
                done.append(joined(finished, is_whole=is_whole))
                yield replace(done[-1], causes=(), uncounted=0, unexamined=())
        for each in done:
            if each.causes or each.unexamined:
                yield CausesSought(each.tokenizer, each.causes, each.unexamined)
        yield self._finished(done)

    def _once(self, kind: type[Value]) -> Iterator[Event]:
        """Yield the lines of one kind: what several parts say, once."""
        yield from dict.fromkeys(self._lines(kind))

    def _lines(self, *kinds: type[Value]) -> Iterator[Any]:
        return (line for part in self._parts for line in part.lines if isinstance(line, kinds))

    def _told_of(self, tokenizer: str) -> Iterator[Event]:
        """Yield what the parts say of a tokenizer before it is finished."""
        told: Counter[object] = Counter()
        loads: dict[object, Event] = {}
        rest: list[Event] = []
        failing: dict[str, list[Failing]] = {info.name: [] for info in self._started.implementations}
        for line in self._by_tokenizer.get(tokenizer, ()):
            match line:
                case Loaded() | LoadFailed():
                    loads.setdefault((type(line), line.implementation), line)
                case Difference(difference=found):
                    manner = (found.field, found.verdict, found.kind, found.party, found.detail)
                    told[line.implementation, line.stage, manner] += 1
                    if told[line.implementation, line.stage, manner] <= EXAMPLES_PER_FINDING:
                        rest.append(line)
                case Failing():
                    failing[line.implementation].append(line)
        yield from loads.values()
        yield from rest
        yield from (_joined_failing(each) for each in failing.values() if each)

    def _finished(self, done: Sequence[TokenizerFinished]) -> RunFinished:
        footers = [part.footer for part in self._parts if part.footer is not None]
        conclusions = {footer.conclusion for footer in footers}
        reason = self._reason()
        course = Course(
            done=done,
            reason=reason,
            seconds=sum(self._seconds(part) for part in self._parts),
            refused=any(True for _ in self._lines(Refused)),
            failed=any(line.asked is not False for line in self._lines(ImplementationMissing)),
            broken=Conclusion.INTERNAL_ERROR in conclusions,
            incomplete=bool(self._lacking) and not self._partial,
        )
        started = self._started if not self._lacking else replace(self._started, shard=Shard(1, self._of))
        return concluded(started, course, () if reason else self._stale(done))

    def _stale(self, done: Sequence[TokenizerFinished]) -> tuple[Entry, ...]:
        in_play = next((part.in_play for part in self._parts if part.in_play is not None), None)
        return () if in_play is None else stale_of_parts(self._started, in_play, done)

    def _reason(self) -> str | None:
        """Say why the whole run did not finish; ``None`` where it did."""
        if self._lacking:
            return f"{self._words()} of {self._of}"
        reasons = (part.footer.reason for part in self._parts if part.footer is not None)
        return next(filter(None, reasons), None)

    def _words(self) -> str:
        there = {part.started.shard for part in self._parts}
        missing = ", ".join(str(each.part) for each in sorted(self._lacking - there))
        cut = ", ".join(str(each.part) for each in sorted(self._lacking & there))
        return " and ".join(filter(None, (missing and f"missing: part {missing}", cut and f"cut short: part {cut}")))

    def _seconds(self, part: RecordedRun) -> float:
        if part.footer is not None:
            return part.footer.seconds
        return sum(finished.seconds for finished in part.finished.values())


def joined(parts: Sequence[TokenizerFinished], *, is_whole: bool) -> TokenizerFinished:
    """Return the outcome of several ``parts`` of the inputs together on one tokenizer; none of them has another's.

    ``is_whole`` says that they are all parts that have any.
    """
    rows: dict[str, list[Result]] = {}
    for part in parts:
        for row in part.results:
            rows.setdefault(row.implementation, []).append(row)
    return TokenizerFinished(
        tokenizer=parts[0].tokenizer,
        results=tuple(_joined_result(each) for each in rows.values()),
        findings=joined_findings(part.findings for part in parts),
        inputs=sum(part.inputs for part in parts),
        ids=sum(part.ids for part in parts),
        baseline_seconds=sum(part.baseline_seconds for part in parts),
        seconds=sum(part.seconds for part in parts),
        complete=is_whole and all(part.complete for part in parts),
        baseline_load_error=next((part.baseline_load_error for part in parts if part.baseline_load_error), None),
        unstable=joined_findings(part.unstable for part in parts),
        known=joined_findings(part.known for part in parts),
        matched=tuple(dict.fromkeys(entry for part in parts for entry in part.matched)),
        causes=merged_causes(cause for part in parts for cause in part.causes),
        uncounted=sum(part.uncounted for part in parts),
        unexamined=tuple(each for part in parts for each in part.unexamined),
    )


def _joined_failing(parts: Sequence[Failing]) -> Failing:
    """Return the inputs on which one implementation fails in several parts as one line."""
    names = compact(name for part in parts for name in spelled_out(part.inputs))
    return structs.replace(parts[0], inputs=tuple(each if isinstance(each, str) else tuple(each) for each in names))


def _joined_result(parts: Sequence[Result]) -> Result:
    """Return the outcome of several parts of the inputs together, for one implementation on one tokenizer."""
    tally = Tally(dict.fromkeys(stage for part in parts for stage in part.stages))
    for part in parts:
        tally.restore(part)
    return Result(
        implementation=parts[0].implementation,
        load_error=next((part.load_error for part in parts if part.load_error is not None), None),
        files=tuple(dict.fromkeys(file for part in parts for file in part.files)),
        shows=next((part.shows for part in parts if part.shows is not None), None),
        failing_inputs=tally.failing,
        blamed=dict(tally.blamed),
        seconds=rounded(tally.seconds),
        impact=impact_of_parts([part.impact for part in parts]),
        stages=tally.stage_counts(),
        vocabulary=vocabularies.joined(part.vocabulary for part in parts),
    )
