"""Changes of real text: a text that reads well but for one or a few places."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Literal

from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.text_generators.characters import representatives
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

NAME = "changed real text"

WINDOW = 160
"""The longest part of a real text that is changed, in code points."""

MOST_CHANGES = 3
MOST_REPEATED = 40

FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")
CASES: tuple[Callable[[str], str], ...] = (str.upper, str.lower, str.title, str.swapcase, str.casefold)
SPACES = ("", "  ", "\t", "\n", "\r\n", "\u00a0", "\u3000", "\u200b", "\u2028")
"""What a space is replaced by."""


def _cut(rng: Random, text: str) -> tuple[int, int]:
    """Return the ends of a part of ``text``, mostly a short one; it may be empty."""
    start = rng.randint(0, len(text))
    length = rng.choice((0, 1, 1, 2, 3, 8, len(text)))
    return start, min(len(text), start + length)


def _stretch(rng: Random, text: str) -> tuple[int, int]:
    """Return the ends of a part of ``text``, mostly a long one."""
    return (0, len(text)) if rng.random() < 0.5 else _cut(rng, text)


def _deleted(rng: Random, text: str, _other: str) -> str:
    start, end = _cut(rng, text)
    return text[:start] + text[end:]


def _inserted(rng: Random, text: str, _other: str) -> str:
    place = rng.randint(0, len(text))
    return text[:place] + rng.choice(representatives()) * rng.choice((1, 1, 1, 2, 3)) + text[place:]


def _replaced(rng: Random, text: str, _other: str) -> str:
    place = rng.randint(0, len(text))
    return text[:place] + rng.choice(representatives()) + text[place + 1 :]


def _doubled(rng: Random, text: str, _other: str) -> str:
    start, end = _cut(rng, text)
    return text[:end] + text[start:]


def _swapped(rng: Random, text: str, _other: str) -> str:
    place = rng.randint(0, max(0, len(text) - 2))
    return text[:place] + text[place : place + 2][::-1] + text[place + 2 :]


def _in_other_case(rng: Random, text: str, _other: str) -> str:
    start, end = _stretch(rng, text)
    return text[:start] + rng.choice(CASES)(text[start:end]) + text[end:]


def _in_other_form(rng: Random, text: str, _other: str) -> str:
    start, end = _stretch(rng, text)
    return text[:start] + unicodedata.normalize(rng.choice(FORMS), text[start:end]) + text[end:]


def _spliced(rng: Random, text: str, other: str) -> str:
    return text[: rng.randint(0, len(text))] + other[rng.randint(0, len(other)) :]


def _cut_in_cluster(rng: Random, text: str, _other: str) -> str:
    """Return ``text`` cut before one of its marks or joiners, if it has any; else anywhere."""
    places = [place for place, character in enumerate(text) if unicodedata.category(character) in {"Mn", "Mc", "Cf"}]
    place = rng.choice(places) if places else rng.randint(0, len(text))
    return text[place:] if rng.random() < 0.5 else text[:place]


def _repeated(rng: Random, text: str, _other: str) -> str:
    start, end = _cut(rng, text)
    part = text[start : min(end, start + 8)]
    return text[:start] + part * rng.randint(2, MOST_REPEATED) + text[end:]


def _spaced_otherwise(rng: Random, text: str, _other: str) -> str:
    return text.replace(" ", rng.choice(SPACES), rng.choice((1, -1)))


def _edged(rng: Random, text: str, _other: str) -> str:
    edge = rng.choice((" ", "  ", "\n", "\t", "\ufeff", "\u00a0", *representatives()[:60]))
    return edge + text if rng.random() < 0.5 else text + edge


CHANGES: tuple[Callable[[Random, str, str], str], ...] = (
    _deleted,
    _inserted,
    _inserted,
    _replaced,
    _doubled,
    _swapped,
    _in_other_case,
    _in_other_form,
    _spliced,
    _cut_in_cluster,
    _repeated,
    _spaced_otherwise,
    _edged,
)
"""What is done to a text; another one may be put into it. An insertion is likelier than the others."""


def _part(rng: Random, text: str) -> str:
    """Return a part of ``text`` that is not too long: mostly one that begins with a word."""
    if len(text) <= WINDOW:
        return text
    start = rng.randrange(len(text) - WINDOW // 4)
    space = text.find(" ", start, start + WINDOW // 4)
    start = space + 1 if space >= 0 and rng.random() < 0.8 else start
    return text[start : start + rng.randint(1, WINDOW)]


def _text(material: Material, texts: Sequence[str], number: int) -> str:
    rng = material.random(NAME, number)
    text, other = (_part(rng, rng.choice(texts)) for _ in range(2))
    for _ in range(rng.randint(1, MOST_CHANGES)):
        text = rng.choice(CHANGES)(rng, text, other)
    return text


def _made(material: Material) -> Produced:
    texts = material.texts or tuple(each.text for each in builtin_inputs())
    return Produced(None, lambda number: _text(material, texts, number))


MUTATIONS = (
    Generator(
        NAME,
        "texts of the user, or built-in ones, with up to three changes: what is near to what is tokenized every day",
        _made,
    ),
)
