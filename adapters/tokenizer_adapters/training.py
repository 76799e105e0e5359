r"""What the harness may ask of a trainer, and what a trainer may answer.

A *trainer* is described by a :class:`TrainerInfo`. It counts the words that its own pre-tokenizer cuts a corpus into,
if it has one, and learns a vocabulary from a :class:`TrainingRequest`. Answers are types, as in
:mod:`tokenizer_adapters.contract`.

A corpus is a sequence of UTF-8 files. Each line, without its line end (``\n`` or ``\r\n``), is one sequence; empty
lines are left out, since no trainer learns from them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tokenizer_adapters.contract import WithoutValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class Algorithm(StrEnum):
    """What is learned from a corpus."""

    BPE = "bpe"
    WORDPIECE = "wordpiece"
    UNIGRAM = "unigram"
    WORDLEVEL = "wordlevel"


class PreTokenizer(StrEnum):
    """What cuts sequences into words: ``Whitespace()``, ``ByteLevel(add_prefix_space=False)`` or ``Metaspace()``."""

    WHITESPACE = "whitespace"
    BYTELEVEL = "bytelevel"
    METASPACE = "metaspace"


# What can be asked ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """The options of the trainers of ``tokenizers``, by their names there; lengths count code points.

    ``max_token_length`` is for BPE: a pair that arises by a merge is left alone unless its token is *shorter*. The last
    four are for Unigram. An empty prefix or suffix is none.
    """

    vocab_size: int
    min_frequency: int = 0
    special_tokens: tuple[str, ...] = ()
    limit_alphabet: int | None = None
    initial_alphabet: tuple[str, ...] = ()
    max_token_length: int | None = None
    continuing_subword_prefix: str = ""
    end_of_word_suffix: str = ""
    unk_token: str | None = None
    max_piece_length: int = 16
    shrinking_factor: float = 0.75
    n_sub_iterations: int = 2

    def changed(self) -> tuple[str, ...]:
        """Return the names of the options that have another value than the default.

        >>> TrainingOptions(vocab_size=100, special_tokens=("<s>",), min_frequency=2).changed()
        ('min_frequency', 'special_tokens')
        """
        return tuple(
            field.name
            for field in fields(self)
            if field.name != "vocab_size" and getattr(self, field.name) != field.default
        )


COMMON_OPTIONS = frozenset({"special_tokens"})
_MERGING = COMMON_OPTIONS | {
    "min_frequency",
    "limit_alphabet",
    "initial_alphabet",
    "continuing_subword_prefix",
    "end_of_word_suffix",
}

OPTIONS: dict[Algorithm, frozenset[str]] = {
    Algorithm.BPE: _MERGING | {"max_token_length"},
    Algorithm.WORDPIECE: _MERGING,
    Algorithm.UNIGRAM: COMMON_OPTIONS
    | {"initial_alphabet", "unk_token", "max_piece_length", "shrinking_factor", "n_sub_iterations"},
    Algorithm.WORDLEVEL: COMMON_OPTIONS | {"min_frequency"},
}
"""The options that the trainers of ``tokenizers`` have for each algorithm, the size of the vocabulary apart."""

WORDPIECE_PREFIX = "##"
"""What the trainer of WordPiece puts before characters inside a word, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class TextFiles:
    """A corpus as the ``paths`` of its files, for a trainer that cuts it with its own pre-tokenizer."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CountedWords:
    """The words of a corpus with their counts, in the order in which they are first met."""

    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRequest:
    """Learn a vocabulary from ``corpus``, which is cut by a pre-tokenizer of the kind ``pre_tokenizer``.

    A trainer that says ``takes_words`` is given the words that were cut, with their counts; every other one the files.
    """

    algorithm: Algorithm
    pre_tokenizer: PreTokenizer
    corpus: TextFiles | CountedWords
    options: TrainingOptions


# What can be answered ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """What was learned: every token with its id, special ones included.

    ``merges`` are the pairs in the order in which they were learned, ``scores`` natural logarithms of probabilities by
    token. ``seconds`` is the time that training took, ``peak_memory`` by how many bytes the memory of the process grew
    meanwhile at most. ``None`` marks what the trainer does not show.
    """

    tokens: Mapping[str, int]
    merges: tuple[tuple[str, str], ...] | None = None
    scores: Mapping[str, float] | None = None
    seconds: float | None = None
    peak_memory: int | None = None


CountingOutcome = CountedWords | WithoutValue
TrainingOutcome = TrainedModel | WithoutValue

# Who answers ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TrainerInfo:
    """How a trainer describes itself. ``takes_words``: it has no pre-tokenizer, and learns from counted words."""

    name: str
    version: str
    language: str
    home_page: str
    algorithms: frozenset[Algorithm]
    takes_words: bool
    install: str


@runtime_checkable
class Trainer(Protocol):
    """Something that learns vocabularies. Built without arguments; building raises ``UnavailableError``."""

    @property
    def info(self) -> TrainerInfo:
        """Return the description."""

    def count_words(self, pre_tokenizer: PreTokenizer, files: tuple[str, ...]) -> CountingOutcome:
        """Return the words that the trainer's own pre-tokenizer cuts ``files`` into; never raises for its errors."""

    def train(self, request: TrainingRequest) -> TrainingOutcome:
        """Carry out ``request``; never raises for an error of the trainer."""


# The corpus ----------------------------------------------------------------------------------------------------------


def sequences(files: Iterable[str]) -> Iterator[str]:
    """Yield the sequences of a corpus, one line in memory at a time.

    Raises ``OSError`` and ``UnicodeDecodeError``.
    """
    for name in files:
        with Path(name).open(encoding="utf-8", newline="\n") as file:
            for line in file:
                sequence = line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line
                if sequence:
                    yield sequence


def count(words: Iterable[str]) -> CountedWords:
    """Count ``words``.

    >>> count(["to", "be", "to"])
    CountedWords(counts={'to': 2, 'be': 1})
    """
    counts: dict[str, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return CountedWords(counts)
