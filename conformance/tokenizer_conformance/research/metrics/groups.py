"""The groups of texts that are measured apart: by language, by script, by file; and all texts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import regex

from tokenizer_conformance.inputs.given_files import unpacked_name

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_SCRIPT = "Common"
"""What a text is said to be written in that has no character with a script of its own."""

SCRIPTS = (
    "Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Beria_Erfe "
    "Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham "
    "Cherokee Chorasmian Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan "
    "Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati "
    "Gunjala_Gondi Gurmukhi Gurung_Khema Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic "
    "Inscriptional_Pahlavi Inscriptional_Parthian Javanese Jurchen Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi "
    "Khitan_Small_Script Khmer Khojki Khudawadi Kirat_Rai Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian "
    "Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui "
    "Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari "
    "New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian Old_Italic "
    "Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya "
    "Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Proto_Cuneiform Psalter_Pahlavi Rejang Runic Samaritan "
    "Saurashtra Seal Sharada Shavian Siddham Sidetic SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese "
    "Sunuwar Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Tai_Yo Takri Tamil Tangsa Tangut Telugu "
    "Thaana Thai Tibetan Tifinagh Tirhuta Todhri Tolong_Siki Toto Tulu_Tigalari Ugaritic Vai Vithkuqi Wancho "
    "Warang_Citi Yezidi Yi Zanabazar_Square"
)
"""The values of the property that characters have of their own, up to Unicode 18.0, separated by spaces."""


_ASCII_LETTER = re.compile("[A-Za-z]")


def dominant_script(text: str) -> str:
    """Return the script that most characters of ``text`` have; of several, the one that comes first in the text.

    >>> dominant_script("123 naïve Ω!"), dominant_script("12:30"), dominant_script("吾輩は猫である")
    ('Latin', 'Common', 'Hiragana')
    """
    if text.isascii():  # which is faster: its letters are Latin, and nothing else has a script
        return "Latin" if _ASCII_LETTER.search(text) else NO_SCRIPT
    counts: Counter[str] = Counter()
    for character, count in Counter(text).items():
        script = script_of(character)
        if script is not None:
            counts[script] += count
    return counts.most_common(1)[0][0] if counts else NO_SCRIPT


@cache
def script_of(character: str) -> str | None:
    r"""Return the script of ``character``; ``None`` where it has none of its own.

    >>> script_of("я"), script_of("ー"), script_of("\u0301")
    ('Cyrillic', None, None)
    """
    return next((name for name, pattern in _patterns() if pattern.match(character)), None)


@cache
def _patterns() -> tuple[tuple[str, regex.Pattern[str]], ...]:
    """Return a pattern for each script; those of most texts come first."""
    first = ("Latin", "Cyrillic", "Han", "Arabic", "Hiragana", "Katakana", "Devanagari", "Hangul", "Greek", "Hebrew")
    found = []
    for name in dict.fromkeys((*first, *SCRIPTS.split())):
        try:
            found.append((name, regex.compile(rf"\p{{Script={name}}}")))
        except regex.error:  # an older release of the package does not know the script, nor any character of it
            continue
    return tuple(found)


class By(StrEnum):
    """What tells the groups of texts apart."""

    LANGUAGE = "language"
    SCRIPT = "script"
    FILE = "file"


@dataclass(frozen=True, slots=True, order=True)
class Group:
    """The texts whose ``by`` is ``name``; all texts where ``by`` is empty."""

    by: str
    name: str

    def __str__(self) -> str:
        return f"{self.by} {self.name}" if self.by else self.name


ALL_TEXTS = Group("", "all texts")

NO_LANGUAGE = "(no language)"
"""The name of the group of texts whose rows name no language."""

TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
"""What looks like a language tag: a code of two or three letters (ISO 639), with subtags as in BCP 47."""


def language_of_file(name: str) -> str:
    """Return the language that the file called ``name`` is taken to have, where nobody says which.

    That is the first of the parts between the dots of its name that looks like a language tag, the extension apart;
    where none does, the name without extension.

    >>> [language_of_file(name) for name in ("news.fr.txt", "eng_Latn.dev", "fra.txt.gz", "botchan.txt")]
    ['fr', 'eng_Latn', 'fra', 'botchan']
    """
    base = PurePosixPath(unpacked_name(name)).name
    parts = base.split(".")
    stem = parts[:-1] if len(parts) > 1 else parts
    return next((part for part in stem if TAG.fullmatch(part)), ".".join(stem) or base)


def groups_of(text: str, language: str, file: str, wanted: Sequence[By]) -> tuple[Group, ...]:
    """Return the groups that a text belongs to, that of all texts first."""
    found = [ALL_TEXTS]
    for by in wanted:
        match by:
            case By.LANGUAGE:
                found.append(Group(by, language or NO_LANGUAGE))
            case By.SCRIPT:
                found.append(Group(by, dominant_script(text)))
            case By.FILE:
                found.append(Group(by, file))
    return tuple(found)
