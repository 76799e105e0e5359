"""Ready-made tokenizers: the five pipelines that ``tokenizers`` has classes for, one module each."""

from tokenizer_reference.implementations.base_tokenizer import BaseTokenizer
from tokenizer_reference.implementations.bert_wordpiece import BertWordPieceTokenizer
from tokenizer_reference.implementations.byte_level_bpe import ByteLevelBPETokenizer
from tokenizer_reference.implementations.char_level_bpe import CharBPETokenizer
from tokenizer_reference.implementations.sentencepiece_bpe import SentencePieceBPETokenizer
from tokenizer_reference.implementations.sentencepiece_unigram import SentencePieceUnigramTokenizer

__all__ = [
    "BaseTokenizer",
    "BertWordPieceTokenizer",
    "ByteLevelBPETokenizer",
    "CharBPETokenizer",
    "SentencePieceBPETokenizer",
    "SentencePieceUnigramTokenizer",
]
