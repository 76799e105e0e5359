"""The lines of ``tokenizer-conformance-unicode-audit``."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, Line, Seconds, Sha256, Value


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    implementations: tuple[headers.Implementation, ...]
    behaviours: Count
    """About how many behaviours each implementation is asked."""
    oldest: str
    """The oldest version of Unicode that is tried."""
    newest: str


CodePoints = Annotated[str, Meta(pattern="^([0-9A-F]{4,6}(\\.\\.[0-9A-F]{4,6})?( |$))*$")]
"""Code points as ranges in hexadecimal, ends inclusive."""


class ResidualExample(Value, frozen=True, kw_only=True):
    """What the rule says of a text, and what was seen."""

    text: str
    expected: str
    seen: str


class Residual(Value, frozen=True, kw_only=True):
    """What the rule leaves unexplained."""

    count: Count
    more: CodePoints
    fewer: CodePoints
    other: CodePoints
    texts: tuple[str, ...]
    examples: tuple[ResidualExample, ...]


class Behaviour(Line, frozen=True, kw_only=True, tag="behaviour"):
    """A behaviour, and what explains it."""

    implementation: str
    implementation_version: str
    behaviour: str
    question: str
    about: str
    way: Annotated[str, Meta(pattern="^(the stage itself|the ids of the whole pipeline)$")]
    members: Count
    """How many characters or texts are treated so."""
    digest: Sha256
    """The same for two implementations that do the same."""
    rule: str
    exact: bool
    fixed: bool
    """Whether the rule is the same in all versions by its definition."""
    versions: Annotated[tuple[str, ...], Meta(min_length=1)]
    """The versions whose tables explain it, or are nearest to that."""
    residual: Residual
    unanswered: CodePoints
    alone: Count
    """How many characters were asked about once more, alone."""
    contradicted: CodePoints
    """Those of them that were treated otherwise then."""
    seconds: Seconds

    @property
    def is_explained(self) -> bool:
        """Whether the tables of some version explain all that was seen; what has no effect follows none."""
        return self.exact and self.members > 0 and not self.unanswered and not self.contradicted


class NotAsked(Line, frozen=True, kw_only=True, tag="not_asked"):
    """A behaviour that an implementation cannot be asked about."""

    implementation: str
    implementation_version: str
    behaviour: str
    question: str
    reason: str


class Disagreement(Line, frozen=True, kw_only=True, tag="disagreement"):
    """Two parts of one implementation that decide a question differently."""

    implementation: str
    implementation_version: str
    question: str
    one: str
    other: str
    code_points: CodePoints
    count: Count
    example: str
    told: tuple[str, str]


class Named(Value, frozen=True, kw_only=True):
    """An implementation, or a release of one."""

    implementation: str
    implementation_version: str


class Difference(Line, frozen=True, kw_only=True, tag="difference"):
    """A behaviour that two implementations do differently."""

    one: Named
    other: Named
    behaviour: str
    count: Count
    code_points: CodePoints
    texts: tuple[str, ...]


Found = Behaviour | NotAsked | Disagreement | Difference


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    explained: Count
    unexplained: Count
    not_asked: Count
    disagreeing: Count
    differing: Count


FORMAT = Format(
    name="tokenizer-conformance-unicode-audit",
    version="1.0",
    file="unicode-audit-1.json",
    description=(
        "A record is a header; for each implementation its behaviours, and where its parts disagree; what two "
        "implementations do differently; and a footer. A record without a footer is that of a command that was "
        "killed."
    ),
    lines=Header | headers.ImplementationMissing | Found | Footer,
)
