"""Small trainers for tests of the harness: an honest one by the plain definitions, and variants with one fault each.

The honest one cuts at spaces and learns by the obvious loops. Tests import this module; as a plugin it is registered by
the ``conftest.py`` of the tests of training.
"""

from __future__ import annotations

import math
import os
import random
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from tokenizer_adapters.contract import Failed, UnavailableError, Unsupported
from tokenizer_adapters.training import (
    Algorithm,
    CountedWords,
    PreTokenizer,
    TrainedModel,
    TrainerInfo,
    TrainingRequest,
    count,
    sequences,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Pair = tuple[str, str]


def characters_of(word: str, prefix: str) -> list[str]:
    return [prefix * (at > 0) + character for at, character in enumerate(word)]


def merge(tokens: list[str], pair: Pair, merged: str) -> list[str]:
    """Return ``tokens`` with ``pair`` merged from left to right."""
    done: list[str] = []
    for token in tokens:
        if done and (done[-1], token) == pair:
            done[-1] = merged
        else:
            done.append(token)
    return done


def pair_counts(corpus: Iterable[tuple[list[str], int]]) -> Counter[Pair]:
    counts: Counter[Pair] = Counter()
    for tokens, times in corpus:
        for pair in pairwise(tokens):
            counts[pair] += times
    return counts


def learn_merges(words: Mapping[str, int], size: int, prefix: str, *, last_of_equals: bool = False) -> TrainedModel:
    """Merge the most frequent pair until there are ``size`` tokens; of equals, the first or last in text order."""
    corpus = [(characters_of(word, prefix), times) for word, times in words.items()]
    tokens = sorted({token for symbols, _ in corpus for token in symbols})
    merges: list[Pair] = []
    while len(tokens) < size and (counts := pair_counts(corpus)):
        most = max(counts.values())
        equals = sorted(pair for pair in counts if counts[pair] == most)
        pair = equals[-1 if last_of_equals else 0]
        merged = pair[0] + pair[1].removeprefix(prefix)
        merges.append(pair)
        tokens += [merged] * (merged not in tokens)
        corpus = [(merge(symbols, pair, merged), times) for symbols, times in corpus]
    return TrainedModel({token: id_ for id_, token in enumerate(tokens)}, tuple(merges), None, 0.5, 1_000_000)


def learn_pieces(words: Mapping[str, int], size: int) -> TrainedModel:
    """Take the characters and the most frequent substrings; a piece scores by how often it occurs."""
    counts: Counter[str] = Counter()
    for word, times in words.items():
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                counts[word[start:end]] += times
    longer = sorted((piece for piece in counts if len(piece) > 1), key=lambda piece: (-counts[piece], piece))
    characters = [piece for piece in counts if len(piece) == 1]
    kept = sorted([*characters, *longer[: size - len(characters)]], key=lambda piece: (-counts[piece], piece))
    total = sum(counts[piece] for piece in kept)
    scores = {piece: math.log(counts[piece] / total) for piece in kept}
    return TrainedModel({piece: id_ for id_, piece in enumerate(kept)}, None, scores, 0.5, None)


def learn_words(words: Mapping[str, int], size: int) -> TrainedModel:
    kept = sorted(words, key=lambda word: (-words[word], word))[:size]
    return TrainedModel({word: id_ for id_, word in enumerate(kept)}, None, None, 0.5, None)


def words_of(request: TrainingRequest) -> Mapping[str, int]:
    """Return the counted words of a request, or those of its files, cut at spaces."""
    corpus = request.corpus
    if isinstance(corpus, CountedWords):
        return corpus.counts
    return count(word for sequence in sequences(corpus.paths) for word in sequence.split()).counts


class Honest:
    """Learns by the plain definitions."""

    name: ClassVar[str] = "honest"
    algorithms: ClassVar[frozenset[Algorithm]] = frozenset(Algorithm)
    takes_words: ClassVar[bool] = False
    last_of_equals: ClassVar[bool] = False

    @property
    def info(self) -> TrainerInfo:
        return TrainerInfo(
            name=self.name,
            version="1.0",
            language="Python",
            home_page="",
            algorithms=self.algorithms,
            takes_words=self.takes_words,
            install=f"pip install {self.name}",
        )

    def count_words(self, pre_tokenizer: PreTokenizer, files: tuple[str, ...]) -> CountedWords | Failed | Unsupported:  # noqa: ARG002
        return count(word for sequence in sequences(files) for word in sequence.split())

    def train(self, request: TrainingRequest) -> TrainedModel | Failed | Unsupported:
        return self.planted(self.learned(request), request)

    def learned(self, request: TrainingRequest) -> TrainedModel:
        words, size = words_of(request), request.options.vocab_size - len(request.options.special_tokens)
        match request.algorithm:
            case Algorithm.UNIGRAM:
                model = learn_pieces(words, size)
            case Algorithm.WORDLEVEL:
                model = learn_words(words, size)
            case _:
                prefix = request.options.continuing_subword_prefix
                model = learn_merges(words, size, prefix, last_of_equals=self.last_of_equals)
        special = request.options.special_tokens
        tokens = {token: id_ for id_, token in enumerate([*special, *model.tokens])}
        return replace(model, tokens=tokens)

    def planted(self, model: TrainedModel, request: TrainingRequest) -> TrainedModel:  # noqa: ARG002
        return model


class OtherEquals(Honest):
    """Takes another one of equally frequent pairs, which the algorithm leaves open."""

    name = "other-equals"
    last_of_equals = True


def swapped(model: TrainedModel, first: int, second: int) -> TrainedModel:
    """Return ``model`` with two merges exchanged, and nothing else."""
    merges = list(model.merges or ())
    merges[first], merges[second] = merges[second], merges[first]
    return replace(model, merges=tuple(merges))


def without(model: TrainedModel, token: str) -> TrainedModel:
    """Return ``model`` without one of its tokens."""
    kept = {other: id_ for other, id_ in model.tokens.items() if other != token}
    return replace(model, tokens={other: id_ for id_, other in enumerate(kept)})


def renumbered(model: TrainedModel, first: str, second: str) -> TrainedModel:
    """Return ``model`` with the ids of two tokens exchanged."""
    tokens = dict(model.tokens)
    tokens[first], tokens[second] = tokens[second], tokens[first]
    return replace(model, tokens=tokens)


def rescored(model: TrainedModel, token: str, difference: float) -> TrainedModel:
    """Return ``model`` with another score of one of its pieces."""
    scores = dict(model.scores or {})
    scores[token] += difference
    return replace(model, scores=scores)


class LastDropped(Honest):
    """Leaves out the last token."""

    name = "last-dropped"

    def planted(self, model: TrainedModel, request: TrainingRequest) -> TrainedModel:  # noqa: ARG002
        return without(model, max(model.tokens, key=model.tokens.__getitem__))


class Unrepeatable(Honest):
    """Numbers the tokens at random, in another way in each process."""

    name = "unrepeatable"

    def planted(self, model: TrainedModel, request: TrainingRequest) -> TrainedModel:  # noqa: ARG002
        tokens = list(model.tokens)
        random.Random(os.getpid()).shuffle(tokens)
        return replace(model, tokens={token: id_ for id_, token in enumerate(tokens)})


class OtherWords(Honest):
    """Has a pre-tokenizer that lowers the case."""

    name = "other-words"

    def count_words(self, pre_tokenizer: PreTokenizer, files: tuple[str, ...]) -> CountedWords:  # noqa: ARG002
        return count(word.lower() for sequence in sequences(files) for word in sequence.split())


class OnlyBpe(Honest):
    """Has no trainer but that of BPE."""

    name = "only-bpe"
    algorithms = frozenset({Algorithm.BPE})
    takes_words = True

    def train(self, request: TrainingRequest) -> TrainedModel | Failed | Unsupported:
        if request.algorithm not in self.algorithms:
            return Unsupported(f"only-bpe has no trainer for {request.algorithm}")
        return super().train(request)


class Failing(Honest):
    name = "failing"

    def train(self, request: TrainingRequest) -> Failed:  # noqa: ARG002
        return Failed("ValueError", "not\ntoday \x1b[31m")


class Raising(Honest):
    name = "raising"

    def train(self, request: TrainingRequest) -> TrainedModel:  # noqa: ARG002
        raise RuntimeError("a bug of the adapter")


class Dying(Honest):
    name = "dying"

    def train(self, request: TrainingRequest) -> TrainedModel:  # noqa: ARG002
        os.abort()


class Hanging(Honest):
    name = "hanging"

    def train(self, request: TrainingRequest) -> TrainedModel:  # noqa: ARG002
        time.sleep(600)
        raise AssertionError("nobody has ended this process")


class Uncounting(Honest):
    name = "uncounting"

    def count_words(self, pre_tokenizer: PreTokenizer, files: tuple[str, ...]) -> Failed:  # noqa: ARG002
        return Failed("ValueError", "cannot count")


class Missing(Honest):
    name = "missing"

    def __init__(self) -> None:
        raise UnavailableError("missing is not installed; install it with: pip install missing")


ALL = (
    Honest,
    OtherEquals,
    LastDropped,
    Unrepeatable,
    OtherWords,
    OnlyBpe,
    Failing,
    Raising,
    Dying,
    Hanging,
    Uncounting,
    Missing,
)
