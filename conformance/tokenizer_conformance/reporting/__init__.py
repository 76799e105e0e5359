"""Reports: each consumes the events of a run, and none knows the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tokenizer_conformance.events import Event


class Consumer(Protocol):
    """A report at work."""

    def handle(self, event: Event) -> None:
        """Take in one event. May raise ``OSError`` where the report cannot be written."""
