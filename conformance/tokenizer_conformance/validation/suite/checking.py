"""Checks of the suite itself: its form, its ids, its words, its coverage, and that no case passes for nothing.

Each check is a function of :data:`CHECKS` and yields what is wrong. A suite in which nothing was found because there
was nothing to look at is wrong too.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import jsonschema

from tokenizer_conformance.validation.suite.coverage import coverage, wanted_cells
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.null_implementations import NULL_IMPLEMENTATIONS
from tokenizer_conformance.validation.suite.reader import schema
from tokenizer_conformance.validation.suite.requirement import FileRefused
from tokenizer_conformance.validation.suite.running import results_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.validation.suite.reader import Register
    from tokenizer_conformance.validation.suite.requirement import Requirement, Suite

ID = re.compile(r"[A-Z0-9]+(-[A-Z0-9]+)*")

LONGEST_TITLE = 100
LONGEST_RULE = 700

AVOIDED = re.compile(r"\b(should|shall|obviously|simply|just|etc|stuff|magic|basically|TODO|FIXME)\b", re.IGNORECASE)
"""Words that a rule does not need: it says what is, not what is wished for."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A suite, every id that it ever had, and its files: their names and what they say."""

    suite: Suite
    register: Register
    files: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with the suite, and where."""

    place: str
    what: str


def check_suite(checked: Checked) -> Iterator[Problem]:
    """Yield what is wrong with a suite."""
    for check in CHECKS:
        yield from check(checked)


def well_formed(checked: Checked) -> Iterator[Problem]:
    """Yield where the files are not in the form that the schema describes."""
    validator = jsonschema.Draft202012Validator(schema())
    for name, content in checked.files.items():
        for error in validator.iter_errors(content):
            yield Problem(f"{name} {error.json_path}", error.message)


def unique_ids(checked: Checked) -> Iterator[Problem]:
    """Yield ids that are no ids, or stand twice; and names of cases that stand twice in a requirement."""
    counts = Counter(requirement.id for _, requirement in checked.suite.requirements())
    if not counts:
        yield Problem("suite", "has no requirement")
    for id_, count in counts.items():
        if count > 1:
            yield Problem(id_, f"{count} requirements have this id")
        if not ID.fullmatch(id_):
            yield Problem(id_, "an id has capital letters and digits, and single hyphens between them")
    for case, count in Counter(case.id for case in checked.suite.cases()).items():
        if count > 1:
            yield Problem(case, f"{count} cases have this name")


def stable_ids(checked: Checked) -> Iterator[Problem]:
    """Yield ids that were given once and are gone without a reason, and those that the register does not have."""
    present = {requirement.id for _, requirement in checked.suite.requirements()}
    for id_ in checked.register.ids:
        if id_ not in present and id_ not in checked.register.retired:
            yield Problem(id_, "the requirement is gone; an id is for ever, or retired with a reason")
    for id_ in sorted(present - set(checked.register.ids)):
        yield Problem(id_, "is not in the register of ids; run tools/generate_requirements.py")


def words(checked: Checked) -> Iterator[Problem]:
    """Yield texts that are not in the style of the house."""
    for _, requirement in checked.suite.requirements():
        yield from _words_of(requirement)
    titles = Counter((area.name, requirement.title) for area, requirement in checked.suite.requirements())
    for (area, title), count in titles.items():
        if count > 1:
            yield Problem(area, f"{count} requirements have the title {title!r}")


def _words_of(requirement: Requirement) -> Iterator[Problem]:
    id_ = requirement.id
    if not requirement.title or len(requirement.title) > LONGEST_TITLE or requirement.title.endswith("."):
        yield Problem(id_, f"a title has 1 to {LONGEST_TITLE} characters and no full stop")
    for name, text in (("rule", requirement.rule), ("why", requirement.why)):
        if not text.endswith((".", ")", "?")) or len(text) > LONGEST_RULE or "\n" in text:
            yield Problem(id_, f"the {name} is one paragraph of at most {LONGEST_RULE} characters, and ends like one")
        if found := AVOIDED.search(text):
            yield Problem(id_, f"the {name} says {found[0]!r}; say what is")


def cases_of_requirements(checked: Checked) -> Iterator[Problem]:
    """Yield requirements without cases and without a reason, cases without steps, and tokenizers that nobody uses."""
    for area, requirement in checked.suite.requirements():
        if bool(requirement.cases) is bool(requirement.not_asked):
            yield Problem(requirement.id, "a requirement has either cases, or a reason why it has none")
        for case in requirement.cases:
            if all(isinstance(step, FileRefused) for step in case.steps):
                yield Problem(f"{requirement.id}[{case.name}]", "asks nothing that a working tokenizer answers")
            if case.tokenizer not in area.tokenizers:
                yield Problem(f"{requirement.id}[{case.name}]", f"names the tokenizer {case.tokenizer!r}")
    for area in checked.suite.areas:
        used = {case.tokenizer for requirement in area.requirements for case in requirement.cases}
        for name in sorted(set(area.tokenizers) - used):
            yield Problem(area.name, f"no case uses the tokenizer {name!r}")


def covered(checked: Checked) -> Iterator[Problem]:
    """Yield components, options and values that no case has."""
    counts = coverage(checked.suite)
    for cell in wanted_cells():
        if not counts[cell]:
            what = f"{cell.option} = {cell.value}" if cell.option else "the component"
            yield Problem(cell.component, f"no case has {what}")


def telling(checked: Checked) -> Iterator[Problem]:
    """Yield cases that an implementation passes which does nothing right."""
    cases = tuple(checked.suite.cases())
    begun = tuple(replace(each, case=replace(each.case, steps=each.case.steps[:1])) for each in cases)
    for implementation in NULL_IMPLEMENTATIONS:
        # A case passes only if its first step does: few are left to be asked whole.
        first = zip(cases, results_of(begun, implementation, reads_files=False), strict=True)
        left = [case for case, result in first if result.verdict is CaseVerdict.PASSED]
        for result in results_of(left, implementation, reads_files=False):
            if result.verdict is CaseVerdict.PASSED:
                yield Problem(result.judged.id, f"passes for {implementation.info.name!r}, which does nothing right")


CHECKS = (well_formed, unique_ids, stable_ids, words, cases_of_requirements, covered, telling)
