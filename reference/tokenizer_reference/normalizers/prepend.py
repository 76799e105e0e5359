"""Prepend: puts a string before a text that is not empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import string
from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.locality import Locality, unchanged
from tokenizer_reference.stage import untyped

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString


@NORMALIZER.component(untyped("prepend"))
@dataclass(eq=False, repr=False)
class Prepend(Normalizer):
    """Puts a string before the text, unless the text is empty.

    >>> Prepend("▁").normalize_str("a"), Prepend("▁").normalize_str("")
    ('▁a', '')
    """

    _OPTIONS: ClassVar = {"prepend": string}

    prepend: str = "▁"

    def _normalize(self, normalized: NormalizedString) -> None:
        normalized.prepend(self.prepend)

    def _locality(self) -> Locality:
        # An empty one takes the alignment of the first character away.
        return Locality(unchanged, prefix=self.prepend) if self.prepend else Locality()

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Prepend", "prepend": self.prepend}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(value["prepend"].string())
