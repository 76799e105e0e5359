"""The summary for people at a terminal: who was compared, a matrix per tokenizer, findings, and the last word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from tabulate import tabulate

from tokenizer_conformance.comparing.wording import counted, example_headline, subject_lines, window
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.run.events import (
    InputRefused,
    LoadFailed,
    Replayed,
    RunFinished,
    RunStarted,
    TokenizerFinished,
)
from tokenizer_conformance.run.wording import (
    blame,
    cell,
    consequences,
    coverage,
    given_files,
    hidden_fields,
    own_groups,
    summary,
    unstable_lines,
)
from tokenizer_conformance.session.conclusion import Conclusion
from tokenizer_conformance.session.events import ImplementationMissing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from tokenizer_conformance.run.events import Event
    from tokenizer_conformance.run.wording import FindingGroup

DETAILED_GROUPS = 5
"""How many findings of a tokenizer are shown with their smallest example."""

LISTED_GROUPS = 15
"""How many findings of a tokenizer are listed at all; the Markdown report has every one."""

LONGEST_COMMAND = 10_000
"""How many characters of a command are shown; a shorter one would not run."""

STYLES: tuple[tuple[str, str], ...] = (
    (r"\b(?:DIFFER|ERROR) [\d,]+", "bold red"),
    (r"\b(?:CRASH|TIMEOUT|PROTOCOL|UNSTABLE) [\d,]+|\bnot loaded\b", "bold magenta"),
    (r"\bagree [\d,]+", "green"),
    (r"\b(?:both error|unsupported) [\d,]+|\bnot compared\b", "yellow"),
    (r"\([\d,]+ values?\)", "dim"),
)
"""What is coloured in a matrix, on a terminal that shows colours."""


class TerminalReport:
    """Writes results to ``console`` as they come, and complaints about what was given to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._console = console
        self._complaints = complaints
        self._run: RunStarted | None = None

    def handle(self, event: Event) -> None:
        """Show ``event``."""
        match event:
            case RunStarted():
                self._run = event
                self._print(_header(event))
            case Replayed(recorded):
                self.handle(recorded)
            case InputRefused(refusal) | ImplementationMissing(refusal):
                self._complain(refusal.reason)
            case LoadFailed(reason=reason):
                self._complain(reason)
            case TokenizerFinished() if self._run is not None:
                self._tokenizer(event, self._run)
            case RunFinished():
                self._finish(event)
            case _:
                pass

    def _tokenizer(self, finished: TokenizerFinished, run: RunStarted) -> None:
        self._print([""])
        self._console.print(Text(_title(finished), style="bold"), soft_wrap=True)
        matrix = Text(_matrix(finished, run))
        for pattern, style in STYLES:
            matrix.highlight_regex(pattern, style)
        self._console.print(matrix, soft_wrap=True)
        self._print(_notes(finished))
        groups = own_groups(finished)
        for number, group in enumerate(groups[:LISTED_GROUPS], 1):
            self._group(group, number, run)
        if len(groups) > LISTED_GROUPS:
            left = counted(len(groups) - LISTED_GROUPS, "further finding")
            self._print([f"  … {left}: --markdown FILE lists all of them"])
        self._print([f"  {line}" for line in (*consequences(finished), *unstable_lines(finished))])

    def _group(self, group: FindingGroup, number: int, run: RunStarted) -> None:
        self._console.print(Text(f"  {number}. {group.headline}", style="bold"), soft_wrap=True)
        if number <= DETAILED_GROUPS:
            self._print([f"     {line}" for line in _example_lines(group, run.baseline)])

    def _finish(self, finished: RunFinished) -> None:
        style = "bold green" if finished.conclusion is Conclusion.CONFORM else "bold red"
        text = f"{summary(finished)}; {finished.seconds:.1f} s; exit status {finished.exit_status}"
        self._print(["", *coverage(finished)])
        self._console.print(Text(text, style=style), soft_wrap=True)

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._console.print(Text(line), soft_wrap=True)

    def _complain(self, reason: str) -> None:
        self._complaints.print(Text(f"tokconf: {one_line(reason)}"), soft_wrap=True)


def _header(run: RunStarted) -> list[str]:
    environment = run.environment
    return [
        f"tokconf {environment.tokconf}, {environment.python}, {environment.platform}",
        *(
            f"{'baseline' if info.name == run.baseline else 'compared'}  {escape(info.name)} {escape(info.version)}"
            f" ({escape(info.language)})"
            for info in sorted(run.implementations, key=lambda info: info.name != run.baseline)
        ),
        f"inputs    {run.inputs:,} for each of {counted(len(run.tokenizers), 'tokenizer')}",
    ]


def _title(finished: TokenizerFinished) -> str:
    ids = f", {counted(finished.ids, 'id')} decoded alone" if finished.ids else ""
    state = "" if finished.complete else ", BROKEN OFF"
    inputs = counted(finished.inputs, "input")
    return f"{escape(finished.tokenizer)}: {inputs}{ids}{state}, {finished.seconds:.1f} s"


def _matrix(finished: TokenizerFinished, run: RunStarted) -> str:
    loaded = finished.baseline_load_error is None
    rows = [
        [escape(result.implementation)]
        + ["\n".join(cell(result, stage, baseline_loaded=loaded)) for stage in run.stages]
        for result in finished.results
    ]
    headers = ["against " + escape(run.baseline), *map(str, run.stages)]
    return tabulate(rows, headers, tablefmt="simple", disable_numparse=True)


def _notes(finished: TokenizerFinished) -> list[str]:
    lines = []
    if finished.baseline_load_error is not None:
        lines.append(f"baseline: {one_line(finished.baseline_load_error)}")
    for result in finished.results:
        if result.load_error is not None:
            lines.append(one_line(result.load_error))
        lines.extend(note for note in (given_files(result), hidden_fields(result), blame(result)) if note is not None)
    return [f"  {line}" for line in lines]


def _example_lines(group: FindingGroup, baseline: str) -> list[str]:
    example = group.example
    signature = group.findings[0].signature
    return [
        f"smallest: {example_headline(example)}",
        *subject_lines(example.question, example.near),
        *window(example.difference, escape(baseline), escape(signature.implementation)),
        f"repeat: {one_line(group.findings[0].repeat, limit=LONGEST_COMMAND)}",
    ]
