"""What a cut between two characters means: which characters make up a word, a number, a run of white space.

As in :mod:`causes.character_classes`, the classes put a difference into words and demand nothing of a tokenizer, so
they follow the Unicode version of the interpreter.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import cache, partial

from tokenizer_conformance.causes.character_classes import script_of

ZERO_WIDTH_JOINER = "\u200d"

EMOJI_RANGES: tuple[tuple[int, int], ...] = (
    (0x20E3, 0x20E3),  # combining enclosing keycap
    (0x2600, 0x27BF),  # miscellaneous symbols, dingbats
    (0xFE0F, 0xFE0F),  # variation selector 16, which asks for the look of an emoji
    (0x1F000, 0x1FAFF),  # tiles and cards, regional indicators, pictographs, skin tones, emoticons, transport
    (0xE0020, 0xE007F),  # tags of flags
)
"""Where emoji and pictographs stand (blocks of the Unicode Character Database)."""

CONTINUOUS_SCRIPTS = frozenset({"CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"})
"""Scripts written without spaces between words, by how the names of their letters begin."""

LATIN = "LATIN"

NO_LETTERS = "no letters"
SEVERAL_SCRIPTS = "several scripts"

URL = re.compile(r"(?:https?://|ftp://|www\.)\S*[\w/#=-]|[\w.+-]+@[\w-]+\.\w(?:[\w.-]*\w)?")
"""Addresses of pages and of mail, as they stand in running text; what ends a sentence behind one is no part of it."""


class CharacterKind(StrEnum):
    """What a character is to a reader; each is of one kind."""

    LETTER = "letter"
    NUMBER = "number"
    SPACE = "white space"
    EMOJI = "emoji"
    PUNCTUATION = "punctuation or symbol"
    MARK = "mark"
    OTHER = "control, format, private use or unassigned"


_BY_CATEGORY = {
    "L": CharacterKind.LETTER,
    "M": CharacterKind.MARK,
    "N": CharacterKind.NUMBER,
    "P": CharacterKind.PUNCTUATION,
    "S": CharacterKind.PUNCTUATION,
}


@cache
def kind_of(character: str) -> CharacterKind:
    r"""Return what ``character`` is.

    >>> [str(kind_of(each)) for each in "é٣ \u200d$"]
    ['letter', 'number', 'white space', 'emoji', 'punctuation or symbol']
    """
    number = ord(character)
    if character == ZERO_WIDTH_JOINER or any(first <= number <= last for first, last in EMOJI_RANGES):
        return CharacterKind.EMOJI
    if character.isspace():
        return CharacterKind.SPACE
    return _BY_CATEGORY.get(unicodedata.category(character)[0], CharacterKind.OTHER)


@cache
def _run_of(character: str) -> str:
    """Return the name of the runs that ``character`` is part of; empty where it stands for itself."""
    kind = kind_of(character)
    if kind is CharacterKind.LETTER:
        script = script_of(character)
        return "" if script in CONTINUOUS_SCRIPTS else script
    return "" if kind is CharacterKind.OTHER else kind


def is_inside_run(text: str, place: int) -> bool:
    """Return whether ``place``, the number of code points before it, is inside a word, a number or the like.

    Such are runs of letters of one script that is written with spaces, and runs of digits, of white space, of
    punctuation and symbols, and of emoji. A mark belongs to what is before it.

    >>> [place for place in range(1, 12) if not is_inside_run("don't 12日本x!?", place)]
    [3, 4, 5, 6, 8, 9, 10, 11]
    """
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if kind_of(after) is CharacterKind.MARK:
        return True
    run = _run_of(after)
    while place > 1 and kind_of(before) is CharacterKind.MARK:
        place -= 1
        before = text[place - 1]
    return bool(run) and run == _run_of(before)


def scripts_in(text: str) -> frozenset[str]:
    """Return the scripts of the letters of ``text``, by how the names of these begin.

    >>> sorted(scripts_in("a1 я"))
    ['CYRILLIC', 'LATIN']
    """
    return frozenset(script_of(character) for character in text if kind_of(character) is CharacterKind.LETTER)


def script_label(text: str) -> str:
    """Return the one script of the letters of ``text``, or that there are none or several."""
    scripts = scripts_in(text)
    if len(scripts) > 1:
        return SEVERAL_SCRIPTS
    return next(iter(scripts)) if scripts else NO_LETTERS


def without_accents(text: str) -> str:
    """Return ``text`` with its canonical decompositions, and these without marks.

    >>> without_accents("Élan 한")
    'Elan 한'
    """
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(each for each in decomposed if unicodedata.category(each) != "Mn"))


compatibility_form = partial(unicodedata.normalize, "NFKC")
"""Returns a text in the normal form NFKC."""


def apart(text: str, kind: CharacterKind) -> str:
    """Return ``text`` with every character of ``kind`` between spaces.

    >>> apart("it's", CharacterKind.PUNCTUATION), apart("1984", CharacterKind.NUMBER)
    ("it ' s", '1 9 8 4')
    """
    words = "".join(f" {each} " if kind_of(each) is kind else each for each in text).split()
    return " " * text.startswith(" ") + " ".join(words)
