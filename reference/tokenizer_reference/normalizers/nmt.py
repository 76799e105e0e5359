"""Nmt: the clean-up that SentencePiece calls "nmt"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.locality import Locality
from tokenizer_reference.text import code_point_sets
from tokenizer_reference.text.character_pattern import CharacterPattern

if TYPE_CHECKING:
    from tokenizer_reference.text.normalized_string import NormalizedString

REMOVED: Final = code_point_sets.from_ranges(
    [(0x01, 0x08), (0x0B, 0x0B), (0x0E, 0x1F), (0x7F, 0x7F), (0x8F, 0x8F), (0x9F, 0x9F)]
)
"""Controls that are deleted. NUL is not among them."""

BLANKS: Final = "\t\n\f\r\u1680\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd"
"""Characters that become a space. U+0085, U+00A0 and U+2000..U+200A are not among them."""

_REMOVED = CharacterPattern("[{removed}]+", removed=lambda: REMOVED)


@NORMALIZER.component()
class Nmt(Normalizer):
    r"""Removes controls and makes spaces of a fixed list of blanks (observed, tokenizers 0.23.3).

    >>> Nmt().normalize_str("a\x0bb\x0cc\u200bd")
    'ab c d'
    """

    def _normalize(self, normalized: NormalizedString) -> None:
        normalized.remove(_REMOVED.for_text(normalized.normalized))
        text = normalized.normalized
        for blank in BLANKS:
            text = text.replace(blank, " ")
        normalized.set_one_to_one(text)

    def _locality(self) -> Locality:
        return Locality(self.normalize_str)
