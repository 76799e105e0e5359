"""The parts of a snapshot that are not their lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.results.records.snapshot import Input

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Outcome, Shows

LONGEST_LINE = 1 << 28
"""No line is longer, in bytes: what reads a snapshot holds one at a time, whatever it was given to read."""


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


Part = Input | LoadedTokenizer | Answers
"""What stands between header and footer."""
