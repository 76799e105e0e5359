"""What can be wrong with an answer of the right form, whatever the tokenizer: lengths, spans, fields not announced."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    Called,
    Chat,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Field,
    ImplementationInfo,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Rendered,
    Text,
    plain_of,
)
from tokenizer_adapters.protocol.json_fields import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenizer_adapters.contract import Observation, PlainObservation, Span
    from tokenizer_adapters.protocol.messages import Answer
    from tokenizer_adapters.training import CountedWords, TrainedModel

MASKS = (Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK)


class WrongAnswerError(Exception):
    """An answer cannot be right. The text says which field, and why."""


def judge(observation: Observation, answer: Answer, info: ImplementationInfo) -> None:
    """Judge the value that a program described by ``info`` gave in ``answer`` to ``observation``.

    Raises :class:`WrongAnswerError`.
    """
    question = plain_of(observation)
    longest = max(length(text, info.offset_unit) for text in _texts(question))
    match answer:
        case Text():
            _announced(Field.TEXT, info)
        case Pieces(pieces):
            _announced(Field.PIECES, info)
            _spans("value.pieces", (span for _, span in pieces), longest, info.offset_unit)
        case Encoded():
            _judge_encoded("value", answer, longest, info)
        case EncodedBatch(encodings) if isinstance(question, EncodeBatch):
            _one_for_each("value.encodings", len(encodings), len(question.inputs), "input")
            for number, (one, encoding) in enumerate(zip(question.inputs, encodings, strict=True)):
                longest = max(length(text, info.offset_unit) for text in _texts(one))
                _judge_encoded(f"value.encodings[{number}]", encoding, longest, info)
        case Chunks(chunks) if isinstance(question, DecodeStream):
            _announced(Field.TEXT, info)
            _one_for_each("value.chunks", len(chunks), len(question.steps), "step" if question.chunks else "id")
        case Rendered(_, ids):
            _announced(Field.TEXT, info)
            if ids is not None:
                _announced(Field.IDS, info)


def judge_document(document: str) -> None:
    """Judge what a program has saved: the text of a JSON object.

    Raises :class:`WrongAnswerError`.
    """
    try:
        found = json.loads(document)
    except (ValueError, RecursionError) as error:
        raise WrongAnswerError(f"value.document: this is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise WrongAnswerError(f"value.document: expected the text of a JSON object, found that of {shown(found)}")


def judge_called(called: Called) -> None:
    """Judge what a call without options gave: its lists have an entry for each token.

    Raises :class:`WrongAnswerError`.
    """
    lengths = {name: len(entries) for name, entries in called.fields.items()}
    if len(set(lengths.values())) > 1:
        raise WrongAnswerError(f"value.fields: lists of one length expected, found {shown(lengths)}")


def _one_for_each(path: str, found: int, expected: int, what: str) -> None:
    if found != expected:
        raise WrongAnswerError(f"{path}: {found} entries for {expected} {what}s; the list has one for each {what}")


def _texts(observation: PlainObservation) -> tuple[str, ...]:
    """Return the texts that spans may lie in; each word of pre-split input is one."""
    match observation:
        case Normalize(text) | PreTokenize(text):
            return (text,)
        case Encode(text, pair):
            return ("", *(part for each in (text, pair or ()) for part in ((each,) if isinstance(each, str) else each)))
        case Decode() | DecodeStream() | EncodeBatch() | Chat():
            return ("",)


def length(text: str, unit: OffsetUnit) -> int:
    """Return how long ``text`` is in ``unit``; a lone surrogate counts as U+FFFD.

    >>> [length("é🎉", unit) for unit in OffsetUnit]
    [2, 6, 3]
    """
    match unit:
        case OffsetUnit.CODE_POINTS:
            return len(text)
        case OffsetUnit.UTF8_BYTES:
            return len(text.encode("utf-8", "surrogatepass"))
        case OffsetUnit.UTF16_UNITS:
            return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _announced(field: Field, info: ImplementationInfo) -> None:
    if field not in info.fields:
        raise WrongAnswerError(
            f'it shows the field {shown(field)}, and its answer to start does not announce it in "fields"'
        )


def _judge_encoded(path: str, encoded: Encoded, longest: int, info: ImplementationInfo) -> None:
    tokens = len(encoded.ids)
    for field in ENCODING_FIELDS:
        found = getattr(encoded, field)
        if found is None:
            continue
        _announced(field, info)
        if field is not Field.OVERFLOWING and len(found) != tokens:
            raise WrongAnswerError(
                f"{path}.{field}: {len(found)} entries for {tokens} ids; a list has one for each token"
            )
    for mask in MASKS:
        wrong = [entry for entry in getattr(encoded, mask) or () if entry not in (0, 1)]
        if wrong:
            raise WrongAnswerError(f"{path}.{mask}: expected 0 or 1, found {wrong[0]}")
    _spans(f"{path}.offsets", encoded.offsets or (), longest, info.offset_unit)
    for number, part in enumerate(encoded.overflowing or ()):
        _judge_encoded(f"{path}.overflowing[{number}]", part, longest, info)


def _spans(path: str, spans: Iterable[Span | None], longest: int, unit: OffsetUnit) -> None:
    for number, span in enumerate(spans):
        if span is not None and not 0 <= span[0] <= span[1] <= longest:
            raise WrongAnswerError(
                f"{path}[{number}]: [{span[0]}, {span[1]}] is no range of the text, which has {longest} {unit}"
            )


# What a trainer answers ----------------------------------------------------------------------------------------------


def judge_words(text: str, words: CountedWords) -> None:
    """Judge the ``words`` that a program has cut ``text`` into: they come in the order in which they are first met.

    Raises :class:`WrongAnswerError`.
    """
    places = {word: text.find(word) for word in words.counts if word in text}
    for (before, place), (word, next_place) in pairwise(places.items()):
        if next_place < place:
            raise WrongAnswerError(f"value.words: {shown(word)} stands after {shown(before)}, and is met before it")


def judge_model(wanted: int, model: TrainedModel) -> None:
    """Judge what a program has learned where a vocabulary of ``wanted`` tokens was asked for.

    Raises :class:`WrongAnswerError`.
    """
    if not 0 < len(model.tokens) <= wanted:
        raise WrongAnswerError(f"value.tokens: {len(model.tokens)} tokens, where {wanted} were asked for")
    _judge_ids(model.tokens)
    for number, pair in enumerate(model.merges or ()):
        _known(pair, model.tokens, f"value.merges[{number}]")
    _known(model.scores or (), model.tokens, "value.scores")


def _judge_ids(tokens: Mapping[str, int]) -> None:
    token_of: dict[int, str] = {}
    for token, id_ in tokens.items():
        if id_ < 0:
            raise WrongAnswerError(f"value.tokens[{shown(token)}]: an id counts from 0 on, found {id_}")
        if id_ in token_of:
            raise WrongAnswerError(f"value.tokens: {shown(token_of[id_])} and {shown(token)} have the same id, {id_}")
        token_of[id_] = token


def _known(found: Iterable[str], tokens: Mapping[str, int], place: str) -> None:
    for token in found:
        if token not in tokens:
            raise WrongAnswerError(f"{place}: {shown(token)} is no token of the vocabulary")
