"""BertWordPieceTokenizer: WordPiece with the pipeline of BERT."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tokenizer_reference.decoders import WordPiece as WordPieceDecoder
from tokenizer_reference.implementations.base_tokenizer import BaseTokenizer, add_if_known
from tokenizer_reference.models import WordPiece
from tokenizer_reference.normalizers import BertNormalizer
from tokenizer_reference.pipeline.tokenizer import Tokenizer
from tokenizer_reference.pre_tokenizers import BertPreTokenizer
from tokenizer_reference.processors import BertProcessing
from tokenizer_reference.trainers import WordPieceTrainer
from tokenizer_reference.trainers.base import NO_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_reference.values.added_token import AddedToken

_SPECIAL_TOKENS: Final[list[str | AddedToken]] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


class BertWordPieceTokenizer(BaseTokenizer):
    """The tokenizer of BERT.

    ``vocab`` maps tokens to ids, or is the name of a vocab.txt; without it there are no tokens.

    Tokens with a role are special if the vocabulary has them. ``wordpieces_prefix`` is taken off by the decoder; the
    model always has ``##`` (observed, tokenizers 0.23.3).

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
        """Return the tokenizer of a vocab.txt, with the options of the constructor.

        Raises as :meth:`WordPiece.read_file`.
        """
        return BertWordPieceTokenizer(WordPiece.read_file(vocab), **kwargs)

    def train(
        self,
        files: str | list[str],
        vocab_size: int = 30000,
        min_frequency: int = 2,
        limit_alphabet: int = 1000,
        initial_alphabet: Sequence[str] = NO_CHARACTERS,
        special_tokens: list[str | AddedToken] = _SPECIAL_TOKENS,
        show_progress: bool = True,
        wordpieces_prefix: str = "##",
    ) -> None:
        """Train the model on a file, or on several, with the options of :class:`WordPieceTrainer`.

        Raises as :meth:`Tokenizer.train`.
        """
        self._train(
            files,
            WordPieceTrainer(
                vocab_size=vocab_size,
                min_frequency=min_frequency,
                limit_alphabet=limit_alphabet,
                initial_alphabet=initial_alphabet,
                special_tokens=special_tokens,
                show_progress=show_progress,
                continuing_subword_prefix=wordpieces_prefix,
            ),
        )

    def train_from_iterator(
        self,
        iterator: Iterable[str | Iterable[str]],
        vocab_size: int = 30000,
        min_frequency: int = 2,
        limit_alphabet: int = 1000,
        initial_alphabet: Sequence[str] = NO_CHARACTERS,
        special_tokens: list[str | AddedToken] = _SPECIAL_TOKENS,
        show_progress: bool = True,
        wordpieces_prefix: str = "##",
        length: int | None = None,
    ) -> None:
        """Train the model on what ``iterator`` gives: see :meth:`train` and :meth:`Tokenizer.train_from_iterator`."""
        trainer = WordPieceTrainer(
            vocab_size=vocab_size,
            min_frequency=min_frequency,
            limit_alphabet=limit_alphabet,
            initial_alphabet=initial_alphabet,
            special_tokens=special_tokens,
            show_progress=show_progress,
            continuing_subword_prefix=wordpieces_prefix,
        )
        self._tokenizer.train_from_iterator(iterator, trainer, length)


def _with_id(tokenizer: Tokenizer, role: str, token: str | AddedToken) -> tuple[str, int]:
    content = str(token)
    id = tokenizer.token_to_id(content)
    if id is None:
        raise TypeError(f"{role} not found in the vocabulary: it has no token {content!r}")
    return content, id
