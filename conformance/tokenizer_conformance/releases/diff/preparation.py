"""The plan of a diff, made of a snapshot and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import PIPELINE_STAGES, CannotLoadError, Field
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.defaults import CAUSE_SECONDS_EACH
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.corpus import EVERYTHING, Inputs, Selection
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile, locate, read_tokenizer
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.releases.diff.asking_again import ReplayedAndAsked
from tokenizer_conformance.releases.diff.sides import Renamed, SentSide, all_hold, common_inputs, distinct_infos
from tokenizer_conformance.releases.snapshot_file.loading import loaded_tokenizer
from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer
from tokenizer_conformance.releases.snapshot_file.questions import every_question
from tokenizer_conformance.releases.snapshot_file.reader import Snapshot
from tokenizer_conformance.releases.snapshot_file.replay import (
    Position,
    ReplayedCorpus,
    ReplayedImplementation,
    files_of_snapshot,
)
from tokenizer_conformance.results.records.run import Sides
from tokenizer_conformance.validation.running.plan import Call, RunPlan, portions_of_shard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokenizer_adapters.contract import Implementation, ImplementationInfo, Observation, Stage
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.validation.running.plan import Portion, Repeats


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of both sides is compared, and how.

    ``call`` knows the command line that compares them again. ``tokenizers`` are names, all where none is given.
    ``files`` are tokenizers that need not be looked for, by their names. ``asks`` says which questions are put again
    where causes are looked for, and ``anew`` whether they are looked for at all. Of a ``shard`` only the inputs in it
    are compared. ``jobs`` processes compare; more than one have to build the implementations that are asked anew
    (:class:`~tokenizer_conformance.releases.diff.sides.BuiltAnywhere`). ``options`` are those of the command line on
    which the answers hang.
    """

    stages: tuple[Stage, ...] = PIPELINE_STAGES
    fields: frozenset[Field] = field(default_factory=lambda: frozenset(Field))
    selection: Selection = EVERYTHING
    max_failing: int | None = None
    ledger: Ledger = field(default_factory=Ledger)
    cause_seconds: float = CAUSE_SECONDS_EACH
    loading: bool = True
    command: tuple[str, ...] = ()
    call: Repeats = field(default_factory=Call)
    tokenizers: frozenset[str] | None = None
    files: Mapping[str, TokenizerFile] = field(default_factory=dict)
    asks: Callable[[Observation], bool] = every_question
    anew: bool = True
    shard: Shard | None = None
    jobs: int = 1
    options: Mapping[str, object] = field(default_factory=dict)

    def takes(self, name: str) -> bool:
        """Return whether the tokenizer called ``name`` is compared."""
        return self.tokenizers is None or name in self.tokenizers


@dataclass(frozen=True, slots=True)
class LiveSides:
    """Both sides as implementations that can be asked anew: causes are looked for and examples made small with them.

    ``tokenizers`` are the files to load. ``inputs`` gives the inputs that a selection takes.
    """

    old: Implementation
    new: Implementation
    tokenizers: Mapping[str, TokenizerFile]
    inputs: Callable[[Selection], Inputs]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffPlan:
    """One diff.

    ``run`` compares both sides on what both were asked; its baseline is the old one. ``old`` and ``new`` say how each
    tokenizer was loaded, by its name, ``sides`` in words what the two are.
    ``live`` are sides that can be asked anew, where there are any, and ``asked_again`` the snapshots among the sides of
    ``run`` whose differences they confirm.
    """

    run: RunPlan
    old: Mapping[str, LoadedTokenizer]
    new: Callable[[TokenizerFile], LoadedTokenizer]
    sides: Sides
    live: LiveSides | None = None
    asked_again: tuple[ReplayedAndAsked, ...] = ()
    cause_seconds: float = 0.0
    loading: bool = True
    asks: Callable[[Observation], bool] = every_question


def diff_plan(
    old: Snapshot,
    new: Snapshot | Implementation,
    live: tuple[Implementation, Implementation] | None,
    moved: Mapping[str, str],
    wanted: Wanted,
) -> DiffPlan:
    """Return the plan of a diff from ``old`` to ``new``.

    ``live`` are both sides as implementations that can be asked anew, ``moved`` says where tokenizers are now, by their
    names in ``old``. Raises :class:`BadInputError` where the two have nothing in common.
    """
    infos = distinct_infos(old.header.info, new.header.info if isinstance(new, Snapshot) else new.info)
    position = Position()
    numbers: Sequence[int] | None = None
    only_old = only_new = 0
    refusals: list[Rejected] = []
    replays = [ReplayedImplementation(old, infos[0], position)]
    living: list[Implementation] = []
    if isinstance(new, Snapshot):
        tokenizers = [each for each in _common_tokenizers(old, new, refusals) if wanted.takes(each.source.name)]
        if old.header.inputs.sha256 != new.header.inputs.sha256:
            numbers = common_inputs(old, new)
            found = sum(number >= 0 for number in numbers)
            only_old, only_new = old.count - found, new.count - found
        replays.append(ReplayedImplementation(new, infos[1], position, numbers))
    else:
        tokenizers = _found(old, moved, wanted, refusals)
        living = [Renamed(new, infos[1])]
    if not tokenizers:
        raise BadInputError(refusals[0].reason if refusals else "the two have no tokenizer in common")
    corpus = ReplayedCorpus(old, old.count - only_old, old.header.inputs.sha256, EVERYTHING, numbers)
    if wanted.selection != EVERYTHING:
        corpus = _selected(corpus, wanted.selection)
    if not corpus.count:
        raise BadInputError("no input of the old side is compared: the selection takes none, or the new side has none")
    snapshots = [old, *([new] if isinstance(new, Snapshot) else [])]
    sides = None if live is None else _live_sides(old, infos, live, moved, corpus, wanted)
    asked_again = () if sides is None else _asked_again(replays, snapshots, sides)
    stages = _stages(wanted.stages, snapshots)
    implementations = (*(asked_again or replays), *living)
    run_plan = RunPlan(
        tokenizers=tuple(tokenizers),
        implementations=implementations,
        baseline=infos[0].name,
        corpus=corpus,
        refusals=tuple(refusals),
        stages=stages,
        fields=wanted.fields,
        max_failing=wanted.max_failing,
        ledger=wanted.ledger,
        asks=partial(all_hold, replays),
        reach=position.reach,
        jobs=wanted.jobs,
        selected=tuple(map(SentSide, implementations)),
        shard=wanted.shard,
        portions=_portions(wanted.shard, tokenizers, corpus),
        options={
            **wanted.options,
            "max-fail": wanted.max_failing,
            "cause-time": wanted.cause_seconds,
            "no-loading": not wanted.loading,
            "live": live is not None,
        },
        command=wanted.command,
        call=wanted.call,
        cause_seconds=0.0,
    )
    return DiffPlan(
        run=run_plan,
        old={each.name: each for each in old.tokenizers},
        new=_loading_of(new),
        sides=Sides(
            old=_described(old),
            new=_described(new),
            only_old=only_old,
            only_new=only_new,
            other_files=_other_files(old, new if isinstance(new, Snapshot) else tokenizers),
        ),
        live=sides if wanted.anew else None,
        asked_again=asked_again,
        cause_seconds=wanted.cause_seconds,
        loading=wanted.loading,
        asks=wanted.asks,
    )


def _portions(shard: Shard | None, tokenizers: Sequence[TokenizerFile], corpus: ReplayedCorpus) -> dict[str, Portion]:
    """Return what of the inputs is compared on each tokenizer, where that is not all."""
    if shard is None:
        return {}
    STATUS.begin("sharing the inputs out", str(shard))
    return portions_of_shard(shard, [each.source.name for each in tokenizers], corpus)


def _stages(wanted: Sequence[Stage], snapshots: Sequence[Snapshot]) -> tuple[Stage, ...]:
    """Return the stages among those ``wanted`` that all ``snapshots`` were asked about."""
    asked = frozenset(wanted).intersection(*(each.header.stages for each in snapshots))
    if not asked:
        names = " and ".join(", ".join(each.header.stages) or "nothing" for each in snapshots)
        raise BadInputError(f"no stage to compare: of those wanted, none was asked about ({names})")
    return tuple(stage for stage in wanted if stage in asked)


def _other_files(old: Snapshot, new: Snapshot | Sequence[TokenizerFile]) -> tuple[str, ...]:
    """Return the names of the tokenizers whose file is another one than that of ``old``."""
    if isinstance(new, Snapshot):
        digests = {each.name: each.sha256 for each in new.header.tokenizers}
    else:
        digests = {each.source.name: each.sha256 for each in new}
    return tuple(each.name for each in old.header.tokenizers if digests.get(each.name, each.sha256) != each.sha256)


SAME_NAME = "; tokenizers are matched by name, so give both folders the same name"
"""What to do where a tokenizer has another name in the new snapshot."""


def _described(side: Snapshot | Implementation) -> str:
    if isinstance(side, Snapshot):
        header = side.header
        return f"{side.path}: {header.info.name} {header.info.version}, {header.environment.started}"
    return f"{side.info.name} {side.info.version}, as it answers now"


# Tokenizers -----------------------------------------------------------------------------------------------------------


def _common_tokenizers(old: Snapshot, new: Snapshot, refusals: list[Rejected]) -> list[TokenizerFile]:
    """Return the tokenizers of ``old`` that ``new`` has too; what is said of the others is added to ``refusals``."""
    there, names = ({each.name for each in side.tokenizers} for side in (new, old))
    refusals += [
        Rejected("tokenizer", each.name, f"tokenizer {each.name!r} is only in the new snapshot{SAME_NAME}")
        for each in new.header.tokenizers
        if each.name not in {each.name for each in old.header.tokenizers}
    ]
    found = []
    for tokenizer in files_of_snapshot(old):
        name = tokenizer.source.name
        if name in there and name in names:
            found.append(tokenizer)
        elif name in names:
            refusals.append(Rejected("tokenizer", name, f"tokenizer {name!r} is only in the old snapshot"))
        elif name in there:
            refusals.append(_not_reached(name))
    return found


def _not_reached(name: str) -> Rejected:
    return Rejected("tokenizer", name, f"tokenizer {name!r} was not reached before the old snapshot was cut off")


def _found(old: Snapshot, moved: Mapping[str, str], wanted: Wanted, refusals: list[Rejected]) -> list[TokenizerFile]:
    """Return the tokenizers of ``old`` as they are now; what is said of the others is added to ``refusals``."""
    names = [each.name for each in old.header.tokenizers]
    for name in moved:
        if name not in names:
            raise BadInputError(f"-t {name}=…: the snapshot has no tokenizer {name!r} (it has {', '.join(names)})")
    found = []
    reached = {each.name for each in old.tokenizers}
    for each in filter(lambda one: wanted.takes(one.name), old.header.tokenizers):
        if each.name not in reached:
            refusals.append(_not_reached(each.name))
            continue
        if each.name in wanted.files:
            found.append(wanted.files[each.name])
            continue
        STATUS.begin("finding tokenizers", each.name)
        try:
            located = locate(moved.get(each.name, each.word))
            tokenizer = read_tokenizer(located.source, located.snapshot)
        except BadInputError as error:
            hint = "" if each.name in moved else f"; say where it is now with -t {each.name}=TOKENIZER"
            refusals.append(Rejected("tokenizer", each.name, f"{error}{hint}"))
            continue
        found.append(replace(tokenizer, source=replace(tokenizer.source, name=each.name)))
    return found


def _loading_of(new: Snapshot | Implementation) -> Callable[[TokenizerFile], LoadedTokenizer]:
    """Return what says how the new side loads a tokenizer."""
    if isinstance(new, Snapshot):
        by_name = {each.name: each for each in new.tokenizers}
        return lambda tokenizer: by_name[tokenizer.source.name]

    def now(tokenizer: TokenizerFile) -> LoadedTokenizer:
        try:
            return loaded_tokenizer(loaded(new, tokenizer.source), tokenizer.source)
        except CannotLoadError as error:
            return LoadedTokenizer(tokenizer.source.name, str(error))

    return now


def _live_sides(
    old: Snapshot,
    infos: tuple[ImplementationInfo, ImplementationInfo],
    live: tuple[Implementation, Implementation],
    moved: Mapping[str, str],
    corpus: ReplayedCorpus,
    wanted: Wanted,
) -> LiveSides:
    sides = [Renamed(implementation, info) for implementation, info in zip(live, infos, strict=True)]
    files = {each.source.name: each for each in _found(old, moved, wanted, [])}
    return LiveSides(sides[0], sides[1], files, lambda selection: _selected(corpus, selection))


def _asked_again(
    replays: Sequence[ReplayedImplementation], snapshots: Sequence[Snapshot], sides: LiveSides
) -> tuple[ReplayedAndAsked, ...]:
    """Return ``replays`` of ``snapshots``, which ``sides`` answer again: about files that are the same as then."""
    found = []
    for replayed, snapshot, live in zip(replays, snapshots, (sides.old, sides.new), strict=False):
        digests = {each.name: each.sha256 for each in snapshot.header.tokenizers}
        files = {name: file for name, file in sides.tokenizers.items() if file.sha256 == digests.get(name)}
        found.append(ReplayedAndAsked(replayed, live, files))
    return tuple(found)


def _selected(corpus: ReplayedCorpus, selection: Selection) -> ReplayedCorpus:
    selected = replace(corpus, selection=selection)
    return replace(selected, count=sum(1 for _ in selected))
