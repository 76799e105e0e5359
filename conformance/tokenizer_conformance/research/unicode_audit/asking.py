"""Asking an implementation about one component: what it makes of texts, what it keeps of them, and where it cuts them.

A stage is asked itself where the implementation shows it; else the ids of the whole pipeline are read
(:mod:`~tokenizer_conformance.research.unicode_audit.documents`).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

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
from tokenizer_conformance.research.unicode_audit.documents import (
    BYTES,
    CannotAskError,
    document,
    document_of_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from tokenizer_adapters.contract import Implementation, Outcome, Span
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.research.unicode_audit.documents import Added, Document, Json, ModelFile, Sentinels

MOST_CHARACTERS: Final = 1 << 17
"""How many characters are asked about in one batch of texts."""

SOURCE: Final = "a document of the audit"

SAMPLE: Final = "a b"
"""What an implementation must answer before it is asked about characters."""


class Way(StrEnum):
    """How an answer was seen."""

    STAGE = "the stage itself"
    IDS = "the ids of the whole pipeline"


A = TypeVar("A")

Asker = Callable[[Sequence[str]], "list[A | None]"]
"""Gives what is read in the answers to texts, ``None`` where there was none."""

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
    def shows_pieces(self) -> bool:
        """Whether the last question was put to the stage itself."""
        return self.way is Way.STAGE

    # What can be asked: each returns what gives the answers to texts, ``None`` where there was none, or raises
    # CannotAskError

    def normalized(self, normalizer: Json, instead: ModelFile | None = None) -> Asker[str]:
        """Return what gives what the ``normalizer`` makes of texts.

        What ``instead`` holds is the same normalizer, for implementations that read no tokenizer.json.
        """
        asker = self._of_stage(Stage.NORMALIZE, document(normalizer), lambda _, answer: answer.text, instead)
        return asker or self._spelled(normalizer)

    def kept(self, pre_tokenizer: Json) -> Asker[str]:
        """Return what gives what the ``pre_tokenizer`` keeps of texts."""
        made = document(pre_tokenizer=pre_tokenizer)
        asker = self._of_stage(Stage.PRE_TOKENIZE, made, lambda _, answer: "".join(each for each, _ in answer.pieces))
        return asker or self._spelled(None, pre_tokenizer)

    def _spelled(self, normalizer: Json | None, pre_tokenizer: Json | None = None) -> Asker[str]:
        """Return what gives the texts that ids spell; bytes that are not UTF-8 are lone surrogates."""
        made = document(normalizer, pre_tokenizer, spells_bytes=True)

        def spelled(_text: str, answer: Encoded) -> str:
            return b"".join(map(made.spelling.__getitem__, answer.ids)).decode("utf-8", "surrogateescape")

        return self._of_ids(made.text, spelled)

    def words(self, normalizer: Json | None, words: Sequence[str], added: Sequence[Added]) -> Asker[list[str]]:
        """Return what gives the tokens between and beside ``added`` ones: one of ``words``, or an unknown one."""
        text, tokens = document_of_words(normalizer, words, added)
        return self._of_ids(text, lambda _, answer: [tokens[id_] for id_ in answer.ids])

    def cuts(self, pre_tokenizer: Json, sentinels: Sentinels) -> Asker[Cuts]:
        """Return what gives which piece of the ``pre_tokenizer`` each character stands in.

        Boundaries between two ASCII characters are seen only beside the ``sentinels``, where ids have to show them.
        """
        unit, spells_bytes = self._implementation.info.offset_unit, pre_tokenizer["type"] == "ByteLevel"

        def cuts_of_pieces(text: str, answer: Pieces) -> Cuts:
            cuts = [-1] * len(text)
            for number, (start, end) in enumerate(_spans(text, answer.pieces, unit, spells_bytes=spells_bytes)):
                cuts[start:end] = [number] * (end - start)
            return cuts[: len(text)]

        asker = self._of_stage(Stage.PRE_TOKENIZE, document(pre_tokenizer=pre_tokenizer), cuts_of_pieces)
        if asker is not None:
            return asker
        made = document(None, pre_tokenizer, spells_bytes=True, sentinels=sentinels)

        def cuts_of_ids(text: str, answer: Encoded) -> Cuts | None:
            return _cuts_of_tokens(text, [made.spelling[id_] for id_ in answer.ids])

        return self._of_ids(made.text, cuts_of_ids)

    def spans(self, pre_tokenizer: Json) -> Asker[list[Span]]:
        """Return what gives where the pieces of the ``pre_tokenizer`` are, in code points; the stage must show them."""
        unit = self._implementation.info.offset_unit

        def spans_of(text: str, answer: Pieces) -> list[Span]:
            return list(_spans(text, answer.pieces, unit, spells_bytes=False))

        asker = self._of_stage(Stage.PRE_TOKENIZE, document(pre_tokenizer=pre_tokenizer), spans_of)
        if asker is None:
            raise CannotAskError("shows no pieces")
        return asker

    def _of_stage(
        self, stage: Stage, made: Document, read: Callable[[str, Any], A], instead: ModelFile | None = None
    ) -> Asker[A] | None:
        """Return what asks the ``stage`` itself, ``None`` where that is not shown."""
        if stage not in self._implementation.info.stages:
            return None
        question, kind = (Normalize, Text) if stage is Stage.NORMALIZE else (PreTokenize, Pieces)
        asked = self._loaded(made.text, instead)
        if not isinstance(asked.ask(question(SAMPLE)), kind):
            return None
        self.way = Way.STAGE
        return partial(_read_answers, asked, question, kind, read)

    def _of_ids(self, made: Json, read: Callable[[str, Encoded], A | None]) -> Asker[A]:
        """Return what asks for ids. Raises :class:`CannotAskError` where not even a plain text is encoded."""
        asked = self._loaded(made)
        outcome = asked.ask(_encode(SAMPLE))
        if not isinstance(outcome, Encoded):
            raise CannotAskError(
                in_words(outcome) if not isinstance(outcome, (Text, Pieces)) else "answers with no ids"
            )
        self.way = Way.IDS
        return partial(_read_answers, asked, _encode, Encoded, read)

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


def _encode(text: str) -> Encode:
    return Encode(text, add_special_tokens=False)


def _read_answers(
    asked: Asked,
    question_of: Callable[[str], Normalize | PreTokenize | Encode],
    kind: type[Outcome],
    read: Callable[[str, Any], A | None],
    texts: Sequence[str],
) -> list[A | None]:
    """Ask about ``texts``, in batches of bounded size, and return what is ``read`` in the answers of this ``kind``."""
    found: list[A | None] = []
    for batch in _batches(texts):
        questions = list(map(question_of, batch))
        asked.ask_ahead(questions)
        answers = [(text, asked.ask(question)) for text, question in zip(batch, questions, strict=True)]
        found += [read(text, answer) if isinstance(answer, kind) else None for text, answer in answers]
        asked.forget()
    return found


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= MOST_CHARACTERS:
            yield batch
            batch, size = [], 0
    yield batch


# Reading answers ------------------------------------------------------------------------------------------------------


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


def _cuts_of_tokens(text: str, tokens: Sequence[bytes]) -> Cuts | None:
    """Return the pieces by the merges over the boundaries of characters."""
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
