"""Training for people at a terminal: what each trainer learned, where it differs from the baseline, and the effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.command_io.tables import table
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.training.comparison import Agreement
from tokenizer_conformance.research.training.details import details, headline
from tokenizer_conformance.research.training.events import (
    AlgorithmFinished,
    TrainerCompared,
    TrainerJudged,
    TrainingFinished,
    TrainingStarted,
    WordsCompared,
)
from tokenizer_conformance.research.training.wording import (
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
    from rich.console import Console

    from tokenizer_conformance.research.training.events import TrainingEvent


class TrainingTerminalReport:
    """Writes results to ``console`` an algorithm at a time, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._started: TrainingStarted | None = None
        self._judged: list[TrainerJudged] = []
        self._compared: list[TrainerCompared] = []

    def handle(self, event: TrainingEvent) -> None:
        """Show ``event``."""
        match event:
            case TrainingStarted():
                self._started = event
                self._header(event)
            case ImplementationMissing(refusal):
                self._screen.complain(refusal.reason)
            case WordsCompared():
                self._screen.labelled("words", words_compared_line(event))
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
        state = "" if event.complete else ", INCOMPLETE"
        title = f"{event.algorithm}: {options_line(started.options[event.algorithm])}{state}, {event.seconds:.1f} s"
        self._screen.blank()
        self._screen.say(title, style="bold")
        self._learned(event, started)
        if self._compared:
            self._screen.blank()
            headers = matrix_headers(event.algorithm, started.baseline)
            self._screen.draw(table(headers, list(map(matrix_row, self._compared)), title=headers[0], packed=False))
        self._findings(started)
        if len(event.overlaps) > 1:
            headers, rows = overlap_table(event)
            self._screen.blank()
            self._screen.draw(table(headers, rows, title=headers[0]))
        self._judged, self._compared = [], []

    def _learned(self, event: AlgorithmFinished, started: TrainingStarted) -> None:
        if self._judged:
            rows = [learned_row(judged, started.words.total) for judged in self._judged]
            self._screen.draw(table(learned_headers(event.algorithm), rows))
        for judged in self._judged:
            for line in [*learned_notes(judged), *reproducibility(judged)]:
                self._screen.say(line, hanging=4)

    def _findings(self, started: TrainingStarted) -> None:
        differing = [compared for compared in self._compared if headline(compared) is not None]
        for number, compared in enumerate(differing, 1):
            is_tie = compared.comparison.agreement is Agreement.TIE
            self._screen.say(f"  {number}. {headline(compared)}", hanging=5, style="bold" if is_tie else "bold red")
            self._screen.show(details(compared, started.tolerance), indent=5)

    def _finish(self, event: TrainingFinished) -> None:
        self._screen.conclude(f"{training_summary(event)}; {event.seconds:.1f} s", event)

    def _header(self, event: TrainingStarted) -> None:
        self._screen.head(event.environment, event.trainers)
        for file in event.corpus:
            self._screen.labelled("corpus", f"{one_line(file.name)} ({counted(file.bytes, 'byte')})")
        self._screen.labelled("words", words_line(event.words, event.pre_tokenizer))
        self._screen.labelled("runs", f"{counted(event.repeat, 'run')} of each, in processes of their own")
        self._screen.labelled("scores", f"equal within {event.tolerance:g}")
