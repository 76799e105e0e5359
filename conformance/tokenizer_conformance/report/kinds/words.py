"""How the model of an explanation comes to the tokens of a word, in lines."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.results.records.node import Node

MOST_STEPS = 40
"""How many steps of a word are shown."""

MOST_TRIED = 4
"""How many pieces are named that were tried in vain, the longest first."""

MOST_OTHERS = 2
"""How many of the pairs that lost a merge are named, the best first."""


def word_lines(word: Node) -> Iterator[str]:
    """Yield what became of a ``word`` of a recorded text that the model was given, and how.

    Raises one of ``MALFORMED``.
    """
    piece = word.node("piece")
    start, end = (each.as_count() for each in piece.nodes("span"))
    tokens = "  ".join(map(quoted, word.texts("tokens"))) or "no token"
    yield f"{start}–{end} {quoted(piece.text('text'))} -> {tokens}"
    steps = word.node("steps")
    told = [*LINES[steps.text("kind")](steps)]
    yield from (f"  {line}" for line in told[:MOST_STEPS])
    if len(told) > MOST_STEPS:
        yield f"  and {counted(len(told) - MOST_STEPS, 'further step')}"


def _bpe(steps: Node) -> Iterator[str]:
    if steps.flag("is_whole"):
        yield "the vocabulary has it whole, and ignore_merges is on: nothing is merged"
        return
    for symbol in steps.nodes("symbols"):
        if symbol.text("kind") != "in the vocabulary":
            became = " ".join(map(quoted, symbol.texts("tokens"))) or "nothing"
            yield f"{quoted(symbol.text('text'))} is not in the vocabulary: {symbol.text('kind')}, {became}"
    tokens = [*steps.texts("start")]
    yield f"starts as {' '.join(map(quoted, tokens))}"
    for merge in steps.nodes("merges"):
        won = merge.node("won")
        at = won.count("position")
        tokens[at : at + 2] = [merge.text("result")]
        yield f"rank {won.count('rank'):,}: {_pair(won)}{_lost(merge)}: {' '.join(map(quoted, tokens))}"
    if not steps.nodes("merges"):
        yield "no merge applies"


def _pair(pair: Node) -> str:
    return f"{quoted(pair.text('left'))} + {quoted(pair.text('right'))}"


def _lost(merge: Node) -> str:
    others = ", ".join(f"{_pair(each)} ({each.count('rank'):,})" for each in merge.nodes("others")[:MOST_OTHERS])
    more = merge.count("many") - MOST_OTHERS
    return f" before {others}{f' and {more:,} more' if more > 0 else ''}" if others else ""


def _unigram(steps: Node) -> Iterator[str]:
    text = steps.text("text")
    for name in ("best", "second"):
        if steps.holds(name):
            path = steps.node(name)
            cuts = [each.as_count() for each in path.nodes("cuts")]
            pieces = "  ".join(quoted(text[start:end]) for start, end in pairwise(cuts))
            yield f"{name}: {pieces}, in sum {path.node('rounded').value}"
    margin = steps.text_or_none("margin")
    if margin is None:
        yield "there is no other path" if steps.holds("best") else "a score is not finite: there is no exact sum"
        return
    exact = Fraction(margin)
    if exact == 0:
        yield "a tie: the exact sums are equal"
    elif exact < 0:
        yield f"rounding has decided: the exact sum of the other is higher, by {float(-exact):.9g}"
    else:
        yield f"the best is ahead by {float(exact):.9g}"


def _wordpiece(steps: Node) -> Iterator[str]:
    for match in steps.nodes("matches"):
        token, tried = match.text_or_none("token"), match.texts("tried")
        in_vain = tried if token is None else tried[:-1]
        named = ", ".join(map(quoted, in_vain[:MOST_TRIED]))
        more = f" and {len(in_vain) - MOST_TRIED} shorter" if len(in_vain) > MOST_TRIED else ""
        told = "nothing fits" if token is None else quoted(token)
        yield f"at {match.count('start')} {told}{f'; not {named}{more}' if named else ''}"
    yield from _why_unknown(steps)


def _why_unknown(steps: Node) -> Iterator[str]:
    why = steps.text_or_none("why_unknown")
    if why is not None:
        yield f"the whole word is unknown: {why}"


def _word_level(steps: Node) -> Iterator[str]:
    if not steps.holds("why_unknown"):
        yield "it is in the vocabulary"
    yield from _why_unknown(steps)


def _not_shown(steps: Node) -> Iterator[str]:
    yield f"not shown step by step: {steps.text('reason')}"


LINES: dict[str, Callable[[Node], Iterator[str]]] = {
    "bpe": _bpe,
    "unigram": _unigram,
    "wordpiece": _wordpiece,
    "wordlevel": _word_level,
    "not_shown": _not_shown,
}
"""Who tells the steps of each kind of model."""
