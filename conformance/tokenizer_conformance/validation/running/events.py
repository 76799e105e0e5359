"""What happens in a run, as a stream of values.

The engine emits events and knows nothing of reports; reports consume events and know nothing of the engine. Every event
stream begins with :class:`RunStarted` and ends with :class:`RunFinished`, also when the run is interrupted.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.status import Place
from tokenizer_conformance.results.records.value import Value
from tokenizer_conformance.validation.running.seen import DifferencesSeen

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tokenizer_adapters.contract import Field, ImplementationInfo, Stage
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.command_io.events import MergedPart
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.comparison.findings import Finding, Signature
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import LedgerFile
    from tokenizer_conformance.results.records.run import FooterShare, LoadFailed, Result, Shortfall
    from tokenizer_conformance.validation.running.plan import LastFailed, Requirement


class WhyNot(StrEnum):
    """Why no cause is told of a difference, though causes were looked for."""

    TIME = "time"
    """The time was spent."""
    MANY = "many"
    """There were so many of the finding that not all were kept."""
    GONE = "gone"
    """It was not there when the question was put again, or only because an earlier stage differed."""
    BESIDE = "beside"
    """The only cause that was found is one that a ledger tells, and there is more to it."""
    ERROR = "error"
    """A bug ended the search."""
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Unexamined:
    """So many ``differences`` of the finding with that ``signature`` have no cause, and ``why``."""

    signature: Signature
    differences: int
    why: WhyNot


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The run begins. ``inputs`` are counted per tokenizer, those of the whole run.

    ``shard`` says which part of the whole run this is, ``repeats`` which record's failures alone it repeats. A record
    that is ``merged`` of parts names them. ``optional`` are implementations that need not load every tokenizer,
    ``options`` further ones on which what is found hangs. ``sources_sha256`` are the digests of the inputs by source.
    """

    environment: Environment
    baseline: str
    implementations: tuple[ImplementationInfo, ...]
    tokenizers: tuple[TokenizerFile, ...]
    inputs: int
    inputs_sha256: str
    stages: tuple[Stage, ...]
    fields: tuple[Field, ...]
    every_id: bool
    seed: int
    required: tuple[Requirement, ...] = ()
    ledgers: tuple[LedgerFile, ...] = ()
    optional: frozenset[str] = frozenset()
    options: Mapping[str, object] = field(default_factory=dict)
    shard: Shard | None = None
    repeats: LastFailed | None = None
    merged: tuple[MergedPart, ...] = ()
    sources_sha256: tuple[str, ...] = ()

    @property
    def is_part(self) -> bool:
        """Whether not all of the inputs are compared: what holds for a whole run only is not judged."""
        return self.shard is not None or self.repeats is not None

    def other_than(self, name: str) -> str:
        """Return who is compared with the implementation called ``name``: the baseline; with that itself, the other.

        Of two versions the causes may be told of either.
        """
        if name != self.baseline:
            return self.baseline
        return next((info.name for info in self.implementations if info.name != name), name)

    def info(self, name: str) -> ImplementationInfo:
        """Return the description of the implementation called ``name``."""
        return next(info for info in self.implementations if info.name == name)


@dataclass(frozen=True, slots=True)
class InputCompared:
    """All answers about the input called ``id`` have been compared; it was number ``done`` of ``total``."""

    tokenizer: str
    id: str
    done: int
    total: int

    @property
    def place(self) -> Place:
        """How far the run has come with the tokenizer."""
        return Place(self.tokenizer, self.done, self.total)


@dataclass(frozen=True, slots=True)
class InputsFailed:
    """Further inputs, by their ``ids``, on which an implementation differs in a way that is not known, or is unstable.

    All that failed are told before the tokenizer is finished, and up to a checkpoint before the checkpoint. ``ends``
    says that the run is being ended early.
    """

    tokenizer: str
    implementation: str
    ids: tuple[str, ...]
    ends: bool = False


@dataclass(frozen=True, slots=True)
class EntriesInPlay:
    """The entries of the ledger that are about implementations of this run, which is a part of a whole one.

    ``reachable`` are those of them whose inputs and texts are among those of the whole run.
    """

    entries: tuple[Entry, ...]
    reachable: frozenset[Entry]


@dataclass(frozen=True, slots=True)
class TokenizerFinished:
    """A tokenizer is done, or was stopped early (``complete`` is then false).

    ``results`` has a row per implementation other than the baseline, ``inputs`` is the number of inputs compared, and
    ``ids`` that of ids decoded one by one. ``unstable`` are differences that were gone, or were others, when the
    question was put again, ``known`` those that the ledger expects; no other finding has any of them. ``matched`` are
    the entries of the ledger that a difference has. ``causes`` say why answers differ; ``unexamined`` differences have
    none of these, and ``uncounted`` is how many were not looked at. They come when all tokenizers of a run are finished
    (:class:`CausesSought`).
    """

    tokenizer: str
    results: tuple[Result, ...]
    findings: tuple[Finding, ...]
    inputs: int
    ids: int
    baseline_seconds: float
    seconds: float
    complete: bool
    baseline_load_error: str | None = None
    unstable: tuple[Finding, ...] = ()
    known: tuple[Finding, ...] = ()
    matched: tuple[Entry, ...] = ()
    causes: tuple[Cause, ...] = ()
    uncounted: int = 0
    unexamined: tuple[Unexamined, ...] = ()


@dataclass(frozen=True, slots=True)
class CausesSought:
    """Causes were looked for on a tokenizer that is finished. ``ends`` says that the run is being ended early."""

    tokenizer: str
    causes: tuple[Cause, ...]
    unexamined: tuple[Unexamined, ...] = ()
    ends: bool = False

    def of(self, finished: TokenizerFinished) -> TokenizerFinished:
        """Return ``finished``, the end of the same tokenizer, with its causes."""
        return replace(finished, causes=self.causes, uncounted=self.uncounted, unexamined=self.unexamined)

    @property
    def uncounted(self) -> int:
        """How many differences were not looked at."""
        return sum(each.differences for each in self.unexamined if each.why is not WhyNot.GONE)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What has been found so far on a tokenizer that is still at work: a run that is resumed goes on from here."""

    so_far: TokenizerFinished


@dataclass(frozen=True, slots=True)
class Replayed:
    """Something that an earlier run, which this one resumes, has recorded."""

    event: LoadFailed | TokenizerFinished | CausesSought


@dataclass(frozen=True, slots=True)
class Resumption:
    """What an earlier run has recorded, by tokenizer: results, and the last checkpoint of what was ``begun``.

    ``failing`` are the ids of the inputs that failed.
    """

    finished: Mapping[str, TokenizerFinished] = field(default_factory=dict)
    begun: Mapping[str, TokenizerFinished] = field(default_factory=dict)
    load_failures: tuple[LoadFailed, ...] = ()
    failing: Mapping[str, Collection[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunFinished(Finished):
    """The run is over. ``finished`` is false where it was stopped early, and ``reason`` then says by what.

    ``shares`` say how many values were compared at each stage, and how many there were. ``shortfalls`` are what was not
    answered often enough. ``known`` counts the differences that the ledger expects, ``stale`` are its entries that had
    a full chance, and that no difference has. ``causes`` are those of all tokenizers, each of them once.
    ``further`` counts, in words, differences that a diff found and that are none of answers.
    """

    reason: str | None
    tokenizers: int
    inputs: int
    compared: int
    differences: int
    shares: Mapping[Stage, FooterShare] = field(default_factory=dict)
    shortfalls: tuple[Shortfall, ...] = ()
    known: int = 0
    stale: tuple[Entry, ...] = ()
    causes: tuple[Cause, ...] = ()
    uncounted: int = 0
    unexamined: tuple[Unexamined, ...] = ()
    further: tuple[str, ...] = ()


Event = (
    RunStarted
    | InputRefused
    | ImplementationMissing
    | Value
    | EntriesInPlay
    | InputsFailed
    | InputCompared
    | Checkpoint
    | Replayed
    | TokenizerFinished
    | CausesSought
    | DifferencesSeen
    | RunFinished
)


def is_ending(event: Event) -> bool:
    """Return whether ``event`` shows that the engine is ending the run."""
    match event:
        case RunFinished():
            return True
        case TokenizerFinished(complete=complete):
            return not complete
        case InputsFailed(ends=ends) | CausesSought(ends=ends):
            return ends
        case _:
            return False
