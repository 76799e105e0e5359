"""One training, done by the reference or by the target, and random corpora for it."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from types import ModuleType

TEXTS = ("botchan", "pride_and_prejudice", "wagahai")
PRE_TOKENIZERS = ("Whitespace", "ByteLevel", "Metaspace")

TRAINERS = {
    "BPE": "BpeTrainer",
    "WordPiece": "WordPieceTrainer",
    "WordLevel": "WordLevelTrainer",
    "Unigram": "UnigramTrainer",
}
"""The trainer of each model."""


@dataclass(frozen=True)
class Training:
    """What is trained, how, and on what; the options are those of the trainer."""

    model: str
    texts: tuple[str, ...] | list[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    pre_tokenizer: str | None = "Whitespace"

    def tokenizer(self, library: ModuleType) -> Any:
        """Return a tokenizer of ``library`` that was trained."""
        tokenizer = library.Tokenizer(getattr(library.models, self.model)())
        if self.pre_tokenizer:
            tokenizer.pre_tokenizer = getattr(library.pre_tokenizers, self.pre_tokenizer)()
        trainer = getattr(library.trainers, TRAINERS[self.model])(show_progress=False, **self.options)
        tokenizer.train_from_iterator(self.texts, trainer)
        return tokenizer

    def document(self, library: ModuleType) -> dict[str, Any]:
        """Return the tokenizer.json of :meth:`tokenizer`."""
        document: dict[str, Any] = json.loads(self.tokenizer(library).to_str())
        return document


def lines_of(shared: Path, name: str, size: int | None = None) -> list[str]:
    """Return the lines of a published text, with their ends, up to ``size`` characters."""
    text = (shared / "texts" / f"{name}.txt").read_text(encoding="utf-8")
    return text[:size].splitlines(keepends=True)


def word_counts(library: ModuleType, texts: list[str], pre_tokenizer: str) -> dict[str, int]:
    """Return how often each piece of ``texts`` occurs."""
    counts: dict[str, int] = {}
    component = getattr(library.pre_tokenizers, pre_tokenizer)()
    for text in texts:
        for word, _ in component.pre_tokenize_str(text):
            counts[word] = counts.get(word, 0) + 1
    return counts


ALPHABETS = ("ab", "abc", "abcdefgh", "aé日😀", "a$-ñ")


class Corpora:
    """Draws small corpora and options; ``seed`` makes them the same every time."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.alphabet = self.random.choice(ALPHABETS)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def words(self) -> Iterator[str]:
        """Give words, few of them long, many of them several times."""
        for _ in range(self.random.randint(0, 40)):
            letters = self.random.choices(self.alphabet, k=self.random.randint(1, self.random.choice([4, 12])))
            yield from ["".join(letters)] * self.random.choice([1, 1, 2, 5])

    def tokens(self, most: int) -> list[str]:
        return ["".join(self.random.choices(self.alphabet, k=self.random.randint(1, 3))) for _ in range(most)]

    def bpe_options(self) -> dict[str, Any]:
        """Return options with which the target's answer is not random."""
        options: dict[str, Any] = {"vocab_size": self.random.choice([0, 5, 12, 30, 100])}
        if self.chance(0.3):
            options["min_frequency"] = self.random.randint(1, 6)
        if self.chance(0.3):
            options["max_token_length"] = self.random.randint(0, 8)
        if self.chance(0.3):
            options["initial_alphabet"] = ["z", *self.tokens(2)]
        if self.chance(0.4):
            options["special_tokens"] = ["<s>", *self.tokens(3)]
        return options

    def word_level_options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"vocab_size": self.random.choice([0, 1, 5, 30])}
        if self.chance(0.4):
            options["min_frequency"] = self.random.randint(0, 4)
        if self.chance(0.5):
            options["special_tokens"] = ["<s>", *self.tokens(3)]
        return options

    def merge_options(self) -> dict[str, Any]:
        """Return options with which the target's answer is random, for BPE.

        No prefix or suffix is text of the words: see :mod:`replay`.
        """
        return self.bpe_options() | self.random.choice(
            [
                {"continuing_subword_prefix": "##"},
                {"end_of_word_suffix": "</w>"},
                {"continuing_subword_prefix": "(", "end_of_word_suffix": ")"},
                {"limit_alphabet": self.random.randint(0, 4)},
                {"limit_alphabet": 3, "continuing_subword_prefix": "@"},
            ]
        )

    def unigram_options(self) -> dict[str, Any]:
        options: dict[str, Any] = {
            "vocab_size": self.random.randint(4, 80),
            "max_piece_length": self.random.choice([16, 16, 3, 1]),
            "n_sub_iterations": self.random.choice([2, 2, 1, 3]),
            "shrinking_factor": self.random.choice([0.75, 0.75, 0.5, 0.9]),
        }
        if self.chance(0.5):
            options["special_tokens"] = self.random.choice([["<s>"], ["<unk>", "<s>"], ["<s>", "<s>"]])
        if self.chance(0.5):
            options["unk_token"] = self.random.choice(["<unk>", "<s>", "?"])
        if self.chance(0.3):
            options["initial_alphabet"] = ["z", self.alphabet[0]]
        return options
