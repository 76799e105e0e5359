"""Scores of a Unigram: finite, not above zero, and without ties that leave the segmentation to chance."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.audited import VOCABULARY, is_piece
from tokenizer_conformance.research.file_audit.finding import Defect, Example, FoundDefect, Severity, Witness, gathered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.research.file_audit.audited import AuditedFile


NOT_FINITE = Defect(
    "score-not-finite",
    "A score is no finite number",
    Severity.ERROR,
    "JSON has no infinity and no NaN; a file with a score that is too large for a number is refused.",
    "Write the logarithm of the piece's probability.",
)
POSITIVE = Defect(
    "score-positive",
    "A score is above zero",
    Severity.WARNING,
    "Scores are logarithms of probabilities. A piece whose score is above zero is taken wherever it stands, and the "
    "more often the better: no other segmentation has a chance.",
    "Write the logarithm of the piece's probability; pieces that are to be taken always are added tokens.",
)
TIE = Defect(
    "score-tie",
    "Two segmentations of a text have the same score, and none a better one",
    Severity.NOTE,
    "Which one is taken depends on the order in which sums are built, and implementations build them in different "
    "orders.",
    "Nothing, as long as one implementation is used; where several are, compare them on such words.",
)

ORDER = Defect(
    "score-tie-of-order",
    "The same pieces in another order make two segmentations of a text",
    Severity.NOTE,
    'Runs of one character ("!!!!") are cut by which of two equal sums an implementation keeps; the witness shows what '
    "the baseline does.",
    "Nothing, as long as one implementation is used; where several are, compare them on such runs.",
)

DEFECTS = (NOT_FINITE, POSITIVE, TIE, ORDER)

LONGEST = 16
"""Longer pieces are not looked into for ties, in code points."""

MOST_REPEATED = 12
"""A character that a piece repeats is looked at in runs of so many."""

MOST_EXAMPLES = 10


def check_scores(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield what is wrong with scores."""
    vocabulary = audited.parts.model.get("vocab")
    if not isinstance(vocabulary, list):
        return
    not_finite, positive = [], []
    scores: dict[str, float] = {}
    for index, entry in enumerate(vocabulary):
        if not is_piece(entry):
            continue
        piece, score = entry
        path: Path = (*VOCABULARY, index, 1)
        if not math.isfinite(score):
            not_finite.append(Example(path, f"the score of {quoted(piece)} is {score}"))
            continue
        if score > 0:
            positive.append(Example(path, f"the score of {quoted(piece)} is {score:g}"))
        scores[piece] = float(score)
    yield from gathered(NOT_FINITE, VOCABULARY, not_finite, f"{counted(len(not_finite), 'score')} are not finite")
    yield from gathered(POSITIVE, VOCABULARY, positive, f"{counted(len(positive), 'score')} are above zero")
    yield from _ties(audited, scores)


def _ties(audited: AuditedFile, scores: Mapping[str, float]) -> Iterator[FoundDefect]:
    """Yield the finding about texts with two best segmentations: pieces, and runs of a character that pieces repeat."""
    names = list(scores)
    unknown = audited.parts.model.get("unk_id")
    special = {str(each["content"]) for each in audited.parts.added_tokens}
    if isinstance(unknown, int) and 0 <= unknown < len(names):
        special.add(names[unknown])
    known = {piece: score for piece, score in scores.items() if piece and piece not in special}
    repeated = sorted({piece[0] for piece in known if len(piece) > 1 and piece == piece[0] * len(piece)})
    runs = [character * times for character in repeated for times in range(3, MOST_REPEATED + 1)]
    until = time.monotonic() + audited.seconds
    ties: list[_Tie] = []
    for text in (*(piece for piece in known if 2 <= len(piece) <= LONGEST), *runs):
        if time.monotonic() > until:
            audited.cut_short.append(f"ties of scores from {quoted(text)} on")
            break
        best = _two_best(text, known)
        if best is not None:
            ties.append((text, *best))
    of_order = [tie for tie in ties if sorted(tie[1]) == sorted(tie[2])]
    others = [tie for tie in ties if tie not in of_order]
    for defect, found in ((TIE, others), (ORDER, of_order)):
        if found:
            yield _finding(audited, defect, found, {piece: place for place, piece in enumerate(names)})


_Tie = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A text with two segmentations."""


def _finding(audited: AuditedFile, defect: Defect, ties: list[_Tie], places: Mapping[str, int]) -> FoundDefect:
    examples = tuple(
        Example((*VOCABULARY, places[first[0]]), f"{quoted(text)} is {_shown(first)}, or {_shown(second)}")
        for text, first, second in ties[:MOST_EXAMPLES]
    )
    text = ties[0][0]
    answer = audited.encoded(text)
    tokens = () if answer is None or answer.tokens is None else answer.tokens
    is_one = len(ties) == 1
    return FoundDefect(
        defect,
        VOCABULARY,
        examples[0].message if is_one else f"{counted(len(ties), 'text')} with two best segmentations",
        witness=Witness(f"{quoted(text)} becomes {_shown(tokens)}", text) if tokens else None,
        count=len(ties),
        examples=() if is_one else examples,
    )


def _shown(pieces: Sequence[str]) -> str:
    return " ".join(map(quoted, pieces))


def _two_best(text: str, scores: Mapping[str, float]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return two segmentations of ``text`` whose scores, added from the left, are the same and the best there is."""
    best: list[tuple[float, list[tuple[str, ...]]]] = [(0.0, [()])]
    for end in range(1, len(text) + 1):
        total = -math.inf
        ways: list[tuple[str, ...]] = []
        for begin in range(end):
            score = scores.get(text[begin:end])
            if score is None or best[begin][0] == -math.inf:
                continue
            here = best[begin][0] + score
            if here > total:
                total, ways = here, []
            if here == total:
                ways += [(*way, text[begin:end]) for way in best[begin][1]]
        best.append((total, ways[:2]))
    found = best[-1][1]
    return (found[0], found[1]) if len(found) > 1 else None
