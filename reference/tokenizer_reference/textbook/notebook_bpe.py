"""The notebook's variant of BPE (source: *The Tokenization Pipeline*, sections 3.2 to 3.6).

It learns the merges of :mod:`~tokenizer_reference.textbook.bpe`. What is its own: it takes a list of words and counts
them itself; it keeps the corpus as it was after every merge; a target that is smaller than the alphabet is an error;
and it tokenizes text as one piece, spaces included, without pre-tokenization and without an unknown token.

The published class takes its alphabet out of a set of strings, whose order changes from one run of Python to the next.
The order changes nothing here but that of the vocabulary; in the variant of WordPiece it changes the tokens. Here the
alphabet is in the order of its code points unless the caller orders it.

Departures from the published class, each because it cannot have been meant (``reference/TEXTBOOK.md``): text that ends
in the first token of a merge is tokenized, where the published loop looks one token too far and fails; a pair is two
tokens and not one string with a comma between them, so that commas can be merged; and a vocabulary that cannot grow any
more is said by ``exhausted`` and not printed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.textbook.bpe import Tokenization, tokenize_word
from tokenizer_reference.textbook.merging import (
    Corpus,
    CountedWord,
    Pair,
    first_of_the_greatest,
    merge_in_corpus,
    pair_frequencies,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from fractions import Fraction


class TargetVocabularySizeError(TokenizerReferenceError):
    """The vocabulary is to be smaller than the alphabet that it starts from."""

    def __init__(self, target: int, alphabet: int) -> None:
        super().__init__(
            f"the target vocabulary size is {target}, but the alphabet alone has {alphabet} tokens: "
            f"choose a target of at least {alphabet}"
        )
        self.target = target
        self.alphabet = alphabet


@dataclass(frozen=True, slots=True)
class History:
    """What training did; the published classes keep it in attributes."""

    alphabet: tuple[str, ...]
    merge_rules: tuple[Pair, ...]
    corpus_history: tuple[Corpus, ...]
    """The corpus before the first merge, and after each."""
    vocabulary: tuple[str, ...]
    """The alphabet, and the token of each merge."""
    exhausted: bool
    """Whether training ended early because every word was one token."""


@dataclass(frozen=True, slots=True)
class NotebookBpe:
    """A trained tokenizer.

    >>> words = ["cat"] * 5 + ["cats"] * 2 + ["eat"] * 10 + ["eating"] * 3
    >>> words += ["running"] * 2 + ["jumping"] + ["food"] * 6
    >>> tokenizer = NotebookBpe.train(words, 21)
    >>> tokenizer.history.merge_rules
    (('a', 't'), ('e', 'at'), ('c', 'at'), ('i', 'n'), ('in', 'g'))
    >>> tokenizer.tokenize("skiing").tokens
    ('s', 'k', 'i', 'ing')
    """

    history: History

    @classmethod
    def train(
        cls, words: Sequence[str], target_vocabulary_size: int, *, alphabet: Sequence[str] | None = None
    ) -> NotebookBpe:
        """Learn merges from ``words`` until the vocabulary has ``target_vocabulary_size`` tokens.

        ``alphabet`` gives the order of the characters; without it, they are in the order of their code points. Raises
        :class:`TargetVocabularySizeError`, and :class:`ValueError` for an ``alphabet`` of other characters.
        """
        return cls(learn(words, target_vocabulary_size, alphabet, tuple, pair_frequencies, "".join))

    def tokenize(self, text: str) -> Tokenization:
        """Apply the merge rules to ``text``, each once and in order, with the steps that changed something."""
        return tokenize_word(text, self.history.merge_rules)


def learn(
    words: Sequence[str],
    target_vocabulary_size: int,
    alphabet: Sequence[str] | None,
    split: Callable[[str], tuple[str, ...]],
    value_pairs: Callable[[Corpus], Mapping[Pair, int | Fraction]],
    merged_token: Callable[[Pair], str],
) -> History:
    """Train as both variants do: ``split`` words, and merge the first of the pairs that ``value_pairs`` values most."""
    corpus: Corpus = tuple(CountedWord(split(word), count) for word, count in Counter(words).items())
    ordered = _ordered({token for word in corpus for token in word.tokens}, alphabet)
    if len(ordered) > target_vocabulary_size:
        raise TargetVocabularySizeError(target_vocabulary_size, len(ordered))
    rules: list[Pair] = []
    corpora = [corpus]
    vocabulary = list(ordered)
    exhausted = False
    while len(vocabulary) < target_vocabulary_size:
        values = value_pairs(corpora[-1])
        if not values:
            exhausted = True
            break
        pair = first_of_the_greatest(values)
        rules.append(pair)
        vocabulary.append(merged_token(pair))
        corpora.append(merge_in_corpus(corpora[-1], pair, vocabulary[-1]))
    return History(ordered, tuple(rules), tuple(corpora), tuple(vocabulary), exhausted)


def _ordered(characters: Collection[str], alphabet: Sequence[str] | None) -> tuple[str, ...]:
    """Return ``characters`` in the order of ``alphabet``, which must have just them, or of their code points."""
    by_code_points = sorted(characters)
    if alphabet is None:
        return tuple(by_code_points)
    if sorted(alphabet) != by_code_points:
        raise ValueError(
            f"the given alphabet, {' '.join(alphabet)}, has not the tokens that the words start as: "
            f"{' '.join(by_code_points)}"
        )
    return tuple(alphabet)
