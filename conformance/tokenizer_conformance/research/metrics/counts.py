"""What is counted of a corpus so far, in all rows and groups; its size depends on vocabularies, never on the corpus."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.measures.pair_tally import PairTally
from tokenizer_conformance.research.metrics.measures.tally import Tally
from tokenizer_conformance.research.metrics.measures.words import unspaced_characters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.research.metrics.groups import Group

EXAMPLES = 3
"""How many failures of a row are kept as examples: the first ones of the corpus."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A text, named by its ``id``, that was not cut: ``kind`` is what came instead of an answer."""

    id: str
    kind: str
    message: str


@dataclass(slots=True)
class Failures:
    """Texts that a row did not cut: how many of each kind, and the first ones."""

    kinds: dict[str, int] = field(default_factory=dict)
    examples: list[Failure] = field(default_factory=list)

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(self.kinds.values())

    def add(self, failure: Failure) -> None:
        """Count ``failure``."""
        self.kinds[failure.kind] = self.kinds.get(failure.kind, 0) + 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(failure)

    def merge(self, other: Failures) -> None:
        """Add those of ``other``, whose texts come later."""
        for kind, count in other.kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count
        self.examples += other.examples[: EXAMPLES - len(self.examples)]


@dataclass(slots=True)
class Read:
    """How much text was read: texts, their characters and their bytes in UTF-8.

    ``blank`` texts are empty or white space alone; ``unspaced`` characters are of scripts without spaces between words.
    """

    texts: int = 0
    characters: int = 0
    bytes: int = 0
    blank: int = 0
    unspaced: int = 0

    def add(self, text: str) -> None:
        """Count ``text``."""
        self.texts += 1
        self.characters += len(text)
        self.bytes += len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
        self.blank += not text or text.isspace()
        self.unspaced += unspaced_characters(text)

    def merge(self, other: Read) -> None:
        """Add what ``other`` has counted."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    @property
    def written(self) -> int:
        """How many texts are not blank."""
        return self.texts - self.blank


class Counts:
    """The tallies of rows, given by their ids of unknown tokens, and of all pairs of rows, by group.

    ``decoding`` counts the texts that a row cut and could not decode; these stay in all other measures.
    """

    def __init__(self, unknown_ids: Sequence[frozenset[int]]) -> None:
        self.unknown_ids = tuple(unknown_ids)
        self.tallies: dict[tuple[int, Group], Tally] = {}
        self.pairs: dict[tuple[int, int, Group], PairTally] = {}
        self.failures = [Failures() for _ in unknown_ids]
        self.decoding = [Failures() for _ in unknown_ids]
        self.read: dict[Group, Read] = {}

    def tally(self, row: int, group: Group) -> Tally:
        """Return the tally of ``row`` in ``group``."""
        found = self.tallies.get((row, group))
        if found is None:
            found = self.tallies[row, group] = Tally(self.unknown_ids[row])
        return found

    def pair(self, first: int, second: int, group: Group) -> PairTally:
        """Return the tally of two rows in ``group``."""
        found = self.pairs.get((first, second, group))
        if found is None:
            found = self.pairs[first, second, group] = PairTally()
        return found

    def read_of(self, group: Group) -> Read:
        """Return how much text of ``group`` was read."""
        found = self.read.get(group)
        if found is None:
            found = self.read[group] = Read()
        return found

    def merge(self, other: Counts) -> None:
        """Add what ``other`` has counted in texts that come later."""
        for (row, group), tally in other.tallies.items():
            self.tally(row, group).merge(tally)
        for (first, second, group), pair in other.pairs.items():
            self.pair(first, second, group).merge(pair)
        for group, read in other.read.items():
            self.read_of(group).merge(read)
        for mine, theirs in ((self.failures, other.failures), (self.decoding, other.decoding)):
            for each, more in zip(mine, theirs, strict=True):
                each.merge(more)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The ``counts`` of the first ``chunks`` chunks of a corpus."""

    chunks: int
    counts: Counts
