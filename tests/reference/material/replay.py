"""Whether a vocabulary could have been learned: the training done again, with what it leaves to chance given.

With a prefix, a suffix or a limit to the alphabet, the target hands out ids in a random order, and ids decide between
pairs that occur equally often: every run learns something else. What it has learned says which order that was. So a
result can be judged exactly (:func:`judge`):

1. The special tokens come first, then the alphabet by code point. Where it is limited, no character that was dropped
   occurs more often than one that was kept.
2. Characters with a prefix or a suffix come next, in an order in which the words, taken in *some* order, give them.
3. Each merge is of a pair that no other pair outnumbers. The pair with the lowest ids comes first; another one of the
   same count is a tie that was decided otherwise, which is counted and no fault.
4. The merges end where the vocabulary is full or no pair is frequent enough.

The prefix and the suffix must be no text of the words. If they are, two merges can make one token, a pair can be a
candidate twice (see ``trainers/merge_learning.py``), which of the two is looked at first is random again, and of two
merges of one pair a result has only the second: such a result may be legal, and be judged illegal.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from tokenizer_reference.trainers.merge_beginning import Beginning, MergeOptions, character_counts, symbols_of_word
from tokenizer_reference.trainers.merge_learning import learner_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenizer_reference.trainers.merge_learning import Learner, Pair


@dataclass(frozen=True, slots=True)
class Legal:
    """The result could have been learned, in ``merges`` merges.

    ``ties`` is how many of these were not the first of the most frequent pairs by their ids: none in the target.
    """

    merges: int
    ties: int


@dataclass(frozen=True, slots=True)
class PairCount:
    """A pair of tokens, and how often it occurs in the corpus before the merge in question."""

    left: str
    right: str
    count: int


@dataclass(frozen=True, slots=True)
class Illegal:
    """The result cannot have been learned: ``reason``.

    ``step`` is the number of the merge, from 0 on, or ``None`` where the fault is in the tokens before the first merge.
    ``due`` is a pair that had to be merged there, and ``learned`` the one that was, if that is known.
    """

    reason: str
    step: int | None = None
    due: PairCount | None = None
    learned: PairCount | None = None


Verdict = Legal | Illegal


def judge(
    words: Mapping[str, int],
    options: MergeOptions,
    vocabulary: Mapping[str, int],
    merges: Sequence[tuple[str, str]] | None = None,
) -> Verdict:
    """Judge what was learned from ``words``: a vocabulary, and the merges in their order, if the result has them.

    Without merges (WordPiece), each token has to be the next that merging can make.
    """
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    if [vocabulary[token] for token in tokens] != list(range(len(tokens))):
        return Illegal("the ids are not the numbers from 0 on, each once")
    beginning = _beginning(words, options, tokens)
    if isinstance(beginning, Illegal):
        return beginning
    learned = list(map(tuple, merges)) if merges is not None else None
    return (
        _as_the_reference(beginning, options, tokens, learned)
        or _Replay(learner_of(beginning, options), tokens, learned).verdict()
    )


def _as_the_reference(
    beginning: Beginning, options: MergeOptions, tokens: list[str], merges: list[tuple[str, ...]] | None
) -> Legal | None:
    """Return the verdict on what the reference learns from the same beginning, and ``None`` for anything else.

    Of a pair that is merged twice, a result has the second merge only: then this alone can tell.
    """
    learner = learner_of(beginning, options)
    own = [(learner.tokens[merge.pair[0]], learner.tokens[merge.pair[1]]) for merge in learner.steps()]
    last = {pair: number for number, pair in enumerate(own)}
    if tokens != learner.tokens or merges not in (None, sorted(last, key=last.__getitem__)):
        return None
    return Legal(len(own), 0)


# Before the first merge ----------------------------------------------------------------------------------------------


def _beginning(words: Mapping[str, int], options: MergeOptions, tokens: list[str]) -> Beginning | Illegal:
    """Return the beginning that has the ids of ``tokens``, if there can be one."""
    specials = list(dict.fromkeys(options.special_tokens))
    if tokens[: len(specials)] != specials:
        return Illegal(f"the first tokens are not the special tokens {specials!r}")
    kept = _alphabet(words, options, tokens, specials)
    if isinstance(kept, Illegal):
        return kept
    first = [*specials, *(char for char in kept if char not in specials)]
    if tokens[: len(first)] != first:
        wrong = next(token for token, due in zip([*tokens, None], first, strict=False) if token != due)
        return Illegal(f"the alphabet does not follow the special tokens by code point: {wrong!r} is not in its place")
    known = dict.fromkeys(first, 0)
    symbols = [symbols_of_word(word, known, options) for word in words]
    count = len({*first}.union(*symbols)) if symbols else len(first)
    order = tokens[len(first) : count]
    fault = _order_fault(symbols, known.keys(), order)
    return fault or Beginning(words, options, kept, order)


def _alphabet(
    words: Mapping[str, int], options: MergeOptions, tokens: list[str], specials: list[str]
) -> list[str] | Illegal:
    """Return the characters that were kept, by code point."""
    counts = character_counts(words, options)
    limit = options.limit_alphabet
    if limit is None or len(counts) <= limit:
        return sorted(counts)
    following = tokens[len(specials) : len(specials) + limit]
    kept = {*takewhile(counts.__contains__, following)}
    # Those that are special tokens stand with these; the most frequent of them are kept.
    special = sorted({*specials} & counts.keys(), key=counts.__getitem__, reverse=True)
    kept.update(special[: limit - len(kept)])
    dropped = counts.keys() - kept
    rarest = min(kept, key=counts.__getitem__, default=None)
    most = max(dropped, key=counts.__getitem__, default=None)
    if len(kept) < limit or (rarest is not None and most is not None and counts[most] > counts[rarest]):
        return Illegal(
            f"of the alphabet, {limit} characters are to be kept; {most!r} was dropped, which occurs "
            f"{_times(counts, most)}, "
            f"and {rarest!r} kept, which occurs {_times(counts, rarest)}"
        )
    return sorted(kept)


def _times(counts: Mapping[str, float], char: str | None) -> str:
    return "never" if char is None else f"{counts[char]} times"


def _order_fault(symbols: list[list[str]], known: Iterable[str], order: list[str]) -> Illegal | None:
    """Say why no order of the words gives characters with a prefix or suffix in ``order``, if none does.

    A word gives those that are new, one after the other. Of the words that can be next, it is safe to take any one:
    what the others would have given, they still can.
    """
    with_symbol: defaultdict[str, list[list[str]]] = defaultdict(list)
    for word in symbols:
        for symbol in {*word}:
            with_symbol[symbol].append(word)
    given = {*known}
    at = 0
    while at < len(order):
        new = _new_of_next_word(with_symbol[order[at]], given, order, at)
        if not new:
            return Illegal(f"no word can have given {order[at]!r} the id after that of the tokens before it")
        given.update(new)
        at += len(new)
    return None


def _new_of_next_word(words: list[list[str]], given: set[str], order: list[str], at: int) -> list[str]:
    """Return what the next word gives: one of ``words`` whose new symbols come next in ``order``."""
    for word in words:
        new = [symbol for symbol in dict.fromkeys(word) if symbol not in given]
        if order[at : at + len(new)] == new:
            return new
    return []


# The merges ----------------------------------------------------------------------------------------------------------


class _Replay:
    """Does the merges of a result again, each of them only if it is due."""

    def __init__(self, learner: Learner[Any], tokens: list[str], merges: list[tuple[str, ...]] | None) -> None:
        self._learner = learner
        self._tokens = tokens
        self._merges = merges
        self._step = 0
        self._ties = 0
        self._claimed = 0
        """How many of the merges, if they are known, were done again."""

    def verdict(self) -> Verdict:
        while due := self._learner.take_due():
            fault = self._do_one(due)
            if fault:
                return fault
            self._step += 1
        return self._end_fault() or Legal(self._step, self._ties)

    def _do_one(self, due: tuple[int, Any]) -> Illegal | None:
        """Merge the first of the most frequent pairs that the result allows."""
        passed_over: list[tuple[int, Any]] = []
        for count, candidate in self._of_equal_count(due):
            if self._allows(self._learner.pair_of(candidate)):
                self._ties += bool(passed_over)
                for other in passed_over:
                    self._learner._candidates.add(*other)
                self._learner.merge(count, candidate)
                return None
            passed_over.append((count, candidate))
        return self._fault(*passed_over[0])

    def _of_equal_count(self, due: tuple[int, Any]) -> Iterator[tuple[int, Any]]:
        following: tuple[int, Any] | None = due
        while following:
            if following[0] != due[0]:
                self._learner._candidates.add(*following)
                return
            yield following
            following = self._learner.take_due()

    def _allows(self, pair: Pair) -> bool:
        """Tell whether the result has this merge here; if so, it is done with."""
        token = self._learner.token_of(pair)
        number = len(self._learner.tokens)
        is_new = token not in self._learner._ids
        if is_new and self._tokens[number : number + 1] != [token]:
            return False
        if self._merges is None:
            return True
        if self._texts(pair) != self._claim():
            return False
        self._claimed += 1
        return True

    def _claim(self) -> tuple[str, str] | None:
        if self._merges is None or self._claimed >= len(self._merges):
            return None
        left, right = self._merges[self._claimed]
        return left, right

    def _texts(self, pair: Pair) -> tuple[str, str]:
        return self._learner.tokens[pair[0]], self._learner.tokens[pair[1]]

    def _counted(self, texts: tuple[str, str]) -> PairCount:
        ids = self._learner._ids
        known = all(text in ids for text in texts)
        return PairCount(*texts, self._learner.count((ids[texts[0]], ids[texts[1]])) if known else 0)

    def _fault(self, count: int, candidate: Any) -> Illegal:
        due = PairCount(*self._texts(self._learner.pair_of(candidate)), count)
        learned = self._learned()
        if learned is None:
            return Illegal("merging ends though a pair is due", self._step, due)
        if learned.count < due.count:
            return Illegal("another pair is more frequent", self._step, due, learned)
        return Illegal("the merged token has not the next id", self._step, due, learned)

    def _learned(self) -> PairCount | None:
        """Return the pair that was merged here; where that is not known, the most frequent that it can be."""
        claim = self._claim()
        if claim:
            return self._counted(claim)
        number = len(self._learner.tokens)
        if self._merges is not None or number >= len(self._tokens):
            return None
        made = self._tokens[number]
        ids = self._learner._ids
        pairs = [(left, right) for left in ids for right in self._rights_of(left, made) if right in ids]
        return max(map(self._counted, pairs), key=lambda pair: pair.count, default=PairCount(made, "", 0))

    def _rights_of(self, left: str, made: str) -> Iterator[str]:
        """Yield the tokens that ``left`` may have been merged with to make the token ``made``."""
        if made.startswith(left):
            rest = made[len(left) :]
            yield rest
            if self._learner.prefix:
                yield self._learner.prefix + rest

    def _end_fault(self) -> Illegal | None:
        claim = self._claim()
        if claim:
            return Illegal("no pair is due any more", self._step, None, self._counted(claim))
        if len(self._learner.tokens) < len(self._tokens):
            token = self._tokens[len(self._learner.tokens)]
            return Illegal(f"no pair is due any more, and {token!r} was learned", self._step, None, self._learned())
        return None
