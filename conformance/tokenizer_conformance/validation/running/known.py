"""Which differences of one tokenizer are known: those that an entry of the ledger is about, and what follows from them.

A difference is a consequence of known ones where every difference of the earlier stages, on the texts that it is about,
is known: a text that is normalized in another way, as expected, has other tokens too. Where any of them is new, so is
what follows. An entry that is about the difference itself goes before that. Where an entry says what was answered, it
says so of what follows as well, and nothing else follows from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import stage_of
from tokenizer_conformance.comparison.blame import BUILDS_ON, STAGE_ORDER
from tokenizer_conformance.comparison.differences import KnownDifference
from tokenizer_conformance.comparison.known import KnownOnes
from tokenizer_conformance.ledger.matching import Ledger

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenizer_adapters.contract import Observation, Stage
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.ledger.answers import Answered
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.running.plan import RunPlan
    from tokenizer_conformance.validation.running.sides import Comparisons

Explained = dict["Stage", "Entry | None"]
"""The stages that differ: each with an entry where all its differences are known, with ``None`` where any is new."""


@dataclass(frozen=True, slots=True)
class JudgedComparisons:
    """Comparisons of which the known differences are told apart, and the stages at which there are any differences."""

    comparisons: Comparisons = field(default_factory=list)
    explained: Explained = field(default_factory=dict)

    def with_other_text(self, other: JudgedComparisons) -> Explained:
        """Return what differs on the texts of a pair: this one, and the ``other``."""
        return {
            stage: self._of_both(stage, other)
            for stage in STAGE_ORDER
            if stage in self.explained or stage in other.explained
        }

    def _of_both(self, stage: Stage, other: JudgedComparisons) -> Entry | None:
        entries = [each.explained[stage] for each in (self, other) if stage in each.explained]
        return None if None in entries else entries[0]


NOTHING = JudgedComparisons()


class KnownDifferences:
    """Tells the known differences on ``tokenizer`` in a run of ``plan``; ``matched`` are the entries they have."""

    def __init__(self, plan: RunPlan, tokenizer: str, matched: Iterable[Entry] = ()) -> None:
        self._ledger = plan.ledger
        self._whatever_answered = Ledger([replace(each, answers=frozenset()) for each in plan.ledger.entries])
        self._answers: dict[str, Mapping[str, Entry]] = {}
        self._tokenizer = tokenizer
        self._infos = {each.info.name: each.info for each in plan.implementations}
        self._baseline = plan.baseline
        self.matched: dict[Entry, None] = dict.fromkeys(matched)

    def judged(
        self, name: str, input_id: str, comparisons: Comparisons, earlier: Mapping[Stage, Entry | None] | None = None
    ) -> JudgedComparisons:
        """Return ``comparisons`` of the implementation called ``name`` on an input, in the order of the stages.

        ``earlier`` are the stages that differ on the texts of pairs, each asked about alone; none for single texts.
        """
        if not any(comparison.differences for _, comparison in comparisons):
            return JudgedComparisons(comparisons)
        told: Comparisons = []
        explained: Explained = {}
        for question, comparison in comparisons:
            if not comparison.differences:
                told.append((question, comparison))
                continue
            stage = stage_of(question)
            cause = _cause(stage, explained if earlier is None else earlier)
            new: list[Difference] = []
            known: list[KnownDifference] = []
            for difference in comparison.differences:
                entry = self._entry(name, input_id, question, difference, comparison.answered)
                before = cause if cause is None or not cause[1].answers else None
                before = before or self._answer_before(name, stage, comparison.answered)
                if entry is not None:
                    known.append(KnownDifference(difference, entry))
                elif before is not None:
                    known.append(KnownDifference(difference, before[1], follows_from=before[0]))
                else:
                    new.append(difference)
            told.append((question, replace(comparison, differences=tuple(new), known=tuple(known))))
            explained[stage] = None if new or explained.get(stage, known) is None else known[0].entry
        return JudgedComparisons(told, explained)

    def entry_for_vocabulary(self, name: str, named: str) -> Entry | None:
        """Return the entry that is about what is ``named`` in the vocabulary of the implementation called ``name``."""
        entries = self._known(name, self._ledger).entries_for_vocabulary(named)
        self.matched.update(dict.fromkeys(entries))
        return entries[0] if entries else None

    def is_known(self, name: str, input_id: str, question: Observation, difference: Difference) -> bool:
        """Return whether an entry is about ``difference``, which is not one of the run, whatever was answered."""
        return bool(self._known(name, self._whatever_answered).entries_for(question, difference, input_id))

    def _entry(
        self, name: str, input_id: str, question: Observation, difference: Difference, answered: Answered | None
    ) -> Entry | None:
        entries = self._known(name, self._ledger).entries_for(question, difference, input_id, answered)
        self.matched.update(dict.fromkeys(entries))
        return entries[0] if entries else None

    def _answer_before(self, name: str, stage: Stage, answered: Answered | None) -> tuple[Stage, Entry] | None:
        """Return the entry of an earlier stage that tells this answer at ``stage`` too, with that stage."""
        if name not in self._answers:
            self._answers[name] = self._known(name, self._ledger).entries_by_answers()
        entry = None if answered is None else self._answers[name].get(answered.letters())
        before = [each for each in BUILDS_ON[stage] if entry is not None and each in entry.stages]
        return (before[0], entry) if entry is not None and before else None

    def _known(self, name: str, ledger: Ledger) -> KnownOnes:
        return KnownOnes(self._tokenizer, self._infos[self._baseline], self._infos[name], ledger)


def _cause(stage: Stage, explained: Mapping[Stage, Entry | None]) -> tuple[Stage, Entry] | None:
    """Return the first stage before ``stage`` that differs, with its entry, where all that do are known."""
    causes = [(each, explained[each]) for each in STAGE_ORDER if each in BUILDS_ON[stage] and each in explained]
    known = [(each, entry) for each, entry in causes if entry is not None]
    return known[0] if known and len(known) == len(causes) else None
