"""vocab.txt: the vocabulary of BERT's WordPiece, one token per line, and BERT's pipeline around it."""

from __future__ import annotations

from os import fspath
from typing import TYPE_CHECKING

from tokenizer_reference.decoders import WordPiece as WordPieceDecoder
from tokenizer_reference.errors import shown
from tokenizer_reference.formats.file_errors import at_line, of_file
from tokenizer_reference.models import WordPiece
from tokenizer_reference.models.vocabulary import read_lines
from tokenizer_reference.normalizers import BertNormalizer
from tokenizer_reference.pipeline.tokenizer import Tokenizer
from tokenizer_reference.pre_tokenizers import BertPreTokenizer
from tokenizer_reference.processors import TemplateProcessing
from tokenizer_reference.text.characters import WHITE_SPACE
from tokenizer_reference.values.added_token import AddedToken

if TYPE_CHECKING:
    from tokenizer_reference.formats.file_errors import FilePath


def read_vocab_txt(path: FilePath) -> dict[str, int]:
    """Return the tokens of a ``vocab.txt`` with their ids: the id is the number of the line, counted from 0.

    White space at the end of a line does not count; lines end with LF or CR LF (observed, tokenizers 0.23.3).

    Raises :class:`~tokenizer_reference.errors.TokenizerFileError` where the file cannot be read, is empty or not UTF-8,
    and for a token that stands there twice. ``tokenizers`` silently takes the last one of equal lines, which leaves an
    id without a token, and so does :meth:`tokenizer_reference.models.WordPiece.read_file`.
    """
    vocab: dict[str, int] = {}
    for id_, line in enumerate(read_lines(fspath(path))):
        token = line.rstrip(WHITE_SPACE)
        if token in vocab:
            raise at_line(path, id_ + 1, f"the token {shown(token)} stands there again, as in line {vocab[token] + 1}")
        vocab[token] = id_
    if not vocab:
        raise of_file(path, "is empty")
    return vocab


def tokenizer_from_vocab_txt(
    path: FilePath,
    *,
    lowercase: bool = True,
    strip_accents: bool | None = None,
    clean_text: bool = True,
    handle_chinese_chars: bool = True,
    unk_token: str = "[UNK]",  # noqa: S107 - a token of text
    sep_token: str = "[SEP]",  # noqa: S107 - a token of text
    pad_token: str = "[PAD]",  # noqa: S107 - a token of text
    cls_token: str = "[CLS]",  # noqa: S107 - a token of text
    mask_token: str = "[MASK]",  # noqa: S107 - a token of text
) -> Tokenizer:
    """Return BERT's tokenizer with the vocabulary of a ``vocab.txt``.

    ``lowercase``, ``strip_accents`` (``None``: as ``lowercase``), ``clean_text`` and ``handle_chinese_chars`` are the
    options of :class:`~tokenizer_reference.normalizers.BertNormalizer`. The five special tokens are added in the order
    pad, unk, cls, sep, mask; those that the vocabulary does not have get the next free ids. It is the tokenizer of
    transformers' ``BertTokenizer`` (and its ``BertConverter``), to the byte of its tokenizer.json.

    Raises :class:`~tokenizer_reference.errors.TokenizerFileError` as :func:`read_vocab_txt`, and where the vocabulary
    lacks the unknown token or one of those that stand around a text (``cls_token``, ``sep_token``).
    """
    vocab = read_vocab_txt(path)
    for name, token in (("unknown", unk_token), ("class", cls_token), ("separator", sep_token)):
        if token not in vocab:
            raise of_file(path, f"has no line {shown(token)}, which is to be the {name} token")
    tokenizer = Tokenizer(WordPiece(vocab, unk_token=unk_token))
    tokenizer.normalizer = BertNormalizer(
        clean_text=clean_text,
        handle_chinese_chars=handle_chinese_chars,
        strip_accents=strip_accents,
        lowercase=lowercase,
    )
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single=[f"{cls_token}:0", "$A:0", f"{sep_token}:0"],
        pair=[f"{cls_token}:0", "$A:0", f"{sep_token}:0", "$B:1", f"{sep_token}:1"],
        special_tokens=[(cls_token, vocab[cls_token]), (sep_token, vocab[sep_token])],
    )
    tokenizer.decoder = WordPieceDecoder(prefix="##")
    tokenizer.add_special_tokens(
        [AddedToken(token, special=True) for token in (pad_token, unk_token, cls_token, sep_token, mask_token)]
    )
    return tokenizer
