"""A text cut for display: where tokens, annotations and what belongs to no token begin and end."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.values.encoding import Encoding


class Annotated(Protocol):
    """An annotation: code points ``start`` to ``end``, end exclusive, and its name."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Some characters with the same tokens and annotation; or, where ``start`` is ``end``, a token of no characters.

    ``tokens`` are positions in the encoding: none for what is between tokens, several where a character was cut into
    bytes. ``annotation`` is a position in the list of annotations, or ``None``.
    """

    start: int
    end: int
    tokens: tuple[int, ...]
    annotation: int | None


def pieces_of(text: str, encoding: Encoding, annotations: Sequence[Annotated]) -> list[Piece]:
    """Return the pieces that all characters and all tokens fall into, in order.

    Of annotations that overlap the last one counts. Tokens of no characters (special ones, padding) come after the
    characters of the token before them. Raises :class:`IndexError` for an annotation that is not within the text.
    """
    # Offsets can reach over the end where a model drops unknown characters.
    spans = [(min(start, len(text)), min(end, len(text))) for start, end in encoding.offsets]
    tokens = _tokens_of_characters(len(text), spans)
    annotated = _annotations_of_characters(len(text), annotations)
    placed = _places_of_tokens_without_characters(len(text), spans)
    changes = {at for at in range(1, len(text)) if (tokens[at - 1], annotated[at - 1]) != (tokens[at], annotated[at])}
    pieces: list[Piece] = []
    for start, end in pairwise([*sorted({0, len(text)} | changes | set(placed)), len(text)]):
        before, after = annotated[start - 1 : start], annotated[start : start + 1]
        annotation = after[0] if before == after and after else None
        pieces += [Piece(start, start, (token,), annotation) for token in placed.get(start, ())]
        if start < end:
            pieces.append(Piece(start, end, tokens[start], annotated[start]))
    return pieces


def _tokens_of_characters(size: int, spans: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
    tokens: list[tuple[int, ...]] = [()] * size
    for index, (start, end) in enumerate(spans):
        for at in range(start, end):
            tokens[at] += (index,)
    return tokens


def _annotations_of_characters(size: int, annotations: Sequence[Annotated]) -> list[int | None]:
    annotated: list[int | None] = [None] * size
    for index, annotation in enumerate(annotations):
        start, end = annotation.start, annotation.end
        if not 0 <= start <= end <= size:
            raise IndexError(
                f"annotation {index} ({annotation.label!r}) covers {start} to {end}, "
                f"which is not within the {size} characters of the text"
            )
        annotated[start:end] = [index] * (end - start)
    return annotated


def _places_of_tokens_without_characters(size: int, spans: Sequence[tuple[int, int]]) -> dict[int, list[int]]:
    """Return where in the text tokens of no characters are shown; those after all others at its end."""
    last = max((index for index, (start, end) in enumerate(spans) if start < end), default=-1)
    placed: dict[int, list[int]] = {}
    place = 0
    for index, (start, end) in enumerate(spans):
        if start < end:
            place = max(place, end)
        else:
            placed.setdefault(size if index > last else place, []).append(index)
    return placed
