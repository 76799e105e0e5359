"""What an earlier run has recorded, for a run that goes on from there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tokenizer_conformance.validation.running.events import LoadFailed, TokenizerFinished


@dataclass(frozen=True, slots=True)
class Resumption:
    """Results by tokenizer: those of whole runs, and the last checkpoint of tokenizers that were begun.

    ``failing`` are the ids of the inputs that failed.
    """

    finished: Mapping[str, TokenizerFinished] = field(default_factory=dict)
    begun: Mapping[str, TokenizerFinished] = field(default_factory=dict)
    load_failures: tuple[LoadFailed, ...] = ()
    failing: Mapping[str, Collection[str]] = field(default_factory=dict)
