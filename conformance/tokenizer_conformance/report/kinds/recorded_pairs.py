"""What ``tokconf compare`` found of pairs of tokenizers, from the lines of its record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.research.cuts.experiments import Context, Evidence
from tokenizer_conformance.research.cuts.kinds import KINDS
from tokenizer_conformance.research.cuts.tally import CountedExample, Example, KindResult, PairResult, Sum

if TYPE_CHECKING:
    from tokenizer_conformance.research.cuts.kinds import Kind
    from tokenizer_conformance.results.records.node import Node

_KINDS = {kind.name: kind for kind in KINDS}


def recorded_pair(line: Node) -> PairResult:
    """Return the pair of a ``line``. Raises ``ValueError``, or what else a line of another shape makes it raise."""
    return PairResult(
        line.text("first"),
        line.text("second"),
        line.count("texts"),
        line.count("characters"),
        line.count("first_tokens"),
        line.count("second_tokens"),
        tuple(map(_kind_result, line.nodes("kinds"))),
        tuple((each.text("script"), _sum(each)) for each in line.nodes("scripts")),
    )


def _sum(each: Node) -> Sum:
    return Sum(each.count("regions"), each.count("characters"), each.count("gained"), each.count("lost"))


def _kind_result(each: Node) -> KindResult:
    name = each.text("kind")
    if name not in _KINDS:
        raise ValueError(f"there is no kind of difference called {name!r}")
    kind = _KINDS[name]
    examples = tuple(_counted_example(kind, example) for example in each.nodes("examples"))
    return KindResult(kind, _sum(each), examples, each.count("missed"))


def _counted_example(kind: Kind, each: Node) -> CountedExample:
    words = each.text_or_none("experiment")
    return CountedExample(
        Example(
            each.text("characters"),
            each.count("length"),
            each.texts("first"),
            each.texts("second"),
            int(each.number("difference")),
            _context(each.node("context")) if each.holds("context") else None,
        ),
        each.count("count"),
        next((experiment for experiment in kind.experiments if experiment.words == words), None),
        Evidence(each.text("evidence")),
    )


def _context(each: Node) -> Context:
    return Context(each.text("text"), each.count("start"), each.count("end"))
