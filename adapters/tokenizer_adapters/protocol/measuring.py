"""How long an implementation takes to encode texts, measured in the process that encodes them.

The time is taken around the library's own call (:class:`OwnCalls`), so that neither lines of the protocol nor what an
adapter makes of answers counts. Where a subject shows no such call, its answers are timed, conversions included, and
that is said.
"""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    Clocked,
    Encode,
    Encoded,
    Field,
    Measured,
    OwnCall,
    Spent,
    TimedSubject,
    Unsupported,
)
from tokenizer_adapters.protocol.processor_time import processor_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Subject
    from tokenizer_adapters.protocol.messages import Measure

NO_TEXTS = Unsupported("there is no text to measure with")


@dataclass(frozen=True, slots=True)
class Clocks:
    """What tells seconds: by the clock, and of processor time of this process with all its threads and children."""

    wall: Callable[[], float] = time.perf_counter
    processor: Callable[[], float] = processor_seconds

    def spent(self, work: Callable[[], object]) -> Spent:
        """Return how long ``work`` takes."""
        wall, processor = self.wall(), self.processor()
        work()
        return Spent(self.wall() - wall, self.processor() - processor)

    def passes(self, work: Callable[[], object], seconds: float) -> tuple[Spent, Spent, int]:
        """Return how long ``work`` takes at first, then again and again for ``seconds`` in all, and how often that was.

        It is done again once at least.
        """
        gc.collect()
        first = self.spent(work)
        wall, processor, passes = 0.0, 0.0, 0
        while not passes or wall < seconds:
            later = self.spent(work)
            wall, processor, passes = wall + later.wall, processor + (later.processor or 0.0), passes + 1
        return first, Spent(wall, processor), passes


def measured(subject: Subject, request: Measure, clocks: Clocks | None = None) -> Measured | Unsupported:
    """Carry out ``request`` with ``subject``. What the library raises is raised."""
    clocks = clocks or Clocks()
    texts = list(request.texts)
    if not texts:
        return NO_TEXTS
    own = subject.own_calls() if isinstance(subject, TimedSubject) else None
    call = _answering(subject) if own is None else own.one
    many = own.many if own is not None and request.batch else None

    def encode_all() -> None:
        if many is not None:
            many.run(texts)
            return
        for text in texts:
            call.run(text)

    first, later, passes = clocks.passes(encode_all, request.seconds)
    made = many or call
    if own is not None:
        return Measured(made.name, made.fields, Clocked.CALL, first, later, passes)
    return Measured("", fields_of(_encoded(subject, texts[0])), Clocked.ADAPTER, first, later, passes)


def _answering(subject: Subject) -> OwnCall:
    """Return the adapter's answer to a text as a call."""
    return OwnCall("", lambda text: _encoded(subject, text))


class NoEncodingError(Exception):
    """A text is not encoded, so that there is nothing to measure. The message says what came instead."""


def _encoded(subject: Subject, text: str) -> Encoded:
    answer = subject.observe(Encode(text, add_special_tokens=False))
    if not isinstance(answer, Encoded):
        raise NoEncodingError(f"a text was not encoded: {answer}")
    return answer


def fields_of(encoded: Encoded) -> frozenset[Field]:
    """Return the fields that ``encoded`` has.

    >>> fields_of(Encoded((1,), tokens=("a",))) == {Field.IDS, Field.TOKENS}
    True
    """
    return frozenset(field for field in ENCODING_FIELDS if getattr(encoded, field) is not None)
