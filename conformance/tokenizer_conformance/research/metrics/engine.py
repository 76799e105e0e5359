"""Measuring from beginning to end: one pass over the corpus, in which every text is cut by every tokenizer."""

from __future__ import annotations

import contextlib
import time
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.internal_error import InternalError, in_short
from tokenizer_conformance.command_io.interrupts import INTERRUPTS
from tokenizer_conformance.command_io.pools import is_done_here
from tokenizer_conformance.command_io.standard_streams import complain, reason_of
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.command_io.worker_pool import LostPoolError
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.research.metrics.checkpoint import fingerprint, write_checkpoint
from tokenizer_conformance.research.metrics.concluding import Course, finished
from tokenizer_conformance.research.metrics.counts import Counted
from tokenizer_conformance.research.metrics.estimating import estimated
from tokenizer_conformance.research.metrics.events import Measured, MetricsEvent, TaskDone
from tokenizer_conformance.research.metrics.gold import gold_cuts
from tokenizer_conformance.research.metrics.measuring import Measurer, Setup
from tokenizer_conformance.research.metrics.packing import packed
from tokenizer_conformance.research.metrics.pools import Asking, answer_from, pool_for
from tokenizer_conformance.research.metrics.record import header, result_lines
from tokenizer_conformance.research.segmentation.segmenter import segmenter
from tokenizer_conformance.results.records import metrics as lines

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from tokenizer_conformance.research.metrics.counts import Answer, Bad
    from tokenizer_conformance.research.metrics.gold import GoldCut
    from tokenizer_conformance.research.metrics.plan import MetricsPlan
    from tokenizer_conformance.research.metrics.pools import TaskPool
    from tokenizer_conformance.research.metrics.tasks import Task
    from tokenizer_conformance.research.segmentation.segmenter import Segmenter
    from tokenizer_conformance.results.records.making import LastLine

INTERRUPTED = "interrupted"

AHEAD = 2
"""How many tasks a process has waiting for it, the one it is at included."""

ANSWERS_OF_A_TASK = 300
"""A task of the usual size may take a process so many times as long as an answer may, before it counts as lost."""


def measure(plan: MetricsPlan) -> Generator[MetricsEvent | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` ends it early: what was counted is computed, and said to be partial. After an error that
    nobody expected, which is yielded as an :class:`InternalError`, it ends in the same way.
    """
    return _Measuring(plan).events()


class _Measuring:
    """Measuring at work."""

    def __init__(self, plan: MetricsPlan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._refused = bool(plan.refusals)
        self._not_loaded = 0
        self._unknown_ids = tuple(row.vocabulary.unknown_ids for row in plan.rows)
        self._counted = plan.resumed or Counted(self._unknown_ids)
        self._resumed_bytes = self._counted.read.bytes
        self._rows = 0
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
        except LostPoolError as error:
            reason, stopped = str(error), Conclusion.INCOMPLETE
        except Exception as error:  # noqa: BLE001 - a bug, here or in an adapter: what was counted is not lost by it
            reason, stopped = in_short(error), Conclusion.INTERNAL_ERROR
            yield InternalError(error)
        if reason is not None:
            self._saving.save(self._counted)
        try:
            yield from self._told(is_partial=reason is not None)
        except KeyboardInterrupt:
            reason, stopped = INTERRUPTED, Conclusion.INTERRUPTED
        except Exception as error:  # noqa: BLE001 - as above; the checkpoint still has what was counted
            reason, stopped = in_short(error), Conclusion.INTERNAL_ERROR
            self._saving.save(self._counted)
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
            if is_done_here(self._plan.engine, self._plan.jobs):
                measurer = Measurer(segmenters, self._unknown_ids, self._plan.counting)
                texts = self._plan.corpus.texts
                yield from self._take((task, measurer.answer(task, texts)) for task in self._left())
                return
        numbers = tuple(segmenters)
        segmenters.clear()  # each process loads its own
        with self._pool(numbers) as pool:
            asking = Asking(pool, self._plan.corpus.texts, self._unknown_ids)
            in_order = pool.in_order(map(asking.as_seen, self._left()), AHEAD)
            yield from self._take((task, answer_from(asking, task, future)) for task, future in in_order)

    def _left(self) -> Iterator[Task]:
        """Yield the tasks that are not done yet; those of a source that turned out to be bad without their texts."""
        for number, task in enumerate(self._plan.corpus.tasks()):
            if number < self._counted.done:
                self._rows += task.rows
            else:
                yield replace(task, texts=()) if task.source in self._counted.bad else task

    def _pool(self, numbers: tuple[int, ...]) -> TaskPool:
        plan = self._plan
        rows = {
            number: (plan.selected[plan.rows[number].info.name], plan.rows[number].tokenizer.source)
            for number in numbers
        }
        seconds = max(selected.limits.seconds for selected, _ in rows.values())
        setup = Setup(rows, self._unknown_ids, plan.counting, plan.corpus.texts)
        return pool_for(plan.engine, setup, plan.jobs, ANSWERS_OF_A_TASK * seconds * plan.corpus.largest)

    def _take(self, answers: Iterable[tuple[Task, Answer]]) -> Iterator[MetricsEvent]:
        """Add the ``answers``, task by task: each is counted, or it is not."""
        total = self._plan.corpus.rows
        began = time.monotonic()
        STATUS.begin("measuring")
        yield from map(self._refused_source, self._counted.bad.values())  # of a run that is resumed
        source = max(self._counted.apart, default=-1)
        for task, answer in answers:
            with INTERRUPTS.held():
                if source not in (-1, task.source):
                    self._close(source)
                source = task.source
                bad = self._counted.take(source, answer)
                self._rows += task.rows
            if bad is not None:
                yield self._refused_source(bad)
            counting = time.monotonic() - began
            self._saving.save_in_time(self._counted)
            done = self._counted.read.bytes
            speed = (done - self._resumed_bytes) / max(counting, 1e-3)
            STATUS.at(f"{done / 1e6:,.1f} MB of text, {speed / 1e6:.2f} MB/s")
            yield TaskDone(Place("measuring", self._rows, total, "texts", has_rate=False))
        for source in sorted(self._counted.apart):
            self._close(source)

    def _refused_source(self, bad: Bad) -> InputRefused:
        self._refused = True
        return InputRefused(Rejected("inputs file", self._plan.sources[bad.source].name, bad.reason))

    def _close(self, source: int) -> None:
        """Say that no more comes of ``source``; of one that other parts have some of, its counts stay apart."""
        if source not in self._plan.corpus.split:
            self._counted.close([source])

    # The end

    def _told(self, *, is_partial: bool) -> Iterator[MetricsEvent]:
        """Yield what comes of the counts: the results or, of a part, the counts themselves."""
        if self._plan.shard is not None:
            yield from packed(self._plan.rows, self._counted, self._gold)
            return
        total = self._counted.total
        if total.read:
            STATUS.begin("computing", "intervals")
            results = estimated(self._plan.to_estimate, total, self._gold, partial=is_partial)
            yield Measured(results)
            yield from result_lines(results)

    def _finished(self, reason: str | None, stopped: Conclusion | None) -> LastLine:
        return finished(
            Course(
                total=self._counted.total,
                gold=self._gold,
                refused=self._refused,
                failed=bool(self._plan.unavailable or self._not_loaded),
                seconds=time.monotonic() - self._began,
                reason=reason,
                stopped=stopped,
                is_part=self._plan.shard is not None,
                names=[each.name for each in self._plan.sources],
                longest=self._plan.longest,
            )
        )


# Checkpoints ---------------------------------------------------------------------------------------------------------


class _Saving:
    """Writes checkpoints where ``plan`` has a place for them; one that cannot be written is told, and costs nothing."""

    def __init__(self, plan: MetricsPlan) -> None:
        self._path = plan.checkpoint_file
        self._every = plan.checkpoint_seconds
        self._of = fingerprint(plan)
        self._last = time.monotonic()
        self._is_told = False
        self._written = 0 if plan.resumed is None else plan.resumed.done

    def save_in_time(self, counted: Counted) -> None:
        """Write a checkpoint where the last one was long ago."""
        if time.monotonic() - self._last >= self._every:
            began = time.monotonic()
            self.save(counted)
            if self._every:  # writing takes at most a twentieth of the time
                self._every = max(self._every, 20 * (time.monotonic() - began))

    def save(self, counted: Counted) -> None:
        """Write a checkpoint, where there is anything new."""
        self._last = time.monotonic()
        if self._path is None or counted.done == self._written:
            return
        with INTERRUPTS.held():
            try:
                write_checkpoint(self._path, counted, self._of)
            except OSError as error:
                if not self._is_told:
                    complain(f"cannot write the checkpoint {str(self._path)!r}: {reason_of(error)}")
                self._is_told = True
                return
        self._is_told = False
        self._written = counted.done

    def remove(self) -> None:
        """Remove the checkpoint: all is measured."""
        if self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)
