"""The record of a diff: that of a run, with lines about the sides and about loading."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.releases.diff.asking_again import AskedAgain
from tokenizer_conformance.releases.diff.events import Ending, Event, LoadingChanged, LoadingCompared, SidesCompared
from tokenizer_conformance.validation.running.record import JsonLinesReport, entry_reference

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.sinks import Sink


class RecordReport:
    """Writes the record of a diff ``to`` what is open. What comes before the header of the run follows it."""

    def __init__(self, to: Sink) -> None:
        self._run = JsonLinesReport(to)
        self._waiting: list[dict[str, Any]] = []
        self._is_begun = False

    def handle(self, event: Event) -> None:
        """Write the line of ``event``, where it has one. Raises ``OSError``."""
        match event:
            case SidesCompared():
                self._write(
                    {
                        "type": "sides",
                        "old": event.old,
                        "new": event.new,
                        "only_old": event.only_old,
                        "only_new": event.only_new,
                        "other_files": list(event.other_files),
                    }
                )
            case LoadingChanged(change, entry, explained):
                self._write(
                    {
                        "type": "loading_change",
                        "tokenizer": change.tokenizer,
                        "what": change.what,
                        "path": change.path,
                        "old": change.old,
                        "new": change.new,
                        "known": None if entry is None else entry_reference(entry),
                        "explained_by": None if explained is None else [asdict(each) for each in explained],
                    }
                )
            case LoadingCompared():
                pass
            case AskedAgain():
                self._write({"type": "asked_again", **asdict(event)})
            case Ending():
                return
            case _:
                self._run.handle(event)
                self._is_begun = True
                for line in self._waiting:
                    self._run.write(line)
                self._waiting = []

    def _write(self, line: dict[str, Any]) -> None:
        if self._is_begun:
            self._run.write(line)
        else:
            self._waiting.append(line)
