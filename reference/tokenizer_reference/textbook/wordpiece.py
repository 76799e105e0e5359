"""WordPiece as it is taught (sources: *Subword Tokenization Algorithms*, section 2, and *WordPiece tokenization*).

How Google trains WordPiece was never published; the documents say that theirs is a guess. (``tokenizers`` trains
WordPiece with BPE, so its vocabularies are others.)

**Training.** Every word starts as its characters, all but the first marked with ``##``. The pair with the best *score*
becomes one token, everywhere; then again, until the vocabulary is large enough:

    score = frequency of the pair / (frequency of its first token x frequency of its second token)

Of equal scores the pair that is met first is merged.

**Tokenizing.** Merges are forgotten; only the vocabulary counts. The longest token that a word begins with is cut off,
then the longest ``##`` token that the rest begins with, and so on. Where nothing matches, the *whole word* is unknown.

The mark is text like any other, so words that have ``#`` themselves can confuse it: the character ``x`` inside a word
and the beginning ``##x`` of a word are one token.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.textbook.merging import (
    Corpus,
    CountedWord,
    Pair,
    first_of_the_greatest,
    merge_in_corpus,
    pair_frequencies,
    token_frequencies,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

MARK = "##"
"""What a token inside a word begins with."""


def split_word(word: str) -> tuple[str, ...]:
    """Return the characters of ``word``, all but the first marked.

    >>> split_word("word")
    ('w', '##o', '##r', '##d')
    """
    return tuple(MARK + character if index else character for index, character in enumerate(word))


def merged_token(pair: Pair) -> str:
    """Return what ``pair`` becomes: the mark between the two goes, one at the beginning stays.

    >>> merged_token(("##g", "##s"))
    '##gs'
    """
    return pair[0] + pair[1].removeprefix(MARK)


def pair_scores(corpus: Corpus) -> dict[Pair, Fraction]:
    """Return the score of each pair of ``corpus``, in the order in which they are first met.

    The documents divide in floating point; :class:`float` of these fractions is what they print.
    """
    tokens = token_frequencies(corpus)
    return {
        (first, second): Fraction(frequency, tokens[first] * tokens[second])
        for (first, second), frequency in pair_frequencies(corpus).items()
    }


# Training ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MergeLearned:
    """One step of training: ``pair`` had the best score and became ``token``."""

    pair: Pair
    token: str
    pair_scores: Mapping[Pair, Fraction]
    """All pairs before the merge, in the order in which they are met."""
    corpus: Corpus
    """The words after the merge."""

    @property
    def score(self) -> Fraction:
        """The score of the pair."""
        return self.pair_scores[self.pair]


@dataclass(frozen=True, slots=True)
class Training:
    """What training did, from the characters to the last merge."""

    alphabet: tuple[str, ...]
    """The characters of the corpus, marked where they are inside a word, in the order of their code points."""
    corpus: Corpus
    """The words before the first merge."""
    steps: tuple[MergeLearned, ...]
    vocabulary: tuple[str, ...]
    """Special tokens, alphabet, and the token of each merge."""
    exhausted: bool
    """Whether training ended early because every word was one token."""


def train(word_counts: Mapping[str, int], vocabulary_size: int, special_tokens: Iterable[str] = ()) -> Training:
    """Merge until the vocabulary, ``special_tokens`` and characters included, has ``vocabulary_size`` tokens.

    Characters and special tokens are never left out, so a smaller ``vocabulary_size`` just learns nothing. Where no
    pair is left the published loop fails; this one ends and says so (``exhausted``).

    >>> training = train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, vocabulary_size=11)
    >>> [(step.token, str(step.score)) for step in training.steps]
    [('##gs', '1/20'), ('hu', '1/36'), ('hugs', '1/15'), ('hug', '1/15')]
    """
    corpus = tuple(CountedWord(split_word(word), count) for word, count in word_counts.items())
    alphabet = tuple(sorted(token_frequencies(corpus)))
    vocabulary = [*special_tokens, *alphabet]
    wanted = max(0, vocabulary_size - len(vocabulary))
    steps = tuple(islice(merge_steps(corpus), wanted))
    vocabulary += [step.token for step in steps]
    return Training(alphabet, corpus, steps, tuple(vocabulary), exhausted=len(steps) < wanted)


def merge_steps(corpus: Corpus) -> Iterator[MergeLearned]:
    """Yield the steps of training, of which each holds the whole corpus, until every word is one token."""
    while scores := pair_scores(corpus):
        pair = first_of_the_greatest(scores)
        token = merged_token(pair)
        corpus = merge_in_corpus(corpus, pair, token)
        yield MergeLearned(pair, token, scores, corpus)


# Tokenizing ----------------------------------------------------------------------------------------------------------


class NeverEndingError(TokenizerReferenceError):
    """The published loop does not come to an end for this word and vocabulary."""


@dataclass(frozen=True, slots=True)
class Match:
    """One step of tokenizing: ``token`` was cut off, and ``rest`` is left, with its mark."""

    token: str
    rest: str


@dataclass(frozen=True, slots=True)
class Tokenization:
    """The tokens of a word, with the matches that led to them."""

    word: str
    matches: tuple[Match, ...]
    unmatched: str
    """The rest that no token of the vocabulary begins, with its mark; empty where there is none."""
    tokens: tuple[str, ...]
    """The word's tokens: those of the matches, or just the unknown token where something is unmatched."""


def tokenize_word(
    word: str,
    vocabulary: Collection[str],
    *,
    unknown_token: str = "[UNK]",  # noqa: S107 - a token of text
    as_published: bool = False,
) -> Tokenization:
    """Cut ``word`` into the longest tokens of ``vocabulary``, from left to right.

    A token inside a word stands for at least one character of it, so that every step makes the rest shorter. The
    published code does not look at that: where ``#`` or ``##`` is a token, it matches the mark itself, which then comes
    back, and the loop may never end. ``as_published`` does that, too, but raises :class:`NeverEndingError` where there
    is no end.

    >>> vocabulary = {"b", "h", "p", "##g", "##n", "##s", "##u", "##gs", "hu", "hug"}
    >>> tokenize_word("bugs", vocabulary).matches
    (Match(token='b', rest='##ugs'), Match(token='##u', rest='##gs'), Match(token='##gs', rest=''))
    >>> bum = tokenize_word("bum", vocabulary)
    >>> bum.unmatched, bum.tokens
    ('##m', ('[UNK]',))
    """
    matches: list[Match] = []
    rest, mark = word, ""
    earlier: set[str] = set()
    while rest:
        if as_published:
            _refuse_to_run_forever(word, rest, earlier, vocabulary)
            earlier.add(rest)
        token = _longest_match(rest, vocabulary, 1 if as_published else len(mark) + 1)
        if token is None:
            return Tokenization(word, tuple(matches), rest, (unknown_token,))
        mark = MARK
        rest = rest.removeprefix(token)
        rest = rest and mark + rest
        matches.append(Match(token, rest))
    return Tokenization(word, tuple(matches), "", tuple(match.token for match in matches))


def _longest_match(rest: str, vocabulary: Collection[str], shortest: int) -> str | None:
    """Return the longest token that ``rest`` begins with, of at least ``shortest`` characters, or ``None``."""
    beginnings = (rest[:size] for size in range(len(rest), shortest - 1, -1))
    return next((beginning for beginning in beginnings if beginning in vocabulary), None)


def _refuse_to_run_forever(word: str, rest: str, earlier: set[str], vocabulary: Collection[str]) -> None:
    """Raise :class:`NeverEndingError` where the same rest was there ``earlier``, or the rest can only grow.

    It grows only if the one character ``#`` is matched, since the mark has two. Once it begins with more of them than
    any token has, every match is of that one character again.
    """
    if rest in earlier or len(rest) > len(word) + len(MARK) + max(map(len, vocabulary), default=0):
        raise NeverEndingError(
            f"tokenizing {word!r} does not end: a token of the vocabulary matches the mark {MARK!r} of what is left, "
            f"{rest[:40]!r}, and the mark comes back; leave `as_published` out, or keep '#' out of the vocabulary"
        )
