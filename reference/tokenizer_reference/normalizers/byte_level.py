"""ByteLevel: writes every byte of the text as a character of GPT-2's byte alphabet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.locality import Locality
from tokenizer_reference.text.byte_level import spell_bytes

if TYPE_CHECKING:
    from tokenizer_reference.text.normalized_string import NormalizedString


@NORMALIZER.component()
class ByteLevel(Normalizer):
    """Writes every byte of the text's UTF-8 form as a character of GPT-2's byte alphabet.

    >>> ByteLevel().normalize_str("é a")
    'Ã©Ġa'
    """

    def _normalize(self, normalized: NormalizedString) -> None:
        spell_bytes(normalized)

    def _locality(self) -> Locality:
        return Locality()
