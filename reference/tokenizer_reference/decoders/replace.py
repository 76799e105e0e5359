"""Replace: puts a literal in the place of every match of a pattern, token by token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from tokenizer_reference.arguments import string
from tokenizer_reference.decoders.base import DECODER, Decoder
from tokenizer_reference.json_text.pattern import pattern_json, read_pattern
from tokenizer_reference.stage import REPLACE
from tokenizer_reference.text.pattern import as_component_pattern, check_pattern, matches

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.pattern import Pattern


@DECODER.component(REPLACE)
class Replace(Decoder):
    """Replaces each match of ``pattern`` in each token by ``content``, which is taken literally.

    An empty ``str`` matches between all characters. Nothing matches in an empty token (observed, tokenizers 0.23.3).

    >>> Replace("_", " ").decode(["_a", "b_"])
    ' ab '
    """

    def __init__(self, pattern: Pattern, content: str) -> None:
        self._pattern = check_pattern("pattern", pattern)
        self._content = string("content", content)
        self._searched = as_component_pattern(pattern)

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        if isinstance(self._searched, str):
            return [token.replace(self._searched, self._content) for token in tokens]
        return [self._decode_token(token) for token in tokens]

    def _decode_token(self, token: str) -> str:
        return "".join(
            self._content if is_match else token[start:end] for start, end, is_match in matches(self._searched, token)
        )

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Replace", "pattern": pattern_json(self._pattern), "content": self._content}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(read_pattern(value["pattern"]), value["content"].string())
