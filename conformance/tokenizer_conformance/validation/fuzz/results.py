"""What fuzzing finds: differences, each with the case that shows it, and the counts of what was compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
        self.tokenizers += other.tokenizers
        self.cases += other.cases
        self.values += other.values
        self.ambiguous += other.ambiguous
        self.given_up += other.given_up
        self.unstable += other.unstable
        self.answers += other.answers
        self.no_value += other.no_value
        self.known += other.known
        self.differences += other.differences
