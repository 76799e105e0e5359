"""Measuring from beginning to end: one pass over the corpus, in which every text is cut by every tokenizer."""

from __future__ import annotations

import contextlib
import time
from contextlib import ExitStack
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.internal_error import InternalError, in_short
from tokenizer_conformance.command_io.interrupts import INTERRUPTS
from tokenizer_conformance.command_io.standard_streams import complain, reason_of
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.command_io.worker_pool import LostProcessError, WorkerPool, answer_of
from tokenizer_conformance.command_io.worker_process import program
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.research.metrics.checkpoint import fingerprint, write_checkpoint
from tokenizer_conformance.research.metrics.chunks import Chunk, chunks
from tokenizer_conformance.research.metrics.counts import Checkpoint, Counts, Failure
from tokenizer_conformance.research.metrics.estimating import estimated
from tokenizer_conformance.research.metrics.events import ChunkCounted, Measured, MetricsEvent
from tokenizer_conformance.research.metrics.gold import gold_cuts
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.measuring import Broken, Measurer, Setup, begin
from tokenizer_conformance.research.metrics.record import header, result_lines
from tokenizer_conformance.research.segmentation.segmenter import segmenter
from tokenizer_conformance.results.records import metrics as lines
from tokenizer_conformance.results.records.making import LastLine, last_line

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from tokenizer_conformance.research.metrics.gold import GoldCut
    from tokenizer_conformance.research.metrics.plan import MetricsPlan
    from tokenizer_conformance.research.segmentation.segmenter import Segmenter

INTERRUPTED = "interrupted"

AHEAD = 2
"""How many chunks a process has waiting for it, the one it is at included."""

ANSWERS_OF_A_CHUNK = 60
"""A chunk may take a process so many times as long as an answer may, before the process counts as lost."""


def measure(plan: MetricsPlan) -> Generator[MetricsEvent | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` ends it early: what was counted is computed, and said to be partial. After an error that
    nobody expected, which is yielded as an :class:`InternalError`, it ends in the same way.
    """
    return _Measuring(plan).events()


class BrokenWorkerError(Exception):
    """A process that measures reports a bug. The message says which."""


class _Measuring:
    """Measuring at work."""

    def __init__(self, plan: MetricsPlan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._refused = bool(plan.refusals)
        self._not_loaded = 0
        self._unknown_ids = tuple(row.vocabulary.unknown_ids for row in plan.rows)
        self._counts = Counts(self._unknown_ids)
        self._chunks = 0
        if plan.resumed is not None:
            self._counts, self._chunks = plan.resumed.counts, plan.resumed.chunks
        self._resumed_bytes = self._counts.read_of(ALL_TEXTS).bytes
        self._gold: dict[int, GoldCut] = {}
        self._saving = _Saving(plan)

    def events(self) -> Generator[MetricsEvent | InternalError]:
        reason: str | None = None
        stopped: Conclusion | None = None
        try:
            yield header(self._plan)
            yield from map(InputRefused, self._plan.refusals)
            yield from map(ImplementationMissing, self._plan.unavailable)
            yield from self._count()
        except KeyboardInterrupt:
            reason, stopped = INTERRUPTED, Conclusion.INTERRUPTED
        except BadInputError as error:  # a file was readable when this was planned
            reason, stopped = str(error), Conclusion.BAD_INPUT
            yield InputRefused(Rejected("inputs file", "", str(error)))
        except Exception as error:  # noqa: BLE001 - a bug, here or in an adapter: what was counted is not lost by it
            reason, stopped = in_short(error), Conclusion.INTERNAL_ERROR
            yield InternalError(error)
        if reason is not None:
            self._saving.save(self._chunks, self._counts)
        try:
            if self._counts.read:
                STATUS.begin("computing", "intervals")
                results = estimated(self._plan, self._counts, self._gold, partial=reason is not None)
                yield Measured(results)
                yield from result_lines(results)
        except KeyboardInterrupt:
            reason, stopped = INTERRUPTED, Conclusion.INTERRUPTED
        except Exception as error:  # noqa: BLE001 - as above; the checkpoint still has what was counted
            reason, stopped = in_short(error), Conclusion.INTERNAL_ERROR
            self._saving.save(self._chunks, self._counts)
            yield InternalError(error)
        if reason is None:
            self._saving.remove()
        yield self._finished(reason, stopped)

    # Counting

    def _count(self) -> Iterator[MetricsEvent]:
        with ExitStack() as stack:
            segmenters: dict[int, Segmenter] = {}
            for number, row in enumerate(self._plan.rows):
                STATUS.begin(row.name, f"loading into {row.info.name}")
                try:
                    loading = segmenter(self._plan.implementations[row.info.name], row.tokenizer.source)
                    segmenters[number] = stack.enter_context(loading)
                except CannotLoadError as error:
                    self._not_loaded += not error.unsupported
                    yield lines.NotLoaded(row=row.name, reason=why_not_loaded(error, row.tokenizer.source))
            if not segmenters:
                return
            if self._plan.gold:
                STATUS.begin("measuring", "words with their morphemes")
                self._gold = gold_cuts(segmenters, self._plan.gold)
            if self._plan.jobs == 1:
                measurer = Measurer(segmenters, self._unknown_ids, self._plan.counting)
                yield from self._take(map(measurer.measure, self._left()))
                return
        numbers = tuple(segmenters)
        segmenters.clear()  # each process loads its own
        with self._pool(numbers) as pool:
            in_order = pool.in_order(self._left(), AHEAD)
            yield from self._take(_counted(pool, chunk, future, self._unknown_ids) for chunk, future in in_order)

    def _left(self) -> Iterator[Chunk]:
        """Yield the chunks that are not counted yet."""
        every = chunks(self._plan.sources, self._plan.by, parallel=self._plan.parallel)
        return islice(every, self._chunks, None)

    def _pool(self, numbers: tuple[int, ...]) -> WorkerPool[Chunk, Counts | Broken]:
        plan = self._plan
        rows = {
            number: (plan.selected[plan.rows[number].info.name], plan.rows[number].tokenizer.source)
            for number in numbers
        }
        seconds = max(selected.limits.seconds for selected, _ in rows.values())
        setup = Setup(rows, self._unknown_ids, plan.counting)
        return WorkerPool(
            program("a process that measures"), partial(begin, setup), plan.jobs, Limits(), ANSWERS_OF_A_CHUNK * seconds
        )

    def _take(self, counted: Iterable[Counts]) -> Iterator[MetricsEvent]:
        """Add what is ``counted``, chunk by chunk."""
        total = self._plan.corpus.count
        began = time.monotonic()
        STATUS.begin("measuring")
        for counts in counted:
            with INTERRUPTS.held():  # a chunk is counted, or it is not
                self._counts.merge(counts)
                self._chunks += 1
            counting = time.monotonic() - began
            self._saving.save_in_time(self._chunks, self._counts)
            read = self._counts.read_of(ALL_TEXTS)
            speed = (read.bytes - self._resumed_bytes) / max(counting, 1e-3)
            STATUS.at(f"{read.bytes / 1e6:,.1f} MB of text, {speed / 1e6:.2f} MB/s")
            yield ChunkCounted(Place("measuring", read.texts, total, "texts"))

    # The end

    def _finished(self, reason: str | None, stopped: Conclusion | None) -> LastLine:
        read = self._counts.read_of(ALL_TEXTS)
        return last_line(
            lines.Footer,
            stopped or self._conclusion(),
            time.monotonic() - self._began,
            finished=reason is None,
            reason=reason,
            texts=read.texts,
            bytes=read.bytes,
        )

    def _conclusion(self) -> Conclusion:
        gold = [each.failures for each in self._gold.values()]
        failures = [*self._counts.failures, *self._counts.decoding, *gold]
        kinds = {kind for each in failures for kind in each.kinds}
        failed = kinds - {"unsupported"} or any(each.kinds for each in self._counts.failures)
        return conclusion_from(
            {
                Conclusion.BAD_INPUT: self._refused,
                Conclusion.IMPLEMENTATION_FAILED: self._plan.unavailable or self._not_loaded or failed,
                Conclusion.NOTHING_COMPARED: not self._counts.tallies,
            }
        )


# Processes -----------------------------------------------------------------------------------------------------------


def _counted(
    pool: WorkerPool[Chunk, Counts | Broken],
    chunk: Chunk,
    future: Future[Counts | Broken],
    unknown_ids: Sequence[frozenset[int]],
) -> Counts:
    """Return the outcome of ``future``; where a process is lost over ``chunk``, its halves are counted by another one.

    So it comes down to the text that did it, which is a failure of every row.
    """
    try:
        counts = answer_of(future)
    except LostProcessError as error:
        return _halved(pool, chunk, str(error), unknown_ids)
    if isinstance(counts, Broken):
        raise BrokenWorkerError(counts.reason)
    return counts


def _halved(
    pool: WorkerPool[Chunk, Counts | Broken], chunk: Chunk, lost: str, unknown_ids: Sequence[frozenset[int]]
) -> Counts:
    counts = Counts(unknown_ids)
    if len(chunk.texts) == 1:
        (text,) = chunk.texts
        for group in text.groups:
            counts.read_of(group).add(text.text)
        for failures in counts.failures:
            failures.add(Failure(text.id, "crash", f"a process that measures was lost over it: {lost}"))
        return counts
    middle = len(chunk.texts) // 2
    for texts in (chunk.texts[:middle], chunk.texts[middle:]):
        half = Chunk(chunk.number, texts)
        counts.merge(_counted(pool, half, pool.submit(half), unknown_ids))
    return counts


# Checkpoints ---------------------------------------------------------------------------------------------------------


class _Saving:
    """Writes checkpoints where ``plan`` has a place for them; one that cannot be written is told, and costs nothing."""

    def __init__(self, plan: MetricsPlan) -> None:
        self._path = plan.checkpoint_file
        self._every = plan.checkpoint_seconds
        self._of = fingerprint(plan)
        self._last = time.monotonic()
        self._written = 0 if plan.resumed is None else plan.resumed.chunks

    def save_in_time(self, chunks_done: int, counts: Counts) -> None:
        """Write a checkpoint where the last one was long ago."""
        if time.monotonic() - self._last >= self._every:
            began = time.monotonic()
            self.save(chunks_done, counts)
            if self._every:  # writing takes at most a twentieth of the time
                self._every = max(self._every, 20 * (time.monotonic() - began))

    def save(self, chunks_done: int, counts: Counts) -> None:
        """Write a checkpoint, where there is anything new."""
        self._last = time.monotonic()
        if self._path is None or chunks_done == self._written:
            return
        with INTERRUPTS.held():
            try:
                write_checkpoint(self._path, Checkpoint(chunks_done, counts), self._of)
            except OSError as error:
                complain(f"cannot write the checkpoint {str(self._path)!r}: {reason_of(error)}")
                return
        self._written = chunks_done

    def remove(self) -> None:
        """Remove the checkpoint: all is measured."""
        if self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)
