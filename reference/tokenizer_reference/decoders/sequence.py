"""Sequence: several decoders in order, as one."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, Self

from tokenizer_reference.arguments import instance
from tokenizer_reference.decoders.base import DECODER, Custom, Decoder
from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.stage import Form

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue


@DECODER.component(Form(("type", "decoders")))
class Sequence(Decoder):
    """Applies decoders in order, each to the strings that the one before it gives.

    The sequence has decoders of its own: those that it is made of can change without changing it (observed, tokenizers
    0.23.3). Raises :class:`UpstreamPanicError` for a custom decoder among them.
    """

    def __init__(self, decoders_py: list[Decoder]) -> None:
        self._decoders: list[Decoder] = []
        for at, decoder in enumerate(instance("decoders_py", decoders_py, list)):
            if isinstance(instance(f"decoders_py[{at}]", decoder, Decoder), Custom):
                raise UpstreamPanicError(
                    "a custom decoder cannot be part of a Sequence: `tokenizers` has it not implemented"
                )
            self._decoders.append(copy(decoder))

    def __getnewargs__(self) -> tuple[list[Decoder]]:
        """Return the arguments of a constructor that makes an empty sequence, to be filled by :meth:`__setstate__`."""
        return ([],)

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        for decoder in self._decoders:
            tokens = decoder._decode_chain(tokens)
        return tokens

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Sequence", "decoders": [decoder._to_json() for decoder in self._decoders]}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        sequence = cls([])
        # Nobody else has these. To copy them, which is to read them again, takes twice as long with every level of
        # nesting.
        sequence._decoders = [DECODER.read(item) for item in value["decoders"].items()]
        return sequence
