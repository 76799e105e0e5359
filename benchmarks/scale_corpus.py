"""A corpus of any size: lines of books mixed, repeated with other words in them, and joined to lines of many lengths.

    python benchmarks/scale_corpus.py FOLDER BOOK.txt… --size 1000 --files 4 --form txt --seed 0

Writes SIZE million bytes of texts into FOLDER, as plain text, JSON Lines or Parquet, in FILES files of about one size.
The length of each text is drawn, evenly on a logarithmic scale, from 1 to LONGEST characters. What is written depends
on the books, the options and the seed alone.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from metrics_stream import MB, corpus
from pyarrow.parquet import ParquetWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROWS = 5_000
"""How many texts a row group of a Parquet file has."""

LONGEST = 20_000


def texts(books: list[Path], size: int, seed: int, lengths: tuple[int, int]) -> Iterator[str]:
    """Yield texts of ``size`` bytes in all, their lengths in characters drawn between the two of ``lengths``."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    pieces = corpus(books, sys.maxsize, seed)
    written = 0
    while written < size:
        length = int(lengths[0] * (lengths[1] / lengths[0]) ** rng.random())
        text = _of_length(pieces, length)
        yield text
        written += len(text.encode()) + 1


def _of_length(pieces: Iterator[str], length: int) -> str:
    found, so_far = [], 0
    while so_far < length:
        piece = next(pieces)
        found.append(piece)
        so_far += len(piece) + 1
    return " ".join(found)[:length]


def write_lines(file: Path, rows: Iterator[str]) -> None:
    """Write a text a line."""
    with file.open("w", encoding="utf-8", newline="") as opened:
        opened.writelines(f"{row}\n" for row in rows)


def write_json_lines(file: Path, rows: Iterator[str]) -> None:
    """Write an object with a text a line."""
    write_lines(file, (json.dumps({"text": row}, ensure_ascii=False) for row in rows))


def write_parquet(file: Path, rows: Iterator[str], in_group: int = ROWS) -> None:
    """Write a column of texts, so many a row group."""
    schema = pa.schema([("text", pa.string())])
    with ParquetWriter(file, schema) as writer:
        while group := list(islice(rows, in_group)):
            writer.write_table(pa.table({"text": group}, schema))


FORMS: dict[str, Callable[[Path, Iterator[str]], None]] = {
    "txt": write_lines,
    "jsonl": write_json_lines,
    "parquet": write_parquet,
}


def main() -> int:
    """Write the corpus, and print how large each file is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("books", type=Path, nargs="+")
    parser.add_argument("--size", type=float, default=1000, help="millions of bytes of texts")
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--form", choices=FORMS, default="txt")
    parser.add_argument("--longest", type=int, default=LONGEST, help="characters of the longest texts")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for number in range(given.files):
        file = given.folder / f"part-{number:03}.{given.form}"
        size = int(given.size * MB / given.files)
        FORMS[given.form](file, texts(given.books, size, given.seed * given.files + number, (1, given.longest)))
        print(f"{file}: {file.stat().st_size / MB:,.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
