"""What a loader answers on the inputs beside what the file gives, and how much of it the replaced components explain.

A class in plain Python has no pipeline to look into: its answers are all there is. Of a loader that has one, an answer
is explained where the document that it wrote gives it, too, when it is loaded without the loader.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import stage_of
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.comparison.blame import BUILDS_ON
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.exchange import KeptTexts
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.question_reduction import reduced_question
from tokenizer_conformance.comparison.questions import EVERY_STAGE, about_text, is_extra
from tokenizer_conformance.comparison.reduction import BudgetSpentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Field, Observation, Outcome, Stage
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.differences import Comparison, Difference, DifferenceKind
    from tokenizer_conformance.comparison.verdicts import Verdict

AT_ONCE = 64
"""How many inputs are asked about ahead, of a loader in a process of its own."""

REDUCTION_SECONDS = 5.0
REDUCTION_CHECKS = 1000
"""What making an example smaller may cost."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How answers differ: what those of one finding have in common."""

    stage: Stage
    field: Field | None
    verdict: Verdict
    kind: DifferenceKind


@dataclass(frozen=True, slots=True)
class BehaviourFinding:
    """Answers that differ in one ``manner`` on so many ``inputs``, with the smallest question that shows it."""

    manner: Manner
    inputs: int
    question: Observation
    difference: Difference
    raw: Outcome
    loaded: Outcome


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The outcome of the answers about ``inputs``: ``differing`` of them do; ``explained`` by what was replaced.

    ``values`` fields were compared. ``findings`` are of what is not explained, those of most inputs first. Some
    texts are ``kept``, those that differ and others.
    """

    inputs: int
    values: int
    differing: int
    explained: int
    findings: tuple[BehaviourFinding, ...]
    kept: KeptTexts = field(default_factory=KeptTexts, compare=False, repr=False)


class BehaviourComparison:
    """Compares a ``loader`` with the ``file``; ``written`` is what the loader wrote, loaded as the file is."""

    def __init__(self, file: Asked, loader: Asked, written: Asked | None) -> None:
        self._file = file
        self._loader = loader
        self._written = written
        self._inputs: Counter[Manner] = Counter()
        self._examples: dict[Manner, Observation] = {}
        self._values = 0

    def result(self, texts: Sequence[str]) -> Behaviour:
        """Return the outcome of the answers about ``texts``."""
        differing = explained = 0
        kept = KeptTexts()
        for start in range(0, len(texts), AT_ONCE):
            batch = texts[start : start + AT_ONCE]
            STATUS.reach(Place("inputs", start, len(texts)))
            self._ask_ahead(batch)
            for text in batch:
                manners, is_explained = self._manners(text)
                kept.take(text, [*manners, *([Manner] if is_explained else [])])
                differing += bool(manners) or is_explained
                explained += is_explained and not manners
                self._inputs.update(manners)
        self._loader.forget()
        findings = tuple(self._finding(manner, count) for manner, count in self._inputs.most_common())
        return Behaviour(len(texts), self._values, differing, explained, findings, kept)

    def questions(self, text: str) -> Iterator[Observation]:
        """Yield what both are asked about ``text``."""
        for question in about_text(text, EVERY_STAGE, self._file.ask):
            if not is_extra(question) and stage_of(question) in self._loader.info.stages:
                yield question

    def _ask_ahead(self, texts: Sequence[str]) -> None:
        self._loader.forget()
        if self._loader.takes_batches:
            self._loader.ask_ahead([question for text in texts for question in self.questions(text)])

    def _manners(self, text: str) -> tuple[set[Manner], bool]:
        """Return how the answers about ``text`` differ without an explanation, and whether any has one."""
        stages: set[Stage] = set()
        manners: dict[Manner, Observation] = {}
        is_explained = False
        for question in self.questions(text):
            comparison = self._compared(question)
            self._values += len(comparison.agreed)
            stage = stage_of(question)
            if not comparison.differences or stages & BUILDS_ON[stage]:
                continue
            stages.add(stage)
            if self._is_explained(question):
                is_explained = True
            else:
                manners.setdefault(_manner(stage, comparison.differences[0]), question)
        for manner, question in manners.items():
            known = self._examples.get(manner)
            if known is None or length_of(question) < length_of(known):
                self._examples[manner] = question
        return set(manners), is_explained

    def _compared(self, question: Observation, *, by_written: bool = False) -> Comparison:
        ours = self._written if by_written and self._written is not None else self._file
        return compare(
            question,
            OutcomeInUnit(ours.ask(question), ours.info.offset_unit),
            OutcomeInUnit(self._loader.ask(question), self._loader.info.offset_unit),
        )

    def _is_explained(self, question: Observation) -> bool:
        return self._written is not None and not self._compared(question, by_written=True).differences

    def _finding(self, manner: Manner, inputs: int) -> BehaviourFinding:
        until = time.monotonic() + REDUCTION_SECONDS

        def shows_the_same(question: Observation) -> bool:
            if time.monotonic() > until:
                raise BudgetSpentError
            found = self._compared(question).differences
            return bool(found) and _manner(stage_of(question), found[0]) == manner and not self._is_explained(question)

        question = reduced_question(self._examples[manner], shows_the_same, REDUCTION_CHECKS)
        differences = self._compared(question).differences or self._compared(self._examples[manner]).differences
        return BehaviourFinding(
            manner, inputs, question, differences[0], self._file.ask(question), self._loader.ask(question)
        )


def _manner(stage: Stage, difference: Difference) -> Manner:
    return Manner(stage, difference.field, difference.verdict, difference.kind)
