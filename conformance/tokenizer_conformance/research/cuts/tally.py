"""How two tokenizers cut many texts: regions by kind, with the tokens that they gain or lose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec.structs import replace

from tokenizer_conformance.comparison.exchange import KeptTexts
from tokenizer_conformance.research.cuts.characters import script_label
from tokenizer_conformance.research.cuts.experiments import context_of
from tokenizer_conformance.research.cuts.kinds import KINDS
from tokenizer_conformance.research.cuts.regions import regions_between
from tokenizer_conformance.results.records import cuts as lines
from tokenizer_conformance.results.records.making import made

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from tokenizer_conformance.research.cuts.experiments import Laboratory
    from tokenizer_conformance.research.cuts.kinds import Kind
    from tokenizer_conformance.research.cuts.regions import PlacedText, PlacedToken, Region

LONGEST_EXAMPLE = 120
"""How many characters of a region an example has."""

MOST_TOKENS = 40
"""How many tokens of a region an example has, on either side."""

CAPACITY = 1000
"""How many different things of a block are kept, the most frequent ones."""

MOST_KEPT = 1 << 18
"""So many different things are kept of all blocks."""

K = TypeVar("K", bound="Hashable")
V = TypeVar("V")


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

    def add(self, region: Region) -> None:
        """Count ``region``."""
        self.regions += 1
        self.characters += region.end - region.start
        self.gained += max(region.difference, 0)
        self.lost += max(-region.difference, 0)

    def merge(self, other: Sum) -> None:
        """Count the regions of ``other`` too."""
        self.regions += other.regions
        self.characters += other.characters
        self.gained += other.gained
        self.lost += other.lost


class Frequent(Generic[K, V]):
    """Counts things by key, block by block. What is rarest in a block is left out of it when it ends.

    So no count is too high, and none is too low by more than ``missed``, which is 0 as long as nothing was left out.
    Where the blocks are the same, it does not matter who counts which of them: the counts of parts that are whole
    blocks, one after the other, merge into those of all.
    """

    def __init__(self, capacity: int | None = None) -> None:
        self._capacity = CAPACITY if capacity is None else capacity
        self.total: dict[K, tuple[int, V]] = {}
        self.missed = 0
        self._block: dict[K, tuple[int, V]] = {}

    def add(self, key: K, make: Callable[[], V]) -> None:
        """Count ``key``; ``make`` gives what is kept of it, where it is new."""
        count, value = self._block.get(key) or (0, make())
        self._block[key] = count + 1, value

    def merge(self, later: Frequent[K, V]) -> None:
        """Count what ``later`` has counted, which comes after this."""
        _add(self.total, later.total)
        _add(self._block, later._block)
        self.missed += later.missed

    def restore(self, total: dict[K, tuple[int, V]], missed: int) -> None:
        """Have counted what was counted of whole blocks."""
        self.total, self.missed = total, missed

    def end_block(self) -> None:
        """Leave out what is rarest in the block that ends here."""
        _add(self.total, self._frequent_of(self._block, self._capacity))
        self._block = {}
        if len(self.total) > MOST_KEPT:
            self.total = self._frequent_of(self.total, MOST_KEPT // 2)

    def _frequent_of(self, counted: dict[K, tuple[int, V]], most: int) -> dict[K, tuple[int, V]]:
        """Return the ``most`` frequent of what was ``counted``, in its order, and note what was left out."""
        if len(counted) <= most:
            return counted
        ordered = sorted(counted, key=lambda key: -counted[key][0])
        self.missed += counted[ordered[most]][0]
        kept = set(ordered[:most])
        return {key: each for key, each in counted.items() if key in kept}

    def most_common(self, number: int) -> Iterator[tuple[V, int]]:
        """Yield the ``number`` most frequent with their counts; of equals, the one that came first."""
        every = dict(self.total)
        _add(every, self._block)
        return ((value, count) for count, value in sorted(every.values(), key=lambda each: -each[0])[:number])


def _add(counted: dict[K, tuple[int, V]], later: dict[K, tuple[int, V]]) -> None:
    for key, (count, value) in later.items():
        before, first = counted.get(key, (0, value))
        counted[key] = before + count, first


Key = tuple[str, tuple[str, ...], tuple[str, ...]]
"""Regions are counted together that have the same characters and the same tokens."""


@dataclass(slots=True)
class KindTally:
    """The regions of one kind, with the most frequent of them."""

    sum: Sum = field(default_factory=Sum)
    frequent: Frequent[Key, lines.Example] = field(default_factory=Frequent)


@dataclass(slots=True)
class PairCounts:
    """What was counted of texts that two tokenizers cut, some of which are ``kept``.

    The counts of texts that come one after the other merge into those of all, in this order.
    """

    texts: int = 0
    characters: int = 0
    first_tokens: int = 0
    second_tokens: int = 0
    kinds: dict[str, KindTally] = field(default_factory=dict)
    scripts: dict[str, Sum] = field(default_factory=dict)
    kept: KeptTexts = field(default_factory=KeptTexts)

    def merge(self, later: PairCounts) -> None:
        """Count what ``later`` has counted."""
        self.texts += later.texts
        self.characters += later.characters
        self.first_tokens += later.first_tokens
        self.second_tokens += later.second_tokens
        for name, kind in later.kinds.items():
            tally = self.kinds.setdefault(name, KindTally())
            tally.sum.merge(kind.sum)
            tally.frequent.merge(kind.frequent)
        for name, script in later.scripts.items():
            self.scripts.setdefault(name, Sum()).merge(script)
        self.kept.merge(later.kept)

    def end_block(self) -> None:
        """End a block of texts (:class:`Frequent`)."""
        for kind in self.kinds.values():
            kind.frequent.end_block()


class PairTally:
    """Counts where the two tokenizers of ``laboratory`` cut texts differently."""

    def __init__(self, laboratory: Laboratory) -> None:
        self.laboratory = laboratory
        self.counts = PairCounts()

    def take(self, first: PlacedText, second: PlacedText) -> None:
        """Count a text as both cut it."""
        counts = self.counts
        counts.texts += 1
        counts.characters += len(first.text)
        counts.first_tokens += len(first.tokens)
        counts.second_tokens += len(second.tokens)
        kinds: set[str] = set()
        for region in regions_between(first, second):
            kind = self.laboratory.kind_of(first.text, region).name
            kinds |= set() if region.has_same_tokens else {kind}
            tally = counts.kinds.setdefault(kind, KindTally())
            characters = first.text[region.start : region.end]
            tally.sum.add(region)
            counts.scripts.setdefault(script_label(characters), Sum()).add(region)
            self._keep(tally, first.text, region)
        counts.kept.take(first.text, kinds)

    @staticmethod
    def _keep(tally: KindTally, text: str, region: Region) -> None:
        key = (
            text[region.start : min(region.end, region.start + LONGEST_EXAMPLE)],
            _shown(region.first),
            _shown(region.second),
        )
        tally.frequent.add(
            key,
            lambda: lines.Example(
                count=0,
                characters=key[0],
                length=region.end - region.start,
                first=key[1],
                second=key[2],
                difference=region.difference,
                context=context_of(text, region.start, region.end),
                experiment=None,
                evidence="not tried",
            ),
        )

    def result(self, examples: int, *, tries: bool = True) -> lines.Pair:
        """Return what was counted, with so many ``examples`` of each kind; ``tries`` has their causes tried.

        Without that the pair is not finished: it is told what was read before an interrupt.
        """
        counts = self.counts
        scripts = sorted(counts.scripts.items(), key=lambda item: (-item[1].regions, item[0]))
        return lines.Pair(
            first=self.laboratory.first.name,
            second=self.laboratory.second.name,
            texts=counts.texts,
            characters=counts.characters,
            first_tokens=counts.first_tokens,
            second_tokens=counts.second_tokens,
            difference=counts.second_tokens - counts.first_tokens,
            kinds=tuple(self._of_kind(kind, examples, tries=tries) for kind in KINDS if kind.name in counts.kinds),
            scripts=tuple(made(lines.Script, each, script=name) for name, each in scripts),
            finished=tries,
        )

    def _of_kind(self, kind: Kind, examples: int, *, tries: bool) -> lines.Kind:
        tally = self.counts.kinds[kind.name]
        return made(
            lines.Kind,
            tally.sum,
            kind=kind.name,
            part=kind.group,
            rule=kind.words,
            examples=tuple(self._tried(kind, *each, tries=tries) for each in tally.frequent.most_common(examples)),
            missed=tally.frequent.missed,
        )

    def _tried(self, kind: Kind, example: lines.Example, count: int, *, tries: bool) -> lines.Example:
        experiment = kind.experiment_on(example.characters)
        is_tried = tries or experiment is None
        return replace(
            example,
            count=count,
            experiment=None if experiment is None else experiment.words,
            evidence=self.laboratory.evidence(experiment, example.context) if is_tried else "not tried",
        )


def _shown(tokens: tuple[PlacedToken, ...]) -> tuple[str, ...]:
    return tuple(str(each.id) if each.token is None else each.token for each in tokens[:MOST_TOKENS])
