"""The files of texts that words of a command line name: themselves, by their folder, by a pattern, or elsewhere.

Of a folder, those files are taken that are of a kind that is read here, in folders in it too. What is hidden is left
out, and of a folder that ``datasets`` has saved, what it keeps there for itself.
"""

from __future__ import annotations

import glob
import json
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.paths import expanded
from tokenizer_conformance.inputs.remote import Url, files_at, is_url, open_url
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tokenizer_conformance.inputs.remote import Location

LINES = frozenset({".txt", ".jsonl", ".ndjson"})
"""How names of files of lines end, which may be compressed."""

COLUMNS = frozenset({".parquet", ".arrow", ".feather"})

COMPRESSED = frozenset({".gz", ".xz", ".zst"})

WILDCARD = re.compile(r"[*?[]")

CHECKPOINT = "tokenizer.json"
"""What is in a folder that is no corpus."""

STATE = "state.json"
"""What is in a folder that ``datasets`` has saved: it names the files with the rows."""

OF_DATASETS = frozenset({STATE, "dataset_info.json", "dataset_dict.json"})
"""What else is in such a folder."""

LISTED = 3
"""How many files a message lists."""


@dataclass(frozen=True, slots=True)
class GivenFile:
    """The file at ``place``, which the ``word`` of a command line names, itself or by its folder or a pattern.

    Its ``name`` begins after that folder, or after the part of the pattern that has no wildcards. The first one of a
    folder has in ``left_out`` which files there are of no kind that is read, in words.
    """

    word: str
    place: Location
    name: str
    left_out: str = ""

    def name_among(self, words: Sequence[str]) -> str:
        """Return its name where ``words`` give files with that name: its path if they are several."""
        return self.name if len(words) == 1 else self.place.as_posix()


def unpacked_name(name: str) -> str:
    """Return ``name`` without what it ends in only because it is compressed.

    >>> unpacked_name("a.jsonl.GZ"), unpacked_name("a.parquet")
    ('a.jsonl', 'a.parquet')
    """
    ending = PurePosixPath(name).suffix
    return name.removesuffix(ending) if ending.casefold() in COMPRESSED else name


def kind_of_name(name: str) -> str:
    """Return how ``name`` ends, whether compressed or not.

    >>> kind_of_name("a.JSONL.gz"), kind_of_name("a.gz"), kind_of_name("a.parquet")
    ('.jsonl', '', '.parquet')
    """
    return PurePosixPath(unpacked_name(name.casefold())).suffix


def words_by_name(files: Iterable[GivenFile]) -> dict[str, list[str]]:
    """Return the word of each of the ``files`` that have a name, by that name."""
    words: dict[str, list[str]] = {}
    for each in files:
        words.setdefault(each.name, []).append(each.word)
    return words


def files_of(word: str) -> Sequence[GivenFile]:
    """Return the files that ``word`` names, in order. What is not there, or has no files, is a file by itself."""
    return _files_elsewhere(Url(word)) if is_url(word) else _files(word)


def _files(word: str) -> Sequence[GivenFile]:
    path = expanded(word)
    alone = GivenFile(str(path), path, path.name)
    if path.is_dir() and not (path / CHECKPOINT).exists():
        found = _names_in(path)
        names = of_known_kinds(found, lambda name: (path / name).read_bytes())
        return _with_left_out([GivenFile(word, path / name, name) for name in names], found) or [alone]
    if path.exists() or not WILDCARD.search(str(path)):
        return [alone]
    root = _before_wildcards(path)
    pattern = str(path.relative_to(root))
    names = sorted(glob.glob(pattern, root_dir=root, recursive=True))  # noqa: PTH207 - which would take hidden files
    return [GivenFile(word, root / name, Path(name).as_posix()) for name in names if (root / name).is_file()] or [alone]


def _before_wildcards(path: Path) -> Path:
    return next(each for each in path.parents if not WILDCARD.search(str(each)))


def _names_in(folder: Path) -> list[str]:
    return [
        (Path(where) / name).relative_to(folder).as_posix() for where, _, names in os.walk(folder) for name in names
    ]


def _files_elsewhere(url: Url) -> Sequence[GivenFile]:
    alone = GivenFile(url.word, url, url.name)
    if not url.is_pattern and not url.word.endswith("/") and _is_known(url.name):
        return [alone]
    try:
        found = files_at(url)
        if CHECKPOINT in found and not url.is_pattern:
            return [alone]
        names = sorted(found) if url.is_pattern else of_known_kinds(found, lambda name: open_url(found[name]).read())
    except FileNotFoundError:
        return [alone]
    except (BadInputError, OSError) as error:
        return [GivenFile(url.word, Url(url.word, str(error)), url.name)]  # which is said when it is read
    files = [GivenFile(url.word, found[name], name) for name in names] or [alone]
    return files if url.is_pattern else _with_left_out(files, found)


def _with_left_out(files: Sequence[GivenFile], names: Iterable[str]) -> Sequence[GivenFile]:
    """Return the ``files`` of a folder in which there are some with ``names``, and say which of these are left out."""
    others = [name for name in _visible(names) if not _is_known(name) and PurePosixPath(name).name not in OF_DATASETS]
    if not files or not others:
        return files
    first, *rest = files
    listed = ", ".join(map(repr, others[:LISTED])) + (f" and {len(others) - LISTED:,} more" * (len(others) > LISTED))
    said = f"left out {counted(len(others), 'file')} of other kinds than are read in folders: {listed}"
    return [replace(first, left_out=f"inputs folder {first.word!r}: {said}"), *rest]


def of_known_kinds(names: Iterable[str], read: Callable[[str], bytes]) -> list[str]:
    """Return which of the files with ``names`` in a folder are read, in order; ``read`` gives the content of one."""
    visible = _visible(names)
    saved = {PurePosixPath(name).parent: _rows_of(read(name)) for name in visible if PurePosixPath(name).name == STATE}
    return [name for name in visible if _is_known(name) and _is_of(PurePosixPath(name), saved)]


def _visible(names: Iterable[str]) -> list[str]:
    """Return the ``names`` of files that are not hidden; an object store may have one of a folder, which ends in /.

    >>> _visible(["b.txt", "a/c.txt", "a/", "a/.c.txt", ".d/c.txt"])
    ['a/c.txt', 'b.txt']
    """
    return sorted(name for name in names if not any(part[:1] in {"", "."} for part in name.split("/")))


def _is_known(name: str) -> bool:
    kind = kind_of_name(name)
    return kind in LINES or (kind in COLUMNS and name.casefold().endswith(kind))


def _is_of(path: PurePosixPath, saved: dict[PurePosixPath, frozenset[str] | None]) -> bool:
    files = saved.get(path.parent)
    return files is None or path.name in files


def _rows_of(state: bytes) -> frozenset[str] | None:
    """Return the files with rows that the ``state`` of a saved dataset names, ``None`` where it is none."""
    try:
        return frozenset(each["filename"] for each in json.loads(state)["_data_files"])
    except (ValueError, LookupError, TypeError):
        return None
