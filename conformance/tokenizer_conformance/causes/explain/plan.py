"""What is to be explained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.explain.limits import SHORT, Limits

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Encode, Implementation, TokenizerSource
    from tokenizer_conformance.rejected import Rejected


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
