"""Where the events of a command go: standard output, and the reports that were asked for."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import click
from rich.console import Console

from tokenizer_conformance.session.conclusion import EXIT_STATUS, Conclusion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.session.progress import ProgressBar

E = TypeVar("E")
E_contra = TypeVar("E_contra", contravariant=True)


class Consumer(Protocol[E_contra]):
    """A report at work."""

    def handle(self, event: E_contra) -> None:
        """Take in one event. May raise ``OSError`` where the report cannot be written."""


class BadInput(click.ClickException):
    """Nothing that was given can be used; the message says why."""

    exit_code = EXIT_STATUS[Conclusion.BAD_INPUT]

    def show(self, file: object = None) -> None:  # noqa: ARG002 - click's signature
        """Print the message in the form of all complaints about what was given."""
        click.echo(f"tokconf: {self.message}", err=True)


class Output(Console):
    """Standard output. Where its reader has gone away, that is an error like any other, and the run goes on."""

    def __init__(self, bar: ProgressBar, **settings: Any) -> None:
        super().__init__(**settings)
        self._bar = bar

    def print(self, *objects: Any, **settings: Any) -> None:
        """Print, once the progress bar is out of the way."""
        self._bar.hide()
        super().print(*objects, **settings)

    def on_broken_pipe(self) -> None:
        """Raise the error again; what is still buffered goes nowhere."""
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def be_lenient_about_output() -> None:
    """Have characters that the terminal's encoding lacks shown as escapes, and not end the run."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


class Dispatcher(Generic[E]):
    """Hands events to the reports. One that cannot be written is given up, and costs the others nothing."""

    def __init__(self, consumers: Sequence[Consumer[E]]) -> None:
        self._consumers = list(consumers)
        self._given_up = False

    def handle(self, event: E) -> None:
        """Hand ``event`` to every report that is left."""
        for consumer in list(self._consumers):
            try:
                consumer.handle(event)
            except OSError as error:
                self._consumers.remove(consumer)
                self._given_up = True
                click.echo(f"tokconf: {type(consumer).__name__} cannot be written: {error}", err=True)

    @property
    def nobody_listens(self) -> bool:
        """Whether every report has been given up."""
        return not self._consumers

    def status_after(self, status: int) -> int:
        """Return the exit status: conformity that could not be reported is a failure."""
        if self._given_up and status in (EXIT_STATUS[Conclusion.CONFORM], EXIT_STATUS[Conclusion.DIFFERENCES]):
            return EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED]
        return status
