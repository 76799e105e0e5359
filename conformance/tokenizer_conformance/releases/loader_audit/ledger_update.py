"""Appending what an audit finds to a ledger: an entry for each new difference, for people to say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.command_io.ledger_update import NOWHERE, append_entries
from tokenizer_conformance.ledger.entry import Entry
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.ledger.versions import range_of
from tokenizer_conformance.releases.loader_audit.components import ANSWERS, STAGES
from tokenizer_conformance.releases.loader_audit.events import (
    DifferenceJudged,
    LoaderAudited,
    LoaderAuditFinished,
    LoaderAuditStarted,
)
from tokenizer_conformance.releases.loader_audit.wording import finding_headline, headline

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.releases.loader_audit.events import LoaderAuditEvent


class LedgerUpdate:
    """Appends an entry without a reason to the ledger at ``path`` for each new difference of an audit, when it is over.

    What one entry says of several differences stands there once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._baseline = ""
        self._new: dict[Entry, str] = {}

    def handle(self, event: LoaderAuditEvent) -> None:
        """Take in ``event``; at the end, write. Raises ``OSError`` where that cannot be done."""
        match event:
            case LoaderAuditStarted():
                self._baseline = known_as(event.baseline.name)
            case DifferenceJudged(difference=difference, known=None):
                entry = self._entry(event, STAGES[difference.component], (), "other values", difference.name)
                self._new.setdefault(entry, headline(event))
            case LoaderAudited():
                for finding, known in zip(event.behaviour.findings, event.entries, strict=True):
                    if known is None:
                        manner = finding.manner
                        fields = () if manner.field is None else (str(manner.field),)
                        entry = self._entry(event, manner.stage, fields, manner.kind, ANSWERS)
                        self._new.setdefault(entry, finding_headline(finding))
            case LoaderAuditFinished():
                append_entries(self._path, list(self._new.items()))
            case _:
                pass

    def _entry(
        self, event: DifferenceJudged | LoaderAudited, stage: str, fields: tuple[str, ...], kind: str, name: str
    ) -> Entry:
        return Entry(
            implementation=known_as(event.loader.name),
            version=range_of(event.loader.version),
            baselines=(self._baseline,),
            tokenizers=(pattern_of(event.tokenizer.source.name),),
            stages=(stage,),
            fields=fields,
            classes=(kind,),
            inputs=(pattern_of(name),),
            reason="",
            place=NOWHERE,
        )
