"""Which violations a ledger knows, and which of its entries are stale.

An audit calls a violation an *input*: ``input = "coverage.text: white space in no span"`` is about that invariant,
violated in that manner, and ``input = "coverage.text: *"`` about all manners. ``stage`` is that of the question. Known
oddities of released implementations stand in ``known_oddities.toml``, a ledger that comes with the project. What is
found can be appended to a ledger: an entry for each new finding, for people to say why.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import stage_of
from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.command_io.ledger_update import NOWHERE, append_entries
from tokenizer_conformance.ledger.audit_entries import KnownFindings
from tokenizer_conformance.ledger.entry import Difference, Entry
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.ledger.reader import together
from tokenizer_conformance.ledger.versions import range_of
from tokenizer_conformance.research.offsets_audit.page import headline
from tokenizer_conformance.results.records.making import LastLine
from tokenizer_conformance.results.records.offsets_audit import Audited

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import ImplementationInfo, Observation
    from tokenizer_conformance.ledger.matching import Ledger

ODDITIES = "known_oddities.toml"

KIND = "other values"
"""How a violation differs from what must hold, in the words of a ledger."""


def known_oddities() -> Ledger:
    """Return the known oddities of released implementations."""
    content = (files("tokenizer_conformance.research.offsets_audit") / ODDITIES).read_bytes()
    return together([(ODDITIES, content)])


class KnownViolations(KnownFindings):
    """What ``ledger`` says of violations, and which of its entries were met."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger, ":")

    def of(self, tokenizer: str, implementation: ImplementationInfo, name: str, question: Observation) -> Entry | None:
        """Return the entry about the finding called ``name``, seen on ``question``; ``None`` where it is new."""
        return self.entry_for(
            Difference(
                implementation=implementation.name,
                version=implementation.version,
                tokenizer=tokenizer,
                stage=stage_of(question),
                fields=(),
                requirement=None,
                kind=KIND,
                input=name,
            )
        )


class LedgerUpdate:
    """Appends an entry without a reason to the ledger at ``path`` for each new finding of an audit, when it is over."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._new: dict[Entry, str] = {}

    def handle(self, event: object) -> None:
        """Take in ``event``; at the end, write. Raises ``OSError`` where that cannot be done."""
        match event:
            case Audited():
                for found in event.new:
                    entry = Entry(
                        implementation=known_as(event.implementation),
                        version=range_of(event.implementation_version),
                        tokenizers=(pattern_of(event.tokenizer),),
                        inputs=(pattern_of(f"{found.invariant}: {found.manner}"),),
                        reason="",
                        place=NOWHERE,
                    )
                    self._new.setdefault(entry, headline(found))
            case LastLine():
                append_entries(self._path, list(self._new.items()))
