"""Faults of answers: all is right inside, and offsets, masks or a former question spoil what is told."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any

from tokenizer_adapters.contract import (
    Chunks,
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Observation,
    Outcome,
    Span,
    Text,
    plain_of,
)
from tokenizer_conformance.validation.vectors.candidate import Answer, Answers
from tokenizer_conformance.validation.vectors.faults.fault import AnswerFault, FaultStage

OfEncoding = Callable[[Encode, Encoded], Encoded]
OfSpan = Callable[[str, Span], Span]

# Offsets --------------------------------------------------------------------------------------------------------------


def _bytes(text: str, span: Span) -> Span:
    return len(text[: span[0]].encode()), len(text[: span[1]].encode())


def _utf16(text: str, span: Span) -> Span:
    return len(text[: span[0]].encode("utf-16-le")) // 2, len(text[: span[1]].encode("utf-16-le")) // 2


@lru_cache
def _odd_before(is_odd: Callable[[str], bool], text: str) -> tuple[int, ...]:
    """Return how many odd characters stand before each position of ``text``, its end included."""
    return tuple(accumulate(map(is_odd, text), initial=0))


def _after(is_odd: Callable[[str], bool], text: str, span: Span) -> Span:
    by = min(_odd_before(is_odd, text)[min(span[0], len(text))], 1)
    return span[0] + by, span[1] + by


def _without(is_odd: Callable[[str], bool], text: str, span: Span) -> Span:
    odd = _odd_before(is_odd, text)
    return span[0] - odd[min(span[0], len(text))], span[1] - odd[min(span[1], len(text))]


def _with_space_before(text: str, span: Span) -> Span:
    return (span[0] - 1, span[1]) if span[0] and text[span[0] - 1] == " " else span


def _without_space(text: str, span: Span) -> Span:
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    return start, end


def _without_space_after(text: str, span: Span) -> Span:
    start, end = span
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _is_mark(character: str) -> bool:
    return unicodedata.combining(character) > 0


def _is_new_line(character: str) -> bool:
    return character == "\r"


SPANS: tuple[tuple[str, OfSpan], ...] = (
    ("offsets count bytes", _bytes),
    ("offsets count UTF-16 units", _utf16),
    ("offsets are one too far after an astral character", partial(_after, lambda each: each > "\uffff")),
    ("offsets are one too far after a combining mark", partial(_after, _is_mark)),
    (
        "offsets are one too far after a character that is composed",
        partial(_after, lambda each: len(unicodedata.normalize("NFD", each)) > 1),
    ),
    (
        "offsets are one too far after a character with a longer lower case",
        partial(_after, lambda each: len(each.lower()) > 1),
    ),
    (
        "offsets are one too far after a compatibility character",
        partial(_after, lambda each: len(unicodedata.normalize("NFKC", each)) > 1),
    ),
    ("offsets are one too far after a Han character", partial(_after, lambda each: "\u4e00" <= each <= "\u9fff")),
    ("offsets do not count combining marks", partial(_without, _is_mark)),
    ("offsets do not count carriage returns", partial(_without, _is_new_line)),
    ("offsets do not count control characters", partial(_without, lambda each: unicodedata.category(each) == "Cc")),
    ("offsets do not count format characters", partial(_without, lambda each: unicodedata.category(each) == "Cf")),
    ("offsets begin at the space before a word", _with_space_before),
    ("offsets begin after the spaces of a token", _without_space),
    ("offsets end before the spaces of a token", _without_space_after),
    ("offsets are one too far beyond 255", lambda _, span: (span[0] + (span[0] > 255), span[1] + (span[1] > 255))),
    ("offsets include their end", lambda _, span: (span[0], max(span[1] - 1, span[0]))),
    ("an empty range is (0, 0)", lambda _, span: (0, 0) if span[0] == span[1] else span),
)


def _spans_of(change: OfSpan, question: Encode, encoded: Encoded) -> Encoded:
    if encoded.offsets is None:
        return encoded
    sequences = encoded.sequence_ids or (0,) * len(encoded.ids)
    words = encoded.word_ids or (None,) * len(encoded.ids)
    sides = (question.text, question.pair)
    spans = []
    for span, sequence, word in zip(encoded.offsets, sequences, words, strict=True):
        side = None if sequence is None else sides[sequence]
        if isinstance(side, tuple):
            side = side[word] if word is not None and word < len(side) else None
        spans.append(span if side is None else change(side, span))
    return replace(encoded, offsets=tuple(spans))


# Encodings ------------------------------------------------------------------------------------------------------------


def _special(encoded: Encoded) -> tuple[int, ...]:
    return encoded.special_tokens_mask or (0,) * len(encoded.ids)


def _where_special(name: str, value: Any, _question: Encode, encoded: Encoded) -> Encoded:
    former = getattr(encoded, name)
    values = tuple(value if mask else each for each, mask in zip(former, _special(encoded), strict=True))
    return replace(encoded, **{name: values})


def _all_of(name: str, made: Callable[[Encoded], tuple[Any, ...]], _question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, **{name: made(encoded)})


def _words_from_one(encoded: Encoded) -> tuple[int | None, ...]:
    return tuple(None if word is None else word + 1 for word in encoded.word_ids or ())


def _words_by_pieces(encoded: Encoded) -> tuple[int | None, ...]:
    """Return the numbers of the tokens, as if each were a word."""
    return tuple(None if word is None else number for number, word in enumerate(encoded.word_ids or ()))


def _words_go_on(encoded: Encoded) -> tuple[int | None, ...]:
    """Have the words of a pair counted on from those of the text."""
    first = [word for word, side in zip(encoded.word_ids or (), encoded.sequence_ids or (), strict=True) if side == 0]
    count = max((word for word in first if word is not None), default=-1) + 1
    sides = zip(encoded.word_ids or (), encoded.sequence_ids or (), strict=True)
    return tuple(word + count if word is not None and side == 1 else word for word, side in sides)


def _offsets_go_on(question: Encode, encoded: Encoded) -> Encoded:
    if not isinstance(question.text, str) or encoded.offsets is None:
        return encoded
    length = len(question.text)
    sides = zip(encoded.offsets, encoded.sequence_ids or (), strict=True)
    return replace(encoded, offsets=tuple((s + length, e + length) if side == 1 else (s, e) for (s, e), side in sides))


def _offsets_of_text(question: Encode, encoded: Encoded) -> Encoded:
    """Have the offsets of words count from the beginning of the text that they make when joined."""
    if isinstance(question.text, str) or encoded.offsets is None:
        return encoded
    starts = [0]
    for word in question.text:
        starts.append(starts[-1] + len(word) + 1)
    spans = zip(encoded.offsets, encoded.word_ids or (), strict=True)
    return replace(
        encoded,
        offsets=tuple(
            (s, e) if word is None or word >= len(starts) else (s + starts[word], e + starts[word])
            for (s, e), word in spans
        ),
    )


def _shown(change: Callable[[str], str], _question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, tokens=tuple(map(change, encoded.tokens or ())))


def _as_bytes_shown(token: str) -> str:
    return token.replace("\u0120", " ").replace("\u2581", " ")


def _sequences_of_special(_question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, sequence_ids=tuple(0 if each is None else each for each in encoded.sequence_ids or ()))


def _cut_at(length: int, _question: Encode, encoded: Encoded) -> Encoded:
    names = (
        "ids",
        "tokens",
        "offsets",
        "word_ids",
        "type_ids",
        "attention_mask",
        "special_tokens_mask",
        "sequence_ids",
    )
    return replace(encoded, **{name: getattr(encoded, name)[:length] for name in names if getattr(encoded, name)})


ENCODINGS: tuple[tuple[str, OfEncoding], ...] = (
    ("type ids are all 0", partial(_all_of, "type_ids", lambda encoded: (0,) * len(encoded.ids))),
    (
        "type ids are the number of the text",
        partial(_all_of, "type_ids", lambda encoded: tuple(each or 0 for each in encoded.sequence_ids or ())),
    ),
    ("type ids of special tokens are 0", partial(_where_special, "type_ids", 0)),
    ("special tokens are not attended to", partial(_where_special, "attention_mask", 0)),
    ("no token is marked special", partial(_all_of, "special_tokens_mask", lambda encoded: (0,) * len(encoded.ids))),
    (
        "the first and the last token are marked special",
        partial(
            _all_of,
            "special_tokens_mask",
            lambda encoded: tuple(int(n in (0, len(encoded.ids) - 1)) for n in range(len(encoded.ids))),
        ),
    ),
    (
        "tokens without a word are marked special",
        partial(
            _all_of, "special_tokens_mask", lambda encoded: tuple(int(word is None) for word in encoded.word_ids or ())
        ),
    ),
    ("special tokens have word 0", partial(_where_special, "word_ids", 0)),
    ("words count from 1", partial(_all_of, "word_ids", _words_from_one)),
    ("every token is a word", partial(_all_of, "word_ids", _words_by_pieces)),
    ("the words of a pair count on", partial(_all_of, "word_ids", _words_go_on)),
    ("special tokens belong to the first text", _sequences_of_special),
    ("the offsets of a pair count on", _offsets_go_on),
    ("offsets in words are offsets in the text", _offsets_of_text),
    ("tokens are shown with spaces", partial(_shown, _as_bytes_shown)),
    (
        "tokens are shown without what stands for a space",
        partial(_shown, lambda token: token.lstrip("\u0120\u2581") or token),
    ),
    ("an encoding ends after 128 tokens", partial(_cut_at, 128)),
    ("an encoding ends after 512 tokens", partial(_cut_at, 512)),
)


# Answers --------------------------------------------------------------------------------------------------------------


def _in_encodings(change: OfEncoding, answers: Answers) -> Answers:
    return {name: (question, _changed(change, question, outcome)) for name, (question, outcome) in answers.items()}


def _changed(change: OfEncoding, question: Observation, outcome: Outcome) -> Outcome:
    plain = plain_of(question)
    match plain, outcome:
        case Encode(), Encoded():
            return change(plain, outcome)
        case EncodeBatch(inputs), EncodedBatch(encodings):
            return EncodedBatch(tuple(change(one, each) for one, each in zip(inputs, encodings, strict=True)))
        case _:
            return outcome


def _padded(answers: Answers) -> Answers:
    """Have all encodings of a batch be as long as the longest."""

    def padded(outcome: Outcome) -> Outcome:
        if not isinstance(outcome, EncodedBatch):
            return outcome
        longest = max(len(each.ids) for each in outcome.encodings)
        return EncodedBatch(
            tuple(replace(each, ids=each.ids + (0,) * (longest - len(each.ids))) for each in outcome.encodings)
        )

    return {name: (question, padded(outcome)) for name, (question, outcome) in answers.items()}


def _in_texts(change: Callable[[str], str], answers: Answers) -> Answers:
    return {
        name: (
            question,
            Text(change(outcome.text)) if isinstance(question, Decode) and isinstance(outcome, Text) else outcome,
        )
        for name, (question, outcome) in answers.items()
    }


def _in_chunks(change: Callable[[tuple[str | None, ...]], tuple[str | None, ...]], answers: Answers) -> Answers:
    return {
        name: (question, Chunks(change(outcome.chunks)) if isinstance(outcome, Chunks) else outcome)
        for name, (question, outcome) in answers.items()
    }


def _exchanged(pairs: tuple[tuple[Answer, Answer], ...], answers: Answers) -> Answers:
    """Have the first answer of each of ``pairs`` in the place of the second: it was remembered by its text alone."""
    found = dict(answers)
    for first, second in pairs:
        if first in answers and second in answers:
            found[second] = (answers[second][0], answers[first][1])
    return found


def _pair_exchanged(answers: Answers) -> Answers:
    def change(question: Encode, encoded: Encoded) -> Encoded:
        if question.pair is None:
            return encoded
        return replace(
            encoded, sequence_ids=tuple(None if each is None else 1 - each for each in encoded.sequence_ids or ())
        )

    return _in_encodings(change, answers)


def _batch_reversed(answers: Answers) -> Answers:
    return {
        name: (question, EncodedBatch(outcome.encodings[::-1]) if isinstance(outcome, EncodedBatch) else outcome)
        for name, (question, outcome) in answers.items()
    }


ALONE_FIRST = ((Answer.ENCODED_ALONE, Answer.ENCODED), (Answer.ENCODINGS_ALONE, Answer.ENCODINGS))
ADDED_FIRST = tuple((second, first) for first, second in ALONE_FIRST)

WHOLE: tuple[tuple[str, Callable[[Answers], Answers]], ...] = (
    ("special tokens are never added", partial(_exchanged, ALONE_FIRST)),
    ("special tokens are always added", partial(_exchanged, ADDED_FIRST)),
    (
        "special tokens are never skipped",
        partial(_exchanged, ((Answer.DECODED, Answer.DECODED_SKIPPING), (Answer.STREAMED, Answer.STREAMED_SKIPPING))),
    ),
    (
        "special tokens are always skipped",
        partial(_exchanged, ((Answer.DECODED_SKIPPING, Answer.DECODED), (Answer.STREAMED_SKIPPING, Answer.STREAMED))),
    ),
    ("a batch is padded", _padded),
    ("a batch comes in another order", _batch_reversed),
    ("the two texts of a pair are exchanged", _pair_exchanged),
    ("a decoded text is stripped", partial(_in_texts, str.strip)),
    ("spaces before a decoded text are dropped", partial(_in_texts, lambda text: text.lstrip(" "))),
    ("spaces after a decoded text are dropped", partial(_in_texts, lambda text: text.rstrip(" "))),
    (
        "runs of spaces in a decoded text are one",
        partial(_in_texts, lambda text: " ".join(text.split(" ")) if "  " not in text else " ".join(text.split())),
    ),
    (
        "spaces before punctuation of a decoded text are dropped",
        partial(
            _in_texts, lambda text: text.replace(" .", ".").replace(" ,", ",").replace(" ?", "?").replace(" !", "!")
        ),
    ),
    (
        "clean-up of a decoded text joins contractions",
        partial(
            _in_texts,
            lambda text: (
                text.replace(" n't", "n't")
                .replace(" 's", "'s")
                .replace(" 'm", "'m")
                .replace(" 've", "'ve")
                .replace(" 're", "'re")
            ),
        ),
    ),
    ("decoded text joins do and not", partial(_in_texts, lambda text: text.replace(" do not", " don't"))),
    (
        "decoded text leaves do and not",
        partial(_in_texts, lambda text: text.replace(" don't", " do not")),
    ),
    (
        "bytes that are no character are dropped from a decoded text",
        partial(_in_texts, lambda text: text.replace("\ufffd", "")),
    ),
    ("the text is decoded as NFC", partial(_in_texts, partial(unicodedata.normalize, "NFC"))),
    (
        "chunks come before a character is whole",
        partial(_in_chunks, lambda chunks: tuple("\ufffd" if each is None else each for each in chunks)),
    ),
    (
        "chunks lose the space before them",
        partial(_in_chunks, lambda chunks: tuple(each if each is None else each.lstrip(" ") for each in chunks)),
    ),
    ("chunks that are empty are left out", partial(_in_chunks, lambda chunks: tuple(each for each in chunks if each))),
)


def answer_faults() -> Iterator[AnswerFault]:
    """Yield faults of answers."""
    for what, span in SPANS:
        yield AnswerFault(FaultStage.ANSWERS, what, partial(_in_encodings, partial(_spans_of, span)))
    for what, change in ENCODINGS:
        yield AnswerFault(FaultStage.ANSWERS, what, partial(_in_encodings, change))
    for what, whole in WHOLE:
        yield AnswerFault(FaultStage.ANSWERS, what, whole)
