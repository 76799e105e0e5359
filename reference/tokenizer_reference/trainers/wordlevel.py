"""WordLevelTrainer: the most frequent words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import ignore_unknown
from tokenizer_reference.models.vocabulary import tokens_by_id
from tokenizer_reference.models.wordlevel import WordLevel
from tokenizer_reference.trainers.base import (
    NO_TOKENS,
    Trainer,
    as_special_tokens,
    options,
    special_tokens_from_json,
    special_tokens_to_json,
    trains,
    words_from_json,
)
from tokenizer_reference.trainers.progress import report_of

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.trainers.progress import Report
    from tokenizer_reference.values.added_token import AddedToken


@trains(WordLevel)
class WordLevelTrainer(Trainer):
    """Gives ids to the special tokens, then to the words by falling count, equal counts in the order of code points.

    ``vocab_size`` is how many ids there are in all; words that occur less than ``min_frequency`` times get none. A word
    that is also a special token takes the later id, and the earlier one is the id of nothing.

    >>> from tokenizer_reference import Tokenizer, models, pre_tokenizers
    >>> tokenizer = Tokenizer(models.WordLevel())
    >>> tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    >>> trainer = WordLevelTrainer(special_tokens=["<s>", "b"], show_progress=False)
    >>> tokenizer.train_from_iterator(["b a c c a z"], trainer)
    >>> tokenizer.get_vocab()
    {'<s>': 0, 'b': 4, 'a': 2, 'c': 3, 'z': 5}
    """

    _OPTIONS: ClassVar = options("vocab_size", "min_frequency", "show_progress", "special_tokens")

    vocab_size: int
    min_frequency: int

    def __init__(
        self,
        *,
        vocab_size: int = 30000,
        min_frequency: int = 0,
        show_progress: bool = True,
        special_tokens: list[str | AddedToken] = NO_TOKENS,
        **unknown: object,
    ) -> None:
        ignore_unknown(unknown, "kwargs")
        self.vocab_size = vocab_size
        self.min_frequency = min_frequency
        self.show_progress = show_progress
        self._special_tokens = as_special_tokens("special_tokens", special_tokens)
        self._words = {}

    def _learn(self, model: WordLevel, _report: Report) -> None:
        frequent = [word for word, count in self._words.items() if count >= self.min_frequency]
        frequent.sort()
        frequent.sort(key=self._words.__getitem__, reverse=True)
        tokens = [token.content for token in self._special_tokens] + frequent
        model._vocab = {token: id_ for id_, token in enumerate(tokens[: self.vocab_size])}
        model._tokens = tokens_by_id(model._vocab)
        model._clear_cache()

    def _report(self) -> Report:
        return report_of("indicatif", is_shown=self.show_progress)

    def _fields(self) -> dict[str, Any]:
        return {
            "min_frequency": self.min_frequency,
            "vocab_size": self.vocab_size,
            "show_progress": self.show_progress,
            "special_tokens": special_tokens_to_json(self._special_tokens),
            "words": self._words,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        fields = value.struct("min_frequency", "vocab_size", "show_progress", "special_tokens", "words")
        trainer = cls(
            vocab_size=fields["vocab_size"].unsigned(),
            min_frequency=fields["min_frequency"].unsigned(),
            show_progress=fields["show_progress"].boolean(),
        )
        trainer._special_tokens = special_tokens_from_json(fields["special_tokens"])
        trainer._words = words_from_json(fields["words"])
        return trainer
