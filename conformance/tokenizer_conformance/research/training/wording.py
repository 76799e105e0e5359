"""The words in which training is told.

All text that comes from corpora, trainers and models is escaped here.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from tokenizer_adapters.training import Algorithm
from tokenizer_conformance.comparison.wording import aligned
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.training.divergence import DivergenceKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.training import TrainingOptions
    from tokenizer_conformance.research.training.pair_counts import Pair
    from tokenizer_conformance.results.records import training as lines

LISTED_TOKENS = 12

TIE_REASONS: dict[Algorithm, str] = {
    Algorithm.BPE: "on both sides every merge is of a most frequent pair; only the order of equals is another",
    Algorithm.WORDPIECE: "on both sides every merge is of a most frequent pair; only the order of equals is another",
    Algorithm.UNIGRAM: (
        "only pieces of equal scores, and the scores of characters that pruning has dropped, are exchanged"
    ),
    Algorithm.WORDLEVEL: "only words that are equally frequent are exchanged",
}
"""What exact counts have proved where two sides are tied."""

KINDS: dict[DivergenceKind, str] = {
    DivergenceKind.TIE: "a tie: no pair is more frequent than either",
    DivergenceKind.FIRST_NOT_MOST_FREQUENT: "only {second} takes a most frequent pair",
    DivergenceKind.SECOND_NOT_MOST_FREQUENT: "only {first} takes a most frequent pair",
    DivergenceKind.NEITHER_MOST_FREQUENT: "neither takes a most frequent pair",
    DivergenceKind.EACH_ITS_OWN: "each takes a most frequent pair of its own words, which begin as other tokens",
}
"""How two trainers differ at a merge that both take."""


def pair_words(pair: Pair) -> str:
    """Return a pair of tokens, quoted."""
    return f"{quoted(pair[0])} + {quoted(pair[1])}"


def times(count: int) -> str:
    """Say how often something occurs."""
    return "once" if count == 1 else f"{count:,} times"


def listed_tokens(tokens: Sequence[str]) -> str:
    """Return the first of ``tokens``, quoted."""
    more = " …" if len(tokens) > LISTED_TOKENS else ""
    return " ".join(map(quoted, tokens[:LISTED_TOKENS])) + more


def effect_line(effect: lines.Effect) -> str:
    """Say how two sides split the words of the corpus."""
    words = max(1, effect.words)
    return (
        f"{effect.differing_words:,} of {counted(effect.words, 'word')} "
        f"({percent(effect.differing_words, effect.words)}) split differently, {effect.differing_kinds:,} of "
        f"{effect.kinds:,} kinds; "
        f"{effect.first_tokens / words:.4f} and {effect.second_tokens / words:.4f} tokens per word"
    )


def percent(part: int, whole: int) -> str:
    """Return a part in percent; what is not nothing does not look like nothing.

    >>> percent(1, 3), percent(0, 3), percent(1, 10**6)
    ('33.33 %', '0 %', 'below 0.01 %')
    """
    share = 100 * part / max(1, whole)
    if 0 < share < 0.01:
        return "below 0.01 %"
    return f"{share:.2f} %" if part else "0 %"


def options_line(options: TrainingOptions) -> str:
    """Name the options that have another value than the default.

    >>> from tokenizer_adapters.training import TrainingOptions
    >>> options_line(TrainingOptions(vocab_size=1000, special_tokens=("<s>", "</s>")))
    'vocabulary 1,000, special_tokens "<s>" "</s>"'
    """
    changed = options.changed()
    parts = [f"vocabulary {options.vocab_size:,}"]
    for field in fields(options):
        if field.name in changed:
            value = getattr(options, field.name)
            shown = " ".join(map(quoted, value)) if isinstance(value, tuple) else _value(value)
            parts.append(f"{field.name} {shown}")
    return ", ".join(parts)


def _value(value: object) -> str:
    return quoted(value) if isinstance(value, str) else str(value)


# The first merge that differs ----------------------------------------------------------------------------------------


def divergence_lines(divergence: lines.Divergence, names: tuple[str, str], algorithm: Algorithm) -> list[str]:
    """Return the lines that show the first merge that differs, with the counts of both pairs on both sides."""
    where = f"merge {divergence.number + 1:,}" if divergence.is_shown else f"learned token {divergence.number + 1:,}"
    read = "" if divergence.is_shown else " (read from the order of the ids)"
    first, second = divergence.first, divergence.second
    if first is None or second is None or divergence.kind == "ends":
        ended, going = (names[0], second) if first is None else (names[1], first)
        line = f"{where}{read}: {ended} has ended"
        return [line if going is None else f"{line}; the other takes {_taken(going)}"]
    kind = KINDS[DivergenceKind(divergence.kind)].format(first=names[0], second=names[1])
    told = [
        f"{where}{read} is the first that differs: {kind}",
        *aligned(list(_count_rows((first, second), names, algorithm))),
    ]
    pairs = [first.pair, second.pair]
    for name, each, top in zip(names, (first, second), divergence.tops, strict=True):
        if top is not None and top.count > each.count and top.pair not in pairs:
            told.append(f"  most frequent for {name}: {pair_words(top.pair)}, {times(top.count)}")
    if algorithm is Algorithm.WORDPIECE and divergence.kind != "tie":
        told += _taught_score_lines(first, second, names)
    return told


def _count_rows(
    sides: tuple[lines.Taken, lines.Taken], names: tuple[str, str], algorithm: Algorithm
) -> Iterator[list[str]]:
    """Yield a row for each side: what it takes, how often that occurs on both, and the score of WordPiece."""
    with_scores = algorithm is Algorithm.WORDPIECE
    header = ["  taken by", "pair", f"count for {names[0]}", f"count for {names[1]}"]
    yield [*header, "count / parts"] if with_scores else header
    for number, (name, taken) in enumerate(zip(names, sides, strict=True)):
        counts = (taken.count, taken.count_on_other_side)
        row = [f"  {name}", _taken(taken), *(f"{count:,}" for count in (counts[::-1] if number else counts))]
        yield [*row, _score(taken)] if with_scores else row


def _taught_score_lines(first: lines.Taken, second: lines.Taken, names: tuple[str, str]) -> Iterator[str]:
    """Say whose pair is the better one by the score with which WordPiece is taught, where they are not equal."""
    one, other = first.score, second.score
    if one is not None and other is not None and one != other:
        taught = "by count over parts, the score with which WordPiece is taught"
        yield f"  {taught}, {names[other > one]} takes the better pair"


def _taken(taken: lines.Taken) -> str:
    return f"{quoted(taken.token)}, of no pair" if taken.pair is None else pair_words(taken.pair)


def _score(taken: lines.Taken) -> str:
    score = taken.score
    if score is None:
        return "-"
    return f"{taken.count:,} / ({taken.left_count:,} x {taken.right_count:,}) = {float(score):.3g}"
