"""SentencePieceBPETokenizer: BPE with the pipeline of SentencePiece."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tokenizer_reference import decoders, pre_tokenizers
from tokenizer_reference.implementations.base_tokenizer import BaseTokenizer, add_if_known
from tokenizer_reference.models import BPE
from tokenizer_reference.normalizers import NFKC
from tokenizer_reference.pipeline.tokenizer import Tokenizer
from tokenizer_reference.trainers import BpeTrainer
from tokenizer_reference.trainers.base import NO_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_reference.values.added_token import AddedToken

_SPECIAL_TOKENS: Final[list[str | AddedToken]] = ["<unk>"]


class SentencePieceBPETokenizer(BaseTokenizer):
    """BPE on texts whose spaces are written as ``replacement``.

    ``vocab`` and ``merges`` are as for :class:`~tokenizer_reference.models.BPE`; with only one of them, there are no
    tokens. ``unk_token`` has to be a ``str`` (observed, tokenizers 0.23.3): :class:`TypeError`.
    """

    def __init__(
        self,
        vocab: str | dict[str, int] | None = None,
        merges: str | list[tuple[str, str]] | None = None,
        unk_token: str | AddedToken = "<unk>",  # noqa: S107 - not a password
        replacement: str = "▁",
        add_prefix_space: bool = True,
        dropout: float | None = None,
        fuse_unk: bool = False,
    ) -> None:
        if vocab is None or merges is None:
            vocab = merges = None
        unknown: Any = unk_token
        tokenizer = Tokenizer(BPE(vocab, merges, dropout=dropout, unk_token=unknown, fuse_unk=fuse_unk))
        add_if_known(tokenizer, unk_token)
        tokenizer.normalizer = NFKC()
        scheme = "always" if add_prefix_space else "never"
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement, scheme)
        tokenizer.decoder = decoders.Metaspace(replacement, scheme)
        parameters = {
            "model": "SentencePieceBPE",
            "unk_token": unk_token,
            "replacement": replacement,
            "add_prefix_space": add_prefix_space,
            "dropout": dropout,
        }
        super().__init__(tokenizer, parameters)

    @staticmethod
    def from_file(vocab_filename: str, merges_filename: str, **kwargs: Any) -> SentencePieceBPETokenizer:
        """Return the tokenizer of a vocab.json and a merges.txt, with the options of the constructor.

        Raises as :meth:`BPE.read_file`.
        """
        return SentencePieceBPETokenizer(*BPE.read_file(vocab_filename, merges_filename), **kwargs)

    def train(
        self,
        files: str | list[str],
        vocab_size: int = 30000,
        min_frequency: int = 2,
        special_tokens: list[str | AddedToken] = _SPECIAL_TOKENS,
        limit_alphabet: int = 1000,
        initial_alphabet: Sequence[str] = NO_CHARACTERS,
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
            show_progress=show_progress,
        )
        self._tokenizer.train_from_iterator(iterator, trainer, length)
