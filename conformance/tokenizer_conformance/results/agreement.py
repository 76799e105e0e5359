"""How far an implementation gives the ids of the baseline on a tokenizer: shares of ordinary texts and of hard inputs.

Ordinary texts are those that a run was given (``--inputs``); hard inputs are the built-in ones, most of which are made
to show differences. An implementation is of use where it agrees on the first, so the two are never added up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_conformance.results.outcomes import Result


@dataclass(frozen=True, slots=True)
class SameIds:
    """Of ``total`` texts, ``same`` have the ids of the baseline, special tokens not counted."""

    same: int = 0
    total: int = 0

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


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far ``implementation`` agrees with the baseline on ``tokenizer``, and what it came to there in all."""

    implementation: str
    tokenizer: str
    result: Result
    ordinary: SameIds = SameIds()
    hard: SameIds = SameIds()
