"""Appending what a comparison of releases finds to a ledger: changes of answers, of loading, and of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.command_io.ledger_update import NOWHERE, append_entries
from tokenizer_conformance.ledger.entry import Entry
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.ledger.versions import range_of
from tokenizer_conformance.releases.diff.ledger_update import loading_entry
from tokenizer_conformance.releases.versions.alike import alike
from tokenizer_conformance.releases.versions.events import Event, StepFinished, VersionsFinished
from tokenizer_conformance.releases.versions.facts import SectionFinished
from tokenizer_conformance.releases.versions.snapshots import SnapshotReady
from tokenizer_conformance.releases.versions.wording import fact_line
from tokenizer_conformance.validation.running.ledger_update import new_entries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_conformance.releases.versions.alike import AlikeChanges


class LedgerUpdate:
    """Appends an entry without a reason to the ledger at ``path`` for each new difference, when the comparison is over.

    Facts of a section that changed alike have one entry.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._new: list[tuple[Entry, str]] = []
        self._versions: dict[str, str] = {}

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, write. Raises ``OSError`` where that cannot be done."""
        match event:
            case SnapshotReady(release, version):
                self._versions[release] = version
            case StepFinished():
                self._new += _of_step(event)
            case SectionFinished():
                self._new += (self._of_facts(group) for group in alike(event.changes) if group.first.entry is None)
            case VersionsFinished():
                append_entries(self._path, list(dict(self._new).items()))
            case _:
                pass

    def _of_facts(self, group: AlikeChanges) -> tuple[Entry, str]:
        first = group.first
        entry = Entry(
            implementation=known_as(first.since),
            version=range_of(self._versions[first.since]),
            baselines=(known_as(first.until),),
            sections=(first.section,),
            facts=tuple(pattern_of(change.name) for change in group.changes),
            reason="",
            place=NOWHERE,
        )
        return entry, f"{first.section}: {fact_line(group)}"


def _of_step(step: StepFinished) -> Iterator[tuple[Entry, str]]:
    told = {(each.change.tokenizer, each.change.what): each for each in reversed(step.loading) if each.entry is None}
    yield from (loading_entry(each, *step.infos) for each in reversed(told.values()))
    for finished in step.tokenizers:
        if step.run is not None:
            yield from new_entries(finished, step.run)
