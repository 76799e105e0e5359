"""What spans say: inside the text, in its order, shared by neighbours only where these share a character."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import OffsetUnit
from tokenizer_conformance.comparison.offset_units import OffsetFault
from tokenizer_conformance.research.offsets_audit.case import FAULTS, NO_TEXTS, CannotCheckError, Violation
from tokenizer_conformance.research.offsets_audit.tokenizer_rules import BYTE_TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Span
    from tokenizer_conformance.comparison.offset_units import MisplacedSpan
    from tokenizer_conformance.research.offsets_audit.case import Looked, SeenEncoding
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

LAST_HAS_IT = "of the tokens of one character, the last alone has it in its span"
"""How a span is at fault where it ends before a character that the token has a part of, and not the last one."""

TRIMMED_TOO_FAR = "a character is trimmed for a space that was put before it"
"""How a span is at fault where white space is trimmed that the text has not."""


def in_text(seen: SeenEncoding, _view: TokenizerView) -> Iterator[Looked]:
    """Check that spans begin and end inside the text, and on boundaries of characters."""
    _must_know_texts(seen)
    for index, (start, end) in enumerate(seen.encoded.offsets or ()):
        text = seen.text_of(index)
        if text is None:
            continue
        yield 1
        if start > end:
            yield Violation("it ends before it begins", seen.shown(index))
        elif seen.unit is OffsetUnit.CODE_POINTS and not 0 <= start <= end <= len(text):
            yield Violation("outside the text", f"{seen.shown(index)}, of {len(text)} characters")
    misplaced = seen.misplaced
    if misplaced is not None and not _is_cut_through(seen, misplaced):
        yield Violation(FAULTS[misplaced.offset.fault], f"{seen.shown(misplaced.index)} in {seen.unit}")


def _must_know_texts(seen: SeenEncoding) -> None:
    if not seen.sequences:
        raise CannotCheckError(NO_TEXTS)


def _is_cut_through(seen: SeenEncoding, misplaced: MisplacedSpan) -> bool:
    """Say whether truncation has taken the token that has the rest of a character: it was beside the first or last."""
    own = [index for index in range(len(seen)) if not seen.is_special(index)]
    is_inside = misplaced.offset.fault is OffsetFault.INSIDE_CHARACTER
    return seen.is_window and is_inside and misplaced.index in (own[0], own[-1])


def _neighbours(seen: SeenEncoding) -> Iterator[tuple[int, int, Span, Span, str]]:
    """Yield the tokens of one text that follow one another, with their spans and the text."""
    last: tuple[int, Span, object] | None = None
    for index, span in enumerate(seen.spans):
        place = seen.place_of(index)
        if span is None or place is None:
            continue
        if last is not None and last[2] == place:
            yield last[0], index, last[1], span, seen.text_of(index) or ""
        last = index, span, place


def in_order(seen: SeenEncoding, view: TokenizerView) -> Iterator[Looked]:
    """Check that spans do not go back from token to token of a text."""
    _must_know_texts(seen)
    last: dict[object, tuple[int, Span]] = {}
    for index, span in enumerate(seen.spans):
        place = seen.place_of(index)
        if span is None or place is None or (span[0] == span[1] and _is_space(seen, view, index)):
            continue
        if place in last:
            before, (start, end) = last[place]
            yield 1
            if span[0] < start or span[1] < end:
                manner = _manner_of_bytes(seen, view, (before, index)) or "it goes back"
                yield Violation(manner, f"{seen.shown(index)}, after {seen.shown(before)}")
        last[place] = index, span


def overlap(seen: SeenEncoding, view: TokenizerView) -> Iterator[Looked]:
    """Check that neighbours share no character but one of which each has a part."""
    _must_know_texts(seen)
    for first, second, before, after, text in _neighbours(seen):
        yield 1
        start, end = max(before[0], after[0]), min(before[1], after[1])
        if start >= end or _may_share(text[start:end], view):
            continue
        if _is_put_before(seen, view, first, before, after) or _is_put_before(seen, view, second, after, before):
            continue
        shared = "a character" if end - start == 1 else "several characters"
        manner = _manner_of_bytes(seen, view, (first, second)) or f"neighbours share {shared}"
        yield Violation(manner, f"{seen.shown(first)} and {seen.shown(second)}")


def _may_share(text: str, view: TokenizerView) -> bool:
    """Return whether tokens may each have a part of ``text``, which several have in their spans."""
    normalized = view.normalized(text)
    if len(text) == 1:
        return len(text.encode()) > 1 or (normalized is not None and len(normalized.strip().encode()) > 1)
    return not view.is_one_by_one(*text)


def _is_put_before(seen: SeenEncoding, view: TokenizerView, index: int, span: Span, other: Span) -> bool:
    """Return whether a token is a space that was put before a text, and has the span of what follows it."""
    return view.rules.adds_prefix and _is_space(seen, view, index) and span[0] == other[0] and span[1] - span[0] <= 1


def _is_space(seen: SeenEncoding, view: TokenizerView, index: int) -> bool:
    """Return whether a token stands for white space alone, or for nothing."""
    return any(is_space(token, view) for token in known_tokens(seen, view, index))


def is_space(token: str, view: TokenizerView) -> bool:
    """Return whether ``token`` stands for white space alone, or for nothing."""
    return any(not content.decode("utf-8", "replace").strip() for content in view.rules.contents(token))


def known_tokens(seen: SeenEncoding, view: TokenizerView, index: int) -> frozenset[str]:
    """Return the tokens that the vocabulary has for the id; where it has none, the one that is shown."""
    known = view.tokens_of(seen.encoded.ids[index])
    shown = seen.encoded.tokens
    return known or frozenset(shown[index : index + 1] if shown is not None else ())


def contents_of(seen: SeenEncoding, view: TokenizerView, index: int) -> list[bytes]:
    """Return what the token may stand for."""
    return [content for token in known_tokens(seen, view, index) for content in view.rules.contents(token)]


def _manner_of_bytes(seen: SeenEncoding, view: TokenizerView, indices: tuple[int, ...]) -> str:
    """Return how tokens of single bytes are at fault; nothing where none of them is one."""
    if view.rules.has_byte_tokens and any(
        BYTE_TOKEN.fullmatch(token) for index in indices for token in known_tokens(seen, view, index)
    ):
        return "in a run of byte tokens"
    return ""


def not_empty(seen: SeenEncoding, view: TokenizerView) -> Iterator[Looked]:
    """Check that what stands for something in the text has a span that is not empty."""
    _must_know_texts(seen)
    for index, span in enumerate(seen.spans):
        if span is None:
            continue
        yield 1
        if span[0] == span[1] and not _is_space(seen, view, index):
            yield Violation(known_manner(seen, view, index) or "an empty span", seen.shown(index))


def known_manner(seen: SeenEncoding, view: TokenizerView, index: int) -> str:
    """Return a manner in which the span of a token is known to be at fault; nothing where it is in none."""
    if is_trimmed_too_far(seen, view, index):
        return TRIMMED_TOO_FAR
    return LAST_HAS_IT if _is_begun_alone(seen, view, index) else ""


def is_trimmed_too_far(seen: SeenEncoding, view: TokenizerView, index: int) -> bool:
    """Return whether the span of a token lacks its first character, in place of a space that was put before that."""
    text, span = seen.text_of(index), seen.spans[index] if index < len(seen.spans) else None
    if not (view.rules.trims and view.rules.adds_prefix) or text is None or span is None or not span[0]:
        return False
    whole = (view.normalized(text[span[0] - 1 : span[1]]) or "").encode()
    contents = contents_of(seen, view, index)
    return any(each.startswith(b" ") and each[1:] and whole.startswith(each[1:]) for each in contents)


def _is_begun_alone(seen: SeenEncoding, view: TokenizerView, index: int) -> bool:
    """Return whether the token ends with a part of the character behind its span, which is normalized to several.

    The token is what stands in the span, with a beginning of that; of an empty span, it may be from its middle.
    """
    text, span = seen.text_of(index), seen.spans[index] if index < len(seen.spans) else None
    if text is None or span is None or span[1] >= len(text):
        return False
    before, behind = (view.normalized(each) for each in (text[slice(*span)], text[span[1]]))
    if before is None or behind is None or len(view.rules.spaced(behind).strip()) < 2:
        return False
    whole = view.rules.spaced(before).strip() + view.rules.spaced(behind).strip()
    contents = map(bytes.strip, contents_of(seen, view, index))
    return any(
        content in whole.encode() if span[0] == span[1] else whole.encode().startswith(content)
        for content in contents
        if content
    )


def special_empty(seen: SeenEncoding, _view: TokenizerView) -> Iterator[Looked]:
    """Check that the spans of added tokens are empty."""
    for index, (start, end) in enumerate(seen.encoded.offsets or ()):
        if seen.is_special(index):
            yield 1
            if start != end:
                yield Violation("a special token with a span", seen.shown(index))
