"""Asking about several inputs at once: how many, by how soon they are answered."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tokenizer_conformance.inputs.corpus import PairedInput

INPUTS_AT_ONCE = 64
"""How many inputs are asked about ahead, where an implementation answers many questions at once faster."""

CHARACTERS_AT_ONCE = 10_000
"""With so many characters a batch is complete, however few inputs they are: answers to all of it are held in memory.

About Japanese texts on the tokenizer of GPT-2 they take 3.6 kB a character: 36 MB for a batch."""

IDS_AT_ONCE = 1000

SOON, LATE = 0.5, 2.0
"""Seconds: a batch that is answered sooner is followed by a larger one, one that is answered later by a smaller."""


class Pace:
    """How many inputs to ask about ahead: few at first, up to ``most`` as long as they are answered soon.

    What was asked ahead is lost where a run is interrupted: of a slow implementation that may be seconds' work only.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = INPUTS_AT_ONCE) -> None:
        self.inputs = 1
        self._most = most
        self._clock = clock
        self._began = clock()

    def begin(self) -> None:
        """Begin with a batch."""
        self._began = self._clock()

    def end(self) -> None:
        """End with the batch, and decide how large the next one is."""
        self.took(self._clock() - self._began)

    def took(self, seconds: float) -> None:
        """Decide how large the next batch is where the last one took ``seconds``."""
        if seconds < SOON:
            self.inputs = min(self._most, 2 * self.inputs)
        elif seconds > LATE:
            self.inputs = max(1, self.inputs // 2)


def batches(inputs: Iterable[PairedInput], pace: Pace) -> Iterator[list[PairedInput]]:
    """Yield the inputs in batches, in order; those before a place that cannot be read, too."""
    batch: list[PairedInput] = []
    characters = 0
    unreadable: BadInputError | None = None
    try:
        for each in inputs:
            batch.append(each)
            characters += len(each.input.text)
            if len(batch) >= pace.inputs or characters >= CHARACTERS_AT_ONCE:
                yield batch
                batch, characters = [], 0
    except BadInputError as error:
        unreadable = error
    if batch:
        yield batch
    if unreadable is not None:
        raise unreadable


def batches_of_ids(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield ``ids`` in batches, in order."""
    for start in range(0, len(ids), IDS_AT_ONCE):
        yield ids[start : start + IDS_AT_ONCE]
