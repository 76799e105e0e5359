"""The rules of the reference that a variant has otherwise: for each, what is changed in which modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.variants.rules.bpe import BPE_PATCHES
from tokenizer_adapters.variants.rules.case import CASE_PATCHES
from tokenizer_adapters.variants.rules.character_classes import CHARACTER_CLASS_PATCHES
from tokenizer_adapters.variants.rules.charsmaps import CHARSMAP_PATCHES
from tokenizer_adapters.variants.rules.decoding import DECODING_PATCHES
from tokenizer_adapters.variants.rules.normal_forms import NORMAL_FORM_PATCHES
from tokenizer_adapters.variants.rules.unigram import UNIGRAM_PATCHES
from tokenizer_adapters.variants.rules.wordpiece import WORD_PIECE_PATCHES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.variants.change import Rule
    from tokenizer_adapters.variants.private_copy import Patch

PATCHES: Mapping[Rule, Mapping[str, Patch]] = {
    **BPE_PATCHES,
    **WORD_PIECE_PATCHES,
    **UNIGRAM_PATCHES,
    **CASE_PATCHES,
    **NORMAL_FORM_PATCHES,
    **CHARACTER_CLASS_PATCHES,
    **CHARSMAP_PATCHES,
    **DECODING_PATCHES,
}
"""Rule -> module of the reference -> what is done to it."""
