"""What is found on random tokenizers: differences, each with the case that shows it, and what was compared."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.record_forms import difference_of, difference_record, question_of, question_record
from tokenizer_conformance.comparison.reduction import Case
from tokenizer_conformance.results.records import fuzz as lines
from tokenizer_conformance.results.records.answers import DifferenceOfSides, Question
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.making import known_of, made

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Stage
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.comparison.no_value import NoValue
    from tokenizer_conformance.comparison.verdicts import Verdict
    from tokenizer_conformance.ledger.entry import Entry


@dataclass(frozen=True, slots=True)
class LoadDifference:
    """One side refuses a tokenizer that the other one loads; or both refuse it, one of them with an internal error."""

    refused_by: Party
    reason: str


@dataclass(frozen=True, slots=True)
class VocabularyDifference:
    """The vocabularies differ: ``token`` has one id on one side and another on the other, or none (``None``)."""

    token: str
    baseline: int | None
    implementation: int | None


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """The answers to ``question`` differ."""

    question: Observation
    difference: Difference


Found = LoadDifference | VocabularyDifference | AnswerDifference

FuzzSignature = tuple[str, ...]
"""What was asked, the field, how the sides differ, the side at fault, and the class of an error."""


def signature_of(found: Found) -> FuzzSignature:
    """Return what differences of one kind have in common.

    >>> from tokenizer_conformance.comparison.differences import Party
    >>> signature_of(LoadDifference(Party.IMPLEMENTATION, "no such component"))
    ('load', <Party.IMPLEMENTATION: 'implementation'>)
    """
    match found:
        case LoadDifference(refused_by):
            return ("load", refused_by)
        case VocabularyDifference():
            return ("vocabulary",)
        case AnswerDifference(question, difference):
            parts = (difference.field, difference.verdict, difference.kind, difference.party, difference.detail)
            return (type(question).__name__, *(str(part) for part in parts if part))


@dataclass(frozen=True, slots=True)
class FuzzDifference:
    """The first difference on tokenizer ``number``, which is that of ``case``."""

    number: int
    case: Case
    found: Found

    @property
    def signature(self) -> FuzzSignature:
        """What this difference has in common with others."""
        return signature_of(self.found)

    @property
    def size(self) -> int:
        """How much there is of the case."""
        question = self.case.question
        return len(json.dumps(self.case.document)) + (0 if question is None else length_of(question))

    @property
    def told(self) -> dict[str, Any]:
        """What a record says of it."""
        question = self.case.question
        return {
            "number": self.number,
            "tokenizer_json": self.case.document,
            "question": None if question is None else msgspec.convert(question_record(question), Question),
            "found": _told(self.found),
        }


def _told(found: Found) -> lines.Found:
    match found:
        case LoadDifference(refused_by, reason):
            return lines.Found(refused_by=refused_by, reason=reason)
        case VocabularyDifference(token, baseline, implementation):
            return lines.Found(token=token, baseline_id=baseline, implementation_id=implementation)
        case AnswerDifference(_, difference):
            return lines.Found(difference=msgspec.convert(difference_record(difference), DifferenceOfSides))


def difference_of_line(line: lines.Difference | lines.Case) -> FuzzDifference:
    """Return the difference of which a record tells (:attr:`FuzzDifference.told`). Raises what ``MALFORMED`` names."""
    question = None if line.question is None else question_of(json_of(line.question))
    return FuzzDifference(line.number, Case(line.tokenizer_json, question), _found_in(line.found, question))


def _found_in(found: lines.Found, question: Observation | None) -> Found:
    if found.refused_by is not UNSET:
        return LoadDifference(Party(found.refused_by), str(found.reason))
    if found.token is not UNSET:
        ids = (None if each is UNSET else each for each in (found.baseline_id, found.implementation_id))
        return VocabularyDifference(found.token, *ids)
    if question is None or found.difference is UNSET:
        raise ValueError("a difference of answers has no question")
    return AnswerDifference(question, difference_of(json_of(found.difference)))


@dataclass(slots=True)
class Kind:
    """Differences with one ``signature``: how many, the number of the first, and the smallest, with its size."""

    signature: FuzzSignature
    first: int
    smallest: FuzzDifference
    size: int
    count: int = 1


class Kinds:
    """Takes in differences in the order of their tokenizers; of each kind, no more than the smallest is kept."""

    def __init__(self) -> None:
        self._kinds: dict[FuzzSignature, Kind] = {}

    def take(self, difference: FuzzDifference) -> None:
        """Take in ``difference``."""
        signature, size = difference.signature, difference.size
        kind = self._kinds.get(signature)
        if kind is None:
            self._kinds[signature] = Kind(signature, difference.number, difference, size)
            return
        kind.count += 1
        if size < kind.size:
            kind.smallest, kind.size = difference, size

    @property
    def total(self) -> int:
        """How many differences were taken in."""
        return sum(kind.count for kind in self._kinds.values())

    def ranked(self) -> list[Kind]:
        """Return the kinds, those with most differences first."""
        return sorted(self._kinds.values(), key=lambda kind: (-kind.count, kind.first))


LOADING = "load"
"""Where both sides refuse a tokenizer."""


@dataclass(slots=True)
class FuzzResult:
    """What was compared, and the differences found: the first one of each tokenizer that has any.

    ``cases`` counts (tokenizer, text) pairs; ``answers`` counts answers compared, by stage and gravest verdict, and
    ``values`` the single fields that agree. ``no_value`` counts what is known but not compared. ``ambiguous`` counts
    tokenizers that are left out because ``tokenizers`` answers them at random, ``given_up`` those of which not all was
    asked because a side was lost over them again and again. ``unstable`` counts answers that differed, and were others
    when the question was put again: these are no differences. ``known`` counts the differences that the ledger expects,
    by entry.
    """

    tokenizers: int = 0
    cases: int = 0
    values: int = 0
    ambiguous: int = 0
    given_up: int = 0
    unstable: int = 0
    answers: Counter[tuple[Stage, Verdict]] = field(default_factory=Counter)
    no_value: Counter[NoValue] = field(default_factory=Counter)
    known: Counter[Entry] = field(default_factory=Counter)
    differences: list[FuzzDifference] = field(default_factory=list)

    def add(self, other: FuzzResult) -> None:
        """Add what ``other`` counts."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def line(self, implementation: str, seconds: float, differences: int, *, complete: bool) -> lines.Result:
        """Return what a record says of it; ``differences`` is how many were found in all."""
        answers: dict[Stage, dict[Verdict, int]] = {}
        for (stage, verdict), count in sorted(self.answers.items()):
            answers.setdefault(stage, {})[verdict] = count
        return made(
            lines.Result,
            self,
            implementation=implementation,
            complete=complete,
            answers=answers,
            no_value=[made(lines.NoValue, row, count=count) for row, count in sorted(self.no_value.items())],
            differences=differences,
            known=known_of(self.known),
            seconds=rounded(seconds),
        )
