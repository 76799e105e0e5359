"""StripAccents: removes combining marks, but decomposes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.locality import Locality
from tokenizer_reference.text import characters
from tokenizer_reference.text.character_pattern import CharacterPattern
from tokenizer_reference.text.code_point_sets import contains

if TYPE_CHECKING:
    from tokenizer_reference.text.normalized_string import NormalizedString

_MARKS = CharacterPattern("[{marks}]+", marks=characters.marks_9)


@NORMALIZER.component()
class StripAccents(Normalizer):
    r"""Removes combining marks: category M (Mn, Mc and Me) of Unicode 9.0. Decomposes nothing, so put NFD before it.

    >>> StripAccents().normalize_str("e\u0301é")
    'eé'
    """

    def _normalize(self, normalized: NormalizedString) -> None:
        normalized.remove(_MARKS.for_text(normalized.normalized))

    def _locality(self) -> Locality:
        return Locality(lambda char: "" if contains(characters.marks_9(), ord(char)) else char)
