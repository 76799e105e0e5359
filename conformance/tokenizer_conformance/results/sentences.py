"""Sentences of a page: what holds for several is said once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.plural import together
from tokenizer_conformance.results.page import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def plain(texts: Iterable[str]) -> Iterator[Sentence]:
    """Yield ``texts`` as sentences that are about nobody by name."""
    return map(Sentence, texts)


def said_once(said: Iterable[tuple[str, str]]) -> Iterator[Sentence]:
    """Yield what is ``said`` of each name, the names first; the same of several is one sentence.

    >>> told = [("reference", "no new difference."), ("tokie", "differs."), ("transformers", "no new difference.")]
    >>> [each.text for each in said_once(told)]
    ['reference and transformers: no new difference.', 'tokie: differs.']
    """
    names_of: dict[str, list[str]] = {}
    for name, words in said:
        names_of.setdefault(words, []).append(name)
    for words, names in names_of.items():
        yield Sentence(f"{together(names)}: {words}", tuple(names), words)
