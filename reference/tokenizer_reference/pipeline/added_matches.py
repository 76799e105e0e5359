"""Which added tokens stand in a text, which of them are cut out of it, and why the others are not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_reference.added_vocabulary import AddedVocabulary
    from tokenizer_reference.text.normalized_string import NormalizedString
    from tokenizer_reference.values.added_token import AddedToken

Span = tuple[int, int]


class WhyNot(StrEnum):
    """Why an added token that stands in a text is not cut out there."""

    SINGLE_WORD = "single_word, and a character of a word stands beside it"
    OVERLAPPED = "another token has this place: one that begins earlier, is longer, or has a lower id"
    SPECIAL_AS_TEXT = "special tokens are encoded as text (encode_special_tokens)"
    LOOKED_FOR_NORMALIZED = "normalized=true: its normalized form is looked for, which does not stand here"
    LOOKED_FOR_AS_GIVEN = "normalized=false: it is looked for in the text as given, where it does not stand"


@dataclass(frozen=True, slots=True)
class AddedOccurrence:
    """A place of the text at which an added token stands, whether or not it is cut out there.

    ``searched`` is what is looked for: the content, or its normalized form. ``flags`` are those that are on. ``span``
    is the place in code points of the original text; ``taken`` the place that is cut out, with the white space of
    ``lstrip`` and ``rstrip``. Where that is ``None``, ``why_not`` says why, and ``other`` what stands in the way: the
    other token, or the character beside this one.
    """

    content: str
    id: int
    searched: str
    flags: tuple[str, ...]
    span: Span
    taken: Span | None
    why_not: WhyNot | None = None
    other: str | None = None


_FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


def occurrences_as_given(added: AddedVocabulary, text: NormalizedString) -> list[AddedOccurrence]:
    """Return where tokens with ``normalized=False`` stand in ``text``, which is not normalized yet."""
    return list(_searched(added, text, added._raw_patterns, number=0))


def occurrences_normalized(
    added: AddedVocabulary, given: NormalizedString, normalized: NormalizedString
) -> list[AddedOccurrence]:
    """Return where tokens stand in a section of the text: in ``normalized``, or only in what was ``given``.

    The tokens with ``normalized=False`` that stand in what was given are not among them: these were looked for before.
    """
    found = list(_searched(added, normalized, added._normalized_patterns, number=1))
    found += _only_as_given(added, given, found)
    found += _only_normalized(added, normalized)
    found += _written_by_normalizer(added, normalized, found)
    return sorted(found, key=lambda each: (each.span, each.id))


def _searched(
    added: AddedVocabulary, text: NormalizedString, patterns: dict[int, str], *, number: int
) -> Iterator[AddedOccurrence]:
    """Yield what one of the two searches makes of every place at which one of its ``patterns`` stands."""
    matcher = added._searches[number]
    matches = [(start, end, pattern.id) for start, end, pattern in matcher.find(text.normalized)]
    cut = [(start, end, id_) for start, end, id_ in added._spans(text.normalized, matcher) if id_ is not None]
    for id_, pattern in patterns.items():
        for start, end in _places(pattern, text.normalized):
            token = added._tokens[id_]
            taken = next((span for span in cut if span[2] == id_ and span[0] <= start and end <= span[1]), None)
            if (start, end, id_) in matches and taken is not None:
                whole = text.original_range(taken[0], taken[1])
                yield _occurrence(token, id_, pattern, text.original_range(start, end), taken=whole)
                continue
            why, other = _why_not(added, text.normalized, (start, end, id_), matches)
            yield _occurrence(token, id_, pattern, text.original_range(start, end), why_not=why, other=other)


def _why_not(
    added: AddedVocabulary, text: str, place: tuple[int, int, int], matches: Iterable[tuple[int, int, int]]
) -> tuple[WhyNot, str]:
    """Return why the token at ``place`` is not cut out: nothing found it there, or its flags rejected it."""
    start, end, id_ = place
    for other_start, other_end, other in matches:
        if other_start < end and start < other_end and (other_start, other_end, other) != place:
            return WhyNot.OVERLAPPED, added._tokens[other].content
    token = added._tokens[id_]
    if added.encode_special_tokens and token.content in added._special:
        return WhyNot.SPECIAL_AS_TEXT, ""
    return WhyNot.SINGLE_WORD, text[max(start - 1, 0) : start] + text[end : end + 1]


def _only_as_given(
    added: AddedVocabulary, given: NormalizedString, found: list[AddedOccurrence]
) -> Iterator[AddedOccurrence]:
    """Yield the tokens with ``normalized=True`` whose content was given where their normalized form is not."""
    spans = {(each.id, each.span[0]) for each in found}
    for id_, pattern in added._normalized_patterns.items():
        token = added._tokens[id_]
        for start, end in _places(token.content, given.normalized):
            span = given.original_range(start, end)
            if not any((id_, at) in spans for at in range(*span)):
                yield _occurrence(token, id_, pattern, span, why_not=WhyNot.LOOKED_FOR_NORMALIZED)


def _only_normalized(added: AddedVocabulary, normalized: NormalizedString) -> Iterator[AddedOccurrence]:
    """Yield the tokens with ``normalized=False`` that stand nowhere but in the normalized text."""
    for id_, pattern in added._raw_patterns.items():
        for start, end in _places(pattern, normalized.normalized):
            span = normalized.original_range(start, end)
            if normalized.source[slice(*span)] != pattern:
                yield _occurrence(added._tokens[id_], id_, pattern, span, why_not=WhyNot.LOOKED_FOR_AS_GIVEN)


def _written_by_normalizer(
    added: AddedVocabulary, normalized: NormalizedString, found: list[AddedOccurrence]
) -> Iterator[AddedOccurrence]:
    """Yield the tokens with ``normalized=True`` whose content only the normalizer wrote, and whose form is another."""
    spans = {(each.id, each.span) for each in found}
    for id_, pattern in added._normalized_patterns.items():
        token = added._tokens[id_]
        for start, end in _places(token.content, normalized.normalized) if token.content != pattern else ():
            span = normalized.original_range(start, end)
            if (id_, span) not in spans:
                yield _occurrence(token, id_, pattern, span, why_not=WhyNot.LOOKED_FOR_NORMALIZED)


def _places(pattern: str, text: str) -> Iterator[Span]:
    """Yield every place of ``pattern`` in ``text``, those that overlap too; the empty pattern has none."""
    at = text.find(pattern) if pattern else -1
    while at >= 0:
        yield at, at + len(pattern)
        at = text.find(pattern, at + 1)


def _occurrence(
    token: AddedToken,
    id_: int,
    searched: str,
    span: Span,
    *,
    taken: Span | None = None,
    why_not: WhyNot | None = None,
    other: str | None = None,
) -> AddedOccurrence:
    flags = tuple(flag for flag in _FLAGS if getattr(token, flag))
    return AddedOccurrence(token.content, id_, searched, flags, span, taken, why_not, other)
