"""How two tokenizers cut many texts: regions by kind, with the tokens that they gain or lose."""

from __future__ import annotations

from collections import Counter, defaultdict
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

CAPACITY = 2000
"""How many are counted at least at any time."""

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


class Frequent(Generic[K, V]):
    """Counts things by key. Where they become too many, the rarest half is forgotten.

    What was forgotten and comes again is counted anew: so no count is too high, and none is too low by more than
    ``missed``, which is 0 as long as nothing was forgotten.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._counts: Counter[K] = Counter()
        self._kept: dict[K, V] = {}
        self.missed = 0

    def add(self, key: K, make: Callable[[], V]) -> None:
        """Count ``key``; ``make`` gives what is kept of it, where it is new."""
        if key not in self._kept:
            if len(self._kept) >= 2 * self._capacity:
                self._forget()
            self._kept[key] = make()
        self._counts[key] += 1

    def _forget(self) -> None:
        ordered = self._counts.most_common()
        self._counts = Counter(dict(ordered[: self._capacity]))
        self._kept = {key: self._kept[key] for key in self._counts}
        self.missed += ordered[self._capacity][1]

    def most_common(self, number: int) -> Iterator[tuple[V, int]]:
        """Yield the ``number`` most frequent with their counts; of equals, the one that came first."""
        return ((self._kept[key], count) for key, count in self._counts.most_common(number))


@dataclass(slots=True)
class _KindTally:
    sum: Sum = field(default_factory=Sum)
    frequent: Frequent[tuple[str, tuple[str, ...], tuple[str, ...]], lines.Example] = field(default_factory=Frequent)


class PairTally:
    """Counts where the two tokenizers of ``laboratory`` cut texts differently.

    Some of these texts are ``kept``, and some of those that both cut alike.
    """

    def __init__(self, laboratory: Laboratory) -> None:
        self.laboratory = laboratory
        self._kinds: defaultdict[str, _KindTally] = defaultdict(_KindTally)
        self._scripts: defaultdict[str, Sum] = defaultdict(Sum)
        self._texts = self._characters = self._first_tokens = self._second_tokens = 0
        self.kept = KeptTexts()

    def take(self, first: PlacedText, second: PlacedText) -> None:
        """Count a text as both cut it."""
        self._texts += 1
        self._characters += len(first.text)
        self._first_tokens += len(first.tokens)
        self._second_tokens += len(second.tokens)
        kinds: set[str] = set()
        for region in regions_between(first, second):
            kind = self.laboratory.kind_of(first.text, region).name
            kinds |= set() if region.has_same_tokens else {kind}
            tally = self._kinds[kind]
            characters = first.text[region.start : region.end]
            tally.sum.add(region)
            self._scripts[script_label(characters)].add(region)
            self._keep(tally, first.text, region)
        self.kept.take(first.text, kinds)

    @staticmethod
    def _keep(tally: _KindTally, text: str, region: Region) -> None:
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
        scripts = sorted(self._scripts.items(), key=lambda item: (-item[1].regions, item[0]))
        return lines.Pair(
            first=self.laboratory.first.name,
            second=self.laboratory.second.name,
            texts=self._texts,
            characters=self._characters,
            first_tokens=self._first_tokens,
            second_tokens=self._second_tokens,
            difference=self._second_tokens - self._first_tokens,
            kinds=tuple(self._of_kind(kind, examples, tries=tries) for kind in KINDS if kind.name in self._kinds),
            scripts=tuple(made(lines.Script, each, script=name) for name, each in scripts),
            finished=tries,
        )

    def _of_kind(self, kind: Kind, examples: int, *, tries: bool) -> lines.Kind:
        tally = self._kinds[kind.name]
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
