"""Which format a file of a tokenizer has, and what it says, read into a tokenizer.json."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.formats import FormatError, read_model, read_ranks, read_tekken
from tokenizer_adapters.gguf.metadata import MAGIC, GgufError
from tokenizer_adapters.gguf.vocabulary import read_vocabulary
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.releases.conversions import gguf_files, rank_files, sentencepiece_files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.gguf.vocabulary import GgufVocabulary
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.releases.conversions.overlay import Overlay


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadConversion:
    """What was read of a conversion: the ``overlay``, and the digest (``sha256``) of all that it was made of.

    ``templates`` are its chat templates by name, ``None`` where the format has no place for any; ``special_ids`` are
    ids by the role that tokenizer_config.json gives their tokens, ``tokens`` the tokens by id, and ``types`` those of a
    GGUF file, by id.
    """

    format: str
    overlay: Overlay
    sha256: str
    templates: Mapping[str, str] | None = None
    special_ids: Mapping[str, int] = field(default_factory=dict)
    tokens: Mapping[int, str] = field(default_factory=dict)
    types: tuple[int, ...] = ()


GGUF = "GGUF"

ROLES = {
    "bos": "bos_token",
    "eos": "eos_token",
    "unknown": "unk_token",
    "seperator": "sep_token",
    "padding": "pad_token",
    "cls": "cls_token",
    "mask": "mask_token",
}
"""The roles of tokenizer_config.json, by the names that ids have in a GGUF file."""


def _gguf(file: Path, document: Json, configuration: Json) -> ReadConversion:
    vocabulary = _readable(read_vocabulary(file))
    return ReadConversion(
        format=GGUF,
        overlay=gguf_files.overlay_of(document, configuration, vocabulary),
        sha256=hashlib.sha256(repr(vocabulary).encode("utf-8", "surrogatepass")).hexdigest(),
        templates=vocabulary.templates,
        special_ids={ROLES[name]: id_ for name, id_ in vocabulary.special_ids.items() if name in ROLES},
        tokens=dict(enumerate(vocabulary.tokens)),
        types=vocabulary.types or (),
    )


def _readable(vocabulary: GgufVocabulary) -> GgufVocabulary:
    """Return ``vocabulary`` with bytes that are no UTF-8 escaped, as no tokenizer.json can hold them."""
    merges = vocabulary.merges
    return replace(
        vocabulary,
        tokens=tuple(map(_escaped, vocabulary.tokens)),
        merges=None if merges is None else tuple(map(_escaped, merges)),
        templates={name: _escaped(text) for name, text in vocabulary.templates.items()},
    )


def _escaped(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _sentencepiece(file: Path, document: Json, configuration: Json) -> ReadConversion:
    overlay = sentencepiece_files.overlay_of(document, configuration, read_model(file))
    return ReadConversion(format="SentencePiece", overlay=overlay, sha256=_digest(file))


def _tiktoken(file: Path, document: Json, configuration: Json) -> ReadConversion:
    overlay = rank_files.overlay_of(document, configuration, read_ranks(file))
    return ReadConversion(format="ranks", overlay=overlay, sha256=_digest(file))


def _tekken(file: Path, document: Json, configuration: Json) -> ReadConversion:
    overlay = rank_files.overlay_of(document, configuration, read_tekken(file))
    return ReadConversion(format="tekken", overlay=overlay, sha256=_digest(file))


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


Reader = Callable[[Path, "Json", "Json"], ReadConversion]

BY_SUFFIX: Mapping[str, Reader] = {
    ".gguf": _gguf,
    ".model": _sentencepiece,
    ".spm": _sentencepiece,
    ".tiktoken": _tiktoken,
    ".json": _tekken,
}

READ = "GGUF (.gguf), a SentencePiece model (.model, .spm), ranks of tiktoken (.tiktoken), or a tekken.json"


def read_conversion(file: str, document: Json, configuration: Json) -> ReadConversion:
    """Return what ``file`` says of the tokenizer in ``document``, beside which lies this ``configuration``.

    A GGUF file is known by its first bytes, others by the ends of their names. Raises :class:`BadInputError`.
    """
    path = Path(file).expanduser()
    try:
        return _reader(path)(path, document, configuration)
    except OSError as error:
        raise BadInputError(f"{file!r}: {error.strerror or error}") from error
    except (FormatError, GgufError, BadInputError) as error:
        raise BadInputError(f"{file!r}: {error}") from error


def _reader(path: Path) -> Reader:
    if path.exists() and not path.is_file():
        raise BadInputError("it is no regular file; give a file of one of these formats: " + READ)
    with path.open("rb") as opened:
        head = opened.read(len(MAGIC))
    reader = _gguf if head == MAGIC else BY_SUFFIX.get(path.suffix)
    if reader is None:
        raise BadInputError(f"its name says no format that can be read here: {READ}")
    return reader
