"""How the model of an explanation arrives at the tokens of a word, in lines."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.records import explanation as lines

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_STEPS = 40
"""How many steps of a word are shown."""

MOST_TRIED = 4
"""How many pieces are named that were tried in vain, the longest first."""

MOST_OTHERS = 2
"""How many of the pairs that lost a merge are named, the best first."""


def word_lines(word: lines.Word) -> Iterator[str]:
    """Yield what became of a ``word`` of a recorded text that the model was given, and how."""
    piece = word.piece
    start, end = piece.span
    tokens = "  ".join(map(quoted, word.tokens)) or "no token"
    yield f"{start}–{end} {quoted(piece.text)} -> {tokens}"
    steps = word.steps
    told = [] if steps is None else [*_steps(steps)]
    yield from (f"  {line}" for line in told[:MOST_STEPS])
    if len(told) > MOST_STEPS:
        yield f"  and {counted(len(told) - MOST_STEPS, 'further step')}"


def _bpe(steps: lines.Bpe) -> Iterator[str]:
    if steps.is_whole:
        yield "the vocabulary has it whole, and ignore_merges is on: nothing is merged"
        return
    for symbol in steps.symbols:
        if symbol.kind != "in the vocabulary":
            became = " ".join(map(quoted, symbol.tokens)) or "nothing"
            yield f"{quoted(symbol.text)} is not in the vocabulary: {symbol.kind}, {became}"
    tokens = [*steps.start]
    yield f"starts as {' '.join(map(quoted, tokens))}"
    for merge in steps.merges:
        won = merge.won
        at = won.position
        tokens[at : at + 2] = [merge.result]
        yield f"rank {won.rank:,}: {_pair(won)}{_lost(merge)}: {' '.join(map(quoted, tokens))}"
    if not steps.merges:
        yield "no merge applies"


def _pair(pair: lines.Neighbours) -> str:
    return f"{quoted(pair.left)} + {quoted(pair.right)}"


def _lost(merge: lines.Merge) -> str:
    others = ", ".join(f"{_pair(each)} ({each.rank:,})" for each in merge.others[:MOST_OTHERS])
    more = merge.many - MOST_OTHERS
    return f" before {others}{f' and {more:,} more' if more > 0 else ''}" if others else ""


def _unigram(steps: lines.Unigram) -> Iterator[str]:
    text = steps.text
    for name, path in (("best", steps.best), ("second", steps.second)):
        if path is not None:
            pieces = "  ".join(quoted(text[start:end]) for start, end in pairwise(path.cuts))
            yield f"{name}: {pieces}, in sum {path.rounded}"
    margin = steps.margin
    if margin is None:
        yield "there is no other path" if steps.best is not None else "a score is not finite: there is no exact sum"
        return
    exact = Fraction(margin)
    if exact == 0:
        yield "a tie: the exact sums are equal"
    elif exact < 0:
        yield f"rounding has decided: the exact sum of the other is higher, by {float(-exact):.9g}"
    else:
        yield f"the best is ahead by {float(exact):.9g}"


def _wordpiece(steps: lines.Wordpiece) -> Iterator[str]:
    for match in steps.matches:
        token, tried = match.token, match.tried
        in_vain = tried if token is None else tried[:-1]
        named = ", ".join(map(quoted, in_vain[:MOST_TRIED]))
        more = f" and {len(in_vain) - MOST_TRIED} shorter" if len(in_vain) > MOST_TRIED else ""
        told = "nothing fits" if token is None else quoted(token)
        yield f"at {match.start} {told}{f'; not {named}{more}' if named else ''}"
    yield from _why_unknown(steps)


def _why_unknown(steps: lines.Wordpiece | lines.Wordlevel) -> Iterator[str]:
    why = steps.why_unknown
    if why is not None:
        yield f"the whole word is unknown: {why}"


def _word_level(steps: lines.Wordlevel) -> Iterator[str]:
    if steps.why_unknown is None:
        yield "it is in the vocabulary"
    yield from _why_unknown(steps)


def _not_shown(steps: lines.NotShown) -> Iterator[str]:
    yield f"not shown step by step: {steps.reason}"


def _steps(steps: lines.Bpe | lines.Unigram | lines.Wordpiece | lines.Wordlevel | lines.NotShown) -> Iterator[str]:
    match steps:
        case lines.Bpe():
            yield from _bpe(steps)
        case lines.Unigram():
            yield from _unigram(steps)
        case lines.Wordpiece():
            yield from _wordpiece(steps)
        case lines.Wordlevel():
            yield from _word_level(steps)
        case lines.NotShown():
            yield from _not_shown(steps)
