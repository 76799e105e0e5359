"""The problems of a run: one numbered list of what was found, with the causes.

A finding has its number as soon as its tokenizer is finished; over all tokenizers they are counted on. A cause that is
found afterwards is told at the first finding whose text shows it, and of which it explains more than any other such
cause does. What else a finding has for causes are problems of their own, with numbers after those of all findings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.wording import reason_in_words, what_differs
from tokenizer_conformance.comparison.verdicts import NO_ANSWER
from tokenizer_conformance.comparison.wording import error_in_words
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.running.events import WhyNot
from tokenizer_conformance.validation.running.wording import own_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.validation.running.events import TokenizerFinished
    from tokenizer_conformance.validation.running.wording import FindingGroup

MOST_FIELDS = 2
"""How many fields are named on one line."""

WHY_NOT = {
    WhyNot.TIME: "not analysed, the time for causes was spent",
    WhyNot.MANY: "not analysed, there were too many",
    WhyNot.GONE: "not there again, or only after an earlier stage",
    WhyNot.BESIDE: "not explained, only the known cause beside it was found",
    WhyNot.ERROR: "not analysed, an internal error came before",
    WhyNot.INTERRUPTED: "not analysed, the search for causes was interrupted",
}
"""Why differences have no cause, in words."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of a run, by its ``number``.

    ``finding`` is the finding, on the ``tokenizer``; ``None`` where it is a further cause of findings. ``cause`` is the
    one that is told here. The finding has so many ``differences``, of which ``by_other`` have the cause that the
    problem ``same_as`` tells. ``findings`` are the numbers of all findings that the cause explains. ``not_analysed``
    says why the finding, or a part of it, has no cause.
    """

    number: int
    tokenizer: str
    finding: FindingGroup | None
    cause: Cause | None = None
    differences: int = 0
    by_other: int = 0
    same_as: int | None = None
    findings: tuple[int, ...] = ()
    not_analysed: str = ""

    @property
    def line(self) -> str:
        """What it is, on one line, without its number."""
        return f"{one_line(self.tokenizer)}, {self._what}{f': {self.reason}' if self.reason else ''}"

    @property
    def reason(self) -> str:
        """Why it is so, as far as that is known; empty where nobody looked."""
        parts = [reason_in_words(self.cause)] if self.cause is not None else []
        if self.same_as is not None:
            is_all = self.by_other == self.differences
            part = f"{self.by_other:,} of {self.differences:,} differences have the cause of {self.same_as}"
            parts.append(f"same cause as {self.same_as}" if is_all else part)
        parts += [self.not_analysed] if self.not_analysed else []
        return "; ".join(parts)

    @property
    def _what(self) -> str:
        if self.finding is not None:
            return _of_finding(self.finding)
        assert self.cause is not None  # noqa: S101 - it is one or the other
        cause = self.cause
        of = f", part of {', '.join(map(str, self.findings))}" if self.findings else ""
        at = f"{one_line(cause.implementation)} at {cause.witness.stage}"
        return f"{at}: {what_differs(cause)} ({counted(cause.inputs, 'input')}{of})"


def _of_finding(group: FindingGroup) -> str:
    signature = group.shown.signature
    fields = [str(each.signature.field) for each in group.findings if each.signature.field is not None]
    named = ", ".join(fields[:MOST_FIELDS]) + (f" and {len(fields) - MOST_FIELDS} more" if fields[MOST_FIELDS:] else "")
    inputs = max(each.inputs for each in group.findings)
    return (
        f"{one_line(signature.implementation)} at {signature.stage}: {named or _error(group)} "
        f"({counted(inputs, 'input')})"
    )


def _error(group: FindingGroup) -> str:
    """Return what there was in the place of an answer, with the error."""
    error = error_in_words(group.example.difference)
    return group.shown.signature.kind.value + (f" ({error})" if error else "")


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A finding with its number, and how many of its differences each cause explains, by the place of the cause.

    Of these its text can show the causes ``shown``; what it says of others would not be true of that text.
    """

    number: int
    finished: TokenizerFinished
    group: FindingGroup
    causes: dict[int, int]
    shown: frozenset[int]

    @property
    def main(self) -> int | None:
        """The place of the cause that explains the most."""
        return self._first(self.causes)

    @property
    def own(self) -> int | None:
        """The place of the cause that explains the most of those that its text can show."""
        return self._first(self.shown)

    def _first(self, places: Iterable[int]) -> int | None:
        return max(sorted(places), key=lambda place: self.causes[place], default=None)


def problems_of(tokenizers: Iterable[TokenizerFinished], causes: Sequence[Cause]) -> list[Problem]:
    """Return the problems that were found on ``tokenizers``, in the order of the run, with their ``causes``."""
    numbered = list(_numbered(tokenizers, causes))
    told_at: dict[int, int] = {}
    for each in numbered:
        if each.own is not None:
            told_at.setdefault(each.own, each.number)
    further = (place for place in range(len(causes)) if place not in told_at)
    told_at |= dict(zip(further, range(len(numbered) + 1, len(numbered) + len(causes) + 1), strict=False))
    explained = {place: tuple(each.number for each in numbered if place in each.causes) for place in range(len(causes))}
    found = [_of_numbered(each, causes, told_at, explained) for each in numbered]
    return found + [
        Problem(number, causes[place].witness.source.name, None, causes[place], findings=explained[place])
        for place, number in told_at.items()
        if number > len(numbered)
    ]


def _numbered(tokenizers: Iterable[TokenizerFinished], causes: Sequence[Cause]) -> Iterator[_Numbered]:
    number = 0
    for finished in tokenizers:
        for group in own_groups(finished):
            number += 1
            signatures = {each.signature for each in group.findings}
            counts = {
                place: count
                for place, cause in enumerate(causes)
                if (count := sum(cause.findings.get(each, 0) for each in signatures))
            }
            shown = frozenset(place for place in counts if shows(causes[place], group))
            yield _Numbered(number, finished, group, counts, shown)


def _of_numbered(
    each: _Numbered, causes: Sequence[Cause], told_at: dict[int, int], explained: dict[int, tuple[int, ...]]
) -> Problem:
    place, main = each.own, each.main
    is_told_here = place is not None and told_at[place] == each.number
    is_other = main is not None and told_at[main] != each.number
    signatures = {finding.signature for finding in each.group.findings}
    left = sum(one.differences for one in each.finished.unexamined if one.signature in signatures)
    return Problem(
        each.number,
        each.finished.tokenizer,
        each.group,
        causes[place] if place is not None and is_told_here else None,
        sum(each.causes.values()) + left,
        each.causes[main] if main is not None and is_other else 0,
        told_at[main] if main is not None and is_other else None,
        explained[place] if place is not None and is_told_here else (),
        _not_analysed(each),
    )


def shows(cause: Cause, group: FindingGroup) -> bool:
    """Return whether the question of ``cause`` shows what ``group`` is about: the same difference, on its tokenizer."""
    witness = cause.shown
    of_cause = (witness.source.name, witness.stage, witness.difference.kind, witness.difference.field)
    signatures = (each.signature for each in group.findings)
    return any(of_cause == (each.tokenizer, each.stage, each.kind, each.field) for each in signatures)


def _not_analysed(each: _Numbered) -> str:
    """Say why the finding has no cause, or how many of its differences have none."""
    signatures = {finding.signature for finding in each.group.findings}
    left = [one for one in each.finished.unexamined if one.signature in signatures]
    if not each.causes and not left:
        was_sought = bool(each.finished.causes or each.finished.unexamined)
        has_answer = each.group.shown.signature.verdict not in NO_ANSWER
        return "only beside other findings" if was_sought and has_answer and _is_told_of_findings(each) else ""
    if not each.causes and len(left) == 1:
        return WHY_NOT[left[0].why]
    return ", ".join(f"{counted(one.differences, 'difference')} {WHY_NOT[one.why]}" for one in left)


def _is_told_of_findings(each: _Numbered) -> bool:
    """Whether the record says which findings causes explain; those of earlier releases do not."""
    return bool(each.finished.unexamined) or any(cause.findings for cause in each.finished.causes)
