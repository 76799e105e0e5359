"""What a GGUF file says about its tokenizer, as values with names."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from tokenizer_adapters.gguf.metadata import GgufError, read_metadata

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from tokenizer_adapters.gguf.metadata import Metadata, Value

GGML = "tokenizer.ggml."
TEMPLATE = "tokenizer.chat_template"
DEFAULT_TEMPLATE = "default"
ID = "_token_id"

LISTS = ("tokens", "token_type", "scores", "merges", "precompiled_charsmap")
"""The lists that have a field of their own."""


class TokenType(IntEnum):
    """What a token is for llama.cpp (``llama_token_type``)."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class GgufVocabulary:
    """The tokenizer of a GGUF file.

    ``model`` is the algorithm as llama.cpp calls it (``gpt2`` for BPE over bytes, ``bert`` for WordPiece, ``t5`` for
    Unigram, ``llama`` for the BPE of SentencePiece), ``pre`` the name of its pre-tokenizer. ``tokens``, ``types``
    (:class:`TokenType`, or another number) and ``scores`` stand by id. ``special_ids`` are those of the keys
    ``tokenizer.ggml.NAME_token_id`` by NAME (``bos``, ``eos``, ``unknown``, ``seperator``, ``padding``, ...), ``flags``
    all keys under ``tokenizer.ggml.`` that are true or false, ``others`` what else stands there. ``templates`` are chat
    templates, the nameless one as ``default``. What the file does not say is ``None``, or not in the mapping.
    """

    model: str
    tokens: tuple[str, ...]
    pre: str | None = None
    types: tuple[int, ...] | None = None
    scores: tuple[float, ...] | None = None
    merges: tuple[str, ...] | None = None
    special_ids: Mapping[str, int] = field(default_factory=dict)
    flags: Mapping[str, bool] = field(default_factory=dict)
    charsmap: bytes | None = None
    templates: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, Value] = field(default_factory=dict)
    architecture: str = ""
    name: str = ""

    def type_of(self, id_: int) -> int:
        """Return the type of the token ``id_``: a normal one, where the file says none."""
        return TokenType.NORMAL if self.types is None else self.types[id_]


def read_vocabulary(file: str | os.PathLike[str]) -> GgufVocabulary:
    """Read what ``file`` says about its tokenizer; no tensor is read.

    Raises :class:`GgufError`, also where it has no tokenizer, and :class:`OSError`.
    """
    return vocabulary_in(read_metadata(file))


def vocabulary_in(metadata: Metadata) -> GgufVocabulary:
    """Return the tokenizer that ``metadata`` describes. Raises :class:`GgufError`."""
    values = metadata.values
    own = {key.removeprefix(GGML): value for key, value in values.items() if key.startswith(GGML)}
    model = own.pop("model", None)
    if not isinstance(model, str) or model == "no_vocab":
        raise GgufError(f"it holds no tokenizer: the key {GGML}model is missing, no text, or says that there is none")
    tokens = _texts(own, "tokens")
    if not tokens:
        raise GgufError(f"it holds no vocabulary: the list {GGML}tokens is missing or empty")
    types, scores = _numbers(own, "token_type", len(tokens)), _numbers(own, "scores", len(tokens))
    pre = own.pop("pre", None)
    charsmap = own.get("precompiled_charsmap")
    flags = {key: value for key, value in own.items() if isinstance(value, bool)}
    ids = {
        key.removesuffix(ID): value
        for key, value in own.items()
        if key.endswith(ID) and isinstance(value, int) and key not in flags
    }
    rest = {key: value for key, value in own.items() if key not in {*LISTS, *flags} and key.removesuffix(ID) not in ids}
    return GgufVocabulary(
        model=model,
        pre=None if pre is None else str(pre),
        tokens=tokens,
        types=None if types is None else tuple(map(int, types)),
        scores=scores,
        merges=_texts(own, "merges"),
        special_ids=ids,
        flags=flags,
        charsmap=bytes(each & 0xFF for each in charsmap) if isinstance(charsmap, array) else None,
        templates=_templates(values),
        others=rest,
        architecture=str(values.get("general.architecture", "")),
        name=str(values.get("general.name", "")),
    )


def _texts(own: Mapping[str, Value], key: str) -> tuple[str, ...] | None:
    found = own.get(key)
    if found is None:
        return None
    if not isinstance(found, tuple) or any(isinstance(each, bool) for each in found):
        raise GgufError(f"{GGML}{key} is no list of texts")
    return found  # type: ignore[return-value]  # a list is of one type, and this one is not of truth values


def _numbers(own: Mapping[str, Value], key: str, count: int) -> tuple[float, ...] | None:
    """Return the list of numbers at ``key``, which has one for each of ``count`` tokens."""
    found = own.get(key)
    if found is None:
        return None
    if not isinstance(found, array):
        raise GgufError(f"{GGML}{key} is no list of numbers")
    if len(found) != count:
        raise GgufError(f"{GGML}{key} has {len(found):,} entries for {count:,} tokens")
    return tuple(found)


def _templates(values: Mapping[str, Value]) -> dict[str, str]:
    named = {key.removeprefix(f"{TEMPLATE}."): value for key, value in values.items() if key.startswith(f"{TEMPLATE}.")}
    named |= {DEFAULT_TEMPLATE: values[TEMPLATE]} if TEMPLATE in values else {}
    return {name: value for name, value in named.items() if isinstance(value, str)}
