"""The suite for people at a terminal: a table of areas and implementations, what failed and why, and a score.

All text that comes from tokenizers and implementations is escaped.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.screen import Screen
from tokenizer_conformance.command_io.tables import Table
from tokenizer_conformance.command_io.wrapping import wrapped_command
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.suite.events import ImplementationJudged, SuiteFinished, SuiteStarted
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.results import score_of, shortfalls
from tokenizer_conformance.validation.suite.wording import (
    VERDICT_WORDS,
    failure_lines,
    known_entry,
    repeating,
    shortfall_line,
    stale_entry,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from tokenizer_conformance.command_io.tables import Cell
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.suite.events import SuiteEvent
    from tokenizer_conformance.validation.suite.plan import SuitePlan
    from tokenizer_conformance.validation.suite.results import RequirementResult, Score

SHOWN_REQUIREMENTS = 20
"""How many failed requirements of an implementation are shown with a case; the others are named."""

HIGHLIGHTS = ((r"\b(FAILED|ERROR)( [\d,]+)?", "bold red"), (r"^  known [\d,]+", "yellow"))


class SuiteTerminalReport:
    """Writes results to ``console`` as they come, and complaints to ``complaints``."""

    def __init__(self, console: Console, complaints: Console) -> None:
        self._screen = Screen(console, complaints)
        self._judged: list[ImplementationJudged] = []
        self._plan: SuitePlan | None = None

    def handle(self, event: SuiteEvent) -> None:
        """Show ``event``."""
        match event:
            case SuiteStarted():
                self._header(event)
            case ImplementationMissing(refusal):
                self._screen.complain(refusal.reason)
            case ImplementationJudged():
                self._judged.append(event)
                self._failures(event)
            case SuiteFinished():
                self._finish(event)
            case _:
                pass

    def _header(self, event: SuiteStarted) -> None:
        self._plan = event.plan
        self._screen.say(
            f"tokconf {event.environment.tokconf}, {event.environment.python}, {event.environment.platform}"
        )
        self._screen.configured(event.environment)
        requirements = len({case.requirement.id for case in event.plan.cases})
        cases = len(event.plan.cases)
        left = event.plan.not_asked
        more = f"; {left:,} more have no cases, since no file can show them" if left else ""
        self._screen.labelled("suite", f"{counted(requirements, 'requirement')}, {counted(cases, 'case')}{more}")
        if event.plan.shard is not None and not event.merged:
            self._screen.labelled("part", f"{event.plan.shard.part} of {event.plan.shard.of}")
        if event.merged:
            of = event.merged[0].shard.of
            self._screen.labelled("merged", f"{counted(len(event.merged), 'part')} of {of}")
        for info in event.implementations:
            self._screen.labelled("asked", f"{escape(info.name)} {escape(info.version)} ({escape(info.language)})")

    # What failed -----------------------------------------------------------------------------------------------------

    def _failures(self, event: ImplementationJudged) -> None:
        wrong = [result for result in event.results if result.wrong]
        name = event.info.name
        for number, result in enumerate(wrong[:SHOWN_REQUIREMENTS], 1):
            self._failure(number, result, name)
        left = wrong[SHOWN_REQUIREMENTS:]
        if left:
            self._screen.blank()
            names = ", ".join(result.requirement.id for result in left)
            self._screen.say(f"{escape(name)}: {counted(len(left), 'further requirement')}: {names}")
        self._known(event)

    def _known(self, event: ImplementationJudged) -> None:
        """Say which failures are known, by the entry that says why."""
        ids: dict[Entry, list[str]] = {}
        for result in event.results:
            for entry in dict.fromkeys(entry for case in result.results for entry in case.entries):
                ids.setdefault(entry, []).append(result.requirement.id)
        for entry, requirements in ids.items():
            self._screen.say(f"known: {escape(event.info.name)}: {', '.join(requirements)}: {known_entry(entry)}")

    def _failure(self, number: int, result: RequirementResult, name: str) -> None:
        requirement = result.requirement
        blame = Counter(str(case.blame) for case in result.wrong)
        places = ", ".join(f"{place} {count}" if len(blame) > 1 else place for place, count in blame.most_common())
        headline = (
            f"{number}. {escape(name)}: {requirement.id}: {requirement.title} "
            f"({len(result.wrong):,} of {counted(len(result.results), 'case')}; blame: {places})"
        )
        first = result.wrong[0]
        self._screen.blank()
        self._screen.say(headline, hanging=3, style="bold red")
        self._screen.say(f"   {requirement.rule}", hanging=3)
        self._screen.say(f"   case {first.judged.case.name}, {counted(len(first.failures), 'difference')}", hanging=3)
        self._screen.show(failure_lines(first.failures[0], first, name), indent=3)
        assert self._plan is not None  # noqa: S101 - the first event has it
        command = repeating(self._plan, name, requirement.id)
        self._screen.put(wrapped_command("   repeat:", command, self._screen.width, 5))

    # How far ---------------------------------------------------------------------------------------------------------

    def _finish(self, event: SuiteFinished) -> None:
        if self._judged:
            self._screen.blank()
            self._screen.draw(score_table(self._judged), HIGHLIGHTS)
            for judged in self._judged:
                self._screen.say(score_line(judged))
                for shortfall in shortfalls(judged.info, judged.results):
                    self._screen.say(f"  {shortfall_line(judged.info.name, shortfall)}", style="bold red")
        for entry in event.stale:
            self._screen.say(f"stale: {stale_entry(entry)}", style="bold red")
        style = "bold green" if event.conclusion is Conclusion.CONFORM else "bold red"
        state = "" if event.finished else "; not everything was asked"
        self._screen.say(f"{event.conclusion}{state}; {event.seconds:.1f} s", style=style)


def score_table(judged: Sequence[ImplementationJudged]) -> Table:
    """Return the table of areas and implementations: how many requirements passed, failed and so on."""
    areas = list(dict.fromkeys(result.area.name for each in judged for result in each.results))
    rows = [(_name_cell(area), *(_cell(each, area) for each in judged)) for area in areas]
    total = (_name_cell("in all"), *(_counts(score_of(each.results)) for each in judged))
    headers = ("requirements", *(escape(each.info.name) for each in judged))
    return Table(headers, (*rows, total), packed=True)


def _name_cell(name: str) -> Cell:
    return (name,)


def _cell(judged: ImplementationJudged, area: str) -> Cell:
    return _counts(score_of(result for result in judged.results if result.area.name == area))


def _counts(score: Score) -> Cell:
    counts = (
        f"{words} {score.requirements[verdict]:,}"
        for verdict, words in VERDICT_WORDS.items()
        if score.requirements[verdict]
    )
    return (", ".join(counts),)


def score_line(judged: ImplementationJudged) -> str:
    """Say how far an implementation is, and what that counts."""
    score = score_of(judged.results)
    cases = ", ".join(f"{score.cases[verdict]:,} {verdict.value}" for verdict in CaseVerdict if score.cases[verdict])
    state = "" if judged.complete else ", NOT ALL ASKED"
    return (
        f"{one_line(judged.info.name)}: {score.passed:,} of {counted(score.asked, 'requirement')} passed "
        f"(cases: {cases or 'none'}), {judged.seconds:.1f} s{state}"
    )
