"""Trainers at work in processes of their own, a fresh one for each training: what is random is drawn once per process.

Such a process writes nothing on standard error (panics end there), does not hear of Ctrl-C, and ends with the one that
started it, however that ends. It may have all the memory that there is: a corpus may be large.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from tokenizer_adapters.contract import Crashed, Failed, TimedOut, Unsupported
from tokenizer_adapters.trainers import GROUP, build_trainer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

    from tokenizer_adapters.training import CountedWords, PreTokenizer, TrainedModel, Trainer, TrainingRequest
    from tokenizer_conformance.train.plan import ChosenTrainer

T = TypeVar("T")

NoAnswer = Unsupported | Failed | Crashed | TimedOut
"""What a trainer, or its process, answers in place of a value."""


def trained(trainer: ChosenTrainer, request: TrainingRequest, patience: float) -> TrainedModel | NoAnswer:
    """Have ``trainer`` carry out ``request`` in a new process, for no more than ``patience`` seconds."""
    return _answer_of_process(trainer, patience, _Training(request))


def counted(
    trainer: ChosenTrainer, pre_tokenizer: PreTokenizer, files: tuple[str, ...], patience: float
) -> CountedWords | NoAnswer:
    """Have ``trainer`` count the words of ``files`` in a new process, for no more than ``patience`` seconds."""
    return _answer_of_process(trainer, patience, _Counting(pre_tokenizer, files))


class _Training:
    """Asks for a training."""

    def __init__(self, request: TrainingRequest) -> None:
        self._request = request

    def __call__(self, trainer: Trainer) -> TrainedModel | Unsupported | Failed | Crashed:
        return trainer.train(self._request)


class _Counting:
    """Asks for the words of files."""

    def __init__(self, pre_tokenizer: PreTokenizer, files: tuple[str, ...]) -> None:
        self._pre_tokenizer = pre_tokenizer
        self._files = files

    def __call__(self, trainer: Trainer) -> CountedWords | Unsupported | Failed | Crashed:
        return trainer.count_words(self._pre_tokenizer, self._files)


def _answer_of_process(
    trainer: ChosenTrainer, patience: float, question: Callable[[Trainer], T]
) -> T | Failed | Crashed | TimedOut:
    """Put ``question`` to ``trainer`` in a new process, and end that process whatever it does then."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(sender, trainer.name, trainer.path, question), daemon=True)
    with receiver:
        try:
            with _interrupts_held_back():
                process.start()
            sender.close()
            if not receiver.poll(patience):
                return TimedOut(patience)
            answer: T | Failed = receiver.recv()
        except EOFError:
            process.join()
            return Crashed(f"the process ended with {_ending(process.exitcode)}")
        finally:
            if process.pid is not None:
                process.kill()
                process.join()
    return answer


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Have a process that is started inside not hear of Ctrl-C before it ignores that; this one hears of it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    former = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former)


def _ending(exit_code: int | None) -> str:
    """Say how a process ended.

    >>> _ending(-6)
    'signal 6 (Aborted)'
    """
    if exit_code is None or exit_code >= 0:
        return f"status {exit_code}"
    return f"signal {-exit_code} ({signal.strsignal(-exit_code)})"


# In the new process --------------------------------------------------------------------------------------------------


def _work(sender: Connection, name: str, path: str, question: Callable[[Trainer], object]) -> None:
    _prepare()
    try:
        answer = question(build_trainer(EntryPoint(name, path, GROUP)))
    except Exception as error:  # noqa: BLE001 - a trainer may be broken in any way
        answer = Failed(type(error).__name__, str(error))
    sender.send(answer)
    sender.close()


def _prepare() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    os.environ["RUST_BACKTRACE"] = "0"  # backtraces take longer to make than the work itself
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
