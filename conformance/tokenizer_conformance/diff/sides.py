"""The two sides of a diff as implementations, and the inputs that both were asked about."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokenizer_conformance.snapshot_file.replay import ReplayedImplementation, ReplayedSubject

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.contract import Implementation, ImplementationInfo, Observation, Subject, TokenizerSource
    from tokenizer_conformance.snapshot_file.parts import SnapshotInput
    from tokenizer_conformance.snapshot_file.reader import Snapshot
    from tokenizer_conformance.snapshot_file.replay import Position

NOWHERE = -1


def pinned_name(info: ImplementationInfo) -> str:
    """Return the name of an implementation with its version, as a word of the command line pins it.

    One that is called so already keeps its name.
    """
    return info.name if "==" in info.name or "@" in info.name else f"{info.name}=={info.version}"


def distinct_infos(old: ImplementationInfo, new: ImplementationInfo) -> tuple[ImplementationInfo, ImplementationInfo]:
    """Return both descriptions under names that differ, with the versions in them."""
    first, second = pinned_name(old), pinned_name(new)
    if first == second:
        first, second = f"{first} (old)", f"{second} (new)"
    return replace(old, name=first), replace(new, name=second)


class Replayed(ReplayedImplementation):
    """A side that is a snapshot; it says whether it holds a question about the tokenizer that was loaded last."""

    _subject: ReplayedSubject | None = None

    def load(self, source: TokenizerSource) -> ReplayedSubject:
        """Return what answered about the tokenizer. Raises :class:`CannotLoadError`."""
        self._subject = None
        self._subject = super().load(source)
        return self._subject

    def holds(self, question: Observation) -> bool:
        """Tell whether ``question`` was answered."""
        return self._subject is None or self._subject.holds(question)


class OtherPosition:
    """The numbers that the inputs of ``position`` have in another snapshot, by ``numbers``."""

    def __init__(self, position: Position, numbers: array[int]) -> None:
        self._position = position
        self._numbers = numbers
        self._known = NOWHERE
        self._wanted: frozenset[int] = frozenset()

    @property
    def number(self) -> int:
        """The number, from 0; ``-1`` before the first one, and of an input that the other one does not have."""
        at = self._position.number
        return self._numbers[at] if 0 <= at < len(self._numbers) else NOWHERE

    def wants(self, number: int) -> bool:
        """Tell whether answers about the input ``number`` of the other snapshot are needed."""
        if self._known != self._position.number:
            self._known = self._position.number
            taken = [self._numbers[at] for at in self._position.taken]
            self._wanted = frozenset((*taken, *(each + 1 for each in taken)))
        return number in self._wanted


@dataclass(frozen=True, slots=True)
class CommonInputs:
    """Which inputs two snapshots have in common.

    ``numbers`` has for each input of the old one its number in the new one, :data:`NOWHERE` where it is not there.
    ``only_old`` and ``only_new`` count the others.
    """

    numbers: array[int]
    only_old: int
    only_new: int


def common_inputs(old: Snapshot, new: Snapshot) -> CommonInputs:
    """Return which inputs ``old`` and ``new`` have in common: the id, the category and the text are the same."""
    by_key: dict[int, int] = {}
    total = 0
    for number, each in enumerate(new.inputs()):
        by_key.setdefault(_key(each), number)
        total += 1
    numbers = array("q", (by_key.pop(_key(each), NOWHERE) for each in old.inputs()))
    found = sum(number != NOWHERE for number in numbers)
    return CommonInputs(numbers, len(numbers) - found, total - found)


def _key(each: SnapshotInput) -> int:
    return hash((each.id, each.category, each.text))


def all_hold(sides: Iterable[Replayed], question: Observation) -> bool:
    """Tell whether all of ``sides`` were asked ``question``."""
    return all(side.holds(question) for side in sides)


class Renamed:
    """``implementation``, under the description ``info``: the same one may stand on both sides."""

    def __init__(self, implementation: Implementation, info: ImplementationInfo) -> None:
        self.info = info
        self._implementation = implementation

    def load(self, source: TokenizerSource) -> Subject:
        """Load the tokenizer of ``source``. Raises :class:`CannotLoadError`."""
        return self._implementation.load(source)
