"""The table of implementations and tokenizers that a site begins with: who gives the ids of the baseline where.

Records of runs are set beside one another: a cell says what all of them say about one implementation on one tokenizer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.agreement import Agreement, SameIds
from tokenizer_conformance.results.outcomes import DIFFERING, Result
from tokenizer_conformance.results.page import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokenizer_conformance.report.site.about import PlacedPage

WORDS: Mapping[State, tuple[str, str]] = {
    State.AGREE: ("agrees", "the same ids, and nothing else that was compared differs"),
    State.ACCEPTABLE: ("nearly", "ordinary texts get the same ids; hard inputs, offsets or decoded texts differ"),
    State.DIFFER: ("other ids", "ordinary texts get other ids"),
    State.UNSUPPORTED: ("no ids", "it shows no ids"),
    State.NOT_COMPARED: ("not loaded", "it does not load this tokenizer"),
}
"""The word of each state of a cell, and what it means."""

NOT_LOADING = frozenset({Result.NOT_LOADED, Result.UNAVAILABLE})

MOST_COLUMNS = 12
"""How many tokenizers the table has: those that most implementations were asked about."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What all records say of one implementation on one tokenizer, and the ``address`` that shows why."""

    agreement: Agreement
    state: State
    address: str

    @property
    def words(self) -> str:
        """The cell in words."""
        said = [WORDS[self.state][1]]
        for share, what in ((self.agreement.ordinary, "ordinary texts"), (self.agreement.hard, "hard inputs")):
            if share.total:
                said.append(f"the same ids in {share.same:,} of {share.total:,} {what}")
        return "; ".join(said)


@dataclass(frozen=True, slots=True)
class Standings:
    """The table: ``rows`` are implementations, best first, with a standing for each of ``tokenizers`` that has one.

    ``others`` are the tokenizers that the table has no room for.
    """

    tokenizers: tuple[str, ...]
    rows: tuple[tuple[str, Mapping[str, Standing]], ...]
    others: tuple[str, ...]

    @property
    def states(self) -> list[State]:
        """The states that there are, best first."""
        found = {standing.state for _, row in self.rows for standing in row.values()}
        return [state for state in WORDS if state in found]

    def of(self, implementation: str) -> Mapping[str, Standing]:
        """Return the standings of one implementation."""
        return dict(self.rows).get(implementation, {})

    def on(self, tokenizer: str) -> list[Standing]:
        """Return the standings of all implementations on one tokenizer, best first."""
        return [found[tokenizer] for _, found in self.rows if tokenizer in found]


def standings_of(pages: Iterable[PlacedPage]) -> Standings:
    """Return what ``pages`` of runs say, the last one first."""
    said: dict[tuple[str, str], list[tuple[PlacedPage, Agreement]]] = {}
    for placed in pages:
        for agreement in placed.page.agreements:
            said.setdefault((agreement.implementation, agreement.tokenizer), []).append((placed, agreement))
    by_implementation: dict[str, dict[str, Standing]] = {}
    for (implementation, tokenizer), each in said.items():
        by_implementation.setdefault(implementation, {})[tokenizer] = _standing(each)
    asked = [tokenizer for found in by_implementation.values() for tokenizer in found]
    order = sorted(dict.fromkeys(asked), key=lambda each: -asked.count(each))
    rows = sorted(by_implementation.items(), key=_rank)
    return Standings(tuple(order[:MOST_COLUMNS]), tuple(rows), tuple(order[MOST_COLUMNS:]))


def _rank(row: tuple[str, Mapping[str, Standing]]) -> tuple[int, int, float, str]:
    """Rank by how many tokenizers have the same ids on ordinary texts, how many of these agree in all, then shares."""
    name, found = row
    states = [each.state for each in found.values()]
    same = states.count(State.AGREE) + states.count(State.ACCEPTABLE)
    return -same, -states.count(State.AGREE), -sum(_share(each.agreement.hard) for each in found.values()), name


def _share(ids: SameIds) -> float:
    return ids.same / ids.total if ids.total else 0.0


def _standing(said: Sequence[tuple[PlacedPage, Agreement]]) -> Standing:
    agreement = joined([each for _, each in said])
    state = state_of(agreement)
    return Standing(agreement, state, _why(agreement, said))


def _why(agreement: Agreement, said: Sequence[tuple[PlacedPage, Agreement]]) -> str:
    """Return where a record shows what differs, empty where none does: first the one whose share counts."""
    own = (agreement.implementation, agreement.tokenizer)
    for placed, each in sorted(said, key=lambda pair: pair[1] != agreement):
        told = any((found.implementation, found.tokenizer) == own for found in placed.page.findings)
        if told and each.result in DIFFERING:
            words = {"implementation": visible(own[0]), "tokenizer": visible(own[1])}
            return f"{placed.address}#findings&{urlencode(words)}"
    return ""


def joined(agreements: Sequence[Agreement]) -> Agreement:
    """Return what several records say of one implementation on one tokenizer as one; the last record comes first.

    Of ordinary texts, as of hard inputs, the record counts that asked most, and of these the last one. The gravest
    result of those that loaded it counts.

    >>> few, many = SameIds(9, 10), SameIds(100, 100)
    >>> whole = joined([Agreement("a", "t", Result.DIFFERS, few), Agreement("a", "t", Result.CONFORMS, many)])
    >>> whole.ordinary.percentage, whole.result.value
    ('100', 'differs')
    """
    compared = [each for each in agreements if each.ordinary.total or each.hard.total] or agreements
    order = list(Result)
    return Agreement(
        agreements[0].implementation,
        agreements[0].tokenizer,
        min((each.result for each in compared), key=order.index),
        max((each.ordinary for each in compared), key=lambda each: each.total),
        max((each.hard for each in compared), key=lambda each: each.total),
    )


def state_of(agreement: Agreement) -> State:
    """Return what to think of an agreement at a glance; :data:`WORDS` says what the states mean.

    >>> state_of(Agreement("a", "t", Result.DIFFERS, SameIds(100, 100), SameIds(90, 100))).value
    'acceptable'
    """
    ordinary, hard = agreement.ordinary, agreement.hard
    if not (ordinary.total or hard.total):
        return State.NOT_COMPARED if agreement.result in NOT_LOADING else State.UNSUPPORTED
    if not (ordinary if ordinary.total else hard).is_all:
        return State.DIFFER
    differs = agreement.result in DIFFERING - {Result.KNOWN}
    return State.ACCEPTABLE if differs or hard.same < hard.total else State.AGREE
