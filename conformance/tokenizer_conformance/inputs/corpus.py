"""The texts of a run: built-in ones and files, read through once to be counted, and again when they are asked about."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.unusable import Unusable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_conformance.inputs.text import Input


@dataclass(frozen=True, slots=True)
class Corpus:
    """The inputs of a run: ``sources`` in order, those whose id or category holds ``selection`` (in any case).

    Iterating reads files anew. ``count`` and ``sha256`` (of the ids and texts) describe what iterating yields.
    """

    sources: tuple[Iterable[Input], ...]
    selection: str
    count: int
    sha256: str

    def __iter__(self) -> Iterator[Input]:
        return _selected(self.sources, self.selection)


def read_corpus(sources: Iterable[tuple[str, Iterable[Input]]], selection: str = "") -> tuple[Corpus, list[Unusable]]:
    """Read every named source through once, and return the corpus of those that can be read, with the unusable.

    One bad file does not keep the others from being used.
    """
    good: list[Iterable[Input]] = []
    unusable: list[Unusable] = []
    digest = hashlib.sha256()
    count = 0
    for name, source in sources:
        before, digest_before = count, digest.copy()
        try:
            for each in _selected((source,), selection):
                digest.update(f"{each.id}\0{len(each.text)}\0{each.text}\0".encode())
                count += 1
        except BadInputError as error:
            unusable.append(Unusable("inputs file", name, str(error)))
            count, digest = before, digest_before
        else:
            good.append(source)
    return Corpus(tuple(good), selection, count, digest.hexdigest()), unusable


def _selected(sources: Iterable[Iterable[Input]], selection: str) -> Iterator[Input]:
    wanted = selection.casefold()
    for source in sources:
        for each in source:
            if wanted in each.id.casefold() or wanted in each.category.casefold():
                yield each
