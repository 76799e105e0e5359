"""The texts of a corpus: read as a stream, long ones in pieces."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokenizer_conformance.defaults import LONGEST_MEASURED
from tokenizer_conformance.inputs.opening import decoded_pieces, place_to_cut
from tokenizer_conformance.inputs.partitions import part_of
from tokenizer_conformance.inputs.rows import LeftOut, RowTexts
from tokenizer_conformance.inputs.text import Input, TextFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.inputs.places import Partition
    from tokenizer_conformance.inputs.sources import NamedSource


@dataclass(slots=True)
class Reading:
    """What there was when a source, or parts of it, were read: how many ``inputs``.

    ``texts`` were longer than allowed, and cut into ``pieces``; ``first`` is the first of them. ``left_out`` are rows
    of a table without a text; messages call the source ``title``, and each of its rows ``row``.
    """

    inputs: int = 0
    texts: int = 0
    pieces: int = 0
    first: str = ""
    title: str = ""
    row: str = ""
    left_out: LeftOut = field(default_factory=LeftOut)

    def merge(self, other: Reading) -> None:
        """Add what there was in a later part."""
        self.inputs += other.inputs
        self.texts += other.texts
        self.pieces += other.pieces
        self.first = self.first or other.first
        self.title, self.row = other.title, other.row
        self.left_out.add(other.left_out)

    def notes(self, name: str, longest: int) -> Iterator[str]:
        """Say what was left out, and what was cut, of the source of that ``name``."""
        left_out = self.left_out.said_of(self.title, self.row)
        if left_out is not None:
            yield left_out
        if self.texts:
            yield (
                f"{name}: {self.texts:,} {'text' if self.texts == 1 else 'texts'} of more than {longest:,} characters "
                f"(the first: {self.first}) cut into {self.pieces:,} pieces, before white space where there is any; a "
                "token across a cut is two"
            )


@dataclass(slots=True)
class SourceTexts:
    """The texts of ``source``, an input each; iterating reads it anew. Their category is their ``language``.

    That is what ``language`` says or, for the rows of a table, what stands in ``language_column``. A text with more
    than ``longest`` characters is cut before white space, each piece of it an input: ``name:12/3`` is the third of
    line 12. Of a text file no more than a piece is in memory, whatever the length of its lines; a row of a table is
    read whole.

    Iterating raises :class:`BadInputError` as the source does.
    """

    source: NamedSource
    language: str
    longest: int = LONGEST_MEASURED
    language_column: str | None = None
    reading: Reading = field(default_factory=Reading)

    @property
    def name(self) -> str:
        """The name of the source."""
        return self.source.name

    @property
    def column(self) -> str:
        """The column with the texts; empty where that was not said, or there is none."""
        texts = self.source.texts
        return (texts.column or "") if isinstance(texts, RowTexts) else ""

    @property
    def word(self) -> str:
        """The word that names the source on a command line."""
        return self.source.word

    def __iter__(self) -> Iterator[Input]:
        return (each for _, each in self.numbered())

    def part(self, partition: Partition) -> SourceTexts:
        """Return the texts of nothing but ``partition``."""
        return replace(self, source=part_of(self.source, partition), reading=Reading())

    def numbered(self) -> Iterator[tuple[int, Input]]:
        """Yield the texts, each with the number of its line or row in the source, from 1: pieces have the same."""
        reading = self.reading = Reading()
        texts = self.source.texts
        for numbered in self._lines(texts) if isinstance(texts, TextFile) else self._rows(texts):
            reading.inputs += 1
            yield numbered
        if isinstance(texts, RowTexts):
            reading.title, reading.row, reading.left_out = texts.table.title, texts.table.row, texts.left_out

    def _lines(self, file: TextFile) -> Iterator[tuple[int, Input]]:
        for piece in decoded_pieces(file.path, self.longest, file.part):
            place = f"{file.name}:{piece.number}"
            if piece.part == 1 and piece.is_last:
                yield piece.number, Input(place, self.language, piece.text)
                continue
            self._note(place, piece.part)
            yield piece.number, Input(f"{place}/{piece.part}", self.language, piece.text)

    def _rows(self, rows: RowTexts) -> Iterator[tuple[int, Input]]:
        # A part of what is read, so that what was left out can be told.
        rows.category_column = self.language_column
        for number, each in rows.numbered():
            whole = each if self.language_column is not None else replace(each, category=self.language)
            yield from ((number, piece) for piece in self._pieces(whole))

    def _pieces(self, whole: Input) -> Iterator[Input]:
        if len(whole.text) <= self.longest:
            yield whole
            return
        part, start, text = 1, 0, whole.text
        while start < len(text):
            window = text[start : start + self.longest + 1]
            length = place_to_cut(window, self.longest) if len(window) > self.longest else len(window)
            self._note(whole.id, part)
            yield Input(f"{whole.id}/{part}", whole.category, window[:length])
            part, start = part + 1, start + length

    def _note(self, place: str, part: int) -> None:
        reading = self.reading
        reading.texts += part == 1
        reading.pieces += 1
        reading.first = reading.first or place
