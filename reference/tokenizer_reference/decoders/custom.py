"""A decoder written by the user."""

from __future__ import annotations

from typing import NoReturn

from tokenizer_reference.arguments import strings
from tokenizer_reference.decoders.base import CustomDecoder, Decoder
from tokenizer_reference.errors import CallbackError, TokenizerReferenceError
from tokenizer_reference.uncopyable import Uncopyable


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
