"""What a run counts: for each implementation on each tokenizer, what was compared and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_conformance.comparison.impact import impact_of_parts
from tokenizer_conformance.comparison.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokenizer_adapters.contract import Field, Shows, Stage
    from tokenizer_conformance.comparison.findings import Signature
    from tokenizer_conformance.comparison.impact import Impact

K = TypeVar("K")


class WhyNot(StrEnum):
    """Why no cause is told of a difference, though causes were looked for."""

    TIME = "time"
    """The time was spent."""
    MANY = "many"
    """There were so many of the finding that not all were kept."""
    GONE = "gone"
    """It was not there when the question was put again, or only because an earlier stage differed."""
    ERROR = "error"
    """A bug ended the search."""
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Unexamined:
    """So many ``differences`` of the finding with that ``signature`` have no cause, and ``why``."""

    signature: Signature
    differences: int
    why: WhyNot


@dataclass(frozen=True, slots=True)
class StageCount:
    """What was compared at one stage between an implementation and the baseline.

    ``inputs`` counts inputs by the gravest verdict on each, ``values`` single fields of single answers (an error, crash
    or timeout counts as one value). ``unsupported_fields`` counts the values that were not shown, by field.
    ``questions`` were put to both, and the baseline answered ``answerable`` of them; ``unanswered_fields`` counts those
    of the latter in which the implementation did not show a field that the baseline showed. Of the known differences,
    ``known_without_value`` are errors and missing answers: no two values stood side by side.

    Extra questions, which an implementation need not answer, are none of the ``questions``: the baseline answered
    ``extra_answerable`` of them, and of these the implementation left ``extra_unanswered``.

    ``finer`` counts the answers whose offsets agree and say more: some begin or end inside a character.

    ``differing_fields`` counts the inputs on which the answer to a question about one text, or its ids, differs in a
    field, known differences included; ``differing_pairs`` those on which the answer about a pair does. An error and a
    missing answer differ in every field. Extra questions do not count here.
    """

    inputs: Mapping[Verdict, int]
    values: Mapping[Verdict, int]
    unsupported_fields: Mapping[Field, int]
    questions: int = 0
    answerable: int = 0
    unanswered_fields: Mapping[Field, int] = field(default_factory=dict)
    known_without_value: int = 0
    extra_answerable: int = 0
    extra_unanswered: int = 0
    finer: int = 0
    differing_fields: Mapping[Field, int] = field(default_factory=dict)
    differing_pairs: Mapping[Field, int] = field(default_factory=dict)

    @property
    def compared(self) -> int:
        """How many values stood side by side."""
        compared = sum(count for verdict, count in self.values.items() if verdict.is_compared)
        return compared + self.values.get(Verdict.KNOWN, 0) - self.known_without_value

    @property
    def total(self) -> int:
        """How many values there were to compare."""
        return sum(self.values.values())


@dataclass(frozen=True, slots=True)
class ImplementationResult:
    """One row of a tokenizer's matrix.

    ``failing_inputs`` is the number of inputs with any difference, ``blamed`` counts them by the first stage at which
    they differ; an input that differs only in its pair with a text that differs alone is not blamed on any stage.
    ``load_error`` is set where the implementation could not load the tokenizer. ``seconds`` were spent waiting for the
    implementation's answers. ``files`` are the names of the files that it was given in place of the ``tokenizer.json``,
    none where that is what it was given. ``shows`` is what it says it shows of this tokenizer, where that is less than
    it shows at best; ``None`` where it is not. ``impact`` says how much of the inputs has other ids, ``None`` where
    that was not compared.
    """

    implementation: str
    stages: Mapping[Stage, StageCount]
    blamed: Mapping[Stage, int]
    failing_inputs: int
    seconds: float
    load_error: str | None = None
    files: tuple[str, ...] = ()
    shows: Shows | None = None
    impact: Impact | None = None

    @property
    def compared(self) -> int:
        """How many values stood side by side."""
        return sum(count.compared for count in self.stages.values())

    def has(self, *verdicts: Verdict) -> bool:
        """Whether any of ``verdicts`` was reached at any stage."""
        return any(count.values.get(verdict, 0) for count in self.stages.values() for verdict in verdicts)


def joined(parts: Sequence[ImplementationResult]) -> ImplementationResult:
    """Return the outcome of several parts of the inputs together, for one implementation on one tokenizer."""
    return ImplementationResult(
        implementation=parts[0].implementation,
        stages=_joined_stages([part.stages for part in parts]),
        blamed=_sums([part.blamed for part in parts]),
        failing_inputs=sum(part.failing_inputs for part in parts),
        seconds=sum(part.seconds for part in parts),
        load_error=next((part.load_error for part in parts if part.load_error is not None), None),
        files=tuple(dict.fromkeys(file for part in parts for file in part.files)),
        shows=next((part.shows for part in parts if part.shows is not None), None),
        impact=impact_of_parts([part.impact for part in parts]),
    )


def _joined_stages(parts: Sequence[Mapping[Stage, StageCount]]) -> dict[Stage, StageCount]:
    stages = dict.fromkeys(stage for part in parts for stage in part)
    return {stage: _joined_count([part[stage] for part in parts if stage in part]) for stage in stages}


def _joined_count(parts: Sequence[StageCount]) -> StageCount:
    """Return the sum of ``parts``, counter by counter."""
    sums: dict[str, Any] = {}
    for each in fields(StageCount):
        values = [getattr(part, each.name) for part in parts]
        sums[each.name] = sum(values) if isinstance(values[0], int) else _sums(values)
    return StageCount(**sums)


def _sums(counts: Iterable[Mapping[K, int]]) -> dict[K, int]:
    result: dict[K, int] = {}
    for count in counts:
        for key, number in count.items():
            result[key] = result.get(key, 0) + number
    return result
