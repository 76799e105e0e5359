"""Running the faults: whether each is caught, and the right place blamed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from power import answers
from power.children import Died, each_in_child
from power.mutants import function_lines, function_name
from power.places import right_places
from power.suite_cases import Blamed, DoesNotLoad, Hangs, Survived, blame, in_tiers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from power.faults import Fault
    from power.suite_cases import Group

SECONDS = 600.0
"""How much processor time a fault may take."""

ENOUGH = 100
"""How many cases that fail tell where the blame goes. They come from areas of all kinds, drawn at random."""

RECORDS = 4_000
"""On how many tokenizers a fault may change nothing before it is said that it changes nothing."""

Outcome = Blamed | DoesNotLoad | Hangs | Survived | Died


@dataclass(frozen=True, slots=True)
class FaultResult:
    """What came of a fault when the suite was asked."""

    fault: Fault
    outcome: Outcome

    @property
    def is_caught(self) -> bool:
        """Whether a case failed. A hang is seen as well; what cannot be imported was never asked."""
        return isinstance(self.outcome, Blamed | Hangs | Died)

    @property
    def blamed(self) -> str:
        """The place with most of the blame, empty where there is none."""
        match self.outcome:
            case Blamed():
                return self.outcome.most
            case Hangs(place):
                return place
            case _:
                return ""

    @property
    def is_right(self) -> bool:
        """Whether the fault was caught, and a right place blamed: its own, or one of those of the changed function."""
        fault = self.fault
        function = function_name(fault.module, fault.lines()[-1])
        return self.is_caught and self.blamed in {fault.stage.value, *right_places(fault.module, function)}

    def line(self) -> str:
        """Return the result for people, on a line."""
        fault = self.fault
        match self.outcome:
            case Blamed(places, requirements):
                blame = ", ".join(f"{place} {count}" for place, count in Counter(places).most_common())
                shown = ", ".join(requirements[:2]) + (f" and {len(requirements) - 2} more" if requirements[2:] else "")
                said = f"{blame}; {shown}"
            case DoesNotLoad(error):
                said = f"cannot be imported: {error}"
            case Hangs(place):
                said = f"hangs ({place})"
            case Died(how):
                said = f"its process died: {how}"
            case Survived():
                said = f"NOT CAUGHT: {fault.what}"
        mark = "  " if self.is_right else "! "
        return f"{mark}{fault.stage:<13} {fault.id:<42} {said}"


def run_faults(faults: Sequence[Fault], groups: Sequence[Group], jobs: int) -> Iterator[FaultResult]:
    """Ask the suite's cases about each of ``faults``, and yield the results as they come."""

    def ask_suite(fault: Fault) -> DoesNotLoad | Hangs | Blamed | Survived:
        drawn = Random(fault.id).sample(groups, len(groups))
        return blame(fault.change(), in_tiers(drawn, fault.module, _lines_around(fault)), ENOUGH)

    for index, outcome in each_in_child(ask_suite, faults, jobs, SECONDS):
        yield FaultResult(faults[index], outcome)


def summary(results: Sequence[FaultResult]) -> str:
    """Return how many faults of each stage were caught, and rightly blamed, as a table."""
    rows = [f"{'stage':<14}{'faults':>7}{'caught':>8}{'blamed rightly':>16}"]
    for stage in dict.fromkeys(result.fault.stage for result in results):
        own = [result for result in results if result.fault.stage is stage]
        rows.append(_row(stage.value, own))
    return "\n".join([*rows, _row("all", results)])


def _row(name: str, results: Sequence[FaultResult]) -> str:
    caught = sum(result.is_caught for result in results)
    right = sum(result.is_right for result in results)
    return f"{name:<14}{len(results):>7}{caught:>8}{right:>16}"


# Without the suite ---------------------------------------------------------------------------------------------------


def witnesses(
    faults: Sequence[Fault], records: Sequence[answers.Recorded], jobs: int
) -> Iterator[tuple[Fault, answers.Witness | answers.NothingChanged | Died]]:
    """Yield for each of ``faults``, as they come, what shows that it changes an answer."""
    items = list(faults)

    def first_change(fault: Fault) -> answers.Witness | answers.NothingChanged:
        ordered = answers.in_order(records, fault.module, _lines_around(fault), RECORDS)
        return answers.first_change(fault.change(), ordered)

    for index, found in each_in_child(first_change, items, jobs, SECONDS):
        yield items[index], found


def _lines_around(fault: Fault) -> range:
    return function_lines(fault.module, fault.lines()[-1])
