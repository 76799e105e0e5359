"""What the file of a tokenizer says about its ids: how many there are, which text each stands for, which is unknown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.entries import entries_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts
    from tokenizer_conformance.inputs.text_generators.entries import Entries

MOST_ID = (1 << 63) - 1
"""The largest number that is taken for an id: what an implementation answers has to fit into 64 bits."""

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


@dataclass(frozen=True)
class Vocabulary:
    """The facts of one vocabulary.

    ``size`` is the number of ids, of the model's entries and of added tokens. ``bytes_of`` has the UTF-8 that each id
    stands for, without marks of where words begin, end or go on; added tokens and unknown ones have none. ``marked`` is
    what the entries of the model are mapped to so that vocabularies can be compared: their bytes, with a space before
    those that begin a word.
    """

    size: int
    unknown_ids: frozenset[int]
    bytes_of: Mapping[int, bytes]
    marked: frozenset[bytes]

    @cached_property
    def unmarked(self) -> frozenset[bytes]:
        """The bytes of the entries wherever they stand: without the space before, and without those that are empty."""
        return frozenset(entry.removeprefix(b" ") for entry in self.marked) - {b""}

    @cached_property
    def lengths(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The ids of the entries, ascending, and for each its length in bytes and in characters.

        The characters are those that begin in the entry, so that entries with parts of characters give the
        characters of the text in all.
        """
        ids = sorted(self.bytes_of)
        entries = [self.bytes_of[id] for id in ids]
        lengths = [(len(data), sum((byte & 0b1100_0000) != 0b1000_0000 for byte in data)) for data in entries]
        return np.array(ids, np.int64), np.array(lengths, np.int64).reshape(len(ids), 2)

    @cached_property
    def partial_ids(self) -> frozenset[int]:
        """The ids of the entries that have a part of a character: their bytes are not UTF-8 by themselves."""
        return frozenset(id for id, data in self.bytes_of.items() if not _is_text(data))

    @cached_property
    def white_space_ids(self) -> frozenset[int]:
        """The ids of the entries that are white space and nothing else."""
        return frozenset(id for id, data in self.bytes_of.items() if data.decode("utf-8", "replace").isspace())


def vocabulary_of(document: Mapping[str, Any]) -> Vocabulary:
    """Return the facts of the vocabulary of ``document``, a tokenizer.json that has been parsed.

    An entry is mapped to bytes by its alphabet: of ByteLevel, of byte fallback (``<0x0A>``), or as UTF-8. It begins a
    word if it begins with a space (byte-level) or with Metaspace's mark of one, or, in a WordPiece vocabulary, if it
    does not have the prefix of those that go on. A mark of where words end (``</w>``) is left out.
    """
    parts = parts_of(document)
    entries = entries_of(parts)
    has_byte_fallback = parts.model.get("byte_fallback") is True
    added = {str(each["content"]): each.get("id") for each in parts.added_tokens}
    ids = dict(_ids(parts))
    mapped = {
        token: _bytes_of(token, entries, has_byte_fallback=has_byte_fallback) for token in ids if token not in added
    }
    unknown = frozenset(_unknown_ids(parts, ids, added))
    return Vocabulary(
        size=len({*ids.values(), *(id for id in added.values() if isinstance(id, int))}),
        unknown_ids=unknown,
        bytes_of={ids[token]: data for token, (_, data) in mapped.items() if ids[token] not in unknown},
        marked=frozenset(mark + data for mark, data in mapped.values()),
    )


def _ids(parts: DocumentParts) -> Iterator[tuple[str, int]]:
    """Yield the entries of the model with their ids; of pieces that stand there twice the first, as it is looked up."""
    vocabulary = parts.model.get("vocab")
    if isinstance(vocabulary, list):
        index_of: dict[object, int] = {}
        for index, row in enumerate(vocabulary):
            index_of.setdefault(row[0] if isinstance(row, list) and row else None, index)
        yield from ((token, index_of[token]) for token in parts.tokens if token)
    elif isinstance(vocabulary, dict):
        yield from (
            (token, vocabulary[token])
            for token in parts.tokens
            if token and type(vocabulary[token]) is int and 0 <= vocabulary[token] <= MOST_ID
        )


def _unknown_ids(parts: DocumentParts, ids: Mapping[str, int], added: Mapping[str, object]) -> Iterator[int]:
    if type(parts.model.get("unk_id")) is int:
        yield parts.model["unk_id"]
    for id in (ids.get(parts.text_option("unk_token")), added.get(parts.text_option("unk_token"))):
        if isinstance(id, int):
            yield id


def _bytes_of(token: str, entries: Entries, *, has_byte_fallback: bool) -> tuple[bytes, bytes]:
    """Return the mark of a beginning of a word, a space or nothing, and the bytes of ``token`` behind it."""
    byte = _BYTE.fullmatch(token) if has_byte_fallback else None
    if byte:
        return b"", bytes([int(byte[1], 16)])
    if entries.is_byte_level:
        return _split(entries.bytes_of(token))
    for mark in entries.word_marks:
        if mark in token:
            return _split(token.replace(mark, " ").encode())
    entry = entries.entry(token)
    begins = bool(entries.prefix) and not entry.goes_on
    return (b" " if begins else b""), entry.text.encode()


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _split(data: bytes) -> tuple[bytes, bytes]:
    """Return the space before ``data`` and the rest; one of white space alone is no mark."""
    return (b" ", data[1:]) if data.startswith(b" ") and data.strip() else (b"", data)
