"""Records of ``tokconf fuzz TOKENIZER``: the causes that a search has found.

A search asks other texts once it has found something else, or had more time. So what only one record has is new or
fixed only where both searches have asked as many texts of the same seed as they were to; else nobody can tell.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.page import minimizing
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.causes.wording import cause_headline, cause_lines
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.records.kinds.fuzzing import parties
from tokenizer_conformance.releases.diff.records.kinds.kind import (
    Kind,
    cause_key,
    environment_remarks,
    shown,
    value_remarks,
)
from tokenizer_conformance.releases.diff.records.outcome import Aspect, Figure, Key, Outcome, State
from tokenizer_conformance.results.records import headers, search
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.lines import Opening, ShapeError, read_lines

if TYPE_CHECKING:
    from tokenizer_conformance.releases.diff.records.matching import Matching
    from tokenizer_conformance.results.records.ending import Ending
    from tokenizer_conformance.results.records.value import Value

OPTIONS = {"seed": "--seed", "generators": "generators", "limit": "limit"}


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search on a tokenizer: values that agree; differences that are no findings, those known apart."""

    is_complete: bool
    values: int
    unclear: int
    known: int


NO_RESULT = Result(is_complete=False, values=0, unclear=0, known=0)


@dataclass(slots=True)
class SearchSide:
    """A record of a search, read. ``asked`` decides which texts are asked first; ``timed``: time was the limit."""

    baseline: str
    names: dict[str, str]
    tokenizers: dict[str, str]
    asked: tuple[object, ...]
    timed: bool
    outcomes: dict[Key, Outcome] = field(default_factory=dict)
    figures: dict[Figure, float] = field(default_factory=dict)
    results: dict[tuple[str, str], Result] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def remarks(then: search.Header, now: search.Header, matching: Matching) -> list[str]:
    """Say what two headers do not have in common."""
    found = environment_remarks(then, now)
    was, is_ = then.baseline.name, now.baseline.name
    if matching.name(was) != is_:
        found.append(f"another baseline: {shown(was)} then, {shown(is_)} now")
    olds, news = (_tokenizers(each) for each in (then, now))
    found += [f"tokenizer {one_line(name)} was not searched now" for name in olds if name not in news]
    found += [f"tokenizer {one_line(name)} was not searched then" for name in news if name not in olds]
    found += [
        f"tokenizer {one_line(name)}: its tokenizer.json is another one now"
        for name in olds
        if news.get(name, olds[name]) != olds[name]
    ]
    if any(each.limit.seconds is not None for each in (then, now)):
        found.append("time was the limit of a search: what only one of the records has is neither new nor fixed")
    return found + value_remarks(then, now, OPTIONS)


def _tokenizers(header: search.Header) -> dict[str, str]:
    return {each.name: each.sha256 for each in header.tokenizers}


def read(opening: Opening, ending: Ending, matching: Matching) -> SearchSide:
    """Read the record. Raises :class:`BadInputError`."""
    header: search.Header = opening.header(search.FORMAT)
    side = SearchSide(
        baseline=matching.name(header.baseline.name),
        names={each.name: matching.name(each.name) for each in parties(header)},
        tokenizers=_tokenizers(header),
        asked=(header.environment.tokconf, *(getattr(header, key) for key in OPTIONS)),
        timed=header.limit.seconds is not None,
    )
    reading = _Reading(side, opening, ending)
    read_lines(opening, search.FORMAT, ending, reading.take)
    reading.end()
    return side


class _Reading:
    """Findings count where the search was killed, the causes that it ends with where it was not."""

    def __init__(self, side: SearchSide, opening: Opening, ending: Ending) -> None:
        self._side = side
        self._opening = opening
        self._ending = ending
        self._found: list[Outcome] = []
        self._causes: list[Outcome] = []

    def take(self, line: Value) -> None:
        side = self._side
        match line:
            case headers.ImplementationMissing() | search.InputRefused():
                side.refused[side.names.get(line.name, line.name)] = line.reason
            case search.Finding():
                self._found.append(self._cause(line))
            case search.FinalCause():
                self._causes.append(self._cause(line))
            case search.Result():
                self._result(line)
            case search.Footer():
                side.figures[Figure("", "", "seconds")] = line.seconds

    def end(self) -> None:
        for outcome in self._found if self._ending.footer is None else self._causes:
            was = self._side.outcomes.get(outcome.key)
            counts = dict(outcome.counts)
            if was is not None:
                counts = {name: count + was.counts[name] for name, count in counts.items()}
            self._side.outcomes[outcome.key] = replace(was or outcome, counts=counts)

    def _name(self, name: str) -> str:
        if name not in self._side.names:
            raise ShapeError(f"{one_line(name, 60)!r} is no implementation of the header")
        return self._side.names[name]

    def _result(self, line: search.Result) -> None:
        name, tokenizer, values = self._name(line.implementation), line.tokenizer, line.values
        unclear = line.unstable + line.skipped + line.lost + line.unexamined
        known = sum(each.count for each in line.known)
        self._side.results[name, tokenizer] = Result(line.complete, values, unclear, known)
        for what in ("cases", "questions", "values", "differing"):
            self._side.figures[Figure(name, tokenizer, what)] = getattr(line, what)
        self._side.figures[Figure(name, tokenizer, "seconds")] = line.seconds
        key = Key(Aspect.STAGE, name, tokenizer, against=self._side.baseline)
        title = f"{one_line(name)} on {one_line(tokenizer)}: {values:,} values"
        state = State.SOUND if values else State.NOT_COMPARED
        self._side.outcomes[key] = Outcome(key, state, title, why="" if values else "nothing was compared")

    def _cause(self, line: search.Finding | search.FinalCause) -> Outcome:
        cause = cause_of(json_of(line))
        cause = replace(cause, implementation=self._name(cause.implementation))
        return Outcome(
            cause_key(cause, self._side.baseline),
            State.FAILS,
            cause_headline(cause),
            cause.reason.name,
            {"differences": cause.differences},
            lines=tuple(cause_lines(cause, self._side.baseline)),
            repeat=minimizing(str(self._opening.path), line.number),
            places=tuple((name, None) for name in cause.tokenizers),
        )


def lacks(side: SearchSide, other: SearchSide, outcome: Outcome) -> str:
    """Say why ``side`` could not have found ``outcome``, which ``other`` may have; empty where it would have."""
    key = outcome.key
    if key.implementation in side.refused:
        return one_line(side.refused[key.implementation])
    if key.implementation not in side.names.values():
        return f"{one_line(key.implementation)} was not asked"
    if side.baseline != other.baseline:
        return "the baseline is another one"
    for tokenizer in (key.subject,) if key.aspect is Aspect.STAGE else [name for name, _ in outcome.places]:
        why = _lacks_on(side, other, key, tokenizer)
        if why:
            return why
    return ""


def _lacks_on(side: SearchSide, other: SearchSide, key: Key, tokenizer: str) -> str:
    name = one_line(tokenizer)
    if tokenizer not in side.tokenizers:
        return f"{name} was not searched"
    if tokenizer in other.tokenizers and side.tokenizers[tokenizer] != other.tokenizers[tokenizer]:
        return f"the tokenizer.json of {name} is another one"
    if side.asked != other.asked or side.timed:
        return "a search asks other texts in another time, with another seed, or in another release"
    own, others = (each.results.get((key.implementation, tokenizer), NO_RESULT) for each in (side, other))
    if not own.is_complete:
        return f"the search did not finish on {name}"
    if key.aspect is Aspect.CAUSE and (own.unclear > others.unclear or own.known > others.known):
        return f"on {name} more differences were known, unstable, lost, or not looked at"
    is_less = key.aspect is Aspect.CAUSE and own.values < others.values
    return f"on {name} fewer values agree" if is_less else ""


SEARCHES: Kind[SearchSide] = Kind("search", search.FORMAT, parties, remarks, read, lacks)
