"""How two tokenizers cut many texts: regions by kind, with the tokens that they gain or lose."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.research.cuts.characters import script_label
from tokenizer_conformance.research.cuts.experiments import Evidence, context_of
from tokenizer_conformance.research.cuts.frequent import Frequent
from tokenizer_conformance.research.cuts.kinds import KINDS, Group
from tokenizer_conformance.research.cuts.regions import regions_between

if TYPE_CHECKING:
    from tokenizer_conformance.research.cuts.experiments import Context, Laboratory
    from tokenizer_conformance.research.cuts.frequent import Counted
    from tokenizer_conformance.research.cuts.kinds import Experiment, Kind
    from tokenizer_conformance.research.cuts.regions import PlacedText, PlacedToken, Region

LONGEST_EXAMPLE = 120
"""How many characters of a region an example has."""

MOST_TOKENS = 40
"""How many tokens of a region an example has, on either side."""


@dataclass(slots=True)
class Sum:
    """Counted regions: how many, with how many characters, and how many tokens the second tokenizer needs more.

    ``gained`` is the sum over the regions where it needs more, ``lost`` over those where it needs fewer.
    """

    regions: int = 0
    characters: int = 0
    gained: int = 0
    lost: int = 0

    @property
    def difference(self) -> int:
        """How many tokens the second tokenizer needs more in all."""
        return self.gained - self.lost

    @property
    def moved(self) -> int:
        """How many tokens are gained or lost: what shares are of."""
        return self.gained + self.lost

    def add(self, region: Region) -> None:
        """Count ``region``."""
        self.regions += 1
        self.characters += region.end - region.start
        self.gained += max(region.difference, 0)
        self.lost += max(-region.difference, 0)


@dataclass(frozen=True, slots=True)
class Example:
    """A region as it is often met: its ``characters``, and the tokens of both tokenizers.

    Characters and tokens of long regions are cut (``length`` and ``difference`` are of all). ``context`` is where it
    was met first, ``None`` where that is long.
    """

    characters: str
    length: int
    first: tuple[str, ...]
    second: tuple[str, ...]
    difference: int
    context: Context | None


@dataclass(frozen=True, slots=True)
class CountedExample:
    """An example with how often it was met, the experiment that fits it, and what stands behind its kind."""

    example: Example
    count: int
    experiment: Experiment | None
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class KindResult:
    """The outcome of the regions of a kind. ``missed``: the counts of examples may be too low by so many."""

    kind: Kind
    sum: Sum
    examples: tuple[CountedExample, ...]
    missed: int


@dataclass(frozen=True, slots=True)
class PairResult:
    """How two tokenizers differ. ``texts`` were cut by both; ``kinds`` are in the order of the table.

    ``scripts`` counts the same regions by the scripts of their letters.
    """

    first: str
    second: str
    texts: int
    characters: int
    first_tokens: int
    second_tokens: int
    kinds: tuple[KindResult, ...]
    scripts: tuple[tuple[str, Sum], ...]

    @property
    def difference(self) -> int:
        """How many tokens the second tokenizer needs more."""
        return self.second_tokens - self.first_tokens

    @property
    def regions(self) -> int:
        """In how many regions both differ."""
        return sum(each.sum.regions for each in self.kinds)

    @property
    def cut_regions(self) -> int:
        """In how many of these the tokens differ, and not their offsets alone."""
        return sum(each.sum.regions for each in self.kinds if each.kind.group is not Group.OFFSETS)

    @property
    def moved(self) -> int:
        """How many tokens are gained or lost in all regions."""
        return sum(each.sum.moved for each in self.kinds)


@dataclass(slots=True)
class _KindTally:
    sum: Sum = field(default_factory=Sum)
    frequent: Frequent[tuple[str, tuple[str, ...], tuple[str, ...]], Example] = field(default_factory=Frequent)


class PairTally:
    """Counts where the two tokenizers of ``laboratory`` cut texts differently."""

    def __init__(self, laboratory: Laboratory) -> None:
        self._laboratory = laboratory
        self._kinds: defaultdict[str, _KindTally] = defaultdict(_KindTally)
        self._scripts: defaultdict[str, Sum] = defaultdict(Sum)
        self._texts = self._characters = self._first_tokens = self._second_tokens = 0

    def take(self, first: PlacedText, second: PlacedText) -> list[tuple[Region, Kind]]:
        """Count a text as both cut it, and return its regions with their kinds."""
        found = [(each, self._laboratory.kind_of(first.text, each)) for each in regions_between(first, second)]
        self._texts += 1
        self._characters += len(first.text)
        self._first_tokens += len(first.tokens)
        self._second_tokens += len(second.tokens)
        for region, kind in found:
            tally = self._kinds[kind.name]
            characters = first.text[region.start : region.end]
            tally.sum.add(region)
            self._scripts[script_label(characters)].add(region)
            self._keep(tally, first.text, region)
        return found

    @staticmethod
    def _keep(tally: _KindTally, text: str, region: Region) -> None:
        key = (
            text[region.start : min(region.end, region.start + LONGEST_EXAMPLE)],
            _shown(region.first),
            _shown(region.second),
        )
        tally.frequent.add(
            key,
            lambda: Example(
                *(key[0], region.end - region.start, *key[1:]),
                region.difference,
                context_of(text, region.start, region.end),
            ),
        )

    def result(self, examples: int, *, tries: bool = True) -> PairResult:
        """Return what was counted, with so many ``examples`` of each kind; ``tries`` has their causes tried."""
        return PairResult(
            self._laboratory.first.name,
            self._laboratory.second.name,
            self._texts,
            self._characters,
            self._first_tokens,
            self._second_tokens,
            tuple(self._of_kind(kind, examples, tries=tries) for kind in KINDS if kind.name in self._kinds),
            tuple(sorted(self._scripts.items(), key=lambda item: (-item[1].regions, item[0]))),
        )

    def _of_kind(self, kind: Kind, examples: int, *, tries: bool) -> KindResult:
        tally = self._kinds[kind.name]
        counted = tuple(self._tried(kind, each, tries=tries) for each in tally.frequent.most_common(examples))
        return KindResult(kind, tally.sum, counted, tally.frequent.missed)

    def _tried(self, kind: Kind, counted: Counted[Example], *, tries: bool) -> CountedExample:
        example = counted.value
        experiment = kind.experiment_on(example.characters)
        if tries or experiment is None:
            return CountedExample(
                example, counted.count, experiment, self._laboratory.evidence(experiment, example.context)
            )
        return CountedExample(example, counted.count, experiment, Evidence.NOT_TRIED)


def _shown(tokens: tuple[PlacedToken, ...]) -> tuple[str, ...]:
    return tuple(str(each.id) if each.token is None else each.token for each in tokens[:MOST_TOKENS])
