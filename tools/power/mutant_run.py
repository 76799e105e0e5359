"""Running the mutants: which the suite sees and what it blames, and which of the others change an answer.

What comes of a mutant is a line of a file, so that a run that was ended goes on where it was. A line holds as long as
the mutant's module stays as it is. Another suite is asked about what the one before did not see, and one that blames
otherwise about all; whether an answer changes is not asked again.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING

import msgspec

from power import answers
from power.answers import NothingChanged, Witness
from power.changed_reference import import_anew
from power.children import Died, each_in_child
from power.mutant_results import NotAsked, NotImported, Result, Seen, Unchanged, Unseen
from power.mutants import function_name
from power.suite_cases import Blamed, DoesNotLoad, Hangs, Survived, blame, in_tiers
from power.tracing import calls, keeps_for_good
from tokenizer_conformance.validation.suite import blaming, judging, wrong_encodings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from power.mutant_results import Key, Outcome
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

    def results(self, mutants: Iterable[Mutant]) -> Iterator[Result]:
        """Yield what comes of ``mutants``, in an order without order: what is done is a sample of all at any time."""
        suite = digest_of_suite(self.groups)
        by_key = {key_of(mutant): mutant for mutant in mutants}
        known = read_results(self.file)
        held = {key: known.get(key) or _unasked(mutant) for key, mutant in by_key.items()}
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
            yield from (held[key] for key in part)

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


def key_of(mutant: Mutant) -> Key:
    """Return what tells ``mutant`` from all others."""
    return mutant.site.module, mutant.site.operator, mutant.site.occurrence, digest(mutant.before)


def _unasked(mutant: Mutant) -> Result:
    module, operator, occurrence, source = key_of(mutant)
    line = mutant.site.line
    function, text = function_name(module, line), mutant.line_text
    return Result(module, operator, occurrence, line, function, text, mutant.diff(), source, "", NotAsked())


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
