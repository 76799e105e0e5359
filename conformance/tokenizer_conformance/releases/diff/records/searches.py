"""Records of ``tokconf fuzz``: findings on random tokenizers by signature, and the causes that a search has found.

A search asks other texts once it has found something else, or had more time. So what only one record has is new or
fixed only where both searches have asked as many texts of the same seed as they were to; else nobody can tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import UNSET

from tokenizer_conformance.causes.page import minimizing
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.releases.diff.records.changes import Aspect, Key, Outcome, State
from tokenizer_conformance.releases.diff.records.matching import Party
from tokenizer_conformance.releases.diff.records.read_record import (
    ReadRecord,
    digests,
    parties_in,
    shown,
    tokenizer_remarks,
)
from tokenizer_conformance.results.records import fuzz, headers, search
from tokenizer_conformance.results.records.lines import ShapeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.value import Value


def _parties(header: fuzz.Header | search.Header) -> list[Party]:
    """Return who was asked, the baseline first."""
    first = Party(header.baseline.name, header.baseline.version, is_baseline=True)
    return [first, *(each for each in parties_in(header.implementations) if each.name != first.name)]


def _asked(record: ReadRecord[Any]) -> tuple[object, ...]:
    """Return what decides which texts are asked about: another release makes other ones of the same seed."""
    return record.header.environment.tokconf, record.asked


def _compared_values(key: Key, title: str, values: int) -> Outcome:
    """Return the outcome of ``values`` that agree: sound, unless there are none."""
    state, why = (State.SOUND, "") if values else (State.NOT_COMPARED, "nothing was compared")
    return Outcome(key, state, title, why=why)


class ReadFuzzing(ReadRecord[fuzz.Header]):
    """A record of fuzzing. What its options say decides which questions were asked."""

    noun = "fuzzing"
    format = fuzz.FORMAT
    options: ClassVar = {
        "seed": "--seed",
        "start": "first tokenizer",
        "tokenizers": "tokenizers",
        "texts": "texts for each",
    }
    other_release = ": another release may make other tokenizers and texts of the same numbers"
    parties = staticmethod(_parties)

    def _begin(self) -> None:
        self.results: dict[str, fuzz.Result] = {}

    def _take(self, line: Value) -> None:
        match line:
            case fuzz.ImplementationMissing():
                self.refuse(line.name, line.reason)
            case fuzz.Result():
                self._result(line)
            case fuzz.Finding():
                self._finding(line)

    def _result(self, line: fuzz.Result) -> None:
        name = self.name(line.implementation)
        self.results[name] = line
        for what in ("tokenizers", "cases", "values", "differences"):
            self.figure(what, getattr(line, what), name)
        key = Key(Aspect.STAGE, name, "", against=self.baseline)
        title = f"{one_line(name)}: {line.values:,} values of {line.cases:,} cases"
        self.outcomes[key] = _compared_values(key, title, line.values)

    def _finding(self, line: fuzz.Finding) -> None:
        name = self.name(line.implementation)
        key = Key(Aspect.FINDING, name, "", line.signature, self.baseline)
        self.outcomes[key] = Outcome(
            key,
            State.FAILS,
            f"{one_line(name)}: {one_line(', '.join(filter(None, line.signature)), 200)}",
            "differ",
            {"tokenizers": line.tokenizers},
            lines=(f"tokenizer number {line.smallest.number:,}", *self._lines(name, line.smallest)),
            repeat=one_line(line.repeat, 2000),
        )

    def _lines(self, name: str, case: fuzz.Case) -> tuple[str, ...]:
        found = case.found
        if found.refused_by is not UNSET:
            return (f"refused by {found.refused_by}: {one_line(found.reason or '', 200)}",)
        if found.token is not UNSET:
            ids = (shown(each) for each in (found.baseline_id, found.implementation_id))
            return ("id of {}: {} in the baseline, {} here".format(quoted(found.token), *ids),)
        if found.difference is UNSET or case.question is None:
            raise ShapeError("a difference without a question")
        return self.question_lines(case.question, found.difference, name)

    def _lacks(self, other: ReadFuzzing, outcome: Outcome) -> str:
        if _asked(self) != _asked(other):
            return "other tokenizers and texts were made (--seed, --start, --tokenizers, or another release of tokconf)"
        name = outcome.key.implementation
        own, others = self.results.get(name), other.results.get(name)
        if own is None or not own.complete:
            return "fuzzing did not finish"
        if outcome.key.aspect is not Aspect.FINDING:
            return ""
        (known, lost, values), (others_known, others_lost, others_values) = map(_counts_of_fuzzing, (own, others))
        if known > others_known:
            return "a ledger knows more differences, which are no findings"
        if lost > others_lost:
            return "more answers were given up, or unstable"
        return "fewer values were compared" if values < others_values else ""


def _counts_of_fuzzing(line: fuzz.Result | None) -> tuple[int, int, int]:
    """Return how many differences are known, how many answers were lost, and how many values agree."""
    if line is None:
        return 0, 0, 0
    return sum(each.count for each in line.known), line.given_up + line.unstable, line.values


class ReadSearch(ReadRecord[search.Header]):
    """A record of a search: its findings count where it was killed, the causes that it ends with where it was not."""

    noun = "search"
    format = search.FORMAT
    options: ClassVar = {"seed": "--seed", "generators": "generators", "limit": "limit"}
    parties = staticmethod(_parties)

    def _begin(self) -> None:
        self._tokenizers = digests(self.header.tokenizers)
        self._is_timed = self.header.limit.seconds is not None
        self.results: dict[tuple[str, str], search.Result] = {}
        self._found: list[Outcome] = []
        self._causes: list[Outcome] = []

    def _further_remarks(self, then: ReadSearch) -> Iterator[str]:
        yield from tokenizer_remarks(then._tokenizers, self._tokenizers, "searched")
        if then._is_timed or self._is_timed:
            yield "time was the limit of a search: what only one of the records has is neither new nor fixed"

    def _take(self, line: Value) -> None:
        match line:
            case headers.ImplementationMissing() | search.InputRefused():
                self.refuse(line.name, line.reason)
            case search.Finding():
                self._found.append(self._cause(line))
            case search.FinalCause():
                self._causes.append(self._cause(line))
            case search.Result():
                self._result(line)

    def _end(self) -> None:
        for outcome in self._found if self.ending.footer is None else self._causes:
            self.join(outcome)

    def _result(self, line: search.Result) -> None:
        name, tokenizer, values = self.name(line.implementation), line.tokenizer, line.values
        self.results[name, tokenizer] = line
        for what in ("cases", "questions", "values", "differing", "seconds"):
            self.figure(what, getattr(line, what), name, tokenizer)
        key = Key(Aspect.STAGE, name, tokenizer, against=self.baseline)
        title = f"{one_line(name)} on {one_line(tokenizer)}: {values:,} values"
        self.outcomes[key] = _compared_values(key, title, values)

    def _cause(self, line: search.Finding | search.FinalCause) -> Outcome:
        return self.cause(line, ("differences",), minimizing(self.path, line.number))

    def _lacks(self, other: ReadSearch, outcome: Outcome) -> str:
        tokenizers = outcome.tokenizers or (outcome.key.subject,)
        return next(filter(None, (self._lacks_on(other, outcome.key, each) for each in tokenizers)), "")

    def _lacks_on(self, other: ReadSearch, key: Key, tokenizer: str) -> str:
        name = one_line(tokenizer)
        if tokenizer not in self._tokenizers:
            return f"{name} was not searched"
        if self._tokenizers[tokenizer] != other._tokenizers.get(tokenizer, self._tokenizers[tokenizer]):
            return f"the tokenizer.json of {name} is another one"
        if _asked(self) != _asked(other) or self._is_timed:
            return "a search asks other texts in another time, with another seed, or in another release"
        own, others = (each.results.get((key.implementation, tokenizer)) for each in (self, other))
        if own is None or not own.complete:
            return f"the search did not finish on {name}"
        if key.aspect is not Aspect.CAUSE:
            return ""
        (known, unclear, values), (others_known, others_unclear, others_values) = map(_counts_of_search, (own, others))
        if unclear > others_unclear or known > others_known:
            return f"on {name} more differences were known, unstable, lost, or not looked at"
        return f"on {name} fewer values agree" if values < others_values else ""


def _counts_of_search(line: search.Result | None) -> tuple[int, int, int]:
    """Return how many differences are known, how many are no findings either, and how many values agree."""
    if line is None:
        return 0, 0, 0
    unclear = line.unstable + line.skipped + line.lost + line.unexamined
    return sum(each.count for each in line.known), unclear, line.values
