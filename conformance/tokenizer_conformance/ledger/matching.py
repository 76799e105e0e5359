"""A ledger: which of its entries a difference has, and which entries are stale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokenizer_conformance.ledger.names import fits
from tokenizer_conformance.ledger.staleness import holds_for, is_stale

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.ledger.entry import Difference, Entry, FactDifference
    from tokenizer_conformance.ledger.staleness import Scope


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """A file of a ledger: its ``name`` as it was given, and the SHA-256 of what stood in it."""

    name: str
    sha256: str


class Ledger:
    """The entries of the ``files`` that were read together, in their order.

    ``takes_new`` says that new differences are to be appended to one of them.
    """

    def __init__(
        self, entries: Sequence[Entry] = (), files: Sequence[LedgerFile] = (), *, takes_new: bool = False
    ) -> None:
        self.takes_new = takes_new
        self.entries = tuple(entries)
        self.files = tuple(files)
        self._by_implementation: dict[str, list[Entry]] = {}
        for entry in self.entries:
            self._by_implementation.setdefault(entry.implementation, []).append(entry)
        self._candidates: dict[object, tuple[Entry, ...]] = {}

    def entries_for(self, difference: Difference) -> tuple[Entry, ...]:
        """Return all entries that are about ``difference``."""
        if difference.implementation not in self._by_implementation:
            return ()
        key = (
            difference.implementation,
            difference.version,
            difference.baseline,
            difference.baseline_version,
            difference.tokenizer,
            difference.also_called,
            difference.stage,
            difference.fields,
            difference.requirement,
            difference.kind,
            difference.verdict,
        )
        candidates = self._candidates.get(key)
        if candidates is None:
            entries = self._by_implementation[difference.implementation]
            candidates = self._candidates[key] = tuple(each for each in entries if _is_about(each, difference))
        return tuple(each for each in candidates if _asks_about(each, difference) and _tells(each, difference))

    def entry_for(self, difference: Difference) -> Entry | None:
        """Return the first entry that is about ``difference``, ``None`` where it is not known."""
        return next(iter(self.entries_for(difference)), None)

    def by_answers(self, difference: Difference) -> dict[str, Entry]:
        """Return the entries about the sides and the tokenizer of ``difference`` that tell answers, by these."""
        entries = self._by_implementation.get(difference.implementation, ())
        told = (each for each in entries if each.answers)
        about = [each for each in told if _is_about(replace(each, stages=(), fields=(), classes=()), difference)]
        return {answer: each for each in reversed(about) for answer in each.answers}

    def entry_for_fact(self, difference: FactDifference) -> Entry | None:
        """Return the first entry that is about a fact that changed, ``None`` where that is not known."""
        entries = self._by_implementation.get(difference.implementation, ())
        return next((each for each in entries if _is_about_fact(each, difference)), None)

    def stale(self, scope: Scope) -> tuple[Entry, ...]:
        """Return the entries that had a full chance in ``scope``, and that nothing there has matched."""
        return tuple(entry for entry in self.entries if is_stale(entry, scope))


def _is_about(entry: Entry, difference: Difference) -> bool:
    """Return whether all of ``entry`` fits but what it says of the question."""
    names = (difference.tokenizer, *difference.also_called)
    return (
        not entry.sections
        and holds_for(entry, difference.version, difference.baseline, difference.baseline_version)
        and (not entry.tokenizers or any(fits(name, entry.tokenizers) for name in names))
        and (not entry.stages or difference.stage in entry.stages)
        and (not entry.fields or (bool(difference.fields) and set(difference.fields) <= set(entry.fields)))
        and (not entry.classes or not {difference.kind, difference.verdict}.isdisjoint(entry.classes))
        and (not entry.requirements or fits(difference.requirement, entry.requirements))
    )


def _asks_about(entry: Entry, difference: Difference) -> bool:
    return (
        (not entry.inputs or fits(difference.input, entry.inputs))
        and (entry.text is None or entry.text == difference.text)
        and (entry.pair is None or entry.pair == difference.pair)
    )


def _tells(entry: Entry, difference: Difference) -> bool:
    """Return whether what was answered is what ``entry`` tells of."""
    if not entry.answers:
        return True
    return difference.answered is not None and difference.answered.letters(entry.fields) in entry.answers


def _is_about_fact(entry: Entry, difference: FactDifference) -> bool:
    return (
        difference.section in entry.sections
        and holds_for(entry, difference.version, difference.baseline, difference.baseline_version)
        and (not entry.facts or fits(difference.name, entry.facts))
    )
