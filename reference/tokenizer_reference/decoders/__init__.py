"""Decoders: from tokens back to text."""

from __future__ import annotations

from tokenizer_reference.decoders.base import DECODER, Decoder
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

COMPONENTS: dict[str, type[Decoder]] = DECODER.components
"""The classes by the name that tokenizer.json has for them, in the order of the stage."""
