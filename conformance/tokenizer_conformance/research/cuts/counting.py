"""Counting how several tokenizers cut texts, in batches: here, in other processes, or on other machines.

The texts stand in blocks of :data:`BLOCK` characters, whoever counts them: what is rarest in a block is left out of it
(:class:`~tokenizer_conformance.research.cuts.tally.Frequent`). No batch goes over the end of a block, and the parts of
a comparison are blocks, so that their counts merge into those of the whole.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.worker_pool import told_when_broken
from tokenizer_conformance.research.cuts.experiments import Laboratory
from tokenizer_conformance.research.cuts.regions import PlacedText
from tokenizer_conformance.research.cuts.sides import side_of
from tokenizer_conformance.research.cuts.tally import PairCounts, PairTally
from tokenizer_conformance.research.segmentation.segmenter import segmenter
from tokenizer_conformance.results.records import cuts as lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import WithoutValue
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.command_io.worker_pool import Broken
    from tokenizer_conformance.inputs.text import Input
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.cuts.sides import CuttingTokenizer

AT_ONCE = 64
"""How many texts are cut at once, at most."""

CHARACTERS_AT_ONCE = 1 << 16
"""After how many characters no further text is taken along."""

BLOCK = 1 << 20
"""After how many characters a block ends."""

Pairs = tuple[tuple[int, int], ...]
"""Which tokenizers are compared, by their numbers."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts that are counted at once; ``ends_block`` says that a block ends with them."""

    inputs: tuple[Input, ...]
    ends_block: bool


@dataclass(slots=True)
class Counted:
    """What was counted of so many ``texts``: of each pair, and what each tokenizer has not cut, by its name."""

    texts: int
    pairs: list[PairCounts]
    failures: dict[str, lines.Failures]

    def merge(self, later: Counted) -> None:
        """Count what ``later`` has counted, which comes after this."""
        self.texts += later.texts
        for mine, its in zip(self.pairs, later.pairs, strict=True):
            mine.merge(its)
        for name, failures in later.failures.items():
            before = self.failures.get(name)
            texts = failures.texts + (before.texts if before else 0)
            self.failures[name] = replace(before or failures, texts=texts)

    def end_block(self) -> None:
        """End a block of texts."""
        for each in self.pairs:
            each.end_block()


def nothing_counted(pairs: Pairs) -> Counted:
    """Return what was counted of no text."""
    return Counted(0, [PairCounts() for _ in pairs], {})


def batches(inputs: Iterable[Input]) -> Iterator[Batch]:
    """Yield the inputs, which begin with a block, in batches that memory can hold the answers to."""
    batch: list[Input] = []
    characters = 0
    for each, ends_block in _with_block_ends(inputs):
        batch.append(each)
        characters += len(each.text)
        if ends_block or len(batch) >= AT_ONCE or characters >= CHARACTERS_AT_ONCE:
            yield Batch(tuple(batch), ends_block)
            batch, characters = [], 0
    if batch:
        yield Batch(tuple(batch), ends_block=True)


def _with_block_ends(inputs: Iterable[Input]) -> Iterator[tuple[Input, bool]]:
    characters = 0
    for each in inputs:
        characters += len(each.text)
        ends = characters >= BLOCK
        yield each, ends
        characters = 0 if ends else characters


def numbers_of_blocks(shard: Shard, inputs: Iterable[Input]) -> range:
    """Return the numbers (from 0) of the inputs of those blocks that are in ``shard``. Reads all inputs once."""
    starts, count = [0], 0
    for count, (_, ends_block) in enumerate(_with_block_ends(inputs), 1):
        if ends_block:
            starts.append(count)
    blocks = starts if starts[-1] < count else starts[:-1]
    mine = shard.stretch(list(range(len(blocks))), max(len(blocks), 1))
    ends = [*blocks, count]
    return range(ends[mine.start], ends[mine.stop])


class Counting:
    """Counts how ``sides`` cut texts; the ``pairs`` of them are compared."""

    def __init__(self, sides: Sequence[CuttingTokenizer], pairs: Pairs) -> None:
        self._sides = sides
        self._pairs = pairs
        self._tallies = [PairTally(Laboratory(sides[a], sides[b])) for a, b in pairs]

    def count(self, batch: Batch) -> Counted:
        """Return what is counted of ``batch``."""
        return self.counted([self.cut(side, batch.inputs) for side in self._sides], batch.inputs)

    def cut(self, side: CuttingTokenizer, inputs: Sequence[Input]) -> list[PlacedText | WithoutValue]:
        """Return how ``side`` cuts the ``inputs``."""
        STATUS.at("cutting", side.name)
        return side.cut([each.text for each in inputs])

    def counted(self, cuts: Sequence[Sequence[PlacedText | WithoutValue]], inputs: Sequence[Input]) -> Counted:
        """Return what is counted of ``inputs`` as all sides have cut them, with every pair that has cut them."""
        for (a, b), tally in zip(self._pairs, self._tallies, strict=True):
            tally.counts = PairCounts()
            for first, second in zip(cuts[a], cuts[b], strict=True):
                if isinstance(first, PlacedText) and isinstance(second, PlacedText):
                    tally.take(first, second)
        failures = {
            side.name: failed
            for side, of_side in zip(self._sides, cuts, strict=True)
            if (failed := _failures(side.name, of_side, inputs)) is not None
        }
        return Counted(len(inputs), [tally.counts for tally in self._tallies], failures)


def _failures(name: str, cuts: Sequence[PlacedText | WithoutValue], inputs: Sequence[Input]) -> lines.Failures | None:
    found = [(each, cut) for each, cut in zip(inputs, cuts, strict=True) if not isinstance(cut, PlacedText)]
    if not found:
        return None
    (first, why), texts = found[0], len(found)
    return lines.Failures(name=name, texts=texts, input=first.id, reason=in_words(why))


# In another process ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Setup:
    """What a process that counts has to know: who cuts, the ``tokenizers``, and which of them are compared."""

    selected: Selected
    tokenizers: tuple[TokenizerFile, ...]
    pairs: Pairs


def begin(setup: Setup) -> Callable[[Batch], Counted | Broken]:
    """Return what counts batches."""
    # What a tokenizer needs of a temporary folder stays until this process ends.
    stack = ExitStack()
    sides = [
        side_of(each, stack.enter_context(segmenter(setup.selected.build(), each.source))) for each in setup.tokenizers
    ]
    return told_when_broken(Counting(sides, setup.pairs).count)
