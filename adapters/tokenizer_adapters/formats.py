"""What files of other formats than tokenizer.json say of a tokenizer, as values: SentencePiece models and ranks.

They are read by the readers of the reference, which are tested against SentencePiece and tiktoken; a tekken.json is
ranks with a pattern and special tokens, and is read here.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.formats import ModelType, SentencePieceModel, read_sentencepiece_model, read_tiktoken_ranks

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping


__all__ = ["FormatError", "ModelType", "Ranks", "SentencePieceModel", "read_model", "read_ranks", "read_tekken"]


class FormatError(Exception):
    """A file is not of its format. The message says where and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranks:
    """Tokens of bytes with their ids (``tokens``), in the order in which they are merged.

    ``special`` are the ids of tokens that are cut out of a text, ``pattern`` is what splits it; ``None`` where the
    format has no place for them.
    """

    tokens: Mapping[bytes, int]
    special: Mapping[str, int] | None = None
    pattern: str | None = None


def read_model(file: str | os.PathLike[str]) -> SentencePieceModel:
    """Read a SentencePiece model. Raises :class:`FormatError`."""
    try:
        return read_sentencepiece_model(Path(file))
    except TokenizerFileError as error:
        raise FormatError(str(error)) from error


def read_ranks(file: str | os.PathLike[str]) -> Ranks:
    """Read ranks of tiktoken. Raises :class:`FormatError`."""
    try:
        return Ranks(tokens=read_tiktoken_ranks(Path(file)))
    except TokenizerFileError as error:
        raise FormatError(str(error)) from error


def read_tekken(file: str | os.PathLike[str]) -> Ranks:
    """Read a tekken.json, the format of mistral-common.

    Its ids begin with the special tokens; of the tokens, so many count as ``default_vocab_size`` leaves room for. Where
    it lists fewer special tokens than it has ids for, those ids have none. Raises :class:`FormatError`.
    """
    try:
        document = json.loads(Path(file).read_text("utf-8"))
        return _tekken(document)
    except (KeyError, TypeError, ValueError) as error:
        what = f"{type(error).__name__}: {error}"
        raise FormatError(f"is no tekken.json: it has no config and vocab as these have ({what})") from error


def _tekken(document: Any) -> Ranks:
    config = document["config"]
    first = int(config["default_num_special_tokens"])
    count = int(config["default_vocab_size"]) - first
    listed = document.get("special_tokens") or []
    return Ranks(
        tokens={
            base64.b64decode(each["token_bytes"]): first + int(each["rank"])
            for each in document["vocab"]
            if int(each["rank"]) < count
        },
        special={str(each["token_str"]): int(each["rank"]) for each in listed},
        pattern=str(config["pattern"]),
    )
