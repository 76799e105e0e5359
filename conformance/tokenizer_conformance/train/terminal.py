"""Training for people at a terminal: what each trainer learned, where it differs from the baseline, and what that does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from tabulate import tabulate

from tokenizer_conformance.comparing.wording import counted
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.session.conclusion import Conclusion
from tokenizer_conformance.session.events import ImplementationMissing
from tokenizer_conformance.train.comparison import Agreement
from tokenizer_conformance.train.details import details, headline
from tokenizer_conformance.train.events import (
    AlgorithmFinished,
    TrainerCompared,
    TrainerJudged,
    TrainingFinished,
    TrainingStarted,
    WordsCompared,
)
from tokenizer_conformance.train.wording import (
    learned_headers,
    learned_notes,
    learned_row,
    matrix_headers,
    matrix_row,
    options_line,
    overlap_table,
    reproducibility,
    training_summary,
    words_compared_line,
    words_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from tokenizer_conformance.train.events import TrainingEvent


class TrainingTerminalReport:
    """Writes results to ``console`` an algorithm at a time, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._console = console
        self._complaints = complaints
        self._started: TrainingStarted | None = None
        self._judged: list[TrainerJudged] = []
        self._compared: list[TrainerCompared] = []

    def handle(self, event: TrainingEvent) -> None:
        """Show ``event``."""
        match event:
            case TrainingStarted():
                self._started = event
                self._print(_header(event))
            case ImplementationMissing(refusal):
                self._complaints.print(Text(f"tokconf: {one_line(refusal.reason)}"), soft_wrap=True)
            case WordsCompared():
                self._print([f"words     {words_compared_line(event)}"])
            case TrainerJudged():
                self._judged.append(event)
            case TrainerCompared():
                self._compared.append(event)
            case AlgorithmFinished():
                self._algorithm(event)
            case TrainingFinished():
                self._finish(event)
            case _:
                pass

    def _algorithm(self, event: AlgorithmFinished) -> None:
        started = self._started
        if started is None:
            return
        state = "" if event.complete else ", BROKEN OFF"
        title = f"{event.algorithm}: {options_line(started.options[event.algorithm])}{state}, {event.seconds:.1f} s"
        self._print([""])
        self._console.print(Text(title, style="bold"), soft_wrap=True)
        rows = [learned_row(judged, started.words.total) for judged in self._judged]
        self._table(learned_headers(event.algorithm), rows)
        for judged in self._judged:
            self._print([*learned_notes(judged), *reproducibility(judged)])
        if self._compared:
            self._print([""])
            rows = [matrix_row(compared) for compared in self._compared]
            self._table(matrix_headers(event.algorithm, started.baseline), rows)
        self._findings(started)
        if len(event.overlaps) > 1:
            self._print([""])
            self._table(*overlap_table(event))
        self._judged, self._compared = [], []

    def _findings(self, started: TrainingStarted) -> None:
        differing = [compared for compared in self._compared if headline(compared) is not None]
        for number, compared in enumerate(differing, 1):
            is_tie = compared.comparison.agreement is Agreement.TIE
            text = f"  {number}. {headline(compared)}"
            self._console.print(Text(text, style="bold" if is_tie else "bold red"), soft_wrap=True)
            self._print(f"     {line}" for line in details(compared, started.tolerance))

    def _finish(self, event: TrainingFinished) -> None:
        style = "bold green" if event.conclusion is Conclusion.CONFORM else "bold red"
        text = f"{training_summary(event)}; {event.seconds:.1f} s; exit status {event.exit_status}"
        self._print([""])
        self._console.print(Text(text, style=style), soft_wrap=True)

    def _table(self, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        if rows:
            self._print(tabulate(rows, headers, tablefmt="simple", disable_numparse=True).splitlines())

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._console.print(Text(line), soft_wrap=True)


def _header(event: TrainingStarted) -> list[str]:
    environment = event.environment
    roles = ("baseline", *("compared" for _ in event.trainers[1:]))
    return [
        f"tokconf {environment.tokconf}, {environment.python}, {environment.platform}",
        *(
            f"{role}  {escape(info.name)} {escape(info.version)} ({escape(info.language)})"
            for role, info in zip(roles, event.trainers, strict=True)
        ),
        *(f"corpus    {one_line(file.name)} ({counted(file.bytes, 'byte')})" for file in event.corpus),
        f"words     {words_line(event.words, event.pre_tokenizer)}",
        f"runs      {counted(event.repeat, 'run')} of each, in processes of their own",
        f"scores    equal within {event.tolerance:g}",
    ]
