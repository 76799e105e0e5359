"""Results of implementations in runs of the suite, requirement by requirement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.results.page import Cell, Matrix, State
from tokenizer_conformance.results.records.ending import Ending
from tokenizer_conformance.results.records.lines import opened, read_lines
from tokenizer_conformance.results.records.suite_run import FORMAT, Requirement
from tokenizer_conformance.validation.badge.badge import badge_of
from tokenizer_conformance.validation.badge.reading import read_suite_record
from tokenizer_conformance.validation.suite.judging import CaseVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tokenizer_conformance.results.records.lines import Opening
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.badge.badge import Badge

STATES: dict[CaseVerdict, State] = {
    CaseVerdict.PASSED: State.AGREE,
    CaseVerdict.FAILED: State.DIFFER,
    CaseVerdict.KNOWN: State.KNOWN,
    CaseVerdict.ERROR: State.ERROR,
}
"""The outcome of a requirement; any other verdict says that the implementation does not show it."""


@dataclass(frozen=True, slots=True)
class RequirementResult:
    """The result of a requirement: its ``state``, the place to ``blame``, and what is ``wrong`` with the first case."""

    state: State
    blame: str
    wrong: str


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
    state = STATES.get(CaseVerdict(line.verdict), State.UNSUPPORTED)
    failures = (failure for case in line.cases for failure in case.failures)
    wrong = next((failure.wrong for failure in failures), "")
    return RequirementResult(state, line.blame or "", wrong)


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
    return Matrix("The suite: areas and implementations", "area", columns, tuple(rows))


GRAVEST = (State.ERROR, State.DIFFER, State.KNOWN, State.AGREE)


def _cell(area: str, results: SuiteResults) -> Cell:
    states = [each.state for each in results.by_area.get(area, {}).values()]
    if not states:
        return Cell(State.NOT_COMPARED, "not asked")
    passed, shown = states.count(State.AGREE), len(states) - states.count(State.UNSUPPORTED)
    state = next((each for each in GRAVEST if each in states), State.UNSUPPORTED)
    leads = state in GRAVEST and state is not State.AGREE
    return Cell(
        state,
        f"{passed:,} of {len(states):,} passed",
        f"{shown:,} of {len(states):,} shown",
        {"implementation": results.implementation, "reason": area} if leads else {},
    )
