"""The regexes of a tokenizer file: those that stand in it, and those that its components amount to."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.document_parts import is_text
from tokenizer_conformance.inputs.text_generators.regexes import Node, UnknownRegexError, literal, read_regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.inputs.text_generators.document_parts import Component, DocumentParts

LONGEST = 20_000
"""Characters; a longer pattern is no pattern that someone wrote."""

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""The pattern that the byte-level pre-tokenizer has built in."""

_PUNCTUATION = r"[\p{P}!-/:-@\[-`{-~]"

_IDEOGRAPHS = (
    r"[\x{4E00}-\x{9FFF}\x{3400}-\x{4DBF}\x{20000}-\x{2A6DF}\x{2A700}-\x{2B73F}\x{2B740}-\x{2B81F}\x{2B920}-\x{2CEAF}"
    r"\x{F900}-\x{FAFF}\x{2F800}-\x{2FA1F}]"
)

REGEXES: dict[str, str] = {
    "ByteLevel": GPT2,
    "Whitespace": r"\w+|[^\w\s]+",
    "WhitespaceSplit": r"\s+",
    "Digits": r"\p{Nd}+|\p{Nl}|\p{No}",
    "Punctuation": _PUNCTUATION,
    "BertPreTokenizer": rf"\s|{_PUNCTUATION}",
    "BertNormalizer": rf"{_IDEOGRAPHS}|[\t\n\r]|\p{{Zs}}|\p{{Cc}}|\p{{Cf}}|\x{{FFFD}}|\x00|\p{{Mn}}|\p{{Lu}}",
    "StripAccents": r"\p{Mn}|\p{Mc}|\p{Me}",
    "Lowercase": r"\p{Lu}|\p{Lt}|\p{Ll}Σ|İ",
    "Strip": r"\s+",
    "Nmt": (
        r"[\x01-\x08\x0B\x0E-\x1F\x7F\x8F\x9F]|"
        r"[\t\n\x0C\r\x{1680}\x{200B}-\x{200F}\x{2028}\x{2029}\x{2581}\x{FEFF}\x{FFFD}]"
    ),
    "NFC": r"\p{L}\p{Mn}+|[\x{1100}-\x{1112}][\x{1161}-\x{1175}][\x{11A8}-\x{11C2}]?",
    "NFD": r"\p{L}\p{Mn}+|[\x{AC00}-\x{D7A3}]",
    "NFKC": r"\p{L}\p{Mn}+|\p{No}|[\x{FB00}-\x{FB06}\x{FF01}-\x{FF9F}]",
    "NFKD": r"\p{L}\p{Mn}+|\p{No}|[\x{FB00}-\x{FB06}\x{FF01}-\x{FF9F}]",
    "UnicodeScripts": (
        r"\p{Han}|\p{Hiragana}|\p{Katakana}|ー|\p{Latin}|\p{Greek}|\p{Cyrillic}|\p{Arabic}|\p{Hebrew}|\p{Thai}|\p{Hangul}|"
        r"\p{Devanagari}|\p{Georgian}"
    ),
    "WordPiece": r" [.?!,]| ' | n't| do not| 'm| 's| 've| 're",
    "ByteFallback": r"<0x[0-9A-F]{2}>",
}
"""The regexes of components that have no pattern of their own, by type."""

_TEXTS: dict[str, tuple[str, ...]] = {
    "Replace": ("content",),
    "Prepend": ("prepend",),
    "Metaspace": ("replacement",),
    "CharDelimiterSplit": ("delimiter",),
    "Strip": ("content",),
    "CTC": ("pad_token", "word_delimiter_token"),
    "BPEDecoder": ("suffix",),
    "WordPiece": ("prefix",),
}
"""Members that are taken literally, by type."""


@lru_cache(maxsize=4)
def patterns_of(parts: DocumentParts) -> tuple[Node, ...]:
    """Return the patterns of the components of ``parts``, once each, those that are written in the file first."""
    written = (node for component in parts.components for node in _written(component))
    named = (node for component in parts.components for node in _named(component))
    return tuple(dict.fromkeys([*written, *named]))


def _written(component: Component) -> Iterator[Node]:
    pattern = component.members.get("pattern")
    if isinstance(pattern, str):
        # So old files write a literal pattern.
        pattern = {"String": pattern}
    for kind, text in pattern.items() if isinstance(pattern, dict) else ():
        if is_text(text) and text:
            yield _read(text) if kind == "Regex" else literal(text)


def _named(component: Component) -> Iterator[Node]:
    # Decoders undo what became of bytes and marks; they look at no regex.
    has_regex = component.stage in {"normalizer", "pre_tokenizer"} and component.members.get("use_regex") is not False
    is_of_decoder = component.stage == "decoder" and component.type in {"WordPiece", "ByteFallback"}
    if component.type in REGEXES and (has_regex or is_of_decoder):
        yield _read(REGEXES[component.type])
    for member in _TEXTS.get(component.type, ()):
        text = component.members.get(member)
        if is_text(text) and text:
            yield literal(text)


def _read(pattern: str) -> Node:
    try:
        return read_regex(pattern[:LONGEST])
    except (UnknownRegexError, RecursionError):
        # Its characters are at least some of those that matter to it.
        return literal(pattern[:LONGEST])
