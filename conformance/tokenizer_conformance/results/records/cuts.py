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
    selected_by: str | UnsetType = UNSET
    """The word that selected the implementation on the command line; since version 1.2, as are the next ones."""
    all_pairs: bool | UnsetType = UNSET
    """Whether every pair is compared, and not only each tokenizer with the first."""
    examples: Count | UnsetType = UNSET
    """How many examples are given of a kind."""
    shard: headers.Shard | UnsetType = UNSET
    """Which part of a comparison it is."""
    merged: tuple[headers.MergedPart, ...] | UnsetType = UNSET
    """The parts that the record was merged of."""

    @property
    def part(self) -> headers.Shard | None:
        """Which part of a comparison it is; ``None`` where it is a whole one."""
        return None if self.shard is UNSET else self.shard


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


KindName = Literal[
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
"""What the kinds of differences are called."""


class Kind(Value, frozen=True, kw_only=True):
    """The regions of one kind of difference."""

    kind: KindName
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


class CountedExample(Value, frozen=True, kw_only=True):
    """A region as it was met, so many times."""

    count: Count
    characters: str
    """Cut where it is long."""
    length: Count
    first: tuple[str, ...]
    second: tuple[str, ...]
    difference: int
    context: Context | None


class CountedKind(Value, frozen=True, kw_only=True):
    """The regions of a kind in a part."""

    kind: KindName
    regions: Count
    characters: Count
    gained: Count
    lost: Count
    examples: tuple[CountedExample, ...]
    """In the order in which they were met."""
    missed: Count


class CountedScript(Value, frozen=True, kw_only=True):
    script: str
    regions: Count
    characters: Count
    gained: Count
    lost: Count


class CountedWay(Value, frozen=True, kw_only=True):
    """So many texts have differences of just these kinds."""

    ways: tuple[KindName, ...]
    count: Count


class KeptText(Value, frozen=True, kw_only=True):
    """A text that the parts of the files may be exchanged on."""

    ways: tuple[KindName, ...]
    number: Count
    """Of the texts of the same ways, from 1."""
    text: str


class PartCounts(Line, frozen=True, kw_only=True, tag="part_counts"):
    """What a part has counted of a pair; the counts of all parts make its line. Since version 1.2."""

    first: str
    second: str
    texts: Count
    characters: Count
    first_tokens: Count
    second_tokens: Count
    kinds: tuple[CountedKind, ...]
    scripts: tuple[CountedScript, ...]
    ways: tuple[CountedWay, ...]
    kept: tuple[KeptText, ...]


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    texts: Count
    pairs: Count
    differing: Count
    failed: Count


FORMAT = Format(
    name="tokenizer-conformance-comparison",
    version="1.2",
    file="comparison-1.json",
    description=(
        "A record is a header; a line for each tokenizer, or why it cannot be compared; the text as all cut it, "
        "where one text was given; what was not cut; a line for each pair, of a part what it has counted; and a "
        "footer. A record without a footer is that of a command that was killed. The differences of the kinds of a "
        "pair sum to its difference."
    ),
    lines=Header | headers.Refused | Tokenizer | Text | Failures | Pair | PartCounts | Footer,
)
