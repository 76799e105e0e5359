"""`tokenizers` with one fault each: what a comparison on random tokenizers must find.

As a plugin they are registered by ``conftest.py``.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_adapters.contract import (
    CannotLoadError,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    Encoded,
    Failed,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
)

sys.path.append(str(Path(__file__).parents[3] / "tools"))  # tools are no package of the project

from planted.fakes import Fault, Faulty, FaultySubject

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation, Outcome, TokenizerSource

VALUES: dict[type[Any], type[Any]] = {
    Normalize: Text, PreTokenize: Pieces, Encode: Encoded, Decode: Text, DecodeStream: Chunks,
}  # fmt: skip


def answering(kind: type[Any], change: Callable[[Any, Any], Outcome]) -> Fault:
    """Return the fault of giving ``change`` of the values that are answers to questions of a kind."""

    def spoil(question: Observation, outcome: Outcome) -> Outcome:
        is_met = isinstance(question, kind) and isinstance(outcome, VALUES[kind])
        return change(question, outcome) if is_met else outcome

    return Fault(spoil=spoil)


def telling(kind: type[Any], change: Callable[[str], str]) -> Fault:
    """Return the fault of giving ``change`` of the texts that are answers to questions of a kind."""
    return answering(kind, lambda _question, outcome: Text(change(outcome.text)))


class Planted(Faulty):
    """Answers as `tokenizers` does; subclasses say with which fault."""

    name: ClassVar[str]
    fault: ClassVar[Fault] = Fault()

    def __init__(self) -> None:
        super().__init__(self.name, self.fault)


class KeepsAccent(Planted):
    """Composes e and acute where the normalizer leaves them apart."""

    name = "keeps-accent"
    fault = telling(Normalize, lambda text: text.replace("e\u0301", "é"))


def _late_pieces(question: PreTokenize, outcome: Pieces) -> Outcome:
    late = tuple((piece, span and (span[0] + 1, span[1])) for piece, span in outcome.pieces)
    return Pieces(late) if "😀" in question.text else outcome


class LatePieces(Planted):
    """Counts one character more where pieces start after an emoji."""

    name = "late-pieces"
    fault = answering(PreTokenize, _late_pieces)


def _wrong_type(question: Encode, outcome: Encoded) -> Outcome:
    is_met = question.is_pretokenized and question.pair
    return replace(outcome, type_ids=(0,) * len(outcome.ids)) if is_met else outcome


class WrongType(Planted):
    """Gives the second text of a pre-split pair the type of the first."""

    name = "wrong-type"
    fault = answering(Encode, _wrong_type)


class NoOverflow(Planted):
    """Loses what truncation cuts off."""

    name = "no-overflow"
    fault = Fault(
        spoil=lambda _, outcome: replace(outcome, overflowing=()) if isinstance(outcome, Encoded) else outcome
    )


class ShortDecode(Planted):
    """Loses a replacement character at the end."""

    name = "short-decode"
    fault = telling(Decode, lambda text: text.removesuffix("\ufffd"))


class Forgetful(Planted):
    """Does not show added tokens that are special."""

    name = "forgetful"

    def load(self, source: TokenizerSource) -> FaultySubject:
        return _Forgetting(self._sound.load(source), self._fault, source)


class _Forgetting(FaultySubject):
    def vocabulary(self) -> dict[str, int]:
        vocabulary = super().vocabulary()
        assert isinstance(vocabulary, dict)
        return {token: id_ for token, id_ in vocabulary.items() if token != "[MASK]"}


class Picky(Planted):
    """Refuses pieces of fixed length."""

    name = "picky"

    def load(self, source: TokenizerSource) -> FaultySubject:
        if "FixedLength" in Path(source.file).read_text(encoding="utf-8"):
            raise CannotLoadError(f"picky cannot load {source.name} ({source.file}): no such component")
        return super().load(source)


class Lenient(Planted):
    """Gives an empty text where `tokenizers` refuses to decode."""

    name = "lenient"
    fault = Fault(
        spoil=lambda question, outcome: (
            outcome if isinstance(outcome, Text) or not isinstance(question, Decode) else Text("")
        )
    )


class InternalError(Planted):
    """Raises an internal error where `tokenizers` refuses to encode."""

    name = "internal-error"
    fault = Fault(
        spoil=lambda question, outcome: (
            Failed("KeyError", "'▁'") if isinstance(question, Encode) and not isinstance(outcome, Encoded) else outcome
        )
    )


def _over_a_control(question: Observation, ends: Callable[[], object]) -> Observation:
    if isinstance(question, Normalize) and "\x07" in question.text:
        ends()
    return question


class Aborting(Planted):
    """Takes its process down over a control character."""

    name = "aborting"
    fault = Fault(reword=lambda question: _over_a_control(question, os.abort))


class Sleeping(Planted):
    """Never answers about a control character."""

    name = "sleeping"
    fault = Fault(reword=lambda question: _over_a_control(question, lambda: time.sleep(600)))


class Sound(Planted):
    """Has no fault."""

    name = "sound"


ALL: tuple[type[Planted], ...] = (
    KeepsAccent,
    LatePieces,
    WrongType,
    NoOverflow,
    ShortDecode,
    Forgetful,
    Picky,
    Lenient,
    InternalError,
    Aborting,
    Sleeping,
    Sound,
)
