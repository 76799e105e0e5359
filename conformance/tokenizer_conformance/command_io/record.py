r"""A record in the making: a file of JSON Lines, the schema of its lines, and what the headers of all records say.

Only ASCII is written: other characters, lone surrogates too, stand as ``\u`` escapes. Every line is written at once, so
that all lines before the end are whole and valid even where the command is killed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.sinks import GrowingFile, Sink

if TYPE_CHECKING:
    from types import TracebackType

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.command_io.events import Finished, MergedPart


BEGINNING = b'{"type": "header", "schema": "tokenizer-conformance-'
"""How every record begins."""


def is_record(beginning: bytes) -> bool:
    """Return whether a file with this ``beginning`` is a record, or one that was killed over its first line.

    >>> [is_record(BEGINNING + b'record"}'), is_record(BEGINNING[:9]), is_record(b"{}")]
    [True, True, False]
    """
    return beginning.startswith(BEGINNING) or BEGINNING.startswith(beginning)


class RecordFile:
    """Writes records ``to`` a path or to what is open already, a line each.

    They follow the first ``size`` bytes of what is there. Opening and writing raise ``OSError``. A line that
    cannot be written to its end is not there at all, in a file. A footer says how many lines are before it and has the
    SHA-256 of these, where the format is ``sealed``: so a record that was altered later is known.
    """

    sealed: bool = False

    def __init__(self, to: Path | Sink, size: int = 0) -> None:
        self._sink = GrowingFile(to) if isinstance(to, Path) else to
        self._lines = 0
        self._digest = hashlib.sha256()
        if size > 0:
            if isinstance(self._sink, GrowingFile) and self.sealed:
                self._take_in(self._sink.beginning(size))
            self._sink.keep(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._sink.close()

    def write(self, record: dict[str, Any]) -> None:
        """Write one line. Raises ``OSError``."""
        if self.sealed and record["type"] == FOOTER:
            record = {**record, **seal(self._lines, self._digest.hexdigest())}
        line = (json.dumps(record, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")
        self._sink.write(line)
        self._take_in(line)

    def _take_in(self, lines: bytes) -> None:
        self._lines += lines.count(b"\n")
        self._digest.update(lines)


FOOTER = "footer"
"""The type of the line with which a record ends."""


def seal(lines: int, sha256: str) -> dict[str, Any]:
    """Return what a footer says of the ``lines`` before it, whose digest is ``sha256``."""
    return {"lines": lines, "sha256": sha256}


def rounded(seconds: float) -> float:
    """Return ``seconds`` as they stand in a record, to the microsecond."""
    return round(seconds, 6)


def header_record(name: str, version: str, environment: Environment) -> dict[str, Any]:
    """Return what every header says: the format called ``name`` and its ``version``, and where the command ran."""
    return {"type": "header", "schema": name, "version": version, "environment": environment_record(environment)}


def footer_record(event: Finished) -> dict[str, Any]:
    """Return what every footer says."""
    return {
        "type": FOOTER,
        "finished": event.finished,
        "conclusion": event.conclusion,
        "exit_status": event.exit_status,
        "seconds": rounded(event.seconds),
    }


def refusal_record(event: InputRefused | ImplementationMissing) -> dict[str, Any]:
    """Return the line about something that cannot be used."""
    told = {"name": event.refusal.name, "reason": event.refusal.reason}
    match event:
        case InputRefused(refusal):
            return {"type": "refused", "what": refusal.what, **told}
        case ImplementationMissing():
            return {"type": "implementation_missing", **told}


def environment_record(environment: Environment) -> dict[str, Any]:
    """Return ``environment`` as it stands in a header."""
    return {
        "tokconf": environment.tokconf,
        "python": environment.python,
        "platform": environment.platform,
        "started": environment.started,
        "command": list(environment.command),
        **({} if environment.configuration is None else {"configuration": asdict(environment.configuration)}),
    }


def merged_part_record(part: MergedPart) -> dict[str, Any]:
    """Return a part of a merged record as it stands in the header."""
    return {
        "name": part.name,
        "shard": {"part": part.shard.part, "of": part.shard.of},
        "environment": environment_record(part.environment),
        "state": part.state,
    }


def implementation_record(info: ImplementationInfo) -> dict[str, Any]:
    """Return ``info`` as it stands in a header."""
    return {
        "name": info.name,
        "version": info.version,
        "language": info.language,
        "home_page": info.home_page,
        "offset_unit": info.offset_unit,
        "stages": sorted(info.stages),
        "fields": sorted(info.fields),
    }
