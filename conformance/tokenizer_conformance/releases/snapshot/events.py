"""What happens while a snapshot is made; it begins with the header."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, InputRefused
from tokenizer_conformance.results.records.snapshot import AskedAbout, Header

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.command_io.status import Place
    from tokenizer_conformance.releases.snapshot_file.lines import Written
    from tokenizer_conformance.releases.snapshot_file.parts import Part


@dataclass(frozen=True, slots=True)
class PartMade:
    """A part of the snapshot is there, or its line; ``place`` says how far the making has come."""

    part: Part | Written
    place: Place


@dataclass(frozen=True, slots=True)
class TokenizerAsked:
    """Everything was asked about a tokenizer, or it was not loaded, which ``error`` says.

    ``questions`` were asked about ``inputs``; ``without_value`` counts answers that were no value, by what they were.
    ``seconds`` is how long that took, ``None`` where it is not known.
    """

    tokenizer: str
    error: str | None
    inputs: int
    questions: int
    without_value: Mapping[str, int]
    seconds: float | None


@dataclass(frozen=True, slots=True)
class SnapshotFinished(Finished):
    """The making is over. ``finished`` is false where it was stopped early, for a ``reason``."""

    reason: str | None
    tokenizers: int
    inputs: int
    questions: int
    asking: float
    asked: tuple[AskedAbout, ...] = ()


Event = Header | InputRefused | PartMade | TokenizerAsked | SnapshotFinished
