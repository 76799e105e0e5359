"""The files of a tokenizer that peers are given: the ``tokenizer.json`` itself, and what lies beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.contract import TokenizerSource

SENTENCEPIECE_MODELS = ("spiece.model", "sentencepiece.bpe.model", "tokenizer.model", "spm.model", "source.spm")
"""The names under which checkpoints keep a SentencePiece model."""


def document_of(source: TokenizerSource) -> dict[str, Any]:
    """Return the ``tokenizer.json`` of ``source``, parsed."""
    return json_object(Path(source.file))


def json_object(file: Path) -> dict[str, Any]:
    """Return the JSON object in ``file``. Raises :class:`UnfitTokenizerError` where it holds another value."""
    document = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(document, dict):
        raise UnfitTokenizerError(f"{file.name} holds no JSON object")
    return document


def beside(source: TokenizerSource, names: Iterable[str]) -> Path | None:
    """Return the first file of the checkpoint's folder that has one of ``names``."""
    if source.folder is None:
        return None
    return next((file for name in names if (file := Path(source.folder) / name).is_file()), None)


def beside_sentencepiece_model(source: TokenizerSource) -> Path | None:
    """Return the SentencePiece model in the checkpoint's folder, None where there is none."""
    return beside(source, SENTENCEPIECE_MODELS)


def sentencepiece_model(source: TokenizerSource) -> str:
    """Return the path of the SentencePiece model in the checkpoint's folder.

    Raises :class:`UnfitTokenizerError` where there is none.
    """
    file = beside_sentencepiece_model(source)
    if file is None:
        raise UnfitTokenizerError(
            f"it reads SentencePiece models, and none ({', '.join(SENTENCEPIECE_MODELS)}) lies beside the "
            "tokenizer.json"
        )
    return str(file)
