"""What happens when two records are compared, as a stream of values.

It begins with :class:`RecordsOpened`, then come changes and numbers, and :class:`RecordDiffFinished` is the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.releases.diff.records.changes import Change, Changed
    from tokenizer_conformance.releases.diff.records.outcome import Figure


@dataclass(frozen=True, slots=True)
class RecordSide:
    """One of the two records: its ``path``, when its command started, by which release, and the ``command``.

    ``ended`` says in words how it ended, ``is_whole`` whether with all that was to be done.
    """

    path: str
    started: str
    tokconf: str
    command: tuple[str, ...]
    ended: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class RecordsOpened:
    """Two records of a ``noun`` are compared.

    ``matches`` say who is taken for whom, ``remarks`` what the two do not have in common.
    """

    environment: Environment
    noun: str
    schema: str
    then: RecordSide
    now: RecordSide
    names: Mapping[str, str]
    matches: tuple[str, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeFound:
    """What became of one outcome."""

    changed: Changed


@dataclass(frozen=True, slots=True)
class SoundFound:
    """An outcome that both sides have compared, and in which neither found anything wrong. Reports only count these."""

    changed: Changed


@dataclass(frozen=True, slots=True)
class FigureFound:
    """A number of the records, ``None`` where one does not have it."""

    figure: Figure
    then: float | None
    now: float | None


@dataclass(frozen=True, slots=True)
class RecordDiffFinished(Finished):
    """All is compared: how many outcomes became what, ``sound`` of the same ones without a difference."""

    counts: Mapping[Change, int]
    sound: int


RecordDiffEvent = RecordsOpened | ChangeFound | SoundFound | FigureFound | RecordDiffFinished
