"""The published teaching algorithms, as published, each in a module that can be read from top to bottom.

They come from a course on subword tokenization and a notebook on the tokenization pipeline; ``reference/TEXTBOOK.md``
names the documents and lists their errata. They are no part of the executable specification: they show the ideas on
word counts, return what they did step by step as values, and print nothing.

- :mod:`~tokenizer_reference.textbook.bpe`: merge the most frequent pair; to tokenize, apply the merges in order.
- :mod:`~tokenizer_reference.textbook.wordpiece`: merge the pair with the best score; to tokenize, take the longest
  match.
- :mod:`~tokenizer_reference.textbook.unigram`: start large and remove what is missed least; the likeliest segmentation.
- :mod:`~tokenizer_reference.textbook.notebook_bpe`, :mod:`~tokenizer_reference.textbook.notebook_wordpiece`: the
  notebook's variants of the first two.

>>> from tokenizer_reference.pre_tokenizers import WhitespaceSplit
>>> from tokenizer_reference.textbook import bpe, count_words
>>> counts = count_words(["low lower", "low slow"], WhitespaceSplit().pre_tokenize_str)
>>> bpe.train(counts, vocabulary_size=8).merges
(('l', 'o'), ('lo', 'w'))
"""

from tokenizer_reference.textbook import bpe, notebook_bpe, notebook_wordpiece, unigram, wordpiece
from tokenizer_reference.textbook.words import count_words, tokenize_text

__all__ = [
    "bpe",
    "count_words",
    "notebook_bpe",
    "notebook_wordpiece",
    "tokenize_text",
    "unigram",
    "wordpiece",
]
