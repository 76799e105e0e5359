"""What a parsed ``tokenizer.json`` says of its model and its tokens."""

from __future__ import annotations

from typing import Any


def model_kind(document: dict[str, Any]) -> str:
    """Return the type of the model; where a file leaves it out, its parts tell (as ``tokenizers`` reads them)."""
    model = document.get("model", {})
    if "type" in model:
        return str(model["type"])
    if "merges" in model:
        return "BPE"
    if isinstance(model.get("vocab"), list):
        return "Unigram"
    return "WordPiece" if "continuing_subword_prefix" in model else "WordLevel"


def is_byte_level(document: dict[str, Any]) -> bool:
    """Return whether tokens stand for bytes, and not for text."""
    match document.get("pre_tokenizer"):
        case {"type": "Sequence", "pretokenizers": [*parts]}:
            return any(part.get("type") == "ByteLevel" for part in parts)
        case {"type": "ByteLevel"}:
            return True
    return False


def token_ids(document: dict[str, Any]) -> dict[str, int]:
    """Return every token of ``document``, a parsed ``tokenizer.json``, with its id; added ones too."""
    vocab = document["model"]["vocab"]
    tokens = dict(vocab) if isinstance(vocab, dict) else {token: id_ for id_, (token, _) in enumerate(vocab)}
    return tokens | {token["content"]: token["id"] for token in document.get("added_tokens") or []}


def special_ids(document: dict[str, Any]) -> frozenset[int]:
    """Return the ids of the special tokens of ``document``, a parsed ``tokenizer.json``."""
    return frozenset(token["id"] for token in document.get("added_tokens") or [] if token["special"])


def unknown_id(document: dict[str, Any]) -> int | None:
    """Return the id of the unknown token of ``document``, a parsed ``tokenizer.json``; None where it has none."""
    model = document["model"]
    if isinstance(model["vocab"], list):
        return None if model.get("unk_id") is None else int(model["unk_id"])
    return token_ids(document).get(model.get("unk_token") or "")
