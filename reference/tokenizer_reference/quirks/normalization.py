"""Quirks of normalized text and its alignment, and of normalizers."""

from __future__ import annotations

from typing import Final

from tokenizer_reference.quirks.quirk import (
    OBSERVED,
    RAISES,
    REFUSES_FILE,
    UNICODE_8,
    UNICODE_9,
    UNICODE_17,
    Kind,
    Quirk,
)

_WITH_WHITE_SPACE: Final = (
    "normalizers.Strip",
    "pre_tokenizers.WhitespaceSplit",
    "pre_tokenizers.Whitespace",
    "pre_tokenizers.BertPreTokenizer",
    "added_tokens",
)
_NORMAL_FORMS: Final = ("normalizers.NFC", "normalizers.NFD", "normalizers.NFKC", "normalizers.NFKD")
_DECOMPOSITIONS: Final = ("normalizers.NFD", "normalizers.NFKD")

ALIGNED_TEXT: Final = (
    Quirk(
        "replacement-aligned-to-last-character",
        "All characters of a replacement take the offsets of the last character that they replace, not of the whole "
        "match.",
        ("normalizers.Replace", "NormalizedString"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "composition-aligned-to-first-character",
        "A composed character has the offsets of its first code point only; the marks belong to no token.",
        ("normalizers.NFC", "normalizers.NFKC", "NormalizedString"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "reordered-marks-aligned-by-position",
        "Marks that normalization reorders take the offsets of the place they come to, not of the place they come "
        "from.",
        (*_NORMAL_FORMS, "NormalizedString"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "reordered-decomposed-mark-aligned-to-neighbour",
        "A mark out of a decomposition that is reordered takes the offsets of the mark it comes to stand after.",
        (*_DECOMPOSITIONS, "NormalizedString"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "insertion-at-start-has-empty-offsets",
        "Text that a zero-width match inserts before the first character has offsets (0, 0).",
        ("normalizers.Replace", "NormalizedString"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "insertion-at-start-panics-in-later-normalizers",
        "After an insertion before the first character, a later normalizer of the whole text runs off its end.",
        ("normalizers.Replace", "normalizers.Sequence", "NormalizedString"),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "insertion-at-start-is-doubled-by-removals",
        "After an insertion before the first character, a normalizer that removes at the end doubles the inserted "
        "text.",
        ("normalizers.Replace", "normalizers.Strip", "NormalizedString"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "text-put-into-empty-text-is-doubled",
        "A whole-text change of what was appended to an empty text leaves the old text standing after the new.",
        ("NormalizedString",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "prepended-text-aligned-to-first-character",
        "Prepended text has the offsets of the first character, so two characters in a row begin at 0.",
        ("normalizers.Prepend", "pre_tokenizers.Metaspace", "pre_tokenizers.ByteLevel", "NormalizedString"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "prepending-nothing-unaligns-first-character",
        "Prepending the empty string leaves the text as it is, but gives its first character the offsets (0, 0).",
        ("normalizers.Prepend", "NormalizedString"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "prepending-to-nothing-does-nothing",
        "Nothing can be prepended to an empty text.",
        ("normalizers.Prepend", "NormalizedString"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "offsets-of-normalized-splits-take-bytes-for-others",
        "get_splits takes bytes of the normalized text for bytes of the original one when it counts characters.",
        ("PreTokenizedString",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "enumerations-are-no-arguments",
        "The methods take the names of behaviors and of offset types, but not the members of their enumerations.",
        ("NormalizedString", "PreTokenizedString"),
        Kind.API,
    ),
    Quirk(
        "negative-index-counts-from-byte-length",
        "A negative index counts from the length in UTF-8 bytes: beyond ASCII, the last character is not at -1.",
        ("NormalizedString",),
        Kind.API,
    ),
    Quirk(
        "slice-ignores-its-step",
        "A slice with a step gives the same as one without.",
        ("NormalizedString",),
        Kind.API,
    ),
    Quirk(
        "slice-that-ends-before-its-start-goes-to-the-end",
        "A range whose end is before its start runs to the end of the text.",
        ("NormalizedString",),
        Kind.API,
    ),
    Quirk(
        "splitting-at-nothing-counts-characters-as-bytes",
        "Splitting at an empty string keeps as many bytes as the text has characters, and loses the rest.",
        ("NormalizedString",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "splitting-at-nothing-panics-inside-a-character",
        "Splitting at an empty string panics where that many bytes end inside a character.",
        ("NormalizedString",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "empty-string-matches-in-components-only",
        "An empty pattern matches between all characters in the component Replace, and nowhere in "
        "NormalizedString.replace.",
        ("normalizers.Replace", "NormalizedString"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "empty-text-has-no-match",
        "Nothing matches in an empty text, not even a pattern that matches the empty string.",
        ("normalizers.Replace", "Regex"),
        Kind.BEHAVIOUR,
    ),
)

NORMALIZERS: Final = (
    Quirk(
        "lowercase-has-no-final-sigma",
        "Each character is lowercased on its own: a sigma at the end of a word gets no final form.",
        ("normalizers.Lowercase", "normalizers.BertNormalizer"),
        Kind.BEHAVIOUR,
        UNICODE_17,
    ),
    Quirk(
        "lowercase-of-unicode-17",
        "Lowercase has the letters of Unicode 17.0, which normalization, eight versions older, does not know.",
        ("normalizers.Lowercase", "normalizers.BertNormalizer"),
        Kind.UNICODE,
        UNICODE_17,
    ),
    Quirk(
        "decompositions-of-unicode-9",
        "Characters assigned after Unicode 9.0 do not decompose: U+32FF stays under NFKC.",
        ("normalizers.NFKC", "normalizers.NFKD"),
        Kind.UNICODE,
        UNICODE_9,
    ),
    Quirk(
        "compositions-of-unicode-9",
        "Characters assigned after Unicode 9.0 do not compose: U+11935 and U+11930 stay two.",
        ("normalizers.NFC", "normalizers.NFKC"),
        Kind.UNICODE,
        UNICODE_9,
    ),
    Quirk(
        "mark-order-of-unicode-9",
        "Marks assigned after Unicode 9.0 are not reordered.",
        _NORMAL_FORMS,
        Kind.UNICODE,
        UNICODE_9,
    ),
    Quirk(
        "strip-accents-decomposes-nothing",
        "StripAccents removes marks that stand alone; é keeps its accent unless NFD comes before.",
        ("normalizers.StripAccents",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "strip-accents-removes-all-marks",
        "StripAccents removes spacing and enclosing marks too, which are no accents.",
        ("normalizers.StripAccents",),
        Kind.BEHAVIOUR,
        UNICODE_9,
    ),
    Quirk(
        "strip-accents-of-unicode-9",
        "Marks assigned after Unicode 9.0 are not stripped.",
        ("normalizers.StripAccents",),
        Kind.UNICODE,
        UNICODE_9,
    ),
    Quirk(
        "bert-deletes-line-controls",
        "clean_text deletes U+000B, U+000C and U+0085, which are white space and controls; other white space becomes "
        "a space.",
        ("normalizers.BertNormalizer",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bert-controls-of-unicode-8",
        "clean_text keeps format characters assigned after Unicode 8.0, such as U+08E2.",
        ("normalizers.BertNormalizer",),
        Kind.UNICODE,
        UNICODE_8,
    ),
    Quirk(
        "bert-keeps-unassigned-characters",
        "clean_text keeps unassigned code points, which the published BERT code deletes.",
        ("normalizers.BertNormalizer",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bert-chinese-block-begins-late",
        "handle_chinese_chars misses U+2B820 to U+2B91F: one range begins at 2B920 where BERT's list has 2B820.",
        ("normalizers.BertNormalizer",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bert-spaces-around-chinese-have-its-offsets",
        "The spaces put around a Chinese character share its offsets, so one original character stands for three.",
        ("normalizers.BertNormalizer",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bert-strips-nonspacing-marks-only",
        "strip_accents removes category Mn alone; StripAccents, beside it, removes all of M.",
        ("normalizers.BertNormalizer",),
        Kind.BEHAVIOUR,
        UNICODE_8,
    ),
    Quirk(
        "bert-accents-of-unicode-8",
        "strip_accents knows the marks of Unicode 8.0: U+1734 goes though it is no Mn since 14.0, U+1E944 stays.",
        ("normalizers.BertNormalizer",),
        Kind.UNICODE,
        UNICODE_8,
    ),
    Quirk(
        "bert-strips-accents-before-lowercasing",
        "Accents go before case, so the dot that lowercasing İ brings stays when strip_accents alone is switched off.",
        ("normalizers.BertNormalizer",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "nmt-keeps-nul",
        "Nmt deletes the controls from U+0001 on, but not U+0000.",
        ("normalizers.Nmt",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "nmt-treats-vertical-tab-and-form-feed-unlike",
        "Nmt deletes U+000B and makes a space of U+000C.",
        ("normalizers.Nmt",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "nmt-makes-spaces-of-joiners",
        "Nmt makes spaces of U+200B to U+200F, the joiners among them, and so breaks emoji and Indic clusters.",
        ("normalizers.Nmt",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "nmt-leaves-most-spaces",
        "Nmt does not touch U+00A0, U+2003 or U+3000, though it cleans rarer blanks.",
        ("normalizers.Nmt",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "white-space-without-information-separators",
        "White space is Unicode's White_Space: U+001C to U+001F, which Python strips, stay.",
        _WITH_WHITE_SPACE,
        Kind.UNICODE,
        UNICODE_17,
    ),
    Quirk(
        "charsmap-prefix-replaces-whole-cluster",
        "A key that is only the start of a short grapheme cluster replaces all of it: marks after it vanish.",
        ("normalizers.Precompiled",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "charsmap-long-clusters-go-by-character",
        "A cluster of 6 or more UTF-8 bytes is not looked up whole but character by character: its marks stay.",
        ("normalizers.Precompiled",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "charsmap-shortest-key-wins",
        "Of several keys that fit, the shortest counts; SentencePiece takes the longest.",
        ("normalizers.Precompiled",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "charsmap-keys-across-clusters-never-match",
        "A key of several grapheme clusters never matches, since no more than one is looked up.",
        ("normalizers.Precompiled",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "charsmap-clusters-of-unicode-17",
        "Grapheme clusters are those of Unicode 17.0: a mark that is new in it is replaced together with its base.",
        ("normalizers.Precompiled",),
        Kind.UNICODE,
        f"Unicode 17.0 (crate unicode-segmentation); {OBSERVED}",
    ),
    Quirk(
        "charsmap-removal-at-start-shifts-offsets",
        "What is removed at the start of the text is not accounted for: all later offsets are too small.",
        ("normalizers.Precompiled",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "charsmap-removal-after-expansion-shifts-offsets",
        "What is removed after an expanded character is charged to the expansion, whose last character gets wrong "
        "offsets.",
        ("normalizers.Precompiled",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "charsmap-that-is-none-panics-in-a-file",
        "A tokenizer.json whose precompiled_charsmap cannot be read panics, where other faulty files are refused.",
        ("normalizers.Precompiled", "tokenizer.json"),
        Kind.PANIC,
        choice=REFUSES_FILE,
    ),
    Quirk(
        "charsmap-with-broken-trie-panics",
        "A map that is read, but whose trie leads outside of itself, panics when it is used.",
        ("normalizers.Precompiled",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "normalizers-see-pieces",
        "Normalizers work on each piece between added tokens by itself: Prepend prepends to every one of them.",
        ("normalizers.Prepend", "normalizers.Strip", "added_tokens"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "error-in-a-normalizer-is-swallowed",
        "An error of a custom normalizer is swallowed by encode, which goes on with the text as far as it was changed.",
        ("normalizers.Custom", "Tokenizer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "panic-in-a-custom-component-aborts",
        "Where a custom normalizer calls what panics, the process dies.",
        ("normalizers.Custom",),
        Kind.ABORT,
        choice=RAISES,
    ),
)
