"""How cases ask: small tokenizers, and what they make of a text.

The package is ``tokenizers`` or ``tokenizer_reference``.
"""

from __future__ import annotations

import json
from typing import Any

Offsets = tuple[int, int]
Tokens = list[tuple[str, Offsets]]

WORD_LEVEL = {"type": "WordLevel", "vocab": {"<unk>": 0, "a": 1}, "unk_token": "<unk>"}


def numbered(*tokens: str) -> dict[str, int]:
    return {token: id_ for id_, token in enumerate(tokens)}


def with_parts(tokenizer: Any, **parts: Any) -> Any:
    """Return ``tokenizer`` with components set."""
    for name, part in parts.items():
        setattr(tokenizer, name, part)
    return tokenizer


def whole_pieces(package: Any, **parts: Any) -> Any:
    """Return a tokenizer that makes one token of every piece, with the piece as its value."""
    return with_parts(package.Tokenizer(package.models.Unigram([("<unk>", 0.0)], unk_id=0)), **parts)


def words(package: Any, *vocabulary: str, **parts: Any) -> Any:
    """Return a tokenizer of the words ``<unk>``, with id 0, and ``vocabulary``, cut at spaces."""
    model = package.models.WordLevel(numbered("<unk>", *(vocabulary or "abcd")), unk_token="<unk>")
    return with_parts(package.Tokenizer(model), **{"pre_tokenizer": package.pre_tokenizers.WhitespaceSplit(), **parts})


def added(package: Any, normalizer: Any = None, text: str = "", **tokens: dict[str, bool]) -> Tokens:
    """Return the tokens of ``text`` where ``tokens`` (content and flags) are added tokens and nothing else is known."""
    tokenizer = with_added(package, tokens, normalizer=normalizer)
    return tokens_of(tokenizer, text)


def with_added(package: Any, tokens: dict[str, dict[str, bool]], **parts: Any) -> Any:
    tokenizer = whole_pieces(package, **parts)
    tokenizer.add_tokens([package.AddedToken(content, **flags) for content, flags in tokens.items()])
    return tokenizer


def tokens_of(tokenizer: Any, *texts: Any, **options: Any) -> Tokens:
    encoding = tokenizer.encode(*texts, **options)
    return list(zip(encoding.tokens, encoding.offsets, strict=True))


def aligned(package: Any, normalizer: Any, text: str) -> Tokens:
    """Return the characters of the normalized ``text`` with their offsets."""
    split = package.pre_tokenizers.Split("", "isolated")
    return tokens_of(whole_pieces(package, normalizer=normalizer, pre_tokenizer=split), text)


def pieces(pre_tokenizer: Any, text: str) -> list[str]:
    return [piece for piece, _ in pre_tokenizer.pre_tokenize_str(text)]


def found(package: Any, pattern: str, *texts: str) -> list[list[str]]:
    """Return, for each of ``texts``, what a regular expression matches of it."""
    split = package.pre_tokenizers.Split(package.Regex(pattern), "removed", invert=True)
    return [pieces(split, text) for text in texts]


def rows(model: Any, text: str) -> Tokens:
    """Return the tokens of ``text`` with their offsets, as the model counts them: in bytes."""
    return [(token.value, token.offsets) for token in model.tokenize(text)]


def file(**parts: Any) -> str:
    """Return a tokenizer.json with ``parts``."""
    return json.dumps({"model": WORD_LEVEL, **parts})


def loaded(package: Any, **parts: Any) -> Any:
    return package.Tokenizer.from_str(file(**parts))


def written(tokenizer: Any) -> Any:
    """Return the tokenizer.json of ``tokenizer``, parsed."""
    return json.loads(tokenizer.to_str())


def encoding(package: Any, *tokens: str, **columns: Any) -> Any:
    """Return an encoding of ``tokens``; other columns are ``columns``, or follow from the tokens."""
    made = package.Encoding()
    made.__setstate__(json.dumps(state(*tokens, **columns)).encode())
    return made


def state(*tokens: str, **columns: Any) -> dict[str, Any]:
    size = len(tokens)
    return {
        "ids": list(range(size)),
        "type_ids": [0] * size,
        "tokens": tokens,
        "words": list(range(size)),
        "offsets": [(index * 2, index * 2 + 1) for index in range(size)],
        "special_tokens_mask": [0] * size,
        "attention_mask": [1] * size,
        "overflowing": [],
        "sequence_ranges": {},
        **columns,
    }
