"""Scores of a Unigram: finite, not above zero, and without ties that leave the segmentation to chance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.inputs.text_generators.document_parts import is_text
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.audited import VOCABULARY, is_piece
from tokenizer_conformance.research.file_audit.finding import (
    FEW,
    Defect,
    Example,
    FoundDefect,
    Severity,
    Witness,
    gathered,
)

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
    "Change one of the scores in its last digits, if several implementations are to agree on such words.",
)


FLAT = Defect(
    "scores-alike",
    "All scores are one number",
    Severity.ERROR,
    "Of all segmentations into equally many pieces none is better: which one is taken says nothing about the pieces.",
    "Write the logarithm of each piece's probability, as the training gave them.",
)

DEFECTS = (NOT_FINITE, POSITIVE, FLAT, TIE)

LONGEST = 16
"""Longer pieces are not looked into for ties, in code points."""

MOST_EXAMPLES = 10


def check_scores(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield what is wrong with scores."""
    vocabulary = audited.parts.model.get("vocab")
    if not isinstance(vocabulary, list):
        return
    not_finite: list[Example] = []
    positive: list[Example] = []
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
            witness = _twice(audited, piece) if not positive else None
            positive.append(Example(path, f"the score of {quoted(piece)} is {score:g}", witness))
        scores[piece] = float(score)
    yield from gathered(NOT_FINITE, VOCABULARY, not_finite, f"{counted(len(not_finite), 'score')} are not finite")
    yield from gathered(POSITIVE, VOCABULARY, positive, f"{counted(len(positive), 'score')} are above zero")
    yield from _alike(audited, scores)
    yield from _ties(audited, scores)


def _twice(audited: AuditedFile, piece: str) -> Witness | None:
    """Return what comes of ``piece``, with spaces as they are written, twice in a row."""
    text = piece.replace("▁", " ") * 2
    answer = audited.unlimited.encoded(text) if is_text(text) else None
    return None if answer is None else Witness(f"{quoted(text)} becomes {_shown(answer.tokens or ())}", text)


def _alike(audited: AuditedFile, scores: Mapping[str, float]) -> Iterator[FoundDefect]:
    """Yield the finding that all pieces have one score."""
    if len(scores) <= FEW or len({scores[piece] for piece in _for_texts(audited, scores)}) > 1:
        return
    text = max(scores, key=len)
    answer = audited.encoded(text)
    tokens = () if answer is None or answer.tokens is None else answer.tokens
    message = f"each of {len(scores):,} pieces has the score {next(iter(scores.values())):g}"
    yield FoundDefect(FLAT, VOCABULARY, message, witness=Witness(f"{quoted(text)} becomes {_shown(tokens)}", text))


def _for_texts(audited: AuditedFile, scores: Mapping[str, float]) -> dict[str, float]:
    """Return the pieces that are there for texts: added tokens and the unknown one have scores of no meaning."""
    unknown, rows = audited.unknown_id, audited.parts.model.get("vocab") or ()
    special = {str(each["content"]) for each in audited.parts.added_tokens}
    if unknown is not None and 0 <= unknown < len(rows) and is_piece(rows[unknown]):
        special.add(rows[unknown][0])
    return {piece: score for piece, score in scores.items() if piece and piece not in special}


def _ties(audited: AuditedFile, scores: Mapping[str, float]) -> Iterator[FoundDefect]:
    """Yield the finding about pieces with two best segmentations, not of the same pieces in another order."""
    names, known = list(scores), _for_texts(audited, scores)
    ties: list[_Tie] = []
    for text in (piece for piece in known if 2 <= len(piece) <= LONGEST):
        if audited.is_over(f"ties of scores from {quoted(text)} on", TIE.id):
            break
        best = _two_best(text, known)
        if best is not None and sorted(best[0]) != sorted(best[1]):
            ties.append((text, *best))
    if ties:
        yield _finding(audited, ties, {piece: place for place, piece in enumerate(names)})


_Tie = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A text with two segmentations."""


def _finding(audited: AuditedFile, ties: list[_Tie], places: Mapping[str, int]) -> FoundDefect:
    examples = tuple(
        Example((*VOCABULARY, places[first[0]]), f"{quoted(text)} is {_shown(first)}, or {_shown(second)}")
        for text, first, second in ties[:MOST_EXAMPLES]
    )
    text = ties[0][0]
    answer = audited.encoded(text)
    tokens = () if answer is None or answer.tokens is None else answer.tokens
    is_one = len(ties) == 1
    return FoundDefect(
        TIE,
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
