"""The summary for people at a terminal: who was compared, a matrix per tokenizer, findings, and the last word."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.wording import cause_headline, cause_lines, causes_title
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.command_io.tables import Table
from tokenizer_conformance.command_io.wrapping import wrapped_command
from tokenizer_conformance.comparison.wording import example_headline, subject_lines, window
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    Replayed,
    RunFinished,
    RunStarted,
    TokenizerFinished,
)
from tokenizer_conformance.validation.running.plan import EXAMPLES_PER_FINDING
from tokenizer_conformance.validation.running.problems import problems_of
from tokenizer_conformance.validation.running.wording import (
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
    omissions,
    own_groups,
    part_line,
    stale_lines,
    summary,
    unanswered_extras,
    unstable_lines,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.validation.running.events import Event
    from tokenizer_conformance.validation.running.wording import FindingGroup

DETAILED_GROUPS = 5
"""How many findings of a tokenizer are shown with their smallest example."""

LISTED_GROUPS = 15
"""How many findings of a tokenizer are listed at all; the Markdown report has every one."""

LISTED_CAUSES = 12
"""How many causes are shown with an example; the Markdown report has every one."""

LISTED_PROBLEMS = 40
"""How many problems have a line in the end; the Markdown report has every one."""

LONGEST_COMMAND = 10_000
"""How many characters of a command are shown; a shorter one would not run."""

STYLES: tuple[tuple[str, str], ...] = (
    (r"\b(?:DIFFER|ERROR) [\d,]+", "bold red"),
    (r"\b(?:CRASH|TIMEOUT|PROTOCOL|UNSTABLE) [\d,]+|\bnot loaded\b", "bold magenta"),
    (r"\bagree [\d,]+", "green"),
    (r"\b(?:both error|unsupported|known) [\d,]+|\bnot compared\b", "yellow"),
    (r"\([\d,]+ values?\)", "dim"),
)
"""What is coloured in a matrix, on a terminal that shows colours."""


class TerminalReport:
    """Writes results to ``console`` as they come, and complaints about what was given to ``complaints``.

    ``has_record`` says that a record is written too: it is then told which differences are not in it one by one.
    """

    def __init__(self, console: Console, complaints: Console, *, has_record: bool = False) -> None:
        self._screen = Screen(console, complaints)
        self._has_record = has_record
        self._run: RunStarted | None = None
        self._load_errors = LoadErrors("")
        self._tokenizers: dict[str, TokenizerFinished] = {}
        self._findings_told = 0
        self._absent: list[Rejected] = []

    def handle(self, event: Event) -> None:
        """Show ``event``."""
        if self._absent and not isinstance(event, ImplementationMissing):
            self._tell_absent()
        match event:
            case RunStarted():
                self._run = event
                self._load_errors = LoadErrors(event.baseline)
                self._header(event)
            case Replayed(recorded):
                self.handle(recorded)
            case ImplementationMissing(refusal, asked=False):
                self._absent.append(refusal)
            case InputRefused(refusal) | ImplementationMissing(refusal):
                self._screen.complain(refusal.reason)
            case TokenizerFinished() if self._run is not None:
                self._tokenizers[event.tokenizer] = event
                self._tokenizer(event, self._run)
            case CausesSought(tokenizer=tokenizer):
                self._tokenizers[tokenizer] = event.of(self._tokenizers[tokenizer])
            case RunFinished():
                self._finish(event)
            case _:
                pass

    def _tell_absent(self) -> None:
        """Say which implementations of all are not there: why, if that is one, else where that is said."""
        absent, self._absent = self._absent, []
        names = ", ".join(refusal.name for refusal in absent)
        several = f'unavailable, and left out: {names} ("tokconf implementations" says why, and how to install them)'
        self._screen.complain(absent[0].reason if len(absent) == 1 else several)

    def _header(self, run: RunStarted) -> None:
        self._screen.head(run.environment, sorted(run.implementations, key=lambda info: info.name != run.baseline))
        tokenizers = counted(len(run.tokenizers), "tokenizer")
        for line in hub_commits(run):
            self._screen.labelled("hub", line)
        sample = ", a sample spread over all" if run.options.get("sample") else ""
        self._screen.labelled("inputs", f"{run.inputs:,} for each of {tokenizers}{sample}")
        if run.shard is not None:
            self._screen.labelled("part", part_line(run.shard))
        if run.merged:
            self._screen.labelled("merged", f"{counted(len(run.merged), 'part')} of {run.merged[0].shard.of}")

    def _tokenizer(self, finished: TokenizerFinished, run: RunStarted) -> None:
        self._screen.blank()
        self._screen.say(_title(finished), style="bold")
        if matrix_results(finished):
            self._screen.draw(_matrix(finished, run), STYLES)
        self._screen.note(_notes(finished, self._load_errors, run), STYLES)
        self._findings(own_groups(finished), run)
        self._screen.note([*consequences(finished), *known_lines(finished.known), *unstable_lines(finished)])
        self._screen.note(note for note in map(unanswered_extras, finished.results) if note is not None)

    def _findings(self, groups: list[FindingGroup], run: RunStarted) -> None:
        listed, detailed = groups[:LISTED_GROUPS], _with_example(groups[:LISTED_GROUPS])
        before = self._findings_told
        self._findings_told += len(groups)
        for number, group in enumerate(listed, 1):
            self._screen.say(f"  {before + number}. {group.headline}", hanging=5, style="bold")
            if number in detailed:
                self._screen.show(self._example_lines(group, run.baseline), indent=5)
                command = one_line(group.shown.repeat, limit=LONGEST_COMMAND)
                self._screen.put(wrapped_command("     repeat:", command, self._screen.width, 7))
        left_out = omissions(groups, len(listed), len(detailed))
        if left_out is not None:
            self._screen.say(f"  {left_out}", hanging=4)

    def _example_lines(self, group: FindingGroup, baseline: str) -> list[str]:
        example = group.example
        implementation = group.findings[0].signature.implementation
        lines = [
            f"smallest: {example_headline(example)}",
            *subject_lines(example.question, example.near),
            *window(example.difference, escape(baseline), escape(implementation)),
        ]
        recorded = sum(min(finding.differences, EXAMPLES_PER_FINDING) for finding in group.findings)
        if self._has_record and recorded < group.differences:
            lines.append(f"first {recorded:,} of {group.differences:,} differences of this finding are in the record")
        return lines

    def _finish(self, finished: RunFinished) -> None:
        style = "bold green" if finished.conclusion is Conclusion.CONFORM else "bold red"
        last_word = summary(finished, list(self._tokenizers.values()))
        self._screen.blank()
        self._problems(finished)
        for line in (*coverage(finished), *stale_lines(finished)):
            self._screen.say(line)
        self._screen.say(f"{last_word}; {finished.seconds:.1f} s; exit status {finished.exit_status}", style=style)

    def _problems(self, finished: RunFinished) -> None:
        """Show the causes, with the smallest text or ids and the reason, then every problem on a line."""
        problems = problems_of(self._tokenizers.values(), finished.causes)
        if self._run is None or not problems:
            return
        with_cause = [(each, each.cause) for each in problems if each.cause is not None]
        if with_cause or finished.unexamined:
            self._screen.say(causes_title(finished.causes, finished.uncounted), style="bold")
        for problem, cause in with_cause[:LISTED_CAUSES]:
            self._screen.say(f"  {problem.number}. {cause_headline(cause)}", hanging=5)
            self._screen.show(cause_lines(cause, self._run.other_than(cause.implementation)), indent=5)
        self._left_out(len(with_cause) - LISTED_CAUSES, "further cause")
        if with_cause or finished.unexamined:
            self._screen.blank()
        self._screen.say(counted(len(problems), "problem"), style="bold")
        for problem in problems[:LISTED_PROBLEMS]:
            self._screen.say(f"  {problem.number}. {problem.line}", hanging=5)
        self._left_out(len(problems) - LISTED_PROBLEMS, "further problem")
        self._screen.blank()

    def _left_out(self, count: int, what: str) -> None:
        if count > 0:
            self._screen.say(f"  … {counted(count, what)}: --markdown FILE shows all", hanging=4)


def _title(finished: TokenizerFinished) -> str:
    ids = f", {counted(finished.ids, 'id')} decoded alone" if finished.ids else ""
    state = "" if finished.complete else ", INCOMPLETE"
    inputs = counted(finished.inputs, "input")
    return f"{escape(finished.tokenizer)}: {inputs}{ids}{state}, {finished.seconds:.1f} s"


def _matrix(finished: TokenizerFinished, run: RunStarted) -> Table:
    corner = f"against {escape(run.baseline)}"
    rows = tuple(
        ((escape(result.implementation),), *(tuple(cell(result, stage)) for stage in run.stages))
        for result in matrix_results(finished)
    )
    return Table((corner, *map(str, run.stages)), rows, title=corner)


def _notes(finished: TokenizerFinished, load_errors: LoadErrors, run: RunStarted) -> list[str]:
    notes = [missing_ids(run, finished)]
    for result in finished.results:
        notes += [given_files(result), hidden_fields(result), finer_offsets(result)]
        notes += [blame(result), *impact_lines(result)]
    return [*load_errors.lines(finished), *(note for note in notes if note is not None)]


def _with_example(groups: Sequence[FindingGroup]) -> set[int]:
    """Return the numbers (from 1) of the findings shown with an example: of every implementation the first."""
    place: Counter[str] = Counter()
    ranked: list[tuple[int, int]] = []
    for number, group in enumerate(groups, 1):
        implementation = group.findings[0].signature.implementation
        ranked.append((place[implementation], number))
        place[implementation] += 1
    return {number for _, number in sorted(ranked)[:DETAILED_GROUPS]}
