"""What every decoder has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from tokenizer_reference.arguments import strings
from tokenizer_reference.component import Component

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.formats.json_value import JsonValue


class CustomDecoder(Protocol):
    """What :meth:`Decoder.custom` takes."""

    def decode_chain(self, tokens: list[str]) -> list[str]:
        """Return the strings whose concatenation is the text of ``tokens``."""


class Decoder(Component, ABC):
    """Turns tokens back into text."""

    @abstractmethod
    def _decode_chain(self, tokens: list[str]) -> list[str]:
        """Return the strings whose concatenation is the text; a following decoder works on them one by one."""

    def decode(self, tokens: Sequence[str]) -> str:
        """Return the text of ``tokens``."""
        return "".join(self._decode_chain(strings("tokens", tokens)))

    @staticmethod
    def custom(decoder: CustomDecoder) -> Decoder:
        """Return a decoder that does what ``decoder`` does. It cannot be written to a file."""
        from tokenizer_reference.decoders.custom import Custom  # noqa: PLC0415 - it derives from this class

        return Custom(decoder)

    @staticmethod
    def _read_any(value: JsonValue) -> Decoder:
        from tokenizer_reference.formats.components import load_decoder  # noqa: PLC0415 - it loads all of these

        return load_decoder(value)
