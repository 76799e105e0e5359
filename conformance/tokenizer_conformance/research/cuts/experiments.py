"""Whether a cause holds: a region is changed in its context, and both tokenizers cut that again."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tokenizer_conformance.research.cuts.kinds import KINDS, Look, is_of_spaces
from tokenizer_conformance.research.cuts.regions import PlacedText, regions_between
from tokenizer_conformance.results.records.cuts import Context, Evidence

if TYPE_CHECKING:
    from tokenizer_conformance.research.cuts.kinds import Experiment, Kind
    from tokenizer_conformance.research.cuts.regions import Region
    from tokenizer_conformance.research.cuts.sides import CuttingTokenizer

LONGEST_REGION = 400
"""How many characters a region may have for an experiment."""

REACH = 24
"""How many characters a context has at most on either side of a region."""

REMEMBERED = 1 << 16
"""How many results of experiments are kept."""


def context_of(text: str, start: int, end: int) -> Context | None:
    """Return the characters ``start`` to ``end`` of ``text`` in their context; ``None`` where they are too many.

    That is the text around them as far as the next white space, and one such character before that, as many tokenizers
    cut a word behind a space otherwise. Text without white space is cut off.

    >>> context_of("the HTTPserver, it", 8, 14)
    Context(text=' HTTPserver,', start=5, end=11)
    """
    if end - start > LONGEST_REGION:
        return None
    least, most = max(start - REACH, 0), min(end + REACH, len(text))
    first, last = start, end
    while first > least and not text[first - 1].isspace():
        first -= 1
    while last < most and not text[last].isspace():
        last += 1
    first -= 1 if first > least else 0
    return Context(text=text[first:last], start=start - first, end=end - first)


class Laboratory:
    """Makes experiments with two tokenizers."""

    def __init__(self, first: CuttingTokenizer, second: CuttingTokenizer) -> None:
        self.first = first
        self.second = second
        self._remembered = lru_cache(REMEMBERED)(self._vanishes)

    def kind_of(self, text: str, region: Region) -> Kind:
        """Return the kind of ``region`` in ``text``: the first of :data:`KINDS` that fits."""
        look = Look(text, region, self.first.facts, self.second.facts)
        for kind in KINDS[:-1]:
            if kind.fits(look) and (not kind.decides or self._decides(kind, text, region)):
                return kind
        return KINDS[-1]

    def _decides(self, kind: Kind, text: str, region: Region) -> bool:
        context = context_of(text, region.start, region.end)
        experiment = kind.experiment_on(text[region.start : region.end])
        return context is not None and experiment is not None and self._remembered(context, experiment)

    def evidence(self, experiment: Experiment | None, context: Context | None) -> Evidence:
        """Return what ``experiment`` says of the region in ``context``."""
        if experiment is None:
            return "seen in the tokens"
        if context is None:
            return "not tried"
        if not self._differs_in(context.text, context.start, context.end):
            return "not seen out of its text"
        return "proven" if self._vanishes(context, experiment) else "the difference stays"

    def _vanishes(self, context: Context, experiment: Experiment) -> bool:
        """Return whether both cut alike what the region becomes."""
        characters = context.text[context.start : context.end]
        changed = experiment.change(characters)
        text = context.text[: context.start] + changed + context.text[context.end :]
        end = context.start + len(changed)
        return self._differs_in(text, context.start, end, spaces_count=not experiment.adds_spaces) is False

    def _differs_in(self, text: str, start: int, end: int, *, spaces_count: bool = True) -> bool | None:
        """Say whether both cut anything of the characters ``start`` to ``end`` otherwise; ``None``: one cuts nothing.

        Where these are none, the characters beside that place count.
        """
        (first,), (second,) = self.first.cut([text]), self.second.cut([text])
        if not (isinstance(first, PlacedText) and isinstance(second, PlacedText)):
            return None
        start, end = (start, end) if start < end else (start - 1, end + 1)
        return any(
            each.start < end
            and start < each.end
            and (spaces_count or not is_of_spaces(Look(text, each, self.first.facts, self.second.facts)))
            for each in regions_between(first, second)
        )
