"""Merges done again, one by one, beside exact counts that say whether each is of a most frequent pair.

A trainer whose merges all are has learned what the published algorithm of BPE learns, but for the order of equals,
which the algorithm leaves open. Two such answers differ by ties alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.research.training.pair_counts import Pair, PairCounts
from tokenizer_conformance.results.records.training import FirstFault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.training import TrainedModel
    from tokenizer_conformance.research.training.task import TrainingTask
    from tokenizer_conformance.results.records.training import Top


@dataclass(frozen=True, slots=True)
class Step:
    """A token that was learned. ``pair`` is what it was merged from, ``None`` where a trainer shows no merges."""

    token: str
    pair: Pair | None


@dataclass(frozen=True, slots=True)
class MergeReplay:
    """What doing all merges again has shown.

    ``most_frequent`` of ``steps`` merges were of a most frequent pair. At ``tied`` of these there were equals, and at
    ``lowest_ids`` of those the pair with the lowest ids was taken. ``first`` is the first that was not: its ``count``
    is 0 where its pair does not occur, ``better`` is what was more frequent, if anything was. ``left`` is set where
    training ended though there was room for a token and this pair was frequent enough. ``stray`` are tokens of
    merges that are not in the vocabulary, and tokens of the vocabulary that no merge gives. ``merged`` are the merges
    that were done, each with the number of its step: a trainer that does not show merges may have merged pairs whose
    token it had already.
    """

    steps: int
    most_frequent: int
    tied: int
    lowest_ids: int
    first: FirstFault | None
    left: Top | None
    stray: tuple[str, ...]
    merged: tuple[tuple[int, Pair], ...]

    @property
    def is_legal(self) -> bool:
        """Whether each merge was of a most frequent pair, training ended where due, and the vocabulary is of these."""
        return self.first is None and self.left is None and not self.stray


def steps_of(model: TrainedModel, task: TrainingTask) -> tuple[Step, ...]:
    """Return what was learned, in order.

    Where a trainer does not show its merges, the order is that of the ids; special tokens and single characters are
    left out.
    """
    affixes = task.affixes
    if model.merges is not None:
        return tuple(Step(affixes.merged(*pair), pair) for pair in model.merges)
    tokens = task.unmarked(sorted(model.tokens, key=model.tokens.__getitem__))
    return tuple(Step(token, None) for token in tokens if affixes.length(token) > 1)


def replay(model: TrainedModel, task: TrainingTask) -> MergeReplay:
    """Do the merges of ``model`` again on the words of ``task``.

    Where merges are not shown, a pair whose token is known already may have been merged or passed over: what explains
    more of the steps is taken.
    """
    steps = steps_of(model, task)
    first = _Replaying(model, task, steps, merges_known=True).done()
    if first.is_legal or model.merges is not None:
        return first
    second = _Replaying(model, task, steps, merges_known=False).done()
    return max(first, second, key=lambda each: (each.is_legal, each.most_frequent))


def counts_before(step: int, merges: MergeReplay, model: TrainedModel, task: TrainingTask) -> PairCounts:
    """Return the counts of pairs as ``model`` had them before ``step``."""
    counts = _first_counts(model, task)
    for number, pair in merges.merged:
        if number >= step:
            break
        counts.merge(pair)
    return counts


def best_pair(token: str, counts: PairCounts, task: TrainingTask) -> tuple[Pair | None, int]:
    """Return the most frequent pair that gives ``token``, with its count; ``None`` and 0 where there is none."""
    pairs = task.affixes.pairs(token)
    best = max(pairs, key=counts.count, default=None)
    count = 0 if best is None else counts.count(best)
    return (best, count) if count else (None, 0)


def _first_counts(model: TrainedModel, task: TrainingTask) -> PairCounts:
    return PairCounts(task.words, task.affixes, model.tokens, task.options.max_token_length)


class _Replaying:
    """A replay at work."""

    def __init__(self, model: TrainedModel, task: TrainingTask, steps: tuple[Step, ...], *, merges_known: bool) -> None:
        self._model = model
        self._task = task
        self._steps = steps
        self._merges_known = merges_known
        self._counts = _first_counts(model, task)
        self._known: set[str] = set()
        self._merged: list[tuple[int, Pair]] = []
        self._most_frequent = self._tied = self._lowest_ids = 0
        self._first: FirstFault | None = None

    def done(self) -> MergeReplay:
        for number, step in enumerate(self._steps):
            self._do(number, step)
        return MergeReplay(
            steps=len(self._steps),
            most_frequent=self._most_frequent,
            tied=self._tied,
            lowest_ids=self._lowest_ids,
            first=self._first,
            left=self._left(),
            stray=_stray(self._model, self._steps, self._task),
            merged=tuple(self._merged),
        )

    def _do(self, number: int, step: Step) -> None:
        top = self._counts.top() if step.pair is not None else self._top_of_new(number)
        pair, count = self._pair_of(step)
        if pair is not None and top is not None and count == top.count and count >= self._task.least_count:
            self._most_frequent += 1
            self._tied += top.is_tied
            self._lowest_ids += top.is_tied and pair == top.pair
        elif self._first is None:
            better = top if top is not None and top.count > count else None
            self._first = FirstFault(
                number=float(number),
                token=step.token,
                pair=pair,
                count=count,
                better=None if better is None else better.pair,
                better_count=0 if better is None else better.count,
            )
        self._known.add(step.token)
        if pair is not None:
            self._counts.merge(pair)
            self._merged.append((number, pair))

    def _pair_of(self, step: Step) -> tuple[Pair | None, int]:
        if step.pair is None:
            return best_pair(step.token, self._counts, self._task)
        return step.pair, self._counts.count(step.pair)

    def _top_of_new(self, number: int) -> Top | None:
        """Return the most frequent pair whose token is not known yet; known ones are merged or passed over first."""
        while top := self._counts.top():
            if self._task.affixes.merged(*top.pair) not in self._known:
                return top
            if self._merges_known:
                self._counts.merge(top.pair)
                self._merged.append((number, top.pair))
            else:
                self._counts.pass_over(top.pair)
        return None

    def _left(self) -> Top | None:
        """Return the pair that there was room for, and that was frequent enough, when training ended."""
        if len(self._model.tokens) >= self._task.options.vocab_size:
            return None
        top = self._counts.top() if self._model.merges is not None else self._top_of_new(len(self._steps))
        return top if top is not None and top.count >= self._task.least_count else None


def _stray(model: TrainedModel, steps: tuple[Step, ...], task: TrainingTask) -> tuple[str, ...]:
    """Return the tokens that either only the steps or only the vocabulary have."""
    given = {step.token for step in steps}
    learned = {token for token in task.unmarked(model.tokens) if task.affixes.length(token) > 1}
    return tuple(sorted(given ^ learned))


def distinct_steps(steps: tuple[Step, ...]) -> Iterator[tuple[int, Step]]:
    """Yield the steps that learn a token that was not there yet, with their numbers."""
    known: set[str] = set()
    for number, step in enumerate(steps):
        if step.token not in known:
            known.add(step.token)
            yield number, step
