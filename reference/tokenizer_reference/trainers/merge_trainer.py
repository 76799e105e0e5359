"""What BpeTrainer and WordPieceTrainer have in common: options, state, and the learning of merges."""

from __future__ import annotations

import gc
from abc import ABC
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from tokenizer_reference.trainers.base import (
    Trainer,
    optional_unsigned,
    options,
    special_tokens_from_json,
    special_tokens_to_json,
    words_from_json,
)
from tokenizer_reference.trainers.merge_beginning import Beginning, MergeOptions
from tokenizer_reference.trainers.merge_learning import Merge, learner_of
from tokenizer_reference.trainers.progress import FORMATS, report_of, reported

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.trainers.progress import Report

_NAMES_OF_FORMATS: Final = {name: option for option, name in FORMATS.items()}

_FIELDS: Final = (
    "min_frequency",
    "vocab_size",
    "show_progress",
    "progress_format",
    "special_tokens",
    "limit_alphabet",
    "initial_alphabet",
    "continuing_subword_prefix",
    "end_of_word_suffix",
    "max_token_length",
    "words",
)


class Learned(NamedTuple):
    """What was learned: tokens with their ids, and the merges in order."""

    vocabulary: dict[str, int]
    merges: list[Merge]


@contextmanager
def _no_collection() -> Iterator[None]:
    """Stop collecting reference cycles: learning makes many lists and no cycles, and takes a quarter longer with it."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class MergeTrainer(Trainer, ABC):
    """A trainer that learns merges (see :mod:`.merge_learning`)."""

    _OPTIONS: ClassVar = options(
        "vocab_size",
        "min_frequency",
        "show_progress",
        "special_tokens",
        "limit_alphabet",
        "initial_alphabet",
        "continuing_subword_prefix",
        "end_of_word_suffix",
    )

    vocab_size: int
    min_frequency: int
    limit_alphabet: int | None
    continuing_subword_prefix: str | None
    end_of_word_suffix: str | None

    _max_token_length: int | None
    _progress_format: str

    @property
    def initial_alphabet(self) -> list[str]:
        """The characters that are in the alphabet though the corpus may not have them, by code point."""
        return self._initial_alphabet.copy()

    @initial_alphabet.setter
    def initial_alphabet(self, characters: list[str]) -> None:
        self._initial_alphabet = characters

    def _merge_options(self) -> MergeOptions:
        return MergeOptions(
            vocab_size=self.vocab_size,
            min_frequency=self.min_frequency,
            special_tokens=tuple(token.content for token in self._special_tokens),
            limit_alphabet=self.limit_alphabet,
            initial_alphabet=tuple(self._initial_alphabet),
            continuing_subword_prefix=self.continuing_subword_prefix,
            end_of_word_suffix=self.end_of_word_suffix,
            max_token_length=self._max_token_length,
        )

    @_no_collection()
    def _learn_merges(self, report: Report) -> Learned:
        merge_options, words = self._merge_options(), len(self._words)
        report("Tokenize words", 0, words)
        beginning = Beginning(self._words, merge_options)
        report("Tokenize words", words, words)
        report("Count pairs", 0, words)
        learner = learner_of(beginning, merge_options)
        report("Count pairs", words, words)
        merges = list(reported(report, "Compute merges", learner.steps(), self.vocab_size))
        return Learned(learner.vocabulary(), merges)

    def _report(self) -> Report:
        return report_of(self._progress_format, is_shown=self.show_progress)

    # State -----------------------------------------------------------------------------------------------------------

    def _merge_fields(self) -> dict[str, Any]:
        return {
            "min_frequency": self.min_frequency,
            "vocab_size": self.vocab_size,
            "show_progress": self.show_progress,
            "progress_format": FORMATS[self._progress_format],
            "special_tokens": special_tokens_to_json(self._special_tokens),
            "limit_alphabet": self.limit_alphabet,
            "initial_alphabet": self._initial_alphabet,
            "continuing_subword_prefix": self.continuing_subword_prefix,
            "end_of_word_suffix": self.end_of_word_suffix,
            "max_token_length": self._max_token_length,
            "words": self._words,
        }

    def _set_merge_fields(self, value: JsonValue) -> None:
        """Become what ``value`` describes. Raises :class:`TokenizerFileError`."""
        fields = value.struct(*_FIELDS)
        self.min_frequency = fields["min_frequency"].unsigned()
        self.vocab_size = fields["vocab_size"].unsigned()
        self.show_progress = fields["show_progress"].boolean()
        self._progress_format = fields["progress_format"].one_of(_NAMES_OF_FORMATS)
        self._special_tokens = special_tokens_from_json(fields["special_tokens"])
        self.limit_alphabet = optional_unsigned(fields.get("limit_alphabet"))
        self.initial_alphabet = [char.char() for char in fields["initial_alphabet"].items()]
        self.continuing_subword_prefix = fields.get("continuing_subword_prefix").optional_string()
        self.end_of_word_suffix = fields.get("end_of_word_suffix").optional_string()
        self._max_token_length = optional_unsigned(fields.get("max_token_length"))
        self._words = words_from_json(fields["words"])
