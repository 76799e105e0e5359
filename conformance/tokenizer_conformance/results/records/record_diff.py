"""The lines of ``tokenizer-conformance-record-diff``."""

from __future__ import annotations

from typing import Literal

from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, Line, Value


class ComparedRecord(Value, frozen=True, kw_only=True):
    path: str
    started: str
    tokconf: str
    command: tuple[str, ...]
    ended: str
    is_whole: bool


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    of: str
    """The schema of the two records."""
    old: ComparedRecord
    new: ComparedRecord
    names: dict[str, str]
    """The names of implementations in the new record, by those in the old one."""
    matches: tuple[str, ...]
    """Who is taken for whom, where that is not plain, and who is in one record alone."""
    remarks: tuple[str, ...]
    """What the two records do not have in common."""


Change = Literal[
    "new",
    "worse",
    "no longer known",
    "fixed",
    "better",
    "known now",
    "changed",
    "new and known",
    "fixed, known then",
    "same",
    "not compared now",
    "not compared then",
    "not comparable",
]


Aspect = Literal[
    "loading",
    "stage",
    "finding",
    "cause",
    "input",
    "shortfall",
    "requirement",
    "case",
    "training",
    "rules of the algorithm",
    "repeated training",
    "model",
    "level",
    "words",
]


class Outcome(Value, frozen=True, kw_only=True):
    state: Literal["fails", "known", "sound", "not compared"]
    verdict: str
    counts: dict[str, Count]
    lines: tuple[str, ...]
    repeat: str


class ChangeFound(Line, frozen=True, kw_only=True, tag="change"):
    """What became of one outcome; what is the same and shows no difference has no line."""

    change: Change
    aspect: Aspect
    implementation: str
    subject: str
    """The tokenizer, the requirement or the algorithm."""
    parts: tuple[str, ...]
    """What tells the outcomes of one subject apart: stage, field, verdict, kind, party and detail of a finding; the id
    of an input; the name of a case."""
    title: str
    why: str
    """Why it was not compared on one side, or why other counts are neither worse nor better."""
    then: Outcome | None
    now: Outcome | None


class Figure(Line, frozen=True, kw_only=True, tag="figure"):
    """A number of both records; ``null`` where one does not have it."""

    implementation: str
    subject: str
    name: str
    then: float | None
    now: float | None


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    counts: dict[Change, Count]
    sound: Count
    """How many of the same ones show no difference."""


FORMAT = Format(
    name="tokenizer-conformance-record-diff",
    version="1.0",
    file="record-diff-1.json",
    description=(
        "A record is a header, then changes, then figures, then a footer. A record without a footer is that of a "
        "command that was killed."
    ),
    lines=Header | ChangeFound | Figure | Footer,
)
