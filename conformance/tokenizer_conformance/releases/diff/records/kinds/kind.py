"""What a kind of record is to a comparison, and what all kinds have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from tokenizer_conformance.causes.cause import UNEXPLAINED
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.comparison.record_forms import difference_of, question_of
from tokenizer_conformance.comparison.wording import describe, subject_lines, window
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.records.matching import Party
from tokenizer_conformance.releases.diff.records.outcome import Aspect, Key, Side
from tokenizer_conformance.results.records.node import ShapeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.releases.diff.records.matching import Matching
    from tokenizer_conformance.releases.diff.records.outcome import Outcome
    from tokenizer_conformance.results.records.format import Format
    from tokenizer_conformance.results.records.lines import Ending, Opening
    from tokenizer_conformance.results.records.node import Node

S = TypeVar("S", bound=Side)

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
    parties: Callable[[Node], list[Party]]
    remarks: Callable[[Node, Node, Matching], list[str]]
    read: Callable[[Opening, Ending, Matching], S]
    lacks: Callable[[S, S, Outcome], str]


def is_later_minor(version: str, known: str) -> bool:
    """Return whether ``version`` has a greater minor number than the ``known`` one: it may have other lines.

    >>> is_later_minor("1.10", "1.9"), is_later_minor("1.9", "1.9")
    (True, False)
    """
    minor = version.partition(".")[2]
    return minor.isdecimal() and len(minor) < LONGEST_MINOR and int(minor) > int(known.partition(".")[2])


LONGEST_MINOR = 9
"""How many digits a minor number may have."""


def parties_in(header: Node, key: str, baseline: str | None = None) -> list[Party]:
    """Return the implementations or trainers that ``header`` lists under ``key``.

    Raises :class:`ShapeError`, also for a name that stands there twice.
    """
    found = [
        Party(each.text("name"), each.text("version"), each.text("name") == baseline) for each in header.nodes(key)
    ]
    names = [each.name for each in found]
    if len(set(names)) != len(names):
        raise ShapeError(f"{header.path}.{key}: a name stands there twice")
    return found


def environment_remarks(then: Node, now: Node) -> list[str]:
    """Say which release of tokconf made the records, where it is not one."""
    was, is_ = (each.node("environment").text("tokconf") for each in (then, now))
    return [] if was == is_ else [f"tokconf {one_line(was, 40)} then, {one_line(is_, 40)} now"]


def value_remarks(then: Node, now: Node, keys: dict[str, str]) -> list[str]:
    """Say which of ``keys``, each with the words for it, have another value now."""
    found = []
    for key, words in keys.items():
        was, is_ = (each.value.get(key) for each in (then, now))
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


def recorded_cause(node: Node) -> Cause:
    """Return the cause that a record has at ``node``.

    Raises ``KeyError``, ``TypeError`` or ``ValueError`` for what is no cause of a record.
    """
    for name in ("inputs", "differences"):
        node.count(name)
    node.counts("tokenizers")
    node.texts("examples")
    for name in ("component", "characters", "context", "implementation", "tokenizer"):
        node.text(name)
    reason = node.node("reason")
    reason.text("name"), reason.text("parameter"), reason.texts("proof")
    check_question(node.node("question"))
    return cause_of(node.value)


def check_question(question: Node) -> None:
    """Raise :class:`ShapeError` where ``question`` asks about ids that are no numbers, which would be shown as such."""
    if question.has("then"):
        check_question(question.node("then"))
    if question.has("ids"):
        for each in question.nodes("ids"):
            each.as_count()


def question_lines(question: Node, difference: Node, sides: tuple[str, str]) -> tuple[str, ...]:
    """Return lines that show what was asked and both answers, all made safe.

    Raises ``KeyError``, ``TypeError`` or ``ValueError`` for what is no question or difference of a record.
    """
    check_question(question)
    asked = question_of(question.value)
    found = difference_of(difference.value)
    names = (one_line(sides[0], 60), one_line(sides[1], 60))
    return (f"{describe(asked)}:", *subject_lines(asked), *window(found, *names))
