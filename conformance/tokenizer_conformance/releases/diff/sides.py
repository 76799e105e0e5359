"""The two sides of a diff as implementations, and the inputs that both were asked about."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.environments.words import known_as

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.contract import Implementation, ImplementationInfo, Observation, Subject, TokenizerSource
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.releases.snapshot_file.reader import Snapshot
    from tokenizer_conformance.releases.snapshot_file.replay import ReplayedImplementation
    from tokenizer_conformance.results.records.snapshot import Input

NOWHERE = -1

SIDES = (" (old)", " (new)")
"""What is added to the names of sides that are called the same."""


def pinned_name(info: ImplementationInfo) -> str:
    """Return the name of an implementation with its version, as a word of the command line pins it.

    One that is called so already keeps its name.
    """
    return info.name if "==" in info.name or "@" in info.name else f"{info.name}=={info.version}"


def plain_name(info: ImplementationInfo) -> str:
    """Return the name of a side without its version: the same in every diff, whatever the versions are."""
    name = info.name
    for suffix in (*SIDES, f"=={info.version}"):
        name = name.removesuffix(suffix)
    return known_as(name)


def distinct_infos(old: ImplementationInfo, new: ImplementationInfo) -> tuple[ImplementationInfo, ImplementationInfo]:
    """Return both descriptions under names that differ: their own ones, or with the versions in them.

    A ledger knows an implementation by its own name, so that is kept wherever it can be.
    """
    if old.name != new.name:
        return old, new
    first, second = pinned_name(old), pinned_name(new)
    if first == second:
        first, second = (f"{first}{side}" for side in SIDES)
    return replace(old, name=first), replace(new, name=second)


def common_inputs(old: Snapshot, new: Snapshot) -> array[int]:
    """Return for each input of ``old`` its number in ``new``, :data:`NOWHERE` where it is not there.

    It is the same one where the id, the category and the text are.
    """
    by_key: dict[int, int] = {}
    for number, each in enumerate(new.inputs()):
        by_key.setdefault(_key(each), number)
    return array("q", (by_key.pop(_key(each), NOWHERE) for each in old.inputs()))


def _key(each: Input) -> int:
    return hash((each.id, each.category, each.text))


def all_hold(sides: Iterable[ReplayedImplementation], question: Observation) -> bool:
    """Return whether all of ``sides`` were asked ``question``."""
    return all(side.holds(question) for side in sides)


@dataclass(frozen=True, slots=True)
class SentSide:
    """A side of a comparison that several processes share: each is sent it as it is, with what it replays."""

    side: Implementation

    def build(self) -> Implementation:
        """Return the side."""
        return self.side


class BuiltAnywhere:
    """The implementation that was ``selected``, and is ``built`` here; a process that is sent it builds it itself."""

    def __init__(self, selected: Selected, built: Implementation) -> None:
        self.info = built.info
        self._selected = selected
        self._built = built

    def load(self, source: TokenizerSource) -> Subject:
        """Load the tokenizer of ``source``. Raises :class:`CannotLoadError`."""
        return self._built.load(source)

    def __reduce__(self) -> tuple[Any, ...]:
        return _built_again, (self._selected,)


def _built_again(selected: Selected) -> BuiltAnywhere:
    return BuiltAnywhere(selected, selected.build())


class Renamed:
    """``implementation``, under the description ``info``: the same one may stand on both sides."""

    def __init__(self, implementation: Implementation, info: ImplementationInfo) -> None:
        self.info = info
        self._implementation = implementation

    def load(self, source: TokenizerSource) -> Subject:
        """Load the tokenizer of ``source``. Raises :class:`CannotLoadError`."""
        return self._implementation.load(source)
