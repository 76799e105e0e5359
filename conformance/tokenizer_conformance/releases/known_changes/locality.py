"""Where two answers differ, and whether every such place holds a character that a release sees otherwise.

Tokens and pieces are laid to their spans in the original text. Spans that only one answer has are joined where they
overlap, or touch inside a word; each such place must hold, or stand next to, one of the characters. So a text that
holds such a character explains no difference that stands elsewhere in it.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Encoded, Normalize, Pieces, PreTokenize, Text, plain_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.releases.known_changes.change import Characters

LONGEST = 20_000
"""The longest text, in code points, whose differences are looked at place by place: it takes the square of that."""

Laid = frozenset[tuple[int, int, str]]
"""The tokens of an answer with their spans; what is said of one, with its id, is a text."""


def is_local(
    characters: Characters, question: Observation | None, old: Outcome | str | None, new: Outcome | str | None
) -> bool:
    """Return whether ``old`` and ``new`` differ in nothing but what comes of ``characters``.

    Never where the question is not one plain text, or an answer does not show what is needed for that.
    """
    text = whole_text(question)
    if question and isinstance(plain_of(question), Normalize) and isinstance(old, Text) and isinstance(new, Text):
        return _is_rewritten(characters, old.text, new.text)
    if text is None:
        return False
    if isinstance(old, Pieces) and isinstance(new, Pieces):
        return _is_cut_otherwise(characters, text, old, new)
    places = places_that_differ(old, new, text)
    return bool(places) and all(
        not characters.all.isdisjoint(text[max(start - 1, 0) : end + 1]) for start, end in places
    )


def places_that_differ(old: Outcome | str | None, new: Outcome | str | None, text: str) -> list[tuple[int, int]]:
    """Return the spans of ``text`` of which two encodings have other tokens.

    None where an answer is no encoding, or does not show what is needed for that.
    """
    laid_old, laid_new = _laid(old), _laid(new)
    return [] if laid_old is None or laid_new is None else _places(laid_old ^ laid_new, text)


def whole_text(question: Observation | None) -> str | None:
    """Return the one text that ``question`` is about; ``None`` where it is about none, or more."""
    match question and plain_of(question):
        case PreTokenize(text):
            return text
        case Encode(str(text), pair=None):
            return text
    return None


def _is_rewritten(characters: Characters, old: str, new: str) -> bool:
    """Return whether ``new`` is ``old`` with what becomes of ``characters`` in their place.

    Where characters are not rewritten one by one, all that differs in ``old`` must be of them.
    """
    if characters.becomes:
        return old != new and "".join(characters.becomes.get(each, each) for each in old) == new
    if max(len(old), len(new)) > LONGEST:
        return False
    parts = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    places = [old[start:end] for tag, start, end, _, _ in parts if tag != "equal"]
    return bool(places) and all(place and characters.all.issuperset(place) for place in places)


def _is_cut_otherwise(characters: Characters, text: str, old: Pieces, new: Pieces) -> bool:
    """Return whether ``text`` is cut otherwise at ``characters`` alone, or at a space before one of them.

    A piece may be as long as the text, so it is the cuts that are looked at; pieces of one span must be the same.
    """
    texts_old, texts_new = ({span: piece for piece, span in each.pieces} for each in (old, new))
    if None in texts_old or None in texts_new:
        return False
    if any(texts_old[span] != texts_new[span] for span in texts_old.keys() & texts_new.keys()):
        return False
    cuts = _cuts(old) ^ _cuts(new)
    return bool(cuts) and all(not characters.all.isdisjoint(_around(text, cut)) for cut in cuts)


def _cuts(answer: Pieces) -> frozenset[int]:
    return frozenset(place for _, span in answer.pieces if span is not None for place in span)


def _around(text: str, cut: int) -> str:
    end = cut + 2 if text[cut : cut + 1].isspace() else cut + 1
    return text[max(cut - 1, 0) : end]


def _laid(answer: Outcome | str | None) -> Laid | None:
    if not isinstance(answer, Encoded) or answer.offsets is None or answer.overflowing:
        return None
    shown = [answer.ids, answer.type_ids, answer.attention_mask, answer.special_tokens_mask, answer.sequence_ids]
    said = zip(*(values for values in shown if values is not None), strict=True)
    return frozenset((*span, str(values)) for values, span in zip(said, answer.offsets, strict=True))


def _places(pieces: frozenset[tuple[int, int, str]], text: str) -> list[tuple[int, int]]:
    """Return the spans of ``pieces``, as one where they overlap, or touch with no white space on either side."""
    places: list[tuple[int, int]] = []
    for start, end, _ in sorted(pieces):
        if places and (start < places[-1][1] or (start == places[-1][1] and not _is_between_words(text, start))):
            places[-1] = (places[-1][0], max(end, places[-1][1]))
        else:
            places.append((start, end))
    return places


def _is_between_words(text: str, place: int) -> bool:
    return any(character.isspace() for character in text[max(place - 1, 0) : place + 1])
