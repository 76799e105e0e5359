"""``tokconf fuzz``: compare implementations on random tokenizers and random hostile texts."""

from __future__ import annotations

import contextlib
import secrets
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

import click
from rich.console import Console
from rich.markup import escape as escape_markup
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tokenizer_conformance.cli.choosing import (
    DEFAULT_BASELINE,
    chosen,
    implementation_option,
    isolation_of,
    isolation_options,
    timeout_option,
)
from tokenizer_conformance.cli.interrupts import InterruptGate
from tokenizer_conformance.cli.options import SpreadCommand
from tokenizer_conformance.cli.output import Dispatcher, Output, be_lenient_about_output
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.events import EXIT_STATUS, Conclusion
from tokenizer_conformance.fuzz_events import FuzzCompared, FuzzEvent, FuzzFinished, KindFound, TokenizerFuzzed
from tokenizer_conformance.fuzz_run import FuzzRequest, fuzz_run
from tokenizer_conformance.fuzzing import PATIENCE, TEXTS_PER_TOKENIZER
from tokenizer_conformance.reporting.fuzz_json_lines import FuzzJsonLinesReport
from tokenizer_conformance.reporting.fuzz_terminal import FuzzTerminalReport

if TYPE_CHECKING:
    from types import TracebackType

    from tokenizer_conformance.reporting import Consumer

DEFAULT_IMPLEMENTATIONS = ("reference",)
DEFAULT_TOKENIZERS = 1000
SEEDS = 2**32


@click.command("fuzz", cls=SpreadCommand, short_help="Compare implementations on random tokenizers and texts.")
@implementation_option(DEFAULT_IMPLEMENTATIONS)
@click.option(
    "--baseline",
    metavar="IMPL",
    default=DEFAULT_BASELINE,
    show_default=True,
    help="The implementation that the others are compared with.",
)
@click.option("--seed", type=int, help="What the random tokenizers are drawn from; another one each time if not given.")
@click.option(
    "--tokenizers",
    type=click.IntRange(min=1),
    default=DEFAULT_TOKENIZERS,
    show_default=True,
    metavar="N",
    help="How many tokenizers.",
)
@click.option(
    "--texts",
    type=click.IntRange(min=1),
    default=TEXTS_PER_TOKENIZER,
    show_default=True,
    metavar="N",
    help="How many texts for each.",
)
@click.option(
    "--start",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="The number of the first tokenizer.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="How many processes."
)
@timeout_option(PATIENCE)
@isolation_options
@click.option(
    "--json",
    "json_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a record as JSON Lines.",
)
@click.pass_context
def fuzz_command(
    context: click.Context,
    *,
    wanted: tuple[str, ...],
    baseline: str,
    seed: int | None,
    tokenizers: int,
    texts: int,
    start: int,
    jobs: int,
    timeout: float,
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    json_path: Path | None,
) -> None:
    """Ask implementations about random tokenizers and random hostile texts, and compare what they answer.

    Every tokenizer is a valid tokenizer.json of random components. What is found stands with its number: the seed and the
    number give the same tokenizer, texts and questions again. A difference is shown with a tokenizer.json and a text made as
    small as possible. An implementation that crashes or hangs costs one answer.

    \b
    Examples:
      tokconf fuzz
      tokconf fuzz --seed 1 --tokenizers 20000 --jobs 4 --json fuzz.jsonl
      tokconf fuzz -i transformers --seed 1 --start 718 --tokenizers 1
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    isolation = isolation_of(isolate, in_process, timeout, memory)
    try:
        with chosen(wanted or DEFAULT_IMPLEMENTATIONS, baseline, isolation) as choice:
            for refusal in choice.absent:
                click.echo(f"tokconf: {one_line(refusal.reason)}", err=True)
            infos = {
                implementation.info.name: replace(implementation.info, name=selected.word)
                for implementation, selected in zip(choice.implementations, choice.selected, strict=True)
            }
        request = FuzzRequest(
            baseline=infos[choice.baseline],
            implementations=tuple(info for name, info in infos.items() if name != choice.baseline),
            isolation=isolation,
            unavailable=choice.unavailable,
            seed=secrets.randbelow(SEEDS) if seed is None else seed,
            tokenizers=tokenizers,
            texts=texts,
            start=start,
            jobs=jobs,
            patience=timeout,
            command=("tokconf", *sys.argv[1:]),
        )
        status = _carry_out(request, json_path)
    except KeyboardInterrupt:
        click.echo("tokconf: interrupted before anything was compared", err=True)
        status = EXIT_STATUS[Conclusion.INTERRUPTED]
    context.exit(status)


def _carry_out(request: FuzzRequest, json_path: Path | None) -> int:
    """Fuzz, report, and return the exit status."""
    be_lenient_about_output()
    with contextlib.ExitStack() as stack:
        consumers: list[Consumer[FuzzEvent]] = []
        if json_path is not None:
            consumers.append(stack.enter_context(_opened(json_path)))
        complaints = Console(stderr=True, highlight=False)
        bar = stack.enter_context(_Bar(complaints))
        consumers.append(FuzzTerminalReport(Output(highlight=False), complaints))
        gate = stack.enter_context(InterruptGate(_ends))
        dispatcher = Dispatcher(consumers)
        status = EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED]
        for event in gate.events(fuzz_run(request)):
            bar.handle(event)
            dispatcher.handle(event)
            if dispatcher.nobody_listens:
                break
            if isinstance(event, FuzzFinished):
                status = event.exit_status
        return dispatcher.status_after(status)


def _opened(path: Path) -> FuzzJsonLinesReport:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return FuzzJsonLinesReport(path)
    except OSError as error:
        raise click.UsageError(f"cannot write {error.filename!r}: {error.strerror}") from error


def _ends(event: FuzzEvent) -> bool:
    """Whether ``event`` shows that fuzzing is being ended: results stand as they are from here on."""
    match event:
        case FuzzCompared(complete=complete):
            return not complete
        case KindFound(is_reduced=is_reduced):
            return not is_reduced
    return isinstance(event, FuzzFinished)


class _Bar:
    """Shows how many tokenizers are compared; shows nothing where ``console`` is no terminal."""

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

    def handle(self, event: FuzzEvent) -> None:
        """Move the bar; take it away before results are printed."""
        match event:
            case TokenizerFuzzed(plan, _, done, total):
                self._progress.update(
                    self._task,
                    description=escape_markup(escape(plan.implementation)),
                    completed=done,
                    total=total,
                )
                self._progress.start()
            case _:
                self._progress.stop()
