"""The parts of a snapshot, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import ImplementationInfo, Outcome, Shows, Stage
    from tokenizer_conformance.command_io.environment import Environment

LONGEST_LINE = 1 << 28
"""No line is longer, in bytes: what reads a snapshot holds one at a time, whatever it was given to read."""


@dataclass(frozen=True, slots=True)
class SnapshotTokenizer:
    """A tokenizer of a snapshot: its ``name``, the ``word`` that named it, the digest and size of its file."""

    name: str
    word: str
    sha256: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class SnapshotInputs:
    """The inputs of a snapshot: how many, the digest of ids and texts, and the ``sources`` they came from."""

    count: int
    sha256: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Header:
    """How a snapshot begins: who answered (``info``, selected by ``word``), where and when, about what.

    ``stages`` are those that were asked about.
    """

    environment: Environment
    word: str
    info: ImplementationInfo
    tokenizers: tuple[SnapshotTokenizer, ...]
    inputs: SnapshotInputs
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class SnapshotInput:
    """A text, by its ``source`` (a number, from 0), ``id`` and ``category``."""

    source: int
    id: str
    category: str
    text: str


@dataclass(frozen=True, slots=True)
class LoadedTokenizer:
    """How a tokenizer was loaded, by its ``name``.

    ``error`` says why it was not, ``None`` where it was. ``files`` are the names of the files that were read in place
    of the tokenizer.json. ``shows`` is what the implementation says it shows of it, ``None`` where that is all.
    ``saved`` is what it saves the tokenizer as, with large parts by their digests; ``vocabulary`` the number of tokens
    and the digest of all with their ids; ``None`` where it shows none.
    """

    name: str
    error: str | None = None
    files: tuple[str, ...] = ()
    shows: Shows | None = None
    saved: object = None
    vocabulary: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered about input ``number`` (from 0), by the names of the questions."""

    number: int
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Footer:
    """How a snapshot ends: the number of ``lines`` before it and their digest.

    ``finished`` is false where it was cut short, for a ``reason``. ``seconds`` it took, ``asking`` of which were spent
    waiting for answers.
    """

    lines: int
    sha256: str
    finished: bool
    reason: str | None
    seconds: float
    asking: float


Part = SnapshotInput | LoadedTokenizer | Answers
"""What stands between header and footer."""
