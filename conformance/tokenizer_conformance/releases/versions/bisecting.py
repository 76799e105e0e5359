"""Since which release a change is there: a binary search among the releases that a package has between two.

What is asked is the smallest question that shows the change (the witness of a cause, or how the tokenizer is loaded).
An environment takes long to make, so a release that is at hand is asked all that is still open.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from packaging.version import Version

from tokenizer_adapters.contract import CannotLoadError, UnavailableError
from tokenizer_adapters.environments.packages import served
from tokenizer_adapters.environments.releases import releases
from tokenizer_adapters.environments.words import Pin, is_release, read
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.registry import RegistryError
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.ledger import entry as ledger_entry
from tokenizer_conformance.releases.diff.loading_changes import loading_changes
from tokenizer_conformance.releases.snapshot_file.loading import loaded_tokenizer
from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer
from tokenizer_conformance.results.records import versions as lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Field, Implementation, TokenizerSource
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.releases.diff.loading_changes import LoadingChange


class CannotBisectError(Exception):
    """There are no releases between the two; the message says why."""


class CannotAskError(Exception):
    """A release cannot be asked; the message says why."""


CANNOT_SHOW = "it does not load the tokenizer that shows the change"


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


@dataclass(frozen=True, slots=True)
class WitnessQuestion:
    """The question of a ``witness``; answers are compared in ``fields``. Asking raises :class:`CannotAskError`."""

    witness: Witness
    fields: frozenset[Field]

    def ask(self, implementation: Implementation) -> OutcomeInUnit:
        """Return the answer of a release, about the tokenizer of the witness or a changed one."""
        witness = self.witness
        with Bench(implementation, implementation) as bench:
            if witness.document is None:
                asked = _loaded(implementation, witness.source)
            else:
                asked = bench.baseline_with(witness.source, witness.document)
            if asked is None:
                raise CannotAskError(f"it does not load {witness.source.name} as it was made smaller")
            return OutcomeInUnit(asked.ask(witness.question), implementation.info.offset_unit)

    def is_same(self, one: OutcomeInUnit, other: OutcomeInUnit) -> bool:
        """Return whether two answers are the same."""
        return one == other or not compare(self.witness.question, one, other, self.fields).differences


@dataclass(frozen=True, slots=True)
class LoadingQuestion:
    """How the tokenizer of ``source`` is loaded, where ``change`` says that it changed. Asking raises the same."""

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


@dataclass(frozen=True, slots=True)
class Sought:
    """The change of that ``number`` (from 1) among those of its kind, and what shows it."""

    what: Literal["cause", "change"]
    number: int
    question: WitnessQuestion | LoadingQuestion


class Bisection:
    """The releases between ``ends``, two words in order with their implementations, and how they show changes.

    Raises :class:`CannotBisectError`.
    """

    def __init__(self, between: ReleasesBetween, ends: Mapping[str, Implementation], sought: Sequence[Sought]) -> None:
        self._between = between
        self._ends = ends
        self._sought = sought
        self._questions = [each.question for each in sought]
        self._old, self._new = ends
        self._words = [self._old, *between.words(self._old, self._new), self._new]
        self._behaviour: dict[str, list[Any]] = {}
        self._skipped: dict[str, str] = {}

    def boundaries(self) -> Iterator[lines.Bisected]:
        """Yield for each change where it came in."""
        for number, each in enumerate(self._sought):
            yield lines.Bisected(
                old=self._old, new=self._new, what=each.what, number=each.number, **self._boundary(number)
            )

    def _boundary(self, number: int) -> dict[str, Any]:
        """Return where the change came in, as a record has it; nothing where the ends do not show it anew."""
        old, new = self._old, self._new
        if self._is_as(number, old, old) is None or self._is_as(number, new, old) is not False:
            return {"until": None, "since": None, "skipped": {}, "goes_back": (), "is_final": None}
        until, since, skipped, goes_back = boundary(self._words, lambda word: self._is_as(number, word, old))
        return {
            "until": until,
            "since": since,
            "skipped": {word: self._skipped.get(word, CANNOT_SHOW) for word in skipped},
            "goes_back": tuple(goes_back),
            "is_final": self._is_as(number, since, new) is True,
        }

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
            self._skipped[word] = str(error)
            return [None] * len(self._questions)

    def _asked(self, implementation: Implementation) -> list[Any]:
        return [_answer(question, implementation) for question in self._questions]


def _answer(question: WitnessQuestion | LoadingQuestion, implementation: Implementation) -> Any:
    try:
        return question.ask(implementation)
    except CannotAskError:
        return None


# The releases of a package --------------------------------------------------------------------------------------------


class ReleasesBetween:
    """The released versions of packages; ``list_releases`` says which there are, by the name of a distribution."""

    def __init__(self, isolation: Isolation, list_releases: Callable[[str], list[Version]] = releases) -> None:
        self._isolation = isolation
        self._list_releases = list_releases
        self._known: dict[str, list[Version]] = {}

    def words(self, old: str, new: str) -> list[str]:
        """Return the words of the releases between two, from the ``old`` one to the ``new`` one.

        Raises :class:`CannotBisectError` where these are no releases of one package, or nobody says which there are.
        """
        first, last = _pin(old), _pin(new)
        if first is None or last is None or served(first.package) != served(last.package):
            raise CannotBisectError(f"{old} and {new} are no releases of one package: there is nothing between them")
        ends = sorted([Version(first.version), Version(last.version)])
        found = [version for version in self._released(first.package) if ends[0] < version < ends[1]]
        words = [f"{first.package}=={version}" for version in found]
        return words if ends[0] == Version(first.version) else words[::-1]

    def _released(self, package: str) -> list[Version]:
        if package not in self._known:
            STATUS.begin(f"asking which releases {one_line(package)} has")
            try:
                self._known[package] = self._list_releases(served(package).distribution)
            except RegistryError as error:
                raise CannotBisectError(f"which releases {package} has is not known: {error}") from error
        return self._known[package]

    @contextmanager
    def opened(self, word: str) -> Iterator[Implementation]:
        """Give a release; its process is ended afterwards. Raises :class:`CannotAskError` where it cannot be had."""
        try:
            selected = select(word, self._isolation)
            selected.prepare(STATUS.begin)
            STATUS.begin("starting implementations", word)
            implementation = selected.build()
        except (UnavailableError, RegistryError) as error:
            raise CannotAskError(str(error)) from error
        try:
            yield implementation
        finally:
            if isinstance(implementation, ProcessImplementation):
                implementation.close()


def _pin(word: str) -> Pin | None:
    found = read(word) if is_release(word) else None
    return found if isinstance(found, Pin) else None
