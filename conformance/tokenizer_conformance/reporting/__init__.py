"""Reports: each consumes the events of a run, and none knows the engine."""

from __future__ import annotations

from typing import Protocol, TypeVar

E_contra = TypeVar("E_contra", contravariant=True)


class Consumer(Protocol[E_contra]):
    """A report at work."""

    def handle(self, event: E_contra) -> None:
        """Take in one event. May raise ``OSError`` where the report cannot be written."""
