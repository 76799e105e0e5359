"""What happens in a comparison of tokenizers, as a stream of values.

It begins with :class:`ComparisonStarted` and ends with :class:`ComparisonFinished`, also when it is interrupted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, InputRefused

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.cuts.regions import PlacedText
    from tokenizer_conformance.research.cuts.sides import Facts
    from tokenizer_conformance.research.cuts.tally import PairResult


@dataclass(frozen=True, slots=True)
class ComparisonStarted:
    """A comparison begins: of one ``text``, or of so many ``inputs`` where that is ``None``."""

    environment: Environment
    implementation: ImplementationInfo
    tokenizers: tuple[TokenizerFile, ...]
    text: str | None
    inputs: int
    inputs_sha256: str


@dataclass(frozen=True, slots=True)
class TokenizerReady:
    """A tokenizer is loaded, and was tried for what it ignores."""

    tokenizer: TokenizerFile
    facts: Facts


@dataclass(frozen=True, slots=True)
class TokenizerRefused:
    """A tokenizer cannot be compared; the rest is done without it."""

    tokenizer: TokenizerFile
    reason: str


@dataclass(frozen=True, slots=True)
class CutText:
    """The text as one tokenizer, called ``name``, cuts it; ``reason`` says in place of that why it does not.

    ``differing`` are the stretches that it cuts otherwise than the first one does (code points, end exclusive).
    """

    name: str
    placed: PlacedText | None
    differing: tuple[tuple[int, int], ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TextCut:
    """The text as all cut it, the first tokenizer first."""

    text: str
    rows: tuple[CutText, ...]


@dataclass(frozen=True, slots=True)
class TextsFailed:
    """So many of the ``texts`` a tokenizer has not cut; the first of them is called ``input``."""

    name: str
    texts: int
    input: str
    reason: str


@dataclass(frozen=True, slots=True)
class PairCompared:
    """Two tokenizers have been compared; ``interrupted``: on what had been read until then."""

    result: PairResult
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class ComparisonFinished(Finished):
    """The comparison is over; ``finished`` is false where it was interrupted. ``texts`` were read."""

    texts: int
    pairs: int
    differing: int
    failed: int


ComparisonEvent = (
    ComparisonStarted
    | InputRefused
    | TokenizerReady
    | TokenizerRefused
    | TextCut
    | TextsFailed
    | PairCompared
    | ComparisonFinished
)


def is_ending(event: ComparisonEvent) -> bool:
    """Return whether ``event`` shows that the comparison ends: the last one, and what an interrupt has left to tell."""
    return isinstance(event, ComparisonFinished) or (isinstance(event, PairCompared) and event.interrupted)
