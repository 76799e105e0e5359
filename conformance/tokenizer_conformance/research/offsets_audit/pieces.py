"""What pieces of a pre-tokenizer say: in order, apart from each other, and all of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Pieces, PreTokenize
from tokenizer_conformance.comparison.offset_units import MisplacedSpan, spans_to_code_points
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.offsets_audit.case import FAULTS, MOST_SHOWN, CannotCheckError, Violation
from tokenizer_conformance.research.offsets_audit.content import WHITE_SPACE
from tokenizer_conformance.research.offsets_audit.spans import is_space

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Span
    from tokenizer_conformance.research.offsets_audit.case import Case, Looked
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

NO_SPANS = "it shows pieces without spans"


def _spans(case: Case) -> tuple[str, tuple[tuple[str, Span], ...] | MisplacedSpan]:
    """Return the text, and its pieces with spans in code points. Raises :class:`CannotCheckError`."""
    if not isinstance(case.answer, Pieces) or not isinstance(case.question, PreTokenize):
        raise CannotCheckError(NO_SPANS)
    text, given = case.question.text, case.answer.pieces
    spans = [span for _, span in given if span is not None]
    if len(spans) != len(given):
        raise CannotCheckError(NO_SPANS)
    converted = spans_to_code_points([(span, text) for span in spans], case.view.unit)
    if isinstance(converted, MisplacedSpan):
        return text, converted
    return text, tuple((piece, span) for (piece, _), span in zip(given, converted.spans, strict=True))


def _well_placed(case: Case) -> tuple[str, tuple[tuple[str, Span], ...]]:
    text, found = _spans(case)
    if isinstance(found, MisplacedSpan):
        raise CannotCheckError(NO_SPANS)
    return text, found


def in_order(case: Case) -> Iterator[Looked]:
    """Check that pieces stand in the text, one after the other, and share no character."""
    text, found = _spans(case)
    if isinstance(found, MisplacedSpan):
        yield 1
        detail = f"piece {found.index}, at {found.offset.value} in {case.view.unit}"
        yield Violation(FAULTS[found.offset.fault], detail)
        return
    last, before = 0, ""
    for number, (piece, (start, end)) in enumerate(found):
        yield 1
        shown = f"piece {number}, {quoted(piece[:MOST_SHOWN])}, at {start}..{end}"
        if not 0 <= start <= end <= len(text):
            yield Violation("outside the text", f"{shown}, of {len(text)} characters")
        elif start < last and not (is_space(before, case.view) and case.view.rules.adds_prefix and last - start <= 1):
            yield Violation("pieces overlap or go back", f"{shown}, after one that ends at {last}")
        last, before = max(last, end), piece


def content(case: Case) -> Iterator[Looked]:
    """Check that what stands in the span of a piece is what the piece says."""
    text, found = _well_placed(case)
    for number, (piece, (start, end)) in enumerate(found):
        yield 1
        if not _is_written_as(text[start:end], piece, case.view):
            told, there = quoted(piece[:MOST_SHOWN]), quoted(text[start:end][:MOST_SHOWN])
            yield Violation("another content than the span", f"piece {number}, {told}, at {start}..{end} = {there}")


def _is_written_as(found: str, piece: str, view: TokenizerView) -> bool:
    """Return whether ``piece`` is ``found`` in the alphabet of the pre-tokenizer, or with a space before it."""
    if piece == found:
        return True
    slice_bytes = view.rules.spaced(found).encode("utf-8", "surrogatepass")
    contents = set(view.rules.contents(piece))
    if slice_bytes in contents:
        return True
    if not view.rules.adds_prefix:
        return False
    return any(each in (b" " + slice_bytes, b" ") for each in contents)


def coverage(case: Case) -> Iterator[Looked]:
    """Check that every character is in a piece, but for those that the pre-tokenizer takes out."""
    text, found = _well_placed(case)
    covered = bytearray(len(text))
    for _, (start, end) in found:
        covered[start:end] = b"\1" * max(end - start, 0)
    yield len(text)
    for at, character in enumerate(text):
        if not covered[at] and character not in WHITE_SPACE:
            pieces = case.view.pieces(character)
            if pieces is not None and pieces.pieces:
                yield Violation("a character in no piece", f"character {at}, {quoted(character)}")
                break
