"""What happens while tokenizers are measured: the lines of the record, and what no record has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.results.records.making import LastLine
from tokenizer_conformance.results.records.value import Value

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.status import Place
    from tokenizer_conformance.research.metrics.results import Results


@dataclass(frozen=True, slots=True)
class TaskDone:
    """A task is counted; ``place`` says how far the counting has come."""

    place: Place


@dataclass(frozen=True, slots=True)
class Measured:
    """All that was counted is computed; the lines about it come next."""

    results: Results


MetricsEvent = InputRefused | ImplementationMissing | TaskDone | Measured | Value | LastLine


def is_ending(event: MetricsEvent) -> bool:
    """Return whether ``event`` shows that measuring is ending."""
    return isinstance(event, (Measured, LastLine))
