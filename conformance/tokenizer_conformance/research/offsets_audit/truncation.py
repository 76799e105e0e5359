"""Invariants of truncated encodings: windows of the whole, as long as they may be, that share what they shall.

A window is one of the encodings of an answer without its special tokens: first what was kept, then what was cut off.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Encoded, Field
from tokenizer_conformance.research.offsets_audit.case import first_other, picked
from tokenizer_conformance.research.offsets_audit.invariant import Checked, Invariant, Topic, Unchecked, Violation

if TYPE_CHECKING:
    from tokenizer_conformance.research.offsets_audit.case import Case
    from tokenizer_conformance.research.offsets_audit.invariant import Verdict

LENGTH = Invariant(
    "truncation.length",
    Topic.TRUNCATION,
    "No encoding is longer than max_length, and what was cut off is not either.",
    frozenset({Field.IDS}),
)
STRIDE = Invariant(
    "truncation.stride",
    Topic.TRUNCATION,
    "Of a truncated text, each window but the last is as long as it may be, and the next one begins with as many of "
    "its tokens as the stride says (ends with them, where texts are cut on the left).",
    frozenset({Field.IDS, Field.OVERFLOWING}),
)
UNION = Invariant(
    "truncation.union",
    Topic.TRUNCATION,
    "The windows of a truncated text, joined without what they share, are the text as it is not truncated: the same "
    "ids and spans.",
    frozenset({Field.IDS, Field.OVERFLOWING}),
)
KEPT = Invariant(
    "truncation.kept",
    Topic.TRUNCATION,
    "What is kept of a text is its beginning as it is not truncated (its end, where it is cut on the left): the same "
    "ids, spans and word ids.",
    frozenset({Field.IDS}),
)

FIELDS = (Field.IDS, Field.OFFSETS)
NOT_CUT = Unchecked("the text is short enough")
NO_LAYOUT = Unchecked("its post-processor is none of which the layout is known")
NOT_LAID_OUT = Unchecked("not truncated, the tokens are not those of the text and of the template")


def length(case: Case) -> Verdict:
    """Check :data:`LENGTH`."""
    truncation, layout = case.setting.truncation, case.view.rules.layout
    if truncation is None or layout is None:
        return NO_LAYOUT
    most = truncation.max_length(layout.added(is_pair=False))
    wrong = tuple(
        Violation("longer than max_length", f"{seen.where}{len(seen)} tokens, and max_length is {most}")
        for seen in case.seen
        if len(seen) > most
    )
    return Checked(len(case.seen), wrong)


def _windows(case: Case) -> list[Encoded] | Unchecked:
    """Return the windows of an answer about one text, or why these cannot be told."""
    question = case.question
    if not isinstance(question, Encode) or question.pair is not None or question.is_pretokenized:
        return Unchecked("windows are told of single texts")
    layout = case.layout(question)
    if layout is None:
        return NO_LAYOUT
    if not _is_laid_out(case, question):
        return NOT_LAID_OUT
    before = sum(len(part.ids) for part in layout[: [part.sequence for part in layout].index(0)])
    after = sum(len(part.ids) for part in layout) - before
    return [picked(seen.encoded, range(before, max(len(seen) - after, before))) for seen in case.seen]


def _is_laid_out(case: Case, question: Encode) -> bool:
    """Return whether the text, as it is not truncated, has the special tokens of the template, and no others.

    Where it has not, that is said by ``special.template``; what of a truncated one is text cannot be told then.
    """
    if not question.add_special_tokens:
        return True
    whole = case.view.ask(question)
    return isinstance(whole, Encoded) and whole.ids == case.templated_ids(question)


def _body(case: Case) -> int:
    """Return how many tokens of the text a window may have."""
    truncation, layout, question = case.setting.truncation, case.view.rules.layout, case.question
    if truncation is None or layout is None or not isinstance(question, Encode):
        return 0
    return truncation.body + (0 if question.add_special_tokens else layout.added(is_pair=False))


FIRST_TRIMMED = "the first token of a window is trimmed as if the text began there"
"""How windows differ where a post-processor that trims spans takes the first token of each for that of the text."""


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


def stride(case: Case) -> Verdict:
    """Check :data:`STRIDE`."""
    windows, truncation = _windows(case), case.setting.truncation
    if isinstance(windows, Unchecked):
        return windows
    if truncation is None or len(windows) < 2:
        return NOT_CUT
    is_right, wanted, body = truncation.direction == "Right", truncation.stride, _body(case)
    wrong = []
    for number, (window, following) in enumerate(pairwise(windows)):
        where = f"windows {number} and {number + 1}"
        if len(window.ids) != body:
            wrong.append(
                Violation("a window is shorter than it may be", f"{where}: {len(window.ids)} tokens, not {body}")
            )
        one, other = (window, following) if is_right else (following, window)
        shared = picked(one, range(max(len(one.ids) - wanted, 0), len(one.ids)))
        again = picked(other, range(min(wanted, len(other.ids))))
        different = first_other(FIELDS, shared, again)
        if different is not None:
            field, _ = different
            detail = f"{where} share {wanted} tokens; {field}: {getattr(shared, field)!r} and {getattr(again, field)!r}"
            is_first = _is_first_trimmed(case, shared, again, following if is_right else window)
            manner = FIRST_TRIMMED if is_first else f"other {field} in what windows share"
            wrong.append(Violation(manner, detail))
    return Checked(len(windows) - 1, tuple(wrong))


def union(case: Case) -> Verdict:
    """Check :data:`UNION`."""
    windows, truncation, question = _windows(case), case.setting.truncation, case.question
    if isinstance(windows, Unchecked):
        return windows
    if truncation is None or not isinstance(question, Encode):
        return NOT_CUT
    whole = case.plain(question.text)
    if whole is None or len(whole.ids) <= _body(case):
        return NOT_CUT
    ordered = windows if truncation.direction == "Right" else windows[::-1]
    wrong = []
    for field in FIELDS:
        every = [getattr(window, field) for window in ordered]
        wanted = getattr(whole, field)
        if wanted is None or None in every:
            continue
        joined = tuple(
            each for number, values in enumerate(every) for each in values[truncation.stride if number else 0 :]
        )
        if joined != wanted:
            at = next(
                (at for at, (one, other) in enumerate(zip(joined, wanted, strict=False)) if one != other),
                min(len(joined), len(wanted)),
            )
            detail = (
                f"{len(windows)} windows joined have {len(joined)} {field}, and the text {len(wanted)}; "
                f"the first other one is number {at}"
            )
            wrong.append(Violation(f"windows are not the whole: {field}", detail))
    return Checked(len(windows), tuple(wrong))


def kept(case: Case) -> Verdict:
    """Check :data:`KEPT`."""
    windows, truncation, question = _windows(case), case.setting.truncation, case.question
    if isinstance(windows, Unchecked):
        return windows
    if not windows or truncation is None or not isinstance(question, Encode):
        return NOT_CUT
    whole, window = case.plain(question.text), windows[0]
    if whole is None or len(whole.ids) <= _body(case):
        return NOT_CUT
    count, size = len(window.ids), len(whole.ids)
    places = range(count) if truncation.direction == "Right" else range(max(size - count, 0), size)
    other = first_other((*FIELDS, Field.WORD_IDS), window, picked(whole, places))
    wrong = []
    if count != _body(case):
        wrong.append(Violation("another number of tokens kept", f"{count} tokens of {size}, and {_body(case)} may be"))
    if other is not None:
        field, at = other
        detail = f"token {at} of what is kept: {getattr(window, field)[at : at + 1]!r}"
        is_first = _is_first_trimmed(case, window, picked(whole, places), window)
        wrong.append(Violation(FIRST_TRIMMED if is_first else f"other {field} than not truncated", detail))
    return Checked(1, tuple(wrong))
