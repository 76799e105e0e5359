"""Running the mutants: which the suite sees and what it blames, and which of the others change an answer.

What comes of a mutant is a line of a file, so that a run that was ended goes on where it was. A line holds as long as
the mutant's module stays as it is. Another suite is asked about what the one before did not see, and one that blames
otherwise about all; whether an answer changes is not asked again.
"""

from __future__ import annotations

import inspect
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING

import msgspec

from power import answers
from power.answers import NothingChanged, Witness
from power.changed_reference import import_anew, source_of
from power.children import Died, each_in_child
from power.mutants import Site, function_name, mutant_of
from power.places import right_places
from power.suite_cases import Blamed, DoesNotLoad, Hangs, Survived, blame, in_tiers
from power.tracing import calls, keeps_for_good
from tokenizer_conformance.escape import escape
from tokenizer_conformance.validation.suite import blaming, judging, wrong_encodings
from tokenizer_conformance.validation.suite.requirement import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from power.explanations import Explanation
    from power.mutants import Mutant
    from power.suite_cases import Group
    from power.tracing import Function

SECONDS = 600.0
"""How much processor time a mutant may take, for the suite or for what is asked besides."""

FAILURES = 12
"""How many cases that fail tell where the blame goes."""

FURTHER = 60
"""How many tokenizers of the suite are asked at most after the first with a case that fails."""

RECORDS = 600
"""On how many tokenizers a mutant may change nothing before it is said that it changes nothing."""

AT_ONCE = 100
"""How many mutants the suite is asked about before the other questions are."""

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
    """A line of the file: a mutant, and what came of it. ``source`` and ``suite`` are digests.

    ``suite``: of the suite that was asked, and of what tells who is to blame (:func:`digest_of_suite`).
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

    def mutant(self) -> Mutant:
        """Return the mutant. Its module's source must be the one that the result is of."""
        made = mutant_of(Site(self.module, self.operator, self.occurrence, self.line, ((self.line, 0), (self.line, 0))))
        assert made is not None
        return made

    @property
    def is_blamed_rightly(self) -> bool | None:
        """Whether the place that is blamed most is right; ``None`` where the module has no place, or no case failed."""
        right = right_places(self.module, self.function)
        if not right or not isinstance(self.outcome, Seen) or not self.outcome.most:
            return None
        return Place(self.outcome.most) in right


def digest(text: str) -> str:
    """Return a short digest of ``text``."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


def digest_of_suite(groups: Iterable[Group]) -> str:
    """Return a digest of the cases of ``groups``, a dot, and one of what tells who is to blame."""
    judges = "".join(inspect.getsource(module) for module in (blaming, judging, wrong_encodings))
    return f"{digest(chr(10).join(repr(case.case) for group in groups for case in group.cases))}.{digest(judges)}"


def read_results(file: Path) -> dict[Key, Result]:
    """Return the results in ``file``, the last of each mutant; none where there is no file."""
    if not file.exists():
        return {}
    decoder = msgspec.json.Decoder(Result)
    found = map(decoder.decode, file.read_bytes().splitlines())
    return {result.key: result for result in found}


# Running --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MutantRun:
    """Asks about mutants. ``record`` gives the answers of the unchanged reference besides the suite, when it is called.

    ``progress`` is told what is done; ``file`` gets every result, and has those of earlier runs.
    """

    groups: Sequence[Group]
    record: Callable[[], Sequence[answers.Recorded]]
    jobs: int
    file: Path
    progress: Callable[[str], None]

    def results(self, mutants: Sequence[Mutant]) -> list[Result]:
        """Return what comes of ``mutants``, in their order.

        They are asked about in an order without order, so that what is done is a sample of all at any time.
        """
        suite = digest_of_suite(self.groups)
        unasked = {each.key: each for each in map(_unasked, mutants)}
        by_key = dict(zip(unasked, mutants, strict=True))
        known = read_results(self.file)
        held = {key: known.get(key, result) for key, result in unasked.items()}
        at_import = called_at_import(self.jobs)
        records = cache(self.record)
        drawn = Random(len(held)).sample(list(held), len(held))
        for start in range(0, len(drawn), AT_ONCE):
            part = drawn[start : start + AT_ONCE]
            waiting = [key for key in part if not _holds(held[key], suite)]
            before = {key: _for_suite(held[key], suite) for key in waiting}
            held.update(self._by_suite(waiting, by_key, before, at_import))
            waiting = [key for key in part if isinstance(held[key].outcome, NotAsked)]
            if waiting:
                held.update(self._by_answers(waiting, by_key, held, at_import, records()))
            self.progress(f"{start + len(part)} of {len(drawn)} mutants")
        return [held[key] for key in unasked]

    def _by_suite(
        self,
        keys: Sequence[Key],
        mutants: dict[Key, Mutant],
        results: dict[Key, Result],
        at_import: frozenset[Function],
    ) -> Iterable[tuple[Key, Result]]:
        def ask(key: Key) -> DoesNotLoad | Hangs | Blamed | Survived:
            mutant = mutants[key]
            drawn = Random(mutant.name).sample(self.groups, len(self.groups))
            tiers = in_tiers(drawn, mutant.site.module, mutant.lines())
            return blame(
                mutant.change, tiers[:1] if is_felt_by_callers_only(mutant, at_import) else tiers, FAILURES, FURTHER
            )

        for index, found in each_in_child(ask, keys, self.jobs, SECONDS):
            key = keys[index]
            yield key, self._kept(results[key], _outcome_of_suite(found) or results[key].outcome)

    def _by_answers(
        self,
        keys: Sequence[Key],
        mutants: dict[Key, Mutant],
        results: dict[Key, Result],
        at_import: frozenset[Function],
        records: Sequence[answers.Recorded],
    ) -> Iterable[tuple[Key, Result]]:
        def ask(key: Key) -> Witness | NothingChanged:
            mutant = mutants[key]
            callers_only = is_felt_by_callers_only(mutant, at_import)
            ordered = answers.in_order(records, mutant.site.module, mutant.lines(), RECORDS, callers_only=callers_only)
            return answers.first_change(mutant.change, ordered)

        for index, found in each_in_child(ask, keys, self.jobs, SECONDS):
            yield keys[index], self._kept(results[keys[index]], _outcome_of_answers(found))

    def _kept(self, result: Result, outcome: Outcome) -> Result:
        new = msgspec.structs.replace(result, outcome=outcome)
        with self.file.open("ab") as file:
            file.write(msgspec.json.encode(new) + b"\n")
        return new


def _unasked(mutant: Mutant) -> Result:
    site = mutant.site
    return Result(
        site.module,
        site.operator,
        site.occurrence,
        site.line,
        function_name(site.module, site.line),
        mutant.line_text,
        mutant.diff(),
        digest(source_of(site.module)),
        "",
        NotAsked(),
    )


def _holds(result: Result, suite: str) -> bool:
    """Whether the suite need not be asked again: what it once saw it sees, since cases only come."""
    blames_alike = result.suite.partition(".")[2] == suite.partition(".")[2]
    return (
        isinstance(result.outcome, NotImported)
        or result.suite == suite
        or (isinstance(result.outcome, Seen) and blames_alike)
    )


def _for_suite(result: Result, suite: str) -> Result:
    """Return ``result`` without what another suite than ``suite`` said."""
    outcome = NotAsked() if isinstance(result.outcome, Seen) else result.outcome
    return msgspec.structs.replace(result, suite=suite, outcome=outcome)


def called_at_import(jobs: int) -> frozenset[Function]:
    """Return the functions that the reference calls when it is imported."""

    def imported(_: None) -> frozenset[Function]:
        called: set[Function] = set()
        with calls(called):
            import_anew()
        return frozenset(called)

    ((_, found),) = each_in_child(imported, [None], jobs, SECONDS)
    assert not isinstance(found, Died)
    return found


def is_felt_by_callers_only(mutant: Mutant, at_import: frozenset[Function]) -> bool:
    """Whether what does not call the function that ``mutant`` changes gives the same answers as ever."""
    module, lines = mutant.site.module, mutant.lines()
    called = any(name == module and line in lines for name, line in at_import)
    return bool(function_name(module, mutant.site.line)) and not called and not keeps_for_good(module)


def _outcome_of_suite(found: DoesNotLoad | Hangs | Blamed | Survived | Died) -> Outcome | None:
    """Return what the suite says of a mutant, ``None`` where it says nothing."""
    match found:
        case DoesNotLoad(error):
            return NotImported(error)
        case Hangs(place):
            return Seen({place: 1}, (), "hangs")
        case Died(how):
            return Seen({}, (), f"its process died: {how}")
        case Blamed(places, requirements):
            return Seen(dict(places), requirements)
        case Survived():
            return None


def _outcome_of_answers(found: Witness | NothingChanged | Died) -> Outcome:
    match found:
        case NothingChanged(tokenizers):
            return Unchanged(tokenizers)
        case Witness(name, document, question):
            return Unseen(name, document, question)
        case Died(how):
            return Unseen("the questions besides the suite", "", f"its process died: {how}")


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
        return 100.0 * self.seen / self.changing if self.changing else 100.0

    @property
    def right_blame(self) -> float:
        """For how many of those that are seen a right place is blamed, in percent, where a place is right."""
        return 100.0 * self.blamed_rightly / self.placed if self.placed else 100.0

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


_COLUMNS = ("mutants", "seen", "unseen", "power", "blamed rightly", "unchanged", "not reached", "not imported")


def _cells(counted: Tally) -> tuple[str, ...]:
    return (
        str(counted.mutants),
        str(counted.seen),
        str(len(counted.unseen)),
        f"{counted.power:.1f} %",
        f"{counted.blamed_rightly} of {counted.placed}",
        str(counted.unchanged),
        str(counted.not_reached),
        str(counted.not_imported),
    )


def report(results: Sequence[Result], explanations: Sequence[Explanation]) -> str:
    """Return the unseen mutants and the table by modules, for people."""
    by_module: dict[str, list[Result]] = {}
    for result in results:
        by_module.setdefault(result.module, []).append(result)
    whole = tally(results, explanations)
    parts = [text_of_unseen(result, explanation_of(result, explanations)) for result in whole.unseen]
    rows = [(name, _cells(tally(found, explanations))) for name, found in sorted(by_module.items())]
    width = max([len("module"), *map(len, by_module)])
    lines = [_row("module", _COLUMNS, width)]
    lines += [_row(name, cells, width) for name, cells in [*rows, ("all", _cells(whole))]]
    seers = Counter(
        each for result in results if isinstance(result.outcome, Seen) for each in result.outcome.requirements[:1]
    )
    most = ", ".join(f"{requirement} {count}" for requirement, count in seers.most_common(10))
    parts += ["\n".join(lines), f"most mutants are seen first by: {most or 'nothing'}"]
    parts.append(
        f"{whole.seen} of {whole.changing} mutants that change an answer are seen: {whole.power:.1f} % "
        f"(at least {LEAST_POWER:g} % are wanted); "
        f"a right place is blamed for {whole.blamed_rightly} of {whole.placed}: "
        f"{whole.right_blame:.1f} % (at least {LEAST_RIGHT_BLAME:g} %); "
        f"{len(whole.unseen) - whole.explained} unseen ones are not explained"
    )
    return "\n\n".join(parts)


def _row(name: str, cells: Sequence[str], width: int) -> str:
    columns = zip(cells, _COLUMNS, strict=True)
    return "  ".join([f"{name:<{width}}", *(f"{cell:>{max(len(column), 9)}}" for cell, column in columns)])
