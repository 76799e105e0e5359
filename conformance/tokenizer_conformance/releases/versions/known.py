"""Which changes from a release to the next one a ledger knows, which of its entries are stale, and what it lacks.

An entry is judged as in a run and a diff (``ledger/staleness.py`` has the rule), at each step that
it holds for. A step asks about the inputs that differ alone; whether all that an entry is about was compared is found
out by reading the answers of both releases once more, and only where an entry has matched nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.command_io.ledger_update import LedgerUpdate as UpdateOf
from tokenizer_conformance.command_io.ledger_update import new_entry
from tokenizer_conformance.ledger.entry import FactDifference
from tokenizer_conformance.ledger.names import names_in, pattern_of
from tokenizer_conformance.ledger.staleness import ComparedFacts, Scope, holds_for
from tokenizer_conformance.releases.diff.ledger_update import loading_entry
from tokenizer_conformance.releases.versions.alike import alike
from tokenizer_conformance.releases.versions.events import Event, StepFinished
from tokenizer_conformance.releases.versions.facts import compared_names
from tokenizer_conformance.results.records import versions as lines
from tokenizer_conformance.results.records.headers import EntryReference
from tokenizer_conformance.validation.running.events import RunFinished
from tokenizer_conformance.validation.running.ledger_update import new_entries
from tokenizer_conformance.validation.running.record import entry_reference

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.releases.diff.events import Event as DiffEvent
    from tokenizer_conformance.releases.versions.facts import Fact
    from tokenizer_conformance.releases.versions.plan import VersionsPlan


class KnownChanges:
    """What ``ledger`` says of the changes that a comparison finds, and which of its entries were met."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._met: set[Entry] = set()
        self._stale_at_a_step: set[Entry] = set()
        self._facts: dict[tuple[str, str], ComparedFacts] = {}

    # What was found

    def step(self, step: StepFinished) -> None:
        """Take note of the entries that ``step`` has met."""
        self._met.update(entry for each in step.tokenizers for entry in each.matched)
        self._met.update(each.entry for each in step.loading if each.entry is not None)

    def section(
        self,
        found: lines.Section,
        facts: Mapping[str, Mapping[str, Fact] | str],
        infos: Mapping[str, ImplementationInfo],
    ) -> lines.Section:
        """Return the section that was ``found`` with the entries by which its changes are known.

        ``facts`` are those that it was made of, by release, ``infos`` describe the releases.
        """
        for (until, since), names in compared_names(facts).items():
            old, new = infos[until], infos[since]
            before = self._facts.get((until, since), ComparedFacts(new.name, new.version, old.name, old.version, {}))
            self._facts[until, since] = replace(before, names={**before.names, found.section: names})
        changes = tuple(
            msgspec.structs.replace(
                change, known=self._known(found.section, change.name, infos[change.until], infos[change.since])
            )
            for change in found.changes
        )
        return msgspec.structs.replace(found, changes=changes)

    def _known(
        self, section: str, name: str, old: ImplementationInfo, new: ImplementationInfo
    ) -> EntryReference | None:
        """Return the entry by which a fact that changed is known, and take note of it."""
        difference = FactDifference(
            implementation=new.name,
            version=new.version,
            baseline=old.name,
            baseline_version=old.version,
            section=section,
            name=name,
        )
        entry = self._ledger.entry_for_fact(difference)
        if entry is None:
            return None
        self._met.add(entry)
        return EntryReference(**entry_reference(entry))

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

    def diffed(self, event: DiffEvent) -> None:
        """Take note of the entries that a diff has shown to be stale in the end, unless another step meets them."""
        if isinstance(event, RunFinished):
            self._stale_at_a_step.update(event.stale)

    def stale(self) -> tuple[Entry, ...]:
        """Return the entries that are stale, in their order."""
        of_facts = self._ledger.stale(Scope(frozenset(self._met), facts=tuple(self._facts.values())))
        return tuple(
            entry
            for entry in self._ledger.entries
            if entry not in self._met and (entry in self._stale_at_a_step or (entry.sections and entry in of_facts))
        )


def _are_among(patterns: tuple[str, ...], tokenizers: Collection[str]) -> bool:
    names, others = names_in(patterns)
    return bool(names) and not others and names <= set(tokenizers)


# New entries ---------------------------------------------------------------------------------------------------------


class LedgerUpdate(UpdateOf[Event]):
    """Appends an entry without a reason for each new difference; facts of a section that changed alike have one."""

    def __init__(self, plan: VersionsPlan, path: Path) -> None:
        super().__init__(path)
        self._infos = {each.word: each.implementation.info for each in plan.releases}

    def entries_of(self, event: Event) -> Iterator[tuple[Entry, str]]:
        """Yield an entry for each new difference in ``event``, with a comment."""
        match event:
            case StepFinished():
                yield from _of_step(event)
            case lines.Section(section=section, changes=changes):
                for group in alike(section, [each for each in changes if each.known is None]):
                    old, new = self._infos[group.first.until], self._infos[group.first.since]
                    facts = tuple(pattern_of(change.name) for change in group.changes)
                    entry = new_entry(new, baselines=(known_as(old.name),), sections=(section,), facts=facts)
                    yield entry, f"{section}: {group.line()}"


def _of_step(step: StepFinished) -> Iterator[tuple[Entry, str]]:
    yield from (loading_entry(each, *step.infos) for each in step.loading if each.entry is None)
    causes = {each.tokenizer: each.causes for each in step.tokenizers}
    for seen in step.seen:
        if step.run is not None:
            yield from new_entries(seen, causes.get(seen.tokenizer, ()), step.run)
