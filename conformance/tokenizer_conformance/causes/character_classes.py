"""Classes of characters, from broad to narrow: which of them show a difference says more than which one did.

The classes serve to put a cause into words and to find its other victims; nothing is expected of a tokenizer because of
them. So they follow the Unicode version of the interpreter, and class names that depend on it give that version.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Literal

from tokenizer_conformance.comparison.character_names import name_of

Holds = Callable[[str], bool]

ANY = "any character"

MEMBERS = 8
"""How many members of a class stand for it."""

DRAWS = 4000
"""How many code points are looked at to find members of a class at random."""

MIXED = tuple("aZ5.é中😀 бא")
"""Characters with nothing in common."""

MAJOR = {
    "L": "letters",
    "M": "marks",
    "N": "numbers",
    "P": "punctuation",
    "S": "symbols",
    "Z": "separators",
    "C": "controls, formats, surrogates, private use and unassigned",
}

GENERAL = {
    "Lu": "uppercase letters (Lu)",
    "Ll": "lowercase letters (Ll)",
    "Lt": "titlecase letters (Lt)",
    "Lm": "modifier letters (Lm)",
    "Lo": "other letters (Lo)",
    "Mn": "nonspacing marks (Mn)",
    "Mc": "spacing marks (Mc)",
    "Me": "enclosing marks (Me)",
    "Nd": "decimal digits (Nd)",
    "Nl": "letter numbers (Nl)",
    "No": "other numbers (No)",
    "Pc": "connector punctuation (Pc)",
    "Pd": "dash punctuation (Pd)",
    "Ps": "opening punctuation (Ps)",
    "Pe": "closing punctuation (Pe)",
    "Pi": "initial quotes (Pi)",
    "Pf": "final quotes (Pf)",
    "Po": "other punctuation (Po)",
    "Sm": "math symbols (Sm)",
    "Sc": "currency symbols (Sc)",
    "Sk": "modifier symbols (Sk)",
    "So": "other symbols (So)",
    "Zs": "spaces (Zs)",
    "Zl": "line separators (Zl)",
    "Zp": "paragraph separators (Zp)",
    "Cc": "controls (Cc)",
    "Cf": "format characters (Cf)",
    "Co": "private use (Co)",
    "Cn": f"unassigned in Unicode {unicodedata.unidata_version} (Cn)",
}


@dataclass(frozen=True, slots=True)
class CharacterClass:
    """A class of characters: its ``name``, which characters it ``holds``, and some ``members``.

    A class of one character has that as its only member.
    """

    name: str
    holds: Holds
    members: tuple[str, ...]

    @property
    def is_alone(self) -> bool:
        """Whether the class is one character."""
        return len(self.members) == 1


def alone(character: str) -> CharacterClass:
    """Return the class that holds nothing but ``character``.

    >>> alone("é").name
    'U+00E9 LATIN SMALL LETTER E WITH ACUTE'
    """
    return CharacterClass(named(character), character.__eq__, (character,))


def named(character: str) -> str:
    """Return the code point of ``character`` with its name, where it has one.

    >>> named(chr(0x378)), named(chr(0x0B))
    ('U+0378', 'U+000B LINE TABULATION')
    """
    name = name_of(character)
    code_point = f"U+{ord(character):04X}"
    return code_point if name.startswith("<") else f"{code_point} {name}"


def classes_of(character: str) -> Iterator[CharacterClass]:
    """Yield the classes that hold ``character``, the broadest first; the last one holds nothing else.

    >>> [each.name for each in classes_of("é")][-2:]
    ['characters with the byte 0xA9 in UTF-8', 'U+00E9 LATIN SMALL LETTER E WITH ACUTE']
    """
    yield CharacterClass(ANY, _always, MIXED)
    for name, holds in _kinds(character):
        members = _members(name, holds, character)
        if len(members) > 1:
            yield CharacterClass(name, holds, members)
    yield alone(character)


def _always(_character: str) -> bool:
    return True


# The table -----------------------------------------------------------------------------------------------------------


def _changes(mapping: Callable[[str], str]) -> Holds:
    return lambda character: mapping(character) != character


def _grows(mapping: Callable[[str], str]) -> Holds:
    return lambda character: len(mapping(character)) > 1


def _normalized(form: Literal["NFC", "NFD", "NFKC"]) -> Callable[[str], str]:
    return lambda character: unicodedata.normalize(form, character)


def _is_folded_otherwise(character: str) -> bool:
    return character.casefold() != character.lower()


PROPERTIES: tuple[tuple[str, Holds], ...] = (
    ("characters outside ASCII", lambda character: ord(character) > 0x7F),
    ("characters of three bytes and more", lambda character: ord(character) > 0x7FF),
    ("characters outside the Basic Multilingual Plane", lambda character: ord(character) > 0xFFFF),
    ("characters whose lowercase is several characters", _grows(str.lower)),
    ("characters that case folding changes, and lowercasing otherwise", _is_folded_otherwise),
    ("characters that lowercasing changes", _changes(str.lower)),
    ("characters that uppercasing changes", _changes(str.upper)),
    ("characters that NFC changes", _changes(_normalized("NFC"))),
    ("characters that NFD changes", _changes(_normalized("NFD"))),
    ("characters that NFKC changes", _changes(_normalized("NFKC"))),
    ("characters with a combining class", lambda character: unicodedata.combining(character) != 0),
    ("white space", str.isspace),
    ("wide characters", lambda character: unicodedata.east_asian_width(character) in "WF"),
    ("digits outside ASCII", lambda character: character.isdigit() and ord(character) > 0x7F),
    ("right-to-left characters", lambda character: unicodedata.bidirectional(character) in ("R", "AL")),
    ("ASCII letters", lambda character: character.isascii() and character.isalpha()),
    ("ASCII uppercase letters", lambda character: character.isascii() and character.isupper()),
    ("ASCII digits", lambda character: character.isascii() and character.isdigit()),
    (
        "ASCII punctuation and symbols",
        lambda character: character.isascii() and character.isprintable() and not (character + "0").isalnum(),
    ),
    ("ASCII controls", lambda character: character < " " or character == "\x7f"),
)
"""Classes by properties, with what they hold."""


def _kinds(character: str) -> Iterator[tuple[str, Holds]]:
    """Yield the names of the classes of ``character`` between the broadest and the narrowest, with what they hold."""
    category = unicodedata.category(character)
    yield MAJOR[category[0]], _of_category(category[0])
    yield from ((name, holds) for name, holds in PROPERTIES if holds(character))
    yield GENERAL.get(category, category), _of_category(category)
    script = script_of(character)
    if script:
        yield f"characters named {script} …", _named_like(script)
    if not character.isascii() and not "\ud800" <= character <= "\udfff":
        for byte in dict.fromkeys(character.encode()):
            yield f"characters with the byte 0x{byte:02X} in UTF-8", _with_byte(byte)


def _of_category(beginning: str) -> Holds:
    return lambda character: unicodedata.category(character).startswith(beginning)


def script_of(character: str) -> str:
    """Return the first word of the name of ``character``, which for letters is that of their script; may be empty.

    >>> script_of("ж"), script_of("日")
    ('CYRILLIC', 'CJK')
    """
    return unicodedata.name(character, "").partition(" ")[0].partition("-")[0]


def _named_like(script: str) -> Holds:
    return lambda character: script_of(character) == script


def _with_byte(byte: int) -> Holds:
    return lambda character: byte in character.encode(errors="surrogatepass")


@cache
def _drawn() -> tuple[str, ...]:
    """Return characters in an order in which members are looked for: drawn from planes 0 to 2, small ones first."""
    rng = Random("members of classes")  # noqa: S311 - repeatable on purpose
    low = [chr(rng.randrange(0x80)) for _ in range(200)]
    near = [chr(rng.randrange(0x80, 0x2000)) for _ in range(DRAWS)]
    bmp = [chr(code) for code in (rng.randrange(0x2000, 0xFFFF) for _ in range(DRAWS)) if not 0xD800 <= code < 0xE000]
    high = [chr(rng.randrange(0x10000, 0x32000)) for _ in range(DRAWS)]
    return tuple(dict.fromkeys((*low, *near, *bmp, *high)))


def _members(name: str, holds: Holds, character: str) -> tuple[str, ...]:
    """Return some characters of the class called ``name``; ``character`` is one of them only where there are few."""
    found = _SOME.get(name)
    if found is None:
        found = _SOME[name] = _some(name, holds)
    others = tuple(each for each in found if each != character)[:MEMBERS]
    return others if len(others) == MEMBERS else (*others, character)


_SOME: dict[str, tuple[str, ...]] = {}
"""Characters of classes by name."""


def _some(name: str, holds: Holds) -> tuple[str, ...]:
    """Return up to ``MEMBERS + 1`` characters of a class. Those of rare classes are looked for in all code points."""
    found = [each for each in _drawn() if holds(each)]
    if len(found) <= MEMBERS:
        found = [each for each in _every() if holds(each)]
    rng = Random(name)  # noqa: S311 - repeatable on purpose
    return tuple(rng.sample(found, MEMBERS + 1) if len(found) > MEMBERS else found)


def _every() -> Iterator[str]:
    return (chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)
