"""Records as they are published: compressed by xz, and without a path of the machine that made them."""

from __future__ import annotations

import hashlib
import json
import lzma
import re
from typing import TYPE_CHECKING, Any, Final

from published.table import compressed_name
from tokenizer_conformance.compression import UNREADABLE, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATH_KEYS: Final = frozenset({"command", "file", "files", "folder", "interpreter", "path", "paths", "python"})
"""What lines of records call the files and programs of the machine. Texts that were asked about stand under others."""

MACHINE: Final = re.compile(r"(?:^|[\s=:'\"@])(/(?:[\w.+-]+/)+[\w.+-]+|[A-Za-z]:\\\w)")
"""An absolute path of at least one folder and a file."""


TEMPORARY: Final = re.compile(r"(?:/[\w.+-]+)+/tmp[a-z0-9_]{8}/(?:[\w.+-]+/)*")
"""A folder that a command made for a while, as messages of implementations quote it."""

NAME_OF_TEMPORARY: Final = re.compile("/tmp[a-z0-9_]{8}/")
WITH_PATH_KEY: Final = re.compile(rf'"(?:{"|".join(sorted(PATH_KEYS))})"\s*:')
"""What a text with a temporary folder has in it, and a line with a key of a path: these are found in no time."""

SEALED: Final = re.compile(r'^\{"type": "footer".*"sha256"', re.MULTILINE)
"""The footer of a record that says itself whether it was altered."""


class RecordError(Exception):
    """A record that cannot be published, or cannot be read; says which and why."""


CHECKPOINT, FOOTER = '{"type": "checkpoint"', '{"type": "footer"'
"""How the lines of a record begin from which a run goes on, and the last line of one that has ended."""


def text_of(path: Path) -> str:
    """Return the record at ``path`` as text, compressed or not. Raises :class:`RecordError`."""
    try:
        return unpacked(path.read_bytes()).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path} cannot be read: {error}") from error
    except UNREADABLE as error:
        raise RecordError(f"{path} cannot be read: {error}") from error


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return the lines of the record at ``path``, compressed or not. Raises :class:`RecordError`."""
    try:
        return [json.loads(line) for line in text_of(path).splitlines()]
    except ValueError as error:
        raise RecordError(f"{path} is no record: {error}") from error


def digest_of(path: Path) -> str:
    """Return the SHA-256 of the record at ``path``, of what it is before it is compressed."""
    return hashlib.sha256(text_of(path).encode("utf-8")).hexdigest()


def publish(source: Path, folder: Path) -> Path:
    """Write the record ``source`` compressed into ``folder``, and return where. Raises :class:`RecordError`.

    Of files in temporary folders the names are left. What an interrupted run would go on from is left out of the record
    of a finished one, unless that has a digest of its own: it is half of a large one, and no page shows it. The same
    record gives the same file, with one version of the library of xz.
    """
    text = text_of(source)
    if not SEALED.search(text):
        text = _finished(text)
    stripped = TEMPORARY.sub("", text)
    if stripped != text and SEALED.search(text):
        raise RecordError(
            f"{source} has the path of a temporary folder, and a digest of its own: it cannot be stripped"
        )
    found = list(paths_in(stripped))
    if found:
        raise RecordError(f"{source} has a path of this machine, {found[0]!r}: run the command from the project's root")
    target = folder / compressed_name(source.name)
    target.write_bytes(lzma.compress(stripped.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))
    return target


def _finished(text: str) -> str:
    """Return a record without its checkpoints, if it has a footer."""
    lines = text.splitlines(keepends=True)
    if not (lines and lines[-1].startswith(FOOTER)):
        return text
    return "".join(line for line in lines if not line.startswith(CHECKPOINT))


def machine_paths(path: Path) -> Iterator[str]:
    """Yield the paths of a machine that the record at ``path`` names. Raises :class:`RecordError`."""
    yield from paths_in(text_of(path))


def paths_in(text: str) -> Iterator[str]:
    """Yield the paths of a machine that a record, which is ``text``, names: absolute ones, and temporary folders."""
    if NAME_OF_TEMPORARY.search(text):
        yield from (found[0] for found in TEMPORARY.finditer(text))
    for line in text.splitlines():
        if WITH_PATH_KEY.search(line):
            yield from _paths_in(json.loads(line), is_path=False)


def _paths_in(value: object, *, is_path: bool) -> Iterator[str]:
    match value:
        case dict():
            for key, each in value.items():
                yield from _paths_in(each, is_path=is_path or key in PATH_KEYS)
        case list():
            for each in value:
                yield from _paths_in(each, is_path=is_path)
        case str() if is_path and (found := MACHINE.search(value)):
            yield found[1]
        case _:
            pass
