"""WordPieceTrainer: a vocabulary from the merges of the most frequent pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from tokenizer_reference.arguments import NOT_GIVEN, ignore_unknown, string, text_or_not_given, unsigned_64
from tokenizer_reference.models.vocabulary import tokens_by_id
from tokenizer_reference.models.wordpiece import WordPiece
from tokenizer_reference.trainers.base import NO_CHARACTERS, NO_TOKENS, as_special_tokens, first_characters, trains
from tokenizer_reference.trainers.merge_trainer import MergeTrainer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.trainers.progress import Report
    from tokenizer_reference.values.added_token import AddedToken

PREFIX: Final = "##"
"""The default prefix."""


@trains(WordPiece)
class WordPieceTrainer(MergeTrainer):
    """Learns the vocabulary of a WordPiece model as :class:`BpeTrainer` does, with the prefix ``##``.

    Merges are dropped.

    That is not the training of the papers on WordPiece, which chooses pairs by likelihood. The options are those of
    :class:`BpeTrainer`. The model takes the prefix over (without one, ``##``); its unknown token is in the vocabulary
    only if it is one of the special tokens.

    With a prefix, the target answers at random (see :class:`BpeTrainer`).

    >>> from tokenizer_reference import Tokenizer, models, pre_tokenizers
    >>> tokenizer = Tokenizer(models.WordPiece())
    >>> tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    >>> tokenizer.train_from_iterator(["hug pug"], WordPieceTrainer(special_tokens=["[UNK]"], show_progress=False))
    >>> list(tokenizer.get_vocab())
    ['[UNK]', 'g', 'h', 'p', 'u', '##u', '##g', '##ug', 'hug', 'pug']
    """

    def __init__(
        self,
        *,
        vocab_size: int = 30000,
        min_frequency: int = 0,
        show_progress: bool = True,
        special_tokens: list[str | AddedToken] = NO_TOKENS,
        limit_alphabet: int = NOT_GIVEN,
        initial_alphabet: Sequence[str] = NO_CHARACTERS,
        continuing_subword_prefix: str = PREFIX,
        end_of_word_suffix: str = NOT_GIVEN,
        **unknown: object,
    ) -> None:
        ignore_unknown(unknown, "kwargs")
        self.vocab_size = vocab_size
        self.min_frequency = min_frequency
        self.show_progress = show_progress
        self._progress_format = "indicatif"
        self._special_tokens = as_special_tokens("special_tokens", special_tokens)
        self.limit_alphabet = None if limit_alphabet is NOT_GIVEN else unsigned_64("limit_alphabet", limit_alphabet)
        self._initial_alphabet = first_characters("initial_alphabet", initial_alphabet)
        self.continuing_subword_prefix = string("continuing_subword_prefix", continuing_subword_prefix)
        self.end_of_word_suffix = text_or_not_given("end_of_word_suffix", end_of_word_suffix)
        self._max_token_length = None
        self._words = {}

    def _learn(self, model: WordPiece, report: Report) -> None:
        model._vocab = self._learn_merges(report).vocabulary
        model._tokens = tokens_by_id(model._vocab)
        prefix = self.continuing_subword_prefix
        model.continuing_subword_prefix = PREFIX if prefix is None else prefix

    # The one of a file may have options that the constructor does not take.

    def _fields(self) -> dict[str, Any]:
        return {"bpe_trainer": self._merge_fields()}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        trainer = cls()
        trainer._set_merge_fields(value.struct("bpe_trainer")["bpe_trainer"])
        return trainer
