"""The notebook's variant of WordPiece (source: *The Tokenization Pipeline*, sections 3.7 to 3.9).

It learns as :mod:`~tokenizer_reference.textbook.wordpiece` does, and has the form of
:mod:`~tokenizer_reference.textbook.notebook_bpe`. How it tokenizes is its own:

- The vocabulary is stripped of its marks, so a token that was learned inside a word can be matched at the beginning.
- It is ordered by length, the longest first; of equally long tokens the one that was learned *last* comes first, and
  what was there before training is in the reverse order of the alphabet.
- It is gone through again and again, as long as something matches. Each token in turn is cut off the text if the text
  begins with it; then the pass *goes on with the tokens after it*, the shorter ones. So what is cut off is the longest
  match only at the beginning of a pass, and the order of equally long tokens counts.
- What is left when nothing matches any more is one last token.

The alphabet of the published class comes out of a set, so its order, and with it the tokens, can change from one run of
Python to the next. Here it is in the order of the code points unless the caller orders it.

Departures from the published class, beside those of the variant of BPE: only the mark itself is stripped, not every
``#`` and ``,`` of a token. Where one of these is a character of the corpus, the published class has an empty token in
its vocabulary, and its loop never ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_reference.textbook.notebook_bpe import History, learn
from tokenizer_reference.textbook.wordpiece import MARK, merged_token, pair_scores, split_word

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass through the vocabulary: the ``tokens`` that were cut off, and the ``rest`` that was left."""

    tokens: tuple[str, ...]
    rest: str


@dataclass(frozen=True, slots=True)
class Tokenization:
    """What tokenizing did to a text. The last pass, which finds nothing, is left out."""

    text: str
    passes: tuple[Pass, ...]

    @property
    def rest(self) -> str:
        """What nothing matched; it is the last token, unless it is empty."""
        return self.passes[-1].rest if self.passes else self.text

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of all passes, and the rest."""
        return (*(token for each in self.passes for token in each.tokens), *([self.rest] if self.rest else []))


@dataclass(frozen=True, slots=True)
class NotebookWordPiece:
    """A trained tokenizer.

    >>> words = ["cat"] * 5 + ["cats"] * 2 + ["eat"] * 10 + ["eating"] * 3
    >>> words += ["running"] * 2 + ["jumping"] + ["food"] * 6
    >>> tokenizer = NotebookWordPiece.train(words, 30)
    >>> tokenizer.tokenize("jumper").tokens
    ('jump', 'e', 'r')
    >>> for each in tokenizer.tokenize("runntjumpy").passes:
    ...     print(each)
    Pass(tokens=('runn', 't'), rest='jumpy')
    Pass(tokens=('jump',), rest='y')
    """

    history: History

    @classmethod
    def train(
        cls, words: Sequence[str], target_vocabulary_size: int, *, alphabet: Sequence[str] | None = None
    ) -> NotebookWordPiece:
        """Learn merges from ``words`` until the vocabulary has ``target_vocabulary_size`` tokens.

        ``alphabet`` gives the order of the characters, with their marks; without it, they are in the order of their
        code points. Raises :class:`~tokenizer_reference.textbook.notebook_bpe.TargetVocabularySizeError`, and
        :class:`ValueError` for an ``alphabet`` of other characters.
        """
        return cls(learn(words, target_vocabulary_size, alphabet, split_word, pair_scores, merged_token))

    @property
    def matching_order(self) -> tuple[str, ...]:
        """The tokens without their marks, in the order in which a pass goes through them."""
        # A word that begins with "##" can have the mark as a token: that one is text.
        stripped = sorted((token.removeprefix(MARK) or token for token in self.history.vocabulary), key=len)
        return tuple(reversed(stripped))

    def tokenize(self, text: str) -> Tokenization:
        """Cut tokens off the beginning of ``text``, pass after pass."""
        order = self.matching_order
        passes: list[Pass] = []
        rest = text
        while (found := _go_through(order, rest)).tokens:
            passes.append(found)
            rest = found.rest
        return Tokenization(text, tuple(passes))


def _go_through(order: Sequence[str], rest: str) -> Pass:
    tokens: list[str] = []
    for token in order:
        if rest.startswith(token):
            tokens.append(token)
            rest = rest[len(token) :]
    return Pass(tuple(tokens), rest)
