"""Lowercase: the full lowercase mapping of every character, without looking at its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.locality import Locality
from tokenizer_reference.text import characters

if TYPE_CHECKING:
    from tokenizer_reference.text.normalized_string import NormalizedString


@NORMALIZER.component()
class Lowercase(Normalizer):
    """Lowercases each character on its own, with the full mapping of Unicode 17.0.

    A sigma at the end of a word gets no form of its own (observed, tokenizers 0.23.3):

    >>> Lowercase().normalize_str("ΑΣ")
    'ασ'
    """

    def _normalize(self, normalized: NormalizedString) -> None:
        normalized.lowercase()

    def _locality(self) -> Locality:
        return Locality(characters.lowercase)
