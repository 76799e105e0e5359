"""Since which release a change is there: a binary search among the releases between two that differ.

What is asked is the smallest question that shows the change (the witness of a cause, or how the tokenizer is loaded).
An environment takes long to make, so a release that is at hand is asked all that is still open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.ledger import entry as ledger_entry
from tokenizer_conformance.releases.diff.loading_changes import loading_changes
from tokenizer_conformance.releases.snapshot_file.loading import loaded_tokenizer
from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from tokenizer_adapters.contract import Field, Implementation, TokenizerSource
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.releases.diff.loading_changes import LoadingChange


class CannotBisectError(Exception):
    """There are no releases between the two; the message says why."""


class CannotAskError(Exception):
    """A release cannot be asked; the message says why."""


class Between(Protocol):
    """Gives the releases between two."""

    def words(self, old: str, new: str) -> Sequence[str]:
        """Return the words of the releases between ``old`` and ``new``, in the order that leads from one to the other.

        Raises :class:`CannotBisectError`.
        """

    def opened(self, word: str) -> AbstractContextManager[Implementation]:
        """Give a release. Raises :class:`CannotAskError`."""


@dataclass(frozen=True, slots=True)
class Boundary:
    """Where a change came in: ``until`` is the last release that behaves as before, ``since`` the first that does not.

    ``skipped`` are releases between the two, which could not be asked. ``goes_back`` are releases that were asked and
    are on the wrong side: the behaviour is not monotone, and there are further boundaries. ``is_final`` tells whether
    ``since`` behaves as the release at the end does, or in a third way.
    """

    until: str
    since: str
    skipped: tuple[str, ...] = ()
    goes_back: tuple[str, ...] = ()
    is_final: bool = True


# The search -----------------------------------------------------------------------------------------------------------


def boundary(words: Sequence[str], is_old: Callable[[str], bool | None]) -> tuple[str, str, tuple[str, ...], list[str]]:
    """Return the last of ``words`` that is old and the first that is not, what is unknown between, and what goes back.

    The first word is old, and the last one is not. ``is_old`` returns ``None`` where it cannot tell. The releases next
    to the boundary are asked too: one of these on the wrong side goes back.

    >>> boundary(list("abcdefg"), lambda word: None if word == "d" else word < "e")
    ('c', 'e', ('d',), [])
    """
    low, high = 0, len(words) - 1
    while (middle := _middle(words, low, high, is_old)) is not None:
        if is_old(words[middle]):
            low = middle
        else:
            high = middle
    wrong = [word for word in words[max(low - 1, 0) : low] if is_old(word) is False]
    wrong += [word for word in words[high + 1 : high + 2] if is_old(word) is True]
    return words[low], words[high], tuple(words[low + 1 : high]), wrong


def _middle(words: Sequence[str], low: int, high: int, is_old: Callable[[str], bool | None]) -> int | None:
    """Return the number of the word next to the middle that can be told, ``None`` where there is none."""
    by_distance = sorted(range(low + 1, high), key=lambda at: abs(2 * at - low - high))
    return next((at for at in by_distance if is_old(words[at]) is not None), None)


# Questions ------------------------------------------------------------------------------------------------------------


class Question(Protocol):
    """What shows a change."""

    def ask(self, implementation: Implementation) -> Any:
        """Return how a release behaves. Raises :class:`CannotAskError`."""

    def is_same(self, one: Any, other: Any) -> bool:
        """Return whether two releases behave alike, as far as the change goes."""


@dataclass(frozen=True, slots=True)
class WitnessQuestion:
    """The question of a ``witness``; answers are compared in ``fields``."""

    witness: Witness
    fields: frozenset[Field]

    def ask(self, implementation: Implementation) -> OutcomeInUnit:
        """Return the answer of a release, about the tokenizer of the witness or a changed one."""
        witness = self.witness
        with Bench(implementation, implementation) as bench:
            if witness.document is None:
                asked = _loaded(implementation, witness.source)
            else:
                found = bench.baseline_with(witness.source, witness.document)
                if found is None:
                    raise CannotAskError(f"it does not load {witness.source.name} as it was made smaller")
                asked = found
            return OutcomeInUnit(asked.ask(witness.question), implementation.info.offset_unit)

    def is_same(self, one: OutcomeInUnit, other: OutcomeInUnit) -> bool:
        """Return whether two answers are the same."""
        return one == other or not compare(self.witness.question, one, other, self.fields).differences


@dataclass(frozen=True, slots=True)
class LoadingQuestion:
    """How the tokenizer of ``source`` is loaded, where ``change`` says that it changed."""

    change: LoadingChange
    source: TokenizerSource

    def ask(self, implementation: Implementation) -> LoadedTokenizer:
        """Return how a release loads the tokenizer."""
        try:
            return loaded_tokenizer(loaded(implementation, self.source), self.source)
        except CannotLoadError as error:
            if self.change.what == ledger_entry.LOAD:
                return LoadedTokenizer(self.source.name, str(error))
            raise CannotAskError(f"it does not load {self.source.name}") from error

    def is_same(self, one: LoadedTokenizer, other: LoadedTokenizer) -> bool:
        """Return whether there is no such change from one to the other."""
        place = (self.change.what, self.change.path)
        changes = loading_changes(one, other, is_same_implementation=True)  # releases of one package
        return all((each.what, each.path) != place for each in changes)


def _loaded(implementation: Implementation, source: TokenizerSource) -> Any:
    try:
        return loaded(implementation, source)
    except CannotLoadError as error:
        raise CannotAskError(f"it does not load {source.name}") from error


# Releases -------------------------------------------------------------------------------------------------------------


class Bisection:
    """The releases between ``ends``, two words in order with their implementations, and how they answer ``questions``.

    Raises :class:`CannotBisectError`.
    """

    def __init__(self, between: Between, ends: Mapping[str, Implementation], questions: Sequence[Question]) -> None:
        self._between = between
        self._ends = ends
        self._questions = questions
        old, new = ends
        self._words = [old, *between.words(old, new), new]
        self._behaviour: dict[str, list[Any]] = {}
        self.skipped: dict[str, str] = {}

    def boundaries(self) -> Iterator[Boundary | None]:
        """Yield for each question where the change came in; ``None`` where the ends do not show it when asked anew."""
        for number in range(len(self._questions)):
            yield self._boundary(number)

    def _boundary(self, number: int) -> Boundary | None:
        old, new = self._ends
        if self._is_as(number, old, old) is None or self._is_as(number, new, old) is not False:
            return None
        until, since, skipped, goes_back = boundary(self._words, lambda word: self._is_as(number, word, old))
        return Boundary(until, since, skipped, tuple(goes_back), self._is_as(number, since, new) is True)

    def _is_as(self, number: int, word: str, other: str) -> bool | None:
        """Return whether two releases answer a question alike; ``None`` where one cannot be asked."""
        one, two = self._answers(word)[number], self._answers(other)[number]
        return None if one is None or two is None else self._questions[number].is_same(one, two)

    def _answers(self, word: str) -> list[Any]:
        if word not in self._behaviour:
            STATUS.begin(word, "since which release")
            if word in self._ends:
                self._behaviour[word] = self._asked(self._ends[word])
            else:
                self._behaviour[word] = self._of_another(word)
        return self._behaviour[word]

    def _of_another(self, word: str) -> list[Any]:
        try:
            with self._between.opened(word) as implementation:
                return self._asked(implementation)
        except CannotAskError as error:
            self.skipped[word] = str(error)
            return [None] * len(self._questions)

    def _asked(self, implementation: Implementation) -> list[Any]:
        return [_answer(question, implementation) for question in self._questions]


def _answer(question: Question, implementation: Implementation) -> Any:
    try:
        return question.ask(implementation)
    except CannotAskError:
        return None
