"""A corpus in tasks: what one process measures at a time, and after which a run can be resumed.

A task is a partition of a source, which whoever measures it reads by itself. Only of what can be read from its
beginning alone are the texts dealt out, some with each task. Where a task ends depends on the sources alone, never on
time or on the number of processes; and the number of a text is that of its row in the corpus: a task stands alone.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.corpus import Sampling
from tokenizer_conformance.inputs.partitions import bytes_of, partitions_of
from tokenizer_conformance.inputs.places import Bytes, Whole
from tokenizer_conformance.research.metrics.groups import groups_of
from tokenizer_conformance.research.metrics.texts import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.inputs.corpus import Draw
    from tokenizer_conformance.inputs.partitions import Partitioned
    from tokenizer_conformance.inputs.places import Partition
    from tokenizer_conformance.research.metrics.groups import By, Group
    from tokenizer_conformance.research.metrics.texts import SourceTexts

EVERY_ROW = Sampling()

PARTITION_BYTES = 1 << 20
"""How large a partition is: some seconds of work, so that all processes have some until the end."""

MOST_PARTITIONS = 1 << 13
"""Into so many partitions a corpus is cut at most: those of a larger one are larger, so the answers stay as many."""

CHARACTERS = 200_000
TEXTS = 4_096
"""With so many characters or texts a task is complete, where texts are dealt out."""


@dataclass(frozen=True, slots=True)
class MeasuredText:
    """A text with the ``id`` that names it in reports, and the groups it belongs to.

    ``number`` is that of its row in the corpus, from 0; of parallel texts that in its source, so that a translation has
    the number of what it translates. Pieces of a long text share it.
    """

    id: str
    text: str
    groups: tuple[Group, ...]
    number: int


@dataclass(frozen=True, slots=True)
class Task:
    """The texts of ``partition``, those with an index in ``some`` where that is given.

    ``texts`` are these texts themselves where they were dealt out; what was noticed in reading is then ``noticed``, and
    ``bad`` says why no more can be read.
    """

    partition: Partition
    some: range | None = None
    texts: tuple[MeasuredText, ...] | None = None
    noticed: Reading | None = None
    bad: str = ""

    @property
    def source(self) -> int:
        """The number of the source."""
        return self.partition.source

    @property
    def rows(self) -> int:
        """How many lines or rows of the source it has."""
        return self.partition.count if self.texts is None else len(self.texts)

    def halves(self, count: int) -> tuple[Task, Task]:
        """Return the two halves of the task, which has ``count`` texts; what was noticed belongs to the first."""
        if self.texts is not None:
            middle = count // 2
            return replace(self, texts=self.texts[:middle]), replace(self, texts=self.texts[middle:], noticed=None)
        every = self.some or range(count)
        middle = len(every) // 2
        return replace(self, some=every[:middle]), replace(self, some=every[middle:])


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of ``sources``, in groups told apart ``by`` these; each source begins with the number in ``firsts``.

    Where there is a ``draw``, they are those whose numbers it takes.
    It is small when pickled: whoever measures a task reads its texts by this.
    """

    sources: tuple[SourceTexts, ...]
    firsts: tuple[int, ...]
    by: tuple[By, ...] = ()
    draw: Draw | None = None

    def of(self, task: Task, reading: Reading) -> Iterator[MeasuredText]:
        """Yield the texts of ``task``; what is noticed is in ``reading`` in the end. Raises :class:`BadInputError`."""
        if task.texts is not None:
            yield from task.texts
            reading.merge(task.noticed or Reading())
            return
        part = self.sources[task.source].part(task.partition)
        every = self._measured(task.source, part)
        if task.some is None:
            yield from every
            reading.merge(part.reading)
            return
        yield from islice(every, task.some.start, task.some.stop)
        if task.some.start == 0:  # what is noticed in a partition is told once
            for _ in every:
                pass
            reading.merge(part.reading)

    def dealt(self, partition: Partition) -> Iterator[Task]:
        """Yield the texts of ``partition``, which is all of its source, in tasks."""
        source = self.sources[partition.source]
        characters = 0
        texts: list[MeasuredText] = []
        try:
            for each in self._measured(partition.source, source):
                texts.append(each)
                characters += len(each.text)
                if characters >= CHARACTERS or len(texts) >= TEXTS:
                    yield Task(partition, texts=tuple(texts))
                    characters, texts = 0, []
        except BadInputError as error:
            yield Task(partition, texts=(), bad=str(error))
            return
        yield Task(partition, texts=tuple(texts), noticed=source.reading)

    def _measured(self, source: int, read: SourceTexts) -> Iterator[MeasuredText]:
        """Yield the texts of the ``source``, or of the part of it that is ``read``."""
        for row, each in read.numbered():
            number = self.firsts[source] + row - 1
            if self.draw is None or self.draw.takes(number):
                groups = groups_of(each.text, each.category, self.sources[source].name, self.by)
                yield MeasuredText(each.id, each.text, groups, number)


@dataclass(frozen=True, slots=True)
class MeasuredCorpus:
    """``texts`` in ``partitions``, one after the other; ``counts`` are how many lines or rows each source has.

    ``sha256`` is the digest of what the texts are made of: the bytes of the sources, their names and columns. Of the
    sources in ``split`` other parts of the corpus have some.
    """

    texts: Texts
    partitions: tuple[Partition, ...]
    counts: tuple[int, ...]
    sha256: str
    split: frozenset[int] = frozenset()

    @property
    def rows(self) -> int:
        """How many lines or rows there are."""
        return sum(each.count for each in self.partitions)

    @property
    def largest(self) -> int:
        """How many times as large as usual the largest partition is: a long line is in one."""
        sizes = (each.place.end - each.place.start for each in self.partitions if isinstance(each.place, Bytes))
        return max(1, max(sizes, default=0) // PARTITION_BYTES)

    def part(self, shard: Shard) -> MeasuredCorpus:
        """Return that part of the corpus: a stretch of its partitions."""
        count = len(self.partitions)
        here = [self.partitions[place] for place in shard.stretch(list(range(count)), max(count, 1))]
        every, some = (Counter(each.source for each in of) for of in (self.partitions, here))
        return replace(self, partitions=tuple(here), split=frozenset(each for each in some if some[each] < every[each]))

    def tasks(self) -> Iterator[Task]:
        """Yield all tasks, in the order of the corpus."""
        for partition in self.partitions:
            if isinstance(partition.place, Whole):
                yield from self.texts.dealt(partition)
            else:
                yield Task(partition)


def partition_size(sources: Sequence[SourceTexts]) -> int:
    """Return how many bytes a partition of the corpus of ``sources`` has."""
    return max(PARTITION_BYTES, sum(bytes_of(each.source) for each in sources) // MOST_PARTITIONS)


def partitioned(source: SourceTexts, size: int = 0) -> Partitioned:
    """Return the partitions of ``source``, of ``size`` bytes or the least, once it is clear that it has a text.

    Raises :class:`BadInputError` where it has none, or is not UTF-8. What is wrong with single rows is seen later.
    """
    found = partitions_of(source.source, size=max(size, PARTITION_BYTES))
    next(iter(source), None)
    return found


def corpus_of(
    sources: Sequence[SourceTexts],
    found: Sequence[Partitioned],
    by: Sequence[By],
    *,
    parallel: bool = False,
    sampling: Sampling = EVERY_ROW,
) -> MeasuredCorpus:
    """Return the corpus of ``sources``, which were ``found`` to have these partitions, or a sample of its rows.

    Of ``parallel`` sources the same rows of each are taken.
    """
    counts = tuple(each.rows for each in found)
    firsts = tuple(0 if parallel else sum(counts[:number]) for number in range(len(counts)))
    digest = hashlib.sha256()
    for source, each in zip(sources, found, strict=True):
        for told in (source.name, source.column, source.language_column or "", each.sha256):
            digest.update(f"{len(told)}\0{told}\0".encode("utf-8", "surrogatepass"))
    draw = sampling.draw(max(counts, default=0) if parallel else sum(counts))
    if draw is not None:
        digest.update(repr(draw).encode("ascii"))
    partitions = tuple(replace(part, source=n) for n, each in enumerate(found) for part in each.partitions)
    return MeasuredCorpus(Texts(tuple(sources), firsts, tuple(by), draw), partitions, counts, digest.hexdigest())
