"""The lines of ``tokenizer-conformance-fuzz``."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.results.records import answers, headers
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, Line, OneOf, Seconds, Value


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    """What is compared, where.

    Tokenizers number ``start`` and following of ``seed``, each with as many ``texts``, for every implementation.
    """

    baseline: headers.Implementation
    implementations: tuple[headers.Implementation, ...]
    seed: int
    start: Count
    tokenizers: Count
    texts: Count
    repeated: tuple[str, ...] = ()
    """The options that a repetition needs beside those; since version 1.2."""
    ledgers: tuple[headers.NamedFile, ...] = ()
    """The ledgers of known differences; since version 1.2."""
    shard: headers.Shard | None = None
    """Which part of the tokenizers this is; since version 1.2."""
    merged: tuple[headers.MergedPart, ...] | UnsetType = UNSET
    """The parts that the record was merged of; since version 1.2."""


class ImplementationMissing(Line, frozen=True, kw_only=True, tag="implementation_missing"):
    """An implementation cannot be used on this machine."""

    name: str
    reason: str
    asked: bool | UnsetType = UNSET
    """Whether it was asked for by its name; if not, this is no failure. True where it is left out."""


class Found(OneOf, frozen=True, kw_only=True):
    """What differs: one of three.

    The tokenizer is refused by one side, or by both and by one of these through a mistake of its own; the vocabularies
    differ; the answers to the question differ.
    """

    kinds = ("refused_by", "token", "difference")

    refused_by: Party | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    token: str | UnsetType = UNSET
    baseline_id: int | UnsetType | None = UNSET
    implementation_id: int | UnsetType | None = UNSET
    difference: answers.DifferenceOfSides | UnsetType = UNSET


class Difference(Line, frozen=True, kw_only=True, tag="difference"):
    """The first difference on tokenizer ``number``. ``question`` is null where the tokenizer alone shows it."""

    implementation: str
    number: Count
    tokenizer_json: dict[str, Any]
    question: answers.Question | None
    found: Found


class NoValue(Value, frozen=True, kw_only=True):
    """Neither side gave a value: what each did, in words."""

    where: Literal["normalize", "pre_tokenize", "model", "post_process", "decode", "load"]
    baseline: str
    implementation: str
    count: Count


class Result(Line, frozen=True, kw_only=True, tag="result"):
    """An implementation has been compared; ``complete`` is false where that was stopped early."""

    implementation: str
    complete: bool
    tokenizers: Count
    cases: Count
    """Pairs of a tokenizer and a text."""
    values: Count
    """Single fields that agree."""
    ambiguous: Count
    """Tokenizers left out because one of two added tokens is drawn at random."""
    given_up: Count
    """Tokenizers not asked to the end because a process was lost over them again and again."""
    answers: dict[Stage, dict[Verdict, Count]]
    no_value: tuple[NoValue, ...]
    differences: Count
    """Tokenizers that show a difference."""
    seconds: Seconds
    unstable: Count
    """Answers that differed, and were others when the question was put again."""
    known: tuple[headers.Known, ...] = ()
    """Differences that a ledger expects, by entry; since version 1.1."""


class Case(Value, frozen=True, kw_only=True):
    number: Count
    tokenizer_json: dict[str, Any]
    question: answers.Question | None
    found: Found


class Finding(Line, frozen=True, kw_only=True, tag="finding"):
    """Differences with one signature."""

    implementation: str
    signature: tuple[str, ...]
    tokenizers: Count
    first: Count
    """The number of the first of these tokenizers."""
    is_reduced: bool
    """Whether ``smallest`` is as small as could be made."""
    smallest: Case
    repeat: str
    """The command that compares on the first of these tokenizers alone."""


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    """The end. ``finished`` is false where it was interrupted; counts are sums over the implementations."""

    tokenizers: Count
    cases: Count
    values: Count
    differences: Count
    known: Count = 0
    """How many differences a ledger expects; since version 1.1."""


FORMAT = Format(
    name="tokenizer-conformance-fuzz",
    version="1.2",
    file="fuzz-1.json",
    description=(
        "A record is a header, then lines of the other types, then a footer. A record without a footer is that of "
        "a run that was killed."
    ),
    lines=Header | ImplementationMissing | Difference | Result | Finding | Footer,
)
