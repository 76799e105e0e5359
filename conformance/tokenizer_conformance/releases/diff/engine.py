"""The engine of a diff: how tokenizers are loaded, then a run of both sides, then causes where both are asked anew."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from inspect import GEN_CLOSED, getgeneratorstate
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.comparison.known import KnownOnes
from tokenizer_conformance.comparison.loading_errors import told_faults
from tokenizer_conformance.inputs.corpus import Selection
from tokenizer_conformance.ledger import entry as ledger_entry
from tokenizer_conformance.ledger.versions import is_later
from tokenizer_conformance.releases.diff.concluding import DiffCourse, concluded
from tokenizer_conformance.releases.diff.events import Ending, Event, LoadingChanged, LoadingCompared
from tokenizer_conformance.releases.diff.explanations import Explanations
from tokenizer_conformance.releases.diff.loading_changes import PARTS, loading_changes, parts_left_out
from tokenizer_conformance.releases.diff.sides import plain_name
from tokenizer_conformance.results.records.run import Sides
from tokenizer_conformance.validation.running.concluding import INTERRUPTED
from tokenizer_conformance.validation.running.engine import run
from tokenizer_conformance.validation.running.events import CausesSought, RunFinished, RunStarted, TokenizerFinished
from tokenizer_conformance.validation.running.plan import nothing_to_reach

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Implementation, ImplementationInfo
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.comparison.findings import Example, Finding, Signature
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.releases.diff.preparation import DiffPlan, LiveSides
    from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer
    from tokenizer_conformance.results.records.run import AskedAgain
    from tokenizer_conformance.validation.running import events as run_events
    from tokenizer_conformance.validation.running.plan import RunPlan

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

NOT_READ = "not read: the diff was interrupted before"
"""How a side is described of which nothing is known yet."""


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
        self._compared: list[LoadingCompared] = []

    def events(self) -> Generator[Event | InternalError]:
        plan = self._plan
        try:
            both = yield from self._loadings()
            compared = run(_on_those(plan.run, both))
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
        yield plan.sides
        both = []
        for tokenizer in plan.run.tokenizers:
            if not plan.run.portion_of(tokenizer.source.name).count:  # another part tells it
                continue
            changes, compared = self._loading(tokenizer)
            self._changes += changes
            self._compared.append(compared)
            yield from changes
            yield compared
            if compared.loaded:
                both.append(tokenizer)
        return both

    # Loading

    def _loading(self, tokenizer: TokenizerFile) -> tuple[list[LoadingChanged], LoadingCompared]:
        name = tokenizer.source.name
        STATUS.begin(name, "loading")
        old, new = self._plan.old[name], self._plan.new(tokenizer)
        left_out = parts_left_out(old, new)
        shown = tuple(part for part in PARTS if part == ledger_entry.LOAD or part not in left_out)
        baseline, info = self._infos()
        explanations = Explanations(baseline, info)
        file = tokenizer.source.file
        changes = list(changes_of_loading(old, new, (baseline, info), self._plan.run.ledger, file, explanations))
        if not self._plan.loading:
            changes, left_out, shown = [], dict.fromkeys(PARTS, LOADING_LEFT_OUT), ()
        return changes, LoadingCompared(tokenizer, left_out, shown, loaded=old.error is None and new.error is None)

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
        for finished in list(self._finished.values()):
            if finished.findings:
                is_interrupted = yield from self._causes_of(finished, live)
                if is_interrupted:
                    self._interrupt()
                    yield Ending()
                    return

    def _causes_of(self, finished: TokenizerFinished, live: LiveSides) -> Generator[Event | InternalError, None, bool]:
        """Do so on one tokenizer, and return whether that was interrupted."""
        asked_for = () if self._plan.run.shard else sorted(self._plan.run.corpus.selection.ids)
        ids = frozenset(islice(dict.fromkeys((*_ids_of(finished.findings), *asked_for)), MOST_LIVE))
        sides = later_first(live)
        again = replace(
            self._plan.run,
            tokenizers=(live.tokenizers[finished.tokenizer],),
            implementations=sides,
            baseline=sides[0].info.name,
            corpus=live.inputs(Selection(ids=ids)),
            cause_seconds=self._plan.cause_seconds,
            asks=self._plan.asks,
            reach=nothing_to_reach,
            jobs=1,
            shard=None,
            portions={},
        )
        found: list[TokenizerFinished] = []
        interrupted: list[bool] = []

        def is_held(event: run_events.Event | InternalError) -> bool:
            match event:
                case TokenizerFinished():
                    found.append(event)
                case CausesSought():
                    found[-1] = event.of(found[-1])
                    interrupted.append(event.ends)
                case RunFinished():
                    interrupted.append(event.reason == INTERRUPTED)
            return not hasattr(event, "error")

        yield from relayed(run(again), is_held)
        explanations = Explanations(live.old.info, live.new.info)
        for each in found:
            name_of_new = finished.results[0].implementation
            told = _with_causes(finished, _turned(each, name_of_new) if sides[0] is live.new else each)
            causes = tuple(map(explanations.with_known_changes, told.causes))
            self._finished[finished.tokenizer] = replace(told, causes=causes)
        return any(interrupted)

    def _asked_again(self) -> Iterator[AskedAgain]:
        """Return what is to be told of sides that were asked again; of a part all, as it is added up."""
        found = (side.asked_again(name) for name in self._finished for side in self._plan.asked_again)
        is_part = self._plan.run.shard is not None
        return (each for each in found if each is not None and (is_part or each.is_told))

    def _concluded(self, last: RunFinished) -> RunFinished:
        plan = self._plan.run
        old, new = self._infos()
        course = DiffCourse(
            old=old,
            new=new,
            fields=frozenset(plan.fields),
            entries=plan.ledger.entries,
            done=tuple(self._finished.values()),
            changes=self._changes,
            compared=self._compared,
            is_part=plan.shard is not None,
        )
        return concluded(last, course)

    def _infos(self) -> tuple[ImplementationInfo, ImplementationInfo]:
        """Return what the old side is, and the new one."""
        infos = {each.info.name: each.info for each in self._plan.run.implementations}
        old = infos.pop(self._plan.run.baseline)
        (new,) = infos.values()
        return old, new


def _on_those(plan: RunPlan, tokenizers: Sequence[TokenizerFile]) -> RunPlan:
    """Return the run of ``plan`` on ``tokenizers`` alone; all parts name all tokenizers."""
    if plan.shard is None:
        return replace(plan, tokenizers=tuple(tokenizers))
    left = {each.source.name for each in tokenizers}
    portions = {name: each if name in left else replace(each, count=0) for name, each in plan.portions.items()}
    return replace(plan, portions=portions)


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
        known = KnownOnes(change.tokenizer, baseline, info, ledger)
        entry = (
            known.entry_for_tokenizer(change.what, "refused", "error")
            if refused
            else known.entry_for_tokenizer(change.what, "other values", "differ", ("document",))
        )
        explained = explanations.of_loading(old, new, file, change.what)
        faults = _faults(file, ((old, baseline), (new, info))) if refused else ()
        yield LoadingChanged(change, entry, explained, faults)


def _faults(file: str, sides: Iterable[tuple[LoadedTokenizer, ImplementationInfo]]) -> tuple[str, ...]:
    """Return what is wrong with ``file`` for those of ``sides`` that refuse it, each once."""
    told = (told_faults(file, loaded.error, info) for loaded, info in sides if loaded.error is not None)
    return tuple(dict.fromkeys(each for of_side in told for each in of_side))


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


def _with_causes(finished: TokenizerFinished, again: TokenizerFinished) -> TokenizerFinished:
    """Return ``finished`` with the causes and the small examples of ``again``, a run on some of its inputs.

    What only that run has seen to be unstable is added: it may have been the same twice by chance before.
    """
    smaller = {_place_of(each): each.smallest for each in again.findings}
    told = {_place_of(each) for each in finished.unstable}
    return replace(
        finished,
        findings=tuple(
            replace(each, smallest=smaller.get(_place_of(each), each.smallest)) for each in finished.findings
        ),
        unstable=(*finished.unstable, *(each for each in again.unstable if _place_of(each) not in told)),
        causes=again.causes,
        uncounted=again.uncounted,
        unexamined=again.unexamined,
    )


def _place_of(finding: Finding) -> Signature:
    """Return the signature without the name of the implementation, which depends on the side that is the baseline."""
    return replace(finding.signature, implementation="", entry=None)


def _turned(again: TokenizerFinished, implementation: str) -> TokenizerFinished:
    """Return the result of a run with its two sides exchanged: it is that of ``implementation`` then."""

    def signature(told: Signature) -> Signature:
        return replace(told, implementation=implementation, party=TURNED_PARTY[told.party])

    def finding(told: Finding) -> Finding:
        return replace(
            told,
            signature=signature(told.signature),
            smallest=_turned_example(told.smallest),
            first=_turned_example(told.first),
        )

    return replace(
        again,
        findings=tuple(map(finding, again.findings)),
        unstable=tuple(map(finding, again.unstable)),
        causes=tuple(
            replace(cause, findings={signature(each): count for each, count in cause.findings.items()})
            for cause in again.causes
        ),
        unexamined=tuple(replace(each, signature=signature(each.signature)) for each in again.unexamined),
    )


def _turned_example(example: Example) -> Example:
    difference = example.difference
    turned = replace(
        difference,
        baseline=difference.implementation,
        implementation=difference.baseline,
        party=TURNED_PARTY[difference.party],
    )
    return replace(example, difference=turned, answers=None if example.answers is None else example.answers.exchanged())


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


def cut_short_diff(old: str, new: str | None, command: Sequence[str], seconds: float) -> Generator[Event]:
    """Yield what happens in a diff of ``old`` and ``new`` that an interrupt ends before it compares anything.

    Nothing is known of the sides, so the run has no implementations, tokenizers and inputs. It took ``seconds``.
    """
    yield Ending()
    sides = (f"{word}: {NOT_READ}" for word in (old, new or "what answers now"))
    yield Sides(old=next(sides), new=next(sides), only_old=0, only_new=0, other_files=())
    yield RunStarted(
        environment=current_environment(command),
        baseline="",
        implementations=(),
        tokenizers=(),
        inputs=0,
        inputs_sha256=hashlib.sha256().hexdigest(),
        stages=(),
        fields=(),
        every_id=False,
        seed=0,
    )
    yield RunFinished(
        finished=False,
        reason=INTERRUPTED,
        conclusion=Conclusion.INTERRUPTED,
        tokenizers=0,
        inputs=0,
        compared=0,
        differences=0,
        seconds=seconds,
    )
