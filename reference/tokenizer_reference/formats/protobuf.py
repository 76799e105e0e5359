"""The wire format of Protocol Buffers: as much of it as reading messages of a known shape takes.

A message is a row of fields. A field is a key, ``number << 3 | wire type`` as a varint, and a value. A varint holds 7
bits per byte, the lowest first; bit 7 says that more follow. A length is a varint before the bytes it counts. Groups
(wire types 3 and 4), long deprecated, are not read. Source: the encoding chapter of the Protocol Buffers documentation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from struct import unpack_from
from typing import TYPE_CHECKING, NamedTuple

from tokenizer_reference.formats.file_errors import at_byte

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_reference.errors import TokenizerFileError
    from tokenizer_reference.formats.file_errors import FilePath


class WireType(IntEnum):
    """The wire types: how many bytes a value takes, and how they are read."""

    VARINT = 0
    FIXED64 = 1
    LENGTH = 2
    FIXED32 = 5


class Kind(Enum):
    """The types of fields that can be read, each with its name in errors."""

    BOOL = "a boolean"
    INT32 = "a number"
    FLOAT = "a 32-bit float"
    STRING = "a string"
    BYTES = "bytes"
    MESSAGE = "a message"


WIRE_TYPES = {
    Kind.BOOL: WireType.VARINT,
    Kind.INT32: WireType.VARINT,
    Kind.FLOAT: WireType.FIXED32,
    Kind.STRING: WireType.LENGTH,
    Kind.BYTES: WireType.LENGTH,
    Kind.MESSAGE: WireType.LENGTH,
}

_FIXED_SIZES: dict[int, int] = {WireType.FIXED64: 8, WireType.FIXED32: 4}
_LONGEST_VARINT = 10


class Span(NamedTuple):
    """Where the bytes of a message begin and end within the file, end exclusive."""

    start: int
    end: int


Value = bool | int | float | str | bytes | Span


class FieldValue(NamedTuple):
    """A value that was read: the name of its field, and the byte at which the field begins."""

    name: str
    value: Value
    offset: int


Fields = dict[int, tuple[str, Kind]]
"""The fields of a message that are read: number to name and kind."""


@dataclass(frozen=True, slots=True)
class ProtobufFile:
    """The content of the file ``path``, which errors name.

    Reading raises :class:`~tokenizer_reference.errors.TokenizerFileError`, with the byte, where the data ends early or
    is not as the wire format has it. One field is read at a time, and a message inside a message only when asked for.
    """

    path: FilePath
    data: bytes

    def whole(self) -> Span:
        """Return the bytes of the outermost message."""
        return Span(0, len(self.data))

    def fail(self, offset: int, message: str) -> TokenizerFileError:
        """Return the error to raise for a byte of the file."""
        return at_byte(self.path, offset, message)

    def values(self, message: Span, fields: Mapping[int, tuple[str, Kind]]) -> Iterator[FieldValue]:
        """Yield the values of ``fields`` in ``message``, in the order of the file; other fields are passed over.

        A field that is not repeated can occur more than once all the same; then its last value counts, or of messages
        all of them together.
        """
        at = message.start
        while at < message.end:
            key, start = self._varint(at, message.end)
            number, wire_type = key >> 3, key & 7
            if number == 0:
                raise self.fail(at, "not a protobuf message: a field has the number 0")
            value = self._extent(wire_type, at, start, message.end)
            if number in fields:
                name, kind = fields[number]
                if wire_type != WIRE_TYPES[kind]:
                    raise self.fail(
                        at, f"{name}: expected wire type {WIRE_TYPES[kind]:d}, for {kind.value}, found {wire_type}"
                    )
                yield FieldValue(name, self._value(name, kind, value), at)
            at = value.end

    def _extent(self, wire_type: int, at: int, start: int, end: int) -> Span:
        """Return the bytes of the value that begins at ``start``, in a field that begins at ``at``."""
        if wire_type == WireType.VARINT:
            return Span(start, self._varint(start, end)[1])
        if wire_type == WireType.LENGTH:
            size, start = self._varint(start, end)
        elif wire_type in _FIXED_SIZES:
            size = _FIXED_SIZES[wire_type]
        else:
            raise self.fail(at, f"not a protobuf message that can be read: a field has wire type {wire_type}")
        if size > end - start:
            raise self.fail(at, f"truncated: a field of {size} bytes begins, and {end - start} are left for it")
        return Span(start, start + size)

    def _varint(self, at: int, end: int) -> tuple[int, int]:
        """Return the unsigned number that begins at ``at``, and where it ends."""
        data = self.data
        value = shift = 0
        for position in range(at, min(end, at + _LONGEST_VARINT)):
            byte = data[position]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value, position + 1
            shift += 7
        if end - at < _LONGEST_VARINT:
            raise self.fail(at, "truncated: a varint has no end")
        raise self.fail(at, f"not a protobuf message: a varint has more than {_LONGEST_VARINT} bytes")

    def _value(self, name: str, kind: Kind, span: Span) -> Value:
        start, end = span
        match kind:
            case Kind.BOOL:
                return self._varint(start, end)[0] != 0
            case Kind.INT32:
                return _signed(self._varint(start, end)[0])
            case Kind.FLOAT:
                number: float = unpack_from("<f", self.data, start)[0]
                return number
            case Kind.BYTES:
                return self.data[start:end]
            case Kind.MESSAGE:
                return span
            case Kind.STRING:
                try:
                    return self.data[start:end].decode()
                except UnicodeDecodeError as error:
                    raise self.fail(start + error.start, f"{name}: not UTF-8: {error.reason}") from None


def _signed(value: int) -> int:
    """Return the number that the lowest 32 bits of ``value`` are in two's complement."""
    low = value & 0xFFFFFFFF
    return low - 2**32 if low >= 2**31 else low
