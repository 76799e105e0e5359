"""WordPiece: a prefix marks tokens that continue a word."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from tokenizer_reference.arguments import boolean, string
from tokenizer_reference.decoders.base import DECODER, Decoder
from tokenizer_reference.stage import untyped

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue

CLEANUP: Final = (
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
)
"""What cleanup replaces, in this order."""


@lru_cache(maxsize=2**16)
def cleanup(text: str) -> str:
    """Return ``text`` without the blanks that tokenization of English leaves.

    >>> cleanup(" .") + cleanup(" 'm") + cleanup(" do not")
    ".'m don't"
    """
    for dirty, clean in CLEANUP:
        text = text.replace(dirty, clean)
    return text


@DECODER.component(untyped("prefix", "cleanup"))
class WordPiece(Decoder):
    """Cuts ``prefix`` off a token once, or puts a space before it where there is none; the first token stays.

    ``cleanup`` is applied to each token for itself, so a blank at a token's end is never seen together with the next
    token (observed, tokenizers 0.23.3).

    >>> WordPiece().decode(["un", "##believ", "##able", "!"])
    'unbelievable!'
    """

    _OPTIONS: ClassVar = {"prefix": string, "cleanup": boolean}

    def __init__(self, prefix: str = "##", cleanup: bool = True) -> None:
        self.prefix = prefix
        self.cleanup = cleanup

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        prefix = self.prefix
        decoded = tokens[:1]
        decoded += [token.removeprefix(prefix) if token.startswith(prefix) else f" {token}" for token in tokens[1:]]
        return [cleanup(token) for token in decoded] if self.cleanup else decoded

    def _to_json(self) -> dict[str, Any]:
        return {"type": "WordPiece", "prefix": self.prefix, "cleanup": self.cleanup}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(value["prefix"].string(), value["cleanup"].boolean())
