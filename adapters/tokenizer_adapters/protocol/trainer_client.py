"""The harness's side of the protocol: a program as a trainer.

Every training has a process of its own, so that what a library decides at random once per process is decided anew, and
whatever becomes of that process is the outcome of that one training.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from tokenizer_adapters.contract import Crashed, UnavailableError
from tokenizer_adapters.protocol.client import Session
from tokenizer_adapters.protocol.launch import CannotStartError
from tokenizer_adapters.protocol.messages import CountWords, Train
from tokenizer_adapters.protocol.process import FaultError, Limits
from tokenizer_adapters.registry import RegistryError

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Fault
    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_adapters.protocol.messages import Answer
    from tokenizer_adapters.training import (
        CountingOutcome,
        PreTokenizer,
        TrainerInfo,
        TrainingOutcome,
        TrainingRequest,
    )


class ProcessTrainer:
    """A program that speaks the protocol, as a trainer; it is started anew for everything that it is asked.

    ``name`` takes the place of the one that it gives itself. Each answer may take ``limits.train_seconds``. Raises
    :class:`CannotStartError`, also where the program is no trainer, and :class:`UnavailableError` where it says that
    its library is missing.
    """

    def __init__(self, program: Program, limits: Limits | None = None, name: str | None = None) -> None:
        self._program = program
        self._limits = limits or Limits()
        session = Session(program, self._limits)
        session.end()
        info = session.started.trainer
        if info is None:
            raise CannotStartError(f"{program.label} is no trainer: its answer to start announces no algorithms")
        self._info = info if name is None else replace(info, name=name)

    @property
    def info(self) -> TrainerInfo:
        """Return the description that the program gave when it was first started."""
        return self._info

    def count_words(self, pre_tokenizer: PreTokenizer, files: tuple[str, ...]) -> CountingOutcome:
        """Return the words that the program's own pre-tokenizer cuts ``files`` into."""
        return cast("CountingOutcome", self._answer(CountWords(pre_tokenizer, files)))  # read as an answer to that

    def train(self, request: TrainingRequest) -> TrainingOutcome:
        """Carry out ``request``."""
        return cast("TrainingOutcome", self._answer(Train(request)))  # read as an answer to that

    def _answer(self, request: CountWords | Train) -> Answer | Fault:
        """Put ``request`` to a new process, and end that whatever it does then."""
        try:
            session = Session(self._program, self._limits)
        except (RegistryError, UnavailableError) as error:
            return Crashed(f"it could not be started again: {error}")
        try:
            (answer,) = session.ask([request], self._limits.train_seconds)
        except FaultError as error:
            return error.outcome
        finally:
            session.kill()
        return answer
