"""Faults in what encodings say beside their ids: each is planted into the answers of `tokenizers`, which are right.

A fault is named with the invariants that have to see it, each of them on any of the tokenizers that it is tried on. One
that names none cannot be seen without another implementation, and says why.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from planted.fakes import Fault
from tokenizer_adapters.contract import Encoded, EncodedBatch, Field, Pieces, PreTokenize
from tokenizer_conformance.comparison.mistakes import (
    batch_reversed,
    in_bytes,
    in_encodings,
    in_utf16,
    mask_inverted,
    nothing_special,
    of_pairs,
    offsets_go_on,
    offsets_of_joined_words,
    second_moved,
    selected,
    sequences_swapped,
    shifted_after,
    spans_changed,
    special_of_first,
    special_unattended,
    types_zero,
    values_changed,
    with_space_before,
    without_space,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from planted.edits import Json
    from tokenizer_adapters.contract import Encode, Observation, Outcome, Span
    from tokenizer_conformance.comparison.mistakes import OfEncoding, OfSpan


@dataclass(frozen=True, slots=True)
class PlantedFault:
    """A fault called ``name``; all of ``seen_by`` have to see it on ``tokenizer``. ``why_not`` says why none can."""

    name: str
    note: str
    fault: Fault
    seen_by: frozenset[str] = frozenset()
    why_not: str = ""
    tokenizer: str = "bert-mini"


def _own(encoded: Encoded) -> list[int]:
    """Return the places of the tokens that are of a text."""
    return [at for at, sequence in enumerate(encoded.sequence_ids or ()) if sequence is not None]


def _own_changed(field: Field, least: int, change: Callable[[list[Any], list[int]], None]) -> OfEncoding:
    """Return the fault of ``change`` of the values of a field, where so many tokens are of a text, at these places."""

    def spoil(_question: Encode, encoded: Encoded) -> Encoded:
        own, values = _own(encoded), list(getattr(encoded, field) or ())
        if len(own) >= least:
            change(values, own)
        changed: dict[str, Any] = {field: tuple(values)}
        return replace(encoded, **changed)

    return spoil


def _exchanged(first: int, second: int) -> Callable[[list[Any], list[int]], None]:
    def change(values: list[Any], own: list[int]) -> None:
        values[own[first]], values[own[second]] = values[own[second]], values[own[first]]

    return change


# Spans ---------------------------------------------------------------------------------------------------------------


def _spans(change: OfSpan) -> OfEncoding:
    """Return the fault of ``change`` of the spans of tokens of texts; words are left alone."""
    made = spans_changed(change)
    return lambda question, encoded: made(question, encoded) if isinstance(question.text, str) else encoded


def _at(number: int, change: Callable[[Span], Span]) -> OfEncoding:
    """Return the fault of ``change`` of the span of the token of that number, where it is of a text."""

    def spoil(values: list[Any], own: list[int]) -> None:
        if number in own:
            values[number] = change(values[number])

    return _own_changed(Field.OFFSETS, 0, spoil)


def _last_longer(offsets: list[Any], own: list[int]) -> None:
    start, end = offsets[own[-1]]
    offsets[own[-1]] = start, end + 1


def _of_normalized(text: str, span: Span) -> Span:
    """Count in the decomposed text, without its marks: as a lowercasing normalizer that strips accents sees it."""

    def place(at: int) -> int:
        decomposed = unicodedata.normalize("NFD", text[:at])
        return sum(not unicodedata.combining(character) for character in decomposed)

    return place(span[0]), place(span[1])


def _offsets_where(values: str, is_odd: Callable[[Any], bool], change: Callable[[Span], Span]) -> OfEncoding:
    """Return the fault of ``change`` of the spans of tokens with an odd value in another field."""

    def spoil(_question: Encode, encoded: Encoded) -> Encoded:
        spans = zip(encoded.offsets or (), getattr(encoded, values) or (), strict=True)
        return replace(encoded, offsets=tuple(change(span) if is_odd(value) else span for span, value in spans))

    return spoil


def _whole_word(text: str, span: Span) -> Span:
    """Give every token the span of the run of letters that it is in."""
    start, end = span
    while start < end and start > 0 and text[start - 1].isalpha() and text[start].isalpha():
        start -= 1
    while start < end < len(text) and text[end].isalpha() and text[end - 1].isalpha():
        end += 1
    return start, end


# Ids, words, masks ---------------------------------------------------------------------------------------------------


def _without(number: int) -> OfEncoding:
    """Return the fault of losing the token of that number, of those of a text."""

    def spoil(_question: Encode, encoded: Encoded) -> Encoded:
        lost = _own(encoded)[number:][:1]
        return selected(encoded, (at for at in range(len(encoded.ids)) if at not in lost))

    return spoil


def _id_beyond(ids: list[Any], own: list[int]) -> None:
    ids[own[0]] = 10**6


def _short_list(_question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, type_ids=(encoded.type_ids or ())[:-1])


def _words_late(_question: Encode, encoded: Encoded) -> Encoded:
    words = tuple(None if word is None else word + (at > 2) for at, word in enumerate(encoded.word_ids or ()))
    return replace(encoded, word_ids=words)


def _types_early(_question: Encode, encoded: Encoded) -> Encoded:
    types = list(encoded.type_ids or ())
    if 1 in types[1:]:
        types[types.index(1) - 1] = 1
    return replace(encoded, type_ids=tuple(types))


def _padding_not_special(_question: Encode, encoded: Encoded) -> Encoded:
    mask = zip(encoded.special_tokens_mask or (), encoded.attention_mask or (), strict=True)
    return replace(encoded, special_tokens_mask=tuple(special if attended else 0 for special, attended in mask))


# What is cut off, batches, pieces ------------------------------------------------------------------------------------


def _from_its_beginning(_question: Encode, part: Encoded) -> Encoded:
    """Count the spans of what was cut off from its own beginning."""
    own = _own(part)
    first = (part.offsets or ((0, 0),))[own[0]][0] if own else 0
    spans = enumerate(part.offsets or ())
    return replace(
        part, offsets=tuple((start - first, end - first) if at in own else (start, end) for at, (start, end) in spans)
    )


def _late_in_batches(question: Observation, outcome: Outcome) -> Outcome:
    late = values_changed(Field.OFFSETS, lambda span: (span[0], span[1] + (span[1] > 1)))
    return in_encodings(late, question, outcome) if isinstance(outcome, EncodedBatch) else outcome


def _in_pieces(change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Fault:
    def spoil(question: Observation, outcome: Outcome) -> Outcome:
        is_told = isinstance(question, PreTokenize) and isinstance(outcome, Pieces)
        return Pieces(change(outcome.pieces)) if is_told and isinstance(outcome, Pieces) else outcome

    return Fault(spoil=spoil)


def _first_longer(pieces: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple((piece, span and (span[0], span[1] + (at == 0))) for at, (piece, span) in enumerate(pieces))


def _without_merges(document: Json) -> None:
    """Leave the last quarter of the merges out."""
    model = document["model"]
    if isinstance(model, dict) and isinstance(model.get("merges"), list):
        merges = model["merges"]
        model["merges"] = merges[: len(merges) * 3 // 4]


# The table -----------------------------------------------------------------------------------------------------------


def _seen(name: str, note: str, fault: Fault, *invariants: str, tokenizer: str = "bert-mini") -> PlantedFault:
    return PlantedFault(name, note, fault, frozenset(invariants), tokenizer=tokenizer)


def _spoilt(name: str, note: str, spoil: OfEncoding, *invariants: str, tokenizer: str = "bert-mini") -> PlantedFault:
    """Return the fault of spoiling every encoding, those of what was cut off too."""

    def spoiled(question: Encode, encoded: Encoded) -> Encoded:
        found = spoil(question, encoded)
        parts = found.overflowing and tuple(spoil(question, part) for part in found.overflowing)
        return replace(found, overflowing=parts)

    return _seen(name, note, Fault(spoil=partial(in_encodings, spoiled)), *invariants, tokenizer=tokenizer)


def _cut_off(
    name: str, note: str, change: Callable[[Encode, tuple[Encoded, ...]], tuple[Encoded, ...]], invariant: str
) -> PlantedFault:
    """Return the fault of ``change`` of what truncation has cut off."""

    def spoil(question: Encode, encoded: Encoded) -> Encoded:
        parts = encoded.overflowing
        return replace(encoded, overflowing=change(question, parts)) if parts else encoded

    return _seen(name, note, Fault(spoil=partial(in_encodings, spoil)), invariant)


def _each(spoil: OfEncoding) -> Callable[[Encode, tuple[Encoded, ...]], tuple[Encoded, ...]]:
    return lambda question, parts: tuple(spoil(question, part) for part in parts)


CONTENT, IN_TEXT, ORDER = "content.slice", "spans.in-text", "spans.in-order"
COVERAGE, NOT_EMPTY = "coverage.text", "spans.not-empty"

FAULTS: tuple[PlantedFault, ...] = (
    _spoilt(
        "one-span-shifted",
        "the third span is one character late",
        _at(2, lambda span: (span[0] + 1, span[1] + 1)),
        CONTENT,
    ),
    _spoilt("utf8-bytes", "spans count UTF-8 bytes", _spans(in_bytes), CONTENT, IN_TEXT),
    _spoilt("utf16-units", "spans count UTF-16 units", _spans(in_utf16), CONTENT, IN_TEXT),
    _spoilt(
        "last-end-late",
        "the end of the last token is one too far",
        _own_changed(Field.OFFSETS, 1, _last_longer),
        IN_TEXT,
    ),
    _spoilt(
        "after-astral",
        "spans are one too early behind a character of a supplementary plane",
        _spans(shifted_after(lambda character: character > "\uffff", -1)),
        CONTENT,
    ),
    _spoilt(
        "after-mark",
        "spans are one too early behind a combining mark",
        _spans(shifted_after(lambda character: bool(unicodedata.combining(character)), -1)),
        CONTENT,
    ),
    _spoilt("of-normalized", "spans count in the normalized text", _spans(_of_normalized), CONTENT),
    _spoilt(
        "second-of-pair",
        "spans of second texts are one late",
        lambda _, encoded: second_moved(1, encoded),
        "pairs.parts",
    ),
    _spoilt("pair-goes-on", "spans of second texts count from the first", offsets_go_on, IN_TEXT),
    _spoilt("words-go-on", "spans of given words count in the joined text", offsets_of_joined_words, IN_TEXT),
    _spoilt(
        "special-span",
        "special tokens have the first character",
        _offsets_where("special_tokens_mask", bool, lambda _: (0, 1)),
        "spans.special-empty",
    ),
    _spoilt(
        "unknown-empty",
        "unknown tokens have empty spans",
        _offsets_where("tokens", {"[UNK]", "<unk>"}.__contains__, lambda span: (span[0], span[0])),
        NOT_EMPTY,
    ),
    _spoilt("backwards", "the second span ends before it begins", _at(1, lambda span: span[::-1]), IN_TEXT),
    _spoilt("whole-word", "every token has the span of its word", _spans(_whole_word), CONTENT),
    _spoilt("space-taken", "spans take in the space before", _spans(with_space_before), CONTENT),
    _spoilt(
        "space-left",
        "spans leave the space out that the token has",
        _spans(without_space),
        CONTENT,
        tokenizer="gpt2-mini",
    ),
    _spoilt("spans-swapped", "two spans are exchanged", _own_changed(Field.OFFSETS, 3, _exchanged(1, 2)), ORDER),
    _spoilt("all-zero", "every span is 0..0", values_changed(Field.OFFSETS, lambda _: (0, 0)), NOT_EMPTY),
    _spoilt("ids-swapped", "two ids are exchanged", _own_changed(Field.IDS, 3, _exchanged(1, 2)), "ids.one-token"),
    _spoilt(
        "id-beyond",
        "the first id is none of the vocabulary",
        _own_changed(Field.IDS, 1, _id_beyond),
        "ids.in-vocabulary",
    ),
    _spoilt("token-dropped", "the last token is lost", _without(-1), COVERAGE),
    _spoilt("short-list", "type ids lack the last one", _short_list, "lists.one-length"),
    _spoilt("words-late", "word ids are one too high from the fourth token on", _words_late, "words.pieces"),
    _spoilt(
        "words-back",
        "the first and the last word id are exchanged",
        _own_changed(Field.WORD_IDS, 2, _exchanged(0, -1)),
        "words.in-order",
    ),
    _spoilt("mask-flipped", "the special tokens mask is flipped", mask_inverted, "special.mask"),
    _spoilt("mask-zero", "the special tokens mask is 0", nothing_special, "special.mask"),
    _spoilt("types-zero", "type ids of pairs are 0", of_pairs(types_zero), "special.type-ids"),
    _spoilt("types-early", "type ids of pairs change one token early", of_pairs(_types_early), "special.type-ids"),
    _spoilt("sequences-swapped", "0 and 1 are exchanged", sequences_swapped, "special.sequence-ids"),
    _spoilt("special-sequence", "added tokens have sequence 0", special_of_first, "special.sequence-ids"),
    _spoilt(
        "padding-attended",
        "the attention mask is 1 on padding",
        values_changed(Field.ATTENTION_MASK, lambda _: 1),
        "padding.attention",
    ),
    _spoilt("special-unattended", "it is 0 on special tokens", special_unattended, "special.attention"),
    _spoilt("padding-not-special", "padding is not special", _padding_not_special, "padding.pads"),
    _cut_off(
        "stride-missing",
        "what was cut off lacks the first token that it shares",
        _each(_without(0)),
        "truncation.stride",
    ),
    _cut_off("window-lost", "the last of what was cut off is lost", lambda _, parts: parts[:-1], "truncation.union"),
    _cut_off(
        "parts-from-zero",
        "spans of what was cut off count from its beginning",
        _each(_from_its_beginning),
        "truncation.union",
    ),
    _seen("batch-end-late", "ends are one late in batches alone", Fault(spoil=_late_in_batches), "batches.single"),
    _seen("batch-order", "a batch is answered in the opposite order", Fault(spoil=batch_reversed), "batches.single"),
    _seen("piece-longer", "the first piece ends one too late", _in_pieces(_first_longer), "pieces.content"),
    _seen("piece-lost", "the last piece is lost", _in_pieces(lambda pieces: pieces[:-1] or pieces), "pieces.coverage"),
    PlantedFault(
        "other-merges",
        "words are cut at other places, with spans that fit",
        Fault(change=_without_merges),
        why_not="every token is one of the vocabulary and has its own slice: which of the possible cuts is right "
        "is said by the model alone, so it takes an implementation of the model",
    ),
)
