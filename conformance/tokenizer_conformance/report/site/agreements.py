"""The table of implementations and tokenizers that a site begins with: who gives the ids of the baseline where.

Records of runs are set beside one another: a cell says what all of them say about one implementation on one tokenizer.
Only those count that have the baseline of most, and of an implementation those of the version that was compared last.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.agreement import Agreement, Texts
from tokenizer_conformance.results.outcomes import DIFFERING, Result
from tokenizer_conformance.results.page import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokenizer_conformance.report.site.about import PlacedPage
    from tokenizer_conformance.results.page import Page

WORDS: Mapping[State, tuple[str, str]] = {
    State.AGREE: ("agrees", "the same ids, and nothing else that was compared differs"),
    State.ACCEPTABLE: (
        "nearly",
        "the same ids for ordinary texts; hard inputs, pairs, pre-split texts, offsets or decoded texts differ",
    ),
    State.ERROR: ("no answer", "the same ids for ordinary texts; a crash, or no answer in time, elsewhere"),
    State.DIFFER: ("other ids", "ordinary texts get other ids, or an error, with special tokens or without"),
    State.UNSUPPORTED: ("no ids", "it shows no ids"),
    State.NOT_COMPARED: ("not loaded", "it does not load this tokenizer"),
}
"""The word of each state of a cell, and what it means. Hard inputs take the place of ordinary texts where none were
asked."""

SAME = (State.AGREE, State.ACCEPTABLE, State.ERROR)
"""The states of who gives the same ids for all ordinary texts."""

BASELINE = "baseline"
"""What the implementation was in a run that others were compared with."""

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
        shares = ((self.agreement.ordinary, "ordinary texts"), (self.agreement.hard, "hard inputs"))
        said = [_words(each, what) for each, what in shares if each.least.total]
        others = [f"{each.pairs} {what}" for each, what in shares if each.pairs.same < each.pairs.total]
        if others:
            said.append(f"the same ids of pairs in {' and '.join(others)}")
        if self.state is State.ERROR:
            said.append(f"a crash, or no answer in time, at {' and '.join(self.agreement.unanswered)}")
        elif self.state is State.ACCEPTABLE and all(each.least.is_all for each, _ in shares if each.least.total):
            said += [] if others else ["pre-split texts, offsets, decoded texts or other values differ"]
        return "; ".join(said) or WORDS[self.state][1]


@dataclass(frozen=True, slots=True)
class Standings:
    """The table: ``rows`` are implementations, best first, with a standing for each of ``tokenizers`` that has one.

    ``others`` are the tokenizers that the table has no room for. The ids of the ``baseline`` are those to be given.
    """

    baseline: str
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
    every = list(pages)
    baseline = _baseline(every)
    versions: dict[str, str] = {}
    said: dict[tuple[str, str], list[tuple[PlacedPage, Agreement]]] = {}
    for placed in (each for each in every if baseline_of(each.page) == baseline):
        compared = {each.name: each.version for each in placed.page.compared}
        for agreement in placed.page.agreements:
            name = agreement.implementation
            if versions.setdefault(name, compared.get(name, "")) == compared.get(name, ""):
                said.setdefault((name, agreement.tokenizer), []).append((placed, agreement))
    by_implementation: dict[str, dict[str, Standing]] = {}
    for (implementation, tokenizer), each in said.items():
        by_implementation.setdefault(implementation, {})[tokenizer] = _standing(each)
    asked = [tokenizer for found in by_implementation.values() for tokenizer in found]
    order = sorted(dict.fromkeys(asked), key=lambda each: -asked.count(each))
    rows = sorted(by_implementation.items(), key=_rank)
    return Standings(baseline, tuple(order[:MOST_COLUMNS]), tuple(rows), tuple(order[MOST_COLUMNS:]))


def baseline_of(page: Page) -> str:
    """Return the name of the implementation that others were compared with, empty where there is none."""
    return next((each.name for each in page.compared if each.role == BASELINE), "")


def _baseline(pages: Iterable[PlacedPage]) -> str:
    """Return the baseline of most agreements, of several the one that was used last."""
    counts: Counter[str] = Counter()
    for placed in pages:
        counts[baseline_of(placed.page)] += len(placed.page.agreements)
    return max(counts, key=lambda name: counts[name], default="")


def _rank(row: tuple[str, Mapping[str, Standing]]) -> tuple[int, int, float, str]:
    """Rank by how many tokenizers have the same ids on ordinary texts, how many of these agree in all, then shares."""
    name, found = row
    states = [each.state for each in found.values()]
    same = sum(map(states.count, SAME))
    return -same, -states.count(State.AGREE), -sum(each.agreement.hard.least.share for each in found.values()), name


def _words(texts: Texts, what: str) -> str:
    """Say how many texts have the same ids, encoded without special tokens and with them.

    >>> from tokenizer_conformance.results.agreement import SameIds
    >>> _words(Texts(special=SameIds(9, 10)), "texts")
    'the same ids with special tokens in 9 of 10 texts, without them none were compared'
    """
    plain, special = texts.plain, texts.special
    if not special.total:
        return f"the same ids without special tokens in {plain} {what}, with them none were compared"
    if not plain.total:
        return f"the same ids with special tokens in {special} {what}, without them none were compared"
    if plain == special:
        return f"the same ids in {plain} {what}" + ("" if plain.is_all else ", with special tokens as without")
    return f"the same ids without special tokens in {plain} {what}, with them in {special}"


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

    Of ordinary texts, as of hard inputs, the record counts that asked most, and of these the last one; so it is of what
    was asked with special tokens, and of pairs. The gravest result of those that loaded it counts; what was not
    answered is that of the last record that has any.

    >>> from tokenizer_conformance.results.agreement import SameIds
    >>> few, many = Texts(SameIds(9, 10)), Texts(SameIds(100, 100))
    >>> whole = joined([Agreement("a", "t", Result.DIFFERS, few), Agreement("a", "t", Result.CONFORMS, many)])
    >>> whole.ordinary.least.percentage, whole.result.value
    ('100', 'differs')
    """
    compared = [each for each in agreements if each.telling.least.total] or agreements
    order = list(Result)
    return Agreement(
        agreements[0].implementation,
        agreements[0].tokenizer,
        min((each.result for each in compared), key=order.index),
        _joined_texts([each.ordinary for each in compared]),
        _joined_texts([each.hard for each in compared]),
        next((each.unanswered for each in compared if each.unanswered), ()),
    )


def _joined_texts(texts: Sequence[Texts]) -> Texts:
    asked = (
        [each.plain for each in texts],
        [each.special for each in texts],
        [each.pairs for each in texts],
    )
    return Texts(*(max(each, key=lambda ids: ids.total) for each in asked))


def state_of(agreement: Agreement) -> State:
    """Return what to think of an agreement at a glance; :data:`WORDS` says what the states mean.

    >>> from tokenizer_conformance.results.agreement import SameIds
    >>> state_of(Agreement("a", "t", Result.DIFFERS, Texts(SameIds(9, 9)), Texts(SameIds(8, 9)))).value
    'acceptable'
    """
    telling, hard = agreement.telling.least, agreement.hard.least
    if not telling.total:
        return State.NOT_COMPARED if agreement.result in NOT_LOADING else State.UNSUPPORTED
    if not telling.is_all:
        return State.DIFFER
    if agreement.result is Result.NO_ANSWER:
        return State.ERROR
    differs = agreement.result in DIFFERING - {Result.KNOWN} or hard.same < hard.total
    return State.ACCEPTABLE if differs else State.AGREE
