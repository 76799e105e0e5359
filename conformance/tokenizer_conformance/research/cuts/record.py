"""The lines of the record of a comparison of tokenizers: header, tokenizers, the text or the pairs, footer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.research.cuts.events import (
    ComparisonFinished,
    ComparisonStarted,
    PairCompared,
    TextCut,
    TextsFailed,
    TokenizerReady,
    TokenizerRefused,
)
from tokenizer_conformance.research.cuts.sides import TRAITS
from tokenizer_conformance.results.records import cuts as lines
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.making import (
    footer_of,
    header_of,
    implementation_of,
    made,
    refusal_of,
    tokenizer_file_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.cuts.events import ComparisonEvent, CutText
    from tokenizer_conformance.research.cuts.tally import CountedExample, KindResult
    from tokenizer_conformance.results.records.value import Value


def lines_of(event: ComparisonEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``."""
    match event:
        case ComparisonStarted():
            yield _header(event)
        case InputRefused():
            yield refusal_of(event)
        case TokenizerReady(tokenizer, facts):
            ignored = {trait.name: trait.name in facts.ignored for trait in TRAITS}
            yield lines.Tokenizer(name=tokenizer.source.name, unknown=facts.unknown, ignores=ignored)
        case TokenizerRefused(tokenizer, reason):
            yield headers.Refused(what="tokenizer", name=tokenizer.source.name, reason=reason)
        case TextCut(text, rows):
            yield lines.Text(text=text, cuts=tuple(map(_cut, rows)))
        case TextsFailed():
            yield made(lines.Failures, event)
        case PairCompared():
            yield _pair(event)
        case ComparisonFinished():
            yield made(lines.Footer, event, **footer_of(event))


def _header(event: ComparisonStarted) -> lines.Header:
    return lines.Header(
        **header_of(lines.FORMAT, event.environment),
        implementation=implementation_of(event.implementation),
        tokenizers=tuple(map(tokenizer_file_of, event.tokenizers)),
        of="corpus" if event.text is None else "text",
        inputs=headers.Inputs(count=event.inputs, sha256=event.inputs_sha256),
    )


def _cut(row: CutText) -> lines.CutText:
    if row.placed is None:
        return lines.CutText(tokenizer=row.name, reason=row.reason)
    tokens = tuple(made(lines.Token, each, unknown=each.is_unknown) for each in row.placed.tokens)
    return lines.CutText(tokenizer=row.name, tokens=tokens, differing=row.differing)


def _pair(event: PairCompared) -> lines.Pair:
    result = event.result
    return made(
        lines.Pair,
        result,
        kinds=tuple(map(_kind, result.kinds)),
        scripts=tuple(made(lines.Script, each, script=name) for name, each in result.scripts),
        finished=not event.interrupted,
    )


def _kind(each: KindResult) -> lines.Kind:
    return made(
        lines.Kind,
        each.sum,
        kind=each.kind.name,
        part=each.kind.group,
        rule=each.kind.words,
        examples=tuple(map(_example, each.examples)),
        missed=each.missed,
    )


def _example(counted: CountedExample) -> lines.Example:
    experiment = None if counted.experiment is None else counted.experiment.words
    return made(lines.Example, counted.example, count=counted.count, experiment=experiment, evidence=counted.evidence)
