"""Cases of decoders."""

from __future__ import annotations

from typing import Any

from quirk_cases.asking import words
from quirk_cases.case import Case, Panics, Shows


def _decoded(name: str, tokens: list[str], *options: Any, **named: Any) -> Any:
    return lambda package: getattr(package.decoders, name)(*options, **named).decode(tokens)


def _with_changed_member(package: Any) -> object:
    """Return what sequences give whose members were changed after they were made."""
    decoder = package.decoders.BPEDecoder("x")
    normalizer = package.normalizers.Prepend("x")
    decoders = package.decoders.Sequence([decoder])
    normalizers = package.normalizers.Sequence([normalizer])
    decoder.suffix = normalizer.prepend = "y"
    return decoders.decode(["ax", "b"]), normalizers.normalize_str("a")


class _Custom:
    def decode_chain(self, tokens: list[str]) -> list[str]:
        return tokens


def _steps(package: Any, decoder: Any, *tokens: str) -> list[str | None]:
    tokenizer = words(package, *dict.fromkeys(tokens), decoder=decoder)
    stream = package.decoders.DecodeStream()
    return [stream.step(tokenizer, tokenizer.token_to_id(token)) for token in tokens]


DECODERS: dict[str, Case] = {
    "STRIP-DECODER-PANICS-ON-SHORT-TOKENS": Panics(
        ask=_decoded("Strip", ["a"], "a", 1, 1), message="slice index starts at 1 but ends at 0"
    ),
    "DECODER-SEQUENCE-HAS-COPIES": Shows(ask=_with_changed_member, odd=("a b", "ya")),
    "CUSTOM-DECODER-IN-A-SEQUENCE-PANICS": Panics(
        ask=lambda package: package.decoders.Sequence([package.decoders.Decoder.custom(_Custom())]),
        message="not implemented",
    ),
}
