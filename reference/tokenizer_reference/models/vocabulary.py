"""The vocabulary of a model, token to id: reading it from tokenizer.json and from vocabulary files, and writing it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_reference.arguments import is_text, string, unsigned_32
from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.json_text.document import parse_json
from tokenizer_reference.json_text.writer import write_json

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue

_U32 = 2**32
_U64 = 2**64


def vocabulary_from_json(value: JsonValue) -> dict[str, int]:
    """Return the object ``value`` as token to id.

    Raises :class:`TokenizerFileError`, naming the token, where an id is no unsigned 32-bit number.
    """
    vocabulary: dict[str, int] = value.members()
    ids = vocabulary.values()
    sound = set(map(type, ids)) <= {int} and (not ids or (min(ids) >= 0 and max(ids) < _U32))
    if not sound:
        for token in vocabulary:
            value[token].token_id()
    return vocabulary


def checked_vocabulary(name: str, vocabulary: Any) -> dict[str, int]:
    """Return a copy of a ``dict`` of tokens and ids.

    Raises :class:`TypeError`, also for an id that is no 32-bit number.
    """
    if not isinstance(vocabulary, dict):
        raise TypeError(
            f"{name}: expected a dict of tokens and ids, or a file name; got {type(vocabulary).__name__!r} object"
        )
    ids = vocabulary.values()
    is_sound = set(map(type, vocabulary)) <= {str} and set(map(type, ids)) <= {int}
    if is_sound and is_text("".join(vocabulary)) and (not ids or 0 <= min(ids) <= max(ids) < _U32):
        return dict(vocabulary)
    try:
        return {
            string(f"a token in {name}", token): unsigned_32(f"{name}[{token!r}]", id_)
            for token, id_ in vocabulary.items()
        }
    except (OverflowError, UnicodeEncodeError) as error:
        raise TypeError(f"{name}: {error}") from None


def vocabulary_or_file(name: str, given: Any) -> dict[str, int] | str:
    """Return a vocabulary as :func:`checked_vocabulary` does, or the name of a file. Raises :class:`TypeError`."""
    if not isinstance(given, str):
        return checked_vocabulary(name, given)
    if not is_text(given):
        raise TypeError(f"{name}: no file is called {given!r}, which has a lone surrogate")
    return given


def tokens_by_id(vocabulary: dict[str, int]) -> dict[int, str]:
    """Return id to token. Of two tokens with one id the later stays (in the target, a random one)."""
    return {id_: token for token, id_ in vocabulary.items()}


def vocabulary_to_json(tokens: dict[int, str]) -> dict[str, int]:
    """Return token to id in the order of the ids, as the target writes it; of tokens with one id, one is written.

    The target goes through the ids up to the largest one, and counts them in 32 bits: where the largest is 2**32 - 1,
    their number is 0, and no token is written (observed, tokenizers 0.23.3).
    """
    return {} if _U32 - 1 in tokens else {tokens[id_]: id_ for id_ in sorted(tokens)}


# Files ---------------------------------------------------------------------------------------------------------------


def read_text(file: str) -> str:
    """Return the UTF-8 text of ``file``, line ends and a byte order mark as they are.

    Raises :class:`TokenizerFileError` where the file cannot be read or is not UTF-8.
    """
    try:
        return Path(file).read_bytes().decode()
    except OSError as error:
        raise TokenizerFileError(file, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TokenizerFileError(file, f"is not UTF-8: {error.reason} at byte {error.start}") from error


def read_lines(file: str) -> list[str]:
    r"""Return the lines of ``file`` without their ends, ``\n`` or ``\r\n``. Raises as :func:`read_text` does."""
    *ended, last = read_text(file).split("\n")
    return [line.removesuffix("\r") for line in ended] + ([last] if last else [])


def read_vocab_json(file: str) -> dict[str, int]:
    """Return the vocabulary in ``file``, a JSON object of tokens and ids (``vocab.json``).

    As observed with tokenizers 0.23.3, members that are no numbers are passed over, and of an id of more than 32 bits
    the lowest 32 are taken. Raises :class:`TokenizerFileError` for anything else than an object, and for an id that is
    negative or no whole number.
    """
    text = read_text(file)
    try:
        members = parse_json(text)
    except TokenizerFileError as error:
        raise TokenizerFileError(file, str(error)) from None
    if not isinstance(members, dict):
        raise TokenizerFileError(file, "is no vocabulary: expected a JSON object of tokens and their ids")
    return {token: _file_id(file, token, id_) for token, id_ in members.items() if _is_number(id_)}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _file_id(file: str, token: str, id_: float) -> int:
    if not isinstance(id_, int) or not 0 <= id_ < _U64:
        raise TokenizerFileError(file, f"the id of {token!r} is {id_!r}; expected a whole number from 0 on")
    return id_ % _U32


def write_text(folder: str, prefix: str | None, name: str, text: str) -> str:
    """Write ``text`` to the file ``[prefix-]name`` of ``folder``, which must exist, and return the file's path."""
    file = os.path.join(folder, name if prefix is None else f"{prefix}-{name}")  # noqa: PTH118 - Path would drop a "./"
    Path(file).write_bytes(text.encode())
    return file


def write_vocab_json(folder: str, prefix: str | None, tokens: dict[int, str]) -> str:
    """Write the vocabulary to ``[prefix-]vocab.json`` and return the file's path."""
    return write_text(folder, prefix, "vocab.json", write_json(vocabulary_to_json(tokens)))
