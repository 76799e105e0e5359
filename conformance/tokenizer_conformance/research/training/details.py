"""The lines that show how two trainers differ: the first merge that does, tokens, scores, ids, words of the corpus.

All text that comes from corpora, trainers and models is escaped here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.training import Algorithm
from tokenizer_conformance.comparison.wording import aligned
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.training.comparison import Agreement
from tokenizer_conformance.research.training.divergence import DivergenceKind
from tokenizer_conformance.research.training.wording import (
    LISTED_TOKENS,
    effect_line,
    level_cell,
    listed_tokens,
    pair_words,
    times,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_conformance.research.training.comparison import ModelComparison, Scores
    from tokenizer_conformance.research.training.divergence import Divergence, Taken
    from tokenizer_conformance.research.training.effect import Effect, SplitDifferently
    from tokenizer_conformance.research.training.events import TrainerCompared

LISTED_WORDS = 5
LISTED_KINDS = 5

TIE_REASONS: dict[Algorithm, str] = {
    Algorithm.BPE: "on both sides every merge is of a most frequent pair; only the order of equals is another",
    Algorithm.WORDPIECE: "on both sides every merge is of a most frequent pair; only the order of equals is another",
    Algorithm.UNIGRAM: (
        "only pieces of equal scores, and the scores of characters that pruning has dropped, are exchanged"
    ),
    Algorithm.WORDLEVEL: "only words that are equally frequent are exchanged",
}
"""What exact counts have proved where two sides are tied."""


def headline(event: TrainerCompared) -> str | None:
    """Say where two trainers differ first, ``None`` where they do not."""
    comparison = event.comparison
    if comparison.blamed is None:
        return None
    blamed = next(result for result in comparison.levels if result.level is comparison.blamed)
    line = (
        f"{one_line(event.second)} first differs from {one_line(event.first)} at {blamed.level}: {level_cell(blamed)}"
    )
    if comparison.agreement is Agreement.TIE:
        return f"{line}; all of it is a tie"
    differing = next(result for result in comparison.levels if result.agreement is Agreement.DIFFER)
    return line if differing is blamed else f"{line}; then at {differing.level}: {level_cell(differing)}"


def details(event: TrainerCompared, tolerance: float) -> list[str]:
    """Return the lines that show how two trainers differ."""
    comparison = event.comparison
    names = one_line(event.first), one_line(event.second)
    lines = []
    if any(result.agreement is Agreement.TIE for result in comparison.levels):
        lines.append(f"tie: {TIE_REASONS[event.algorithm]}")
    if comparison.divergence is not None:
        lines += divergence_lines(comparison.divergence, names, event.algorithm)
    lines += _only_lines(comparison, names)
    if comparison.scores is not None:
        lines += _score_lines(comparison.scores, tolerance)
    if comparison.moved:
        first = comparison.moved[0]
        lines.append(
            f"ids: {counted(len(comparison.moved), 'token')} of both have another id, the first of them "
            f"{quoted(first.token)}: {first.first:,} and {first.second:,}"
        )
        lines += _layout_lines(comparison, names)
    return [*lines, f"corpus: {effect_line(comparison.effect)}", *_split_lines(comparison.effect)]


def divergence_lines(divergence: Divergence, names: tuple[str, str], algorithm: Algorithm) -> list[str]:
    """Return the lines that show the first merge that differs, with the counts of both pairs on both sides."""
    where = f"merge {divergence.number + 1:,}" if divergence.is_shown else f"learned token {divergence.number + 1:,}"
    read = "" if divergence.is_shown else " (read from the order of the ids)"
    if divergence.kind is DivergenceKind.ENDS:
        ended, going = (names[0], divergence.second) if divergence.first is None else (names[1], divergence.first)
        line = f"{where}{read}: {ended} has ended"
        return [line if going is None else f"{line}; the other takes {_taken(going)}"]
    lines = [f"{where}{read} is the first that differs: {_kind_of(divergence, names)}"]
    with_scores = algorithm is Algorithm.WORDPIECE
    header = ["  taken by", "pair", f"count for {names[0]}", f"count for {names[1]}"]
    rows = [[*header, "count / parts"] if with_scores else header]
    sides = zip(names, (divergence.first, divergence.second), divergence.elsewhere, strict=True)
    for number, (name, taken, elsewhere) in enumerate(sides):
        if taken is not None:
            counts = (taken.count, elsewhere) if number == 0 else (elsewhere, taken.count)
            row = [f"  {name}", _taken(taken), *(f"{count:,}" for count in counts)]
            rows.append([*row, _score(taken)] if with_scores else row)
    lines += [*aligned(rows), *_better_lines(divergence, names)]
    return [*lines, *_taught_score_lines(divergence, names)] if with_scores else lines


def _kind_of(divergence: Divergence, names: tuple[str, str]) -> str:
    match divergence.kind:
        case DivergenceKind.FIRST_NOT_MOST_FREQUENT:
            return f"only {names[1]} takes a most frequent pair"
        case DivergenceKind.SECOND_NOT_MOST_FREQUENT:
            return f"only {names[0]} takes a most frequent pair"
    return str(divergence.kind)


def _better_lines(divergence: Divergence, names: tuple[str, str]) -> list[str]:
    """Return a line for each side that takes a pair that is not most frequent, unless the other side takes that."""
    taken = (divergence.first, divergence.second)
    pairs = [each.pair for each in taken if each is not None]
    return [
        f"  most frequent for {name}: {pair_words(top.pair)}, {times(top.count)}"
        for name, each, top in zip(names, taken, divergence.tops, strict=True)
        if each is not None and top is not None and top.count > each.count and top.pair not in pairs
    ]


def _taught_score_lines(divergence: Divergence, names: tuple[str, str]) -> list[str]:
    """Say whose pair is the better one by the score with which WordPiece is taught, where they are not equal."""
    first, second = (None if taken is None else taken.score for taken in (divergence.first, divergence.second))
    if first is None or second is None or first == second or divergence.kind is DivergenceKind.TIE:
        return []
    return [
        (
            "  by count over parts, the score with which WordPiece is taught, "
            f"{names[second > first]} takes the better pair"
        )
    ]


def _taken(taken: Taken) -> str:
    return f"{quoted(taken.token)}, of no pair" if taken.pair is None else pair_words(taken.pair)


def _score(taken: Taken) -> str:
    score = taken.score
    if score is None:
        return "-"
    return f"{taken.count:,} / ({taken.left_count:,} x {taken.right_count:,}) = {float(score):.3g}"


def _only_lines(comparison: ModelComparison, names: tuple[str, str]) -> list[str]:
    in_one_word = comparison.in_one_word or (0, 0)
    sides = zip(names, (comparison.only_first, comparison.only_second), in_one_word, strict=True)
    return [
        f"only {name} has {counted(len(tokens), 'token')}{_in_one_word(alone)}: {listed_tokens(tokens)}"
        for name, tokens, alone in sides
        if tokens
    ]


def _in_one_word(tokens: int) -> str:
    return f", {tokens:,} of them within one kind of word alone" if tokens else ""


def _score_lines(scores: Scores, tolerance: float) -> list[str]:
    line = f"scores: {scores.beyond:,} of {counted(scores.compared, 'piece')} differ by more than {tolerance:g}"
    if scores.largest:
        most = scores.largest[0]
        line += f"; the farthest: {quoted(most.token)}, {most.first:.9g} and {most.second:.9g}"
    lines = [line]
    if scores.are_exchanged:
        lines.append("scores: these are characters that pruning has dropped, with the same scores in another order")
    elif scores.beyond:
        lines.append(f"scores: half of the pieces have {scores.shift:+.4g} or more on the second side")
    return lines


def _layout_lines(comparison: ModelComparison, names: tuple[str, str]) -> list[str]:
    """Return a line for each side if they give ids to the kinds of tokens in another order."""
    if comparison.layouts[0] == comparison.layouts[1]:
        return []
    return [
        f"  ids of {name}: {', then '.join(layout[:LISTED_KINDS])}{', and so on' if len(layout) > LISTED_KINDS else ''}"
        for name, layout in zip(names, comparison.layouts, strict=True)
    ]


def _split_lines(effect: Effect) -> list[str]:
    return aligned([_split_row(example) for example in effect.examples[:LISTED_WORDS]]) if effect.examples else []


def _split_row(example: SplitDifferently) -> list[str]:
    sides = (" ".join(map(quoted, _shortened(tokens))) for tokens in (example.first, example.second))
    return [f"  {counted(example.count, 'time')}", *sides]


def _shortened(tokens: Sequence[str]) -> Iterable[str]:
    return tokens if len(tokens) <= LISTED_TOKENS else [*tokens[:LISTED_TOKENS], "…"]
