"""Records of ``tokconf fuzz`` on random tokenizers: findings by signature."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import UNSET

from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.releases.diff.records.kinds.kind import (
    Kind,
    environment_remarks,
    parties_in,
    question_lines,
    shown,
    value_remarks,
)
from tokenizer_conformance.releases.diff.records.matching import Party
from tokenizer_conformance.releases.diff.records.outcome import Aspect, Figure, Key, Outcome, State
from tokenizer_conformance.results.records import fuzz
from tokenizer_conformance.results.records.lines import Opening, ShapeError, read_lines

if TYPE_CHECKING:
    from tokenizer_conformance.releases.diff.records.matching import Matching
    from tokenizer_conformance.results.records import search
    from tokenizer_conformance.results.records.ending import Ending
    from tokenizer_conformance.results.records.value import Value

QUESTIONS = {"seed": "--seed", "start": "first tokenizer", "tokenizers": "tokenizers", "texts": "texts for each"}
"""What decides which questions are asked, with the words for it."""


@dataclass(slots=True)
class FuzzSide:
    """A record of fuzzing, read. ``asked`` decides which questions were put; ``known`` counts known differences."""

    baseline: str
    names: dict[str, str]
    asked: tuple[object, ...]
    outcomes: dict[Key, Outcome] = field(default_factory=dict)
    figures: dict[Figure, float] = field(default_factory=dict)
    complete: dict[str, bool] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    values: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def parties(header: fuzz.Header | search.Header) -> list[Party]:
    """Return who was asked."""
    first = Party(header.baseline.name, header.baseline.version, is_baseline=True)
    return [first, *(each for each in parties_in(header.implementations) if each.name != first.name)]


def remarks(then: fuzz.Header, now: fuzz.Header, matching: Matching) -> list[str]:
    """Say what two headers do not have in common."""
    found = environment_remarks(then, now)
    if found:
        found = [f"{found[0]}: another release may make other tokenizers and texts of the same numbers"]
    was, is_ = then.baseline.name, now.baseline.name
    if matching.name(was) != is_:
        found.append(f"another baseline: {shown(was)} then, {shown(is_)} now")
    return found + value_remarks(then, now, QUESTIONS)


def read(opening: Opening, ending: Ending, matching: Matching) -> FuzzSide:
    """Read the record. Raises :class:`BadInputError`."""
    header: fuzz.Header = opening.header(fuzz.FORMAT)
    side = FuzzSide(
        baseline=matching.name(header.baseline.name),
        names={each.name: matching.name(each.name) for each in parties(header)},
        asked=(header.environment.tokconf, *(getattr(header, key) for key in QUESTIONS)),
    )
    read_lines(opening, fuzz.FORMAT, ending, _Reading(side, header.baseline.name).take)
    return side


class _Reading:
    def __init__(self, side: FuzzSide, baseline: str) -> None:
        self._side = side
        self._baseline = baseline

    def take(self, line: Value) -> None:
        match line:
            case fuzz.ImplementationMissing():
                self._side.refused[self._side.names.get(line.name, line.name)] = line.reason
            case fuzz.Result():
                self._result(line)
            case fuzz.Finding():
                self._finding(line)
            case fuzz.Footer():
                self._side.figures[Figure("", "", "seconds")] = line.seconds

    def _name(self, name: str) -> str:
        if name not in self._side.names:
            raise ShapeError(f"{one_line(name, 60)!r} is no implementation of the header")
        return self._side.names[name]

    def _result(self, line: fuzz.Result) -> None:
        name = self._name(line.implementation)
        side = self._side
        side.complete[name] = line.complete
        side.known[name] = sum(each.count for each in line.known)
        side.values[name] = line.values
        side.lost[name] = line.given_up + line.unstable
        for what in ("tokenizers", "cases", "values", "differences"):
            side.figures[Figure(name, "", what)] = getattr(line, what)
        key = Key(Aspect.STAGE, name, "", against=side.baseline)
        state = State.SOUND if line.values else State.NOT_COMPARED
        title = f"{one_line(name)}: {line.values:,} values of {line.cases:,} cases"
        side.outcomes[key] = Outcome(key, state, title, why="" if state is State.SOUND else "nothing was compared")

    def _finding(self, line: fuzz.Finding) -> None:
        name = self._name(line.implementation)
        key = Key(Aspect.FINDING, name, "", line.signature, self._side.baseline)
        self._side.outcomes[key] = Outcome(
            key,
            State.FAILS,
            f"{one_line(name)}: {one_line(', '.join(filter(None, line.signature)), 200)}",
            "differ",
            {"tokenizers": line.tokenizers},
            lines=(f"tokenizer number {line.smallest.number:,}", *self._lines(name, line.smallest)),
            repeat=one_line(line.repeat, 2000),
        )

    def _lines(self, name: str, case: fuzz.Case) -> tuple[str, ...]:
        found = case.found
        if found.refused_by is not UNSET:
            return (f"refused by {found.refused_by}: {one_line(found.reason or '', 200)}",)
        if found.token is not UNSET:
            ids = (shown(each) for each in (found.baseline_id, found.implementation_id))
            return ("id of {}: {} in the baseline, {} here".format(quoted(found.token), *ids),)
        if found.difference is UNSET or case.question is None:
            raise ShapeError("a difference without a question")
        return question_lines(case.question, found.difference, (self._baseline, name))


def lacks(side: FuzzSide, other: FuzzSide, outcome: Outcome) -> str:
    """Say why ``side`` could not have found ``outcome``, which ``other`` may have; empty where it would have."""
    name = outcome.key.implementation
    if name in side.refused:
        return one_line(side.refused[name])
    if name not in side.names.values():
        return f"{one_line(name)} was not asked"
    if side.baseline != other.baseline:
        return "the baseline is another one"
    if side.asked != other.asked:
        return "other tokenizers and texts were made (--seed, --start, --tokenizers, or another release of tokconf)"
    if not side.complete.get(name, False):
        return "fuzzing did not finish"
    return _lacks_answers(side, other, name) if outcome.key.aspect is Aspect.FINDING else ""


def _lacks_answers(side: FuzzSide, other: FuzzSide, name: str) -> str:
    if side.known.get(name, 0) > other.known.get(name, 0):
        return "a ledger knows more differences, which are no findings"
    if side.lost.get(name, 0) > other.lost.get(name, 0):
        return "more answers were given up, or unstable"
    if side.values.get(name, 0) < other.values.get(name, 0):
        return "fewer values were compared"
    return ""


FUZZING: Kind[FuzzSide] = Kind("fuzzing", fuzz.FORMAT, parties, remarks, read, lacks)
