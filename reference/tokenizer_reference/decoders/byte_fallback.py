"""ByteFallback: tokens such as ``<0xE2>`` stand for bytes."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Final

from tokenizer_reference.decoders.base import DECODER, Decoder

BYTE_TOKEN: Final = re.compile(r"<0x([0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>")
"""A token for a byte. A plus sign passes for the first digit, as Rust reads numbers (observed, tokenizers 0.23.3)."""

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


@DECODER.component()
class ByteFallback(Decoder):
    """Decodes each run of byte tokens as UTF-8; a run that is not UTF-8 gives one U+FFFD for every byte.

    >>> ByteFallback().decode(["<0xC3>", "<0xA9>", "t", "<0xC3>"])
    'ét�'
    """

    def _decode_chain(self, tokens: list[str]) -> list[str]:
        decoded: list[str] = []
        for is_bytes, run in groupby(tokens, key=_is_byte_token):
            tokens_of_run = list(run)
            decoded += _decode_run(tokens_of_run) if is_bytes else tokens_of_run
        return decoded


def _is_byte_token(token: str) -> bool:
    return len(token) == 6 and BYTE_TOKEN.fullmatch(token) is not None


def _decode_run(tokens: list[str]) -> list[str]:
    run = bytes(int(token[3:5], 16) for token in tokens)
    try:
        return [run.decode()]
    except UnicodeDecodeError:
        return [REPLACEMENT] * len(run)
