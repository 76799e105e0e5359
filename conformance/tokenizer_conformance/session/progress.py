"""A progress bar on standard error, while a command is watched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from rich.markup import escape as escape_markup
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tokenizer_conformance.escape import escape

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import Console


@dataclass(frozen=True, slots=True)
class Place:
    """How far a command has come with what is called ``name``: ``done`` of ``total``."""

    name: str
    done: int
    total: int


@runtime_checkable
class Advance(Protocol):
    """An event that says how far a command has come; nothing is printed at such an event."""

    @property
    def place(self) -> Place:
        """How far it has come."""


class ProgressBar:
    """Shows how far a command has come; shows nothing where ``console`` is no terminal."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("", total=None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.hide()

    def handle(self, event: object) -> None:
        """Move the bar where ``event`` is an :class:`Advance`."""
        if isinstance(event, Advance):
            place = event.place
            name = escape_markup(escape(place.name))
            self._progress.update(self._task, description=name, completed=place.done, total=place.total)
            self._progress.start()

    def hide(self) -> None:
        """Take the bar away, before something else is printed; the next :class:`Advance` brings it back."""
        self._progress.stop()
