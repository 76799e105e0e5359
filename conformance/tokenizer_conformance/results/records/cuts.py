"""The lines of ``tokenizer-conformance-comparison``."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.exchange import Exchanged
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, Line, OneOf, Value


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    implementation: headers.Implementation
    """Who cuts the texts."""
    tokenizers: tuple[headers.TokenizerFile, ...]
    of: Literal["text", "corpus"]
    inputs: headers.Inputs


class Tokenizer(Line, frozen=True, kw_only=True, tag="tokenizer"):
    """A tokenizer that is loaded."""

    name: str
    unknown: int | None
    """The id of its unknown token."""
    ignores: dict[str, bool]
    """What it was tried for: true where both texts of every pair that differ in that have the same tokens."""


class Token(Value, frozen=True, kw_only=True):
    """A token."""

    id: int
    token: str | None
    span: tuple[Count, Count]
    """Code points of the text, end exclusive."""
    unknown: bool


class CutText(OneOf, frozen=True, kw_only=True):
    """The tokens of one tokenizer, or the reason why it does not cut the text."""

    kinds = ("tokens", "reason")

    tokenizer: str
    tokens: tuple[Token, ...] | UnsetType = UNSET
    differing: tuple[tuple[Count, Count], ...] | UnsetType = UNSET
    """The stretches that it cuts otherwise than the first tokenizer."""
    reason: str | UnsetType = UNSET


class Text(Line, frozen=True, kw_only=True, tag="text"):
    """The text as all cut it, the first tokenizer first."""

    text: str
    cuts: tuple[CutText, ...]


class Failures(Line, frozen=True, kw_only=True, tag="failures"):
    """Texts that a tokenizer has not cut."""

    name: str
    texts: Count
    input: str
    """The first of them."""
    reason: str


class Context(Value, frozen=True, kw_only=True):
    """Where it was met first: the characters start to end of text."""

    text: str
    start: Count
    end: Count


Evidence = Literal["proven", "the difference stays", "not seen out of its text", "seen in the tokens", "not tried"]
"""What stands behind the kind of an example."""


class Example(Value, frozen=True, kw_only=True):
    """A region as it is often met."""

    count: Count
    characters: str
    """Cut where it is long."""
    length: Count
    """Of all its characters."""
    first: tuple[str, ...]
    """Tokens, or ids where these are not shown; cut where they are many."""
    second: tuple[str, ...]
    difference: int
    context: Context | None
    experiment: str | None
    """How its characters are changed in the context."""
    evidence: Evidence


class Kind(Value, frozen=True, kw_only=True):
    """The regions of one kind of difference."""

    kind: Literal[
        "offsets",
        "unknown",
        "dropped",
        "white space",
        "beginning of the text",
        "case",
        "accents",
        "case and accents",
        "compatibility forms",
        "emoji",
        "split characters",
        "digits",
        "addresses",
        "punctuation",
        "word-start mark",
        "other scripts",
        "mixed scripts",
        "rare words",
        "long words",
        "word pieces",
        "other",
    ]
    part: Literal[
        "normalization",
        "white space",
        "splitting before the model",
        "characters of the vocabulary",
        "words of the vocabulary",
        "offsets of the same tokens",
        "other",
    ]
    rule: str
    regions: Count
    characters: Count
    gained: Count
    """Tokens that the second needs more, over the regions where it does."""
    lost: Count
    """Tokens that it needs fewer, over the regions where it does."""
    difference: int
    examples: tuple[Example, ...]
    missed: Count
    """By how much the counts of examples may be too low."""

    @property
    def moved(self) -> int:
        """How many tokens are gained or lost: what shares are of."""
        return self.gained + self.lost

    @property
    def is_of_offsets(self) -> bool:
        """Whether the tokens are the same, and only their offsets differ."""
        return self.part == "offsets of the same tokens"


class Script(Value, frozen=True, kw_only=True):
    """The same regions, by the script of their letters."""

    script: str
    regions: Count
    characters: Count
    gained: Count
    """Tokens that the second needs more, over the regions where it does."""
    lost: Count
    """Tokens that it needs fewer, over the regions where it does."""
    difference: int

    @property
    def moved(self) -> int:
        """How many tokens are gained or lost: what shares are of."""
        return self.gained + self.lost


class Pair(Line, frozen=True, kw_only=True, tag="pair"):
    """How two tokenizers differ, on the texts that both cut."""

    first: str
    second: str
    texts: Count
    characters: Count
    first_tokens: Count
    second_tokens: Count
    difference: int
    """How many tokens the second needs more."""
    kinds: tuple[Kind, ...]
    """Every region is of one kind; in the order in which the rules are tried."""
    scripts: tuple[Script, ...]
    finished: bool
    """False where it was interrupted: the sums are of what was read before."""
    exchanged: Exchanged | None = None
    """Which parts of the files carry it; since version 1.1."""

    @property
    def cut_differently(self) -> tuple[Kind, ...]:
        """The kinds whose tokens differ, and not their offsets alone."""
        return tuple(each for each in self.kinds if not each.is_of_offsets)

    @property
    def regions(self) -> int:
        """In how many regions both differ."""
        return sum(each.regions for each in self.kinds)

    @property
    def cut_regions(self) -> int:
        """In how many of these the tokens differ, and not their offsets alone."""
        return sum(each.regions for each in self.cut_differently)

    @property
    def cut_characters(self) -> int:
        """How many characters stand in these."""
        return sum(each.characters for each in self.cut_differently)

    @property
    def moved(self) -> int:
        """How many tokens are gained or lost in all regions."""
        return sum(each.moved for each in self.kinds)


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    texts: Count
    pairs: Count
    differing: Count
    failed: Count


FORMAT = Format(
    name="tokenizer-conformance-comparison",
    version="1.1",
    file="comparison-1.json",
    description=(
        "A record is a header; a line for each tokenizer, or why it cannot be compared; the text as all cut it, "
        "where one text was given; what was not cut; a line for each pair; and a footer. A record without a footer "
        "is that of a command that was killed. The differences of the kinds of a pair sum to its difference."
    ),
    lines=Header | headers.Refused | Tokenizer | Text | Failures | Pair | Footer,
)
