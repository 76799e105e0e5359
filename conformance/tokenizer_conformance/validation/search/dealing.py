"""Which texts are asked about, in which order: numbered batches, each of one generator.

Batch *n* depends on the seed and on what came of the batches before the last :data:`WINDOW` ones, and on nothing else:
neither on time, nor on how many processes do the work.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text import lone_surrogate
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced
from tokenizer_conformance.results.records import search as lines
from tokenizer_conformance.results.records.making import made
from tokenizer_conformance.validation.search.cases import EFFORT_OF_A_CASE, Batch, Case
from tokenizer_conformance.validation.search.generators import VARIED, ChangedTexts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WINDOW = 16
"""How many batches are under way or wait to be taken. More processes than that have nothing to do."""

CASES_AT_ONCE = 16
"""How many texts a batch has."""

CHARACTERS_AT_ONCE = 20_000
"""With so many characters a batch is complete, however few texts they are."""

THOROUGH_EVERY = 4
"""Of a long row of texts only so many are asked about as pairs, words, batches and streams, too: these questions take
several times as long as all others, and what they show hangs less on the text."""

LONG_ROW = 2000
"""A generator with more texts makes a long row; every text of a shorter one is asked all questions."""

MOST_REMEMBERED = 100_000
"""How many texts are remembered, so that none of them is asked about again."""

MOST_SKIPPED = 1000
"""How many texts in a row may be skipped while one batch is made: a generator that repeats itself holds up nobody."""

MOST_PARTS = 1024
"""A truncation makes an encoding of each part of one text with each part of the other: no more than so many of them."""

KEPT = "kept"
"""The generator of what a corpus holds from earlier searches; it is asked about before all else."""

GIVEN = "given-texts"
CHANGED = "changes"


def _given(material: Material) -> Produced:
    return Produced(len(material.texts), material.texts.__getitem__)


GIVEN_TEXTS = Generator(GIVEN, "the texts that were given, as they stand", _given)


@dataclass(slots=True)
class GeneratorCount:
    """The outcome of a generator: ``next`` is the number of the text it makes next, ``count`` how many it has.

    ``cases`` were asked about; ``causes`` were found first by it, ``hits`` are the cases that differ.
    """

    name: str
    count: int | None
    next: int = 0
    cases: int = 0
    causes: int = 0
    hits: int = 0

    @property
    def line(self) -> lines.Generator:
        """What a record says of it."""
        return made(lines.Generator, self, used=self.next, differing=self.hits, findings=self.causes)

    @property
    def is_thorough(self) -> bool:
        """Whether the next text is asked all questions."""
        return (self.count is not None and self.count <= LONG_ROW) or self.next % THOROUGH_EVERY == 0

    @property
    def is_over(self) -> bool:
        """Whether it has no further text."""
        return self.count is not None and self.next >= self.count


class Dealer:
    """Deals batches of the texts that ``generators`` make of ``material``.

    ``kept`` cases are dealt first; ``starts`` says with which number each generator goes on. At most ``cases`` texts
    are dealt, any number where that is ``None``.
    """

    def __init__(
        self,
        generators: Sequence[Generator],
        material: Material,
        *,
        cases: int | None = None,
        kept: Sequence[Case] = (),
        starts: Mapping[str, int] | None = None,
    ) -> None:
        self._left = cases
        self._kept = deque(kept)
        self._produced = {each.name: each.make(material) for each in (*generators, GIVEN_TEXTS)}
        self.changes = ChangedTexts(material.seed, (case.text for case in kept))
        self._produced[CHANGED] = Produced(None, self.changes.text)
        begun = starts or {}
        self.counts = {KEPT: GeneratorCount(KEPT, len(kept))} | {
            name: GeneratorCount(name, produced.count, begun.get(name, 0)) for name, produced in self._produced.items()
        }
        self._scheduler = Scheduler(tuple(self._produced))
        self._largest_pair = _largest_pair(material)
        self._seen: dict[int, None] = {}
        self._batches = 0
        self.skipped = 0

    def next(self) -> Batch | None:
        """Return the next batch; ``None`` where there is none before what was dealt has been taken."""
        while self._left is None or self._left > 0:
            ready = self._ready()
            name = KEPT if self._kept else self._scheduler.next(ready)
            if name is None:
                return None
            cases = self._kept_cases() if name == KEPT else self._cases(name)
            batch = Batch(self._batches, name, _paired(cases, self._largest_pair))
            if name != KEPT:
                # Texts that were all skipped have cost something, too.
                self._scheduler.dealt(name, max(batch.effort, EFFORT_OF_A_CASE))
            if cases:
                self._batches += 1
                self._left = None if self._left is None else self._left - len(cases)
                return batch
        return None

    @property
    def is_exhausted(self) -> bool:
        """Whether there would be no further text, however many were wanted."""
        return not self._kept and not self._ready()

    def took(self, batch: Batch, cases: int, causes: int, hits: int) -> None:
        """Take note of the result of ``batch``.

        So many of its ``cases`` were asked about, with ``causes`` that are new, and ``hits``, the cases that differ.
        """
        count = self.counts[batch.generator]
        count.cases += cases
        count.causes += causes
        count.hits += hits
        if batch.generator != KEPT:
            self._scheduler.took(batch.generator, batch.effort, causes)

    def positions(self, under_way: Iterable[Batch]) -> dict[str, int]:
        """Return with which number each generator has to go on where nothing of ``under_way`` is taken any more."""
        positions = {name: self.counts[name].next for name in self._produced}
        for batch in under_way:
            if batch.generator != KEPT:
                positions[batch.generator] = min(positions[batch.generator], batch.cases[0].number)
        return positions

    def _ready(self) -> frozenset[str]:
        ready = {name for name in self._produced if not self.counts[name].is_over}
        return frozenset(ready if self.changes else ready - {CHANGED})

    def _most(self) -> int:
        return CASES_AT_ONCE if self._left is None else min(CASES_AT_ONCE, self._left)

    def _kept_cases(self) -> list[Case]:
        cases = [self._kept.popleft() for _ in range(min(self._most(), len(self._kept)))]
        self.counts[KEPT].next += len(cases)
        return cases

    def _cases(self, name: str) -> list[Case]:
        """Return the next cases of the generator called ``name``; none where all its next texts were skipped."""
        count, produced = self.counts[name], self._produced[name]
        cases: list[Case] = []
        skipped = characters = 0
        while len(cases) < self._most() and characters < CHARACTERS_AT_ONCE and not count.is_over:
            text = produced.text(count.next)
            if self._is_new(text):
                variant = count.next if name == VARIED else None
                cases.append(Case(count.next, text, thorough=count.is_thorough, variant=variant))
                characters += len(text)
            else:
                skipped += 1
            count.next += 1
            if skipped >= MOST_SKIPPED:
                break
        self.skipped += skipped
        return cases

    def _is_new(self, text: str) -> bool:
        """Return whether ``text`` can be asked about and is none of those that are remembered, and remember it."""
        mark = hash(text)
        if mark in self._seen or lone_surrogate(text) is not None:
            return False
        self._seen[mark] = None
        if len(self._seen) > MOST_REMEMBERED:
            del self._seen[next(iter(self._seen))]
        return True


def _largest_pair(material: Material) -> float:
    """Return how large the product of the lengths of two texts may be; a token has one character at least, mostly."""
    truncation = material.document.get("truncation")
    if not isinstance(truncation, dict):
        return inf
    length, stride = truncation.get("max_length"), truncation.get("stride", 0)
    step = max(1, length - stride) if isinstance(length, int) and isinstance(stride, int) else 1
    return float(MOST_PARTS * step**2)


def _paired(cases: Sequence[Case], largest: float) -> tuple[Case, ...]:
    """Return ``cases``, each with the text after it for the other one of its pair; the first follows the last.

    Of the other one so much is left out that the product of both lengths is ``largest`` at most.
    """
    following = [*cases[1:], *cases[:1]]
    return tuple(
        case if case.other else replace(case, other=_at_most(after.text, largest / max(1, len(case.text))))
        for case, after in zip(cases, following, strict=True)
    )


def _at_most(text: str, length: float) -> str:
    return text if len(text) <= length else text[: int(length)]


# Who makes the next texts --------------------------------------------------------------------------------------------
# Generators share the work by what they bring in. Half of the effort is shared equally, so that no generator starves;
# the other half goes by yield, which is the number of new causes for the effort, where what was long ago counts less.
# Effort is counted in characters and not in seconds: time, which no two machines share, decides nothing but when a
# search ends, and so a seed gives the same search again.

SHARED_EQUALLY = 0.5
"""Which part of the effort is shared equally."""

MEMORY = 0.9
"""What counts of the yield so far when a further batch is taken in."""

PRIOR_EFFORT = 2000.0
"""A generator begins as if it had found one cause for that effort: what was not tried yet is worth a try."""


@dataclass(slots=True)
class _Arm:
    """A generator as the scheduler sees it; ``way`` is the effort it has had, each part divided by its share then."""

    way: float = 0.0
    causes: float = 1.0
    effort: float = PRIOR_EFFORT

    @property
    def worth(self) -> float:
        return self.causes / self.effort


class Scheduler:
    """Shares the work among generators by their ``names``, the first of which are tried first."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._arms = {name: _Arm() for name in names}
        self._ready: frozenset[str] = frozenset()

    def next(self, ready: frozenset[str]) -> str | None:
        """Return which of those that are ``ready`` makes the next texts; ``None`` where none is."""
        self._let_in(ready)
        waiting = [name for name in self._arms if name in ready]
        return min(waiting, key=lambda name: self._arms[name].way, default=None)

    def _let_in(self, ready: frozenset[str]) -> None:
        """Have those that were not ready before go on where the others are: nobody catches up."""
        behind = min((self._arms[name].way for name in self._ready & ready), default=0.0)
        for name in ready - self._ready:
            self._arms[name].way = max(self._arms[name].way, behind)
        self._ready = ready

    def dealt(self, name: str, effort: int) -> None:
        """Take note that ``name`` was given ``effort``, where others that were ready could have been."""
        arm = self._arms[name]
        worth = sum(self._arms[each].worth for each in self._ready)
        share = SHARED_EQUALLY / len(self._ready) + (1 - SHARED_EQUALLY) * arm.worth / worth
        arm.way += effort / share

    def took(self, name: str, effort: int, causes: int) -> None:
        """Take note that ``effort`` of ``name`` has brought so many new ``causes``."""
        arm = self._arms[name]
        arm.causes = MEMORY * arm.causes + causes
        arm.effort = MEMORY * arm.effort + effort
