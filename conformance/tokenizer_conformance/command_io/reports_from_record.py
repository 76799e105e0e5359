"""Reports that are made of a command's record when the command is over: pages, tables of findings.

Such a report keeps a record of its own, in a temporary file, whether the user wants to have one or not: so what is
shown by a command is what can be shown later, of the record alone.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from tokenizer_conformance.command_io.events import is_last
from tokenizer_conformance.command_io.sinks import GrowingFile
from tokenizer_conformance.command_io.status import STATUS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.command_io.output import Consumer
    from tokenizer_conformance.command_io.sinks import Sink

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class OfRecord:
    """A report that is wanted: the ``option`` and the ``name`` of the file that it was given.

    ``make`` returns the file, from the path of a record and the name that the user knows that record by; it raises
    ``BadInputError`` for what is no record. ``require`` is called before anything runs, and raises it where the report
    cannot be made here.
    """

    option: str
    name: str
    make: Callable[[Path, str], bytes]
    require: Callable[[], None]


class ReportOfRecord(Generic[E]):
    """Writes what is made of the record of a command to ``sink``, once the command is over.

    ``writer`` returns what writes the record. ``known_as`` is the name of the user's record. Where the command goes on
    with an ``earlier`` one, that comes first.
    """

    def __init__(
        self,
        wanted: OfRecord,
        sink: Sink,
        writer: Callable[[Sink], Consumer[E]],
        known_as: str,
        earlier: GrowingFile | None = None,
    ) -> None:
        self._wanted = wanted
        self._sink = sink
        self._known_as = known_as
        self._folder = tempfile.TemporaryDirectory(prefix="tokconf-")
        self._path = Path(self._folder.name) / "record.jsonl"
        if earlier is not None:
            earlier.copy_to(self._path)
        self._record = GrowingFile(self._path)
        self._writer = writer(self._record)

    def handle(self, event: E) -> None:
        """Take in ``event``; after the last one, write the report. Raises ``OSError``."""
        self._writer.handle(event)
        if not is_last(event):
            return
        STATUS.begin(f"writing {self._wanted.name}", "")
        try:
            self._sink.write(self._wanted.make(self._path, self._known_as))
        finally:
            self._record.close()
            self._folder.cleanup()
