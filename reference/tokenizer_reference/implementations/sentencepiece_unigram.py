"""SentencePieceUnigramTokenizer."""

from __future__ import annotations

from tokenizer_reference import decoders, normalizers, pre_tokenizers
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.formats.sentencepiece_model import ModelType, read_sentencepiece_model
from tokenizer_reference.implementations.base_tokenizer import BaseTokenizer
from tokenizer_reference.models import Unigram
from tokenizer_reference.text.regex import Regex
from tokenizer_reference.tokenizer import Tokenizer

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
                f"{filename}: expected a Unigram model, got one of type {kind}; formats.tokenizer_from_sentencepiece takes it"
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


def _spaces_joined() -> normalizers.Normalizer:
    return normalizers.Replace(Regex(" {2,}"), " ")


def _set_spaces(tokenizer: Tokenizer, replacement: str, scheme: str) -> None:
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement, scheme)
    tokenizer.decoder = decoders.Metaspace(replacement, scheme)
