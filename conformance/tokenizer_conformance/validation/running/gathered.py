"""The questions that differ, kept until causes are looked for. Apart, so that a run begins without that search."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import stage_of
from tokenizer_conformance.comparison.findings import length_of, signature_of
from tokenizer_conformance.comparison.verdicts import NO_ANSWER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenizer_adapters.contract import Observation, TokenizerSource
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.comparison.findings import Signature
    from tokenizer_conformance.inputs.text import Input

MOST_QUESTIONS = 5_000
"""How many questions of one finding are kept until causes are looked for."""

MOST_CHARACTERS = 2_000_000
"""How many characters or ids all kept questions of one tokenizer may have; the first of each finding is always kept."""

Question = tuple["Observation", str]
"""A question that differs, and the id of the input that it is about."""


class Gathered:
    """The questions that differ on one tokenizer and are nobody's consequence, by finding; bounded."""

    def __init__(self, tokenizer: str) -> None:
        self._tokenizer = tokenizer
        self._characters = 0
        self.questions: dict[Signature, deque[Question]] = {}
        self.categories: dict[str, str] = {}
        """Those of the inputs that anything is kept of, by their ids."""
        self.left_out: Counter[Signature] = Counter()

    def add(self, implementation: str, found: Iterable[tuple[Observation, Difference]], each: Input) -> None:
        """Take in what was ``found`` about the input ``each``.

        A question is kept once, for the first of its differences. Where no answer came at all there is nothing to
        experiment on: that could cost a process each time.
        """
        first: dict[Observation, Difference] = {}
        for question, difference in found:
            if difference.verdict not in NO_ANSWER:
                first.setdefault(question, difference)
        for question, difference in first.items():
            signature = signature_of(self._tokenizer, implementation, stage_of(question), difference)
            self._keep(signature, question, each)

    def _keep(self, signature: Signature, question: Observation, each: Input) -> None:
        kept = self.questions.setdefault(signature, deque())
        length = length_of(question)
        if kept and (len(kept) >= MOST_QUESTIONS or self._characters + length > MOST_CHARACTERS):
            self.left_out[signature] += 1
            return
        self._characters += length
        kept.append((question, each.id))
        self.categories[each.id] = each.category

    def keep_only(self, left: Mapping[Signature, deque[Question]], unknown: Mapping[Signature, int]) -> None:
        """Keep of some findings what is ``left``; ``unknown`` counts those that are not looked at any more."""
        self.questions |= left
        self.left_out.update(unknown)

    def of(self, implementation: str) -> dict[Signature, deque[Question]]:
        """Return what is kept of that ``implementation``."""
        mine = ((each, kept) for each, kept in self.questions.items() if each.implementation == implementation)
        return {each: kept for each, kept in mine if kept}

    def names(self) -> list[str]:
        """Return the names of the implementations of which there is anything."""
        return list(dict.fromkeys(each.implementation for each, kept in self.questions.items() if kept))


@dataclass(slots=True)
class Subject:
    """A tokenizer of which causes are looked for; ``loaded`` has the sides that still have it loaded, by name.

    ``causes`` are those that are known already; the implementations in ``alone`` have to be asked alone.
    """

    source: TokenizerSource
    gathered: Gathered
    loaded: dict[str, Asked] = field(default_factory=dict)
    causes: tuple[Cause, ...] = ()
    alone: frozenset[str] = frozenset()
