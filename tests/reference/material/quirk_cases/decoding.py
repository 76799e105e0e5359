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
    "METASPACE-DECODER-DROPS-ALL-MARKS-OF-THE-FIRST-TOKEN": Shows(
        ask=_decoded("Metaspace", ["▁a▁b▁", "▁c"]), odd="ab c", naive="a b  c"
    ),
    "BPE-DECODER-REPLACES-SUFFIX-ANYWHERE": Shows(
        ask=_decoded("BPEDecoder", ["a</w>b", "c</w>"]), odd="a bc", naive="a</w>bc"
    ),
    "BPE-DECODER-SPACES-OUT-CHARACTERS": Shows(ask=_decoded("BPEDecoder", ["ab", "c"], ""), odd=" a b c", naive="abc"),
    "BYTE-FALLBACK-TAKES-A-PLUS-SIGN": Shows(
        ask=_decoded("ByteFallback", ["<0x+1>", "<0x-1>"]), odd="\x01<0x-1>", naive="<0x+1><0x-1>"
    ),
    "BYTE-FALLBACK-GIVES-UP-A-WHOLE-RUN": Shows(
        ask=_decoded("ByteFallback", ["<0x61>", "<0xE2>", "<0x62>"]),
        odd="\ufffd\ufffd\ufffd",
        naive=b"a\xe2b".decode(errors="replace"),
    ),
    "CTC-KEEPS-DELIMITERS-WITHOUT-CLEANUP": Shows(
        ask=_decoded("CTC", ["a", "|", "b"], cleanup=False), odd="a|b", naive="a b"
    ),
    "CTC-REMOVES-PADDING-INSIDE-TOKENS": Shows(ask=_decoded("CTC", ["a<pad>b", "<pad>"]), odd="ab", naive="a<pad>b"),
    "CLEANUP-SEES-ONE-TOKEN-AT-A-TIME": Shows(
        ask=lambda package: [
            package.decoders.WordPiece().decode(tokens) for tokens in (["we", "do not"], ["we", "do", "not"])
        ],
        odd=["we don't", "we do not"],
        naive=["we don't", "we don't"],
    ),
    "CLEANUP-CONTRACTS-DO-NOT": Shows(ask=_decoded("WordPiece", ["we", "do not"]), odd="we don't", naive="we do not"),
    "WORDPIECE-DECODER-KEEPS-THE-FIRST-PREFIX": Shows(
        ask=_decoded("WordPiece", ["##a", "##b"]), odd="##ab", naive="ab"
    ),
    "STRIP-DECODER-PANICS-ON-SHORT-TOKENS": Panics(
        ask=_decoded("Strip", ["a"], "a", 1, 1), message="slice index starts at 1 but ends at 0"
    ),
    "BYTE-LEVEL-DECODER-TAKES-FOREIGN-TOKENS-AS-TEXT": Shows(
        ask=_decoded("ByteLevel", ["Ġa", "Ġ日"]), odd=" aĠ日", naive=" a 日"
    ),
    "DECODER-SEQUENCE-HAS-COPIES": Shows(ask=_with_changed_member, odd=("a b", "ya")),
    "CUSTOM-DECODER-IN-A-SEQUENCE-PANICS": Panics(
        ask=lambda package: package.decoders.Sequence([package.decoders.Decoder.custom(_Custom())]),
        message="not implemented",
    ),
    "STREAM-GIVES-DANGLING-BYTES-LATE": Shows(
        ask=lambda package: _steps(package, package.decoders.ByteLevel(), "Ã", "a"),
        odd=[None, "\ufffda"],
        naive=["\ufffd", "a"],
    ),
    "STREAM-IS-SILENT-WHERE-TEXT-DOES-NOT-GROW": Shows(
        ask=lambda package: _steps(package, package.decoders.Strip("b", 0, 1), "a", "b", "c"), odd=["a", None, "c"]
    ),
    "DECODING-PASSES-OVER-UNKNOWN-IDS": Shows(ask=lambda package: words(package).decode([1, 99, 2]), odd="a b"),
}
