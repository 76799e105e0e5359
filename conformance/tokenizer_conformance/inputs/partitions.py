"""Sources of texts, cut into partitions: what a process reads by itself, and so the unit of a task and of a shard.

A line of a file, or a row, is in the partition where it begins. Where partitions end depends on the source alone and on
how large they are to be, never on who reads them; read one after the other, they give what reading the source gives.
"""

from __future__ import annotations

import codecs
import hashlib
import sys
from collections import deque
from dataclasses import dataclass, replace
from os import SEEK_END
from typing import TYPE_CHECKING
from zlib import crc32

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.columnar import ColumnarTable
from tokenizer_conformance.inputs.json_lines import JsonLinesTable
from tokenizer_conformance.inputs.opening import changed, decoded_pieces, has_places, opened, opened_lines
from tokenizer_conformance.inputs.places import Bytes, Partition, Whole
from tokenizer_conformance.inputs.remote import SMALL, Url
from tokenizer_conformance.inputs.text import Split, TextFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedIOBase
    from typing import BinaryIO

    from tokenizer_conformance.inputs.remote import Location
    from tokenizer_conformance.inputs.rows import RowTexts
    from tokenizer_conformance.inputs.sources import NamedSource
    from tokenizer_conformance.inputs.text import Input

PARTITION_BYTES = 4 << 20
"""How large a partition is, if nothing else is said. A longer line makes a larger one."""

BLOCK = 1 << 20
"""How many bytes are read at a time where lines are counted."""


@dataclass(frozen=True, slots=True)
class Partitioned:
    """The ``partitions`` of a source, in order, and a digest: that of its bytes, or of the texts of a dataset.

    Of a file of columns that is elsewhere, it is that of its size and its end, which tells what is in it.
    """

    partitions: tuple[Partition, ...]
    sha256: str

    @property
    def rows(self) -> int:
        """How many rows the source has."""
        return sum(each.count for each in self.partitions)


def bytes_of(source: NamedSource) -> int:
    """Return how many bytes the file of ``source`` has; 0 for what is no file, or cannot be read."""
    texts = source.texts
    of = texts if isinstance(texts, TextFile) else texts.table
    if not isinstance(of, TextFile | JsonLinesTable | ColumnarTable):
        return 0
    try:
        with opened(of.path) as file:
            return file.seek(0, SEEK_END)
    except BadInputError:
        return 0


def partitions_of(source: NamedSource, number: int = 0, size: int = PARTITION_BYTES) -> Partitioned:
    """Return the partitions of about ``size`` bytes of ``source``, which has that ``number`` in its corpus.

    A file of lines is read once, in blocks; of files of columns, no texts are read. Raises :class:`BadInputError` where
    the source cannot be read, or is a file that is empty or not UTF-8. What is wrong with rows is seen when they are
    read.
    """
    digest = hashlib.sha256()
    partitions = tuple(replace(each, source=number) for each in _partitions(source.texts, size, digest))
    if not partitions:
        deque(source, 0)  # says what is wrong with it
    return Partitioned(partitions, digest.hexdigest())


def read_partition(source: NamedSource, partition: Partition) -> Iterator[Input]:
    """Yield the inputs of one ``partition`` of ``source``, with the ids and categories that they have in the whole.

    Raises :class:`BadInputError` as reading the source does, and where it has changed since it was cut.
    """
    return iter(part_of(source, partition))


def part_of(source: NamedSource, partition: Partition) -> NamedSource:
    """Return ``source`` with nothing but ``partition``: whatever reads sources reads that."""
    texts = source.texts
    if isinstance(texts, TextFile):
        return replace(source, texts=replace(texts, part=partition)) if _is_of_lines(texts) else source
    if isinstance(texts.table, JsonLinesTable | ColumnarTable):
        return replace(source, texts=replace(texts, table=replace(texts.table, part=partition), is_part=True))
    return source


def _is_of_lines(texts: TextFile) -> bool:
    return texts.splits == (Split.LINE,)


def _partitions(texts: TextFile | RowTexts, size: int, digest: hashlib._Hash) -> Iterator[Partition]:
    column = "" if isinstance(texts, TextFile) else texts.chosen_column()
    if isinstance(texts, TextFile):
        lines = _lines(texts.path, size, digest)
        if _is_of_lines(texts):
            yield from lines
        else:
            deque(lines, 0)
            yield Partition(0, 0, sum(1 for _ in texts), Whole())
    elif isinstance(texts.table, JsonLinesTable):
        yield from _lines(texts.table.path, size, digest)
    elif isinstance(texts.table, ColumnarTable):
        _digest_file(texts.table.path, digest)
        yield from texts.table.places(column, size)
    else:
        yield _whole(texts, digest)


def _whole(texts: RowTexts, digest: hashlib._Hash) -> Partition:
    for each in texts:
        digest.update(f"{len(each.id)}\0{each.id}\0{len(each.text)}\0{each.text}\0".encode("utf-8", "surrogatepass"))
    return Partition(0, 0, texts.left_out.rows, Whole())


def _digest_file(path: Location, digest: hashlib._Hash) -> None:
    with opened(path) as file:
        if isinstance(path, Url):
            size = file.seek(0, SEEK_END)
            digest.update(b"%d " % size)
            file.seek(max(size - SMALL, 0))
        while block := file.read(BLOCK):
            digest.update(block)


def _lines(path: Location, size: int, digest: hashlib._Hash) -> Iterator[Partition]:
    """Yield the lines that begin in each ``size`` bytes; of what is compressed, all lines."""
    first = 0
    with opened_lines(path) as file:
        can_be_cut = has_places(file)
        for place, count, checksum in _stretches(_blocks(path, file, digest), size if can_be_cut else sys.maxsize):
            yield Partition(0, first, count, place if can_be_cut else Whole(), checksum)
            first += count


def _blocks(path: Location, file: BinaryIO | BufferedIOBase, digest: hashlib._Hash) -> Iterator[bytes]:
    """Yield the bytes of a ``file``. Raises :class:`BadInputError` where it is empty, or not UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_bad = True
    try:
        while block := file.read(BLOCK):
            is_bad = False
            digest.update(block)
            decoder.decode(block)
            yield block
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        is_bad = True
    if is_bad:
        deque(decoded_pieces(path, BLOCK), 0)  # tells the place
        raise changed(path)


def _stretches(blocks: Iterator[bytes], size: int) -> Iterator[tuple[Bytes, int, int]]:
    """Yield the bytes, the number and the checksum of the lines that begin in each ``size`` bytes."""
    begin = lines = at = checksum = 0
    block = b""
    for block in blocks:
        done = 0
        view = memoryview(block)
        while (end := block.find(b"\n", max(begin - begin % size + size - 1 - at, 0))) >= 0:
            end += 1
            yield Bytes(begin, at + end), lines + block.count(b"\n", done, end), crc32(view[done:end], checksum)
            begin, done, lines, checksum = at + end, end, 0, 0
        lines += block.count(b"\n", done)
        checksum = crc32(view[done:], checksum)
        at += len(block)
    if at > begin:
        yield Bytes(begin, at), lines + (not block.endswith(b"\n")), checksum
