"""The texts of a run: built-in ones and files, read through once to be counted, and again when they are asked about.

Each text is asked about alone, and in a pair with the text after it *in its source*, whichever inputs are selected: so
what was found on a pair is found again when its input is selected alone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.rejected import Rejected

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
    ``sources_sha256`` what each source yields: in another order of the sources they are the same.
    """

    sources: tuple[Iterable[Input], ...]
    selection: Selection
    count: int
    sha256: str
    sources_sha256: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[PairedInput]:
        for inputs in self.by_source():
            yield from inputs

    def by_source(self) -> Iterator[Iterator[PairedInput]]:
        """Yield the inputs of each source."""
        return (_selected(source, self.selection) for source in self.sources)


@dataclass(frozen=True, slots=True)
class Sample:
    """At most ``most`` of the ``inputs``, spread evenly over all of them; each keeps the text that follows it."""

    inputs: Inputs
    most: int

    @property
    def count(self) -> int:
        """How many there are."""
        return min(self.inputs.count, self.most)

    @property
    def sha256(self) -> str:
        """The digest of the inputs they are of, and of their number."""
        return hashlib.sha256(f"{self.count} of {self.inputs.sha256}".encode()).hexdigest()

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
        total, count = self.inputs.count, self.count
        return number * count // total != (number + 1) * count // total


def sampled(inputs: Inputs, most: int | None) -> Inputs:
    """Return at most ``most`` of the ``inputs``; all of them where it is ``None``, or where there are no more."""
    return inputs if most is None or most >= inputs.count else Sample(inputs, most)


def read_corpus(
    sources: Iterable[tuple[str, Iterable[Input]]], selection: Selection = EVERYTHING
) -> tuple[Corpus, list[Rejected]]:
    """Read every named source through once, and return the corpus of those that can be read, with those that cannot.

    One bad file does not keep the others from being used.
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
                for text in (each.input.id, each.input.text, each.following.text):
                    # An id begins with the name of a file, which need not be Unicode.
                    told = f"{len(text)}\0{text}\0".encode("utf-8", "surrogatepass")
                    digest.update(told)
                    own.update(told)
                count += 1
        except BadInputError as error:
            unusable.append(Rejected("inputs file", name, str(error)))
            count, digest = before, digest_before
        else:
            good.append(source)
            of_sources += [own.hexdigest()] if count > before else []
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


def _selected(source: Iterable[Input], selection: Selection) -> Iterator[PairedInput]:
    return (
        each if selection.takes(each.following) else replace(each, is_asked_alone=False)
        for each in paired(source)
        if selection.takes(each.input)
    )
