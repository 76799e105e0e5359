"""Bytes that are not UTF-8, decoded in other ways."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.variants.change import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.variants.private_copy import Patch

    Decoding = Callable[[bytes], str]

REPLACEMENT = "\ufffd"

_ESCAPED = re.compile("[\udc80-\udcff]")


def _each_byte(data: bytes) -> str:
    return _ESCAPED.sub(REPLACEMENT, data.decode("utf-8", "surrogateescape"))


def _each_part(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _each_run(data: bytes) -> str:
    return re.sub("[\udc80-\udcff]+", REPLACEMENT, data.decode("utf-8", "surrogateescape"))


def _dropped(data: bytes) -> str:
    return data.decode("utf-8", "ignore")


def _decoding(decode: Decoding) -> Mapping[str, Patch]:
    """Have bytes decoded by ``decode``, both of byte-level tokens and of byte fallback."""

    def of_byte_level(module: Any) -> None:
        def chain(_decoder: Any, tokens: list[str]) -> list[str]:
            return [decode(b"".join(map(module.token_bytes, tokens)))]

        module.ByteLevel._decode_chain = chain

    def of_byte_fallback(module: Any) -> None:
        def run(tokens: list[str]) -> list[str]:
            # One entry for each character, as where every byte is one.
            return list(decode(bytes(int(token[3:5], 16) for token in tokens)))

        module._decode_run = run

    return {"decoders.byte_level": of_byte_level, "decoders.byte_fallback": of_byte_fallback}


def _decode_tokens(module: Any) -> None:
    def chain(_decoder: Any, tokens: list[str]) -> list[str]:
        return [_each_part(module.token_bytes(token)) for token in tokens]

    module.ByteLevel._decode_chain = chain


def _decode_byte_tokens(module: Any) -> None:
    plain = module._decode_run
    module._decode_run = lambda tokens: [part for token in tokens for part in plain([token])]


DECODING_PATCHES: Mapping[Rule, Mapping[str, Patch]] = {
    Rule.REPLACED_BYTES: _decoding(_each_byte),
    Rule.REPLACED_PARTS: _decoding(_each_part),
    Rule.REPLACED_RUNS: _decoding(_each_run),
    Rule.DROPPED_BYTES: _decoding(_dropped),
    Rule.DECODED_TOKENS: {"decoders.byte_level": _decode_tokens, "decoders.byte_fallback": _decode_byte_tokens},
}
