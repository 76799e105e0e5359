"""The lines of ``tokenizer-conformance-streams-audit``."""

from __future__ import annotations

from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.answers import DecodeStream
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, Line, Value


class Reason(Value, frozen=True, kw_only=True):
    """A class of reasons why the texts of a stream are not the text of its ids."""

    name: str
    sentence: str
    limit: bool
    """Whether no stream that gives out text as it comes can do it."""


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    implementations: tuple[headers.Implementation, ...]
    tokenizers: tuple[headers.TokenizerFile, ...]
    inputs: headers.Inputs
    """The texts whose ids are streamed."""
    cases: Count
    """How many streams each implementation is asked on each tokenizer."""
    seed: int
    reasons: tuple[Reason, ...]


class NotLoaded(Line, frozen=True, kw_only=True, tag="not_loaded"):
    """An implementation does not load a tokenizer; unsupported: it says that it has no way to."""

    tokenizer: str
    implementation: str
    implementation_version: str
    reason: str
    unsupported: bool


class Kind(Value, frozen=True, kw_only=True):
    """Of the streams of ids of one kind: how many were judged, and of how many the law holds or cannot hold."""

    name: str
    judged: Count
    held: Count
    limited: Count


class Finding(Value, frozen=True, kw_only=True):
    """Streams of which the law does not hold for one reason, with a small example and its proof."""

    reason: str
    streams: Count
    question: DecodeStream
    whole: str
    """The text of all ids."""
    before: str
    """The text of the prompt."""
    given: tuple[str | None, ...] | None
    """What each step gave; nothing where the stream raised an error."""
    error: str
    proof: tuple[str, ...]
    repeat: str


class Audited(Line, frozen=True, kw_only=True, tag="audited"):
    """What was asked of one implementation on one tokenizer, and what was found."""

    tokenizer: str
    implementation: str
    implementation_version: str
    finished: bool
    kinds: tuple[Kind, ...]
    unsupported: Count
    failed: Count
    """Streams whose ids have no text."""
    lost: Count
    trouble: tuple[str, ...]
    """The first messages of errors, and of what was no answer."""
    findings: tuple[Finding, ...]

    @property
    def judged(self) -> int:
        """How many streams were judged."""
        return sum(each.judged for each in self.kinds)

    @property
    def held(self) -> int:
        """Of how many streams the law holds."""
        return sum(each.held for each in self.kinds)

    @property
    def limited(self) -> int:
        """Of how many streams it cannot hold."""
        return sum(each.limited for each in self.kinds)

    @property
    def broken(self) -> int:
        """Of how many streams it could hold and does not."""
        return self.judged - self.held - self.limited


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    judged: Count
    held: Count
    limited: Count
    findings: Count


FORMAT = Format(
    name="tokenizer-conformance-streams-audit",
    version="1.0",
    file="streams-audit-1.json",
    description=(
        "A record is a header, a line for each implementation and tokenizer with how many streams were judged and what "
        "was found, and a footer. A record without a footer is that of a command that was killed."
    ),
    lines=Header | headers.ImplementationMissing | headers.Refused | NotLoaded | Audited | Footer,
)
