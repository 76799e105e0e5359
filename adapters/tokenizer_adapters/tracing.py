"""How an implementation arrives at its answer, step by step: what only the reference can show.

The values are the reference's own, given names here, so that who shows a trace needs to know nothing else of it. Tokens
stand in it as the values of the contract. All offsets are code points of the original text, end exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tokenizer_adapters.contract import Encode, Encoded, Subject
from tokenizer_adapters.pipeline import encoded
from tokenizer_reference.models.bpe_steps import BpeSteps, MergeStep, Neighbours, Symbol, SymbolKind
from tokenizer_reference.models.lookups import Match, WhyUnknown, WordLookup, WordPieceMatches
from tokenizer_reference.models.steps import NotShown, WordSteps
from tokenizer_reference.models.unigram_paths import LatticePiece, Path, UnigramPaths
from tokenizer_reference.pipeline.added_matches import AddedOccurrence, WhyNot
from tokenizer_reference.pipeline.way import (
    EVERYTHING,
    DecodingStep,
    Detail,
    Member,
    Piece,
    Station,
    Stopped,
    TextStep,
    TextWay,
    Word,
    way_of,
)

if TYPE_CHECKING:
    from tokenizer_reference import Tokenizer

__all__ = [
    "EVERYTHING",
    "AddedOccurrence",
    "BpeSteps",
    "DecodingStep",
    "Detail",
    "LatticePiece",
    "Match",
    "Member",
    "MergeStep",
    "Neighbours",
    "NotShown",
    "Path",
    "Piece",
    "Station",
    "Stopped",
    "Symbol",
    "SymbolKind",
    "TextStep",
    "TextWay",
    "TokenStep",
    "Trace",
    "TracingSubject",
    "UnigramPaths",
    "WhyNot",
    "WhyUnknown",
    "Word",
    "WordLookup",
    "WordPieceMatches",
    "WordSteps",
    "trace_of",
]


@dataclass(frozen=True, slots=True)
class TokenStep:
    """What a ``member`` leaves of the tokens: the ``parts``, in their order; merged, they are the encoding."""

    member: Member
    parts: tuple[Encoded, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """The way of a text, or of a pair, to its tokens, and of their ids back, with a ``model`` of this type.

    ``texts`` lead to the model, ``tokens`` from there to ``encoded``, which is what ``encode`` answers, and
    ``decoding`` to ``decoded``, which is what ``decode`` answers for these ids, skipping special tokens. Where a
    component fails, the way has ``stopped`` there, and what comes after it is ``None``.
    """

    model: str
    texts: tuple[TextWay, ...]
    tokens: tuple[TokenStep, ...]
    encoded: Encoded | None
    decoding: tuple[DecodingStep, ...]
    decoded: str | None
    stopped: Stopped | None


@runtime_checkable
class TracingSubject(Subject, Protocol):
    """A subject that shows how it arrives at its answers."""

    def trace(self, question: Encode, detail: Detail = EVERYTHING) -> Trace:
        """Return the way of the texts of ``question``, which are no words.

        ``detail`` says of how much of it the model's own steps are shown. Raises :class:`ValueError` for words, and
        :class:`TypeError` for a text with a lone surrogate.
        """


def trace_of(tokenizer: Tokenizer, question: Encode, detail: Detail) -> Trace:
    """Return the way of the texts of ``question`` through a tokenizer of the reference.

    Raises as :meth:`TracingSubject.trace`.
    """
    text, pair = question.text, question.pair
    if not isinstance(text, str) or isinstance(pair, tuple):
        raise ValueError("the way of words is not shown: give a text")  # noqa: TRY004 - the type is allowed elsewhere
    way = way_of(tokenizer, text, pair, question.add_special_tokens, detail)
    return Trace(
        model=type(tokenizer.model).__name__,
        texts=way.texts,
        tokens=tuple(TokenStep(step.member, tuple(map(encoded, step.parts))) for step in way.tokens),
        encoded=None if way.encoding is None else encoded(way.encoding),
        decoding=way.decoding,
        decoded=way.decoded,
        stopped=way.stopped,
    )
