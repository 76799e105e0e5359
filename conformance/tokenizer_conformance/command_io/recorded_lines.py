"""The lines of a record that was written earlier, and whether they are what was written."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.record import FOOTER, is_record
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.compression import LONGEST_MAGIC, UNREADABLE, refuse_others, unpacked
from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from pathlib import Path

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RecordedLines:
    """The whole ``lines`` of the record at ``path``, the first of which is a header.

    ``cut`` says where the record ends before its run did; ``None`` where its last line is a footer. ``sha256`` is the
    digest of the record, whether or not its file is compressed.
    """

    path: Path
    lines: tuple[Json, ...]
    cut: str | None
    sha256: str

    @property
    def header(self) -> Json:
        """The first line."""
        return self.lines[0]

    @property
    def footer(self) -> Json | None:
        """The last line, where it is a footer."""
        return self.lines[-1] if self.lines[-1].get("type") == FOOTER else None

    def fault(self, number: int, what: object) -> BadInputError:
        """Return the error that says ``what`` is wrong with line ``number`` (from 1)."""
        return BadInputError(f"{str(self.path)!r} line {number} is not that of a record: {what}")


def record_content(path: Path) -> bytes:
    """Return what stands in the record at ``path``, which may be compressed by gzip or xz.

    Raises :class:`BadInputError` where it cannot be read.
    """
    try:
        packed = path.read_bytes()
        refuse_others(packed[:LONGEST_MAGIC], repr(str(path)))
        return unpacked(packed)
    except OSError as error:
        raise BadInputError(f"cannot read {str(path)!r}: {reason_of(error)}") from error
    except UNREADABLE as error:
        raise BadInputError(f"{str(path)!r} is damaged: it cannot be decompressed to its end ({error})") from error


def read_lines(path: Path) -> RecordedLines:
    """Read the record at ``path``, which may be compressed by gzip or xz.

    Raises :class:`BadInputError` where it is none, or was altered, with the line.
    """
    content = record_content(path)
    if not content or not is_record(content):
        raise BadInputError(f"{str(path)!r} is no record: it does not begin with the header of one")
    whole = content[: content.rfind(b"\n") + 1]
    raw = whole.splitlines(keepends=True)
    if not raw:
        raise BadInputError(f"{str(path)!r} line 1 is cut off: the run was killed before it had begun")
    lines = tuple(parsed_line(path, number, line) for number, line in enumerate(raw, 1))
    _refuse_altered(path, lines, raw)
    cut = None
    if len(whole) < len(content):
        cut = f"line {len(raw) + 1} is cut off"
    elif lines[-1].get("type") != FOOTER:
        cut = f"it ends at line {len(raw)} without a footer"
    return RecordedLines(path, lines, cut, hashlib.sha256(content).hexdigest())


def parsed_line(path: Path, number: int, line: bytes) -> Json:
    """Return the line of this ``number`` of the record at ``path``. Raises :class:`BadInputError`."""
    try:
        parsed = json.loads(line)
    except RecursionError as error:
        raise BadInputError(f"{str(path)!r} line {number} is not JSON: it is nested too deeply") from error
    except ValueError as error:
        raise BadInputError(f"{str(path)!r} line {number} is not JSON: {error}") from error
    if not isinstance(parsed, dict):
        raise BadInputError(f"{str(path)!r} line {number} is not that of a record: an object is expected")
    return parsed


def _refuse_altered(path: Path, lines: tuple[Json, ...], raw: list[bytes]) -> None:
    """Raise :class:`BadInputError` where a footer is not that of the lines before it."""
    digest = hashlib.sha256()
    for number, (line, written) in enumerate(zip(lines, raw, strict=True), 1):
        if line.get("type") == FOOTER and "sha256" in line:
            if line.get("lines") != number - 1:
                told = line.get("lines")
                raise BadInputError(
                    f"{str(path)!r} was altered: line {number}, the footer, counts {told} lines before it, and there "
                    f"are {number - 1}"
                )
            if line["sha256"] != digest.hexdigest():
                raise BadInputError(
                    f"{str(path)!r} was altered: one of its lines 1 to {number - 1} is not as it was written (line "
                    f"{number}, the footer, has another digest of them)"
                )
        is_followed = number < len(lines) and lines[number].get("type") != "resumed"
        if line.get("type") == FOOTER and is_followed:
            raise BadInputError(f"{str(path)!r} was altered: line {number + 1} follows the footer")
        digest.update(written)
