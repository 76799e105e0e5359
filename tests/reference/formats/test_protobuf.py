"""Protobuf messages are read field by field, and whatever is wrong is named with its byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.formats.protobuf import Fields, Kind, ProtobufFile, Span

FIELDS: Fields = {
    1: ("flag", Kind.BOOL),
    2: ("count", Kind.INT32),
    3: ("weight", Kind.FLOAT),
    4: ("name", Kind.STRING),
    5: ("blob", Kind.BYTES),
    16: ("part", Kind.MESSAGE),
}

VALUES = [
    ("08 01", ("flag", True, 0)),
    ("08 00", ("flag", False, 0)),
    ("08 ff 01", ("flag", True, 0)),
    ("10 00", ("count", 0, 0)),
    ("10 ac 02", ("count", 300, 0)),
    ("10 ff ff ff ff 07", ("count", 2**31 - 1, 0)),
    ("10 ff ff ff ff ff ff ff ff ff 01", ("count", -1, 0)),
    ("10 80 80 80 80 f8 ff ff ff ff 01", ("count", -(2**31), 0)),
    ("1d 00 00 c0 bf", ("weight", -1.5, 0)),
    ("22 02 c3 a9", ("name", "é", 0)),
    ("22 00", ("name", "", 0)),
    ("2a 02 ff 00", ("blob", b"\xff\x00", 0)),
    ("82 01 02 08 01", ("part", Span(3, 5), 0)),
]

SKIPPED = ["30 96 01", "39 00 00 00 00 00 00 00 00", "32 03 61 62 63", "35 00 00 00 00", ""]

MALFORMED = [
    ("08", r"byte 1: truncated: a varint has no end"),
    ("08 80", r"byte 1: truncated: a varint has no end"),
    ("80", r"byte 0: truncated: a varint has no end"),
    ("08 80 80 80 80 80 80 80 80 80 80 01", r"byte 1: not a protobuf message: a varint has more than 10 bytes"),
    ("00 01", r"byte 0: not a protobuf message: a field has the number 0"),
    ("22 05 61", r"byte 0: truncated: a field of 5 bytes begins, and 1 are left for it"),
    ("08 01 22 ff ff ff ff 0f", r"byte 2: truncated: a field of 4294967295 bytes begins, and 0 are left"),
    ("1d 00 00 00", r"byte 0: truncated: a field of 4 bytes begins, and 3 are left"),
    ("39 00", r"byte 0: truncated: a field of 8 bytes begins, and 1 are left"),
    ("0a 01 61", r"byte 0: flag: expected wire type 0, for a boolean, found 2"),
    ("20 01", r"byte 0: name: expected wire type 2, for a string, found 0"),
    ("18 01", r"byte 0: weight: expected wire type 5, for a 32-bit float, found 0"),
    ("08 01 22 02 61 ff", r"byte 5: name: not UTF-8: invalid start byte"),
    ("33", r"byte 0: not a protobuf message that can be read: a field has wire type 3"),
    ("37", r"byte 0: not a protobuf message that can be read: a field has wire type 7"),
]


def file(data: bytes) -> ProtobufFile:
    return ProtobufFile("some.model", data)


def read(data: bytes) -> list[tuple[str, object, int]]:
    return [tuple(value) for value in file(data).values(Span(0, len(data)), FIELDS)]


@pytest.mark.parametrize(("data", "value"), VALUES)
def test_a_field_is_read_as_its_kind(data: str, value: tuple[str, object, int]) -> None:
    assert read(bytes.fromhex(data)) == [value]


@pytest.mark.parametrize("data", SKIPPED)
def test_other_fields_are_passed_over(data: str) -> None:
    assert read(bytes.fromhex(f"08 01 {data} 08 00")) == [
        ("flag", True, 0),
        ("flag", False, 2 + len(bytes.fromhex(data))),
    ]


@pytest.mark.parametrize(("data", "message"), MALFORMED)
def test_malformed_data_is_named_with_its_byte(data: str, message: str) -> None:
    with pytest.raises(TokenizerFileError, match=rf"^some\.model, {message}"):
        read(bytes.fromhex(data))


def test_a_message_inside_a_message_ends_where_it_says() -> None:
    data = bytes.fromhex("82 01 03 22 05 61 22 00")
    part = next(file(data).values(Span(0, len(data)), FIELDS)).value
    assert isinstance(part, Span)
    with pytest.raises(TokenizerFileError, match=r"byte 3: truncated: a field of 5 bytes begins, and 1 are left"):
        list(file(data).values(part, FIELDS))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        offsets = [offset for _, _, offset in read(data)]
    except TokenizerFileError as error:
        refusal = str(error)
    else:
        refusal = "some.model, byte "
        assert offsets == sorted(set(offsets))
    assert refusal.startswith("some.model, byte ")
    assert len(refusal.splitlines()) == 1


@given(st.integers(0, 2**64 - 1))
def test_varints_are_read_as_they_are_written(number: int) -> None:
    groups = [number >> shift & 0x7F for shift in range(0, 64, 7)]
    while len(groups) > 1 and not groups[-1]:
        groups.pop()
    written = bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])
    low = number & 0xFFFFFFFF
    assert read(b"\x10" + written) == [("count", low - 2**32 if low >= 2**31 else low, 0)]
