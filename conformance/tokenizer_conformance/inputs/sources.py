"""Where inputs come from, as words of a command line name it: text files, JSON Lines, Parquet, datasets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.dataset_splits import DatasetTable, is_dataset
from tokenizer_conformance.inputs.json_lines import JsonLinesTable
from tokenizer_conformance.inputs.parquet import ParquetTable
from tokenizer_conformance.inputs.paths import expanded
from tokenizer_conformance.inputs.rows import RowTexts
from tokenizer_conformance.inputs.text import Split, TextFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tokenizer_conformance.inputs.rows import Table
    from tokenizer_conformance.inputs.text import Input

TABLES: dict[str, Callable[[Path, str], Table]] = {
    ".jsonl": JsonLinesTable,
    ".ndjson": JsonLinesTable,
    ".parquet": ParquetTable,
}
"""What reads the files whose names end so, in any case; all other files are plain text."""


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A source of inputs: the ``word`` that names it on a command line, and the ``name`` that is their category.

    Its name holds where the words in ``beside`` are given as well: those of files with the same file name. Iterating
    reads ``texts`` anew, and raises :class:`BadInputError` as these do.
    """

    word: str
    name: str
    texts: TextFile | RowTexts
    beside: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Input]:
        return iter(self.texts)

    @property
    def options(self) -> tuple[str, ...]:
        """The words of a command line that give this source under its name."""
        column = self.texts.column if isinstance(self.texts, RowTexts) else None
        return ("--inputs", self.word, *self.beside, *(() if column is None else ("--column", column)))

    @property
    def has_columns(self) -> bool:
        """Whether the texts stand in a column."""
        return isinstance(self.texts, RowTexts)

    def said_of_left_out(self) -> str | None:
        """Say what was left out when this was last read through, ``None`` where nothing was."""
        return self.texts.said_of_left_out() if isinstance(self.texts, RowTexts) else None


def sources_of(
    paths: Iterable[str | Path], column: str | None = None, splits: Sequence[Split] = (Split.LINE,)
) -> list[NamedSource]:
    """Return the source that each of ``paths`` names, once each; nothing is read yet.

    A path is that of a file, or a word ``datasets:NAME[:CONFIG]:SPLIT``. ``column`` says which column of tables has the
    texts, ``splits`` how text files are cut into inputs. Files are named by their file names, or by their paths where
    names collide.
    """
    words = tuple(dict.fromkeys(word if is_dataset(word) else str(expanded(word)) for word in map(str, paths)))
    files = [word for word in words if not is_dataset(word)]
    sources = []
    for word in words:
        if is_dataset(word):
            table: Table = DatasetTable(word)
            sources.append(NamedSource(word, table.name, RowTexts(table, column)))
            continue
        path = Path(word)
        beside = tuple(other for other in files if other != word and Path(other).name == path.name)
        name = path.as_posix() if beside else path.name
        reader = TABLES.get(path.suffix.casefold())
        texts = TextFile(path, name, tuple(splits)) if reader is None else RowTexts(reader(path, name), column)
        sources.append(NamedSource(word, name, texts, beside))
    return sources
