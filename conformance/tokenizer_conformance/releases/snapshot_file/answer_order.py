"""The lines of answers about one tokenizer with the inputs they are about, in the order in which these are wanted."""

from __future__ import annotations

import json
import tempfile
import weakref
from array import array
from collections import deque
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.corpus import PairedInput, paired
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.releases.snapshot_file.reader import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.releases.snapshot_file.reader import Snapshot


@dataclass(frozen=True, slots=True)
class Entry:
    """An input with the one that follows it, the ``numbers`` of both (from 0), and the line of answers about it."""

    each: PairedInput
    numbers: tuple[int, int]
    line: Line

    @property
    def is_last(self) -> bool:
        """Whether it is the last one of its source, which the first one follows."""
        number, following = self.numbers
        return following <= number


class AnswerOrder(Protocol):
    """Gives entries by the numbers of their inputs."""

    def at(self, number: int) -> Entry | None:
        """Return the entry of the input, ``None`` where the snapshot has no answers about it.

        Raises :class:`BadInputError` where the file cannot be read.
        """


class InOrder:
    """The entries of the tokenizer called ``name`` for whoever wants them in the order of ``snapshot``.

    Beside the next ones there is the one before, and the first one of the source. Who wants an earlier one has the file
    read from its beginning again.
    """

    def __init__(self, snapshot: Snapshot, name: str) -> None:
        self._snapshot = snapshot
        self._name = name
        self._begin()

    def _begin(self) -> None:
        self._entries = entries(self._snapshot, self._name)
        self._near: deque[Entry] = deque(maxlen=2)
        self._first: Entry | None = None

    def at(self, number: int) -> Entry | None:
        """Return the entry of the input, ``None`` where there is none."""
        if self._near and number < self._near[0].numbers[0] and number not in self._kept():
            self._begin()
        while not self._near or self._near[-1].numbers[0] < number:
            entry = next(self._entries, None)
            if entry is None:
                break
            if not self._near or self._near[-1].is_last:
                self._first = entry
            self._near.append(entry)
        return self._kept().get(number)

    def _kept(self) -> dict[int, Entry]:
        kept = self._near if self._first is None else (*self._near, self._first)
        return {entry.numbers[0]: entry for entry in kept}


class InAnyOrder:
    """The entries of the tokenizer called ``name`` in any order: they are laid out in a file that nobody else has.

    Raises :class:`BadInputError` where the snapshot cannot be read, or that file not be written.
    """

    def __init__(self, snapshot: Snapshot, name: str) -> None:
        self._places = array("q")
        try:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it is open as long as this is there
            weakref.finalize(self, self._file.close)
            for entry in entries(snapshot, name):
                self._places.append(self._file.tell())
                self._file.write(_head(entry))
                self._file.write(entry.line.content)
        except OSError as error:
            raise BadInputError(
                f"snapshot {str(snapshot.path)!r} has its inputs in another order, and cannot be laid out in the "
                f"folder for temporary files, {tempfile.gettempdir()!r}: {error.strerror or error}"
            ) from error

    def at(self, number: int) -> Entry | None:
        """Return the entry of the input, ``None`` where there is none."""
        if number >= len(self._places):
            return None
        self._file.seek(self._places[number])
        each, following, numbers, line = json.loads(self._file.readline())
        content = self._file.readline()
        return Entry(PairedInput(Input(*each), Input(*following)), tuple(numbers), Line(line, "answers", content))


def _head(entry: Entry) -> bytes:
    each, following = ((one.id, one.category, one.text) for one in (entry.each.input, entry.each.following))
    return json.dumps([each, following, entry.numbers, entry.line.number]).encode("ascii") + b"\n"


def entries(snapshot: Snapshot, name: str) -> Iterator[Entry]:
    """Yield the entries of the tokenizer called ``name``. Raises :class:`BadInputError`."""
    lines = snapshot.answers(name)
    return (Entry(each, numbers, line) for line, (each, numbers) in zip(lines, _numbered(snapshot), strict=False))


def _numbered(snapshot: Snapshot) -> Iterator[tuple[PairedInput, tuple[int, int]]]:
    number = 0
    for _, group in groupby(snapshot.inputs(), key=lambda each: each.source):
        first = number
        waiting: PairedInput | None = None
        for each in paired(Input(one.id, one.category, one.text) for one in group):
            if waiting is not None:
                yield waiting, (number, number + 1)
                number += 1
            waiting = each
        if waiting is not None:
            yield waiting, (number, first)
            number += 1
