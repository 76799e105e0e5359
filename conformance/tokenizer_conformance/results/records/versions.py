"""The lines of ``tokenizer-conformance-versions``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.results.records import causes, headers, run
from tokenizer_conformance.results.records.causes import Cause
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, FromOne, Line, Seconds, Value


class NamedRelease(Value, frozen=True, kw_only=True):
    word: str
    version: str


class Sections(Value, frozen=True, kw_only=True):
    """Which kinds of facts are compared, and which are not. Since version 1.1."""

    compared: tuple[str, ...]
    left_out: tuple[str, ...]


class Source(Value, frozen=True, kw_only=True):
    """A source of inputs. Since version 1.4."""

    name: str
    """What a file or table is called; empty for the built-in inputs."""
    inputs: Count


class Truncated(headers.NamedFile, frozen=True, kw_only=True):
    """A copy of a tokenizer that truncates. Since version 1.4."""

    of: str
    """The tokenizer that it is a copy of."""
    max_length: FromOne
    stride: Count


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    """What is compared: releases in their order, tokenizers, inputs."""

    releases: tuple[NamedRelease, ...]
    """Each as the command line names it, with the version that it says it is."""
    tokenizers: tuple[headers.NamedFile, ...]
    inputs: headers.Inputs
    sections: Sections = Sections(compared=(), left_out=())
    ledgers: tuple[headers.NamedFile, ...] = ()
    """The ledgers of known differences. Since version 1.1."""
    sources: tuple[Source, ...] = ()
    """The sources of the inputs. Since version 1.4."""
    truncated: tuple[Truncated, ...] = ()
    """Copies of the tokenizers that truncate, which are asked about as well. Since version 1.4."""


class Refused(headers.Refused, frozen=True, kw_only=True, tag="refused"):
    """Something cannot be used; the rest goes on."""

    is_release: bool
    """Whether it is a release, or the search for one."""


class Release(Line, frozen=True, kw_only=True, tag="release"):
    """A release was asked everything."""

    release: str
    version: str
    loaded: Count
    refused: Count
    kept: bool
    """Whether its answers were kept from an earlier run."""
    seconds: Seconds
    asking: Seconds


class Changed(StrEnum):
    """What differs on an input, the gravest first; an input counts for the first that it has."""

    ANSWER = "answer"
    """One of the two releases raises an error, or gives no answer."""
    IDS = "ids"
    OVERFLOWING = "overflowing"
    """The ids are the same, and what truncation cuts off is not."""
    OFFSETS = "offsets"
    """The ids are the same, and the places of tokens in the text are not."""
    DECODED = "decoded text"
    OTHER = "other values"
    """Masks, types, numbers of words or sequences."""
    INSIDE = "only inside the pipeline"
    """The normalized text or its pieces; ids, offsets and decoded texts are the same."""


class DifferingSource(Value, frozen=True, kw_only=True):
    """The inputs of one source that differ, by what of them does. Since version 1.4."""

    source: Count
    """The number of the source in the header, from 0."""
    changed: dict[Changed, FromOne]


class Differing(Value, frozen=True, kw_only=True):
    releases: tuple[Count, Count]
    inputs: FromOne
    stages: dict[Stage, Count]
    """Of these inputs, those that differ at each stage."""
    sources: tuple[DifferingSource, ...] = ()
    """The same inputs, by source. Since version 1.4."""


class Matrix(Line, frozen=True, kw_only=True, tag="matrix"):
    """On how many inputs releases differ, about one tokenizer.

    A release is named by its number among the lines of type release, from 0.
    """

    tokenizer: str
    loaded: Annotated[tuple[Count, ...], Meta(extra_json_schema={"uniqueItems": True})]
    """The releases that load it."""
    differing: tuple[Differing, ...]


class NotShown(causes.KnownChange, frozen=True, kw_only=True):
    """A known change between two releases that nothing of what was asked shows. Since version 1.4."""

    component: str
    could_show: bool
    """Whether it could show in other texts with these tokenizers; otherwise it concerns other tokenizers, or calls of
    the Python API."""


class Step(Line, frozen=True, kw_only=True, tag="step"):
    """What changed from a release to the next one."""

    old: str
    new: str
    inputs: Count
    """The inputs that differ, summed over tokenizers, without those that are unstable."""
    unstable: Count
    """The inputs whose answers differed, and were others when asked again."""
    unconfirmed: Count
    """Those of the inputs that were not asked again, since only so many of each tokenizer are."""
    loading: tuple[run.Loading, ...]
    tokenizers: tuple[run.TokenizerResult, ...]
    """The result of each, on the inputs that differ (at most 2,000 of a tokenizer); shares of ``impact`` are of all."""
    asked_again: tuple[run.Again, ...]
    """Releases that did not answer as before when they were asked again, or were not asked all again."""
    causes: tuple[Cause, ...]
    """The causes of all tokenizers, each once."""
    uncounted: Count
    """How many differences came when the time to look for causes was spent."""
    seconds: Seconds
    without_cause: Count = 0
    """Inputs that differ and were not asked about again for a cause, since only so many are. Since version 1.4."""
    not_shown: tuple[NotShown, ...] = ()
    """What else is known to have changed, and does not show in these answers. Since version 1.4."""


class Bisected(Line, frozen=True, kw_only=True, tag="bisected"):
    """Since which release a change of the step before is there, where --bisect asked for that."""

    old: str
    new: str
    what: Literal["cause", "change"]
    """A cause, or a change of loading."""
    number: FromOne
    """Which one of the step, from 1."""
    until: str | None
    """The last release that behaves as before; null where the ends of the step did not show the change anew."""
    since: str | None
    """The first release that does not."""
    skipped: dict[str, str]
    """Releases between the two that could not be asked, and why."""
    goes_back: tuple[str, ...]
    """Releases next to the boundary that are on the wrong side of it: the behaviour is not monotone."""
    is_final: bool | None
    """Whether the first release behaves as the one at the end of the step does."""


class Fact(Value, frozen=True, kw_only=True):
    """What is compared, and what people are told in its place; empty where that is the same."""

    value: str
    shown: str

    @property
    def told(self) -> str:
        """What people are told."""
        return self.shown or self.value


class SectionChange(Value, frozen=True, kw_only=True):
    name: str
    until: str
    since: str
    old: Fact | None
    new: Fact | None
    known: headers.EntryReference | None = None
    """The entry of a ledger by which it is known. Since version 1.1."""


class Section(Line, frozen=True, kw_only=True, tag="section"):
    """The result of facts of one kind, from release to release."""

    section: str
    facts: dict[str, Count]
    """How many there are of each release."""
    missing: dict[str, str]
    """Why a release has none."""
    unstable: dict[str, tuple[str, ...]]
    """Names of facts that a release did not repeat itself."""
    changes: tuple[SectionChange, ...]


class Row(Value, frozen=True, kw_only=True):
    release: str
    measure: str
    median: float
    ratio: float
    spread: tuple[float, float]


class Speed(Line, frozen=True, kw_only=True, tag="speed"):
    """Speed and memory of the releases; numbers, and no verdict."""

    tokenizer: str
    rows: tuple[Row, ...]
    missing: dict[str, str]


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    """The end. A record without one is that of a comparison that was killed."""

    reason: str | None
    releases: Count
    tokenizers: Count
    stale: tuple[headers.EntryReference, ...] = ()
    """The entries of ledgers that nothing matched, although all that they are about was compared. Since version
    1.1."""


FORMAT = Format(
    name="tokenizer-conformance-versions",
    version="1.4",
    file="versions-1.json",
    description=(
        "A record is a header, then lines of the other types, then a footer. A record without a footer is that of "
        "a comparison that was killed."
    ),
    lines=Header | Refused | Release | Matrix | Step | Bisected | Section | Speed | Footer,
)
