"""Invariants of word ids: in order, those of the pre-tokenizer's pieces, those of the words that were given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Field, OffsetUnit
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.offsets_audit.case import first_other, picked
from tokenizer_conformance.research.offsets_audit.encoding import MOST_SHOWN
from tokenizer_conformance.research.offsets_audit.invariant import Checked, Invariant, Topic, Unchecked, Violation
from tokenizer_conformance.research.offsets_audit.spans import known_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Pieces, Span
    from tokenizer_conformance.research.offsets_audit.case import Case
    from tokenizer_conformance.research.offsets_audit.encoding import SeenEncoding
    from tokenizer_conformance.research.offsets_audit.invariant import Verdict
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

_NEEDS = frozenset({Field.IDS, Field.WORD_IDS})

IN_ORDER = Invariant(
    "words.in-order",
    Topic.WORDS,
    "From token to token of a text, word ids do not decrease: tokens of one word stand together. A token has none "
    "exactly where a post-processor or padding added it.",
    _NEEDS,
)
OF_PIECES = Invariant(
    "words.pieces",
    Topic.WORDS,
    "The tokens of word n, joined, are piece n of the pre-tokenizer (asked about the normalized text), and their "
    "spans lie in the span of that piece, where the text is its own normalization. Texts with added tokens are left "
    "out.",
    _NEEDS,
)
GIVEN = Invariant(
    "words.given",
    Topic.WORDS,
    "Where the input comes as words, word ids are indices of these, and every word that alone gives tokens has one.",
    _NEEDS,
)
ALONE = Invariant(
    "words.alone",
    Topic.WORDS,
    "Where the input comes as words, each has the ids and the spans that it has alone: spans count from its beginning.",
    _NEEDS,
)


def in_order(seen: SeenEncoding, _view: TokenizerView) -> Verdict:
    """Check :data:`IN_ORDER`."""
    wrong, count = [], 0
    last: dict[int, tuple[int, int]] = {}
    for index, word in enumerate(seen.encoded.word_ids or ()):
        sequence = seen.sequences[index] if index < len(seen.sequences) else None
        count += 1
        if word is None:
            if sequence is not None and not seen.is_special(index):
                wrong.append(Violation("a token of the text without a word", seen.shown(index)))
            continue
        if seen.is_special(index):
            wrong.append(Violation("a special token with a word", f"{seen.shown(index)} has word {word}"))
        elif sequence is not None:
            if sequence in last and word < last[sequence][1]:
                before, other = last[sequence]
                detail = f"{seen.shown(index)} has word {word}, after {seen.shown(before)} of word {other}"
                wrong.append(Violation("word ids go back", detail))
            last[sequence] = index, word
    return Checked(count, tuple(wrong)) if seen.sequences else Unchecked("it does not say which text a token is of")


# Pieces --------------------------------------------------------------------------------------------------------------


def of_pieces(seen: SeenEncoding, view: TokenizerView) -> Verdict:
    """Check :data:`OF_PIECES`."""
    text = seen.question.text
    if not isinstance(text, str) or seen.question.pair is not None or seen.part:
        return Unchecked("each text is looked at alone")
    if any(_is_added(id, text, view) for id in seen.encoded.ids):
        return Unchecked("added tokens stand between the pieces")
    normalized = view.normalized(text)
    pieces = None if normalized is None else view.pieces(normalized)
    if pieces is None:
        return Unchecked("it does not show into which pieces its pre-tokenizer cuts a text")
    wrong = list(_wrong_words(seen, view, pieces, is_same=normalized == text))
    return Checked(len(pieces.pieces), tuple(wrong))


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
        contents = [each for token in known_tokens(seen, view, index) for each in view.rules.contents(token)]
        places = {at + len(each) for at in places for each in contents if whole.startswith(each, at)}
    return len(whole) in places


# Words that were given -----------------------------------------------------------------------------------------------


def given(seen: SeenEncoding, view: TokenizerView) -> Verdict:
    """Check :data:`GIVEN`."""
    if not seen.question.is_pretokenized or seen.part:
        return Unchecked("no words were given")
    wrong, count = [], 0
    word_ids = seen.encoded.word_ids or ()
    for sequence, side in enumerate((seen.question.text, seen.question.pair)):
        if not isinstance(side, tuple):
            continue
        own = [
            (index, word)
            for index, word in enumerate(word_ids)
            if word is not None and index < len(seen.sequences) and seen.sequences[index] == sequence
        ]
        count += len(side)
        for index, word in own:
            if not 0 <= word < len(side):
                detail = f"{seen.shown(index)} has word {word}; {len(side)} were given"
                wrong.append(Violation("a word that was not given", detail))
        met = {word for _, word in own}
        for word, text in enumerate(side):
            if word not in met and view.ids(text):
                wrong.append(Violation("a given word has no token", f"word {word}, {quoted(text[:MOST_SHOWN])}"))
    return Checked(count, tuple(wrong))


def alone(case: Case) -> Verdict:
    """Check :data:`ALONE`."""
    question = case.question
    if not isinstance(question, Encode) or not isinstance(question.text, tuple) or question.pair is not None:
        return Unchecked("no words were given")
    seen = case.seen[0]
    wrong, count = [], 0
    for word, text in enumerate(question.text):
        places = [i for i, each in enumerate(seen.encoded.word_ids or ()) if each == word and i < len(seen)]
        single = case.plain(text)
        if single is None:
            continue
        count += 1
        other = first_other((Field.IDS, Field.OFFSETS), picked(seen.encoded, places), single)
        if other is not None:
            field, at = other
            shown = seen.shown(places[at]) if at < len(places) else f"{len(places)} tokens"
            wrong.append(Violation(f"other {field} than alone", f"word {word}, {quoted(text[:MOST_SHOWN])}: {shown}"))
    return Checked(count, tuple(wrong))
