"""Grapheme clusters: what people take for one character and is several code points, whole, cut and in excess."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

NAME = "grapheme clusters"

JOINER, NON_JOINER, TEXT_STYLE, EMOJI_STYLE, KEYCAP = "\u200d", "\u200c", "\ufe0e", "\ufe0f", "\u20e3"

PEOPLE = "👩👨🧑👧👦🏃👮🧙"
OBJECTS = "💻🚀🎓❤🔥⚕⚖✈🌾🦰🐻❄⬛"
SKINS = "🏻🏼🏽🏾🏿"
EMOJI = "😀👍✊🎉🐈🫠☃☺©™🀄🃏🇦‼"
FLAG_LETTERS = tuple(map(chr, range(0x1F1E6, 0x1F200)))
BLACK_FLAG, TAG_END = "🏴", "\U000e007f"
REGIONS = ("gbeng", "gbsct", "gbwls", "ustx")

INDIC: tuple[tuple[str, str, str, str], ...] = (
    ("कखगघचजतदनपबमयरलवशषसह", "\u094d", "\u093e\u093f\u0940\u0941\u0947\u094b", "\u0901\u0902\u0903\u093c"),
    ("কখগতদনপবমযরলশষসহ", "\u09cd", "\u09be\u09bf\u09c0\u09c7\u09cb\u09d7", "\u0981\u0982\u09bc"),
    ("કખગતદનપમયરલવશસહ", "\u0acd", "\u0abe\u0abf\u0ac0\u0ac7", "\u0a82\u0abc"),
    ("କଖଗତଦନପମଯରଲସହ", "\u0b4d", "\u0b3e\u0b3f\u0b47\u0b56\u0b57", "\u0b01\u0b3c"),
    ("கஙசஞடணதநபமயரலவஷஸஹ", "\u0bcd", "\u0bbe\u0bbf\u0bc6\u0bc7\u0bd7", "\u0b82"),
    ("కఖగతదనపమయరలవశసహ", "\u0c4d", "\u0c3e\u0c3f\u0c46\u0c56", "\u0c02\u0c03"),
    ("കഖഗതദനപമയരലവശസഹ", "\u0d4d", "\u0d3e\u0d3f\u0d46\u0d57", "\u0d02"),
    ("කඛගතදනපමයරලවශසහ", "\u0dca", "\u0dcf\u0dd0\u0dd9\u0ddf", "\u0d82"),
    ("ကခဂငစတနပမယရလသဟ", "\u1039", "\u102c\u102d\u1031\u103b\u103c", "\u1036\u1037\u1038"),
    ("កខគងចតនបមយរលសហ", "\u17d2", "\u17b6\u17b7\u17be\u17c1", "\u17c6\u17c7\u17c9"),
    ("กขคงจตนปมยรลสห", "\u0e3a", "\u0e31\u0e34\u0e38\u0e33", "\u0e48\u0e49\u0e4d"),
    ("ཀཁགངཏདནཔམཡརལསཧ", "\u0f84", "\u0f71\u0f72\u0f74\u0f73", "\u0f7e\u0f90\u0fb2"),
)
"""For each script its consonants, the sign that joins them, its signs for vowels, and other marks."""

BASES = "aeionyAESZåéǖßﬁΑωяйאبलทか1 \u25cc\u00a0"

MARKS = (
    "\u0300\u0301\u0302\u0303\u0308\u030a\u0313\u0315\u031b\u0323\u0327\u0328\u0334\u0338\u0345\u034f\u035c\u0360"
    "\u0483\u0488\u05b0\u05b8\u05bc\u05c1\u064b\u064e\u0651\u0653\u0654\u0655\u0670\u093c\u094d\u0e38\u0e48\u0f71"
    "\u0f72\u0f74\u1dca\u20d0\u20dd\u20e3\u3099\u309a\ufe20\ufe2d\U0001d165\U0001d16e"
)
"""Marks of many combining classes, so that drawn ones stand in another order than the canonical one."""

PREPENDED = "\u0600\u06dd\u070f\u08e2\U000110bd"

BETWEEN = ("", "", "", " ", "a", "\n", JOINER)
"""What stands between two clusters of a text."""

MOST_MARKS = 40


def _joined_emoji(rng: Random) -> str:
    parts = [rng.choice(PEOPLE) + (rng.choice(SKINS) if rng.random() < 0.4 else "")]
    parts += (
        rng.choice(PEOPLE + OBJECTS) + rng.choice(("", "", EMOJI_STYLE, rng.choice(SKINS)))
        for _ in range(rng.randint(1, 3))
    )
    return JOINER.join(parts)


def _styled_emoji(rng: Random) -> str:
    return rng.choice(EMOJI + OBJECTS) + rng.choice(("", TEXT_STYLE, EMOJI_STYLE, EMOJI_STYLE * 2, rng.choice(SKINS)))


def _flags(rng: Random) -> str:
    """Return letters of flags: an odd number of them leaves one without its other half."""
    return "".join(rng.choices(FLAG_LETTERS, k=rng.randint(1, 7)))


def _region(rng: Random) -> str:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in rng.choice(REGIONS))
    return BLACK_FLAG + tags + rng.choice((TAG_END, TAG_END, ""))


def _keycap(rng: Random) -> str:
    return rng.choice("0123456789#*a") + rng.choice((EMOJI_STYLE, "", TEXT_STYLE)) + KEYCAP


def _hangul(rng: Random) -> str:
    """Return jamo that form a syllable, or to no syllable, or to one that is composed already."""
    leading, vowel, trailing = rng.randint(0x1100, 0x1113), rng.randint(0x1160, 0x1176), rng.randint(0x11A7, 0x11C3)
    syllable = 0xAC00 + rng.randrange(399) * 28
    return rng.choice(
        (
            chr(leading) + chr(vowel),
            chr(leading) + chr(vowel) + chr(trailing),
            chr(syllable) + chr(trailing),
            chr(syllable + rng.randrange(28)),
            chr(leading) * 2 + chr(vowel) + chr(trailing) * 2,
            chr(vowel) + chr(trailing),
            chr(leading) + "\u0301" + chr(vowel),
            chr(rng.randint(0x3131, 0x318E)) + chr(rng.randint(0xFFA1, 0xFFDC)),
        )
    )


def _conjunct(rng: Random) -> str:
    consonants, virama, vowels, others = rng.choice(INDIC)
    joined = virama + rng.choice(("", "", "", JOINER, NON_JOINER))
    text = joined.join(rng.choices(consonants, k=rng.randint(1, 4)))
    text += rng.choice(vowels) if rng.random() < 0.6 else ""
    text += rng.choice(others) if rng.random() < 0.4 else ""
    return text + (virama if rng.random() < 0.15 else "")


def _marked(rng: Random) -> str:
    return rng.choice(BASES) + "".join(rng.choices(MARKS, k=rng.randint(1, 4)))


def _zalgo(rng: Random) -> str:
    return rng.choice(BASES) + "".join(rng.choices(MARKS, k=rng.randint(8, MOST_MARKS)))


def _kana(rng: Random) -> str:
    return rng.choice("かきはひウカハヒﾊｶゝー") + rng.choice("\u3099\u309aﾞﾟ\u309b")


def _prepended(rng: Random) -> str:
    return rng.choice(PREPENDED) + rng.choice("1٣a क")


KINDS: tuple[Callable[[Random], str], ...] = (
    _joined_emoji,
    _styled_emoji,
    _flags,
    _region,
    _keycap,
    _hangul,
    _conjunct,
    _marked,
    _zalgo,
    _kana,
    _prepended,
)


def _text(material: Material, number: int) -> str:
    """Return up to three clusters; the first texts go through the kinds in turn, and one in five is cut."""
    rng = material.random(NAME, number)
    text = KINDS[number % len(KINDS)](rng)
    for _ in range(rng.randint(0, 2)):
        text += rng.choice(BETWEEN) + rng.choice(KINDS)(rng)
    if rng.random() < 0.2:
        start = rng.randrange(len(text))
        text = text[start:] if rng.random() < 0.5 else text[:start]
    return text


def _made(material: Material) -> Produced:
    return Produced(None, lambda number: _text(material, number))


CLUSTERS = (
    Generator(
        NAME,
        "emoji sequences, flags, jamo, conjuncts, stacked marks: several code points that are one character to people",
        _made,
    ),
)
