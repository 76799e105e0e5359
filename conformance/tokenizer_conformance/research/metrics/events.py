"""What happens while tokenizers are measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing, InputRefused

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.command_io.status import Place
    from tokenizer_conformance.research.metrics.plan import MetricsPlan
    from tokenizer_conformance.research.metrics.results import Results
    from tokenizer_conformance.research.metrics.rows import Row


@dataclass(frozen=True, slots=True)
class MetricsStarted:
    """Measuring begins: where, and what ``plan`` says. ``resumed_texts`` were counted by an earlier run."""

    environment: Environment
    plan: MetricsPlan
    resumed_texts: int


@dataclass(frozen=True, slots=True)
class RowRefused:
    """The tokenizer of ``row`` cannot be loaded by its implementation, for a ``reason``; the others are measured."""

    row: Row
    reason: str


@dataclass(frozen=True, slots=True)
class ChunkCounted:
    """A chunk of the corpus is counted; ``place`` says how far the counting has come."""

    place: Place


@dataclass(frozen=True, slots=True)
class Measured:
    """All that was counted is computed."""

    results: Results


@dataclass(frozen=True, slots=True)
class MetricsFinished(Finished):
    """Measuring is over. ``finished`` is false where it was stopped early, for a ``reason``: the results are partial.

    ``texts`` were counted, with ``bytes`` in UTF-8; ``counting`` seconds were spent on those of this run,
    ``counted_bytes``.
    """

    reason: str | None
    texts: int
    bytes: int
    counted_bytes: int
    counting: float


MetricsEvent = (
    MetricsStarted | InputRefused | ImplementationMissing | RowRefused | ChunkCounted | Measured | MetricsFinished
)


def is_ending(event: MetricsEvent) -> bool:
    """Return whether ``event`` shows that measuring is ending."""
    return isinstance(event, (Measured, MetricsFinished))
