"""The words for the report of a check: what differs, with both sides, as the reports of the commands show it.

All text that comes from tokenizers, texts and implementations is escaped here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.wording import example_headline, subject_lines, window
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.running.wording import FindingGroup, own_groups
from tokenizer_conformance.validation.suite.results import score_of
from tokenizer_conformance.validation.suite.wording import failure_lines, stale_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.validation.python_api.results import Results
    from tokenizer_conformance.validation.suite.results import RequirementResult

NOT_WANTED = "suite=False"
"""Why the requirements were not asked where the caller did not want it."""

SHOWN_FINDINGS = 5
"""How many findings a message shows with an example."""

SHOWN_REQUIREMENTS = 5
"""How many requirements that failed a message shows with a case."""


def summary_of(report: Results) -> str:
    """Sum up ``report`` on one line."""
    sides = f"{one_line(report.implementation)} against {one_line(report.against)} on {one_line(report.tokenizer)}"
    findings = counted(len(_groups(report)), "finding")
    counts = f"{counted(report.texts, 'text')}, {counted(report.compared, 'value')} compared, {findings}"
    known = f", {len(report.known):,} known" if report.known else ""
    score = score_of(report.requirements)
    suite = f"; {score.passed:,} of {counted(score.asked, 'requirement')} passed" if report.requirements else ""
    return f"{sides}: {conclusion_of(report)}; {counts}{known}{suite}"


def conclusion_of(report: Results) -> Conclusion:
    """Return the conclusion that decides: that of the texts, unless the implementation conforms there."""
    if report.conclusion is Conclusion.CONFORM and report.suite_conclusion is not None:
        return report.suite_conclusion
    return report.conclusion


def message_of(report: Results) -> str:
    """Sum up ``report``, with the smallest example of each finding; several lines."""
    return "\n".join(_lines(report))


def _lines(report: Results) -> Iterator[str]:
    yield summary_of(report)
    findings = finding_blocks(report)
    for number, block in enumerate(findings[:SHOWN_FINDINGS], 1):
        yield f"{number}. {block.headline}"
        yield from (f"   {line}" for line in block.lines)
    if len(findings) > SHOWN_FINDINGS:
        yield f"… {counted(len(findings) - SHOWN_FINDINGS, 'further finding')}"
    wrong = [result for result in report.requirements if result.wrong]
    for result in wrong[:SHOWN_REQUIREMENTS]:
        yield from failed_requirement_lines(result, report.implementation)
    if len(wrong) > SHOWN_REQUIREMENTS:
        names = ", ".join(result.requirement.id for result in wrong[SHOWN_REQUIREMENTS:])
        yield f"… {counted(len(wrong) - SHOWN_REQUIREMENTS, 'further requirement')}: {names}"
    yield from closing_lines(report)


@dataclass(frozen=True, slots=True)
class Block:
    """Something that is wrong: what, on one line, and the ``lines`` that show it."""

    headline: str
    lines: tuple[str, ...]


def finding_blocks(report: Results) -> list[Block]:
    """Return the differences on texts that are not known, grouped, each with its smallest example."""
    return [
        Block(f"{group.headline} ({group.counts})", tuple(_example_lines(group, report))) for group in _groups(report)
    ]


def requirement_blocks(report: Results) -> list[Block]:
    """Return the requirements that failed, each with its first case that is wrong."""
    shown = (
        [line.strip() for line in failed_requirement_lines(result, report.implementation)]
        for result in report.requirements
        if result.wrong
    )
    return [Block(lines[0], tuple(lines[1:])) for lines in shown]


def closing_lines(report: Results) -> Iterator[str]:
    """Say what else keeps the check from passing, which entries are stale, and why the suite was not asked."""
    yield from report.problems
    yield from (f"stale: {stale_entry(entry)}" for entry in report.stale)
    if report.not_asked and report.not_asked != NOT_WANTED:
        yield f"the requirements were not asked: {report.not_asked}"


def _groups(report: Results) -> list[FindingGroup]:
    return [group for finished in report.finished for group in own_groups(finished)]


def _example_lines(group: FindingGroup, report: Results) -> Iterator[str]:
    example = group.example
    yield f"smallest: {example_headline(example)}"
    yield from subject_lines(example.question, example.near)
    yield from window(example.difference, escape(report.against), escape(report.implementation))


def failed_requirement_lines(result: RequirementResult, implementation: str) -> Iterator[str]:
    """Say that ``result`` failed: its rule, and the first case that is wrong, with what is expected and answered."""
    requirement, first = result.requirement, result.wrong[0]
    blame = ", ".join(str(place) for place, _ in Counter(case.blame for case in result.wrong).most_common())
    cases = f"{len(result.wrong):,} of {counted(len(result.results), 'case')}"
    yield f"{requirement.id}: {requirement.title} ({cases} failed; blame: {blame})"
    yield f"   {requirement.rule}"
    yield f"   case {first.judged.case.name}, {counted(len(first.failures), 'difference')}"
    yield from (f"   {line}" for line in failure_lines(first.failures[0], first, implementation))
