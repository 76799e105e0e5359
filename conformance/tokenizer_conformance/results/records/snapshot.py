"""The lines of ``tokenizer-conformance-snapshot``, read and written by ``releases.snapshot_file``."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from msgspec import UNSET, UnsetType

from tokenizer_adapters.contract import Field, ImplementationInfo, Stage
from tokenizer_conformance.command_io.recorded_header import info_of
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.format import Format, json_of
from tokenizer_conformance.results.records.value import Count, Line, OneOf, Seconds, Sha256, Value


class AskedTokenizer(Value, frozen=True, kw_only=True):
    name: str
    word: str
    """What named it on the command line."""
    sha256: str
    """Of the tokenizer.json."""
    size: Count
    """Of the tokenizer.json, in bytes."""


class AskedInputs(Value, frozen=True, kw_only=True):
    count: Count
    sha256: str
    """Of all ids and texts."""
    sources: tuple[str, ...]
    """What named each source of inputs; empty for the built-in ones."""


class Header(headers.Header, frozen=True, kw_only=True, tag="header"):
    """Who answered, where and when, about what."""

    selected_by: str
    """The word that selected the implementation on the command line."""
    implementation: headers.Implementation
    tokenizers: tuple[AskedTokenizer, ...]
    inputs: AskedInputs
    stages: tuple[Stage, ...]
    """The stages that were asked about."""
    shard: headers.Shard | UnsetType = UNSET
    """Which part of a snapshot it is; the numbers of inputs are those of the whole. Since version 1.1."""
    merged: tuple[headers.MergedPart, ...] | UnsetType = UNSET
    """The parts that it was merged of; since version 1.1."""

    @property
    def part(self) -> headers.Shard | None:
        """Which part of a snapshot it is; ``None`` where it is a whole one."""
        return None if self.shard is UNSET else self.shard

    @property
    def info(self) -> ImplementationInfo:
        """The implementation, as it describes itself."""
        return info_of(json_of(self.implementation))


class Input(Line, frozen=True, kw_only=True, tag="input"):
    """A text. All stand before the first tokenizer."""

    source: Count
    """The number of its source, from 0: the last text of a source is followed by its first."""
    id: str
    category: str
    text: str


class Vocabulary(Value, frozen=True, kw_only=True):
    size: Count
    sha256: Sha256


class Tokenizer(Line, frozen=True, kw_only=True, tag="tokenizer"):
    """How a tokenizer was loaded. A line of answers for each input follows, in the order of the inputs."""

    name: str
    error: str | None
    """Why it was not loaded; there are no answers then."""
    files: tuple[str, ...]
    """The names of the files that were read in place of the tokenizer.json."""
    shows: dict[Stage, tuple[Field, ...]] | None
    """What the implementation says it shows of this tokenizer: for each stage the fields of every answer. Null where
    that is all it shows at best."""
    saved: Any
    vocabulary: Vocabulary | None
    """The number of tokens, and the SHA-256 of the JSON of all with their ids, by id. Null where it shows none."""


class Failed(Value, frozen=True, kw_only=True):
    kind: str
    message: str


class Outcome(OneOf, frozen=True, kw_only=True):
    """An answer, or one of these in its place."""

    kinds: ClassVar[tuple[str, ...]] = ("unsupported", "failed", "crashed", "timed_out", "broke_protocol")

    unsupported: str | UnsetType = UNSET
    failed: Failed | UnsetType = UNSET
    crashed: str | UnsetType = UNSET
    timed_out: Seconds | UnsetType = UNSET
    broke_protocol: str | UnsetType = UNSET


class Text(Outcome, frozen=True, kw_only=True):
    kinds = ("text", "unsupported", "failed", "crashed", "timed_out", "broke_protocol")

    text: str | UnsetType = UNSET


Span = tuple[int, int]
"""A half-open range over the original text, in the unit of the implementation."""


class Pieces(Outcome, frozen=True, kw_only=True):
    kinds = ("pieces", "unsupported", "failed", "crashed", "timed_out", "broke_protocol")

    pieces: tuple[tuple[str, Span | None], ...] | UnsetType = UNSET


class Encoding(Value, frozen=True, kw_only=True):
    """An encoding; a field that is not shown is not there."""

    ids: tuple[int, ...]
    tokens: tuple[str, ...] | UnsetType = UNSET
    offsets: tuple[Span, ...] | UnsetType = UNSET
    word_ids: tuple[int | None, ...] | UnsetType = UNSET
    type_ids: tuple[int, ...] | UnsetType = UNSET
    attention_mask: tuple[int, ...] | UnsetType = UNSET
    special_tokens_mask: tuple[int, ...] | UnsetType = UNSET
    sequence_ids: tuple[int | None, ...] | UnsetType = UNSET
    overflowing: tuple[Encoding, ...] | UnsetType = UNSET


class Encoded(Outcome, frozen=True, kw_only=True):
    """An encoding, or one of these in its place; a field that is not shown is not there."""

    kinds = ("ids", "unsupported", "failed", "crashed", "timed_out", "broke_protocol")

    ids: tuple[int, ...] | UnsetType = UNSET
    tokens: tuple[str, ...] | UnsetType = UNSET
    offsets: tuple[Span, ...] | UnsetType = UNSET
    word_ids: tuple[int | None, ...] | UnsetType = UNSET
    type_ids: tuple[int, ...] | UnsetType = UNSET
    attention_mask: tuple[int, ...] | UnsetType = UNSET
    special_tokens_mask: tuple[int, ...] | UnsetType = UNSET
    sequence_ids: tuple[int | None, ...] | UnsetType = UNSET
    overflowing: tuple[Encoding, ...] | UnsetType = UNSET


class Chunks(Outcome, frozen=True, kw_only=True):
    kinds = ("chunks", "unsupported", "failed", "crashed", "timed_out", "broke_protocol")

    chunks: tuple[str | None, ...] | UnsetType = UNSET


class Encodings(Outcome, frozen=True, kw_only=True):
    kinds = ("encodings", "unsupported", "failed", "crashed", "timed_out", "broke_protocol")

    encodings: tuple[Encoding, ...] | UnsetType = UNSET


class NamedAnswers(Value, frozen=True, kw_only=True):
    """By the name of the question.

    What tokconf run asks about the text, and about it and the text after it in its source.
    """

    normalize: Text | UnsetType = UNSET
    """The text, normalized."""
    pre_tokenize: Pieces | UnsetType = UNSET
    """The pieces of the text."""
    pre_tokenize_normalized: Pieces | UnsetType = UNSET
    """The pieces of the normalized text, where that is another one."""
    encode_plain: Encoded | UnsetType = UNSET
    """The text without special tokens."""
    encode_plain_words: Encoded | UnsetType = UNSET
    """The words of the text, which stand between its single spaces, without special tokens."""
    encode: Encoded | UnsetType = UNSET
    """The text with special tokens."""
    decode_skipping: Text | UnsetType = UNSET
    """The ids of ``encode``, decoded without special tokens."""
    decode_keeping: Text | UnsetType = UNSET
    """The ids of ``encode``, decoded with special tokens."""
    stream_skipping: Chunks | UnsetType = UNSET
    """The first 64 ids of ``encode``, one by one, without special tokens."""
    stream_keeping: Chunks | UnsetType = UNSET
    """The first 64 ids of ``encode``, one by one, with special tokens."""
    pair_plain: Encoded | UnsetType = UNSET
    """The text and the one after it without special tokens."""
    pair: Encoded | UnsetType = UNSET
    """The text and the one after it with special tokens."""
    pair_words: Encoded | UnsetType = UNSET
    """The words of both with special tokens."""
    batch: Encodings | UnsetType = UNSET
    """Both texts in one batch, with special tokens."""


class Answers(Line, frozen=True, kw_only=True, tag="answers"):
    """What was answered about one input."""

    input: Count
    """The number of the input, from 0."""
    answers: NamedAnswers


class AskedAbout(Value, frozen=True, kw_only=True):
    """What was asked about a tokenizer."""

    tokenizer: str
    inputs: Count
    questions: Count
    without_value: dict[Literal["unsupported", "error", "crash", "timeout", "protocol"], Count]
    """The answers that are no value, by what they are."""


class Footer(Line, frozen=True, kw_only=True, tag="footer"):
    """A snapshot without a footer was cut off."""

    lines: Count
    """How many lines stand before this one."""
    sha256: Sha256
    """Of all lines before this one, with their ends."""
    finished: bool
    reason: str | None
    """Why it is not finished."""
    seconds: Seconds
    asking: Seconds
    """Of these, spent waiting for answers."""
    asked: tuple[AskedAbout, ...] | UnsetType = UNSET
    """What was asked about each tokenizer; since version 1.1."""


FORMAT = Format(
    name="tokenizer-conformance-snapshot",
    version="1.1",
    file="snapshot-1.json",
    description=(
        "A snapshot is compressed by gzip or xz: a header, the inputs, then for each tokenizer a line and the answers "
        "about each input, then a footer."
    ),
    lines=Header | Input | Tokenizer | Answers | Footer,
)
