"""The lines of ``tokenizer-conformance-metrics``."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, FromOne, Line, Seconds, Sha256, Value

GroupedBy = Annotated[str, Meta(pattern="^(language|script|file)?$")]
FailureKind = Annotated[str, Meta(pattern="^(error|crash|timeout|protocol|unsupported)$")]


class Tokenizer(Value, frozen=True, kw_only=True):
    name: str
    sha256: Sha256
    size: Count
    model: str | None


class Source(Value, frozen=True, kw_only=True):
    name: str
    language: str
    count: Count


class Inputs(Value, frozen=True, kw_only=True):
    count: Count
    sha256: Sha256
    sources: tuple[Source, ...]
    notes: tuple[str, ...]


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    implementations: tuple[headers.Implementation, ...]
    tokenizers: tuple[Tokenizer, ...]
    inputs: Inputs
    by: tuple[Literal["language", "script", "file"], ...]
    parallel: bool
    base: str | None
    base_language: str | None
    words: str
    round_trip: bool
    longest: Count
    alpha: Seconds
    gold_words: Count
    confidence: Annotated[float, Meta(gt=0)]
    replicates: Count
    seed: Count
    measures: tuple[str, ...] = ()
    """The measures that were asked for, none for all; since version 1.2."""
    gold_sha256: Sha256 | None = None
    """The digest of the words with their morphemes; since version 1.2."""
    shard: headers.Shard | None = None
    """Which part of the whole run this is; since version 1.2."""
    merged: tuple[headers.MergedPart, ...] | UnsetType = UNSET
    """The parts that the record was merged of; since version 1.2."""


class NotLoaded(Line, frozen=True, kw_only=True, tag="not_loaded"):
    """The tokenizer of a row cannot be loaded by its implementation."""

    row: str
    reason: str


class Measure(Line, frozen=True, kw_only=True, tag="measure"):
    """A measure that was computed."""

    id: str
    title: str
    definition: str
    unit: str
    better: Literal["higher", "lower", "none"]
    scope: str
    denominator: str = ""
    """What it is divided by, in words; empty where it is no ratio."""


class Group(Line, frozen=True, kw_only=True, tag="group"):
    """A group of texts, with how much was read of it; that of all texts has an empty by."""

    by: GroupedBy
    name: str
    texts: Count
    characters: Count
    bytes: Count
    blank: Count = 0
    """How many of the texts are empty or white space alone: they are in no share of texts."""
    unspaced: Count = 0
    """How many of the characters are of scripts that put no spaces between words."""


class FailedText(Value, frozen=True, kw_only=True):
    id: str
    kind: str
    message: str


class Failures(Value, frozen=True, kw_only=True):
    kinds: dict[FailureKind, FromOne]
    examples: tuple[FailedText, ...]


class Row(Line, frozen=True, kw_only=True, tag="row"):
    """A tokenizer with who cuts by it.

    The texts that were not cut and not decoded, the words of --gold that were not cut, points of its tokens by
    frequency, and the shares of tokens by length in characters.
    """

    name: str
    tokenizer: str
    implementation: str
    failures: Failures
    not_decoded: Failures
    gold_failures: Failures
    rank_frequency: tuple[tuple[Count, Count], ...]
    token_lengths: tuple[tuple[Count, float], ...]


class Measured(Value, frozen=True, kw_only=True):
    measure: str
    row: str
    other: str | None
    by: GroupedBy
    group: str
    value: float | None
    low: float | None
    high: float | None
    missing: str | None
    """Why there is no value."""


class Measurement(Measured, frozen=True, kw_only=True, tag_field="type", tag="measurement"):
    """The value of a measure, with its interval."""


class Difference(Measured, frozen=True, kw_only=True, tag_field="type", tag="difference"):
    """By how much a measure of texts is higher for a row than for other, the base, with its interval."""


class Part(Line, frozen=True, kw_only=True, tag="part"):
    """Something of what a part of a run has counted, for merging; the record of a part has these and no values."""

    packed: str
    """JSON, compressed by zlib, in base 85."""


class Footer(headers.SealedFooter, frozen=True, kw_only=True, tag="footer"):
    """The last line. Where the run is not finished, all values are of a part of the texts."""

    reason: str | None
    texts: Count
    bytes: Count
    notes: tuple[str, ...] = ()
    """What was noticed in reading the texts: rows without one, and long ones that were cut."""


FORMAT = Format(
    name="tokenizer-conformance-metrics",
    version="1.2",
    file="metrics-1.json",
    description=(
        "A record is a header; what cannot be used; the measures, groups and rows; every measurement; the "
        "differences to the base; and a footer. All but the header is written at the end: a record without a "
        "footer is that of a command that was killed, and what it had counted is in the checkpoint beside it."
    ),
    lines=Header
    | headers.ImplementationMissing
    | headers.Refused
    | NotLoaded
    | Measure
    | Group
    | Row
    | Measurement
    | Difference
    | Part
    | Footer,
)
