"""The page of a record: what makes it of typed lines, and what the pages of all records have in common."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import UNSET

from tokenizer_adapters.contract import PIPELINE_STAGES
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.outcomes import NOBODY, Outcome, Result
from tokenizer_conformance.results.page import Compared, Fact, Novelty, State
from tokenizer_conformance.results.records.headers import Header

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from msgspec import UnsetType

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.results.outcomes import Outcomes
    from tokenizer_conformance.results.page import Cell, Matrix, Page, ShownFinding
    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.format import Format
    from tokenizer_conformance.results.records.headers import (
        EntryReference,
        Environment,
        Implementation,
        MergedPart,
        NamedEntry,
        NamedFile,
        Shard,
    )
    from tokenizer_conformance.results.records.value import Value


STATES: dict[Conclusion, State] = {
    Conclusion.CONFORM: State.AGREE,
    Conclusion.DIFFERENCES: State.DIFFER,
    Conclusion.STALE: State.DIFFER,
    Conclusion.BAD_INPUT: State.ERROR,
    Conclusion.IMPLEMENTATION_FAILED: State.ERROR,
    Conclusion.NOTHING_COMPARED: State.NOT_COMPARED,
    Conclusion.TOO_LITTLE: State.NOT_COMPARED,
    Conclusion.INCOMPLETE: State.NOT_COMPARED,
    Conclusion.INTERNAL_ERROR: State.ERROR,
    Conclusion.INTERRUPTED: State.NOT_COMPARED,
}
"""The state of a page, by the conclusion of the command."""

RESULT_STATES: Mapping[Result, State] = {
    Result.NO_ANSWER: State.ERROR,
    Result.DIFFERS: State.DIFFER,
    Result.UNSTABLE: State.UNSTABLE,
    Result.NOT_LOADED: State.NOT_COMPARED,
    Result.UNAVAILABLE: State.NOT_COMPARED,
    Result.TOO_LITTLE: State.NOT_COMPARED,
    Result.NOT_SHOWN: State.UNSUPPORTED,
    Result.NOTHING: State.NOT_COMPARED,
    Result.KNOWN: State.KNOWN,
    Result.CONFORMS: State.AGREE,
}
"""The state of what is said about one, by its gravest result."""


NOT_ALL_COMPARED = frozenset({Conclusion.IMPLEMENTATION_FAILED, Conclusion.NOTHING_COMPARED, Conclusion.TOO_LITTLE})
"""How a command ends for which something could not be compared, whatever else it found."""

WRONG = frozenset({Result.NO_ANSWER, Result.DIFFERS, Result.UNSTABLE})


def page_state(ended: Ended, findings: Iterable[ShownFinding] = (), outcomes: Outcomes = NOBODY) -> State:
    """Return the state of a page.

    What differs is known where a ledger or known changes tell of all ``findings``. Where something could not be
    compared, what is wrong with the rest counts: that one implementation was not loaded is no more than that others
    differ, which readers look for. The conclusion says the one, the headline both.
    """
    if ended.conclusion in NOT_ALL_COMPARED and outcomes.gravest in WRONG:
        return RESULT_STATES[outcomes.gravest]
    standings = {each.standing for each in findings}
    is_known = bool(standings) and standings <= {Novelty.KNOWN, Novelty.EXPLAINED, Novelty.ACCEPTABLE}
    return State.KNOWN if ended.conclusion is Conclusion.DIFFERENCES and is_known else STATES[ended.conclusion]


CUT_SHORT = "the record ends before the command did"
"""What is said of a record without a footer."""


class SharedHeader(Protocol):
    """The header of a record that may be that of a part, or be merged of parts."""

    @property
    def shard(self) -> Shard | None:
        """Which part of the whole it is."""

    @property
    def merged(self) -> tuple[MergedPart, ...] | UnsetType:
        """The parts that it was merged of."""


def part_facts(header: SharedHeader) -> Iterator[Fact]:
    """Say which part a record is of, or how many parts it was merged of."""
    if header.merged is not UNSET:
        yield Fact("merged", f"{counted(len(header.merged), 'part')} of {header.merged[0].shard.of}")
    elif header.shard is not None:
        yield Fact("part", f"{header.shard.part} of {header.shard.of}")


H = TypeVar("H", bound=Header)


class PageReader(ABC, Generic[H]):
    """Makes a page of the lines of one record, called ``name``, that begins with ``header``.

    The name is empty where no record is kept. ``complaints`` say, as lines come, what cannot be used, and ``news`` what
    is told at a terminal before the end.
    """

    def __init__(self, name: str, header: H) -> None:
        self._name = name
        self._header = header
        self.complaints: list[str] = []
        self.news: list[str] = []

    @abstractmethod
    def take(self, line: Value) -> None:
        """Take in a ``line``. Raises ``ValueError`` where a value is none that this release knows."""

    @abstractmethod
    def page(self, ended: Ended) -> Page:
        """Return the page of all lines that are in; ``ended`` is how the command came to its end. Raises the same."""


@dataclass(frozen=True, slots=True)
class RecordedPage:
    """A kind of record: ``noun`` is what it is the record of.

    ``reader`` makes what reads a record called so, with that header.
    """

    noun: str
    format: Format
    reader: Callable[[str, Any], PageReader[Any]]


def compared_side(info: Implementation, role: str = "compared") -> Compared:
    """Return the implementation of a header as a page names it."""
    version = "" if f"=={info.version}" in info.name else info.version
    return Compared(info.name, version, role, info.language, info.home_page)


NOT_LOADED = "not loaded"
"""What the cell of a matrix says where nothing is known since a tokenizer was not loaded."""

CELL_RESULTS: Mapping[State, Result] = {
    State.AGREE: Result.CONFORMS,
    State.DIFFER: Result.DIFFERS,
    State.ERROR: Result.NO_ANSWER,
    State.UNSTABLE: Result.UNSTABLE,
    State.KNOWN: Result.KNOWN,
    State.ACCEPTABLE: Result.CONFORMS,
    State.UNSUPPORTED: Result.NOT_SHOWN,
    State.NOT_COMPARED: Result.NOTHING,
}
"""The result that a cell of each state tells."""


def outcome_of(who: str, what: str, cells: Iterable[Cell]) -> Outcome:
    """Return the gravest result of ``who`` on ``what`` that one of ``cells`` tells.

    Where nothing was compared in some and something conforms in others, it conforms.
    """
    found = {Result.NOT_LOADED if cell.text == NOT_LOADED else CELL_RESULTS[cell.state] for cell in cells}
    if Result.CONFORMS in found:
        found -= {Result.NOT_SHOWN, Result.NOTHING}
    return Outcome(who, what, next((each for each in Result if each in found), Result.NOTHING))


def outcomes_in(matrix: Matrix) -> Iterator[Outcome]:
    """Yield what the rows of ``matrix`` came to in its columns."""
    for who, cells in matrix.rows:
        yield from (outcome_of(who, what, [cell]) for what, cell in zip(matrix.columns, cells, strict=True))


def hidden_stages(info: Implementation) -> tuple[Stage, ...]:
    """Return the stages that an implementation of a header does not show."""
    return tuple(stage for stage in PIPELINE_STAGES if stage not in info.stages)


def without_reports(words: Iterable[str]) -> list[str]:
    """Return a command line without reports and without the options that select requirements."""
    kept, skips = [], False
    for word in words:
        if skips:
            skips = False
        elif word in LEFT_OUT:
            skips = True
        elif word.partition("=")[0] not in LEFT_OUT:
            kept.append(word)
    return kept


LEFT_OUT = ("--json", "--markdown", "-k")
"""The options, each with a value, that a command for one requirement does not have."""


def entry_words(entry: NamedEntry) -> str:
    """Return an entry of a ledger with its reason; what is known without a ledger has the reason alone."""
    return f"{entry.entry}: {entry.reason}" if entry.entry else entry.reason


def entry_place(ledgers: Sequence[NamedFile], entry: EntryReference) -> str:
    """Return the file and the line of an ``entry`` of the ``ledgers`` of a header."""
    name = ledgers[entry.ledger].name if entry.ledger < len(ledgers) else "a ledger"
    return f"entry {entry.entry:,} of {name}" if entry.line is None else f"{name}:{entry.line}"


def stale_entries(ledgers: Sequence[NamedFile], stale: Iterable[EntryReference]) -> Iterator[str]:
    """Say which entries are stale: nothing is as they expect it any more."""
    for each in stale:
        place = entry_place(ledgers, each)
        yield f"Stale: the entry at {place} is about differences that are not there any more."


def stale_words(entries: Iterable[NamedEntry]) -> Iterator[str]:
    """Say which entries are stale."""
    return (f"Stale: {entry_words(each)}" for each in entries)


def environment_facts(environment: Environment) -> Iterator[Fact]:
    """Yield the command of a record, and where and when it ran."""
    yield Fact("command", shlex.join(environment.command), is_detail=True)
    made_by = f"tokconf {environment.tokconf}, {environment.python}, {environment.platform}"
    yield Fact("made by", made_by, is_detail=True)
    yield Fact("started", environment.started, is_detail=True)
