"""Asking the suite's cases of the reference, changed or not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import chain, groupby
from typing import TYPE_CHECKING

from power.changed_reference import Change, import_changed, reference
from power.children import HangError, limited
from power.tracing import Function, calls, closeness, forget_results
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.requirement import Place
from tokenizer_conformance.validation.suite.running import results_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.validation.suite.judging import CaseResult
    from tokenizer_conformance.validation.suite.requirement import CaseInPlace, Suite

SECONDS_PER_TOKENIZER = 10.0
"""How much processor time the cases of one tokenizer may take; unchanged they take some hundredths of a second."""

MOST_OF_AN_AREA = 5
"""How many cases of one area count when the blame is told: some have hundreds, for the rows of a table."""

WRONG = (CaseVerdict.FAILED, CaseVerdict.ERROR)


class SuiteNotPassedError(Exception):
    """The unchanged reference does not pass the suite, so nothing can be said about changed ones."""


@dataclass(frozen=True, slots=True)
class Group:
    """The cases of one tokenizer, and the functions that the unchanged reference calls for them."""

    cases: tuple[CaseInPlace, ...]
    called: frozenset[Function]


@dataclass(frozen=True, slots=True)
class DoesNotLoad:
    """The changed module cannot be imported: ``error`` says why."""

    error: str


@dataclass(frozen=True, slots=True)
class Hangs:
    """The cases of a tokenizer of the area ``place`` took too long."""

    place: str


@dataclass(frozen=True, slots=True)
class Survived:
    """Every case passes."""


@dataclass(frozen=True, slots=True)
class Blamed:
    """What failed: how often which place was blamed, and the requirements whose cases failed."""

    places: Counter[str]
    requirements: tuple[str, ...]

    @property
    def most(self) -> str:
        """The place that is blamed most, the first of them in the order of the pipeline."""
        return max((place.value for place in Place if self.places[place.value]), key=self.places.__getitem__)


def groups_of(suite: Suite) -> list[Group]:
    """Ask the unchanged reference all cases of ``suite`` and return them by tokenizer.

    Raises :class:`SuiteNotPassedError`.
    """
    implementation = reference()
    groups: list[Group] = []
    for _, cases in groupby(suite.cases(), key=lambda case: (case.area.name, case.case.tokenizer)):
        same = tuple(cases)
        called: set[Function] = set()
        forget_results()
        with calls(called):
            results = list(results_of(same, implementation))
        for result in results:
            if result.verdict in WRONG:
                raise SuiteNotPassedError(f"{result.judged.id}: the unchanged reference has {result.verdict.value}")
        groups.append(Group(same, frozenset(called)))
    return groups


def in_tiers(groups: Iterable[Group], module: str, lines: range) -> list[list[Group]]:
    """Return ``groups`` in three tiers: those that call a function as :func:`in_order` says, the module, and others."""
    tiers: list[list[Group]] = [[], [], []]
    for group in groups:
        tiers[closeness(group.called, module, lines)].append(group)
    return tiers


def blame(
    change: Change, tiers: Iterable[Sequence[Group]], enough: int, further: int | None = None
) -> DoesNotLoad | Hangs | Blamed | Survived:
    """Ask the reference with ``change`` the cases of ``tiers`` until ``enough`` have failed. For a child process.

    The next tier is asked only where nothing has failed in the one before. ``further``: how many groups are asked at
    most after the first in which a case has failed; ``None``: no limit.
    """
    implementation = _imported(change)
    if isinstance(implementation, DoesNotLoad):
        return implementation
    places: Counter[str] = Counter()
    areas: Counter[str] = Counter()
    requirements: dict[str, None] = {}
    left = further
    for group in chain.from_iterable(tier for tier in tiers if not places):
        if places.total() >= enough or (left is not None and left < 0):
            break
        if places and left is not None:
            left -= 1
        for result in _results(group, implementation):
            if isinstance(result, Hangs):
                return result
            area = result.judged.area.name
            if result.verdict in WRONG and areas[area] < MOST_OF_AN_AREA:
                areas[area] += 1
                places[str(result.blame)] += 1
                requirements[result.judged.requirement.id] = None
    return Blamed(places, tuple(requirements)) if places else Survived()


def _imported(change: Change) -> Implementation | DoesNotLoad:
    try:
        with limited(SECONDS_PER_TOKENIZER):
            return import_changed(change)
    except (Exception, HangError) as error:  # noqa: BLE001 - whatever a changed module raises
        return DoesNotLoad(f"{type(error).__name__}: {error}")


def _results(group: Group, implementation: Implementation) -> Iterator[CaseResult | Hangs]:
    try:
        with limited(SECONDS_PER_TOKENIZER):
            yield from list(results_of(group.cases, implementation))
    except HangError:
        yield Hangs(group.cases[0].area.stage.value)
