"""How fast the implementations of a run encode the same texts: numbers for people, no verdict.

Each is measured in a process that is started for one round, so that its first pass over the texts finds empty caches;
and in the end with texts that it has not seen, since a library may keep whole texts.
Implementations take turns, round by round, so that what slows the machine down slows all of them down. Time is taken
within that process around the library's own call (:mod:`tokenizer_adapters.protocol.measuring`); a program that cannot
be told to measure is asked from here, and its time has the lines of the protocol in it.
"""

from __future__ import annotations

import os
import random
import sys
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tokenizer_adapters.contract import (
    CannotLoadError,
    Clocked,
    Encode,
    Encoded,
    Field,
    Measured,
    MeasuringSubject,
    Spent,
    UnavailableError,
    Unsupported,
    observe_all,
)
from tokenizer_adapters.protocol.client import in_words
from tokenizer_adapters.protocol.measuring import Clocks, fields_of
from tokenizer_adapters.protocol.processor_time import processor_seconds_of_programs
from tokenizer_adapters.registry import RegistryError
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.results.records import run as lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Outcome, Subject, TokenizerSource, WithoutValue
    from tokenizer_conformance.inputs.text import Input
    from tokenizer_conformance.validation.running.plan import RunPlan, SpeedPlan

ROUNDS: Final = 5
THREADS: Final[tuple[lines.Threads, ...]] = ("one", "all")

MOST_BYTES: Final = 4 << 20
"""How many bytes of texts are held in memory to choose from."""

AT_ONCE: Final = 64
"""How many texts are asked about at once to see whether they are encoded."""

ONE_THREAD: Final = {
    "RAYON_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
"""What libraries are told where they are to use one thread; where they are to use all they are told nothing."""

PINS: Final = hasattr(os, "sched_setaffinity")
"""Whether the system keeps a process on one processor."""

FROM_OUTSIDE: Final = Clocks(processor=processor_seconds_of_programs)
"""The clocks for a program that runs beside this one."""


class NotMeasuredError(Exception):
    """An implementation is not measured. The message says why."""


def speeds(plan: RunPlan, speed: SpeedPlan, clocks: Clocks = FROM_OUTSIDE) -> Iterator[lines.Speed]:
    """Measure the implementations of ``plan`` on each tokenizer, as ``speed`` says.

    ``clocks`` are those for programs that do not measure. Raises
    :class:`~tokenizer_conformance.errors.BadInputError` where a file of inputs can no longer be read.
    """
    STATUS.begin("choosing texts to measure with")
    texts = texts_to_measure(each.input for each in plan.corpus if _is_measured(each.input, speed))
    for tokenizer in plan.tokenizers:
        yield _Measuring(speed, tokenizer.source, clocks).line(texts)


def _is_measured(each: Input, speed: SpeedPlan) -> bool:
    return bool(each.text) and (not speed.sources or each.category in speed.sources)


def texts_to_measure(inputs: Iterable[Input], most: int = MOST_BYTES) -> list[str]:
    """Return the texts of ``inputs``, each once, in an order that is drawn and always the same.

    Where they have more than ``most`` bytes, they are every second one, or every fourth, and so on.
    """
    kept: list[str] = []
    size, step = 0, 1
    for number, each in enumerate(inputs):
        if number % step:
            continue
        kept.append(each.text)
        size += bytes_of(each.text)
        while size > most and len(kept) > 1:
            kept, step = kept[::2], 2 * step
            size = sum(map(bytes_of, kept))
    texts = list(dict.fromkeys(kept))
    random.Random(0).shuffle(texts)  # noqa: S311 - no secret
    return texts


def bytes_of(text: str) -> int:
    """Return how many bytes ``text`` has in UTF-8.

    >>> bytes_of("aé\U0001f389")
    7
    """
    return len(text.encode())


@contextmanager
def processors(threads: lines.Threads) -> Iterator[None]:
    """Have programs that are started meanwhile use one processor, or all that this process may use."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    allowed = os.sched_getaffinity(0) if PINS else frozenset()
    try:
        for name, value in ONE_THREAD.items():
            if threads == "one":
                os.environ[name] = value
            else:
                os.environ.pop(name, None)
        if PINS and threads == "one":
            os.sched_setaffinity(0, {max(allowed)})
        yield
    finally:
        if PINS:
            os.sched_setaffinity(0, allowed)
        for name, was in before.items():
            os.environ.pop(name, None)
            if was is not None:
                os.environ[name] = was


def processor_count() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if PINS else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class _Trial:
    """What an implementation does with the first ``count`` texts: which fail, by number, and seconds for a byte."""

    count: int
    failing: frozenset[int]
    seconds: float


@dataclass(slots=True)
class _Rows:
    """The rows of one implementation, being measured."""

    found: dict[lines.Threads, Measured] = field(default_factory=dict)
    rounds: dict[lines.Threads, list[lines.SpeedRound]] = field(default_factory=dict)

    def add(self, threads: lines.Threads, measured: Measured, new: Spent | None) -> None:
        self.found.setdefault(threads, measured)
        self.rounds.setdefault(threads, []).append(
            lines.SpeedRound(
                first=_spent(measured.first),
                later=_spent(measured.later),
                passes=measured.passes,
                new=None if new is None else _spent(new),
            )
        )

    def lines(self, name: str) -> Iterator[lines.SpeedRow]:
        for threads, measured in self.found.items():
            yield lines.SpeedRow(
                implementation=name,
                threads=threads,
                call=measured.call,
                fields=tuple(each for each in Field if each in measured.fields),
                clocked=measured.clocked,
                rounds=tuple(self.rounds[threads]),
            )


def _spent(spent: Spent) -> lines.Spent:
    processor = None if spent.processor is None else round(spent.processor, 9)
    return lines.Spent(wall=round(spent.wall, 9), processor=processor)


class _Measuring:
    """Measures on the tokenizer of ``source``."""

    def __init__(self, speed: SpeedPlan, source: TokenizerSource, clocks: Clocks) -> None:
        self._speed = speed
        self._source = source
        self._clocks = clocks
        self._missing: dict[str, str] = {}

    def line(self, texts: Sequence[str]) -> lines.Speed:
        """Return what was measured with those of ``texts`` that all encode, as many as there is time for."""
        trials = self._trials(texts)
        chosen, left_out = self._chosen(texts, trials.values())
        seen, new = chosen[::2], chosen[1::2]
        rows = self._rounds(list(trials), seen, new) if chosen else {}
        if trials and not chosen:
            self._missing |= dict.fromkeys(trials, "there is no text that all implementations encode")
        return lines.Speed(
            tokenizer=self._source.name,
            texts=len(seen),
            bytes=sum(map(bytes_of, seen)),
            new_texts=len(new),
            new_bytes=sum(map(bytes_of, new)),
            left_out=left_out,
            processors=processor_count(),
            pinned=PINS,
            rows=tuple(row for name in rows if name not in self._missing for row in rows[name].lines(name)),
            missing=self._missing,
        )

    # Before: which texts all encode, and how slow the slowest is

    def _trials(self, texts: Sequence[str]) -> dict[str, _Trial]:
        trials = {}
        for number, name in enumerate(self._speed.starts):
            self._tell("trying texts", name, Place(name, number, len(self._speed.starts), "implementations"))
            try:
                with self._loaded(name, "one") as subject:
                    trials[name] = self._trial(subject, texts)
            except NotMeasuredError as error:
                self._missing[name] = str(error)
        return trials

    def _trial(self, subject: Subject, texts: Sequence[str]) -> _Trial:
        answers: list[Outcome] = []
        began = self._clocks.wall()
        while len(answers) < len(texts) and (not answers or self._clocks.wall() - began < self._speed.seconds):
            answers += observe_all(subject, _questions(texts[len(answers) :][:AT_ONCE]))
        failing = frozenset(number for number, each in enumerate(answers) if not isinstance(each, Encoded))
        encoded = [text for number, text in enumerate(texts[: len(answers)]) if number not in failing]
        if not encoded:
            raise NotMeasuredError(
                f"it encodes none of the texts: {in_words(answers[0])}" if answers else "there are no texts"
            )
        measured = self._measured(subject, encoded[: 2 * AT_ONCE], 0.0, "one")
        seconds = _of_work(measured.first, measured) + _of_work(measured.later, measured) / measured.passes
        return _Trial(len(answers), failing, seconds / (2 * sum(map(bytes_of, encoded[: 2 * AT_ONCE]))))

    def _chosen(self, texts: Sequence[str], trials: Iterable[_Trial]) -> tuple[list[str], int]:
        """Return the texts to measure with, and how many of those before are not encoded by all.

        They are so many that the slowest implementation takes half of a round's time for one pass.
        """
        tried = list(trials)
        if not tried:
            return [], 0
        failing = frozenset[int]().union(*(each.failing for each in tried))
        most = self._speed.seconds / (2 * ROUNDS) / max(1e-12, *(each.seconds for each in tried))
        chosen: list[str] = []
        size = left_out = 0
        for number, text in enumerate(texts[: min(each.count for each in tried)]):
            if size >= most and chosen:
                break
            if number in failing:
                left_out += 1
                continue
            chosen.append(text)
            size += bytes_of(text)
        return chosen, left_out

    # Rounds

    def _rounds(self, names: Sequence[str], texts: Sequence[str], new: Sequence[str]) -> Mapping[str, _Rows]:
        rows = {name: _Rows() for name in names}
        total = ROUNDS * len(names)
        for turn in range(total):
            number, place = divmod(turn, len(names))
            name = names[(number + place) % len(names)]  # each round is begun with another one
            self._tell(f"measuring, round {number + 1} of {ROUNDS}", name, Place(name, turn, total, "measurements"))
            if name in self._missing:
                continue
            try:
                for threads in THREADS:
                    with self._loaded(name, threads) as subject:
                        seconds = self._speed.seconds / (2 * ROUNDS)
                        measured = self._measured(subject, texts, seconds, threads)
                        of_new = self._measured(subject, new, 0.0, threads).first if new else None
                    rows[name].add(threads, measured, of_new)
            except NotMeasuredError as error:
                self._missing[name] = str(error)
        return rows

    def _tell(self, doing: str, name: str, place: Place) -> None:
        STATUS.begin(self._source.name)
        STATUS.reach(Place(self._source.name, place.done, place.total, place.unit, has_rate=False))
        STATUS.at(doing, name)

    @contextmanager
    def _loaded(self, name: str, threads: lines.Threads) -> Iterator[Subject]:
        """Give the tokenizer, loaded by the implementation in a process of its own, which is ended afterwards."""
        try:
            with processors(threads):
                implementation = self._speed.starts[name]()
            with closing(implementation):
                yield implementation.load(self._source)
        except CannotLoadError as error:
            words = str(error)  # "NAME cannot load TOKENIZER (FILE): REASON", and the names stand beside it
            raise NotMeasuredError(words.partition(f" ({self._source.file}): ")[2] or words) from error
        except (UnavailableError, RegistryError) as error:
            raise NotMeasuredError(str(error)) from error

    def _measured(self, subject: Subject, texts: Sequence[str], seconds: float, threads: lines.Threads) -> Measured:
        answer: Measured | WithoutValue = Unsupported("")
        if isinstance(subject, MeasuringSubject):
            answer = subject.measured(texts, seconds, batch=threads == "all")
        if isinstance(answer, Unsupported):
            return self._measured_from_outside(subject, texts, seconds)
        if not isinstance(answer, Measured):
            raise NotMeasuredError(in_words(answer))
        return answer

    def _measured_from_outside(self, subject: Subject, texts: Sequence[str], seconds: float) -> Measured:
        questions = _questions(texts)
        answers: list[Outcome] = []

        def ask() -> None:
            answers[:] = observe_all(subject, questions)

        first, later, passes = self._clocks.passes(ask, seconds)
        wrong = next((each for each in answers if not isinstance(each, Encoded)), None)
        if wrong is not None or not isinstance(answers[0], Encoded):
            raise NotMeasuredError(in_words(wrong or answers[0]))
        return Measured("", fields_of(answers[0]), Clocked.PROTOCOL, _known(first), _known(later), passes)


def _questions(texts: Sequence[str]) -> list[Encode]:
    return [Encode(text, add_special_tokens=False) for text in texts]


def _of_work(spent: Spent, measured: Measured) -> float:
    """Return the seconds that a pass takes where nobody else is at work, as far as that can be told."""
    has_lines = measured.clocked is Clocked.PROTOCOL  # which take time of this process too
    return spent.wall if has_lines or not spent.processor else spent.processor


def _known(spent: Spent) -> Spent:
    """Return ``spent`` with what is known: the processor time of a program that still runs is on Linux only."""
    return spent if sys.platform == "linux" else Spent(spent.wall, None)
