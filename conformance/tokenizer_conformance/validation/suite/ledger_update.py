"""Appending what fails in a run of the suite to a ledger: an entry for each requirement, for people to say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.ledger_update import append_entries
from tokenizer_conformance.validation.suite.events import ImplementationJudged, SuiteFinished
from tokenizer_conformance.validation.suite.known import new_entries

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.suite.events import SuiteEvent


class SuiteLedgerUpdate:
    """Appends an entry without a reason to the ledger at ``path`` for each requirement that failed, in the end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._new: list[tuple[Entry, str]] = []

    def handle(self, event: SuiteEvent) -> None:
        """Take in ``event``; at the end, write. Raises ``OSError`` where that cannot be done."""
        match event:
            case ImplementationJudged(info, results):
                self._new += new_entries(info, results)
            case SuiteFinished():
                append_entries(self._path, self._new)
            case _:
                pass
