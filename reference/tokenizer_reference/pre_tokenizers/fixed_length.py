"""FixedLength: cuts the text into pieces of equal length, counted in code points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import unsigned_64
from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, Splitter
from tokenizer_reference.stage import Form

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString

DEFAULT_LENGTH = 5


@PRE_TOKENIZER.component(Form(("type", "length")))
class FixedLength(Splitter):
    """Cuts the text into pieces of ``length`` code points; the last may be shorter.

    Raises :class:`OverflowError` for a length below 0. Length 0 is accepted, but :class:`UpstreamPanicError` is raised
    when it is used.

    >>> FixedLength(3).pre_tokenize_str("abcde")
    [('abc', (0, 3)), ('de', (3, 5))]
    """

    _OPTIONS: ClassVar = {"length": unsigned_64}

    def __init__(self, length: int = DEFAULT_LENGTH) -> None:
        self.length = length

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        size = len(text.normalized)
        if size and not self.length:
            raise UpstreamPanicError("FixedLength cannot cut pieces of length 0: `tokenizers` panics here")
        return text.cut([(start, min(start + self.length, size)) for start in range(0, size, self.length or 1)])

    def _to_json(self) -> dict[str, Any]:
        return {"type": "FixedLength", "length": self.length}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(value.get("length", DEFAULT_LENGTH).unsigned())
