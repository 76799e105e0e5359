"""Asking an implementation about one component: what it makes of texts, what it keeps of them, and where it cuts them.

A stage is asked itself where the implementation shows it; else the ids of the whole pipeline are read
(:mod:`~tokenizer_conformance.research.unicode_audit.documents`).
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from tokenizer_adapters.contract import (
    CannotLoadError,
    Encode,
    Encoded,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    TokenizerSource,
)
from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.research.unicode_audit.documents import BYTES, Sentinels, document, document_of_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    from tokenizer_adapters.contract import Implementation, Observation, Outcome, Span
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.research.unicode_audit.documents import Added, Document, Json

MOST_CHARACTERS: Final = 1 << 17
"""How many characters are asked about in one batch of texts."""

SOURCE: Final = "a document of the audit"

SAMPLE: Final = "a b"
"""What an implementation must answer before it is asked about characters."""


class Way(StrEnum):
    """How an answer was seen."""

    STAGE = "the stage itself"
    IDS = "the ids of the whole pipeline"


class CannotAskError(Exception):
    """An implementation cannot be asked about a component. The message says why."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file to lie beside a tokenizer.json, for implementations that read it instead."""

    name: str
    content: bytes


Cuts = list[int]
"""For each character of a text the number of the piece it stands in, -1 where it stands in none."""


class Asking:
    """Has an implementation load documents, from a folder that is gone at the end, and asks about their components."""

    def __init__(self, implementation: Implementation) -> None:
        self._implementation = implementation
        self._folder = tempfile.TemporaryDirectory()
        self._count = 0
        self.way = Way.STAGE

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    @property
    def name(self) -> str:
        """The name of the implementation."""
        return self._implementation.info.name

    @property
    def shows_pieces(self) -> bool:
        """Whether the last question was put to the stage itself."""
        return self.way is Way.STAGE

    # What can be asked

    def normalized(
        self, normalizer: Json, instead: ModelFile | None = None
    ) -> Callable[[Sequence[str]], list[str | None]]:
        """Return what gives for texts what the ``normalizer`` makes of them; ``None`` where there was no answer.

        What ``instead`` holds is the same normalizer, for implementations that read no tokenizer.json. Raises
        :class:`CannotAskError`.
        """
        if Stage.NORMALIZE in self._implementation.info.stages:
            asked = self._loaded(document(normalizer).text, instead)
            if self._is_answered(asked, Normalize(SAMPLE)):
                self.way = Way.STAGE
                return lambda texts: [_text(each) for each in _answers(asked, list(map(Normalize, texts)))]
        return self.spelled(normalizer)

    def kept(self, pre_tokenizer: Json) -> Callable[[Sequence[str]], list[str | None]]:
        """Return what gives for texts what the ``pre_tokenizer`` keeps of them. Raises :class:`CannotAskError`."""
        if Stage.PRE_TOKENIZE in self._implementation.info.stages:
            asked = self._loaded(document(pre_tokenizer=pre_tokenizer).text)
            if self._is_answered(asked, PreTokenize(SAMPLE)):
                self.way = Way.STAGE
                return lambda texts: [_joined(each) for each in _answers(asked, list(map(PreTokenize, texts)))]
        return self.spelled(None, pre_tokenizer)

    def spelled(
        self, normalizer: Json | None, pre_tokenizer: Json | None = None
    ) -> Callable[[Sequence[str]], list[str | None]]:
        """Return what gives for texts what the ids of the whole pipeline spell.

        Raises :class:`CannotAskError`.
        """
        made = document(normalizer, pre_tokenizer, spells_bytes=True)
        asked = self._loaded(made.text)
        self._must_answer(asked)
        self.way = Way.IDS
        return lambda texts: [_spelled(each, made) for each in _answers(asked, list(map(_encode, texts)))]

    def words(
        self, normalizer: Json | None, words: Sequence[str], added: Sequence[Added]
    ) -> Callable[[Sequence[str]], list[list[str] | None]]:
        """Return what gives for texts the tokens between and beside added ones: one of ``words``, or an unknown one.

        Raises :class:`CannotAskError`.
        """
        text, tokens = document_of_words(normalizer, words, added)
        asked = self._loaded(text)
        self._must_answer(asked)
        self.way = Way.IDS
        return lambda texts: [
            [tokens[id_] for id_ in each.ids] if isinstance(each, Encoded) else None
            for each in _answers(asked, list(map(_encode, texts)))
        ]

    def cuts(self, pre_tokenizer: Json, sentinels: Sentinels) -> Callable[[Sequence[str]], list[Cuts | None]]:
        """Return what gives for texts which piece of the ``pre_tokenizer`` each character stands in.

        Boundaries between two ASCII characters are seen only beside the ``sentinels``, where ids have to show them.
        Raises :class:`CannotAskError`.
        """
        info = self._implementation.info
        if Stage.PRE_TOKENIZE in info.stages:
            asked = self._loaded(document(pre_tokenizer=pre_tokenizer).text)
            if self._is_answered(asked, PreTokenize(SAMPLE)):
                self.way = Way.STAGE
                spells_bytes = pre_tokenizer["type"] == "ByteLevel"
                return lambda texts: [
                    _cuts_of_pieces(text, answer, info.offset_unit, spells_bytes=spells_bytes)
                    for text, answer in zip(texts, _answers(asked, list(map(PreTokenize, texts))), strict=True)
                ]
        made = document(None, pre_tokenizer, spells_bytes=True, sentinels=sentinels)
        asked = self._loaded(made.text)
        self._must_answer(asked)
        self.way = Way.IDS
        return lambda texts: [
            _cuts_of_ids(text, answer, made)
            for text, answer in zip(texts, _answers(asked, list(map(_encode, texts))), strict=True)
        ]

    def spans(self, pre_tokenizer: Json) -> Callable[[Sequence[str]], list[list[Span] | None]]:
        """Return what gives for texts where the pieces of the ``pre_tokenizer`` stand, in code points.

        Raises :class:`CannotAskError`, also where the stage itself is not shown.
        """
        info = self._implementation.info
        asked = self._loaded(document(pre_tokenizer=pre_tokenizer).text)
        outcome = asked.ask(PreTokenize(SAMPLE))
        if not isinstance(outcome, Pieces):
            raise CannotAskError(in_words(outcome) if not isinstance(outcome, (Text, Encoded)) else "shows no pieces")
        self.way = Way.STAGE
        return lambda texts: [
            list(_spans(text, answer.pieces, info.offset_unit, spells_bytes=False))
            if isinstance(answer, Pieces)
            else None
            for text, answer in zip(texts, _answers(asked, list(map(PreTokenize, texts))), strict=True)
        ]

    # Loading

    def _loaded(self, made: Json, instead: ModelFile | None = None) -> Asked:
        self._count += 1
        file = Path(self._folder.name) / str(self._count) / "tokenizer.json"
        file.parent.mkdir()
        file.write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")
        try:
            try:
                return loaded(self._implementation, TokenizerSource(SOURCE, str(file)))
            except CannotLoadError:
                if instead is None:
                    raise
                (file.parent / instead.name).write_bytes(instead.content)
                return loaded(self._implementation, TokenizerSource(SOURCE, str(file), str(file.parent)))
        except CannotLoadError as error:
            reason = str(error).replace(f" ({file})", "").replace(str(file.parent), "…")
            raise CannotAskError(reason) from None

    @staticmethod
    def _is_answered(asked: Asked, question: Observation) -> bool:
        return isinstance(asked.ask(question), (Text, Pieces, Encoded))

    @staticmethod
    def _must_answer(asked: Asked) -> None:
        """Raise :class:`CannotAskError` where not even a plain text is encoded."""
        outcome = asked.ask(_encode(SAMPLE))
        if not isinstance(outcome, Encoded):
            raise CannotAskError(
                in_words(outcome) if not isinstance(outcome, (Text, Pieces)) else "answers with no ids"
            )


def _encode(text: str) -> Encode:
    return Encode(text, add_special_tokens=False)


def _answers(asked: Asked, questions: Sequence[Normalize | PreTokenize | Encode]) -> Iterator[Outcome]:
    """Yield the answers to ``questions``, which are asked in batches of bounded size."""
    batch: list[Observation] = []
    size = 0
    for question in questions:
        batch.append(question)
        size += len(question.text)
        if size >= MOST_CHARACTERS:
            yield from _answers_at_once(asked, batch)
            batch, size = [], 0
    yield from _answers_at_once(asked, batch)


def _answers_at_once(asked: Asked, batch: Sequence[Observation]) -> list[Outcome]:
    asked.ask_ahead(batch)
    answers = [asked.ask(question) for question in batch]
    asked.forget()
    return answers


# Reading answers ------------------------------------------------------------------------------------------------------


def _text(outcome: Outcome) -> str | None:
    return outcome.text if isinstance(outcome, Text) else None


def _joined(outcome: Outcome) -> str | None:
    return "".join(piece for piece, _ in outcome.pieces) if isinstance(outcome, Pieces) else None


def _spelled(outcome: Outcome, made: Document) -> str | None:
    """Return the text that ids spell; bytes that are not UTF-8 are lone surrogates."""
    if not isinstance(outcome, Encoded):
        return None
    return b"".join(map(made.spelling.__getitem__, outcome.ids)).decode("utf-8", "surrogateescape")


def _cuts_of_pieces(text: str, outcome: Outcome, unit: OffsetUnit, *, spells_bytes: bool) -> Cuts | None:
    if not isinstance(outcome, Pieces):
        return None
    cuts = [-1] * len(text)
    spans = _spans(text, outcome.pieces, unit, spells_bytes=spells_bytes)
    for number, (start, end) in enumerate(spans):
        cuts[start:end] = [number] * (end - start)
    return cuts[: len(text)]


def _spans(
    text: str, pieces: Sequence[tuple[str, Span | None]], unit: OffsetUnit, *, spells_bytes: bool
) -> Iterator[Span]:
    """Yield where the pieces stand in ``text``, in code points; where no offsets are shown, found by their texts."""
    at = 0
    for piece, span in pieces:
        if span is not None and unit is OffsetUnit.CODE_POINTS:
            yield span
            continue
        told = _of_byte_characters(piece) if spells_bytes else piece
        found = text.find(told, at)
        if found != -1:
            at = found + len(told)
            yield found, at


def _of_byte_characters(piece: str) -> str:
    return bytes(BYTES[char] for char in piece if char in BYTES).decode("utf-8", "surrogateescape")


def _cuts_of_ids(text: str, outcome: Outcome, made: Document) -> Cuts | None:
    """Return the pieces by the merges over the boundaries of characters."""
    if not isinstance(outcome, Encoded):
        return None
    tokens = [made.spelling[id_] for id_ in outcome.ids]
    stream = b"".join(tokens)
    inner = _inner_boundaries(tokens)
    kept = _kept(text, stream)
    if kept is None:
        return None
    cuts, piece, at = [-1] * len(text), -1, 0
    for place, is_kept in enumerate(kept):
        if not is_kept:
            continue
        piece += at not in inner
        cuts[place] = piece
        at += len(text[place].encode())
    return cuts


def _inner_boundaries(tokens: Sequence[bytes]) -> set[int]:
    """Return the places in the stream of bytes that are inside a token."""
    inner: set[int] = set()
    at = 0
    for token in tokens:
        inner.update(range(at + 1, at + len(token)))
        at += len(token)
    return inner


def _kept(text: str, stream: bytes) -> list[bool] | None:
    """Return which characters of ``text`` the ``stream`` of bytes has; ``None`` where it is not made of them."""
    told = stream.decode("utf-8", "surrogateescape")
    if told == text:
        return [True] * len(text)
    kept, at = [], 0
    for char in text:
        is_kept = at < len(told) and told[at] == char
        kept.append(is_kept)
        at += is_kept
    return kept if at == len(told) else None


def chunks(code_points: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Yield ``code_points`` in runs of at most ``size``."""
    for start, end in pairwise([*range(0, len(code_points), size), len(code_points)]):
        yield code_points[start:end]
