"""What is told of a comparison of releases at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.wording import cause_headline, cause_lines, causes_title
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.command_io.tables import table
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.plural import counted
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
    going_on_line,
    last_word,
    left_out_line,
    matrix_rows,
    noise_lines,
    release_line,
    section_title,
    stale_entry_line,
    step_title,
)
from tokenizer_conformance.validation.running.wording import impact_lines

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix

LISTED = 8
"""How many causes and changes are listed of a step or section; the Markdown report has every one."""


class TerminalReport:
    """Tells of a comparison on ``console``, and of what cannot be used on ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._releases: list[str] = []
        self._matrices: list[TokenizerMatrix] = []
        self._is_matrix_told = False
        self._started: VersionsStarted | None = None

    def handle(self, event: Event) -> None:
        """Tell ``event``."""
        self._tell_matrix(event)
        match event:
            case VersionsStarted():
                self._started = event
                environment = event.environment
                self._screen.say(f"tokconf {environment.tokconf}, {environment.python}, {environment.platform}")
                inputs = f"{event.inputs:,} for each of {counted(len(event.tokenizers), 'tokenizer')}"
                self._screen.labelled("inputs", inputs)
            case Refused(refusal):
                self._screen.complain(refusal.reason)
            case SnapshotReady():
                self._releases.append(event.release)
                self._screen.say(release_line(event))
            case MatrixMade(matrix):
                self._matrices.append(matrix)
            case StepFinished():
                self._tell_step(event)
            case Bisected():
                self._tell_boundary(event)
            case SectionFinished():
                self._tell_section(event)
            case SpeedMeasured():
                self._tell_speed(event)
            case VersionsFinished():
                self._tell_end(event)
            case _:
                pass

    def _tell_matrix(self, event: Event) -> None:
        """Tell the matrix once all of it is there."""
        if not self._matrices or self._is_matrix_told or isinstance(event, MatrixMade):
            return
        self._is_matrix_told = True
        self._screen.blank()
        self._screen.say("inputs with other answers, of all tokenizers that both load", style="bold")
        headers = ["", *map(escape, self._releases)]
        self._screen.draw(table(headers, matrix_rows(self._releases, self._matrices), packed=False))

    def _tell_step(self, step: StepFinished) -> None:
        self._screen.blank()
        self._screen.say(step_title(step), style="bold")
        for number, changed in enumerate(step.loading[:LISTED], 1):
            self._screen.say(f"  change {number}: {change_line(changed)}", hanging=6)
        self._left_out(len(step.loading), "change")
        self._screen.note(noise_lines(step))
        for each in step.tokenizers:
            lines = [line for row in each.results for line in impact_lines(row)]
            self._screen.note(f"{escape(each.tokenizer)}: {line}" for line in lines[:1])
        if step.causes and step.run is not None:
            self._screen.say(f"  {causes_title(step.causes, step.uncounted)}", hanging=4)
            for number, cause in enumerate(step.causes[:LISTED], 1):
                self._screen.say(f"  cause {number}: {cause_headline(cause)}", hanging=5)
                self._screen.show(cause_lines(cause, step.run.other_than(cause.implementation)), indent=5)
            self._left_out(len(step.causes), "cause")

    def _tell_boundary(self, event: Bisected) -> None:
        if event.number <= LISTED:
            self._screen.say(f"  {boundary_line(event)}", hanging=6)

    def _tell_section(self, section: SectionFinished) -> None:
        self._screen.blank()
        self._screen.say(section_title(section), style="bold")
        for release, reason in section.missing.items():
            self._screen.say(f"  {escape(release)}: none: {escape(reason)}", hanging=4)
        groups = alike(section.changes)
        for group in groups[:LISTED]:
            self._screen.say(f"  {fact_line(group)}", hanging=6)
        self._left_out(len(groups), "change")

    def _tell_speed(self, measured: SpeedMeasured) -> None:
        self._screen.blank()
        self._screen.say(f"speed with {escape(measured.tokenizer)}", style="bold")
        if measured.speeds.rows:
            self._screen.draw(speed_table(measured.speeds))
        for release, reason in measured.speeds.missing.items():
            self._screen.say(f"  {escape(release)}: not measured: {one_line(reason)}", hanging=4)

    def _tell_end(self, finished: VersionsFinished) -> None:
        self._screen.blank()
        if self._started is not None:
            notes = left_out_line(self._started), going_on_line(self._started, finished)
            for line in filter(None, (*notes, *map(_told_stale, finished.stale))):
                self._screen.say(line, hanging=2)
        style = "bold green" if finished.exit_status == 0 else "bold red"
        word = f"{last_word(finished)}; {finished.seconds:.1f} s; exit status {finished.exit_status}"
        self._screen.say(word, style=style)

    def _left_out(self, count: int, what: str) -> None:
        if count > LISTED:
            self._screen.say(f"  … {counted(count - LISTED, f'further {what}')}: --markdown FILE shows all", hanging=4)


def _told_stale(entry: Entry) -> str:
    return f"stale: {stale_entry_line(entry)}"
