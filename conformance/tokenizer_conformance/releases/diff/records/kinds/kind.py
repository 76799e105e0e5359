"""What a kind of record is to a comparison, and what all kinds have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tokenizer_conformance.causes.cause import UNEXPLAINED
from tokenizer_conformance.comparison.record_forms import difference_of, question_of
from tokenizer_conformance.comparison.wording import describe, subject_lines, window
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.records.matching import Party
from tokenizer_conformance.releases.diff.records.outcome import Aspect, Key, ReadRecord
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.lines import ShapeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.releases.diff.records.matching import Matching
    from tokenizer_conformance.releases.diff.records.outcome import Outcome
    from tokenizer_conformance.results.records.answers import DifferenceOfSides, Question
    from tokenizer_conformance.results.records.ending import Ending
    from tokenizer_conformance.results.records.format import Format
    from tokenizer_conformance.results.records.headers import Header, Implementation
    from tokenizer_conformance.results.records.lines import Opening
    from tokenizer_conformance.results.records.training import TrainerInfo
    from tokenizer_conformance.results.records.value import Value

S = TypeVar("S", bound=ReadRecord)

LONGEST_VALUE = 120
"""How many characters of what a header says are shown."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[S]):
    """A kind of record.

    ``noun`` is what it is the record of, ``format`` its format. ``parties`` says from a header who was asked,
    ``remarks`` what two headers do not have in common. ``read`` reads a side. ``lacks(side, other, outcome)``
    says in words why ``side`` could not have found ``outcome``, which ``other`` may have; it is empty where it would
    have been found.
    """

    noun: str
    format: Format
    parties: Callable[[Any], list[Party]]
    remarks: Callable[[Any, Any, Matching], list[str]]
    read: Callable[[Opening, Ending, Matching], S]
    lacks: Callable[[S, S, Outcome], str]


def parties_in(listed: Iterable[Implementation | TrainerInfo], baseline: str | None = None) -> list[Party]:
    """Return the implementations or trainers that a header lists.

    Raises :class:`ShapeError` for a name that stands there twice.
    """
    found = [Party(each.name, each.version, each.name == baseline) for each in listed]
    names = [each.name for each in found]
    if len(set(names)) != len(names):
        raise ShapeError("a name stands twice among those that were compared")
    return found


def environment_remarks(then: Header, now: Header) -> list[str]:
    """Say which release of tokconf made the records, where it is not one."""
    was, is_ = (each.environment.tokconf for each in (then, now))
    return [] if was == is_ else [f"tokconf {one_line(was, 40)} then, {one_line(is_, 40)} now"]


def value_remarks(then: Value, now: Value, keys: dict[str, str]) -> list[str]:
    """Say which of ``keys``, each with the words for it, have another value now."""
    found = []
    values = [json_of(each) for each in (then, now)]
    for key, words in keys.items():
        was, is_ = (each.get(key) for each in values)
        if was != is_:
            found.append(f"{words}: {shown(was)} then, {shown(is_)} now")
    return found


def shown(value: object) -> str:
    """Return a value of a header in words, made safe."""
    match value:
        case None | [] | "" | {}:
            return "none"
        case True:
            return "yes"
        case False:
            return "no"
        case list():
            return one_line(", ".join(map(str, value)), LONGEST_VALUE)
        case _:
            return one_line(str(value), LONGEST_VALUE)


# Causes and examples --------------------------------------------------------------------------------------------------


def cause_key(cause: Cause, baseline: str) -> Key:
    """Return which cause of differences from ``baseline`` it is.

    That is the class and the parameter of a proven one, and what an unexplained one looks like.
    """
    parts: tuple[str, ...] = (cause.reason.name, cause.reason.parameter)
    if not cause.reason.is_proven:
        signature = cause.signature
        manner = signature.manner
        parts = (UNEXPLAINED, manner.stage.value, manner.field or "", manner.kind.value)
        parts = (*parts, signature.component, signature.characters, signature.context)
    return Key(Aspect.CAUSE, cause.implementation, "", parts, baseline)


def question_lines(question: Question, difference: DifferenceOfSides, sides: tuple[str, str]) -> tuple[str, ...]:
    """Return lines that show what was asked and both answers, all made safe."""
    asked = question_of(json_of(question))
    found = difference_of(json_of(difference))
    names = (one_line(sides[0], 60), one_line(sides[1], 60))
    return (f"{describe(asked)}:", *subject_lines(asked), *window(found, *names))
