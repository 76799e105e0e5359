"""What every decoder has in common, their stage, and the decoder that a user writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, NoReturn, Protocol

from tokenizer_reference.arguments import strings
from tokenizer_reference.component import Component
from tokenizer_reference.errors import CallbackError, TokenizerReferenceError
from tokenizer_reference.stage import Stage
from tokenizer_reference.uncopyable import Uncopyable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.json_text.value import JsonValue


DECODER: Final[Stage[Decoder]] = Stage(
    "decoder",
    "BPEDecoder",
    "ByteLevel",
    "WordPiece",
    "Metaspace",
    "CTC",
    "Sequence",
    "Replace",
    "Fuse",
    "Strip",
    "ByteFallback",
)
"""The stage, its classes in the order in which the target tries them where ``type`` is missing or unknown."""


class CustomDecoder(Protocol):
    """An object with a method ``decode_chain``, of which :meth:`Decoder.custom` makes a decoder."""

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
        return Custom(decoder)

    @staticmethod
    def _read_any(value: JsonValue) -> Decoder:
        return DECODER.read(value)


class Custom(Decoder, Uncopyable):
    """Hands the tokens to the method ``decode_chain`` of an object. Made by :meth:`Decoder.custom`.

    What the method raises comes out as :class:`CallbackError`.
    """

    def __init__(self, decoder: CustomDecoder) -> None:
        self._decoder = decoder

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        try:
            return strings("the result of decode_chain", self._decoder.decode_chain(tokens))
        except TokenizerReferenceError:
            raise
        except Exception as error:
            raise CallbackError(error) from error

    def _to_json(self) -> NoReturn:
        raise TokenizerReferenceError("Custom Decoder cannot be serialized")
