"""What was compared, as far as a ledger has to know it: which entries had a full chance, and which of them are stale.

An entry is *stale* where nothing that it is about was found, although all that it is about was compared. It is judged
only where that is certain:

- the implementation was compared to the end, in a version and with a baseline that the entry is about, on every
  tokenizer that it names; an entry that names none, or a pattern, speaks of tokenizers that may not have been there;
- every stage and field that it names was shown in every answer; where it names none, all were asked for;
- every input that it names was compared (of a vocabulary, which is compared whole, these are entries), and where it
  names a pattern, every built-in input that fits it; where it names none, all built-in inputs were. What shows on other
  texts only has to name them;
- every requirement that it names was judged. Such an entry is one for suites, and no other;
- of facts, every section that it names was collected of both releases, and each fact that it names is stable in both.
  Such an entry is one for comparisons of releases, and no other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.ledger.entry import TARGET, VOCABULARY
from tokenizer_conformance.ledger.names import fits, names_in
from tokenizer_conformance.ledger.versions import in_range, is_between

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.ledger.entry import Entry


@dataclass(frozen=True, slots=True)
class Compared:
    """An implementation that was compared to the end on one tokenizer.

    ``asked`` leads from the stages to the fields that were to be compared there, ``shown`` to those of them that it
    showed in every answer that the baseline gave. Releases go by the names of their implementations, as in a
    :class:`~tokenizer_conformance.ledger.entry.Difference`.
    """

    implementation: str
    version: str
    tokenizer: str
    asked: Mapping[str, frozenset[str]]
    shown: Mapping[str, frozenset[str]]
    baseline: str = TARGET
    baseline_version: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "implementation", known_as(self.implementation))
        object.__setattr__(self, "baseline", known_as(self.baseline))


@dataclass(frozen=True, slots=True)
class Texts:
    """The inputs that were compared: their ids, the texts that were asked about, and the second texts of pairs.

    ``builtin`` are the ids of all built-in inputs.
    """

    ids: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    pairs: frozenset[str] = frozenset()
    builtin: frozenset[str] = frozenset()

    def gave_a_chance_to(self, entry: Entry) -> bool:
        """Return whether all inputs that ``entry`` is about were compared; of a vocabulary that is all of it."""
        if entry.stages == (VOCABULARY,):
            return True
        if entry.text is not None and entry.text not in self.texts:
            return False
        if entry.pair is not None and entry.pair not in self.pairs:
            return False
        names, patterns = names_in(entry.inputs)
        if not self.ids.issuperset(names):
            return False
        if not entry.inputs:
            return bool(self.builtin) and self.ids.issuperset(self.builtin)
        fitting = [{each for each in self.builtin if fits(each, (pattern,))} for pattern in patterns]
        return all(some and self.ids.issuperset(some) for some in fitting)


@dataclass(frozen=True, slots=True)
class ComparedFacts:
    """The facts of two releases that were compared: ``names``, by the sections that were collected of both.

    Releases go by the names of their implementations, as in a :class:`Compared`.
    """

    implementation: str
    version: str
    baseline: str
    baseline_version: str
    names: Mapping[str, frozenset[str]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "implementation", known_as(self.implementation))
        object.__setattr__(self, "baseline", known_as(self.baseline))

    def gave_a_chance_to(self, entry: Entry) -> bool:
        """Return whether all facts that ``entry`` is about were compared here; a pattern has to fit one of them."""
        if entry.implementation != self.implementation or not self.names.keys() >= set(entry.sections):
            return False
        if not holds_for(entry, self.version, self.baseline, self.baseline_version):
            return False
        compared = frozenset[str]().union(*(self.names[section] for section in entry.sections))
        names, patterns = names_in(entry.facts)
        has_such = all(any(fits(each, (pattern,)) for each in compared) for pattern in patterns)
        return has_such and bool(compared) and compared >= names


@dataclass(frozen=True, slots=True)
class Scope:
    """What was compared to the end, and which entries of the ledger were ``matched`` by a difference.

    ``whole`` says that no stage and no field was left out. ``texts`` of ``None`` give every entry its chance:
    those that had none were told apart before. ``requirements`` are those of a suite that were judged, by
    implementation and version; ``every_requirement`` says that the suite has no others. ``facts`` are those of releases
    that were compared.
    """

    matched: frozenset[Entry]
    compared: tuple[Compared, ...] = ()
    whole: bool = True
    texts: Texts | None = field(default_factory=Texts)
    requirements: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    every_requirement: bool = False
    facts: tuple[ComparedFacts, ...] = ()


def is_stale(entry: Entry, scope: Scope) -> bool:
    """Return whether ``entry`` had a full chance in ``scope``, and nothing matched it."""
    if entry in scope.matched:
        return False
    if entry.sections:
        return any(each.gave_a_chance_to(entry) for each in scope.facts)
    return _has_judged(entry, scope) if entry.requirements else _has_compared(entry, scope)


def holds_for(entry: Entry, version: str, baseline: str, baseline_version: str | None) -> bool:
    """Return whether ``entry`` is about its implementation in ``version``, compared with ``baseline``."""
    if baseline not in entry.baselines or not (entry.version is None or in_range(version, entry.version)):
        return False
    return baseline_version is None or is_between(baseline_version, entry.since, entry.until)


def _has_judged(entry: Entry, scope: Scope) -> bool:
    names, patterns = names_in(entry.requirements)
    if patterns and not scope.every_requirement:
        return False
    return any(
        known_as(implementation) == entry.implementation
        and holds_for(entry, version, TARGET, None)
        and judged.issuperset(names)
        and all(any(fits(each, (pattern,)) for each in judged) for pattern in patterns)
        for (implementation, version), judged in scope.requirements.items()
    )


def _has_compared(entry: Entry, scope: Scope) -> bool:
    names, patterns = names_in(entry.tokenizers)
    if not names or patterns or not (scope.whole or (entry.stages and entry.fields)):
        return False
    about = {
        each.tokenizer: each
        for each in scope.compared
        if each.implementation == entry.implementation
        and holds_for(entry, each.version, each.baseline, each.baseline_version)
    }
    return (
        about.keys() >= names
        and all(_has_shown(entry, about[name]) for name in names)
        and (scope.texts is None or scope.texts.gave_a_chance_to(entry))
    )


def _has_shown(entry: Entry, compared: Compared) -> bool:
    stages = entry.stages or tuple(stage for stage, fields in compared.shown.items() if fields)
    shown: set[str] = set()
    for stage in stages:
        here = compared.shown.get(stage, frozenset())
        if not here or not here.issuperset(compared.asked.get(stage, frozenset()).intersection(entry.fields)):
            return False
        shown |= here
    return bool(stages) and shown.issuperset(entry.fields)
