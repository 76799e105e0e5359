"""Pre-tokenizers: what cuts the text into the pieces that the model sees. One module per component."""

from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, PreTokenizer
from tokenizer_reference.pre_tokenizers.bert import BertPreTokenizer
from tokenizer_reference.pre_tokenizers.byte_level import ByteLevel
from tokenizer_reference.pre_tokenizers.char_delimiter_split import CharDelimiterSplit
from tokenizer_reference.pre_tokenizers.digits import Digits
from tokenizer_reference.pre_tokenizers.fixed_length import FixedLength
from tokenizer_reference.pre_tokenizers.metaspace import Metaspace
from tokenizer_reference.pre_tokenizers.punctuation import Punctuation
from tokenizer_reference.pre_tokenizers.sequence import Sequence
from tokenizer_reference.pre_tokenizers.split import Split
from tokenizer_reference.pre_tokenizers.unicode_scripts import UnicodeScripts
from tokenizer_reference.pre_tokenizers.whitespace import Whitespace, WhitespaceSplit

COMPONENTS: dict[str, type[PreTokenizer]] = PRE_TOKENIZER.components
"""The classes by the name that tokenizer.json has for them, in the order of the stage."""

__all__ = [
    "COMPONENTS",
    "BertPreTokenizer",
    "ByteLevel",
    "CharDelimiterSplit",
    "Digits",
    "FixedLength",
    "Metaspace",
    "PreTokenizer",
    "Punctuation",
    "Sequence",
    "Split",
    "UnicodeScripts",
    "Whitespace",
    "WhitespaceSplit",
]
