"""What is found on random tokenizers: differences, each with the case that shows it, and what was compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import msgspec

from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.comparison.record_forms import difference_record, question_record
from tokenizer_conformance.results.records import fuzz as lines
from tokenizer_conformance.results.records.answers import DifferenceOfSides, Question
from tokenizer_conformance.results.records.making import known_of, made

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Stage
    from tokenizer_conformance.comparison.differences import Difference, Party
    from tokenizer_conformance.comparison.no_value import NoValue
    from tokenizer_conformance.comparison.reduction import Case
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

    def line(self, implementation: str, seconds: float, *, complete: bool) -> lines.Result:
        """Return what a record says of it."""
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
            differences=len(self.differences),
            known=known_of(self.known),
            seconds=rounded(seconds),
        )
