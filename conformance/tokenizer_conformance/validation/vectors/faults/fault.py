"""What a planted fault is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.validation.vectors.candidate import AboutAdded, Answer, Answers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Json = dict[str, Any]


class FaultStage(StrEnum):
    """Where a planted fault is, in the order of the pipeline."""

    ADDED_TOKENS = "added tokens"
    NORMALIZER = "normalizer"
    PRE_TOKENIZER = "pre-tokenizer"
    MODEL = "model"
    VOCABULARY = "vocabulary"
    POST_PROCESSOR = "post-processor"
    DECODER = "decoder"
    CHARACTERS = "characters"
    TEXT = "handling of text"
    ANSWERS = "offsets, masks and state"


_ENCODED = frozenset({Answer.ENCODED, Answer.ENCODINGS})
_DECODED = frozenset({Answer.DECODED, Answer.DECODED_SKIPPING, Answer.STREAMED, Answer.STREAMED_SKIPPING})

SHOWN_BY: Mapping[FaultStage, frozenset[Answer]] = {
    FaultStage.ADDED_TOKENS: _ENCODED | {Answer.DECODED_SKIPPING},
    FaultStage.NORMALIZER: frozenset({Answer.NORMALIZED}),
    FaultStage.PRE_TOKENIZER: frozenset({Answer.ENCODED_ALONE}),
    FaultStage.MODEL: frozenset({Answer.ENCODED_ALONE}),
    FaultStage.VOCABULARY: frozenset({Answer.ENCODED_ALONE}),
    FaultStage.POST_PROCESSOR: _ENCODED | {Answer.ENCODED_ALONE, Answer.ENCODINGS_ALONE},
    FaultStage.DECODER: _DECODED,
    FaultStage.CHARACTERS: frozenset({Answer.NORMALIZED, Answer.ENCODED_ALONE}),
    FaultStage.TEXT: frozenset({Answer.NORMALIZED, Answer.ENCODED_ALONE, Answer.ENCODINGS}),
}
"""Which answers are asked for to see a fault of a stage: those that it changes first."""


@dataclass(frozen=True, slots=True)
class DocumentFault:
    """Another tokenizer.json: ``change`` alters a copy of the user's, whose vocabulary it must replace, not alter.

    ``what`` says in words what is wrong. Where ``about`` is a character, only texts in which that stands can show it;
    where there are ``entries`` of the vocabulary, only texts whose tokens, joined, have one of these in them.
    """

    stage: FaultStage
    what: str
    change: Callable[[Json], None]
    about: str = ""
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextFault:
    """The text that arrives is another one: ``change`` of the one that was given; ``about`` as above."""

    stage: FaultStage
    what: str
    change: Callable[[str], str]
    about: str = ""


@dataclass(frozen=True, slots=True)
class AddedFault:
    """Tokens that are added to a loaded tokenizer are added otherwise: ``change`` of what is asked."""

    stage: FaultStage
    what: str
    change: Callable[[AboutAdded], AboutAdded]


@dataclass(frozen=True, slots=True)
class AnswerFault:
    """Right inside, and wrong in what is answered: ``change`` gives other answers for right ones."""

    stage: FaultStage
    what: str
    change: Callable[[Answers], Answers]


PlantedFault = DocumentFault | TextFault | AddedFault | AnswerFault
