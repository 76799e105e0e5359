"""A corpus in numbered chunks: what one process measures at a time, and after which a run can be resumed.

Where a chunk ends depends on the texts alone, never on time or on the number of processes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.groups import groups_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_conformance.research.metrics.groups import By, Group
    from tokenizer_conformance.research.metrics.texts import SourceTexts

CHARACTERS = 200_000
TEXTS = 4_096
"""With so many characters or texts a chunk is complete."""


@dataclass(frozen=True, slots=True)
class MeasuredText:
    """A text with the ``id`` that names it in reports, and the groups it belongs to.

    ``number`` is that of the text in the corpus, from 0; of parallel texts that in its source, so that a translation
    has the number of what it translates.
    """

    id: str
    text: str
    groups: tuple[Group, ...]
    number: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """The ``number``-th chunk (from 0)."""

    number: int
    texts: tuple[MeasuredText, ...]


def chunks(sources: Iterable[SourceTexts], by: Sequence[By], *, parallel: bool = False) -> Iterator[Chunk]:
    """Yield the texts of ``sources`` in chunks. Raises :class:`BadInputError` as reading them does."""
    number = characters = before = 0
    texts: list[MeasuredText] = []
    for source in sources:
        place = -1
        for place, each in enumerate(source):
            groups = groups_of(each.text, each.category, source.name, by)
            texts.append(MeasuredText(each.id, each.text, groups, place if parallel else before + place))
            characters += len(each.text)
            if characters >= CHARACTERS or len(texts) >= TEXTS:
                yield Chunk(number, tuple(texts))
                number, characters, texts = number + 1, 0, []
        before += place + 1
    if texts:
        yield Chunk(number, tuple(texts))
