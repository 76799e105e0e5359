"""Which characters a normalizer can give at all, for any text.

A normalizer that looks at characters one by one gives, for a text, what it gives for the characters. So all code points
are asked, stage by stage: what a stage can be given is what the one before can give. Where a component does more than
that, what more it can give is added by its rule: the composed characters of NFC and NFKC, the targets of a charsmap,
the text that is put in. The sets may be too large, never too small: a character that is not among them is given for no
text. A component that is not known here may give everything.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.research.file_audit.vocabulary.components import normalizing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenizer_conformance.comparison.loaded_documents import Documents

BY_CHARACTER = frozenset(
    {"BertNormalizer", "Lowercase", "NFD", "NFKD", "Nmt", "Precompiled", "StripAccents", "Uppercase"}
)
"""Components that make something of each character whatever its neighbours, or leave what their targets say."""

COMPOSING = frozenset({"NFC", "NFKC"})
REMOVING = frozenset({"Strip", "StripLeft", "StripRight"})

SEPARATOR = "\n"
"""What stands between code points that are asked together: nothing composes with it, and it ends a cluster."""

CHUNK = 1024


ALL = 0x110000
_SURROGATES = range(0xD800, 0xE000)

Given = bytes | None
"""For each code point 1 where it can be given, otherwise 0; ``None``: all can be, as far as is known."""

MOST_KEPT = 8
"""How many normalizers are kept with what they can give, a megabyte each."""


@dataclass(frozen=True, slots=True)
class Emitted:
    """The characters that can be given."""

    characters: Given

    def missing(self, text: str) -> str:
        """Return the first character of ``text`` that is never given, an empty text where there is none."""
        if self.characters is None:
            return ""
        characters = self.characters
        return next((character for character in text if not characters[ord(character)]), "")


def emitted(documents: Documents, components: Sequence[Mapping[str, Any]]) -> Emitted:
    """Return what the normalizers ``components``, one after the other, can give."""
    return _emitted(documents, json.dumps(list(components)))


@lru_cache(MOST_KEPT)
def _emitted(documents: Documents, components: str) -> Emitted:
    found: Given = None
    for stage in _stages(json.loads(components)):
        found = _after(documents, stage, found)
    return Emitted(found)


def _stages(components: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    """Give runs of components that look at characters one by one together, all others alone."""
    together = BY_CHARACTER - {"Precompiled"}
    for is_run, run in groupby(components, key=lambda each: each.get("type") in together):
        stage = list(run)
        yield from [stage] if is_run else ([each] for each in stage)


def _after(documents: Documents, stage: list[Mapping[str, Any]], before: Given) -> Given:
    component = stage[0]
    match component.get("type"):
        case str(name) if name in BY_CHARACTER:
            return _with(_images(documents, stage, before), _targets(component))
        case str(name) if name in COMPOSING:
            return _with(_images(documents, stage, before), _composed())
        case str(name) if name in REMOVING:
            return before
        case "Prepend":
            return _with(before, str(component.get("prepend", "")))
        case "Replace":
            return _replaced(component, before)
    return None


def _with(given: Given, characters: Iterable[str]) -> Given:
    """Return ``given`` and ``characters``."""
    if given is None:
        return None
    found = bytearray(given)
    for character in characters:
        found[ord(character)] = 1
    return bytes(found)


def _replaced(component: Mapping[str, Any], before: Given) -> Given:
    pattern, content = component.get("pattern"), str(component.get("content", ""))
    replaced = pattern.get("String") if isinstance(pattern, dict) else None
    if not isinstance(replaced, str) or len(replaced) != 1:
        # A longer string or a regex leaves what it does not match.
        return _with(before, content)
    found = bytearray(_everything() if before is None else before)
    found[ord(replaced)] = 0
    return _with(bytes(found), content)


def _images(documents: Documents, stage: list[Mapping[str, Any]], before: Given) -> Given:
    """Return all characters that come of a character of ``before``, ``None`` where one is not answered."""
    normalize = normalizing(documents, stage)
    if normalize is None:
        return None
    found = bytearray(ALL)
    # A carriage return before the separator would be one cluster with it.
    for text in (*_texts(_everything() if before is None else before), "\r"):
        answer = normalize(text)
        if answer is None:
            return None
        for character in set(answer):
            found[ord(character)] = 1
    return bytes(found)


def _texts(given: bytes) -> Iterator[str]:
    for begin in range(0, ALL, CHUNK):
        characters = [chr(begin + at) for at, is_given in enumerate(given[begin : begin + CHUNK]) if is_given]
        if characters:
            yield SEPARATOR.join(characters)


@cache
def _everything() -> bytes:
    found = bytearray(b"\1" * ALL)
    found[_SURROGATES.start : _SURROGATES.stop] = bytes(len(_SURROGATES))
    return bytes(found)


@cache
def _composed() -> frozenset[str]:
    """Return all characters that something can compose to.

    The tables at hand are newer than those of an implementation may be; a character that is one of these in an older
    version is one in each later one.
    """
    characters = (chr(number) for number in range(0x80, ALL) if number not in _SURROGATES)
    return frozenset(
        each for each in characters if unicodedata.normalize("NFD", each) != each == unicodedata.normalize("NFC", each)
    )


def _targets(component: Mapping[str, Any]) -> str:
    """Return the characters of what a charsmap maps to: clusters are looked up in it as well, not characters alone.

    It is the size of a trie in bytes, the trie, and the targets, each ended by a zero byte.
    """
    charsmap = component.get("precompiled_charsmap")
    if not isinstance(charsmap, str):
        return ""
    try:
        data = base64.b64decode(charsmap)
        (size,) = struct.unpack_from("<I", data)
    except (binascii.Error, struct.error, ValueError):
        return ""
    return data[4 + size :].decode(errors="ignore").replace("\0", "")
