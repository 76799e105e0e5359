"""Arrow as a table: files and streams of record batches, as ``datasets`` and Feather write them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_conformance.inputs.columnar import ColumnarTable, library

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

FILE = b"ARROW1"
"""How a file begins that has a table of its batches; a stream has none."""

STREAM = b"\xff\xff\xff\xff"


@dataclass(frozen=True, slots=True)
class ArrowTable(ColumnarTable):
    """An Arrow file or stream."""

    format: ClassVar[str] = "Arrow"
    group: ClassVar[str] = "record batch"
    at_once: ClassVar[int] = 1 << 20
    magic: ClassVar[tuple[bytes, ...]] = (FILE, STREAM)

    def _opened(self, file: BinaryIO) -> Any:
        arrow, ipc = library("pyarrow", self.format), library("pyarrow.ipc", self.format)
        is_file = file.read(len(FILE)) == FILE
        file.seek(0)
        # What is mapped need not be read to be passed over.
        source = arrow.memory_map(str(self.path)) if isinstance(self.path, Path) else file
        return ipc.open_file(source) if is_file else ipc.open_stream(source)

    def _schema(self, file: Any) -> Any:
        return file.schema

    def _groups(self, file: Any, column: str, first: int) -> Iterator[Iterable[Any]]:
        name = column if column in file.schema.names else column.partition(".")[0]
        for batch in _batches_from(file, first):
            yield [batch.select([name])]

    def _sizes(self, file: Any, column: str) -> Iterator[tuple[int, int]]:
        sizes = ((batch.num_rows, batch.nbytes) for (batch,) in self._groups(file, column, 0))
        if isinstance(self.path, Path) or hasattr(file, "get_batch"):
            yield from sizes
        else:  # what is before a batch would have to be read for it
            yield sum(rows for rows, _ in sizes), 0


def _batches_from(file: Any, first: int) -> Iterator[Any]:
    if hasattr(file, "get_batch"):
        return (file.get_batch(number) for number in range(first, file.num_record_batches))
    return islice(file, first, None)
