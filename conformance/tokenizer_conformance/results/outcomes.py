"""The headline of a page: a sentence about who came to what, made of the outcomes that the lines of a record tell.

    my-port differs on 3 of 3 tokenizers; reference, transformers and morpheme conform

Who came to the same stands together, the gravest first. Nobody conforms here of whom nothing was compared, and what was
not loaded or not shown is in no number of what was compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenizer_conformance.results.records.ending import Ended


class Result(StrEnum):
    """What one came to on one thing, the gravest first."""

    NO_ANSWER = "no answer"
    DIFFERS = "differs"
    UNSTABLE = "unstable"
    NOT_LOADED = "not loaded"
    UNAVAILABLE = "unavailable"
    TOO_LITTLE = "too little"
    NOT_SHOWN = "not shown"
    NOTHING = "nothing compared"
    KNOWN = "known"
    CONFORMS = "conforms"


DIFFERING = frozenset({Result.NO_ANSWER, Result.DIFFERS, Result.UNSTABLE, Result.KNOWN})
"""The results of what was compared and does not conform."""

COMPARED = DIFFERING | {Result.CONFORMS}
"""The results of what was compared."""

NONE = frozenset({Result.NOT_LOADED, Result.NOT_SHOWN, Result.NOTHING})
"""The results of which is said that they hold not for any, where they hold for all."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What outcomes are told in: the ``noun`` for one thing and for several, and what is said of one and of several.

    In ``verbs``, ``{}`` stands for the things on which a result was come to.
    """

    noun: tuple[str, str]
    verbs: Mapping[Result, tuple[str, str]]


ON_TOKENIZERS = Wording(
    ("tokenizer", "tokenizers"),
    {
        Result.NO_ANSWER: ("gives no answer on {}", "give no answer on {}"),
        Result.DIFFERS: ("differs on {}", "differ on {}"),
        Result.UNSTABLE: ("answers otherwise when asked again on {}", "answer otherwise when asked again on {}"),
        Result.NOT_LOADED: ("does not load {}", "do not load {}"),
        Result.UNAVAILABLE: ("cannot be used", "cannot be used"),
        Result.TOO_LITTLE: ("answers too little on {}", "answer too little on {}"),
        Result.NOT_SHOWN: ("shows nothing that was asked on {}", "show nothing that was asked on {}"),
        Result.NOTHING: ("was not compared on {}", "were not compared on {}"),
        Result.KNOWN: ("differs only as is known on {}", "differ only as is known on {}"),
        Result.CONFORMS: ("conforms on {}", "conform on {}"),
    },
)
"""What is said of implementations that are compared on tokenizers."""

MOST_GROUPS = 4
"""Where more came to different results, it is told only which, and not how often."""

MOST_NAMES = 5
"""So many names stand together; of more the others are counted."""

BEFORE: Mapping[Conclusion, str] = {
    Conclusion.INTERRUPTED: "interrupted; until then ",
    Conclusion.INTERNAL_ERROR: "tokconf itself failed; until then ",
}
"""What comes before what was found, by how the command ended."""

NOTHING_FOUND = "nothing was compared"

SOME_FOUND = "not everything was compared"
"""What stands in the place of :data:`NOTHING_FOUND` where that is true of some alone."""

AFTER: Mapping[Conclusion, tuple[str, frozenset[Result]]] = {
    Conclusion.BAD_INPUT: ("not all that was given can be used", frozenset()),
    Conclusion.INCOMPLETE: ("parts of the run are missing", frozenset()),
    Conclusion.STALE: ("an entry of a ledger is out of date", frozenset()),
    Conclusion.IMPLEMENTATION_FAILED: (
        "an implementation failed",
        frozenset({Result.NO_ANSWER, Result.UNSTABLE, Result.NOT_LOADED, Result.UNAVAILABLE}),
    ),
    Conclusion.NOTHING_COMPARED: (
        NOTHING_FOUND,
        frozenset({Result.NOT_LOADED, Result.UNAVAILABLE, Result.NOT_SHOWN, Result.NOTHING}),
    ),
    Conclusion.TOO_LITTLE: ("too little was answered", frozenset({Result.TOO_LITTLE, Result.NOT_SHOWN})),
}
"""What comes after what was found, by how the command ended, unless one of these results has said it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """``who`` came to a ``result`` on ``what``: on one thing of that name, or on ``count`` of them."""

    who: str
    what: str
    result: Result
    count: int = 1


Results = dict[Result, list[Outcome]]
"""The outcomes of one, or of several who came to the same, by their result, the gravest first."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcomes of a command: ``of`` whom on what, and the ``wording`` that they are told in."""

    of: tuple[Outcome, ...] = ()
    wording: Wording = ON_TOKENIZERS

    def about(self, who: str) -> Outcomes:
        """Return those of ``who`` alone."""
        return Outcomes(tuple(each for each in self.of if each.who == who), self.wording)

    def on(self, what: str) -> Outcomes:
        """Return those on ``what`` alone."""
        return Outcomes(tuple(each for each in self.of if each.what == what), self.wording)

    @property
    def gravest(self) -> Result:
        """The gravest result; that nothing was compared where there is none."""
        return next(iter(_by_result(self.of)), Result.NOTHING)

    def sentence(self) -> str:
        """Say who came to what.

        >>> told = [("a", "x", Result.DIFFERS), ("b", "x", Result.CONFORMS), ("c", "x", Result.CONFORMS)]
        >>> Outcomes(tuple(Outcome(*each) for each in told)).sentence()
        'a differs on x; b and c conform'
        """
        groups = self._groups()
        if len(groups) > MOST_GROUPS:
            return "; ".join(self._told_coarsely())
        is_only = sum(list(results) != [Result.UNAVAILABLE] for _, results in groups) == 1
        return "; ".join(self._told(*group, is_only=is_only) for group in groups) or NOTHING_FOUND

    def headline(self, ended: Ended) -> str:
        """Say who came to what in a command that ``ended`` so."""
        said, told = AFTER.get(ended.conclusion, ("", frozenset()))
        if ended.conclusion is Conclusion.NOTHING_COMPARED and any(each.result in COMPARED for each in self.of):
            said = SOME_FOUND
        found = self.sentence()
        is_said = said in ("", found) or any(each.result in told for each in self.of)
        return f"{BEFORE.get(ended.conclusion, '')}{found}{'' if is_said else f'; {said}'}"

    def _groups(self) -> list[tuple[list[str], Results]]:
        """Return who came to the same: their names, and the results of the first; those with the gravest first."""
        groups: dict[object, tuple[list[str], Results]] = {}
        for who in dict.fromkeys(each.who for each in self.of if each.count):
            results = _by_result(self.about(who).of)
            key = tuple((result, _size(found)) for result, found in results.items())
            groups.setdefault(key, ([], results))[0].append(who)
        order = list(Result)
        return sorted(groups.values(), key=lambda group: [order.index(each) for each in group[1]])

    def _told_coarsely(self) -> Iterator[str]:
        """Yield who came to which result at the gravest, without how often."""
        groups: dict[tuple[Result, str], list[str]] = {}
        for who in dict.fromkeys(each.who for each in self.of if each.count):
            result, *others = _by_result(self.about(who).of)
            extent = "all" if result is Result.CONFORMS else "any" if result in NONE and not others else "some"
            groups.setdefault((result, extent), []).append(who)
        order = list(Result)
        for result, extent in sorted(groups, key=lambda key: order.index(key[0])):
            names = groups[result, extent]
            verb = self.wording.verbs[result][len(names) > 1]
            yield f"{listed(names)} {verb}".format(f"{extent} {self.wording.noun[extent != 'any']}")

    def _told(self, names: Sequence[str], results: Results, *, is_only: bool) -> str:
        return f"{listed(names)} {listed(list(self._clauses(results, is_plural=len(names) > 1, is_only=is_only)))}"

    def _clauses(self, results: Results, *, is_plural: bool, is_only: bool) -> Iterator[str]:
        """Yield what is said of who came to ``results``: what was compared first, then what was not."""
        compared = {result: found for result, found in results.items() if result in COMPARED}
        if len(compared) > 1:
            compared.pop(Result.CONFORMS, None)  # these are the others
        others = {result: found for result, found in results.items() if result not in COMPARED}
        is_counted = False
        for result, found in (compared | others).items():
            verb = self.wording.verbs[result][is_plural]
            if result is Result.CONFORMS and not (others or is_only):
                verb = verb.removesuffix(" on {}")
            told = f"{_size(found):,}" if is_counted else self._object(result, results)
            is_counted = is_counted or self.wording.noun[1] in told
            yield verb.format(told)

    def _object(self, result: Result, results: Results) -> str:
        """Return what ``result`` was come to on: by its name where there is one thing alone, else how many of them."""
        count, total = _size(results[result]), sum(map(_size, results.values()))
        one, several = self.wording.noun
        compared = sum(_size(found) for each, found in results.items() if each in COMPARED)
        if total == 1 or (compared == 1 and result in COMPARED):
            return results[result][0].what or f"1 {one}"
        if count == total and result not in DIFFERING:
            return f"{'any of' if result in NONE else 'all'} {total:,} {several}"
        if result in DIFFERING and compared < total:
            return f"{count:,} of {'' if count == compared else 'the '}{compared:,} {several} compared"
        return f"{count:,} of {total:,} {several}"


NOBODY = Outcomes()
"""Where nobody is judged."""


def _by_result(outcomes: Iterable[Outcome]) -> Results:
    found: Results = {result: [] for result in Result}
    for each in outcomes:
        if each.count:
            found[each.result].append(each)
    return {result: those for result, those in found.items() if those}


def _size(outcomes: Iterable[Outcome]) -> int:
    return sum(each.count for each in outcomes)


def listed(names: Sequence[str]) -> str:
    """Return ``names`` as a list in words, the first of many.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed([*"abcdefgh"])
    ('a', 'a, b and c', 'a, b, c, d and 4 others')
    """
    shown = list(names)
    if len(shown) > MOST_NAMES:
        shown = [*shown[: MOST_NAMES - 1], f"{len(shown) - MOST_NAMES + 1:,} others"]
    *others, last = shown
    return f"{', '.join(others)} and {last}" if others else last
