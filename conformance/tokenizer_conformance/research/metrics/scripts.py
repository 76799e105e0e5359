"""The script in which a text is written, by the property Script of the Unicode Character Database.

The tables are those of the package ``regex`` (its version says of which Unicode they are): they are asked for each
character once. What has no script of its own counts for none: Common (digits, punctuation, white space, most symbols),
Inherited (combining marks) and Unknown (what is not assigned). Script, not Script_Extensions: the prolonged sound mark
of Japanese is Common, and Han, Hiragana and Katakana are three scripts.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import regex

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


def dominant_script(text: str) -> str:
    """Return the script that most characters of ``text`` have; of several, the one that comes first in the text.

    >>> dominant_script("123 naïve Ω!"), dominant_script("12:30"), dominant_script("吾輩は猫である")
    ('Latin', 'Common', 'Hiragana')
    """
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
