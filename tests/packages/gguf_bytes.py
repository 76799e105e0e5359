"""GGUF files, written byte by byte: nothing of the project, and no package that it uses, has a part in it."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_adapters.gguf.vocabulary import GgufVocabulary

Pair = tuple[str, bytes]

UINT8, UINT32, INT32, FLOAT32, BOOL, STRING, LIST, UINT64 = 0, 4, 5, 6, 7, 8, 9, 10


def text(value: bytes | str, order: str = "<") -> bytes:
    encoded = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    return struct.pack(f"{order}Q", len(encoded)) + encoded


def number(kind: int, code: str, value: float, order: str = "<") -> bytes:
    return struct.pack(f"{order}I{code}", kind, value)


def listed(kind: int, items: list[bytes], order: str = "<") -> bytes:
    return struct.pack(f"{order}IIQ", LIST, kind, len(items)) + b"".join(items)


def string(value: bytes | str, order: str = "<") -> bytes:
    return struct.pack(f"{order}I", STRING) + text(value, order)


def file_of(*pairs: Pair, version: int = 3, order: str = "<", count: int | None = None, tensors: int = 2) -> bytes:
    head = b"GGUF" + struct.pack(f"{order}IQQ", version, tensors, len(pairs) if count is None else count)
    return head + b"".join(text(key, order) + value for key, value in pairs)


def gguf_file(vocabulary: GgufVocabulary) -> bytes:
    """Return a file that says all that ``vocabulary`` says."""
    ggml = "tokenizer.ggml."
    pairs = [("general.architecture", string(vocabulary.architecture or "llama"))]
    pairs += [("general.name", string(vocabulary.name))]
    pairs += [(f"{ggml}model", string(vocabulary.model))]
    pairs += [(f"{ggml}pre", string(vocabulary.pre))] if vocabulary.pre is not None else []
    pairs += [(f"{ggml}tokens", listed(STRING, [text(token) for token in vocabulary.tokens]))]
    if vocabulary.types is not None:
        pairs += [(f"{ggml}token_type", listed(INT32, [struct.pack("<i", each) for each in vocabulary.types]))]
    if vocabulary.scores is not None:
        pairs += [(f"{ggml}scores", listed(FLOAT32, [struct.pack("<f", each) for each in vocabulary.scores]))]
    if vocabulary.merges is not None:
        pairs += [(f"{ggml}merges", listed(STRING, [text(merge) for merge in vocabulary.merges]))]
    pairs += [(f"{ggml}{name}_token_id", number(UINT32, "I", id_)) for name, id_ in vocabulary.special_ids.items()]
    pairs += [(f"{ggml}{name}", number(BOOL, "?", value)) for name, value in vocabulary.flags.items()]
    if vocabulary.charsmap is not None:
        pairs += [(f"{ggml}precompiled_charsmap", listed(UINT8, [bytes([each]) for each in vocabulary.charsmap]))]
    for name, template in vocabulary.templates.items():
        key = "tokenizer.chat_template" if name == "default" else f"tokenizer.chat_template.{name}"
        pairs += [(key, string(template))]
    return file_of(*pairs, tensors=0)
