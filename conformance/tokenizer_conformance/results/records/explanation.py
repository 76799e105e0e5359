"""The lines of ``tokenizer-conformance-explanation``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.results.records import answers, headers
from tokenizer_conformance.results.records.format import Format
from tokenizer_conformance.results.records.value import Count, Line, Value


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    baseline: headers.Implementation
    compared: tuple[headers.Implementation, ...]
    tokenizer: str
    add_special_tokens: bool


class Character(Value, frozen=True, kw_only=True):
    code_point: Annotated[str, Meta(pattern="^U\\+[0-9A-F]{4,6}$")]
    name: str
    kind: str
    positions: tuple[Count, ...]


Span = tuple[Count, Count]
"""Start and end (exclusive), in code points of the original text."""


class Piece(Value, frozen=True, kw_only=True):
    """A piece of the text, with the origin of each of its characters."""

    text: str
    span: Span
    origins: tuple[Span, ...]
    added: Count | None


class TextChange(Value, frozen=True, kw_only=True):
    span: Span
    before: str
    after: str


class AddedToken(Value, frozen=True, kw_only=True):
    """A place at which an added token stands.

    taken is what is cut out, null where nothing is; other is what stands in the way.
    """

    content: str
    id: Count
    searched: str
    flags: tuple[Literal["single_word", "lstrip", "rstrip", "normalized", "special"], ...]
    span: Span
    taken: Span | None
    why_not: (
        Literal[
            "single_word, and a character of a word stands beside it",
            "another token has this place: one that begins earlier, is longer, or has a lower id",
            "special tokens are encoded as text (encode_special_tokens)",
            "normalized=true: its normalized form is looked for, which does not stand here",
            "normalized=false: it is looked for in the text as given, where it does not stand",
        ]
        | None
    )
    other: str | None


class Station(Value, frozen=True, kw_only=True):
    station: Literal[
        "added tokens in the text as given",
        "normalizer",
        "added tokens in the normalized text",
        "pre-tokenizer",
        "model",
        "truncation",
        "post-processor",
        "padding",
        "decoder",
    ]
    component: str
    place: str
    """Where the component stands in tokenizer.json; empty for what is none."""
    options: dict[str, Any]
    """Its other options; long texts are cut."""


class Step(Station, frozen=True, kw_only=True):
    pieces: tuple[Piece, ...]
    changes: tuple[TextChange, ...]
    added_tokens: tuple[AddedToken, ...]


class Symbol(Value, frozen=True, kw_only=True):
    text: str
    tokens: tuple[str, ...]
    kind: Literal["in the vocabulary", "bytes", "unknown", "dropped"]


class Neighbours(Value, frozen=True, kw_only=True):
    """Two neighbours for which there is a merge; position is the token of the word."""

    position: Count
    left: str
    right: str
    rank: Count


class Merge(Value, frozen=True, kw_only=True):
    won: Neighbours
    result: str
    others: tuple[Neighbours, ...]
    many: Count


class Bpe(Value, frozen=True, kw_only=True, tag_field="kind", tag="bpe"):
    """start are the tokens before any merge; others are the best pairs that lost, many how many they were."""

    word: str
    is_whole: bool
    symbols: tuple[Symbol, ...]
    start: tuple[str, ...]
    merges: tuple[Merge, ...]
    tokens: tuple[str, ...]


class Lattice(Value, frozen=True, kw_only=True):
    start: Count
    end: Count
    text: str
    score: float | Literal["inf", "-inf", "nan"]
    is_unknown: bool


class Path(Value, frozen=True, kw_only=True):
    """Where a path cuts the text, and the sum of its scores: exact, and as floating-point numbers add up."""

    cuts: tuple[Count, ...]
    exact: Annotated[str, Meta(pattern="^-?[0-9]+(/[0-9]+)?$")]
    """An exact number: a whole one, or a fraction."""
    rounded: float | Literal["inf", "-inf", "nan"]


class Unigram(Value, frozen=True, kw_only=True, tag_field="kind", tag="unigram"):
    """margin is how much the exact sum of the best path exceeds that of the second.

    0 is a tie, less is decided by rounding.
    """

    text: str
    lattice: tuple[Lattice, ...]
    best: Path | None
    second: Path | None
    cuts: tuple[Count, ...]
    tokens: tuple[str, ...]
    margin: Annotated[str, Meta(pattern="^-?[0-9]+(/[0-9]+)?$")] | None


class Matche(Value, frozen=True, kw_only=True):
    start: Count
    tried: tuple[str, ...]
    token: str | None


WhyUnknown = Literal[
    "it has more than max_input_chars_per_word characters",
    "no piece of the vocabulary fits",
    "it is not in the vocabulary",
]


class Wordpiece(Value, frozen=True, kw_only=True, tag_field="kind", tag="wordpiece"):
    """tried are the pieces that were looked up, the longest first."""

    word: str
    matches: tuple[Matche, ...]
    why_unknown: WhyUnknown | None
    limit: Count
    tokens: tuple[str, ...]


class Wordlevel(Value, frozen=True, kw_only=True, tag_field="kind", tag="wordlevel"):
    word: str
    why_unknown: WhyUnknown | None
    tokens: tuple[str, ...]


class NotShown(Value, frozen=True, kw_only=True, tag_field="kind", tag="not_shown"):
    reason: str


class Word(Value, frozen=True, kw_only=True):
    """A piece, and what the model makes of it; offsets are null where they fit no characters."""

    piece: Piece
    ids: tuple[Count, ...]
    tokens: tuple[str, ...]
    offsets: tuple[Span | None, ...]
    steps: Bpe | Unigram | Wordpiece | Wordlevel | NotShown | None


class TextLine(Line, frozen=True, kw_only=True, tag="text"):
    """The way of one text as far as the model."""

    number: Literal[0, 1]
    text: str
    odd_characters: tuple[Character, ...]
    steps: tuple[Step, ...]
    words: tuple[Word, ...]


class Encoded(Value, frozen=True, kw_only=True):
    """The columns of an encoding, an entry a token; null where one is not shown."""

    ids: tuple[Count, ...]
    tokens: tuple[str, ...] | None
    offsets: tuple[Span, ...] | None
    word_ids: tuple[Count | None, ...] | None
    type_ids: tuple[Count, ...] | None
    attention_mask: tuple[Count, ...] | None
    special_tokens_mask: tuple[Count, ...] | None
    sequence_ids: tuple[Count | None, ...] | None
    overflowing: tuple[Encoded, ...] | None


class TokensStep(Station, frozen=True, kw_only=True):
    parts: tuple[Encoded, ...]


class Stopped(Station, frozen=True, kw_only=True):
    """Where the way ends."""

    kind: str
    message: str


class Tokens(Line, frozen=True, kw_only=True, tag="tokens"):
    """The tokens after the model and each component that follows it."""

    steps: tuple[TokensStep, ...]
    encoding: Encoded | None
    stopped: Stopped | None


class DecodingStep(Station, frozen=True, kw_only=True):
    strings: tuple[str, ...]


class Decoding(Line, frozen=True, kw_only=True, tag="decoding"):
    """The way of the ids back to a text, without special tokens."""

    steps: tuple[DecodingStep, ...]
    text: str | None


class Answer(Value, frozen=True, kw_only=True):
    question: answers.Question
    verdict: Verdict
    outcome: Literal["Text", "Pieces", "Encoded", "Unsupported", "Failed", "Crashed", "TimedOut", "BrokeProtocol"]
    answer: dict[str, Any]
    differences: tuple[answers.DifferenceOfSides, ...]


class BlameMerge(Value, frozen=True, kw_only=True):
    """The first merge at which both part; rank is null where they differ without any."""

    rank: Count | None
    pair: tuple[str, str]
    expected: tuple[str, ...]
    actual: tuple[str, ...]
    total: Count


class Blame(Value, frozen=True, kw_only=True):
    """The first difference that no earlier stage explains, and its place in tokenizer.json."""

    stage: Stage
    question: answers.Question
    difference: answers.DifferenceOfSides
    place: str | None
    how: str
    word: Piece | None
    merge: BlameMerge | None


class Answers(Line, frozen=True, kw_only=True, tag="answers"):
    """What an implementation answers beside the baseline; refusal says why it could not load the tokenizer."""

    implementation: str
    refusal: str | None
    answers: tuple[Answer, ...]
    blame: Blame | None


class Footer(headers.Footer, frozen=True, kw_only=True, tag="footer"):
    differing: tuple[str, ...]
    reason: str


FORMAT = Format(
    name="tokenizer-conformance-explanation",
    version="1.0",
    file="explanation-1.json",
    description=(
        "A record is a header, a line for each text, its tokens, the way back, the answers of each implementation, "
        "and a footer. A record without a footer is that of a command that was killed."
    ),
    lines=Header | headers.ImplementationMissing | TextLine | Tokens | Decoding | Answers | Footer,
)
