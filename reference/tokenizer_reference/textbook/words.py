"""From texts to words and back to tokens: what stands around every teaching algorithm.

All the documents begin alike: pre-tokenize the corpus, and count its words. Words are met in the order of the corpus,
and that order decides all ties later on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    PreTokenize = Callable[[str], Iterable[tuple[str, tuple[int, int]]]]
    """Words with their offsets, as ``pre_tokenize_str`` of any pre-tokenizer gives them; offsets are not looked at."""


def count_words(texts: Iterable[str], pre_tokenize: PreTokenize) -> dict[str, int]:
    """Return how often each word is in ``texts``, the words in the order in which they are first met.

    >>> from tokenizer_reference.pre_tokenizers import WhitespaceSplit
    >>> count_words(["to be or", "not to be"], WhitespaceSplit().pre_tokenize_str)
    {'to': 2, 'be': 2, 'or': 1, 'not': 1}
    """
    counts: dict[str, int] = {}
    for text in texts:
        for word, _ in pre_tokenize(text):
            counts[word] = counts.get(word, 0) + 1
    return counts


def tokenize_text(
    text: str, pre_tokenize: PreTokenize, tokenize_word: Callable[[str], Iterable[str]]
) -> tuple[str, ...]:
    """Return the tokens of all the words of ``text``, one word after the other.

    >>> from tokenizer_reference.pre_tokenizers import WhitespaceSplit
    >>> tokenize_text("ab c", WhitespaceSplit().pre_tokenize_str, list)
    ('a', 'b', 'c')
    """
    return tuple(token for word, _ in pre_tokenize(text) for token in tokenize_word(word))
