"""CharBPETokenizer: BPE on characters with the pipeline of the first GPT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tokenizer_reference.decoders import BPEDecoder
from tokenizer_reference.implementations.base_tokenizer import BaseTokenizer, add_if_known, one_or_sequence
from tokenizer_reference.models import BPE
from tokenizer_reference.normalizers import BertNormalizer, Lowercase, unicode_normalizer_from_str
from tokenizer_reference.pipeline.tokenizer import Tokenizer
from tokenizer_reference.pre_tokenizers import BertPreTokenizer, WhitespaceSplit
from tokenizer_reference.trainers import BpeTrainer
from tokenizer_reference.trainers.base import NO_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.values.added_token import AddedToken

_SPECIAL_TOKENS: Final[list[str | AddedToken]] = ["<unk>"]


class CharBPETokenizer(BaseTokenizer):
    """BPE on characters with a suffix at the end of words: the tokenizer of the first GPT.

    ``vocab`` and ``merges`` are as for :class:`~tokenizer_reference.models.BPE`; with only one of them, there are no
    tokens. ``unicode_normalizer`` is ``nfc``, ``nfd``, ``nfkc`` or ``nfkd``.
    """

    def __init__(
        self,
        vocab: str | dict[str, int] | None = None,
        merges: str | list[tuple[str, str]] | None = None,
        unk_token: str | AddedToken = "<unk>",  # noqa: S107 - not a password
        suffix: str = "</w>",
        dropout: float | None = None,
        lowercase: bool = False,
        unicode_normalizer: str | None = None,
        bert_normalizer: bool = True,
        split_on_whitespace_only: bool = False,
    ) -> None:
        if vocab is None or merges is None:
            vocab = merges = None
        model = BPE(vocab, merges, dropout=dropout, unk_token=str(unk_token), end_of_word_suffix=suffix)
        tokenizer = Tokenizer(model)
        add_if_known(tokenizer, unk_token)
        steps: list[Normalizer] = [unicode_normalizer_from_str(unicode_normalizer)] if unicode_normalizer else []
        if bert_normalizer:
            steps.append(BertNormalizer(lowercase=False))
        if lowercase:
            steps.append(Lowercase())
        tokenizer.normalizer = one_or_sequence(steps)
        tokenizer.pre_tokenizer = WhitespaceSplit() if split_on_whitespace_only else BertPreTokenizer()
        tokenizer.decoder = BPEDecoder(suffix=suffix)
        parameters = {
            "model": "BPE",
            "unk_token": unk_token,
            "suffix": suffix,
            "dropout": dropout,
            "lowercase": lowercase,
            "unicode_normalizer": unicode_normalizer,
            "bert_normalizer": bert_normalizer,
            "split_on_whitespace_only": split_on_whitespace_only,
        }
        super().__init__(tokenizer, parameters)

    @staticmethod
    def from_file(vocab_filename: str, merges_filename: str, **kwargs: Any) -> CharBPETokenizer:
        """Return the tokenizer of a vocab.json and a merges.txt, with the options of the constructor.

        Raises as :meth:`BPE.read_file`.
        """
        return CharBPETokenizer(*BPE.read_file(vocab_filename, merges_filename), **kwargs)

    def train(
        self,
        files: str | list[str],
        vocab_size: int = 30000,
        min_frequency: int = 2,
        special_tokens: list[str | AddedToken] = _SPECIAL_TOKENS,
        limit_alphabet: int = 1000,
        initial_alphabet: Sequence[str] = NO_CHARACTERS,
        suffix: str = "</w>",
        show_progress: bool = True,
    ) -> None:
        """Train the model on a file, or on several, with the options of :class:`BpeTrainer`.

        Raises as :meth:`Tokenizer.train`.
        """
        self._train(
            files,
            BpeTrainer(
                vocab_size=vocab_size,
                min_frequency=min_frequency,
                special_tokens=special_tokens,
                limit_alphabet=limit_alphabet,
                initial_alphabet=initial_alphabet,
                end_of_word_suffix=suffix,
                show_progress=show_progress,
            ),
        )

    def train_from_iterator(
        self,
        iterator: Iterable[str | Iterable[str]],
        vocab_size: int = 30000,
        min_frequency: int = 2,
        special_tokens: list[str | AddedToken] = _SPECIAL_TOKENS,
        limit_alphabet: int = 1000,
        initial_alphabet: Sequence[str] = NO_CHARACTERS,
        suffix: str = "</w>",
        show_progress: bool = True,
        length: int | None = None,
    ) -> None:
        """Train the model on what ``iterator`` gives: see :meth:`train` and :meth:`Tokenizer.train_from_iterator`."""
        trainer = BpeTrainer(
            vocab_size=vocab_size,
            min_frequency=min_frequency,
            special_tokens=special_tokens,
            limit_alphabet=limit_alphabet,
            initial_alphabet=initial_alphabet,
            end_of_word_suffix=suffix,
            show_progress=show_progress,
        )
        self._tokenizer.train_from_iterator(iterator, trainer, length)
