"""Fuse: all tokens become one."""

from __future__ import annotations

from tokenizer_reference.decoders.base import DECODER, Decoder


@DECODER.component()
class Fuse(Decoder):
    """Joins all tokens, so that a decoder after it sees a single one."""

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        return ["".join(tokens)]
