"""Characters by what is odd about them: in which order a sweep takes them, and which stand for the others in pairs.

What a character is, the ``unicodedata`` of this Python says: it only chooses texts, so its version does not matter for
what they show, but another release of Python may put them in another order.
"""

from __future__ import annotations

import unicodedata
from array import array
from functools import cache
from itertools import chain, compress
from operator import gt, not_, or_
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.unicode_ranges import LAST, SURROGATES, blocks, recently_assigned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

CODE_POINTS = LAST + 1 - len(SURROGATES)
"""How many code points are characters, or could be: all but the surrogates."""

NUL = 0

NOT_ASSIGNED = frozenset({"Cn", "Co"})

SAMPLES = 64
"""How many characters of a block of thousands come before the rest of it."""

SMALL = 256
"""Up to so many characters that were assigned side by side come early, all of them."""

CATEGORIES = (
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po",
    "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn",
)  # fmt: skip
"""The general categories but that of surrogates."""

BULK = ("CJK UNIFIED IDEOGRAPH", "HANGUL SYLLABLE", "TANGUT IDEOGRAPH", "EGYPTIAN", "CUNEIFORM", "BAMUM", "YI SYLLABLE")
"""Names of characters that come in thousands and are alike."""

DEFAULT_IGNORABLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""The ranges of Default_Ignorable_Code_Point, both ends included; the property is stable."""

JAMO = ((0x1100, 0x11FF), (0x3131, 0x318E), (0xA960, 0xA97C), (0xD7B0, 0xD7FB), (0xFFA1, 0xFFDC))
"""The ranges of conjoining, compatibility and halfwidth jamo, both ends included."""

CURATED = (
    # ASCII and Latin 1: what a pre-tokenizer has rules for.
    "a", "A", "b", "z", "Z", "0", "1", "9", " ", ".", ",", "'", '"', "-", "_", "/", "\\", "#", "@", "$",
    "%", "&", "*", "+", "<", ">", "|", "~", "^", "`", "[", "(", "{", ";", ":", "!", "?", "=", "\t",
    "\n", "\r", "\x0b", "\x0c", "\x00", "\x01", "\x1b", "\x1c", "\x1f", "\x7f", "\x80", "\x85", "\xa0",
    "\xad", "ª", "²", "µ", "½", "¿", "«", "»", "×", "÷",
    # Case: one character to two, two to one, none back, title case, final sigma, locales.
    "ß", "ẞ", "İ", "ı", "ſ", "ŉ", "\u01c5", "\u01c6", "\u01f0", "Ⱥ", "ⱥ", "ς", "σ", "Σ", "\u0390",
    "\u1fb3", "\u1fbc", "\ufb01", "\ufb06", "\u0587", "\u212a", "\u2126", "\u212b", "Ꭰ", "ꭰ", "Ა", "ა",
    "Ⴀ", "ⴀ", "\u24b6", "\u2167", "\u2177", "𐐀", "𐐨", "𞤀", "𞤢", "\u1c89", "\u1c8a", "\ua7cb", "\ua7dc",
    "\U00010d50", "\U00010d70",
    # Marks of different classes, overlaid, enclosing, spacing, nukta, virama, the order of Tibetan and Hebrew ones.
    "\u0300", "\u0301", "\u0307", "\u0308", "\u0313", "\u0342", "\u0323", "\u0327", "\u031b", "\u0334",
    "\u0338", "\u0345", "\u0360", "\u036f", "\u0483", "\u0488", "\u0591", "\u05b0", "\u05bf", "\u064b",
    "\u0651", "\u0654", "\u0670", "\u0711", "\u093c", "\u093e", "\u0903", "\u094d", "\u09be", "\u09d7",
    "\u0b56", "\u0bbe", "\u0cd5", "\u0dca", "\u0e31", "\u0e38", "\u0e48", "\u0eb8", "\u0f39", "\u0f71",
    "\u0f72", "\u0f74", "\u1037", "\u1039", "\u17d2", "\u1a60", "\u1b35", "\u1dfa", "\u20d0", "\u20dd",
    "\u20e3", "\u302a", "\u3099", "\u309a", "\ufe20", "\U00011131", "\U00011127", "\U0001d165",
    "\U0001d16d", "\U0001e8d0", "\u0897", "\u1acf",
    # Decompositions: singletons, excluded from composition, long ones, to a space, compatibility of every kind.
    "é", "Å", "ñ", "\u01d6", "\u1e69", "\u0344", "\u0340", "\u0374", "\u037e", "\u0387", "\u0958",
    "\u0f43", "\u0f73", "\u0f77", "\u2adc", "\ufb1d", "\ufb4f", "\ufb50", "\ufdfa", "\ufdfb", "´", "¨",
    "\u1fbf", "\u2002", "\u2011", "\u2024", "\u2026", "\u2057", "\u2100", "\u2460", "\u2474", "\u3131",
    "\u3200", "\u32ff", "\u3300", "\u33ff", "\uf900", "﨎", "\ufe30", "\ufe70", "\uff01", "\uff21",
    "\uff41", "\uff10", "\uff65", "\uff76", "\uff9e", "\uffa1", "\uffe3", "\U0001d400", "\U0001d7ce",
    "\U0001d15e", "\U0001f100", "\U0002f800", "Ĳ", "\u01c4", "\u1e9b", "\u2a74",
    # White space and what only looks like it, format and direction, ignorables.
    "\u1680", "\u180e", "\u2000", "\u2009", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2028",
    "\u2029", "\u202a", "\u202e", "\u202f", "\u205f", "\u2060", "\u2066", "\u206f", "\u3000", "\ufeff",
    "\u061c", "\u070f", "\u0600", "\u06dd", "\u08e2", "\U000110bd", "\u034f", "ᅟ", "ᅠ", "\u3164",
    "\u17b4", "\u180b", "\ufe0e", "\ufe0f", "\ufff9", "\U000e0001", "\U000e0020", "\U000e007f",
    "\U000e0100", "\U00013430", "\U0001bca0", "\U0001d173",
    # Numbers.
    "٣", "۳", "३", "๓", "〇", "一", "\u2153", "௰", "፩", "ↀ", "〡", "𐄇", "\U0001d7d8", "\U0001fbf0",
    "\U00011de0",
    # Letters of scripts that are cut in ways of their own.
    "я", "Ж", "\u0439", "א", "ا", "ل", "\ufefb", "\ufdf2", "ހ", "क", "ষ", "ਕ", "க", "ท", "เ", "\u0e33",
    "ກ", "ཀ", "က", "አ", "Ꭶ", "ᚠ", "ក", "ᠠ", "ᥐ", "中", "㐀", "䶿", "鿿", "𠀀", "𪛖", "\U0002b739", "𫠠",
    "\U0002ebf0", "𰀀", "\U000323b0", "々", "〆", "ひ", "ゝ", "カ", "ー", "\u304c", "ㄅ", "ꀀ", "가", "각", "힣",
    "ᄀ", "ᄒ", "ᅡ", "ᅵ", "ᆧ", "ᆨ", "ᇂ", "ꥠ", "ힰ", "ퟋ", "𛀁", "𗀀", "𘴀",
    # Punctuation and symbols that rules of versions disagree on.
    "—", "‘", "’", "“", "‟", "‿", "⁄", "€", "₿", "\u2116", "\u2122", "○", "☃", "。", "、", "「", "・", "؟",
    "।", "⹃", "⹝", "᙭", "−", "\u2581", "\u0120", "\u010a", "␣", "·",
    # Emoji, and what joins them.
    "😀", "👩", "👍", "🏽", "❤", "🇫", "🇷", "🏴", "©", "🫠", "\U0001fae8", "\U0001fae9", "\U0001faea", "🇦",
    "🏻", "🦰",
    # Private use, unassigned, not characters, ends of planes.
    "\ue000", "\uf8ff", "\U000f0000", "\U0010fffd", "\u0378", "\u05ff", "\u2fe0", "\U0001ffff",
    "\U000e0fff", "\ufdd0", "\uffff", "\ufffe", "�", "￼", "\uffef", "\ud7ff", "𐀀", "\U0010ffff",
)  # fmt: skip
"""Characters each of which some component of some tokenizer treats in a way of its own."""


# Properties ----------------------------------------------------------------------------------------------------------


def category(character: str) -> str:
    """Return the general category of ``character``."""
    return unicodedata.category(character)


def script(character: str) -> str:
    """Return the first word of the name of ``character``, which is mostly its script; empty where it has no name.

    >>> script("я"), script("中")
    ('CYRILLIC', 'CJK')
    """
    return unicodedata.name(character, "").partition(" ")[0]


def changes_length_by_case(character: str) -> bool:
    """Return whether a change of case makes several characters of ``character``."""
    return max(map(len, (character.upper(), character.lower(), character.title(), character.casefold()))) > 1


def has_case(character: str) -> bool:
    """Return whether a change of case changes ``character``."""
    return not character == character.upper() == character.lower() == character.casefold()


def is_bulk(character: str) -> bool:
    """Return whether ``character`` is one of thousands that are alike."""
    return unicodedata.name(character, "").startswith(BULK)


def _is_in(ranges: Sequence[tuple[int, int]]) -> Callable[[str], bool]:
    characters = frozenset(chr(each) for first, last in ranges for each in range(first, last + 1))
    return characters.__contains__


def _has_category(*categories: str) -> Callable[[str], bool]:
    return lambda character: category(character) in categories


RARE: tuple[Callable[[str], bool], ...] = (
    changes_length_by_case,
    has_case,
    _has_category("Mn", "Mc", "Me"),
    _has_category("Cc", "Cf", "Zs", "Zl", "Zp"),
    _is_in(DEFAULT_IGNORABLE),
    _has_category("Nd", "Nl", "No"),
    _is_in(JAMO),
    lambda character: bool(unicodedata.decomposition(character)),
    _has_category("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"),
    _has_category("Lt", "Lm", "Sk", "Sc", "Sm"),
    _has_category("So"),
)
"""What is rare in a character, the rarest first: a sweep takes characters in this order, and all others after them."""


# Order ---------------------------------------------------------------------------------------------------------------


@cache
def representatives() -> tuple[str, ...]:
    """Return the characters that stand for the others where not all can be tried: curated ones, a first of each kind.

    A kind is a category with a kind of decomposition, a combining class, a behaviour of case and a kind of number.
    """
    found = dict.fromkeys(CURATED)
    kinds = {_kind(character) for character in found}
    for code_point in _assigned():
        character = chr(code_point)
        kind = _kind(character)
        if kind not in kinds:
            kinds.add(kind)
            found[character] = None
    return tuple(found)


def _kind(character: str) -> tuple[object, ...]:
    mapping = unicodedata.decomposition(character).partition(" ")[0]
    return (
        category(character),
        mapping if mapping.startswith("<") else bool(mapping),
        unicodedata.combining(character),
        (changes_length_by_case(character), character.isupper(), character.islower(), has_case(character)),
        (character.isdecimal(), character.isdigit(), character.isnumeric()),
    )


@cache
def _assigned() -> array[int]:
    """Return the code points of assigned characters in their order, without private use and blocks of thousands."""
    shown = (block for block in blocks() if not is_bulk(chr(block[0])))
    is_assigned = _is_assigned()
    return array("I", chain.from_iterable(compress(block, is_assigned[block.start : block.stop]) for block in shown))


@cache
def categories() -> bytes:
    """Return of each code point the place of its category in :data:`CATEGORIES`; surrogates have the last."""
    # For a million code points no line of Python is run: that would take a second.
    places = {category: place for place, category in enumerate((*CATEGORIES, "Cs"))}
    return bytes(map(places.__getitem__, map(unicodedata.category, map(chr, range(LAST + 1)))))


def _is_assigned() -> bytes:
    """Return of each code point whether it is a character: 1, or 0 where it is not assigned or for private use."""
    others = [place for place, category in enumerate((*CATEGORIES, "Cs")) if category in (*NOT_ASSIGNED, "Cs")]
    return categories().translate(bytes(place not in others for place in range(256)))


def assigned() -> array[int]:
    """Return the code points of all characters, in their order."""
    return array("I", compress(range(LAST + 1), _is_assigned()))


@cache
def in_order() -> array[int]:
    """Return every code point but surrogates once, those first that are likeliest to be treated in a way of their own.

    U+0000 comes last: where several stand in a text, it would hide what comes after it from what ends a text there.
    """
    taken = bytearray(LAST + 1)
    taken[NUL] = True
    order = array("I")

    def take(code_points: Iterable[int]) -> None:
        for each in code_points:
            if not taken[each]:
                taken[each] = True
                order.append(each)

    take(map(ord, representatives()))
    take(code_point for block in blocks() for code_point in (block[0], block[-1]))
    rest: Sequence[int] = _assigned()
    for tier in RARE:
        rest = [code_point for code_point in rest if not taken[code_point]]
        take(code_point for code_point in rest if tier(chr(code_point)))
    take(code_point for each in recently_assigned() if len(each) <= SMALL for code_point in each)
    take(code_point for code_point in rest if not is_bulk(chr(code_point)))
    take(code_point for block in blocks() for code_point in block[:: max(1, len(block) // SAMPLES)])
    take(code_point for each in recently_assigned() for code_point in each)
    taken[SURROGATES.start : SURROGATES.stop] = bytes([True]) * len(SURROGATES)
    is_assigned = _is_assigned()
    order.extend(compress(range(LAST + 1), map(gt, is_assigned, taken)))
    order.extend(compress(range(LAST + 1), map(not_, map(or_, is_assigned, taken))))
    order.append(NUL)
    return order
