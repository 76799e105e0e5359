"""The report of a snapshot that is the snapshot itself: written line by line, compressed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.compression import compression_for
from tokenizer_conformance.releases.snapshot.events import Event, PartMade, SnapshotFinished
from tokenizer_conformance.releases.snapshot_file.lines import Written, line_written, written
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.snapshot import Footer, Header

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.releases.snapshot_file.placed_file import PlacedFile


class SnapshotReport:
    """Writes the snapshot to ``file`` as it is made, and puts it in its place when it is whole.

    A killed process loses what is compressed at once, at most. Raises :class:`BadInputError` where this Python cannot
    compress as the name of the file asks for.
    """

    def __init__(self, file: PlacedFile) -> None:
        self._file = file
        self._compression = compression_for(file.path)
        self._digest = hashlib.sha256()
        self._lines = 0
        self._waiting: list[bytes] = []
        self._size = 0

    def handle(self, event: Event) -> None:
        """Write what ``event`` has made. Raises ``OSError``."""
        match event:
            case Header():
                self._write(line_written(json_of(event)))
            case PartMade(part):
                self._write(part.line if isinstance(part, Written) else written(part).line)
            case SnapshotFinished() if self._lines:
                self._end(event)
            case _:
                pass

    def _write(self, line: bytes) -> None:
        self._digest.update(line)
        self._lines += 1
        self._waiting.append(line)
        self._size += len(line)
        if self._size >= self._compression.at_once:
            self._flush(self._compression.part)

    def _end(self, finished: SnapshotFinished) -> None:
        footer = Footer(
            lines=self._lines,
            sha256=self._digest.hexdigest(),
            finished=finished.finished,
            reason=finished.reason,
            seconds=rounded(finished.seconds),
            asking=rounded(finished.asking),
            asked=finished.asked,
        )
        self._write(line_written(json_of(footer)))
        self._flush(self._compression.end)
        if finished.finished:
            self._file.place()

    def _flush(self, compressed: Callable[[bytes], bytes]) -> None:
        self._file.write(compressed(b"".join(self._waiting)))
        self._waiting, self._size = [], 0
