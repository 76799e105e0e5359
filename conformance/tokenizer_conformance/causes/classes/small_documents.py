"""Parts of a tokenizer.json, small enough to find out in no time whether a change of the rules can matter at all."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_conformance.comparison.reduction import Json

LONGEST = 300
"""Of longer words no small model is made: it would have too much of the large one."""

_NO_MODEL = {"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"}

_EMPTY: Json = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "post_processor": None}

BYTE_TOKEN = re.compile("<0x[0-9A-F]{2}>")
SHAPED_AS_BYTE = re.compile(rb"...([0-9A-F]{2}).", re.DOTALL)

BYTES_BY_SHAPE = "tokens of six bytes with two digits in the middle are bytes, as <0x27> is one"
"""What a token of a byte is called."""


def without_model(document: Json) -> str:
    """Return the part of ``document`` that comes before the model, with a model that knows no word."""
    kept = {name: document.get(name) for name in ("normalizer", "pre_tokenizer")}
    return json.dumps({**_EMPTY, **kept, "decoder": None, "model": _NO_MODEL})


def only_model(document: Json, words: Iterable[str]) -> str | None:
    """Return the model of ``document`` with what of its vocabulary can be in ``words``.

    ``None`` where a word is long, or the model is none that this is known of.
    """
    model = document.get("model")
    words = list(words)
    if not isinstance(model, dict) or max(map(len, words), default=0) > LONGEST:
        return None
    parts = {word[start:end] for word in words for start in range(len(word)) for end in range(start + 1, len(word) + 1)}
    try:
        small = _small_unigram(model, parts) if isinstance(model.get("vocab"), list) else _small(model, parts)
    except (KeyError, TypeError, ValueError, IndexError):
        return None
    whole = {"normalizer": None, "pre_tokenizer": None, "decoder": None, "model": small}
    return json.dumps({**_EMPTY, **whole})


def _small(model: Json, parts: set[str]) -> Json:
    """Return a model with a vocabulary of tokens and ids (BPE, WordPiece, WordLevel)."""
    prefix = model.get("continuing_subword_prefix") or ""
    suffix = model.get("end_of_word_suffix") or ""

    def is_kept(token: str) -> bool:
        bare = token.removeprefix(prefix)
        return (
            token in parts
            or bare in parts
            or token.removesuffix(suffix) in parts
            or bare.removesuffix(suffix) in parts
            or token == model.get("unk_token")
            or BYTE_TOKEN.fullmatch(token) is not None
        )

    vocab = {token: id_ for token, id_ in model["vocab"].items() if is_kept(token)}
    small = {**model, "vocab": vocab}
    if "merges" in model:
        small["merges"] = [merge for merge in model["merges"] if _is_whole(merge, vocab, prefix)]
    return small


def _is_whole(merge: Any, vocab: Json, prefix: str) -> bool:
    """Return whether ``vocab`` has both tokens of a merge, and the one that they merge to."""
    left, right = merge.split(" ") if isinstance(merge, str) else merge
    return left in vocab and right in vocab and left + right[len(prefix) :] in vocab


def _small_unigram(model: Json, parts: set[str]) -> Json:
    """Return a Unigram model; the lowest score stays, for unknown characters go by it."""
    listed = model["vocab"]
    unknown = model.get("unk_id")
    lowest = min(range(len(listed)), key=lambda at: listed[at][1])
    kept = [
        at
        for at, (piece, _) in enumerate(listed)
        if piece in parts or at in (unknown, lowest) or BYTE_TOKEN.fullmatch(piece)
    ]
    return {
        **model,
        "vocab": [listed[at] for at in kept],
        "unk_id": None if unknown is None else kept.index(unknown),
    }


def only_decoder(document: Json, tokens: Iterable[tuple[str, int]]) -> str:
    """Return the decoder of ``document`` with the ``tokens``, each with its id, as its whole vocabulary."""
    vocab = dict(tokens)
    added = [token for token in _added(document) if token.get("content") in vocab]
    whole = {"normalizer": None, "pre_tokenizer": None, "decoder": document.get("decoder"), "added_tokens": added}
    model = {"type": "WordLevel", "vocab": vocab, "unk_token": ""}
    return json.dumps({**_EMPTY, **whole, "model": model})


def byte_by_shape(token: str) -> str | None:
    r"""Return the character with the code that ``token`` has where byte tokens have theirs, if it is as long as they.

    >>> [byte_by_shape(each) for each in ("<0x27>", "\u258127,", "\u2581ABC", "\u2581car", "27")]
    ["'", "'", '«', None, None]
    """
    match = SHAPED_AS_BYTE.fullmatch(token.encode("utf-8", "surrogatepass"))
    return match and chr(int(match[1], 16))


# Added tokens ---------------------------------------------------------------------------------------------------------


def _added(document: Json) -> Iterator[Json]:
    listed = document.get("added_tokens")
    yield from (token for token in listed if isinstance(token, dict)) if isinstance(listed, list) else ()


def added_tokens(document: Json) -> list[str]:
    """Return the contents of the added tokens."""
    return [str(token["content"]) for token in _added(document) if token.get("content")]


def tokens_by_their_neighbours(document: Json) -> bool:
    """Return whether it takes the characters beside some added token to find it: these have properties, too."""
    return any(token.get(flag) for token in _added(document) for flag in ("single_word", "lstrip", "rstrip"))
