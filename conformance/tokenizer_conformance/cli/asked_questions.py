"""The questions that ``tokconf run --ask`` states."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.asked import question_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.inputs.asked import Question


def read_questions(
    _context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]
) -> tuple[Question, ...]:
    """Return the questions that ``words`` state. Raises :class:`click.BadParameter`."""
    return tuple(_questions(words))


def _questions(words: tuple[str, ...]) -> Iterator[Question]:
    for word in words:
        try:
            yield question_in(word)
        except BadInputError as error:
            raise click.BadParameter(f"{one_line(word, 80)!r}: {error}") from error
