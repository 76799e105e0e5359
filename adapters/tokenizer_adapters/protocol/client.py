"""The harness's side of the protocol: a program as an implementation.

A fault costs the one request that it happened over: the program is started again, the tokenizer is loaded again, and
what was not answered yet is asked again.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from abc import ABC, abstractmethod
from collections import Counter, deque
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Self, cast

from tokenizer_adapters.contract import (
    BrokeProtocol,
    CannotLoadError,
    Crashed,
    Failed,
    Measured,
    TimedOut,
    UnavailableError,
    Unsupported,
)
from tokenizer_adapters.protocol.answer_lines import read_answer
from tokenizer_adapters.protocol.launch import CannotStartError, Program
from tokenizer_adapters.protocol.messages import (
    Call,
    Load,
    Loaded,
    Measure,
    MessageError,
    Observe,
    Save,
    Saved,
    ShowDefaults,
    ShowVocabulary,
    Start,
    Started,
    Stop,
    Vocabulary,
    name_of,
)
from tokenizer_adapters.protocol.process import FaultError, Limits, Process
from tokenizer_adapters.protocol.request_lines import write_request
from tokenizer_adapters.registry import BrokenImplementationError, RegistryError, WrongImplementationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from tokenizer_adapters.contract import (
        Called,
        Fault,
        ImplementationInfo,
        LoaderDefaults,
        Observation,
        Outcome,
        Shows,
        TokenizerSource,
        WithoutValue,
    )
    from tokenizer_adapters.protocol.messages import Answer, Request

AT_FAULT: dict[str, type[RegistryError]] = {
    error.__name__: error for error in (BrokenImplementationError, WrongImplementationError)
}
"""What a program that serves other code may answer about that code, by the kind of its answer."""

FAULTS_BEFORE_GIVING_UP = 20
"""After as many faults in a row over one kind of request, no further one of that kind is sent for that tokenizer."""


class Session:
    """One life of a program: requests are numbered from 1, and the first is :class:`Start`.

    ``started`` is what the program says of itself. Raises :class:`CannotStartError`; :class:`UnavailableError` where
    the program says that its library is missing, and one of :data:`AT_FAULT` where it serves what is at fault.
    """

    def __init__(self, program: Program, limits: Limits) -> None:
        self._limits = limits
        self._process = Process(program, limits)
        self._sent = 0
        try:
            self.started = self._start(program)
        except BaseException:
            self._process.kill()
            raise

    def _start(self, program: Program) -> Started:
        try:
            (answer,) = self.ask([Start()], self._limits.start_seconds)
        except FaultError as error:
            raise CannotStartError(f"{program.label} does not start: {_why_not(error.outcome)}") from None
        match answer:
            case Started():
                return answer
            case Unsupported(reason):
                raise UnavailableError(reason)
            case Failed(kind, message) if kind in AT_FAULT:
                raise AT_FAULT[kind](message)  # the registry's words, which say it all
            case _:
                raise CannotStartError(f"{program.label} does not start: {in_words(answer)}")

    def ask(self, requests: Iterable[Request], seconds: float) -> Iterator[Answer]:
        """Send ``requests`` and yield their answers; each may take ``seconds``.

        Raises :class:`FaultError` for the first request that is not answered. The session is over then; so it is after
        an iteration that was not carried to its end.
        """
        sent: deque[tuple[int, Request]] = deque()
        for line in self._process.exchange(self._numbered(requests, sent), seconds):
            number, request = sent.popleft()
            try:
                yield read_answer(line, number, request)
            except MessageError as error:
                raise FaultError(BrokeProtocol(str(error))) from None

    def _numbered(self, requests: Iterable[Request], sent: deque[tuple[int, Request]]) -> Iterator[bytes]:
        for request in requests:
            self._sent += 1
            sent.append((self._sent, request))
            yield write_request(self._sent, request)

    def end(self) -> None:
        """Have the program stop; where it does not, kill it."""
        with suppress(FaultError, ValueError):  # a ValueError: its pipes are closed, since it is over already
            for _ in self.ask([Stop()], self._limits.stop_seconds):
                pass
            self._process.close_input()
            self._process.ends_within(self._limits.stop_seconds)
        self.kill()

    def interrupt(self) -> None:
        """End the program from another thread; whoever waits for it sees that it has crashed."""
        self._process.interrupt()

    def kill(self) -> None:
        """End the program at once."""
        self._process.kill()


def _why_not(fault: Fault) -> str:
    """Say why a program did not start; where that took too long, also what to do."""
    hint = "; if it needs longer to start, raise --timeout" if isinstance(fault, TimedOut) else ""
    return in_words(fault) + hint


class Worker:
    """``program``, kept running: started when it is needed, and again after a fault.

    One thread at a time may use it; another one may :meth:`interrupt`. ``losses`` counts the faults.
    """

    def __init__(self, program: Program, limits: Limits) -> None:
        self.limits = limits
        self.losses = 0
        self._program = program
        self._interrupted = threading.Event()
        self._session: Session | None = None
        self._ending: weakref.finalize[[], Worker] | None = None
        self._source: TokenizerSource | None = None
        self._faults: Counter[str] = Counter()
        self._last_faults: dict[str, Fault] = {}

    def running(self) -> Session:
        """Return the session, begun if there is none.

        Raises :class:`CannotStartError` and :class:`UnavailableError`.
        """
        if self._session is None:
            self._session = Session(self._program, self.limits)
            # An ending of its own for a worker that is forgotten, or left when the interpreter ends.
            self._ending = weakref.finalize(self, self._session.end)
            self._source = None
        return self._session

    def load(self, source: TokenizerSource) -> Loaded:
        """Load the tokenizer of ``source``. Earlier faults count no more.

        Raises :class:`CannotLoadError`.
        """
        self._faults.clear()
        self._interrupted.clear()
        return self._load(source)

    def interrupt(self) -> None:
        """Have :meth:`answers`, at work in another thread, raise ``KeyboardInterrupt``, until the next load."""
        self._interrupted.set()
        session = self._session
        if session is not None:
            session.interrupt()

    def answers(self, source: TokenizerSource, requests: Sequence[Request], seconds: float) -> list[Answer | Fault]:
        """Return the answers to ``requests`` about the tokenizer of ``source``; each may take ``seconds``."""
        answers: list[Answer | Fault] = []
        while len(answers) < len(requests):
            if self._interrupted.is_set():
                self.kill()
                raise KeyboardInterrupt
            if not self._is_worth_asking(requests[len(answers)]):
                request = requests[len(answers)]
                answers.append(_not_asked(request, self._last_faults[name_of(request)]))
                continue
            try:
                self._ask(source, requests, answers, seconds)
            except FaultError as error:
                fault = error.outcome
            except (CannotStartError, UnavailableError, CannotLoadError) as error:
                fault = Crashed(f"it could not be started again: {error}")
            except BaseException:
                self.kill()
                raise
            else:
                continue
            self.kill()
            if self._interrupted.is_set():
                continue
            self.losses += 1
            self._faults[name_of(requests[len(answers)])] += 1
            self._last_faults[name_of(requests[len(answers)])] = fault
            answers.append(fault)
        return answers

    def _ask(
        self,
        source: TokenizerSource,
        requests: Sequence[Request],
        answers: list[Answer | Fault],
        seconds: float,
    ) -> None:
        """Ask those of ``requests`` that have no answer yet, and add to ``answers``.

        Raises :class:`FaultError` and what :meth:`running` and :meth:`load` raise.
        """
        if self._source is not source or self._session is None:
            self._load(source)
        unanswered = itertools.islice(requests, len(answers), None)
        for answer in self.running().ask(itertools.takewhile(self._is_worth_asking, unanswered), seconds):
            self._faults[name_of(requests[len(answers)])] = 0
            answers.append(answer)

    def _is_worth_asking(self, request: Request) -> bool:
        return self._faults[name_of(request)] < FAULTS_BEFORE_GIVING_UP

    def _load(self, source: TokenizerSource) -> Loaded:
        session = self.running()
        self._source = None
        where = f"{self._program.label} cannot load {source.name} ({source.file})"
        try:
            (answer,) = session.ask([Load(source)], self.limits.load_seconds)
        except FaultError as error:
            self.kill()
            self.losses += 1
            raise CannotLoadError(f"{where}: {one_line(in_words(error.outcome))}", error.outcome) from None
        except BaseException:
            self.kill()
            raise
        match answer:
            case Loaded():
                self._source = source
                return answer
            case Failed(kind, message) if kind == CannotLoadError.__name__:
                raise CannotLoadError(message)  # the words of an adapter, which say it all
            case Unsupported(reason):
                # An adapter says it all, a program why alone.
                says_it_all = f" cannot load {source.name} (" in reason
                raise CannotLoadError(reason if says_it_all else f"{where}: {one_line(reason)}", unsupported=True)
            case _:
                raise CannotLoadError(f"{where}: {one_line(in_words(answer))}")

    def end(self) -> None:
        """Have the program stop, if it runs."""
        if self._session is not None:
            self._session.end()
        self._forget()

    def kill(self) -> None:
        """End the program at once, if it runs."""
        if self._session is not None:
            self._session.kill()
        self._forget()

    def _forget(self) -> None:
        if self._ending is not None:
            self._ending.detach()
        self._session = self._ending = self._source = None


def _not_asked(request: Request, last: Fault) -> Fault:
    """Return what stands for the answer to ``request`` after the ``last`` of many faults: one of the same kind."""
    faults = f"{FAULTS_BEFORE_GIVING_UP} requests of this kind ({name_of(request)}) in a row"
    given_up = f"not asked: {faults} gave no answer and had the program started again; the last of them: "
    match last:
        case TimedOut():
            return last
        case BrokeProtocol(detail):
            return BrokeProtocol(given_up + detail)
        case Crashed(detail):
            return Crashed(given_up + detail)


def in_words(outcome: Answer | Fault) -> str:
    """Say what happened in place of a value.

    >>> in_words(TimedOut(2.5)), in_words(Failed("OSError", "no such file"))
    ('it gave no answer within 2.5 s', 'OSError: no such file')
    """
    match outcome:
        case TimedOut(seconds):
            return f"it gave no answer within {seconds:g} s"
        case Crashed(detail) | BrokeProtocol(detail):
            return detail
        case Failed(kind, message):
            return f"{kind}: {message}"
        case Unsupported(reason):
            return reason
        case _:
            return f"it answered with {type(outcome).__name__}"


def one_line(text: str) -> str:
    """Return ``text`` on one line."""
    return " ".join(text.split())


class ProcessImplementation:
    """A program that speaks the protocol, as an implementation.

    ``name`` takes the place of the one that it gives itself. Raises :class:`CannotStartError`, also where the program
    is no implementation, and :class:`UnavailableError` where it says that its library is missing.
    """

    def __init__(self, program: Program, limits: Limits | None = None, name: str | None = None) -> None:
        self._worker = Worker(program, limits or Limits())
        info = self._worker.running().started.implementation
        if info is None:
            self._worker.end()
            raise CannotStartError(f"{program.label} is no implementation: its answer to start announces no stages")
        self._info = info if name is None else replace(info, name=name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def info(self) -> ImplementationInfo:
        """Return the description that the program gave when it was first started."""
        return self._info

    def go_by(self, name: str, install: str) -> None:
        """Have the description say that it is called ``name``, and that the command ``install`` installs it."""
        self._info = replace(self._info, name=name, install=install)

    @property
    def losses(self) -> int:
        """How often the program had to be ended over a request."""
        return self._worker.losses

    def load(self, source: TokenizerSource) -> ProcessSubject:
        """Load the tokenizer of ``source``.

        Raises :class:`CannotLoadError`, also where the program crashes, hangs or breaks the protocol over it.
        """
        try:
            loaded = self._worker.load(source)
        except (CannotStartError, UnavailableError) as error:
            raise CannotLoadError(
                f"{self._info.name} cannot be started again to load {source.name}: {error}"
            ) from error
        return ProcessSubject(self._worker, source, loaded.files, loaded.shows)

    def close(self) -> None:
        """Have the program stop; it is started again if it is asked again."""
        self._worker.end()


class ProgramImplementation(ProcessImplementation, ABC):
    """A program of this package that is registered by name: a class says which with :meth:`program`.

    Where it is selected, no process of this package stands between it and the harness. Building raises as for
    :class:`ProcessImplementation`, and what :meth:`program` raises.
    """

    def __init__(self, limits: Limits | None = None, name: str | None = None) -> None:
        super().__init__(self.program(), limits, name)

    @classmethod
    @abstractmethod
    def program(cls) -> Program:
        """Return the program.

        Raises :class:`UnavailableError` where what it needs is not installed.
        """


class ProcessSubject:
    """A tokenizer that a program has loaded.

    ``files`` are the paths of the files that it used, ``shows`` is what it says it shows of this tokenizer.

    Where the program has loaded another one since, or was started again, it loads this one again when it is asked.
    """

    def __init__(
        self, worker: Worker, source: TokenizerSource, files: tuple[str, ...] | None, shows: Shows | None = None
    ) -> None:
        self._worker = worker
        self._source = source
        self.files = (source.file,) if files is None else files
        self.shows = shows

    def observe(self, observation: Observation) -> Outcome:
        """Answer one observation."""
        return self.observe_all([observation])[0]

    def observe_all(self, observations: Sequence[Observation]) -> list[Outcome]:
        """Answer all ``observations`` in order; the program is sent the next ones while it works on the first."""
        requests = [Observe(observation) for observation in observations]
        answers = self._worker.answers(self._source, requests, self._worker.limits.seconds)
        return cast("list[Outcome]", answers)  # an answer was read as one to an observation

    def interrupt(self) -> None:
        """Have whatever another thread asks here end soon, in a ``KeyboardInterrupt``."""
        self._worker.interrupt()

    def vocabulary(self) -> dict[str, int] | Unsupported:
        """Return every token with its id; a program that gives no answer shows none."""
        (answer,) = self._worker.answers(self._source, [ShowVocabulary()], self._worker.limits.load_seconds)
        return answer.tokens if isinstance(answer, Vocabulary) else Unsupported(in_words(answer))

    def saved(self) -> str | WithoutValue:
        """Return the tokenizer as the text of a tokenizer.json."""
        (answer,) = self._worker.answers(self._source, [Save()], self._worker.limits.load_seconds)
        return answer.document if isinstance(answer, Saved) else cast("WithoutValue", answer)  # it was read as one

    def defaults(self) -> LoaderDefaults | WithoutValue:
        """Return what the program's object keeps beside its pipeline."""
        (answer,) = self._worker.answers(self._source, [ShowDefaults()], self._worker.limits.load_seconds)
        return cast("LoaderDefaults | WithoutValue", answer)  # it was read as one

    def called(self, text: str, pair: str | None = None) -> Called | WithoutValue:
        """Return what a call of the program's object without options gives; the first one may load it again."""
        (answer,) = self._worker.answers(self._source, [Call(text, pair)], self._worker.limits.load_seconds)
        return cast("Called | WithoutValue", answer)  # it was read as one

    def measured(self, texts: Sequence[str], seconds: float, *, batch: bool) -> Measured | WithoutValue:
        """Return how long the program takes to encode ``texts``, as it tells itself."""
        request = Measure(tuple(texts), seconds, batch)
        (answer,) = self._worker.answers(self._source, [request], self._worker.limits.load_seconds + 2 * seconds)
        return cast("Measured | WithoutValue", answer)  # it was read as one
