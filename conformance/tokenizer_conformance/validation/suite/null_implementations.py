"""Implementations that do nothing right, and must pass no case: each says something to everything, from nothing known.

A case that one of them passes shows nothing. ``silent`` gives empty answers, ``echo`` gives back what it is asked,
``refusing`` raises an error for everything and loads only what it is asked to load first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    After,
    CannotLoadError,
    Chat,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Failed,
    Field,
    ImplementationInfo,
    Normalize,
    Observation,
    OffsetUnit,
    Outcome,
    Pieces,
    PreTokenize,
    Rendered,
    Stage,
    Text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.contract import TokenizerSource


def _encoded(words: Iterable[str]) -> Encoded:
    """Return an encoding that has each of ``words`` as a token, all with the id 0."""
    tokens = tuple(words)
    ends = tuple(sum(map(len, tokens[: index + 1])) for index in range(len(tokens)))
    count = len(tokens)
    return Encoded(
        ids=(0,) * count,
        tokens=tokens,
        offsets=tuple((end - len(token), end) for token, end in zip(tokens, ends, strict=True)),
        word_ids=tuple(range(count)),
        type_ids=(0,) * count,
        attention_mask=(1,) * count,
        special_tokens_mask=(0,) * count,
        sequence_ids=(0,) * count,
        overflowing=(),
    )


@dataclass(frozen=True, slots=True)
class Silent:
    """Gives an empty answer to every question."""

    def observe(self, observation: Observation) -> Outcome:
        """Answer with nothing."""
        match observation:
            case After(observation=plain):
                return self.observe(plain)
            case Normalize() | Decode():
                return Text("")
            case PreTokenize():
                return Pieces(())
            case Encode():
                return _encoded(())
            case EncodeBatch(inputs):
                return EncodedBatch(tuple(_encoded(()) for _ in inputs))
            case DecodeStream():
                return Chunks((None,) * len(observation.steps))
            case Chat():
                return Rendered("")

    def vocabulary(self) -> dict[str, int]:
        """Return no token."""
        return {}

    def saved(self) -> str:
        """Return an empty object."""
        return "{}"


@dataclass(frozen=True, slots=True)
class Echo:
    """Gives back what it is asked: texts as they are, one token a word, ids as numbers."""

    def observe(self, observation: Observation) -> Outcome:
        """Answer with the question."""
        match observation:
            case After(observation=plain):
                return self.observe(plain)
            case Normalize(text):
                return Text(text)
            case PreTokenize(text):
                return Pieces(((text, (0, len(text))),))
            case Encode(text, pair):
                both = ((text,) if isinstance(text, str) else text, (pair,) if isinstance(pair, str) else pair or ())
                return _encoded(word for words in both for word in words)
            case EncodeBatch(inputs):
                return EncodedBatch(tuple(found for each in inputs if isinstance(found := self.observe(each), Encoded)))
            case Decode(ids):
                return Text(" ".join(map(str, ids)))
            case DecodeStream():
                return Chunks(tuple(" ".join(map(str, step)) for step in observation.steps))
            case Chat(messages):
                return Rendered(messages)

    def vocabulary(self) -> dict[str, int]:
        """Return no token."""
        return {}

    def saved(self) -> str:
        """Return an empty object."""
        return "{}"


@dataclass(frozen=True, slots=True)
class Refusing:
    """Raises an error for every question."""

    def observe(self, observation: Observation) -> Outcome:
        """Answer with an error."""
        return Failed("NullError", f"{type(observation).__name__} is refused")

    def vocabulary(self) -> dict[str, int]:
        """Return no token."""
        return {}

    def saved(self) -> Failed:
        """Return an error."""
        return Failed("NullError", "saving is refused")


NullSubject = Silent | Echo | Refusing


class NullImplementation:
    """One of the null implementations. It loads every file, or refuses every one where ``refuses_files``."""

    STAGES: ClassVar[frozenset[Stage]] = frozenset(Stage)
    FIELDS: ClassVar[frozenset[Field]] = frozenset({Field.TEXT, Field.PIECES, *ENCODING_FIELDS})

    def __init__(self, name: str, subject: NullSubject, *, refuses_files: bool = False) -> None:
        self._name = name
        self._subject = subject
        self._refuses_files = refuses_files

    @property
    def info(self) -> ImplementationInfo:
        """Return the description: everything is shown."""
        return ImplementationInfo(
            name=self._name,
            version="1",
            language="Python",
            home_page="",
            stages=self.STAGES,
            fields=self.FIELDS,
            offset_unit=OffsetUnit.CODE_POINTS,
            install="",
        )

    def load(self, source: TokenizerSource) -> NullSubject:
        """Load every file.

        Raises :class:`CannotLoadError` for every one in place of that where files are refused.
        """
        if self._refuses_files:
            raise CannotLoadError(f"{self._name} refuses {source.name}")
        return self._subject


NULL_IMPLEMENTATIONS: tuple[NullImplementation, ...] = (
    NullImplementation("silent", Silent()),
    NullImplementation("echo", Echo()),
    NullImplementation("refusing", Refusing()),
    NullImplementation("refusing-files", Refusing(), refuses_files=True),
)
