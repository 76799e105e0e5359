"""Stretches of a source of texts, each of which a process reads by itself, without what is before it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bytes:
    """The lines of a file from the byte at ``start`` up to the one at ``end``, where a line ends."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RowGroups:
    """The rows of a Parquet file from its row group ``first`` on, without the first ``skipped`` of them.

    So are those of an Arrow file from a record batch on. How many they are is said by the partition.
    """

    first: int
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Whole:
    """All of a source that can be read from its beginning only."""


Place = Bytes | RowGroups | Whole


@dataclass(frozen=True, slots=True)
class Partition:
    """``count`` rows of the source with the number ``source``, after the ``first`` ones, and the ``place`` they are in.

    The rows of a text file are its lines; of JSON Lines too, blank ones included. ``checksum`` tells whether the file
    is still the one that was cut: that of the bytes in this place or, for files of columns, of the end of the file.
    """

    source: int
    first: int
    count: int
    place: Place
    checksum: int = 0
