"""Appending what a diff finds to a ledger: what a run finds, and changes of how tokenizers are loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.diff.events import Event, LoadingChanged, SidesCompared
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.ledger.entry import Entry
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.ledger.versions import range_of
from tokenizer_conformance.run.events import RunFinished, RunStarted
from tokenizer_conformance.run.ledger_update import LedgerUpdate as RunLedgerUpdate
from tokenizer_conformance.session.ledger_update import NOWHERE

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.diff.loading_changes import LoadingChange

LONGEST_SIDE = 60
"""How many characters of each side stand in the comment of an entry."""


class LedgerUpdate(RunLedgerUpdate):
    """Appends an entry without a reason to the ledger at ``path`` for each new difference, when the diff is over.

    All changes of what a tokenizer is saved as have one entry.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._changes: dict[tuple[str, str], LoadingChange] = {}

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, write. Raises ``OSError`` where that cannot be done."""
        match event:
            case LoadingChanged(change, None):
                self._changes.setdefault((change.tokenizer, change.what), change)
            case RunFinished() if self._run is not None:
                self._new += [_entry(change, self._run) for change in self._changes.values()]
            case _:
                pass
        if not isinstance(event, LoadingChanged | SidesCompared):
            super().handle(event)


def _entry(change: LoadingChange, run: RunStarted) -> tuple[Entry, str]:
    new = next(info for info in run.implementations if info.name != run.baseline)
    sides = (one_line(side, limit=LONGEST_SIDE) for side in (change.old, change.new))
    entry = Entry(
        implementation=new.name,
        version=range_of(new.version),
        baselines=(run.baseline,),
        tokenizers=(pattern_of(change.tokenizer),),
        stages=(change.what,),
        fields=(),
        classes=(),
        inputs=(),
        reason="",
        place=NOWHERE,
    )
    return entry, f"{one_line(change.path)} {' -> '.join(sides)}".strip()
