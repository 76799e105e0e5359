"""What was asked and answered, as every record has it."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from tokenizer_adapters.contract import Field, Stage
from tokenizer_conformance.comparison.differences import DifferenceKind, Party
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.results.records.value import Count, OneOf, Seconds, Value

# Questions -----------------------------------------------------------------------------------------------------------


class Text(Value, frozen=True, kw_only=True):
    """A text."""

    value: str
    """The text, cut where it is long."""
    length: Count
    """The length of the whole text in code points."""


TextOrWords = Text | tuple[Text, ...]


class Normalize(Value, frozen=True, kw_only=True, tag_field="ask", tag="normalize"):
    """Normalize a text."""

    text: Text


class PreTokenize(Value, frozen=True, kw_only=True, tag_field="ask", tag="pre_tokenize"):
    """Split a text before the model."""

    text: Text


class Encode(Value, frozen=True, kw_only=True, tag_field="ask", tag="encode"):
    """Encode a text, or a pair of texts."""

    text: TextOrWords
    pair: TextOrWords | None
    add_special_tokens: bool


class BatchInput(Value, frozen=True, kw_only=True):
    """One of several texts or pairs to encode."""

    text: TextOrWords
    pair: TextOrWords | None


class EncodeBatch(Value, frozen=True, kw_only=True, tag_field="ask", tag="encode_batch"):
    """Encode several texts or pairs at once."""

    inputs: tuple[BatchInput, ...]
    add_special_tokens: bool


class Decode(Value, frozen=True, kw_only=True, tag_field="ask", tag="decode"):
    """Decode ids; ``ids_length`` is how many there are, of which these are the first."""

    ids: tuple[int, ...]
    ids_length: Count
    skip_special_tokens: bool


class DecodeStream(Value, frozen=True, kw_only=True, tag_field="ask", tag="decode_stream"):
    """Decode ids one after the other; ``ids_length`` is how many there are, of which these are the first."""

    ids: tuple[int, ...]
    ids_length: Count
    skip_special_tokens: bool
    prompt: tuple[int, ...] = ()
    """The ids before the first step; their text is not given out."""
    chunks: tuple[Count, ...] = ()
    """How many ids come in each of the first steps; those that are left come one by one."""


class Chat(Value, frozen=True, kw_only=True, tag_field="ask", tag="chat"):
    """Render a conversation: ``messages`` and ``tools`` are JSON."""

    messages: str
    tools: str | None
    add_generation_prompt: bool
    continue_final_message: bool
    template: str | None


PlainQuestion = Normalize | PreTokenize | Encode | EncodeBatch | Decode | DecodeStream | Chat


class NewToken(Value, frozen=True, kw_only=True):
    """A token to be added, with its flags."""

    content: str
    single_word: bool
    lstrip: bool
    rstrip: bool
    normalized: bool | None
    special: bool


class Change(OneOf, frozen=True, kw_only=True):
    """A change of the tokenizer: tokens that are added, special ones or not; or ``encode_special_tokens`` is set."""

    kinds = ("add_tokens", "encode_special_tokens")

    add_tokens: tuple[NewToken, ...] | UnsetType = UNSET
    special: bool | UnsetType = UNSET
    encode_special_tokens: bool | UnsetType = UNSET


class After(Value, frozen=True, kw_only=True, tag_field="ask", tag="after"):
    """A question about the tokenizer after these changes."""

    changes: tuple[Change, ...]
    then: PlainQuestion


Question = PlainQuestion | After

# Differences ---------------------------------------------------------------------------------------------------------

Entry = int | str | None | tuple[int, int]


class Excerpt(OneOf, frozen=True, kw_only=True):
    """A window of an answer: of a text, or of a sequence.

    A text has code points from the number ``start``; a sequence has entries from there, and the tokens beside them
    where they are known.
    """

    kinds = ("text", "entries")

    start: Count
    total: Count
    text: str | UnsetType = UNSET
    entries: tuple[Entry, ...] | UnsetType = UNSET
    tokens: tuple[str, ...] | UnsetType | None = UNSET


class Failed(Value, frozen=True, kw_only=True):
    """An error in place of an answer."""

    kind: str
    message: str


class Detail(Value, frozen=True, kw_only=True):
    """What is known of a crash, or of a broken protocol."""

    detail: str


class TimedOut(Value, frozen=True, kw_only=True):
    """No answer within so many seconds."""

    seconds: Seconds


class Side(OneOf, frozen=True, kw_only=True):
    """What one side answered, around the difference: one of these."""

    kinds = ("excerpt", "failed", "crashed", "timed_out", "broke_protocol")

    excerpt: Excerpt | UnsetType = UNSET
    failed: Failed | UnsetType = UNSET
    crashed: Detail | UnsetType = UNSET
    timed_out: TimedOut | UnsetType = UNSET
    broke_protocol: Detail | UnsetType = UNSET


class DifferenceOfSides(Value, frozen=True, kw_only=True):
    """How two answers to one question differ."""

    verdict: Verdict
    kind: DifferenceKind
    field: Field | None
    party: Party | None
    detail: str
    part: str | None
    position: Count | None
    baseline: Side
    implementation: Side


class Signature(Value, frozen=True, kw_only=True):
    """What the differences of one finding have in common."""

    tokenizer: str
    implementation: str
    stage: Stage
    field: Field | None
    verdict: Verdict
    kind: DifferenceKind
    party: Party | None
    detail: str


# Answers -------------------------------------------------------------------------------------------------------------

OutcomeKind = Literal[
    "Text",
    "Pieces",
    "Encoded",
    "EncodedBatch",
    "Chunks",
    "Rendered",
    "Unsupported",
    "Failed",
    "Crashed",
    "TimedOut",
    "BrokeProtocol",
]


class Outcome(Value, frozen=True, kw_only=True):
    """A whole answer: the kind of the outcome, and what it says. Offsets count what the implementation counts."""

    outcome: OutcomeKind
    answer: dict[str, Any]


PlacedSpan = tuple[int, int] | None
"""Code points of the original text, end exclusive; null for offsets that have no place there."""


class PlacedEncoding(Value, frozen=True, kw_only=True):
    """An encoding, an entry a token; null for what is not shown."""

    ids: tuple[int, ...]
    tokens: tuple[str, ...] | None
    offsets: tuple[PlacedSpan, ...] | None
    word_ids: tuple[int | None, ...] | None
    type_ids: tuple[int, ...] | None
    attention_mask: tuple[int, ...] | None
    special_tokens_mask: tuple[int, ...] | None
    sequence_ids: tuple[int | None, ...] | None
    overflowing: tuple[PlacedEncoding, ...] | None


class ATextSays(Value, frozen=True, kw_only=True):
    """What a text says."""

    text: str


class PiecesSay(Value, frozen=True, kw_only=True):
    """Pieces of a text, each with its place."""

    pieces: tuple[tuple[str, PlacedSpan], ...]


class BatchSays(Value, frozen=True, kw_only=True):
    """The encodings of several texts."""

    encodings: tuple[PlacedEncoding, ...]


class ChunksSay(Value, frozen=True, kw_only=True):
    """What each id added to the text; null where nothing was given back yet."""

    chunks: tuple[str | None, ...]


class RenderedSays(Value, frozen=True, kw_only=True):
    """The text of a prompt; null for ids that are not shown."""

    text: str
    ids: tuple[int, ...] | None


class WhyNot(Value, frozen=True, kw_only=True):
    """Why there is no answer."""

    reason: str


class Answer(Value, frozen=True, kw_only=True, tag_field="outcome"):
    """An answer, cut at 200 tokens, pieces or chunks, and each text in it at 2000 code points."""

    total: Count | UnsetType = UNSET
    """Only where the answer is cut: how long it is, in tokens of all its encodings, pieces or chunks, or else in code
    points."""


class TextAnswer(Answer, frozen=True, kw_only=True, tag="Text"):
    """A text."""

    answer: ATextSays


class PiecesAnswer(Answer, frozen=True, kw_only=True, tag="Pieces"):
    """Pieces of a text."""

    answer: PiecesSay


class EncodedAnswer(Answer, frozen=True, kw_only=True, tag="Encoded"):
    """An encoding."""

    answer: PlacedEncoding


class BatchAnswer(Answer, frozen=True, kw_only=True, tag="EncodedBatch"):
    """Several encodings."""

    answer: BatchSays


class ChunksAnswer(Answer, frozen=True, kw_only=True, tag="Chunks"):
    """Parts of a text."""

    answer: ChunksSay


class RenderedAnswer(Answer, frozen=True, kw_only=True, tag="Rendered"):
    """A conversation as a prompt."""

    answer: RenderedSays


class UnsupportedAnswer(Answer, frozen=True, kw_only=True, tag="Unsupported"):
    """It has no way to answer."""

    answer: WhyNot


class FailedAnswer(Answer, frozen=True, kw_only=True, tag="Failed"):
    """An error."""

    answer: Failed


class CrashedAnswer(Answer, frozen=True, kw_only=True, tag="Crashed"):
    """A crash."""

    answer: Detail


class TimedOutAnswer(Answer, frozen=True, kw_only=True, tag="TimedOut"):
    """No answer in time."""

    answer: TimedOut


class BrokeProtocolAnswer(Answer, frozen=True, kw_only=True, tag="BrokeProtocol"):
    """No answer of the protocol."""

    answer: Detail


WholeAnswer = (
    TextAnswer
    | PiecesAnswer
    | EncodedAnswer
    | BatchAnswer
    | ChunksAnswer
    | RenderedAnswer
    | UnsupportedAnswer
    | FailedAnswer
    | CrashedAnswer
    | TimedOutAnswer
    | BrokeProtocolAnswer
)


class WholeAnswers(Value, frozen=True, kw_only=True):
    """What both sides answered to the question.

    Since version 1.11 of records of runs, 1.3 of runs of the suite, 1.2 of releases, 1.1 of searches.
    """

    baseline: WholeAnswer
    implementation: WholeAnswer
