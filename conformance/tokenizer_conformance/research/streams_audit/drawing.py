"""Streams that are drawn: number *n* depends on the seed, the tokenizer and *n* alone, so all are asked the same."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import DecodeStream
from tokenizer_conformance.inputs.text_generators.entries import byte_of_character

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

Ids = tuple[int, ...]

MOST_IDS = 24
"""How many ids of a text a stream has at most."""

MOST_IN_A_STEP = 4

CHARACTERS = "aéß漢字語🎉👩\u200d👧\u0301 \n\ufffd"
"""What single bytes are those of, beside characters drawn from all of Unicode."""


@dataclass(frozen=True, slots=True)
class Material:
    """What of a tokenizer streams are made of: all ids, those of special tokens, of bytes, and of texts."""

    ids: Ids
    special: Ids
    bytes: Mapping[int, int]
    texts: tuple[Ids, ...]


def material_of(vocabulary: Mapping[str, int], special: Collection[str], texts: tuple[Ids, ...]) -> Material:
    """Return what a tokenizer with this ``vocabulary`` has; ``special`` are the names of its special tokens."""
    named = {f"<0x{byte:02X}>": byte for byte in range(256)}
    values = named if named.keys() <= vocabulary.keys() else byte_of_character()
    return Material(
        tuple(sorted(set(vocabulary.values()))),
        tuple(sorted(vocabulary[name] for name in special if name in vocabulary)),
        {byte: vocabulary[name] for name, byte in values.items() if name in vocabulary},
        tuple(filter(None, texts)),
    )


@dataclass(frozen=True, slots=True)
class Case:
    """A stream: its ``number``, the ``kind`` of its ids, and what is asked."""

    number: int
    kind: str
    question: DecodeStream


def case_of(material: Material, tokenizer: str, seed: int, number: int) -> Case:
    """Return stream ``number``."""
    rng = Random(f"{seed}/{tokenizer}/{number}")  # noqa: S311 - nothing secret
    kind = rng.choice([name for name, (needs, _) in KINDS.items() if needs(material)])
    ids = KINDS[kind][1](rng, material)
    prompt_size = rng.choice((0, rng.randint(0, len(ids) - 1), rng.randint(0, len(ids) - 1)))
    rest = ids[prompt_size:]
    return Case(number, kind, DecodeStream(rest, rng.random() < 0.5, ids[:prompt_size], _chunks(rng, len(rest))))


def _chunks(rng: Random, count: int) -> tuple[int, ...]:
    """Return one by one, all at once, or steps of any size."""
    some = tuple(rng.randint(1, MOST_IN_A_STEP) for _ in range(rng.randint(1, count)))
    return rng.choice(((), (), some, some, (count,)))


def _of_text(rng: Random, material: Material) -> Ids:
    text = rng.choice(material.texts)
    start = rng.randrange(len(text))
    return text[start : start + rng.randint(1, MOST_IDS)]


def _of_vocabulary(rng: Random, material: Material) -> Ids:
    return tuple(rng.choices(material.ids, k=rng.randint(1, MOST_IDS // 2)))


def _of_bytes(rng: Random, material: Material) -> Ids:
    """Return the bytes of characters, of which some may be missing."""
    drawn = (rng.choice((rng.choice(CHARACTERS), chr(rng.randrange(0xD800)))) for _ in range(rng.randint(1, 6)))
    wanted = [byte for character in drawn for byte in character.encode() if rng.random() > LOST]
    return tuple(material.bytes[byte] for byte in wanted if byte in material.bytes) or _of_vocabulary(rng, material)


LOST = 0.05
"""How likely a byte is missing."""


def _with_special(rng: Random, material: Material) -> Ids:
    ids = list(_of_text(rng, material))
    for _ in range(rng.randint(1, 3)):
        ids.insert(rng.randint(0, len(ids)), rng.choice(material.special))
    return tuple(ids)


def _mixed(rng: Random, material: Material) -> Ids:
    kinds = [make for name, (needs, make) in KINDS.items() if name != "mixed" and needs(material)]
    return tuple(each for _ in range(2) for each in rng.choice(kinds)(rng, material)[: MOST_IDS // 2])


Needs = "Callable[[Material], object]"

KINDS: dict[str, tuple[Callable[[Material], object], Callable[[Random, Material], Ids]]] = {
    "text": (lambda material: material.texts, _of_text),
    "vocabulary": (lambda material: material.ids, _of_vocabulary),
    "bytes": (lambda material: material.bytes, _of_bytes),
    "special tokens": (lambda material: material.texts and material.special, _with_special),
    "mixed": (lambda material: material.ids, _mixed),
}
"""The kinds of ids that are drawn: what each needs, and how it is made."""
