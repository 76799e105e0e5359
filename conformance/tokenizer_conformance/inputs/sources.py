"""Where inputs come from, as words of a command line name it: text files, JSON Lines, Parquet, datasets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.arrow import ArrowTable
from tokenizer_conformance.inputs.dataset_splits import DatasetTable, is_dataset
from tokenizer_conformance.inputs.given_files import files_of, kind_of_name, words_by_name
from tokenizer_conformance.inputs.json_lines import JsonLinesTable
from tokenizer_conformance.inputs.parquet import ParquetTable
from tokenizer_conformance.inputs.rows import RowTexts
from tokenizer_conformance.inputs.text import Split, TextFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from tokenizer_conformance.inputs.given_files import GivenFile
    from tokenizer_conformance.inputs.remote import Location
    from tokenizer_conformance.inputs.rows import Table
    from tokenizer_conformance.inputs.text import Input

TABLES: dict[str, Callable[[Location, str], Table]] = {
    ".jsonl": JsonLinesTable,
    ".ndjson": JsonLinesTable,
    ".parquet": ParquetTable,
    ".arrow": ArrowTable,
    ".feather": ArrowTable,
}
"""What reads the files whose names end so, in any case; all other files are plain text."""


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A source of inputs: the ``word`` that names it alone, and the ``name`` that is their category.

    It has this name where the ``given`` words of a command line are given, as those of a folder, or of files that have
    the same name otherwise. Iterating reads ``texts`` anew, and raises :class:`BadInputError` as these do.
    """

    word: str
    name: str
    texts: TextFile | RowTexts
    given: tuple[str, ...]
    left_out: str = ""
    """What was left out of the folder that it is the first of, in words."""

    def __iter__(self) -> Iterator[Input]:
        return iter(self.texts)

    @property
    def options(self) -> tuple[str, ...]:
        """The words of a command line that give this source under its name."""
        column = self.texts.column if isinstance(self.texts, RowTexts) else None
        return ("--inputs", *self.given, *(() if column is None else ("--column", column)))

    @property
    def has_columns(self) -> bool:
        """Whether the texts stand in a column."""
        return isinstance(self.texts, RowTexts)

    def said_of_left_out(self) -> str | None:
        """Say what was left out when this was last read through, ``None`` where nothing was."""
        of_rows = self.texts.said_of_left_out() if isinstance(self.texts, RowTexts) else None
        return "; ".join(filter(None, (self.left_out, of_rows))) or None


def sources_of(
    paths: Iterable[str | Path], column: str | None = None, splits: Sequence[Split] = (Split.LINE,)
) -> list[NamedSource]:
    """Return the sources that ``paths`` name, once each; no text is read yet.

    A path is that of a file or a folder, a pattern, a URL, or a word ``datasets:NAME[:CONFIG]:SPLIT``. ``column`` says
    which column of tables has the texts, ``splits`` how text files are cut into inputs. Files are named by their file
    names, in folders by their paths there, and by their whole paths where names collide.
    """
    found: dict[str, GivenFile | DatasetTable] = {}
    for word in map(str, paths):
        if is_dataset(word):
            found.setdefault(word, DatasetTable(word))
        else:
            for each in files_of(word):
                found.setdefault(str(each.place), each)
    words = words_by_name(each for each in found.values() if not isinstance(each, DatasetTable))
    return [
        NamedSource(word, each.name, RowTexts(each, column), (word,))
        if isinstance(each, DatasetTable)
        else _file_source(each, words[each.name], column, tuple(splits))
        for word, each in found.items()
    ]


def _file_source(file: GivenFile, words: Sequence[str], column: str | None, splits: tuple[Split, ...]) -> NamedSource:
    place, name = file.place, file.name_among(words)
    reader = TABLES.get(kind_of_name(file.name))
    texts = TextFile(place, name, splits) if reader is None else RowTexts(reader(place, name), column)
    return NamedSource(str(place), name, texts, tuple(dict.fromkeys((file.word, *words))), file.left_out)
