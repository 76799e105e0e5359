"""The invariant that nothing of a text is lost: what no span covers is what the tokenizer takes out of the text."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.offsets_audit.case import MOST_SHOWN, CannotCheckError, Violation
from tokenizer_conformance.research.offsets_audit.content import NEIGHBOURS, SHIFTED, WHITE_SPACE
from tokenizer_conformance.research.offsets_audit.spans import TRIMMED_TOO_FAR, contents_of, is_trimmed_too_far

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.offsets_audit.case import Looked, SeenEncoding
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

NEAR = 8
"""How many characters of the text are shown on either side of a place."""


def coverage(seen: SeenEncoding, view: TokenizerView) -> Iterator[Looked]:
    """Check that every character is in the span of a token, or may be left out. Of pairs, texts are looked at alone."""
    if seen.question.pair is not None or seen.part:
        raise CannotCheckError("each text is looked at alone")
    if seen.misplaced is not None:
        raise CannotCheckError("a span is misplaced")
    for word, text in enumerate(_texts(seen)):
        place = 0, word if seen.question.is_pretokenized else None
        spans = [
            (index, span) for index, span in enumerate(seen.spans) if span is not None and seen.place_of(index) == place
        ]
        covered = bytearray(len(text))
        for _, (start, end) in spans:
            covered[start:end] = b"\1" * (end - start)
        yield len(text)
        spaced = [(span, _spaces_of(seen, view, index)) for index, span in spans]
        for start, end in _runs(covered):
            at = next((at for at in range(start, end) if not _is_allowed(text, at, (start, end), view, spaced)), None)
            if at is not None:
                indices = [index for index, span in spans if span[0] == at + 1]
                is_trimmed = any(is_trimmed_too_far(seen, view, index) for index in indices)
                yield _violation(text, at, view, is_trimmed=is_trimmed)


def _texts(seen: SeenEncoding) -> tuple[str, ...]:
    text = seen.question.text
    return (text,) if isinstance(text, str) else text


def _runs(covered: bytearray) -> Iterator[tuple[int, int]]:
    """Yield the runs of characters that are not covered."""
    for is_covered, places in groupby(range(len(covered)), lambda at: covered[at] == 1):
        run = list(places)
        if not is_covered:
            yield run[0], run[-1] + 1


def _spaces_of(seen: SeenEncoding, view: TokenizerView, index: int) -> tuple[bool, bool]:
    """Return whether what a token stands for begins, and ends, with white space."""
    contents = [content.decode("utf-8", "replace") for content in contents_of(seen, view, index) if content]
    return any(each[0] in WHITE_SPACE for each in contents), any(each[-1] in WHITE_SPACE for each in contents)


Spaced = list[tuple[tuple[int, int], tuple[bool, bool]]]


def _is_allowed(text: str, at: int, run: tuple[int, int], view: TokenizerView, spaced: Spaced) -> bool:
    """Return whether the character at ``at``, in a ``run`` of those that are not covered, may be left out."""
    character = text[at]
    if view.is_removed(character):
        return True
    if character in WHITE_SPACE:
        if view.rules.trims and _is_trimmed(run, spaced):
            return True
        if any(other in WHITE_SPACE for other in text[max(at - 1, 0) : at] + text[at + 1 : at + 2]):
            return True
    return _changes_nothing(text, at, view)


def _is_trimmed(run: tuple[int, int], spaced: Spaced) -> bool:
    """Return whether a token beside the run stands for white space that is not in its span."""
    start, end = run
    return any(
        (span[0] == end and leads) or (span[1] == start and trails) or (span[0] == span[1] and start <= span[0] <= end)
        for span, (leads, trails) in spaced
    )


def _is_normalized_alone(text: str, at: int, view: TokenizerView) -> bool:
    """Return whether the normalizer makes of the character what it makes of it without those beside it."""
    return view.is_one_by_one(text[max(at - 2, 0) : at], text[at], text[at + 1 : at + 3])


def _changes_nothing(text: str, at: int, view: TokenizerView) -> bool:
    """Return whether the text without its character at ``at`` has the same ids, though the normalizer sees a character.

    What the normalizer makes something of, together with what stands beside it, is not left out.
    """
    if not _is_normalized_alone(text, at, view):
        return False
    return view.ids(text) == view.ids(text[:at] + text[at + 1 :])


def _is_shifted(text: str, at: int, view: TokenizerView) -> bool:
    """Return whether ``at`` has the span of a later character that needs none, or of none.

    It is later by as many characters as are taken out at the beginning of the text, and where others are, too, by some
    more.
    """
    by = view.removed_at_beginning(text)
    later = range(at + 1, at + by + NEIGHBOURS + 1)
    return by > 0 and (at + by + NEIGHBOURS >= len(text) or any(_needs_no_span(text, each, view) for each in later))


def _needs_no_span(text: str, at: int, view: TokenizerView) -> bool:
    """Return whether the character is white space, taken out, or normalized with those beside it."""
    return text[at] in WHITE_SPACE or view.is_removed(text[at]) or not _is_normalized_alone(text, at, view)


def _violation(text: str, at: int, view: TokenizerView, *, is_trimmed: bool) -> Violation:
    around = quoted(text[max(at - NEAR, 0) : at + NEAR + 1][:MOST_SHOWN])
    detail = f"character {at}, {quoted(text[at])} in {around}, is in no span, and alone it gives tokens"
    if is_trimmed:
        return Violation(TRIMMED_TOO_FAR, detail)
    if not _is_normalized_alone(text, at, view):
        return Violation("what is normalized with its neighbours is in no span", detail)
    if _is_shifted(text, at, view):
        return Violation(SHIFTED, detail)
    manner = f"{'white space' if text[at] in WHITE_SPACE else 'a character'} in no span"
    return Violation(manner if view.can_normalize else f"{manner}, by a normalizer that is not shown", detail)
