"""What a ledger knows of the findings of an audit, and which of its entries are stale.

An audit calls what it finds an *input*: a subject, such as a component or an invariant, a mark, and what is the matter
with it. An entry is about a finding where it fits that name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.ledger.names import fits
from tokenizer_conformance.ledger.staleness import holds_for

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.ledger.entry import Difference, Entry
    from tokenizer_conformance.ledger.matching import Ledger


class KnownFindings:
    """What ``ledger`` says of findings, and which of its entries were met.

    ``mark`` stands after the subject in the name of a finding. ``baseline`` is what was compared with, where an audit
    compares: only entries about it can be stale.
    """

    def __init__(self, ledger: Ledger, mark: str, baseline: ImplementationInfo | None = None) -> None:
        self._ledger = ledger
        self._mark = mark
        self._baseline = baseline
        self._met: set[Entry] = set()
        self._audited: list[tuple[str, ImplementationInfo, frozenset[str]]] = []

    def entry_for(self, difference: Difference) -> Entry | None:
        """Return the entry that is about ``difference``, ``None`` where it is new."""
        entry = self._ledger.entry_for(difference)
        if entry is not None:
            self._met.add(entry)
        return entry

    def audited(self, tokenizer: str, info: ImplementationInfo, subjects: frozenset[str]) -> None:
        """Take note that the implementation ``info`` was audited to the end, and which ``subjects`` were looked at."""
        self._audited.append((tokenizer, info, subjects))

    def stale(self) -> tuple[Entry, ...]:
        """Return the entries about named tokenizers and subjects that were looked at, and that nothing has met."""
        return tuple(entry for entry in self._ledger.entries if entry not in self._met and self._had_a_chance(entry))

    def _had_a_chance(self, entry: Entry) -> bool:
        named = {name.partition(self._mark)[0] for name in entry.inputs}
        return bool(named and entry.tokenizers) and any(
            known_as(info.name) == entry.implementation
            and self._is_about(entry, info.version)
            and named <= subjects
            and fits(tokenizer, entry.tokenizers)
            for tokenizer, info, subjects in self._audited
        )

    def _is_about(self, entry: Entry, version: str) -> bool:
        if self._baseline is None:
            return holds_for(entry, version, entry.baselines[0], None)
        return holds_for(entry, version, known_as(self._baseline.name), self._baseline.version)


def stale_line(entry: Entry) -> str:
    """Say that ``entry`` is stale."""
    return f"{entry.place}: nothing matches it any more"
