"""Which violations a ledger knows, and which of its entries are stale.

An audit calls a violation an *input*: ``input = "coverage.text: white space in no span"`` is about that invariant,
violated in that manner, and ``input = "coverage.text: *"`` about all manners. ``stage`` is that of the question. Known
oddities of released implementations stand in ``known_oddities.toml``, a ledger that comes with the project.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import stage_of
from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.ledger.entry import Difference
from tokenizer_conformance.ledger.names import fits
from tokenizer_conformance.ledger.reader import together
from tokenizer_conformance.ledger.standing import holds_for

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.audit.offsets.findings import Finding
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import Ledger

ODDITIES = "known_oddities.toml"

KIND = "other values"
"""How a violation differs from what must hold, in the words of a ledger."""


def known_oddities() -> Ledger:
    """Return the known oddities of released implementations."""
    content = (files("tokenizer_conformance.audit.offsets") / ODDITIES).read_bytes()
    return together([(ODDITIES, content)])


class KnownViolations:
    """What ``ledger`` says of violations, and which of its entries were met."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._met: set[Entry] = set()
        self._audited: list[tuple[str, ImplementationInfo, frozenset[str]]] = []

    def of(self, tokenizer: str, implementation: ImplementationInfo, finding: Finding) -> Entry | None:
        """Return the entry that is about ``finding``, ``None`` where it is new."""
        entry = self._ledger.entry_for(
            Difference(
                implementation=implementation.name,
                version=implementation.version,
                tokenizer=tokenizer,
                stage=stage_of(finding.asking.question),
                fields=(),
                requirement=None,
                kind=KIND,
                input=finding.name,
            )
        )
        if entry is not None:
            self._met.add(entry)
        return entry

    def audited(self, tokenizer: str, implementation: ImplementationInfo, checked: frozenset[str]) -> None:
        """Take note that ``implementation`` was audited to the end, and which invariants were ``checked``."""
        self._audited.append((tokenizer, implementation, checked))

    def stale(self) -> tuple[Entry, ...]:
        """Return the entries about invariants of named tokenizers that were checked, and hold now."""
        return tuple(entry for entry in self._ledger.entries if entry not in self._met and self._had_a_chance(entry))

    def _had_a_chance(self, entry: Entry) -> bool:
        ids = {name.partition(":")[0] for name in entry.inputs}
        return bool(ids and entry.tokenizers) and any(
            known_as(implementation.name) == entry.implementation
            and holds_for(entry, implementation.version, entry.baselines[0], None)
            and ids <= checked
            and fits(tokenizer, entry.tokenizers)
            for tokenizer, implementation, checked in self._audited
        )
