"""What ``tokconf compare`` found of pairs of tokenizers, from the lines of its record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.research.cuts.experiments import Context, Evidence
from tokenizer_conformance.research.cuts.kinds import KINDS
from tokenizer_conformance.research.cuts.tally import CountedExample, Example, KindResult, PairResult, Sum

if TYPE_CHECKING:
    from tokenizer_conformance.research.cuts.kinds import Kind
    from tokenizer_conformance.results.records import cuts as lines

_KINDS = {kind.name: kind for kind in KINDS}


def recorded_pair(line: lines.Pair) -> PairResult:
    """Return the pair of a ``line``."""
    return PairResult(
        line.first,
        line.second,
        line.texts,
        line.characters,
        line.first_tokens,
        line.second_tokens,
        tuple(map(_kind_result, line.kinds)),
        tuple((each.script, _sum(each)) for each in line.scripts),
    )


def _sum(each: lines.Kind | lines.Script) -> Sum:
    return Sum(each.regions, each.characters, each.gained, each.lost)


def _kind_result(each: lines.Kind) -> KindResult:
    kind = _KINDS[each.kind]
    examples = tuple(_counted_example(kind, example) for example in each.examples)
    return KindResult(kind, _sum(each), examples, each.missed)


def _counted_example(kind: Kind, each: lines.Example) -> CountedExample:
    words = each.experiment
    return CountedExample(
        Example(
            each.characters,
            each.length,
            each.first,
            each.second,
            each.difference,
            None if each.context is None else Context(each.context.text, each.context.start, each.context.end),
        ),
        each.count,
        next((experiment for experiment in kind.experiments if experiment.words == words), None),
        Evidence(each.evidence),
    )
