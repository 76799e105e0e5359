"""Appending what a diff finds to a ledger: what a run finds, and changes in how tokenizers are loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.command_io.ledger_update import NOWHERE
from tokenizer_conformance.ledger.entry import LOAD, Entry
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.ledger.versions import range_of
from tokenizer_conformance.releases.diff.events import Ending, Event, LoadingChanged, LoadingCompared
from tokenizer_conformance.releases.diff.wording import change_line
from tokenizer_conformance.results.records.run import AskedAgain, Sides
from tokenizer_conformance.validation.running.events import RunFinished, RunStarted
from tokenizer_conformance.validation.running.ledger_update import LedgerUpdate as RunLedgerUpdate

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import ImplementationInfo


class LedgerUpdate:
    """Appends an entry without a reason to the ledger at ``path`` for each new difference, when the diff is over."""

    def __init__(self, path: Path) -> None:
        self._run = RunLedgerUpdate(path)
        self._started: RunStarted | None = None
        self._changes: dict[tuple[str, str], LoadingChanged] = {}

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, write. Raises ``OSError`` where that cannot be done."""
        match event:
            case LoadingChanged(change, entry):
                if entry is None:
                    self._changes.setdefault((change.tokenizer, change.what), event)
            case RunStarted():
                self._started = event
                self._run.handle(event)
            case RunFinished():
                if self._started is not None and self._changes:  # a diff that was cut short knows no sides
                    run = self._started
                    infos = run.info(run.baseline), run.info(run.other_than(run.baseline))
                    self._run.add(loading_entry(each, *infos) for each in self._changes.values())
                self._run.handle(event)
            case Sides() | LoadingCompared() | AskedAgain() | Ending():
                return
            case _:
                self._run.handle(event)


def loading_entry(changed: LoadingChanged, baseline: ImplementationInfo, info: ImplementationInfo) -> tuple[Entry, str]:
    """Return an entry about a change in how ``info`` loads a tokenizer, with a comment; before was ``baseline``."""
    change = changed.change
    entry = Entry(
        implementation=known_as(info.name),
        version=range_of(info.version),
        baselines=(known_as(baseline.name),),
        tokenizers=(pattern_of(change.tokenizer),),
        stages=(change.what,),
        classes=("refused",) if change.what == LOAD else ("other values",),
        reason="",
        place=NOWHERE,
    )
    return entry, change_line(changed)
