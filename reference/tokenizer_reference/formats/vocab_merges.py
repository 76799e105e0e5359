"""vocab.json and merges.txt: the files of byte-level BPE (GPT-2, RoBERTa), and the pipelines around them."""

from __future__ import annotations

import json
from os import fspath
from typing import TYPE_CHECKING

from tokenizer_reference.decoders import ByteLevel as ByteLevelDecoder
from tokenizer_reference.errors import shown
from tokenizer_reference.formats.file_errors import at_line, of_file
from tokenizer_reference.models import BPE
from tokenizer_reference.models.vocabulary import read_lines, read_text, read_vocab_json
from tokenizer_reference.pipeline.tokenizer import Tokenizer
from tokenizer_reference.pre_tokenizers import ByteLevel
from tokenizer_reference.processors import ByteLevel as ByteLevelProcessor
from tokenizer_reference.processors import RobertaProcessing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tokenizer_reference.formats.file_errors import FilePath
    from tokenizer_reference.processors.base import PostProcessor
    from tokenizer_reference.values.added_token import AddedToken

_VERSION = "#version"
"""What a line begins with that is no merge."""


def read_vocab_merges(vocab: FilePath, merges: FilePath) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Return the tokens of a ``vocab.json`` with their ids, and the merges of a ``merges.txt``, the lowest rank first.

    Read as observed with tokenizers 0.23.3: members of the vocabulary whose value is no number are passed over, and so
    are lines of the merges that begin with ``#version``, wherever they stand. Every other line is two tokens with one
    U+0020 between them; a blank line is an error. Lines end with LF or CR LF.

    Raises :class:`~tokenizer_reference.errors.TokenizerFileError` where a file cannot be read, is not UTF-8, or is
    anything else than this; for an empty vocabulary; for a merge of, or to, a token that the vocabulary lacks; and for
    what ``tokenizers`` lets the last one win of, as does :meth:`tokenizer_reference.models.BPE.read_file`: a token,
    an id or a merge that is there twice.
    """
    tokens = _read_vocab(vocab)
    lines: dict[tuple[str, str], int] = {}
    for number, line in enumerate(read_lines(fspath(merges)), start=1):
        if line.startswith(_VERSION):
            continue
        left, space, right = line.partition(" ")
        if not space or " " in right:
            raise at_line(merges, number, f"expected two tokens and one space between them, found {shown(line)}")
        for token in (left, right, left + right):
            if token not in tokens:
                raise at_line(merges, number, f"the vocabulary has no token {shown(token)} for the merge {shown(line)}")
        if (left, right) in lines:
            raise at_line(
                merges, number, f"the merge {shown(line)} stands there again, as in line {lines[left, right]}"
            )
        lines[left, right] = number
    return tokens, list(lines)


def _read_vocab(path: FilePath) -> dict[str, int]:
    vocab = read_vocab_json(fspath(path))
    if not vocab:
        raise of_file(path, "has no token with an id")
    _refuse_repeated_keys(path)
    tokens: dict[int, str] = {}
    for token, id_ in vocab.items():
        if id_ in tokens:
            raise of_file(path, f"the tokens {shown(tokens[id_])} and {shown(token)} have the same id, {id_}")
        tokens[id_] = token
    return vocab


def _refuse_repeated_keys(path: FilePath) -> None:
    def checked(pairs: list[tuple[str, Any]]) -> None:
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise of_file(path, f"the token {shown(key)} is there twice")
            keys.add(key)

    json.loads(read_text(fspath(path)), object_pairs_hook=checked)


def tokenizer_from_vocab_merges(
    vocab: FilePath,
    merges: FilePath,
    *,
    special_tokens: Sequence[str | AddedToken] = (),
    cls_token: str | None = None,
    sep_token: str | None = None,
    add_prefix_space: bool = False,
    trim_offsets: bool | None = None,
) -> Tokenizer:
    """Return the byte-level BPE tokenizer of a ``vocab.json`` and a ``merges.txt``.

    Without ``cls_token`` and ``sep_token`` it is GPT-2's pipeline, which adds nothing to a text; with both RoBERTa's,
    which puts them around texts. ``add_prefix_space`` puts a space before a text that begins with none.
    ``trim_offsets`` leaves white space out of offsets; by default RoBERTa's pipeline does and GPT-2's does not.
    ``special_tokens`` are added in their order; those that the vocabulary does not have get the next free ids. The
    tokenizers are those of transformers' ``GPT2Converter`` and ``RobertaConverter``, to the byte of their
    tokenizer.json.

    Raises :class:`~tokenizer_reference.errors.TokenizerFileError` as :func:`read_vocab_merges`, and where the
    vocabulary lacks ``cls_token`` or ``sep_token``; :class:`ValueError` where only one of these is given.
    """
    if (cls_token is None) != (sep_token is None):
        raise ValueError(f"cls_token={cls_token!r}, sep_token={sep_token!r}: expected both or neither")
    tokens, pairs = read_vocab_merges(vocab, merges)
    tokenizer = Tokenizer(BPE(tokens, pairs, continuing_subword_prefix="", end_of_word_suffix=""))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=add_prefix_space)
    tokenizer.decoder = ByteLevelDecoder()
    processor: PostProcessor
    if cls_token is None or sep_token is None:
        processor = ByteLevelProcessor(trim_offsets=trim_offsets or False)
    else:
        for token in (cls_token, sep_token):
            if token not in tokens:
                raise of_file(vocab, f"has no token {shown(token)} to put around texts")
        processor = RobertaProcessing(
            (sep_token, tokens[sep_token]),
            (cls_token, tokens[cls_token]),
            trim_offsets=trim_offsets is not False,
            add_prefix_space=add_prefix_space,
        )
    tokenizer.post_processor = processor
    tokenizer.add_special_tokens(list(special_tokens))
    return tokenizer
