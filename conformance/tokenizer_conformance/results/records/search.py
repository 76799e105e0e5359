"""The lines of ``tokenizer-conformance-search``."""

from __future__ import annotations

from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.answers import Text
from tokenizer_conformance.results.records.causes import SearchedCause
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, FromOne, Line, Seconds, Sha256, Value


class Tokenizer(Value, frozen=True, kw_only=True):
    name: str
    sha256: Sha256


class Limit(Value, frozen=True, kw_only=True):
    """When the search ends: all of it after ``seconds``, each pairing after ``cases`` texts."""

    seconds: Seconds | None
    cases: Count | None


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    """Who is compared on which tokenizers, and for how long."""

    baseline: headers.Implementation
    implementations: tuple[headers.Implementation, ...]
    tokenizers: tuple[Tokenizer, ...]
    seed: int
    jobs: FromOne
    limit: Limit
    generators: tuple[str, ...]
    """The names of the generators, in the order in which they are tried first."""


class InputRefused(Line, frozen=True, kw_only=True, tag="input_refused"):
    """A tokenizer or a file of texts cannot be used."""

    what: str
    name: str
    reason: str


class PairingRefused(Line, frozen=True, kw_only=True, tag="pairing_refused"):
    """One side does not load the tokenizer."""

    tokenizer: str
    implementation: str
    reason: str


class FindingInput(Value, frozen=True, kw_only=True):
    """That text, as it was made."""

    id: str
    text: Text


class Finding(SearchedCause, frozen=True, kw_only=True, tag_field="type", tag="finding"):
    """A new cause, written as soon as it is found."""

    number: FromOne
    """The number by which reports call the cause."""
    generator: str
    """Who made the text that showed it first."""
    input: FindingInput
    """That text, as it was made."""
    cases: Count
    """How many texts of the pairing had been asked about by then."""
    seconds: Seconds
    """How long the search had taken by then."""


class Counts(Value, frozen=True, kw_only=True):
    """How far the search of a pairing has come."""

    tokenizer: str
    implementation: str
    cases: Count
    """Texts that were asked about."""
    questions: Count
    values: Count
    """Single fields that agree."""
    differing: Count
    """Texts that differ for their own sake."""
    unstable: Count
    """Answers that differed, and were others when the question was put again."""
    skipped: Count
    """Texts that had been asked about before, or are none."""
    lost: Count
    """How often a process was lost; what it was at was asked again."""
    unexamined: Count
    """Texts that differ and that nobody has looked at, since the search was over."""
    known: tuple[headers.Known, ...]
    """Differences that a ledger expects, by entry."""
    seconds: Seconds
    positions: dict[str, Count]
    """With which text each generator goes on."""


class Checkpoint(Counts, frozen=True, kw_only=True, tag_field="type", tag="checkpoint"):
    """How far the search of a pairing has come."""


class Generator(Value, frozen=True, kw_only=True):
    name: str
    count: Count | None
    """How many texts it has; null: without end."""
    used: Count
    cases: Count
    differing: Count
    findings: Count


class Result(Counts, frozen=True, kw_only=True, tag_field="type", tag="result"):
    """A pairing of a tokenizer and an implementation has been searched.

    ``complete`` is false where that was stopped early.
    """

    complete: bool
    exhausted: bool
    """Whether no generator has a further text."""
    kept: Count
    """Texts of the corpus that were asked about first."""
    gone: Count
    """Those of them that show no difference any more."""
    generators: tuple[Generator, ...]


class FinalCause(SearchedCause, frozen=True, kw_only=True, tag_field="type", tag="cause"):
    """A cause as it stands at the end; those that most inputs show come first."""

    number: FromOne


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    """The end. ``finished`` is false where it was interrupted; counts are sums over the pairings."""

    pairings: Count
    cases: Count
    questions: Count
    values: Count
    findings: Count
    known: Count
    unexamined: Count
    failed: Count
    """Pairings that could not be searched."""


FORMAT = Format(
    name="tokenizer-conformance-search",
    version="1.2",
    file="search-1.json",
    description=(
        "A record is a header, then lines of the other types, then a footer. A record without a footer is that of "
        "a search that was killed: all that it had found stands in it."
    ),
    lines=Header
    | InputRefused
    | headers.ImplementationMissing
    | PairingRefused
    | Finding
    | Checkpoint
    | Result
    | FinalCause
    | Footer,
)
