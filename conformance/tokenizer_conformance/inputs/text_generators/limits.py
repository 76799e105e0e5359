"""Texts as long as the limits in a tokenizer file, one shorter and one longer."""

from __future__ import annotations

from functools import lru_cache
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.inputs.text_generators.document_parts import count_in, parts_of
from tokenizer_conformance.inputs.text_generators.entries import entries_of
from tokenizer_conformance.inputs.text_generators.enumerations import in_turns, listed
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts

MOST = 8192
"""Limits beyond this are not tried: a text would take longer than it tells."""

BERT_LIMIT = 100
"""``max_input_chars_per_word`` of a WordPiece model that names none."""

ROUND = (16, 32, 64, 100, 128, 255, 256, 512, 1000, 1024, 2048)
"""Lengths at which buffers end, and models."""

LONGEST_ENTRIES = 64
"""How many entries are taken for the longest."""

AROUND = (0, 1, -1, 2, -2)

PADDED = 4
"""How many multiples of what is padded to are tried."""

WORD_CHARACTERS = ("a", "é", "中", "😀", "e\u0301", "1", "ꓐ", "İ")
"""What a long word is made of: characters of one to four bytes, which normalizers keep, take apart or make longer."""


def _words(material: Material) -> Produced:
    """Return words as long as a word may be, around that, in characters of several lengths."""
    parts = parts_of(material.document)
    texts = [
        text for length in _around(_word_limits(parts)) for each in WORD_CHARACTERS for text in _of_length(each, length)
    ]
    return in_turns(listed(texts[: len(texts) // 2]), listed(texts[len(texts) // 2 :]))


def _of_length(each: str, length: int) -> Iterator[str]:
    word = (each * length)[:length]
    yield word
    yield f"a {word} b"
    yield f"a {word}, {word}{each}"
    yield " " + word


@lru_cache(maxsize=4)
def _word_limits(parts: DocumentParts) -> tuple[int, ...]:
    entries = entries_of(parts)
    longest = max(map(len, entries.tokens), default=0)
    limits: list[int] = []
    if parts.model_type == "WordPiece":
        limits.append(count_in(parts.model.get("max_input_chars_per_word"), MOST) or BERT_LIMIT)
    limits += [
        count for component in parts.components for count in [count_in(component.members.get("length"), MOST)] if count
    ]
    return tuple(dict.fromkeys([*limits, longest]))


def _around(limits: tuple[int, ...]) -> list[int]:
    return list(dict.fromkeys(limit + step for step in AROUND for limit in limits if limit + step > 0))


def _longest_entries(material: Material) -> Produced:
    """Return the longest entries, one character shorter and one longer, alone and inside a word."""
    entries = entries_of(parts_of(material.document))
    tokens = nsmallest(LONGEST_ENTRIES, entries.tokens, key=lambda token: (-len(token), token))
    texts: list[str] = []
    for token in tokens:
        text, placed = entries.entry(token).text, entries.placed(entries.entry(token))
        texts += [placed, placed[:-1], placed + text[-1:], text[1:], text[:1] + text, placed + text]
    return listed(texts)


def _tokens(material: Material) -> Produced:
    """Return texts of as many tokens as truncation leaves and padding fills up to, and around round numbers."""
    parts = parts_of(material.document)
    word = _short_word(parts)
    counts = [*_around(_token_limits(parts.document)), *_around(ROUND)]
    return listed(
        text
        for count in dict.fromkeys(counts)
        for text in (" ".join([word] * count), "\n".join([word] * count), " ".join([word, "."] * (count // 2)))
    )


def _token_limits(document: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the numbers of tokens at which something happens; special tokens take up to three places of these."""
    truncation, padding = document.get("truncation"), document.get("padding")
    limits: list[int] = []
    if isinstance(truncation, dict):
        most = count_in(truncation.get("max_length"), MOST)
        stride = count_in(truncation.get("stride"), MOST) or 0
        # Overflowing parts begin anew every `max_length - stride` tokens.
        limits += [most, most - 3, 2 * most - stride, 2 * most - 2 * stride, 3 * most] if most else []
    if isinstance(padding, dict):
        multiple = count_in(padding.get("pad_to_multiple_of"), MOST)
        limits += [multiple * times for times in range(1, PADDED + 1)] if multiple else []
        strategy = padding.get("strategy")
        fixed = count_in(strategy.get("Fixed"), MOST) if isinstance(strategy, dict) else None
        limits += [fixed, fixed - 3] if fixed else []
    return tuple(limit for limit in dict.fromkeys(limits) if limit > 0)


def _short_word(parts: DocumentParts) -> str:
    """Return a word that is likely one token."""
    entries = entries_of(parts)
    known = set(entries.tokens)
    marks = ("", "Ġ", *entries.word_marks)
    return next((word for word in ("a", "the", "I", "in") if any(mark + word in known for mark in marks)), "a")


def _runs(material: Material) -> Produced:
    """Return runs of one character as long as buffers are."""
    alphabet = entries_of(parts_of(material.document)).alphabet
    chosen = [*"a 1.\n", *alphabet[:: max(1, len(alphabet) // 12)]] if alphabet else []
    return listed(character * length for length in _around(ROUND) for character in dict.fromkeys(chosen))


LIMIT_GENERATORS = (
    Generator(
        "limit-words",
        "words as long as a word, a piece or an entry may be, and around that",
        lambda material: in_turns(_words(material), _longest_entries(material)),
    ),
    Generator(
        "limit-tokens",
        "texts of as many tokens as truncation leaves and padding fills up to, around that, and around round numbers",
        _tokens,
    ),
    Generator(
        "limit-runs",
        "one character as many times as buffers are long",
        _runs,
    ),
)
