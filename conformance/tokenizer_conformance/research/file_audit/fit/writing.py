"""How a vocabulary writes words: the mark that tells a word from a part of one, and the text of each entry."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import (
    CHARACTER_OF_BYTE,
    bytes_of,
    fallback_byte,
)
from tokenizer_conformance.research.file_audit.vocabulary.entries import Purpose, entries_of, purposes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
    from tokenizer_conformance.research.file_audit.vocabulary.entries import Entry


class Writing(StrEnum):
    """How words are written; the value is what tells most of them from parts of words."""

    BYTES = "Ġ"
    MARK = "▁"
    PREFIX = "##"
    SUFFIX = "</w>"
    SPACED = " "
    UNDERLINED = "_"
    PLAIN = ""


OF_WORDS = (Writing.BYTES, Writing.MARK, Writing.SPACED, Writing.UNDERLINED)
"""Where the mark stands before words, so that an entry with it begins one."""

RESPELT = {Writing.SPACED: Writing.BYTES, Writing.UNDERLINED: Writing.MARK}
"""What is nobody's way to write a vocabulary, and what was meant."""

SHARE = 0.05
"""Which share of the entries has a mark that is one."""

ALPHABET = 240
"""How many of the characters that stand for bytes are entries of a byte-level vocabulary, or more."""


_FOR_TEXTS = (Purpose.TEXT, Purpose.BYTE)


@dataclass(frozen=True, slots=True)
class Piece:
    """An entry that can begin a word: its ``id``, and the ``text`` that it stands for, with a space before it."""

    text: str
    id: int


@dataclass(frozen=True, slots=True)
class Written:
    """A vocabulary as it is read: its ``writing``, and the entries for texts as ``pieces``.

    ``parts`` has the ids of parts of words by what they stand for, where these have a mark of their own. ``is_bytes``:
    all characters that stand for bytes are entries.
    """

    writing: Writing
    pieces: tuple[Piece, ...]
    parts: Mapping[str, int]
    is_bytes: bool


def read_vocabulary(parts: DocumentParts) -> Written:
    """Return the vocabulary of ``parts`` as it is written."""
    named = purposes(parts)
    found = entries_of(parts)
    entries = [
        each
        for each in found
        if named.get(each.token, Purpose.TEXT) in _FOR_TEXTS and fallback_byte(each.token) is None
    ]
    tokens = {each.token for each in entries}
    writing = _writing(tokens)
    is_bytes = len(tokens & set(CHARACTER_OF_BYTE.values())) >= ALPHABET
    if writing is Writing.PLAIN and is_bytes:
        writing = Writing.BYTES
    read = [(each, _text(each, writing, is_bytes=is_bytes)) for each in entries]
    prefix = Writing.PREFIX if writing is Writing.PREFIX else None
    parts_of_words = {
        content: each.id for each in entries if prefix and (content := each.token.removeprefix(prefix)) != each.token
    }
    letters = {content: number for content, number in parts_of_words.items() if content.isalpha()}
    return Written(writing, tuple(Piece(text, each.id) for each, text in read if text), letters, is_bytes)


def _writing(tokens: Collection[str]) -> Writing:
    counts = {
        each: sum(token.endswith(each) if each is Writing.SUFFIX else token.startswith(each) for token in tokens)
        for each in Writing
        if each is not Writing.PLAIN
    }
    best = max(counts, key=lambda each: counts[each])
    return best if counts[best] > SHARE * len(tokens) else Writing.PLAIN


def _text(entry: Entry, writing: Writing, *, is_bytes: bool) -> str:
    token = entry.token
    match writing:
        case Writing.PREFIX if token.startswith(writing):
            return ""
        case Writing.SUFFIX:
            token = token.removesuffix(writing) if token.endswith(writing) else ""
        case Writing.MARK | Writing.UNDERLINED:
            token = token.replace(writing, " ")
    return _decoded(token) if is_bytes and writing in (Writing.BYTES, Writing.SUFFIX) else token


def _decoded(token: str) -> str:
    data = bytes_of(token)
    try:
        return "" if data is None else data.decode()
    except UnicodeDecodeError:
        return ""
