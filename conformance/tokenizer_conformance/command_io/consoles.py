"""Standard output and standard error as the reports for people print there."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console

from tokenizer_conformance.command_io.screen import console_settings
from tokenizer_conformance.command_io.standard_streams import discard

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.progress import Display


class Output(Console):
    """The summary's stream. Where it cannot be written, that is an error like any other, and the run goes on."""

    def __init__(self, display: Display, **settings: Any) -> None:
        super().__init__(**settings)
        self._display = display

    def print(self, *objects: Any, **settings: Any) -> None:
        """Print, once what is shown of the progress is out of the way."""
        self._display.hide()
        super().print(*objects, **settings)

    def on_broken_pipe(self) -> None:
        """Raise the error again."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


class Complaints(Console):
    """Standard error. Where it cannot be written, nothing is said there any more, and that is no error."""

    def __init__(self, display: Display) -> None:
        super().__init__(stderr=True, **console_settings(sys.stderr))
        self._display = display

    def print(self, *objects: Any, **settings: Any) -> None:
        """Print, if that can be, once what is shown of the progress is out of the way."""
        self._display.hide()
        try:
            super().print(*objects, **settings)
        except OSError:
            discard(sys.stderr)

    def on_broken_pipe(self) -> None:
        """Say nothing any more."""
        discard(sys.stderr)
