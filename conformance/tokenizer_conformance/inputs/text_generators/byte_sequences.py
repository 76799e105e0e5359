"""Texts for tokenizers of bytes: characters that share bytes, and entries that end inside a character."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.entries import entries_of, text_of_bytes
from tokenizer_conformance.inputs.text_generators.enumerations import crossed, in_turns, listed, packed
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts

PARTS_A_TEXT = 12

_LAST = (0x80, 0x81, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBE, 0xBF)
"""Bytes of UTF-8 that go on: both ends of what is allowed, and those where another byte before allows less."""


def _has_bytes(parts: DocumentParts) -> bool:
    entries = entries_of(parts)
    return entries.is_byte_level or parts.model.get("byte_fallback") is True or bool(parts.of_type("ByteFallback"))


def _across(material: Material) -> Produced:
    """Return texts with the bytes of entries that begin or end inside a character."""
    parts = parts_of(material.document)
    if not _has_bytes(parts):
        return listed(())
    entries = entries_of(parts)
    texts = _incomplete(parts)
    contexts: tuple[Callable[[str], str], ...] = (
        lambda text: text,
        lambda text: text + text,
        lambda text: f"a{text}b",
        lambda text: f" {text}",
        lambda text: f"{text[:1]}{text}",
        lambda text: f"{text}\u0301",
    )

    def joined(places: Sequence[int]) -> str:
        return entries.separator.join(texts[place] for place in places)

    return in_turns(packed(len(texts), PARTS_A_TEXT, joined, material.seed), crossed(texts, contexts, material.seed))


@lru_cache(maxsize=4)
def _incomplete(parts: DocumentParts) -> tuple[str, ...]:
    entries = entries_of(parts)
    if not entries.is_byte_level:
        return ()
    rows = (entries.bytes_of(token) for token in entries.tokens if not token.isascii())
    return tuple(dict.fromkeys(text for row in rows if not _is_whole(row) if (text := text_of_bytes(row))))


def _is_whole(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _shared(material: Material) -> Produced:
    """Return characters that have all bytes but the last in common, and those whose last bytes are the same."""
    parts = parts_of(material.document)
    return listed(_sharing(entries_of(parts).alphabet) if _has_bytes(parts) else (), material.seed)


@lru_cache(maxsize=4)
def _sharing(alphabet: tuple[str, ...]) -> tuple[str, ...]:
    leads = {character.encode()[:-1]: None for character in alphabet if not character.isascii()} | dict.fromkeys(_LEADS)
    texts: list[str] = []
    for lead in leads:
        row = list(_siblings(lead))
        texts += [*row, "".join(row), "".join(reversed(row))]
        texts += [first + second for first, second in pairwise(row)]
        texts += [f"{each * 3}a{each}" for each in row[:2]]
    return tuple(dict.fromkeys(texts))


_LEADS = (
    b"\xc2", b"\xdf", b"\xe0\xa0", b"\xe1\x80", b"\xe2\x80", b"\xed\x9f", b"\xee\x80", b"\xef\xbf", b"\xf0\x90\x80",
    b"\xf0\x9f\x98", b"\xf1\x80\x80", b"\xf3\xa0\x80", b"\xf4\x8f\xbf",
)  # fmt: skip
"""Beginnings of characters: the first and the last of each length."""


def _siblings(lead: bytes) -> Iterator[str]:
    """Yield characters that begin with the bytes ``lead``."""
    for last in _LAST:
        try:
            yield (lead + bytes([last])).decode()
        except UnicodeDecodeError:
            continue


def _written(material: Material) -> Produced:
    """Return the tokens of single bytes as text, and characters that need them."""
    parts = parts_of(material.document)
    if not _has_bytes(parts) or entries_of(parts).is_byte_level:
        return listed(())
    names = [f"<0x{byte:02X}>" for byte in range(256)]
    ends = [text_of_bytes(bytes([byte])) for byte in range(256)]
    return in_turns(
        listed([text for text in ends if text], material.seed),
        crossed(names, (str, lambda name: f"a{name}b", str.lower, lambda name: name + name), material.seed),
    )


BYTE_GENERATORS = (
    Generator(
        "bytes-across",
        "entries that begin or end inside a character, with the bytes that make it whole",
        _across,
    ),
    Generator(
        "bytes-shared",
        "characters that differ in their last byte only, one after the other",
        _shared,
    ),
    Generator(
        "bytes-written",
        "tokens of single bytes written out, and characters with each byte in them",
        _written,
    ),
)
