"""ByteLevelBPETokenizer: BPE on bytes with the pipeline of GPT-2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_reference import decoders, pre_tokenizers, processors
from tokenizer_reference.implementations.base_tokenizer import BaseTokenizer, one_or_sequence
from tokenizer_reference.models import BPE
from tokenizer_reference.normalizers import Lowercase, unicode_normalizer_from_str
from tokenizer_reference.pipeline.tokenizer import Tokenizer
from tokenizer_reference.trainers import BpeTrainer
from tokenizer_reference.trainers.base import NO_TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.values.added_token import AddedToken


class ByteLevelBPETokenizer(BaseTokenizer):
    """The tokenizer of GPT-2.

    ``vocab`` and ``merges`` are as for :class:`~tokenizer_reference.models.BPE`; with only one of them, there are no
    tokens, and the options of the model are not looked at (observed, tokenizers 0.23.3). ``unicode_normalizer`` is
    ``nfc``, ``nfd``, ``nfkc`` or ``nfkd``.
    """

    def __init__(
        self,
        vocab: str | dict[str, int] | None = None,
        merges: str | list[tuple[str, str]] | None = None,
        add_prefix_space: bool = False,
        lowercase: bool = False,
        dropout: float | None = None,
        unicode_normalizer: str | None = None,
        continuing_subword_prefix: str | None = None,
        end_of_word_suffix: str | None = None,
        trim_offsets: bool = False,
    ) -> None:
        model = BPE()
        if vocab is not None and merges is not None:
            model = BPE(
                vocab,
                merges,
                dropout=dropout,
                continuing_subword_prefix=continuing_subword_prefix or "",
                end_of_word_suffix=end_of_word_suffix or "",
            )
        tokenizer = Tokenizer(model)
        steps: list[Normalizer] = [unicode_normalizer_from_str(unicode_normalizer)] if unicode_normalizer else []
        if lowercase:
            steps.append(Lowercase())
        tokenizer.normalizer = one_or_sequence(steps)
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.post_processor = processors.ByteLevel(trim_offsets=trim_offsets)
        parameters = {
            "model": "ByteLevelBPE",
            "add_prefix_space": add_prefix_space,
            "lowercase": lowercase,
            "dropout": dropout,
            "unicode_normalizer": unicode_normalizer,
            "continuing_subword_prefix": continuing_subword_prefix,
            "end_of_word_suffix": end_of_word_suffix,
            "trim_offsets": trim_offsets,
        }
        super().__init__(tokenizer, parameters)

    @staticmethod
    def from_file(vocab_filename: str, merges_filename: str, **kwargs: Any) -> ByteLevelBPETokenizer:
        """Return the tokenizer of a vocab.json and a merges.txt, with the options of the constructor.

        Raises as :meth:`BPE.read_file`.
        """
        return ByteLevelBPETokenizer(*BPE.read_file(vocab_filename, merges_filename), **kwargs)

    def train(
        self,
        files: str | list[str],
        vocab_size: int = 30000,
        min_frequency: int = 2,
        show_progress: bool = True,
        special_tokens: list[str | AddedToken] = NO_TOKENS,
    ) -> None:
        """Train the model on a file, or on several, with the options of :class:`BpeTrainer`.

        Raises as :meth:`Tokenizer.train`.
        """
        self._train(
            files,
            BpeTrainer(
                vocab_size=vocab_size,
                min_frequency=min_frequency,
                show_progress=show_progress,
                special_tokens=special_tokens,
                initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            ),
        )

    def train_from_iterator(
        self,
        iterator: Iterable[str | Iterable[str]],
        vocab_size: int = 30000,
        min_frequency: int = 2,
        show_progress: bool = True,
        special_tokens: list[str | AddedToken] = NO_TOKENS,
        length: int | None = None,
    ) -> None:
        """Train the model on what ``iterator`` gives: see :meth:`train` and :meth:`Tokenizer.train_from_iterator`."""
        trainer = BpeTrainer(
            vocab_size=vocab_size,
            min_frequency=min_frequency,
            show_progress=show_progress,
            special_tokens=special_tokens,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        )
        self._tokenizer.train_from_iterator(iterator, trainer, length)
