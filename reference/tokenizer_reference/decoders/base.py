"""What every decoder has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.formats.json_value import JsonValue


class CustomDecoder(Protocol):
    """What :meth:`Decoder.custom` takes."""

    def decode_chain(self, tokens: list[str]) -> list[str]:
        """Return the strings whose concatenation is the text of ``tokens``."""


class Decoder(ABC):
    """Turns tokens back into text."""

    @abstractmethod
    def _decode_chain(self, tokens: list[str]) -> list[str]:
        """Return the strings whose concatenation is the text; a following decoder works on them one by one."""

    def decode(self, tokens: Sequence[str]) -> str:
        """Return the text of ``tokens``."""
        if isinstance(tokens, str):
            raise TypeError("Can't extract `str` to `Vec`: give a list of tokens")
        return "".join(self._decode_chain(list(tokens)))

    @staticmethod
    def custom(decoder: CustomDecoder) -> Decoder:
        """Return a decoder that does what ``decoder`` does. It cannot be written to a file."""
        from tokenizer_reference.decoders.custom import Custom  # noqa: PLC0415 - it derives from this class

        return Custom(decoder)

    def _to_json(self) -> dict[str, Any]:
        """Return the component as tokenizer.json holds it, keys in the order in which the target writes them."""
        return {"type": type(self).__name__}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:  # noqa: ARG003 - components with options read them from it
        """Read the component from its fields; the ``type`` is not looked at."""
        return cls()
