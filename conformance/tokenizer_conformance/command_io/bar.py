"""A progress bar on standard error, while somebody watches a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.progress_bar import ProgressBar as Bar
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.status import Status

REFRESHES_PER_SECOND = 4

WIDTH = 20
"""Of the bar itself, in columns; the words have the rest of the line, and are cut at its end."""


class ProgressBar:
    """Shows ``status`` at the bottom of the terminal ``console``, until something else is printed."""

    def __init__(self, status: Status, console: Console | None = None) -> None:
        self._status = status
        self._live = Live(
            console=console or Console(stderr=True, highlight=False),
            get_renderable=self._rendered,
            refresh_per_second=REFRESHES_PER_SECOND,
            transient=True,
            redirect_stdout=False,  # that is for others to read; what prints there hides the bar first
        )

    def show(self) -> None:
        """Bring the bar back, where it was taken away."""
        if not self._live.is_started:
            self._live.start()

    def hide(self) -> None:
        """Take the bar away, before something else is printed."""
        self._live.stop()

    def end(self) -> None:
        """Take the bar away for good."""
        self._live.stop()

    def _rendered(self) -> Table:
        share = self._status.share
        words = Text(self._status.line() or "", no_wrap=True, overflow="ellipsis")
        line = Table.grid(padding=(0, 1))
        line.add_column(width=WIDTH)
        line.add_column(no_wrap=True, overflow="ellipsis")
        line.add_row(Bar(total=1.0, completed=share or 0.0, pulse=share is None, width=WIDTH), words)
        return line
