"""BPEDecoder: a suffix marks the end of words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import string
from tokenizer_reference.decoders.base import DECODER, Decoder
from tokenizer_reference.stage import untyped

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue


@DECODER.component(untyped("suffix"))
class BPEDecoder(Decoder):
    """Replaces ``suffix``, wherever it stands in a token, by a space, and in the last token by nothing.

    An empty suffix stands between all characters (observed, tokenizers 0.23.3).

    >>> BPEDecoder().decode(["he", "llo</w>", "you</w>"])
    'hello you'
    """

    _OPTIONS: ClassVar = {"suffix": string}

    def __init__(self, suffix: str = "</w>") -> None:
        self.suffix = suffix

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        return [
            *(token.replace(self.suffix, " ") for token in tokens[:-1]),
            *(token.replace(self.suffix, "") for token in tokens[-1:]),
        ]

    def _to_json(self) -> dict[str, Any]:
        return {"type": "BPEDecoder", "suffix": self.suffix}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(value["suffix"].string())
