"""Texts from the added tokens: each as it is and nearly so, with all kinds of characters beside it."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.enumerations import crossed, in_turns, listed
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts

BESIDE = (
    "", " ", "a", "1", ".", "\n", "\u0301", "中", "é", "_",
    "  ", "\t", "\u00a0", "-", "\u200d", "▁", "😀", "\u3000", "A", "'",
)  # fmt: skip
"""What stands before or after a token: nothing, white space, what is of words and what is not, and what joins."""

LONGEST = 200
"""Added tokens that are longer give no texts of their parts."""

MOST_TOKENS = 300
"""Of how many added tokens every two are put together; of more, each with the ones after it."""


@lru_cache(maxsize=4)
def contents(parts: DocumentParts) -> tuple[str, ...]:
    """Return the contents of the added tokens of ``parts`` once each, in order."""
    return tuple(dict.fromkeys(str(token["content"]) for token in parts.added_tokens))


def _in_place(material: Material) -> Produced:
    """Return every token between every two of what may stand beside it."""
    contexts = [_between(before, after) for before, after in _diverse_pairs()]
    return crossed(contents(parts_of(material.document)), contexts, material.seed)


def _diverse_pairs() -> Iterator[tuple[str, str]]:
    """Yield all pairs of what stands beside a token, each of these once on either side before any comes again."""
    size = len(BESIDE)
    for shift in range(size):
        for index in range(size):
            yield BESIDE[index], BESIDE[(index + shift) % size]


def _between(before: str, after: str) -> Callable[[str], str]:
    return lambda content: before + content + after


def _nearly(material: Material) -> Produced:
    """Return what is nearly a token, or overlaps with itself, alone and beside other characters."""
    parts = parts_of(material.document)
    sources = [tuple(dict.fromkeys(_variants(content))) for content in contents(parts)]
    contexts = [_between(before, after) for before, after in (("", ""), (" ", " "), ("a", "a"), ("", "."), ("1", "\n"))]
    # Token by token in turns: a token with many parts does not keep the others waiting.
    return in_turns(*(crossed(variants, contexts, material.seed + place) for place, variants in enumerate(sources)))


def _variants(content: str) -> Iterator[str]:
    yield content + content
    yield content[0] + content
    yield content + content[-1]
    yield content.swapcase()
    yield content.upper()
    yield content.lower()
    yield content[:-1] + content
    yield content + content[1:]
    yield from (f"{content}{between}{content}" for between in (" ", "  ", "\n", "a", "\u0301"))
    yield from (unicodedata.ucd_3_2_0.normalize(form, content) for form in ("NFC", "NFD", "NFKC", "NFKD"))
    yield "".join(_full_width(character) for character in content)
    yield " ".join(content)
    yield content[::-1]
    if len(content) > LONGEST:
        return
    for end in range(1, len(content)):
        yield content[:end]
        yield content[end:]
        yield content[:end] + content
        yield content + content[end:]
        yield content[:end] + " " + content[end:]
        yield content[:end] + "\u0301" + content[end:]
        yield content[:end] + content[end].swapcase() + content[end + 1 :]


def _full_width(character: str) -> str:
    """Return the full-width form of an ASCII ``character``, which compatibility normalization takes back."""
    return chr(ord(character) + 0xFEE0) if "!" <= character <= "~" else character


def _together(material: Material) -> Produced:
    return listed(_combinations(contents(parts_of(material.document))), material.seed)


@lru_cache(maxsize=4)
def _combinations(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return two tokens side by side, with a space or a letter between, and grown together where they overlap."""
    size = len(tokens)
    reach = size if size <= MOST_TOKENS else 10
    texts: list[str] = []
    for place, first in enumerate(tokens):
        for step in range(reach):
            second = tokens[(place + step) % size]
            texts += [first + second, f"{first} {second}", f"{first}a{second}"]
            texts += [first + second[end:] for end in _overlaps(first, second)]
    return tuple(dict.fromkeys(texts))


def _overlaps(first: str, second: str) -> list[int]:
    """Return the lengths at which the end of ``first`` is the beginning of ``second``, but for the whole of either."""
    longest = min(len(first), len(second), LONGEST)
    return [end for end in range(1, longest) if first.endswith(second[:end])]


ADDED_TOKEN_GENERATORS = (
    Generator(
        "added-tokens",
        "every added token between all kinds of characters: its flags, and what it takes with it",
        _in_place,
    ),
    Generator(
        "added-token-parts",
        "what is nearly an added token: doubled, overlapping itself, in other cases and forms, its parts",
        _nearly,
    ),
    Generator(
        "added-token-pairs",
        "two added tokens side by side, apart, and grown together where they overlap",
        _together,
    ),
)
