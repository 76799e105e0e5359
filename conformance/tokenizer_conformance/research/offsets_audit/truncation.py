"""What truncated encodings say: windows of the whole, as long as they may be, that share what they shall.

A window is one of the encodings of an answer without its special tokens: first what was kept, then what was cut off.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encoded, Field
from tokenizer_conformance.research.offsets_audit.case import (
    CannotCheckError,
    Violation,
    first_difference,
    first_other,
    picked,
)
from tokenizer_conformance.research.offsets_audit.special_tokens import NO_TEMPLATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Encode
    from tokenizer_conformance.research.offsets_audit.case import Case, Looked

FIELDS = (Field.IDS, Field.OFFSETS)

NOT_CUT = "the text is short enough"
NOT_LAID_OUT = "not truncated, the tokens are not those of the text and of the template"

FIRST_TRIMMED = "the first token of a window is trimmed as if the text began there"
"""How windows differ where a post-processor that trims spans takes the first token of each for that of the text."""


def length(case: Case) -> Iterator[Looked]:
    """Check that no encoding is longer than max_length."""
    truncation, layout = case.setting.truncation, case.view.rules.layout
    if truncation is None or layout is None:
        raise CannotCheckError(NO_TEMPLATE)
    most = truncation.body + layout.added
    for seen in case.seen:
        yield 1
        if len(seen) > most:
            yield Violation("longer than max_length", f"{seen.where}{len(seen)} tokens, and max_length is {most}")


@dataclass(frozen=True, slots=True)
class _Cut:
    """The windows of an answer about one text.

    Each may have ``body`` tokens, and shares ``stride`` of them with the next; ``whole`` is the text as it is not
    truncated, ``None`` where that is not known, or no longer than a window.
    """

    windows: list[Encoded]
    body: int
    stride: int
    is_right: bool
    whole: Encoded | None


def _cut(case: Case) -> _Cut:
    """Return the windows. Raises :class:`CannotCheckError` where these cannot be told."""
    (question, _), truncation, rules = case.one, case.setting.truncation, case.view.rules
    if question.pair is not None or question.is_pretokenized:
        raise CannotCheckError("windows are told of single texts")
    if rules.layout is None or truncation is None:
        raise CannotCheckError(NO_TEMPLATE)
    if question.add_special_tokens and not _is_templated(case, question):
        raise CannotCheckError(NOT_LAID_OUT)
    before, after = rules.layout.around if question.add_special_tokens else (0, 0)
    body = truncation.body + (0 if question.add_special_tokens else rules.layout.added)
    whole = case.plain(question.text)
    return _Cut(
        windows=[picked(seen.encoded, range(before, max(len(seen) - after, before))) for seen in case.seen],
        body=body,
        stride=truncation.stride,
        is_right=truncation.direction == "Right",
        whole=None if whole is None or len(whole.ids) <= body else whole,
    )


def _is_templated(case: Case, question: Encode) -> bool:
    """Return whether the text, as it is not truncated, has the special tokens of the template, and no others.

    Where it has not, that is said by ``special.template``; what of a truncated one is text cannot be told then.
    """
    uncut = case.view.ask(question)
    return isinstance(uncut, Encoded) and list(uncut.ids) == [each.id for each in case.templated(question) or ()]


def _is_first_trimmed(case: Case, one: Encoded, other: Encoded, window: Encoded) -> bool:
    """Return whether nothing but the span of the first token is another one, and that token begins with a space.

    ``window`` is the one that the token is the first of.
    """
    if not case.view.rules.trims or one.ids != other.ids or not window.ids or not one.offsets or not other.offsets:
        return False
    begins = any(
        content.startswith(b" ")
        for token in case.view.tokens_of(one.ids[0])
        for content in case.view.rules.contents(token)
    )
    begins = begins or bool(one.tokens and one.tokens[0][:1].isspace())
    return begins and one.ids[0] == window.ids[0] and one.offsets[1:] == other.offsets[1:]


def stride(case: Case) -> Iterator[Looked]:
    """Check that each window but the last is as long as it may be, and shares its end with the next one."""
    cut = _cut(case)
    if len(cut.windows) < 2:
        raise CannotCheckError(NOT_CUT)
    for number, (window, following) in enumerate(pairwise(cut.windows)):
        yield 1
        where = f"windows {number} and {number + 1}"
        if len(window.ids) != cut.body:
            detail = f"{where}: {len(window.ids)} tokens, not {cut.body}"
            yield Violation("a window is shorter than it may be", detail)
        one, other = (window, following) if cut.is_right else (following, window)
        shared = picked(one, range(max(len(one.ids) - cut.stride, 0), len(one.ids)))
        again = picked(other, range(min(cut.stride, len(other.ids))))
        different = first_other(FIELDS, shared, again)
        if different is not None:
            field, _ = different
            ours, theirs = getattr(shared, field), getattr(again, field)
            is_first = _is_first_trimmed(case, shared, again, following if cut.is_right else window)
            manner = FIRST_TRIMMED if is_first else f"other {field} in what windows share"
            yield Violation(manner, f"{where} share {cut.stride} tokens; {field}: {ours!r} and {theirs!r}")


def union(case: Case) -> Iterator[Looked]:
    """Check that the windows, joined without what they share, are the text as it is not truncated."""
    cut = _cut(case)
    if cut.whole is None:
        raise CannotCheckError(NOT_CUT)
    yield len(cut.windows)
    ordered = cut.windows if cut.is_right else cut.windows[::-1]
    for field in FIELDS:
        every, wanted = [getattr(window, field) for window in ordered], getattr(cut.whole, field)
        if wanted is None or None in every:
            continue
        joined = tuple(each for number, values in enumerate(every) for each in values[cut.stride if number else 0 :])
        if joined != wanted:
            detail = (
                f"{len(ordered)} windows joined have {len(joined)} {field}, and the text {len(wanted)}; "
                f"the first other one is number {first_difference(joined, wanted)}"
            )
            yield Violation(f"windows are not the whole: {field}", detail)


def kept(case: Case) -> Iterator[Looked]:
    """Check that what is kept of a text is its beginning, or its end, as it is not truncated."""
    cut = _cut(case)
    if cut.whole is None:
        raise CannotCheckError(NOT_CUT)
    yield 1
    window = cut.windows[0]
    count, size = len(window.ids), len(cut.whole.ids)
    beginning = picked(cut.whole, range(count) if cut.is_right else range(max(size - count, 0), size))
    if count != cut.body:
        detail = f"{count} tokens of {size}, and {cut.body} may be"
        yield Violation("another number of tokens kept", detail)
    other = first_other((*FIELDS, Field.WORD_IDS), window, beginning)
    if other is not None:
        field, at = other
        is_first = _is_first_trimmed(case, window, beginning, window)
        manner = FIRST_TRIMMED if is_first else f"other {field} than not truncated"
        yield Violation(manner, f"token {at} of what is kept: {getattr(window, field)[at : at + 1]!r}")
