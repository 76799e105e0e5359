"""The way of a text through the pipeline, one component after the other, and of its ids back to a text.

What :meth:`~tokenizer_reference.Tokenizer.encode` does at once stands here one step after the other: after each the
pieces of the text, or the tokens, are as that component leaves them. Where a component fails, the way ends there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from tokenizer_reference.decoders.sequence import Sequence as DecoderSequence
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.models.steps import NotShown, WordSteps, word_steps
from tokenizer_reference.normalizers.sequence import Sequence as NormalizerSequence
from tokenizer_reference.pipeline.added_matches import (
    AddedOccurrence,
    occurrences_as_given,
    occurrences_normalized,
)
from tokenizer_reference.pipeline.input_sequences import checked_sequence
from tokenizer_reference.pipeline.padding import pad_encodings
from tokenizer_reference.pipeline.truncation import truncate_encodings
from tokenizer_reference.pre_tokenizers.sequence import Sequence as PreTokenizerSequence
from tokenizer_reference.processors.base import merge_unprocessed
from tokenizer_reference.processors.sequence import Sequence as ProcessorSequence
from tokenizer_reference.values.encoding import Encoding
from tokenizer_reference.values.pre_tokenized_string import PreTokenizedString, Split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_reference.component import Component
    from tokenizer_reference.pipeline.tokenizer import Tokenizer
    from tokenizer_reference.text.normalized_string import NormalizedString
    from tokenizer_reference.values.tokenization import Tokenization

Span = tuple[int, int]


class Station(StrEnum):
    """The places on the way, in their order."""

    ADDED_AS_GIVEN = "added tokens in the text as given"
    NORMALIZER = "normalizer"
    ADDED_NORMALIZED = "added tokens in the normalized text"
    PRE_TOKENIZER = "pre-tokenizer"
    MODEL = "model"
    TRUNCATION = "truncation"
    POST_PROCESSOR = "post-processor"
    PADDING = "padding"
    DECODER = "decoder"


@dataclass(frozen=True, slots=True)
class Member:
    """A component that a text passes: its ``type``, its ``place`` in tokenizer.json, and its other ``options``.

    What is no component (the search for added tokens) has no place.
    """

    station: Station
    type: str = ""
    place: str = ""
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the text as it stands after a step.

    ``span`` is its place in the original text, ``origins`` those of its characters, in code points. ``added`` is the id
    of the added token that it is, ``None`` where it is none.
    """

    text: str
    span: Span
    origins: tuple[Span, ...]
    added: int | None = None


@dataclass(frozen=True, slots=True)
class TextStep:
    """What a ``member`` leaves of a text: its ``pieces``; ``occurrences`` are the added tokens that stand there."""

    member: Member
    pieces: tuple[Piece, ...]
    occurrences: tuple[AddedOccurrence, ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """A piece that the model makes ``tokens`` of, with their ``ids``, and how it does; ``None`` for an added token.

    ``offsets`` are the places of the tokens in the original text, ``None`` where that fits no characters.
    """

    piece: Piece
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    offsets: tuple[Span | None, ...]
    steps: WordSteps | None


@dataclass(frozen=True, slots=True)
class TokenStep:
    """What a ``member`` leaves of the tokens: the ``parts``, in their order; merged, they are the encoding."""

    member: Member
    parts: tuple[Encoding, ...]


@dataclass(frozen=True, slots=True)
class DecodingStep:
    """What a ``member`` makes of the tokens: the ``strings`` whose concatenation is the text."""

    member: Member
    strings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """Where the way ends: the ``member`` that fails, and the ``kind`` and ``message`` of its error."""

    member: Member
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class TextWay:
    """The way of one ``text`` (the first or the second of a pair) as far as the model."""

    text: str
    steps: tuple[TextStep, ...]
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """The way of a text, or of a pair, and of its ids back.

    ``encoding`` is what :meth:`~tokenizer_reference.Tokenizer.encode` gives, ``None`` where the way has ``stopped``
    before; ``decoding`` leads to what :meth:`~tokenizer_reference.Tokenizer.decode` gives for its ids, without special
    tokens.
    """

    texts: tuple[TextWay, ...]
    tokens: tuple[TokenStep, ...]
    encoding: Encoding | None
    decoding: tuple[DecodingStep, ...]
    decoded: str | None
    stopped: Stopped | None


@dataclass(frozen=True, slots=True)
class Detail:
    """Of how many words, and of words of how many characters, the steps of the model are shown; ``None``: of all."""

    most_words: int | None = None
    longest_word: int | None = None


EVERYTHING = Detail()


def way_of(
    tokenizer: Tokenizer,
    text: str,
    pair: str | None = None,
    add_special_tokens: bool = True,
    detail: Detail = EVERYTHING,
) -> Way:
    """Return the way of ``text``, or of it and ``pair``, through ``tokenizer``.

    >>> from tokenizer_reference import Tokenizer, models, normalizers
    >>> tokenizer = Tokenizer(models.WordLevel({"<unk>": 0, "hi": 1}))
    >>> tokenizer.normalizer = normalizers.Lowercase()
    >>> way = way_of(tokenizer, "HI")
    >>> [(step.member.type, step.pieces[0].text) for step in way.texts[0].steps]
    [('', 'HI'), ('Lowercase', 'hi'), ('', 'hi')]
    >>> way.encoding.ids, way.decoded
    ([1], 'hi')

    Raises :class:`TypeError` for a text with a lone surrogate.
    """
    checked_sequence("text", text, is_pretokenized=False)
    if pair is not None:
        checked_sequence("pair", pair, is_pretokenized=False)
    return _Walk(tokenizer, detail).walk((text,) if pair is None else (text, pair), add_special_tokens)


class _Walk:
    """A walk through ``tokenizer``; ``_at`` is the member that is at work."""

    def __init__(self, tokenizer: Tokenizer, detail: Detail) -> None:
        self._tokenizer = tokenizer
        self._detail = detail
        self._at = Member(Station.ADDED_AS_GIVEN)
        self._texts: list[TextWay] = []
        self._tokens: list[TokenStep] = []
        self._decoding: list[DecodingStep] = []
        self._known: dict[str, WordSteps] = {}

    def walk(self, texts: Sequence[str], add_special_tokens: bool) -> Way:
        encoding: Encoding | None = None
        decoded: str | None = None
        stopped: Stopped | None = None
        try:
            encodings = [self._through_model(text, number) for number, text in enumerate(texts)]
            encoding = self._through_processing(encodings, add_special_tokens)
            decoded = self._back(encoding.ids)
        except (TokenizerReferenceError, ValueError) as error:
            stopped = Stopped(self._at, type(error).__name__, str(error))
        return Way(tuple(self._texts), tuple(self._tokens), encoding, tuple(self._decoding), decoded, stopped)

    # The text ---------------------------------------------------------------------------------------------------------

    def _through_model(self, text: str, type_id: int) -> Encoding:
        steps: list[TextStep] = []
        words: list[Word] = []
        try:
            pretok = PreTokenizedString(text)
            steps.extend(self._cut_and_normalized(pretok))
            for member, component in _members(
                self._tokenizer.pre_tokenizer, Station.PRE_TOKENIZER, "pre_tokenizer", _pre_tokenizers
            ):
                self._at = member
                component._pre_tokenize(pretok)
                steps.append(TextStep(member, _pieces(pretok.splits)))
            self._at = _member(self._tokenizer.model, Station.MODEL, "model")
            words.extend(self._word(split) for split in pretok.splits)
        finally:
            self._texts.append(TextWay(text, tuple(steps), tuple(words)))
        return pretok._encoding(type_id, None, "char")

    def _cut_and_normalized(self, pretok: PreTokenizedString) -> Iterator[TextStep]:
        """Cut and normalize as :meth:`AddedVocabulary.extract_and_normalize` does, one component after the other."""
        added = self._tokenizer._added
        raw, normalized = added._searches
        self._at = Member(Station.ADDED_AS_GIVEN)
        found = occurrences_as_given(added, pretok.splits[0].normalized)
        pretok._replace_splits(lambda _, text: added._cut(text, raw))
        yield TextStep(self._at, _pieces(pretok.splits), tuple(found))
        given = [split.normalized.duplicate() for split in pretok.splits if split.tokens is None]
        for member, component in _members(self._tokenizer.normalizer, Station.NORMALIZER, "normalizer", _normalizers):
            self._at = member
            for split in pretok.splits:
                if split.tokens is None:
                    component._normalize(split.normalized)
            yield TextStep(member, _pieces(pretok.splits))
        self._at = Member(Station.ADDED_NORMALIZED)
        sections = [split.normalized for split in pretok.splits if split.tokens is None]
        found = [
            each
            for before, after in zip(given, sections, strict=True)
            for each in occurrences_normalized(added, before, after)
        ]
        pretok._replace_splits(lambda _, text: added._cut(text, normalized))
        yield TextStep(self._at, _pieces(pretok.splits), tuple(found))

    def _word(self, split: Split) -> Word:
        (piece,) = _pieces([split])
        steps: WordSteps | None = None
        made = split.tokens
        if made is None:
            made = split.tokens = self._tokenizer.model._tokenization(piece.text)
            steps = self._steps(piece.text)
        spans = tuple(None if span is None else split.normalized.original_range(*span) for span in made.char_spans)
        return Word(piece, made.ids, made.values, spans, steps)

    def _steps(self, word: str) -> WordSteps:
        known = self._known.get(word)
        if known is not None:
            return known
        detail = self._detail
        if detail.longest_word is not None and len(word) > detail.longest_word:
            return NotShown(f"it has {len(word):,} characters")
        if detail.most_words is not None and len(self._known) >= detail.most_words:
            return NotShown(f"it is not among the first {detail.most_words:,} words")
        steps = self._known[word] = word_steps(self._tokenizer.model, word)
        return steps

    # The tokens -------------------------------------------------------------------------------------------------------

    def _through_processing(self, encodings: list[Encoding], add_special_tokens: bool) -> Encoding:
        """Truncate, process and pad as :meth:`Tokenizer.post_process` does."""
        tokenizer = self._tokenizer
        self._leave(_member(tokenizer.model, Station.MODEL, "model"), encodings)
        pair = encodings[1] if len(encodings) > 1 else None
        if tokenizer._truncation is not None:
            self._at = Member(Station.TRUNCATION, "", "truncation", tuple(tokenizer._truncation.as_arguments().items()))
            added = tokenizer.num_special_tokens_to_add(pair is not None) if add_special_tokens else 0
            first, pair = truncate_encodings(encodings[0], pair, tokenizer._truncation.room_for(added))
            encodings = [first] if pair is None else [first, pair]
            self._leave(self._at, encodings)
        encoding = self._processed(encodings, add_special_tokens)
        if tokenizer._padding is not None:
            self._at = Member(Station.PADDING, "", "padding", tuple(tokenizer._padding.as_arguments().items()))
            pad_encodings([encoding], tokenizer._padding)
            self._leave(self._at, [encoding])
        return encoding

    def _processed(self, encodings: list[Encoding], add_special_tokens: bool) -> Encoding:
        processor = self._tokenizer.post_processor
        if processor is None:
            return merge_unprocessed(encodings[0], encodings[1] if len(encodings) > 1 else None)
        parts = [each._copy() for each in encodings]
        for number, each in enumerate(parts):
            each._mark_sequence(number)
        for member, component in _members(processor, Station.POST_PROCESSOR, "post_processor", _processors):
            self._at = member
            parts = component._process_encodings(parts, add_special_tokens)
            self._leave(member, parts)
        return Encoding.merge(parts, growing_offsets=False)

    def _leave(self, member: Member, parts: list[Encoding]) -> None:
        self._tokens.append(TokenStep(member, tuple(each._copy() for each in parts)))

    # The way back -----------------------------------------------------------------------------------------------------

    def _back(self, ids: Sequence[int]) -> str:
        """Decode as :meth:`Tokenizer.decode` does, special tokens left out."""
        tokenizer = self._tokenizer
        self._at = Member(Station.DECODER)
        tokens = [token for id_ in ids if (token := tokenizer.id_to_token(id_)) is not None]
        tokens = [token for token in tokens if not tokenizer._added.is_special(token)]
        self._decoding.append(DecodingStep(self._at, tuple(tokens)))
        if tokenizer.decoder is None:
            return " ".join(tokens)
        for member, component in _members(tokenizer.decoder, Station.DECODER, "decoder", _decoders):
            self._at = member
            tokens = component._decode_chain(tokens)
            self._decoding.append(DecodingStep(member, tuple(tokens)))
        return "".join(tokens)


# Components ----------------------------------------------------------------------------------------------------------

_MEMBERS = ("normalizers", "pretokenizers", "processors", "decoders")
"""The keys under which sequences have their members."""


def _normalizers(component: Component) -> list[Any] | None:
    return component._normalizers if isinstance(component, NormalizerSequence) else None


def _pre_tokenizers(component: Component) -> list[Any] | None:
    return component._pre_tokenizers if isinstance(component, PreTokenizerSequence) else None


def _processors(component: Component) -> list[Any] | None:
    return component._processors if isinstance(component, ProcessorSequence) else None


def _decoders(component: Component) -> list[Any] | None:
    return component._decoders if isinstance(component, DecoderSequence) else None


def _members(
    component: Component | None, station: Station, place: str, parts: Callable[[Component], list[Any] | None]
) -> Iterator[tuple[Member, Any]]:
    """Yield the components that do the work, in their order: of a sequence its members, down to the last."""
    if component is None:
        return
    members = parts(component)
    if members is None:
        yield _member(component, station, place), component
        return
    key = next(key for key in _MEMBERS if key in component._to_json())
    for number, each in enumerate(members):
        yield from _members(each, station, f"{place}.{key}[{number}]", parts)


def _member(component: Component, station: Station, place: str) -> Member:
    if station is Station.MODEL:
        return Member(station, type(component).__name__, place)
    document = component._to_json()
    options = tuple((key, value) for key, value in document.items() if key != "type")
    return Member(station, str(document.get("type", type(component).__name__)), place, options)


def _pieces(splits: Sequence[Split]) -> tuple[Piece, ...]:
    return tuple(_piece(split.normalized, split.tokens) for split in splits)


def _piece(text: NormalizedString, tokens: Tokenization | None) -> Piece:
    span = text.begin, text.begin + len(text.original)
    return Piece(text.normalized, span, tuple(text.alignment()), None if tokens is None else tokens.ids[0])
