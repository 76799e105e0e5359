"""Invariants of the pieces that a pre-tokenizer gives: in order, apart from each other, and all of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Field, Pieces, PreTokenize
from tokenizer_conformance.comparison.offset_units import MisplacedSpan, spans_to_code_points
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.offsets_audit.content import WHITE_SPACE
from tokenizer_conformance.research.offsets_audit.encoding import MOST_SHOWN, in_words
from tokenizer_conformance.research.offsets_audit.invariant import Checked, Invariant, Topic, Unchecked, Violation
from tokenizer_conformance.research.offsets_audit.spans import is_space

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Span
    from tokenizer_conformance.research.offsets_audit.case import Case
    from tokenizer_conformance.research.offsets_audit.invariant import Verdict
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

IN_ORDER = Invariant(
    "pieces.in-order",
    Topic.PIECES,
    "Pieces stand in the text, one after the other, and share no character; a space that was put before a text may "
    "have the span of its first character.",
    frozenset({Field.PIECES}),
)
CONTENT = Invariant(
    "pieces.content",
    Topic.PIECES,
    "What stands in the span of a piece is what the piece says, in the alphabet that the pre-tokenizer writes, white "
    "space that was put before it aside.",
    frozenset({Field.PIECES}),
)
COVERAGE = Invariant(
    "pieces.coverage",
    Topic.PIECES,
    "Every character is in a piece, but for those that the pre-tokenizer takes out: alone they give no piece, or it "
    "is white space.",
    frozenset({Field.PIECES}),
)

NO_SPANS = Unchecked("it shows pieces without spans")


def _spans(case: Case) -> tuple[tuple[str, Span], ...] | MisplacedSpan | None:
    """Return the pieces with spans in code points, ``None`` where they have none."""
    if not isinstance(case.answer, Pieces) or not isinstance(case.question, PreTokenize):
        return None
    given = case.answer.pieces
    spans = [span for _, span in given if span is not None]
    if len(spans) != len(given):
        return None
    converted = spans_to_code_points([(span, case.question.text) for span in spans], case.view.unit)
    if isinstance(converted, MisplacedSpan):
        return converted
    return tuple((piece, span) for (piece, _), span in zip(given, converted.spans, strict=True))


def _text(case: Case) -> str:
    return case.question.text if isinstance(case.question, PreTokenize) else ""


def in_order(case: Case) -> Verdict:
    """Check :data:`IN_ORDER`."""
    found, text = _spans(case), _text(case)
    if found is None:
        return NO_SPANS
    if isinstance(found, MisplacedSpan):
        detail = f"piece {found.index}, at {found.offset.value} in {case.view.unit}"
        return Checked(1, (Violation(in_words(found.offset.fault), detail),))
    wrong = []
    last, before = 0, ""
    for number, (piece, (start, end)) in enumerate(found):
        shown = f"piece {number}, {quoted(piece[:MOST_SHOWN])}, at {start}..{end}"
        if not 0 <= start <= end <= len(text):
            wrong.append(Violation("outside the text", f"{shown}, of {len(text)} characters"))
        elif start < last and not (is_space(before, case.view) and case.view.rules.adds_prefix and last - start <= 1):
            wrong.append(Violation("pieces overlap or go back", f"{shown}, after one that ends at {last}"))
        last, before = max(last, end), piece
    return Checked(len(found), tuple(wrong))


def content(case: Case) -> Verdict:
    """Check :data:`CONTENT`."""
    found, text = _spans(case), _text(case)
    if found is None or isinstance(found, MisplacedSpan):
        return NO_SPANS
    wrong = tuple(
        Violation(
            "another content than the span",
            f"piece {number}, {quoted(piece[:MOST_SHOWN])}, at {start}..{end} = {quoted(text[start:end][:MOST_SHOWN])}",
        )
        for number, (piece, (start, end)) in enumerate(found)
        if not _is_written_as(text[start:end], piece, case.view)
    )
    return Checked(len(found), wrong)


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


def coverage(case: Case) -> Verdict:
    """Check :data:`COVERAGE`."""
    found, text, view = _spans(case), _text(case), case.view
    if found is None or isinstance(found, MisplacedSpan):
        return NO_SPANS
    covered = bytearray(len(text))
    for _, (start, end) in found:
        covered[start:end] = b"\1" * max(end - start, 0)
    wrong = []
    for at, character in enumerate(text):
        if not covered[at] and character not in WHITE_SPACE:
            pieces = view.pieces(character)
            if pieces is not None and pieces.pieces:
                wrong.append(Violation("a character in no piece", f"character {at}, {quoted(character)}"))
                break
    return Checked(len(text), tuple(wrong))
