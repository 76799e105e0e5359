"""Strip: cuts a character off the ends of every token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import character, unsigned_64
from tokenizer_reference.decoders.base import DECODER, Decoder
from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.stage import untyped

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue


@DECODER.component(untyped("content", "start", "stop"))
class Strip(Decoder):
    """Cuts up to ``left`` characters ``content`` off the start of each token, and up to ``right`` off its end.

    The two ends are measured without regard to each other, and the end is measured beyond the start: where the cuts
    overlap, or all of a token shorter than ``right`` matches, :meth:`decode` raises :class:`UpstreamPanicError`.

    >>> Strip("_", left=1).decode(["__a", "b"])
    '_ab'
    """

    _OPTIONS: ClassVar = {"content": character, "start": unsigned_64, "stop": unsigned_64}

    def __init__(self, content: str = " ", left: int = 0, right: int = 0) -> None:
        self.content = content
        self.start = left
        self.stop = right

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        content = self.content
        return [token if token and content not in token else self._decode_token(token) for token in tokens]

    def _decode_token(self, token: str) -> str:
        size = len(token)
        leading = size - len(token.lstrip(self.content))
        trailing = size - len(token.rstrip(self.content))
        start = min(leading, self.start)
        end = size - min(trailing, self.stop)
        if start > end or (trailing == size and self.stop > size):
            raise UpstreamPanicError(
                f"Strip({self.content!r}, {self.start}, {self.stop}) cuts more than there is of the token {token!r}"
            )
        return token[start:end]

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Strip", "content": self.content, "start": self.start, "stop": self.stop}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(value["content"].char(), value["start"].unsigned(), value["stop"].unsigned())
