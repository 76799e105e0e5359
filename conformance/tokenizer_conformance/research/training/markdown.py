"""The report on training in Markdown; written when training is over, whole or not at all."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.markdown import write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.command_io.sinks import Sink, WholeFile
from tokenizer_conformance.plural import counted
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
    from tokenizer_conformance.research.training.events import TrainingEvent


@dataclass(slots=True)
class _Section:
    """What is told about one algorithm."""

    judged: list[TrainerJudged] = field(default_factory=list)
    compared: list[TrainerCompared] = field(default_factory=list)
    finished: AlgorithmFinished | None = None


class TrainingMarkdownReport:
    """Writes the report when training is over.

    It is written ``to`` a path, or to what is open already. Building raises ``OSError`` where no file can be written
    there.
    """

    def __init__(self, to: Path | Sink) -> None:
        self._sink = WholeFile(to) if isinstance(to, Path) else to
        self._started: TrainingStarted | None = None
        self._refused: list[str] = []
        self._words: list[WordsCompared] = []
        self._sections: list[_Section] = []
        self._section = _Section()

    def handle(self, event: TrainingEvent) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case TrainingStarted():
                self._started = event
            case ImplementationMissing(refusal):
                self._refused.append(refusal.reason)
            case WordsCompared():
                self._words.append(event)
            case TrainerJudged():
                self._section.judged.append(event)
            case TrainerCompared():
                self._section.compared.append(event)
            case AlgorithmFinished():
                self._section.finished = event
                self._sections.append(self._section)
                self._section = _Section()
            case TrainingFinished() if self._started is not None:
                write_report(self._sink, self._render(self._started, event))
            case _:
                pass

    def _render(self, started: TrainingStarted, finished: TrainingFinished) -> str:
        template = markdown_environment("tokenizer_conformance.research.training").get_template("training.md.jinja")
        return template.render(
            started=started,
            refused=self._refused,
            words=self._words,
            sections=self._sections,
            finished=finished,
            summary=training_summary(finished),
            runs=counted(started.repeat, "run"),
            command=shlex.join(started.environment.command),
            words_line=words_line(started.words, started.pre_tokenizer),
            words_compared_line=words_compared_line,
            options_line=options_line,
            learned_headers=learned_headers,
            learned_row=learned_row,
            notes=lambda judged: [*learned_notes(judged), *reproducibility(judged)],
            matrix_headers=matrix_headers,
            matrix_row=matrix_row,
            headline=headline,
            details=details,
            overlap_table=overlap_table,
        )
