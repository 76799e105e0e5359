"""Strip: removes white space from one end of the text, or from both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import boolean
from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.locality import Locality
from tokenizer_reference.stage import untyped

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString


@NORMALIZER.component(untyped("strip_left", "strip_right"))
@dataclass(eq=False, repr=False)
class Strip(Normalizer):
    r"""Removes white space (Unicode's White_Space) from the ends of the text.

    >>> Strip(right=False).normalize_str("\u3000a ")
    'a '
    """

    _OPTIONS: ClassVar = {"left": boolean, "right": boolean}

    left: bool = True
    right: bool = True

    def _normalize(self, normalized: NormalizedString) -> None:
        if self.left and self.right:
            normalized.strip()
        elif self.left:
            normalized.lstrip()
        elif self.right:
            normalized.rstrip()

    def _locality(self) -> Locality:
        return Locality()

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Strip", "strip_left": self.left, "strip_right": self.right}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(left=value["strip_left"].boolean(), right=value["strip_right"].boolean())
