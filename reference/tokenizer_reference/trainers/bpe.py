"""BpeTrainer: the merges of the most frequent pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import NOT_GIVEN, ignore_unknown, string, text_or_not_given, unsigned_64
from tokenizer_reference.models.bpe import BPE
from tokenizer_reference.models.merges import MergeTable
from tokenizer_reference.models.vocabulary import tokens_by_id
from tokenizer_reference.trainers.base import (
    NO_CHARACTERS,
    NO_TOKENS,
    as_special_tokens,
    first_characters,
    options,
    trains,
)
from tokenizer_reference.trainers.merge_trainer import MergeTrainer
from tokenizer_reference.trainers.progress import FORMATS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.trainers.merge_beginning import MergeOptions
    from tokenizer_reference.trainers.progress import Report
    from tokenizer_reference.values.added_token import AddedToken


def _progress_format(name: str, value: Any) -> str:
    """Return the name of a format; every name that is none stands for the default (observed).

    Raises :class:`TypeError`.
    """
    return value if string(name, value) in FORMATS else "indicatif"


@trains(BPE)
class BpeTrainer(MergeTrainer):
    """Learns the merges and the vocabulary of a BPE model; :mod:`.merge_learning` has the rules.

    - ``vocab_size``: how many tokens there are when merging stops. Special tokens and alphabet can be more.
    - ``min_frequency``: how often a pair has to occur to be merged; no pair that does not occur is merged.
    - ``special_tokens``: texts or added tokens with the first ids.
    - ``limit_alphabet``: how many different characters are kept. The others are cut out of the words.
    - ``initial_alphabet``: characters that are kept whether they occur or not; of longer texts the first one counts.
    - ``continuing_subword_prefix``, ``end_of_word_suffix``: of characters that do not begin, or that end, a word. The
      model takes them over, also that there are none.
    - ``max_token_length``: pairs that a merge makes are left alone unless they are shorter, in characters.
    - ``show_progress``, ``progress_format``: ``indicatif`` (for people, on terminals), ``json`` (always), ``silent``.

    Where there is a prefix, a suffix or a limit to the alphabet, the target answers at random: it hands out ids in a
    random order, and ids decide between pairs that occur equally often.

    >>> from tokenizer_reference import Tokenizer, models, pre_tokenizers
    >>> tokenizer = Tokenizer(models.BPE())
    >>> tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    >>> tokenizer.train_from_iterator(["hug pug hugs bun"], BpeTrainer(vocab_size=10, show_progress=False))
    >>> tokenizer.get_vocab()
    {'b': 0, 'g': 1, 'h': 2, 'n': 3, 'p': 4, 's': 5, 'u': 6, 'ug': 7, 'hug': 8, 'bu': 9}
    """

    _OPTIONS: ClassVar = {
        **MergeTrainer._OPTIONS,
        **options("max_token_length"),
        "progress_format": _progress_format,
    }

    def __init__(
        self,
        *,
        vocab_size: int = 30000,
        min_frequency: int = 0,
        show_progress: bool = True,
        progress_format: str = "indicatif",
        special_tokens: list[str | AddedToken] = NO_TOKENS,
        limit_alphabet: int = NOT_GIVEN,
        initial_alphabet: Sequence[str] = NO_CHARACTERS,
        continuing_subword_prefix: str = NOT_GIVEN,
        end_of_word_suffix: str = NOT_GIVEN,
        max_token_length: int | None = None,
        **unknown: object,
    ) -> None:
        ignore_unknown(unknown, "kwargs")
        self.vocab_size = vocab_size
        self.min_frequency = min_frequency
        self.show_progress = show_progress
        self.progress_format = progress_format
        self._special_tokens = as_special_tokens("special_tokens", special_tokens)
        self.limit_alphabet = None if limit_alphabet is NOT_GIVEN else unsigned_64("limit_alphabet", limit_alphabet)
        self._initial_alphabet = first_characters("initial_alphabet", initial_alphabet)
        self.continuing_subword_prefix = text_or_not_given("continuing_subword_prefix", continuing_subword_prefix)
        self.end_of_word_suffix = text_or_not_given("end_of_word_suffix", end_of_word_suffix)
        self.max_token_length = max_token_length
        self._words = {}

    @property
    def max_token_length(self) -> int | None:
        """How long a pair that a merge makes must not be, in characters, to be merged."""
        return self._max_token_length

    @max_token_length.setter
    def max_token_length(self, length: int | None) -> None:
        self._max_token_length = length

    @property
    def progress_format(self) -> str:
        """``indicatif``, ``json`` or ``silent``."""
        return self._progress_format

    @progress_format.setter
    def progress_format(self, name: str) -> None:
        self._progress_format = name

    def get_word_count(self) -> int:
        """Return how many different words were counted last."""
        return len(self._words)

    def _learn(self, model: BPE, report: Report) -> None:
        learned = self._learn_merges(report)
        set_merges(model, learned.vocabulary, [merge.pair for merge in learned.merges], self._merge_options())

    def _fields(self) -> dict[str, Any]:
        return self._merge_fields()

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        trainer = cls()
        trainer._set_merge_fields(value)
        return trainer


def set_merges(
    model: BPE, vocabulary: dict[str, int], pairs: list[tuple[int, int]], merge_options: MergeOptions
) -> None:
    """Give ``model`` what was learned. Its other options stay as they are."""
    tokens = tokens_by_id(vocabulary)
    prefix = merge_options.prefix
    merged = [vocabulary[tokens[left] + tokens[right].removeprefix(prefix)] for left, right in pairs]
    table = MergeTable(
        [left for left, _ in pairs],
        [right for _, right in pairs],
        merged,
        unambiguous=all(len(tokens[right]) > len(prefix) for _, right in pairs),
    )
    model._vocab, model._tokens, model._merges = vocabulary, tokens, table
    model.continuing_subword_prefix = merge_options.continuing_subword_prefix
    model.end_of_word_suffix = merge_options.end_of_word_suffix
