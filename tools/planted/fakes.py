"""How a fault is planted: in the tokenizer.json before it is loaded, in texts, in answers."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from planted.edits import Json
from tokenizer_adapters.contract import (
    After,
    ImplementationInfo,
    Observation,
    Outcome,
    Pieces,
    PreTokenize,
    Subject,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.comparison.mistakes import OfEncoding, in_encodings
from tokenizer_conformance.comparison.questions import with_texts

Change = Callable[[Json], None]
"""Changes a tokenizer.json in place."""

Spoil = Callable[[Observation, Outcome], Outcome]
"""Gives the answer in the place of the right one."""

Reword = Callable[[Observation], Observation]
"""Gives the question that is asked in the place of another one."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: any of a changed file, changed questions and changed answers."""

    change: Change | None = None
    reword: Reword | None = None
    spoil: Spoil | None = None


class Faulty:
    """`tokenizers` with a ``fault``, called ``name``."""

    def __init__(self, name: str, fault: Fault) -> None:
        self.name = name
        self._fault = fault
        self._sound = TokenizersImplementation()

    @property
    def info(self) -> ImplementationInfo:
        """Return the description."""
        return replace(self._sound.info, name=self.name)

    def load(self, source: TokenizerSource) -> FaultySubject:
        """Load the file of ``source``, changed where that is the fault. Raises :class:`CannotLoadError`."""
        if self._fault.change is None:
            return FaultySubject(self._sound.load(source), self._fault, source)
        document = json.loads(Path(source.file).read_text(encoding="utf-8"))
        self._fault.change(document)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "tokenizer.json"
            file.write_text(json.dumps(document), encoding="utf-8")
            return FaultySubject(self._sound.load(replace(source, file=str(file))), self._fault, source)


class FaultySubject:
    """A tokenizer in a faulty implementation."""

    def __init__(self, sound: Subject, fault: Fault, source: TokenizerSource) -> None:
        self._sound = sound
        self._fault = fault
        self.files = (source.file,)

    def observe(self, observation: Observation) -> Outcome:
        """Answer as the fault has it."""
        fault = self._fault
        outcome = self._sound.observe(observation if fault.reword is None else fault.reword(observation))
        return outcome if fault.spoil is None else fault.spoil(observation, outcome)

    def vocabulary(self) -> dict[str, int] | Unsupported:
        """Return the vocabulary, which is sound."""
        return self._sound.vocabulary()


# Kinds of faults -----------------------------------------------------------------------------------------------------


def character_read_as(character: str, other: str) -> Fault:
    """Return the fault of reading ``character`` as ``other``, one character too, wherever it is normalized."""
    return reading(lambda text: text.replace(character, other))


def reading(read: Callable[[str], str]) -> Fault:
    """Return the fault of normalizing and encoding ``read`` of each text; the pre-tokenizer sees them as they are."""
    return Fault(reword=lambda question: question if isinstance(question, PreTokenize) else with_texts(question, read))


def character_split_as(character: str, other: str) -> Fault:
    """Return the fault of splitting ``character`` as if it were ``other``, which is one character too."""

    def reword(question: Observation) -> Observation:
        match question:
            case PreTokenize(text):
                return PreTokenize(text.replace(character, other))
        return question

    def spoil(question: Observation, outcome: Outcome) -> Outcome:
        match question, outcome:
            case PreTokenize(text), Pieces(pieces) if character in text and all(span for _, span in pieces):
                return Pieces(tuple((_spelt(text, span, piece), span) for piece, span in pieces))
        return outcome

    def _spelt(text: str, span: tuple[int, int] | None, piece: str) -> str:
        """Return the piece with the character as it stands in the text, where pieces keep their text."""
        if span is None or character not in text[span[0] : span[1]]:
            return piece
        return f"{piece}:{character}" if len(piece) != span[1] - span[0] else text[span[0] : span[1]]

    return Fault(reword=reword, spoil=spoil)


def spoiling(change: OfEncoding) -> Fault:
    """Return the fault of giving ``change`` of each encoding, but of those of a changed tokenizer."""

    def spoil(question: Observation, outcome: Outcome) -> Outcome:
        return outcome if isinstance(question, After) else in_encodings(change, question, outcome)

    return Fault(spoil=spoil)


def in_file(change: Change) -> Fault:
    """Return the fault of reading the tokenizer.json as if it were changed."""
    return Fault(change=change)
