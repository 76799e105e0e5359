"""How the pieces of a Unigram model and their scores are learned (Kudo 2018, as SentencePiece does it).

Begin with many pieces (:mod:`.unigram_seeds`). Then again and again: expectation and maximization a few times, which
fits the scores to the words and drops pieces that are hardly used; then prune, dropping the pieces that are missed
least, until there are few enough. The rules (observed, tokenizers 0.23.3):

- Expectation: how often is each piece used, over all ways to cut all words? Maximization: a piece that is expected less
  than half a time is dropped. The score of the others is digamma(expected) - digamma(sum of all expected): the Bayesian
  form, which favours frequent pieces, and not log(expected / sum).
- Where a character is dropped, it is unknown: 10 below the lowest score.
- Pruning looks at the best cut of each word. A piece that can be cut better than by itself, and is in no best cut,
  goes. One that can be cut no other way stays. For each of the others, the loss is estimated that the corpus would
  suffer without it, if all its occurrences were cut the next best way; those with the highest losses stay, until there
  are ``shrinking_factor`` times as many pieces as before, but not less than 1.1 times ``vocab_size``.
- The estimate is the one of SentencePiece to the letter: the sum of frequencies, after the piece is gone, is taken to
  grow by its frequency times *the number of all pieces*, where the number of pieces that it is cut into would be meant.
- The unknown piece counts as one piece all the time. It is called ``<UNK>`` and its score is no number: where the
  corpus has this text, and it is no other piece, the target panics.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.trainers.unigram_lattice import UNKNOWN, WordLattice, best_other_cut, prefixes_of
from tokenizer_reference.trainers.unigram_seeds import seed_pieces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_reference.trainers.progress import Report

LEAST_EXPECTED: Final = 0.5
"""A piece that is expected less often is dropped."""

RESERVED: Final = "<UNK>"
"""How the target calls the unknown piece while it learns. A piece of the corpus that is called so is not kept in the
end.
"""

UNKNOWN_PENALTY: Final = 10.0
"""How much lower than the lowest score of a piece an unknown character scores."""

_WORTH_CLEARING: Final = 0.5
"""How many pieces have to be gone, for each that is left, before lattices are rid of them.

That is done when pruning begins: a learning that ends without it is over before it would be worth the time.
"""

_STANDSTILL: Final = 1e-9
"""Where no piece was dropped and no score has changed by so much, nothing will ever change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnigramOptions:
    """The options of :class:`~tokenizer_reference.trainers.UnigramTrainer` that decide which pieces are learned."""

    vocab_size: int = 8000
    shrinking_factor: float = 0.75
    max_piece_length: int = 16
    n_sub_iterations: int = 2
    seed_size: int = 1_000_000

    @property
    def enough(self) -> int:
        """With how many pieces, the unknown one included, learning ends."""
        return self.vocab_size * 11 // 10

    def kept_of(self, size: int) -> int:
        """Return how many of ``size`` pieces pruning keeps."""
        try:
            shrunk = int(size * self.shrinking_factor)
        except ValueError:  # not a number
            shrunk = 0
        except OverflowError:
            shrunk = size if self.shrinking_factor > 0 else 0
        return max(self.enough, shrunk)


class UnigramLearner:
    """Learns pieces and their scores. A piece keeps its id, which is its number among the seeds, from 1 on."""

    def __init__(self, words: Mapping[str, int], options: UnigramOptions) -> None:
        self._options = options
        seeds = seed_pieces(words, options.max_piece_length, options.seed_size)
        self._texts = ["", *(piece for piece, _ in seeds)]
        self._scores = [0.0, *(score for _, score in seeds)]
        self._order = list(range(1, len(self._texts)))
        """The pieces that there are. Their order matters: of more than are wanted, the first are taken in the end."""
        self._ids = {piece: id_ for id_, piece in enumerate(self._texts) if id_ != UNKNOWN}
        self._has_reserved = any(RESERVED in word for word in words)
        self._counts = [count for word, count in words.items() if word]
        prefixes = prefixes_of(self._ids)
        self._lattices = [WordLattice.by_prefixes(word, prefixes) for word in words if word]
        self._is_gone = [False] * len(self._texts)
        """Of each id, whether the lattices have it though it is no piece any more. Its score makes it impossible."""
        self._unknown = [UNKNOWN]
        """The ids of the characters that are no pieces any more, and the one of all that never were."""
        self._rate = 0.0
        """The corpus' log-probability per character, as it was last; negative."""
        self._set_unknown_score()

    def __len__(self) -> int:
        """Return how many pieces there are, the unknown one included."""
        return len(self._order) + 1

    def pieces(self) -> list[tuple[str, float]]:
        """Return the pieces with their scores, in their order."""
        return [(self._texts[id_], self._scores[id_]) for id_ in self._order]

    def learn(self, report: Report) -> None:
        """Learn until there are few enough pieces.

        Raises :class:`UpstreamPanicError` where the target never ends: nothing can be dropped, and there are too many.
        """
        while True:
            before, scores = self._order, self._scores.copy()
            for _ in range(self._options.n_sub_iterations):
                self.maximize(self.expect())
                report("Learn pieces", len(self), None)
            if len(self) <= self._options.enough:
                return
            self.prune()
            if self._order == before and self._is_standstill(scores):
                raise UpstreamPanicError(
                    f"{len(self)} pieces are left, none can be dropped, and {self._options.enough} are wanted "
                    "(1.1 times vocab_size); `tokenizers` never ends here. Train with a larger vocab_size, "
                    "a shrinking_factor below 1, or more text"
                )

    def _is_standstill(self, scores: list[float]) -> bool:
        return all(abs(self._scores[id_] - scores[id_]) < _STANDSTILL for id_ in self._order)

    def _set_unknown_score(self) -> None:
        score = min((self._scores[id_] for id_ in self._order), default=math.inf) - UNKNOWN_PENALTY
        for id_ in self._unknown:
            self._scores[id_] = score

    # Expectation and maximization ------------------------------------------------------------------------------------

    def expect(self) -> list[float]:
        """Return for each id how often the piece is expected in the corpus. Raises :class:`UpstreamPanicError`."""
        if self._has_reserved and RESERVED not in self._ids:
            raise UpstreamPanicError(
                f"the corpus contains {RESERVED!r}, which `tokenizers` uses itself in this training: it panics here "
                '("likelihood is NAN"). Write it in another way in the corpus'
            )
        expected = [0.0] * len(self._texts)
        if not self._rate:
            self._rate = self._rate_of_longest()
        rate = self._rate
        # What is short and likely has a weight near 1, whatever its length: see `expect_by_products`.
        weights = [math.exp(score - rate * len(text)) for score, text in zip(self._scores, self._texts, strict=True)]
        weights[UNKNOWN] = math.exp(self._scores[UNKNOWN] - rate)
        logarithms, characters = 0.0, 0
        for lattice, count in zip(self._lattices, self._counts, strict=True):
            weight = lattice.expect_by_products(weights, count, expected)
            if weight is None:
                logarithm = lattice.expect(self._scores, count, expected)
            else:
                logarithm = math.log(weight) + rate * lattice.size
            logarithms += count * logarithm
            characters += count * lattice.size
        if characters:
            self._rate = logarithms / characters
        return expected

    def _rate_of_longest(self) -> float:
        """Return the log-probability per character of the longest word."""
        if not self._lattices:
            return 0.0
        longest = max(self._lattices, key=lambda lattice: lattice.size)
        return longest.expect(self._scores, 0, [0.0] * len(self._texts)) / longest.size

    def maximize(self, expected: list[float]) -> None:
        """Drop the pieces that are hardly ``expected``, and set the scores of the others."""
        kept = [id_ for id_ in self._order if expected[id_] >= LEAST_EXPECTED]
        self._keep(kept)
        logarithm = digamma(sum(expected[id_] for id_ in kept)) if kept else 0.0
        for id_ in kept:
            self._scores[id_] = digamma(expected[id_]) - logarithm
        self._set_unknown_score()

    def _keep(self, kept: list[int]) -> None:
        """Drop all pieces but those that are ``kept``, whose order is the new one."""
        for id_ in {*self._order}.difference(kept):
            del self._ids[self._texts[id_]]
            if len(self._texts[id_]) > 1:
                self._scores[id_] = -math.inf
                self._is_gone[id_] = True
            else:
                self._unknown.append(id_)
        self._order = kept

    def _clear_lattices(self) -> None:
        """Remove what is gone from the lattices, if that is worth the time."""
        if sum(self._is_gone) > len(self._order) * _WORTH_CLEARING:
            self._lattices = [lattice.without(self._is_gone) for lattice in self._lattices]
            self._is_gone = [False] * len(self._texts)

    # Pruning ---------------------------------------------------------------------------------------------------------

    def prune(self) -> None:
        """Drop the pieces that are missed least."""
        scores, texts = self._scores, self._texts
        frequencies = self._best_frequencies()
        total = sum(frequencies)
        words = sum(self._counts)
        kept: list[int] = []
        losses: dict[int, float] = {}
        for id_ in self._order:
            frequency = frequencies[id_]
            other = best_other_cut(texts[id_], self._ids, scores)
            if other is None or other.score > scores[id_]:
                if frequency or other is None:
                    kept.append(id_)
            elif frequency:
                grown = math.log(total + frequency * len(self._order))
                rest = sum(math.log(frequencies[piece] + frequency) - grown for piece in other.pieces)
                losses[id_] = frequency / words * (math.log(frequency) - math.log(total) - rest)
        most_missed = sorted(losses, key=losses.__getitem__, reverse=True)
        room = self._options.kept_of(len(self)) - 1 - len(kept)
        self._keep(kept + (most_missed[:room] if room >= 0 else most_missed))
        self._set_unknown_score()

    def _best_frequencies(self) -> list[int]:
        """Return for each id how often the piece is in the best cuts of the words."""
        self._clear_lattices()
        frequencies = [0] * len(self._texts)
        for lattice, count in zip(self._lattices, self._counts, strict=True):
            path = lattice.best_path(self._scores)
            for piece in path.pieces if path else ():
                frequencies[piece] += count
        for id_ in self._unknown[1:]:
            frequencies[UNKNOWN] += frequencies[id_]
            frequencies[id_] = 0
        return frequencies


def digamma(x: float) -> float:
    """Return the derivative of the logarithm of the gamma function, for ``x`` above 0.

    The asymptotic series around ``x - 1/2``, whose error is below 1e-9 from 7 on; below, digamma(x) = digamma(x + 1) -
    1/x.

    >>> round(digamma(1), 8)  # the Euler-Mascheroni constant, negative
    -0.57721566
    """
    result = 0.0
    while x < 7:
        result -= 1 / x
        x += 1
    x -= 0.5
    inverse = 1 / (x * x)
    series = (1 / 24, -7 / 960, 31 / 8064, -127 / 30720)
    return result + math.log(x) + sum(factor * inverse**power for power, factor in enumerate(series, 1))
