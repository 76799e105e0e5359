"""Recipes of Precompiled: look-up in a SentencePiece model's character map, clusters, offsets, and the map's form."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from itertools import product
from struct import pack
from typing import TYPE_CHECKING, Final

from requirements.normalizing import WIDTHS, asked, lettered, normalizing
from requirements.recipe import (
    Area,
    added,
    case,
    characters,
    component,
    encode,
    pair,
    refused,
    row,
    saved,
    tokenizer,
    words,
)
from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from requirements.recipe import Document

PRECOMPILED = Area(
    "normalizers.Precompiled",
    "Precompiled",
    "normalize",
    "The normalization of a SentencePiece model. `precompiled_charsmap` is, in base64, a map of strings to strings: the length of a trie in bytes (4 bytes, little endian), the trie (a double array of Darts-clone), and the replacements in UTF-8, each closed by a NUL. The text is cut into extended grapheme clusters (UAX #29), and each cluster is looked up in the map as a whole, or character by character.",
)

ISSUE_PREFIX = "https://github.com/huggingface/tokenizers/issues/2334"
ISSUE_LONGEST = "https://github.com/huggingface/tokenizers/issues/2116"
GO_OFFSETS = "https://github.com/sugarme/tokenizer/pull/85"
JAVA_REMOVAL = "https://github.com/elastic/elasticsearch/pull/87709"


def _of_bytes(data: bytes) -> Document:
    return component("Precompiled", precompiled_charsmap=b64encode(data).decode())


def _map(replacements: Mapping[str, str]) -> Document:
    return _of_bytes(charsmap(replacements))


NMT_NFKC: Final = _map(
    {
        "\t": " ",
        "\n": " ",
        "\u00a0": " ",
        "\u200b": " ",
        "\u3000": " ",
        "\x01": "",
        "\u00ad": "",
        "\ufeff": " ",
        "\u2581": " ",
        "\ufb01": "fi",
        "\uff21": "A",
        "\uff11": "1",
        "\u2122": "TM",
        "\u2026": "...",
        "\u2460": "1",
        "\u00bd": "1\u20442",
        "\u33a1": "m2",
        "e\u0301": "\u00e9",
        "\uff76": "\u30ab",
        "\uff76\uff9e": "\u30ac",
        "\uff9e": "\u3099",
        "\u1100\u1161": "\uac00",
        "\ufdfa": "\u0635\u0644\u0649 \u0627\u0644\u0644\u0647",
        "\U0001d400": "A",
    }
)
"""A cut of the map that SentencePiece calls "nmt_nfkc"."""

STRIKES: Final = {"a": "Z", "\u00e9": "Z", "\u4e2d": "Z", "\U0001f600": "Z", "\u00a9": "Z", "\u0600": "Z", "\r": "Z"}
"""Keys that are the first character of a cluster: what is in the cluster behind them vanishes, and so shows its end."""

# Characters ----------------------------------------------------------------------------------------------------------

PRECOMPILED.requirement(
    "PRECOMP-REPLACES: Characters with an entry are replaced, others stay",
    "A character that is a key of the map is replaced by the value of that key; a character without an entry stays. The result is not looked up again.",
    "Ports apply NFKC in place of the map, or look up again what they put in.",
    normalizing(
        NMT_NFKC,
        *row(
            "plain text•\uff21\uff11•\ufb01x•a\u2122b•x\u2026•\u2460\u2461•\u00bd•\u33a1•\ufdfa•"
            "\U0001d400\U0001d401•\u00c9\u00e9•\uff22"
        ),
        ("", "\uff21"),
    ),
    normalizing(_map({"a": "b", "b": "c"}), "aabbcc", "abc"),
    normalizing(_map({"a": "a"}), "aba"),
    normalizing(_map({"a": "aa"}), "aba"),
    normalizing(_map({"A": "a"}), "AaB"),
)
PRECOMPILED.requirement(
    "PRECOMP-WHITE-SPACE: Blanks become what the map says",
    "White space is replaced where the map says so, each character by itself: runs are not collapsed, the ends of the text are not trimmed, and no U+2581 is put anywhere.",
    "SentencePiece itself also removes extra spaces and adds a prefix; here that is the work of other components.",
    normalizing(NMT_NFKC, *row(" a •a  b•a\tb\nc•\u3000\u3000a•a\u00a0\u200bb•\ufeffa•a\u2581b•\t\t•a\r\nb•\u2003")),
)
PRECOMPILED.requirement(
    "PRECOMP-REMOVES: An empty replacement removes",
    "A key whose value is empty removes what it replaces; a text of which nothing is left gives no token.",
    "Ports take an empty value for none, and keep the character.",
    normalizing(NMT_NFKC, "a\x01b", "a\u00adb", "a\x01\x01\u00adb", "a\x01", ("\x01", "a\x01b"), ("\u00ad\x01", "a")),
    normalizing(_map({"b": ""}), "abc", "abbc", "acb", ("bb", "ab")),
    normalizing(_map({"e\u0301": ""}), "ae\u0301b", "ae\u0301"),
    links=(JAVA_REMOVAL,),
)
PRECOMPILED.requirement(
    "PRECOMP-WIDTHS: Keys and values of every width",
    "Keys and values are of any width in UTF-8; a key matches whole characters or more.",
    "Ports walk the trie over UTF-16 units or code points in place of bytes.",
    [
        normalizing(_map({key: value}), f"x{key}y{key}{key}z", f"{chr(ord(key) + 1)}a")
        for key, value in product(WIDTHS, ("b", "\u00e9", "\u4e2d", "\U0001f600", "", "b\u4e2d"))
    ],
    [
        normalizing(_map({key: "b"}), f"x{key}y{key}{key}z")
        for key in "\x01\u00bf\u00c0\u07c0\u0fff\u1000\ud7ff\ue000\U0003ffff\U00040000\U000fffff\U0010ffff"
    ],
)
PRECOMPILED.edge(
    "PRECOMP-NUL: U+0000 is never found",
    "U+0000 ends a look-up, so it stays, and nothing behind it in the same cluster is looked at.",
    "Ports go on with the byte 0 in the trie, where the place of a value is taken for a node.",
    normalizing(_map({"a": "b"}), "\x00a\x00", "a\x00", "\x00"),
    normalizing(_map({"a": "b", "\u0301": "c"}), "\x00\u0301a", "a\x00\u0301"),
    normalizing(_map({"\x01": "b"}), "\x00\x01"),
)
PRECOMPILED.requirement(
    "PRECOMP-PARTIAL-KEYS: A beginning of a key is no key",
    "Where the text ends, or goes on in another way, before a key does, the key does not match.",
    "Ports take an inner node of the trie for a match.",
    normalizing(_map({"e\u0301": "x"}), "e", "e\u0300", "ee\u0301", "e", "e\u0301"),
    normalizing(_map({"\u4e2d": "x"}), "\u4e2e\u4e2d\u4d2d", "\u4e00"),
    normalizing(_map({"a\u0301\u0302": "x"}), "a\u0301\u0302", "a\u0301", "a\u0302\u0301", "a\u0301\u0302b"),
    normalizing(_map({"\r\n": "x"}), "\r\n", "\n\r", "\r", "\n", "\r\r\n"),
)

# Clusters ------------------------------------------------------------------------------------------------------------

PRECOMPILED.requirement(
    "PRECOMP-WHOLE-CLUSTER: A short grapheme cluster is looked up as a whole",
    "A grapheme cluster of up to 5 bytes in UTF-8 is looked up as a whole; where no key fits, each of its characters is looked up by itself.",
    "Ports look up characters alone and never find a letter with its mark, or clusters alone and never find a mark.",
    normalizing(NMT_NFKC, "e\u0301", "xe\u0301y", "e\u0301e\u0301", "e\u0300", "\uff76\uff9e"),
    normalizing(_map({"\u0301": "'"}), "e\u0301", "\u0301", "e\u0301\u0302", "\u00e9\u0301", "e\u0302\u0301"),
    normalizing(_map({"e\u0301": "x", "\u0302": "y"}), "e\u0301\u0302", "e\u0302", "e\u0302\u0301", "a\u0302e\u0301"),
    normalizing(_map({"\u0301": ""}), "e\u0301x", "e\u0301\u0301x", "\u00e9\u0301", "\u0301x"),
    normalizing(_map({"\r\n": "\n", "\n": "N", "\r": "R"}), "a\r\nb", "\n\r\n", "\r\r\n\n"),
)
PRECOMPILED.requirement(
    "PRECOMP-CLUSTER-BYTES: The limit of 5 bytes",
    "The length of a cluster is counted in bytes of UTF-8: at 5 it is looked up as a whole, at 6 only character by character.",
    "Ports count characters or UTF-16 units, or are off by one.",
    [
        case(lettered(_map({letter: "Z"}), text, "x"), asked(f"{text}x"))
        for letter in ("a", "\u00e9", "\u4e2d", "\U0001f600")
        for marks in row("\u0301•\u0301\u0302•\u0301\u0302\u0303•\u20d0•\u20d0\u0301•\u20d0\u20d1•\U0001e000")
        for text in (letter + marks,)
    ],
)
PRECOMPILED.requirement(
    "PRECOMP-CLUSTER-BOUNDARIES: Where clusters end",
    "Clusters are the extended grapheme clusters of UAX #29: CR LF stays together and nothing else stays with a control; Extend, ZWJ and SpacingMark stay with what is before them; Prepend stays with what follows; pictographs that are joined by ZWJ stay together.",
    "Ports use legacy clusters (without SpacingMark and Prepend), a rule for combining marks alone, or the clusters of an older version.",
    normalizing(
        _map(STRIKES),
        *row(
            "\r\nb•\n\rb•\r\rb•\r\u0301b•a\nb•a\u0301b•a\u0301\u0302b•a\u200db•a\u200cb•a\u200bb•a\u0903b•"
            "\u00e9\u0903b•a\u20ddb•a\ufe0fb•a\uff9eb•a\u3099b•a\u00adb•a\x01b•a\u1161b•a\u11a8b•a\u0300\u200db•"
            "\u00a9\ufe0fb•\u00a9\u200d\u00aeb•\u00a9\u200db•a\u200d\u00a9b•\u0600b•\u0600\u0301b•\u0600\u0600b•"
            "\u0600a•\u0600\nb•\u06ddab•\u0600\u4e2db•a\u0600b•a\u06ddb•ab•aab•\u4e2d\u0301b•\u4e2d\u0e33b•"
            "\u4e2d\u0301\u0302b•\U0001f600\ufe0fb•\U0001f600\u0301b•a\U0001f3fbb•a\U000e0020b•a\u0e33b•a\u0e31b•"
            "a\u0bbeb"
        ),
    ),
    normalizing(_map({"\u0301": "Z"}), "\u0301\u0302x", "\n\u0301\u0302x", "\u0301\u200dx", "\x01\u0301\u0302x"),
    normalizing(
        _map({"\u0915": "K", "\U0001f1e9": "D", "\uac00": "G", "\u1100": "L", "\u0301": ""}),
        *row(
            "\u0915\u094d\u0937•\u0915\u0301x•\u0915\u0301\u0301x•\U0001f1e9\U0001f1ea\U0001f1e9•"
            "\uac00\u11a8\uac00•\u1100\u1161\u11a8•\u1100\u0301x•\uac00\u0301x"
        ),
    ),
)
PRECOMPILED.requirement(
    "PRECOMP-HANGUL-AND-KANA: Jamo and half-width kana are looked up one by one",
    "Conjoining jamo and half-width kana with their voicing marks take 6 bytes and more together, so each is looked up by itself, and keys of two of them never match.",
    "SentencePiece composes both; ports that match the longest key do too.",
    normalizing(
        NMT_NFKC, "\u1100\u1161", "\u1100\u1161\u11a8", "\uff76\uff9e", "\uff76", "\uff9e", "x\uff76\uff9e\u1100\u1161y"
    ),
    links=(ISSUE_LONGEST,),
)
PRECOMPILED.quirk(
    "CHARSMAP-PREFIX-REPLACES-WHOLE-CLUSTER: A key at the start of a cluster replaces all of it",
    "Where a cluster of up to 5 bytes begins with a key, the value replaces the whole cluster: what stands behind the key in it vanishes.",
    "One would expect the rest to stay, as in SentencePiece; so \u2460 with U+0301 becomes 1, without the accent.",
    normalizing(_map({"\u2460": "1"}), "\u2460\u0301", "\u2460", "\u2460\u0301\u2460x", "x\u2460\u0301"),
    normalizing(_map({"a": "bc"}), "a\u0301x", "a\u0301\u0302x", "a\u200dx", "ax\u0301", "a\u0301a"),
    normalizing(_map({"a": ""}), "xa\u0301y", "a\u0301x", ("a\u0301", "x")),
    normalizing(_map({"\r": "R"}), "\r\n\r", "a\r\nb"),
    normalizing(_map({"a\u0301": "x"}), "a\u0301\u0302b", "a\u0301\u0301b", "a\u0302\u0301b"),
    normalizing(_map({"\u0600": "x"}), "\u0600b", "\u0600ab", "\u0600\u0600\u00e9b"),
    normalizing(_map({"\u00ea": "e"}), "\u00ea\u0301", "ti\u00ea\u0301ng", "\u00ea\u0323\u0301"),
    links=(ISSUE_PREFIX, ISSUE_LONGEST),
)
PRECOMPILED.quirk(
    "CHARSMAP-LONG-CLUSTERS-GO-BY-CHARACTER: In clusters of 6 bytes and more, marks stay",
    "A cluster of 6 or more bytes is not looked up as a whole: each character is, and those without an entry stay.",
    "One would expect the same as for short clusters; so the accent of a letter vanishes or stays with the number of accents.",
    normalizing(
        _map({"\uff11": "1"}), "\uff11\u0301", "\uff11\u0301\u0302\u0303", "\uff11\u0301\u0302", "\uff11\u20d0"
    ),
    normalizing(_map({"a": "1"}), "a\u0301\u0302", "a\u0301\u0302\u0303", "a\u0301\u20d0", "a\u20d0\u20d1"),
    normalizing(_map({"e\u0301\u0302\u0303": "x", "\u0303": "y"}), "e\u0301\u0302\u0303", "e\u0301\u0303"),
    normalizing(
        _map({"\U0001f468": "m", "\u200d": "-"}), "\U0001f468\u200d\U0001f469", "\U0001f468", "\U0001f468\u200d"
    ),
    normalizing(_map({"\u4e2d": "", "\u20d0": "+"}), "\u4e2d\u20d0x", "x\u4e2d\u0301y"),
    links=(ISSUE_LONGEST,),
)
PRECOMPILED.quirk(
    "CHARSMAP-SHORTEST-KEY-WINS: Of several keys, the shortest counts",
    "Where several keys are a beginning of what is looked up, the shortest counts, and its value replaces all that was looked up.",
    "SentencePiece takes the longest key.",
    normalizing(_map({"e": "x", "e\u0301": "y"}), "e\u0301", "e", "e\u0300", "ee\u0301"),
    normalizing(_map({"e\u0301": "y", "e\u0301\u0302": "z"}), "e\u0301\u0302", "e\u0301", "e\u0302"),
    normalizing(_map({"\r": "R", "\r\n": "N", "\n": "L"}), "\r\n", "\n\r"),
    normalizing(_map({"\u00e9": "e", "\u00e9\u0301": "E"}), "\u00e9\u0301x"),
    normalizing(_map({"a": "", "a\u0301": "y"}), "xa\u0301z"),
    links=(ISSUE_PREFIX, ISSUE_LONGEST),
)
PRECOMPILED.quirk(
    "CHARSMAP-KEYS-ACROSS-CLUSTERS-NEVER-MATCH: Keys of several clusters never match",
    "No more than one cluster is looked up, so a key of several clusters never matches.",
    "SentencePiece matches keys of any length at every place.",
    normalizing(_map({"ab": "X", "c": "Y"}), "abc", "ab", "cab"),
    normalizing(_map({"a\nb": "X", "\n\n": "Y", "  ": "Z", " ": "_"}), "a\nb", "\n\n", "  "),
    normalizing(_map({"e\u0301e\u0301": "X", "\u4e2d\u6587": "Y"}), "e\u0301e\u0301", "\u4e2d\u6587"),
    normalizing(_map({"\u0301e": "X", "a\u0301b": "Y", "\u0302": "^"}), "a\u0301b", "\u0301e", "a\u0302"),
)
PRECOMPILED.quirk(
    "CHARSMAP-CLUSTERS-OF-UNICODE-17: Clusters are those of Unicode 17.0",
    "Marks that are new in Unicode 17.0 (U+1ACF to U+1ADD, U+1AE0 to U+1AEB) belong to the cluster of the letter before them.",
    "One would expect the version of the normal forms, which is 9.0, or the 16.0 of the regular expressions (crate unicode-segmentation).",
    normalizing(
        _map({"a": "Z"}),
        "a\u1ace|a\u1acf",
        *(
            f"a{char}b"
            for char in "\u1abf\u1ace\u1acf\u1add\u1ade\u1adf\u1ae0\u1aeb\u1aec\u0897\u0898\u089f\u1df9\u1734"
        ),
    ),
)

# Offsets -------------------------------------------------------------------------------------------------------------

KINDS: Final = {"x": None, "\u2460": "1", "\u00bd": "1/2", "e\u0301": "E", "\u200b": "", "r\u0301": ""}
"""Parts of texts: kept, one for one, three for one, one for two, nothing for one, nothing for two."""

MIXED: Final = _map({key: value for key, value in KINDS.items() if value is not None})

PRECOMPILED.requirement(
    "PRECOMP-OFFSETS-ONE-FOR-ONE: A replaced character keeps its offsets",
    "A character put in for a character has its offsets, whatever the widths; what is not replaced keeps its own.",
    "Ports lose alignment with every change of width in UTF-8.",
    [
        normalizing(_map({key: value}), f"x{key}y{key}{key}z{char}")
        for key, value in product(("a", "\u00e9", "\u4e2d", "\U0001f600"), ("b", "\u00df", "\u6587", "\U0001f601"))
        for char in ("\u07ff", "\U00010000")
    ],
    features=("offsets",),
)
PRECOMPILED.requirement(
    "PRECOMP-OFFSETS-EXPANSION: All characters of a longer replacement share the offsets",
    "Where one character is replaced by several, all of them have its offsets.",
    "Ports give surplus characters empty offsets, or those of what follows.",
    normalizing(NMT_NFKC, "a\u2122b", "\u2122", "\ufdfax", "\u2122\u2122a", "\ufb01\u00bdx", "x\u2026"),
    [normalizing(_map({char: "bcd"}), f"{char}x{char}{char}y") for char in WIDTHS],
    normalizing(_map({"e\u0301": "bcd", "a\u0301": "bc"}), "e\u0301x", "xe\u0301", "a\u0301x", "xa\u0301e\u0301y"),
    features=("offsets",),
    links=(GO_OFFSETS, "https://github.com/huggingface/tokenizers/pull/617"),
)
PRECOMPILED.requirement(
    "PRECOMP-OFFSETS-CONTRACTION: A shorter replacement has the offsets of the first characters",
    "Where a cluster is replaced by fewer characters than it has, they have the offsets of its first characters; those of the others belong to no token.",
    "Ports give the replacement the offsets of the whole cluster.",
    normalizing(NMT_NFKC, "e\u0301x", "xe\u0301y", "e\u0301e\u0301x"),
    normalizing(_map({"a\u0301\u0302": "b"}), "a\u0301\u0302x", "xa\u0301\u0302y"),
    normalizing(_map({"a\u0301\u0302": "bc"}), "a\u0301\u0302x", "xa\u0301\u0302y"),
    [normalizing(_map({"a": "b"}), f"{char}a\u0301{char}") for char in WIDTHS],
    features=("offsets",),
)
PRECOMPILED.requirement(
    "PRECOMP-OFFSETS-REMOVAL: Behind a removal, after an ordinary character",
    "Where what is removed stands behind a character that was kept, or was replaced by no more characters than it had, all others keep their offsets.",
    "Ports shift what follows by the removed characters.",
    [
        normalizing(MIXED, f"{char}\u200b{char}\u200b\u200b{char}r\u0301{char}")
        for char in WIDTHS
        if char not in "\x7f\x80"
    ],
    normalizing(MIXED, "x\u200by", "x\u200b", "\u2460\u200by", "e\u0301\u200bx", "xr\u0301y", "xr\u0301\u200by"),
    features=("offsets",),
)
PRECOMPILED.edge(
    "PRECOMP-OFFSETS-MIXED: All kinds of changes side by side",
    "The changes of a text are made in one pass: a removal is put on the change before it, and each change gives or takes as many characters as it says.",
    "Ports that make changes one after the other get the common cases right, and differ at the start of the text and behind expansions.",
    [
        case(lettered(MIXED, "".join(KINDS) + "xyE1/2"), asked(*(f"{first}{second}{third}xy" for third in KINDS)))
        for first, second in product(KINDS, repeat=2)
    ],
    features=("offsets",),
)
PRECOMPILED.quirk(
    "CHARSMAP-REMOVAL-AT-START-SHIFTS-OFFSETS: A removal at the start of the text shifts all offsets",
    "What is removed before the first character that stays is not accounted for: all characters have the offsets of those as many places before them, and the last characters of the text belong to no token.",
    "One would expect each character to keep its offsets.",
    normalizing(_map({"\u200b": ""}), "\u200bab", "\u200b\u200bab", "\u200ba", "\u200ba\u200bb", ("\u200b", "a")),
    [normalizing(_map({"\u200b": ""}), f"\u200b{char}a{char}") for char in WIDTHS],
    normalizing(_map({"r\u0301": ""}), "r\u0301ab", "r\u0301r\u0301abcd"),
    case(
        lettered(_map({"\u200b": ""}), "\u200bab", added_tokens=[added(100, "<s>", special=True)]),
        encode("\u200bab<s>\u200bab", special=False),
    ),
    features=("offsets",),
)
PRECOMPILED.quirk(
    "CHARSMAP-REMOVAL-AFTER-EXPANSION-SHIFTS-OFFSETS: A removal behind an expansion changes its offsets",
    "What is removed behind a character that was replaced by more is put on the last inserted character, which then counts as one that replaces: it has the offsets of the character behind.",
    "One would expect all characters of the replacement to have the offsets of the one that they replace.",
    normalizing(
        _map({"\u200b": "", "\u00bd": "1/2"}),
        *row("\u00bd\u200ba•\u00bd\u200b\u200bab•x\u00bd\u200b\u00bdy•\u00bd\u200b"),
    ),
    normalizing(
        _map({"\u200b": "", "\u00bd": "12", "r\u0301": ""}),
        "\u00bdr\u0301ab",
        "\u00bdr\u0301\u200bab",
        "x\u00bdr\u0301",
    ),
    [normalizing(_map({"\u200b": "", "\u00bd": "1/2"}), f"{char}\u00bd\u200b{char}a") for char in WIDTHS],
    features=("offsets",),
)

# Other stages --------------------------------------------------------------------------------------------------------

PRECOMPILED.requirement(
    "PRECOMP-PIPELINE: In a Sequence, and before Metaspace",
    "In a Sequence, Precompiled works on what the normalizers before it have left; offsets are carried through.",
    "Files of XLNet, ALBERT and T5 have Replace, StripAccents, Lowercase or a Strip around it; ports apply the map first.",
    normalizing([component("Lowercase"), NMT_NFKC], "\uff21E\u0301\u2122", "\u0130\u2122"),
    normalizing([NMT_NFKC, component("Lowercase")], "\uff21E\u0301\u2122", "e\u0301\u00c9"),
    normalizing([component("NFD"), NMT_NFKC], "\u00e9\u00ea\u2122"),
    normalizing([NMT_NFKC, component("NFD")], "e\u0301\u2122"),
    normalizing(
        [NMT_NFKC, component("Replace", pattern={"Regex": " {2,}"}, content="\u2581")], "a\t\u3000 b", "\ufb01  \u2122"
    ),
    normalizing([component("Strip", strip_left=False, strip_right=True), NMT_NFKC], "\u2122 \u200b", "\u2122 \n"),
    normalizing([NMT_NFKC, component("Strip", strip_left=True, strip_right=True)], "\u200b\u2122 \u3000"),
    normalizing([component("Prepend", prepend="\uff21"), NMT_NFKC], "b\u2122", ("", "x")),
    normalizing([component("Prepend", prepend="e"), NMT_NFKC], "\u0301x"),
    normalizing([NMT_NFKC, NMT_NFKC], "\u2122\uff76\uff9e"),
    [
        case(
            tokenizer(
                characters("aT\u2581Mfi1\u00e9. "),
                normalizer=NMT_NFKC,
                pre_tokenizer=component("Metaspace", replacement="\u2581", prepend_scheme="always", split=True),
            ),
            asked(text),
        )
        for text in ("a\u3000\u2122", "\u2122 \ufb01e\u0301", "\u2581a\tT", "\u200ba")
    ],
)
PRECOMPILED.edge(
    "PRECOMP-AFTER-INSERTION-AT-START: After an insertion before the first character",
    "After a normalizer has inserted text before the first character, a text that the map changes raises an error (tokenizers panics); one that it does not change stays as it is.",
    "The change of the whole text leaves out what stands for nothing, and runs off the end.",
    normalizing(
        [component("Replace", pattern={"Regex": "^(?=[xy])"}, content="A"), NMT_NFKC],
        "xy",
        ("\u2122", "x\u2122"),
        ("ab", "y\uff21"),
        ("ab", "ye\u0301z"),
    ),
)
PRECOMPILED.requirement(
    "PRECOMP-PIECES: Between added tokens, in words and in pairs",
    "Each piece between added tokens, each word and each text of a pair is normalized by itself; clusters do not reach across.",
    "Ports normalize the whole text first, and let a mark behind an added token join it.",
    [
        case(
            lettered(NMT_NFKC, "a\u2122e\u0301\u00e9TM", added_tokens=[added(100, "e", special=True)]),
            encode(text, special=False),
        )
        for text in ("ae\u0301", "\u2122e\u2122", "e\u0301e\u0301a")
    ],
    case(lettered(NMT_NFKC, "a\u2122e\u0301", "e\u0301"), words(["e", "\u0301"], ["\u2122a", "\u2122", "ae\u0301a"])),
    case(lettered(NMT_NFKC, "a\u2122e\u0301", "e\u0301"), pair("a\u2122a", "\u2122e\u0301"), pair("e", "\u0301")),
)

# The form of the map -------------------------------------------------------------------------------------------------


def _trie(units: Mapping[int, int], texts: bytes, size: int = 1024) -> Document:
    """Return a map made of ``units`` of the trie by their places."""
    return _of_bytes(pack("<I", 4 * size) + pack(f"<{size}I", *(units.get(at, 0) for at in range(size))) + texts)


def _node(offset: int, label: int = 0, *, ends_key: bool = False) -> int:
    return offset << 10 | ends_key << 8 | label


_VALUE: Final = 1 << 31
_A, _B, _E3 = ord("a"), ord("b"), 0xE3
_FAR: Final = 1 << 9
_X: Final = b"X\0"


def _one_key(byte: int, value: int = 0, **changes: int) -> dict[int, int]:
    """Return the units of a map with the key ``byte``: the root's children at 256, the value at 512."""
    at = 256 ^ byte
    units = {0: _node(256), at: _node(at ^ 512, byte, ends_key=True), 512: _VALUE | value}
    return units | {int(name[1:]): unit for name, unit in changes.items()}


PRECOMPILED.edge(
    "PRECOMP-TRIE: How the trie is read",
    "A unit of the trie has 4 bytes, little endian: bits 0 to 7 and 31 are its label, bit 8 says that a key ends here, bits 10 to 30 are the offset of its children, 8 bits more to the left where bit 9 is set. From the unit at 0, the place of a child is that of its parent, exclusive or the offset, exclusive or the byte; it is a child if its label is that byte. The value of a key (31 bits) is in the unit at the parent's offset, with the byte 0.",
    "Ports add where exclusive or is meant, forget bit 9 (large maps have it), or do not compare bit 31.",
    normalizing(_trie(_one_key(_A), _X), "abaA"),
    normalizing(_trie({**_one_key(_A), 0: _node(1) | _FAR}, _X), "aba"),
    normalizing(_trie({0: _node(3) | _FAR, 768 ^ _A: _node(1, _A, ends_key=True) | _FAR, 512 ^ _A: _VALUE}, _X), "aba"),
    normalizing(_trie({**_one_key(_A), 256 ^ _B: _VALUE | _node(512, _B, ends_key=True)}, _X), "aba"),
    normalizing(_trie({**_one_key(_A), 256 ^ _B: _node(512, _A, ends_key=True)}, _X), "aba"),
    normalizing(_trie({**_one_key(_A), 256 ^ _B: _node(512, _B)}, _X), "aba"),
    normalizing(_trie({**_one_key(_A), 512: 0}, _X), "aba"),
    normalizing(_trie({**_one_key(_A, 2), 256: _node(1, 0, ends_key=True)}, b"X\0Y\0"), "a\x00ba"),
    normalizing(_trie(_one_key(_A) | {0: _node(256, _A)}, _X), "aba"),
    normalizing(_trie(_one_key(_A) | {0: _node(256, ends_key=True)}, _X), "aba"),
)
PRECOMPILED.edge(
    "PRECOMP-VALUES: How the replacements are read",
    "A value is the place of its replacement behind the trie, in bytes; the replacement ends before the next NUL, or at the end of the map.",
    "Ports split at NUL and count strings, or need the last NUL.",
    [normalizing(_trie(_one_key(_A, value), b"XYZ\0\xc3\xa9W\0"), "aba") for value in (0, 1, 2, 3, 4, 6, 7, 8)],
    [normalizing(_trie(_one_key(_A), texts), "aba") for texts in (b"XY", b"XY\0", b"\0XY\0", b"")],
    normalizing(_trie(_one_key(_A, 2), b"XY"), "aba"),
)
PRECOMPILED.edge(
    "PRECOMP-KEY-INSIDE-A-CHARACTER: A key may end inside a character",
    "Keys are bytes: one that ends inside a character matches every character that begins with these bytes, and its value replaces the character.",
    "Ports that read keys as text drop such a key, or match it at the end of a text only.",
    normalizing(_trie(_one_key(_E3), _X), "a\u304b\u2460", "\u2fff\u3000\u3fff\u4000", "\u304b\u3099x", "\u00e3"),
)
PRECOMPILED.edge(
    "PRECOMP-TRIE-SIZE: Bytes that make no whole unit belong to the replacements",
    "The length of the trie is rounded down to whole units; what follows belongs to the replacements.",
    "Ports skip the length as it stands.",
    [
        normalizing(
            _of_bytes(
                pack("<I", 4 * 1024 + rest)
                + pack("<1024I", *(_one_key(_A, value).get(at, 0) for at in range(1024)))
                + b"XYZ\0"
            ),
            "aba",
        )
        for rest in (0, 1, 3)
        for value in (0, 1)
    ],
)
PRECOMPILED.edge(
    "PRECOMP-BASE64: Padding may be missing",
    "precompiled_charsmap is standard base64, with its padding or without.",
    "Strict decoders of the language need the padding.",
    [
        normalizing(
            component(
                "Precompiled", precompiled_charsmap=b64encode(charsmap({"a": value})).decode().rstrip("=") + padding
            ),
            "aba",
        )
        for value, padding in (("b", ""), ("b", "="), ("b", "=="), ("bc", ""), ("bc", "="), ("bcd", ""))
    ],
)
PRECOMPILED.edge(
    "PRECOMP-FILE: The map must be there, in base64",
    "precompiled_charsmap is there and a string in standard base64, written as an encoder writes it (with padding or without, no bits beyond the last byte); a file where that is not so is refused.",
    "Ports skip what a lenient decoder skips, or take the URL alphabet.",
    [
        case(lettered(_map({"a": "b"}), "aba"), asked("aba"), refused(tokenizer(characters("a"), normalizer=wrong)))
        for wrong in (
            component("Precompiled"),
            component("Precompiled", precompiled_charsmap=None),
            component("Precompiled", precompiled_charsmap=[4, 0, 0, 0]),
            component("Precompiled", precompiled_charsmap="****"),
            component("Precompiled", precompiled_charsmap=f"{b64encode(charsmap({'a': 'b'})).decode()}\n"),
            component("Precompiled", precompiled_charsmap=urlsafe_b64encode(pack("<II", 4, 0) + b"?>?").decode()),
            component("Precompiled", precompiled_charsmap="BAAAAAAAAAB="),
            component("Precompiled", precompiled_charsmap="AAAAAA==="),
        )
    ],
    features=("load",),
)
PRECOMPILED.edge(
    "PRECOMP-SAVED: What is written to a file",
    "The map is written byte for byte as it was read, in base64 with padding, also where the file had none.",
    "Ports build the map anew from its entries, or write an array of numbers.",
    [
        case(
            tokenizer(
                characters("a"), normalizer=component("Precompiled", precompiled_charsmap=encoded.rstrip("=") + padding)
            ),
            saved(),
        )
        for value in ("b", "bc", "bcd", "~?~?")
        for encoded in (b64encode(charsmap({"a": value})).decode(),)
        for padding in dict.fromkeys(("", "=" * (-len(encoded.rstrip("=")) % 4)))
    ],
    features=("save",),
)
PRECOMPILED.quirk(
    "CHARSMAP-THAT-IS-NONE-PANICS-IN-A-FILE: A file with what is no map is refused",
    "A file is refused whose precompiled_charsmap is no map: fewer than 4 bytes (an empty string too), a trie that is longer than what follows, or replacements that are not UTF-8. tokenizers panics there, where other faulty files give an error.",
    "One would expect an error, or no normalization for an empty map, as in SentencePiece.",
    [
        case(
            lettered(_map({"a": "b"}), "aba"),
            asked("aba"),
            refused(tokenizer(characters("a"), normalizer=_of_bytes(data))),
        )
        for data in (
            b"",
            b"\x04",
            b"\x04\0\0",
            pack("<II", 8, 0),
            pack("<I", 4) + b"\0\0\0",
            pack("<II", 4, 0) + b"\xff",
            pack("<II", 4, 0) + b"X\0\xc3",
            pack("<II", 4, 0) + b"\xed\xa0\x80\0",
        )
    ],
    features=("load",),
)
PRECOMPILED.quirk(
    "CHARSMAP-WITH-BROKEN-TRIE-PANICS: A look-up that leaves the map raises an error",
    "A map that is read, but whose trie leads to a unit outside of it, or whose value is beyond the replacements or inside a character, raises an error for the texts that come there (tokenizers panics); other texts are normalized.",
    "One would expect the file to be refused, or the character to stay.",
    [
        normalizing(_trie(units, texts, size), ("b", "ab"), ("bb", "xa"))
        for units, texts, size in (
            ({**_one_key(_A), 256 ^ _A: _node(5000, _A, ends_key=True)}, _X, 1024),
            ({**_one_key(_A), 256 ^ _A: _node(1024 ^ 256 ^ _A, _A, ends_key=True)}, _X, 1024),
            (_one_key(_A, 3), _X, 1024),
            (_one_key(_A, 1), b"\xc3\xa9\0", 1024),
            (_one_key(_A, 1), b"\xc3\x80\0", 1024),
            (_one_key(_A, 1), b"\xc3\xbf\0", 1024),
            (_one_key(_A, 2), b"\xe4\xb8\xad", 1024),
        )
    ],
    normalizing(_trie({**_one_key(_B), 256 ^ _A: _node(5000, _A)}, _X), ("b", "a\u0301"), ("ab", "xb")),
    normalizing(_trie({0: _node(5000)}, _X, 256), ("", "a")),
    normalizing(_of_bytes(pack("<I", 0) + _X), ("", "a")),
    normalizing(_trie({0: _node(256)}, b"", 256 + 0x80), ("b", "\u00e9"), ("~", "b\u4e2d")),
)

AREAS = (PRECOMPILED,)
