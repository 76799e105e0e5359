"""Records of what tools measure: a header, a line for each thing that was measured, and a footer.

A line is on disk as soon as it is there, so that a tool that was ended goes on where it was. The page is written from
the record alone, by ``tools/publish_reports.py``.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from published.records import FOOTER, RecordError, lines_of, text_of
from tokenizer_conformance.command_io.environment import current_environment

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

SCHEMA: Final = "tokenizer-conformance-measurements"

BEFORE: Final = ".before"
"""What the name of the finished record ends in that was there before a new one was begun."""

CLOCK: Final = "clock"
"""The key under which each line says how many seconds after the start of the measurement it was there."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A finished record: what was measured with which ``parameters``, on which ``environment``, and the ``lines``."""

    parameters: Json
    environment: Json
    lines: tuple[Json, ...]


class Measuring:
    """A record in the making, in ``file``: of a ``tool``, with ``parameters`` on which its lines depend.

    What an unfinished record has in ``file`` is kept, and stands in :attr:`lines`. A finished one is made anew, and
    stays in a file beside it whose name ends in :data:`BEFORE`. Raises :class:`RecordError` where ``file`` is no
    record, or the beginning of another.
    """

    def __init__(self, file: Path, tool: str, parameters: Json | None = None) -> None:
        self._file = file
        self.lines: list[Json] = []
        header = _header(tool, parameters or {})
        file.parent.mkdir(parents=True, exist_ok=True)
        begun = _whole_lines(file)
        if begun and begun[-1].get("type") != "footer":
            _check(file, begun[0], header)
            self.lines += begun[1:]
            _without_half_a_line(file)
        else:
            if begun:
                file.replace(file.with_name(f"{file.name}{BEFORE}"))
            file.write_text(f"{json.dumps(header)}\n", encoding="utf-8")
        self._before = float(self.lines[-1][CLOCK]) if self.lines else 0.0
        self._began = time.monotonic()

    def add(self, line: Json) -> None:
        """Write ``line`` down. Raises ``ValueError`` where it has a key of the record's own."""
        if CLOCK in line:
            raise ValueError(f"{CLOCK!r} says when a line was there, and is no name for anything else")
        told = {**line, CLOCK: self._clock()}
        self.lines.append(told)
        self._append(told)

    def finish(self, seconds: float | None = None) -> None:
        """Write the footer: the record is complete. ``seconds`` is what it took, where its lines were measured before.

        Raises :class:`RecordError` where nothing was measured.
        """
        if not self.lines:
            raise RecordError(f"{self._file}: nothing was measured")
        self._append(
            {"type": "footer", "finished": True, "seconds": self._clock() if seconds is None else round(seconds, 1)}
        )

    def _clock(self) -> float:
        return round(self._before + time.monotonic() - self._began, 1)

    def _append(self, line: Json) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(line)}\n")


@contextmanager
def record_file(named: Path | None, whole: Path, *, is_part: object) -> Iterator[Path]:
    """Give the file of a record: the ``named`` one, else ``whole``; of a part, where none is named, one that goes.

    So a part that somebody asks for never takes the place of a record of all.
    """
    with TemporaryDirectory(prefix="part-") as folder:
        yield named or (Path(folder) / "record.jsonl" if is_part else whole)


def read_measured(path: Path, tool: str, whole: Json | None = None) -> Measured:
    """Return the finished record of ``tool`` at ``path``, compressed or not.

    ``whole`` are the parameters by which a part is chosen, as they are where all was measured. Raises
    :class:`RecordError`, also for a part.
    """
    header, *lines = lines_of(path)
    if (header.get("schema"), header.get("tool")) != (SCHEMA, tool):
        raise RecordError(f"{path} is not a record of {tool}")
    if not lines or lines[-1].get("type") != "footer":
        raise RecordError(f"{path} was not finished: give the command again, and it goes on")
    for name, value in (whole or {}).items():
        if (chosen := header["parameters"].get(name, value)) != value:
            raise RecordError(f"{path} is of a part alone ({name} {json.dumps(chosen)})")
    told = ({key: value for key, value in line.items() if key != CLOCK} for line in lines[:-1])
    return Measured(header["parameters"], header["environment"], tuple(told))


def seconds_of(path: Path) -> float | None:
    """Return how long the command of the record at ``path`` took, ``None`` where it does not say.

    Raises :class:`RecordError`.
    """
    *_, last = text_of(path).rstrip("\n").rsplit("\n", 1)
    footer = json.loads(last) if last.startswith(FOOTER) else {}
    return float(footer["seconds"]) if "seconds" in footer else None


def _whole_lines(file: Path) -> list[Json]:
    """Return the lines of a record in the making, without a last one that was cut off; none where there is no file."""
    if not file.exists():
        return []
    try:
        text = file.read_bytes()
        lines = [json.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]
    except ValueError as error:
        raise RecordError(f"{file} is no record: delete it, or name another file ({error})") from error
    if not all(isinstance(line, dict) for line in lines):
        raise RecordError(f"{file} is no record: delete it, or name another file")
    return lines


def _without_half_a_line(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(opened.read().rfind(b"\n") + 1)


def _header(tool: str, parameters: Json) -> Json:
    environment = asdict(current_environment(tuple(sys.argv)))
    del environment["configuration"]
    return {"type": "header", "schema": SCHEMA, "tool": tool, "parameters": parameters, "environment": environment}


def _check(file: Path, begun: Json, header: Json) -> None:
    for key in ("schema", "tool", "parameters"):
        if begun.get(key) != header[key]:
            raise RecordError(
                f"{file} is the beginning of another measurement ({key} {json.dumps(begun.get(key))}, "
                f"and not {json.dumps(header[key])}): delete it, or name another file"
            )
