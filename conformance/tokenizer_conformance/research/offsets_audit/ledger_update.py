"""Appending what an audit of offsets finds to a ledger: an entry for each new finding, for people to say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.command_io.ledger_update import NOWHERE, append_entries
from tokenizer_conformance.ledger.entry import Entry
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.ledger.versions import range_of
from tokenizer_conformance.research.offsets_audit.events import EncodingsAudited, OffsetsAuditFinished
from tokenizer_conformance.research.offsets_audit.wording import headline

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.research.offsets_audit.events import KnownFinding, OffsetsAuditEvent


class LedgerUpdate:
    """Appends an entry without a reason to the ledger at ``path`` for each new finding of an audit, when it is over."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._new: dict[Entry, str] = {}

    def handle(self, event: OffsetsAuditEvent) -> None:
        """Take in ``event``; at the end, write. Raises ``OSError`` where that cannot be done."""
        match event:
            case EncodingsAudited():
                for found in event.new:
                    self._new.setdefault(_entry(event, found), headline(found))
            case OffsetsAuditFinished():
                append_entries(self._path, list(self._new.items()))
            case _:
                pass


def _entry(event: EncodingsAudited, found: KnownFinding) -> Entry:
    return Entry(
        implementation=known_as(event.implementation.name),
        version=range_of(event.implementation.version),
        tokenizers=(pattern_of(event.tokenizer.source.name),),
        inputs=(pattern_of(found.finding.name),),
        reason="",
        place=NOWHERE,
    )
