"""Facts about a release that are no answers to texts: defaults, refusals, saved files, what trainers learn.

A *section* collects facts of one kind, each under a name; facts of one name are compared from release to release.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry


@dataclass(frozen=True, slots=True)
class Release:
    """A release that is ready to be asked: the ``word`` that selects it, its ``version``, and the implementation."""

    word: str
    version: str
    implementation: Implementation


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about a release.

    ``value`` is what is compared, ``shown`` what people are told, where that is another text. ``is_stable`` is false
    where the release itself did not repeat it: that is noise, and no change.
    """

    value: str
    shown: str = ""
    is_stable: bool = True

    @property
    def told(self) -> str:
        """What people are told."""
        return self.shown or self.value


@dataclass(frozen=True, slots=True)
class FactChange:
    """A fact called ``name`` of a section that is another one from ``since`` on; before it was as in ``until``.

    ``old`` and ``new`` are ``None`` where the release has no such fact. ``entry`` is that of the ledger by which the
    change is known.
    """

    section: str
    name: str
    until: str
    since: str
    old: Fact | None
    new: Fact | None
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class SectionFinished:
    """The result of a section: how many facts were compared in each release, what changed, and what is noise.

    ``missing`` says by release why it has no facts of this kind. ``unstable`` are names of facts that a release did not
    repeat itself, by release.
    """

    section: str
    facts: Mapping[str, int]
    changes: tuple[FactChange, ...]
    missing: Mapping[str, str] = field(default_factory=dict)
    unstable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class NoFactsError(Exception):
    """A release has no facts of this kind; the message says why."""


class Section(Protocol):
    """Collects facts of one kind."""

    @property
    def name(self) -> str:
        """The name, of words: ``defaults``."""

    @property
    def title(self) -> str:
        """What people are told the facts are about, in one line."""

    def facts(self, release: Release, tokenizers: Sequence[TokenizerFile]) -> Mapping[str, Fact]:
        """Return the facts about ``release``, by name.

        Raises :class:`NoFactsError`.
        """


def section_result(section: str, facts: Mapping[str, Mapping[str, Fact] | str]) -> SectionFinished:
    """Return the outcome of the ``facts`` of a section, by release, oldest first; a text says why there are none.

    A fact is compared with that of the release before which has any; one that is not stable with none.
    """
    have = {release: found for release, found in facts.items() if not isinstance(found, str)}
    return SectionFinished(
        section=section,
        facts={release: len(found) for release, found in have.items()},
        changes=tuple(_changes(section, have)),
        missing={release: found for release, found in facts.items() if isinstance(found, str)},
        unstable={
            release: unstable
            for release, found in have.items()
            if (unstable := tuple(name for name, fact in found.items() if not fact.is_stable))
        },
    )


def _changes(section: str, facts: Mapping[str, Mapping[str, Fact]]) -> Iterator[FactChange]:
    for (until, since), names in compared_names(facts).items():
        before, after = facts[until], facts[since]
        for name in sorted(names):
            old, new = before.get(name), after.get(name)
            if (None if old is None else old.value) != (None if new is None else new.value):
                yield FactChange(section, name, until, since, old, new)


def compared_names(facts: Mapping[str, Mapping[str, Fact] | str]) -> dict[tuple[str, str], frozenset[str]]:
    """Return the names of the facts that are compared, by the two releases; a text says why a release has no facts.

    A fact that one of the two has not repeated is not compared.

    >>> facts = {"1": {"a": Fact("x"), "b": Fact("y", is_stable=False)}, "2": "none", "3": {"a": Fact("x")}}
    >>> compared_names(facts)
    {('1', '3'): frozenset({'a'})}
    """
    have = {release: found for release, found in facts.items() if not isinstance(found, str)}
    return {
        (until, since): frozenset(
            name
            for name in {*have[until], *have[since]}
            if all(each is None or each.is_stable for each in (have[until].get(name), have[since].get(name)))
        )
        for until, since in itertools.pairwise(have)
    }
