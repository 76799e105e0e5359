"""The lines of ``tokenizer-conformance-offsets-audit``."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from tokenizer_adapters.contract import Field
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.answers import Question
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, Line, Value


class Invariant(Value, frozen=True, kw_only=True):
    """An invariant; its id is for ever."""

    id: str
    topic: str
    severity: Literal["error", "warning"]
    sentence: str
    needs: tuple[Field, ...]


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    implementations: tuple[headers.Implementation, ...]
    tokenizers: tuple[headers.TokenizerFile, ...]
    inputs: headers.Inputs
    invariants: Annotated[tuple[Invariant, ...], Meta(min_length=1)]
    """What must hold."""
    optional: tuple[str, ...] = ()
    """The implementations that were not asked for one by one; since version 1.1."""
    ledgers: tuple[headers.NamedFile, ...] = ()
    """The ledgers of known differences; since version 1.1."""
    repeated: tuple[str, ...] = ()
    """The options with which an example is found again; since version 1.1."""
    shard: headers.Shard | None = None
    """Which part of the inputs was asked about; since version 1.1."""
    merged: tuple[headers.MergedPart, ...] | UnsetType = UNSET
    """The parts that the record was merged of; since version 1.1."""


class NotLoaded(Line, frozen=True, kw_only=True, tag="not_loaded"):
    """An implementation does not load a tokenizer; unsupported: it says that it has no way to."""

    tokenizer: str
    implementation: str
    implementation_version: str
    reason: str
    unsupported: bool


class Out(Value, frozen=True, kw_only=True):
    """A setting under which nothing could be asked."""

    setting: str
    reason: str


class Unchecked(Value, frozen=True, kw_only=True):
    """Answers that could not be checked."""

    reason: str
    answers: Count


class AuditedInvariant(Value, frozen=True, kw_only=True):
    """How much of an invariant was checked.

    Things (tokens, neighbours, windows) in answers, in how many of these it is violated, and how many could not be
    checked.
    """

    id: str
    answers: Count
    things: Count
    violated: Count
    unchecked: tuple[Unchecked, ...]


class Finding(Value, frozen=True, kw_only=True):
    """Violations of one invariant in one manner, with the smallest example."""

    invariant: str
    manner: str
    answers: Count
    places: Count
    setting: str
    question: Question
    detail: str
    input: str
    reduced_from: Count | None
    repeat: str
    known: headers.NamedEntry | None


SPANS = "spans.in-text"
"""The invariant without which nothing is said of offsets."""


class Audited(Line, frozen=True, kw_only=True, tag="audited"):
    """What was checked of one implementation on one tokenizer, and what was found."""

    tokenizer: str
    implementation: str
    implementation_version: str
    finished: bool
    inputs: Count
    answers: Count
    unsupported: Count
    failed: Count
    lost: Count
    trouble: tuple[str, ...]
    """The first messages of errors, and of what was no answer."""
    left_out: tuple[Out, ...]
    invariants: tuple[AuditedInvariant, ...]
    findings: tuple[Finding, ...]

    @property
    def new(self) -> tuple[Finding, ...]:
        """The findings that no ledger knows."""
        return tuple(each for each in self.findings if each.known is None)

    @property
    def has_spans(self) -> bool:
        """Whether any span was looked at: without that, nothing is said of offsets."""
        return any(each.things for each in self.invariants if each.id == SPANS)


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    audited: Count
    violating: Count
    findings: Count
    known: Count
    things: Count
    stale: tuple[headers.NamedEntry, ...]


FORMAT = Format(
    name="tokenizer-conformance-offsets-audit",
    version="1.1",
    file="offsets-audit-1.json",
    description=(
        "A record is a header, a line for each implementation and tokenizer with what was checked and found, and a "
        "footer. A record without a footer is that of a command that was killed. That of a part has the entries of its "
        "ledgers, which are judged when the parts are merged."
    ),
    lines=Header
    | headers.LedgerEntries
    | headers.ImplementationMissing
    | headers.Refused
    | NotLoaded
    | Audited
    | Footer,
)
