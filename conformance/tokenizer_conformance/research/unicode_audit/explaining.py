"""Which rule, with the tables of which version, explains what was seen; and what it leaves unexplained."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeVar

from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints
from tokenizer_conformance.research.unicode_audit.properties import TRIED
from tokenizer_conformance.research.unicode_audit.rules import CLASS_RULES, MAPPING_RULES, SET_RULES, TEXT_RULES
from tokenizer_conformance.research.unicode_audit.sightings import (
    ClassesSeen,
    MappingSeen,
    SetSeen,
    TextsSeen,
    classes_differing,
    differing,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.research.unicode_audit.sightings import Seen, Sighting

T = TypeVar("T")

MOST_EXAMPLES: Final = 12
NOTHING: Final = CodePoints()


@dataclass(frozen=True, slots=True)
class Deviation:
    """One character or text that a rule does not explain: what the rule says of it, and what was seen."""

    text: str
    expected: str
    seen: str


@dataclass(frozen=True, slots=True)
class Residual:
    """What a rule leaves unexplained: ``more`` is in the set and not in the rule, ``fewer`` the other way round.

    Characters of a mapping or of classes that come out otherwise are ``other``, texts are ``texts``. ``examples`` are
    the first ones, with what the rule says.
    """

    more: CodePoints = NOTHING
    fewer: CodePoints = NOTHING
    other: CodePoints = NOTHING
    texts: tuple[str, ...] = ()
    examples: tuple[Deviation, ...] = ()

    @property
    def count(self) -> int:
        """How many characters and texts it has."""
        return len(self.more) + len(self.fewer) + len(self.other) + len(self.texts)


@dataclass(frozen=True, slots=True)
class Explanation:
    """The ``rule`` that explains a behaviour best, and the ``versions`` whose tables leave the ``residual``.

    Of a rule that no version explains exactly the versions are those nearest to it. ``is_fixed``: the rule is the same
    in all versions by its definition.
    """

    rule: str
    versions: tuple[str, ...]
    residual: Residual
    is_fixed: bool

    @property
    def is_exact(self) -> bool:
        """Whether nothing is left unexplained."""
        return not self.residual.count

    @property
    def version_words(self) -> str:
        """The versions as people write them: ``8.0``, ``9.0 to 11.0``, ``any``."""
        return "any" if self.is_fixed else version_ranges(self.versions)


def version_ranges(versions: tuple[str, ...]) -> str:
    """Return versions, which are in order, as ranges.

    >>> version_ranges(("8.0", "9.0", "10.0", "16.0"))
    '8.0 to 10.0, 16.0'
    """
    places = [(TRIED.index(version) - number, version) for number, version in enumerate(versions)]
    runs = [[version for _, version in run] for _, run in groupby(places, key=lambda each: each[0])]
    newest = TRIED[-1]
    if runs == [[*TRIED]]:
        return f"{TRIED[0]} to {newest}"
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


@dataclass(frozen=True, slots=True)
class _Fit:
    rule: str
    version: str
    residual: int
    is_fixed: bool
    expected: Seen


def explained(sighting: Sighting) -> Explanation:
    """Return the explanation of what was seen: the first rule that is exact in any version, else the nearest one."""
    fits = _best(_fits(sighting.seen))
    first = fits[0]
    return Explanation(
        rule=first.rule,
        versions=tuple(fit.version for fit in fits),
        residual=residual_of(sighting.seen, fits[-1].expected) if first.residual else Residual(),
        is_fixed=first.is_fixed,
    )


def _best(fits: Iterator[_Fit]) -> list[_Fit]:
    """Return the fits of the first rule that leaves least; as soon as one is exact no further rule is tried."""
    best: list[_Fit] = []
    for _, of_rule in groupby(fits, key=lambda fit: fit.rule):
        found = list(of_rule)
        least = min(fit.residual for fit in found)
        if not best or least < best[0].residual:
            best = [fit for fit in found if fit.residual == least]
        if not best[0].residual:
            break
    return best


def _fits(seen: Seen) -> Iterator[_Fit]:
    """Yield how each rule of the kind fits in each version."""
    for words, is_fixed, in_version in _rules(seen):
        for version in TRIED[-1:] if is_fixed else TRIED:
            expected = in_version(version)
            yield _Fit(words, version, len(differing(seen, expected)), is_fixed, expected)


def _rules(seen: Seen) -> Iterator[tuple[str, bool, Callable[[str], Seen]]]:
    """Yield each rule of the kind: its words, whether it is the same in all versions, and what it says in one."""
    match seen:
        case SetSeen():
            for rule in SET_RULES:
                yield rule.words, rule.is_fixed, _said(rule.in_version, SetSeen)
        case MappingSeen():
            for mapping in MAPPING_RULES:
                yield mapping.words, mapping.is_fixed, _said(mapping.in_version, MappingSeen)
        case ClassesSeen():
            for classes in CLASS_RULES:
                yield classes.words, False, _said(classes.in_version, partial(ClassesSeen, asked=seen.asked))
        case TextsSeen(asked):
            for texts in TEXT_RULES:
                yield (
                    texts.words,
                    texts.is_fixed,
                    _said(partial(texts.in_version, asked=asked), partial(TextsSeen, asked)),
                )


def _said(in_version: Callable[[str], T], form: Callable[[T], Seen]) -> Callable[[str], Seen]:
    return lambda version: form(in_version(version))


def residual_of(seen: Seen, expected: Seen) -> Residual:
    """Return in what ``seen`` differs from what was ``expected``, both of one kind."""
    match seen, expected:
        case SetSeen(), SetSeen():
            more, fewer = seen.members - expected.members, expected.members - seen.members
            return Residual(more=more, fewer=fewer)
        case MappingSeen(), MappingSeen():
            other = differing(seen, expected)
            return Residual(
                other=other if isinstance(other, CodePoints) else NOTHING,
                examples=tuple(
                    Deviation(chr(at), expected.values.get(at, chr(at)), seen.values.get(at, chr(at)))
                    for at, _ in zip(_points(other), range(MOST_EXAMPLES), strict=False)
                ),
            )
        case ClassesSeen(), ClassesSeen():
            moved = classes_differing(seen.members, expected.members) & seen.asked
            return Residual(
                other=moved,
                examples=tuple(
                    Deviation(chr(at), _class_of(at, expected), _class_of(at, seen))
                    for at, _ in zip(moved, range(MOST_EXAMPLES), strict=False)
                ),
            )
        case TextsSeen(), TextsSeen():
            texts = differing(seen, expected)
            told = texts if isinstance(texts, tuple) else ()
            return Residual(
                texts=told,
                examples=tuple(
                    Deviation(text, expected.values.get(text, text), seen.values.get(text, text))
                    for text in told[:MOST_EXAMPLES]
                ),
            )
    raise TypeError("a behaviour is explained by a rule of its own kind")


def _points(found: CodePoints | tuple[str, ...]) -> Iterator[int]:
    return iter(found if isinstance(found, CodePoints) else ())


def _class_of(at: int, seen: ClassesSeen) -> str:
    return " ".join(sorted(name for name, found in seen.members.items() if at in found)) or "none"
