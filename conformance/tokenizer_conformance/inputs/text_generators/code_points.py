"""Sets of code points that regexes name: ranges of them, as far as texts at their ends need them.

General categories are those of Unicode 3.2, which every Python has, so that texts do not depend on the interpreter.
Characters that came later stand in :data:`NEWER`.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from functools import lru_cache
from itertools import pairwise

Ranges = tuple[tuple[int, int], ...]
"""First and last code points, in order, that neither overlap nor touch."""

LAST = 0x10FFFF
SURROGATES = (0xD800, 0xDFFF)

EVERYTHING: Ranges = ((0, LAST),)

NEWER = (
    "ȡͰͻՠ\u0605ࡠ\u08a0\u0897৻ఽඦ\u0ecfეჽ\u1713ᦀᬅᰀᱣᲀ\u1c89Აẜⅎↅ⏩☘⚽⛄✅⟎⤏⬎ⰀⱠⲀⴀⴰ\u2e0d\u2e43⺀㇀\u32ff䷀鿄\ua4d0ꔀꙀꜗ\ua7d2ꠀꡀꤊꥆꩀꬁꭰꯀ︎︲"
    "\U00010000\U00010140\U000101d0\U00010280\U00010330\U000103a0\U00010480\U00010570\U00010800\U00010a00\U00010c80"
    "\U00010d30\U00010d40\U00011001\U00011066\U00011de0\U00012000\U00012400\U00013000\U00016ac0\U00016d40\U00017000"
    "\U0001b001\U0001d100\U0001d360\U0001d6a4\U0001d7ca\U0001e100\U0001e2f0\U0001e900\U0001e950\U0001eef0\U0001f000"
    "\U0001f100\U0001f1e6\U0001f300\U0001f3fb\U0001f600\U0001f680\U0001f780\U0001f900\U0001fa70\U0001fae9\U0001fbf0"
    "\U0002a6d7\U0002a6de\U0002b740\U0002b820\U0002ceb0\U0002ebf0\U00030000\U00031350\U000e0100"
)
"""Letters, numbers, marks, punctuation and symbols that Unicode has had since 4.0 up to 16.0."""

WHITE_SPACE: Ranges = (
    (0x09, 0x0D), (0x20, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip

SCRIPTS: dict[str, Ranges] = {
    "latin": ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0x24F), (0x1E00, 0x1EFF), (0x2C60, 0x2C7F), (0xA722, 0xA7CA)),
    "greek": ((0x370, 0x3FF), (0x1F00, 0x1FFE)),
    "cyrillic": ((0x400, 0x52F), (0x1C80, 0x1C8A), (0x2DE0, 0x2DFF), (0xA640, 0xA69F)),
    "armenian": ((0x531, 0x58F),),
    "hebrew": ((0x591, 0x5F4), (0xFB1D, 0xFB4F)),
    "arabic": ((0x600, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC)),
    "devanagari": ((0x900, 0x97F), (0xA8E0, 0xA8FF)),
    "bengali": ((0x980, 0x9FE),),
    "tamil": ((0xB82, 0xBFA),),
    "thai": ((0xE01, 0xE3A), (0xE40, 0xE5B)),
    "lao": ((0xE81, 0xEDF),),
    "tibetan": ((0xF00, 0xFDA),),
    "myanmar": ((0x1000, 0x109F), (0xA9E0, 0xA9FE), (0xAA60, 0xAA7F)),
    "georgian": ((0x10A0, 0x10FF), (0x1C90, 0x1CBF), (0x2D00, 0x2D2D)),
    "hangul": ((0x1100, 0x11FF), (0x3131, 0x318E), (0xA960, 0xA97C), (0xAC00, 0xD7A3), (0xD7B0, 0xD7FB)),
    "ethiopic": ((0x1200, 0x139F), (0x2D80, 0x2DDE)),
    "khmer": ((0x1780, 0x17F9), (0x19E0, 0x19FF)),
    "hiragana": ((0x3041, 0x3096), (0x309D, 0x309F), (0x1B001, 0x1B11F)),
    "katakana": ((0x30A1, 0x30FA), (0x30FD, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9D)),
    "bopomofo": ((0x2EA, 0x2EB), (0x3105, 0x312F), (0x31A0, 0x31BF)),
    "han": (
        (0x2E80, 0x2FD5), (0x3005, 0x3005), (0x3007, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B), (0x3400, 0x4DBF),
        (0x4E00, 0x9FFF), (0xF900, 0xFAD9), (0x20000, 0x2A6DF), (0x2A700, 0x2EBE0), (0x2F800, 0x2FA1D),
        (0x30000, 0x323AF),
    ),
}  # fmt: skip
"""Scripts by the blocks in which they stand; the ends count, not what is missing between."""

_LONG_NAMES = {
    "letter": "L", "mark": "M", "number": "N", "punctuation": "P", "punct": "P", "symbol": "S", "separator": "Z",
    "other": "C", "uppercaseletter": "Lu", "lowercaseletter": "Ll", "titlecaseletter": "Lt", "modifierletter": "Lm",
    "otherletter": "Lo", "nonspacingmark": "Mn", "decimalnumber": "Nd", "letternumber": "Nl", "othernumber": "No",
    "spaceseparator": "Zs", "uppercase": "Lu", "upper": "Lu", "lowercase": "Ll", "lower": "Ll", "control": "Cc",
    "cntrl": "Cc", "format": "Cf", "digit": "Nd", "alphabetic": "L", "alpha": "L", "connectorpunctuation": "Pc",
    "dashpunctuation": "Pd",
}  # fmt: skip

_SCANNED = ((0, 0x2FFFF), (0xE0000, 0xE01FF))
"""Where Unicode 3.2 has characters, but for private ones."""


def union(*sets: Ranges) -> Ranges:
    """Return the code points that are in any of ``sets``."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(each for ranges in sets for each in ranges):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


def complement(ranges: Ranges) -> Ranges:
    """Return the code points that are not in ``ranges``."""
    edges = [(-1, -1), *ranges, (LAST + 1, LAST + 1)]
    return tuple((last + 1, first - 1) for (_, last), (first, _) in pairwise(edges) if last + 1 <= first - 1)


def intersection(one: Ranges, other: Ranges) -> Ranges:
    """Return the code points that are in both sets."""
    return complement(union(complement(one), complement(other)))


def has(ranges: Ranges, character: str) -> bool:
    """Return whether ``character`` is in ``ranges``."""
    return any(first <= ord(character) <= last for first, last in ranges)


def ends(ranges: Ranges) -> list[str]:
    """Return the characters just inside and just outside of each end of ``ranges``; surrogates are left out."""
    numbers = [number for first, last in ranges for number in (first, last, first - 1, last + 1)]
    low, high = SURROGATES
    return [chr(each) for each in dict.fromkeys(numbers) if 0 <= each < low or high < each <= LAST]


def named(name: str) -> Ranges | None:
    """Return the code points of the property, category or script ``name``; ``None`` where it is not known here."""
    plain = name.replace("_", "").replace(" ", "").replace("-", "").lower().rpartition("=")[2]
    if plain in _SETS:
        return union(*(category(each) for each in _SETS[plain]))
    if plain in {"s", "l", "m", "n", "p", "z", "c"} or (len(plain) == 2 and plain.capitalize() in _categories()):
        return category(plain.capitalize())
    return {"whitespace": WHITE_SPACE, "space": WHITE_SPACE, "any": EVERYTHING, "ascii": ((0, 0x7F),)}.get(
        plain, SCRIPTS.get(plain)
    ) or (category(_LONG_NAMES[plain]) if plain in _LONG_NAMES else _POSIX.get(plain))


_SETS = {
    "word": ("L", "M", "N", "Pc"),
    "alnum": ("L", "N"),
    "graph": ("L", "M", "N", "P", "S", "Cf"),
    "print": ("L", "M", "N", "P", "S", "Cf", "Zs"),
}

_POSIX: dict[str, Ranges] = {
    "blank": (
        (0x09, 0x09), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x202F, 0x202F),
        (0x205F, 0x205F), (0x3000, 0x3000),
    ),
    "xdigit": ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
}  # fmt: skip


def category(name: str) -> Ranges:
    """Return the code points of a general category of two letters, or of all that begin with one letter."""
    return union(*(ranges for each, ranges in _categories().items() if each.startswith(name)))


@lru_cache(maxsize=1)
def _categories() -> dict[str, Ranges]:
    of = unicodedata.ucd_3_2_0.category
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for first, last in _SCANNED:
        start, name = first, of(chr(first))
        for number in range(first, last + 2):
            other = of(chr(number)) if number <= last else ""
            if other != name:
                found[name].append((start, number - 1))
                start, name = number, other
    return {name: tuple(ranges) for name, ranges in found.items()}
