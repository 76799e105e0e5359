"""The quirk register: every oddity of the target that the reference knows of, one entry each, grouped by stage.

A quirk is what a reader of the documentation would not expect. The reference does the same as the target, unless
``choice`` says otherwise: where the target panics, dies or answers at random there is nothing to do the same as.

Each entry is pinned by the test that it names, which asks the target and the reference. ``reference/COMPONENTS.md`` is
generated from this table.

>>> [quirk.id for quirk in quirks_of("pre_tokenizers.FixedLength")]
['fixed-length-zero-panics']
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What sort of oddity a quirk is."""

    BEHAVIOUR = "behaviour"
    """A rule that one would not guess."""
    UNICODE = "unicode"
    """Character data of an older version, or a list of its own."""
    FILE_FORMAT = "file format"
    """What a file may and may not hold."""
    API = "api"
    """What Python sees."""
    STALE_CACHE = "stale cache"
    """An answer that was true before something changed."""
    RANDOM = "random"
    """The answer differs from one object or process to the next."""
    PANIC = "panic"
    """An error of the implementation: in Python a PanicException, which is no Exception."""
    ABORT = "abort"
    """The process dies."""


SAME: Final = "the same"
RAISES: Final = "raises UpstreamPanicError"
REFUSES_FILE: Final = "raises TokenizerFileError, which names the place"

OBSERVED: Final = "observed, tokenizers 0.23.3"
UNICODE_8: Final = f"Unicode 8.0 (crate unicode_categories); {OBSERVED}"
UNICODE_9: Final = f"Unicode 9.0 (crate unicode-normalization-alignments); {OBSERVED}"
UNICODE_16: Final = f"Unicode 16.0 (crate regex); {OBSERVED}"
UNICODE_17: Final = f"Unicode 17.0 (Rust's standard library); {OBSERVED}"
ONIGURUMA: Final = f"Oniguruma's doc/RE; {OBSERVED}"
ONIGURUMA_16: Final = f"Unicode 16.0 (Oniguruma); {OBSERVED}"


@dataclass(frozen=True, slots=True)
class Quirk:
    """One oddity of the target.

    ``components`` are named as in ``normalizers.Replace``; other parts are ``added_tokens``, ``truncation``, ``padding``,
    ``NormalizedString``, ``Regex``, ``Encoding``, ``Tokenizer``, ``tokenizer.json``, ``vocab.json``, ``vocab.txt`` and
    ``merges.txt``. ``source`` is where the rule comes from, ``choice`` what the reference does.
    """

    id: str
    summary: str
    components: tuple[str, ...]
    kind: Kind
    source: str = OBSERVED
    choice: str = SAME

    @property
    def test(self) -> str:
        """The test that pins the quirk, as pytest names it."""
        return f"tests/reference/test_quirks.py::test_quirk[{self.id}]"


_WITH_WHITE_SPACE: Final = (
    "normalizers.Strip",
    "pre_tokenizers.WhitespaceSplit",
    "pre_tokenizers.Whitespace",
    "pre_tokenizers.BertPreTokenizer",
    "added_tokens",
)
_NORMAL_FORMS: Final = ("normalizers.NFC", "normalizers.NFD", "normalizers.NFKC", "normalizers.NFKD")
_DECOMPOSITIONS: Final = ("normalizers.NFD", "normalizers.NFKD")

_ALIGNED_TEXT: Final = (
    Quirk(
        "replacement-aligned-to-last-character",
        "All characters of a replacement take the offsets of the last character that they replace, not of the whole match.",
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
        "Marks that normalization reorders take the offsets of the place they come to, not of the place they come from.",
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
        "After an insertion before the first character, a normalizer that removes at the end doubles the inserted text.",
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
        "An empty pattern matches between all characters in the component Replace, and nowhere in NormalizedString.replace.",
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

_NORMALIZERS: Final = (
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
        "clean_text deletes U+000B, U+000C and U+0085, which are white space and controls; other white space becomes a space.",
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
        "What is removed after an expanded character is charged to the expansion, whose last character gets wrong offsets.",
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

_ADDED_TOKENS: Final = (
    Quirk(
        "added-token-reads-back-normalized",
        "id_to_token gives the normalized form of an added token, for which token_to_id has no id.",
        ("added_tokens", "Tokenizer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "special-token-with-normalized-form-is-decoded",
        "decode does not skip a special token that the normalizer changes: it looks for the unchanged text.",
        ("added_tokens", "Tokenizer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "added-tokens-of-one-normalized-form-are-drawn",
        "Of two added tokens that are equal when normalized, either may be found.",
        ("added_tokens",),
        Kind.RANDOM,
        choice="takes the lowest id",
    ),
    Quirk(
        "rstrip-lets-added-tokens-overlap",
        "White space that rstrip takes can belong to the next added token as well: their offsets overlap.",
        ("added_tokens",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "added-token-inside-stripped-space-panics",
        "An added token that lies wholly in white space which an earlier rstrip took panics if it has lstrip.",
        ("added_tokens",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "rejected-added-token-consumes-its-text",
        "A match that single_word rejects has used up its text: shorter added tokens inside are not found.",
        ("added_tokens",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "encode-special-tokens-consumes-their-text",
        "A special token that encode_special_tokens passes over has used up its text in the same way.",
        ("added_tokens", "Tokenizer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "added-token-value-keeps-stripped-space",
        "The value of an added token with lstrip or rstrip is its text with the white space, not its content.",
        ("added_tokens",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "added-token-normalized-to-nothing-matches-everywhere",
        "An added token that the normalizer removes matches between all characters, and so cuts up the text.",
        ("added_tokens",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "added-token-normalized-to-nothing-panics-beyond-ascii",
        "An added token that the normalizer removes matches inside of a character, and panics there.",
        ("added_tokens",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "added-token-normalized-to-nothing-fills-the-memory",
        "With such a token, a text that ends in the beginning of another added token is searched until memory is full.",
        ("added_tokens",),
        Kind.ABORT,
        choice=RAISES,
    ),
    Quirk(
        "normalized-form-outlives-its-token",
        "A token added again with normalized=False is found unnormalized, but id_to_token keeps the normalized form.",
        ("added_tokens",),
        Kind.STALE_CACHE,
    ),
    Quirk(
        "normalized-forms-outlive-a-change-of-the-normalizer",
        "Changing an option of the normalizer does not normalize added tokens again: they are no longer found.",
        ("added_tokens", "Tokenizer"),
        Kind.STALE_CACHE,
    ),
    Quirk(
        "special-token-stays-special",
        "A token added again as not special is still skipped by decode.",
        ("added_tokens", "Tokenizer"),
        Kind.STALE_CACHE,
    ),
    Quirk(
        "added-token-ids-are-not-moved",
        "A model set later may use the ids of added tokens, which then hide its tokens.",
        ("added_tokens", "Tokenizer"),
        Kind.STALE_CACHE,
    ),
    Quirk(
        "added-tokens-count-changes",
        "add_tokens counts tokens that were there before and changed, and those of the model; not only new ones.",
        ("added_tokens", "Tokenizer"),
        Kind.API,
    ),
    Quirk(
        "special-token-from-text-is-not-in-the-mask",
        "special_tokens_mask is 0 for special tokens that stand in the text.",
        ("added_tokens", "Encoding"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "single-word-looks-at-marks-and-joiners",
        "single_word takes marks and joiners for parts of a word, and superscript digits for none.",
        ("added_tokens",),
        Kind.UNICODE,
        UNICODE_16,
    ),
    Quirk(
        "added-tokens-compare-as-unordered",
        "<, <=, > and >= on added tokens are all false, where Python would raise TypeError.",
        ("added_tokens",),
        Kind.API,
    ),
    Quirk(
        "unknown-options-are-printed",
        "Options with unknown names are printed and ignored, so a typing error passes.",
        ("added_tokens", "models.BPE", "models.WordPiece", "truncation", "padding"),
        Kind.API,
    ),
)

_PRE_TOKENIZERS: Final = (
    Quirk(
        "unicode-scripts-drop-leading-blanks",
        "UnicodeScripts loses what stands before the first character that has a script.",
        ("pre_tokenizers.UnicodeScripts",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unicode-scripts-drop-blank-text",
        "UnicodeScripts leaves nothing of a text of spaces.",
        ("pre_tokenizers.UnicodeScripts",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unicode-scripts-take-kana-for-han",
        "Hiragana, Katakana and Han are one script to UnicodeScripts.",
        ("pre_tokenizers.UnicodeScripts",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unicode-scripts-set-marks-and-digits-apart",
        "Common and Inherited are scripts of their own: digits, punctuation and combining marks are cut off.",
        ("pre_tokenizers.UnicodeScripts",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unicode-scripts-of-unicode-9",
        "A script that came after Unicode 9.0 goes with the text before it.",
        ("pre_tokenizers.UnicodeScripts",),
        Kind.UNICODE,
        f"Unicode 9.0 (the target's own table); {OBSERVED}",
    ),
    Quirk(
        "whitespace-takes-superscripts-for-symbols",
        "Whitespace cuts ² off a word, while \\w in a Split keeps it.",
        ("pre_tokenizers.Whitespace", "pre_tokenizers.Split", "Regex"),
        Kind.UNICODE,
        UNICODE_16,
    ),
    Quirk(
        "whitespace-takes-joiners-for-letters",
        "Whitespace keeps U+200D in a word, while \\w in a Split does not match it.",
        ("pre_tokenizers.Whitespace", "pre_tokenizers.Split", "Regex"),
        Kind.UNICODE,
        UNICODE_16,
    ),
    Quirk(
        "punctuation-of-unicode-8",
        "Punctuation assigned after Unicode 8.0 is none, and U+166D, a symbol since 12.0, is.",
        ("pre_tokenizers.Punctuation", "pre_tokenizers.BertPreTokenizer"),
        Kind.UNICODE,
        UNICODE_8,
    ),
    Quirk(
        "symbols-of-ascii-are-punctuation",
        "The symbols of ASCII, $ and + among them, are punctuation; € and × are not.",
        ("pre_tokenizers.Punctuation", "pre_tokenizers.BertPreTokenizer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "digits-are-all-numbers",
        "Digits sets fractions and Roman numerals apart, but not the Han numerals that Python calls numeric.",
        ("pre_tokenizers.Digits",),
        Kind.UNICODE,
        UNICODE_17,
    ),
    Quirk(
        "byte-level-prefixes-other-white-space",
        "add_prefix_space looks for U+0020 alone: a line feed at the start gets a space of its own, a token by itself.",
        ("pre_tokenizers.ByteLevel",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "byte-level-prefixes-every-split",
        "After another pre-tokenizer, add_prefix_space puts a space before every piece that has none.",
        ("pre_tokenizers.ByteLevel", "pre_tokenizers.Sequence"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "byte-level-pieces-of-a-character-share-offsets",
        "All byte-level pieces of a character have the offsets of the whole character, so tokens overlap.",
        ("pre_tokenizers.ByteLevel", "normalizers.ByteLevel"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "byte-level-contractions-are-lowercase",
        "Contractions are cut off in lower case and after U+0027 only: it's, but neither IT'S nor it’s.",
        ("pre_tokenizers.ByteLevel",),
        Kind.BEHAVIOUR,
        f"GPT-2's encoder; {OBSERVED}",
    ),
    Quirk(
        "byte-level-letters-of-unicode-16",
        "Letters and numbers are those of Unicode 16.0: a letter of 17.0 is set apart as a symbol.",
        ("pre_tokenizers.ByteLevel",),
        Kind.UNICODE,
        ONIGURUMA_16,
    ),
    Quirk(
        "byte-alphabet-has-no-order",
        "ByteLevel.alphabet gives the 256 characters in another order each time.",
        ("pre_tokenizers.ByteLevel",),
        Kind.RANDOM,
        choice="gives them in the order of the bytes",
    ),
    Quirk(
        "metaspace-replaces-one-kind-of-space",
        "Metaspace replaces U+0020 alone: no-break and ideographic spaces stay inside pieces.",
        ("pre_tokenizers.Metaspace",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "metaspace-takes-its-mark-for-a-space",
        "The replacement character in the text itself begins a piece, and none is prepended to it.",
        ("pre_tokenizers.Metaspace",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "metaspace-always-means-every-piece",
        "The scheme always prepends after every added token.",
        ("pre_tokenizers.Metaspace", "added_tokens"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "metaspace-first-means-every-word",
        "The scheme first prepends to every word of pre-tokenized input, for each begins at 0.",
        ("pre_tokenizers.Metaspace", "Tokenizer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "metaspace-first-looks-at-the-original",
        "The scheme first prepends nothing where a normalizer removed the start of the text.",
        ("pre_tokenizers.Metaspace", "normalizers.Strip"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "metaspace-ignores-its-older-option",
        "add_prefix_space of older files is ignored when true, even beside the scheme never.",
        ("pre_tokenizers.Metaspace", "decoders.Metaspace", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "metaspace-refuses-its-older-option",
        "add_prefix_space false without the scheme never, as files were written before there were schemes, is refused.",
        ("pre_tokenizers.Metaspace", "decoders.Metaspace", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "behavior-reads-other-than-it-is-set",
        "behavior reads as mergedwithnext, a name by which it cannot be set.",
        ("pre_tokenizers.Split", "pre_tokenizers.Punctuation"),
        Kind.API,
    ),
    Quirk(
        "pattern-cannot-be-read",
        "The attribute pattern is there, and raises when it is read.",
        ("pre_tokenizers.Split", "normalizers.Replace"),
        Kind.API,
    ),
    Quirk(
        "merging-spares-runs-of-matches",
        "merged_with_previous and merged_with_next merge one match of a run and leave the others alone.",
        ("pre_tokenizers.Split", "pre_tokenizers.Punctuation", "NormalizedString"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "splitting-at-nothing-gives-characters",
        "An empty pattern splits into characters, whatever the behavior says of the matches.",
        ("pre_tokenizers.Split",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "fixed-length-zero-panics",
        "FixedLength takes the length 0, from code and from files, and panics when it is used.",
        ("pre_tokenizers.FixedLength",),
        Kind.PANIC,
        choice=RAISES,
    ),
)

_REGEX_PARTS: Final = ("Regex", "pre_tokenizers.Split", "normalizers.Replace")

_REGULAR_EXPRESSIONS: Final = (
    Quirk(
        "regex-empty-match-after-a-match-is-skipped",
        "An empty match directly after a match does not count: x* on axb replaces three times, not four.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-skipped-empty-match-hides-alternatives",
        "Where an empty match is skipped the search goes on one character later: |a never matches the a.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-word-and-bracketed-word-differ",
        "\\w matches ²³¹¼½¾, and [\\w] does not; the same with \\p{Word} and [\\p{Word}].",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA_16,
    ),
    Quirk(
        "regex-properties-of-unicode-16",
        "Categories and scripts are those of Unicode 16.0: a letter of 17.0 is none, a script of 17.0 is an error.",
        _REGEX_PARTS,
        Kind.UNICODE,
        ONIGURUMA_16,
    ),
    Quirk(
        "regex-option-covers-later-alternatives",
        "(?i) inside a group covers its later alternatives too: a(?i)b|c is a(?i:b|c).",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-punct-in-brackets-has-symbols",
        "[[:punct:]] matches all symbols, \\p{Punct} none.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA_16,
    ),
    Quirk(
        "regex-h-is-a-hexadecimal-digit",
        "\\h is a hexadecimal digit, not a blank.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-v-is-one-character",
        "\\v is U+000B alone, not vertical white space.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-anchors-are-of-lines",
        "^ and $ match at every line, without any option.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-m-lets-the-dot-match-newlines",
        "(?m) lets the dot match line feeds, as (?s) does elsewhere; (?s) is an error.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-dot-leaves-out-the-line-feed-only",
        "The dot matches carriage returns and line separators.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-clusters-without-conjuncts",
        "\\X cuts Indic conjuncts in two: it has no rule GB9c.",
        _REGEX_PARTS,
        Kind.UNICODE,
        f"UAX #29; {OBSERVED}",
    ),
    Quirk(
        "regex-incb-is-half-a-property",
        "\\p{InCB} is accepted and matches six linkers and what has a conjunct class above them: no set of Unicode.",
        _REGEX_PARTS,
        Kind.UNICODE,
    ),
    Quirk(
        "regex-case-folds-to-several-characters",
        "(?i) matches ß with ss, and the ligature ﬆ with st.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA_16,
    ),
    Quirk(
        "regex-class-folds-no-neighbours",
        "A bracket expression is a unit of its own: (?i)[s]t does not match the ligature that (?i)st matches.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-longest-folding-is-one-unit",
        "(?i)ffi matches the ligature of three letters, and not the one of two followed by i.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-case-of-properties-in-brackets-only",
        "(?i)\\p{Lu} matches upper case alone, (?i)[\\p{Lu}] both cases.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-property-needs-braces",
        "\\pL is not a property but matches the text pL.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-long-escape-is-text",
        "\\U0001F600 matches the text U0001F600, not the character.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-quotation-is-text",
        "\\Q and \\E quote nothing: \\Q.\\E is Q, any character, E.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-capital-n-is-no-name",
        "\\N is any character but a line feed, so \\N{2} matches two of them.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-interval-may-lack-its-start",
        "{,2} means {0,2}, where others take it for text.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-reversed-interval-is-possessive",
        "{3,1} is {1,3}, possessive.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-exact-count-cannot-be-lazy",
        "{2}? means two or nothing, not lazily two.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-interval-cannot-be-possessive",
        "{2,3}+ repeats the interval, where others take it for possessive.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-once-drops-the-group",
        "(?:ab){1}* is ab*: {1} drops the group and the star takes the last character.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-anchor-repeats-in-a-capture-only",
        "A quantifier after an anchor is refused, unless the anchor stands in a capture.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-unfinished-range-is-lost",
        "[a-[b]] is [b].",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-range-after-a-named-set-is-refused",
        "[\\w-z] is an error, [\\w-] is not.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-lone-byte-matches-nothing",
        "\\xff and [\\xff] stand for a byte that no UTF-8 text has: accepted, they match nothing, not even ÿ.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-look-behind-does-not-see-the-start",
        "In a look-behind of varying length, \\b does not hold at the start of the text.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-look-behind-sees-only-one-line-break",
        "(?<=\\R) holds after CR LF alone, not after a single line break.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-condition-in-negative-look-behind-never-holds",
        "(?<!(?(a)b)), a negative look-behind for a condition without another side, holds nowhere.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "regex-condition-without-other-side-loses-text",
        "(?(ab)c)d finds the d of abcd only: the search takes the condition for nothing, and looks in the wrong place.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        choice="raises UnsupportedRegexError where something stands after the condition",
    ),
    Quirk(
        "regex-property-names-without-values",
        "\\p{Script=Latin} is an error; \\p{ l a-t_in } is not, since blanks, - and _ do not count.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-named-groups-of-one-form",
        "(?<n>…) names a group, (?P<n>…) is an error.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-names-forbid-numbers",
        "With a named group in the pattern, references by number are refused.",
        _REGEX_PARTS,
        Kind.BEHAVIOUR,
        ONIGURUMA,
    ),
    Quirk(
        "regex-backtracking-limit-panics",
        "A search that backtracks ten million times panics (retry-limit-in-match).",
        _REGEX_PARTS,
        Kind.PANIC,
        choice="goes on without a limit, which can take exponential time",
    ),
)

_MODELS: Final = (
    Quirk(
        "bpe-bytes-overtake-unknown-tokens",
        "With byte_fallback, a pending unknown token is put down after the bytes that follow it: order and offsets are wrong.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-unknown-tokens-fuse-across-bytes",
        "With fuse_unk, unknown characters become one token across the bytes between them.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-without-unknown-token-slides-offsets",
        "Without unk_token, unknown characters vanish, and all later offsets of the word slide to the left.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-bytes-of-affixes-run-off-the-text",
        "byte_fallback gives the bytes of prefix and suffix as well, with offsets beyond the text.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-merges-one-occurrence-at-a-time",
        "A new token may merge with its neighbours before the next occurrence of the same pair is merged.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-outdated-candidate-merges-if-the-id-fits",
        "A pair that changed while it waited is merged all the same if it still gives the same id, whatever its rank now.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-unknown-token-merges",
        "An unknown token takes part in merges like any other.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-prefix-is-cut-from-any-token",
        "The right side of a merge loses as many bytes as the prefix has, whether or not it begins with it.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-prefix-longer-than-a-token-panics",
        "A merge whose right side is shorter than the prefix panics when the model is built.",
        ("models.BPE",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "bpe-prefix-cut-inside-a-character-aborts",
        "A merge whose right side is cut inside a character kills the process.",
        ("models.BPE",),
        Kind.ABORT,
        choice=RAISES,
    ),
    Quirk(
        "bpe-merge-longer-than-the-vocabulary-panics",
        "A merge to a token that is not there panics if no token is as long; else it is refused.",
        ("models.BPE",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "bpe-dropout-switches-ignore-merges-off",
        "ignore_merges has no effect with dropout.",
        ("models.BPE",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-last-rank-of-a-pair-counts",
        "A merge that is listed twice has the rank of its last occurrence.",
        ("models.BPE", "merges.txt"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-remembers-words-from-before-a-change",
        "Words seen before an option was set keep their old tokens until _clear_cache.",
        ("models.BPE",),
        Kind.STALE_CACHE,
        choice="forgets them when an option is set",
    ),
    Quirk(
        "bpe-dropout-is-single-precision",
        "dropout 0.3 reads back as 0.30000001192092896, and is written as 0.3.",
        ("models.BPE",),
        Kind.API,
    ),
    Quirk(
        "bpe-dropout-can-be-set-to-anything",
        "The constructor refuses a dropout beyond 0 to 1, the attribute takes any number.",
        ("models.BPE",),
        Kind.API,
    ),
    Quirk(
        "vocab-json-passes-over-other-values",
        "BPE.read_file silently leaves out tokens whose value is no number.",
        ("models.BPE", "models.WordLevel", "vocab.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "vocab-json-cuts-ids-to-32-bits",
        "Of an id of more than 32 bits in vocab.json the lowest 32 are taken.",
        ("models.BPE", "models.WordLevel", "vocab.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "merges-txt-version-may-stand-anywhere",
        "Every line of merges.txt that begins with #version is left out, a merge of such a token too.",
        ("models.BPE", "merges.txt"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "merges-in-json-lose-version-lines",
        "In tokenizer.json, too, a merge written as a string is left out if it begins with #version.",
        ("models.BPE", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "vocab-txt-loses-white-space",
        "White space at the end of a line of vocab.txt does not count: a token of spaces becomes the empty token.",
        ("models.WordPiece", "vocab.txt"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "vocab-txt-last-of-equal-lines-counts",
        "A token that stands twice in vocab.txt has the later id; the earlier id has no token.",
        ("models.WordPiece", "vocab.txt"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "vocab-txt-is-saved-without-holes",
        "Ids without a token are not written to vocab.txt, so what is read back has other ids.",
        ("models.WordPiece", "vocab.txt"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "word-level-makes-a-token-of-nothing",
        "WordLevel gives the empty string a token, the unknown one if there is no other.",
        ("models.WordLevel",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-ties-go-to-the-earliest-start",
        "Of cuts with equal scores the one stays whose last piece begins first.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-looks-unknown-runs-up-again",
        "Unknown characters in a row are joined and looked up once more: they can be a token that the best cut avoided.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-bytes-have-offsets-of-the-run",
        "The bytes of unknown characters all have the offsets of the whole unknown run.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-bytes-all-or-none-of-the-run",
        "Where one byte of an unknown run has no token, all of the run is one unknown token.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-unknown-token-has-the-text-as-value",
        "The value of an unknown token is the text that it stands for, not the name of the unknown token.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-unknown-token-in-the-text-is-unknown",
        "Where the text has the unknown token's own text, it is joined with unknown characters beside it.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-size-counts-equal-pieces",
        "A piece that is listed twice has the later id, and counts twice in the size of the vocabulary.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-sampling-compounds-alpha",
        "alpha is not the exponent of a cut's probability, as published: it is applied again at each step of the sum.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-sampling-needs-an-unknown-token",
        "With alpha, a model without unk_id fails on texts that have nothing unknown.",
        ("models.Unigram",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unigram-sampling-panics-on-extreme-weights",
        "Scores times alpha that no float holds panic.",
        ("models.Unigram",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "unigram-sampling-is-not-written",
        "alpha and nbest_size are not written to tokenizer.json.",
        ("models.Unigram", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "unigram-infinite-score-is-written-as-null",
        "A score that is not finite is written as null, which cannot be read again.",
        ("models.Unigram", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "one-id-for-two-tokens-is-drawn",
        "Of two tokens with one id, id_to_token and the written file have either.",
        ("models.BPE", "models.WordPiece", "models.WordLevel", "tokenizer.json"),
        Kind.RANDOM,
        choice="has the later one",
    ),
    Quirk(
        "largest-id-empties-the-written-vocabulary",
        "A vocabulary with the id 4294967295 is written as an empty one: ids are counted in 32 bits.",
        ("models.BPE", "models.WordPiece", "models.WordLevel", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "model-offsets-are-bytes",
        "Model.tokenize gives offsets in UTF-8 bytes, where everything else has characters.",
        ("models.BPE", "models.WordPiece", "models.WordLevel", "models.Unigram"),
        Kind.API,
    ),
)

_ENCODINGS: Final = (
    Quirk(
        "single-input-has-no-range",
        "Without post-processor a single input has no sequence range: token_to_sequence answers one token too far.",
        ("Encoding", "Tokenizer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "unknown-sequence-is-the-whole-encoding",
        "A sequence index that does not exist stands for the whole encoding.",
        ("Encoding",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "search-for-a-word-ends-at-a-later-word",
        "word_to_tokens stops at the first word of a higher number, and misses words after it.",
        ("Encoding",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "merged-offsets-grow-by-default",
        "Encoding.merge shifts offsets, so they no longer point into any of the texts.",
        ("Encoding",),
        Kind.API,
    ),
    Quirk(
        "offsets-restart-in-every-word",
        "With is_pretokenized, offsets count from the start of each word.",
        ("Encoding", "Tokenizer"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "range-past-the-end-panics",
        "sequence_ids panics for a sequence range that is longer than the encoding, which a state may hold.",
        ("Encoding",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "overlapping-ranges-are-drawn",
        "Where sequence ranges overlap, token_to_sequence answers with any of them.",
        ("Encoding",),
        Kind.RANDOM,
        choice="answers with the lowest",
    ),
    Quirk(
        "batch-fast-has-ids-only",
        "encode_batch_fast leaves out tokens and offsets: they are there, and empty.",
        ("Tokenizer", "Encoding"),
        Kind.API,
    ),
    Quirk(
        "async-encode-has-byte-offsets",
        "async_encode gives offsets in UTF-8 bytes, async_encode_batch and all others in characters.",
        ("Tokenizer", "Encoding"),
        Kind.API,
    ),
)

_TRUNCATION_AND_PADDING: Final = (
    Quirk(
        "truncation-wraps-around-below-zero",
        "If special tokens alone are more than max_length, nothing is truncated at all.",
        ("truncation",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "truncation-takes-a-stride-that-is-too-long",
        "enable_truncation refuses a stride above the length that is left, and takes an equal one, which cannot work.",
        ("truncation",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "truncation-without-progress-panics",
        "A stride equal to the length that is left panics as soon as something has to be cut.",
        ("truncation", "Encoding"),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "truncation-in-a-file-is-not-checked",
        "A file may hold a stride above max_length.",
        ("truncation", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "truncation-to-zero-overflows-in-one-piece",
        "With max_length 0 all text is one overflowing part, however long.",
        ("truncation", "Encoding"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "truncated-parts-lose-their-sequence",
        "Without post-processor, overflowing parts of a pair say sequence 0 for tokens of the second text.",
        ("truncation", "Encoding"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "overflow-has-overflow",
        "Of a pair in which both are cut, overflowing parts have overflowing parts of their own.",
        ("truncation", "Encoding"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "padding-belongs-to-the-sequence",
        "Padding of an encoding without sequence range counts as sequence 0, while padding of a pair belongs to none.",
        ("padding", "Encoding"),
        Kind.BEHAVIOUR,
    ),
)

_PROCESSORS: Final = (
    Quirk(
        "processor-type-is-guessed",
        "The type of a post-processor is not looked at: BertProcessing with the fields of RoBERTa is RobertaProcessing.",
        (
            "processors.BertProcessing",
            "processors.RobertaProcessing",
            "processors.TemplateProcessing",
            "tokenizer.json",
        ),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "bert-and-roberta-reset-masks",
        "Existing tokens lose their special mask and get attention, whatever they had.",
        ("processors.BertProcessing", "processors.RobertaProcessing"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "roberta-works-without-special-tokens",
        "RobertaProcessing trims offsets and sets type ids to 0 with add_special_tokens=False, too.",
        ("processors.RobertaProcessing",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "trimming-keeps-one-blank-at-offset-zero",
        "With add_prefix_space, a single leading blank is left in the offsets of every token that begins at 0, not only the first.",
        ("processors.ByteLevel", "processors.RobertaProcessing"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "byte-level-processor-renumbers-sequences",
        "After a template, ByteLevel numbers its parts as sequences, the special tokens among them.",
        ("processors.ByteLevel", "processors.Sequence"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bert-surrounds-every-part-of-a-template",
        "After a template, BertProcessing puts its tokens around each part, the special tokens among them.",
        ("processors.BertProcessing", "processors.RobertaProcessing", "processors.Sequence"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "template-after-a-template-panics",
        "A template that gets the parts of another one panics.",
        ("processors.TemplateProcessing", "processors.Sequence"),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "template-splits-at-every-space",
        "Two spaces in a template hold an empty special token between them, which is missing.",
        ("processors.TemplateProcessing",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "template-second-sequence-has-type-0",
        "$B has type 0 unless it is written $B:1.",
        ("processors.TemplateProcessing",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "template-number-is-a-type-of-the-first-sequence",
        "$2 is not the second sequence but the first one, with type 2.",
        ("processors.TemplateProcessing",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "template-leaves-types-of-overflow",
        "Overflowing parts keep the type ids of tokenization, beside special tokens with the types of the template.",
        ("processors.TemplateProcessing", "truncation"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "template-set-later-is-not-counted",
        "single can be set to a template with unknown special tokens, and num_special_tokens_to_add keeps its answer.",
        ("processors.TemplateProcessing",),
        Kind.STALE_CACHE,
    ),
    Quirk(
        "template-reads-as-debug-text",
        "single reads as a debugging text of Rust, which cannot be set.",
        ("processors.TemplateProcessing",),
        Kind.API,
    ),
    Quirk(
        "template-of-one-with-second-sequence-panics",
        "A template for one sequence may use $B, and panics when it is used.",
        ("processors.TemplateProcessing",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "template-in-a-file-is-not-checked",
        "A template in a file may lack its special tokens, and panics when it is used.",
        ("processors.TemplateProcessing", "tokenizer.json"),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "template-in-a-file-may-have-columns-of-unequal-length",
        "A special token in a file may have more ids than tokens: so has the encoding then.",
        ("processors.TemplateProcessing", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "template-names-missing-tokens-in-any-order",
        "The error for missing special tokens lists them in another order each time.",
        ("processors.TemplateProcessing",),
        Kind.RANDOM,
        choice="lists them in the order of the template",
    ),
    Quirk(
        "processor-overrides-type-ids",
        "Before a post-processor works, type ids become the number of the sequence, whatever they were.",
        ("processors.BertProcessing", "processors.ByteLevel", "processors.TemplateProcessing"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "special-tokens-lose-nested-overflow",
        "Special tokens are put around overflowing parts, whose own overflow is lost.",
        ("processors.BertProcessing", "processors.RobertaProcessing"),
        Kind.BEHAVIOUR,
    ),
)

_DECODERS: Final = (
    Quirk(
        "metaspace-decoder-drops-all-marks-of-the-first-token",
        "In the first token every replacement character is dropped, also inside and at the end.",
        ("decoders.Metaspace",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-decoder-replaces-suffix-anywhere",
        "BPEDecoder takes its suffix for a space wherever it stands in a token.",
        ("decoders.BPEDecoder",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "bpe-decoder-spaces-out-characters",
        "BPEDecoder with an empty suffix puts a space between all characters.",
        ("decoders.BPEDecoder",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "byte-fallback-takes-a-plus-sign",
        "ByteFallback takes <0x+1> for byte 1.",
        ("decoders.ByteFallback",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "byte-fallback-gives-up-a-whole-run",
        "One ill-formed byte turns its whole run into U+FFFD, one for each byte, ASCII too.",
        ("decoders.ByteFallback",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "ctc-keeps-delimiters-without-cleanup",
        "The word delimiter becomes a space only with cleanup.",
        ("decoders.CTC",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "ctc-removes-padding-inside-tokens",
        "The text of the padding token is removed wherever it stands in a token.",
        ("decoders.CTC",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "cleanup-sees-one-token-at-a-time",
        "Clean-up of blanks never sees across tokens.",
        ("decoders.WordPiece", "decoders.CTC"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "cleanup-contracts-do-not",
        "Clean-up writes don't for do not.",
        ("decoders.WordPiece", "decoders.CTC"),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "wordpiece-decoder-keeps-the-first-prefix",
        "The first token keeps its continuation prefix.",
        ("decoders.WordPiece",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "strip-decoder-panics-on-short-tokens",
        "Strip measures both ends without regard to each other, and panics where the cuts overlap.",
        ("decoders.Strip",),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "byte-level-decoder-takes-foreign-tokens-as-text",
        "A token with any character outside the byte alphabet stands for itself as a whole, Ġ and all.",
        ("decoders.ByteLevel",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "decoder-sequence-has-copies",
        "A Sequence of decoders copies its members; other sequences share them with their makers.",
        ("decoders.Sequence", "normalizers.Sequence", "pre_tokenizers.Sequence"),
        Kind.API,
    ),
    Quirk(
        "custom-decoder-in-a-sequence-panics",
        "A custom decoder cannot be part of a Sequence, as custom normalizers and pre-tokenizers can.",
        ("decoders.Sequence", "decoders.Custom"),
        Kind.PANIC,
        choice=RAISES,
    ),
    Quirk(
        "stream-gives-dangling-bytes-late",
        "DecodeStream holds back a dangling byte, and gives it out as U+FFFD with the next character.",
        ("decoders.DecodeStream",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "stream-is-silent-where-text-does-not-grow",
        "DecodeStream gives nothing while the text does not get longer, even if it changed.",
        ("decoders.DecodeStream",),
        Kind.BEHAVIOUR,
    ),
    Quirk(
        "decoding-passes-over-unknown-ids",
        "decode leaves out ids that have no token.",
        ("Tokenizer",),
        Kind.BEHAVIOUR,
    ),
)

_FILES: Final = (
    Quirk(
        "unknown-key-at-the-top-is-refused",
        "An unknown key at the top level makes the file unreadable; inside components it is ignored.",
        ("tokenizer.json",),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "added-token-ids-in-a-file-are-ignored",
        "The ids of added_tokens are read and ignored: tokens are numbered again in the order of the list.",
        ("added_tokens", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "added-tokens-cannot-be-null",
        "added_tokens may be missing but not null, as the other parts may.",
        ("added_tokens", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "last-of-equal-keys-counts",
        "Of equal keys in the file the last counts, at the top and in components.",
        ("tokenizer.json",),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "equal-keys-in-truncation-are-refused",
        "A key that truncation or padding has twice is refused.",
        ("truncation", "padding", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "unknown-type-is-guessed-from-fields",
        "A component of unknown type is taken for the first one whose fields fit.",
        ("normalizers.Prepend", "decoders.BPEDecoder", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "model-without-type-is-guessed",
        "A model without type is taken for the first of BPE, WordPiece, WordLevel and Unigram whose fields fit.",
        ("models.BPE", "models.WordPiece", "models.WordLevel", "models.Unigram", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "pre-tokenizer-without-type-is-refused",
        "A pre-tokenizer without type is never guessed: all of them ask for their type.",
        ("pre_tokenizers.Digits", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "bert-normalizer-has-a-second-name",
        "BertNormalizer is also read as Bert, which is never written.",
        ("normalizers.BertNormalizer", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "pre-tokenizers-of-a-sequence-have-no-underscore",
        "The member is pretokenizers in a Sequence and pre_tokenizer at the top.",
        ("pre_tokenizers.Sequence", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "byte-level-decoder-needs-useless-fields",
        "The decoder ByteLevel is read only with add_prefix_space and trim_offsets, which mean nothing to it.",
        ("decoders.ByteLevel", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "objects-may-be-arrays",
        "Some objects may be written as arrays of their values: truncation, BertProcessing, Prepend.",
        ("truncation", "processors.BertProcessing", "normalizers.Prepend", "decoders.BPEDecoder", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "names-may-be-objects",
        'A name such as Left may be written as an object with null, {"Left": null}.',
        ("truncation", "padding", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "json-numbers-are-read-inexactly",
        "Numbers of many digits are read one unit in the last place beside the nearest float.",
        ("models.Unigram", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "minus-zero-is-no-whole-number",
        "-0 is read as a floating-point number, and so is no id.",
        ("tokenizer.json",),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "json-is-nested-127-deep-at-most",
        "A file of more than 127 arrays and objects in each other is refused, also where the value is ignored.",
        ("tokenizer.json",),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "sequences-flatten-in-code-only",
        "The constructor of a Sequence dissolves sequences in it; those in a file stay.",
        ("normalizers.Sequence", "pre_tokenizers.Sequence", "processors.Sequence"),
        Kind.FILE_FORMAT,
    ),
    Quirk(
        "custom-components-cannot-be-written",
        "A tokenizer with a custom component works, and cannot be saved.",
        ("normalizers.Custom", "pre_tokenizers.Custom", "decoders.Custom", "tokenizer.json"),
        Kind.FILE_FORMAT,
    ),
)

_PYTHON: Final = (
    Quirk(
        "panics-are-no-exceptions",
        "A panic is a BaseException: except Exception does not catch it.",
        ("Tokenizer",),
        Kind.PANIC,
        choice="raises UpstreamPanicError, which is an Exception",
    ),
    Quirk(
        "parts-are-new-objects-each-time",
        "tokenizer.normalizer is another object each time, and yet setting its options changes the tokenizer.",
        ("Tokenizer",),
        Kind.API,
        choice="the same object each time",
    ),
    Quirk(
        "base-class-of-models-is-a-bpe",
        "Model can be made, and is an empty BPE; the base classes of the other stages cannot.",
        ("models.BPE",),
        Kind.API,
    ),
    Quirk(
        "repr-writes-whole-numbers-without-point",
        "repr shows the score 1.0 as 1.",
        ("models.Unigram", "models.BPE"),
        Kind.API,
    ),
    Quirk(
        "str-cuts-long-values",
        "str shows five items of a list and 100 bytes of a text; repr shows more.",
        ("normalizers.Sequence", "models.WordLevel", "processors.TemplateProcessing"),
        Kind.API,
    ),
    Quirk(
        "negative-index-overflows",
        "A Sequence of components cannot be indexed from its end: OverflowError.",
        ("normalizers.Sequence", "pre_tokenizers.Sequence", "processors.Sequence"),
        Kind.API,
    ),
    Quirk(
        "numpy-strings-are-read-as-bytes",
        "numpy arrays of str are read by their memory: every word ends in NULs, and is unknown.",
        ("Tokenizer",),
        Kind.API,
    ),
)

QUIRKS: Final[tuple[Quirk, ...]] = (
    *_ALIGNED_TEXT,
    *_NORMALIZERS,
    *_ADDED_TOKENS,
    *_PRE_TOKENIZERS,
    *_REGULAR_EXPRESSIONS,
    *_MODELS,
    *_ENCODINGS,
    *_TRUNCATION_AND_PADDING,
    *_PROCESSORS,
    *_DECODERS,
    *_FILES,
    *_PYTHON,
)
"""All quirks, in the order of the pipeline; files and the Python interface come last."""


def quirks_of(component: str) -> tuple[Quirk, ...]:
    """Return the quirks of a component, which is named as in ``normalizers.Replace``; none for a name without any."""
    return tuple(quirk for quirk in QUIRKS if component in quirk.components)
