"""Cuts of texts as tests write them: the tokens with their texts, where nothing has to be said of ids."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.measures.sample import Cut, Sample
from tokenizer_conformance.research.metrics.measures.words import DEFINITION_BY_ID
from tokenizer_conformance.research.segmentation.segmented import Segmented

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Span


def sample(text: str, number: int = 0, words: str = "whitespace") -> Sample:
    find = DEFINITION_BY_ID[words].find
    assert find is not None
    return Sample(number, text, find(text))


def cut(text: str, marked: str, number: int = 0, decoded: str | None = None, words: str = "whitespace") -> Cut:
    """Return ``text`` cut as ``marked`` says: the text with ``|`` between tokens and ``~`` for each dropped character.

    An id is that of the token's text: the sum of its characters, which is no clash in the tests.
    """
    return cut_of(sample(text, number, words), marked, decoded)


def cut_of(of: Sample, marked: str, decoded: str | None = None) -> Cut:
    shown = marked.replace("|", "")
    assert len(shown) == len(of.text)
    assert all(mark in (character, "~") for mark, character in zip(shown, of.text, strict=True))
    spans = spans_of(marked)
    tokens = tuple(of.text[start:end] for start, end in spans)
    ids = tuple(map(id_of, tokens))
    return Cut(of, Segmented(of.text, ids, tokens, spans), decoded)


def id_of(token: str) -> int:
    return int.from_bytes(token.encode()[-6:], "big")


def spans_of(marked: str) -> tuple[Span, ...]:
    spans = []
    place = 0
    for piece in marked.split("|"):
        for is_dropped, group in itertools.groupby(piece, lambda character: character == "~"):
            length = len(list(group))
            if not is_dropped:
                spans.append((place, place + length))
            place += length
    return tuple(spans)


def values(estimates: Sequence[object]) -> dict[str, float | None]:
    return {each.measure: each.value for each in estimates}  # type: ignore[attr-defined]
