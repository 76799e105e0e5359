"""Fuzzing for people at a terminal: who is compared, counts by stage, what is known, and a small case of each difference.

All text that comes from tokenizers, texts and implementations is escaped here.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from rich.text import Text
from tabulate import tabulate

from tokenizer_conformance.comparing.blame import STAGE_ORDER
from tokenizer_conformance.comparing.verdicts import SEVERITY
from tokenizer_conformance.comparing.wording import VERDICT_WORDS, counted, describe, subject_lines, window
from tokenizer_conformance.escape import escape, one_line, quoted
from tokenizer_conformance.fuzz.events import FuzzCompared, FuzzFinding, FuzzFinished, FuzzStarted
from tokenizer_conformance.fuzz.plan import TEXTS_PER_TOKENIZER
from tokenizer_conformance.fuzz.results import LOADING, AnswerDifference, LoadDifference, VocabularyDifference
from tokenizer_conformance.session.conclusion import Conclusion
from tokenizer_conformance.session.events import ImplementationMissing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.comparing.reduction import Json
    from tokenizer_conformance.comparing.verdicts import Verdict
    from tokenizer_conformance.fuzz.events import FuzzEvent
    from tokenizer_conformance.fuzz.plan import ImplementationPlan
    from tokenizer_conformance.fuzz.results import Found, FuzzResult

LISTED_KINDS = 20
"""How many kinds of answers without a value are listed; the rest are summed up."""


class FuzzTerminalReport:
    """Writes results to ``console`` as they come, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._console = console
        self._complaints = complaints
        self._findings = 0

    def handle(self, event: FuzzEvent) -> None:
        """Show ``event``."""
        match event:
            case FuzzStarted():
                self._print(_header(event))
            case ImplementationMissing(refusal):
                self._complaints.print(Text(f"tokconf: {one_line(refusal.reason)}"), soft_wrap=True)
            case FuzzCompared():
                self._findings = 0
                self._compared(event)
            case FuzzFinding():
                self._findings += 1
                self._finding(event)
            case FuzzFinished():
                self._finish(event)
            case _:
                pass

    def _compared(self, event: FuzzCompared) -> None:
        result = event.result
        done = counted(result.tokenizers, "tokenizer")
        state = "" if event.complete else f" of {event.plan.tokenizers:,}, INTERRUPTED"
        title = (
            f"{one_line(event.plan.implementation)} against {one_line(event.plan.baseline)}: {done}{state}, "
            f"{counted(result.cases, 'case')}, {counted(result.values, 'value')}, {event.seconds:.1f} s"
        )
        self._print([""])
        self._console.print(Text(title, style="bold"), soft_wrap=True)
        self._print(_matrix(result.answers))
        self._print(_not_compared(result, event.plan))

    def _finding(self, event: FuzzFinding) -> None:
        times = counted(event.tokenizers, "tokenizer")
        headline = f"{self._findings}. {one_line(': '.join(event.signature))} ({times})"
        self._print([""])
        self._console.print(Text(headline, style="bold red"), soft_wrap=True)
        if not event.is_reduced:
            self._print(["   the case is not made smaller"])
        self._print(f"   {line}" for line in _case_lines(event))

    def _finish(self, event: FuzzFinished) -> None:
        style = "bold green" if event.conclusion is Conclusion.CONFORM else "bold red"
        counts = (
            f"{counted(event.tokenizers, 'tokenizer')}, {counted(event.cases, 'case')}, "
            f"{counted(event.values, 'value')} compared, {counted(event.differences, 'difference')}"
        )
        text = f"{event.conclusion.value}; {counts}; {event.seconds:.1f} s; exit status {event.exit_status}"
        self._print([""])
        self._console.print(Text(text, style=style), soft_wrap=True)

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._console.print(Text(line), soft_wrap=True)


def _header(event: FuzzStarted) -> list[str]:
    environment = event.environment
    last = event.start + event.tokenizers - 1
    return [
        f"tokconf {environment.tokconf}, {environment.python}, {environment.platform}",
        *(
            f"{role}  {escape(info.name)} {escape(info.version)} ({escape(info.language)})"
            for role, info in (
                ("baseline", event.baseline),
                *(("compared", info) for info in event.implementations),
            )
        ),
        f"seed      {event.seed}: tokenizers {event.start:,} to {last:,}, {counted(event.texts, 'text')} each",
    ]


# Counts --------------------------------------------------------------------------------------------------------------


def _matrix(answers: dict[tuple[Stage, Verdict], int]) -> list[str]:
    """Return a table of answers by stage and verdict."""
    verdicts = [verdict for verdict in SEVERITY if any(answers.get((stage, verdict)) for stage in STAGE_ORDER)]
    if not verdicts:
        return ["nothing was compared"]
    rows = [[str(stage), *(f"{answers.get((stage, verdict), 0):,}" for verdict in verdicts)] for stage in STAGE_ORDER]
    headers = ["answers", *(VERDICT_WORDS[verdict] for verdict in verdicts)]
    align = ("left", *("right" for _ in verdicts))
    return tabulate(rows, headers, tablefmt="simple", disable_numparse=True, colalign=align).splitlines()


def _not_compared(result: FuzzResult, plan: ImplementationPlan) -> list[str]:
    lines = []
    if result.ambiguous:
        lines.append(
            f"known: {counted(result.ambiguous, 'tokenizer')} left out, of which two added tokens have one normalized "
            "form: one of them is drawn at random"
        )
    if result.given_up:
        lines.append(f"known: {counted(result.given_up, 'tokenizer')} not asked to the end, over lost processes")
    if result.unstable:
        told = f"unstable: {counted(result.unstable, 'answer')} differed, and were others when asked again"
        lines.append(told)
    return lines + _without_value(result, plan)


def _without_value(result: FuzzResult, plan: ImplementationPlan) -> list[str]:
    """Return what both sides did where neither gives a value: by kind, the most frequent first."""
    if not result.no_value:
        return []
    kinds: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row, count in result.no_value.items():
        kinds[row.baseline, row.implementation][row.where] += count
    rows = sorted(kinds.items(), key=lambda item: (-item[1].total(), item[0]))
    names = [one_line(name) for name in plan.sides]
    width = max(map(len, names))
    lines = [f"known: neither side gives a value ({counted(result.no_value.total(), 'answer')})"]
    for manners, stages in rows[:LISTED_KINDS]:
        counts = (f"{stage} {stages[stage]:,}" for stage in (LOADING, *STAGE_ORDER) if stages[stage])
        lines.append(f"  {stages.total():,}: {', '.join(counts)}")
        lines += [f"    {name:<{width}} {one_line(manner)}" for name, manner in zip(names, manners, strict=True)]
    left = rows[LISTED_KINDS:]
    if left:
        lines.append(f"  … {len(left):,} further kinds, {counted(sum(each.total() for _, each in left), 'answer')}")
    return lines


# Differences ---------------------------------------------------------------------------------------------------------


def _case_lines(event: FuzzFinding) -> list[str]:
    case = event.difference.case
    lines = [f"tokenizer.json  {as_ascii(case.document)}"]
    if case.question is not None:
        lines += [describe(case.question), *subject_lines(case.question)]
    lines += found_lines(event.difference.found, event.plan)
    return [*lines, f"repeat: {repeating(event.plan, event.first)}"]


def as_ascii(document: Json) -> str:
    """Return ``document`` on one line of printable ASCII characters."""
    return json.dumps(document).replace("\x7f", "\\u007f")


def found_lines(found: Found, plan: ImplementationPlan) -> list[str]:
    """Return the lines that show ``found`` on both sides."""
    names = escape(plan.baseline), escape(plan.implementation)
    match found:
        case LoadDifference(refused_by, reason):
            return [f"refused by the {refused_by}: {one_line(reason)}"]
        case VocabularyDifference(token, baseline, implementation):
            ids = zip(names, (baseline, implementation), strict=True)
            parts = (f"{name}: {'none' if id is None else id}" for name, id in ids)
            return [f"the id of {quoted(token)} is {', '.join(parts)}"]
        case AnswerDifference(_, difference):
            what = difference.part or difference.field or ""
            return [f"{what} {difference.kind}".lstrip(), *window(difference, *names)]


def repeating(plan: ImplementationPlan, number: int) -> str:
    """Return the command that compares on tokenizer ``number`` alone."""
    words = ["tokconf", "fuzz", "--seed", str(plan.seed), "--start", str(number), "--tokenizers", "1"]
    if plan.texts != TEXTS_PER_TOKENIZER:
        words += ["--texts", str(plan.texts)]
    return shlex.join([*words, "-i", plan.implementation, "--baseline", plan.baseline])
