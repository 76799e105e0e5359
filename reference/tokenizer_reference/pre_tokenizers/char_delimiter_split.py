"""CharDelimiterSplit: splits at one character, which is removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import character
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, Splitter
from tokenizer_reference.stage import Form
from tokenizer_reference.text.character_pattern import pieces_between_char

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString


@PRE_TOKENIZER.component(Form(("type", "delimiter")))
class CharDelimiterSplit(Splitter):
    """Splits at one character, which is removed.

    Raises :class:`ValueError` for a delimiter of another length.

    >>> CharDelimiterSplit("-").pre_tokenize_str("a--b")
    [('a', (0, 1)), ('b', (3, 4))]
    """

    _OPTIONS: ClassVar = {"delimiter": character}

    def __init__(self, delimiter: str) -> None:
        self.delimiter = delimiter

    def __getnewargs__(self) -> tuple[str]:
        """Return arguments for the constructor; :meth:`__setstate__` puts the delimiter right."""
        return (" ",)

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        return text.cut(pieces_between_char(self.delimiter, "removed").spans(text.normalized))

    def _to_json(self) -> dict[str, Any]:
        return {"type": "CharDelimiterSplit", "delimiter": self.delimiter}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(value["delimiter"].char())
