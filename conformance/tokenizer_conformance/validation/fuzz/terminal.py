"""Fuzzing for people at a terminal: who is compared, counts by stage, what is known, a small case of each difference.

All text that comes from tokenizers, texts and implementations is escaped here.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from rich.cells import cell_len

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.command_io.tables import table
from tokenizer_conformance.command_io.wrapping import wrapped_command, wrapped_json
from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.comparison.verdicts import SEVERITY
from tokenizer_conformance.comparison.wording import VERDICT_WORDS, describe, subject_lines, window
from tokenizer_conformance.defaults import FUZZ_SECONDS, TEXTS_PER_TOKENIZER
from tokenizer_conformance.escape import escape, one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.fuzz.events import FuzzCompared, FuzzFinding, FuzzFinished, FuzzStarted
from tokenizer_conformance.validation.fuzz.results import (
    LOADING,
    AnswerDifference,
    LoadDifference,
    VocabularyDifference,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.comparison.verdicts import Verdict
    from tokenizer_conformance.validation.fuzz.events import FuzzEvent
    from tokenizer_conformance.validation.fuzz.plan import ImplementationPlan
    from tokenizer_conformance.validation.fuzz.results import Found, FuzzResult

LISTED_KINDS = 20
"""How many kinds of answers without a value are listed; the rest are summed up."""


class FuzzTerminalReport:
    """Writes results to ``console`` as they come, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._findings = 0

    def handle(self, event: FuzzEvent) -> None:
        """Show ``event``."""
        match event:
            case FuzzStarted():
                self._header(event)
            case ImplementationMissing(refusal):
                self._screen.complain(refusal.reason)
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
        self._screen.blank()
        self._screen.say(title, style="bold")
        self._answers(result.answers)
        for line in _left_out(result):
            self._screen.say(line)
        for entry, count in result.known.most_common():
            origin = "; ".join(one_line(each) for each in (str(entry.place), entry.link, entry.finding) if each)
            line = f"known: {counted(count, 'difference')}: {one_line(entry.reason)} [{origin}]"
            self._screen.say(line, hanging=2)
        self._without_value(result, event.plan)

    def _answers(self, answers: dict[tuple[Stage, Verdict], int]) -> None:
        """Draw a table of answers by stage and verdict."""
        verdicts = [verdict for verdict in SEVERITY if any(answers.get((stage, verdict)) for stage in STAGE_ORDER)]
        if not verdicts:
            self._screen.say("nothing was compared")
            return
        rows = [
            [str(stage), *(f"{answers.get((stage, verdict), 0):,}" for verdict in verdicts)] for stage in STAGE_ORDER
        ]
        headers = ["answers", *(VERDICT_WORDS[verdict] for verdict in verdicts)]
        self._screen.draw(table(headers, rows, right=frozenset(range(1, len(headers)))))

    def _without_value(self, result: FuzzResult, plan: ImplementationPlan) -> None:
        """Tell what both sides did where neither gives a value: by kind, the most frequent first."""
        if not result.no_value:
            return
        kinds: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for row, count in result.no_value.items():
            kinds[row.baseline, row.implementation][row.where] += count
        rows = sorted(kinds.items(), key=lambda item: (-item[1].total(), item[0]))
        self._screen.say(f"known: neither side gives a value ({counted(result.no_value.total(), 'answer')})")
        for manners, stages in rows[:LISTED_KINDS]:
            counts = (f"{stage} {stages[stage]:,}" for stage in (LOADING, *STAGE_ORDER) if stages[stage])
            self._screen.say(f"  {stages.total():,}: {', '.join(counts)}", hanging=4)
            self._manners([one_line(name) for name in plan.sides], manners)
        left = rows[LISTED_KINDS:]
        if left:
            answers = counted(sum(each.total() for _, each in left), "answer")
            self._screen.say(f"  … {counted(len(left), 'further kind')}, {answers}", hanging=4)

    def _manners(self, names: list[str], manners: tuple[str, str]) -> None:
        width = max(map(cell_len, names))
        for name, manner in zip(names, manners, strict=True):
            padding = " " * (width - cell_len(name))
            self._screen.say(f"    {name}{padding} {one_line(manner)}", hanging=5 + width)

    def _finding(self, event: FuzzFinding) -> None:
        times = counted(event.tokenizers, "tokenizer")
        headline = f"{self._findings}. {one_line(': '.join(event.signature))} ({times})"
        self._screen.blank()
        self._screen.say(headline, hanging=3, style="bold red")
        if not event.is_reduced:
            self._screen.say("   the case is not made smaller", hanging=3)
        self._case(event)

    def _case(self, event: FuzzFinding) -> None:
        case = event.difference.case
        width = self._screen.width
        self._screen.put(wrapped_json("   tokenizer.json  ", as_ascii(case.document), width, 5))
        lines = [] if case.question is None else [describe(case.question), *subject_lines(case.question)]
        self._screen.show([*lines, *found_lines(event.difference.found, event.plan)], indent=3)
        self._screen.put(wrapped_command("   repeat:", repeating(event.plan, event.first), width, 5))

    def _finish(self, event: FuzzFinished) -> None:
        counts = (
            f"{counted(event.tokenizers, 'tokenizer')}, {counted(event.cases, 'case')}, "
            f"{counted(event.values, 'value')} compared, {counted(event.differences, 'difference')}"
            + (f", {event.known:,} known" if event.known else "")
        )
        self._screen.conclude(f"{event.conclusion.value}; {counts}; {event.seconds:.1f} s", event)

    def _header(self, event: FuzzStarted) -> None:
        self._screen.head(event.environment, [event.baseline, *event.implementations])
        last = event.start + event.tokenizers - 1
        texts = counted(event.texts, "text")
        self._screen.labelled("seed", f"{event.seed}: tokenizers {event.start:,} to {last:,}, {texts} each")


# Counts --------------------------------------------------------------------------------------------------------------


def _left_out(result: FuzzResult) -> list[str]:
    """Say which tokenizers were not compared, or not to the end."""
    lines = []
    if result.ambiguous:
        lines.append(
            f"known: {counted(result.ambiguous, 'tokenizer')} left out, of which two added tokens have one normalized "
            "form: one of them is drawn at random"
        )
    if result.given_up:
        lines.append(f"known: {counted(result.given_up, 'tokenizer')} not asked to the end, over lost processes")
    if result.unstable:
        lines.append(f"unstable: {counted(result.unstable, 'answer')} differed, and were others when asked again")
    return lines


# Differences ---------------------------------------------------------------------------------------------------------


def as_ascii(document: Json) -> str:
    """Return ``document`` on one line of printable ASCII characters."""
    return json.dumps(document).replace("\x7f", "\\u007f")


def found_lines(found: Found, plan: ImplementationPlan) -> list[str]:
    """Return the lines that show ``found`` on both sides."""
    names = escape(plan.baseline), escape(plan.implementation)
    match found:
        case LoadDifference(refused_by, reason):
            who = "both sides" if refused_by is Party.BOTH else f"the {refused_by}"
            return [f"refused by {who}: {one_line(reason)}"]
        case VocabularyDifference(token, baseline, implementation):
            ids = zip(names, (baseline, implementation), strict=True)
            parts = (f"{name}: {'none' if id is None else id}" for name, id in ids)
            return [f"the id of {quoted(token)} is {', '.join(parts)}"]
        case AnswerDifference(_, difference):
            what = difference.part or difference.field or ""
            return [f"{what} {difference.kind}".lstrip(), *window(difference, *names)]


def repeating(plan: ImplementationPlan, number: int) -> str:
    """Return the command that compares on tokenizer ``number`` alone, as it is typed."""
    words = ["tokconf", "fuzz", "--seed", str(plan.seed), "--start", str(number), "--tokenizers", "1"]
    if plan.texts != TEXTS_PER_TOKENIZER:
        words += ["--texts", str(plan.texts)]
    if plan.patience != FUZZ_SECONDS:
        words += ["--timeout", f"{plan.patience:g}"]
    for flag, names in (("--isolate", plan.isolation.isolated), ("--in-process", plan.isolation.in_process)):
        words += [word for name in sorted(names) for word in (flag, name)]
    return shlex.join([*words, "-i", plan.implementation, "--baseline", plan.baseline])
