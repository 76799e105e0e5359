"""A tokenizer that an implementation has loaded, asked in a way that no adapter can upset."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tokenizer_adapters.contract import (
    BatchSubject,
    CannotLoadError,
    ColumnsSubject,
    Crashed,
    InterruptibleSubject,
    Stage,
    Unsupported,
    files_of,
    shows_of,
    stage_of,
)
from tokenizer_conformance.comparison.differences import misfit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tokenizer_adapters.contract import (
        EncodedColumns,
        Implementation,
        ImplementationInfo,
        Observation,
        Outcome,
        Subject,
        TokenizerSource,
    )

INTERRUPT_SECONDS = 5.0
"""How long an implementation that is interrupted may take to end what it does; a worker is killed at once."""


@runtime_checkable
class RememberingSubject(Protocol):
    """A subject that has the answers about a batch of inputs at hand, and is told when another one begins."""

    def forget(self) -> None:
        """Let go of all that is not about the batch that was read last."""
        ...


@runtime_checkable
class AnswersAgain(Protocol):
    """A subject that answers from what was kept, and has another way to give fresh answers."""

    def observe_again(self, questions: Sequence[Observation]) -> list[Outcome]:
        """Return fresh answers to ``questions``."""
        ...

    def taken(self) -> AgainCounts:
        """Return what came of that since this was called last."""
        ...

    def add(self, counts: AgainCounts) -> None:
        """Add what came of it in another process."""
        ...


@dataclass(frozen=True, slots=True)
class AgainCounts:
    """What came of asking again who answers from what was kept.

    So many questions were ``asked``, of which ``others`` got another answer than before; so many were ``left``, for
    this ``reason``.
    """

    asked: int = 0
    others: int = 0
    left: int = 0
    reason: str = ""

    def __add__(self, further: AgainCounts) -> AgainCounts:
        return AgainCounts(
            self.asked + further.asked,
            self.others + further.others,
            self.left + further.left,
            self.reason or further.reason,
        )


class Asked:
    """An implementation with the tokenizer it has loaded.

    ``files`` are the paths of the files that it was given; ``shows`` is what it says it shows of the tokenizer;
    ``seconds`` were spent waiting for its answers.
    """

    def __init__(self, implementation: Implementation, subject: Subject, files: tuple[str, ...]) -> None:
        self.info = implementation.info
        self.subject = subject
        self.files = files
        self.shows = shows_of(subject, self.info)
        self.seconds = 0.0
        self._ahead: dict[Observation, Outcome] = {}
        # What else the subject can do is looked up once: it is asked at every text.
        self._batch = subject if isinstance(subject, BatchSubject) else None
        self._columns = subject if isinstance(subject, ColumnsSubject) else None
        self._remembering = subject if isinstance(subject, RememberingSubject) else None
        self._again = subject if isinstance(subject, AnswersAgain) else None

    @property
    def takes_batches(self) -> bool:
        """Whether asking ahead makes it faster."""
        return self._batch is not None

    def ask_ahead(self, questions: Iterable[Observation]) -> None:
        """Ask ``questions``, all at once where that is faster, and keep the answers for :meth:`ask`.

        They are kept until :meth:`forget`. An adapter that breaks its contract keeps none: the questions are then asked
        one by one, so that the fault is seen where it lies.
        """
        wanted = [question for question in dict.fromkeys(questions) if question not in self._ahead]
        if self._batch is None:
            self._ahead |= {question: self.ask(question) for question in wanted}
            return
        wanted = [question for question in wanted if stage_of(question) in self.info.stages]
        began = time.perf_counter()
        try:
            outcomes = self._batch.observe_all(wanted)
        except Exception:  # noqa: BLE001 - whatever it is
            outcomes = []
        finally:
            self.seconds += time.perf_counter() - began
        if len(outcomes) == len(wanted):
            self._ahead |= zip(wanted, outcomes, strict=True)

    def interrupt(self) -> None:
        """Have what another thread asks here end soon, where that can be."""
        if isinstance(self.subject, InterruptibleSubject):
            self.subject.interrupt()

    def forget(self) -> None:
        """Drop the answers that were asked for ahead: another batch begins, which has been read."""
        self._ahead = {}
        if self._remembering is not None:
            self._remembering.forget()

    def ask(self, question: Observation) -> Outcome:
        """Return the answer to ``question``. An adapter that breaks its contract has crashed."""
        if stage_of(question) not in self.info.stages:
            return Unsupported(f"{self.info.name} does not show this stage")
        kept = self._ahead.get(question) if self._ahead else None  # no hash is asked for in vain
        outcome = kept or self._asked_now(question)
        wrong = misfit(question, outcome)
        return outcome if wrong is None else Crashed(f"the adapter answered {type(question).__name__} with {wrong}")

    def columns(self, texts: Sequence[str], *, offsets: bool, decoded: bool) -> EncodedColumns | None:
        """Return how ``texts`` are encoded, in columns; ``None`` where they have to be asked about one by one."""
        if self._columns is None or not {Stage.MODEL, Stage.DECODE} <= self.info.stages:
            return None
        began = time.perf_counter()
        try:
            return self._columns.encode_columns(texts, offsets=offsets, decoded=decoded)
        except Exception:  # noqa: BLE001 - an adapter that breaks its contract: the fault is seen where it lies
            return None
        finally:
            self.seconds += time.perf_counter() - began

    def ask_again(self, questions: Sequence[Observation]) -> list[Outcome]:
        """Return fresh answers to ``questions``, whatever was answered before."""
        if self._again is not None:
            return self._again.observe_again(questions)
        kept, self._ahead = self._ahead, {}
        try:
            self.ask_ahead(questions)
            return [self.ask(question) for question in questions]
        finally:
            self._ahead = kept

    def taken_again(self) -> AgainCounts:
        """Return what came of asking again who answers from what was kept, since this was called last."""
        return AgainCounts() if self._again is None else self._again.taken()

    def add_again(self, counts: AgainCounts) -> None:
        """Add what came of that in another process."""
        if self._again is not None:
            self._again.add(counts)

    def _asked_now(self, question: Observation) -> Outcome:
        began = time.perf_counter()
        try:
            return self.subject.observe(question)
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001 - a panic of a Rust library derives from BaseException
            return Crashed(f"the adapter raised {type(error).__name__}: {error}")
        finally:
            self.seconds += time.perf_counter() - began

    def vocabulary(self) -> dict[str, int] | Unsupported:
        """Return every token with its id; what an adapter raises shows no vocabulary either."""
        try:
            return self.subject.vocabulary()
        except Exception as error:  # noqa: BLE001 - whatever it is
            return Unsupported(f"the adapter raised {type(error).__name__}: {error}")


class NotLoadedError(CannotLoadError):
    """The implementation of ``info`` does not load ``source``; the words are its own."""

    def __init__(self, error: CannotLoadError, info: ImplementationInfo, source: TokenizerSource) -> None:
        super().__init__(str(error), error.fault, unsupported=error.unsupported)
        self.info = info
        self.source = source


def loaded(implementation: Implementation, source: TokenizerSource) -> Asked:
    """Return ``implementation`` with the tokenizer of ``source``.

    Raises :class:`NotLoadedError`, and :class:`CannotLoadError` where the adapter breaks its contract.
    """
    try:
        subject = implementation.load(source)
        return Asked(implementation, subject, files_of(subject, source))
    except CannotLoadError as error:
        raise NotLoadedError(error, implementation.info, source) from (error.__cause__ or error)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001 - an adapter that breaks its contract fails to load
        raise CannotLoadError(f"the adapter raised {type(error).__name__}: {error}") from None


def together(everybody: Sequence[Asked], questions: Sequence[Observation]) -> None:
    """Ask all of ``everybody`` ahead at the same time: each waits for a process of its own.

    Where this is interrupted, those that go on all the same are left alone, and do not keep this process from ending.
    """
    begun: list[_InThread] = []
    try:
        for asked in everybody:
            begun.append(_InThread(partial(asked.ask_ahead, questions)))
            begun[-1].start()
        for each in begun:
            each.wait()
    except BaseException:
        for asked in everybody:
            asked.interrupt()
        for each in begun:
            each.ends_within(INTERRUPT_SECONDS)
        raise


class _InThread:
    """``work`` in a thread of its own, which ends with the process at the latest."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._done: Future[None] = Future()

    def start(self) -> None:
        """Begin the work."""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._work()
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised again by whoever waits
            self._done.set_exception(error)
        else:
            self._done.set_result(None)

    def ends_within(self, seconds: float) -> None:
        """Wait until the work is done, for at most ``seconds``."""
        wait([self._done], seconds)

    def wait(self) -> None:
        """Wait until the work is done; raise what it raised."""
        self._done.result()
