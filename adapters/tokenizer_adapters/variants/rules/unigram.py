"""Unigram with other sums, ties and unknown characters."""

from __future__ import annotations

import math
import struct
from functools import partial
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.variants.change import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokenizer_adapters.variants.private_copy import Patch

    Rounding = Callable[[float], float]


def rounded_to(form: str, number: float) -> float:
    """Return ``number`` rounded to a format of :mod:`struct`; what is too great for it is infinite.

    >>> rounded_to("f", 0.1)
    0.10000000149011612
    """
    if not math.isfinite(number):
        return number
    try:
        rounded: float = struct.unpack(form, struct.pack(form, number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)
    return rounded


def _exact(number: float) -> float:
    return number


def best_cuts(model: Any, text: str, scores: Rounding, sums: Rounding, *, last_wins: bool) -> list[int]:
    """Return where the best cut parts ``text``, as the reference's own ``_best_cuts`` does.

    ``scores`` rounds each score, ``sums`` each sum; of equal sums the first one stays, or with ``last_wins`` the last.
    """
    size = len(text)
    best: list[float | None] = [0.0, *[None] * size]
    begins = [0] * (size + 1)

    def offer(start: int, end: int, score: float) -> None:
        total = sums((best[start] or 0.0) + scores(score))
        known = best[end]
        if known is None or total > known or (last_wins and total == known):
            best[end], begins[end] = total, start

    for start, char in enumerate(text):
        node = model._trie.get(char)
        if node is None or "" not in node:
            if model._unk_id is None:
                raise model._no_unknown_token(char)
            offer(start, start + 1, model._unknown_score)
        end = start
        while node is not None:
            end += 1
            if "" in node:
                offer(start, end, node[""])
            node = node.get(text[end]) if end < size else None
    cuts = [size]
    while cuts[-1] > 0:
        cuts.append(begins[cuts[-1]])
    return cuts[::-1]


def _longest_match(model: Any, text: str) -> list[int]:
    cuts = [0]
    while cuts[-1] < len(text):
        node = model._trie
        longest = cuts[-1] + 1
        for end in range(cuts[-1] + 1, len(text) + 1):
            node = node.get(text[end - 1])
            if node is None:
                break
            if "" in node:
                longest = end
        cuts.append(longest)
    return cuts


def _cutting(cut: Callable[[Any, str], list[int]]) -> Mapping[str, Patch]:
    def patch(module: Any) -> None:
        def bound(model: Any, text: str) -> list[int]:
            return cut(model, text)

        module.Unigram._best_cuts = bound

    return {"models.unigram": patch}


def _rounding(scores: Rounding, sums: Rounding, *, last_wins: bool = False) -> Mapping[str, Patch]:
    return _cutting(lambda model, text: best_cuts(model, text, scores, sums, last_wins=last_wins))


def _unknown_scoring(score: Callable[[float], float]) -> Mapping[str, Patch]:
    """Have an unknown character score what ``score`` makes of the lowest score of the vocabulary."""

    def patch(module: Any) -> None:
        plain = module.Unigram.__init__

        def init(model: Any, *args: Any, **kwargs: Any) -> None:
            plain(model, *args, **kwargs)
            lowest = min([math.inf, *(each for _, each in model._pieces)])
            model._unknown_score = score(lowest)

        module.Unigram.__init__ = init

    return {"models.unigram": patch}


def _keep_unknown_apart(module: Any) -> None:
    def not_joined(_model: Any, _ids: Sequence[int | None], cuts: list[int]) -> list[int]:
        return cuts

    module.Unigram._with_unknown_joined = not_joined


def _name_unknown(module: Any) -> None:
    plain = module.Unigram._tokens_of

    def named(model: Any, piece: str) -> list[tuple[int, str]]:
        unknown = model._unk_id
        found = plain(model, piece)
        return [(id_, model._pieces[id_][0] if id_ == unknown else value) for id_, value in found]

    module.Unigram._tokens_of = named


def cut_as_given(cuts: Mapping[str, Sequence[int]], module: Any) -> None:
    """Have the words that are in ``cuts`` cut as it says, all others as they are."""
    plain = module.Unigram._best_cuts

    def given(model: Any, text: str) -> list[int]:
        return list(cuts[text]) if text in cuts else plain(model, text)

    module.Unigram._best_cuts = given


_SINGLE = partial(rounded_to, "f")
_HALF = partial(rounded_to, "e")

UNIGRAM_PATCHES: Mapping[Rule, Mapping[str, Patch]] = {
    Rule.UNIGRAM_LONGEST_MATCH: _cutting(_longest_match),
    Rule.UNIGRAM_LAST_TIE: _rounding(_exact, _exact, last_wins=True),
    Rule.UNIGRAM_SINGLE_PRECISION: _rounding(_SINGLE, _SINGLE),
    Rule.UNIGRAM_HALF_PRECISION: _rounding(_HALF, _exact),
    Rule.UNIGRAM_UNKNOWN_FREE: _unknown_scoring(lambda _: 0.0),
    Rule.UNIGRAM_UNKNOWN_LOWEST: _unknown_scoring(lambda lowest: lowest),
    Rule.UNIGRAM_UNKNOWN_FAR: _unknown_scoring(lambda lowest: lowest - 100),
    Rule.UNIGRAM_UNKNOWN_NAMED: {"models.unigram": _name_unknown},
    Rule.UNIGRAM_UNKNOWN_SEPARATE: {"models.unigram": _keep_unknown_apart},
}
