"""A decoder written by the user."""

from __future__ import annotations

from typing import NoReturn

from tokenizer_reference.decoders.base import CustomDecoder, Decoder
from tokenizer_reference.errors import TokenizerReferenceError


class Custom(Decoder):
    """Hands the tokens to the method ``decode_chain`` of an object. Made by :meth:`Decoder.custom`."""

    def __init__(self, decoder: CustomDecoder) -> None:
        self._decoder = decoder

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        return self._decoder.decode_chain(tokens)

    def _to_json(self) -> NoReturn:
        raise TokenizerReferenceError("Custom Decoder cannot be serialized")
