"""Decoders: from tokens back to text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokenizer_reference.decoders.base import Decoder
from tokenizer_reference.decoders.bpe import BPEDecoder
from tokenizer_reference.decoders.byte_fallback import ByteFallback
from tokenizer_reference.decoders.byte_level import ByteLevel
from tokenizer_reference.decoders.ctc import CTC
from tokenizer_reference.decoders.fuse import Fuse
from tokenizer_reference.decoders.metaspace import Metaspace
from tokenizer_reference.decoders.replace import Replace
from tokenizer_reference.decoders.sequence import Sequence
from tokenizer_reference.decoders.stream import DecodeStream
from tokenizer_reference.decoders.strip import Strip
from tokenizer_reference.decoders.word_piece import WordPiece

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "CTC",
    "BPEDecoder",
    "ByteFallback",
    "ByteLevel",
    "DecodeStream",
    "Decoder",
    "Fuse",
    "Metaspace",
    "Replace",
    "Sequence",
    "Strip",
    "WordPiece",
]

COMPONENTS: Final[Mapping[str, type[Decoder]]] = {
    "BPEDecoder": BPEDecoder,
    "ByteLevel": ByteLevel,
    "WordPiece": WordPiece,
    "Metaspace": Metaspace,
    "CTC": CTC,
    "Sequence": Sequence,
    "Replace": Replace,
    "Fuse": Fuse,
    "Strip": Strip,
    "ByteFallback": ByteFallback,
}
"""JSON type name to class, in the order in which the target tries them where ``type`` is missing or unknown."""
