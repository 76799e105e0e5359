"""tokenizer.json: reading it into the parts of a tokenizer, and writing it as ``tokenizers`` does.

The top level knows its keys and refuses any other (the target fails to parse a file with one). Every key but ``model``
may be missing. Inside components, unknown keys are ignored. Observed, tokenizers 0.23.3.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_reference.decoders.base import DECODER
from tokenizer_reference.errors import shown
from tokenizer_reference.json_text.document import Layout, parse_json
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.models.base import MODEL
from tokenizer_reference.normalizers.base import NORMALIZER
from tokenizer_reference.pipeline.padding import PaddingParams
from tokenizer_reference.pipeline.truncation import TruncationParams
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER
from tokenizer_reference.processors.base import POST_PROCESSOR
from tokenizer_reference.values.added_token import AddedToken, added_token_from_json, added_token_to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokenizer_reference.decoders.base import Decoder
    from tokenizer_reference.models.base import Model
    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.pre_tokenizers.base import PreTokenizer
    from tokenizer_reference.processors.base import PostProcessor

VERSION = "1.0"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TokenizerParts:
    """The parts of a tokenizer, one for each key of a tokenizer.json; ``None`` where there is none."""

    model: Model
    added_tokens: tuple[AddedToken, ...] = ()
    truncation: TruncationParams | None = None
    padding: PaddingParams | None = None
    normalizer: Normalizer | None = None
    pre_tokenizer: PreTokenizer | None = None
    post_processor: PostProcessor | None = None
    decoder: Decoder | None = None


# Reading -------------------------------------------------------------------------------------------------------------


LAYOUT = Layout(
    refuse_repetition=("truncation", "padding", "added_tokens", "post_processor"),
    known_fields={"truncation": TruncationParams._FIELDS, "padding": PaddingParams._FIELDS},
)
"""What the target reads straight from the text. Normalizer, pre-tokenizer, decoder and model go by way of a tree."""


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Pause the collector of cycles: a vocabulary makes a million objects and no cycle, and each round looks at all."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@_nothing_collected()
def read_tokenizer_json(text: str) -> TokenizerParts:
    """Return the parts of the tokenizer in ``text``.

    Raises :class:`TokenizerFileError`, naming the JSON path and what was expected there.
    """
    root = JsonValue(parse_json(text, LAYOUT))
    parts: dict[str, Any] = {}
    for key, value in root.all_members():
        if key not in _READERS:
            raise root.fail(
                f"unknown key {shown(key)}; the top level of a tokenizer.json has only {', '.join(_READERS)}"
            )
        parts[key] = _READERS[key](value)  # of a key that is given twice the last value counts, but all are read
    if "model" not in parts:
        raise root.fail("missing field `model`")
    parts.pop("version", None)
    return TokenizerParts(**parts)


def _read_version(value: JsonValue) -> str:
    version = value.string()
    if version != VERSION:
        raise value.fail(f"unknown tokenizer version {shown(version)}; only {VERSION!r} is known")
    return version


def _read_added_tokens(value: JsonValue) -> tuple[AddedToken, ...]:
    return tuple(map(added_token_from_json, value.items()))


def _or_none(read: Callable[[JsonValue], T]) -> Callable[[JsonValue], T | None]:
    return lambda value: None if value.value is None else read(value)


_READERS: Mapping[str, Callable[[JsonValue], Any]] = {
    "version": _read_version,
    "truncation": _or_none(TruncationParams._from_json),
    "padding": _or_none(PaddingParams._from_json),
    "added_tokens": _read_added_tokens,
    "normalizer": _or_none(NORMALIZER.read),
    "pre_tokenizer": _or_none(PRE_TOKENIZER.read),
    "post_processor": _or_none(POST_PROCESSOR.read),
    "decoder": _or_none(DECODER.read),
    "model": MODEL.read,
}
"""What reads the value of each key of the top level; in the order in which the keys are written."""


# Writing -------------------------------------------------------------------------------------------------------------


def tokenizer_document(parts: TokenizerParts, added_tokens: dict[int, AddedToken]) -> dict[str, Any]:
    """Return the document of ``parts``, with the added tokens under the ids they have."""

    def json_of(component: Any) -> Any:
        return None if component is None else component._to_json()

    return {
        "version": VERSION,
        "truncation": json_of(parts.truncation),
        "padding": json_of(parts.padding),
        "added_tokens": [added_token_to_json(id, token) for id, token in sorted(added_tokens.items())],
        "normalizer": json_of(parts.normalizer),
        "pre_tokenizer": json_of(parts.pre_tokenizer),
        "post_processor": json_of(parts.post_processor),
        "decoder": json_of(parts.decoder),
        "model": json_of(parts.model),
    }
