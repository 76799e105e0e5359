"""The signs of texts by which a vocabulary tells what its pipeline was."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_conformance.research.file_audit.fit.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WIDE = 0xFEE0
"""How far the full-width forms of ASCII are from it."""


@dataclass(frozen=True, slots=True)
class Absence:
    """What it says that entries of ``writings`` lack a sign, of which there are ``pieces`` or more.

    ``put_in`` makes of two words a text with the sign, and the text that it is without. One entry in ``stray`` may have
    it. Characters that have it, ``of_one``, are entries of every alphabet of bytes: there they say nothing, and words
    must say more.
    """

    writings: frozenset[Writing]
    pieces: int
    put_in: Callable[[str, str], tuple[str, str]]
    stray: int = 100_000
    of_one: Callable[[str], bool] = lambda _: False


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign, ``named`` so that "entries …" is said; ``has`` tells whether a text, without outer spaces, has it.

    From ``least`` entries with it on, some are given by texts. ``mends`` are the names of what may be changed.
    """

    named: str
    has: Callable[[str], bool]
    least: int
    mends: tuple[str, ...]
    absence: Absence | None = None


def _is_capital(text: str) -> bool:
    return len(text) == 1 and text != text.lower()


def _has_capital(text: str) -> bool:
    return len(text) > 1 and text != text.lower() and text.isalpha()


def _is_accented(text: str) -> bool:
    return len(text) == 1 and _has_accent(f"{text} ")


def _has_accent(text: str) -> bool:
    if text.isascii() or len(text) == 1:
        return False
    return any(
        unicodedata.category(mark) == "Mn" and "a" <= letter.lower() <= "z"
        for letter, mark in pairwise(unicodedata.normalize("NFD", text))
    )


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "P"


def _is_chinese(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


def _has_pair(text: str, of: Callable[[str, str], bool]) -> bool:
    return any(of(first, second) for first, second in pairwise(text))


def _is_joined(first: str, second: str) -> bool:
    return (first.isalpha() and _is_mark(second)) or (_is_mark(first) and second.isalpha())


def _accented(text: str) -> str:
    return text.replace("e", "é").replace("a", "à").replace("o", "ô")


def _is_word(text: str) -> bool:
    return len(text) > 2 and text.isalpha() and text.isascii() and text.islower()


_PARTED = frozenset({Writing.PREFIX, Writing.PLAIN})
_ALL = frozenset(Writing)
_NO_BYTES = _ALL - {Writing.BYTES}

PIECES_OF_BYTES = 10_000
"""How many entries a vocabulary of bytes has at least to tell something by what they lack."""

_CUTTING = ("pre_tokenizer", "left out", "split at punctuation")

WORDS = Sign("are words", _is_word, 20, ("spaces", "pre_tokenizer", "model", "left out"))

PARTS = Sign("are parts of words", str.isalpha, 20, ("model",))
"""What has a mark of its own where words have none."""

SIGNS: tuple[Sign, ...] = (
    WORDS,
    PARTS,
    Sign(
        "have capital letters",
        _has_capital,
        20,
        ("lowercase", "left out"),
        Absence(_ALL, 200, lambda a, b: (f"{a.title()} {b.title()}", f"{a} {b}"), of_one=_is_capital),
    ),
    Sign(
        "have accents",
        _has_accent,
        20,
        ("strip_accents", "left out"),
        Absence(_NO_BYTES, 1_000, lambda a, b: (_accented(f"{a} {b}"), f"{a} {b}"), of_one=_is_accented),
    ),
    Sign(
        "have Chinese characters side by side",
        lambda text: _has_pair(text, lambda a, b: _is_chinese(a) and _is_chinese(b)),
        20,
        ("handle_chinese_chars", "left out"),
        Absence(frozenset({Writing.PREFIX}), 1_000, lambda _a, _b: ("中中", "中 中")),
    ),
    Sign(
        "have letters beside punctuation",
        lambda text: _has_pair(text, _is_joined),
        20,
        _CUTTING,
        Absence(_PARTED, 1_000, lambda a, b: (f"{a}, ({b}).", f"{a} , ( {b} ) ."), stray=1_000),
    ),
    Sign(
        "have two marks of punctuation side by side",
        lambda text: _has_pair(text, lambda a, b: _is_mark(a) and _is_mark(b)),
        10,
        _CUTTING,
        Absence(_PARTED, 1_000, lambda a, b: (f"{a}!? {b}).", f"{a}! ? {b}) ."), stray=1_000),
    ),
    Sign(
        "have two digits side by side",
        lambda text: _has_pair(text, lambda a, b: a.isdigit() and b.isdigit()),
        20,
        _CUTTING,
    ),
    Sign("are white space alone", str.isspace, 3, ("left out",)),
    Sign("are digits alone", str.isdigit, 5, _CUTTING),
    Sign("are one mark of punctuation", lambda text: len(text) == 1 and _is_mark(text), 5, _CUTTING),
    Sign(
        "have compatibility characters",
        lambda text: unicodedata.normalize("NFKC", text) != unicodedata.normalize("NFC", text),
        50,
        ("compatibility", "left out"),
        Absence(
            frozenset({Writing.MARK}),
            8_000,
            lambda a, b: ("".join(chr(ord(each) + WIDE) for each in a) + f" {b}", f"{a} {b}"),
            stray=10_000,
        ),
    ),
)
"""What is looked at, what concerns most texts first."""


def sample(pieces: Sequence[str], most: int) -> list[str]:
    """Return up to ``most`` of ``pieces``, from all over."""
    return list(pieces[:: max(1, -(-len(pieces) // most))])
