"""Recipes of what can be given to a tokenizer: pairs, pre-split input, batches; and of the columns of encodings."""

from __future__ import annotations

from requirements.models import PYTHON_ONLY, WIDTHS, of
from requirements.recipe import (
    Area,
    Document,
    added,
    batch,
    bpe,
    case,
    characters,
    component,
    each,
    encode,
    pair,
    pre_tokenize,
    row,
    text,
    tokenizer,
    word_level,
    word_piece,
    words,
)
from requirements.truncation import BERT, TEMPLATE, WORDS

BYTE_LEVEL = component("ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True)
PREFIXED = {**BYTE_LEVEL, "add_prefix_space": True}
METASPACE = component("Metaspace", replacement="\u2581", prepend_scheme="always", split=True)


def letters(**stages: object) -> Document:
    """Return a tokenizer of the words a to j."""
    return of(word_level(WORDS), **stages)


def byte_pieces(pre_tokenizer: Document = BYTE_LEVEL, post_processor: Document | None = None) -> Document:
    """Return a byte-level tokenizer whose tokens are single bytes."""
    alphabet = [chr(code) for code in (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x144))]
    return tokenizer(bpe(alphabet), pre_tokenizer=pre_tokenizer, post_processor=post_processor)


# Offsets -------------------------------------------------------------------------------------------------------------

OFFSETS = Area(
    "offsets",
    "Offsets",
    "model",
    "Where in the original text a token comes from: a range of code points, its end exclusive, counted in the text as it was given, before normalization.",
)
OFFSETS.requirement(
    "OFFSETS-CODE-POINTS: Offsets count code points of the original text",
    "Offsets count code points of the text that was given: neither bytes, nor UTF-16 units, nor grapheme clusters.",
    "Ports count in the unit of their language's strings; nothing shows it in ASCII.",
    [case(of(word_level(["a", wide])), text(f"{wide} a {wide}a a", f"a{wide} a")) for wide in WIDTHS],
    each(
        of(word_level("a")),
        *row("\u00e9 a•\u65e5\u672c a•\U0001f468\u200d\U0001f469 a•e\u0301 a•\U0001f1e9\U0001f1ea a"),
    ),
    [case(tokenizer(characters("ab")), text(f"{wide}{wide}a{wide}b")) for wide in WIDTHS],
    features=("offsets",),
)
OFFSETS.requirement(
    "OFFSETS-BYTE-LEVEL-PIECES: Byte-level tokens of one character share its offsets",
    "A byte-level token that is a part of a character has the offsets of the whole character; one of several characters goes from the first of them to the last.",
    "Ports give empty ranges, or ranges of bytes.",
    [case(byte_pieces(), text(f"a{wide}b", f"{wide}{wide}")) for wide in WIDTHS],
    each(byte_pieces(), "a \u00e9 b", "\u65e5\u672c", " \U0001f389", "a\n\u00e9"),
    each(
        tokenizer(
            bpe(["a", "\u00c3", "\u00a9", "b"], ("\u00c3 \u00a9", "a \u00c3\u00a9", "\u00a9 a")),
            pre_tokenizer=BYTE_LEVEL,
        ),
        "a\u00e9b",
        "\u00e9\u00e9a",
        "b\u00e9aa\u00e9",
    ),
    features=("offsets",),
)
OFFSETS.requirement(
    "OFFSETS-PREFIX-SPACE: A space that was put before the text takes no room",
    "Where a space (or its mark) is put before the text, it has no place in the original: the first token begins at 0 all the same, and all other offsets are as without it.",
    "Ports shift all offsets by one.",
    each(byte_pieces(PREFIXED), "a b", " a", "\u00e9"),
    each(tokenizer(characters("ab\u2581"), pre_tokenizer=METASPACE), "a b", " a", "ab  b", "\u00e9a"),
    each(tokenizer(characters("ab\u2581"), normalizer=component("Prepend", prepend="\u2581")), "a b", "\u00e9a"),
    features=("offsets",),
)
OFFSETS.requirement(
    "OFFSETS-THROUGH-ALL-STAGES: Offsets go back through every stage to the original",
    "Offsets are those of the original text whatever the normalizer, the pre-tokenizer and added tokens did before: removed text leaves a gap, replaced text has the range of what it replaced.",
    "Ports give offsets in the normalized text.",
    [
        case(
            tokenizer(
                characters("abcdei -"),
                normalizer=normalizer,
                pre_tokenizer=component("Whitespace"),
                added_tokens=[added(40, "<x>", special=True)],
            ),
            text("A\u00c9b  \u0130c", "\u00c9 <x> \u00c9", "<x>\u0130-a", "\ufb01 a\u0301b"),
        )
        for normalizer in (
            None,
            component("Lowercase"),
            [component("NFD"), component("StripAccents")],
            [component("NFKD"), component("Lowercase")],
            component("BertNormalizer", clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True),
            component("Replace", pattern={"String": "b"}, content="---"),
        )
    ],
    features=("offsets",),
)

# Pairs ---------------------------------------------------------------------------------------------------------------

PAIRS = Area(
    "pairs",
    "Pairs",
    "post_process",
    "Two texts in one encoding. Each is tokenized by itself; a post-processor sets them together, and without one the second follows the first.",
)
PAIRS.requirement(
    "PAIR-WITHOUT-POST-PROCESSOR: Without a post-processor the second text follows the first",
    "Without a post-processor, the tokens of the second text follow those of the first; offsets and word ids count anew in the second text; type ids and sequence ids are 0 for the first and 1 for the second.",
    "Ports let offsets and words run on, or leave type ids at 0.",
    [
        case(letters(), pair(one, two))
        for one, two in (("a b", "c"), ("a", "b c d"), ("\u00e9 a", "b \u00e9 c"), ("a a", "a"))
    ],
    [case(byte_pieces(), pair(one, two)) for one, two in (("a b", "\u00e9 c"), ("\u00e9", "a b"))],
    [case(tokenizer(characters("ab")), pair(one, two)) for one, two in (("ab", "ba"), ("\U00010000a", "b"))],
    features=("pair",),
)
PAIRS.requirement(
    "PAIR-WITH-EMPTY-TEXT: An empty text is a text",
    "A pair of which one text is empty is a pair all the same, with the special tokens of a pair.",
    "Ports test the second text for being empty, and encode a single input.",
    [
        case(letters(post_processor=processor), pair(one, two), encode("b"))
        for processor in (None, BERT, TEMPLATE)
        for one, two in (("a", ""), ("", "a"), ("", ""), ("a b", ""))
    ],
    features=("pair",),
)
PAIRS.requirement(
    "PAIR-NORMALIZED-APART: Each text of a pair goes through all stages by itself",
    "Each text of a pair is normalized and cut by itself, as if it were alone: what is put before a text is put before both.",
    "Ports join the texts first, so that the second has no prefix.",
    [
        case(given, pair("a b", "b a"), pair("A", " a"), pair("", "a"))
        for given in (
            tokenizer(characters("ab\u2581"), pre_tokenizer=METASPACE),
            byte_pieces(PREFIXED),
            tokenizer(
                characters("ab\u2581"), normalizer=[component("Lowercase"), component("Prepend", prepend="\u2581")]
            ),
            tokenizer(characters("ab "), normalizer=component("Strip", strip_left=True, strip_right=True)),
            tokenizer(characters("ab\u2581"), pre_tokenizer={**METASPACE, "prepend_scheme": "first"}),
        )
    ],
    features=("pair",),
)

# Pre-split input -----------------------------------------------------------------------------------------------------

PRE_SPLIT = Area(
    "pre-split",
    "Pre-split input",
    "post_process",
    "A text that comes as a list of words (is_pretokenized in Python). Each word goes through all stages by itself; the pre-tokenizer may cut it further.",
)
PRE_SPLIT.requirement(
    "PRESPLIT-EACH-WORD-BY-ITSELF: Each word goes through all stages by itself",
    "Each word is normalized, cut and tokenized as if it were a text of its own; the tokens follow one another.",
    "Ports join the words with spaces, or give them to the model without pre-tokenizing.",
    [
        case(given, words(*sequences))
        for given in (
            letters(),
            of(word_piece("a b ab ##a ##b")),
            byte_pieces(),
            byte_pieces(PREFIXED),
            tokenizer(characters("ab\u2581"), pre_tokenizer=METASPACE),
            tokenizer(characters("ab\u2581"), pre_tokenizer={**METASPACE, "prepend_scheme": "first"}),
            tokenizer(characters("ab\u2581"), pre_tokenizer={**METASPACE, "prepend_scheme": "never", "split": False}),
            tokenizer(characters("ab"), normalizer=component("Lowercase")),
            tokenizer(characters("ab>"), normalizer=component("Prepend", prepend=">")),
        )
        for sequences in (
            (["a", "b"], ["ab"]),
            (["a b", "b"],),
            (["A", "", "b"], [""]),
            ([" a", "b "], ["\u00e9", "a"]),
        )
    ],
    features=("pre_split",),
)
PRE_SPLIT.requirement(
    "PRESPLIT-WORD-IDS: word_ids are the numbers of the words that were given",
    "The word id of a token is the place of its word in the list, whatever the pre-tokenizer cuts it into; words without tokens have a number too.",
    "Ports number the pieces, or leave empty words out of the count.",
    [
        case(given, words(["a b", "c"], ["", "a", "", "b c d"], ["a", "a"]))
        for given in (letters(), letters(post_processor=BERT), of(word_piece("a b c ##a")), byte_pieces())
    ],
    features=("pre_split", "word_ids"),
)
PRE_SPLIT.quirk(
    "OFFSETS-RESTART-IN-EVERY-WORD: Offsets count from the start of each word",
    "With pre-split input, offsets count from the start of each word.",
    "One would expect them to count in a text.",
    [
        case(given, words(["a", "b c"], ["\u00e9a", "b\u00e9 c"], ["ab", "", "ab"]))
        for given in (letters(), byte_pieces(), tokenizer(characters("abc")), letters(post_processor=TEMPLATE))
    ],
    features=("pre_split", "offsets"),
)
PRE_SPLIT.requirement(
    "PRESPLIT-PAIRS: Both texts of a pair may be pre-split",
    "Both texts of a pair are lists of words; word ids and offsets count anew in the second one.",
    "Ports take a list for the first text only.",
    [
        case(letters(post_processor=processor), pair(["a", "b c"], ["d"]), pair(["a"], ["b", "c d", ""]))
        for processor in (None, BERT, TEMPLATE)
    ],
    features=("pre_split", "pair"),
)
PRE_SPLIT.edge(
    "PRESPLIT-NO-WORDS: An empty list of words is an empty text",
    "An empty list of words gives what an empty text gives: special tokens, or nothing.",
    "Ports fail for an empty list.",
    [
        case(letters(post_processor=processor), words([], ["a"]), pair([], ["a"]))
        for processor in (None, BERT, TEMPLATE)
    ],
    features=("pre_split",),
)
PRE_SPLIT.requirement(
    "PRESPLIT-ADDED-TOKENS: Added tokens are found within each word",
    "Added tokens are looked for in each word by itself; one that reaches over two words is not found.",
    "Ports look for them in the joined text.",
    [
        case(
            letters(added_tokens=[added(20, "<x>", special=special), added(21, "a b")]),
            words(["<x>", "a"], ["<x>a", "b<x>c"], ["a", "b"], ["a b", "c"], ["<", "x>"]),
        )
        for special in (True, False)
    ],
    features=("pre_split",),
)

# Batches -------------------------------------------------------------------------------------------------------------

BATCHES = Area(
    "batches",
    "Batches",
    "post_process",
    "Several inputs at once. Each gives what it gives alone, but for padding to the longest.",
)
BATCHES.requirement(
    "BATCH-EQUALS-SINGLE: An input of a batch gives what it gives alone",
    "The encodings of a batch are those of its inputs, each by itself, in their order, however many there are.",
    "Ports encode batches in parallel and mix them up, or leave stages out.",
    [
        case(given, batch(*inputs, special=special), batch(*reversed(inputs), special=special))
        for given in (letters(), letters(post_processor=TEMPLATE), byte_pieces(PREFIXED), of(word_piece("a b ##a ##b")))
        for special in (True, False)
        for inputs in (("a", "b a", ""), ("\u00e9 a", "a", "b b b", "a"), tuple("abcdefghij"))
    ],
    features=("batch",),
)
BATCHES.requirement(
    "BATCH-OF-PAIRS: A batch may have pairs",
    "Each input of a batch may be a pair.",
    "Ports take two lists and encode all first texts before all second ones.",
    [
        case(letters(post_processor=processor), batch(("a", "b"), ("a b", ""), ("", "c d"), pairs=True))
        for processor in (None, BERT, TEMPLATE)
    ],
    features=("batch", "pair"),
)
BATCHES.requirement(
    "BATCH-OF-PRE-SPLIT-INPUT: A batch may have pre-split input",
    "Each input of a batch may be a list of words, if all are.",
    "Ports take a batch of lists for a list of pairs.",
    [
        case(letters(post_processor=processor), batch(["a", "b c"], ["d"], ["a", "", "b"]), batch(["a", "b"]))
        for processor in (None, BERT)
    ],
    features=("batch", "pre_split"),
)
BATCHES.edge(
    "BATCH-EMPTY: An empty batch gives no encodings",
    "A batch without inputs gives no encodings, with padding too.",
    "Ports look for the longest of none, and fail.",
    case(letters(), batch(), batch("a")),
    features=("batch",),
)

# Columns -------------------------------------------------------------------------------------------------------------

COLUMNS = Area(
    "encodings",
    "Columns of an encoding",
    "post_process",
    "An encoding has, for each token: ids, tokens, offsets, word_ids (the number of the word, or none), type_ids, attention_mask (1, for padding 0), special_tokens_mask (1 for what the post-processor or padding added), sequence_ids (0 or 1 for the text that it comes from, or none).",
)
COLUMNS.requirement(
    "WORD-IDS-NUMBER-PIECES: word_ids number the pieces of the pre-tokenizer",
    "The word id of a token is the number of the piece that it comes from, from 0; an added token in the text is a piece of its own, and special tokens of the post-processor have none.",
    "Ports count words of the text, skip added tokens, or number tokens.",
    [
        case(given, text("a b", "aa  b<x>a", "<x> <x>a b", "a-b"))
        for given in (
            letters(added_tokens=[added(20, "<x>", special=True)]),
            letters(added_tokens=[added(20, "<x>")], post_processor=BERT),
            tokenizer(
                word_piece("a b ##a -"),
                pre_tokenizer=component("BertPreTokenizer"),
                added_tokens=[added(20, "<x>", special=True)],
                post_processor=TEMPLATE,
            ),
            tokenizer(characters("ab- "), pre_tokenizer=component("Punctuation", behavior="MergedWithNext")),
        )
    ],
    features=("word_ids",),
)
COLUMNS.requirement(
    "SPECIAL-TOKENS-MASK: special_tokens_mask marks what was added, not what stood in the text",
    "The special mask is 1 for tokens that the post-processor or padding added, and 0 for all tokens of the text, also where the text itself has a special token.",
    "Ports look the ids up, and mark special tokens of the text.",
    [
        case(
            letters(
                added_tokens=[added(1, "[CLS]", special=True), added(20, "<x>", special=True)], post_processor=processor
            ),
            text("a [CLS] b", "<x>", "[CLS]<x>a"),
            pair("a", "[CLS]"),
        )
        for processor in (None, BERT, TEMPLATE)
    ],
    features=("special_tokens_mask",),
)
COLUMNS.requirement(
    "EMPTY-TEXT: An empty text gives an empty encoding, or special tokens alone",
    "An empty text, and one that the normalizer or the pre-tokenizer leaves nothing of, gives no tokens but those that the post-processor adds.",
    "Ports give an unknown token, a prefix, or fail.",
    [
        case(given, text("", "a"), text(" "))
        for given in (
            letters(),
            letters(post_processor=BERT),
            letters(post_processor=TEMPLATE),
            byte_pieces(PREFIXED),
            tokenizer(characters("a\u2581"), pre_tokenizer=METASPACE),
            tokenizer(characters("a "), normalizer=component("Strip", strip_left=True, strip_right=True)),
            tokenizer(characters("a>"), normalizer=component("Prepend", prepend=">")),
        )
    ],
)
COLUMNS.requirement(
    "PRE-TOKENIZER-ALONE: Asked alone, the pre-tokenizer cuts the text as it stands",
    "Asked by itself, the pre-tokenizer does not see the normalizer; its offsets count code points of the text that it was given.",
    "Ports run the normalizer first.",
    [
        case(
            tokenizer(characters("ab"), normalizer=component("Lowercase"), pre_tokenizer=pre_tokenizer),
            pre_tokenize("A b", "\u00c9 B", "\U00010000 A"),
        )
        for pre_tokenizer in (component("Whitespace"), component("WhitespaceSplit"), BYTE_LEVEL, METASPACE)
    ],
    features=("pre_tokenize",),
)
COLUMNS.unasked(
    PYTHON_ONLY,
    """
    SINGLE-INPUT-HAS-NO-RANGE: Without post-processor a single input has no sequence range
    Without post-processor a single input has no sequence range: token_to_sequence answers one token too far.
    One would expect none beyond the end.
    UNKNOWN-SEQUENCE-IS-THE-WHOLE-ENCODING: A sequence index that does not exist stands for the whole encoding
    A sequence index that does not exist stands for the whole encoding.
    One would expect nothing, or an error.
    SEARCH-FOR-A-WORD-ENDS-AT-A-LATER-WORD: word_to_tokens stops at the first word of a higher number
    word_to_tokens stops at the first word of a higher number, and misses words after it.
    One would expect the whole encoding to be searched.
    MERGED-OFFSETS-GROW-BY-DEFAULT: Encoding.merge shifts offsets
    Encoding.merge shifts offsets, so that they no longer point into any of the texts.
    One would expect offsets to stay.
    RANGE-PAST-THE-END-PANICS: sequence_ids panics for a range past the end
    sequence_ids panics for a sequence range that is longer than the encoding, which a pickled state may hold.
    One would expect an error.
    OVERLAPPING-RANGES-ARE-DRAWN: Where sequence ranges overlap, any of them is answered
    Where sequence ranges overlap, token_to_sequence answers with any of them.
    One would expect the first.
    BATCH-FAST-HAS-IDS-ONLY: encode_batch_fast leaves out tokens and offsets
    encode_batch_fast leaves out tokens and offsets: they are there, and empty.
    One would expect them, or no such columns.
    ASYNC-ENCODE-HAS-BYTE-OFFSETS: async_encode gives offsets in bytes
    async_encode gives offsets in UTF-8 bytes, async_encode_batch and all others in characters.
    One would expect characters everywhere.
    """,
)

AREAS = (OFFSETS, PAIRS, PRE_SPLIT, BATCHES, COLUMNS)
