"""The new differences of a run with what was answered: what the entries of a ledger are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import stage_of
from tokenizer_conformance.comparison.findings import MOST_INPUTS

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Stage
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.comparison.findings import Near
    from tokenizer_conformance.inputs.text import Input
    from tokenizer_conformance.ledger.answers import Answered


@dataclass(frozen=True, slots=True)
class Seen:
    """New ``differences`` of an ``implementation`` in its answer to a ``question`` about an ``input``.

    The question is asked of the other text of its pair too, the input called ``following``. ``answered`` is what both
    sides answered, and ``near`` the place of the first difference. ``follows_from`` is the earlier stage that explains
    them, ``None`` where they are its own.
    """

    implementation: str
    input: Input
    following: str
    question: Observation
    differences: tuple[Difference, ...]
    answered: Answered
    near: Near | None = None
    follows_from: Stage | None = None

    @property
    def stage(self) -> Stage:
        """The stage that was asked about."""
        return stage_of(self.question)


@dataclass(frozen=True, slots=True)
class DifferencesSeen:
    """What a run has seen on a tokenizer that is finished, for entries of a ledger: no report tells it."""

    tokenizer: str
    seen: tuple[Seen, ...]


class SeenDifferences:
    """Gathers what is seen on one tokenizer, on at most ``MOST_INPUTS`` inputs of an implementation."""

    def __init__(self) -> None:
        self._seen: dict[object, Seen] = {}
        self._inputs: dict[str, set[str]] = {}

    def add(self, seen: Seen) -> None:
        """Take in what was ``seen``, once."""
        inputs = self._inputs.setdefault(seen.implementation, set())
        if seen.input.id in inputs or len(inputs) < MOST_INPUTS:
            inputs.add(seen.input.id)
            self._seen.setdefault((seen.implementation, seen.input.id, seen.question), seen)

    def all(self) -> tuple[Seen, ...]:
        """Return all of it."""
        return tuple(self._seen.values())
