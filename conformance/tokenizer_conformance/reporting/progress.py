"""A progress bar on standard error, while a run is watched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from rich.markup import escape as escape_markup
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tokenizer_conformance.escape import escape
from tokenizer_conformance.events import InputCompared, RunFinished, TokenizerFinished

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import Console

    from tokenizer_conformance.events import Event


class ProgressBar:
    """Shows how many inputs of a tokenizer are compared; shows nothing where ``console`` is no terminal."""

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
        self._task = self._progress.add_task("")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def handle(self, event: Event) -> None:
        """Move the bar; take it away before results are printed."""
        match event:
            case InputCompared(tokenizer, _, done, total):
                name = escape_markup(escape(tokenizer))
                self._progress.update(self._task, description=name, completed=done, total=total)
                self._progress.start()
            case TokenizerFinished() | RunFinished():
                self._progress.stop()
            case _:
                pass
