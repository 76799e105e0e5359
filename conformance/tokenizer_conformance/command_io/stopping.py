"""What ends a command early: an interrupt, lost processes, an unexpected error. What was found by then is not lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.worker_pool import LostPoolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

E = TypeVar("E")


class Stop:
    """What a command was stopped by: its ``conclusion``, ``None`` where it came to its end."""

    def __init__(self) -> None:
        self.conclusion: Conclusion | None = None

    def guard(self, events: Iterable[E]) -> Iterator[E | InternalError]:
        """Yield ``events``, as far as they come; an error that stops them is the last one."""
        try:
            yield from events
        except KeyboardInterrupt:
            self.conclusion = Conclusion.INTERRUPTED
        except LostPoolError as error:
            self.conclusion = Conclusion.INCOMPLETE
            complain(str(error))
        except Exception as error:  # noqa: BLE001 - a bug, here or in an adapter
            self.conclusion = Conclusion.INTERNAL_ERROR
            yield InternalError(error)
