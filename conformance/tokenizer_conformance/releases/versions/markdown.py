"""The report of a comparison of releases in Markdown, for people who think of an upgrade."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.causes.wording import cause_headline, cause_lines, causes_title
from tokenizer_conformance.command_io.markdown import write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.command_io.tables import laid_out
from tokenizer_conformance.releases.diff.wording import change_line
from tokenizer_conformance.releases.versions.alike import alike
from tokenizer_conformance.releases.versions.events import (
    Bisected,
    Event,
    MatrixMade,
    Refused,
    SpeedMeasured,
    StepFinished,
    VersionsFinished,
    VersionsStarted,
)
from tokenizer_conformance.releases.versions.facts import SectionFinished
from tokenizer_conformance.releases.versions.snapshots import SnapshotReady
from tokenizer_conformance.releases.versions.speed_table import speed_table
from tokenizer_conformance.releases.versions.wording import (
    boundary_line,
    fact_line,
    last_word,
    left_out_line,
    matrix_rows,
    noise_lines,
    section_title,
    stale_entry_line,
    step_title,
)
from tokenizer_conformance.validation.running.wording import impact_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix
    from tokenizer_conformance.validation.running.events import TokenizerFinished

AT_ANY = "at any stage"


class MarkdownReport:
    """Writes the report ``to`` what is open, when the comparison is over."""

    def __init__(self, to: Sink) -> None:
        self._sink = to
        self._started: VersionsStarted | None = None
        self._refused: list[str] = []
        self._releases: list[SnapshotReady] = []
        self._matrices: list[TokenizerMatrix] = []
        self._steps: list[StepFinished] = []
        self._bisected: list[Bisected] = []
        self._sections: list[SectionFinished] = []
        self._speeds: SpeedMeasured | None = None

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case VersionsStarted():
                self._started = event
            case Refused(refusal):
                self._refused.append(refusal.reason)
            case SnapshotReady():
                self._releases.append(event)
            case MatrixMade(matrix):
                self._matrices.append(matrix)
            case StepFinished():
                self._steps.append(event)
            case Bisected():
                self._bisected.append(event)
            case SectionFinished():
                self._sections.append(event)
            case SpeedMeasured():
                self._speeds = event
            case VersionsFinished() if self._started is not None:
                write_report(self._sink, self._rendered(self._started, event))
            case _:
                pass

    def _rendered(self, started: VersionsStarted, finished: VersionsFinished) -> str:
        return (
            markdown_environment("tokenizer_conformance.releases.versions")
            .get_template("report.md.jinja")
            .render(
                started=started,
                summary=last_word(finished),
                command=shlex.join(started.environment.command),
                left_out=left_out_line(started),
                stale=list(map(stale_entry_line, finished.stale)),
                refused=self._refused,
                releases=self._releases,
                names=[ready.release for ready in self._releases],
                matrices=list(self._by_stage()),
                steps=self._steps,
                sections=self._sections,
                alike=alike,
                speeds=self._speeds,
                speed_lines=[] if self._speeds is None else laid_out(speed_table(self._speeds.speeds), None),
                step_title=step_title,
                section_title=section_title,
                change_line=change_line,
                noise_lines=noise_lines,
                fact_line=fact_line,
                impact=_impact,
                causes_title=causes_title,
                cause_headline=cause_headline,
                cause_lines=_cause_lines,
                boundaries=self._boundaries,
            )
        )

    def _boundaries(self, step: StepFinished) -> list[str]:
        return [boundary_line(each) for each in self._bisected if (each.old, each.new) == (step.old, step.new)]

    def _by_stage(self) -> Iterator[tuple[str, list[list[str]]]]:
        names = [ready.release for ready in self._releases]
        if not self._matrices:
            return
        yield AT_ANY, matrix_rows(names, self._matrices)
        for stage in Stage:
            if any(stage == at for matrix in self._matrices for _, at in matrix.differing):
                yield f"at {stage}", matrix_rows(names, self._matrices, stage)


def _impact(finished: TokenizerFinished) -> str:
    lines = [line for row in finished.results for line in impact_lines(row)]
    return "; ".join(lines) or "none"


def _cause_lines(step: StepFinished, cause: Cause) -> list[str]:
    other = "" if step.run is None else step.run.other_than(cause.implementation)
    return cause_lines(cause, other)
