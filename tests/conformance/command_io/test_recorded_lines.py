"""A record is read the same whether or not its file is compressed; a damaged file is refused with the reason."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import os
import threading
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEADER = json.dumps({"type": "header", "schema": "tokenizer-conformance-record"}).encode() + b"\n"
FOOTER = {"type": "footer", "finished": True, "lines": 1, "sha256": hashlib.sha256(HEADER).hexdigest()}
RECORD = HEADER + json.dumps(FOOTER).encode() + b"\n"

COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "xz": lzma.compress}


@pytest.mark.parametrize("name", COMPRESSIONS)
def test_a_compressed_record_is_the_record(tmp_path: Path, name: str) -> None:
    plain, compressed = tmp_path / "run.jsonl", tmp_path / f"run.jsonl.{name}"
    plain.write_bytes(RECORD)
    compressed.write_bytes(COMPRESSIONS[name](RECORD))
    read = read_lines(compressed)
    assert (list(read.lines), read.cut, read.sha256) == (
        list(read_lines(plain).lines),
        None,
        hashlib.sha256(RECORD).hexdigest(),
    )


@pytest.mark.parametrize("name", COMPRESSIONS)
def test_the_first_bytes_tell_and_not_the_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(COMPRESSIONS[name](RECORD))
    assert read_lines(path).footer == FOOTER


@pytest.mark.parametrize("name", COMPRESSIONS)
@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:30] + b"\xff" * 30 + data[60:]])
def test_a_damaged_file_is_refused_with_its_name(tmp_path: Path, name: str, damage: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(damage(COMPRESSIONS[name](RECORD)))
    with pytest.raises(
        BadInputError, match=r"run\.jsonl' (is damaged: it cannot be decompressed|cannot be read)|cannot read"
    ):
        read_lines(path)


def test_a_compressed_record_that_was_altered_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl.xz"
    path.write_bytes(lzma.compress(RECORD.replace(b"-record", b"-recorD")))
    with pytest.raises(BadInputError, match="was altered"):
        read_lines(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (HEADER[:-1], " line 1 is cut off: the run was killed before it had begun"),
        (b"", " is no record: it does not begin with the header of one"),
        (b"notes\n" + HEADER, " is no record: it does not begin with the header of one"),
    ],
)
def test_what_has_no_whole_header_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadInputError) as refused:
        read_lines(path)
    assert str(refused.value) == f"{str(path)!r}{said}"


def test_many_lines_are_not_held_in_memory(tmp_path: Path) -> None:
    line = json.dumps({"type": "failing", "input": "x" * 1000}).encode() + b"\n"
    path, count = tmp_path / "run.jsonl", 20_000
    path.write_bytes(HEADER + line * count)
    tracemalloc.start()
    read = read_lines(path)
    told = sum(len(each.get("input", "")) for each in read.lines)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(read.lines), told, read.lines[1], read.lines[-1]) == (count + 1, count * 1000, *[json.loads(line)] * 2)
    assert most < len(line) * count / 4


def test_what_can_be_read_but_once_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(RECORD,))
    writer.start()
    read = read_lines(path)
    writer.join()
    assert list(read.lines) == [json.loads(HEADER), FOOTER] == list(read.lines)
