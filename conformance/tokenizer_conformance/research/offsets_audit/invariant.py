"""What an invariant is: a sentence that holds for every answer, what has to be shown to check it, and its result.

A check gives a :class:`Checked` with the number of things that it has looked at, or :class:`Unchecked` with the reason
why it could look at none. What looked at nothing has shown nothing: it is counted apart, and never as a success.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Field


class Severity(StrEnum):
    """What a violation does to somebody who relies on offsets, masks or indices."""

    ERROR = "error"
    WARNING = "warning"


class Topic(StrEnum):
    """What an invariant is about."""

    LISTS = "lists and ids"
    SPANS = "spans"
    CONTENT = "content"
    WORDS = "words"
    SPECIAL = "special tokens"
    PAIRS = "pairs and batches"
    PIECES = "pieces"
    TRUNCATION = "truncation"
    PADDING = "padding"


@dataclass(frozen=True, slots=True)
class Invariant:
    """What must hold. ``id`` is for ever; ``sentence`` says all of it, with what it allows.

    ``needs`` are the fields that an answer must have to be checked.
    """

    id: str
    topic: Topic
    sentence: str
    needs: frozenset[Field]
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where an invariant does not hold.

    ``manner`` says how, in words that are the same for all of a kind; ``detail`` shows the place, with all text quoted
    and escaped.
    """

    manner: str
    detail: str


@dataclass(frozen=True, slots=True)
class Checked:
    """An invariant was checked on ``count`` things (tokens, neighbours, windows); what is wrong with them."""

    count: int
    violations: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class Unchecked:
    """An invariant could not be checked; ``reason`` says why, for people."""

    reason: str


Verdict = Checked | Unchecked


@dataclass(frozen=True, slots=True)
class JudgedInvariant:
    """The outcome of one invariant for one answer."""

    invariant: Invariant
    verdict: Verdict
