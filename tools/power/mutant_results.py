"""What came of the mutants of the reference: a line of the record for each, goals, and the report.

A record has the results of all mutants that were drawn, and for some which commands show them in their first minute.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from published.shares import interval, percent
from tabulate import tabulate

from power.places import right_places
from tokenizer_conformance.escape import escape
from tokenizer_conformance.validation.suite.requirement import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from power.explanations import Explanation

TOOL = "suite_power"

LEAST_POWER = 97.0
"""In percent: what the suite must see of the mutants that change an answer."""

LEAST_RIGHT_BLAME = 90.0
"""In percent: for how many of those that it sees the right place must be blamed, where a place is right."""

LONGEST_SHOWN = 600


# What comes of a mutant -----------------------------------------------------------------------------------------------


class Seen(msgspec.Struct, frozen=True, tag="seen"):
    """Cases fail: how often which place is blamed, and the requirements. ``how``: what else happened, a hang say."""

    places: dict[str, int]
    requirements: tuple[str, ...]
    how: str = ""

    @property
    def most(self) -> str:
        """The place that is blamed most, the first of them in the order of the pipeline; empty where none is."""
        return max(
            (place.value for place in Place if place.value in self.places), key=self.places.__getitem__, default=""
        )


class Unseen(msgspec.Struct, frozen=True, tag="unseen"):
    """No case fails, yet an answer changes: about the tokenizer ``name``, of the file ``document``."""

    name: str
    document: str
    question: str


class Unchanged(msgspec.Struct, frozen=True, tag="unchanged"):
    """No case fails, and no answer of ``tokenizers`` others changes."""

    tokenizers: int


class NotImported(msgspec.Struct, frozen=True, tag="not imported"):
    """The changed module cannot be imported."""

    error: str


class NotAsked(msgspec.Struct, frozen=True, tag="not asked"):
    """No case fails; whether an answer changes has not been asked yet."""


Outcome = Seen | Unseen | Unchanged | NotImported | NotAsked


Key = tuple[str, str, int, str]
"""What tells a mutant from all others: its module, operator, occurrence, and the digest of the module's source."""


class Result(msgspec.Struct, frozen=True):
    """A mutant, and what came of it. ``source`` and ``suite`` are digests.

    ``suite``: of the suite that was asked, and of what tells who is to blame (``mutant_run.digest_of_suite``).
    """

    module: str
    operator: str
    occurrence: int
    line: int
    function: str
    text: str
    diff: str
    source: str
    suite: str
    outcome: Outcome

    @property
    def name(self) -> str:
        """What the mutant is called."""
        return f"{self.module}:{self.line} {self.operator.partition('/')[2]}"

    @property
    def key(self) -> Key:
        """What tells the mutant from all others."""
        return self.module, self.operator, self.occurrence, self.source

    @property
    def is_blamed_rightly(self) -> bool | None:
        """Whether the place that is blamed most is right; ``None`` where the module has no place, or no case failed."""
        right = right_places(self.module, self.function)
        if not right or not isinstance(self.outcome, Seen) or not self.outcome.most:
            return None
        return Place(self.outcome.most) in right


# In a minute ----------------------------------------------------------------------------------------------------------

FUZZED = 800
"""How many random tokenizers ``tokconf fuzz`` compares in a minute: 832 were counted on two cores with other work."""


class Shown(msgspec.Struct, frozen=True):
    """A mutant, as a :class:`Result` names it, and the questions that show it: none where a command does not."""

    module: str
    operator: str
    occurrence: int
    source: str
    run: str
    fuzz: str

    @property
    def key(self) -> Key:
        """What tells the mutant from all others."""
        return self.module, self.operator, self.occurrence, self.source


PARTS = ("part", "mutants", "run", "fuzz", "either")


def shares(found: Sequence[Shown]) -> Iterator[tuple[str, int, tuple[float, float, float]]]:
    """Yield for each part of the reference, then for all, how many mutants, and the shares shown, in percent."""
    parts = dict.fromkeys(each.module.partition(".")[0] for each in found)
    for part in (*sorted(parts), "all"):
        own = [each for each in found if part in ("all", each.module.partition(".")[0])]
        counts = (
            sum(bool(each.run) for each in own),
            sum(bool(each.fuzz) for each in own),
            sum(bool(each.run or each.fuzz) for each in own),
        )
        by_run, by_fuzz, by_either = (100 * count / len(own) for count in counts)
        yield part, len(own), (by_run, by_fuzz, by_either)


def report_of_minute(found: Sequence[Shown]) -> str:
    """Return for people, by part of the reference, how many mutants each command shows in its first minute."""
    rows = [(part, count, *(f"{share:.1f} %" for share in of)) for part, count, of in shares(found)]
    return tabulate(rows, headers=PARTS, disable_numparse=True)


# The record -----------------------------------------------------------------------------------------------------------


def line_of(found: Result | Shown) -> dict[str, Any]:
    """Return the line of the record that tells ``found``."""
    return {"minute" if isinstance(found, Shown) else "mutant": msgspec.to_builtins(found)}


def results_in(lines: Iterable[dict[str, Any]]) -> list[Result]:
    """Return the results in ``lines``, the last of each mutant, by modules and lines."""
    found = (msgspec.convert(line["mutant"], Result) for line in lines if "mutant" in line)
    last = {result.key: result for result in found}
    return sorted(last.values(), key=lambda result: (result.module, result.line, result.operator, result.occurrence))


def shown_in(lines: Iterable[dict[str, Any]]) -> list[Shown]:
    """Return what commands show in their first minute, as it stands in ``lines``."""
    return [msgspec.convert(line["minute"], Shown) for line in lines if "minute" in line]


# Report ---------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Tally:
    """What came of the mutants of a module, or of all."""

    mutants: int = 0
    seen: int = 0
    not_imported: int = 0
    unchanged: int = 0
    not_reached: int = 0
    unseen: list[Result] = field(default_factory=list)
    explained: int = 0
    placed: int = 0
    blamed_rightly: int = 0

    @property
    def changing(self) -> int:
        """How many mutants change an answer, as far as is known."""
        return self.seen + len(self.unseen)

    @property
    def power(self) -> float:
        """How many of these the suite sees, in percent."""
        return percent(self.seen, self.changing)

    @property
    def interval(self) -> str:
        """Between which shares that of all mutants that can be drawn lies."""
        return interval(self.seen, self.changing)

    @property
    def right_blame(self) -> float:
        """For how many of those that are seen a right place is blamed, in percent, where a place is right."""
        return percent(self.blamed_rightly, self.placed)

    @property
    def is_enough(self) -> bool:
        """Whether the suite sees and blames as is wanted."""
        return self.power >= LEAST_POWER and self.right_blame >= LEAST_RIGHT_BLAME


def tally(results: Iterable[Result], explanations: Sequence[Explanation]) -> Tally:
    """Return the tally of ``results``."""
    counted = Tally()
    for result in results:
        counted.mutants += 1
        match result.outcome:
            case Seen():
                counted.seen += 1
                counted.placed += result.is_blamed_rightly is not None
                counted.blamed_rightly += result.is_blamed_rightly is True
            case NotImported():
                counted.not_imported += 1
            case Unchanged(tokenizers):
                counted.unchanged += 1
                counted.not_reached += not tokenizers
            case Unseen():
                counted.unseen.append(result)
                counted.explained += explanation_of(result, explanations) is not None
            case NotAsked():
                raise AssertionError(result.name)
    return counted


def explanation_of(result: Result, explanations: Iterable[Explanation]) -> Explanation | None:
    """Return why the mutant of ``result`` needs no case, ``None`` where nothing is said of it."""
    return next((each for each in explanations if each.explains(result.module, result.text, result.operator)), None)


def text_of_unseen(result: Result, explanation: Explanation | None) -> str:
    """Return an unseen mutant for people: where, what is changed, and what shows it."""
    assert isinstance(result.outcome, Unseen)
    lines = [f"UNSEEN  {result.name}", *(f"    {line}" for line in result.diff.splitlines())]
    if explanation is not None:
        lines.append(f"  explained: {explanation.reason}")
    lines += [
        f"  shown by  {result.outcome.name}",
        f"  question  {_shortly(result.outcome.question)}",
        f"  tokenizer {_shortly(result.outcome.document)}",
    ]
    return "\n".join(lines)


def _shortly(text: str) -> str:
    shown = escape(text)
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"


COLUMNS = (
    *("module", "mutants", "seen", "not seen", "seen, %", "blamed rightly", "change nothing", "not reached"),
    "not imported",
)


def by_module(results: Sequence[Result], explanations: Sequence[Explanation]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of :data:`COLUMNS` for each module, then for all."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result.module, []).append(result)
    for name, own in [*sorted(found.items()), ("all", list(results))]:
        counted = tally(own, explanations)
        power = f"{counted.power:.1f}" if counted.changing else "–"
        blamed = f"{counted.blamed_rightly} of {counted.placed}" if counted.placed else "–"
        idle = counted.unchanged - counted.not_reached
        numbers = (idle, counted.not_reached, counted.not_imported)
        yield (
            *(name, str(counted.mutants), str(counted.seen), str(len(counted.unseen)), power, blamed),
            *map(str, numbers),
        )


def report(results: Sequence[Result], explanations: Sequence[Explanation]) -> str:
    """Return the unseen mutants and the table by modules, for people."""
    whole = tally(results, explanations)
    parts = [text_of_unseen(result, explanation_of(result, explanations)) for result in whole.unseen]
    parts.append(tabulate(by_module(results, explanations), headers=COLUMNS, disable_numparse=True))
    seers = Counter(
        each for result in results if isinstance(result.outcome, Seen) for each in result.outcome.requirements[:1]
    )
    most = ", ".join(f"{requirement} {count}" for requirement, count in seers.most_common(10))
    parts.append(f"most mutants are seen first by: {most or 'nothing'}")
    parts.append(
        f"{whole.seen} of {whole.changing} mutants that change an answer are seen: {whole.power:.1f} % "
        f"({whole.interval}; at least {LEAST_POWER:g} % are wanted); "
        f"a right place is blamed for {whole.blamed_rightly} of {whole.placed}: "
        f"{whole.right_blame:.1f} % (at least {LEAST_RIGHT_BLAME:g} %); "
        f"{len(whole.unseen) - whole.explained} unseen ones are not explained"
    )
    return "\n\n".join(parts)
