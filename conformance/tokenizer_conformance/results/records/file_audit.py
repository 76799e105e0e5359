"""The lines of ``tokenizer-conformance-file-audit``."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, FromOne, Line, Seconds, Sha256, Value


class Defect(Value, frozen=True, kw_only=True):
    """A kind of defect; its id is for ever."""

    id: str
    title: str
    severity: Literal["error", "warning", "note"]
    explanation: str
    remedy: str


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    baseline: headers.Implementation
    tokenizers: tuple[str, ...]
    defects: tuple[Defect, ...]
    """The kinds of defects that were looked for."""
    fail_on: Literal["error", "warning", "note"] | None
    """The slightest severity for which the command fails; null: none."""
    seconds: Seconds
    """How long the audit takes at most; in records of before 2026-11-28 one search."""


class File(Line, frozen=True, kw_only=True, tag="file"):
    """A file is begun."""

    tokenizer: str
    file: str
    sha256: Sha256


class Witness(Value, frozen=True, kw_only=True):
    """What shows it when the tokenizer is asked."""

    text: str | None
    """The text that is given; cut at 2000 code points."""
    length: Count | None
    """The length of the whole text, in code points."""
    ids: tuple[int, ...] | None
    result: str
    """What comes of it, for people."""
    conversation: str | None = None
    """What a chat template is given, as JSON: messages, tools, and the options that are true; since version 1.2."""


class FindingExample(Value, frozen=True, kw_only=True):
    """One of them."""

    path: str
    message: str


class Finding(Line, frozen=True, kw_only=True, tag="finding"):
    """A finding."""

    tokenizer: str
    defect: str
    severity: Literal["error", "warning", "note"]
    path: Annotated[str, Meta(pattern="^\\$")]
    """The JSON path, as in $.model.vocab["x"]."""
    keys: tuple[str | int, ...]
    """The same as keys and indexes."""
    line: FromOne | None
    """The line of the file, from 1; null where it cannot be told."""
    message: str
    certainty: Literal["proven", "searched"]
    witness: Witness | None
    remedy: str
    count: FromOne
    """How many places the finding is about."""
    examples: tuple[FindingExample, ...]
    details: tuple[str, ...]
    fails: bool
    """Whether the command fails for it."""


class Counts(Value, frozen=True, kw_only=True):
    """How many findings there are of each severity."""

    error: Count
    warning: Count
    note: Count


class Vocabulary(Value, frozen=True, kw_only=True):
    """Of how many entries of the vocabulary what was found."""

    given: Count
    """A text was encoded to them."""
    never_given: Count
    """No text gives them, as was proven; they are no slots."""
    reserved: Count
    """No text gives them, and none is meant to: slots, control tokens, bytes that no text has."""
    not_found: Count
    """No text was found that gives them, and no proof that there is none."""
    not_looked_at: Count
    """There was no time for them."""


class Audited(Line, frozen=True, kw_only=True, tag="audited"):
    """A file is done."""

    tokenizer: str
    loaded: bool
    """Whether the baseline loads the file; checks that need answers say nothing where it does not."""
    checks: dict[str, tuple[str, ...]]
    """The checks that were done, with the ids of what each looked for."""
    counts: Counts
    seconds: Seconds
    cut_short: tuple[str, ...]
    """What searches have not looked at within their time."""
    unfinished: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The checks not done, or not to their end, for lack of time, with what was not looked for; since version 1.1."""

    not_done: dict[str, str] = field(default_factory=dict)
    """The checks that could not be done, or not to their end, and why; since version 1.3."""

    vocabulary: Vocabulary | None = None
    """null where the file is not loaded, or its entries were not looked at; since version 1.4."""


class FixedFixed(Value, frozen=True, kw_only=True):
    """A finding that the mended file does not have."""

    defect: str
    path: str


class Left(Value, frozen=True, kw_only=True):
    """A finding that it has."""

    defect: str
    path: str
    reason: str


class Fixed(Line, frozen=True, kw_only=True, tag="fixed"):
    """The file was to be mended."""

    tokenizer: str
    target: str | None
    """What was written; null: nothing."""
    reason: str | None
    """Why nothing was written."""
    questions: Count
    """How many answers of both files were compared."""
    fixed: tuple[FixedFixed, ...]
    left: tuple[Left, ...]


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    audited: Count
    failing: Count
    counts: Counts
    in_part: Count = 0
    """Of how many files not all was looked at within the time; since version 1.1."""


FORMAT = Format(
    name="tokenizer-conformance-file-audit",
    version="1.4",
    file="file-audit-1.json",
    description=(
        "A record is a header; a line for what cannot be used; for each file a line when it is begun, its "
        "findings, and a line when it is done; and a footer. A record without a footer is that of a command that "
        "was killed."
    ),
    lines=Header | headers.Refused | File | Finding | Audited | Fixed | Footer,
)
