"""The teaching algorithms of this project, as published: BPE, WordPiece and Unigram.

They learn from counted words and have no options but the special tokens, which come first in the vocabulary. What is
published keeps every step, which takes much memory on a corpus of some size; here only the last one is kept.

Unigram computes the loss of the whole corpus anew for every token in every round, which takes days on a book: where it
would cut more than :data:`MOST_CHARACTERS`, the answer is that this is not supported.
"""

from __future__ import annotations

import importlib.metadata
from itertools import islice
from math import ceil, log
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Crashed, Failed, Unsupported
from tokenizer_adapters.trainers.measurement import measured
from tokenizer_adapters.trainers.pipeline import outcome_of_work
from tokenizer_adapters.training import (
    WORDPIECE_PREFIX,
    Algorithm,
    CountedWords,
    PreTokenizer,
    TrainedModel,
    TrainerInfo,
)
from tokenizer_reference.textbook import bpe, unigram, wordpiece
from tokenizer_reference.textbook.merging import CountedWord, Pair, token_frequencies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tokenizer_adapters.training import TrainingRequest

DISTRIBUTION = "tokenizer-conformance"

INITIAL_SHARE = 3
"""Unigram starts from so many times the tokens that are wanted: 300 for 100, as published."""

REMOVED_SHARE = 0.1
"""Which part of the tokens Unigram removes in a round, as published."""

MOST_CHARACTERS = 100_000_000
"""How many characters Unigram may cut into tokens, all rounds together: about ten minutes."""

_OPTIONS = frozenset({"special_tokens"})


class TextbookTrainer:
    """``tokenizer_reference.textbook``."""

    def __init__(self) -> None:
        self.info = TrainerInfo(
            name="textbook",
            version=importlib.metadata.version(DISTRIBUTION),
            language="Python",
            home_page="",  # none but the project's README
            algorithms=frozenset(_TRAININGS),
            takes_words=True,
            install=f"pip install {DISTRIBUTION}",
        )

    def count_words(self, pre_tokenizer: PreTokenizer, files: tuple[str, ...]) -> Unsupported:  # noqa: ARG002
        """Answer that there is no pre-tokenizer to show."""
        return Unsupported("the textbook has no pre-tokenizer of its own")

    def train(self, request: TrainingRequest) -> TrainedModel | Unsupported | Failed | Crashed:
        """Train on the counted words of ``request``."""
        corpus = request.corpus
        if not isinstance(corpus, CountedWords):
            return Unsupported("the textbook learns from counted words, not from files")
        reason = _unsupported(request, corpus.counts)
        if reason is not None:
            return Unsupported(reason)
        return outcome_of_work(lambda: _TRAININGS[request.algorithm](request, corpus.counts))


def _unsupported(request: TrainingRequest, words: Mapping[str, int]) -> str | None:
    """Say why ``request`` cannot be carried out, ``None`` where it can."""
    if request.algorithm not in _TRAININGS:
        return f"the textbook has no training for {request.algorithm}"
    own = {"continuing_subword_prefix"} if request.algorithm is Algorithm.WORDPIECE else set()
    if request.options.unk_token in request.options.special_tokens:
        own.add("unk_token")  # it only names one of these, and nothing is learned of it
    foreign = sorted(set(request.options.changed()) - _OPTIONS - own)
    if foreign:
        return f"the textbook has no {', '.join(foreign)}"
    if request.algorithm is Algorithm.WORDPIECE and request.options.continuing_subword_prefix != WORDPIECE_PREFIX:
        return f"the textbook has no other prefix than {WORDPIECE_PREFIX}"
    cut = characters_to_cut(words, _wanted(request))
    if request.algorithm is Algorithm.UNIGRAM and cut > MOST_CHARACTERS:
        return (
            f"the textbook computes the loss of the whole corpus for every token in every round: {cut:,} characters to "
            f"cut, more than {MOST_CHARACTERS:,}; take a smaller corpus or vocabulary"
        )
    return None


def characters_to_cut(words: Iterable[str], wanted: int) -> int:
    """Return about how many characters Unigram cuts to learn ``wanted`` tokens: one corpus per token and round.

    >>> characters_to_cut(["hug", "pug"], 10)
    1236
    """
    rounds = ceil(log(INITIAL_SHARE) / -log(1 - REMOVED_SHARE))
    tokens = sum(wanted * INITIAL_SHARE * (1 - REMOVED_SHARE) ** number for number in range(rounds))
    return ceil(tokens) * sum(map(len, words))


def _wanted(request: TrainingRequest) -> int:
    """Return how many tokens there are to be beside the special ones."""
    return max(0, request.options.vocab_size - len(request.options.special_tokens))


# The trainings -------------------------------------------------------------------------------------------------------


def _bpe(request: TrainingRequest, words: Mapping[str, int]) -> TrainedModel:
    corpus = tuple(CountedWord(tuple(word), count) for word, count in words.items())

    def steps() -> Iterator[tuple[Pair, str]]:
        return ((step.pair, step.token) for step in bpe.merge_steps(corpus))

    return _merging(request, token_frequencies(corpus), steps)


def _wordpiece(request: TrainingRequest, words: Mapping[str, int]) -> TrainedModel:
    corpus = tuple(CountedWord(wordpiece.split_word(word), count) for word, count in words.items())

    def steps() -> Iterator[tuple[Pair, str]]:
        return ((step.pair, step.token) for step in wordpiece.merge_steps(corpus))

    return _merging(request, token_frequencies(corpus), steps)


def _merging(
    request: TrainingRequest, alphabet: Iterable[str], steps: Callable[[], Iterator[tuple[Pair, str]]]
) -> TrainedModel:
    """Return what as many ``steps`` give as there is room for."""
    vocabulary = [*request.options.special_tokens, *sorted(alphabet)]
    room = max(0, request.options.vocab_size - len(vocabulary))
    done = measured(lambda: list(islice(steps(), room)))
    tokens = _numbered([*vocabulary, *(token for _, token in done.value)])
    return TrainedModel(tokens, tuple(pair for pair, _ in done.value), None, done.seconds, done.peak_memory)


def _unigram(request: TrainingRequest, words: Mapping[str, int]) -> TrainedModel:
    wanted = _wanted(request)
    done = measured(
        lambda: unigram.train(words, wanted, initial_size=INITIAL_SHARE * wanted, share_to_remove=REMOVED_SHARE).model
    )
    scores = {token: -negative for token, negative in done.value.items()}
    by_score = sorted(scores, key=scores.__getitem__, reverse=True)
    tokens = _numbered([*request.options.special_tokens, *by_score])
    return TrainedModel(tokens, None, scores, done.seconds, done.peak_memory)


def _numbered(tokens: list[str]) -> Mapping[str, int]:
    """Return each token with its place; one that was learned twice keeps the first."""
    places: dict[str, int] = {}
    for place, token in enumerate(tokens):
        places.setdefault(token, place)
    return places


_TRAININGS: dict[Algorithm, Callable[[TrainingRequest, Mapping[str, int]], TrainedModel]] = {
    Algorithm.BPE: _bpe,
    Algorithm.WORDPIECE: _wordpiece,
    Algorithm.UNIGRAM: _unigram,
}
