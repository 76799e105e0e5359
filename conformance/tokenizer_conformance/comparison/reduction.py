"""Making a case smaller while what it shows stays: what questions and documents have in common.

A case is a tokenizer.json and a question about it. A reduction is greedy: it takes parts away, the largest first, and
keeps each step after which the case still shows the same; it ends when no step is left, or none of its budget.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation

Json = dict[str, Any]

MOST_CHECKS = 3000
"""How many smaller cases are tried."""

S = TypeVar("S", str, list[Any], tuple[Any, ...])


@dataclass(frozen=True, slots=True)
class Case:
    """A tokenizer.json, and what is asked about it; ``None``: only to load it and show its vocabulary."""

    document: Json
    question: Observation | None


class BudgetSpentError(Exception):
    """Nothing more may be tried: what has been found so far is the result. Whoever judges cases may raise it."""


def shortest(sequence: S, is_enough: Callable[[S], bool]) -> S:
    """Return what is left of ``sequence`` when runs of its items are taken away, as long as ``is_enough`` says so.

    Runs of half the length are tried first, then shorter ones, down to single items.

    >>> shortest("a long text with an x in it", lambda text: "x" in text)
    'x'
    """
    size = len(sequence)
    while size:
        at = 0
        while at < len(sequence):
            candidate = sequence[:at] + sequence[at + size :]
            if is_enough(candidate):
                sequence = candidate
            else:
                at += size
        size //= 2
    return sequence
