"""The engine: a snapshot of each release, all beside one another, then what changed from each to the next, and why."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from tokenizer_conformance.causes.collecting import merged
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.internal_error import InternalError, in_short
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.corpus import EVERYTHING, Selection
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.ledger.names import names_in
from tokenizer_conformance.releases.diff.engine import MOST_LIVE, changes_of_loading, diff
from tokenizer_conformance.releases.diff.explanations import Explanations
from tokenizer_conformance.releases.diff.preparation import Wanted, diff_plan
from tokenizer_conformance.releases.diff.sides import distinct_infos
from tokenizer_conformance.releases.snapshot_file.questions import every_question
from tokenizer_conformance.releases.versions.bisecting import (
    Bisection,
    CannotBisectError,
    LoadingQuestion,
    Sought,
    WitnessQuestion,
)
from tokenizer_conformance.releases.versions.events import Event, StepFinished, VersionsFinished, header_line
from tokenizer_conformance.releases.versions.facts import NoFactsError, section_result
from tokenizer_conformance.releases.versions.known import KnownChanges
from tokenizer_conformance.releases.versions.known_causes import explained_differences, known_causes
from tokenizer_conformance.releases.versions.matrix import Compared, TokenizerMatrix, matrices
from tokenizer_conformance.releases.versions.not_shown import not_shown
from tokenizer_conformance.releases.versions.snapshots import SnapshotFailedError, kept_snapshot, made_snapshot, ready
from tokenizer_conformance.releases.versions.speed import measure, sample
from tokenizer_conformance.releases.versions.truncated import may_show_truncation, original
from tokenizer_conformance.results.records import versions as lines
from tokenizer_conformance.results.records.making import made
from tokenizer_conformance.results.records.run import AskedAgain, Share
from tokenizer_conformance.validation.running.concluding import INTERRUPTED
from tokenizer_conformance.validation.running.events import (
    InputCompared,
    InputsFailed,
    RunFinished,
    RunStarted,
    TokenizerFinished,
)
from tokenizer_conformance.validation.running.seen import DifferencesSeen

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.releases.diff.events import Event as DiffEvent
    from tokenizer_conformance.releases.diff.events import LoadingChanged
    from tokenizer_conformance.releases.diff.preparation import DiffPlan
    from tokenizer_conformance.releases.snapshot_file.reader import Snapshot
    from tokenizer_conformance.releases.versions.bisecting import ReleasesBetween
    from tokenizer_conformance.releases.versions.facts import Fact, Release, Section
    from tokenizer_conformance.releases.versions.plan import VersionsPlan
    from tokenizer_conformance.results.records.run import Impact


def compare_releases(plan: VersionsPlan) -> Generator[Event | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` ends it early; the snapshots that are whole are taken again by the next run of the plan.
    """
    return _Comparison(plan).events()


class _Comparison:
    """A comparison of releases at work."""

    def __init__(self, plan: VersionsPlan) -> None:
        self._plan = plan
        self._began = time.perf_counter()
        self._at_hand: list[tuple[Release, Snapshot]] = []
        self._matrices: list[TokenizerMatrix] = []
        self._steps: list[StepFinished] = []
        self._refused = bool(plan.refusals)
        self._missing = bool(plan.unavailable)
        self._changed = False
        self._broken = False
        self._known = KnownChanges(plan.ledger)
        self._stale: tuple[Entry, ...] = ()

    def events(self) -> Generator[Event | InternalError]:
        reason: str | None = None
        try:
            yield header_line(self._plan)
            yield from (made(lines.Refused, each, is_release=False) for each in self._plan.refusals)
            yield from (made(lines.Refused, each, is_release=True) for each in self._plan.unavailable)
            yield from self._snapshots()
            if len(self._at_hand) > 1:
                yield from self._beside_one_another()
                yield from self._from_each_to_the_next()
                for section in self._plan.sections:
                    yield from self._section(section)
                yield from self._entries_that_nothing_met()
            if self._plan.measures_speed and self._plan.releases and self._plan.tokenizers:
                words = [release.word for release in self._plan.releases]
                source = self._plan.tokenizers[0].source
                yield measure(words, source, sample())
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except BadInputError as error:  # a file was readable when the comparison was planned
            self._refused = True
            reason = str(error)
            yield lines.Refused(what="inputs file", name="", reason=str(error), is_release=False)
        except Exception as error:  # noqa: BLE001 - a bug: what was found is not lost by it
            self._broken = True
            reason = in_short(error)
            yield InternalError(error)
        yield self._finished(reason)

    # Snapshots

    def _snapshots(self) -> Generator[Event]:
        """Have each release asked, as long as there may be another one to compare it with."""
        for number, release in enumerate(self._plan.releases, 1):
            if not self._at_hand and number == len(self._plan.releases):
                yield _missing(
                    release.word,
                    f"{release.word} is the only release left: there is nothing to compare it with, so it is not asked",
                )
                return
            yield from self._snapshot(release, number)

    def _snapshot(self, release: Release, number: int) -> Generator[Event]:
        STATUS.begin(release.word, "snapshot", part=f"release {number} of {len(self._plan.releases)}")
        kept = kept_snapshot(self._plan, release)
        try:
            snapshot = kept or (yield from made_snapshot(self._plan, release))
        except (SnapshotFailedError, OSError) as error:
            self._missing = True
            reason = self._not_kept(error) if isinstance(error, OSError) else str(error)
            yield _missing(release.word, f"{release.word}: no snapshot: {reason}")
            return
        self._at_hand.append((release, snapshot))
        yield ready(self._plan, release, snapshot, is_kept=kept is not None)

    def _not_kept(self, error: OSError) -> str:
        return (
            f"{reason_of(error)} in {str(self._plan.folder)!r}; make room there, or give --snapshots FOLDER: the same "
            "command goes on with the snapshots that are whole"
        )

    def _beside_one_another(self) -> Generator[Event]:
        snapshots = [snapshot for _, snapshot in self._at_hand]
        names = [each.source.name for each in self._plan.asked]
        what = Compared(frozenset(self._plan.stages), self._plan.fields)
        copies = {each.source.name: original(each) for each in self._plan.truncated}
        for matrix in matrices(snapshots, names, self._plan.corpus.count, what, copies):
            self._matrices.append(matrix)
            yield matrix

    # Steps

    def _from_each_to_the_next(self) -> Generator[Event | InternalError]:
        for number, (one, other) in enumerate(pairwise(self._at_hand)):
            step = yield from self._step(number, one, other)
            self._steps.append(step)
            self._changed |= step.is_new
            self._known.step(step)
            yield step
            if self._plan.between is not None and (step.causes or step.loading):
                yield from self._bisected(self._plan.between, step, one[0], other[0])

    def _step(
        self, number: int, one: tuple[Release, Snapshot], other: tuple[Release, Snapshot]
    ) -> Generator[Event | InternalError, None, StepFinished]:
        began = time.perf_counter()
        (old, before), (new, after) = one, other
        STATUS.begin(f"{old.word} -> {new.word}", "what changed")
        loading: list[LoadingChanged] = []
        answers, shown = _Answers(), set[str]()
        pair = (number, number + 1)
        sides = {each.name: each for each in before.tokenizers}, {each.name: each for each in after.tokenizers}
        infos = distinct_infos(before.header.info, after.header.info)
        explanations = Explanations(*infos)
        files = {each.source.name: each for each in self._plan.asked}
        truncated = {each.source.name for each in self._plan.truncated}
        words = dict(zip((info.name for info in infos), (old.word, new.word), strict=True))
        call = replace(self._plan.call, tokenizers=self._plan.words, implementations=words)
        for matrix in self._matrices:
            loaded = [side[matrix.tokenizer] for side in sides]
            file = files[matrix.tokenizer].source.file
            if matrix.tokenizer not in truncated:
                loading += changes_of_loading(loaded[0], loaded[1], infos, self._plan.ledger, file, explanations)
            ids = matrix.ids.get(pair)
            if not ids:
                continue
            known = None
            differing = ((before, after), files[matrix.tokenizer].source, ids, self._plan.fields, explanations)
            if matrix.tokenizer in truncated:
                known = known_causes(*differing, call)
            if explanations.is_possible:
                shown.update(each.id for _, _, explained in explained_differences(*differing) for each in explained)
            wanted = Wanted(
                stages=self._plan.stages,
                fields=self._plan.fields,
                selection=Selection(ids=ids),
                ledger=self._plan.ledger,
                cause_seconds=self._plan.cause_seconds,
                command=self._plan.command,
                call=call,
                tokenizers=frozenset({matrix.tokenizer}),
                loading=False,
                files=files,
                anew=known is None,
                asks=may_show_truncation if matrix.tokenizer in truncated else every_question,
            )
            answers.unconfirmed += matrix.inputs[pair] - len(ids)
            plan = diff_plan(before, after, (old.implementation, new.implementation), {}, wanted)
            yield from self._diffed(plan, answers.take)
            answers.know(known)
            if self._plan.cause_seconds:
                answers.without_cause += matrix.inputs[pair] - (min(len(ids), MOST_LIVE) if known is None else len(ids))
        told = [*(each.explained_by for each in answers.causes()), *(each.explained_by for each in loading)]
        shown.update(known.id for explained_by in told for known in explained_by or ())
        return StepFinished(
            old=old.word,
            new=new.word,
            inputs=sum(matrix.inputs.get(pair, 0) for matrix in self._matrices) - answers.unstable,
            loading=tuple(loading),
            tokenizers=tuple(map(self._with_totals, answers.finished)),
            causes=merged(cause for each in answers.finished for cause in each.causes),
            uncounted=sum(each.uncounted for each in answers.finished),
            run=answers.run,
            infos=infos,
            seconds=time.perf_counter() - began,
            unstable=answers.unstable,
            unconfirmed=answers.unconfirmed,
            asked_again=tuple(answers.asked_again),
            without_cause=answers.without_cause,
            seen=tuple(answers.seen),
            not_shown=tuple(not_shown(explanations, shown, [each.source.file for each in self._plan.tokenizers])),
        )

    def _diffed(self, plan: DiffPlan, take: Callable[[DiffEvent], None]) -> Generator[Event | InternalError]:
        """Carry out the ``plan`` of a diff; ``take`` is handed what is not told of it as it comes."""
        for event in diff(plan):
            match event:
                case InternalError():
                    self._broken = True
                    yield event
                case InputCompared():
                    yield event
                case RunFinished(reason=reason) if reason == INTERRUPTED:
                    raise KeyboardInterrupt
                case _:
                    take(event)

    def _bisected(self, between: ReleasesBetween, step: StepFinished, old: Release, new: Release) -> Iterator[Event]:
        """Find out which release between two brought each change."""
        sources = {each.source.name: each.source for each in self._plan.asked}
        sought = [
            Sought("change", number, LoadingQuestion(each.change, sources[each.change.tokenizer]))
            for number, each in enumerate(step.loading, 1)
        ]
        sought += [
            Sought("cause", number, WitnessQuestion(cause.witness, self._plan.fields))
            for number, cause in enumerate(step.causes, 1)
        ]
        ends = {old.word: old.implementation, new.word: new.implementation}
        try:
            yield from Bisection(between, ends, sought).boundaries()
        except CannotBisectError as error:
            self._missing = True
            yield _missing(f"{step.old} -> {step.new}", f"--bisect: {error}")

    def _with_totals(self, finished: TokenizerFinished) -> TokenizerFinished:
        """Return ``finished``, a run on the inputs that differ, with shares of all inputs."""
        words, sources = self._totals
        return replace(
            finished,
            results=tuple(
                row if row.impact is None else msgspec.structs.replace(row, impact=_of_all(row.impact, words, sources))
                for row in finished.results
            ),
        )

    @cached_property
    def _totals(self) -> tuple[int, Counter[str]]:
        """The words of all inputs, and the inputs of each source."""
        words = sum(len(each.input.text.split()) for each in self._plan.corpus)
        return words, Counter(each.input.category for each in self._plan.corpus)

    # Sections

    def _section(self, section: Section) -> Iterator[Event]:
        facts: dict[str, Mapping[str, Fact] | str] = {}
        for release, _ in self._at_hand:
            STATUS.begin(release.word, section.name)
            try:
                facts[release.word] = section.facts(release, self._plan.tokenizers)
            except NoFactsError as error:
                facts[release.word] = str(error)
        infos = {release.word: release.implementation.info for release, _ in self._at_hand}
        result = self._known.section(section_result(section.name, facts), facts, infos)
        self._changed |= any(change.known is None for change in result.changes)
        yield result

    # Entries of ledgers

    def _entries_that_nothing_met(self) -> Generator[Event | InternalError]:
        """Find out which entries of the ledger are stale; of a comparison that lacks a release nothing is judged."""
        if self._missing or self._refused:
            return
        names = [matrix.tokenizer for matrix in self._matrices]
        for (old, before), (new, after) in pairwise(self._at_hand):
            entries = self._known.in_play(before.header.info, after.header.info, names)
            if entries:
                STATUS.begin(f"{old.word} -> {new.word}", "whether entries of ledgers are stale")
                yield from self._judged(entries, before, after)
        self._stale = self._known.stale()

    def _judged(
        self, entries: tuple[Entry, ...], before: Snapshot, after: Snapshot
    ) -> Generator[Event | InternalError]:
        """Compare all that ``entries`` are about once more, as a diff of two snapshots does."""
        wanted = Wanted(
            stages=self._plan.stages,
            fields=self._plan.fields,
            selection=_selection_for(entries),
            ledger=Ledger(entries),
            cause_seconds=0.0,
            command=self._plan.command,
            tokenizers=frozenset(name for entry in entries for name in names_in(entry.tokenizers)[0]),
        )
        try:
            plan = diff_plan(before, after, None, {}, wanted)
        except BadInputError:  # of the inputs that they name none is there
            return
        yield from self._diffed(plan, self._known.diffed)

    # The end

    def _finished(self, reason: str | None) -> VersionsFinished:
        return VersionsFinished(
            finished=reason is None,
            reason=reason,
            conclusion=self._conclusion(reason),
            releases=len(self._at_hand),
            tokenizers=len(self._plan.tokenizers) if self._matrices else 0,
            steps=tuple(self._steps),
            seconds=time.perf_counter() - self._began,
            stale=self._stale,
        )

    def _conclusion(self, reason: str | None) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.INTERRUPTED: reason == INTERRUPTED,
                Conclusion.INTERNAL_ERROR: self._broken,
                Conclusion.BAD_INPUT: self._refused,
                Conclusion.IMPLEMENTATION_FAILED: self._missing or any(step.is_unstable for step in self._steps),
                Conclusion.NOTHING_COMPARED: not self._changed and (len(self._at_hand) < 2 or not self._matrices),
                Conclusion.DIFFERENCES: self._changed,
                Conclusion.STALE: self._stale,
            }
        )


class _Answers:
    """The outcome of the diffs of a step, one for each tokenizer."""

    def __init__(self) -> None:
        self.run: RunStarted | None = None
        self.finished: list[TokenizerFinished] = []
        self.asked_again: list[AskedAgain] = []
        self.seen: list[DifferencesSeen] = []
        self.unstable = self.unconfirmed = self.without_cause = 0
        self._failed: set[str] = set()

    def causes(self) -> Iterator[Cause]:
        """Yield the causes that were found."""
        return (cause for each in self.finished for cause in each.causes)

    def know(self, causes: tuple[Cause, ...] | None) -> None:
        """Take over ``causes``, where they are known without a search, as those of the tokenizer compared last."""
        if causes and self.finished and self.finished[-1].findings:
            (first, *_), (*before, last) = causes, self.finished
            of_finding = {each.signature: each.differences for each in last.findings}
            told = (replace(first, findings=of_finding),) if len(causes) == 1 else causes
            self.finished = [*before, replace(last, causes=told)]

    def take(self, event: DiffEvent) -> None:
        """Take note of an ``event`` of the diff at work."""
        match event:
            case RunStarted():
                before = () if self.run is None else self.run.tokenizers
                self.run = replace(event, tokenizers=(*before, *event.tokenizers))
                self._failed = set()
            case InputsFailed():
                self._failed.update(event.ids)
            case TokenizerFinished():
                self.finished.append(event)
                # What has failed differs in a new way, or is unstable.
                self.unstable += len(self._failed) - sum(row.failing_inputs for row in event.results)
            case AskedAgain():
                self.asked_again.append(event)
            case DifferencesSeen():
                self.seen.append(event)
            case _:
                pass


def _missing(name: str, reason: str) -> lines.Refused:
    """Return the line about a release, or a step, that is not asked."""
    return lines.Refused(what="implementation", name=name, reason=reason, is_release=True)


def _selection_for(entries: tuple[Entry, ...]) -> Selection:
    """Return the inputs that ``entries`` are about: those that they name, all where one of them does not name any."""
    ids: set[str] = set()
    for entry in entries:
        names, patterns = names_in(entry.inputs)
        if patterns or not names:
            return EVERYTHING
        ids |= names
    return Selection(ids=frozenset(ids))


def _of_all(impact: Impact, words: int, sources: Mapping[str, int]) -> Impact:
    return msgspec.structs.replace(
        impact,
        documents=Share(changed=impact.documents.changed, total=sum(sources.values())),
        words=None if impact.words is None else Share(changed=impact.words.changed, total=words),
        sources={
            source: Share(changed=impact.sources[source].changed if source in impact.sources else 0, total=total)
            for source, total in sources.items()
        },
    )
