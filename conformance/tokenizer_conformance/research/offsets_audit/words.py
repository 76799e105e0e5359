"""What word ids say: in order, those of the pre-tokenizer's pieces, those of the words that were given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Field, OffsetUnit
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.offsets_audit.case import (
    MOST_SHOWN,
    CannotCheckError,
    Violation,
    first_other,
    picked,
)
from tokenizer_conformance.research.offsets_audit.spans import contents_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Pieces, Span
    from tokenizer_conformance.research.offsets_audit.case import Case, Looked, SeenEncoding
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView


def in_order(seen: SeenEncoding, _view: TokenizerView) -> Iterator[Looked]:
    """Check that word ids do not go back, and that a token has one exactly where it is of a text."""
    if not seen.sequences:
        raise CannotCheckError("it does not say which text a token is of")
    last: dict[int, tuple[int, int]] = {}
    for index, word in enumerate(seen.encoded.word_ids or ()):
        sequence = seen.sequences[index] if index < len(seen.sequences) else None
        yield 1
        if word is None:
            if sequence is not None:
                yield Violation("a token of the text without a word", seen.shown(index))
        elif seen.is_special(index):
            yield Violation("a special token with a word", f"{seen.shown(index)} has word {word}")
        elif sequence is not None:
            before, other = last.get(sequence, (index, word))
            if word < other:
                detail = f"{seen.shown(index)} has word {word}, after {seen.shown(before)} of word {other}"
                yield Violation("word ids go back", detail)
            last[sequence] = index, word


# Pieces --------------------------------------------------------------------------------------------------------------


def of_pieces(seen: SeenEncoding, view: TokenizerView) -> Iterator[Looked]:
    """Check that the tokens of word n are piece n, of a text without added tokens."""
    text = seen.question.text
    if not isinstance(text, str) or seen.question.pair is not None or seen.part:
        raise CannotCheckError("each text is looked at alone")
    if any(_is_added(id, text, view) for id in seen.encoded.ids):
        raise CannotCheckError("added tokens stand between the pieces")
    normalized = view.normalized(text)
    pieces = None if normalized is None else view.pieces(normalized)
    if pieces is None:
        raise CannotCheckError("it does not show into which pieces its pre-tokenizer cuts a text")
    yield len(pieces.pieces)
    yield from _wrong_words(seen, view, pieces, is_same=normalized == text)


def _is_added(id: int, text: str, view: TokenizerView) -> bool:
    """Return whether an added token has the id, and is cut out of the text: an unknown one is where its name stands."""
    added = view.rules.added.get(id)
    return added is not None and (id != view.rules.unknown_id or added.content in text)


def _wrong_words(seen: SeenEncoding, view: TokenizerView, pieces: Pieces, *, is_same: bool) -> Iterator[Violation]:
    words: dict[int, list[int]] = {}
    for index, word in enumerate(seen.encoded.word_ids or ()):
        if word is not None and index < len(seen):
            words.setdefault(word, []).append(index)
    for word, indices in words.items():
        if not 0 <= word < len(pieces.pieces):
            detail = f"{seen.shown(indices[0])} has word {word} of {len(pieces.pieces)}"
            yield Violation("a word that is no piece", detail)
            continue
        piece, span = pieces.pieces[word]
        if not _joins_to(piece, indices, seen, view):
            shown = ", ".join(seen.tokens_of(index) for index in indices[:6])
            detail = f"word {word}: {shown}; piece {quoted(piece[:MOST_SHOWN])}"
            ids = [seen.encoded.ids[index] for index in indices]
            has_bytes = view.rules.has_byte_tokens and view.rules.unknown_id in ids
            manner = "an unknown token among byte tokens" if has_bytes else "tokens of a word are not its piece"
            yield Violation(manner, detail)
        elif is_same and span is not None and view.unit is OffsetUnit.CODE_POINTS:
            yield from _outside(seen, indices, word, span)
    if view.rules.unknown_id is not None:
        for word, (piece, _) in enumerate(pieces.pieces):
            if word not in words:
                yield Violation("a piece without a token", f"piece {word}, {quoted(piece[:MOST_SHOWN])}, has no token")


def _outside(seen: SeenEncoding, indices: Sequence[int], word: int, span: Span) -> Iterator[Violation]:
    """Yield the tokens of ``word`` whose spans are not in its ``span``."""
    for index in indices:
        inside = seen.spans[index] if index < len(seen.spans) else None
        if inside is not None and not span[0] <= inside[0] <= inside[1] <= span[1]:
            detail = f"{seen.shown(index)}, word {word} at {span[0]}..{span[1]}"
            yield Violation("a span outside the span of its word", detail)


def _joins_to(piece: str, indices: Sequence[int], seen: SeenEncoding, view: TokenizerView) -> bool:
    """Return whether the tokens, each as one of what it may stand for, make up ``piece``; an unknown one may be all."""
    whole = view.rules.contents(piece)[-1]
    places = {0}
    for index in indices:
        if seen.encoded.ids[index] == view.rules.unknown_id:
            places = set(range(min(places, default=len(whole) + 1), len(whole) + 1))
            continue
        contents = contents_of(seen, view, index)
        places = {at + len(each) for at in places for each in contents if whole.startswith(each, at)}
    return len(whole) in places


# Words that were given -----------------------------------------------------------------------------------------------


def given(seen: SeenEncoding, view: TokenizerView) -> Iterator[Looked]:
    """Check that word ids are indices of the given words, and that each word has a token that gives one alone."""
    if not seen.question.is_pretokenized or seen.part:
        raise CannotCheckError("no words were given")
    for sequence, side in enumerate((seen.question.text, seen.question.pair)):
        if not isinstance(side, tuple):
            continue
        yield len(side)
        own = [
            (index, word)
            for index, (word, of) in enumerate(zip(seen.encoded.word_ids or (), seen.sequences, strict=False))
            if word is not None and of == sequence
        ]
        for index, word in own:
            if not 0 <= word < len(side):
                detail = f"{seen.shown(index)} has word {word}; {len(side)} were given"
                yield Violation("a word that was not given", detail)
        met = {word for _, word in own}
        for word, text in enumerate(side):
            if word not in met and view.ids(text):
                yield Violation("a given word has no token", f"word {word}, {quoted(text[:MOST_SHOWN])}")


def alone(case: Case) -> Iterator[Looked]:
    """Check that each given word has the ids and the spans that it has alone."""
    seen = case.seen[0]
    for word, text in enumerate(seen.question.text):
        single = case.plain(text)
        if single is None:
            continue
        yield 1
        places = [i for i, each in enumerate(seen.encoded.word_ids or ()) if each == word and i < len(seen)]
        other = first_other((Field.IDS, Field.OFFSETS), picked(seen.encoded, places), single)
        if other is not None:
            field, at = other
            shown = seen.shown(places[at]) if at < len(places) else f"{len(places)} tokens"
            yield Violation(f"other {field} than alone", f"word {word}, {quoted(text[:MOST_SHOWN])}: {shown}")
