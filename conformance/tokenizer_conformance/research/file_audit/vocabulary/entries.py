"""The entries of a model's vocabulary, and which of them are there for another reason than to be found in a text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.document_parts import is_text
from tokenizer_conformance.research.file_audit.audited import is_id, is_piece
from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import BYTE_OF_CHARACTER, fallback_byte

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the vocabulary: its ``token``, its ``id``, and the ``path`` that leads to it in the document."""

    token: str
    id: int
    path: Path


class Purpose(StrEnum):
    """What an entry is there for."""

    TEXT = "text"
    RESERVED = "reserved slot"
    CONTROL = "control token"
    BYTE = "byte"
    UNKNOWN = "unknown token"


_SLOT = re.compile(
    r"[\[<]\|?/?(?:unused|extra_id|reserved|reserved_special_token|special_token|dummy|madeupword|placeholder)"
    r"[ _-]?\d*\|?[\]>]|madeupword\d+",
    re.IGNORECASE,
)
"""Names of slots that publishers leave for others to fill: BERT's ``[unused1]``, T5's ``<extra_id_0>``, fairseq's
``madeupword0000``."""

_CONTROL = re.compile(r"\[[A-Z]{3,}\d*\]|</?[a-z]+\d*>(?:NOTUSED)?|<\|[^|<>]+\|>")
"""Names of control tokens: ``[CLS]``, ``</s>``, ``<s>NOTUSED`` (CamemBERT), ``<|endoftext|>``."""


def entries_of(parts: DocumentParts) -> tuple[Entry, ...]:
    """Return the entries of the model's vocabulary in their order in the file; what is no entry is left out."""
    vocabulary = parts.model.get("vocab")
    if isinstance(vocabulary, list):
        return tuple(
            Entry(row[0], index, ("model", "vocab", index))
            for index, row in enumerate(vocabulary)
            if is_piece(row) and is_text(row[0])
        )
    if not isinstance(vocabulary, dict):
        return ()
    return tuple(
        Entry(token, number, ("model", "vocab", token))
        for token, number in vocabulary.items()
        if is_text(token) and is_id(number)
    )


def unknown_token(parts: DocumentParts) -> str | None:
    """Return the token that stands for what is unknown, where the model names one."""
    named = parts.model.get("unk_token")
    if isinstance(named, str):
        return named
    at, vocabulary = parts.model.get("unk_id"), parts.model.get("vocab")
    if isinstance(at, int) and isinstance(vocabulary, list) and 0 <= at < len(vocabulary) and is_piece(vocabulary[at]):
        return str(vocabulary[at][0])
    return None


def is_byte_level(parts: DocumentParts) -> bool:
    """Return whether the model sees bytes, each as a character that stands for it."""
    return bool([each for each in parts.of_type("ByteLevel") if each.stage in ("normalizer", "pre_tokenizer")])


def purposes(parts: DocumentParts) -> dict[str, Purpose]:
    """Return the purpose of every token that is not there for texts alone."""
    byte_level = is_byte_level(parts)
    unknown = unknown_token(parts)
    added = {row["content"] for row in parts.added_tokens}
    found: dict[str, Purpose] = {}
    for token in parts.tokens:
        if token == unknown:
            found[token] = Purpose.UNKNOWN
        elif fallback_byte(token) is not None or (byte_level and token in BYTE_OF_CHARACTER):
            found[token] = Purpose.BYTE
        elif _SLOT.fullmatch(token):
            found[token] = Purpose.RESERVED
        elif token in added or _CONTROL.fullmatch(token):
            found[token] = Purpose.CONTROL
    return found
