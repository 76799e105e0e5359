"""Normalizers: what changes the text before it is cut. One module per component."""

from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.bert import BertNormalizer
from tokenizer_reference.normalizers.byte_level import ByteLevel
from tokenizer_reference.normalizers.lowercase import Lowercase
from tokenizer_reference.normalizers.nmt import Nmt
from tokenizer_reference.normalizers.precompiled import Precompiled
from tokenizer_reference.normalizers.prepend import Prepend
from tokenizer_reference.normalizers.replace import Replace
from tokenizer_reference.normalizers.sequence import Sequence
from tokenizer_reference.normalizers.strip import Strip
from tokenizer_reference.normalizers.strip_accents import StripAccents
from tokenizer_reference.normalizers.unicode_forms import NFC, NFD, NFKC, NFKD, NORMALIZERS, unicode_normalizer_from_str

COMPONENTS: dict[str, type[Normalizer]] = NORMALIZER.components
"""The classes by the name that tokenizer.json has for them, in the order of the stage."""

__all__ = [
    "COMPONENTS",
    "NFC",
    "NFD",
    "NFKC",
    "NFKD",
    "NORMALIZERS",
    "BertNormalizer",
    "ByteLevel",
    "Lowercase",
    "Nmt",
    "Normalizer",
    "Precompiled",
    "Prepend",
    "Replace",
    "Sequence",
    "Strip",
    "StripAccents",
    "unicode_normalizer_from_str",
]
