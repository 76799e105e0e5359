"""The report of a snapshot that is the snapshot itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.compression import compression_for
from tokenizer_conformance.releases.snapshot.events import Event, PartMade, SnapshotFinished, SnapshotStarted
from tokenizer_conformance.releases.snapshot_file.writer import SnapshotWriter

if TYPE_CHECKING:
    from tokenizer_conformance.releases.snapshot_file.placed_file import PlacedFile


class SnapshotReport:
    """Writes the snapshot to ``file`` as it is made, and puts it in its place when it is whole.

    Raises :class:`BadInputError` where this Python cannot compress as the name of the file asks for.
    """

    def __init__(self, file: PlacedFile) -> None:
        self._file = file
        self._compression = compression_for(file.path)
        self._writer: SnapshotWriter | None = None

    def handle(self, event: Event) -> None:
        """Write what ``event`` has made. Raises ``OSError``."""
        match event:
            case SnapshotStarted(header):
                self._writer = SnapshotWriter(self._file, header, self._compression)
            case PartMade(part) if self._writer is not None:
                self._writer.write(part)
            case SnapshotFinished() if self._writer is not None:
                self._writer.end(
                    finished=event.finished, reason=event.reason, seconds=event.seconds, asking=event.asking
                )
                if event.finished:
                    self._file.place()
            case _:
                pass
