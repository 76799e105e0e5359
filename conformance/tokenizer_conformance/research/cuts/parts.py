"""What a part of a comparison has counted, as its record has it, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.exchange import KeptText
from tokenizer_conformance.research.cuts.tally import KindTally, PairCounts, Sum
from tokenizer_conformance.results.records import cuts as lines
from tokenizer_conformance.results.records.making import made

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable


def part_counts(first: str, second: str, counts: PairCounts) -> lines.PartCounts:
    """Return the line that has the ``counts`` of a pair; the last block of texts ends with it."""
    counts.end_block()
    return made(
        lines.PartCounts,
        counts,
        first=first,
        second=second,
        kinds=tuple(_kind(name, tally) for name, tally in counts.kinds.items()),
        scripts=tuple(made(lines.CountedScript, each, script=name) for name, each in counts.scripts.items()),
        ways=tuple(lines.CountedWay(ways=_named(ways), count=count) for ways, count in counts.kept.counts.items()),
        kept=tuple(made(lines.KeptText, each, ways=_named(each.ways)) for each in counts.kept.texts),
    )


def _named(ways: Iterable[Hashable]) -> tuple[lines.KindName, ...]:
    return tuple(sorted(ways))  # type: ignore[arg-type]  # ways are the names of kinds here


def _kind(name: str, tally: KindTally) -> lines.CountedKind:
    examples = (made(lines.CountedExample, each, count=count) for count, each in tally.frequent.total.values())
    return made(lines.CountedKind, tally.sum, kind=name, examples=tuple(examples), missed=tally.frequent.missed)


def counts_in(line: lines.PartCounts) -> PairCounts:
    """Return the counts that ``line`` has."""
    counts = PairCounts(line.texts, line.characters, line.first_tokens, line.second_tokens)
    for kind in line.kinds:
        tally = KindTally(_sum(kind))
        examples = (made(lines.Example, each, experiment=None, evidence="not tried") for each in kind.examples)
        total = {(each.characters, each.first, each.second): (each.count, each) for each in examples}
        tally.frequent.restore(total, kind.missed)
        counts.kinds[kind.kind] = tally
    counts.scripts = {each.script: _sum(each) for each in line.scripts}
    for way in line.ways:
        counts.kept.counts[frozenset(way.ways)] = way.count
    counts.kept.texts = [KeptText(frozenset(each.ways), each.number, each.text) for each in line.kept]
    return counts


def _sum(counted: lines.CountedKind | lines.CountedScript) -> Sum:
    return Sum(counted.regions, counted.characters, counted.gained, counted.lost)
