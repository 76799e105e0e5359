"""What trainers are compared on: the words of a corpus, and what they were asked to learn from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.training import Algorithm
from tokenizer_conformance.defaults import TRAINING_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenizer_adapters.training import TrainingOptions


@dataclass(frozen=True, slots=True)
class Affixes:
    """What marks characters that do not begin a word (``prefix``), and those that end one (``suffix``)."""

    prefix: str = ""
    suffix: str = ""

    def symbols(self, word: str) -> list[str]:
        """Return the tokens that ``word`` begins as.

        >>> Affixes("##", "$").symbols("abc")
        ['a', '##b', '##c$']
        """
        last = len(word) - 1
        return [
            (self.prefix if at else "") + character + (self.suffix if at == last else "")
            for at, character in enumerate(word)
        ]

    def merged(self, left: str, right: str) -> str:
        """Return the token of two tokens.

        >>> Affixes("##").merged("a", "##b")
        'ab'
        """
        return left + right.removeprefix(self.prefix)

    def pairs(self, token: str) -> list[tuple[str, str]]:
        """Return the pairs of tokens that ``token`` can be merged from.

        >>> Affixes("##").pairs("##abc")
        [('##a', '##bc'), ('##ab', '##c')]
        """
        first = len(self.prefix) + 1 if self.prefix and token.startswith(self.prefix) else 1
        last = len(token) - (len(self.suffix) if self.suffix and token.endswith(self.suffix) else 0)
        return [(token[:cut], self.prefix + token[cut:]) for cut in range(first, last)]

    def length(self, token: str) -> int:
        """Return how many characters of a word ``token`` stands for."""
        bare = token.removeprefix(self.prefix) if len(token) > len(self.prefix) else token
        return len(bare.removesuffix(self.suffix) if len(bare) > len(self.suffix) else bare)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingTask:
    """What was learned from, and what was asked for. Scores that differ by no more than ``tolerance`` are equal."""

    algorithm: Algorithm
    words: Mapping[str, int]
    options: TrainingOptions
    tolerance: float = TRAINING_TOLERANCE

    @property
    def affixes(self) -> Affixes:
        """What marks the places of characters in words."""
        return Affixes(self.options.continuing_subword_prefix, self.options.end_of_word_suffix)

    @property
    def least_count(self) -> int:
        """How often a pair or word has to occur to be learned."""
        return max(1, self.options.min_frequency)

    @property
    def is_merging(self) -> bool:
        """Whether merges are learned."""
        return self.algorithm in (Algorithm.BPE, Algorithm.WORDPIECE)

    def unmarked(self, tokens: Iterable[str]) -> list[str]:
        """Return those of ``tokens`` that are no special tokens."""
        special = {*self.options.special_tokens, self.options.unk_token}
        return [token for token in tokens if token not in special]


def character_counts(words: Mapping[str, int]) -> dict[str, int]:
    """Return how often each character occurs.

    >>> character_counts({"aba": 2, "b": 1})
    {'a': 4, 'b': 3}
    """
    counts: dict[str, int] = {}
    for word, count in words.items():
        for character in word:
            counts[character] = counts.get(character, 0) + count
    return counts
