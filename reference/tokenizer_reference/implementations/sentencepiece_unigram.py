"""SentencePieceUnigramTokenizer: Unigram with the pipeline of SentencePiece, also from its .model files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_reference import decoders, normalizers, pre_tokenizers
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.formats.sentencepiece_model import ModelType, read_sentencepiece_model
from tokenizer_reference.implementations.base_tokenizer import BaseTokenizer
from tokenizer_reference.models import Unigram
from tokenizer_reference.pipeline.tokenizer import Tokenizer
from tokenizer_reference.text.regex import Regex
from tokenizer_reference.trainers import UnigramTrainer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_reference.values.added_token import AddedToken

SPACE = "▁"
"""U+2581: what stands for a space in pieces."""


class SentencePieceUnigramTokenizer(BaseTokenizer):
    """A Unigram model on texts whose spaces are written as ``replacement``.

    ``vocab`` lists pieces and their scores; none of them is the unknown piece, so that to encode a character that is no
    piece raises an error (observed, tokenizers 0.23.3). :meth:`from_spm` takes the unknown piece from the file.
    """

    def __init__(
        self,
        vocab: list[tuple[str, float]] | None = None,
        replacement: str = SPACE,
        add_prefix_space: bool = True,
    ) -> None:
        tokenizer = Tokenizer(Unigram(vocab))
        tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), _spaces_joined()])
        _set_spaces(tokenizer, replacement, "always" if add_prefix_space else "never")
        parameters = {
            "model": "SentencePieceUnigram",
            "replacement": replacement,
            "add_prefix_space": add_prefix_space,
        }
        super().__init__(tokenizer, parameters)

    @staticmethod
    def from_spm(filename: str) -> SentencePieceUnigramTokenizer:
        """Return the tokenizer of a SentencePiece .model file, as the target makes it: without its special tokens.

        :func:`~tokenizer_reference.formats.tokenizer_from_sentencepiece` follows SentencePiece more closely.

        Raises :class:`TokenizerReferenceError` for a model of another type than Unigram, and as
        :func:`~tokenizer_reference.formats.read_sentencepiece_model`.
        """
        model = read_sentencepiece_model(filename)
        if model.trainer_spec.model_type is not ModelType.UNIGRAM:
            kind = model.trainer_spec.model_type.name
            raise TokenizerReferenceError(
                f"{filename}: expected a Unigram model, got one of type {kind}; "
                "formats.tokenizer_from_sentencepiece takes it"
            )
        pieces = [(piece.piece, piece.score) for piece in model.pieces]
        spec = model.trainer_spec
        tokenizer = Tokenizer(Unigram(pieces, spec.unk_id, spec.byte_fallback))
        charsmap = model.normalizer_spec.precompiled_charsmap
        first: list[normalizers.Normalizer] = [normalizers.Precompiled(charsmap)] if charsmap else []
        tokenizer.normalizer = normalizers.Sequence([*first, _spaces_joined()])
        _set_spaces(tokenizer, SPACE, "always")
        made = SentencePieceUnigramTokenizer.__new__(SentencePieceUnigramTokenizer)
        BaseTokenizer.__init__(made, tokenizer, {"model": "SentencePieceUnigram"})
        return made

    def train(
        self,
        files: str | list[str],
        vocab_size: int = 8000,
        show_progress: bool = True,
        special_tokens: list[str | AddedToken] | None = None,
        initial_alphabet: Sequence[str] | None = None,
        unk_token: str | None = None,
    ) -> None:
        """Train the model on a file, or on several, with the options of :class:`UnigramTrainer`.

        Raises as :meth:`Tokenizer.train`.
        """
        self._train(
            files,
            UnigramTrainer(
                vocab_size=vocab_size,
                show_progress=show_progress,
                special_tokens=special_tokens or [],
                initial_alphabet=initial_alphabet or [],
                unk_token=unk_token,
            ),
        )

    def train_from_iterator(
        self,
        iterator: Iterable[str | Iterable[str]],
        vocab_size: int = 8000,
        show_progress: bool = True,
        special_tokens: list[str | AddedToken] | None = None,
        initial_alphabet: Sequence[str] | None = None,
        unk_token: str | None = None,
        length: int | None = None,
    ) -> None:
        """Train the model on what ``iterator`` gives: see :meth:`train` and :meth:`Tokenizer.train_from_iterator`."""
        trainer = UnigramTrainer(
            vocab_size=vocab_size,
            show_progress=show_progress,
            special_tokens=special_tokens or [],
            initial_alphabet=initial_alphabet or [],
            unk_token=unk_token,
        )
        self._tokenizer.train_from_iterator(iterator, trainer, length)


def _spaces_joined() -> normalizers.Normalizer:
    return normalizers.Replace(Regex(" {2,}"), " ")


def _set_spaces(tokenizer: Tokenizer, replacement: str, scheme: str) -> None:
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement, scheme)
    tokenizer.decoder = decoders.Metaspace(replacement, scheme)
