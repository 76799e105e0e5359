"""The normalization rules of SentencePiece: their character maps, and the smallest model file that has one.

The maps are data of the ``sentencepiece`` package, which compiles them in; most model files in use hold a copy of one.
A model file is a protobuf message (``sentencepiece_model.proto``): fields of a number and a wire type, of which only
integers and bytes of a length occur here.
"""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from struct import pack
from typing import TYPE_CHECKING, Any, Final

from tokenizer_conformance.research.unicode_audit.asking import CannotAskError, ModelFile

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES: Final = ("nfkc", "nmt_nfkc", "nfkc_cf", "nmt_nfkc_cf")
"""The rules that change anything."""

MODEL_FILE: Final = "spiece.model"

UNKNOWN: Final = "?"
KNOWN: Final = "a"
"""The pieces of the model: tokens that the tokenizer.json beside it has, too, where all bytes are some."""

# Field numbers of ModelProto, SentencePiece, TrainerSpec and NormalizerSpec
PIECES, TRAINER, NORMALIZER = 1, 2, 3
PIECE, SCORE, TYPE = 1, 2, 3
MODEL_TYPE, UNK_ID, BOS_ID, EOS_ID, PAD_ID = 3, 40, 41, 42, 43
CHARSMAP = 2

UNIGRAM, UNKNOWN_TYPE, NONE = 1, 2, -1

VARINT, BYTES, FIXED32 = 0, 2, 5
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
    unknown = _bytes(PIECE, UNKNOWN.encode()) + _float(SCORE, 0.0) + _integer(TYPE, UNKNOWN_TYPE)
    known = _bytes(PIECE, KNOWN.encode()) + _float(SCORE, -1.0)
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
    return _varint(number << 3 | BYTES) + _varint(len(value)) + value


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the value of each field of ``message`` that is bytes; integers are passed over."""
    at = 0
    while at < len(message):
        tag, at = _read_varint(message, at)
        value, at = _read_varint(message, at)
        if tag & 7 == BYTES:
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
