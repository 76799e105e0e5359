"""Records of ``tokconf fuzz`` on random tokenizers: findings by signature."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
from tokenizer_conformance.results.records.fuzz import FORMAT
from tokenizer_conformance.results.records.lines import Ending, Opening, read_lines
from tokenizer_conformance.results.records.node import ShapeError

if TYPE_CHECKING:
    from tokenizer_conformance.releases.diff.records.matching import Matching
    from tokenizer_conformance.results.records.node import Node

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


def parties(header: Node) -> list[Party]:
    """Return who was asked."""
    baseline = header.node("baseline")
    first = Party(baseline.text("name"), baseline.text("version"), is_baseline=True)
    return [first, *(each for each in parties_in(header, "implementations") if each.name != first.name)]


def remarks(then: Node, now: Node, matching: Matching) -> list[str]:
    """Say what two headers do not have in common."""
    found = environment_remarks(then, now)
    if found:
        found = [f"{found[0]}: another release may make other tokenizers and texts of the same numbers"]
    was, is_ = (each.node("baseline").text("name") for each in (then, now))
    if matching.name(was) != is_:
        found.append(f"another baseline: {shown(was)} then, {shown(is_)} now")
    return found + value_remarks(then, now, QUESTIONS)


def read(opening: Opening, ending: Ending, matching: Matching) -> FuzzSide:
    """Read the record. Raises :class:`BadInputError`."""
    header = opening.header
    side = FuzzSide(
        baseline=matching.name(header.node("baseline").text("name")),
        names={each.name: matching.name(each.name) for each in parties(header)},
        asked=(header.node("environment").text("tokconf"), *(header.node(key).value for key in QUESTIONS)),
    )
    read_lines(opening, ending, _Reading(side, header.node("baseline").text("name")).take)
    return side


class _Reading:
    def __init__(self, side: FuzzSide, baseline: str) -> None:
        self._side = side
        self._baseline = baseline

    def take(self, kind: str, line: Node) -> None:
        match kind:
            case "implementation_missing":
                name = line.text("name")
                self._side.refused[self._side.names.get(name, name)] = line.text("reason")
            case "result":
                self._result(line)
            case "finding":
                self._finding(line)
            case "footer":
                self._side.figures[Figure("", "", "seconds")] = line.number("seconds")

    def _name(self, line: Node) -> str:
        name = line.text("implementation")
        if name not in self._side.names:
            raise ShapeError(f"{one_line(name, 60)!r} is no implementation of the header")
        return self._side.names[name]

    def _result(self, line: Node) -> None:
        name = self._name(line)
        side = self._side
        side.complete[name] = line.flag("complete")
        side.known[name] = sum(each.count("count") for each in line.nodes("known")) if line.has("known") else 0
        side.values[name] = line.count("values")
        side.lost[name] = line.count("given_up") + line.count("unstable")
        for what in ("tokenizers", "cases", "values", "differences"):
            side.figures[Figure(name, "", what)] = line.count(what)
        key = Key(Aspect.STAGE, name, "", against=side.baseline)
        state = State.SOUND if line.count("values") else State.NOT_COMPARED
        title = f"{one_line(name)}: {line.count('values'):,} values of {line.count('cases'):,} cases"
        side.outcomes[key] = Outcome(key, state, title, why="" if state is State.SOUND else "nothing was compared")

    def _finding(self, line: Node) -> None:
        name, signature = self._name(line), line.texts("signature")
        key = Key(Aspect.FINDING, name, "", signature, self._side.baseline)
        case = line.node("smallest")
        self._side.outcomes[key] = Outcome(
            key,
            State.FAILS,
            f"{one_line(name)}: {one_line(', '.join(filter(None, signature)), 200)}",
            "differ",
            {"tokenizers": line.count("tokenizers")},
            lines=(f"tokenizer number {case.count('number'):,}", *self._lines(name, case)),
            repeat=one_line(line.text("repeat"), 2000),
        )

    def _lines(self, name: str, case: Node) -> tuple[str, ...]:
        found = case.node("found")
        if found.has("refused_by"):
            return (f"refused by {shown(found.value['refused_by'])}: {one_line(found.text('reason'), 200)}",)
        if found.has("token"):
            ids = (shown(found.node(side).value) for side in ("baseline_id", "implementation_id"))
            return ("id of {}: {} in the baseline, {} here".format(quoted(found.text("token")), *ids),)
        return question_lines(case.node("question"), found.node("difference"), (self._baseline, name))


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


FUZZING: Kind[FuzzSide] = Kind("fuzzing", FORMAT, parties, remarks, read, lacks)
