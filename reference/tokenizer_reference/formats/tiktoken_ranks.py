"""tiktoken rank files: one token of bytes in base64 and its rank per line, and the pipeline around them."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from typing import TYPE_CHECKING

from tokenizer_reference.decoders import ByteLevel as ByteLevelDecoder
from tokenizer_reference.errors import shown
from tokenizer_reference.formats.file_errors import at_line, of_file, read_bytes
from tokenizer_reference.formats.merge_recovery import recovered_merges
from tokenizer_reference.models import BPE
from tokenizer_reference.pipeline.tokenizer import Tokenizer
from tokenizer_reference.pre_tokenizers import ByteLevel, Sequence, Split
from tokenizer_reference.processors import ByteLevel as ByteLevelProcessor
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR, CHAR_TO_BYTE
from tokenizer_reference.text.regex import Regex
from tokenizer_reference.values.added_token import AddedToken

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_reference.formats.file_errors import FilePath

_U32 = 2**32
_MOST_DIGITS = len(str(_U32))
"""Longer numbers are not even looked at."""

_REPEATED_BOUND = re.compile(r"(?<!\\)\{\d*,?\d*\}\+")


def read_tiktoken_ranks(path: FilePath) -> dict[bytes, int]:
    """Return the tokens of a rank file, as bytes, with their ranks, which are their ids, too.

    A line is a token in base64, white space, and its rank in decimal; blank lines do not count (tiktoken, ``load.py``).

    Raises :class:`~tokenizer_reference.errors.TokenizerFileError`, with the line, for a file that cannot be read or is
    empty; for a line of another form; for base64 that no encoder writes; for a rank of more than 32 bits; and for a
    token or a rank that is there twice.
    """
    ranks: dict[bytes, int] = {}
    lines: dict[bytes | int, int] = {}
    for number, line in enumerate(read_bytes(path).splitlines(), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 2:
            raise at_line(path, number, f"expected a token in base64, a space and its rank, found {shown(line)}")
        token, rank = _token(path, number, fields[0]), _rank(path, number, fields[1])
        for known, what in ((token, f"token {shown(token)}"), (rank, f"rank {rank}")):
            if known in lines:
                raise at_line(path, number, f"the {what} stands there again, as in line {lines[known]}")
            lines[known] = number
        ranks[token] = rank
    if not ranks:
        raise of_file(path, "has no token")
    return ranks


def _token(path: FilePath, line: int, field: bytes) -> bytes:
    try:
        token = b64decode(field, validate=True)
    except Base64Error as error:
        raise at_line(path, line, f"{shown(field)} is not base64: {error}") from None
    if b64encode(token) != field:
        raise at_line(path, line, f"{shown(field)} is not base64: the bits after its end are not zero")
    return token


def _rank(path: FilePath, line: int, field: bytes) -> int:
    if not (field.isdigit() and len(field) <= _MOST_DIGITS and int(field) < _U32):
        raise at_line(path, line, f"expected a rank from 0 to {_U32 - 1}, found {shown(field)}")
    return int(field)


def tokenizer_from_tiktoken(path: FilePath, pattern: str, special_tokens: Mapping[str, int]) -> Tokenizer:
    r"""Return the byte-level BPE tokenizer of a rank file, a pattern that splits texts, and special tokens with ids.

    It gives the tokens that tiktoken gives with all special tokens allowed. tiktoken merges the neighbours whose
    *result* has the lowest rank; here pairs have ranks, and there is one pair per token, see
    :mod:`~tokenizer_reference.formats.merge_recovery`. A piece that is a token is that token, whatever the merges
    (``ignore_merges``). The pipeline is the one of transformers' ``TikTokenConverter``, which lists more pairs, though
    none that can meet in a text. Special tokens are entries of the model's vocabulary too: their ids need not follow
    the ranks, as those of added tokens alone have to.

    What can differ from tiktoken:

    - ``pattern`` is read as Oniguruma reads it. There ``$`` also stands before a line feed, and ``{1,3}+`` repeats
      instead of being possessive, which is refused (write ``(?>\p{N}{1,3})``).
    - Text that ``pattern`` does not match is a piece here. tiktoken drops it.
    - Of special tokens that begin at the same place the longest counts here. In tiktoken that is not determined.

    Raises :class:`~tokenizer_reference.errors.TokenizerFileError` as :func:`read_tiktoken_ranks`, where one of the 256
    bytes has no rank, and where a special token has no text, or an id or text that is taken; :class:`ValueError` for a
    pattern with ``{…}+``.
    """
    if (found := _REPEATED_BOUND.search(pattern)) is not None:
        raise ValueError(
            f"pattern: {found.group()!r} at {found.start()} is possessive in tiktoken and repeats in Oniguruma; "
            "write (?>…) around what is repeated instead of the +"
        )
    ranks = read_tiktoken_ranks(path)
    missing = [byte for byte in range(256) if bytes([byte]) not in ranks]
    if missing:
        raise of_file(path, f"has no token for the byte 0x{missing[0]:02X}, and so texts with it have none")
    vocab = _with_special_tokens(path, {_text(token): rank for token, rank in ranks.items()}, special_tokens)
    merges = [(_text(left), _text(right)) for left, right in recovered_merges(ranks, ranks)]
    tokenizer = Tokenizer(BPE(vocab, merges, ignore_merges=True))
    tokenizer.pre_tokenizer = Sequence(
        [Split(Regex(pattern), "isolated"), ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = ByteLevelDecoder()
    tokenizer.post_processor = ByteLevelProcessor(trim_offsets=False)
    tokenizer.add_special_tokens([AddedToken(content, normalized=False, special=True) for content in special_tokens])
    return tokenizer


def _with_special_tokens(path: FilePath, vocab: dict[str, int], special_tokens: Mapping[str, int]) -> dict[str, int]:
    tokens = {rank: token for token, rank in vocab.items()}
    for content, id_ in special_tokens.items():
        if not content:
            problem = "it has no text"
        elif not 0 <= id_ < _U32:
            problem = f"an id is from 0 to {_U32 - 1}"
        elif id_ in tokens:
            problem = f"it is that of {shown(tokens[id_])}"
        elif content in vocab:
            problem = f"the text is a token already, with the id {vocab[content]}"
        elif not content.isascii() and CHAR_TO_BYTE.keys() >= set(content):
            problem = "the model would take the text for characters of bytes"
        else:
            tokens[id_] = content
            continue
        raise of_file(path, f"the special token {shown(content)} cannot have the id {id_}: {problem}")
    return vocab | dict(special_tokens)


def _text(token: bytes) -> str:
    """Return ``token`` with a character for each byte, as the model has it."""
    return "".join(map(BYTE_TO_CHAR.__getitem__, token))
