"""The texts of a run: built-in ones and files, read through once to be counted, and again when they are asked about.

Each text is asked about alone, and in a pair with the text after it *in its source*, whichever inputs are selected: so
what was found on a pair is found again when its input is selected alone.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Protocol

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.opening import CHANGED
from tokenizer_conformance.rejected import Rejected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokenizer_conformance.inputs.text import Input


@dataclass(frozen=True, slots=True)
class Selection:
    """Which inputs are used: id or category holds ``substring`` (in any case), and ``ids``, if given, have the id."""

    substring: str = ""
    ids: frozenset[str] = frozenset()

    def takes(self, each: Input) -> bool:
        """Return whether ``each`` is used."""
        wanted = self.substring.casefold()
        if wanted not in each.id.casefold() and wanted not in each.category.casefold():
            return False
        return not self.ids or each.id in self.ids


EVERYTHING = Selection()

OF_NOTHING = hashlib.sha256().hexdigest()
"""The digest of a source without inputs."""


@dataclass(frozen=True, slots=True)
class PairedInput:
    """An input, with the one that follows it in its source; the first one follows the last.

    ``is_asked_alone`` says that the following one is an input of the run, too, and not only the second text of a pair.
    """

    input: Input
    following: Input
    is_asked_alone: bool = True


class Inputs(Protocol):
    """The inputs of a run, in order; iterating yields them anew. ``count`` and ``sha256`` describe what it yields."""

    @property
    def count(self) -> int:
        """How many there are."""

    @property
    def sha256(self) -> str:
        """The digest of ids and texts."""

    @property
    def sources_sha256(self) -> tuple[str, ...]:
        """The digest of ids and texts of each source that has any, in order; none where sources are not known."""

    @property
    def selection(self) -> Selection:
        """Which of the inputs of their sources they are."""

    def __iter__(self) -> Iterator[PairedInput]:
        """Yield them."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The inputs of a run: those that ``selection`` takes of the ``sources``, in order.

    Iterating reads files anew. ``count`` and ``sha256`` (of the ids and texts) describe what iterating yields, and
    ``digests`` what each source yields. Raises :class:`BadInputError` in the end where a source yields something else.
    """

    sources: tuple[Iterable[Input], ...]
    selection: Selection
    count: int
    sha256: str
    digests: tuple[str, ...] = ()

    @property
    def sources_sha256(self) -> tuple[str, ...]:
        """The digests of the sources that have inputs: in another order of the sources they are the same."""
        return tuple(digest for digest in self.digests if digest != OF_NOTHING)

    def __iter__(self) -> Iterator[PairedInput]:
        for inputs in self.by_source():
            yield from inputs

    def by_source(self) -> Iterator[Iterator[PairedInput]]:
        """Yield the inputs of each source."""
        return (
            _held(source, _selected(source, self.selection), digest)
            for source, digest in zip_longest(self.sources, self.digests)
        )


@dataclass(frozen=True, slots=True)
class Draw:
    """Which ``count`` of the numbers from 0 to ``total`` are taken, spread evenly.

    All are cut into so many runs, and one of each is taken: its last one or, with a ``seed``, one that is drawn.

    >>> [number for number in range(6) if Draw(6, 2).takes(number)]
    [2, 5]
    """

    total: int
    count: int
    seed: int | None = None

    def takes(self, number: int) -> bool:
        """Return whether ``number`` is taken."""
        total, count = self.total, self.count
        run = number * count // total
        if self.seed is None:
            return run != (number + 1) * count // total
        return number == _drawn(self.seed, run, -(-run * total // count), -(-(run + 1) * total // count))


@dataclass(frozen=True, slots=True)
class Sampling:
    """At most ``most`` are to be taken of what there is, drawn with the ``seed`` if there is one; ``None`` is all."""

    most: int | None = None
    seed: int | None = None

    def draw(self, total: int) -> Draw | None:
        """Return which of ``total`` are taken, ``None`` where that is all of them."""
        return None if self.most is None or self.most >= total else Draw(total, self.most, self.seed)


@dataclass(frozen=True, slots=True)
class Sample:
    """At most ``most`` of the ``inputs``, as :class:`Draw` takes them; each keeps the text that follows it."""

    inputs: Inputs
    most: int
    seed: int | None = None

    @property
    def count(self) -> int:
        """How many there are."""
        return min(self.inputs.count, self.most)

    @property
    def sha256(self) -> str:
        """The digest of the inputs they are of, and of their number."""
        how = "" if self.seed is None else f", drawn with {self.seed}"
        return hashlib.sha256(f"{self.count} of {self.inputs.sha256}{how}".encode()).hexdigest()

    @property
    def sources_sha256(self) -> tuple[str, ...]:
        """None: a sample is of all sources together."""
        return ()

    @property
    def selection(self) -> Selection:
        """Which of the inputs of their sources they are of."""
        return self.inputs.selection

    def __iter__(self) -> Iterator[PairedInput]:
        takes_first, number, last = False, 0, None
        for number, each in enumerate(self.inputs):
            follows = last is not None and each.input == last.following  # else a source begins here
            if last is not None and self._takes(number - 1):
                yield replace(last, is_asked_alone=self._takes(number) if follows else takes_first)
            takes_first = takes_first if follows else self._takes(number)
            last = each
        if last is not None and self._takes(number):
            yield replace(last, is_asked_alone=takes_first)

    def _takes(self, number: int) -> bool:
        return Draw(self.inputs.count, self.count, self.seed).takes(number)


@lru_cache(maxsize=2)
def _drawn(seed: int, run: int, start: int, end: int) -> int:
    """Return the number that is drawn of those of a run, from ``start`` up to ``end``."""
    return random.Random(f"{seed} {run}").randrange(start, end)  # noqa: S311 - no secret


def sampled(inputs: Inputs, most: int | None, seed: int | None = None) -> Inputs:
    """Return at most ``most`` of the ``inputs``; all of them where it is ``None``, or where there are no more.

    They are drawn with the ``seed`` if there is one.
    """
    return inputs if most is None or most >= inputs.count else Sample(inputs, most, seed)


def read_corpus(
    sources: Iterable[tuple[str, Iterable[Input]]],
    selection: Selection = EVERYTHING,
    refuse: Callable[[Input], None] = lambda _: None,
) -> tuple[Corpus, list[Rejected]]:
    """Read every named source through once, and return the corpus of those that can be read, with those that cannot.

    One bad file does not keep the others from being used. ``refuse`` raises :class:`BadInputError` for an input that
    makes its source a bad one.
    """
    good: list[Iterable[Input]] = []
    unusable: list[Rejected] = []
    digest = hashlib.sha256()
    of_sources: list[str] = []
    count = 0
    for name, source in sources:
        before, digest_before, own = count, digest.copy(), hashlib.sha256()
        try:
            for each in _selected(source, selection):
                refuse(each.input)
                told = _told(each)
                digest.update(told)
                own.update(told)
                count += 1
        except BadInputError as error:
            unusable.append(Rejected("inputs file", name, str(error)))
            count, digest = before, digest_before
        else:
            good.append(source)
            of_sources.append(own.hexdigest())
    return Corpus(tuple(good), selection, count, digest.hexdigest(), tuple(of_sources)), unusable


def paired(source: Iterable[Input]) -> Iterator[PairedInput]:
    """Yield each input of ``source`` with the one that follows it; the first one follows the last."""
    first: Input | None = None
    waiting: Input | None = None
    for each in source:
        if waiting is not None:
            yield PairedInput(waiting, each)
        first = first or each
        waiting = each
    if waiting is not None and first is not None:
        yield PairedInput(waiting, first)


def _told(each: PairedInput) -> bytes:
    texts = (each.input.id, each.input.text, each.following.text)
    # An id begins with the name of a file, which need not be Unicode.
    return "".join(f"{len(text)}\0{text}\0" for text in texts).encode("utf-8", "surrogatepass")


def _held(source: Iterable[Input], inputs: Iterable[PairedInput], digest: str | None) -> Iterator[PairedInput]:
    """Yield the ``inputs`` of ``source``. Raises :class:`BadInputError` in the end where these have another digest."""
    found = hashlib.sha256()
    for each in inputs:
        found.update(_told(each))
        yield each
    if digest is not None and found.hexdigest() != digest:
        raise BadInputError(f"inputs file {getattr(source, 'word', 'of a source')!r} {CHANGED}")


def _selected(source: Iterable[Input], selection: Selection) -> Iterator[PairedInput]:
    return (
        each if selection.takes(each.following) else replace(each, is_asked_alone=False)
        for each in paired(source)
        if selection.takes(each.input)
    )
