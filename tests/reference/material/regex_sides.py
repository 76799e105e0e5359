"""What the reference and `tokenizers` match with a pattern, in a form that can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import tokenizers
from tokenizers import NormalizedString, pre_tokenizers

from tokenizer_reference.text.regex import Regex

if TYPE_CHECKING:
    from collections.abc import Iterable

MARKER: Final = "\ue000"
"""Stands for a match; in no text of these tests."""


@dataclass(frozen=True)
class Matches:
    """Matches and gaps that are not empty, the gaps alone, and the text with a marker for each match."""

    pieces: list[tuple[int, int]]
    gaps: list[str]
    marked: str


def shown_by_target(pattern: str, text: str) -> Matches:
    compiled = tokenizers.Regex(pattern)
    marked = NormalizedString(text)
    marked.replace(compiled, MARKER)
    return Matches(
        [span for _, span in pre_tokenizers.Split(compiled, "isolated").pre_tokenize_str(text)],
        [piece.normalized for piece in NormalizedString(text).split(compiled, "removed")],
        marked.normalized,
    )


def shown_by(spans: list[tuple[int, int]], text: str) -> Matches:
    ends = [0, *(end for span in spans for end in span), len(text)]
    gaps = [text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True)]
    return Matches(
        [(start, end) for start, end in pairwise(ends) if start < end], [gap for gap in gaps if gap], MARKER.join(gaps)
    )


def is_accepted_by_target(pattern: str) -> bool:
    try:
        tokenizers.Regex(pattern)
    except Exception as error:
        assert "Oniguruma error" in str(error)
        return False
    return True


def differing_texts(pattern: str, texts: Iterable[str]) -> list[str]:
    """Return the texts in which the two do not match the same."""
    spans = Regex(pattern).spans
    return [text for text in texts if shown_by(spans(text), text) != shown_by_target(pattern, text)]
