"""Results of implementations in runs of the suite, requirement by requirement."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.results.page import Matrix, State
from tokenizer_conformance.results.records.ending import Ending
from tokenizer_conformance.results.records.lines import opened, read_lines
from tokenizer_conformance.results.records.suite_run import FORMAT, Requirement
from tokenizer_conformance.validation.badge.badge import badge_of
from tokenizer_conformance.validation.badge.reading import read_suite_record
from tokenizer_conformance.validation.suite.alike import WRONG, is_not_loaded, rank_of, what_is_wrong
from tokenizer_conformance.validation.suite.cells import WORDS as CELL_WORDS
from tokenizer_conformance.validation.suite.cells import cell_of, state_of
from tokenizer_conformance.validation.suite.judging import CaseVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tokenizer_conformance.results.page import Cell
    from tokenizer_conformance.results.records.lines import Opening
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.badge.badge import Badge

WORDS: dict[State, str] = {
    State.AGREE: "passes",
    State.DIFFER: "fails",
    State.ERROR: "no answer",
    State.KNOWN: "fails, as is known",
    State.UNSUPPORTED: "not shown",
    State.NOT_COMPARED: "not loaded",
}
"""What an implementation came to on a requirement, in a word or two."""


@dataclass(frozen=True, slots=True)
class RequirementResult:
    """The result of a requirement: its ``verdict``, and of the case to tell it by what is ``wrong``, and where."""

    verdict: CaseVerdict
    is_not_loaded: bool
    blame: str
    wrong: str

    @property
    def state(self) -> State:
        """The state of a cell of it."""
        return state_of(self.verdict, is_not_loaded=self.is_not_loaded)

    @property
    def word(self) -> str:
        """The same in words."""
        return WORDS[self.state]


@dataclass(slots=True)
class SuiteResults:
    """The result of one implementation in a ``record``: by the area and the id of each requirement."""

    implementation: str
    version: str
    record: Path
    by_area: dict[str, dict[str, RequirementResult]] = field(default_factory=dict)
    badge: Badge | None = None

    @property
    def title(self) -> str:
        """How tables call it: its name and its version."""
        return f"{self.implementation} {self.version}"

    def counts(self) -> Counter[State]:
        """Return how many requirements came to which state."""
        return Counter(result.state for results in self.by_area.values() for result in results.values())

    def of(self, requirement: str) -> RequirementResult | None:
        """Return the result of ``requirement``, ``None`` where it was not asked."""
        return next((results[requirement] for results in self.by_area.values() if requirement in results), None)


def suite_results(records: Iterable[Path]) -> list[SuiteResults]:
    """Return the results of implementations in those of ``records`` that are of the suite.

    Of a version of an implementation that is in several, the one that was asked most counts, of these the one that was
    started last. Raises :class:`BadInputError`.
    """
    found: dict[tuple[str, str], SuiteResults] = {}
    for opening in sorted(_of_suites(records), key=_weight):
        of_record = {
            each.name: SuiteResults(each.name, each.version, opening.path)
            for each in opening.header(FORMAT).implementations
        }

        def take(line: Value, of_record: dict[str, SuiteResults] = of_record) -> None:
            if isinstance(line, Requirement):
                of_area = of_record[line.implementation].by_area.setdefault(line.area, {})
                of_area[line.requirement] = _result(line)

        read_lines(opening, FORMAT, Ending(), take)
        _give_badges(opening.path, of_record)
        found |= {(each.implementation, each.version): each for each in of_record.values()}
    return [found[key] for key in sorted(found)]


def _of_suites(records: Iterable[Path]) -> Iterator[Opening]:
    return (opening for opening in map(opened, records) if opening.schema == FORMAT.name)


def _weight(opening: Opening) -> tuple[int, str]:
    header = opening.header(FORMAT)
    return header.requirements, header.environment.started


def _result(line: Requirement) -> RequirementResult:
    wrong = [case for case in line.cases if CaseVerdict(case.verdict) in WRONG]
    told = min(wrong, key=lambda case: rank_of(case, line.blame), default=None)
    blame, said = ("", "") if told is None else (told.blame or "", f"case {told.case}: {what_is_wrong(told)}")
    return RequirementResult(CaseVerdict(line.verdict), is_not_loaded(wrong), blame, said)


def _give_badges(record: Path, results: dict[str, SuiteResults]) -> None:
    """Give each of ``results`` its badge; a record that is not whole gives none."""
    try:
        whole = read_suite_record(record)
    except BadInputError:
        return
    for judged in whole.judged:
        if judged.complete:
            results[judged.name].badge = badge_of(judged, whole.suite, is_partial=whole.is_partial)


def suite_matrix(results: list[SuiteResults], areas: Iterable[str]) -> Matrix:
    """Return what came of each of the ``areas``, for all implementations beside one another."""
    columns = tuple(each.title for each in results)
    rows = ((area, tuple(_cell(area, each) for each in results)) for area in areas)
    return Matrix("The suite: areas and implementations", "area", columns, tuple(rows), words=CELL_WORDS)


def _cell(area: str, results: SuiteResults) -> Cell:
    judged = ((each.verdict, each.is_not_loaded) for each in results.by_area.get(area, {}).values())
    return cell_of(judged, {"implementation": results.implementation, "reason": area})
