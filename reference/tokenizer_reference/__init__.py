"""The executable specification of ``tokenizers`` 0.23.3: every component of tokenizer.json in plain Python.

The public API is that of ``tokenizers``; this package uses none of its code, and answers do not depend on the host's
Unicode tables.
"""

from enum import Enum

from tokenizer_reference import decoders, implementations, models, normalizers, pre_tokenizers, processors, trainers
from tokenizer_reference.implementations import (
    BertWordPieceTokenizer,
    ByteLevelBPETokenizer,
    CharBPETokenizer,
    SentencePieceBPETokenizer,
    SentencePieceUnigramTokenizer,
)
from tokenizer_reference.pipeline.input_sequences import (
    EncodeInput,
    InputSequence,
    Offsets,
    PreTokenizedEncodeInput,
    PreTokenizedInputSequence,
    TextEncodeInput,
    TextInputSequence,
)
from tokenizer_reference.pipeline.tokenizer import Tokenizer
from tokenizer_reference.text.normalized_string import NormalizedString
from tokenizer_reference.text.regex import Regex
from tokenizer_reference.values.added_token import AddedToken
from tokenizer_reference.values.encoding import Encoding
from tokenizer_reference.values.pre_tokenized_string import PreTokenizedString
from tokenizer_reference.values.token import Token


class OffsetReferential(Enum):
    """What offsets are counted in. Methods take the values, not the members (observed, tokenizers 0.23.3)."""

    ORIGINAL = "original"
    NORMALIZED = "normalized"


class OffsetType(Enum):
    """What offsets count: UTF-8 bytes or code points. Methods take the values, not the members (observed)."""

    BYTE = "byte"
    CHAR = "char"


class SplitDelimiterBehavior(Enum):
    """What becomes of the delimiters when a text is split. Methods take the values, not the members (observed)."""

    REMOVED = "removed"
    ISOLATED = "isolated"
    MERGED_WITH_PREVIOUS = "merged_with_previous"
    MERGED_WITH_NEXT = "merged_with_next"
    CONTIGUOUS = "contiguous"


__version__ = "0.23.3"
"""The version of ``tokenizers`` whose behaviour this is."""

__all__ = [
    "AddedToken",
    "BertWordPieceTokenizer",
    "ByteLevelBPETokenizer",
    "CharBPETokenizer",
    "EncodeInput",
    "Encoding",
    "InputSequence",
    "NormalizedString",
    "OffsetReferential",
    "OffsetType",
    "Offsets",
    "PreTokenizedEncodeInput",
    "PreTokenizedInputSequence",
    "PreTokenizedString",
    "Regex",
    "SentencePieceBPETokenizer",
    "SentencePieceUnigramTokenizer",
    "SplitDelimiterBehavior",
    "TextEncodeInput",
    "TextInputSequence",
    "Token",
    "Tokenizer",
    "__version__",
    "decoders",
    "implementations",
    "models",
    "normalizers",
    "pre_tokenizers",
    "processors",
    "trainers",
]
