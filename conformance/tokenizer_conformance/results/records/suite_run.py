"""The lines of ``tokenizer-conformance-suite-run``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field

from tokenizer_adapters.contract import Field, Stage
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.answers import DifferenceOfSides, WholeAnswers
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, Line, Seconds, Sha256, Value


class Suite(Value, frozen=True, kw_only=True):
    version: str
    """The version of the package that the suite comes with."""
    target: str
    """The newest release of the target that the suite was checked with."""
    sha256: Sha256
    """The digest of its files."""


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    implementations: tuple[headers.Implementation, ...]
    """The implementations that are asked."""
    suite: Suite | None = None
    """Which suite is asked; null: one that is not published. Since version 1.1."""
    requirements: Count
    """How many requirements are asked."""
    cases: Count
    """How many cases are asked."""
    not_asked: Count | UnsetType = UNSET
    """How many further requirements are selected that have no cases; since version 1.5."""
    selection: str
    """The expression of -k; empty where there is none."""
    features: tuple[
        Literal[
            "load",
            "vocabulary",
            "normalize",
            "pre_tokenize",
            "model",
            "post_process",
            "decode",
            "save",
            "offsets",
            "tokens",
            "word_ids",
            "type_ids",
            "attention_mask",
            "special_tokens_mask",
            "sequence_ids",
            "overflowing",
            "special_tokens",
            "pair",
            "pre_split",
            "batch",
            "stream",
            "changes",
        ],
        ...,
    ]
    """The features of --features; empty: all."""
    importances: tuple[Literal["core", "edge", "quirk"], ...]
    """Those of --importance; empty: all."""
    fields: tuple[Field, ...] | None
    """The fields that are compared; null: all."""
    ledgers: tuple[headers.NamedFile, ...] = ()
    """The ledgers of known differences; since version 1.2."""
    options: dict[str, Any] = field(default_factory=dict)
    """Further options on which what is found hangs, by their long names; since version 1.2."""
    shard: headers.Shard | None = None
    """Which part of the whole run this is; since version 1.2."""
    merged: tuple[headers.MergedPart, ...] | UnsetType = UNSET
    """The parts that the record was merged of; since version 1.2."""
    words: dict[str, str] = field(default_factory=dict)
    """The words that select the implementations, by name; since version 1.2."""
    repeated: tuple[str, ...] = ()
    """The options with which a failed requirement fails again; since version 1.2."""


class ImplementationMissing(Line, frozen=True, kw_only=True, tag="implementation_missing"):
    """An implementation that cannot be used."""

    name: str
    """The implementation that was asked for."""
    reason: str
    """Why it cannot be used."""


CaseVerdict = Literal["passed", "known", "failed", "unsupported", "error"]
"""The result of a case or a requirement."""


Place = Literal[
    "load",
    "vocabulary",
    "added_tokens",
    "normalize",
    "pre_tokenize",
    "model",
    "post_process",
    "decode",
    "save",
    "chat",
]
"""A place where an answer comes from; ``added_tokens`` since version 1.6."""


class Failure(Value, frozen=True, kw_only=True):
    """What is wrong with an answer. The baseline of its difference is what is expected."""

    step: Count | None
    """The step that was answered wrong, from 0; null: the loading of the tokenizer."""
    place: Place
    """The place that the step shows."""
    wrong: str
    """What is wrong, in words."""
    difference: DifferenceOfSides | None
    """How the two values differ; null where there were none."""
    unit: str | UnsetType = UNSET
    """The unit of which the offsets are, where they are right but for that; since version 1.2."""
    answers: WholeAnswers | UnsetType = UNSET
    """Of the first failure of a step that expects a value: what is expected, as that of the baseline, and what was
    answered. Since version 1.3."""


class Case(Value, frozen=True, kw_only=True):
    """The result of a case."""

    case: str
    """The name of the case."""
    verdict: CaseVerdict
    """The result of the case."""
    blame: Place | None
    """The first place that is wrong; null where none is."""
    reason: str
    """Why nothing can be said; empty where something is."""
    known: tuple[str, ...]
    """The entries of ledgers that say that the failures are known, by their places."""
    failures: tuple[Failure, ...]
    """What is wrong."""
    asked: tuple[Stage, ...] = ()
    """The stages that plain questions asked for, of those that the implementation says it shows; none where this is
    missing. Since version 1.2."""
    unanswered: tuple[Stage, ...] = ()
    """Those of ``asked`` that were not shown; none where this is missing. Since version 1.2."""


class Requirement(Line, frozen=True, kw_only=True, tag="requirement"):
    """The result of a requirement."""

    implementation: str
    """The implementation, as it is called in this run."""
    area: str
    """The area of the requirement."""
    requirement: Annotated[str, Meta(pattern="^[A-Z0-9]+(-[A-Z0-9]+)*$")]
    """The id of the requirement."""
    importance: Literal["core", "edge", "quirk"]
    """How much the requirement matters."""
    verdict: CaseVerdict
    """The gravest verdict on a case: error, failed, known, passed, unsupported."""
    blame: Place | None
    """The place that most of its wrong cases blame; null where none is wrong."""
    cases: Annotated[tuple[Case, ...], Meta(min_length=1)]
    """The cases that were asked."""


class ImplementationJudged(Line, frozen=True, kw_only=True, tag="implementation"):
    """The result of an implementation, after its requirements."""

    implementation: str
    """The implementation, as it is called in this run."""
    complete: bool
    """Whether all cases were asked."""
    requirements: dict[CaseVerdict, Count]
    """How many requirements have each verdict; those without any are missing."""
    cases: dict[CaseVerdict, Count]
    """How many cases have each verdict; those without any are missing."""
    seconds: Seconds
    """How long it took."""


class Footer(headers.SealedFooter, frozen=True, kw_only=True, tag="footer"):
    stale: tuple[str, ...]
    """The entries of ledgers that nothing matched, by their places."""


FORMAT = Format(
    name="tokenizer-conformance-suite-run",
    version="1.6",
    file="suite-run-1.json",
    description=(
        "A record is a header, then lines of the other types, then a footer. A record without a footer is that of "
        "a run that was killed."
    ),
    lines=Header | headers.LedgerEntries | ImplementationMissing | Requirement | ImplementationJudged | Footer,
)
