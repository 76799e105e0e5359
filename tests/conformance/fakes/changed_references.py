"""The reference with one rule changed, as an implementation; and others that only look like it.

``when`` says for which questions the change holds: a fault of one character is a change that holds for no other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.variants.loading import load_variant

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import (
        ImplementationInfo,
        Observation,
        Outcome,
        Subject,
        TokenizerSource,
    )
    from tokenizer_adapters.variants.change import Change


def always(_question: Observation) -> bool:
    return True


def same(_question: Observation, outcome: Outcome) -> Outcome:
    return outcome


class ChangedReference:
    """The reference with ``changes``, which hold ``when`` that says so; ``then`` something happens to each answer."""

    def __init__(
        self,
        *changes: Change,
        when: Callable[[Observation], bool] = always,
        then: Callable[[Observation, Outcome], Outcome] = same,
    ) -> None:
        self._changes = changes
        self._when = when
        self._then = then

    @property
    def info(self) -> ImplementationInfo:
        return replace(ReferenceImplementation().info, name="changed")

    def load(self, source: TokenizerSource) -> Subject:
        return ChangedSubject(self._when, self._then, load_variant(source), load_variant(source, *self._changes))


@dataclass(frozen=True)
class ChangedSubject:
    when: Callable[[Observation], bool]
    then: Callable[[Observation, Outcome], Outcome]
    plain: Subject
    changed: Subject

    def observe(self, observation: Observation) -> Outcome:
        chosen = self.changed if self.when(observation) else self.plain
        return self.then(observation, chosen.observe(observation))

    def vocabulary(self) -> dict[str, int]:
        vocabulary = self.plain.vocabulary()
        assert isinstance(vocabulary, dict)
        return vocabulary
