"""The key-value pairs at the beginning of a GGUF file; of a file of any size only these are read.

Versions 2 and 3 in both byte orders. Version 1, which had lengths of 32 bits, is refused: llama.cpp refuses it too.
"""

from __future__ import annotations

import os
import struct
import sys
from array import array
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Mapping

MAGIC = b"GGUF"
VERSIONS = (2, 3)
TOKENIZER = "tokenizer."
"""What the keys begin with whose lists are kept; lists of other keys are passed over."""

Scalar = int | float | bool | str
Value = Scalar | tuple[str, ...] | tuple[bool, ...] | array  # type: ignore[type-arg]  # of ints or of floats
"""A value: lists of numbers are arrays, lists of texts and of truth values tuples."""

UINT8, INT8, UINT16, INT16, UINT32, INT32, FLOAT32, BOOL, STRING, LIST, UINT64, INT64, FLOAT64 = range(13)

FORMATS = {
    UINT8: "B",
    INT8: "b",
    UINT16: "H",
    INT16: "h",
    UINT32: "I",
    INT32: "i",
    FLOAT32: "f",
    BOOL: "?",
    UINT64: "Q",
    INT64: "q",
    FLOAT64: "d",
}
"""The types of one size, as ``struct`` and ``array`` call them."""

LONGEST_KEY = 65535
"""The longest key that the format allows, in bytes."""

SHORTEST_PAIR = 13
"""The bytes that a pair has at least: the length of its key, its type and a value of one byte."""


class GgufError(Exception):
    """A file is no GGUF file, or not a whole one. The message says what is wrong and where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The key-value pairs of a GGUF file of this ``version``; ``tensors`` counts the tensors that follow them."""

    version: int
    tensors: int
    values: Mapping[str, Value]


def read_metadata(file: str | os.PathLike[str]) -> Metadata:
    """Read the key-value pairs of ``file``.

    Raises :class:`GgufError`, and :class:`OSError` where the file cannot be read.
    """
    path = Path(file)
    with path.open("rb") as opened:
        return _Reader(opened, path.stat().st_size).metadata()


class _Reader:
    def __init__(self, opened: BinaryIO, size: int) -> None:
        self._opened = opened
        self._size = size
        self._order = "<"
        self._key = ""

    def metadata(self) -> Metadata:
        head = self._opened.read(8)
        if head[:4] != MAGIC:
            raise GgufError(f"it is no GGUF file: it begins with {head[:4]!r}, and a GGUF file with {MAGIC!r}")
        if len(head) < 8:
            raise GgufError("it is cut off after its first bytes; get the file again")
        version = self._version(head[4:])
        tensors, pairs = self._number(UINT64), self._number(UINT64)
        self._check(pairs, SHORTEST_PAIR, "pairs")
        values: dict[str, Value] = {}
        for _ in range(pairs):
            self._key = ""
            key = self._text(LONGEST_KEY)
            if key in values:
                raise GgufError(f"the key {key!r} stands in it twice")
            self._key = key
            value = self._value(self._number(UINT32))
            if value is not None:
                values[key] = value
        return Metadata(version=version, tensors=tensors, values=values)

    def _version(self, field: bytes) -> int:
        little, big = (int.from_bytes(field, order) for order in ("little", "big"))
        if big in VERSIONS:
            self._order = ">"
        version = min(little, big)
        if version not in VERSIONS:
            known = " and ".join(map(str, VERSIONS))
            raise GgufError(f"it has version {version} of the format, and {known} can be read; convert the model again")
        return version

    def _value(self, kind: int) -> Value | None:
        """Return the value of this type that comes next; ``None`` for a list that nobody asks for."""
        if kind == STRING:
            return self._text()
        if kind in FORMATS:
            return self._number(kind)
        if kind != LIST:
            raise GgufError(f"{self._where} has a value of type {kind}, which the format does not know")
        kind, length = self._number(UINT32), self._number(UINT64)
        return self._list(kind, length)

    def _list(self, kind: int, length: int) -> Value | None:
        wanted = self._key.startswith(TOKENIZER)
        if kind == STRING:
            self._check(length, 8, "texts")
            texts = (self._text() for _ in range(length))
            if wanted:
                return tuple(texts)
            for _ in texts:
                pass
            return None
        if kind not in FORMATS:
            raise GgufError(f"{self._where} is a list of values of type {kind}, which cannot stand in a list here")
        size = struct.calcsize(f"={FORMATS[kind]}")
        self._check(length, size, "values")
        if not wanted:
            self._opened.seek(length * size, os.SEEK_CUR)
            return None
        content = self._bytes(length * size)
        if kind == BOOL:
            return tuple(map(bool, content))
        return self._array(FORMATS[kind], content)

    def _array(self, code: str, content: bytes) -> array:  # type: ignore[type-arg]  # of ints or of floats
        numbers = array(code, content)
        if (sys.byteorder == "little") != (self._order == "<"):
            numbers.byteswap()
        return numbers

    def _number(self, kind: int) -> int:
        layout = f"{self._order}{FORMATS[kind]}"
        (value,) = struct.unpack(layout, self._bytes(struct.calcsize(layout)))
        return value  # type: ignore[no-any-return]  # struct says nothing of types

    def _text(self, longest: int | None = None) -> str:
        """Return the text that comes next; bytes that are no UTF-8 stay, as surrogates, so that nothing is lost."""
        length = self._number(UINT64)
        if longest is not None and length > longest:
            raise GgufError(f"a key in it is {length} bytes long, and {longest} are allowed: the file is damaged")
        return self._bytes(length).decode("utf-8", "surrogateescape")

    def _bytes(self, count: int) -> bytes:
        self._check(count, 1, "bytes")
        found = self._opened.read(count)
        if len(found) < count:
            raise GgufError(self._cut)
        return found

    def _check(self, count: int, size: int, what: str) -> None:
        """Refuse to read ``count`` items of ``size`` bytes that the file cannot have, before memory is taken."""
        left = self._size - self._opened.tell()
        if count * size > left:
            raise GgufError(f"{self._cut} ({count:,} {what} are announced, and {left:,} bytes are left)")

    @property
    def _where(self) -> str:
        return f"the key {self._key!r}" if self._key else "a key"

    @property
    def _cut(self) -> str:
        return f"it is cut off at {self._where}, offset {self._opened.tell():,}; get the file again"
