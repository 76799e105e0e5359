"""The words in which the suite is told: verdicts, failures with both sides, a requirement whole.

All text that comes from tokenizers and implementations is escaped here.
"""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.wording import describe, subject_lines, window
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.reader import form_of
from tokenizer_conformance.validation.suite.requirement import (
    FileRefused,
    FileWritten,
    Observed,
    TextWritten,
    VocabularyShown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.suite.judging import CaseResult, Failure
    from tokenizer_conformance.validation.suite.plan import SuitePlan
    from tokenizer_conformance.validation.suite.requirement import Requirement, Step
    from tokenizer_conformance.validation.suite.results import Shortfall

VERDICT_WORDS: dict[CaseVerdict, str] = {
    CaseVerdict.PASSED: "passed",
    CaseVerdict.KNOWN: "known",
    CaseVerdict.FAILED: "FAILED",
    CaseVerdict.UNSUPPORTED: "unsupported",
    CaseVerdict.ERROR: "ERROR",
}

LONGEST_TOKENIZER = 2000
"""How many characters of a tokenizer.json are shown."""


def question_lines(step: Step) -> list[str]:
    """Say what ``step`` asks."""
    match step:
        case Observed(observation):
            return [describe(observation), *subject_lines(observation)]
        case VocabularyShown():
            return ["the vocabulary, added tokens included"]
        case FileWritten():
            return ["the tokenizer as it is written to a file"]
        case TextWritten():
            return ["the text of the tokenizer as it is written to a file"]
        case FileRefused(document):
            return [f"the loading of {shown_document(document)}"]


def shown_document(document: object) -> str:
    """Return a tokenizer.json on one line, cut where it is long; only ASCII."""
    return one_line(json.dumps(document), LONGEST_TOKENIZER)


def failure_lines(failure: Failure, result: CaseResult, implementation: str) -> list[str]:
    """Return the lines that show ``failure``: what was asked, what is expected and what was answered."""
    asked = [] if failure.step is None else question_lines(result.judged.case.steps[failure.step])
    difference = failure.difference
    if difference is None:
        return [*asked, one_line(failure.wrong)]
    what = difference.part or difference.field or ""
    if failure.unit is not None:
        return [
            *asked,
            f"offsets are right as {failure.unit}, which is not what was declared",
            *_window(failure, implementation),
        ]
    return [*asked, f"{what} {difference.kind}".lstrip(), *_window(failure, implementation)]


def _window(failure: Failure, implementation: str) -> list[str]:
    return [] if failure.difference is None else window(failure.difference, "expected", escape(implementation))


def repeating(plan: SuitePlan, name: str, requirement: str) -> str:
    """Return the command that asks the implementation called ``name`` about ``requirement`` again, as ``plan`` did."""
    return asking_again(plan.words.get(name, name), requirement, plan.repeated)


def asking_again(word: str, requirement: str, repeated: Iterable[str]) -> str:
    """Return the command that asks who is selected by ``word`` about ``requirement``, with the options ``repeated``."""
    return shlex.join(["tokconf", "suite", "run", "-i", word, "-k", requirement, *repeated])


def releases_told(requirement: Requirement) -> list[str]:
    """Say which releases of the target have ``requirement``, where not all do that were asked."""
    told = []
    if requirement.since is not None:
        loading = ", older ones refuse its tokenizers" if requirement.refused_before else ""
        told.append(f"since tokenizers {requirement.since}{loading}")
    if requirement.not_in:
        told.append(f"but not in {' and '.join(requirement.not_in)}")
    if requirement.until is not None:
        told.append(f"until tokenizers {requirement.until}")
    return told


def requirement_lines(requirement: Requirement) -> list[str]:
    """Return what ``requirement`` says, without its cases."""
    needs = f"needs {', '.join(sorted(requirement.features))}" if requirement.features else ""
    facts = ", ".join(filter(None, (requirement.importance.value, needs, *releases_told(requirement))))
    lines = [
        f"{requirement.id}: {requirement.title}",
        f"  {facts}",
        f"  {requirement.rule}",
        f"  Why: {requirement.why}",
    ]
    lines += [f"  See: {link}" for link in requirement.links]
    return lines + ([f"  Not asked: {requirement.not_asked}"] if requirement.not_asked else [])


def step_lines(step: Step) -> list[str]:
    """Return what ``step`` asks and expects, as the files of the suite have it."""
    form = form_of(step)
    expected = form.pop("expected")
    return [f"ask      {json.dumps(form)}", f"expected {json.dumps(expected)}"]


def known_entry(entry: Entry) -> str:
    """Say why a failure is known, and where that is written."""
    link = f" {one_line(entry.link)}" if entry.link else ""
    return f"{one_line(entry.reason, LONGEST_TOKENIZER)}{link} ({one_line(str(entry.place))})"


def stale_entry(entry: Entry) -> str:
    """Say that nothing matched ``entry``, and what to do."""
    return (
        f"{one_line(str(entry.place))}: {one_line(entry.implementation)} passes what this entry says it fails; "
        "take the entry out, or narrow it to the versions that fail"
    )


def shortfall_line(name: str, shortfall: Shortfall) -> str:
    """Say what an implementation declares and does not answer."""
    return (
        f"{one_line(name)} says that it shows {shortfall.stage}, and did not in {shortfall.unanswered:,} of "
        f"{shortfall.asked:,} cases (99 % have to be answered)"
    )
