"""What surrounds every command: its reports are opened, its events handed on, and its exit status is found."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console

from tokenizer_conformance.session.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.session.interrupts import InterruptGate
from tokenizer_conformance.session.output import Dispatcher, Output, be_lenient_about_output
from tokenizer_conformance.session.progress import ProgressBar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from tokenizer_conformance.session.output import Consumer
    from tokenizer_conformance.session.record import RecordFile

E = TypeVar("E")


def open_reports(
    stack: ExitStack,
    *,
    json: tuple[Path, Callable[[Path], RecordFile]] | None,
    markdown: tuple[Path, Callable[[Path], Any]] | None = None,
) -> list[Any]:
    """Open the reports that were asked for, before anything runs, each at its place; ``stack`` closes them.

    Raises :class:`click.UsageError` where a place cannot be written, or both are one.
    """
    if json is not None and markdown is not None and json[0].resolve() == markdown[0].resolve():
        raise click.UsageError(f"--json and --markdown both name {str(json[0])!r}")
    reports: list[Any] = []
    try:
        for asked in filter(None, (markdown, json)):
            if not asked[0].parent.exists():
                asked[0].parent.mkdir(parents=True)
        if markdown is not None:
            reports.append(markdown[1](markdown[0]))
        if json is not None:
            reports.append(stack.enter_context(json[1](json[0])))
    except OSError as error:
        raise click.UsageError(f"cannot write {error.filename!r}: {error.strerror}") from error
    return reports


def carry_out(
    engine: Generator[E],
    reports: Callable[[ExitStack], list[Consumer[E]]],
    terminal: Callable[[Console, Console], Consumer[E]],
    *,
    ends: Callable[[E], bool],
) -> int:
    """Hand the events of ``engine`` to the ``reports`` and to the ``terminal``; return the exit status.

    ``ends`` says of an event whether it shows that the engine is ending (:class:`InterruptGate`). The event that has an
    ``exit_status`` is the last one; an engine that ends without it has failed.
    """
    be_lenient_about_output()
    with ExitStack() as stack:
        consumers = reports(stack)
        complaints = Console(stderr=True, highlight=False)
        bar = stack.enter_context(ProgressBar(complaints))
        consumers.append(terminal(Output(bar, highlight=False), complaints))
        gate = stack.enter_context(InterruptGate(ends))
        dispatcher = Dispatcher(consumers)
        status = EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED]
        for event in gate.events(engine):
            bar.handle(event)
            dispatcher.handle(event)
            if dispatcher.nobody_listens:
                break
            status = getattr(event, "exit_status", status)
        return dispatcher.status_after(status)
