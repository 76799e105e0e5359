"""The two sides of a report: who was asked, and what was answered in the field in which the answers part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    Chunks,
    Encoded,
    EncodedBatch,
    Failed,
    Field,
    Pieces,
    Text,
)

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Outcome
    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_conformance.causes.bug.recipes import Recipe

Plain = str | int | list["Plain"] | None
"""A value as a snippet prints it; tuples are lists."""


@dataclass(frozen=True, slots=True)
class ReportedSide:
    """One side: ``label`` and ``version`` are what maintainers know it by, ``outcome`` is its whole answer.

    ``name`` is what it is called here. ``recipe`` is ``None`` where it cannot be asked without this project.
    ``files`` are the paths of what it was given; ``program`` is what runs it in a process of its own.
    """

    name: str
    label: str
    version: str
    outcome: Outcome
    recipe: Recipe | None
    files: tuple[str, ...] = ()
    program: Program | None = None


def shown_field(field: Field | None, outcome: Outcome) -> Field:
    """Return the field to show: that of the difference, and for a difference between answer and error the first one."""
    if field is not None:
        return field
    match outcome:
        case Text() | Chunks():
            return Field.TEXT
        case Pieces():
            return Field.PIECES
        case _:
            return Field.IDS


def key_of(field: Field, kind: str) -> str:
    """Return what the expression for ``field`` is called, in answers to questions of ``kind``."""
    return "piece_offsets" if kind == "pre_tokenize" and field is Field.OFFSETS else field.value


def plain_value(outcome: Outcome, field: Field) -> Plain:
    """Return the ``field`` of an answer as a snippet prints it. Raises ``TypeError`` for what is no value."""
    match outcome:
        case Text(text):
            return text
        case Chunks(chunks):
            return plain(chunks)
        case Pieces(pieces):
            return [piece if field is Field.PIECES else plain(span) for piece, span in pieces]
        case Encoded() if field is Field.OVERFLOWING:
            return [list(part.ids) for part in outcome.overflowing or ()]
        case Encoded():
            return plain(getattr(outcome, field.value))
        case EncodedBatch(encodings):
            return [plain_value(each, field) for each in encodings]
        case _:
            raise TypeError(f"no value: {outcome!r}")


def plain(value: object) -> Plain:
    """Return ``value`` with lists in the place of tuples.

    >>> plain(((0, 1), (1, 2)))
    [[0, 1], [1, 2]]
    """
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if value is None or isinstance(value, str | int):
        return value
    raise TypeError(f"no value of an answer: {value!r}")


def is_value(outcome: Outcome) -> bool:
    """Return whether ``outcome`` is a value."""
    return isinstance(outcome, Text | Chunks | Pieces | Encoded | EncodedBatch)


def in_words(outcome: Outcome, field: Field) -> str:
    """Return ``outcome`` as a report quotes it, in ASCII."""
    if is_value(outcome):
        return ascii(plain_value(outcome, field))
    if isinstance(outcome, Failed):
        return ascii(f"raises {outcome.kind}: {outcome.message}")
    return ascii(outcome)
