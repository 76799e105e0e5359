"""What people read at a terminal, and how wide it may be: the reports of all commands are printed through a Screen."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from tokenizer_conformance.command_io.tables import laid_out
from tokenizer_conformance.command_io.wrapping import NARROWEST, stacked, wrapped
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_conformance.command_io.tables import Table

LABEL = len("baseline  ")
"""Where the texts of a header begin, in cells."""

Highlights = tuple[tuple[str, str], ...]
"""Regular expressions, and the style of what matches each."""


def console_settings(stream: IO[str] | None) -> dict[str, Any]:
    """Return the settings of a console on ``stream`` that decide how wide its lines may be.

    That is what ``COLUMNS`` says, else the width of the terminal. Where the stream is no terminal and ``COLUMNS`` says
    nothing, or the stream is closed (``None``), lines are not broken: what a program or a file is given does not depend
    on the window it was made in.
    """
    is_limited = (stream is not None and stream.isatty()) or os.environ.get("COLUMNS", "").isdigit()
    return {"highlight": False, "soft_wrap": not is_limited}


def width_of(stream: IO[str]) -> int | None:
    """Return how many cells a line on ``stream`` may take, ``None`` for any number."""
    return _width(Console(file=stream, **console_settings(stream)))


class Screen:
    """Prints lines that fit ``console``, and complaints about what was given to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._console = console
        self._complaints = complaints

    @property
    def width(self) -> int | None:
        """How many cells a line may take, ``None`` for any number."""
        return _width(self._console)

    def blank(self) -> None:
        """Leave a line free."""
        self.put([""])

    def labelled(self, label: str, text: str) -> None:
        """Print a line of a header."""
        self.say(f"{label:<{LABEL}}{text}", hanging=LABEL)

    def say(self, text: str, *, hanging: int = 2, style: str = "") -> None:
        """Print ``text``, wrapped with a hanging indent."""
        self.put(wrapped(text, self.width, hanging), style=style)

    def show(self, lines: Sequence[str], indent: int = 0) -> None:
        """Print ``lines``, whose columns may be aligned."""
        self.put(stacked(lines, self.width, indent))

    def note(self, notes: Iterable[str], highlights: Highlights = ()) -> None:
        """Print ``notes``, each indented and wrapped."""
        for note in notes:
            self.put(wrapped(f"  {note}", self.width, 4), highlights)

    def draw(self, table: Table, highlights: Highlights = ()) -> None:
        """Print ``table`` in the layout that fits."""
        self.put(laid_out(table, self.width), highlights)

    def put(self, lines: Iterable[str], highlights: Highlights = (), style: str = "") -> None:
        """Print ``lines`` as they are."""
        for line in lines:
            text = Text(line, style=style)
            for pattern, highlight in highlights:
                text.highlight_regex(pattern, highlight)
            self._console.print(text, soft_wrap=True)

    def conclude(self, words: str, exit_status: int, headline: str = "") -> None:
        """Say after a free line how a command ended, with its exit status, below a ``headline`` where there is one."""
        self.blank()
        style = "bold red" if exit_status else "bold green"
        if headline:
            self.say(headline, style=style)
        self.say(f"{words}; exit status {exit_status}", style=style)

    def complain(self, reason: str) -> None:
        """Say on the other console why something cannot be used."""
        for line in wrapped(f"tokconf: {one_line(reason)}", _width(self._complaints), 2):
            self._complaints.print(Text(line), soft_wrap=True)


def _width(console: Console) -> int | None:
    return None if console.soft_wrap else max(console.width, NARROWEST)
