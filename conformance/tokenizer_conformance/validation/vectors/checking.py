"""Asking an implementation all that a file of vectors expects, twice: in the order of the file, and backwards.

An answer that depends on what was asked before is wrong in one of the two.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import OffsetUnit, Stage, Unsupported, stage_of
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Field, Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.differences import Comparison, Difference
    from tokenizer_conformance.validation.vectors.vector_file import Expected, Vector, VectorFile


class VectorVerdict(StrEnum):
    """The result of a vector: all that is shown of it is as expected, something differs, or nothing of it is shown."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_SHOWN = "not shown"


@dataclass(frozen=True, slots=True)
class Wrong:
    """An answer that is not the expected one: its name in the file, where it differs, and the ``actual`` one.

    ``backwards``: it was right in the order of the file, and wrong when the vectors were asked backwards.
    """

    expected: Expected
    difference: Difference
    actual: Outcome
    backwards: bool = False

    @property
    def stage(self) -> Stage:
        """The stage that the question shows."""
        return stage_of(self.expected.question)


@dataclass(frozen=True, slots=True)
class VectorResult:
    """The result of a vector. ``not_shown`` are the names of answers that were not shown, whole or in a field."""

    vector: Vector
    compared: int
    wrong: tuple[Wrong, ...]
    not_shown: tuple[str, ...]

    @property
    def verdict(self) -> VectorVerdict:
        """Its result."""
        if self.wrong:
            return VectorVerdict.FAILED
        return VectorVerdict.PASSED if self.compared else VectorVerdict.NOT_SHOWN

    @property
    def first(self) -> Wrong:
        """Where it goes wrong first in the pipeline."""
        return min(self.wrong, key=lambda each: STAGE_ORDER.index(each.stage))


@dataclass(frozen=True, slots=True)
class VectorsResult:
    """The result of all vectors of a file with an implementation."""

    file: VectorFile
    implementation: str
    results: tuple[VectorResult, ...]

    @property
    def conforms(self) -> bool:
        """Whether something was compared and nothing differs."""
        return self.compared > 0 and not self.failed

    @property
    def failed(self) -> bool:
        """Whether anything differs."""
        return any(result.wrong for result in self.results)

    @property
    def compared(self) -> int:
        """How many values of how many fields were compared."""
        return sum(result.compared for result in self.results)

    def count(self, verdict: VectorVerdict) -> int:
        """Return how many vectors have ``verdict``."""
        return sum(result.verdict is verdict for result in self.results)

    @property
    def not_shown(self) -> Counter[str]:
        """How often each answer, or field of one, was not shown."""
        return Counter(name for result in self.results for name in result.not_shown)


def checked(file: VectorFile, asked: Asked) -> VectorsResult:
    """Return the outcome of the vectors of ``file`` with the tokenizer that ``asked`` has loaded."""
    there = list(_asked(file.vectors, asked, file.name))
    back = list(_asked(file.vectors[::-1], asked, f"{file.name}, backwards"))[::-1]
    results = tuple(
        _result(vector, first, second, asked) for vector, first, second in zip(file.vectors, there, back, strict=True)
    )
    return VectorsResult(file, f"{asked.info.name} {asked.info.version}", results)


def _asked(vectors: Sequence[Vector], asked: Asked, name: str) -> Iterator[list[Outcome]]:
    STATUS.begin(name)
    for number, vector in enumerate(vectors):
        STATUS.reach(Place(name, number, len(vectors), "vectors"))
        yield [asked.ask(expected.question) for expected in vector.expected]


def _result(vector: Vector, there: Sequence[Outcome], back: Sequence[Outcome], asked: Asked) -> VectorResult:
    compared = 0
    wrong: list[Wrong] = []
    not_shown: list[str] = []
    for expected, first, second in zip(vector.expected, there, back, strict=True):
        one, two = (_compared(expected, outcome, asked) for outcome in (first, second))
        compared += len(one.agreed) + len(one.differences) + one.both_failed
        not_shown += _names_not_shown(expected, first, one.unanswered)
        if one.differences:
            wrong.append(Wrong(expected, one.differences[0], first))
        elif two.differences:
            wrong.append(Wrong(expected, two.differences[0], second, backwards=True))
    return VectorResult(vector, compared, tuple(wrong), tuple(not_shown))


def _compared(expected: Expected, outcome: Outcome, asked: Asked) -> Comparison:
    right = OutcomeInUnit(expected.outcome, OffsetUnit.CODE_POINTS)
    return compare(expected.question, right, OutcomeInUnit(outcome, asked.info.offset_unit))


def _names_not_shown(expected: Expected, outcome: Outcome, fields: tuple[Field, ...]) -> list[str]:
    if isinstance(outcome, Unsupported):
        return [expected.name.value]
    return [f"{expected.name.value}: {field.value}" for field in fields]
