"""BertWordPieceTokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_reference.decoders import WordPiece as WordPieceDecoder
from tokenizer_reference.implementations.base_tokenizer import BaseTokenizer, add_if_known
from tokenizer_reference.models import WordPiece
from tokenizer_reference.normalizers import BertNormalizer
from tokenizer_reference.pre_tokenizers import BertPreTokenizer
from tokenizer_reference.processors import BertProcessing
from tokenizer_reference.tokenizer import Tokenizer

if TYPE_CHECKING:
    from tokenizer_reference.added_tokens import AddedToken


class BertWordPieceTokenizer(BaseTokenizer):
    """The tokenizer of BERT. ``vocab`` maps tokens to ids, or is the name of a vocab.txt; without it there are no tokens.

    Tokens with a role are special if the vocabulary has them. ``wordpieces_prefix`` is taken off by the decoder; the model
    always has ``##`` (observed, tokenizers 0.23.3).

    Raises :class:`TypeError` for a vocabulary without ``sep_token`` or ``cls_token``.
    """

    def __init__(
        self,
        vocab: str | dict[str, int] | None = None,
        unk_token: str | AddedToken = "[UNK]",  # noqa: S107 - not a password, nor are the others
        sep_token: str | AddedToken = "[SEP]",  # noqa: S107
        cls_token: str | AddedToken = "[CLS]",  # noqa: S107
        pad_token: str | AddedToken = "[PAD]",  # noqa: S107
        mask_token: str | AddedToken = "[MASK]",  # noqa: S107
        clean_text: bool = True,
        handle_chinese_chars: bool = True,
        strip_accents: bool | None = None,
        lowercase: bool = True,
        wordpieces_prefix: str = "##",
    ) -> None:
        tokenizer = Tokenizer(WordPiece(vocab, unk_token=str(unk_token)))
        add_if_known(tokenizer, unk_token, sep_token, cls_token, pad_token, mask_token)
        tokenizer.normalizer = BertNormalizer(clean_text, handle_chinese_chars, strip_accents, lowercase)
        tokenizer.pre_tokenizer = BertPreTokenizer()
        if vocab is not None:
            tokenizer.post_processor = BertProcessing(
                _with_id(tokenizer, "sep_token", sep_token), _with_id(tokenizer, "cls_token", cls_token)
            )
        tokenizer.decoder = WordPieceDecoder(prefix=wordpieces_prefix)
        parameters = {
            "model": "BertWordPiece",
            "unk_token": unk_token,
            "sep_token": sep_token,
            "cls_token": cls_token,
            "pad_token": pad_token,
            "mask_token": mask_token,
            "clean_text": clean_text,
            "handle_chinese_chars": handle_chinese_chars,
            "strip_accents": strip_accents,
            "lowercase": lowercase,
            "wordpieces_prefix": wordpieces_prefix,
        }
        super().__init__(tokenizer, parameters)

    @staticmethod
    def from_file(vocab: str, **kwargs: Any) -> BertWordPieceTokenizer:
        """Return the tokenizer of a vocab.txt, with the options of the constructor. Raises as :meth:`WordPiece.read_file`."""
        return BertWordPieceTokenizer(WordPiece.read_file(vocab), **kwargs)


def _with_id(tokenizer: Tokenizer, role: str, token: str | AddedToken) -> tuple[str, int]:
    content = str(token)
    id = tokenizer.token_to_id(content)
    if id is None:
        raise TypeError(f"{role} not found in the vocabulary: it has no token {content!r}")
    return content, id
