"""Strip: cuts a character off the ends of every token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from tokenizer_reference.decoders.base import Decoder
from tokenizer_reference.errors import UpstreamPanicError

if TYPE_CHECKING:
    from tokenizer_reference.formats.json_value import JsonValue


class Strip(Decoder):
    """Cuts up to ``left`` characters ``content`` off the start of each token, and up to ``right`` off its end.

    The two ends are measured without regard to each other, and the end is measured beyond the start: where the cuts
    overlap, or all of a token shorter than ``right`` matches, :meth:`decode` raises :class:`UpstreamPanicError`.

    >>> Strip("_", left=1).decode(["__a", "b"])
    '_ab'
    """

    def __init__(self, content: str = " ", left: int = 0, right: int = 0) -> None:
        self.content = content
        self.start = left
        self.stop = right

    @property
    def content(self) -> str:
        """The character to cut."""
        return self._content

    @content.setter
    def content(self, content: str) -> None:
        if len(content) != 1:
            raise ValueError(f"expected a string of length 1, not {content!r}")
        self._content = content

    @property
    def start(self) -> int:
        """How many characters to cut at most at the start of a token."""
        return self._start

    @start.setter
    def start(self, start: int) -> None:
        self._start = _checked_count(start)

    @property
    def stop(self) -> int:
        """How many characters to cut at most at the end of a token."""
        return self._stop

    @stop.setter
    def stop(self, stop: int) -> None:
        self._stop = _checked_count(stop)

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        content = self._content
        return [token if token and content not in token else self._decode_token(token) for token in tokens]

    def _decode_token(self, token: str) -> str:
        size = len(token)
        leading = size - len(token.lstrip(self._content))
        trailing = size - len(token.rstrip(self._content))
        start = min(leading, self._start)
        end = size - min(trailing, self._stop)
        if start > end or (trailing == size and self._stop > size):
            raise UpstreamPanicError(
                f"Strip({self._content!r}, {self._start}, {self._stop}) cuts more than there is of the token {token!r}"
            )
        return token[start:end]

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Strip", "content": self._content, "start": self._start, "stop": self._stop}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        value = value.struct("content", "start", "stop")
        return cls(value["content"].char(), value["start"].unsigned(), value["stop"].unsigned())


def _checked_count(count: int) -> int:
    if count < 0:
        raise OverflowError("can't convert negative int to unsigned")
    return count
