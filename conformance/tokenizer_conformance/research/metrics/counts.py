"""What is counted of a corpus so far, in all rows and groups; its size depends on vocabularies, never on the corpus."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.measures.pair_tally import PairTally
from tokenizer_conformance.research.metrics.measures.tally import Tally
from tokenizer_conformance.research.metrics.texts import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tokenizer_conformance.research.metrics.groups import Group
    from tokenizer_conformance.research.metrics.measures.columns import Texts

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

    def add_texts(self, texts: Texts, which: NDArray[np.int64]) -> None:
        """Count those of ``texts`` with these indices."""
        columns = (texts.lengths, texts.bytes, texts.is_blank, texts.unspaced)
        self.merge(Read(len(which), *(int(each[which].sum()) for each in columns)))

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

    ``decoding`` counts the texts that a row cut and could not decode; these stay in all other measures. ``readings``
    are what was noticed in reading each source, by its number. All are whole numbers, and sums of them are exact to
    2^53: it does not matter who counted what, nor in which parts.
    """

    def __init__(self, unknown_ids: Sequence[frozenset[int]]) -> None:
        self.unknown_ids = tuple(unknown_ids)
        self.tallies: dict[tuple[int, Group], Tally] = {}
        self.pairs: dict[tuple[int, int, Group], PairTally] = {}
        self.failures = [Failures() for _ in unknown_ids]
        self.decoding = [Failures() for _ in unknown_ids]
        self.read: dict[Group, Read] = {}
        self.readings: dict[int, Reading] = {}

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
        for source, reading in other.readings.items():
            self.readings.setdefault(source, Reading()).merge(reading)
        for mine, theirs in ((self.failures, other.failures), (self.decoding, other.decoding)):
            for each, more in zip(mine, theirs, strict=True):
                each.merge(more)


@dataclass(frozen=True, slots=True)
class Bad:
    """The source with that number cannot be read to its end, for a ``reason``: nothing of it counts."""

    source: int
    reason: str


Answer = Counts | Bad
"""What comes of a task."""


def merged(answers: Iterable[Answer]) -> Answer:
    """Return the answers about neighbouring tasks of one source as one, so that many can be merged in a tree."""
    total: Counts | None = None
    for answer in answers:
        if isinstance(answer, Bad):
            return answer
        if total is None:
            total = Counts(answer.unknown_ids)
        total.merge(answer)
    if total is None:
        raise ValueError("no answers to merge")
    return total


class Counted:
    """What is counted after ``done`` tasks, each once, in the order of the corpus.

    The counts of a source are kept apart (``apart``) until all of it is there, since nothing of a source counts that
    turns out to be ``bad``; then they are merged into the ``whole``.
    """

    def __init__(self, unknown_ids: Sequence[frozenset[int]]) -> None:
        self.done = 0
        self.whole = Counts(unknown_ids)
        self.apart: dict[int, Counts] = {}
        self.bad: dict[int, Bad] = {}

    def take(self, source: int, answer: Answer, tasks: int = 1) -> Bad | None:
        """Take in the answer about the next ``tasks``, which are of ``source``; return it where it is the first bad."""
        self.done += tasks
        if source in self.bad:
            return None
        if isinstance(answer, Bad):
            self.apart.pop(source, None)
            self.bad[source] = answer
            return answer
        self.apart.setdefault(source, Counts(self.whole.unknown_ids)).merge(answer)
        return None

    def close(self, sources: Iterable[int]) -> None:
        """Merge the counts of these ``sources``, of which all is there, into the whole."""
        for source in sorted(sources):
            counts = self.apart.pop(source, None)
            if counts is not None:
                self.whole.merge(counts)

    def in_order(self) -> Iterator[tuple[int | None, Counts]]:
        """Yield the counts in the order of the corpus, those of a single source with its number."""
        first = min(self.whole.readings, default=0)
        yield from ((source, counts) for source, counts in self.apart.items() if source < first)
        yield None, self.whole
        yield from ((source, counts) for source, counts in self.apart.items() if source >= first)

    @property
    def total(self) -> Counts:
        """All that is counted."""
        total = Counts(self.whole.unknown_ids)
        for _, counts in self.in_order():
            total.merge(counts)
        return total

    @property
    def read(self) -> Read:
        """How much text was read."""
        read = Read()
        for _, counts in self.in_order():
            read.merge(counts.read.get(ALL_TEXTS, Read()))
        return read
