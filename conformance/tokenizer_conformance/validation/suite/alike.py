"""Requirements as a record judged them, and those that fail grouped by what they have in common.

A port that does not know one component fails a hundred requirements with one error text: that is one thing to mend. So
failures of an implementation at one place with the same words, numbers aside, stand together; the groups with the most
core requirements come first.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import one_line
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.requirement import Importance

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.results.records import suite_run as lines

WRONG = (CaseVerdict.ERROR, CaseVerdict.FAILED, CaseVerdict.KNOWN)
"""The verdicts of requirements that an implementation does not pass."""

REFUSED = re.compile(r"^is not loaded: .*? cannot load \S+(?: \(.*?\))?: ")
"""How the words begin about a tokenizer that is not loaded; the name of its file is another one each time."""

OF_ONE = re.compile(r"\d+|'[^']*'|\bNone\b")
"""What is another one in each of many failures of one kind: a number, a quoted token."""

LONGEST = 120
"""How many characters of what is wrong are told of a group."""


@dataclass(frozen=True, slots=True)
class JudgedRequirement:
    """The result of a requirement: the verdict, how many ``cases`` there are and how many are wrong.

    ``case`` is the smallest of these, ``None`` where there is none. ``reason`` is the first reason why nothing is said.
    ``is_not_loaded`` says that all that is wrong is that tokenizers are not loaded: then nothing was compared.
    """

    implementation: str
    area: str
    requirement: str
    importance: Importance
    verdict: CaseVerdict
    blame: str
    cases: int
    wrong: int
    known: tuple[str, ...]
    reason: str
    case: lines.Case | None
    is_not_loaded: bool

    @property
    def is_compared(self) -> bool:
        """Whether an answer was compared with what is expected."""
        return self.verdict is not CaseVerdict.UNSUPPORTED and not self.is_not_loaded


@dataclass(frozen=True, slots=True)
class Alike:
    """Requirements that an implementation does not pass, with ``what`` is wrong in common, at one ``place``."""

    implementation: str
    place: str
    what: str
    requirements: tuple[JudgedRequirement, ...]

    @property
    def core(self) -> int:
        """How many of them matter for everyday text."""
        return sum(each.importance is Importance.CORE for each in self.requirements)

    @property
    def first(self) -> JudgedRequirement:
        """The one to look at first: the most important."""
        return min(self.requirements, key=lambda each: list(Importance).index(each.importance))

    @property
    def rank(self) -> tuple[bool, bool, int, int]:
        """What groups are ordered by: what is known last, errors first, then core, then the many."""
        verdicts = {each.verdict for each in self.requirements}
        is_known = verdicts == {CaseVerdict.KNOWN}
        return is_known, CaseVerdict.ERROR not in verdicts, -self.core, -len(self.requirements)


def groups_of(judged: Iterable[JudgedRequirement]) -> list[Alike]:
    """Return those of ``judged`` that are wrong in groups: the gravest of each implementation first, then the next."""
    groups: dict[object, list[JudgedRequirement]] = {}
    for each in judged:
        if each.case is not None:
            is_known = each.verdict is CaseVerdict.KNOWN
            key = each.implementation, each.blame, OF_ONE.sub("", what_is_wrong(each.case)), is_known
            groups.setdefault(key, []).append(each)
    found = [_alike(requirements) for requirements in groups.values()]
    place: Counter[str] = Counter()
    turns: list[tuple[bool, int, Alike]] = []
    for group in sorted(found, key=lambda group: group.rank):
        turns.append((group.rank[0], place[group.implementation], group))
        place[group.implementation] += 1
    return [group for *_, group in sorted(turns, key=lambda turn: turn[:2])]


def _alike(requirements: list[JudgedRequirement]) -> Alike:
    first = requirements[0]
    what = "" if first.case is None else what_is_wrong(first.case)
    return Alike(first.implementation, first.blame, one_line(what, LONGEST), tuple(requirements))


def what_is_wrong(case: lines.Case) -> str:
    """Return what is wrong with a case in the words that like failures have in common.

    Where no answer came at all, that is what is wrong, whatever else differs.
    """
    failures = case.failures
    if CaseVerdict(case.verdict) is CaseVerdict.ERROR:
        failures = tuple(each for each in failures if each.difference is None) or failures
    if not failures:
        return case.verdict
    first = failures[0]
    if first.difference is not None:
        field = first.difference.field
        return first.wrong if field is None else f"{field}: {first.wrong}"
    if _is_refusal(first):
        return f"not loaded: {REFUSED.sub('', first.wrong).removeprefix('is not loaded: ')}"
    return first.wrong


def is_not_loaded(wrong: Iterable[lines.Case]) -> bool:
    """Return whether all that is wrong with the cases that are ``wrong`` is that a tokenizer is not loaded."""
    found = [(case.verdict, each) for case in wrong for each in case.failures]
    return bool(found) and all(verdict == "failed" and _is_refusal(each) for verdict, each in found)


def rank_of(case: lines.Case, blame: str | None) -> tuple[int, bool, bool]:
    """Return what the wrong cases of a requirement are ordered by, to tell it by the first of them.

    The gravest come first, of these those whose tokenizer is loaded, and then those that ``blame`` the same place.
    """
    return WRONG.index(CaseVerdict(case.verdict)), is_not_loaded([case]), case.blame != blame


def _is_refusal(failure: lines.Failure) -> bool:
    return failure.step is None and failure.place == "load"
