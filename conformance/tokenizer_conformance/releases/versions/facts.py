"""Facts about a release that are no answers to texts: defaults, refusals, saved files, what trainers learn.

A *section* collects facts of one kind, each under a name; facts of one name are compared from release to release.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from tokenizer_adapters.environments.asking import Asks, asked, module_of
from tokenizer_adapters.environments.faults import EnvironmentFaultError, WordError
from tokenizer_conformance.results.records import versions as lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


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


class NoFactsError(Exception):
    """A release has no facts of this kind; the message says why."""


MODULES = frozenset({"tokenizers", "transformers"})
"""The modules whose own Python can be asked about them."""


def told_by(word: str, what: Asks, arguments: Sequence[str], seconds: float, not_asked: str) -> dict[str, Any]:
    """Return what the Python of a release says of its module, for at most so many ``seconds``.

    Raises :class:`NoFactsError` where it crashes or hangs, and for other modules, of which ``not_asked`` says that.
    """
    try:
        module = module_of(word)
        if module not in MODULES:
            raise NoFactsError(f"{not_asked.format(module)}, only that of {' and '.join(sorted(MODULES))}")
        answer: dict[str, Any] = asked(word, what, [module, *arguments], seconds)
    except (WordError, EnvironmentFaultError) as error:
        raise NoFactsError(str(error)) from error
    return answer


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


def section_result(section: str, facts: Mapping[str, Mapping[str, Fact] | str]) -> lines.Section:
    """Return the line about the ``facts`` of a section, by release, oldest first; a text says why there are none.

    A fact is compared with that of the release before which has any; one that is not stable with none.
    """
    have = {release: found for release, found in facts.items() if not isinstance(found, str)}
    unstable = {
        release: tuple(name for name, fact in found.items() if not fact.is_stable) for release, found in have.items()
    }
    return lines.Section(
        section=section,
        facts={release: len(found) for release, found in have.items()},
        changes=tuple(_changes(have)),
        missing={release: found for release, found in facts.items() if isinstance(found, str)},
        unstable={release: names for release, names in unstable.items() if names},
    )


def _changes(facts: Mapping[str, Mapping[str, Fact]]) -> Iterator[lines.SectionChange]:
    for (until, since), names in compared_names(facts).items():
        for name in sorted(names):
            old, new = (_recorded(facts[release].get(name)) for release in (until, since))
            if (old and old.value) != (new and new.value):
                yield lines.SectionChange(name=name, until=until, since=since, old=old, new=new)


def _recorded(fact: Fact | None) -> lines.Fact | None:
    return None if fact is None else lines.Fact(value=fact.value, shown=fact.shown)


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
