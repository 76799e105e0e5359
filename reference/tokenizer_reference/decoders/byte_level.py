"""ByteLevel: tokens are written in GPT-2's byte alphabet."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from tokenizer_reference.decoders.base import DECODER, Decoder
from tokenizer_reference.stage import BYTE_LEVEL
from tokenizer_reference.text.byte_level import CHAR_TO_BYTE

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue


@DECODER.component(BYTE_LEVEL)
class ByteLevel(Decoder):
    """Turns characters into bytes and decodes all of them together as UTF-8, U+FFFD for each ill-formed sequence.

    A token with any character outside the alphabet stands for its own text, and arguments are taken by any name and not
    looked at (observed, tokenizers 0.23.3).

    >>> ByteLevel().decode(["Hello", "Ġworld", "Ã", "©"])
    'Hello worldé'
    """

    def __init__(self, **_kwargs: object) -> None:
        # Without meaning for decoding, but read and written: the pre-tokenizer's fields.
        self._add_prefix_space = True
        self._trim_offsets = True
        self._use_regex = True

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        # "replace" puts one U+FFFD for each maximal subpart, as Rust does (Unicode 16.0, section 3.9).
        return [b"".join(map(token_bytes, tokens)).decode("utf-8", "replace")]

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "ByteLevel",
            "add_prefix_space": self._add_prefix_space,
            "trim_offsets": self._trim_offsets,
            "use_regex": self._use_regex,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        decoder = cls()
        decoder._add_prefix_space = value["add_prefix_space"].boolean()
        decoder._trim_offsets = value["trim_offsets"].boolean()
        decoder._use_regex = value.get("use_regex", default=True).boolean()
        return decoder


@lru_cache(maxsize=2**16)
def token_bytes(token: str) -> bytes:
    """Return the bytes that a token stands for."""
    try:
        return bytes(CHAR_TO_BYTE[char] for char in token)
    except KeyError:
        return token.encode()
