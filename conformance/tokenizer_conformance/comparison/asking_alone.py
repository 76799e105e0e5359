"""Answers that depend on what was asked before: asking alone, and the shortest sequence of questions that shows it.

A difference *shows alone* where it is there in the answer to the first question about a tokenizer that was just loaded.
One that does not is no fault of a stage: a text, or a call, has left something behind.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import files_of, shows_of
from tokenizer_conformance.comparison.asking import Asked, loaded
from tokenizer_conformance.comparison.question_reduction import reduced_question
from tokenizer_conformance.comparison.reduction import BudgetSpentError, shortest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenizer_adapters.contract import (
        Implementation,
        Observation,
        Outcome,
        Subject,
        TokenizerSource,
        Unsupported,
    )

Asking = tuple["Observation", ...]
"""Questions that are asked one after the other."""

MOST_REDUCED = 6
"""Of a sequence of more questions than these none is made smaller itself."""

MOST_CHECKS = 200
"""How many smaller questions are tried for each of a sequence."""


class Alone:
    """An implementation that loads its tokenizer anew for each question, so that no other was asked before."""

    def __init__(self, implementation: Implementation) -> None:
        self._implementation = implementation
        self.info = implementation.info

    def load(self, source: TokenizerSource) -> _AskedAlone:
        """Load the tokenizer of ``source``. Raises :class:`CannotLoadError`."""
        return _AskedAlone(self._implementation, source)


class _AskedAlone:
    def __init__(self, implementation: Implementation, source: TokenizerSource) -> None:
        self._implementation = implementation
        self._source = source
        subject = self._loaded()
        self.files = files_of(subject, source)
        self.shows = shows_of(subject, implementation.info)

    def _loaded(self) -> Subject:
        return self._implementation.load(self._source)

    def observe(self, observation: Observation) -> Outcome:
        return self._loaded().observe(observation)

    def vocabulary(self) -> dict[str, int] | Unsupported:
        return self._loaded().vocabulary()


@dataclass(slots=True)
class InOrder:
    """Asks an ``implementation`` sequences of questions about ``source``, loaded anew for each of them.

    ``differs`` says of who was asked and of the last question whether the answer is another one than the baseline's.
    After ``seconds`` each further sequence raises :class:`BudgetSpentError`.
    """

    implementation: Implementation
    source: TokenizerSource
    differs: Callable[[Asked, Observation], bool]
    seconds: float
    is_in_new_process: bool = False
    _until: float | None = None

    def shows(self, sequence: Asking) -> bool:
        """Return whether the answer to the last question of ``sequence`` differs once the others were asked."""
        return self.differs(self.asked(sequence[:-1]), sequence[-1])

    def shows_alone(self, question: Observation) -> bool:
        """Return whether the answer to ``question`` differs where nothing was asked before."""
        return self.shows((question,))

    def always_shows(self, question: Observation) -> bool:
        """Return whether the answer to ``question`` differs at first, and when it is asked once more."""
        return self.shows_alone(question) and self.shows((question, question))

    def asked(self, questions: Asking) -> Asked:
        """Return the implementation with the tokenizer just loaded, and asked ``questions``."""
        now = time.monotonic()
        self._until = self._until or now + self.seconds
        if now > self._until:
            raise BudgetSpentError
        if self.is_in_new_process:
            restart(self.implementation)
        asked = loaded(self.implementation, self.source)
        asked.ask_ahead(questions)
        asked.forget()
        return asked

    def shortest(self, question: Observation, histories: Iterable[Asking]) -> Asking | None:
        """Return the shortest sequence that was found to show ``question`` differing, though it does not alone.

        The first of the ``histories`` that shows it is reduced, and so are its questions. ``None``: none shows it.
        """
        found = next((each for each in histories if self.shows_in_time((*each, question))), None)
        return None if found is None else self._reduced(found, question)

    def shows_in_time(self, sequence: Asking) -> bool:
        """Return whether ``sequence`` shows it; no, where the time is spent."""
        try:
            return self.shows(sequence)
        except BudgetSpentError:
            return False

    def _reduced(self, history: Asking, question: Observation) -> Asking:
        best = (*history, question)

        def shows(sequence: Asking) -> bool:
            nonlocal best
            if sequence[-1] != question and self.shows_alone(sequence[-1]):
                return False
            if not self.shows(sequence):
                return False
            best = sequence
            return True

        try:
            shortest(history, lambda earlier: bool(earlier) and shows((*earlier, question)))
            for place in reversed(range(len(best) if len(best) <= MOST_REDUCED else 0)):
                self._reduce_one(best, place, shows)
        except BudgetSpentError:
            pass  # what was found so far shows it
        return best

    @staticmethod
    def _reduce_one(sequence: Asking, place: int, shows: Callable[[Asking], bool]) -> None:
        before, after = sequence[:place], sequence[place + 1 :]
        reduced_question(sequence[place], lambda smaller: shows((*before, smaller, *after)), MOST_CHECKS)


def restart(implementation: Implementation) -> None:
    """Have a process of its own end, where ``implementation`` has one: the next question starts it again."""
    close = getattr(implementation, "close", None)
    if close is not None:
        close()
