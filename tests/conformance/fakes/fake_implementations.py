"""Small implementations for tests of the harness: a correct toy tokenizer, and variants that each have one fault.

The toy lowercases ASCII, splits at spaces, merges characters by a short table, wraps the result in ``<s>`` and
``</s>``, and decodes by joining. Tests import this module; as a plugin it is registered by ``conftest.py``.
"""

from __future__ import annotations

import json
import os
import signal
import string
import time
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    PIPELINE_STAGES,
    BrokeProtocol,
    CannotLoadError,
    Chunks,
    Crashed,
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
    Shows,
    Stage,
    Text,
    TimedOut,
    TokenizerSource,
    UnavailableError,
    Unsupported,
    stage_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

SPECIAL = ("<unk>", "<s>", "</s>", "<sep>")
MERGES = (("a", "b"), ("b", "c"), ("ab", "c"))
TOKENS = (*SPECIAL, *string.ascii_lowercase, *dict.fromkeys("".join(pair) for pair in MERGES), "-", "B", " ")
VOCABULARY = {token: number for number, token in enumerate(TOKENS)}


LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class Token(NamedTuple):
    token: str
    start: int
    end: int
    word: int


Row = tuple[Token | str, int | None]
"""A token, or the name of a special one, and the number of its sequence."""


# Runs ask the same hundreds of times, of each implementation: that must cost next to nothing.


@lru_cache
def _tokens(merges: Sequence[tuple[str, str]], pieces: tuple[tuple[int, str], ...]) -> tuple[Token, ...]:
    """Return the tokens of ``pieces``, each of which is given with its start."""
    tokens = []
    for word, (start, piece) in enumerate(pieces):
        at = start
        for part in _merged(merges, piece):
            tokens.append(Token(part if part in VOCABULARY else "<unk>", at, at + len(part), word))
            at += len(part)
    return tuple(tokens)


def _merged(merges: Sequence[tuple[str, str]], piece: str) -> list[str]:
    parts = list(piece)
    for left, right in merges:
        position = 0
        while position + 1 < len(parts):
            if (parts[position], parts[position + 1]) == (left, right):
                parts[position : position + 2] = [left + right]
            position += 1
    return parts


@lru_cache
def _encoded(rows: tuple[Row, ...]) -> Encoded:
    tokens = [row if isinstance(row, str) else row.token for row, _ in rows]
    return Encoded(
        ids=tuple(VOCABULARY[token] for token in tokens),
        tokens=tuple(tokens),
        offsets=tuple((0, 0) if isinstance(row, str) else (row.start, row.end) for row, _ in rows),
        word_ids=tuple(None if isinstance(row, str) else row.word for row, _ in rows),
        type_ids=tuple(sequence or 0 for _, sequence in rows),
        attention_mask=(1,) * len(rows),
        special_tokens_mask=tuple(int(isinstance(row, str)) for row, _ in rows),
        sequence_ids=tuple(sequence for _, sequence in rows),
        overflowing=(),
    )


class ToySubject:
    """The toy tokenizer; subclasses override one stage each."""

    merges: ClassVar[Sequence[tuple[str, str]]] = MERGES

    def observe(self, observation: Observation) -> Outcome:
        match observation:
            case Normalize(text):
                return Text(self.normalize(text))
            case PreTokenize(text):
                return Pieces(tuple((piece, (start, start + len(piece))) for start, piece in self.pieces(text)))
            case Encode(str(text), pair, add_special_tokens):
                return self.encode(text, pair, add_special_tokens)
            case Decode(ids, skip_special_tokens):
                return self.decode(ids, skip_special_tokens)
        return Unsupported("the toy takes no words and no batches, and decodes all ids at once")

    def vocabulary(self) -> dict[str, int] | Unsupported:
        return dict(VOCABULARY)

    def normalize(self, text: str) -> str:
        return text.translate(LOWER)

    def pieces(self, text: str) -> list[tuple[int, str]]:
        found, start = [], 0
        for piece in text.split(" "):
            if piece:
                found.append((start, piece))
            start += len(piece) + 1
        return found

    def model(self, text: str) -> list[Token]:
        return list(_tokens(self.merges, tuple(self.pieces(self.normalize(text)))))

    def specials(self) -> tuple[str, str]:
        return "<s>", "</s>"

    def encode(self, text: str, pair: str | None, add_special_tokens: bool) -> Outcome:
        first, last = self.specials()
        rows: list[Row] = [(token, 0) for token in self.model(text)]
        second = [] if pair is None else [(token, 1) for token in self.model(pair)]
        if add_special_tokens:
            rows = [(first, None), *rows, (last, None)]
            second = [*second, (last, None)] if second else []
        return self.encoded([*rows, *second])

    def encoded(self, rows: Sequence[Row]) -> Encoded:
        return _encoded(tuple(rows))

    def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> Outcome:
        tokens = (TOKENS[number] for number in ids)
        return Text("".join(token for token in tokens if not (skip_special_tokens and token in SPECIAL)))


class Toy:
    """The correct implementation."""

    name: ClassVar[str] = "toy"
    subject: ClassVar[type[ToySubject]] = ToySubject
    unit: ClassVar[OffsetUnit] = OffsetUnit.CODE_POINTS
    stages: ClassVar[frozenset[Stage]] = frozenset(PIPELINE_STAGES)
    fields: ClassVar[frozenset[Field]] = frozenset({Field.TEXT, Field.PIECES, *ENCODING_FIELDS})

    @property
    def info(self) -> ImplementationInfo:
        return ImplementationInfo(
            name=self.name,
            version="1.0",
            language="Python",
            home_page="",
            stages=self.stages,
            fields=self.fields,
            offset_unit=self.unit,
            install="",
        )

    def load(self, source: TokenizerSource) -> ToySubject:
        model = json.loads(Path(source.file).read_text(encoding="utf-8"))["model"]
        if model["type"] != "Toy":
            raise CannotLoadError(
                f"{self.name} cannot load {source.name} ({source.file}): merge names the unknown `zz`"
            )
        return self.subject()


# A fault in each stage -----------------------------------------------------------------------------------------------


class WrongNormalization(Toy):
    """Leaves a capital B as it is."""

    name = "wrong-normalization"

    class subject(ToySubject):  # noqa: N801 - stands for the attribute
        def normalize(self, text: str) -> str:
            return "".join(c if c == "B" else super(WrongNormalization.subject, self).normalize(c) for c in text)


class WrongPieces(Toy):
    """Splits at hyphens too."""

    name = "wrong-pieces"

    class subject(ToySubject):  # noqa: N801
        def pieces(self, text: str) -> list[tuple[int, str]]:
            found = []
            for start, piece in super().pieces(text):
                at = start
                for part in piece.replace("-", " - ").split():
                    found.append((at, part))
                    at += len(part)
            return found


class ShiftedOffset(Toy):
    """Ends the last token of a text one character late."""

    name = "shifted-offset"

    class subject(ToySubject):  # noqa: N801
        def model(self, text: str) -> list[Token]:
            tokens = super().model(text)
            return [*tokens[:-1], *(token._replace(end=token.end + 1) for token in tokens[-1:])]


class SwappedMerge(Toy):
    """Merges b and c before a and b."""

    name = "swapped-merge"

    class subject(ToySubject):  # noqa: N801
        merges = (MERGES[1], MERGES[0], MERGES[2])


class WrongSpecialToken(Toy):
    """Ends with ``<sep>``."""

    name = "wrong-special-token"

    class subject(ToySubject):  # noqa: N801
        def specials(self) -> tuple[str, str]:
            return "<s>", "<sep>"


class LossyDecode(Toy):
    """Loses every z."""

    name = "lossy-decode"

    class subject(ToySubject):  # noqa: N801
        def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> Outcome:
            outcome = super().decode(ids, skip_special_tokens)
            return Text(outcome.text.replace("z", "")) if isinstance(outcome, Text) else outcome


# No answer, or no value ----------------------------------------------------------------------------------------------


class _Answering(ToySubject):
    """Answers ``outcome`` to whatever holds an x, and all else well."""

    outcome: ClassVar[Outcome]

    def observe(self, observation: Observation) -> Outcome:
        return self.outcome if "x" in getattr(observation, "text", "") else super().observe(observation)


class Raising(Toy):
    name = "raising"

    class subject(_Answering):  # noqa: N801
        outcome = Failed("ValueError", "no x, please")


class AlsoRaising(Raising):
    name = "also-raising"


class Crashing(Toy):
    name = "crashing"

    class subject(_Answering):  # noqa: N801
        outcome = Crashed("signal 11")


class Hanging(Toy):
    name = "hanging"

    class subject(_Answering):  # noqa: N801
        outcome = TimedOut(2.5)


class Garbling(Toy):
    name = "garbling"

    class subject(_Answering):  # noqa: N801
        outcome = BrokeProtocol("a line that is not JSON")


class Mute(Toy):
    """Shows nothing at all."""

    name = "mute"

    class subject(ToySubject):  # noqa: N801
        def observe(self, observation: Observation) -> Outcome:
            return Unsupported(f"says nothing to {observation}")

        def vocabulary(self) -> Unsupported:
            return Unsupported("says nothing")


class IdsOnly(Toy):
    """Shows ids and decodes, and nothing of its inside."""

    name = "ids-only"
    stages = frozenset({Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE})
    fields = frozenset({Field.IDS, Field.TEXT})

    class subject(ToySubject):  # noqa: N801
        def encoded(self, rows: Sequence[Row]) -> Encoded:
            return Encoded(ids=super().encoded(rows).ids)


class Boasting(Toy):
    """Says that it shows everything, and shows the offsets of one text in fifty."""

    name = "boasting"

    class subject(ToySubject):  # noqa: N801
        asked = 0

        def encoded(self, rows: Sequence[Row]) -> Encoded:
            self.asked += 1
            encoded = super().encoded(rows)
            return encoded if self.asked % 50 == 1 else replace(encoded, offsets=None)


class Modest(Boasting):
    """Shows no offsets in most answers, and says so when it loads a tokenizer; answers all questions."""

    name = "modest"

    class subject(Boasting.subject):  # noqa: N801
        shows = dict.fromkeys(Stage, Toy.fields - {Field.OFFSETS})


class ShowsModelOnly(Toy):
    """Answers nothing but ``encode`` without special tokens, and says so when it loads a tokenizer."""

    name = "shows-model-only"

    class subject(ToySubject):  # noqa: N801
        shows: ClassVar[Shows] = {Stage.MODEL: Toy.fields}

        def observe(self, observation: Observation) -> Outcome:
            if stage_of(observation) is not Stage.MODEL:
                return Unsupported("shows the model only")
            return super().observe(observation)


class Narrowed(Toy):
    """Shows everything, and says that it shows ids only, and of pieces nothing."""

    name = "narrowed"

    class subject(ToySubject):  # noqa: N801
        shows: ClassVar[Shows] = {Stage.MODEL: frozenset({Field.IDS})}


class NarrowedAndWrong(SwappedMerge):
    """Says that it shows no encodings, and gives wrong ones."""

    name = "narrowed-and-wrong"

    class subject(SwappedMerge.subject):  # noqa: N801
        shows: ClassVar[Shows] = {Stage.DECODE: frozenset({Field.TEXT})}


class Widened(IdsOnly):
    """Has announced ids, and says of a tokenizer that it shows everything."""

    name = "widened"

    class subject(IdsOnly.subject):  # noqa: N801
        shows = dict.fromkeys(Stage, Toy.fields)


class ShowsNonsense(Toy):
    """Says what it shows in a form that is none."""

    name = "shows-nonsense"

    class subject(ToySubject):  # noqa: N801
        shows = 5


class Silent(Toy):
    """Answers one question, that about the first text's normalization, and no other; says that it shows everything."""

    name = "silent"

    class subject(ToySubject):  # noqa: N801
        has_answered = False

        def observe(self, observation: Observation) -> Outcome:
            if self.has_answered:
                return Unsupported("silent shows nothing more")
            type(self).has_answered = True
            return super().observe(observation)


class Flaky(Toy):
    """Loses a token of every third answer, whatever was asked; asked again it does not."""

    name = "flaky"

    class subject(ToySubject):  # noqa: N801
        asked = 0

        def encoded(self, rows: Sequence[Row]) -> Encoded:
            type(self).asked += 1
            return super().encoded(rows[:-1] if self.asked % 3 == 0 else rows)


class Tossing(Toy):
    """Loses the last token of an answer, or does not, as a coin falls."""

    name = "tossing"

    class subject(ToySubject):  # noqa: N801
        def __init__(self) -> None:
            self._coin = Random(1)

        def encoded(self, rows: Sequence[Row]) -> Encoded:
            return super().encoded(rows[:-1] if self._coin.random() < 0.5 else rows)


class FlakyAndWrong(Toy):
    """Loses the last token of every text with a z, and of every third other one; asked again of that, it does not."""

    name = "flaky-and-wrong"

    class subject(ToySubject):  # noqa: N801
        asked = 0

        def encode(self, text: str, pair: str | None, add_special_tokens: bool) -> Outcome:
            type(self).asked += 1
            outcome = super().encode(text, pair, add_special_tokens)
            is_wrong = "z" in text or self.asked % 3 == 0
            return cut_short(outcome) if is_wrong and isinstance(outcome, Encoded) and outcome.ids else outcome


def cut_short(encoded: Encoded) -> Encoded:
    """Return ``encoded`` without its last token."""
    columns = {field.name: getattr(encoded, field.name) for field in dataclass_fields(encoded)}
    return Encoded(
        **{name: value[:-1] if isinstance(value, tuple) and value else value for name, value in columns.items()}
    )


class Unruly(Toy):
    """Breaks the contract: raises out of ``observe``, or answers with a value of another type."""

    name = "unruly"

    class subject(ToySubject):  # noqa: N801
        def observe(self, observation: Observation) -> Outcome:
            match observation:
                case Normalize():
                    raise SystemExit(7)
                case PreTokenize():
                    return Text("not pieces")
            return super().observe(observation)


class CannotLoad(Toy):
    name = "cannot-load"

    def load(self, source: TokenizerSource) -> ToySubject:
        raise CannotLoadError(f"cannot-load cannot load {source.name}: it never does")


class Unavailable(Toy):
    name = "unavailable"

    def __init__(self) -> None:
        raise UnavailableError("unavailable is not installed; install it with: pip install unavailable")


class Hostile(Toy):
    """Decodes to what would harm a terminal or a page."""

    name = "hostile"
    texts: ClassVar[tuple[str, ...]] = (
        "\x1b[2J\x1b]0;owned\x07",
        "\u202e|`<script>",
        "\ud800",
        "\r\n# heading\n- x",
        "[a](http://b)",
        "```\n<img src=x>",
    )

    class subject(ToySubject):  # noqa: N801
        def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> Outcome:
            mark = "" if skip_special_tokens else "<s>"
            return Text(Hostile.texts[len(ids) % len(Hostile.texts)] + mark)


# Offset units --------------------------------------------------------------------------------------------------------


class Utf8(Toy):
    """Correct, with offsets in UTF-8 bytes."""

    name = "utf8"
    unit = OffsetUnit.UTF8_BYTES

    class subject(ToySubject):  # noqa: N801
        def observe(self, observation: Observation) -> Outcome:
            outcome = super().observe(observation)
            text = getattr(observation, "text", "")
            match outcome:
                case Pieces(pieces):
                    return Pieces(tuple((piece, span and self.in_bytes(span, text)) for piece, span in pieces))
                case Encoded(offsets=tuple(offsets), sequence_ids=tuple(sequences)):
                    pair = getattr(observation, "pair", None) or ""
                    texts = [pair if sequence == 1 else text for sequence in sequences]
                    return replace(outcome, offsets=tuple(map(self.in_bytes, offsets, texts)))
            return outcome

        def in_bytes(self, span: tuple[int, int], text: str) -> tuple[int, int]:
            return len(text[: span[0]].encode()), len(text[: span[1]].encode())


class ByteTokens(Toy):
    """Has an unknown token for each byte of a character beyond ASCII; their offsets are the whole character."""

    name = "byte-tokens"

    class subject(ToySubject):  # noqa: N801
        def model(self, text: str) -> list[Token]:
            return [part for token in super().model(text) for part in self.parts(token, text)]

        def parts(self, token: Token, text: str) -> list[Token]:
            return [token] * len(text[token.start : token.end].encode()) if token.token == "<unk>" else [token]


class FinerByteTokens(ByteTokens):
    """The same, with offsets in bytes: each token has its own byte."""

    name = "finer-byte-tokens"
    unit = OffsetUnit.UTF8_BYTES

    class subject(ByteTokens.subject):  # noqa: N801
        def model(self, text: str) -> list[Token]:
            whole = (
                each._replace(start=self.at(text, each.start), end=self.at(text, each.end))
                for each in super().model(text)
            )
            return [self.own_byte(each, place) for _, same in groupby(whole) for place, each in enumerate(same)]

        def at(self, text: str, index: int) -> int:
            return len(text[:index].encode())

        def own_byte(self, token: Token, place: int) -> Token:
            start = token.start + place
            return token._replace(start=start, end=start + 1) if token.token == "<unk>" else token


class Generous(Toy):
    """Correct, and answers the extra questions too."""

    name = "generous"

    class subject(ToySubject):  # noqa: N801
        def observe(self, observation: Observation) -> Outcome:
            match observation:
                case Encode(tuple(words), tuple() | None as pair, special):
                    return self.encode(" ".join(words), None if pair is None else " ".join(pair), special)
                case EncodeBatch(inputs):
                    return EncodedBatch(tuple(map(self.observe, inputs)))  # type: ignore[arg-type]
                case DecodeStream(ids, skip_special_tokens):
                    texts = (self.decode((number,), skip_special_tokens) for number in ids)
                    return Chunks(tuple(each.text or None for each in texts if isinstance(each, Text)))
            return super().observe(observation)


class AlsoGenerous(Generous):
    name = "also-generous"


class WrongBatch(Generous):
    """Loses the types of the tokens in a batch."""

    name = "wrong-batch"

    class subject(Generous.subject):  # noqa: N801
        def observe(self, observation: Observation) -> Outcome:
            outcome = super().observe(observation)
            if isinstance(outcome, EncodedBatch):
                return EncodedBatch(tuple(replace(each, type_ids=(7,) * len(each.ids)) for each in outcome.encodings))
            return outcome


class InsideCharacter(Utf8):
    """Ends spans one byte early."""

    name = "inside-character"

    class subject(Utf8.subject):  # noqa: N801
        def in_bytes(self, span: tuple[int, int], text: str) -> tuple[int, int]:
            start, end = super().in_bytes(span, text)
            return start, end - 1 if end > start + 1 else end


# Interrupts ----------------------------------------------------------------------------------------------------------


class Interrupted(Toy):
    """Is interrupted at the third text."""

    name = "interrupted"

    class subject(ToySubject):  # noqa: N801
        def __init__(self) -> None:
            self.texts = 0

        def observe(self, observation: Observation) -> Outcome:
            self.texts += isinstance(observation, Normalize)
            if self.texts == 3:
                raise KeyboardInterrupt
            return super().observe(observation)


class Slow(Toy):
    """Takes its time, and leaves the file ``slow-asked`` in the folder when it is asked."""

    name = "slow"

    class subject(ToySubject):  # noqa: N801
        def observe(self, observation: Observation) -> Outcome:
            Path("slow-asked").touch()
            time.sleep(0.02)
            return super().observe(observation)


class Swallowing(Toy):
    """Receives Ctrl-C at the second text, takes the interrupt for an error of its own, and carries on."""

    name = "swallowing"

    class subject(ToySubject):  # noqa: N801
        def __init__(self) -> None:
            self.texts = 0

        def observe(self, observation: Observation) -> Outcome:
            if isinstance(observation, Normalize):
                self.texts += 1
                if self.texts == 2:
                    try:
                        os.kill(os.getpid(), signal.SIGINT)
                        time.sleep(1)
                    except KeyboardInterrupt:
                        return Failed("KeyboardInterrupt", "")
            return super().observe(observation)


ALL: tuple[type[Toy], ...] = (
    Toy,
    WrongNormalization,
    WrongPieces,
    ShiftedOffset,
    SwappedMerge,
    WrongSpecialToken,
    LossyDecode,
    Raising,
    AlsoRaising,
    Crashing,
    Hanging,
    Garbling,
    Mute,
    IdsOnly,
    Modest,
    Boasting,
    Silent,
    Flaky,
    Tossing,
    FlakyAndWrong,
    Unruly,
    CannotLoad,
    Unavailable,
    Hostile,
    Utf8,
    ByteTokens,
    FinerByteTokens,
    Generous,
    AlsoGenerous,
    WrongBatch,
    InsideCharacter,
    Interrupted,
    Slow,
    Swallowing,
)
