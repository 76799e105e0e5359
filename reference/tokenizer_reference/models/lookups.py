"""How WordPiece and WordLevel arrive at the tokens of a word: what they look up, in this order, and what they find."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_reference.models.wordlevel import WordLevel
    from tokenizer_reference.models.wordpiece import WordPiece


class WhyUnknown(StrEnum):
    """Why a whole word is the unknown token."""

    TOO_LONG = "it has more than max_input_chars_per_word characters"
    NO_PIECE = "no piece of the vocabulary fits"
    NOT_IN_VOCABULARY = "it is not in the vocabulary"


@dataclass(frozen=True, slots=True)
class Match:
    """A search for the longest piece from ``start`` (code points of the word).

    ``tried`` are the pieces that were looked up, the longest first; the last one is in the vocabulary where ``token``
    names it, and none is where that is ``None``.
    """

    start: int
    tried: tuple[str, ...]
    token: str | None


@dataclass(frozen=True, slots=True)
class WordPieceMatches:
    """How ``word`` becomes ``tokens``: the ``matches``, and why it is unknown, where it is (``None`` where not).

    ``limit`` is ``max_input_chars_per_word``.
    """

    word: str
    matches: tuple[Match, ...]
    why_unknown: WhyUnknown | None
    limit: int
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordLookup:
    """How ``word`` becomes ``tokens``, of which there is one; ``why_unknown`` is ``None`` where that is the word."""

    word: str
    why_unknown: WhyUnknown | None
    tokens: tuple[str, ...]


def wordpiece_matches(model: WordPiece, word: str) -> WordPieceMatches:
    """Return how ``model`` arrives at the tokens of ``word``.

    >>> from tokenizer_reference.models.wordpiece import WordPiece
    >>> made = wordpiece_matches(WordPiece({"[UNK]": 0, "un": 1, "##able": 2}), "unable")
    >>> [(match.tried, match.token) for match in made.matches]
    [(('unable', 'unabl', 'unab', 'una', 'un'), 'un'), (('##able',), '##able')]

    Raises :class:`~tokenizer_reference.errors.ModelError` where the unknown token is needed and missing.
    """
    limit = model.max_input_chars_per_word
    if len(word) > limit:
        return WordPieceMatches(word, (), WhyUnknown.TOO_LONG, limit, model._unknown(word).values)
    matches: list[Match] = []
    start = 0
    while start < len(word):
        prefix = model.continuing_subword_prefix if start else ""
        tried: list[str] = []
        end = len(word)
        while end > start and (not tried or tried[-1] not in model._vocab):
            tried.append(prefix + word[start:end])
            end -= 1
        found = tried[-1] if tried[-1] in model._vocab else None
        matches.append(Match(start, tuple(tried), found))
        if found is None:
            return WordPieceMatches(word, tuple(matches), WhyUnknown.NO_PIECE, limit, model._unknown(word).values)
        start = end + 1
    return WordPieceMatches(word, tuple(matches), None, limit, tuple(match.token for match in matches if match.token))


def word_lookup(model: WordLevel, word: str) -> WordLookup:
    """Return how ``model`` arrives at the token of ``word``.

    Raises :class:`~tokenizer_reference.errors.ModelError` where the unknown token is needed and missing.
    """
    why = None if word in model._vocabulary() else WhyUnknown.NOT_IN_VOCABULARY
    return WordLookup(word, why, model._tokenize(word).values)
