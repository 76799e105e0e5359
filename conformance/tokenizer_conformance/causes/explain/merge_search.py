"""The first merge rule at which two implementations part, found by cutting the list of merges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded
from tokenizer_conformance.causes.explain.events import MergeParting

if TYPE_CHECKING:
    from tokenizer_conformance.causes.bench import Bench, Trial
    from tokenizer_conformance.causes.witness import Witness

Json = dict[str, Any]


def first_parting(bench: Bench, witness: Witness, document: Json) -> MergeParting | None:
    """Return a merge with which the answers to the question of ``witness`` first differ; ``None`` where none is found.

    ``document`` is a tokenizer.json with merges, with which they do. The list is halved again and again between a
    length at which both agree and one at which they differ. They may have parted, and come together again, at shorter
    lengths still.
    """
    merges = document["model"]["merges"]
    agree, differ = 0, len(merges)
    without = _with_merges(bench, witness, document, 0)
    if without is None:
        return None
    if without.differs(witness.question):
        return _parting(without, witness, None, ("", ""), len(merges))
    last: Trial | None = None
    while differ - agree > 1:
        middle = (agree + differ) // 2
        trial = _with_merges(bench, witness, document, middle)
        if trial is None:
            return None
        if trial.differs(witness.question):
            differ, last = middle, trial
        else:
            agree = middle
    last = last or _with_merges(bench, witness, document, differ)
    return None if last is None else _parting(last, witness, differ - 1, pair_of(merges[differ - 1]), len(merges))


def _with_merges(bench: Bench, witness: Witness, document: Json, number: int) -> Trial | None:
    """Return both sides with the first ``number`` merges; ``None`` where one refuses them."""
    model = document["model"]
    return bench.trial_of(witness.source, {**document, "model": {**model, "merges": model["merges"][:number]}})


def pair_of(merge: Any) -> tuple[str, str]:
    """Return the two tokens of a merge of a tokenizer.json, a pair or the older "left right".

    >>> pair_of(["a", "b"]), pair_of("a b")
    (('a', 'b'), ('a', 'b'))
    """
    left, right = merge.split(" ", 1) if isinstance(merge, str) else merge
    return left, right


def _parting(trial: Trial, witness: Witness, rank: int | None, pair: tuple[str, str], total: int) -> MergeParting:
    return MergeParting(
        rank, pair, _tokens(trial.expected(witness.question)), _tokens(trial.actual(witness.question)), total
    )


def _tokens(outcome: object) -> tuple[str, ...]:
    """Return the tokens of an answer, its ids where it shows no tokens; none where there is no answer."""
    if not isinstance(outcome, Encoded):
        return ()
    return tuple(map(str, outcome.ids)) if outcome.tokens is None else outcome.tokens
