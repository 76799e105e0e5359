"""Records of what tools measure: a header, a line for each thing that was measured, and a footer.

A line is on disk as soon as it is there, so that a tool that was ended goes on where it was. The page is written from
the record alone, by ``tools/publish_reports.py``.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from published.records import FOOTER, RecordError, lines_of, text_of
from tokenizer_conformance.command_io.environment import current_environment

if TYPE_CHECKING:
    from pathlib import Path

Json = dict[str, Any]

SCHEMA: Final = "tokenizer-conformance-measurements"

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

    What an unfinished record has in ``file`` is kept, and stands in :attr:`lines`; a finished one is made anew. Raises
    :class:`RecordError` where ``file`` is the beginning of something else.
    """

    def __init__(self, file: Path, tool: str, parameters: Json | None = None) -> None:
        self._file = file
        self.lines: list[Json] = []
        header = _header(tool, parameters or {})
        file.parent.mkdir(parents=True, exist_ok=True)
        if _is_unfinished(file):
            _check(file, header)
            self.lines += whole_lines(file)[1:]
        text = "".join(f"{json.dumps(line)}\n" for line in (header, *self.lines))
        if self.lines:  # a line that was cut off is left out, and the first header stays
            text = file.read_text(encoding="utf-8").partition("\n")[0] + "\n" + text.partition("\n")[2]
        file.write_text(text, encoding="utf-8")
        self._before = float(self.lines[-1][CLOCK]) if self.lines else 0.0
        self._began = time.monotonic()

    def add(self, line: Json) -> None:
        """Write ``line`` down."""
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


def read_measured(path: Path, tool: str) -> Measured:
    """Return the finished record of ``tool`` at ``path``, compressed or not. Raises :class:`RecordError`."""
    header, *lines = lines_of(path)
    if (header.get("schema"), header.get("tool")) != (SCHEMA, tool):
        raise RecordError(f"{path} is not a record of {tool}")
    if not lines or lines[-1].get("type") != "footer":
        raise RecordError(f"{path} was not finished: give the command again, and it goes on")
    told = ({key: value for key, value in line.items() if key != CLOCK} for line in lines[:-1])
    return Measured(header["parameters"], header["environment"], tuple(told))


def seconds_of(path: Path) -> float | None:
    """Return how long the command of the record at ``path`` took, ``None`` where it does not say.

    Raises :class:`RecordError`.
    """
    *_, last = text_of(path).rstrip("\n").rsplit("\n", 1)
    footer = json.loads(last) if last.startswith(FOOTER) else {}
    return float(footer["seconds"]) if "seconds" in footer else None


def whole_lines(file: Path) -> list[Json]:
    """Return the lines of a record in the making, without a last one that was cut off."""
    text = file.read_text(encoding="utf-8")
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def _is_unfinished(file: Path) -> bool:
    if not file.exists():
        return False
    lines = whole_lines(file)
    return bool(lines) and lines[-1].get("type") != "footer"


def _header(tool: str, parameters: Json) -> Json:
    environment = asdict(current_environment(tuple(sys.argv)))
    del environment["configuration"]
    return {"type": "header", "schema": SCHEMA, "tool": tool, "parameters": parameters, "environment": environment}


def _check(file: Path, header: Json) -> None:
    begun = whole_lines(file)[0]
    for key in ("schema", "tool", "parameters"):
        if begun.get(key) != header[key]:
            raise RecordError(
                f"{file} is the beginning of another measurement ({key} {json.dumps(begun.get(key))}, "
                f"and not {json.dumps(header[key])}): delete it, or name another file"
            )
