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
    Decode,
    Encode,
    Encoded,
    Field,
    ImplementationInfo,
    Observation,
    Outcome,
    Pieces,
    PreTokenize,
    SavingSubject,
    Stage,
    Subject,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.comparison.mistakes import OfEncoding, in_encodings
from tokenizer_conformance.comparison.questions import with_texts
from tokenizer_conformance.lazy import lazy

Port = lazy("planted.ports:Port")
"""Imported for a mistake of a port: it knows the whole reference."""

ENCODED_AND_DECODED = frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE})
IDS_AND_TEXT = frozenset({Field.IDS, Field.TEXT})
"""What an implementation shows that shows ids only."""

Change = Callable[[Json], None]
"""Changes a tokenizer.json in place."""

Spoil = Callable[[Observation, Outcome], Outcome]
"""Gives the answer in the place of the right one."""

Reword = Callable[[Observation], Observation]
"""Gives the question that is asked in the place of another one."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: any of a changed file, changed questions and changed answers, or a mistake of a ``port``.

    A port is the reference with that mistake of ``tools/power/faults``; all others are `tokenizers`.
    """

    change: Change | None = None
    reword: Reword | None = None
    spoil: Spoil | None = None
    port: str | None = None


class Faulty:
    """An implementation with a ``fault``, called ``name``.

    One of ``ids_only`` shows the ids of texts and the texts of ids and nothing else, and reads a file of its own. One
    that ``saves`` writes the changed file, as a loader does that builds a pipeline anew.
    """

    def __init__(self, name: str, fault: Fault, *, ids_only: bool = False, saves: bool = False) -> None:
        self.name = name
        self._fault = fault
        self._kind = IdsOnly if ids_only else SavingFaulty if saves else FaultySubject
        self._ids_only = ids_only
        self._sound = TokenizersImplementation() if fault.port is None else Port(fault.port)

    @property
    def info(self) -> ImplementationInfo:
        """Return the description."""
        info = replace(self._sound.info, name=self.name)
        return replace(info, stages=ENCODED_AND_DECODED, fields=IDS_AND_TEXT) if self._ids_only else info

    def load(self, source: TokenizerSource) -> FaultySubject:
        """Load the file of ``source``, changed where that is the fault. Raises :class:`CannotLoadError`."""
        sound = self._sound.load(source) if self._fault.change is None else self._changed(source, self._fault.change)
        return self._kind(sound, self._fault, source)

    def _changed(self, source: TokenizerSource, change: Change) -> Subject:
        document = json.loads(Path(source.file).read_text(encoding="utf-8"))
        change(document)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "tokenizer.json"
            file.write_text(json.dumps(document), encoding="utf-8")
            return self._sound.load(replace(source, file=str(file)))


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


class SavingFaulty(FaultySubject):
    """A tokenizer in a faulty implementation, which writes the file as it reads it."""

    def __init__(self, sound: SavingSubject, fault: Fault, source: TokenizerSource) -> None:
        super().__init__(sound, fault, source)
        self.saved = sound.saved


class IdsOnly(FaultySubject):
    """A tokenizer of which nothing but ids and decoded texts are shown, and that was read from another file."""

    def __init__(self, sound: Subject, fault: Fault, source: TokenizerSource) -> None:
        super().__init__(sound, fault, source)
        self.files = (f"{source.file}.converted",)

    def observe(self, observation: Observation) -> Outcome:
        """Answer as the fault has it, where it is about ids."""
        match observation:
            case Encode(text=str(), pair=None):
                outcome = super().observe(observation)
                return Encoded(outcome.ids) if isinstance(outcome, Encoded) else outcome
            case Decode():
                return super().observe(observation)
        return Unsupported("shows ids only")


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


def decoding(change: Callable[[str], str]) -> Fault:
    """Return the fault of giving ``change`` of each decoded text."""

    def spoil(question: Observation, outcome: Outcome) -> Outcome:
        match question, outcome:
            case Decode(), Text(text):
                return Text(change(text))
        return outcome

    return Fault(spoil=spoil)


def in_file(change: Change) -> Fault:
    """Return the fault of reading the tokenizer.json as if it were changed."""
    return Fault(change=change)


def at_once(first: Fault, second: Fault) -> Fault:
    """Return both faults in one implementation: the ``first`` is nearer to the tokenizer."""
    changes, words = [each.change for each in (first, second)], [each.reword for each in (second, first)]
    spoilers = [each.spoil for each in (first, second)]

    def change(document: Json) -> None:
        for each in filter(None, changes):
            each(document)

    def reword(question: Observation) -> Observation:
        for each in filter(None, words):
            question = each(question)
        return question

    def spoil(question: Observation, outcome: Outcome) -> Outcome:
        for each in filter(None, spoilers):
            outcome = each(question, outcome)
        return outcome

    return Fault(
        change=change if any(changes) else None,
        reword=reword if any(words) else None,
        spoil=spoil if any(spoilers) else None,
        port=first.port or second.port,
    )
