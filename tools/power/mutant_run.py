"""Running the mutants: which the suite kills, and which of the others change an answer."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from power import answers, suite_cases
from power.answers import NothingChanged, Witness
from power.children import Died, each_in_child
from power.suite_cases import DoesNotLoad, Hangs, Killed, Survived
from tokenizer_conformance.escape import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from power.explanations import Explanation
    from power.mutants import Mutant

SECONDS = 600.0
"""How much processor time a mutant may take, for the suite or for what is asked besides."""

RECORDS = 600
"""On how many tokenizers a mutant may change nothing before it is said that it changes nothing."""

LEAST_POWER = 95.0
"""In percent: what the suite must kill of the mutants that change an answer."""

LONGEST_SHOWN = 600


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that no case kills, and what shows that it changes an answer."""

    mutant: Mutant
    witness: Witness
    explanation: Explanation | None

    def text(self) -> str:
        """Return it for people: where, what is changed, and what shows it."""
        lines = [f"SURVIVES  {self.mutant.name}", *(f"    {line}" for line in self.mutant.diff().splitlines())]
        if self.explanation is not None:
            lines.append(f"  explained: {self.explanation.reason}")
        witness = self.witness
        lines += [
            f"  shown by  {witness.name}",
            f"  question  {_shortly(witness.question)}",
            f"  tokenizer {_shortly(witness.document)}",
        ]
        return "\n".join(lines)


def _shortly(text: str) -> str:
    shown = escape(text)
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"


@dataclass(slots=True)
class Tally:
    """What came of the mutants of a module, or of all."""

    mutants: int = 0
    killed: int = 0
    does_not_load: int = 0
    unchanged: int = 0
    survivors: list[Survivor] = field(default_factory=list)

    @property
    def changing(self) -> int:
        """How many mutants change an answer, as far as is known."""
        return self.killed + len(self.survivors)

    @property
    def power(self) -> float:
        """How many of these the suite kills, in percent."""
        return 100.0 * self.killed / self.changing if self.changing else 100.0

    @property
    def unexplained(self) -> int:
        """How many survivors are not explained."""
        return sum(survivor.explanation is None for survivor in self.survivors)

    @property
    def is_enough(self) -> bool:
        """Whether the suite is powerful enough, and every survivor explained."""
        return self.power >= LEAST_POWER and not self.unexplained

    def add(self, other: Tally) -> None:
        """Count what ``other`` counts."""
        self.mutants += other.mutants
        self.killed += other.killed
        self.does_not_load += other.does_not_load
        self.unchanged += other.unchanged
        self.survivors += other.survivors


@dataclass(slots=True)
class MutantResults:
    """What came of all mutants: by module, and by the area whose case killed them."""

    by_module: dict[str, Tally] = field(default_factory=dict)
    killers: Counter[str] = field(default_factory=Counter)

    def of(self, mutant: Mutant) -> Tally:
        """Return the tally of the module of ``mutant``."""
        return self.by_module.setdefault(mutant.site.module, Tally())

    @property
    def whole(self) -> Tally:
        """The tally of all modules."""
        whole = Tally()
        for tally in self.by_module.values():
            whole.add(tally)
        return whole


def run_mutants(
    mutants: Sequence[Mutant],
    groups: Sequence[suite_cases.Group],
    record: Callable[[], Sequence[answers.Recorded]],
    explanations: Sequence[Explanation],
    jobs: int,
    progress: Callable[[str], None],
) -> MutantResults:
    """Ask the suite's cases about ``mutants``; of those that survive, ask whether they change an answer at all.

    ``record`` is called for the answers of the unchanged reference where any survive; ``progress`` is told what is
    done.
    """
    results = MutantResults()
    survived: list[Mutant] = []

    def ask_suite(mutant: Mutant) -> DoesNotLoad | Hangs | Killed | Survived:
        ordered = suite_cases.in_order(groups, mutant.site.module, mutant.lines())
        return suite_cases.first_failure(mutant.change, ordered)

    for done, (index, outcome) in enumerate(each_in_child(ask_suite, mutants, jobs, SECONDS), 1):
        mutant = mutants[index]
        tally = results.of(mutant)
        tally.mutants += 1
        match outcome:
            case DoesNotLoad():
                tally.does_not_load += 1
            case Survived():
                survived.append(mutant)
            case Killed(requirement):
                tally.killed += 1
                results.killers[requirement] += 1
            case Hangs() | Died():
                tally.killed += 1
        progress(f"the suite: {done} of {len(mutants)} mutants, {len(survived)} not killed")
    if survived:
        _tell_equivalent(survived, record(), explanations, jobs, progress, results)
    return results


def _tell_equivalent(
    survived: Sequence[Mutant],
    records: Sequence[answers.Recorded],
    explanations: Sequence[Explanation],
    jobs: int,
    progress: Callable[[str], None],
    results: MutantResults,
) -> None:
    def ask_answers(mutant: Mutant) -> Witness | NothingChanged:
        ordered = answers.in_order(records, mutant.site.module, mutant.lines(), RECORDS)
        return answers.first_change(mutant.change, ordered)

    for done, (index, found) in enumerate(each_in_child(ask_answers, survived, jobs, SECONDS), 1):
        mutant = survived[index]
        tally = results.of(mutant)
        match found:
            case NothingChanged():
                tally.unchanged += 1
            case Witness():
                tally.survivors.append(Survivor(mutant, found, _explanation(mutant, explanations)))
            case Died(how):
                witness = Witness("the questions besides the suite", "", f"its process died: {how}")
                tally.survivors.append(Survivor(mutant, witness, _explanation(mutant, explanations)))
        progress(f"other questions: {done} of {len(survived)} mutants")


def _explanation(mutant: Mutant, explanations: Iterable[Explanation]) -> Explanation | None:
    return next((each for each in explanations if each.explains(mutant)), None)


# Report --------------------------------------------------------------------------------------------------------------

_COLUMNS = ("mutants", "killed", "no answer changed", "does not load", "survive", "explained", "power")


def report(results: MutantResults) -> str:
    """Return the survivors and the table for people."""
    whole = results.whole
    parts = [survivor.text() for survivor in whole.survivors]
    width = max([len("module"), *map(len, results.by_module)])
    rows = ["  ".join([f"{'module':<{width}}", *_COLUMNS])]
    rows += [_row(name, tally, width) for name, tally in sorted(results.by_module.items())]
    rows.append(_row("all", whole, width))
    killers = ", ".join(f"{requirement} {count}" for requirement, count in results.killers.most_common(10))
    parts += ["\n".join(rows), f"most mutants are killed by: {killers or 'nothing'}"]
    parts.append(
        f"power: {whole.killed} of {whole.changing} mutants that change an answer are killed: {whole.power:.1f} % "
        f"(at least {LEAST_POWER:g} % are wanted); {whole.unexplained} survivors are not explained"
    )
    return "\n\n".join(parts)


def _row(name: str, tally: Tally, width: int) -> str:
    explained = len(tally.survivors) - tally.unexplained
    cells = (
        str(tally.mutants),
        str(tally.killed),
        str(tally.unchanged),
        str(tally.does_not_load),
        str(len(tally.survivors)),
        str(explained),
        f"{tally.power:.1f} %",
    )
    return "  ".join(
        [f"{name:<{width}}", *(f"{cell:>{len(column)}}" for cell, column in zip(cells, _COLUMNS, strict=True))]
    )


def survivor_line(survivor: Survivor) -> str:
    """Return a survivor as a line of JSON, with the whole tokenizer."""
    return json.dumps(
        {
            "module": survivor.mutant.site.module,
            "line": survivor.mutant.site.line,
            "text": survivor.mutant.line_text,
            "operator": survivor.mutant.site.operator,
            "diff": survivor.mutant.diff(),
            "explained": survivor.explanation is not None,
            "name": survivor.witness.name,
            "question": survivor.witness.question,
            "tokenizer": survivor.witness.document,
        }
    )
