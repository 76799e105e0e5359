"""Faults of answers: all is right inside, and offsets, masks or a former question spoil what is told."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from tokenizer_adapters.contract import Decode, Encoded, EncodedBatch, Field, Observation, Outcome, Span, Text
from tokenizer_conformance.comparison.mistakes import (
    CONTRACTIONS,
    PUNCTUATION,
    OfEncoding,
    OfSpan,
    batch_reversed,
    chunks_too_early,
    cut_to,
    in_bytes,
    in_chunks,
    in_encodings,
    in_utf16,
    last_in_place_of_end,
    not_counting,
    nothing_special,
    offsets_go_on,
    offsets_of_joined_words,
    replacing,
    sequences_swapped,
    shifted_after,
    spans_changed,
    special_of_first,
    special_unattended,
    types_zero,
    values_changed,
    where_special,
    with_space_before,
    without_space,
    words_from_one,
)
from tokenizer_conformance.validation.vectors.candidate import Answer, Answers
from tokenizer_conformance.validation.vectors.faults.fault import AnswerFault, FaultStage

OfOutcome = Callable[[Observation, Outcome], Outcome]

# Offsets --------------------------------------------------------------------------------------------------------------


def _without_space_after(text: str, span: Span) -> Span:
    start, end = span
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _is_mark(character: str) -> bool:
    return unicodedata.combining(character) > 0


SPANS: tuple[tuple[str, OfSpan], ...] = (
    ("offsets count bytes", in_bytes),
    ("offsets count UTF-16 units", in_utf16),
    ("offsets are one too far after an astral character", shifted_after(lambda each: each > "\uffff")),
    ("offsets are one too far after a combining mark", shifted_after(_is_mark)),
    (
        "offsets are one too far after a character that is composed",
        shifted_after(lambda each: len(unicodedata.normalize("NFD", each)) > 1),
    ),
    (
        "offsets are one too far after a character with a longer lower case",
        shifted_after(lambda each: len(each.lower()) > 1),
    ),
    (
        "offsets are one too far after a compatibility character",
        shifted_after(lambda each: len(unicodedata.normalize("NFKC", each)) > 1),
    ),
    ("offsets are one too far after a Han character", shifted_after(lambda each: "\u4e00" <= each <= "\u9fff")),
    ("offsets do not count combining marks", not_counting(_is_mark)),
    ("offsets do not count carriage returns", not_counting(lambda each: each == "\r")),
    ("offsets do not count control characters", not_counting(lambda each: unicodedata.category(each) == "Cc")),
    ("offsets do not count format characters", not_counting(lambda each: unicodedata.category(each) == "Cf")),
    ("offsets begin at the space before a word", with_space_before),
    ("offsets begin after the spaces of a token", without_space),
    ("offsets end before the spaces of a token", _without_space_after),
    ("offsets are one too far beyond 255", lambda _, span: (span[0] + (span[0] > 255), span[1] + (span[1] > 255))),
    ("offsets include their end", last_in_place_of_end),
    ("an empty range is (0, 0)", lambda _, span: (0, 0) if span[0] == span[1] else span),
)


# Encodings ------------------------------------------------------------------------------------------------------------


def _told(field: Field, made: Callable[[Encoded], tuple[Any, ...]]) -> OfEncoding:
    """Return the fault that tells in a field what is ``made`` of the others."""
    return lambda _question, encoded: replace(encoded, **{str(field): made(encoded)})


def _words_by_pieces(encoded: Encoded) -> tuple[int | None, ...]:
    """Return the numbers of the tokens, as if each were a word."""
    return tuple(None if word is None else number for number, word in enumerate(encoded.word_ids or ()))


def _words_go_on(encoded: Encoded) -> tuple[int | None, ...]:
    """Have the words of a pair counted on from those of the text."""
    words = list(zip(encoded.word_ids or (), encoded.sequence_ids or (), strict=True))
    count = max((word for word, side in words if side == 0 and word is not None), default=-1) + 1
    return tuple(word + count if word is not None and side == 1 else word for word, side in words)


def _ends_special(encoded: Encoded) -> tuple[int, ...]:
    return tuple(int(number in (0, len(encoded.ids) - 1)) for number in range(len(encoded.ids)))


def _as_bytes_shown(token: str) -> str:
    return token.replace("\u0120", " ").replace("\u2581", " ")


ENCODINGS: tuple[tuple[str, OfEncoding], ...] = (
    ("type ids are all 0", types_zero),
    (
        "type ids are the number of the text",
        _told(Field.TYPE_IDS, lambda encoded: tuple(each or 0 for each in encoded.sequence_ids or ())),
    ),
    ("type ids of special tokens are 0", where_special(Field.TYPE_IDS, 0)),
    ("special tokens are not attended to", special_unattended),
    ("no token is marked special", nothing_special),
    ("the first and the last token are marked special", _told(Field.SPECIAL_TOKENS_MASK, _ends_special)),
    (
        "tokens without a word are marked special",
        _told(Field.SPECIAL_TOKENS_MASK, lambda encoded: tuple(int(word is None) for word in encoded.word_ids or ())),
    ),
    ("special tokens have word 0", where_special(Field.WORD_IDS, 0)),
    ("words count from 1", words_from_one),
    ("every token is a word", _told(Field.WORD_IDS, _words_by_pieces)),
    ("the words of a pair count on", _told(Field.WORD_IDS, _words_go_on)),
    ("special tokens belong to the first text", special_of_first),
    ("the offsets of a pair count on", offsets_go_on),
    ("offsets in words are offsets in the text", offsets_of_joined_words),
    ("tokens are shown with spaces", values_changed(Field.TOKENS, _as_bytes_shown)),
    (
        "tokens are shown without what stands for a space",
        values_changed(Field.TOKENS, lambda token: token.lstrip("\u0120\u2581") or token),
    ),
    ("an encoding ends after 128 tokens", cut_to(128)),
    ("an encoding ends after 512 tokens", cut_to(512)),
)


# Answers --------------------------------------------------------------------------------------------------------------


def _fault(what: str, change: OfOutcome) -> AnswerFault:
    def changed(answers: Answers) -> Answers:
        return {name: (question, change(question, outcome)) for name, (question, outcome) in answers.items()}

    return AnswerFault(FaultStage.ANSWERS, what, changed)


def _padded(_question: Observation, outcome: Outcome) -> Outcome:
    """Have all encodings of a batch be as long as the longest."""
    if not isinstance(outcome, EncodedBatch):
        return outcome
    longest = max(len(each.ids) for each in outcome.encodings)
    return EncodedBatch(
        tuple(replace(each, ids=each.ids + (0,) * (longest - len(each.ids))) for each in outcome.encodings)
    )


def _in_texts(change: Callable[[str], str], question: Observation, outcome: Outcome) -> Outcome:
    return Text(change(outcome.text)) if isinstance(question, Decode) and isinstance(outcome, Text) else outcome


def _exchanged(pairs: tuple[tuple[Answer, Answer], ...], answers: Answers) -> Answers:
    """Have the first answer of each of ``pairs`` in the place of the second: it was remembered by its text alone."""
    found = dict(answers)
    for first, second in pairs:
        if first in answers and second in answers:
            found[second] = (answers[second][0], answers[first][1])
    return found


ALONE_FIRST = ((Answer.ENCODED_ALONE, Answer.ENCODED), (Answer.ENCODINGS_ALONE, Answer.ENCODINGS))
ADDED_FIRST = tuple((second, first) for first, second in ALONE_FIRST)
KEPT_FIRST = ((Answer.DECODED, Answer.DECODED_SKIPPING), (Answer.STREAMED, Answer.STREAMED_SKIPPING))
SKIPPED_FIRST = tuple((second, first) for first, second in KEPT_FIRST)

EXCHANGES: tuple[tuple[str, tuple[tuple[Answer, Answer], ...]], ...] = (
    ("special tokens are never added", ALONE_FIRST),
    ("special tokens are always added", ADDED_FIRST),
    ("special tokens are never skipped", KEPT_FIRST),
    ("special tokens are always skipped", SKIPPED_FIRST),
)

OUTCOMES: tuple[tuple[str, OfOutcome], ...] = (
    ("a batch is padded", _padded),
    ("a batch comes in another order", batch_reversed),
    ("the two texts of a pair are exchanged", partial(in_encodings, sequences_swapped)),
    ("a decoded text is stripped", partial(_in_texts, str.strip)),
    ("spaces before a decoded text are dropped", partial(_in_texts, lambda text: text.lstrip(" "))),
    ("spaces after a decoded text are dropped", partial(_in_texts, lambda text: text.rstrip(" "))),
    (
        "runs of spaces in a decoded text are one",
        partial(_in_texts, lambda text: " ".join(text.split() if "  " in text else text.split(" "))),
    ),
    (
        "spaces before punctuation of a decoded text are dropped",
        partial(_in_texts, partial(replacing, PUNCTUATION)),
    ),
    ("clean-up of a decoded text joins contractions", partial(_in_texts, partial(replacing, CONTRACTIONS))),
    ("decoded text joins do and not", partial(_in_texts, lambda text: text.replace(" do not", " don't"))),
    ("decoded text leaves do and not", partial(_in_texts, lambda text: text.replace(" don't", " do not"))),
    (
        "bytes that are no character are dropped from a decoded text",
        partial(_in_texts, lambda text: text.replace("\ufffd", "")),
    ),
    ("the text is decoded as NFC", partial(_in_texts, partial(unicodedata.normalize, "NFC"))),
    ("chunks come before a character is whole", chunks_too_early),
    (
        "chunks lose the space before them",
        partial(in_chunks, lambda chunks: tuple(each and each.lstrip(" ") for each in chunks)),
    ),
    ("chunks that are empty are left out", partial(in_chunks, lambda chunks: tuple(filter(None, chunks)))),
)


def answer_faults() -> Iterator[AnswerFault]:
    """Yield faults of answers."""
    for what, span in SPANS:
        yield _fault(what, partial(in_encodings, spans_changed(span)))
    for what, encoding in ENCODINGS:
        yield _fault(what, partial(in_encodings, encoding))
    for what, pairs in EXCHANGES:
        yield AnswerFault(FaultStage.ANSWERS, what, partial(_exchanged, pairs))
    for what, outcome in OUTCOMES:
        yield _fault(what, outcome)
