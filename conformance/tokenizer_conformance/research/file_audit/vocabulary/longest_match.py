"""Which pieces of a WordPiece model are never the longest match at any place of any word.

A piece without the prefix is the first of the word that it is itself: the longest match there, if the word is not too
long. A piece with the prefix follows another one, *before* it in the word. It is never given if for each piece that
could stand there a longer piece matches which takes the beginning of this one as well, for the longest match wins.
After the longest piece of all nothing longer matches: so this comes about only where the longer pieces cannot stand
before it, because the word would have too many characters or is cut before that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts


class LongestMatch:
    """The pieces of a WordPiece model: those that begin words, and those that continue them, without the prefix."""

    def __init__(self, parts: DocumentParts) -> None:
        self.prefix = parts.text_option("continuing_subword_prefix")
        most = parts.model.get("max_input_chars_per_word")
        self.most_characters = most if isinstance(most, int) else 100
        self.first = frozenset(parts.tokens)
        self.continuing = frozenset(
            token.removeprefix(self.prefix) for token in parts.tokens if token.startswith(self.prefix)
        )
        self._longest = max(map(len, self.first), default=0)
        self._first_by_length = sorted(filter(None, self.first), key=_length_first)
        self._continuing_by_length = sorted(filter(None, self.continuing), key=_length_first)

    def content(self, token: str) -> str | None:
        """Return what ``token`` continues a word with, ``None`` where it does not continue words."""
        return token.removeprefix(self.prefix) if token.startswith(self.prefix) else None

    def before(self, content: str) -> Iterator[str]:
        """Give pieces that begin a word and after which ``content`` is the longest match, the shorter ones first."""
        return (piece for piece in self._first_by_length if not self._is_taken(piece, content, self.first))

    def after_continuing(self, content: str) -> Iterator[str]:
        """Give pieces that continue a word and after which ``content`` is the longest match, the shorter ones first."""
        return (piece for piece in self._continuing_by_length if not self._is_taken(piece, content, self.continuing))

    def words(self, content: str) -> Iterator[str]:
        """Give words, or ends of words, in which ``content`` is the longest match after one other piece.

        Every word that is not too long and gives ``content`` as a continuation has one of them in it.
        """
        room = self.most_characters - len(content)
        yield from (piece + content for piece in self.before(content) if len(piece) <= room)
        yield from (piece + content for piece in self.after_continuing(content) if len(piece) < room)

    def _is_taken(self, piece: str, content: str, pieces: frozenset[str]) -> bool:
        return any(
            piece + content[:end] in pieces for end in range(1, min(len(content), self._longest - len(piece)) + 1)
        )


def _length_first(piece: str) -> tuple[int, str]:
    return len(piece), piece
