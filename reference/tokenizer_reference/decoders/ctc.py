"""CTC: the output of speech recognition, with repetitions, padding and word delimiters."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import boolean, string
from tokenizer_reference.decoders.base import DECODER, Decoder
from tokenizer_reference.decoders.word_piece import cleanup
from tokenizer_reference.stage import untyped

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue


@DECODER.component(untyped("pad_token", "word_delimiter_token", "cleanup"))
class CTC(Decoder):
    """Drops repeated tokens, then ``pad_token`` wherever it occurs, then tokens that are empty.

    Only with ``cleanup`` does ``word_delimiter_token`` become a space, after the same cleanup as WordPiece's (observed,
    tokenizers 0.23.3).

    >>> CTC().decode(["h", "h", "i", "<pad>", "i", "|", "a"])
    'hii a'
    """

    _OPTIONS: ClassVar = {"pad_token": string, "word_delimiter_token": string, "cleanup": boolean}

    def __init__(
        self,
        pad_token: str = "<pad>",  # noqa: S107 - not a password
        word_delimiter_token: str = "|",  # noqa: S107
        cleanup: bool = True,
    ) -> None:
        self.pad_token = pad_token
        self.word_delimiter_token = word_delimiter_token
        self.cleanup = cleanup

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        decoded = (self._decode_token(token) for token, _ in groupby(tokens))
        return [token for token in decoded if token]

    def _decode_token(self, token: str) -> str:
        token = token.replace(self.pad_token, "")
        return cleanup(token).replace(self.word_delimiter_token, " ") if self.cleanup else token

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "CTC",
            "pad_token": self.pad_token,
            "word_delimiter_token": self.word_delimiter_token,
            "cleanup": self.cleanup,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(value["pad_token"].string(), value["word_delimiter_token"].string(), value["cleanup"].boolean())
