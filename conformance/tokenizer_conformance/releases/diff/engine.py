"""The engine of a diff: how tokenizers are loaded, then a run of both sides, then causes where both are asked anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from inspect import GEN_CLOSED, getgeneratorstate
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.causes.collecting import merged
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.inputs.corpus import Selection
from tokenizer_conformance.ledger import entry as ledger_entry
from tokenizer_conformance.ledger.names import names_in
from tokenizer_conformance.ledger.staleness import holds_for
from tokenizer_conformance.ledger.versions import is_later
from tokenizer_conformance.releases.diff.events import Ending, Event, LoadingChanged, LoadingCompared, SidesCompared
from tokenizer_conformance.releases.diff.explanations import Explanations
from tokenizer_conformance.releases.diff.loading_changes import PARTS, loading_changes, parts_left_out, shown_by_both
from tokenizer_conformance.releases.diff.sides import plain_name
from tokenizer_conformance.validation.running.concluding import INTERRUPTED
from tokenizer_conformance.validation.running.coverage import LOST_ANSWERS, lost_answers
from tokenizer_conformance.validation.running.engine import run
from tokenizer_conformance.validation.running.events import CausesSought, RunFinished, TokenizerFinished
from tokenizer_conformance.validation.running.loading_finding import further_words

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from tokenizer_adapters.contract import Implementation, ImplementationInfo
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.comparison.findings import Example, Finding, Signature
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.releases.diff.asking_again import AskedAgain
    from tokenizer_conformance.releases.diff.plan import DiffPlan, LiveSides
    from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer
    from tokenizer_conformance.validation.running import events as run_events
    from tokenizer_conformance.validation.running.coverage import Shortfall
    from tokenizer_conformance.validation.running.results import Unexamined

TURNED_PARTY: dict[Party | None, Party | None] = {
    Party.BASELINE: Party.IMPLEMENTATION,
    Party.IMPLEMENTATION: Party.BASELINE,
    Party.BOTH: Party.BOTH,
    None: None,
}
"""Which side is at fault when the two are exchanged."""

MOST_LIVE = 300
"""So many inputs of a tokenizer are asked about anew: those that findings name, and those that were asked for by id."""

LOADING_LEFT_OUT = "left out (--no-loading)"


def diff(plan: DiffPlan) -> Generator[Event | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` ends it early, as it ends a run.
    """
    return _Diff(plan).events()


class _Diff:
    """A diff at work."""

    def __init__(self, plan: DiffPlan) -> None:
        self._plan = plan
        self._finished: dict[str, TokenizerFinished] = {}
        self._last: RunFinished | None = None
        self._changes: list[LoadingChanged] = []
        self._shown: dict[str, frozenset[str]] = {}

    def events(self) -> Generator[Event | InternalError]:
        plan = self._plan
        try:
            both = yield from self._loadings()
            compared = run(replace(plan.run, tokenizers=tuple(both)))
        except KeyboardInterrupt:
            yield Ending()
            compared = _cut_short(run(plan.run))
        yield from relayed(compared, self._is_held)
        if self._last is not None and not self._last.finished:
            yield Ending()
        elif plan.live is not None and self._last is not None:
            try:
                yield from self._causes(plan.live)
            except KeyboardInterrupt:
                self._interrupt()
                yield Ending()
        told: list[Event] = [*self._asked_again(), *self._finished.values()]
        for event in told:
            try:
                yield event
            except KeyboardInterrupt:
                self._interrupt()
        if self._last is not None:
            try:
                end = self._concluded(self._last)
            except KeyboardInterrupt:
                self._interrupt()
                end = self._concluded(self._last)
            yield end

    def _interrupt(self) -> None:
        """Have this end as an interrupted run does."""
        if self._last is not None:
            self._last = replace(self._last, finished=False, reason=INTERRUPTED, conclusion=Conclusion.INTERRUPTED)

    def _loadings(self) -> Generator[Event, None, list[TokenizerFile]]:
        """Tell how tokenizers are loaded, and return those that both sides load."""
        plan = self._plan
        yield SidesCompared(*plan.sides, plan.only_old, plan.only_new, plan.other_files)
        both = []
        for tokenizer in plan.run.tokenizers:
            changes, compared, loaded_by_both = self._loading(tokenizer)
            self._changes += changes
            yield from changes
            yield compared
            if loaded_by_both:
                both.append(tokenizer)
        return both

    # Loading

    def _loading(self, tokenizer: TokenizerFile) -> tuple[list[LoadingChanged], LoadingCompared, bool]:
        name = tokenizer.source.name
        STATUS.begin(name, "loading")
        old, new = self._plan.old[name], self._plan.new(tokenizer)
        self._shown[name] = shown_by_both(old, new)
        infos = {each.info.name: each.info for each in self._plan.run.implementations}
        baseline = infos.pop(self._plan.run.baseline)
        (info,) = infos.values()
        explanations = Explanations(baseline, info)
        file = tokenizer.source.file
        changes = list(changes_of_loading(old, new, (baseline, info), self._plan.run.ledger, file, explanations))
        left_out = parts_left_out(old, new) if self._plan.loading else dict.fromkeys(PARTS, LOADING_LEFT_OUT)
        compared = LoadingCompared(tokenizer, left_out)
        return changes if self._plan.loading else [], compared, old.error is None and new.error is None

    # Comparing

    def _is_held(self, event: run_events.Event | InternalError) -> bool:
        match event:
            case TokenizerFinished():
                self._finished[event.tokenizer] = event
            case RunFinished():
                self._last = event
            case _:
                return False
        return True

    def _causes(self, live: LiveSides) -> Generator[Event | InternalError]:
        """Ask both sides again about inputs that differ, and take over causes and small examples."""
        for name, finished in list(self._finished.items()):
            if not finished.findings:
                continue
            asked_for = sorted(self._plan.run.corpus.selection.ids)
            ids = frozenset(islice(dict.fromkeys((*_ids_of(finished.findings), *asked_for)), MOST_LIVE))
            sides = later_first(live)
            again = replace(
                self._plan.run,
                tokenizers=(live.tokenizers[name],),
                implementations=sides,
                baseline=sides[0].info.name,
                corpus=live.inputs(Selection(ids=ids)),
                cause_seconds=self._plan.cause_seconds,
                asks=lambda _question: True,
            )
            found: list[TokenizerFinished] = []
            interrupted: list[bool] = []

            def is_held(
                event: run_events.Event | InternalError,
                found: list[TokenizerFinished] = found,
                interrupted: list[bool] = interrupted,
            ) -> bool:
                if isinstance(event, TokenizerFinished):
                    found.append(event)
                if isinstance(event, CausesSought):
                    found[-1] = event.of(found[-1])
                    interrupted.append(event.ends)
                if isinstance(event, RunFinished):
                    interrupted.append(event.reason == INTERRUPTED)
                return not hasattr(event, "error")

            yield from relayed(run(again), is_held)
            explanations = Explanations(live.old.info, live.new.info)
            for each in found:
                told = _with_causes(finished, each, is_turned=sides[0] is live.new)
                causes = tuple(map(explanations.with_known_changes, told.causes))
                self._finished[name] = replace(told, causes=causes)
            if any(interrupted):
                self._interrupt()
                yield Ending()
                return

    def _asked_again(self) -> Iterator[AskedAgain]:
        """Yield what is to be told of sides that were asked again."""
        for name in self._finished:
            for side in self._plan.asked_again:
                found = side.asked_again(name)
                if found is not None and found.is_told:
                    yield found

    def _concluded(self, last: RunFinished) -> RunFinished:
        new = Counter(change.change.what for change in self._changes if change.entry is None)
        lost = tuple(self._lost())
        stale = self._stale() if last.finished and self._plan.loading else ()
        short = tuple(_others_than(lost, last.shortfalls))
        conclusion = last.conclusion
        if conclusion is Conclusion.NOTHING_COMPARED and self._changes:  # facts were
            conclusion = Conclusion.CONFORM
        if conclusion is Conclusion.TOO_LITTLE and last.shortfalls and not short:  # what is lost is a difference
            conclusion = Conclusion.CONFORM
        conclusion = conclusion_from(
            {
                Conclusion.IMPLEMENTATION_FAILED: any(each.unstable for each in self._finished.values()),
                Conclusion.DIFFERENCES: last.differences or new or lost,
                Conclusion.STALE: stale,
            }
            | {conclusion: True}
        )
        finished = self._finished.values()
        return replace(
            last,
            conclusion=conclusion,
            shortfalls=(*short, *lost),
            further=tuple(further_words(new, lost)),
            stale=(*last.stale, *stale),
            known=last.known + sum(change.entry is not None for change in self._changes),
            causes=merged(cause for each in finished for cause in each.causes),
            uncounted=sum(each.uncounted for each in finished),
        )

    def _lost(self) -> Iterator[Shortfall]:
        """Yield what the new side does not show any more, where both sides are one implementation."""
        plan = self._plan.run
        if len({plain_name(each.info) for each in plan.implementations}) == 1:
            for done in self._finished.values():
                for row in done.results:
                    yield from lost_answers(done.tokenizer, row, frozenset(plan.fields))

    def _stale(self) -> tuple[ledger_entry.Entry, ...]:
        """Return the entries about loading that no change has, although all that they are about was compared."""
        plan = self._plan.run
        infos = {each.info.name: each.info for each in plan.implementations}
        baseline = infos.pop(plan.baseline)
        versions = {known_as(name): info.version for name, info in infos.items()}
        matched = {change.entry for change in self._changes}
        return tuple(
            entry
            for entry in plan.ledger.entries
            if entry.stages
            and entry not in matched
            and entry.implementation in versions
            and holds_for(entry, versions[entry.implementation], known_as(baseline.name), baseline.version)
            and self._was_compared(entry)
        )

    def _was_compared(self, entry: ledger_entry.Entry) -> bool:
        names, patterns = names_in(entry.tokenizers)
        return (
            bool(names)
            and not patterns
            and all(self._shown.get(name, frozenset()).issuperset(entry.stages) for name in names)
        )


def changes_of_loading(
    old: LoadedTokenizer,
    new: LoadedTokenizer,
    infos: tuple[ImplementationInfo, ImplementationInfo],
    ledger: Ledger,
    file: str,
    explanations: Explanations,
) -> Iterator[LoadingChanged]:
    """Yield what changed in how the tokenizer at ``file`` is loaded, with what ``ledger`` and known changes say of it.

    ``infos`` describe the sides.
    """
    baseline, info = infos
    is_same = plain_name(baseline) == plain_name(info)
    for change in loading_changes(old, new, is_same_implementation=is_same):
        refused = change.what == ledger_entry.LOAD
        difference = ledger_entry.Difference(
            implementation=info.name,
            version=info.version,
            tokenizer=change.tokenizer,
            stage=change.what,
            fields=() if refused else ("document",),
            requirement=None,
            kind="refused" if refused else "other values",
            input=None,
            verdict="error" if refused else "differ",
            baseline=baseline.name,
            baseline_version=baseline.version,
        )
        explained = explanations.of_loading(old, new, file, change.what)
        yield LoadingChanged(change, ledger.entry_for(difference), explained)


def _others_than(lost: Sequence[Shortfall], told: Sequence[Shortfall]) -> Iterator[Shortfall]:
    """Yield those that were ``told`` and are not among the ``lost`` answers in other words."""
    places = {(each.tokenizer, each.stage, each.field) for each in lost if each.lost == LOST_ANSWERS}
    return (each for each in told if each.required or (each.tokenizer, each.stage, each.field) not in places)


def _ids_of(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        yield from finding.own_inputs
        yield finding.smallest.input.id


def later_first(live: LiveSides) -> tuple[Implementation, Implementation]:
    """Return both sides, the one of the later version first.

    Causes are proven by what the reference does, which follows the latest one: so it is the older side that is
    explained, whichever of the two is the old one of the diff. Where no version is later the old side stands first.
    """
    old, new = live.old, live.new
    return (new, old) if is_later(new.info.version, old.info.version) else (old, new)


def _with_causes(finished: TokenizerFinished, again: TokenizerFinished, *, is_turned: bool) -> TokenizerFinished:
    """Return ``finished`` with the causes and the small examples of ``again``, a run on some of its inputs.

    What only that run has seen to be unstable is added: it may have been the same twice by chance before.

    ``is_turned``: that run had the new side for its baseline.
    """
    smaller = {_place_of(finding.signature): finding.smallest for finding in again.findings}
    found: list[Finding] = []
    for finding in finished.findings:
        place = _place_of(_turned_signature(finding.signature) if is_turned else finding.signature)
        example = smaller.get(place)
        if example is not None and is_turned:
            example = _turned_example(example)
        found.append(finding if example is None else replace(finding, smallest=example))
    told = {_place_of(finding.signature) for finding in finished.unstable}
    name = finished.results[0].implementation
    unstable = [_turned_finding(finding, name) if is_turned else finding for finding in again.unstable]
    causes = [_of_turned_findings(cause, name) for cause in again.causes] if is_turned else again.causes
    unexamined = [_of_turned_finding(each, name) for each in again.unexamined] if is_turned else again.unexamined
    return replace(
        finished,
        findings=tuple(found),
        unstable=(*finished.unstable, *(each for each in unstable if _place_of(each.signature) not in told)),
        causes=tuple(causes),
        uncounted=again.uncounted,
        unexamined=tuple(unexamined),
    )


def _of_turned_findings(cause: Cause, implementation: str) -> Cause:
    """Return ``cause`` as that of the findings of ``implementation`` with their two sides exchanged."""
    turned = {_exchanged(each, implementation): count for each, count in cause.findings.items()}
    return replace(cause, findings=turned)


def _of_turned_finding(unexamined: Unexamined, implementation: str) -> Unexamined:
    """Return ``unexamined`` as what a finding of ``implementation`` with its two sides exchanged has no cause of."""
    return replace(unexamined, signature=_exchanged(unexamined.signature, implementation))


def _turned_finding(finding: Finding, implementation: str) -> Finding:
    """Return ``finding`` with its two sides exchanged: it is of ``implementation`` then."""
    return replace(
        finding,
        signature=_exchanged(finding.signature, implementation),
        smallest=_turned_example(finding.smallest),
        first=_turned_example(finding.first),
    )


def _turned_example(example: Example) -> Example:
    """Return ``example`` with its two sides exchanged."""
    answers = None if example.answers is None else example.answers.exchanged()
    return replace(example, difference=_turned(example.difference), answers=answers)


def _place_of(signature: Signature) -> Signature:
    """Return ``signature`` without the name of the implementation, which depends on the side that is the baseline."""
    return replace(signature, implementation="", entry=None)


def _exchanged(signature: Signature, implementation: str) -> Signature:
    """Return ``signature`` with its two sides exchanged, as that of ``implementation``."""
    return replace(_turned_signature(signature), implementation=implementation)


def _turned_signature(signature: Signature) -> Signature:
    return replace(signature, party=TURNED_PARTY[signature.party])


def _turned(difference: Difference) -> Difference:
    """Return ``difference`` with its two sides exchanged."""
    return replace(
        difference,
        baseline=difference.implementation,
        implementation=difference.baseline,
        party=TURNED_PARTY[difference.party],
    )


def relayed(
    engine: Generator[run_events.Event | InternalError],
    is_held: Callable[[run_events.Event | InternalError], bool],
) -> Generator[run_events.Event | InternalError]:
    """Yield the events of ``engine`` but those that are held back; an interrupt that is thrown in here reaches it."""
    step: Callable[[], run_events.Event | InternalError] = engine.__next__
    while True:
        try:
            event = step()
            step = engine.__next__
            if not is_held(event):
                yield event
        except StopIteration:
            return
        except KeyboardInterrupt as interrupt:
            if getgeneratorstate(engine) == GEN_CLOSED:
                raise
            step = _thrown(engine, interrupt)


def _cut_short(engine: Generator[run_events.Event | InternalError]) -> Generator[run_events.Event | InternalError]:
    """Yield how the run begins that ``engine`` would carry out, and how it ends where it is interrupted at once."""
    yield next(engine)
    yield engine.throw(KeyboardInterrupt())
    yield from engine


def _thrown(
    engine: Generator[run_events.Event | InternalError], interrupt: KeyboardInterrupt
) -> Callable[[], run_events.Event | InternalError]:
    return lambda: engine.throw(interrupt)
