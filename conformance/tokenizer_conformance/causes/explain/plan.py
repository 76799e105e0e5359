"""What is to be explained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.tracing import EVERYTHING, Detail

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Encode, Implementation, TokenizerSource
    from tokenizer_conformance.rejected import Rejected


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is shown: characters of a text, entries of a list, words with their steps; ``None`` for everything.

    ``detail`` says of which words the steps are found at all.
    """

    characters: int | None
    entries: int | None
    words: int | None
    detail: Detail


SHORT = Limits(characters=240, entries=40, words=24, detail=Detail(most_words=400, longest_word=120))
UNLIMITED = Limits(None, None, None, EVERYTHING)


def around(focus: int, total: int, most: int | None) -> tuple[int, int]:
    """Return the range of ``most`` out of ``total`` entries that is shown: the first ones, or those around ``focus``.

    >>> around(0, 100, 10), around(50, 100, 10), around(99, 100, 10), around(50, 100, None)
    ((0, 10), (45, 55), (90, 100), (0, 100))
    """
    if most is None or total <= most:
        return 0, total
    start = max(0, min(focus - most // 2, total - most))
    return start, start + most


@dataclass(frozen=True, slots=True)
class ExplanationPlan:
    """One text, or a pair (``question``, which is no words), and one tokenizer.

    ``tracer`` is the implementation that shows its way, and the baseline of the ``others``. ``unavailable`` were asked
    for and cannot be used. ``command`` is the command line.
    """

    source: TokenizerSource
    question: Encode
    tracer: Implementation
    others: tuple[Implementation, ...]
    unavailable: tuple[Rejected, ...] = ()
    limits: Limits = SHORT
    command: tuple[str, ...] = ()
