"""The common value of all kinds of records: an outcome with a key, and the side of a comparison that has such."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping


class State(StrEnum):
    """What was found. ``FAILS``: a difference or a failure that nobody knew of; ``KNOWN``: a ledger knows it.

    ``SOUND``: it was compared, and nothing is wrong. ``NOT_COMPARED``: nobody can tell.
    """

    FAILS = "fails"
    KNOWN = "known"
    SOUND = "sound"
    NOT_COMPARED = "not compared"


class Aspect(StrEnum):
    """What an outcome is about."""

    LOADING = "loading"
    STAGE = "stage"
    FINDING = "finding"
    CAUSE = "cause"
    INPUT = "input"
    SHORTFALL = "shortfall"
    REQUIREMENT = "requirement"
    CASE = "case"
    TRAINING = "training"
    RULES = "rules of the algorithm"
    REPEATED = "repeated training"
    MODEL = "model"
    LEVEL = "level"
    WORDS = "words"


GATHERED: Mapping[Aspect, str] = {Aspect.INPUT: "input", Aspect.REQUIREMENT: "requirement"}
"""The aspects of which many are told on one line, and the noun for one."""

BESIDE_ANSWERS = frozenset({Aspect.LOADING, Aspect.SHORTFALL})
"""The aspects that say nothing about answers: where only these are compared, and the same, nothing was compared."""


@dataclass(frozen=True, slots=True)
class Key:
    """Which outcome it is, in either record: of what ``aspect``, ``implementation`` and ``subject``.

    The subject is a tokenizer, an algorithm, a requirement; ``parts`` tell the outcomes of one subject apart.
    ``against`` is the baseline, where it is about answers beside those of one. Names are those of the new record.
    """

    aspect: Aspect
    implementation: str
    subject: str
    parts: tuple[str, ...] = ()
    against: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found under ``key``.

    ``title`` says on one line what it is about, ``lines`` show it (both made safe), and ``repeat`` is the command that
    shows it again. ``verdict`` is the word of the record for it. ``counts`` are by what they count, what decides first;
    more is worse, and so is a greater ``gravity``. Two with another ``manner`` are not the same. ``why`` says why it
    was not compared. ``places`` are the pairs of a stage and a field that have to be compared to find it again.
    """

    key: Key
    state: State
    title: str
    verdict: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    gravity: int = 0
    manner: str = ""
    lines: tuple[str, ...] = ()
    repeat: str = ""
    why: str = ""
    places: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that a record has, of whom and about what; it is told, and nothing is called new for it."""

    implementation: str
    subject: str
    name: str


class ReadRecord(Protocol):
    """One of two records, read. ``outcomes`` are those that it has, ``figures`` its numbers."""

    @property
    def outcomes(self) -> Mapping[Key, Outcome]:
        """What was found."""

    @property
    def figures(self) -> Mapping[Figure, float]:
        """Numbers beside that."""
