"""Entries of a vocabulary as text: what has to stand in a text, and where, so that an entry can come out of it.

An entry stands as bytes (byte-level tokenizers), with a mark of where words begin or end, with a mark of going on
inside a word, or as itself.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts

WORD_MARK = "▁"
"""What stands for a space where Metaspace does not say otherwise."""

UNCOVERED = "ᚠꓐꔀ\U00010330ꦀ\U00010480ꡀ\U00010a60☃⿰"
"""Characters that few vocabularies have, and no normalization form changes; letters first: symbols may be cut off."""

PLAIN = "xqzjvkwaeiost0"
"""Characters that most vocabularies have."""

MOST_FILLERS = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry: the ``token`` as it stands in the vocabulary, its ``text``, and where that has to stand.

    ``goes_on``: not at the beginning of a word. ``opens``: at the beginning of one. ``is_open``: a word has to go on
    after it.
    """

    token: str
    text: str
    goes_on: bool = False
    opens: bool = False
    is_open: bool = False


@lru_cache(maxsize=1)
def byte_of_character() -> dict[str, int]:
    """Return the bytes by the characters that byte-level tokenizers write them as; printable ones are Latin-1."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in set(printable)]
    return {chr(byte): byte for byte in printable} | {chr(256 + place): byte for place, byte in enumerate(rest)}


class Entries:
    """The entries of the vocabulary of ``parts``, in the order in which they stand there."""

    def __init__(self, parts: DocumentParts) -> None:
        self._parts = parts
        self.is_byte_level = bool(parts.of_type("ByteLevel"))
        self.word_marks = _word_marks(parts)
        wordpiece = "##" if parts.model_type == "WordPiece" else ""
        self.prefix = parts.text_option("continuing_subword_prefix") or wordpiece
        self.suffix = parts.text_option("end_of_word_suffix")
        self.tokens = tuple(token for token in parts.tokens if token)

    def __len__(self) -> int:
        return len(self.tokens)

    def __getitem__(self, index: int) -> Entry:
        return self.entry(self.tokens[index])

    def entry(self, token: str) -> Entry:
        """Return ``token`` with its text."""
        if self.is_byte_level:
            return Entry(token, self._text_of_bytes(self.bytes_of(token)) or token)
        if self.prefix and token.startswith(self.prefix) and token != self.prefix:
            return Entry(token, token.removeprefix(self.prefix), goes_on=True)
        if self.suffix:
            text = token.removesuffix(self.suffix)
            return Entry(token, text or token, is_open=not token.endswith(self.suffix))
        for mark in self.word_marks:
            if token.startswith(mark) and token != mark:
                return Entry(token, token.removeprefix(mark).replace(mark, " "), opens=True)
        return Entry(token, token, goes_on=bool(self.word_marks))

    def bytes_of(self, token: str) -> bytes:
        """Return the bytes of a byte-level ``token``; those of its UTF-8 where it is none."""
        byte_of = byte_of_character()
        try:
            return bytes([byte_of[character] for character in token])
        except KeyError:
            return token.encode()

    def _text_of_bytes(self, data: bytes) -> str:
        """Return a text that has ``data`` in it, if there is one with characters that no entry has whole."""
        first = text_of_bytes(data)
        if first.encode() == data:
            return first
        return next((text for text in texts_of_bytes(data) if self._covered.isdisjoint(text)), first)

    @cached_property
    def _covered(self) -> frozenset[str]:
        return frozenset(self.alphabet)

    @cached_property
    def alphabet(self) -> tuple[str, ...]:
        """The characters of the texts of all entries, in order of code points."""
        if not self.is_byte_level:
            characters = set().union(*self.tokens) if self.tokens else set()
            return tuple(sorted(characters))
        texts = (self.bytes_of(token).decode("utf-8", "ignore") for token in self.tokens)
        return tuple(sorted(set().union(*texts))) if self.tokens else ()

    @cached_property
    def separator(self) -> str:
        """What stands between two entries that are to leave each other alone.

        A space ends words in most pipelines. Where bytes are tokenized, a space belongs to the word after it, so that a
        line end follows it; and the space is there since punctuation may take line ends with it.
        """
        return " \n" if self.is_byte_level else " "

    @cached_property
    def uncovered(self) -> tuple[str, ...]:
        """Characters that no entry has."""
        covered = set(self.alphabet)
        return tuple(character for character in UNCOVERED if character not in covered)

    @cached_property
    def fillers(self) -> tuple[str, ...]:
        """Characters that can stand before an entry which goes on inside a word, the best first.

        Nothing merges with a character that no entry has. WordPiece gives up words with such characters, so there it is
        characters that are entries of their own and begin few others.
        """
        if self.prefix:
            known = set(self.tokens)
            letters = [token for token in self.tokens if _is_plain_letter(token)]
            rare = sorted(letters, key=ord, reverse=True)[:MOST_FILLERS]
            return (*rare, *(character for character in PLAIN if character in known)) or tuple(PLAIN[:1])
        return self.uncovered or tuple(PLAIN[:1])

    def placed(self, entry: Entry) -> str:
        """Return the text of ``entry`` where it can come out: with a character beside it that does not get into it."""
        before = self._filler(entry.text) if entry.goes_on else ""
        after = (self.uncovered or (PLAIN[0],))[0] if entry.is_open else ""
        return before + entry.text + after

    def _filler(self, text: str) -> str:
        fillers = self.fillers
        if not self.prefix:
            return fillers[0]
        return next((each for each in fillers if not self._is_taken(each, text)), fillers[0])

    def _is_taken(self, filler: str, text: str) -> bool:
        """Return whether an entry begins with ``filler`` and goes on as ``text`` does."""
        known = self._known
        return any(filler + text[:end] in known for end in range(1, len(text) + 1))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.tokens)

    def joined(self, entries: Sequence[Entry]) -> str:
        """Return one text of ``entries``, each placed, separated so that they leave each other alone."""
        text = self.separator.join(self.placed(entry) for entry in entries)
        # A space that is put before the text would make another word of the first entry; without one it begins no word.
        is_other = self._adds_space or (entries[0].opens and not self._marks_beginning)
        return self.separator + text if is_other and not text[:1].isspace() else text

    @cached_property
    def _adds_space(self) -> bool:
        return any(each.members.get("add_prefix_space") is True for each in self._parts.of_type("ByteLevel"))

    @cached_property
    def _marks_beginning(self) -> bool:
        """Whether a text that begins without a space begins with a mark all the same."""
        marks = self._parts.of_type("Metaspace")
        return bool(self._parts.of_type("Prepend")) or any(
            each.members.get("prepend_scheme") != "never" for each in marks
        )


@lru_cache(maxsize=4)
def entries_of(parts: DocumentParts) -> Entries:
    """Return the entries of ``parts``; those of the last few are kept."""
    return Entries(parts)


def text_of_bytes(data: bytes) -> str:
    r"""Return a text that has ``data`` in it: beginnings and ends of characters are made whole.

    It is empty where no text has them in it.

    >>> text_of_bytes(b"\xa9a\xe2\x82").encode()
    b'\xc3\xa9a\xe2\x82\x80'
    """
    return next(texts_of_bytes(data), "")


def texts_of_bytes(data: bytes) -> Iterator[str]:
    """Yield texts that have ``data`` in it and as little as possible else; one only, where it is a text itself."""
    try:
        yield data.decode()
    except UnicodeDecodeError:
        leads = _LEADS if b"\x80" <= data[:1] < b"\xc0" else (b"",)
        for wrapped in (lead + data + end for lead in leads for end in _ENDS):
            try:
                yield wrapped.decode()
            except UnicodeDecodeError:
                continue


_LEADS = (
    b"\xc3", b"\xdc", b"\xe2\x80", b"\xe2", b"\xe1\x9e", b"\xed\x90", b"\xed", b"\xf0\x9f\x98", b"\xf0\x9f",
    b"\xf0\x92\x80", b"\xf0\x92", b"\xf0", b"\xf4",
)  # fmt: skip
"""Beginnings of characters of two, three and four bytes; any byte that may go on goes on after one of them."""

_ENDS = (
    b"",
    b"\x80",
    b"\xa0",
    b"\x90",
    b"\x80\x80",
    b"\xa0\x80",
    b"\x90\x80",
    b"\x90\x80\x80",
    b"\x80\x80\x80",
    b"\x9d\x9d",
)
"""Ends of characters; some beginnings allow only some of them."""


def _word_marks(parts: DocumentParts) -> tuple[str, ...]:
    """Return what stands for the space before a word in the entries."""
    marks = [component.members.get("replacement", WORD_MARK) for component in parts.of_type("Metaspace")]
    marks += [
        component.members.get("content") for component in parts.of_type("Replace") if _replaces_space(component.members)
    ]
    if not marks and any(token.startswith(WORD_MARK) for token in parts.tokens):
        marks = [WORD_MARK]
    return tuple(dict.fromkeys(mark for mark in marks if isinstance(mark, str) and mark.strip()))


def _replaces_space(members: object) -> bool:
    pattern = members.get("pattern") if isinstance(members, dict) else None
    return isinstance(pattern, dict) and " " in pattern.values()


def _is_plain_letter(text: str) -> bool:
    """Return whether ``text`` is one letter that normalizers keep as it is and pre-tokenizers leave in its word."""
    if len(text) != 1 or not text.isalpha() or text != text.lower():
        return False
    # BERT's pre-tokenizer has ideographs stand alone. The oldest version, since every Python has the same one.
    is_isolated = "\u2e80" <= text <= "\u9fff" or "\uf900" <= text <= "\ufaff" or text >= "\U00020000"
    return not is_isolated and unicodedata.ucd_3_2_0.normalize("NFKD", text) == text
