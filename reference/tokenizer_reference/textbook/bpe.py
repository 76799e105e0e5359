"""Byte-pair encoding as it is taught (source: *Subword Tokenization Algorithms*, section 1).

**Training.** Every word starts as its characters. The pair of neighbours that is most frequent in the corpus becomes
one token, everywhere; then again, until the vocabulary is large enough. Of equally frequent pairs the one that is met
first, reading the corpus from its first word on, is merged.

**Tokenizing.** A new word starts as its characters, too. The merges are gone through once, in the order in which they
were learned, and each is applied to all of the word.

That gives what :class:`tokenizer_reference.models.BPE` gives (which always merges the pair of lowest rank that is
there) for merges that were learned so; for a list of merges in any other order it need not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_reference.textbook.merging import (
    Corpus,
    CountedWord,
    Pair,
    first_of_the_greatest,
    merge_in_corpus,
    merge_pair,
    pair_frequencies,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

# Training ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MergeLearned:
    """One step of training: ``pair`` was most frequent and became ``token``."""

    pair: Pair
    token: str
    pair_frequencies: Mapping[Pair, int]
    """All pairs before the merge, in the order in which they are met."""
    corpus: Corpus
    """The words after the merge."""

    @property
    def frequency(self) -> int:
        """How often the pair was in the corpus."""
        return self.pair_frequencies[self.pair]


@dataclass(frozen=True, slots=True)
class Training:
    """What training did, from the characters to the last merge."""

    alphabet: tuple[str, ...]
    """The characters of the corpus, in the order of their code points."""
    corpus: Corpus
    """The words before the first merge."""
    steps: tuple[MergeLearned, ...]
    vocabulary: tuple[str, ...]
    """Special tokens, alphabet, and the token of each merge."""
    exhausted: bool
    """Whether training ended early because every word was one token."""

    @property
    def merges(self) -> tuple[Pair, ...]:
        """The merge rules, in the order in which they were learned."""
        return tuple(step.pair for step in self.steps)


def train(word_counts: Mapping[str, int], vocabulary_size: int, special_tokens: Iterable[str] = ()) -> Training:
    """Learn merges until the vocabulary, ``special_tokens`` and characters included, has ``vocabulary_size`` tokens.

    Characters and special tokens are never left out, so a smaller ``vocabulary_size`` just learns nothing. Where no
    pair is left the published loop fails; this one ends and says so (``exhausted``).

    >>> training = train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, vocabulary_size=10)
    >>> [(step.pair, step.frequency) for step in training.steps]
    [(('u', 'g'), 20), (('u', 'n'), 16), (('h', 'ug'), 15)]
    >>> training.vocabulary
    ('b', 'g', 'h', 'n', 'p', 's', 'u', 'ug', 'un', 'hug')
    """
    alphabet = tuple(sorted({character for word in word_counts for character in word}))
    vocabulary = [*special_tokens, *alphabet]
    corpus = tuple(CountedWord(tuple(word), count) for word, count in word_counts.items())
    wanted = max(0, vocabulary_size - len(vocabulary))
    steps = tuple(islice(merge_steps(corpus), wanted))
    vocabulary += [step.token for step in steps]
    return Training(alphabet, corpus, steps, tuple(vocabulary), exhausted=len(steps) < wanted)


def merge_steps(corpus: Corpus) -> Iterator[MergeLearned]:
    """Yield the steps of training, of which each holds the whole corpus, until every word is one token."""
    while frequencies := pair_frequencies(corpus):
        pair = first_of_the_greatest(frequencies)
        token = "".join(pair)
        corpus = merge_in_corpus(corpus, pair, token)
        yield MergeLearned(pair, token, frequencies, corpus)


# Tokenizing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MergeApplied:
    """One step of tokenizing: ``pair`` was in the word, which is ``tokens`` now."""

    pair: Pair
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tokenization:
    """What tokenizing did to a word. Merges that found nothing are left out."""

    word: str
    characters: tuple[str, ...]
    """What the word started as."""
    steps: tuple[MergeApplied, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The word's tokens."""
        return self.steps[-1].tokens if self.steps else self.characters


def tokenize_word(
    word: str,
    merges: Iterable[Pair],
    *,
    alphabet: Collection[str] | None = None,
    unknown_token: str = "[UNK]",  # noqa: S107 - a token of text
) -> Tokenization:
    """Apply ``merges`` to ``word``, each once and in order.

    With an ``alphabet``, a character outside of it becomes ``unknown_token``, as the document says. Its code does not
    do that: without an ``alphabet`` such a character stays what it is.

    >>> merges = [("u", "g"), ("u", "n"), ("h", "ug")]
    >>> tokenize_word("thug", merges, alphabet="bghnpsu").tokens
    ('[UNK]', 'hug')
    >>> [step.tokens for step in tokenize_word("thug", merges).steps]
    [('t', 'h', 'ug'), ('t', 'hug')]
    """
    characters = tokens = tuple(
        unknown_token if alphabet is not None and character not in alphabet else character for character in word
    )
    steps: list[MergeApplied] = []
    for pair in merges:
        if pair[0] in tokens and (merged := merge_pair(tokens, pair, "".join(pair))) != tokens:
            tokens = merged
            steps.append(MergeApplied(pair, tokens))
    return Tokenization(word, characters, tuple(steps))
