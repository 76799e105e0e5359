"""`tokenizers` with one fault each: what a comparison on random tokenizers must find.

As a plugin they are registered by ``conftest.py``.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Failed,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
)
from tokenizer_adapters.tokenizers import TokenizersImplementation

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo, Observation, Outcome, Subject, TokenizerSource


class Planted:
    """Answers as `tokenizers` does; subclasses spoil some answers."""

    name: ClassVar[str]

    def __init__(self) -> None:
        self._sound = TokenizersImplementation()

    @property
    def info(self) -> ImplementationInfo:
        return replace(self._sound.info, name=self.name)

    def load(self, source: TokenizerSource) -> PlantedSubject:
        return PlantedSubject(self, self._sound.load(source))

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        """Return what is answered in place of ``outcome``."""
        del question
        return outcome

    def spoil_vocabulary(self, vocabulary: dict[str, int]) -> dict[str, int]:
        return vocabulary


class PlantedSubject:
    def __init__(self, fault: Planted, sound: Subject) -> None:
        self._fault = fault
        self._sound = sound

    def observe(self, observation: Observation) -> Outcome:
        return self._fault.spoil(observation, self._sound.observe(observation))

    def vocabulary(self) -> dict[str, int]:
        vocabulary = self._sound.vocabulary()
        assert isinstance(vocabulary, dict)
        return self._fault.spoil_vocabulary(vocabulary)


class KeepsAccent(Planted):
    """Composes e and acute where the normalizer leaves them apart."""

    name = "keeps-accent"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Normalize) and isinstance(outcome, Text):
            return Text(outcome.text.replace("e\u0301", "é"))
        return outcome


class LatePieces(Planted):
    """Counts one character more where pieces start after an emoji."""

    name = "late-pieces"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, PreTokenize) and isinstance(outcome, Pieces) and "😀" in question.text:
            return Pieces(tuple((piece, span and (span[0] + 1, span[1])) for piece, span in outcome.pieces))
        return outcome


class WrongType(Planted):
    """Gives the second text of a pre-split pair the type of the first."""

    name = "wrong-type"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Encode) and question.is_pretokenized and question.pair and isinstance(outcome, Encoded):
            return replace(outcome, type_ids=(0,) * len(outcome.ids))
        return outcome


class NoOverflow(Planted):
    """Loses what truncation cuts off."""

    name = "no-overflow"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        del question
        return replace(outcome, overflowing=()) if isinstance(outcome, Encoded) else outcome


class ShortDecode(Planted):
    """Loses a replacement character at the end."""

    name = "short-decode"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Decode) and isinstance(outcome, Text):
            return Text(outcome.text.removesuffix("\ufffd"))
        return outcome


class Forgetful(Planted):
    """Does not show added tokens that are special."""

    name = "forgetful"

    def spoil_vocabulary(self, vocabulary: dict[str, int]) -> dict[str, int]:
        return {token: id_ for token, id_ in vocabulary.items() if token != "[MASK]"}


class Picky(Planted):
    """Refuses pieces of fixed length."""

    name = "picky"

    def load(self, source: TokenizerSource) -> PlantedSubject:
        with open(source.file, encoding="utf-8") as file:  # noqa: PTH123
            if "FixedLength" in file.read():
                raise CannotLoadError(f"picky cannot load {source.name} ({source.file}): no such component")
        return super().load(source)


class Lenient(Planted):
    """Gives an empty text where `tokenizers` refuses to decode."""

    name = "lenient"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        return outcome if isinstance(outcome, Text) or not isinstance(question, Decode) else Text("")


class InternalError(Planted):
    """Raises an internal error where `tokenizers` refuses to encode."""

    name = "internal-error"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Encode) and not isinstance(outcome, Encoded):
            return Failed("KeyError", "'▁'")
        return outcome


class Aborting(Planted):
    """Takes its process down over a control character."""

    name = "aborting"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Normalize) and "\x07" in question.text:
            os.abort()
        return outcome


class Sleeping(Planted):
    """Never answers about a control character."""

    name = "sleeping"

    def spoil(self, question: Observation, outcome: Outcome) -> Outcome:
        if isinstance(question, Normalize) and "\x07" in question.text:
            time.sleep(600)
        return outcome


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
