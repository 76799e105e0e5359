"""A normalizer written by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.normalizers.base import CustomNormalizer, Normalizer

if TYPE_CHECKING:
    from tokenizer_reference.text.normalized_string import NormalizedString


class Custom(Normalizer):
    """Hands the text to the method ``normalize`` of an object. Made by :meth:`Normalizer.custom`."""

    def __init__(self, obj: CustomNormalizer) -> None:
        self._object = obj

    def _normalize(self, normalized: NormalizedString) -> None:
        self._object.normalize(normalized)

    def _to_json(self) -> NoReturn:
        raise TokenizerReferenceError("Custom Normalizer cannot be serialized")
