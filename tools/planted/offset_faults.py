"""Faults in what encodings say beside their ids: each is planted into the answers of `tokenizers`, which are right.

A fault is named with the invariants that have to see it, each of them on any of the tokenizers that it is tried on. One
that names none cannot be seen without another implementation, and says why.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace

from planted.fakes import Fault, Json
from tokenizer_adapters.contract import (
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Observation,
    Outcome,
    Pieces,
    PreTokenize,
    Span,
)

Spoiled = Callable[[Encode, Encoded], Encoded]
"""Gives a wrong encoding in place of the right one."""


@dataclass(frozen=True, slots=True)
class PlantedFault:
    """A fault called ``name``; all of ``seen_by`` have to see it on ``tokenizer``. ``why_not`` says why none can."""

    name: str
    note: str
    fault: Fault
    seen_by: frozenset[str] = frozenset()
    why_not: str = ""
    tokenizer: str = "bert-mini"


def _of_encodings(spoil: Spoiled, *, batches: bool = True, parts: bool = True) -> Fault:
    """Return the fault of spoiling every encoding, those in ``batches`` and what was cut off (``parts``) too."""

    def spoiled(question: Encode, encoded: Encoded) -> Encoded:
        found = spoil(question, encoded)
        if parts and found.overflowing:
            found = replace(found, overflowing=tuple(spoil(question, part) for part in found.overflowing))
        return found

    def outcome_of(question: Observation, outcome: Outcome) -> Outcome:
        match question, outcome:
            case Encode() as encode, Encoded() as encoded:
                return spoiled(encode, encoded)
            case EncodeBatch(inputs), EncodedBatch(encodings) if batches:
                return EncodedBatch(tuple(map(spoiled, inputs, encodings)))
        return outcome

    return Fault(spoil=outcome_of)


def _spans(change: Callable[[str, int, Span], Span]) -> Spoiled:
    """Return what changes the spans of the tokens of texts; words are left alone."""

    def spoil(question: Encode, encoded: Encoded) -> Encoded:
        offsets = list(encoded.offsets or ())
        for at, sequence in enumerate(encoded.sequence_ids or ()):
            text = question.text if sequence == 0 else question.pair
            if sequence is not None and isinstance(text, str):
                offsets[at] = change(text, at, offsets[at])
        return replace(encoded, offsets=tuple(offsets))

    return spoil


def _own(encoded: Encoded) -> list[int]:
    """Return the places of the tokens that are of a text."""
    return [at for at, sequence in enumerate(encoded.sequence_ids or ()) if sequence is not None]


# Spans ---------------------------------------------------------------------------------------------------------------


def _unit(width: Callable[[str], int]) -> Callable[[str, int, Span], Span]:
    def change(text: str, _at: int, span: Span) -> Span:
        start, end = span
        return sum(map(width, text[:start])), sum(map(width, text[:end]))

    return change


def _one_shifted(_text: str, at: int, span: Span) -> Span:
    return (span[0] + 1, span[1] + 1) if at == 2 else span


def _after(is_met: Callable[[str], bool]) -> Callable[[str, int, Span], Span]:
    """Return what shifts spans behind a character by one."""

    def change(text: str, _at: int, span: Span) -> Span:
        shift = int(any(map(is_met, text[: span[0]])))
        return max(span[0] - shift, 0), max(span[1] - shift, 0)

    return change


def _last_longer(_question: Encode, encoded: Encoded) -> Encoded:
    own, offsets = _own(encoded), list(encoded.offsets or ())
    if own:
        start, end = offsets[own[-1]]
        offsets[own[-1]] = start, end + 1
    return replace(encoded, offsets=tuple(offsets))


def _second_of_pair(question: Encode, encoded: Encoded) -> Encoded:
    if question.pair is None:
        return encoded
    offsets = tuple(
        (start + 1, end + 1) if sequence == 1 else (start, end)
        for (start, end), sequence in zip(encoded.offsets or (), encoded.sequence_ids or (), strict=True)
    )
    return replace(encoded, offsets=offsets)


def _growing_pair(question: Encode, encoded: Encoded) -> Encoded:
    if not isinstance(question.text, str) or question.pair is None:
        return encoded
    size = len(question.text)
    offsets = tuple(
        (start + size, end + size) if sequence == 1 else (start, end)
        for (start, end), sequence in zip(encoded.offsets or (), encoded.sequence_ids or (), strict=True)
    )
    return replace(encoded, offsets=offsets)


def _growing_words(question: Encode, encoded: Encoded) -> Encoded:
    if not isinstance(question.text, tuple) or question.pair is not None:
        return encoded
    begins = [sum(len(word) + 1 for word in question.text[:at]) for at in range(len(question.text))]
    offsets = tuple(
        (start, end) if word is None else (start + begins[word], end + begins[word])
        for (start, end), word in zip(encoded.offsets or (), encoded.word_ids or (), strict=True)
    )
    return replace(encoded, offsets=offsets)


def _of_normalized(text: str, _at: int, span: Span) -> Span:
    """Count in the decomposed text, without its marks: as a lowercasing normalizer that strips accents sees it."""

    def place(at: int) -> int:
        decomposed = unicodedata.normalize("NFD", text[:at])
        return sum(not unicodedata.combining(character) for character in decomposed)

    return place(span[0]), place(span[1])


def _special_span(_question: Encode, encoded: Encoded) -> Encoded:
    offsets = tuple(
        (0, 1) if special else span
        for span, special in zip(encoded.offsets or (), encoded.special_tokens_mask or (), strict=True)
    )
    return replace(encoded, offsets=offsets)


def _unknown_empty(_question: Encode, encoded: Encoded) -> Encoded:
    offsets = tuple(
        (start, start) if token in ("[UNK]", "<unk>") else (start, end)
        for (start, end), token in zip(encoded.offsets or (), encoded.tokens or (), strict=True)
    )
    return replace(encoded, offsets=offsets)


def _backwards(_text: str, at: int, span: Span) -> Span:
    return (span[1], span[0]) if at == 1 else span


def _whole_word(text: str, _at: int, span: Span) -> Span:
    """Give every token the span of the run of letters that it is in."""
    start, end = span
    while start < end and start > 0 and text[start - 1].isalpha() and text[start].isalpha():
        start -= 1
    while start < end < len(text) and text[end].isalpha() and text[end - 1].isalpha():
        end += 1
    return start, end


def _space_taken(text: str, _at: int, span: Span) -> Span:
    start, end = span
    return (start - 1, end) if start < end and start > 0 and text[start - 1] == " " else span


def _space_left(text: str, _at: int, span: Span) -> Span:
    start, end = span
    return (start + 1, end) if end - start > 1 and text[start] == " " else span


def _swapped_spans(_question: Encode, encoded: Encoded) -> Encoded:
    own, offsets = _own(encoded), list(encoded.offsets or ())
    if len(own) > 2:
        offsets[own[1]], offsets[own[2]] = offsets[own[2]], offsets[own[1]]
    return replace(encoded, offsets=tuple(offsets))


# Ids, words, masks ---------------------------------------------------------------------------------------------------


def _swapped_ids(_question: Encode, encoded: Encoded) -> Encoded:
    own, ids = _own(encoded), list(encoded.ids)
    if len(own) > 2:
        ids[own[1]], ids[own[2]] = ids[own[2]], ids[own[1]]
    return replace(encoded, ids=tuple(ids))


def _dropped(_question: Encode, encoded: Encoded) -> Encoded:
    own = _own(encoded)
    kept = [at for at in range(len(encoded.ids)) if not own or at != own[-1]]
    lists = (
        "ids",
        "tokens",
        "offsets",
        "word_ids",
        "type_ids",
        "attention_mask",
        "special_tokens_mask",
        "sequence_ids",
    )
    return replace(encoded, **{name: tuple(getattr(encoded, name)[at] for at in kept) for name in lists})


def _id_beyond(_question: Encode, encoded: Encoded) -> Encoded:
    own, ids = _own(encoded), list(encoded.ids)
    if own:
        ids[own[0]] = 10**6
    return replace(encoded, ids=tuple(ids))


def _short_list(_question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, type_ids=(encoded.type_ids or ())[:-1])


def _words_late(_question: Encode, encoded: Encoded) -> Encoded:
    words = tuple(None if word is None else word + (at > 2) for at, word in enumerate(encoded.word_ids or ()))
    return replace(encoded, word_ids=words)


def _words_back(_question: Encode, encoded: Encoded) -> Encoded:
    own, words = _own(encoded), list(encoded.word_ids or ())
    if len(own) > 1:
        words[own[0]], words[own[-1]] = words[own[-1]], words[own[0]]
    return replace(encoded, word_ids=tuple(words))


def _flipped(_question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, special_tokens_mask=tuple(1 - each for each in encoded.special_tokens_mask or ()))


def _no_special(_question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, special_tokens_mask=(0,) * len(encoded.ids))


def _types_zero(question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, type_ids=(0,) * len(encoded.ids)) if question.pair is not None else encoded


def _types_early(question: Encode, encoded: Encoded) -> Encoded:
    types = list(encoded.type_ids or ())
    if question.pair is not None and 1 in types[1:]:
        types[types.index(1) - 1] = 1
    return replace(encoded, type_ids=tuple(types))


def _sequences_swapped(question: Encode, encoded: Encoded) -> Encoded:
    if question.pair is None:
        return encoded
    swapped = tuple(None if each is None else 1 - each for each in encoded.sequence_ids or ())
    return replace(encoded, sequence_ids=swapped)


def _sequences_of_special(_question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, sequence_ids=tuple(0 if each is None else each for each in encoded.sequence_ids or ()))


def _attention_of_padding(_question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, attention_mask=(1,) * len(encoded.ids))


def _attention_of_special(_question: Encode, encoded: Encoded) -> Encoded:
    mask = tuple(0 if each else 1 for each in encoded.special_tokens_mask or ())
    return replace(encoded, attention_mask=mask)


def _padding_not_special(_question: Encode, encoded: Encoded) -> Encoded:
    mask = zip(encoded.special_tokens_mask or (), encoded.attention_mask or (), strict=True)
    return replace(encoded, special_tokens_mask=tuple(special if attended else 0 for special, attended in mask))


# What is cut off, batches, pieces ------------------------------------------------------------------------------------


def _cut(change: Callable[[tuple[Encoded, ...]], tuple[Encoded, ...]]) -> Spoiled:
    def spoil(_question: Encode, encoded: Encoded) -> Encoded:
        return replace(encoded, overflowing=change(encoded.overflowing)) if encoded.overflowing else encoded

    return spoil


def _without_stride(parts: tuple[Encoded, ...]) -> tuple[Encoded, ...]:
    return tuple(_without_first(part) for part in parts)


def _without_first(part: Encoded) -> Encoded:
    own = _own(part)
    kept = [at for at in range(len(part.ids)) if not own or at != own[0]]
    lists = (
        "ids",
        "tokens",
        "offsets",
        "word_ids",
        "type_ids",
        "attention_mask",
        "special_tokens_mask",
        "sequence_ids",
    )
    return replace(part, **{name: tuple(getattr(part, name)[at] for at in kept) for name in lists})


def _part_spans(parts: tuple[Encoded, ...]) -> tuple[Encoded, ...]:
    """Count the spans of what was cut off from its own beginning."""
    made = []
    for part in parts:
        own = _own(part)
        first = (part.offsets or ((0, 0),))[own[0]][0] if own else 0
        offsets = tuple(
            (start - first, end - first) if at in own else (start, end)
            for at, (start, end) in enumerate(part.offsets or ())
        )
        made.append(replace(part, offsets=offsets))
    return tuple(made)


def _in_batches(question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(question, EncodeBatch) and isinstance(outcome, EncodedBatch):
        changed = (
            replace(each, offsets=tuple((start, end + (end > 1)) for start, end in each.offsets or ()))
            for each in outcome.encodings
        )
        return EncodedBatch(tuple(changed))
    return outcome


def _batch_order(question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(question, EncodeBatch) and isinstance(outcome, EncodedBatch):
        return EncodedBatch(outcome.encodings[::-1])
    return outcome


def _piece_spans(question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(question, PreTokenize) and isinstance(outcome, Pieces):
        pieces = ((piece, span and (span[0], span[1] + (at == 0))) for at, (piece, span) in enumerate(outcome.pieces))
        return Pieces(tuple(pieces))
    return outcome


def _piece_lost(question: Observation, outcome: Outcome) -> Outcome:
    if isinstance(question, PreTokenize) and isinstance(outcome, Pieces) and len(outcome.pieces) > 1:
        return Pieces(outcome.pieces[:-1])
    return outcome


def _all_offsets_zero(_question: Encode, encoded: Encoded) -> Encoded:
    return replace(encoded, offsets=((0, 0),) * len(encoded.ids))


def _without_merges(document: Json) -> None:
    """Leave the last quarter of the merges out."""
    model = document["model"]
    if isinstance(model, dict) and isinstance(model.get("merges"), list):
        merges = model["merges"]
        model["merges"] = merges[: len(merges) * 3 // 4]


def _seen(name: str, note: str, fault: Fault, *invariants: str, tokenizer: str = "bert-mini") -> PlantedFault:
    return PlantedFault(name, note, fault, frozenset(invariants), tokenizer=tokenizer)


CONTENT, IN_TEXT, ORDER, OVERLAP = "content.slice", "spans.in-text", "spans.in-order", "spans.overlap"
COVERAGE, NOT_EMPTY = "coverage.text", "spans.not-empty"

FAULTS: tuple[PlantedFault, ...] = (
    _seen("one-span-shifted", "the third span is one character late", _of_encodings(_spans(_one_shifted)), CONTENT),
    _seen(
        "utf8-bytes",
        "spans count UTF-8 bytes",
        _of_encodings(_spans(_unit(lambda character: len(character.encode())))),
        CONTENT,
        IN_TEXT,
    ),
    _seen(
        "utf16-units",
        "spans count UTF-16 units",
        _of_encodings(_spans(_unit(lambda character: 1 + (ord(character) > 0xFFFF)))),
        CONTENT,
        IN_TEXT,
    ),
    _seen("last-end-late", "the end of the last token is one too far", _of_encodings(_last_longer), IN_TEXT),
    _seen(
        "after-astral",
        "spans are one too early behind a character of a supplementary plane",
        _of_encodings(_spans(_after(lambda character: ord(character) > 0xFFFF))),
        CONTENT,
    ),
    _seen(
        "after-mark",
        "spans are one too early behind a combining mark",
        _of_encodings(_spans(_after(lambda character: bool(unicodedata.combining(character))))),
        CONTENT,
    ),
    _seen("of-normalized", "spans count in the normalized text", _of_encodings(_spans(_of_normalized)), CONTENT),
    _seen("second-of-pair", "spans of second texts are one late", _of_encodings(_second_of_pair), "pairs.parts"),
    _seen("pair-goes-on", "spans of second texts count from the first", _of_encodings(_growing_pair), IN_TEXT),
    _seen("words-go-on", "spans of given words count in the joined text", _of_encodings(_growing_words), IN_TEXT),
    _seen(
        "special-span", "special tokens have the first character", _of_encodings(_special_span), "spans.special-empty"
    ),
    _seen("unknown-empty", "unknown tokens have empty spans", _of_encodings(_unknown_empty), NOT_EMPTY),
    _seen("backwards", "the second span ends before it begins", _of_encodings(_spans(_backwards)), IN_TEXT),
    _seen("whole-word", "every token has the span of its word", _of_encodings(_spans(_whole_word)), CONTENT),
    _seen("space-taken", "spans take in the space before", _of_encodings(_spans(_space_taken)), CONTENT),
    _seen(
        "space-left",
        "spans leave the space out that the token has",
        _of_encodings(_spans(_space_left)),
        CONTENT,
        tokenizer="gpt2-mini",
    ),
    _seen("spans-swapped", "two spans are exchanged", _of_encodings(_swapped_spans), ORDER),
    _seen("all-zero", "every span is 0..0", _of_encodings(_all_offsets_zero), NOT_EMPTY),
    _seen("ids-swapped", "two ids are exchanged", _of_encodings(_swapped_ids), "ids.one-token"),
    _seen("id-beyond", "the first id is none of the vocabulary", _of_encodings(_id_beyond), "ids.in-vocabulary"),
    _seen("token-dropped", "the last token is lost", _of_encodings(_dropped), COVERAGE),
    _seen("short-list", "type ids lack the last one", _of_encodings(_short_list), "lists.one-length"),
    _seen(
        "words-late", "word ids are one too high from the fourth token on", _of_encodings(_words_late), "words.pieces"
    ),
    _seen("words-back", "the first and the last word id are exchanged", _of_encodings(_words_back), "words.in-order"),
    _seen("mask-flipped", "the special tokens mask is flipped", _of_encodings(_flipped), "special.mask"),
    _seen("mask-zero", "the special tokens mask is 0", _of_encodings(_no_special), "special.mask"),
    _seen("types-zero", "type ids of pairs are 0", _of_encodings(_types_zero), "special.type-ids"),
    _seen("types-early", "type ids of pairs change one token early", _of_encodings(_types_early), "special.type-ids"),
    _seen("sequences-swapped", "0 and 1 are exchanged", _of_encodings(_sequences_swapped), "special.sequence-ids"),
    _seen(
        "special-sequence", "added tokens have sequence 0", _of_encodings(_sequences_of_special), "special.sequence-ids"
    ),
    _seen(
        "padding-attended",
        "the attention mask is 1 on padding",
        _of_encodings(_attention_of_padding),
        "padding.attention",
    ),
    _seen("special-unattended", "it is 0 on special tokens", _of_encodings(_attention_of_special), "special.attention"),
    _seen("padding-not-special", "padding is not special", _of_encodings(_padding_not_special), "padding.pads"),
    _seen(
        "stride-missing",
        "what was cut off lacks the first token that it shares",
        _of_encodings(_cut(_without_stride), parts=False),
        "truncation.stride",
    ),
    _seen(
        "window-lost",
        "the last of what was cut off is lost",
        _of_encodings(_cut(lambda parts: parts[:-1]), parts=False),
        "truncation.union",
    ),
    _seen(
        "parts-from-zero",
        "spans of what was cut off count from its beginning",
        _of_encodings(_cut(_part_spans), parts=False),
        "truncation.union",
    ),
    _seen("batch-end-late", "ends are one late in batches alone", Fault(spoil=_in_batches), "batches.single"),
    _seen("batch-order", "a batch is answered in the opposite order", Fault(spoil=_batch_order), "batches.single"),
    _seen("piece-longer", "the first piece ends one too late", Fault(spoil=_piece_spans), "pieces.content"),
    _seen("piece-lost", "the last piece is lost", Fault(spoil=_piece_lost), "pieces.coverage"),
    PlantedFault(
        "other-merges",
        "words are cut at other places, with spans that fit",
        Fault(change=_without_merges),
        why_not="every token is one of the vocabulary and has its own slice: which of the possible cuts is right "
        "is said by the model alone, so it takes an implementation of the model",
    ),
)
