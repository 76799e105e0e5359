"""What surrounds every command: its events are handed to its reports, and its exit status is found."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console

from tokenizer_conformance.command_io import internal_error
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.events import Finished, is_last
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.command_io.interrupts import INTERRUPTS, InterruptGate
from tokenizer_conformance.command_io.output import NOT_REPORTED, Dispatcher, Report, takes_standard_output
from tokenizer_conformance.command_io.progress import PROGRESS
from tokenizer_conformance.command_io.screen import console_settings
from tokenizer_conformance.command_io.standard_streams import STANDARD_ERROR, STANDARD_OUTPUT, complain, discard
from tokenizer_conformance.command_io.status import Advance

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from tokenizer_conformance.command_io.output import Consumer
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


E = TypeVar("E")


def carry_out(
    engine: Generator[Any],
    reports: Sequence[Report[E]],
    terminal: Callable[[Console, Console], Consumer[E]],
    *,
    ends: Callable[[E], bool] = is_last,
    cut_short: Callable[[], Generator[Any]] | None = None,
) -> int:
    """Hand the events of ``engine`` to the ``reports`` and to the ``terminal``; return the exit status.

    ``ends`` says of an event whether it shows that the engine is ending (:class:`InterruptGate`). The last event is a
    :class:`Finished`; an engine that ends without it has failed. The summary goes to standard error where a report
    takes standard output. Where an interrupt has come before the engine has begun, the reports are told what
    ``cut_short`` returns; without that, ``KeyboardInterrupt`` is raised.
    """
    with INTERRUPTS.heard():
        display = PROGRESS.display
        dispatcher = Dispatcher(reports, _summary(reports, terminal, display))
        if dispatcher.nobody_listens():
            complain(f"{STANDARD_OUTPUT} is closed, and no report was asked for: there is nobody to tell")
            return NOT_REPORTED
        status = EXIT_STATUS[Conclusion.INTERNAL_ERROR]
        told_instead = None if cut_short is None else _ending_somehow(cut_short())
        for event in InterruptGate(INTERRUPTS, ends).events(_ending_somehow(engine), told_instead):
            if isinstance(event, InternalError):
                display.hide()
                internal_error.tell(event.error)
                continue
            if isinstance(event, Advance):
                PROGRESS.status.reach(event.place)
            dispatcher.handle(event)
            if dispatcher.nobody_listens():
                break
            if isinstance(event, Finished):
                status = event.exit_status
            display.show()
        final = dispatcher.status_after(status)
        if final != status and dispatcher.has_named_another_status():
            complain(f"exit status {final}: not every report could be written")
        return final


def _summary(
    reports: Sequence[Report[E]], terminal: Callable[[Console, Console], Consumer[E]], display: Display
) -> Report[E]:
    """Return the report for people, on the standard stream that is free for it."""
    complaints = Complaints(display)
    if takes_standard_output(reports):
        output = Output(display, stderr=True, **console_settings(sys.stderr))
        return Report(STANDARD_ERROR, terminal(output, complaints), stream=sys.stderr)
    output = Output(display, **console_settings(sys.stdout))
    return Report(STANDARD_OUTPUT, terminal(output, complaints), stream=sys.stdout)


def _ending_somehow(engine: Generator[Any]) -> Generator[Any]:
    """Yield the events of ``engine``; an error that it does not end with in good order is the last of them."""
    try:
        yield from engine
    except (GeneratorExit, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it is
        yield InternalError(error)
