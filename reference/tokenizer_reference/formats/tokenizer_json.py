"""tokenizer.json: reading it into the parts of a tokenizer, and writing it as ``tokenizers`` does.

The top level knows its keys and refuses any other (the target fails to parse a file with one). Every key but ``model``
may be missing. Inside components, unknown keys are ignored. Observed, tokenizers 0.23.3.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_reference.added_tokens import AddedToken, added_token_from_json, added_token_to_json
from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.formats.components import (
    load_decoder,
    load_model,
    load_normalizer,
    load_pre_tokenizer,
    load_processor,
)
from tokenizer_reference.formats.json_number import read_float
from tokenizer_reference.formats.json_value import JsonValue
from tokenizer_reference.padding import PaddingParams
from tokenizer_reference.truncation import TruncationParams

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from tokenizer_reference.decoders.base import Decoder
    from tokenizer_reference.models.base import Model
    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.pre_tokenizers.base import PreTokenizer
    from tokenizer_reference.processors.base import PostProcessor

KEYS = (
    "version",
    "truncation",
    "padding",
    "added_tokens",
    "normalizer",
    "pre_tokenizer",
    "post_processor",
    "decoder",
    "model",
)
"""The keys of the top level, in the order in which they are written."""

VERSION = "1.0"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TokenizerParts:
    """What a tokenizer.json holds."""

    model: Model
    added_tokens: tuple[AddedToken, ...] = ()
    truncation: TruncationParams | None = None
    padding: PaddingParams | None = None
    normalizer: Normalizer | None = None
    pre_tokenizer: PreTokenizer | None = None
    post_processor: PostProcessor | None = None
    decoder: Decoder | None = None


# Reading -------------------------------------------------------------------------------------------------------------


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_json(text: str) -> Any:
    """Return the document in ``text``.

    Raises :class:`TokenizerFileError`, with line and column, where ``text`` is not JSON as RFC 8259 has it (``NaN`` and
    lone surrogate escapes are not).
    """
    try:
        document = json.loads(text, parse_constant=_refuse_constant, parse_float=read_float)
    except json.JSONDecodeError as error:
        raise TokenizerFileError("$", f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise TokenizerFileError("$", f"not JSON: {reason}") from None
    if _SURROGATE_ESCAPE.search(text) and _LONE_SURROGATE.search(json.dumps(document, ensure_ascii=False)):
        raise TokenizerFileError("$", "not JSON: a \\u escape gives half of a surrogate pair, which is no character")
    return document


def read_tokenizer_json(text: str) -> TokenizerParts:
    """Return the parts of the tokenizer in ``text``.

    Raises :class:`TokenizerFileError`, naming the JSON path and what was expected there.
    """
    root = JsonValue(parse_json(text))
    for key in root.members():
        if key not in KEYS:
            raise root.fail(f"unknown key `{key}`; the top level of a tokenizer.json has only {', '.join(KEYS)}")
    if root.has("version") and root["version"].string() != VERSION:
        raise root["version"].fail(f"unknown tokenizer version {root['version'].value!r}; only {VERSION!r} is known")
    if not root.has("model"):
        raise root.fail("missing field `model`")
    return TokenizerParts(
        model=load_model(root["model"]),
        added_tokens=_added_tokens(root),
        truncation=_optional(root, "truncation", TruncationParams._from_json),  # noqa: SLF001
        padding=_optional(root, "padding", PaddingParams._from_json),  # noqa: SLF001
        normalizer=_optional(root, "normalizer", load_normalizer),
        pre_tokenizer=_optional(root, "pre_tokenizer", load_pre_tokenizer),
        post_processor=_optional(root, "post_processor", load_processor),
        decoder=_optional(root, "decoder", load_decoder),
    )


def _optional(root: JsonValue, key: str, read: Callable[[JsonValue], T]) -> T | None:
    value = root.get(key)
    return None if value.value is None else read(value)


def _added_tokens(root: JsonValue) -> tuple[AddedToken, ...]:
    if not root.has("added_tokens"):
        return ()
    return tuple(added_token_from_json(item) for item in root["added_tokens"].items())


# Writing -------------------------------------------------------------------------------------------------------------


def tokenizer_document(parts: TokenizerParts, added_tokens: dict[int, AddedToken]) -> dict[str, Any]:
    """Return the document of ``parts``, with the added tokens under the ids they have."""

    def json_of(component: Any) -> Any:
        return None if component is None else component._to_json()  # noqa: SLF001 - the package's own protocol

    return {
        "version": VERSION,
        "truncation": json_of(parts.truncation),
        "padding": json_of(parts.padding),
        "added_tokens": [added_token_to_json(id, token) for id, token in sorted(added_tokens.items())],  # noqa: A001
        "normalizer": json_of(parts.normalizer),
        "pre_tokenizer": json_of(parts.pre_tokenizer),
        "post_processor": json_of(parts.post_processor),
        "decoder": json_of(parts.decoder),
        "model": json_of(parts.model),
    }
