"""score-tie: two segmentations of a word by a Unigram model of which neither is better.

Both are shown with their scores: added exactly, as fractions of the stored doubles, and as a model adds them, from left
to right in double precision. A tie is claimed in three cases only, which the reason's parameter tells apart:

- *equal scores*: the exact sums are equal, and no segmentation has a greater one;
- *rounding in double precision*, *rounding in single precision*: the exact sum of the implementation's segmentation is
  less than the greatest by no more than the rounding of two sums can make (Higham, Accuracy and Stability of Numerical
  Algorithms, section 4.2: the error of adding n numbers one by one is at most γ(n - 1) times the sum of their
  magnitudes, γ(k) = k u / (1 - k u), u the unit roundoff); in single precision, where the scores are rounded too, γ(n),
  and only if a model in that precision gives the implementation's answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Encoded, plain_of
from tokenizer_adapters.variants.change import GivenCuts, Rule
from tokenizer_conformance.causes.cause import Reason
from tokenizer_conformance.causes.classes.replaced_rules import ENCODING, component_types
from tokenizer_conformance.escape import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_conformance.causes.classes.variant_study import Study
    from tokenizer_conformance.comparison.reduction import Json

NAME = "score-tie"

EQUAL = "equal scores"
DOUBLE = "rounding in double precision"
SINGLE = "rounding in single precision"

DOUBLE_ROUNDOFF = Fraction(1, 2**53)
SINGLE_ROUNDOFF = Fraction(1, 2**24)

LONGEST_WORD = 2000
"""Longer words are not looked into: exact sums of all their segmentations take long."""

_UNKNOWN_PENALTY = 10.0


@dataclass(frozen=True, slots=True)
class ScoredPieces:
    """The pieces of a Unigram model with their scores, the ids of the pieces, and the score of unknown characters."""

    scores: Mapping[str, float]
    pieces: tuple[str, ...]
    unknown: int | None
    unknown_score: float

    @classmethod
    def of(cls, document: Json) -> ScoredPieces | None:
        """Return those of the model of ``document``; ``None`` where some score is no finite number."""
        try:
            listed = [(str(piece), float(score)) for piece, score in document["model"]["vocab"]]
            unknown = document["model"].get("unk_id")
        except (KeyError, TypeError, ValueError):
            return None
        if not listed or not all(math.isfinite(score) for _, score in listed):
            return None
        lowest = min(score for _, score in listed)
        return cls(dict(listed), tuple(piece for piece, _ in listed), unknown, lowest - _UNKNOWN_PENALTY)

    def score(self, piece: str) -> float | None:
        """Return the score of ``piece``; of one character that is none, that of an unknown one."""
        known = self.scores.get(piece)
        if known is None and len(piece) == 1 and self.unknown is not None:
            return self.unknown_score
        return known


@dataclass(frozen=True, slots=True)
class Segmentation:
    """A word cut into ``pieces`` with their ``scores``."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]

    @property
    def exact(self) -> Fraction:
        """The sum of the scores, without any rounding."""
        return sum(map(Fraction, self.scores), Fraction(0))

    @property
    def added(self) -> float:
        """The sum as a model has it: added in double precision from left to right."""
        total = 0.0
        for score in self.scores:
            total += score
        return total

    def error(self, roundoff: Fraction, *, rounds_scores: bool) -> Fraction:
        """Return a bound on the error of the sum, added one by one with this unit roundoff."""
        steps = len(self.scores) - 1 + rounds_scores
        gamma = steps * roundoff / (1 - steps * roundoff)
        return gamma * sum((abs(Fraction(score)) for score in self.scores), Fraction(0))

    def __str__(self) -> str:
        return " ".join(map(quoted, self.pieces))


def score_tie(study: Study) -> Reason | None:
    """Prove that the witness is a choice between segmentations of which neither is better.

    Beside the sums, the reference that is made to choose the implementation's segmentations must give its very answer
    in all fields.
    """
    question = plain_of(study.question)
    if study.witness.stage not in ENCODING or not isinstance(question, Encode) or question.is_pretokenized:
        return None
    pieces = ScoredPieces.of(study.document) if "Unigram" in component_types(study.document) else None
    cuts = None if pieces is None else _chosen_otherwise(study, pieces, study.texts)
    if pieces is None or not cuts or not study.explains(given := GivenCuts(tuple(sorted(cuts.items())))):
        return None
    parameters: list[str] = []
    proof: list[str] = []
    for word, theirs in cuts.items():
        told = _tie(study, pieces, word, theirs)
        if told is None:
            return None
        parameters.append(told[0])
        proof += told[1:]
    probed = study.probed((given,), study.around())
    if not probed.both:
        return None
    parameter = max(parameters, key=(EQUAL, DOUBLE, SINGLE).index)
    said = "Made to choose so, the reference gives the very answer."
    return Reason(NAME, parameter, (*proof, said, *study.proviso))


def _tie(study: Study, pieces: ScoredPieces, word: str, theirs: Sequence[int]) -> tuple[str, ...] | None:
    """Return what kind of tie it is, and the sentences that prove it; ``None`` where it is none."""
    chosen = segmentation(pieces, word, theirs)
    best = best_segmentation(pieces, word)
    ours = segmentation(pieces, word, _reference_cuts(study, pieces, word) or ())
    if chosen is None or best is None or ours is None:
        return None
    kind = kind_of_tie(best, ours, chosen)
    if kind is None or (kind == SINGLE and not study.explains(Rule.UNIGRAM_SINGLE_PRECISION)):
        return None
    less = best.exact - chosen.exact
    sums = [
        f"{who}: {cut} adds up to {cut.exact} exactly, {cut.added!r} in double precision."
        for who, cut in (("The baseline", ours), ("The implementation", chosen))
    ]
    if kind == EQUAL:
        said = f"The exact sums of {quoted(word)} are equal, and no segmentation has a greater one."
    else:
        bound = _bound(best, chosen, kind)
        said = f"The exact sums are apart by {float(less)!r}; {kind} can make a difference of {float(bound)!r}."
    return kind, *sums, said


def kind_of_tie(best: Segmentation, ours: Segmentation, theirs: Segmentation) -> str | None:
    """Return what makes ``ours`` and ``theirs`` a tie beside the ``best`` segmentation, ``None`` where nothing does."""
    if best.exact == ours.exact == theirs.exact:
        return EQUAL
    worst = min(ours, theirs, key=lambda each: each.exact)
    return next((kind for kind in (DOUBLE, SINGLE) if best.exact - worst.exact <= _bound(best, worst, kind)), None)


def _bound(first: Segmentation, second: Segmentation, kind: str) -> Fraction:
    """Return by how much rounding can change the difference of two sums."""
    roundoff = DOUBLE_ROUNDOFF if kind == DOUBLE else SINGLE_ROUNDOFF
    return sum((each.error(roundoff, rounds_scores=kind == SINGLE) for each in (first, second)), Fraction(0))


# Segmentations --------------------------------------------------------------------------------------------------------


def segmentation(pieces: ScoredPieces, word: str, cuts: Sequence[int]) -> Segmentation | None:
    """Return ``word`` cut at ``cuts``, its ends among them; ``None`` where what is between two of them has no score."""
    parts = tuple(word[start:end] for start, end in pairwise(cuts))
    scores = [pieces.score(part) for part in parts]
    known = tuple(score for score in scores if score is not None)
    return Segmentation(parts, known) if parts and len(known) == len(parts) else None


def best_segmentation(pieces: ScoredPieces, word: str) -> Segmentation | None:
    """Return a segmentation of ``word`` with the greatest exact sum, ``None`` where there is none."""
    longest = max(map(len, pieces.scores))
    best: list[tuple[Fraction, int] | None] = [(Fraction(0), 0), *[None] * len(word)]
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - longest), end):
            before = best[start]
            score = pieces.score(word[start:end])
            if before is None or score is None:
                continue
            total = before[0] + Fraction(score)
            known = best[end]
            if known is None or total > known[0]:
                best[end] = (total, start)
    cuts = [len(word)]
    while cuts[-1] > 0:
        found = best[cuts[-1]]
        if found is None:
            return None
        cuts.append(found[1])
    return segmentation(pieces, word, cuts[::-1])


# What was chosen ------------------------------------------------------------------------------------------------------


def _chosen_otherwise(study: Study, pieces: ScoredPieces, texts: Sequence[str]) -> dict[str, tuple[int, ...]] | None:
    """Return the words of ``texts`` that the implementation cuts otherwise, each with its cuts.

    ``None`` where the tokens of a side are not the pieces of the words, or where it cuts a word in two ways.
    """
    found: dict[str, tuple[int, ...]] = {}
    for text in texts:
        words = study.words_of(text)
        question = Encode(text, add_special_tokens=False)
        ours = _cuts(pieces, words, study.answer(question))
        theirs = _cuts(pieces, words, study.trial.actual(question))
        if ours is None or theirs is None:
            return None
        for word, our_cuts, their_cuts in zip(words, ours, theirs, strict=True):
            if our_cuts != their_cuts and found.setdefault(word, their_cuts) != their_cuts:
                return None
    return found


def _reference_cuts(study: Study, pieces: ScoredPieces, word: str) -> tuple[int, ...] | None:
    """Return where the reference cuts ``word``, as it stands among the words of the question."""
    for text in study.texts:
        words = study.words_of(text)
        cuts = _cuts(pieces, words, study.answer(Encode(text, add_special_tokens=False)))
        if word in words and cuts is not None:
            return cuts[words.index(word)]
    return None


def _cuts(pieces: ScoredPieces, words: Sequence[str], outcome: object) -> list[tuple[int, ...]] | None:
    """Return where the tokens of an answer cut each of ``words``; ``None`` where they are not made of these.

    A run of unknown characters is one token, and the model cut off each of them.
    """
    if not isinstance(outcome, Encoded):
        return None
    ids = list(outcome.ids)
    found: list[tuple[int, ...]] = []
    for word in words:
        if len(word) > LONGEST_WORD:
            return None
        cuts = [0]
        while cuts[-1] < len(word):
            if not ids or not 0 <= ids[0] < len(pieces.pieces):
                return None
            id_ = ids.pop(0)
            if id_ == pieces.unknown:
                cuts += _unknown_run(pieces, word, cuts[-1])
            elif word.startswith(pieces.pieces[id_], cuts[-1]) and pieces.pieces[id_]:
                cuts.append(cuts[-1] + len(pieces.pieces[id_]))
            else:
                return None
        found.append(tuple(cuts))
    return None if ids else found


def _unknown_run(pieces: ScoredPieces, word: str, start: int) -> list[int]:
    end = start + 1
    while end < len(word) and word[end] not in pieces.scores:
        end += 1
    return list(range(start + 1, end + 1))
