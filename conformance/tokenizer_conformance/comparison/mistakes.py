"""What mistakes make of answers and of questions; each is written once.

Causes suppose them, vectors are chosen to show them, and the tests of both plant them: each has a table that selects.
A field that an answer does not show stays hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    Chunks,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Field,
    Observation,
    OffsetUnit,
    Outcome,
    Pieces,
    PreTokenize,
    Span,
    plain_of,
)
from tokenizer_conformance.comparison.offset_units import width

OfEncoding = Callable[[Encode, Encoded], Encoded]
"""What becomes of the answer to one input."""

OfSpan = Callable[[str, Span], Span]
"""What becomes of the span of a token in a text."""

TOKEN_FIELDS = tuple(field for field in ENCODING_FIELDS if field is not Field.OVERFLOWING)
"""Fields that have an entry for each token."""


def in_encodings(change: OfEncoding, question: Observation, outcome: Outcome) -> Outcome:
    """Return ``outcome`` with ``change`` made to its encoding, or to each of a batch; other answers stay."""
    plain = plain_of(question)
    match plain, outcome:
        case Encode(), Encoded():
            return change(plain, outcome)
        case EncodeBatch(inputs), EncodedBatch(encodings):
            return EncodedBatch(tuple(map(change, inputs, encodings)))
    return outcome


# Texts ---------------------------------------------------------------------------------------------------------------


def until_nul(text: str) -> str:
    """Return what a string of C keeps of ``text``."""
    return text.partition("\0")[0]


def without_mark(text: str) -> str:
    """Return ``text`` without a byte order mark at its head."""
    return text.removeprefix("\ufeff")


def unix_lines(text: str) -> str:
    """Return ``text`` with the line ends of Unix for those of Windows."""
    return text.replace("\r\n", "\n")


PUNCTUATION = ((" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","))
CONTRACTIONS = ((" n't", "n't"), (" 'm", "'m"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re"))


def replacing(pairs: Iterable[tuple[str, str]], text: str) -> str:
    """Return ``text`` with the second of each of ``pairs`` for the first, one pair after the other."""
    for old, new in pairs:
        text = text.replace(old, new)
    return text


# Tokens --------------------------------------------------------------------------------------------------------------


def values_changed(field: Field, change: Callable[[Any], Any]) -> OfEncoding:
    """Return the mistake that makes ``change`` of each value of a field."""

    def made(_question: Encode, encoded: Encoded) -> Encoded:
        values = getattr(encoded, field)
        return encoded if values is None else _with(encoded, field, map(change, values))

    return made


def where_special(field: Field, value: Any) -> OfEncoding:
    """Return the mistake that gives special tokens ``value`` in a field."""

    def made(_question: Encode, encoded: Encoded) -> Encoded:
        values, mask = getattr(encoded, field), encoded.special_tokens_mask
        if values is None or mask is None:
            return encoded
        return _with(encoded, field, (value if special else each for each, special in zip(values, mask, strict=True)))

    return made


def of_pairs(change: OfEncoding) -> OfEncoding:
    """Return the mistake that makes ``change`` of pairs only."""
    return lambda question, encoded: encoded if question.pair is None else change(question, encoded)


def selected(encoded: Encoded, kept: Iterable[int]) -> Encoded:
    """Return ``encoded`` with the tokens at the places ``kept``."""
    places = list(kept)
    shown = {str(field): getattr(encoded, field) for field in TOKEN_FIELDS}
    made = {name: tuple(values[at] for at in places) for name, values in shown.items() if values is not None}
    return replace(encoded, **made)


def cut_to(length: int) -> OfEncoding:
    """Return the mistake that ends an encoding after ``length`` tokens."""
    return lambda _question, encoded: selected(encoded, range(min(length, len(encoded.ids))))


def _with(encoded: Encoded, field: Field, values: Iterable[Any]) -> Encoded:
    changed: dict[str, Any] = {field: tuple(values)}
    return replace(encoded, **changed)


types_zero = values_changed(Field.TYPE_IDS, lambda _: 0)
words_from_one = values_changed(Field.WORD_IDS, lambda word: None if word is None else word + 1)
nothing_special = values_changed(Field.SPECIAL_TOKENS_MASK, lambda _: 0)
mask_inverted = values_changed(Field.SPECIAL_TOKENS_MASK, lambda each: 1 - each)
special_of_first = values_changed(Field.SEQUENCE_IDS, lambda each: each or 0)
special_unattended = where_special(Field.ATTENTION_MASK, 0)
sequences_swapped = of_pairs(values_changed(Field.SEQUENCE_IDS, lambda each: None if each is None else 1 - each))


# Offsets -------------------------------------------------------------------------------------------------------------


def texts_of_tokens(question: Encode, encoded: Encoded) -> Iterator[str | None]:
    """Give for each token the text, or the word of it, that its span is in; ``None`` where it is in none."""
    sides = (question.text, question.pair)
    count = len(encoded.ids)
    words = encoded.word_ids or (None,) * count
    for sequence, word in zip(encoded.sequence_ids or (0,) * count, words, strict=True):
        side = None if sequence is None else sides[sequence]
        if isinstance(side, tuple):
            side = side[word] if word is not None and word < len(side) else None
        yield side


def spans_changed(change: OfSpan) -> OfEncoding:
    """Return the mistake that makes ``change`` of the span of each token of a text."""

    def made(question: Encode, encoded: Encoded) -> Encoded:
        if encoded.offsets is None:
            return encoded
        spans = zip(texts_of_tokens(question, encoded), encoded.offsets, strict=True)
        return _with(encoded, Field.OFFSETS, (span if text is None else change(text, span) for text, span in spans))

    return made


def counted_in(unit: OffsetUnit) -> OfSpan:
    """Return the mistake that counts offsets in ``unit``."""

    def made(text: str, span: Span) -> Span:
        start, end = (sum(width(character, unit) for character in text[:offset]) for offset in span)
        return start, end

    return made


in_bytes, in_utf16 = map(counted_in, (OffsetUnit.UTF8_BYTES, OffsetUnit.UTF16_UNITS))


@lru_cache
def odd_before(is_odd: Callable[[str], bool], text: str) -> tuple[int, ...]:
    """Return how many odd characters stand before each position of ``text``, its end included."""
    return tuple(accumulate(map(is_odd, text), initial=0))


def shifted_after(is_odd: Callable[[str], bool], by: int = 1) -> OfSpan:
    """Return the mistake that moves spans behind an odd character ``by`` so much."""

    def made(text: str, span: Span) -> Span:
        shift = by if odd_before(is_odd, text)[min(span[0], len(text))] else 0
        return max(span[0] + shift, 0), max(span[1] + shift, 0)

    return made


def not_counting(is_odd: Callable[[str], bool]) -> OfSpan:
    """Return the mistake that counts no odd characters."""

    def made(text: str, span: Span) -> Span:
        odd = odd_before(is_odd, text)
        return span[0] - odd[min(span[0], len(text))], span[1] - odd[min(span[1], len(text))]

    return made


def last_in_place_of_end(_text: str, span: Span) -> Span:
    """Return the span with its last character for its end."""
    return span[0], max(span[0], span[1] - 1)


def with_space_before(text: str, span: Span) -> Span:
    """Return the span with the space before it."""
    return (span[0] - 1, span[1]) if span[0] and text[span[0] - 1] == " " else span


def without_space(text: str, span: Span) -> Span:
    """Return the span without white space at its head."""
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    return start, end


def second_moved(by: int, encoded: Encoded) -> Encoded:
    """Return ``encoded`` with the offsets of a second text moved ``by`` so much."""
    if encoded.offsets is None or encoded.sequence_ids is None:
        return encoded
    sides = zip(encoded.offsets, encoded.sequence_ids, strict=True)
    spans = ((start + by, end + by) if side == 1 else (start, end) for (start, end), side in sides)
    return _with(encoded, Field.OFFSETS, spans)


def offsets_go_on(question: Encode, encoded: Encoded) -> Encoded:
    """Have the offsets of a second text count from the beginning of the first."""
    return second_moved(len(question.text), encoded) if isinstance(question.text, str) else encoded


def offsets_of_joined_words(question: Encode, encoded: Encoded) -> Encoded:
    """Have the offsets of words count from the beginning of the text that they make when joined."""
    if isinstance(question.text, str) or encoded.offsets is None:
        return encoded
    starts = list(accumulate((len(word) + 1 for word in question.text), initial=0))
    spans = []
    for (start, end), word in zip(encoded.offsets, encoded.word_ids or (), strict=True):
        by = starts[word] if word is not None and word < len(starts) else 0
        spans.append((start + by, end + by))
    return _with(encoded, Field.OFFSETS, spans)


def offsets_of_words_in_a_row(_question: Encode, encoded: Encoded) -> Encoded:
    """Have the offsets of words begin where the last token of the word before ended."""
    if encoded.offsets is None or encoded.word_ids is None or not isinstance(_question.text, tuple):
        return encoded
    spans: list[Span] = []
    by = end_of_word = 0
    before: tuple[int | None, int | None] | None = None
    sides = encoded.sequence_ids or (0,) * len(encoded.ids)
    for (start, end), *word in zip(encoded.offsets, sides, encoded.word_ids, strict=True):
        side, number = word
        if number is None:
            spans.append((start, end))
            continue
        if before is not None and before != (side, number):
            by = end_of_word if before[0] == side else 0
        before = side, number
        end_of_word = by + end
        spans.append((by + start, by + end))
    return _with(encoded, Field.OFFSETS, spans)


def offsets_go_on_from_tokens(_question: Encode, encoded: Encoded) -> Encoded:
    """Have the offsets of a second text count from the end of the last token before it."""
    if encoded.offsets is None or encoded.sequence_ids is None:
        return encoded
    before = encoded.offsets[: encoded.sequence_ids.index(1)] if 1 in encoded.sequence_ids else ()
    return second_moved(before[-1][1] if before else 0, encoded)


# Other answers -------------------------------------------------------------------------------------------------------


def in_pieces(change: OfSpan, question: Observation, outcome: Outcome) -> Outcome:
    """Return ``outcome`` with ``change`` made to the spans of pieces; other answers stay."""
    plain = plain_of(question)
    if not isinstance(plain, PreTokenize) or not isinstance(outcome, Pieces):
        return outcome
    return Pieces(tuple((piece, None if span is None else change(plain.text, span)) for piece, span in outcome.pieces))


def batch_reversed(_question: Observation, outcome: Outcome) -> Outcome:
    """Return the encodings of a batch in the opposite order."""
    return EncodedBatch(outcome.encodings[::-1]) if isinstance(outcome, EncodedBatch) else outcome


def in_chunks(
    change: Callable[[tuple[str | None, ...]], tuple[str | None, ...]], _question: Observation, outcome: Outcome
) -> Outcome:
    """Return ``outcome`` with ``change`` made to the chunks of a stream; other answers stay."""
    return Chunks(change(outcome.chunks)) if isinstance(outcome, Chunks) else outcome


chunks_too_early = partial(in_chunks, lambda chunks: tuple("\ufffd" if each is None else each for each in chunks))
"""Give out half a character as U+FFFD."""
