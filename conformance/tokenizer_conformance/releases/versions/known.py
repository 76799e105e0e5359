"""Which changes from a release to the next one a ledger knows, and which of its entries are stale.

An entry is judged as in a run and a diff (``ledger/staleness.py`` has the rule), at each step that
it holds for. A step asks about the inputs that differ alone; whether all that an entry is about was compared is found
out by reading the answers of both releases once more, and only where an entry has matched nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.ledger.entry import FactDifference
from tokenizer_conformance.ledger.names import names_in
from tokenizer_conformance.ledger.staleness import ComparedFacts, Scope, holds_for
from tokenizer_conformance.releases.versions.facts import compared_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.releases.versions.events import StepFinished
    from tokenizer_conformance.releases.versions.facts import Fact, FactChange, SectionFinished


class KnownChanges:
    """What ``ledger`` says of the changes that a comparison finds, and which of its entries were met."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._met: set[Entry] = set()
        self._stale_at_a_step: set[Entry] = set()
        self._facts: dict[tuple[str, str], tuple[ComparedFacts, ...]] = {}

    # What was found

    def step(self, step: StepFinished) -> None:
        """Take note of the entries that ``step`` has met."""
        self._met.update(entry for each in step.tokenizers for entry in each.matched)
        self._met.update(each.entry for each in step.loading if each.entry is not None)

    def section(
        self,
        finished: SectionFinished,
        facts: Mapping[str, Mapping[str, Fact] | str],
        infos: Mapping[str, ImplementationInfo],
    ) -> SectionFinished:
        """Return ``finished`` with the entries that its changes have.

        ``facts`` are those that it was made of, by release, ``infos`` describe the releases.
        """
        for (until, since), names in compared_names(facts).items():
            before = self._facts.get((until, since), ())
            old, new = infos[until], infos[since]
            compared = ComparedFacts(new.name, new.version, old.name, old.version, {finished.section: names})
            self._facts[until, since] = (*before, compared)
        changes = tuple(
            replace(change, entry=self._entry_of(change, infos[change.until], infos[change.since]))
            for change in finished.changes
        )
        self._met.update(change.entry for change in changes if change.entry is not None)
        return replace(finished, changes=changes)

    def _entry_of(self, change: FactChange, old: ImplementationInfo, new: ImplementationInfo) -> Entry | None:
        return self._ledger.entry_for_fact(
            FactDifference(
                implementation=new.name,
                version=new.version,
                baseline=old.name,
                baseline_version=old.version,
                section=change.section,
                name=change.name,
            )
        )

    # What is stale

    def in_play(
        self, old: ImplementationInfo, new: ImplementationInfo, tokenizers: Collection[str]
    ) -> tuple[Entry, ...]:
        """Return the entries about answers and loading that nothing has met, and that a step may show to be stale.

        The step is from ``old`` to ``new``, on ``tokenizers``.
        """
        return tuple(
            entry
            for entry in self._ledger.entries
            if entry not in self._met
            and entry not in self._stale_at_a_step
            and not entry.sections
            and not entry.requirements
            and entry.implementation == known_as(new.name)
            and holds_for(entry, new.version, known_as(old.name), old.version)
            and _are_among(entry.tokenizers, tokenizers)
        )

    def stale_at_a_step(self, entries: Iterable[Entry]) -> None:
        """Take note of ``entries`` that a step has shown to be stale, unless another one meets them."""
        self._stale_at_a_step.update(entries)

    def stale(self) -> tuple[Entry, ...]:
        """Return the entries that are stale, in their order."""
        facts = tuple(_together(each) for each in self._facts.values())
        of_facts = self._ledger.stale(Scope(frozenset(self._met), facts=facts))
        return tuple(
            entry
            for entry in self._ledger.entries
            if entry not in self._met and (entry in self._stale_at_a_step or (entry.sections and entry in of_facts))
        )


def _are_among(patterns: tuple[str, ...], tokenizers: Collection[str]) -> bool:
    names, others = names_in(patterns)
    return bool(names) and not others and names <= set(tokenizers)


def _together(sections: tuple[ComparedFacts, ...]) -> ComparedFacts:
    """Return the facts of all ``sections`` of two releases in one."""
    return replace(sections[0], names={name: names for each in sections for name, names in each.names.items()})
