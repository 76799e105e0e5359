"""Recipes of normalizers and of the alignment of normalized text, in the order in which one builds on another."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

from requirements.normalizing import WIDTHS, asked, chunks, edges, edges_of, lettered, normalizing, whole
from requirements.recipe import (
    UNKNOWN,
    Area,
    added,
    batch,
    bpe,
    case,
    characters,
    component,
    encode,
    pair,
    refused,
    row,
    saved,
    tokenizer,
    word_level,
    words,
)
from tokenizer_reference.text import unicode_tables
from tokenizer_reference.text.characters import WHITE_SPACE, bert_removed, lowercase_table, marks_9, nonspacing_marks_8
from tokenizer_reference.text.code_point_sets import decode_mapping, from_characters

if TYPE_CHECKING:
    from requirements.recipe import Document


LONG: Final = " " * 2000
"""White space that makes a text long, and its encoding not."""


def _without(document: Document, name: str) -> Document:
    return {key: value for key, value in document.items() if key != name}


def _with_normalizer(normalizer: Any) -> Document:
    return tokenizer(characters("a"), normalizer=normalizer)


def _around(*chars: str) -> str:
    """Return a text with each of ``chars`` between two letters."""
    return "a" + "".join(f"{char}{chr(0x62 + index % 16)}" for index, char in enumerate(chars))


def _special(*contents: str) -> list[Document]:
    return [added(100 + index, content, special=True) for index, content in enumerate(contents)]


# BertNormalizer ------------------------------------------------------------------------------------------------------

BERT = Area(
    "normalizers.BertNormalizer",
    "BertNormalizer",
    "normalize",
    "The clean-up of BERT's tokenizer, four steps in one: it removes controls and makes spaces of white space (`clean_text`), sets Chinese characters apart (`handle_chinese_chars`), strips accents (`strip_accents`) and lowercases (`lowercase`). `strip_accents` is true, false or null (also where it is missing), which means: as `lowercase` says. The other three are true or false and stand in every file; a tokenizer made through the library has them true.",
)


def _bert(**options: bool | None) -> Document:
    """Return a BertNormalizer that does nothing but what ``options`` say."""
    nothing = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
    return component("BertNormalizer", **{**nothing, **options})


BERT_DEFAULT: Final = _bert(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
CLEAN: Final = _bert(clean_text=True)
CHINESE: Final = _bert(handle_chinese_chars=True)
ACCENTS: Final = _bert(strip_accents=True)

SWIFT_BERT = "https://github.com/huggingface/swift-transformers/pull/157"
SWIFT_KANA = "https://github.com/huggingface/swift-transformers/pull/354"
LLAMA_ACCENTS = "https://github.com/ggml-org/llama.cpp/pull/24371"

BERT.requirement(
    "BERTNORM-STEPS: Four steps, each switched by its own option",
    "BertNormalizer does, in this order: clean_text, handle_chinese_chars, strip_accents, lowercase. Each step works on what the step before has left, and is left out where its option is false.",
    "Ports tie one option to another, or leave a step out where its option is absent in their own configuration.",
    [
        normalizing(
            _bert(clean_text=clean, handle_chinese_chars=chinese, strip_accents=accents, lowercase=lower),
            "\u00c9\tb\x00c\u4e2dD\u0301",
        )
        for clean, chinese, accents, lower in product((True, False), repeat=4)
    ],
    links=(SWIFT_BERT,),
)
BERT.requirement(
    "BERTNORM-EVERYDAY: Everyday text of an uncased model",
    "With all steps on, text comes out in lower case, without accents, with plain spaces, and with a space on both sides of every Chinese character; punctuation, digits and the number of spaces stay as they are.",
    "Ports collapse runs of spaces, trim the ends, or split at punctuation here, which is the pre-tokenizer's work.",
    normalizing(
        BERT_DEFAULT,
        *row(
            "Hello, World!•  two  spaces  •Caf\u00e9 NA\u00cfVE•line\nbreak\r\nand\ttab•\u6211\u7231Paris\u3002•"
            "\u4e2d \u6587•It's 3.5\u20ac•\u0391\u03b8\u03ae\u03bd\u03b1•"
            "\u041c\u043e\u0441\u043a\u0432\u0430 \u0439 \u0451•\u0130stanbul I\u015f\u0131k•"
            "S\u00c3O PAULO \u00f1 \u00e7 \u00fc \u00df \u00f8 \u0142•\U0001f600 A\ufe0f•[CLS] a [SEP]"
        ),
    ),
)
BERT.requirement(
    "BERTNORM-CLEAN-REMOVES: clean_text removes controls, format and private-use characters, and U+FFFD",
    "clean_text removes the characters of the general categories Cc, Cf and Co (Unicode 8.0) and U+FFFD, except U+0009, U+000A and U+000D. Nothing is put in their place.",
    "Ports remove Cc alone, take U+00AD, U+200B to U+200F or U+FEFF for white space, keep private use, or forget NUL.",
    normalizing(CLEAN, *(_around(*edges(*each)) for each in bert_removed())),
    normalizing(CLEAN, *(f"a{char}b" for char in "\x00\x08\x1f\x7f\x9f\u00ad\u200d\u2060\ue000\ufeff\ufffd")),
)
BERT.requirement(
    "BERTNORM-CLEAN-SPACES: clean_text makes one space of each white-space character",
    "clean_text replaces each character with White_Space that it does not remove (U+0009, U+000A, U+000D, U+0020, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000) by one U+0020.",
    "Ports replace ASCII blanks alone, or collapse a run (CR LF above all) into one space.",
    normalizing(CLEAN, *(f"a{char}b" for char in WHITE_SPACE if char not in "\x0b\x0c\x85")),
    normalizing(CLEAN, "a\r\nb", "\t\n", " \u3000 ", "a\u2003\u2003b", _around(*"\u1fff\u200b\u2027\u202a\u2060")),
)
BERT.requirement(
    "BERTNORM-CLEAN-OFF: Without clean_text, controls and white space stay",
    "Where clean_text is false, no character is removed and white space stays what it is, whatever the other options say.",
    "Ports clean regardless of the option, or let lowercase switch cleaning on.",
    normalizing(
        _bert(handle_chinese_chars=True, strip_accents=True, lowercase=True),
        *(f"A{char}B" for char in "\x00\t\r\n\x0b\x85\u00a0\u00ad\u200b\u2028\u3000\ue000\ufeff\ufffd"),
    ),
)
BERT.requirement(
    "BERTNORM-CHINESE-RANGES: handle_chinese_chars puts a space on both sides of each ideograph",
    "handle_chinese_chars puts U+0020 before and after each character of U+3400 to U+4DBF, U+4E00 to U+9FFF, U+F900 to U+FAFF, U+20000 to U+2A6DF, U+2A700 to U+2B81F, U+2B920 to U+2CEAF and U+2F800 to U+2FA1F, and nothing elsewhere.",
    "Ports take the property Han or the basic block alone, or are off by one at the end of a block.",
    [
        normalizing(CHINESE, *(f"a{char}b" for char in edges(first, last)))
        for first, last in (
            (0x3400, 0x4DBF),
            (0x4E00, 0x9FFF),
            (0xF900, 0xFAFF),
            (0x20000, 0x2A6DF),
            (0x2A700, 0x2B73F),
            (0x2B740, 0x2B81F),
            (0x2B920, 0x2CEAF),
            (0x2F800, 0x2FA1F),
        )
    ],
)
BERT.requirement(
    "BERTNORM-CHINESE-NEIGHBOURS: Neighbours get spaces of their own",
    "Each ideograph gets its own two spaces, at the start and the end of the text, beside another ideograph (two spaces between them) and beside spaces too.",
    "Ports put one space between two ideographs, or none at the ends of the text.",
    normalizing(
        CHINESE,
        *row(
            "\u4e2d•\u4e2d\u6587•\u4e2d\u6587\u5b57•a\u4e2d•\u4e2da•\u4e2d \u6587• \u4e2d •a\u4e2d\u6587b\u5b57•"
            "\U00020000\u4e2d•\u4e2d\u0301"
        ),
    ),
)
BERT.requirement(
    "BERTNORM-CHINESE-OTHERS: Kana, Hangul and Chinese punctuation are not set apart",
    "Kana, Hangul, Bopomofo, radicals, U+3005, U+3007 and the punctuation and full-width forms of East Asia get no spaces.",
    "Ports take the property Han (which has U+3005, U+3007 and the radicals) or everything from U+2E80 on.",
    normalizing(
        CHINESE,
        *(
            f"a{char}b"
            for char in "\u2e80\u2f00\u3001\u3005\u3007\u3021\u3042\u30ab\u3105\u3131\uac00\ud7a3\uff21\uff71"
        ),
    ),
)
BERT.requirement(
    "BERTNORM-CHINESE-OFF: Without handle_chinese_chars, ideographs stay where they are",
    "Where handle_chinese_chars is false, no space is put anywhere.",
    "Ports do not read the option, as no published BERT uses it.",
    normalizing(
        _bert(clean_text=True, strip_accents=True, lowercase=True), "\u4e2d\u6587", "a\u4e2dB", "\U00020000\uf900"
    ),
)
BERT.requirement(
    "BERTNORM-CHINESE-BEFORE-ACCENTS: Compatibility ideographs are set apart, then decomposed",
    "Ideographs are looked for before accents are stripped, so a compatibility ideograph gets its spaces first, and strip_accents then decomposes it to the unified one.",
    "Ports that decompose first see other code points, or forget that decomposition reaches ideographs.",
    normalizing(_bert(handle_chinese_chars=True, strip_accents=True), *"\uf900\ufa2a\ufad9\ufa0e\U0002f800\U0002fa1d"),
    normalizing(_bert(handle_chinese_chars=True), "\uf900a\U0002f800"),
    normalizing(_bert(strip_accents=True), "\uf900a\U0002f800"),
)
BERT.requirement(
    "BERTNORM-STRIP-ACCENTS-DEFAULT: Where strip_accents is null or missing, it is what lowercase is",
    "Where strip_accents is null or missing, accents are stripped if lowercase is true, and kept if it is false.",
    "Ports read null as false, so that an uncased BERT keeps its accents, or as true.",
    [
        normalizing(made, "\u00c9a", "e\u0301E")
        for lower in (True, False)
        for made in (_bert(strip_accents=None, lowercase=lower), _without(_bert(lowercase=lower), "strip_accents"))
    ],
    links=(SWIFT_BERT, "https://github.com/huggingface/tokenizers/pull/330"),
)
BERT.requirement(
    "BERTNORM-STRIP-ACCENTS-EXPLICIT: A given strip_accents holds, whatever lowercase is",
    "strip_accents true strips accents also where lowercase is false; strip_accents false keeps them also where lowercase is true.",
    "Ports strip accents exactly where they lowercase, so cased models without accents, and German uncased models with them, come out wrong.",
    [
        normalizing(_bert(strip_accents=accents, lowercase=lower), "\u00c9a", "sch\u00d6n", "E\u0301")
        for accents, lower in ((True, False), (False, True), (True, True), (False, False))
    ],
    links=(LLAMA_ACCENTS,),
)
BERT.requirement(
    "BERTNORM-ACCENTS-DECOMPOSE: strip_accents decomposes canonically, and what is no mark stays decomposed",
    "strip_accents puts the text in NFD and then removes the nonspacing marks. Nothing is composed again: Hangul syllables stay as jamo, singletons stay as what they decompose to.",
    "Ports strip accents with a function for Latin alone (so kana keep their voicing marks), or compose afterwards, which gives the Hangul syllables that no vocabulary entry has.",
    normalizing(
        ACCENTS,
        *row(
            "\u00e9•e\u0301•\u1ec7•\u00f1o\u0308•\uac00•\uac01•\ud7a3•\u304c\u30b6\u3071•\u0439\u0451\u0407•"
            "\u03ae\u1fb7•\u212b\u2126\u212a•\u0929•\u0958•\u0622•\ufb2a•\U0001d15e•\u226e•\u1e69x\u0323\u0307•"
            "\u0344x"
        ),
    ),
    links=(SWIFT_KANA,),
)
BERT.requirement(
    "BERTNORM-ACCENTS-NO-COMPATIBILITY: Strokes, ligatures and compatibility forms are no accents",
    "strip_accents leaves what has no canonical decomposition: letters with strokes, ligatures, circled, superscript and full-width forms, \u00df, \u00e6, \u0131.",
    "Ports use NFKD, or a transliteration that turns \u00f8 into o and \u00df into ss.",
    normalizing(
        ACCENTS,
        *(f"{char}a" for char in "\u00f8\u0142\u00df\u00e6\u0131\u0111\ufb01\u2460\u00b2\uff21\u00bd\u02c7\u00b4"),
    ),
)
BERT.edge(
    "BERTNORM-ACCENTS-RANGES: Which marks strip_accents removes",
    "strip_accents removes the characters of the general category Mn of Unicode 8.0, and none of Mc and Me.",
    "Ports remove U+0300 to U+036F only, or take the Unicode version of their own language.",
    [normalizing(ACCENTS, each) for each in chunks(edges_of(nonspacing_marks_8()), 44, "a")],
    links=(SWIFT_BERT,),
)
BERT.requirement(
    "BERTNORM-LOWERCASE: lowercase lowers each character on its own, with the full mapping",
    "lowercase replaces each character by its full lowercase mapping, without looking at its neighbours and without a language; nothing else changes.",
    "Ports lower ASCII alone, use case folding (\u00df to ss), or the locale of the host.",
    normalizing(
        _bert(lowercase=True),
        *row(
            "ABZ@[`z{•\u00c0\u00d6\u00d7\u00d8\u00de\u00df•I\u0130i•\u0391\u03a9\u03a3•\u0410\u042f\u0401•"
            "\u1e9e\u01c5\u2126\u2160\u24b6•\U00010400\U0001e900•E\u0301"
        ),
    ),
    normalizing(_bert(), "ABZ", "\u00c0\u0130"),
)
BERT.requirement(
    "BERTNORM-NOTHING-LEFT: A text of which nothing is left gives no token",
    "Where clean_text or strip_accents removes every character, the normalized text is empty and no token comes out.",
    "Ports give one unknown token for an empty word, or keep the last character.",
    normalizing(BERT_DEFAULT, ("\x00", "a"), ("\u0301\u0302", "a"), ("", "a"), ("\ufeff\u200b", "b"), ("\u00ad", "b")),
)
BERT.requirement(
    "BERTNORM-OFFSETS: Offsets through all four steps",
    "What is kept has the offsets of the character that it comes from, also where characters before it were removed, decomposed or set apart; all characters of a decomposition have the offsets of the one that they come from.",
    "Ports compute offsets in the cleaned text, or are shifted by one for each removed control.",
    normalizing(
        BERT_DEFAULT,
        *row(
            "\x00a\x01\x02b\x03•\u00c9\u4e2d\u0130a•e\u0301\u4e2d\u0301b•\u0301a\u0301•\uac01b\uac00•"
            "\ufeff\U00020000\x00\u4e2d•\t\x00\n\u3000A"
        ),
    ),
    [normalizing(BERT_DEFAULT, f"{char}\x01\u00c9{char}\u4e2d\u0301{char}a") for char in WIDTHS],
    features=("offsets",),
)
BERT.edge(
    "BERTNORM-FILE: Which fields a file must have",
    "clean_text, handle_chinese_chars and lowercase must be there, each true or false; strip_accents may be null or missing, and is else true or false. A file is refused where that is not so.",
    "Ports take defaults for missing fields, or read any value as true or false.",
    [
        case(lettered(BERT_DEFAULT, "\u00c9"), asked("\u00c9"), refused(_with_normalizer(_without(BERT_DEFAULT, name))))
        for name in ("clean_text", "handle_chinese_chars", "lowercase")
    ],
    [
        case(
            lettered(BERT_DEFAULT, "\u00c9"), asked("\u00c9"), refused(_with_normalizer({**BERT_DEFAULT, name: value}))
        )
        for name, value in (
            ("clean_text", None),
            ("handle_chinese_chars", "true"),
            ("strip_accents", "false"),
            ("strip_accents", 0),
            ("lowercase", 1),
            ("lowercase", None),
        )
    ],
    features=("load",),
)
BERT.edge(
    "BERTNORM-SAVED: What is written to a file",
    "All four options are written, in any state; a null strip_accents is written as null, also where the file had none.",
    "Ports leave fields out that have their defaults, or write the names of their own configuration.",
    [
        case(
            _with_normalizer(
                _bert(clean_text=clean, handle_chinese_chars=clean != lower, strip_accents=accents, lowercase=lower)
            ),
            saved(),
        )
        for clean, accents, lower in product((True, False), (True, False, None), (True, False))
    ],
    case(_with_normalizer(_without(_bert(), "strip_accents")), saved()),
    features=("save",),
)
BERT.quirk(
    "BERT-DELETES-LINE-CONTROLS: clean_text deletes U+000B, U+000C and U+0085",
    "clean_text deletes U+000B, U+000C and U+0085, which are white space and controls at once; all other white space becomes a space. U+2028 and U+2029 become spaces.",
    "One would expect a space: all three have White_Space, and Python's split() cuts there. The general category is asked first, and excepts only U+0009, U+000A and U+000D.",
    normalizing(
        CLEAN, *(f"a{char}b" for char in "\x0b\x0c\x85"), "a\x0bb\x0cc\x85d\te\u2028f\u2029g", ("\x0b", "a\x0c\nb")
    ),
)
BERT.quirk(
    "BERT-CONTROLS-OF-UNICODE-8: clean_text keeps format characters assigned after Unicode 8.0",
    "clean_text keeps format characters that were assigned after Unicode 8.0: U+08E2, U+0890, U+0891, U+110CD, and U+13430 to U+1343F.",
    "One would expect all of Cf to go. The categories are those of Unicode 8.0 (crate unicode_categories).",
    normalizing(
        CLEAN,
        "a\u06dd|a\u08e2|a\u0890",
        *(f"a{char}b" for char in "\u08e2\u0890\u0891\U000110cd\U00013430\U00013438\U0001343f\u180e\U000110bd"),
    ),
)
BERT.quirk(
    "BERT-KEEPS-UNASSIGNED-CHARACTERS: clean_text keeps unassigned code points",
    "clean_text keeps code points of the categories Cn (unassigned, noncharacters), which are no controls.",
    "The published BERT code deletes every category that begins with C, so one would expect U+0378 and U+FFFF to go.",
    normalizing(
        CLEAN, *(f"a{char}b" for char in "\u0378\u0530\ufdd0\uffff\ufffe\U0001fffe\U000e0000\U000ffffe\U0010ffff")
    ),
)
BERT.quirk(
    "BERT-CHINESE-BLOCK-BEGINS-LATE: U+2B820 to U+2B91F are not set apart",
    "handle_chinese_chars has no spaces for U+2B820 to U+2B91F: the range that ends at U+2CEAF begins at U+2B920.",
    "One would expect U+2B820, where BERT's own list (and the block) begins.",
    normalizing(
        CHINESE,
        "a\U0002b820b\U0002b920c",
        *(f"a{char}b" for char in "\U0002b81f\U0002b820\U0002b880\U0002b91f\U0002b920"),
    ),
)
BERT.quirk(
    "BERT-SPACES-AROUND-CHINESE-HAVE-ITS-OFFSETS: The spaces around an ideograph have its offsets",
    "The two spaces that are put around an ideograph have the offsets of the ideograph, so one character of the original stands for three.",
    "One would expect empty offsets before and after it, or none.",
    normalizing(CHINESE, "\u4e2d", "a\u4e2db", "\u4e2d\u6587", "\U00020000a"),
    [normalizing(CHINESE, f"{char}\u4e2d{char}\U00020000") for char in WIDTHS],
    features=("offsets",),
)
BERT.quirk(
    "BERT-STRIPS-NONSPACING-MARKS-ONLY: strip_accents leaves spacing and enclosing marks",
    "strip_accents removes the category Mn alone; marks of Mc (U+0903, U+093E) and Me (U+20DD, U+0488) stay.",
    "StripAccents beside it removes all of M, and so do ports that test for a combining mark.",
    normalizing(
        ACCENTS,
        "a\u0301 a\u0903 a\u20dd",
        *(f"a{char}b" for char in "\u0903\u093e\u0488\u0489\u20dd\u20e0\u20e1\u302e\u302a\ua670\ua66f"),
        "a\u302e\u1b44",
    ),
)
BERT.quirk(
    "BERT-ACCENTS-OF-UNICODE-8: strip_accents has the marks of Unicode 8.0",
    "strip_accents knows the marks of Unicode 8.0: U+1734, which is no Mn since 14.0, goes; marks assigned later (U+08D4, U+1ABF, U+1DFB, U+1E944, U+11F5A) stay.",
    "One would expect the marks of the Unicode version in use. The categories are those of Unicode 8.0 (crate unicode_categories), one version older than those of the normal forms.",
    normalizing(
        ACCENTS,
        "a\u1734|a\U0001e944",
        *(
            f"a{char}b"
            for char in "\u1734\u08d4\u08e1\u08d3\u1abe\u1abf\u1df5\u1dfb\u1dfc\U0001e000\U0001e944\U00011f5a\u0afa"
        ),
    ),
)
BERT.quirk(
    "BERT-STRIPS-ACCENTS-BEFORE-LOWERCASING: The dot that lowercasing brings is not stripped",
    "Accents are stripped before case is lowered. With both, \u0130 loses its dot as an accent and gives i; with lowercase alone, \u0130 gives i and U+0307.",
    "Ports that lowercase first get the same for \u0130 with both, and see the difference where strip_accents is false, or where a capital has marks that its small letter lacks.",
    [
        normalizing(_bert(strip_accents=accents, lowercase=True), "\u0130", "a\u0130b\u0130", "I\u0307", "\u0130\u0301")
        for accents in (True, False)
    ],
)

# Strip ---------------------------------------------------------------------------------------------------------------

STRIP = Area(
    "normalizers.Strip",
    "Strip",
    "normalize",
    "Removes white space from the ends of the text: from the start where `strip_left` is true, from the end where `strip_right` is true. Both stand in every file; a tokenizer made through the library has them true.",
)


def _strip(left: bool = True, right: bool = True) -> Document:
    return component("Strip", strip_left=left, strip_right=right)


STRIP.requirement(
    "STRIP-ENDS: Each end has its option",
    "strip_left removes all white space at the start of the text, strip_right all at its end; where both are false, nothing is removed.",
    "Ports always strip both ends, swap the two, or remove one character only.",
    [
        normalizing(_strip(left, right), "  a  ", " a", "a ", "a", "\t\n b \n")
        for left, right in product((True, False), repeat=2)
    ],
)
STRIP.requirement(
    "STRIP-INSIDE-STAYS: White space inside the text stays",
    "White space between other characters stays as it is.",
    "Ports collapse inner runs of spaces, as some clean-up functions do.",
    normalizing(_strip(), " a  b ", "a\tb\n", "  a \u3000 b  ", ". a"),
)
STRIP.requirement(
    "STRIP-WHITE-SPACE: What white space is",
    "White space is what has White_Space: U+0009 to U+000D, U+0020, U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F and U+3000.",
    "Ports strip ASCII blanks alone, or U+200B, U+FEFF, U+180E and U+2060, which are none.",
    normalizing(_strip(), *(f"{char}a{char}" for char in WHITE_SPACE)),
    normalizing(
        _strip(),
        *(
            f"{char}a{char}"
            for char in "\x08\x0e\x1f!\x84\x86\x9f\u00a1\u167f\u1681\u180e\u1fff\u200b\u2027\u202a\u202e\u2030"
            "\u205e"
            "\u2060\u2fff\u3001\ufeff\u2800\u3164"
        ),
    ),
    normalizing(_strip(), "".join(WHITE_SPACE) + "a" + "".join(WHITE_SPACE)),
)
STRIP.quirk(
    "WHITE-SPACE-WITHOUT-INFORMATION-SEPARATORS: U+001C to U+001F are no white space",
    "White space is Unicode's White_Space, in Strip as in WhitespaceSplit, Whitespace, BertPreTokenizer and around added tokens with lstrip or rstrip: the information separators U+001C to U+001F stay and do not cut.",
    "One would expect them to go, since Python's strip() and split(), and Java's isWhitespace, take them for white space.",
    normalizing(_strip(), *(f"{char}a{char}" for char in "\x1b\x1c\x1d\x1e\x1f"), " \x1c a \x1f "),
    [
        case(
            tokenizer(characters("ab\x1c\x1d\x1e\x1f"), normalizer=_strip(), pre_tokenizer=component(name)),
            asked(f"a{char}b {char}"),
        )
        for name in ("WhitespaceSplit", "Whitespace", "BertPreTokenizer")
        for char in "\x1c\x1f"
    ],
    [
        case(
            tokenizer(
                characters("ab \x1c\x1f"),
                normalizer=_strip(),
                added_tokens=[added(6, "<m>", special=True, lstrip=True, rstrip=True)],
            ),
            encode(f"a{char} <m> {char}b", special=False),
        )
        for char in "\x1c\x1f"
    ],
)
STRIP.requirement(
    "STRIP-NOTHING-LEFT: A text of white space becomes empty",
    "A text of nothing but white space becomes the empty text, from which no token comes, whichever end is stripped.",
    "Ports loop past the end of the text, or strip such a text from one side only.",
    [
        normalizing(_strip(*both), (" ", "a "), ("\t \u3000\n", " a"), ("", " a "))
        for both in ((True, True), (True, False), (False, True))
    ],
)
STRIP.requirement(
    "STRIP-OFFSETS: Offsets count from the start of the original text",
    "What is left keeps its offsets in the original text, with the stripped white space counted.",
    "Ports strip the text before offsets are computed, so that all of them are too small.",
    [
        normalizing(_strip(*both), "  ab  ", "\u3000a\u3000", "\u00a0\u00e9 \u00a0")
        for both in product((True, False), repeat=2)
    ],
    [normalizing(_strip(), f" {char}\u3000{char} ") for char in WIDTHS],
    normalizing(_strip(), "  a b ", " \u2003ab", pre_tokenizer=component("WhitespaceSplit")),
    features=("offsets",),
)
STRIP.edge(
    "STRIP-FILE: Both fields must be there",
    "A file is refused whose Strip lacks strip_left or strip_right, or has anything but true and false there.",
    "Ports take true where a field is missing.",
    [
        case(lettered(_strip(), " a "), asked(" a "), refused(_with_normalizer(wrong)))
        for wrong in (
            _without(_strip(), "strip_left"),
            _without(_strip(), "strip_right"),
            {**_strip(), "strip_left": None},
            {**_strip(), "strip_right": "true"},
            {"type": "Strip", "left": True, "right": True},
        )
    ],
    features=("load",),
)
STRIP.edge(
    "STRIP-SAVED: What is written to a file",
    "Both fields are written, as strip_left and strip_right.",
    "Ports leave fields out that have their defaults, or write the names of their own configuration.",
    [case(_with_normalizer(_strip(*both)), saved()) for both in product((True, False), repeat=2)],
    features=("save",),
)

# Normal forms --------------------------------------------------------------------------------------------------------

CANONICAL: Final = {chr(code_point) for code_point in decode_mapping(unicode_tables.CANONICAL_DECOMPOSITION_9_0)}
COMPATIBLE: Final = {chr(code_point) for code_point in decode_mapping(unicode_tables.COMPATIBILITY_DECOMPOSITION_9_0)}
LATER_DECOMPOSITIONS: Final = (
    "\u32ff\ua7f1\ua7f2\ua7f3\ua7f4\ua7f8\uab5c\uab69\U0001f12b\U0001f16b\U0001f16c\U0001f23b\U0001fbf0\U0001fbf9\U00010781"
    "\U000107ba\U0001e030\U0001e06d\U0001ee00\U0002fa1d"
)
"""Characters that decompose by compatibility, from before and after Unicode 9.0."""

LATER_COMPOSITES: Final = row(
    "\U00011938 \U000105c9 \U000105e4 \U00011383 \U000113c5 \U00016121 \U00016d68 \U0001109a \U000114bc"
)
LATER_PAIRS: Final = row(
    "\U00011935\U00011930•\U000105d2\u0307•\U000105da\u0307•\U00011382\U000113c9•\U000113c2\U000113c2•"
    "\U0001611e\U0001611e•\U00016d67\U00016d67•\U00011099\U000110ba•\U000114b9\U000114ba"
)
LATER_MARKS: Final = (
    "\u0325\u0316\u059a\u08d3\u08d4\u0898\u09fe\u0d3b\u0eba\u1abd\u1abe\u1abf\u1ac5\u1df5\u1df6\u1df9\u1dfa\u1dfb\U00010d24\U00010f46\U0001e000"
    "\U0001e130\U0001e94a\U0001e4ec"
)
HANGUL_SYLLABLES: Final = "\uabff\uac00\uac01\uac1b\uac1c\uac1d\ub098\ud788\ud7a3\ud7a4"
JAMO: Final = row(
    "\u1100\u1161•\u1100\u1161\u11a8•\u1112\u1175\u11c2•\u10ff\u1161•\u1113\u1161•\u1100\u1160•\u1100\u1176•"
    "\u1112\u1175\u11a7•\uac00\u11a7•\uac00\u11a8•\uac00\u11c2•\uac00\u11c3•\uac01\u11a8•\ud788\u11c2•"
    "\u1100\u1100\u1161•\u1161\u11a8•\u1100\u11a8•\u1100\u1161\u1161•\u1100\u0301\u1161•\uac00\u0301\u11a8"
)
MARK_RUNS: Final = row(
    "a\u0301\u0323•a\u0323\u0301•a\u0301\u0300•a\u0315\u0300\u05ae\u0062•a\u0345\u0301\u0316\u0334•"
    "\u0301\u0323a•a\u0301b\u0323•a\u0301\u034f\u0323•\u1e9b\u0323•\u00e0\u0323•\u1ea1\u0300•q\u0307\u0323•"
    "\u0915\u094d\u093c•\u05e9\u05c1\u05bc•\u0e01\u0e48\u0e38•\u0f71\u0f72\u0f74"
)
BLOCKED: Final = row(
    "a\u0300•a\u0327\u0300•a\u0325\u0301•a\u0301\u0301•a\u0305\u0301•a\u0300\u0301•a\u200d\u0301•"
    "a\u034f\u0301•a\u0316\u0300\u0301•c\u0301\u0327•c\u0327\u0301•\u00e7\u0301•\u0301e•e\u0301e\u0301•"
    "\u0bc6\u0bbe•\u0bc6\u0301\u0bbe•\u09c7\u09be\u09d7•\u0dd9\u0dcf\u0dca•\u304b\u3099•\u30a6\u3099\u309a•"
    "\u1100\u0327•o\u031b\u0323•o\u0323\u031b•\u0061\u0302\u0323•=\u0338•\u0b47\u0b3e•\u1025\u102e•"
    "\u1b05\u1b35"
)
EXCLUDED: Final = (
    "\u0958\u095f\u09dc\u09df\u0a33\u0a59\u0b5c\u0f43\u0f69\ufb1d\ufb1f\ufb2a\ufb4e\u2adc\U0001d15e\U0001d1c0"
    "\u0344\u0340\u0341\u0343\u0374\u037e\u0387\u1f71\u1fbe\u2000\u2001\u2126\u212a\u212b\u2329\uf900\U0002f800"
)
COMPATIBILITY_SAMPLES: Final = row(
    "\ufb01•\ufb03x•\u00b2\u2080•\u2460\u2473\u24d0•\uff21\uff5e\uff01•\uff76\uff9e•\u3000a\u00a0b•\u00bd•"
    "\u2103\u33a1•\ufdfa•\u2026\u2025•\u2122\u2120•\u0132\u01c4•\u017f\u1e9b•\u00b4\u00a8•\u3131\u3164•"
    "\u32c0\u3358•\U0001d400\U0001d7ff•\ufe30\ufe4f•\ufe80\ufefc•\u1d2c\u1e9a•\u037a\u0384•\u2011\u2024•"
    "\u0e33\u0eb3•\U0001f100\U0001f1e6"
)
PLAIN: Final = "aZ09~ \u00df\u00e6\u0131\u4e2d\u3042\U0001f600\u0627\u05d0\u200d\ufeff"


def _canonical_table() -> list[str]:
    return sorted(CANONICAL | set(edges_of(from_characters(CANONICAL))))


def _compatibility_table() -> list[str]:
    return sorted((COMPATIBLE | set(edges_of(from_characters(COMPATIBLE)))) - CANONICAL)


def _form_area(name: str, does: str) -> Area:
    """Return the area of a normal form, with what holds for all four."""
    form = component(name)
    composes, compatible = name.endswith("C"), "K" in name
    area = Area(
        f"normalizers.{name}", name, "normalize", f"{does} The data are those of Unicode 9.0. It has no options."
    )
    area.requirement(
        f"{name}-BASIC: Letters with accents",
        f"{name} gives the normal form {name} of the text (UAX #15): "
        + (
            "letters and marks that have a composed character become it"
            if composes
            else "composed letters become letter and marks"
        )
        + ("." if not compatible else ", and compatibility characters become what they stand for."),
        "Ports skip the form, take another of the four, or normalize up to the first ASCII text only.",
        normalizing(
            form,
            *row(
                "\u00e9•e\u0301•Ae\u0301\u00e9z•\u1ec7\u00f1•e\u0323\u0302n\u0303•\u0439\u0438\u0306•"
                "\u304c\u304b\u3099•\u1e69s\u0323\u0307•\u01d5U\u0308\u0304•\u1f82•"
                "\U0001109a\U00011099\U000110ba"
            ),
        ),
    )
    area.requirement(
        f"{name}-PLAIN-TEXT: What has no other form stays",
        "Characters that neither decompose nor compose stay as they are, ASCII and emoji among them; an empty text stays empty.",
        "Ports fold case, widths or joiners along the way.",
        normalizing(form, *(f"x{char}" for char in PLAIN), ("", "plain text")),
    )
    area.requirement(
        f"{name}-HANGUL-SYLLABLES: Hangul syllables at the ends of their block",
        "The syllables U+AC00 to U+D7A3 stay as they are."
        if composes
        else "A syllable of U+AC00 to U+D7A3 becomes two jamo, or three where it ends in a consonant.",
        "Syllables are decomposed by arithmetic, not by the table; ports are off by one at its ends, or at every 28th.",
        normalizing(form, *(f"a{char}b" for char in HANGUL_SYLLABLES), "\ud55c\uad6d\uc5b4"),
    )
    area.edge(
        f"{name}-JAMO: Conjoining jamo, within their ranges and outside",
        "A leading consonant (U+1100 to U+1112) and a vowel (U+1161 to U+1175) become a syllable, and a syllable "
        "without a final consonant and one (U+11A8 to U+11C2) another; U+11A7 and jamo outside of these ranges "
        "stay."
        if composes
        else "Conjoining jamo stay as they are, in any order.",
        "Ports take U+11A7 for a final consonant, or compose a syllable that has one with a second.",
        normalizing(form, *JAMO),
    )
    area.requirement(
        f"{name}-MARK-ORDER: Marks are put in canonical order",
        "A run of marks with combining classes above 0 is sorted by class, and marks of one class keep their "
        "order; a character of class 0 (U+034F too) ends the run" + (", before composition." if composes else "."),
        "Ports leave marks in the order of the text, or use a sort that is not stable.",
        normalizing(form, *MARK_RUNS),
    )
    area.edge(
        f"{name}-LONG-RUNS: Runs of marks have no greatest length",
        "A run of marks is sorted as a whole, however long it is; nothing is put into it.",
        "Stream-safe forms put U+034F after 30 marks, and ports with a buffer of fixed size cut a run there.",
        [normalizing(form, f"a{chr(0x301) * count}\u0323b") for count in (1, 7, 8, 29, 30, 31, 32, 33, 64)],
    )
    area.requirement(
        f"{name}-COMPOSITION: "
        + ("What composes, and what blocks it" if composes else "Sequences that other forms compose stay apart"),
        "A character composes with the last character of class 0 before it, unless a character between them has "
        "class 0 or a class that is not below its own; characters of class 0 compose only side by side."
        if composes
        else "A letter and the marks that follow it stay characters of their own, sorted by class.",
        "Ports compose neighbours only, or across a mark of the same class.",
        normalizing(form, *BLOCKED, "\uff76\uff9e", "\u00e9\uff9e"),
    )
    area.requirement(
        f"{name}-EXCLUSIONS: Singletons and composition exclusions",
        "Singletons and the composition exclusions decompose and are not composed again."
        if composes
        else "Singletons and the composition exclusions decompose like any other character.",
        "Ports leave a text alone that is composed already, and so keep \u212b, \u2126 and U+0958.",
        normalizing(form, *(f"x{char}" for char in EXCLUDED)),
    )
    area.requirement(
        f"{name}-COMPATIBILITY: Ligatures, widths and circled forms" + ("" if compatible else " stay"),
        "Characters with a compatibility decomposition become what they stand for: ligatures, full and half "
        "widths, superscripts, circled and squared forms, fractions, U+00A0 and U+3000 (a space)."
        if compatible
        else "Characters that have a compatibility decomposition only stay as they are.",
        "Ports use one function for canonical and compatibility forms.",
        normalizing(form, *COMPATIBILITY_SAMPLES),
    )
    area.edge(
        f"{name}-TABLE: All characters that decompose, and their neighbours",
        "Every character that decomposes in Unicode 9.0 "
        + ("by compatibility " if compatible else "canonically ")
        + f"has its {name}, fully decomposed"
        + (" and composed again" if composes else "")
        + "; the code points beside such characters stay.",
        "Ports with tables of their own decompose by one step only, or lack blocks beyond U+FFFF.",
        whole(form, *chunks(_compatibility_table() if compatible else _canonical_table(), 64, "|")),
    )
    area.requirement(
        f"{name}-OFFSETS: Offsets of what is " + ("composed" if composes else "decomposed"),
        (
            "A composed character has the offsets of the first character that it is made of"
            if composes
            else "All characters of a decomposition have the offsets of the character that they come from"
        )
        + "; characters that stay keep theirs, whatever was changed before them.",
        "Ports shift all offsets behind a change of length, or count UTF-8 bytes of the normalized text.",
        [
            normalizing(form, f"{char}\u00e9{char}e\u0301{char}\ufb01{char}\uac01{char}\u1100\u1161{char}")
            for char in WIDTHS
        ],
        normalizing(
            form, "\u1e69\u0323x", "a\ufdfab", "\u0344x", "\U0001d15ex", "\u00e9\u00e9\u00e9", "o\u0302\u0301\u0323x"
        ),
        features=("offsets",),
    )
    return area


NFC = _form_area("NFC", "Canonical decomposition, then canonical composition (UAX #15).")
NFD = _form_area("NFD", "Canonical decomposition (UAX #15).")
NFKC = _form_area("NFKC", "Compatibility decomposition, then canonical composition (UAX #15).")
NFKD = _form_area("NFKD", "Compatibility decomposition (UAX #15).")
FORMS: Final = {name: component(name) for name in ("NFC", "NFD", "NFKC", "NFKD")}

NFC.quirk(
    "COMPOSITIONS-OF-UNICODE-9: Characters assigned after Unicode 9.0 do not compose",
    "In NFC and NFKC, pairs whose composite was assigned after Unicode 9.0 stay two: U+11935 and U+11930 do not become U+11938. In NFC and NFD such a composite does not decompose either.",
    "One would expect the Unicode version of the other parts. The tables are of Unicode 9.0 (crate unicode-normalization-alignments).",
    [normalizing(FORMS[name], *(f"x{each}y" for each in LATER_PAIRS)) for name in ("NFC", "NFKC")],
    normalizing(FORMS["NFC"], *(f"x{each}y" for each in LATER_COMPOSITES)),
    normalizing(FORMS["NFD"], "".join(LATER_COMPOSITES)),
)
NFD.quirk(
    "MARK-ORDER-OF-UNICODE-9: Marks assigned after Unicode 9.0 are not reordered",
    "In all four forms a mark that was assigned after Unicode 9.0 counts as a character of class 0: it is not moved, and marks on its two sides are not sorted across it.",
    "One would expect U+1ABF to come before U+0301. The classes are of Unicode 9.0 (crate unicode-normalization-alignments).",
    normalizing(FORMS["NFD"], *(f"a\u0301{char}\u0323b" for char in LATER_MARKS)),
    [normalizing(FORMS[name], "a\u0301\u0325|a\u0301\u1abf", "e\u1abf\u0301") for name in FORMS],
)
NFKC.quirk(
    "DECOMPOSITIONS-OF-UNICODE-9: Characters assigned after Unicode 9.0 do not decompose",
    "In NFKC and NFKD a character that was assigned after Unicode 9.0 stays: U+32FF, U+A7F2 and U+1FBF0 do not become \u4ee4\u548c, C and 0.",
    "One would expect the Unicode version of the other parts. The tables are of Unicode 9.0 (crate unicode-normalization-alignments).",
    [normalizing(FORMS[name], "\u32fe\u32ff\ua7f2") for name in ("NFKC", "NFKD")],
    normalizing(FORMS["NFKC"], *(f"x{char}y" for char in LATER_DECOMPOSITIONS)),
    normalizing(FORMS["NFKD"], LATER_DECOMPOSITIONS),
)

# StripAccents --------------------------------------------------------------------------------------------------------

STRIP_ACCENTS = Area(
    "normalizers.StripAccents",
    "StripAccents",
    "normalize",
    "Removes combining marks. It decomposes nothing, so files put NFD or NFKD before it. It has no options.",
)
MARKS: Final = component("StripAccents")

STRIP_ACCENTS.requirement(
    "STRIPACCENTS-MARKS: Marks that stand alone are removed",
    "Every character of the general category M is removed, wherever it stands; all other characters stay.",
    "Ports remove U+0300 to U+036F only, or only marks that follow a letter.",
    normalizing(
        MARKS,
        *row(
            "e\u0301x•e\u0301\u0302\u0323x•\u0301x•x\u0301•a\u0301b\u0302c•\u304b\u3099•\u05e9\u05c1•"
            "\u0627\u064b•1\u20e3•a\ufe0f\u200d•\U0001d165x•\U000e0100x•\u0301\u0301x\u0301y\u0301\u0301"
        ),
    ),
)
STRIP_ACCENTS.requirement(
    "STRIPACCENTS-NO-MARKS: Modifier letters and symbols are no marks",
    "Spacing accents, modifier letters, modifier symbols, joiners and skin tones are not of category M, and stay.",
    "Ports take names or ranges such as U+02B0 to U+036F for the category.",
    normalizing(
        MARKS,
        *(
            f"a{char}"
            for char in "^`\u00a8\u00b4\u02b0\u02c7\u02ff\u0370\u1d2c\u200c\u200d\u309b\uff9e\U0001f3fb\u034f"
        ),
    ),
)
STRIP_ACCENTS.edge(
    "STRIPACCENTS-RANGES: Which characters are marks",
    "Marks are the characters of the categories Mn, Mc and Me of Unicode 9.0.",
    "Ports take the Unicode version of their own language, or Mn alone.",
    [normalizing(MARKS, each) for each in chunks(edges_of(marks_9()), 44, "a")],
)
STRIP_ACCENTS.requirement(
    "STRIPACCENTS-AFTER-DECOMPOSITION: After NFD or NFKD, accents of composed letters go",
    "In a Sequence after NFD or NFKD, StripAccents removes the marks that these bring; after NFC or NFKC, only marks that are left over.",
    "ALBERT and other files have NFKD, StripAccents and Lowercase in this order; ports run StripAccents first.",
    [
        normalizing([FORMS[name], MARKS], "\u00e9", "e\u0301", "\u1ec7\ufb01", "\uac01", "\u304c", "x\u0301\u00e9y")
        for name in FORMS
    ],
    normalizing([MARKS, FORMS["NFD"]], "\u00e9e\u0301"),
    normalizing([FORMS["NFKD"], MARKS, component("Lowercase")], "\u00c9\uff21\u0130"),
    links=("https://github.com/huggingface/tokenizers/issues/1496",),
)
STRIP_ACCENTS.requirement(
    "STRIPACCENTS-NOTHING-LEFT: A text of marks becomes empty",
    "A text of nothing but marks becomes the empty text, from which no token comes.",
    "Ports keep a mark at the start of the text, where it has no letter.",
    normalizing(MARKS, ("\u0301", "e\u0301"), ("\u0301\u0903\u20dd", "b"), ("", "\u0301a")),
)
STRIP_ACCENTS.requirement(
    "STRIPACCENTS-OFFSETS: What is left keeps its offsets",
    "The characters that are left keep their offsets; those of removed marks belong to no token, also at the start.",
    "Ports shift offsets by the removed marks, or let a letter cover its marks.",
    [normalizing(MARKS, f"{char}\u0301{char}\u0903\u0301{char}") for char in WIDTHS],
    normalizing(MARKS, "\u0301\u0302a\u0301b", "a\u0301\u0301\u0301b\u0301", "\u0301a\u0301\u00e9", "\U000e0100a"),
    features=("offsets",),
)
STRIP_ACCENTS.quirk(
    "STRIP-ACCENTS-DECOMPOSES-NOTHING: Composed letters keep their accents",
    "StripAccents alone leaves composed letters as they are: \u00e9 (U+00E9) stays, e with U+0301 becomes e.",
    "One would expect \u00e9 to become e, as under BertNormalizer's strip_accents.",
    normalizing(MARKS, "\u00e9e\u0301", "\u00e9", "\u1ec7\u0323", "\u304c", "\uac01", "\u0439", "\u00c5\u212b"),
    links=("https://github.com/huggingface/tokenizers/issues/1496",),
)
STRIP_ACCENTS.quirk(
    "STRIP-ACCENTS-REMOVES-ALL-MARKS: Spacing and enclosing marks go too",
    "StripAccents removes spacing marks (Mc) and enclosing marks (Me) too, so vowel signs of Indic scripts vanish.",
    "One would expect accents only (Mn), as under BertNormalizer's strip_accents.",
    normalizing(
        MARKS,
        "\u0915\u0903 \u0915\u0940 1\u20dd",
        *(f"a{char}b" for char in "\u0903\u093e\u0940\u0488\u0489\u20dd\u20e0\ua670\u302e\U0001d165\u0bbe\u1031"),
    ),
)
STRIP_ACCENTS.quirk(
    "STRIP-ACCENTS-OF-UNICODE-9: Marks assigned after Unicode 9.0 are not stripped",
    "Marks assigned after Unicode 9.0 (U+1ABF, U+1DF9, U+08D3, U+0AFA, U+1E130) stay.",
    "One would expect the Unicode version of the other parts. The table is of Unicode 9.0 (crate unicode-normalization-alignments).",
    normalizing(
        MARKS,
        "a\u1abe|a\u1abf|a\u1df9",
        *(f"a{char}b" for char in LATER_MARKS),
        *(f"a{char}b" for char in "\u0afa\u0c04\u1734\u1715\u1cf7\u180f\U00011d31\U00011f03"),
    ),
)

# Lowercase -----------------------------------------------------------------------------------------------------------

LOWER = Area(
    "normalizers.Lowercase",
    "Lowercase",
    "normalize",
    "Replaces each character by its full lowercase mapping. It has no options.",
)
LOWERCASE: Final = component("Lowercase")
LOWERED: Final = [chr(code_point) for code_point in lowercase_table()]

LOWER.requirement(
    "LOWERCASE-LETTERS: Capital letters of every script become small",
    "Each character is replaced by its lowercase mapping; characters without one stay. The mapping of a language or of the host plays no part: I always becomes i.",
    "Ports lower ASCII alone, or use the locale (Turkish I).",
    normalizing(
        LOWERCASE,
        *row(
            "Hello WORLD•@AZ[`az{•\u00bf\u00c0\u00d6\u00d7\u00d8\u00de\u00df\u00e0•Iii\u0131•"
            "\u0391\u03a9 \u1f88 \u1fbc•\u0410\u042f\u0401\u0430•\u0531\u0556•\u10a0\u10d0\u1c90\u1cbf•"
            "\u13a0\u13ef\u13f0\u13f5\uab70•\u24b6\u24cf\u2160\u216f\u2183•\uff21\uff3a\uff41•"
            "\U00010400\U00010427\U00010428•\U0001e900\U0001e921•\u4e2d\u3042\U0001f600123.,!•\u01c4\u01c5\u01c6•"
            "\u2126\u212a\u212b"
        ),
    ),
)
LOWER.requirement(
    "LOWERCASE-NO-FOLDING: Lowercase is no case folding",
    "Characters whose case folding differs from their lowercase mapping take the mapping: \u00df and \u017f stay, \u1e9e becomes \u00df, \ufb01 stays, \u03c2 stays.",
    "Ports use casefold(), which is at hand where Unicode-aware comparison is.",
    normalizing(
        LOWERCASE, *(f"a{char}B" for char in "\u00df\u1e9e\u017f\ufb01\u03c2\u00b5\u0149\u0345\u0390\u1e96\u13f8\u1c80")
    ),
)
LOWER.requirement(
    "LOWERCASE-EXPANSION: One character may become two",
    "\u0130 (U+0130) becomes i and U+0307; both have its offsets, and what follows keeps its own.",
    "Ports use the simple mapping (i alone), or lower the whole text first and so shift later offsets.",
    normalizing(LOWERCASE, "\u0130", "a\u0130b", "\u0130\u0130X", "\u0130\u0307", "I\u0307x", "X\u0130"),
    [normalizing(LOWERCASE, f"{char}\u0130{char}A") for char in WIDTHS],
)
LOWER.edge(
    "LOWERCASE-TABLE: All characters that have another lowercase form",
    "The mapping is that of Unicode 17.0, for every character that has one; neighbouring code points stay.",
    "Ports with older data leave capitals of younger scripts as they are.",
    [normalizing(LOWERCASE, each) for each in chunks(sorted({*LOWERED, *edges_of(from_characters(LOWERED))}), 48, "")],
)
LOWER.requirement(
    "LOWERCASE-OFFSETS: Offsets where the width in UTF-8 changes",
    "A character and its small letter have the same offsets, also where they take different numbers of bytes.",
    "Offsets kept in bytes of the original break at U+212A (3 bytes, then 1), U+023A (2, then 3) and U+1E9E (3, then 2).",
    normalizing(
        LOWERCASE,
        *row(
            "\u212aX•\u023aX\u023eX•\u1e9eX•\u2126\u212bX•\u13a0X\U00010400X•\u2c62\u2c64\u2c6dX•\ua78dX\ua7aaX•"
            "x\u0130\u212a\u023aX"
        ),
    ),
    features=("offsets",),
)
LOWER.requirement(
    "LOWERCASE-EMPTY: Empty text, and text without capitals",
    "An empty text stays empty and a text without capitals stays as it is, with its offsets.",
    "Ports return nothing, or rebuild alignments, where nothing changes.",
    normalizing(LOWERCASE, ("", "A"), "abc", "\u00e9\u00df", "e\u0301"),
)
LOWER.quirk(
    "LOWERCASE-HAS-NO-FINAL-SIGMA: A sigma at the end of a word has no form of its own",
    "\u03a3 (U+03A3) becomes \u03c3 (U+03C3) everywhere, at the end of a word too, in Lowercase and in BertNormalizer.",
    "One would expect \u03c2, which the lowercase functions of most languages give for a whole text; here each character is lowered alone.",
    [
        normalizing(
            made,
            *row(
                "\u0391\u03a3•\u03a3•\u0391\u03a3 \u0391•\u0391\u03a3\u0391\u03a3.•"
                "\u039f\u0394\u039f\u03a3\u0301•\u03c2\u03a3"
            ),
        )
        for made in (LOWERCASE, _bert(lowercase=True))
    ],
)
LOWER.quirk(
    "LOWERCASE-OF-UNICODE-17: Letters of Unicode 17.0 are lowered",
    "Lowercase has the letters of Unicode 17.0: U+1C89 becomes U+1C8A, U+A7CE becomes U+A7CF, U+A7DC becomes U+019B, U+16EA0 becomes U+16EBB; BertNormalizer does the same.",
    "One would expect the version of the normal forms, which is 9.0, or the 16.0 of the regular expressions. Case comes from the standard library of Rust.",
    [
        normalizing(
            made,
            "\u1c89\ua7ce\ua7dc\U00016ea0",
            *"\u1c89\ua7ce\ua7d2\ua7d4\ua7da\ua7dc\ua7cb\ua7cc\ua7c0\ua7d0\u2c2f\U00016ea0\U00016eb8\U00010d50\U00010d65\U00010570",
        )
        for made in (LOWERCASE, _bert(lowercase=True))
    ],
)

# Nmt -----------------------------------------------------------------------------------------------------------------

NMT_AREA = Area(
    "normalizers.Nmt",
    "Nmt",
    "normalize",
    'The clean-up that SentencePiece calls "nmt": it removes some controls and makes spaces of some blanks. It has no options.',
)
NMT: Final = component("Nmt")
NMT_BLANKS: Final = "\t\n\x0c\r\u1680\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd"

NMT_AREA.requirement(
    "NMT-REMOVES: Which controls are removed",
    "U+0001 to U+0008, U+000B, U+000E to U+001F, U+007F, U+008F and U+009F are removed, and nothing else is.",
    "Ports remove all of Cc, or the whole range U+007F to U+009F.",
    normalizing(
        NMT,
        *(
            _around(*edges(*each))
            for each in ((1, 8), (0xB, 0xB), (0xE, 0x1F), (0x7F, 0x7F), (0x8F, 0x8F), (0x9F, 0x9F))
        ),
    ),
    normalizing(NMT, *(f"a{chr(code_point)}b" for code_point in (*range(0x20), *range(0x7E, 0xA1)))),
)
NMT_AREA.requirement(
    "NMT-SPACES: Which characters become spaces",
    "U+0009, U+000A, U+000C, U+000D, U+1680, U+200B to U+200F, U+2028, U+2029, U+2581, U+FEFF and U+FFFD become one U+0020 each.",
    "Ports make spaces of all white space, collapse CR LF, or forget U+2581, so that a text can hold the mark of Metaspace.",
    normalizing(NMT, *(f"a{char}b" for char in NMT_BLANKS)),
    normalizing(NMT, "a\r\nb", "\u200b\u200b", " \u2581 ", "\ufeffa"),
    normalizing(
        NMT,
        *(
            _around(*edges(*each))
            for each in (
                (0x1680, 0x1680),
                (0x200B, 0x200F),
                (0x2028, 0x2029),
                (0x2581, 0x2581),
                (0xFEFF, 0xFEFF),
                (0xFFFD, 0xFFFD),
            )
        ),
    ),
)
NMT_AREA.requirement(
    "NMT-OTHERS: All other characters stay",
    "Letters, accents, case, soft hyphens, private use and all other format characters stay as they are.",
    "SentencePiece's rule of this name also has NFKC; ports take the one for the other.",
    normalizing(
        NMT, *(f"A{char}b" for char in "\u00c9\u0301\u00ad\ufb01\uff21\ue000\u2060\u061c\u180e\u202a\u0378\U000e0001")
    ),
)
NMT_AREA.requirement(
    "NMT-NOTHING-LEFT: A text of controls becomes empty",
    "A text of nothing but removed controls becomes the empty text, from which no token comes; one of blanks becomes spaces.",
    "Ports leave a space for what they remove.",
    normalizing(NMT, ("\x01\x1f\x7f", "a\x01"), ("", "a\t"), "\t\n"),
)
NMT_AREA.requirement(
    "NMT-OFFSETS: Offsets where controls are removed",
    "What is left keeps its offsets; a space has those of the character that it stands for.",
    "Ports shift offsets by the removed controls.",
    [normalizing(NMT, f"\x01{char}\x02\x03{char}\u200b{char}\x0b") for char in WIDTHS if char != "\x7f"],
    normalizing(NMT, "\x01a\x7fb\x02", "\u2581a\u2581\x01b", "\x01\x02\u3000a"),
    features=("offsets",),
)
NMT_AREA.quirk(
    "NMT-KEEPS-NUL: U+0000 stays",
    "Nmt removes the controls from U+0001 on; U+0000 stays.",
    "One would expect U+0000 to go with its neighbours; the list of SentencePiece begins at 1, since NUL ends a string there.",
    normalizing(NMT, "a\x00b\x01c", "\x00", "\x00\x01\x00", "a\x00"),
)
NMT_AREA.quirk(
    "NMT-TREATS-VERTICAL-TAB-AND-FORM-FEED-UNLIKE: U+000B is removed, U+000C becomes a space",
    "Nmt removes U+000B and makes a space of U+000C.",
    "One would expect the two, which are both white space, to be treated alike.",
    normalizing(NMT, "a\x0bb\x0cc", "a\x0b\x0cb", "a\x0c\x0bb", "\x0c", "x\x0b"),
)
NMT_AREA.quirk(
    "NMT-MAKES-SPACES-OF-JOINERS: Joiners and direction marks become spaces",
    "Nmt makes spaces of U+200B to U+200F, the joiners U+200C and U+200D among them, and so breaks emoji sequences and clusters of Indic and Persian text.",
    "One would expect joiners to stay, since they change what is written.",
    normalizing(
        NMT,
        *row(
            "\U0001f469\u200d\U0001f680•\u0645\u06cc\u200c\u062e•\u0915\u094d\u200d\u0937•a\u200eb\u200fc•"
            "\u200b\u200c\u200d"
        ),
    ),
)
NMT_AREA.quirk(
    "NMT-LEAVES-MOST-SPACES: U+00A0, U+2000 to U+200A and U+3000 stay",
    "Nmt does not touch U+0085, U+00A0, U+2000 to U+200A, U+202F, U+205F and U+3000, though it makes spaces of rarer blanks.",
    "One would expect all white space to become a space.",
    normalizing(
        NMT, "a\u1680b\xa0c\u2003d\u3000e", *(f"a{char}b" for char in "\x85\u00a0\u2000\u2003\u200a\u202f\u205f\u3000")
    ),
)

# Replace -------------------------------------------------------------------------------------------------------------

REPLACE = Area(
    "normalizers.Replace",
    "Replace",
    "normalize",
    "Puts `content` in the place of every match of `pattern`, an object with one member: `String` is a literal, `Regex` a regular expression of Oniguruma. The content is a literal.",
)


def _replace(literal: str, content: str) -> Document:
    return component("Replace", pattern={"String": literal}, content=content)


def _substitute(expression: str, content: str) -> Document:
    return component("Replace", pattern={"Regex": expression}, content=content)


REPLACE.requirement(
    "REPLACE-LITERAL: Every occurrence of a literal is replaced",
    "Every occurrence of the literal is replaced by the content, from the left, without overlaps.",
    "Ports replace the first occurrence only (as JavaScript's replace() with a string does), or search from the right.",
    normalizing(_replace(" ", "\u2581"), "a b  c ", " ", "ab", ("", " a")),
    normalizing(_replace("aa", "b"), "aaaaa", "aa", "a", "aaa", "xaaxaay"),
    normalizing(_replace("``", '"'), "``a``", "```a", "`a````"),
    normalizing(_replace("aba", "x"), "ababa", "abaaba", "abab"),
    normalizing(_replace("abc", "x"), "ababc", "abcab", "ab", "abcabc"),
)
REPLACE.requirement(
    "REPLACE-LITERAL-IS-NO-PATTERN: A literal has no special characters",
    "The characters of a String pattern stand for themselves, those that mean something in regular expressions too.",
    "Ports hand the literal to a regular expression, or escape some of the special characters only.",
    [
        case(
            lettered(_replace(literal, "-"), f"a{literal}b{literal}", "abnd01 \n"),
            asked(f"a{literal}b{literal}", "abnd01 \n"),
        )
        for literal in (
            *".*+?()[]{}|^$\\#&-~/ ",
            *row(".*•[a]•(b)•a|b•^a•b$•\\d•\\n•\\\\•a{2}•(?i)A•(?#x)•\\Qa\\E•[[:alpha:]]•$1"),
        )
    ],
)
REPLACE.requirement(
    "REPLACE-LITERAL-EXACT: A literal matches code point by code point",
    "A literal matches the same code points only: case, width and normal form count.",
    "Ports compare by collation or by grapheme clusters (Swift), where \u00e9 equals e with U+0301, and e does not match before U+0301.",
    normalizing(_replace("\u00e9", "x"), "\u00e9e\u0301\u00c9"),
    normalizing(_replace("e\u0301", "x"), "\u00e9e\u0301e\u0300"),
    normalizing(_replace("e", "x"), "e\u0301e\u00e9E"),
    normalizing(_replace("\u0301", "x"), "e\u0301\u00e9\u0301"),
    normalizing(_replace("a", "x"), "aA\uff41\u0430"),
    normalizing(_replace("\r", "x"), "\r\n\n\r"),
    normalizing(_replace("\n", "x"), "\r\n\n\r"),
    normalizing(_replace("\u1100", "x"), "\u1100\u1161\uac00"),
    normalizing(_replace("\U0001f468", "x"), "\U0001f468\u200d\U0001f469\U0001f468\U0001f3fb"),
    normalizing(_replace("\U0001f1e9", "x"), "\U0001f1e9\U0001f1ea\U0001f1e9\U0001f1e9"),
    normalizing(_replace("\x00", "x"), "a\x00b\x00"),
)
REPLACE.requirement(
    "REPLACE-CONTENT-IS-LITERAL: The content is put in as it stands",
    "The content is a literal for both kinds of pattern: it has no references to groups and no escapes.",
    "Substitution functions of most languages read $1, \\1, \\0, & or ${name} in the content.",
    [
        normalizing(made, "abc")
        for content in ("$1", "$0", "\\1", "\\0", "\\g<1>", "${x}", "$&", "$$", "&", "%s", "\\n", "{}")
        for made in (_substitute("(?<x>b)", content), _replace("b", content))
    ],
)
REPLACE.requirement(
    "REPLACE-EMPTY-CONTENT: An empty content removes the matches",
    "Where the content is empty, the matches are removed; a text of which nothing is left gives no token.",
    "Ports take an empty content for a missing one, and leave the text alone.",
    normalizing(_replace("b", ""), "abc", "bbabb", ("b", "a"), ("bbb", "ab"), ("", "ab")),
    normalizing(_substitute("[bc]+", ""), "abcd", "bcabc", ("bc", "a"), "xbycz"),
)
REPLACE.requirement(
    "REPLACE-NOT-AGAIN: What was put in is not searched again",
    "The content, and what comes together at its ends, is not searched again.",
    "Ports loop until nothing matches, which never ends where the content holds the pattern.",
    normalizing(_replace("a", "aa"), "aba", "aaa"),
    normalizing(_replace("ab", "b"), "aab", "aabb"),
    normalizing(_replace("ab", ""), "aabb", ("abab", "aabbab")),
    normalizing(_replace("  ", " "), "a    b", "a   b"),
    normalizing(_substitute("a+", "aaa"), "baab"),
)
REPLACE.requirement(
    "REPLACE-REGEX: Every match of a regular expression is replaced",
    "Every match of a Regex pattern is replaced by the content, from the left, without overlaps; the first alternative that fits counts, and a repetition takes as much as it can.",
    "Ports replace the first match only, take the longest alternative (POSIX), or anchor the expression.",
    normalizing(_substitute(" {2,}", " "), "a  b   c d", "  a  ", " "),
    normalizing(_substitute("\\s+", " "), "a\t\nb\u3000 c", "\x1ca"),
    normalizing(_substitute("[0-9]+", "0"), "a12b3c", "123"),
    normalizing(_substitute("a|ab", "x"), "abab"),
    normalizing(_substitute("ab|a", "x"), "aabab"),
    normalizing(_substitute("a+?", "x"), "aaab"),
    normalizing(_substitute("(?<=a)b", "x"), "abbab"),
    normalizing(_substitute("b(?=c)", "x"), "bcbbc"),
    normalizing(_substitute("(?i)a", "x"), "aAbB"),
    normalizing(_substitute(".", "x"), "a\nb\U0001f600\u00e9"),
    normalizing(_substitute("\\p{L}", "x"), "a1\u00e9\u4e2d!\U00010400"),
    normalizing(_substitute("^a", "x"), "aab\na", "ba"),
    normalizing(_substitute("a$", "x"), "aa\na", "a\n", "ab"),
    normalizing(_substitute("(a)(b)?", "x"), "abaab"),
)
REPLACE.edge(
    "REPLACE-EMPTY-MATCHES: Matches of nothing insert",
    "A match of the empty string inserts the content there; directly after another match the empty string does not match.",
    "Engines differ: Python's re matches the empty string after a match too (x* on axb gives -a--b-).",
    normalizing(_substitute("x*", "-"), "axb", "xx", "abxx", "xxab"),
    normalizing(_substitute("(?=b)", "-"), "abab", "b"),
    normalizing(_substitute("(?<=b)", "-"), "abab", "ab"),
    normalizing(_substitute("$", "-"), "ab", "a\n", "\n"),
    normalizing(_substitute("^", "-"), "ab", "a\nb"),
    normalizing(_substitute("\\b", "-"), "a b", "ab"),
    normalizing(_substitute("a?", "-"), "baac"),
    normalizing(_substitute("", "-"), "ab", "\u00e9\U0001f600"),
    normalizing(_substitute("(?=b)", ""), "abab"),
)
REPLACE.requirement(
    "REPLACE-OFFSETS-ONE-FOR-ONE: A character put in for a character has its offsets",
    "Where a character is replaced by one, the new one has the offsets of the old one, of whatever width both are; all others keep theirs.",
    "Ports move offsets by the difference of the widths in UTF-8: \u2581 takes three bytes, the space one.",
    [
        normalizing(_replace(old, new), f"x{old}y{old}{old}z")
        for old, new in product((*WIDTHS, " "), (*WIDTHS, "\u2581"))
        if old != new
    ],
    features=("offsets",),
)
REPLACE.requirement(
    "REPLACE-OFFSETS-LENGTHS: Offsets where the length changes",
    "Behind a replacement of any length all characters keep their offsets in the original text.",
    "Ports add the difference of the lengths once, or for the first match only.",
    [
        normalizing(_replace(old, new), f"x{old}y{old}{old}z", old)
        for old in ("a", "ab", "abc", "\u00e9\U00010000")
        for new in ("-", "--", "-\u2581-", "\u07ff\u0800\uffff\U00010000")
    ],
    [normalizing(_replace("ab", ""), f"{char}ab{char}abab{char}") for char in WIDTHS],
    [normalizing(_replace("a", "\u2581--"), f"{char}a{char}aa{char}") for char in WIDTHS],
    features=("offsets",),
)
REPLACE.edge(
    "REPLACE-SAME: A match that is replaced by itself",
    "Where the content is what was matched, the text stays; a match of several characters takes the offsets of its last one all the same.",
    "Ports skip such a replacement, which keeps offsets that the target does not keep.",
    normalizing(_replace("a", "a"), "bab"),
    normalizing(_replace("ab", "ab"), "xaby", "abab"),
    normalizing(_substitute(" +", " "), "a b  c   d"),
    normalizing(_substitute("[ab]", "a"), "xabay"),
    features=("offsets",),
)
REPLACE.edge(
    "REPLACE-FILE: Which patterns a file may have",
    "The pattern is an object with one member, String or Regex, and content is there and a string; a regular expression that Oniguruma does not take is refused. A file where that is not so is refused.",
    "Ports take a bare string for a pattern, an absent content for the empty one, or find a bad expression only when it is used.",
    [
        case(lettered(_replace("a", "b"), "a"), asked("a"), refused(_with_normalizer(wrong)))
        for wrong in (
            _without(_replace("a", "b"), "content"),
            _without(_replace("a", "b"), "pattern"),
            {**_replace("a", "b"), "content": None},
            {**_replace("a", "b"), "content": 1},
            {**_replace("a", "b"), "pattern": "a"},
            {**_replace("a", "b"), "pattern": {}},
            {**_replace("a", "b"), "pattern": {"String": "a", "Regex": "a"}},
            {**_replace("a", "b"), "pattern": {"Literal": "a"}},
            {**_replace("a", "b"), "pattern": {"String": None}},
            _substitute("(", "b"),
            _substitute("[", "b"),
            _substitute("*", "b"),
            _substitute("a{2,1}(", "b"),
        )
    ],
    features=("load",),
)
REPLACE.edge(
    "REPLACE-SAVED: What is written to a file",
    "The pattern is written as it was read, as String or Regex, a literal without escapes, and the content beside it.",
    "Ports write the escaped form of a literal, or every pattern as Regex.",
    [
        case(_with_normalizer(made), saved())
        for made in (
            _replace(".*", "$1"),
            _replace("", ""),
            _replace('\u00e9"\\\n', "\u2581"),
            _substitute("\\s+", " "),
            _substitute("", "-"),
            _substitute("\u00e9|\\p{L}(?=a)", ""),
        )
    ],
    features=("save",),
)
REPLACE.quirk(
    "EMPTY-STRING-MATCHES-IN-COMPONENTS-ONLY: An empty literal matches between all characters",
    "An empty String pattern matches before, between and after all characters, as an empty regular expression does, and puts the content there.",
    "One would expect it to match nothing or to be refused; the method NormalizedString.replace of the target's Python API does match nothing.",
    normalizing(_replace("", "-"), "ab", "\u00e9\U0001f600e\u0301", "a"),
    normalizing(_replace("", "xy"), "ab"),
    normalizing(_replace("", ""), "ab", "\u00e9x"),
)
REPLACE.quirk(
    "EMPTY-TEXT-HAS-NO-MATCH: Nothing matches in an empty text",
    "In an empty text nothing matches, not even a pattern that matches the empty string: it stays empty.",
    "One would expect ^, $ and x* to match once and to put in the content.",
    [
        normalizing(made, ("", "ab"))
        for made in (
            _substitute("^", "-"),
            _substitute("$", "-"),
            _substitute("x*", "-"),
            _substitute("", "-"),
            _replace("", "-"),
        )
    ],
)

# Prepend -------------------------------------------------------------------------------------------------------------

PREPEND_AREA = Area(
    "normalizers.Prepend",
    "Prepend",
    "normalize",
    "Puts the string `prepend` before the text. The field stands in every file; a tokenizer made through the library has U+2581 there.",
)


def _prepend(prefix: str) -> Document:
    return component("Prepend", prepend=prefix)


PREPEND: Final = _prepend("\u2581")

PREPEND_AREA.requirement(
    "PREPEND-TEXT: The string comes before the text",
    "The string is put before the first character of the text, once, whatever the text begins with.",
    "Ports leave it out where the text begins with it, or with a space.",
    normalizing(PREPEND, "a", "ab c", "\u2581a", " a", "\n", "\u0301a", "\U0001f600"),
    normalizing(_prepend("xyz"), "a", "xyz", "xyza"),
    normalizing(_prepend(" "), "a", " a"),
    normalizing(_prepend("\u00e9\U0001f600"), "a\u00e9"),
)
PREPEND_AREA.requirement(
    "PREPEND-LLAMA: Before a Replace of spaces",
    "In a Sequence, what was prepended is text for the normalizers that follow.",
    "Files of Llama have Prepend and then Replace of the space; ports that take the pair for Metaspace go wrong on leading spaces.",
    normalizing([PREPEND, _replace(" ", "\u2581")], "Hello world", " a", "  a b ", ("", "a"), " "),
    normalizing([_replace(" ", "\u2581"), PREPEND], "Hello world", " a", "\u2581a"),
    normalizing([_prepend(" "), _replace(" ", "\u2581")], "a b", " a"),
    normalizing([_prepend("A"), LOWERCASE], "Bc", "\u0130"),
    normalizing([_prepend(" "), component("Strip", strip_left=True, strip_right=True)], "a ", " b"),
    normalizing([_prepend("e"), FORMS["NFC"]], "\u0301x"),
    normalizing([PREPEND, PREPEND], "a"),
)
PREPEND_AREA.requirement(
    "PREPEND-PAIR: Both texts of a pair get it",
    "In a pair the string is put before each of the two texts that is not empty; in a batch before each text.",
    "Ports prepend to the first text only.",
    case(lettered(PREPEND, "ab"), pair("a", "b")),
    case(lettered(PREPEND, "ab"), pair("a", ""), pair("", "b")),
    case(lettered(PREPEND, "ab"), pair("a", "b"), batch("a", "", "b")),
    features=("pair",),
)
PREPEND_AREA.requirement(
    "PREPEND-WORDS: Each word of a text that was split before gets it",
    "Where the input is words, the string is put before each word that is not empty.",
    "Ports join the words, or prepend to the first word only.",
    [
        case(lettered(PREPEND, "ab\u00e9"), words(*each))
        for each in ([["a", "b"]], [["a", "", "b"]], [["\u00e9a", "b\u00e9", "a"]], [["\u2581a"]])
    ],
    features=("pre_split",),
)
PREPEND_AREA.edge(
    "PREPEND-FILE: The field must be there",
    "A file is refused whose Prepend lacks prepend, or has anything but a string there.",
    "Ports take U+2581 where the field is missing.",
    [
        case(lettered(PREPEND, "a"), asked("a"), refused(_with_normalizer(wrong)))
        for wrong in (_without(PREPEND, "prepend"), {**PREPEND, "prepend": None}, {**PREPEND, "prepend": 1})
    ],
    features=("load",),
)
PREPEND_AREA.edge(
    "PREPEND-SAVED: What is written to a file",
    "The string is written, the empty one too.",
    "Ports leave fields out that have their defaults, or write the names of their own configuration.",
    [case(_with_normalizer(_prepend(prefix)), saved()) for prefix in ("\u2581", "", " ", "x\u00e9")],
    features=("save",),
)
PREPEND_AREA.quirk(
    "PREPENDING-TO-NOTHING-DOES-NOTHING: An empty text stays empty",
    "Nothing is put before an empty text, also where normalizers before have emptied it: no token comes out.",
    "One would expect the string alone, as concatenation gives it.",
    normalizing(PREPEND, ("", "a")),
    normalizing([_strip(), PREPEND], ("  ", "a"), (" \n", " a ")),
    normalizing([_replace("a", ""), PREPEND], ("aa", "ab")),
    normalizing([CLEAN, _prepend("xy")], ("\x00", "\x00a")),
    normalizing(_prepend("xyz"), ("", "x")),
    links=("https://github.com/huggingface/tokenizers/pull/2339",),
)
PREPEND_AREA.quirk(
    "NORMALIZERS-SEE-PIECES: Normalizers see each piece between added tokens by itself",
    "The text is cut at added tokens first (those that are looked for before normalization), and each piece between them is normalized by itself: Prepend prepends to every piece, Strip strips every piece, and anchors of Replace match at the ends of every piece. Added tokens themselves are not normalized.",
    "One would expect the text to be normalized as a whole, so that Prepend acts once.",
    [
        case(
            lettered(made, "a <s>b \u00e9E e\u0301Ss\u2581_", added_tokens=_special("<s>")), encode(text, special=False)
        )
        for made in (
            PREPEND,
            _prepend("_"),
            _strip(),
            [_strip(), PREPEND],
            LOWERCASE,
            FORMS["NFC"],
            _substitute(" $", "_"),
            _substitute("^a", "_"),
        )
        for text in ("a<s>b", "a <s> b", "<s>a<s>", "<s><s>E e<s>\u0301 ", "b <s> <s>")
    ],
)
PREPEND_AREA.quirk(
    "PREPENDED-TEXT-ALIGNED-TO-FIRST-CHARACTER: What is prepended has the offsets of the first character",
    "All characters that are prepended have the offsets of the first character of the text, which keeps its own: two or more tokens begin at 0. The same holds where the pre-tokenizers Metaspace and ByteLevel prepend.",
    "One would expect empty offsets (0, 0), or none.",
    normalizing(PREPEND, "ab", "\u00e9b"),
    [normalizing(_prepend("x\u00e9\u2581"), f"{char}a{char}") for char in WIDTHS],
    [normalizing(_prepend(prefix), "ab\u00e9") for prefix in WIDTHS],
    case(
        lettered(PREPEND, "ab<s>", added_tokens=_special("<s>")),
        encode("a<s>ba", special=False),
        encode("\u00e9<s>ba", special=False),
    ),
    [
        case(tokenizer(characters("ab\u2581\u0120\u00e9\u00c3\u00a9"), pre_tokenizer=made), encode(text, special=False))
        for made in (
            component("Metaspace", replacement="\u2581", prepend_scheme="always", split=True),
            component("ByteLevel", add_prefix_space=True, trim_offsets=False, use_regex=True),
        )
        for text in ("ab", "\u00e9a", "a b")
    ],
    case(
        tokenizer(bpe([UNKNOWN, *"ab\u2581"], ["\u2581 a", "\u2581a b"], unk_token=UNKNOWN), normalizer=PREPEND),
        asked("ab", "ba", "aab"),
    ),
    features=("offsets",),
)
PREPEND_AREA.quirk(
    "PREPENDING-NOTHING-UNALIGNS-FIRST-CHARACTER: An empty prepend takes the offsets of the first character away",
    "Where prepend is the empty string, the text stays as it is, but its first character gets empty offsets at the start of its piece.",
    "One would expect nothing to change.",
    normalizing(_prepend(""), "ab", "a", "\u00e9b", "\U0001f600b"),
    case(lettered(_prepend(""), "ab", added_tokens=_special("<s>")), encode("ab<s>ba", special=False)),
    case(
        lettered(
            _prepend(""),
            "ab",
            pre_tokenizer=component("ByteLevel", add_prefix_space=False, trim_offsets=False, use_regex=False),
        ),
        asked("a", "ab"),
    ),
    features=("offsets",),
)

# ByteLevel -----------------------------------------------------------------------------------------------------------

BYTE_LEVEL = Area(
    "normalizers.ByteLevel",
    "ByteLevel",
    "normalize",
    "Writes every byte of the text's UTF-8 form as one character of GPT-2's byte alphabet. It has no options.",
)
BYTES: Final = component("ByteLevel")

BYTE_LEVEL.requirement(
    "BYTELEVELNORM-ALPHABET: The character of each byte",
    "The bytes 0x21 to 0x7E, 0xA1 to 0xAC and 0xAE to 0xFF stand for the characters of the same number; the other 68 bytes, in order, for U+0100 to U+0143 (the space for U+0120).",
    "Ports are off by one at U+00AD or U+007F, or write bytes as Latin-1.",
    [
        normalizing(BYTES, "".join(map(chr, range(start, start + 32))))
        for start in (*range(0, 128, 32), 0x80, 0xA0, 0xC0, 0xE0)
    ],
    normalizing(
        BYTES, *(f"{chr(code_point)}" for code_point in (0x20, 0x21, 0x7E, 0x7F, 0xA0, 0xA1, 0xAC, 0xAD, 0xAE, 0xFF))
    ),
    [normalizing(BYTES, "".join(chr(lead << 6 | 0x2D) for lead in range(start, start + 10))) for start in (2, 12, 22)],
    [
        normalizing(BYTES, "".join(chr(lead << 12 | 0x96D) for lead in leads))
        for leads in (range(6), range(6, 13), (14, 15))
    ],
    normalizing(BYTES, "\u0100\u0120\u0143\U00010000\U00040000\U00080000\U000c0000\U0010ffff"),
)
BYTE_LEVEL.requirement(
    "BYTELEVELNORM-TEXT: Everyday text in bytes",
    "Every character becomes as many characters as it has bytes in UTF-8; nothing is put before the text and it is not cut.",
    "Ports take it for the pre-tokenizer of the same name and add a space or cut words.",
    normalizing(
        BYTES, *row("Hello world• a•caf\u00e9•\u4e2d\u6587•\U0001f600•a\n\tb•e\u0301"), ("", "a b"), "\u0120a", "it's"
    ),
)
BYTE_LEVEL.edge(
    "BYTELEVELNORM-TWICE: Applied to its own result",
    "ByteLevel takes the characters of its alphabet for text like any other, so a second one in a Sequence writes their bytes again.",
    "Ports keep what seems to be written in bytes already.",
    normalizing([BYTES, BYTES], " ", "\u00e9a", "ab"),
    normalizing([PREPEND, BYTES], "a"),
    normalizing([BYTES, LOWERCASE], "\u00c9A "),
    normalizing([BYTES, FORMS["NFC"]], "e\u0301 "),
    normalizing([BYTES, FORMS["NFKC"]], "\u00bd\u00aa"),
    normalizing([BYTES, _replace("\u0120", "_")], "a b"),
    normalizing([FORMS["NFD"], BYTES], "\u00e9"),
)
BYTE_LEVEL.requirement(
    "BYTELEVELNORM-OFFSETS: All bytes of a character have its offsets",
    "All characters that a character becomes have its offsets.",
    "Ports give the bytes after the first empty offsets, or count bytes.",
    [normalizing(BYTES, f"{char}a{char} {char}") for char in WIDTHS],
    normalizing(BYTES, "\u00e9\u4e2d\U0001f600 a", "a\u00e9" * 33, "\u00e9" * 64, "\u4e2d" * 65 + "a"),
    [
        normalizing([made, BYTES], "\u00c9\u4e2d e\u0301\u0130")
        for made in (BERT_DEFAULT, FORMS["NFC"], FORMS["NFD"], LOWERCASE, PREPEND)
    ],
    [
        case(
            tokenizer(bpe([UNKNOWN, *"\u00c3\u00a9\u0120ab"], merges, unk_token=UNKNOWN), normalizer=BYTES),
            asked("\u00e9", "a\u00e9b", "\u00e9\u00e9 a"),
        )
        for merges in (["\u00c3 \u00a9"], ["\u00a9 \u00c3"], ["\u00a9 b", "a \u00c3"])
    ],
    features=("offsets",),
)

# Sequence ------------------------------------------------------------------------------------------------------------

SEQUENCE = Area(
    "normalizers.Sequence",
    "Sequence",
    "normalize",
    "Applies the normalizers of its list `normalizers` one after the other, each to what the one before has left.",
)


def _sequence(*normalizers: Document) -> Document:
    return {"type": "Sequence", "normalizers": list(normalizers)}


STEPS: Final = {
    "bert": BERT_DEFAULT,
    "strip": _strip(),
    "marks": MARKS,
    "nfc": FORMS["NFC"],
    "nfkd": FORMS["NFKD"],
    "lowercase": LOWERCASE,
    "nmt": NMT,
    "literal": _replace("e", "\u0130 "),
    "expression": _substitute("\\s+", " "),
    "prepend": PREPEND,
    "bytes": BYTES,
}

SEQUENCE.requirement(
    "SEQ-ORDER: Every normalizer works on what the one before has left",
    "The normalizers are applied in the order of the list, and each sees the result of the one before; offsets are carried through all of them.",
    "Ports sort normalizers, apply each to the original text, or compute offsets against the text of the last one but one.",
    [
        normalizing(_sequence(STEPS[first], STEPS[second]), " \u00c9\u200b\tE\u0301\u0323\u4e2d\ufb01e\u0130\x01 ")
        for first, second in product(STEPS, repeat=2)
    ],
)
SEQUENCE.requirement(
    "SEQ-MADE: A Replace finds what the normalizers before it have made",
    "A Replace works on the result of the normalizers before it: what it looks for may come from several characters of the text, or from a part of what one became. Of several, each finds its own.",
    "Ports that remember what becomes of each character look for literals in the text as it was.",
    [
        normalizing(_sequence(*made), *texts)
        for made, texts in (
            ((LOWERCASE, _replace("ab", "x")), ("Ab",)),
            ((FORMS["NFKC"], _replace("fi", "x")), ("\ufb01",)),
            ((FORMS["NFKC"], _replace("ib", "x")), ("\ufb01b",)),
            ((_replace("ab", "x"), _replace("cd", "y")), ("ab", "cd")),
            ((_replace("ab", "X"), LOWERCASE, NMT), ("abA",)),
            ((_replace("a", "b"), _replace(" ", "a")), ("x y", "y x")),
            ((_prepend("a"), _replace("ab", "x")), ("bc",)),
            ((_prepend("a"), _prepend("b")), ("c",)),
            ((MARKS, _prepend("a")), (("\u0301", "b\u0301"),)),
        )
    ],
)
SEQUENCE.requirement(
    "SEQ-EMPTY: A Sequence of none, of one, and within another",
    "An empty Sequence changes nothing; one with a single normalizer does what that does; a Sequence inside a Sequence does what its normalizers do, at its place.",
    "Ports fail on an empty list, or apply inner sequences last.",
    normalizing(_sequence(), "A \u00e9", ("", "A")),
    normalizing(_sequence(LOWERCASE), "A\u0130"),
    normalizing(_sequence(_sequence(LOWERCASE)), "A\u0130"),
    normalizing(_sequence(_sequence()), "A"),
    normalizing(
        _sequence(_replace("a", "b"), _sequence(_replace("b", "c"), _replace("c", "d")), _replace("d", "e")), "abcde"
    ),
    normalizing(_sequence(_replace("a", "b"), _sequence(), _replace("b", "c")), "abc"),
    normalizing(_sequence(_replace("a", "b"), _replace("b", "a")), "abc"),
    normalizing(_sequence(_replace("b", "a"), _replace("a", "b")), "abc"),
)
SEQUENCE.requirement(
    "SEQ-PUBLISHED: Sequences of published tokenizers",
    "What widely used files have: NFKD, StripAccents and Lowercase (ALBERT, with its two Replace before); NFC, Replace of white space and Lowercase (CLIP); Prepend and Replace (Llama); Replace alone (Gemma).",
    "Ports special-case a tokenizer by its name and skip a step.",
    normalizing(
        _sequence(_replace("``", '"'), _replace("''", '"'), FORMS["NFKD"], MARKS, LOWERCASE, _substitute(" {2,}", " ")),
        "``Caf\u00e9''  \uff21\u0130 'x'",
        "  \ufb01  ",
        "``` '''",
    ),
    normalizing(
        _sequence(FORMS["NFC"], _substitute("\\s+", " "), LOWERCASE), "A  Photo\n of\te\u0301", " \u00c9 ", "\u0130  I"
    ),
    normalizing(_sequence(PREPEND, _replace(" ", "\u2581")), " a  b", "a\u2581b", "\u00e9 \U0001f600"),
    normalizing(_replace(" ", "\u2581"), " a  b", "a", "\u00e9 \U0001f600 "),
    normalizing(_sequence(FORMS["NFD"], LOWERCASE, MARKS), "H\u00c9llo h\u00f4w", "\u0130I\u0307", "\u1ec6"),
    normalizing(
        _sequence(NMT, FORMS["NFKC"], _substitute(" {2,}", " ")), "a\t\u3000b\x01 \uff23", "\u200b\u200b", "\ufeffx"
    ),
)
SEQUENCE.edge(
    "SEQ-EMPTIED: After everything was removed",
    "What one normalizer has emptied stays empty: no later normalizer puts text into it, and no token comes out.",
    "Ports apply Prepend, or an expression that matches nothing, to the empty text.",
    [
        normalizing(_sequence(_strip(), made), ("  ", " a "))
        for made in (
            PREPEND,
            LOWERCASE,
            FORMS["NFKC"],
            FORMS["NFD"],
            BYTES,
            NMT,
            MARKS,
            BERT_DEFAULT,
            _strip(),
            _substitute("$", "-"),
            _replace("", "-"),
        )
    ],
)
SEQUENCE.edge(
    "SEQ-FILE: The list must be there, with normalizers in it",
    "A file is refused whose Sequence lacks normalizers, or has there anything but a list of normalizers.",
    "Ports skip what they do not know.",
    [
        case(lettered(_sequence(LOWERCASE), "A"), asked("A"), refused(_with_normalizer(wrong)))
        for wrong in (
            {"type": "Sequence"},
            {"type": "Sequence", "normalizers": None},
            {"type": "Sequence", "normalizers": LOWERCASE},
            _sequence(component("Uppercase")),
            _sequence(LOWERCASE, _without(PREPEND, "prepend")),
            {"type": "Sequence", "normalizers": [None]},
            {"type": "Sequence", "normalizers": ["Lowercase"]},
            {"type": "Sequence", "pretokenizers": []},
        )
    ],
    features=("load",),
)
SEQUENCE.edge(
    "SEQ-SAVED: What is written to a file",
    "The normalizers are written in their order; a Sequence inside of a Sequence stays one, as does an empty one.",
    "Ports dissolve inner sequences, or write a list of one as the normalizer alone.",
    [
        case(_with_normalizer(made), saved())
        for made in (
            _sequence(),
            _sequence(LOWERCASE, FORMS["NFC"]),
            _sequence(FORMS["NFC"], LOWERCASE),
            _sequence(_sequence(LOWERCASE), _sequence()),
            _sequence(*STEPS.values()),
            *(_sequence(made) for made in (*FORMS.values(), NMT, MARKS, BYTES)),
            LOWERCASE,
        )
    ],
    features=("save",),
)

# Alignment -----------------------------------------------------------------------------------------------------------

ALIGNMENT = Area(
    "NormalizedString",
    "Alignment of normalized text",
    "normalize",
    "Each character of normalized text stands for a range of the original text, in code points, end exclusive. Normalizers carry these ranges along: a character that replaces one takes its range, an inserted one that of the character before it, and a removed character takes its range with it. The offsets of a token run from the start of its first character's range to the end of its last character's.",
)
SEVERAL: Final = {
    "kept": (LOWERCASE, "x"),
    "lowered": (LOWERCASE, "X"),
    "removed": (_replace("-", ""), "-"),
    "removed run": (_replace("-", ""), "---"),
    "expanded": (_replace("-", "abc"), "-"),
    "contracted": (_replace("---", "a"), "---"),
    "decomposed": (FORMS["NFD"], "\u1ec7"),
    "composed": (FORMS["NFC"], "e\u0323\u0302"),
    "ligature": (FORMS["NFKC"], "\ufb03"),
    "inserted": (_substitute("(?=-)", "ab"), "-"),
    "set apart": (BERT_DEFAULT, "\u4e2d"),
    "bytes": (BYTES, "\u4e2d"),
    "marks": (MARKS, "e\u0301\u0301"),
    "controls": (NMT, "\x01\x02"),
}

ALIGNMENT.requirement(
    "ALIGN-WIDTHS: Offsets count code points, whatever their width",
    "Offsets count code points of the original text: each character counts 1, whether it takes 1, 2, 3 or 4 bytes in UTF-8, or two units in UTF-16.",
    "Ports count UTF-8 bytes (Go, Rust, C++) or UTF-16 units (JavaScript, Swift's NSString, Java).",
    [normalizing(made, "".join(f"{char}{middle}" for char in WIDTHS) + "z") for made, middle in SEVERAL.values()],
    features=("offsets",),
)
ALIGNMENT.requirement(
    "ALIGN-PLACES: At the start, inside and at the end of the text",
    "A change has the same effect on offsets at the start, inside and at the end of the text, alone and twice in a row.",
    "Ports go wrong at the ends: no character before a removal, none behind an insertion.",
    [
        normalizing(
            made,
            f"{middle}yz",
            f"y{middle}z",
            f"yz{middle}",
            (middle, f"{middle}y"),
            (f"{middle}{middle}", f"y{middle}"),
            f"y{middle}{middle}z{middle}",
        )
        for name, (made, middle) in SEVERAL.items()
        if name != "inserted"
    ],
    features=("offsets",),
)
ALIGNMENT.requirement(
    "ALIGN-REMOVED: Removed text belongs to no token",
    "Where text is removed, the characters before and after it keep their offsets; those of the removed text belong to neither, unless a token has characters from both sides.",
    "Ports let the character before a removal, or behind it, cover what was removed.",
    [normalizing(_replace("-", ""), f"{before}a-b--c{after}") for before, after in product(("", "-", "--"), repeat=2)],
    [
        case(tokenizer(word_level(["abc"]), normalizer=_replace("-", "")), asked(text))
        for text in ("abc", "a-bc", "a--b-c", "-abc", "abc--", "--a-b-c-")
    ],
    [
        case(
            tokenizer(
                bpe([UNKNOWN, *"abc\u00e9"], ["a b", "\u00e9 c"], unk_token=UNKNOWN), normalizer=_replace("-", "")
            ),
            asked(text),
        )
        for text in ("a-bc", "ab-c", "-a-b-\u00e9-c-", "\u00e9--c-a-b")
    ],
    features=("offsets",),
)
ALIGNMENT.edge(
    "ALIGN-INSERTED: Inserted text has the offsets of the character before it",
    "What is inserted by a match of the empty string has the offsets of the character before it.",
    "Ports give it empty offsets, or those of the character behind it.",
    [
        normalizing(_substitute("(?=-)", content), f"x{char}-{char}--y")
        for char in WIDTHS
        for content in ("A", "\u00e9\u2581")
    ],
    normalizing(_substitute("$", "A"), "xy", "\u00e9"),
    normalizing(_substitute("(?<=x)", "AB"), "xyx"),
    features=("offsets",),
)
ALIGNMENT.requirement(
    "ALIGN-TOKENS: A token covers its first to its last character",
    "The offsets of a token of several characters begin where the range of its first character begins and end where that of its last one ends. Tokens that come from one character share its offsets.",
    "Ports add lengths of tokens up, which holds only while nothing is normalized.",
    [
        case(
            tokenizer(bpe([UNKNOWN, *"afibc"], merges, unk_token=UNKNOWN), normalizer=FORMS["NFKC"]),
            asked("a\ufb01b", "\ufb01\ufb01", "ab\ufb01c"),
        )
        for merges in (["a f"], ["f i"], ["i b"], ["a f", "i b"], ["f i", "a fi", "afi b"], ["i f"])
    ],
    [
        case(tokenizer(word_level([word]), normalizer=made), asked(text))
        for made, text, word in (
            (FORMS["NFC"], "xe\u0301y", "x\u00e9y"),
            (FORMS["NFC"], "xe\u0301", "x\u00e9"),
            (FORMS["NFC"], "e\u0301", "\u00e9"),
            (FORMS["NFD"], "\u00e9x", "e\u0301x"),
            (LOWERCASE, "X\u0130", "xi\u0307"),
            (MARKS, "\u0301x\u0301", "x"),
            (_strip(), "  x ", "x"),
            (PREPEND, "x", "\u2581x"),
            (BYTES, "\u00e9", "\u00c3\u00a9"),
        )
    ],
    features=("offsets",),
)
ALIGNMENT.requirement(
    "ALIGN-PIECES: Pieces and words of normalized text",
    "The pieces of the pre-tokenizer have the offsets of the original text, white space that a normalizer put in or took out included.",
    "Ports look words up in the original text, or add up lengths of normalized pieces.",
    [
        case(
            tokenizer(
                characters("abcdefi\u4e2d\u6587\u00e9\u0301"),
                normalizer=made,
                pre_tokenizer=component("WhitespaceSplit"),
            ),
            asked(text),
        )
        for made, text in product(
            (
                BERT_DEFAULT,
                FORMS["NFKC"],
                _replace("-", " "),
                _replace("-", ""),
                LOWERCASE,
                _strip(),
                _sequence(NMT, FORMS["NFD"]),
            ),
            (
                *("a-b\u4e2d\u6587c", " \ufb01\u00e9 e\u0301a ", "\u3000A\u00a0\u4e2d-", "\x01a\u200bb -c\x02"),
                *("a\x01\x02 \u4e2d b", "ab\u0301\u0323c", "ab \u4e2d-\nc" * 300),
            ),
        )
    ],
    features=("offsets",),
)
ALIGNMENT.requirement(
    "ALIGN-LONG-TEXTS: A long text is one text, whatever its lines",
    "However long a text is, it is normalized as one: its newlines become what the normalizer makes of them, a string is put before it once, and offsets count from its start. Nothing that was seen in it changes a later text.",
    "Ports take long texts line by line, or in parts of some thousand characters, and remember what stays as it is.",
    [
        case(
            tokenizer(characters("Aabx>"), normalizer=made, pre_tokenizer=component("WhitespaceSplit")),
            encode(f"A\nb{LONG}\na", special=False),
        )
        for made in (LOWERCASE, _replace("\n", ""), _replace("\n", "x"), _prepend(">"))
    ],
    case(
        tokenizer(
            word_level(["a\nb", "1"]),
            normalizer=LOWERCASE,
            pre_tokenizer=component("Digits", individual_digits=False),
        ),
        encode(f"A\nb1{LONG}", special=False),
    ),
    case(
        tokenizer(characters("!-Aa"), normalizer=LOWERCASE, pre_tokenizer=component("WhitespaceSplit")),
        encode(f"!-a{LONG}", special=False),
        encode("A", special=False),
    ),
    features=("offsets",),
)
ALIGNMENT.requirement(
    "ALIGN-AFTER-ADDED-TOKENS: Behind added tokens, offsets count from the start of the text",
    "A piece behind an added token is normalized by itself; its offsets count from the start of the whole text.",
    "Ports start at 0 in each piece, or add the length of the normalized text before it.",
    [
        case(
            lettered(made, f"a{middle}<s>y{middle}z", "\u00e9", added_tokens=_special("<s>")),
            encode(f"a{middle}<s>y{middle}z", special=False),
            encode(f"<s>{middle}<s>\u00e9{middle}", special=False),
        )
        for name, (made, middle) in SEVERAL.items()
        if name != "inserted"
    ],
    features=("offsets",),
)
ALIGNMENT.requirement(
    "ALIGN-WORDS: In words, offsets start at 0 in each word",
    "Where the input is words, each is normalized by itself, and offsets count from the start of the word.",
    "Ports join the words with spaces and count from the start of the joined text.",
    [
        case(lettered(made, f"y{middle}z"), words([f"y{middle}", f"{middle}z", middle], [middle, "y"]))
        for name, (made, middle) in SEVERAL.items()
        if name != "inserted"
    ],
    features=("offsets", "pre_split"),
)
ALIGNMENT.requirement(
    "ALIGN-SEVERAL: Through three normalizers and more",
    "Each normalizer takes the ranges as the one before has left them, so that offsets always refer to the original text.",
    "Ports keep one table of offsets and overwrite it with each normalizer.",
    [
        normalizing(_sequence(*made), text)
        for made in (
            (FORMS["NFKD"], MARKS, LOWERCASE),
            (_replace("-", "--"), _replace("--", "-"), _replace("-", "")),
            (_replace("-", ""), _replace("x", "-"), PREPEND),
            (FORMS["NFD"], FORMS["NFC"], BYTES),
            (BERT_DEFAULT, _strip(), _replace(" ", "\u2581"), PREPEND),
            (PREPEND, _replace("\u2581", ""), _strip()),
            (BYTES, _replace("\u00a9", ""), LOWERCASE),
            (LOWERCASE, FORMS["NFC"], _substitute(".$", "")),
        )
        for text in ("-x\u00c9-\ufb01x", "e\u0301\u0130-\u4e2d-x", " x--\u00e9 X\u0301\u0323 ")
    ],
    features=("offsets",),
)
ALIGNMENT.quirk(
    "REPLACEMENT-ALIGNED-TO-LAST-CHARACTER: A replacement has the offsets of the last character that it replaces",
    "All characters of a replacement have the offsets of the last character of the match.",
    "One would expect the offsets of the whole match.",
    normalizing(_replace("ab", "XY"), "abc", "xabab", "ab"),
    normalizing(_replace("abc", "X"), "xabcy", "abc"),
    normalizing(_substitute("\\s+", " "), "a   b", "  a", "a \u3000"),
    [normalizing(_substitute("-+", content), f"x--{char}---y") for char in WIDTHS for content in ("Z", "\u2581Z")],
    [normalizing(_replace(f"a{char}", "XYZ"), f"a{char}b", f"ba{char}") for char in WIDTHS],
    [normalizing(_replace(f"{char}a", "X"), f"{char}ab", f"b{char}a") for char in WIDTHS],
    features=("offsets",),
    links=("https://github.com/huggingface/tokenizers/issues/892",),
)
ALIGNMENT.quirk(
    "COMPOSITION-ALIGNED-TO-FIRST-CHARACTER: A composed character has the offsets of its first character only",
    "A composed character has the offsets of the first character that it is made of; the marks that went into it belong to no token, unless a token has characters from both sides. The same holds for jamo.",
    "One would expect the offsets to cover letter and marks.",
    [
        normalizing(
            FORMS[name],
            *row("e\u0301x•e\u0323\u0302x•xe\u0301•\u1100\u1161\u11a8x•\u1100\u1161x•\u00ea\u0323x•e\u0301e\u0301"),
        )
        for name in ("NFC", "NFKC")
    ],
    features=("offsets",),
    links=("https://github.com/huggingface/tokenizers/issues/1201",),
)
ALIGNMENT.quirk(
    "REORDERED-MARKS-ALIGNED-BY-POSITION: Reordered marks have the offsets of their place",
    "Where a normal form reorders marks, each has the offsets of the mark that stood at its place before.",
    "One would expect each mark to keep its own offsets.",
    [
        normalizing(FORMS[name], "a\u0301\u0323x", "q\u0301\u0302\u0323x", "\u0301\u0323", "q\u0307\u0323\U0001d165")
        for name in FORMS
    ],
    features=("offsets",),
)
ALIGNMENT.quirk(
    "REORDERED-DECOMPOSED-MARK-ALIGNED-TO-NEIGHBOUR: A reordered mark out of a decomposition has its new neighbour's offsets",
    "A mark that comes out of a decomposition and is reordered has the offsets of the mark that it comes to stand after; in NFC and NFKC that mark may then go into a composed character, and the reordered one keeps its offsets.",
    "One would expect the offsets of the letter that was decomposed.",
    [
        normalizing(
            FORMS[name],
            *row(
                "\u00e0\u0323•x\u00e0\u0323y•\u00e0\u0323\u0327x•\u1e17\u0323\u0331x•\u00e0\u0323\u00e0\u0323•"
                "\u0344\u0323x"
            ),
        )
        for name in FORMS
    ],
    features=("offsets",),
)
ALIGNMENT.quirk(
    "INSERTION-AT-START-HAS-EMPTY-OFFSETS: What is inserted before the first character has empty offsets",
    "What a match of the empty string inserts before the first character of the text, or of a piece, has empty offsets at the start of the piece.",
    "One would expect the offsets of the first character, as under Prepend.",
    normalizing(_substitute("^", "A"), "xy", "\u00e9", "\U0001f600x"),
    normalizing(_substitute("^", "A\u00e9"), "xy"),
    normalizing(_substitute("(?=x)", "A"), "xyx"),
    normalizing(_replace("", "-"), "ab", "\u00e9\u00e9"),
    case(
        lettered(_substitute("^", "A"), "xy", added_tokens=_special("<s>")),
        encode("x<s>xy", special=False),
        encode("\u00e9<s>y", special=False),
    ),
    case(
        tokenizer(bpe([UNKNOWN, *"Axy"], ["A x"], unk_token=UNKNOWN), normalizer=_substitute("^", "A")),
        asked("xy", "yx"),
    ),
    features=("offsets",),
)
ALIGNMENT.quirk(
    "INSERTION-AT-START-PANICS-IN-LATER-NORMALIZERS: After an insertion at the start, later changes of the whole text fail",
    "After text was inserted before the first character, a later normalizer that changes the whole text character by character raises an error (tokenizers panics); one that replaces matches, or prepends, does not.",
    "One would expect the inserted text to be changed like any other.",
    [
        case(lettered(_sequence(_substitute("^(?=H)", "A"), made), "bell", text), asked("bell", text))
        for made in (LOWERCASE, *FORMS.values(), NMT, BYTES, MARKS, CLEAN, CHINESE, ACCENTS, BERT_DEFAULT)
        for text in ("Hello", "He\u0301l\x01o")
    ],
    [
        case(lettered(_sequence(_substitute("^(?=H)", content), made), "bell ", "Hell "), asked("bell ", text))
        for content, made, text in (
            ("\u0301", MARKS, "Hell"),
            (" ", _strip(), "Hell"),
            ("A ", _strip(), "Hell "),
            (" A", _strip(), "Hell "),
        )
    ],
    [
        normalizing(_sequence(_substitute("^", "A"), made), "Hello", "\u00e9x")
        for made in (_replace("H", "x"), PREPEND, _replace("", "-"), _substitute("^", "B"))
    ],
)
ALIGNMENT.quirk(
    "INSERTION-AT-START-IS-DOUBLED-BY-REMOVALS: After an insertion at the start, removals double it",
    "After text was inserted before the first character, a later normalizer that removes at the end of the text at least as many characters as were inserted leaves the inserted text standing before its result, which has it too (unless the normalizer removes that alone).",
    "One would expect the inserted text once.",
    normalizing(_sequence(_substitute("^", "A"), _strip()), "be ", "be  ", " be ", "\u00e9  "),
    normalizing(_sequence(_substitute("^", "AB"), _strip()), "be  ", "be   "),
    normalizing(_sequence(_substitute("^", "A"), MARKS), "be\u0301", "e\u0301\u0301", "x\u0301e\u0301\u0301"),
    normalizing(_sequence(_substitute("^", "\u00e9B"), MARKS), "be\u0301\u0302", "e\u0301\u0301\u0301"),
    normalizing(_sequence(_substitute("^", "\u0301"), MARKS), "be\u0301", "e\u0301\u0302"),
    normalizing(_sequence(_substitute("^", " "), _strip()), "be ", "be  "),
    normalizing(_sequence(_substitute("^", "A "), _strip()), "be", " be"),
    normalizing(_sequence(_substitute("^", "A"), _strip(left=False)), "be ", "\U0001f600  "),
)

PYTHON_ONLY: Final = "Seen through the Python API of tokenizers alone: no tokenizer.json comes to it."

ALIGNMENT.unasked(
    PYTHON_ONLY,
    """
    TEXT-PUT-INTO-EMPTY-TEXT-IS-DOUBLED: Changing what was appended to an empty text doubles it
    A change of the whole text, after text was appended to an empty one, leaves the old text standing after the new: append X, lowercase gives xX.
    One would expect x.
    OFFSETS-OF-NORMALIZED-SPLITS-TAKE-BYTES-FOR-OTHERS: get_splits mixes the bytes of two texts
    PreTokenizedString.get_splits with offsets of the normalized text in characters takes bytes of the normalized text for bytes of the original one, so that aba from \u00e9a has the offsets (0, 2).
    One would expect (0, 3).
    ENUMERATIONS-ARE-NO-ARGUMENTS: Members of enumerations are not taken as arguments
    The methods of NormalizedString and PreTokenizedString take the names of behaviors and offset types as strings, not the members of SplitDelimiterBehavior, OffsetReferential and OffsetType.
    One would expect the members, which the library exports for that purpose.
    NEGATIVE-INDEX-COUNTS-FROM-BYTE-LENGTH: A negative index counts from the length in bytes
    A negative index of a NormalizedString counts from its length in UTF-8 bytes: beyond ASCII the last character is not at -1.
    One would expect code points, as for a Python string.
    SLICE-IGNORES-ITS-STEP: The step of a slice is ignored
    A slice of a NormalizedString with a step gives the same as one without.
    One would expect every second character at a step of 2, or an error.
    SLICE-THAT-ENDS-BEFORE-ITS-START-GOES-TO-THE-END: A slice that ends before its start runs to the end
    A range of a NormalizedString whose end is before its start runs to the end of the text.
    One would expect nothing.
    SPLITTING-AT-NOTHING-COUNTS-CHARACTERS-AS-BYTES: Splitting at the empty string loses text
    NormalizedString.split at an empty string gives one piece of as many bytes as the text has characters, and loses the rest.
    One would expect the whole text, or each character.
    SPLITTING-AT-NOTHING-PANICS-INSIDE-A-CHARACTER: Splitting at the empty string can panic
    NormalizedString.split at an empty string panics where as many bytes as the text has characters end inside a character.
    One would expect the whole text, or each character.
    ERROR-IN-A-NORMALIZER-IS-SWALLOWED: encode goes on after an error of a normalizer
    An error that a normalizer written in Python raises is swallowed by encode, which goes on with the text as far as it was changed.
    One would expect the error, which normalize_str and custom pre-tokenizers do pass on.
    PANIC-IN-A-CUSTOM-COMPONENT-ABORTS: A panic inside a normalizer written in Python ends the process
    Where a normalizer written in Python calls what panics, the process is aborted.
    One would expect an exception.
    """,
)

AREAS = (
    BERT,
    STRIP,
    STRIP_ACCENTS,
    NFC,
    NFD,
    NFKC,
    NFKD,
    LOWER,
    NMT_AREA,
    REPLACE,
    PREPEND_AREA,
    BYTE_LEVEL,
    SEQUENCE,
    ALIGNMENT,
)
