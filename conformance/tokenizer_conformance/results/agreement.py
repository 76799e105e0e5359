"""How far an implementation gives the ids of the baseline on a tokenizer: shares of ordinary texts and of hard inputs.

Ordinary texts are those that a run was given (``--inputs``); hard inputs are the built-in ones, most of which are made
to show differences. An implementation is of use where it agrees on the first, so the two are never added up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from tokenizer_conformance.results.outcomes import Result

PAIRS_OF_A_TEXT = 2
"""A text is asked about in a pair without special tokens, and in one with them; alone it is asked with them once."""


@dataclass(frozen=True, slots=True)
class SameIds:
    """Of ``total`` texts, ``same`` have the ids of the baseline; more may have where it ``is_least``."""

    same: int = 0
    total: int = 0
    is_least: bool = False

    @property
    def share(self) -> float:
        """The part that is the same, from 0 to 1."""
        return self.same / self.total if self.total else 0.0

    @property
    def percentage(self) -> str:
        """The share in per cent, rounded down to a tenth, so that 100 means all.

        >>> SameIds(1129, 1130).percentage, SameIds(1130, 1130).percentage, SameIds().percentage
        ('99.9', '100', '')
        """
        return f"{math.floor(1000 * self.same / self.total) / 10:g}" if self.total else ""

    @property
    def is_all(self) -> bool:
        """Whether there are texts, all of them with the same ids."""
        return 0 < self.total == self.same

    @property
    def others(self) -> str:
        """How many texts have other ids, in words."""
        return f"{'at most ' if self.is_least else ''}{self.total - self.same:,} of {counted(self.total, 'text')}"

    def __str__(self) -> str:
        return f"{'at least ' if self.is_least else ''}{self.same:,} of {self.total:,}"


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts that were encoded alone, without special tokens (``plain``) and with them (``special``), and in pairs.

    What the implementation does not show, or was not asked, is of no texts.
    """

    plain: SameIds = SameIds()
    special: SameIds = SameIds()
    pairs: SameIds = SameIds()

    @property
    def least(self) -> SameIds:
        """The lower one of what is the same without and with special tokens.

        Which texts differ in both ways is not known, so it is that or less that is the same in both.

        >>> Texts(SameIds(10, 10), SameIds(0, 10)).least.same, Texts(SameIds(10, 10)).least.same
        (0, 10)
        """
        return min((each for each in (self.plain, self.special) if each.total), key=_share, default=SameIds())


def _share(ids: SameIds) -> float:
    return ids.share


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far ``implementation`` agrees with the baseline on ``tokenizer``, and what it came to there in all."""

    implementation: str
    tokenizer: str
    result: Result
    ordinary: Texts = Texts()
    hard: Texts = Texts()
    unanswered: tuple[str, ...] = ()
    """The stages at which it crashed or gave no answer in time, each with the number of inputs."""

    @property
    def telling(self) -> Texts:
        """The texts by which it is judged: hard inputs where no ordinary texts were asked."""
        return self.ordinary if self.ordinary.least.total else self.hard


def shows_special_tokens(unsupported: int, inputs: int) -> bool:
    """Return whether texts alone were answered with special tokens.

    ``unsupported`` is how often no ids were shown of what is asked with them and of pairs; see :data:`PAIRS_OF_A_TEXT`.
    """
    return inputs > 0 and round(unsupported / inputs) in (0, PAIRS_OF_A_TEXT)


def shows_pairs(unsupported: int, inputs: int) -> bool:
    """Return whether any pairs of texts were answered, as :func:`shows_special_tokens` does."""
    return round(unsupported / inputs) < PAIRS_OF_A_TEXT
