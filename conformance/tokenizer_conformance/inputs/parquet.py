"""Parquet as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_conformance.inputs.columnar import ColumnarTable, is_in, library
from tokenizer_conformance.inputs.remote import SMALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

ROWS_AT_A_TIME = 1024

BUFFER = 4 << 20
"""How many bytes of a column are read at once; without that, all that a row group has of it would be in memory."""


@dataclass(frozen=True, slots=True)
class ParquetTable(ColumnarTable):
    """A Parquet file."""

    format: ClassVar[str] = "Parquet"
    group: ClassVar[str] = "row group"
    at_once: ClassVar[int] = SMALL
    magic: ClassVar[tuple[bytes, ...]] = (b"PAR1",)

    def _opened(self, file: BinaryIO) -> Any:
        return library("pyarrow.parquet", self.format).ParquetFile(file, pre_buffer=False, buffer_size=BUFFER)

    def _schema(self, file: Any) -> Any:
        return file.schema_arrow

    def _groups(self, file: Any, column: str, first: int) -> Iterator[Iterable[Any]]:
        for group in range(first, file.num_row_groups):
            yield file.iter_batches(ROWS_AT_A_TIME, columns=[column], use_threads=False, row_groups=[group])

    def _sizes(self, file: Any, column: str) -> Iterator[tuple[int, int]]:
        for number in range(file.num_row_groups):
            group = file.metadata.row_group(number)
            chunks = (group.column(at) for at in range(group.num_columns))
            in_column = (each.total_uncompressed_size for each in chunks if is_in(column, each.path_in_schema))
            yield group.num_rows, sum(in_column)

    def _rows_in_words(self, file: Any, group: int, first: int) -> str:
        return f"rows {first:,} to {first + file.metadata.row_group(group).num_rows - 1:,}"
