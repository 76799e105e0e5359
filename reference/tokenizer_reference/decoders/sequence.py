"""Sequence: decoders one after the other."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, Self

from tokenizer_reference.decoders.base import Decoder
from tokenizer_reference.decoders.custom import Custom
from tokenizer_reference.errors import UpstreamPanicError

if TYPE_CHECKING:
    from tokenizer_reference.formats.json_value import JsonValue


class Sequence(Decoder):
    """Applies decoders in order, each to the strings that the one before it gives.

    The sequence has decoders of its own: those that it is made of can change without changing it (observed, tokenizers
    0.23.3). Raises :class:`UpstreamPanicError` for a custom decoder among them.
    """

    def __init__(self, decoders: list[Decoder]) -> None:
        if not isinstance(decoders, list):
            raise TypeError(f"'{type(decoders).__name__}' object is not an instance of 'list'")
        for decoder in decoders:
            if not isinstance(decoder, Decoder):
                raise TypeError(f"'{type(decoder).__name__}' object is not an instance of 'Decoder'")
            if isinstance(decoder, Custom):
                raise UpstreamPanicError(
                    "a custom decoder cannot be part of a Sequence: `tokenizers` has it not implemented"
                )
        self._decoders = list(map(copy, decoders))

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        for decoder in self._decoders:
            tokens = decoder._decode_chain(tokens)
        return tokens

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Sequence", "decoders": [decoder._to_json() for decoder in self._decoders]}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        from tokenizer_reference.formats.components import load_decoder  # noqa: PLC0415 - it imports this package

        return cls([load_decoder(item) for item in value["decoders"].items()])
