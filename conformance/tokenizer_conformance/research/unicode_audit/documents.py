"""The tokenizer.json documents that ask about one component: it stands before a model that spells bytes.

The model is a byte-level BPE whose vocabulary is the 256 bytes, so that an implementation that shows nothing but ids
shows by these what its normalizer made of a text, and which characters its pre-tokenizer left out. Where pieces begin
and end is shown by merges: the last byte of a character and the first one of the next become one token where both stand
in one piece, and nowhere else.

Some implementations read a SentencePiece model in place of a tokenizer.json. Its normalization rules are character
maps, which the package ``sentencepiece`` has compiled in; most model files in use hold a copy of one. A model file is a
protobuf message (``sentencepiece_model.proto``): fields of a number and a wire type, of which only integers and bytes
of a length occur here.
"""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import asdict, dataclass
from functools import cache
from struct import pack
from typing import TYPE_CHECKING, Any, Final

from tokenizer_conformance.inputs.text_generators.entries import byte_of_character

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Json = dict[str, Any]

LEADING: Final = range(0xC2, 0xF5)
TRAILING: Final = range(0x80, 0xC0)
ASCII: Final = range(0x80)

BYTE_LEVEL: Final[Json] = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
"""The pre-tokenizer that spells bytes and cuts nothing."""


BYTES: Final = byte_of_character()
BYTE_CHARACTERS: Final = {byte: char for char, byte in BYTES.items()}


class CannotAskError(Exception):
    """An implementation cannot be asked about a component. The message says why."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file to lie beside a tokenizer.json, for implementations that read it instead."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Added:
    """An added token of a document."""

    content: str
    lstrip: bool = False
    rstrip: bool = False
    single_word: bool = False


@dataclass(frozen=True, slots=True)
class Sentinels:
    """ASCII characters that stand before and after a character that is asked about, and between two such blocks.

    All three are different.
    """

    left: str
    right: str
    between: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document, and the bytes that each id of it stands for."""

    text: Json
    spelling: tuple[bytes, ...]


def document(
    normalizer: Json | None = None,
    pre_tokenizer: Json | None = None,
    *,
    spells_bytes: bool = False,
    sentinels: Sentinels | None = None,
) -> Document:
    """Return the document with these components.

    Where it ``spells_bytes``, the pre-tokenizer is followed by the one that does; the ids of a text then are those of
    its bytes, two in one where that is a part of a character. With ``sentinels`` boundaries of pieces are shown.
    """
    merges = list(_merges(sentinels) if sentinels is not None else _shortening() if spells_bytes else ())
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += dict.fromkeys(left + right for left, right in merges)
    text: Json = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": normalizer,
        "pre_tokenizer": _followed_by_bytes(pre_tokenizer) if spells_bytes else pre_tokenizer,
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {_spelled(token): number for number, token in enumerate(tokens)},
            "merges": [f"{_spelled(left)} {_spelled(right)}" for left, right in merges],
        },
    }
    return Document(text, tuple(tokens))


UNKNOWN: Final = "[UNK]"
"""The token of a word that a document of words does not have."""


def document_of_words(normalizer: Json | None, words: Sequence[str], added: Sequence[Added]) -> tuple[Json, list[str]]:
    """Return a document whose vocabulary are the ``words``, and what each of its ids stands for.

    It cuts nothing: what stands between two added tokens is one word, which it knows or not.
    """
    tokens = [UNKNOWN, *words]
    made = document(normalizer).text
    made["decoder"] = None
    made["model"] = {"type": "WordLevel", "vocab": {token: at for at, token in enumerate(tokens)}, "unk_token": UNKNOWN}
    made["added_tokens"] = [_added_token(token, len(tokens) + number) for number, token in enumerate(added)]
    return made, [*tokens, *(token.content for token in added)]


def _spelled(token: bytes) -> str:
    return "".join(BYTE_CHARACTERS[byte] for byte in token)


def _followed_by_bytes(pre_tokenizer: Json | None) -> Json:
    match pre_tokenizer:
        case None:
            return BYTE_LEVEL
        case {"type": "ByteLevel"}:  # it spells bytes itself
            return pre_tokenizer
    return {"type": "Sequence", "pretokenizers": [pre_tokenizer, BYTE_LEVEL]}


def _added_token(token: Added, number: int) -> Json:
    return {"id": number, **asdict(token), "normalized": False, "special": False}


def _shortening() -> Iterator[tuple[bytes, bytes]]:
    """Yield merges inside of characters: they make half as many ids of a text, which spell the same."""
    for first in (LEADING, TRAILING):
        yield from ((bytes([byte]), bytes([last])) for byte in first for last in TRAILING)


def _merges(sentinels: Sentinels) -> Iterator[tuple[bytes, bytes]]:
    """Yield the merges over the boundaries of characters: none of them shares a byte with another in one text."""
    left, right = sentinels.left.encode(), sentinels.right.encode()
    yield from ((left, bytes([byte])) for byte in LEADING)
    yield from ((bytes([byte]), right) for byte in TRAILING)
    yield from ((bytes([last]), bytes([first])) for last in TRAILING for first in LEADING)
    others = [bytes([byte]) for byte in ASCII]
    yield from ((left, each) for each in others)
    yield from ((left + each, right) for each in others)
    yield from ((each, right) for each in others)


# Files of SentencePiece -----------------------------------------------------------------------------------------------

RULES: Final = ("nfkc", "nmt_nfkc", "nfkc_cf", "nmt_nfkc_cf")
"""The rules that change anything."""

MODEL_FILE: Final = "spiece.model"

UNKNOWN_PIECE: Final = "?"
KNOWN_PIECE: Final = "a"
"""The pieces of the model: tokens that the tokenizer.json beside it has, too, where all bytes are some."""

# Field numbers of ModelProto, SentencePiece, TrainerSpec and NormalizerSpec
PIECES, TRAINER, NORMALIZER = 1, 2, 3
PIECE, SCORE, TYPE = 1, 2, 3
MODEL_TYPE, UNK_ID, BOS_ID, EOS_ID, PAD_ID = 3, 40, 41, 42, 43
CHARSMAP = 2

UNIGRAM, UNKNOWN_TYPE, NONE = 1, 2, -1

VARINT, LENGTH_DELIMITED, FIXED32 = 0, 2, 5
"""Wire types: an integer, bytes after their length, four bytes."""


@cache
def charsmap_of(rule: str) -> bytes:
    """Return the compiled character map of ``rule``, as the installed ``sentencepiece`` has it.

    Raises :class:`CannotAskError` where that is not installed, or has no such map to show.
    """
    if importlib.util.find_spec("sentencepiece") is None:
        raise CannotAskError("the map of the rule is in the package sentencepiece, which is not installed")
    module: Any = importlib.import_module("sentencepiece")
    try:
        spec = module.SentencePieceNormalizer(rule_name=rule).serialized_normalizer_spec()
    except (AttributeError, RuntimeError, TypeError) as error:
        raise CannotAskError(f"the installed sentencepiece shows no map of the rule {rule}: {error}") from None
    return next(value for number, value in _fields(spec) if number == CHARSMAP)


def model_file(charsmap: bytes) -> ModelFile:
    """Return a Unigram model of the unknown piece and one other, whose normalizer is ``charsmap`` alone."""
    unknown = _bytes(PIECE, UNKNOWN_PIECE.encode()) + _float(SCORE, 0.0) + _integer(TYPE, UNKNOWN_TYPE)
    known = _bytes(PIECE, KNOWN_PIECE.encode()) + _float(SCORE, -1.0)
    trainer = _integer(MODEL_TYPE, UNIGRAM) + _integer(UNK_ID, 0)
    trainer += b"".join(_integer(number, NONE) for number in (BOS_ID, EOS_ID, PAD_ID))
    message = _bytes(PIECES, unknown) + _bytes(PIECES, known) + _bytes(TRAINER, trainer)
    return ModelFile(MODEL_FILE, message + _bytes(NORMALIZER, _bytes(CHARSMAP, charsmap)))


# Protobuf -------------------------------------------------------------------------------------------------------------


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # as negative integers are written
    groups = []
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*groups, value])


def _integer(number: int, value: int) -> bytes:
    return _varint(number << 3 | VARINT) + _varint(value)


def _float(number: int, value: float) -> bytes:
    return _varint(number << 3 | FIXED32) + pack("<f", value)


def _bytes(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | LENGTH_DELIMITED) + _varint(len(value)) + value


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the value of each field of ``message`` that is bytes; integers are passed over."""
    at = 0
    while at < len(message):
        tag, at = _read_varint(message, at)
        value, at = _read_varint(message, at)
        if tag & 7 == LENGTH_DELIMITED:
            yield tag >> 3, message[at : at + value]
            at += value


def _read_varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
