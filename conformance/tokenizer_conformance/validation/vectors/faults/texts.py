"""Faults in the handling of text: characters that are dropped, taken for others, or changed on their way in.

Which characters belong together is asked of the interpreter's Unicode tables; they only decide what is planted.
"""

from __future__ import annotations

import re
import unicodedata
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.mistakes import unix_lines, until_nul, without_mark
from tokenizer_conformance.validation.vectors.faults.fault import DocumentFault, FaultStage, Json, TextFault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random

CATEGORIES: dict[str, str] = {
    "Ll": "lower-case letters",
    "Lu": "upper-case letters",
    "Lt": "title-case letters",
    "Lm": "modifier letters",
    "Lo": "letters without case",
    "Mn": "nonspacing marks",
    "Mc": "spacing marks",
    "Me": "enclosing marks",
    "Nd": "decimal digits",
    "Nl": "letter numbers",
    "No": "other numbers",
    "Pc": "connectors",
    "Pd": "dashes",
    "Ps": "opening punctuation",
    "Pe": "closing punctuation",
    "Pi": "opening quotes",
    "Pf": "closing quotes",
    "Po": "other punctuation",
    "Sm": "mathematical symbols",
    "Sc": "currency signs",
    "Sk": "modifier symbols",
    "So": "other symbols",
    "Zs": "spaces",
    "Cc": "control characters",
    "Cf": "format characters",
    "Co": "private-use characters",
    "Cn": "unassigned characters",
}

READ_AS: tuple[tuple[str, str], ...] = (
    ("", "are dropped"),
    ("a", "are letters"),
    (" ", "are spaces"),
    (".", "are punctuation"),
)
"""What characters are taken for, all of a class at once."""

CLASSES: tuple[tuple[str, str], ...] = (
    ("astral characters", "[\U00010000-\U0010ffff]"),
    ("Han characters of the first plane", "[\u4e00-\u9fff]"),
    ("Han characters of extension A", "[\u3400-\u4dbf]"),
    ("Han characters of other planes", "[\U00020000-\U0003ffff]"),
    ("Han compatibility characters", "[\uf900-\ufaff]"),
    ("kana", "[\u3040-\u30ff]"),
    ("Hangul syllables", "[\uac00-\ud7a3]"),
    ("Hangul jamo", "[\u1100-\u11ff]"),
    ("full-width forms", "[\uff01-\uff60]"),
    ("half-width forms", "[\uff61-\uffdc]"),
    ("variation selectors", "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"),
    ("tag characters", "[\U000e0000-\U000e007f]"),
    ("zero-width characters", "[\u200b-\u200f\u2060-\u2064\ufeff]"),
    ("bidirectional controls", "[\u202a-\u202e\u2066-\u2069]"),
    ("zero-width joiners", "\u200d"),
    ("skin tones", "[\U0001f3fb-\U0001f3ff]"),
    ("regional indicators", "[\U0001f1e6-\U0001f1ff]"),
    ("C1 controls", "[\x80-\x9f]"),
    ("replacement characters", "\ufffd"),
    ("noncharacters", "[\ufdd0-\ufdef\ufffe\uffff]"),
    ("Latin-1 letters", "[\xc0-\xff]"),
    ("Greek and Cyrillic", "[\u0370-\u052f]"),
    ("Arabic", "[\u0600-\u06ff]"),
    ("Indic scripts", "[\u0900-\u0dff]"),
    ("Thai and Lao", "[\u0e00-\u0eff]"),
    ("superscripts and subscripts", "[\xb2\xb3\xb9\u2070-\u209f]"),
    ("ligatures", "[\ufb00-\ufb4f]"),
    ("mathematical letters", "[\U0001d400-\U0001d7ff]"),
)

MOST_CHARACTERS = 900
"""About how many single characters faults are planted."""

UNCHANGED = "\u1401"
"""A letter without case, decomposition or width: no normalizer changes it. It stands for one that is to be kept."""


def _replaced(pattern: re.Pattern[str], by: str, text: str) -> str:
    return pattern.sub(by, text)


def _in_category(category: str, by: str, text: str) -> str:
    """Replace what is in ``category``; of ASCII, which every port has right, only what stands beside other text."""
    return "".join(by if unicodedata.category(each) == category and each > "\x7f" else each for each in text)


def _plain(text: str) -> str:
    return text.translate({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'})


def _surrogates(text: str) -> str:
    return "".join("\ufffd\ufffd" if each > "\uffff" else each for each in text)


def _by_code_point(change: Callable[[str], str], text: str) -> str:
    return "".join(map(change, text))


def _only_simple(change: Callable[[str], str], text: str) -> str:
    return "".join(changed if len(changed := change(each)) == 1 else each for each in text)


def _each_character_once(text: str) -> str:
    return re.sub(r"(.)\1{3,}", r"\1\1\1", text, flags=re.DOTALL)


def _cut(length: int, text: str) -> str:
    return text[:length]


WHOLE: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("a byte order mark at the beginning is dropped", without_mark),
    ("the text ends at NUL", until_nul),
    ("NUL is dropped", lambda text: text.replace("\0", "")),
    ("NFC before all", partial(unicodedata.normalize, "NFC")),
    ("NFD before all", partial(unicodedata.normalize, "NFD")),
    ("NFKC before all", partial(unicodedata.normalize, "NFKC")),
    ("line ends become those of Unix", unix_lines),
    ("a carriage return is a line end", lambda text: text.replace("\r", "\n")),
    ("line ends are dropped", lambda text: text.replace("\n", "")),
    ("a line end is a space", lambda text: text.replace("\n", " ")),
    ("a tab is a space", lambda text: text.replace("\t", " ")),
    ("a tab is four spaces", lambda text: text.replace("\t", "    ")),
    ("white space around the text is dropped", str.strip),
    ("spaces before the text are dropped", lambda text: text.lstrip(" ")),
    ("spaces after the text are dropped", lambda text: text.rstrip(" ")),
    ("runs of spaces are one", lambda text: re.sub(" +", " ", text)),
    ("runs of white space are one space", lambda text: " ".join(text.split())),
    ("a no-break space is a space", lambda text: text.replace("\xa0", " ")),
    ("every space of Unicode is a space", lambda text: re.sub(r"[^\S\n\t\r]", " ", text)),
    ("lower case by code point, a final sigma too", partial(_by_code_point, str.lower)),
    ("lower case of the whole text, with the final sigma", str.lower),
    ("lower case where it is one character", partial(_only_simple, str.lower)),
    ("lower case of ASCII alone", lambda text: re.sub("[A-Z]+", lambda match: match[0].lower(), text)),
    ("case is folded", str.casefold),
    ("upper case and back", lambda text: text.upper().lower()),
    ("surrogates of an astral character come one by one", _surrogates),
    ("curly quotes are straight", _plain),
    ("a space is put before the text", lambda text: f" {text}"),
    ("a space is put after the text", lambda text: f"{text} "),
    ("empty text is a space", lambda text: text or " "),
    ("long runs of a character are cut", _each_character_once),
    ("texts end after 100 characters", partial(_cut, 100)),
    ("texts end after 1,000 characters", partial(_cut, 1000)),
    ("HTML entities are resolved", lambda text: text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")),
    ("escapes are resolved", lambda text: text.replace("\\n", "\n").replace("\\t", "\t")),
    ("angle brackets are dropped", lambda text: text.translate({0x3C: None, 0x3E: None})),
)
"""Changes of whole texts, as programs make them before they tokenize."""


def text_faults() -> Iterator[TextFault]:
    """Yield faults of whole texts and of classes of characters."""
    for what, change in WHOLE:
        yield TextFault(FaultStage.TEXT, what, change)
    for category, words in CATEGORIES.items():
        for by, what in READ_AS:
            yield TextFault(
                FaultStage.TEXT, f"{words} ({category}) beyond ASCII {what}", partial(_in_category, category, by)
            )
    for words, pattern in CLASSES:
        for by, what in READ_AS[:2]:
            yield TextFault(FaultStage.TEXT, f"{words} {what}", partial(_replaced, re.compile(pattern), by))


def character_faults(texts: Iterable[str], random: Random) -> Iterator[TextFault]:
    """Yield faults of one single character each, drawn from those of ``texts`` that are no ASCII letter or digit."""
    for character in drawn_characters(texts, random, MOST_CHARACTERS):
        what = f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()
        yield TextFault(
            FaultStage.CHARACTERS, f"{what} is taken for a letter", partial(_one_replaced, character, "x"), character
        )
        if character > "\x7f":
            yield TextFault(
                FaultStage.CHARACTERS, f"{what} is dropped", partial(_one_replaced, character, ""), character
            )


def _one_replaced(character: str, by: str, text: str) -> str:
    return text.replace(character, by)


def drawn_characters(texts: Iterable[str], random: Random, most: int) -> list[str]:
    """Return ``most`` characters of ``texts``, in the order of their code points; no letters or digits of ASCII."""
    found = sorted({each for text in texts for each in text if not (each.isascii() and each.isalnum())})
    return sorted(random.sample(found, min(most, len(found))))


def unnormalized_faults(document: Json, changed: Iterable[str]) -> Iterator[DocumentFault]:
    """Yield for each of the ``changed`` characters the fault that the normalizer of ``document`` leaves it as it is."""
    normalizer = document.get("normalizer")
    if normalizer is None:
        return
    for character in changed:
        kept = [_exchange(character, UNCHANGED), normalizer, _exchange(UNCHANGED, character)]
        what = f"U+{ord(character):04X} {unicodedata.name(character, '')}".rstrip()
        yield DocumentFault(
            FaultStage.NORMALIZER, f"{what} is not normalized", partial(_put_normalizer, kept), about=character
        )


def _exchange(old: str, new: str) -> Json:
    return {"type": "Replace", "pattern": {"String": old}, "content": new}


def _put_normalizer(parts: list[Json], document: Json) -> None:
    document["normalizer"] = {"type": "Sequence", "normalizers": parts}
