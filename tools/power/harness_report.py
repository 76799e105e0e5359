"""What came of the mutants of the harness and the adapters: kept results, goals, the report, and the page."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from published.measuring import read_measured
from published.shares import interval, percent
from tabulate import tabulate

from power.explanations import OF_HARNESS, read_explanations
from power.rooms import LEFT_OUT_MODULES, LEFT_OUT_MUTANTS, STRICT, room_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from power.explanations import Explanation

TOOL = "harness_power"

LEAST = 95.0
"""In percent: how many of the mutants that change something the default tests must see, over all rooms."""


SEEN, NOT_SEEN, NOT_COVERED, DOES_NOT_LOAD = "seen", "not seen", "not covered", "does not load"
"""What may come of a mutant: a test fails; none does; none runs the line; its module cannot be imported."""

Key = tuple[str, str, int, str]
"""What a mutant is known by: its module, operator, occurrence, and the digest of the module's source."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a mutant, and all that is told of it.

    ``source`` is a digest of the module's source: as long as it is the same, so is the mutant. ``by`` is the test that
    failed, ``how`` what else it did: it hung, or ended the whole run. ``tests`` is how many run the line, ``basis`` a
    digest of those that were to be run, ``ran`` how many were. ``seconds`` are of the processor.
    """

    module: str
    operator: str
    occurrence: int
    source: str
    outcome: str
    line: int
    text: str
    diff: str
    tests: int
    basis: str
    ran: int = 0
    by: str = ""
    how: str = ""
    seconds: float = 0.0

    @property
    def key(self) -> Key:
        """What the mutant is known by."""
        return self.module, self.operator, self.occurrence, self.source


# Kept results ---------------------------------------------------------------------------------------------------------


def read_results(file: Path) -> dict[Key, Result]:
    """Return the results in ``file``, the last of each mutant; a last line that was cut off is left out."""
    if not file.is_file():
        return {}
    results: dict[Key, Result] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            result = Result(**json.loads(line))
        except ValueError:
            continue
        results[result.key] = result
    return results


def write_result(file: Path, result: Result) -> None:
    """Append ``result`` to ``file``."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")


def still_holds(result: Result, basis: str, *, again: bool) -> bool:
    """Whether a kept ``result`` needs no new run; ``basis`` is what would be run now.

    That a test fails holds as long as the module is as it was. That none does may have changed with the tests: it is
    asked ``again`` where that is wanted, or where other tests run the line.
    """
    return result.outcome in (SEEN, DOES_NOT_LOAD) or (result.basis == basis and not again)


def results_in(lines: Iterable[dict[str, Any]]) -> list[Result]:
    """Return the results in the ``lines`` of a record, the last of each mutant, by modules and lines."""
    last = {result.key: result for result in (Result(**line["mutant"]) for line in lines)}
    return sorted(last.values(), key=lambda result: (result.module, result.line, result.operator, result.occurrence))


# Tallies --------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Tally:
    """How many mutants of a module, a room, or of all came to what."""

    seen: int = 0
    does_not_load: int = 0
    explained: list[Result] = field(default_factory=list)
    not_seen: list[Result] = field(default_factory=list)

    def add(self, result: Result, reason: str | None) -> None:
        """Count ``result``; ``reason`` explains why nothing need see it."""
        match result.outcome:
            case outcome if outcome == SEEN:
                self.seen += 1
            case outcome if outcome == DOES_NOT_LOAD:
                self.does_not_load += 1
            case _ if reason is not None:
                self.explained.append(result)
            case _:
                self.not_seen.append(result)

    @property
    def mutants(self) -> int:
        """How many there are."""
        return self.changing + self.does_not_load + len(self.explained)

    @property
    def changing(self) -> int:
        """How many change something, as far as is known."""
        return self.seen + len(self.not_seen)

    @property
    def power(self) -> float:
        """How many of these are seen, in percent."""
        return percent(self.seen, self.changing)

    @property
    def interval(self) -> str:
        """Between which shares that of all mutants that can be drawn lies."""
        return interval(self.seen, self.changing)

    def cells(self) -> list[str]:
        """Return the numbers of a row of the table."""
        numbers = (self.mutants, self.seen, len(self.not_seen), len(self.explained), self.does_not_load)
        return [*map(str, numbers), f"{self.power:.1f} %"]


MADE = """small changes of the source, made by the operators of `cosmic-ray` and one that deletes a statement. \
For each, the default tests that run the changed line are run, the quick ones first, to the first that fails, and no \
more than"""

WANTED = f"wanted: {LEAST:g} %, and all in the rooms {', '.join(STRICT)}"

REASONS = """`tools/power/explained_harness_mutants.toml` has the reasons, which were found by reading. Of the others \
that are not seen nobody has found out whether they change anything."""

COLUMNS = ("mutants", "seen", "not seen", "explained", "do not load", "share seen")


@dataclass(slots=True)
class Report:
    """The tallies of all and by rooms."""

    whole: Tally = field(default_factory=Tally)
    rooms: dict[str, Tally] = field(default_factory=dict)

    @classmethod
    def of(cls, results: Iterable[Result], explanations: Sequence[Explanation]) -> Report:
        """Return the report of ``results``."""
        report = cls()
        for result in results:
            reason = next(
                (each.reason for each in explanations if each.explains(result.module, result.text, result.operator)),
                None,
            )
            rooms = report.rooms.setdefault(room_of(result.module), Tally())
            for tally in (report.whole, rooms):
                tally.add(result, reason)
        return report

    @property
    def missed(self) -> list[str]:
        """The goals that are not reached, in words."""
        missed = [
            f"{room}: {tally.power:.1f} % are seen, 100 % are wanted"
            for room, tally in sorted(self.rooms.items())
            if room in STRICT and tally.not_seen
        ]
        if self.whole.power < LEAST:
            missed.append(f"all rooms: {self.whole.power:.1f} % are seen, {LEAST:g} % are wanted")
        return missed

    def text(self) -> str:
        """Return it for people: what is not seen, the table of rooms, and the goals that are missed."""
        parts = [_shown(result) for result in self.whole.not_seen]
        rows = [(name, *tally.cells()) for name, tally in self.sorted()]
        parts.append(tabulate(rows, headers=("room", *COLUMNS), disable_numparse=True))
        parts.append("\n".join(self.missed) or "all goals are reached")
        return "\n\n".join(parts)

    def sorted(self) -> list[tuple[str, Tally]]:
        """Return the tallies with the names of their rooms, the strict ones first, and that of all."""
        strict = [(f"{name} (100 %)", self.rooms[name]) for name in STRICT if name in self.rooms]
        others = sorted((name, tally) for name, tally in self.rooms.items() if name not in STRICT)
        return [*strict, *others, ("all", self.whole)]


def page(records: Sequence[Path]) -> str:
    """Return the page of a record, with a table of rooms, what is not seen, and what is left out."""
    (record,) = records
    measured = read_measured(record, TOOL, {"module": ["*"], "room": [], "tests": ["*"]})
    report = Report.of(results_in(measured.lines), read_explanations(OF_HARNESS))
    seed, seconds, whole = measured.parameters["seed"], measured.parameters["seconds"], report.whole
    parts = [
        "# What the default tests see of small changes to the harness and the adapters",
        "<!-- Written by tools/harness_power.py; do not edit. -->",
        f"{whole.mutants:,} mutants were drawn at random (seed {seed}): {MADE} {seconds:g} seconds of them.",
        (
            f"**{whole.seen:,} of {whole.changing:,} are seen: {whole.power:.1f} %** ({whole.interval}; {WANTED}). "
            f"{len(whole.explained):,} more change nothing that anybody is promised: {REASONS} "
            f"{whole.does_not_load:,} cannot be imported. None of these is counted."
        ),
        _table(("Room", *COLUMNS), [(name, *tally.cells()) for name, tally in report.sorted()]),
        "## Not seen",
    ]
    unseen = [
        (f"`{each.module}`", str(each.line), _code(each.diff), f"{each.ran} of {each.tests}") for each in whole.not_seen
    ]
    parts.append(_table(("Module", "Line", "Change", "Tests run"), unseen) if unseen else "None.")
    left_out = [(f"`{each}`", "module", reason) for each, reason in LEFT_OUT_MODULES]
    left_out += [(f"`{each.operator}` of `{each.line}`", "not made", each.reason) for each in LEFT_OUT_MUTANTS]
    parts += ["## Left out", _table(("What", "How", "Reason"), left_out)]
    return "\n\n".join(parts) + "\n"


def _shown(result: Result) -> str:
    lines = [
        f"NOT SEEN  {result.module}:{result.line} {result.operator}",
        *(f"    {line}" for line in result.diff.splitlines()),
    ]
    why = (
        "no test is known to run the line"
        if result.outcome == NOT_COVERED
        else f"{result.tests} tests run the line, {result.ran} were run"
    )
    return "\n".join([*lines, f"  {why}"])


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return tabulate(cells, headers=head, tablefmt="github", disable_numparse=True)


def _code(diff: str) -> str:
    return "<br>".join(f"`{line}`" for line in diff.splitlines() if not line.startswith("@@"))
