"""Why answers differ, as every record has it."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.results.records.answers import DifferenceOfSides, Question, Signature, WholeAnswers
from tokenizer_conformance.results.records.value import Count, Value


class Reason(Value, frozen=True, kw_only=True):
    """The reason of a cause, and the experiments that prove it."""

    name: str
    parameter: str
    proof: tuple[str, ...]


class KnownChange(Value, frozen=True, kw_only=True):
    """A known change between two releases."""

    id: str
    since: str
    title: str
    undone: str = ""
    """Since when it is no longer so, in words, where the change was taken back; else empty."""


ExplainedBy = tuple[KnownChange, ...] | None
"""The known changes between two releases that explain it, none where it is new; null where nobody looked."""


class CauseFinding(Signature, frozen=True, kw_only=True):
    """A finding whose differences a cause has, and how many of them."""

    differences: Count


class OwnWitness(Value, frozen=True, kw_only=True):
    """The question and the answers as they are on the tokenizer that was given, with its ids."""

    question: Question
    difference: DifferenceOfSides
    answers: WholeAnswers | UnsetType = UNSET


class SearchedCause(Value, frozen=True, kw_only=True):
    """Why answers differ, with the smallest question that shows it."""

    implementation: str
    tokenizer: str
    """The tokenizer on which the smallest question shows it."""
    stage: Stage
    """The stage to blame."""
    component: str
    characters: str
    context: str
    question: Question
    """The smallest question that shows it."""
    tokenizer_json: dict[str, Any] | None
    """The changed tokenizer.json that it is asked of; null for the file that was given."""
    difference: DifferenceOfSides
    answers: WholeAnswers | UnsetType = UNSET
    reason: Reason
    differences: Count
    """Questions that differ for it."""
    inputs: Count
    """Inputs that show it."""
    tokenizers: dict[str, Count]
    """The inputs of each tokenizer that show it."""
    examples: tuple[str, ...]
    """Ids of the first inputs."""
    explained_by: ExplainedBy | UnsetType = UNSET
    own: OwnWitness | UnsetType = UNSET
    """The same on the tokenizer that was given, where ``tokenizer_json`` is a smaller one; in records of runs since
    version 1.13, of searches since 1.2, of comparisons of releases since 1.4."""


class Cause(SearchedCause, frozen=True, kw_only=True):
    """Why answers differ, with the smallest question that shows it."""

    findings: tuple[CauseFinding, ...] | UnsetType = UNSET
    """The findings whose differences it is the cause of, and of how many; in records of runs since version 1.12, of
    comparisons of releases since 1.3."""
    repeat: str | UnsetType = UNSET
    """The command that shows it; in records of runs since version 1.13."""
    earlier: tuple[Question, ...] | UnsetType = UNSET
    """The questions that have to be asked before, in their order, where it does not show alone; in records of runs
    since version 1.13."""


class Unexamined(Signature, frozen=True, kw_only=True):
    """How many differences of one finding have no cause, and why.

    In records of runs since version 1.12, of comparisons of releases since 1.3.
    """

    differences: Count
    why: Literal["time", "many", "gone", "beside", "error", "interrupted"]
    """time: the time to look for causes was spent. many: there were so many of the finding. gone: it was not there
    again. beside: only a cause that a ledger tells was found, and it does not predict this answer. error: a bug ended
    the search. interrupted: the user did."""
