"""What a page shows, whatever command its record is of: values only.

All text here is as it was in the record, hostile or not; who writes a page escapes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_conformance.results.figures import figure, signed
from tokenizer_conformance.results.outcomes import Outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenizer_conformance.results.agreement import Agreement
    from tokenizer_conformance.results.plots.plot import Plot


class State(StrEnum):
    """The state of a cell of a matrix, of a step of a pipeline or of a page; each has a sign and a word of its own."""

    AGREE = "agree"
    DIFFER = "differ"
    ERROR = "error"
    UNSTABLE = "unstable"
    KNOWN = "known"
    ACCEPTABLE = "acceptable"
    UNSUPPORTED = "unsupported"
    NOT_COMPARED = "not compared"
    MEASURED = "measured"


SIGNS: dict[State, tuple[str, str]] = {
    State.AGREE: ("✓", "everything that was compared is equal"),
    State.DIFFER: ("✗", "something differs that is not known"),
    State.ERROR: ("!", "an error, a crash or no answer, on one side only"),
    State.UNSTABLE: ("?", "another answer when it was asked again"),
    State.KNOWN: ("≈", "what differs is known, by a ledger or a known change of a release"),
    State.ACCEPTABLE: ("~", "other answers that are as good: ties, or both sides refuse"),
    State.UNSUPPORTED: ("–", "the implementation does not show it"),
    State.NOT_COMPARED: ("·", "nothing was compared"),
    State.MEASURED: ("#", "something was measured, and nothing judged"),
}
"""The sign of each state, which is told apart without colours, and what the state means."""


class Novelty(StrEnum):
    """Whether a finding is news."""

    NEW = "new"
    KNOWN = "known"
    EXPLAINED = "explained"
    ACCEPTABLE = "acceptable"
    UNSTABLE = "unstable"


@dataclass(frozen=True, slots=True)
class Fact:
    """A ``label`` and the ``value`` that it names. A detail is left out where there is little room: at a terminal.

    A document is JSON, which is shown so that it can be copied.
    """

    label: str
    value: str
    is_detail: bool = False
    is_document: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """Something that was compared: an implementation, a release, a tokenizer. ``role`` is what it was in that.

    ``home_page`` is the address that an implementation gives as its own: what is no web address leads nowhere.
    """

    name: str
    version: str = ""
    role: str = ""
    note: str = ""
    home_page: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a matrix.

    ``text`` is the result in a few words; ``detail`` says more. ``of`` names the findings that it is about:
    the values of their columns (``implementation``, ``tokenizer``, ``stage``, …), none where it leads nowhere.
    """

    state: State
    text: str
    detail: str = ""
    of: Mapping[str, str] = field(default_factory=dict)


MatrixRows = tuple[tuple[str, tuple[Cell, ...]], ...]
"""Rows of a matrix: a name, and a cell for each column."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Who agrees with whom: a name and a cell for each of the ``columns`` in each row.

    A detail is left out at a terminal. ``words`` are the word and the meaning of states where they are others than of
    :data:`SIGNS`: the word is empty where the texts of cells say it.
    """

    title: str
    corner: str
    columns: tuple[str, ...]
    rows: MatrixRows
    is_detail: bool = False
    words: Mapping[State, tuple[str, str]] = field(default_factory=dict)

    def word(self, state: State) -> str:
        """Return the word that stands beside the sign of ``state``."""
        return self.words[state][0] if state in self.words else state.value

    def turned(self, corner: str) -> Matrix:
        """Return the same with rows as columns, and another word in the ``corner``."""
        names = tuple(name for name, _ in self.rows)
        cells = zip(*(row[1] for row in self.rows), strict=True)
        return replace(self, corner=corner, columns=names, rows=tuple(zip(self.columns, cells, strict=True)))


def meanings_of(matrices: Iterable[Matrix]) -> list[tuple[State, str, str]]:
    """Return the states that ``matrices`` have, in their order, each with its word and what it means there."""
    found: dict[State, tuple[str, str]] = {}
    for matrix in matrices:
        for state in (cell.state for _, cells in matrix.rows for cell in cells):
            found.setdefault(state, matrix.words.get(state, (state.value, SIGNS[state][1])))
    return [(state, *found[state]) for state in State if state in found]


def legend(matrices: Iterable[Matrix]) -> str:
    """Say what the signs in ``matrices`` mean."""
    return "; ".join(f"{SIGNS[state][0]} {meaning}" for state, _, meaning in meanings_of(matrices))


@dataclass(frozen=True, slots=True)
class Subject:
    """What was asked about: a text, or ids.

    ``length`` counts the code points or ids of the whole, of which this may be the beginning.
    """

    label: str
    text: str | None = None
    ids: tuple[int, ...] = ()
    length: int = 0


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an answer.

    ``start`` and ``end`` are code points of the original text, end exclusive, ``None`` where it has no place there.
    ``subject`` is the index of the subject of which these are. ``differs`` says that the other side has another here.
    """

    text: str
    id: int | None = None
    start: int | None = None
    end: int | None = None
    subject: int = 0
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What one ``side`` answered: ``tokens`` (of ``total``), or a ``text``, or what went wrong in place of an answer.

    ``first`` is the index of the first of the tokens in the whole answer.
    """

    side: str
    tokens: tuple[Token, ...] | None = None
    text: str | None = None
    trouble: str = ""
    total: int = 0
    first: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """A station of the pipeline, and its result for a finding."""

    name: str
    state: State


@dataclass(frozen=True, slots=True)
class Snippet:
    """A program in a ``language`` that shows a finding with nothing of this project in it.

    ``code`` is ASCII. ``needs`` are the packages to install, with their versions.
    """

    language: str
    code: str
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """One finding of a page.

    ``id`` is unique in its record, and the same for the same record: links lead to it. ``group`` is the list it stands
    in (``causes``, ``findings``, …). ``reason`` is a class of reasons, a check, a requirement: what findings are
    grouped by; empty where there is none. ``window`` shows both answers where they part, a line a row; ``lines`` are
    what else shows it. ``agreeing`` are further
    implementations that answer as the baseline there. ``impact`` says how much is touched; ``count`` is that as a
    number to sort by, of what the page calls :attr:`Page.counted`. ``record`` is the name of its record where a page
    is of several.
    """

    id: str
    group: str
    headline: str
    implementation: str = ""
    tokenizer: str = ""
    stage: str = ""
    reason: str = ""
    standing: Novelty = Novelty.NEW
    count: int = 0
    impact: str = ""
    subjects: tuple[Subject, ...] = ()
    answers: tuple[Answer, ...] = ()
    window: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    pipeline: tuple[Step, ...] = ()
    explanation: str = ""
    proof: tuple[str, ...] = ()
    known: str = ""
    agreeing: tuple[str, ...] = ()
    repeat: str = ""
    repeat_is: str = "command"
    snippets: tuple[Snippet, ...] = ()
    facts: tuple[Fact, ...] = ()
    record: str = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A ``value`` with its interval, from ``low`` to ``high``, where it has one; a difference ``is_signed``."""

    value: float
    low: float | None = None
    high: float | None = None
    is_signed: bool = False

    @property
    def words(self) -> str:
        """The value as people read it."""
        return signed(self.value) if self.is_signed else figure(self.value)

    @property
    def interval(self) -> str:
        """The interval as people read it, empty where there is none."""
        if self.low is None or self.high is None:
            return ""
        told = signed if self.is_signed else figure
        return f"{told(self.low)}…{told(self.high)}"


TableCell = str | int | float | Estimate | None
"""What stands in a table; ``None`` where there is nothing to say."""

Row = tuple[TableCell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under ``columns``, the first of which names them; numbers are sorted as numbers.

    ``note`` says what they mean. At a terminal so many rows are ``told``; the others are on the page (--html) and in
    the record (--json).
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""
    told: int = 30


@dataclass(frozen=True, slots=True)
class Drawing:
    """A plot, and in words what it shows, for who does not see it."""

    plot: Plot
    description: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: sentences, then plots, then tables. A detail is left out at a terminal.

    What ``is_first`` stands before the findings.
    """

    title: str
    sentences: tuple[str, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    tables: tuple[Table, ...] = ()
    is_detail: bool = False
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Station:
    """A station on the way of what was asked about: its ``name``, and the ``component`` that works there, with options.

    ``answer`` is what leaves it: pieces with their places in the text, tokens, a text, or why the way ends here.
    ``changes`` say what it has done, a line each. ``way`` is the part of the way that it belongs to (``text``,
    ``tokens``, ``decoding``): stations of one stand together.
    """

    way: str
    name: str
    component: str
    answer: Answer
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something to know first. What is said ``about`` an implementation or a tokenizer is on its own page, too.

    Of several whom the text names first, ``words`` are what it says of each.
    """

    text: str
    about: tuple[str, ...] = ()
    words: str = ""

    def of(self, name: str) -> str:
        """Return what it says of one that it is about."""
        return f"{name}: {self.words}" if self.words else self.text


@dataclass(frozen=True, slots=True)
class Page:
    """All that a page shows of one record.

    ``name`` is what the record is called, ``kind`` the command in words. ``title`` says what the record is about: lists
    of records name it so. ``headline`` says who came to what, which the
    ``outcomes`` say thing by thing; ``state`` and ``conclusion`` are what the command came to, ``summary`` counts.
    ``sentences`` are what else is to be known first, of each implementation where that fits: does it conform, how much
    is touched. ``headlines`` are the ids of the findings to show first.
    At a terminal so many of the ``findings`` are ``told`` in full.
    ``counted`` is what the counts of findings count (``inputs``). ``complaints`` say what could not be used.
    ``tokenizers`` names those that it was done on; what else was ``compared`` are implementations.
    ``answers`` are what all sides say about the ``subjects``, and ``stations`` the way of these, where the page is
    about one question alone. ``agreements`` say how far implementations give the ids of the baseline, which sites set
    beside one another. The command took so many ``seconds``; of one that was killed it is not known.
    """

    name: str
    kind: str
    title: str
    state: State
    conclusion: str
    summary: str
    headline: str = ""
    outcomes: Outcomes = field(default_factory=Outcomes)
    sentences: tuple[Sentence, ...] = ()
    facts: tuple[Fact, ...] = ()
    compared: tuple[Compared, ...] = ()
    complaints: tuple[str, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    headlines: tuple[str, ...] = ()
    findings: tuple[ShownFinding, ...] = ()
    told: int = 100
    counted: str = "inputs"
    tokenizers: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    subjects: tuple[Subject, ...] = ()
    answers: tuple[Answer, ...] = ()
    stations: tuple[Station, ...] = ()
    agreements: tuple[Agreement, ...] = ()
    seconds: float | None = None

    @property
    def said(self) -> tuple[str, ...]:
        """The sentences in words."""
        return tuple(each.text for each in self.sentences)
