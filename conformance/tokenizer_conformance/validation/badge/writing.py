"""The files of badges: all are looked at before any is written, and nothing is replaced that is no badge."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.output import BadInput, ReportLost
from tokenizer_conformance.command_io.sinks import write_atomically
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.validation.badge.drawing import drawn, is_badge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_conformance.validation.badge.badge import Badge
    from tokenizer_conformance.validation.badge.drawing import Format

NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
"""What no file system need like, in the name of an implementation."""

LONGEST_NAME = 60

LONGEST_BADGE = 100_000
"""More bytes than any badge has."""


@dataclass(frozen=True, slots=True)
class BadgeFile:
    """A file to be written."""

    path: Path
    form: Format
    content: bytes


def names_of_files(names: Iterable[str]) -> list[str]:
    """Return for each implementation of these ``names`` what its files are called, without what says the format.

    No two are the same, whether or not the file system tells upper from lower case.

    >>> names_of_files(["tokie", "<script>", "Tokie", "../a b", "💥"])
    ['tokie-badge', 'script-badge', 'Tokie-badge-2', 'a-b-badge', 'badge']
    """
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        stem = NOT_IN_NAMES.sub("-", name).strip("-.")[:LONGEST_NAME]
        first = f"{stem}-badge" if stem else "badge"
        number, free = 1, first
        while free.casefold() in taken:
            number += 1
            free = f"{first}-{number}"
        taken.add(free.casefold())
        found.append(free)
    return found


def files_of_badges(folder: Path, badges: Sequence[tuple[str, Badge]], forms: Iterable[Format]) -> list[BadgeFile]:
    """Return the files of ``badges``, each with the name of its implementation, in ``folder``."""
    stems = names_of_files(name for name, _ in badges)
    return [
        BadgeFile(folder / f"{stem}.{form}", form, drawn(badge, form))
        for (_, badge), stem in zip(badges, stems, strict=True)
        for form in forms
    ]


def write_badges(files: Sequence[BadgeFile], record: Path, *, force: bool) -> None:
    """Write ``files``, and make their folder; links are followed.

    Nothing that is there is replaced but earlier badges, unless ``force`` allows it, and the ``record`` never. Raises
    :class:`BadInput` where a file cannot be written, and then none is; :class:`ReportLost` where writing fails.
    """
    for file in files:
        _refuse_what_is_there(file, record, force=force)
    for folder in dict.fromkeys(file.path.parent for file in files):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"cannot write into {str(folder)!r}: {reason_of(error)}") from error
    for file in files:
        try:
            write_atomically(Path(os.path.realpath(file.path)), file.content)
        except OSError as error:
            raise ReportLost(f"cannot write {str(file.path)!r}: {reason_of(error)}") from error


def _refuse_what_is_there(file: BadgeFile, record: Path, *, force: bool) -> None:
    for reason in _reasons(file, record, force=force):
        raise BadInput(f"cannot write {str(file.path)!r}: {reason}")


def _reasons(file: BadgeFile, record: Path, *, force: bool) -> Iterator[str]:
    """Yield why what is at the place of ``file`` must not be replaced."""
    try:
        status = file.path.stat()
        if not stat.S_ISREG(status.st_mode):
            yield "it is there, and no regular file"
        elif record.exists() and file.path.samefile(record):
            yield "it is the record"
        elif not force and status.st_size and not _is_badge_at(file):
            yield "it is there already and is no badge of tokconf; give another --output, or --force to replace it"
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:
        yield reason_of(error) if isinstance(error, OSError) else str(error)


def _is_badge_at(file: BadgeFile) -> bool:
    with file.path.open("rb") as there:
        return is_badge(there.read(LONGEST_BADGE), file.form)
