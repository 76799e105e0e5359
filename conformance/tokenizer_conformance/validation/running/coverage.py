"""How much was compared: whether an implementation answered what it says it shows, and what the user requires.

Without this, an implementation that answers "unsupported" to nearly everything would conform.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import shown_of
from tokenizer_conformance.comparison.differences import compared_fields
from tokenizer_conformance.comparison.verdicts import ENOUGH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Field, ImplementationInfo, Stage
    from tokenizer_conformance.validation.running.results import ImplementationResult, StageCount


@dataclass(frozen=True, slots=True)
class Requirement:
    """What the user wants to have been compared: a stage, and one field of its answers or all of them (``None``)."""

    stage: Stage
    field: Field | None = None

    def __str__(self) -> str:
        return self.stage if self.field is None else f"{self.stage}:{self.field}"

    def fields(self) -> tuple[Field, ...]:
        """Return the fields that are required."""
        return compared_fields(self.stage) if self.field is None else (self.field,)


LOST = (LOST_ANSWERS, LOST_EXTRAS) = ("answers", "extra answers")
"""What an implementation does not show any more: answers that it has to give, and those that none has to (words,
batches, ids one by one)."""


@dataclass(frozen=True, slots=True)
class Shortfall:
    """On ``tokenizer``, ``implementation`` answered ``answered`` of ``asked`` questions about ``field`` at ``stage``.

    ``required`` tells whether the user wants that compared; else the implementation says that it shows it. In a diff,
    ``lost`` is one of :data:`LOST` where the same implementation answered all these questions before.
    """

    tokenizer: str
    implementation: str
    stage: Stage
    field: Field
    answered: int
    asked: int
    required: bool
    lost: str = ""


def shortfalls(
    tokenizer: str,
    result: ImplementationResult,
    info: ImplementationInfo,
    fields: frozenset[Field],
    required: Sequence[Requirement],
) -> Iterator[Shortfall]:
    """Yield what ``result``, that of the implementation ``info``, did not answer often enough; of ``fields`` only.

    What it says it does not show of this tokenizer only the user can require.
    """
    shows = shown_of(result.shows, info)
    for stage, count in result.stages.items():
        wanted = {field for requirement in required if requirement.stage is stage for field in requirement.fields()}
        for field in compared_fields(stage, fields):
            if field in wanted:
                answered, asked = count.questions - count.unsupported_fields.get(field, 0), count.questions
            elif field in shows.get(stage, ()):
                answered, asked = count.answerable - count.unanswered_fields.get(field, 0), count.answerable
            else:
                continue
            if answered < ENOUGH * asked or (field in wanted and not answered):
                yield Shortfall(tokenizer, result.implementation, stage, field, answered, asked, field in wanted)


def lost_answers(tokenizer: str, result: ImplementationResult, fields: frozenset[Field]) -> Iterator[Shortfall]:
    """Yield what ``result`` does not show of what its baseline does, which is the same implementation before.

    However few these are, each is a change.
    """
    for stage, count in result.stages.items():
        of_stage = compared_fields(stage, fields)
        lost = [(LOST_ANSWERS, field, count.unanswered_fields.get(field, 0), count.answerable) for field in of_stage]
        lost += [(LOST_EXTRAS, field, count.extra_unanswered, count.extra_answerable) for field in of_stage]
        for what, field, missing, asked in lost:
            if missing:
                yield Shortfall(
                    tokenizer, result.implementation, stage, field, asked - missing, asked, required=False, lost=what
                )


def shares(counts: Iterable[tuple[Stage, StageCount]]) -> dict[Stage, tuple[int, int]]:
    """Return how many values were compared at each stage, and how many there were."""
    sums: dict[Stage, tuple[int, int]] = {}
    for stage, count in counts:
        compared, total = sums.get(stage, (0, 0))
        sums[stage] = compared + count.compared, total + count.total
    return sums
