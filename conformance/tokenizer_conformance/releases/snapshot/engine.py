"""Making a snapshot: one implementation is asked everything about every input, in order."""

from __future__ import annotations

import math
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import UNSET

from tokenizer_adapters.contract import PIPELINE_STAGES, CannotLoadError
from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.internal_error import InternalError, in_short
from tokenizer_conformance.command_io.pools import Engine, is_done_here, pool_of
from tokenizer_conformance.command_io.shard import numbers_in_shard
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.command_io.worker_pool import LostPoolError, answers_in_order
from tokenizer_conformance.command_io.worker_process import program
from tokenizer_conformance.comparison.asking import Asked, loaded
from tokenizer_conformance.comparison.batching import Pace, batches
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.releases.snapshot.asking import (
    WITHOUT_VALUE,
    Answered,
    Asking,
    Batch,
    BatchAnswered,
    Setup,
    begin,
)
from tokenizer_conformance.releases.snapshot.events import (
    Event,
    PartMade,
    SnapshotFinished,
    TokenizerAsked,
)
from tokenizer_conformance.releases.snapshot_file.loading import loaded_tokenizer
from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer
from tokenizer_conformance.releases.snapshot_file.questions import every_question
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.making import header_of, implementation_of, made
from tokenizer_conformance.results.records.snapshot import (
    FORMAT,
    AskedAbout,
    AskedInputs,
    AskedTokenizer,
    Header,
    Input,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Implementation, Observation, Stage, TokenizerSource
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.command_io.worker_pool import Broken, Pool
    from tokenizer_conformance.inputs.corpus import Corpus, PairedInput
    from tokenizer_conformance.inputs.text import Input as InputText
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

    AskingPool = Pool[Batch, BatchAnswered | Broken]

INTERRUPTED = "interrupted"

NO_ANSWER = ("crash", "timeout", "protocol")


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotPlan:
    """One snapshot: what ``implementation``, selected by ``word``, answers at ``stages`` about ``tokenizers``.

    ``words`` name the tokenizers on a command line, by their names. ``refusals`` are of what cannot be used.
    ``asks`` says of some tokenizers, by their names, which questions are put; of all others, every one is. With more
    than one of ``jobs``, so many processes of the ``engine`` ask every question; each builds the implementation as it
    was ``selected``. Of a ``shard`` only the inputs in it are asked about.
    """

    implementation: Implementation
    word: str
    tokenizers: tuple[TokenizerFile, ...]
    words: dict[str, str]
    corpus: Corpus
    refusals: tuple[Rejected, ...] = ()
    stages: tuple[Stage, ...] = PIPELINE_STAGES
    asks: Mapping[str, Callable[[Observation], bool]] = field(default_factory=dict)
    command: tuple[str, ...] = ()
    jobs: int = 1
    engine: Engine = Engine.LOCAL
    selected: Selected | None = None
    shard: Shard | None = None


def make_snapshot(plan: SnapshotPlan) -> Generator[Event | InternalError]:
    """Carry out ``plan`` and yield what happens, each part of the snapshot in its order.

    A ``KeyboardInterrupt`` ends it early, and :class:`SnapshotFinished` then says so.
    """
    return _Making(plan).events()


class _Making:
    """A snapshot in the making."""

    def __init__(self, plan: SnapshotPlan) -> None:
        self._plan = plan
        self._began = time.perf_counter()
        self._asking = 0.0
        self._inputs_asked = self._questions = 0
        self._done: list[TokenizerAsked] = []
        self._refused = bool(plan.refusals)
        self._broken = self._incomplete = False
        self._asked = range(0)
        """The numbers of the inputs that are asked about."""

    def events(self) -> Generator[Event | InternalError]:
        reason: str | None = None
        try:
            yield self._header()
            yield from map(InputRefused, self._plan.refusals)
            STATUS.begin("sharing the inputs out")
            self._asked = numbers_in_shard(self._plan.shard, self._plan.corpus)
            yield from self._inputs()
            with self._pool() as pool:
                for tokenizer in self._plan.tokenizers:
                    yield from self._tokenizer(tokenizer, pool)
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except BadInputError as error:  # a file was readable when the snapshot was planned
            self._refused = True
            reason = str(error)
            yield InputRefused(Rejected("inputs file", "", str(error)))
        except LostPoolError as error:
            self._incomplete = True
            reason = str(error)
        except Exception as error:  # noqa: BLE001 - a bug, here or in an adapter: what was made is not lost by it
            self._broken = True
            reason = in_short(error)
            yield InternalError(error)
        yield self._finished(reason)

    def _header(self) -> Header:
        plan = self._plan
        return Header(
            **header_of(FORMAT, current_environment(plan.command)),
            selected_by=plan.word,
            implementation=implementation_of(plan.implementation.info),
            tokenizers=tuple(
                AskedTokenizer(
                    name=each.source.name, word=plan.words[each.source.name], sha256=each.sha256, size=each.size
                )
                for each in plan.tokenizers
            ),
            inputs=AskedInputs(
                count=plan.corpus.count,
                sha256=plan.corpus.sha256,
                sources=tuple(str(getattr(each, "word", "")) for each in plan.corpus.sources),
            ),
            stages=plan.stages,
            shard=UNSET if plan.shard is None else made(headers.Shard, plan.shard),
        )

    def _inputs(self) -> Iterator[Event]:
        mine = islice(self._with_sources(), self._asked.start, self._asked.stop)
        for number, (source, each) in enumerate(mine, 1):
            part = Input(source=source, id=each.id, category=each.category, text=each.text)
            yield PartMade(part, Place("inputs", number, len(self._asked)))

    def _with_sources(self) -> Iterator[tuple[int, InputText]]:
        for source, inputs in enumerate(self._plan.corpus.by_source()):
            for each in inputs:
                yield source, each.input

    # One tokenizer

    def _tokenizer(self, tokenizer: TokenizerFile, pool: AskingPool | None) -> Iterator[Event]:
        source, total = tokenizer.source, len(self._asked)
        name = source.name
        STATUS.begin(name, "loading")
        began = time.perf_counter()
        if pool is not None and total:
            pool.prepare(Batch(source))
        try:
            asked = loaded(self._plan.implementation, source)
        except CannotLoadError as error:
            yield PartMade(LoadedTokenizer(name, str(error)), Place(name, 0, total))
            self._done.append(TokenizerAsked(name, why_not_loaded(error), 0, 0, {}, time.perf_counter() - began))
            yield self._done[-1]
            return
        yield PartMade(loaded_tokenizer(asked, source), Place(name, 0, total))
        STATUS.at("asking" if pool is None else f"asking in {pool.jobs} processes", self._plan.implementation.info.name)
        counts: Counter[str] = Counter()
        questions = done = 0
        answers = self._asked_here(asked, name) if pool is None else self._asked_by(pool, source)
        for done, each in enumerate(answers, 1):
            questions += each.questions
            counts.update(each.without_value)
            self._inputs_asked += 1
            self._questions += each.questions
            yield PartMade(each.written, Place(name, done, total))
        without_value = {kind: counts[kind] for kind in WITHOUT_VALUE.values() if counts[kind]}
        self._done.append(TokenizerAsked(name, None, done, questions, without_value, time.perf_counter() - began))
        yield self._done[-1]

    def _batches(self, pace: Pace) -> Iterator[tuple[int, list[PairedInput]]]:
        """Yield the inputs that are asked about in batches, each with the number of its first input."""
        first = self._asked.start
        for batch in batches(islice(self._plan.corpus, first, self._asked.stop), pace):
            yield first, batch
            first += len(batch)

    def _asked_here(self, asked: Asked, name: str) -> Iterator[Answered]:
        pace = Pace()
        asking = Asking(asked, self._plan.stages, self._plan.asks.get(name, every_question))
        try:
            for first, batch in self._batches(pace):
                pace.begin()
                asking.ahead(batch)
                pace.end()
                yield from asking.answered(first, batch)
        finally:
            self._asking += asked.seconds

    def _asked_by(self, pool: AskingPool, source: TokenizerSource) -> Iterator[Answered]:
        """Yield what the processes of ``pool`` were answered, in the order of the inputs."""
        pace = Pace()
        tasks = (Batch(source, first, tuple(batch)) for first, batch in self._batches(pace))
        for _, done in answers_in_order(pool, tasks, "asks"):
            pace.took(done.seconds)
            self._asking += done.waited
            yield from done.answered

    @contextmanager
    def _pool(self) -> Iterator[AskingPool | None]:
        """Have the processes that ask; ``None`` where this one does."""
        plan = self._plan
        if is_done_here(plan.engine, plan.jobs) or plan.selected is None:
            yield None
            return
        setup = partial(begin, Setup(plan.selected, plan.stages))
        asks = program("a process that asks")
        with pool_of(plan.engine, asks, setup, plan.jobs, Limits(), math.inf) as pool:
            yield pool

    # The end

    def _finished(self, reason: str | None) -> SnapshotFinished:
        return SnapshotFinished(
            finished=reason is None,
            reason=reason,
            conclusion=self._conclusion(reason),
            tokenizers=len(self._done),
            inputs=self._inputs_asked,
            questions=self._questions,
            seconds=time.perf_counter() - self._began,
            asking=self._asking,
            asked=tuple(made(AskedAbout, each) for each in self._done),
        )

    def _conclusion(self, reason: str | None) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.INTERRUPTED: reason == INTERRUPTED,
                Conclusion.INTERNAL_ERROR: self._broken,
                Conclusion.BAD_INPUT: self._refused,
                Conclusion.INCOMPLETE: self._incomplete,
                conclusion_of(self._done, is_part=self._plan.shard is not None): True,
            }
        )


def conclusion_of(done: Sequence[TokenizerAsked], *, is_part: bool = False) -> Conclusion:
    """Return what a snapshot comes to that was made to its end; a part need not have any answer."""
    failed = any(each.without_value.get(kind) for each in done for kind in NO_ANSWER)
    loaded_none = all(each.error is not None for each in done)  # a refusal among others is an answer, too
    answered = sum(each.questions - sum(each.without_value.values()) for each in done)
    return conclusion_from(
        {
            Conclusion.IMPLEMENTATION_FAILED: failed or loaded_none,
            Conclusion.NOTHING_COMPARED: not answered and not is_part,
        }
    )
