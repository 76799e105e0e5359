"""The difference report in Markdown: a page to keep, to publish, or to attach to a bug report.

It is written when the run is over, first beside its place and then moved there, so that no half-written report is ever
found. What the template prints is shown as code, unless a filter has made Markdown of it: nothing from a tokenizer can
become a heading, a link or HTML.
"""

from __future__ import annotations

import shlex
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.wording import cause_lines, causes_title
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.markdown import write_report
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.command_io.sinks import Sink, WholeFile
from tokenizer_conformance.comparison.wording import example_headline, subject_lines, window
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    Replayed,
    RunFinished,
    RunStarted,
    TokenizerFinished,
)
from tokenizer_conformance.validation.running.problems import problems_of
from tokenizer_conformance.validation.running.wording import (
    FindingGroup,
    LoadErrors,
    blame,
    cell,
    consequences,
    coverage,
    finer_offsets,
    given_files,
    hidden_fields,
    hub_commits,
    impact_lines,
    known_lines,
    matrix_results,
    missing_ids,
    overview_cell,
    own_groups,
    stale_lines,
    summary,
    unanswered_extras,
    unstable_lines,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.validation.running.events import Event


class MarkdownReport:
    """Writes the report of a run when the run is over.

    It is written ``to`` a path, or to what is open already. ``said_before`` are lines about what a command has compared
    before the run. Building raises ``OSError`` where no file can be written there.
    """

    def __init__(self, to: Path | Sink, said_before: Sequence[str] = ()) -> None:
        self._said_before = said_before
        self._sink = WholeFile(to) if isinstance(to, Path) else to
        self._run: RunStarted | None = None
        self._refused: list[str] = []
        self._tokenizers: dict[str, TokenizerFinished] = {}

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, write the report. Raises ``OSError``."""
        match event:
            case RunStarted():
                self._run = event
            case Replayed(recorded):
                self.handle(recorded)
            case InputRefused(refusal) | ImplementationMissing(refusal):
                self._refused.append(refusal.reason)
            case TokenizerFinished():
                self._tokenizers[event.tokenizer] = event
            case CausesSought(tokenizer=tokenizer):
                self._tokenizers[tokenizer] = event.of(self._tokenizers[tokenizer])
            case RunFinished() if self._run is not None:
                tokenizers = list(self._tokenizers.values())
                write_report(self._sink, render(self._run, self._refused, tokenizers, event, self._said_before))
            case _:
                pass


def render(
    run: RunStarted,
    refused: list[str],
    tokenizers: list[TokenizerFinished],
    finished: RunFinished,
    said_before: Sequence[str] = (),
) -> str:
    """Return the report as Markdown."""
    problems = problems_of(tokenizers, finished.causes)
    return (
        markdown_environment("tokenizer_conformance.validation.running")
        .get_template("report.md.jinja")
        .render(
            run=run,
            hub_commits=hub_commits(run),
            refused=refused,
            said_before=said_before,
            tokenizers=tokenizers,
            finished=finished,
            causes_title=causes_title,
            problems=problems,
            numbers=count(1),
            next=next,
            cause_lines=lambda cause: ["", *cause_lines(cause, run.other_than(cause.implementation))],
            summary=summary(finished, tokenizers),
            coverage=[*coverage(finished), *stale_lines(finished)],
            known=known_lines,
            unstable=unstable_lines,
            command=shlex.join(run.environment.command),
            cell_lines=cell,
            matrix_results=matrix_results,
            overview_lines=overview_cell,
            notes=partial(_notes, run, LoadErrors(run.baseline)),
            groups=own_groups,
            consequences=consequences,
            example_lines=lambda group: _example_lines(group, run.baseline),
            example_headline=example_headline,
        )
    )


def _notes(run: RunStarted, load_errors: LoadErrors, finished: TokenizerFinished) -> list[str]:
    """Say what the matrix leaves open: who was not loaded and why, what each was given and shows, where it differs."""
    notes = [missing_ids(run, finished)]
    for result in finished.results:
        notes += [
            given_files(result),
            hidden_fields(result),
            finer_offsets(result),
            unanswered_extras(result),
            blame(result),
            *impact_lines(result),
        ]
    return [*load_errors.lines(finished), *(note for note in notes if note is not None)]


def _example_lines(group: FindingGroup, baseline: str) -> list[str]:
    example = group.example
    implementation = group.findings[0].signature.implementation
    sides = (one_line(baseline), one_line(implementation))
    return [*subject_lines(example.question, example.near), "", *window(example.difference, *sides)]
