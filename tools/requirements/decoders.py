"""Recipes of decoders, of decoding in general, and of decoding id by id."""

from __future__ import annotations

from typing import Any

from requirements.models import PYTHON_ONLY, WIDTHS
from requirements.recipe import (
    UNKNOWN,
    Area,
    CaseRecipe,
    Document,
    added,
    byte_tokens,
    case,
    component,
    ids,
    refused,
    row,
    saved,
    stream,
    tokenizer,
    word_level,
)


def decoded(
    decoder: Document | list[Document] | None, *rows: list[str], streamed: bool = False, **stages: Any
) -> list[CaseRecipe]:
    """Return a case for each of ``rows``, tokens whose ids are decoded, alone and after another one."""
    cases = []
    for given in rows:
        tokens = list(dict.fromkeys([*given, "z"]))
        vocab = {token: id_ for id_, token in enumerate([UNKNOWN, *tokens])}
        model = {"type": "WordLevel", "vocab": vocab, "unk_token": UNKNOWN}
        sequence = [vocab[token] for token in given]
        questions = [ids([*sequence], [vocab["z"], *sequence], [vocab["z"]])]
        if streamed:
            questions.append(stream(sequence))
        cases.append(case(tokenizer(model, decoder=decoder, **stages), *questions))
    return cases


def of(decoder: Document) -> Document:
    """Return a tokenizer of the word a with a decoder."""
    return tokenizer(word_level("a b"), decoder=decoder)


# Decoding ------------------------------------------------------------------------------------------------------------

DECODING = Area(
    "decoding",
    "Decoding",
    "decode",
    "From ids to text. Ids become tokens, special tokens are left out where that is asked for, the decoder changes the list of tokens, and what it leaves is joined without anything between. Without a decoder, tokens are joined with spaces.",
)

SPECIALS = [added(4, "<s>", special=True), added(5, "<n>"), added(6, "<x>", special=True)]


def plain(**stages: Any) -> Document:
    """Return a tokenizer of the words a, b and c, and of added tokens."""
    return tokenizer(word_level("a b c"), added_tokens=SPECIALS, **stages)


DECODING.requirement(
    "DECODE-WITHOUT-DECODER: Without a decoder, tokens are joined with spaces",
    "Where the decoder is null, the tokens of the ids are joined with one space between them.",
    "Ports join them without anything.",
    [case(plain(), ids(row)) for row in ([1], [1, 2], [2, 1, 3], [1, 1, 0], [3, 4, 1], [5, 4, 6])],
)
DECODING.requirement(
    "DECODE-SKIPS-SPECIAL-TOKENS: skip_special_tokens leaves out added tokens that are special",
    "With skip_special_tokens, the ids of added tokens that are special are left out before the decoder sees them; added tokens that are not special stay, and so does the unknown token of the model.",
    "Ports leave out all added tokens, or tokens that look special, or those that the post-processor adds.",
    [case(plain(), ids(row)) for row in ([4, 1, 5, 6], [4, 6], [5, 4, 5], [1, 4, 2], [0, 4, 1])],
    [case(plain(decoder=component("Fuse")), ids(row)) for row in ([4, 1, 5, 6, 2], [4, 1, 2], [5, 6, 1])],
    [
        case(plain(decoder=component("WordPiece", prefix="##", cleanup=True)), ids(row))
        for row in ([4, 1, 2], [1, 4, 2], [4, 5, 1])
    ],
    [
        case(plain(decoder=component("Metaspace", replacement="\u2581", prepend_scheme="always", split=True)), ids(row))
        for row in ([4, 1, 2], [1, 4, 2])
    ],
)
DECODING.quirk(
    "DECODING-PASSES-OVER-UNKNOWN-IDS: Ids that have no token are left out",
    "An id that has no token is left out, without an error.",
    "One would expect an error; ports raise one, or give the unknown token.",
    [case(plain(), ids(row)) for row in ([1, 99, 2], [99, 1], [1, 2, 4294967295], [7, 1, 8])],
)
DECODING.edge(
    "DECODE-NOTHING: No ids give the empty text",
    "An empty list of ids, or one of which everything is left out, gives the empty text.",
    "Ports fail in decoders that look at the first token.",
    [
        case(plain(decoder=decoder), ids([], [4], [1]))
        for decoder in (
            None,
            component("Fuse"),
            component("WordPiece", prefix="##", cleanup=True),
            component("BPEDecoder", suffix="</w>"),
            component("Metaspace", replacement="\u2581", prepend_scheme="always", split=True),
            component("CTC", pad_token="<pad>", word_delimiter_token="|", cleanup=True),
            component("Sequence", decoders=[component("ByteFallback"), component("Fuse")]),
        )
    ],
)
DECODING.requirement(
    "DECODE-ADDED-TOKENS-PASS-THROUGH-THE-DECODER: Added tokens go through the decoder like all others",
    "An added token that is not left out goes through the decoder as a token like any other.",
    "Ports put added tokens into the text as they are, and decode what is between them by itself.",
    [
        case(plain(decoder=decoder), ids([1, 5, 2], [5, 1], [4, 1, 6, 5]))
        for decoder in (
            component("WordPiece", prefix="##", cleanup=True),
            component("Replace", pattern={"String": "<"}, content="["),
            component("ByteLevel", add_prefix_space=True, trim_offsets=True, use_regex=True),
            component("BPEDecoder", suffix=">"),
            component("Strip", content="<", start=1, stop=0),
        )
    ],
)

# Decoders ------------------------------------------------------------------------------------------------------------

BYTE_LEVEL = Area(
    "decoders.ByteLevel",
    "ByteLevel",
    "decode",
    "Every character of GPT-2's byte alphabet stands for a byte; the bytes of all tokens together are read as UTF-8. Its fields are without effect.",
)
BYTES = component("ByteLevel", add_prefix_space=True, trim_offsets=True, use_regex=True)

BYTE_LEVEL.requirement(
    "BYTELEVEL-DECODER-BYTES: Characters of the byte alphabet become bytes, and bytes become text",
    "Each character of the byte alphabet stands for one byte; the bytes of all tokens are joined before they are read as UTF-8, so that a character may be parted between tokens.",
    "Ports read each token as UTF-8 by itself.",
    decoded(
        BYTES,
        ["\u0120a", "b\u0120"],
        ["\u00c3", "\u00a9"],
        ["\u00e6\u0139", "\u00a5"],
        ["\u00f0\u0141", "\u0130\u012b"],
        ["a\u00c3", "\u00a9b"],
        ["\u010a\u0109", "\u0100"],
        ["\u0143", "!", "~", "\u00a1", "\u00ac", "\u00ae", "\u00ff"],
        streamed=True,
    ),
    [
        decoded({**BYTES, **options}, ["\u0120a", "\u0120"])
        for options in ({"add_prefix_space": False}, {"trim_offsets": False}, {"use_regex": False})
    ],
)
BYTE_LEVEL.requirement(
    "BYTELEVEL-DECODER-ALPHABET: The byte alphabet has 256 characters",
    "The bytes 0x21 to 0x7E, 0xA1 to 0xAC and 0xAE to 0xFF stand for themselves, as characters of these numbers; the others, in their order, are U+0100 to U+0143.",
    "Ports shift the table by one at 0x7F, 0xA0 or 0xAD.",
    decoded(BYTES, *([chr(code_point)] for code_point in (0x21, 0x7E, 0x100, 0x108, 0x10A, 0x11F, 0x120, 0x121))),
    decoded(
        BYTES,
        *(
            ["\u00c2", chr(code_point)]
            for code_point in (0xA1, 0xAC, 0xAE, 0xBF, 0x121, 0x122, 0x140, 0x141, 0x142, 0x143)
        ),
    ),
    decoded(BYTES, ["\u00df", "\u00bf"], ["\u00ef", "\u00bf", "\u00bd"], ["\u00f4", "\u0131", "\u00bf", "\u00bf"]),
)
BYTE_LEVEL.edge(
    "BYTELEVEL-DECODER-BROKEN-UTF8: Bytes that are not UTF-8 become U+FFFD, one for each maximal part of a character",
    "What is not UTF-8 becomes U+FFFD: one for each longest beginning of a character, and one for each byte that begins none.",
    "Ports give one for each byte or one for the whole run, raise an error, or give nothing.",
    decoded(
        BYTES,
        *(
            [*row]
            for row in row(
                "\u00c3•\u00a9•\u00a9a•\u00c3a•\u00e2a•\u00e2\u0124a•\u00e2\u0124\u00c3•\u00f0\u0141a•"
                "\u00f0\u0141\u0132•\u00f0\u0141\u0132\u00c3\u00a9•\u00c0\u0122•\u00c1\u00bf•"
                "\u00e0\u0122\u0122•\u00e0\u0141\u00bf•\u00ed\u0142\u0122•\u00ed\u0141\u00bf•"
                "\u00f0\u0122\u0122\u0122•\u00f0\u0131\u00bf\u00bf•\u00f4\u0131\u00bf\u00bf•"
                "\u00f4\u0132\u0122\u0122•\u00f5\u0122\u0122\u0122•\u00fe\u00ff•\u0122\u0122•"
                "a\u00c3\u00c3\u00a9"
            )
        ),
        streamed=True,
    ),
)
BYTE_LEVEL.quirk(
    "BYTE-LEVEL-DECODER-TAKES-FOREIGN-TOKENS-AS-TEXT: A token with a character outside of the byte alphabet stands for its own text",
    "A token with any character outside of the byte alphabet stands for itself as a whole: its UTF-8 form takes the place of its bytes.",
    "One would expect the other characters of the token to be bytes.",
    decoded(
        BYTES,
        ["\u0120a", "\u0120\u65e5"],
        ["\u65e5\u0120", "a"],
        ["a b", "\u0120"],
        ["\u0144", "\u0143"],
        ["\u00c3", "\u65e5"],
        ["\u00ad", "\u0120"],
        [" ", "\u00a0", "\u0120"],
    ),
)

WORD_PIECE = Area(
    "decoders.WordPiece",
    "WordPiece",
    "decode",
    "A prefix marks tokens that continue a word. Fields, both required: prefix (## in BERT) and cleanup (whether blanks before punctuation and in English contractions are removed).",
)


def word_piece(prefix: str = "##", *, cleanup: bool = True) -> Document:
    """Return the decoder."""
    return component("WordPiece", prefix=prefix, cleanup=cleanup)


WORD_PIECE.requirement(
    "WORDPIECE-DECODER-PREFIX: A token without the prefix has a space before it",
    "Of every token but the first, the prefix is cut off once where it begins with it; where it does not, a space is put before it.",
    "Ports replace the prefix anywhere, cut it several times, or put a space before the first token.",
    [
        decoded(
            word_piece(prefix, cleanup=cleanup),
            ["a", f"{prefix}b"],
            ["a", "b", f"{prefix}c"],
            ["a", f"{prefix}{prefix}b"],
            ["a", f"b{prefix}c"],
            ["a", prefix],
            ["a", f"x{prefix}"],
        )
        for prefix in ("##", "@@", "\u2581")
        for cleanup in (True, False)
    ],
)
WORD_PIECE.quirk(
    "WORDPIECE-DECODER-KEEPS-THE-FIRST-PREFIX: The first token keeps its prefix",
    "The first token stays as it is, also where it begins with the prefix.",
    "One would expect the prefix to be cut off.",
    decoded(word_piece(), ["##a", "##b"], ["##a"], ["##", "a"]),
)
WORD_PIECE.edge(
    "WORDPIECE-DECODER-EMPTY-PREFIX: With an empty prefix, no space is ever put",
    "With an empty prefix every token begins with it: tokens are joined without spaces.",
    "Ports put a space before every token.",
    decoded(word_piece("", cleanup=False), ["a", "b"], ["a", "##b"]),
)
CLEANED = (
    ["we", "."],
    ["we", "?", "!"],
    ["a", ",", "b"],
    ["a", "'", "b"],
    ["a", " ' ", "b"],
    ["we", "n't"],
    ["i", "'m"],
    ["we", "'s", "'ve", "'re"],
    ["a", "x ."],
    ["a . b", "c"],
    ["a .", " ?"],
    [" .", " ,"],
    ["a n't", "b 'm"],
    ["x 's 've 're", "y"],
    ["a ' b", "c"],
    ["a  .", "b"],
    ["a ;", "b"],
    ["a\u00a0.", "b"],
    ["a", "x . . y ! ! 's 's"],
)
WORD_PIECE.requirement(
    "WORDPIECE-DECODER-CLEANUP: Clean-up removes blanks before punctuation and in contractions",
    "With cleanup, in each token, in this order: the blank goes before . ? ! and , ; both blanks around ' go; the blank goes before n't and 'm; \" do not\" becomes \" don't\"; the blank goes before 's, 've and 're.",
    "Ports use another list, or regular expressions for it.",
    [decoded(word_piece(cleanup=cleanup), *CLEANED) for cleanup in (True, False)],
)
WORD_PIECE.quirk(
    "CLEANUP-SEES-ONE-TOKEN-AT-A-TIME: Clean-up looks at each token by itself",
    "Clean-up is applied to each token by itself, with the space that was put before it; it never sees across tokens.",
    "One would expect it to be applied to the whole text.",
    decoded(
        word_piece(), ["we", "do not"], ["we", "do", "not"], ["a", "'", "s"], ["a ", "##."], ["a ", "."], ["n", "##'t"]
    ),
)
WORD_PIECE.quirk(
    "CLEANUP-CONTRACTS-DO-NOT: Clean-up writes don't for do not",
    'Clean-up writes " don\'t" for " do not" within a token.',
    "One would expect clean-up to change blanks only.",
    decoded(word_piece(), ["we", "do not"], ["do not"], ["we", "x do notes"]),
)

METASPACE = Area(
    "decoders.Metaspace",
    "Metaspace",
    "decode",
    "A visible character stands for spaces. Fields: replacement (one character, U+2581 by default), prepend_scheme (always by default, first, never), split (without effect).",
)


def metaspace(replacement: str = "\u2581", scheme: str = "always", *, split: bool = True) -> Document:
    """Return the decoder."""
    return component("Metaspace", replacement=replacement, prepend_scheme=scheme, split=split)


METASPACE.requirement(
    "METASPACE-DECODER-REPLACEMENT: The replacement becomes a space",
    "In every token but the first, each replacement character becomes a space. In the first one it vanishes, unless prepend_scheme is never: then it becomes a space there too.",
    "Ports strip the text at the end, or strip with every scheme.",
    [
        decoded(
            metaspace(replacement, scheme, split=split),
            [f"{replacement}a", f"{replacement}b", "c"],
            ["a", f"{replacement}{replacement}b"],
            [replacement, "a"],
            [f"a{replacement}b"[1:], f"c{replacement}"],
            streamed=replacement == "\u2581",
        )
        for replacement in ("\u2581", "_", "\u00e9")
        for scheme in ("always", "first", "never")
        for split in (True, False)
        if split or replacement == "\u2581"
    ],
)
METASPACE.quirk(
    "METASPACE-DECODER-DROPS-ALL-MARKS-OF-THE-FIRST-TOKEN: In the first token every replacement is dropped, also inside and at the end",
    "In the first token every replacement character is dropped, also inside of it and at its end, unless prepend_scheme is never.",
    "One would expect the one that was prepended to be dropped.",
    [
        decoded(metaspace(scheme=scheme), ["\u2581a\u2581b\u2581", "\u2581c"], ["\u2581\u2581a", "b"], ["a\u2581", "b"])
        for scheme in ("always", "first", "never")
    ],
)

BPE_DECODER = Area(
    "decoders.BPEDecoder",
    "BPEDecoder",
    "decode",
    "A suffix marks the end of words. Field: suffix (</w> in the old vocabularies), required.",
)
BPE_DECODER.requirement(
    "BPEDECODER-SUFFIX: The suffix becomes a space, in the last token nothing",
    "The suffix becomes a space in every token but the last, where it is removed.",
    "Ports strip the whole text, or leave a space at the end.",
    [
        decoded(
            component("BPEDecoder", suffix=suffix),
            [f"a{suffix}", f"b{suffix}"],
            ["a", f"b{suffix}", "c"],
            [f"a{suffix}"],
            [suffix, "a", suffix],
        )
        for suffix in ("</w>", "_", "\u00e9")
    ],
)
BPE_DECODER.quirk(
    "BPE-DECODER-REPLACES-SUFFIX-ANYWHERE: The suffix is replaced wherever it stands in a token",
    "The suffix is replaced wherever it stands in a token, as often as it stands there.",
    "One would expect it to be looked for at the end.",
    decoded(component("BPEDecoder", suffix="</w>"), ["a</w>b", "c</w>"], ["</w>a</w></w>", "b"], ["a", "</w>b</w>c"]),
)
BPE_DECODER.quirk(
    "BPE-DECODER-SPACES-OUT-CHARACTERS: With an empty suffix, a space stands between all characters",
    "An empty suffix is found before, between and after all characters of a token: each place has a space, but for the last token.",
    "One would expect nothing to be replaced.",
    decoded(component("BPEDecoder", suffix=""), ["ab", "c"], ["\u00e9\U00010000", "a"], ["a"]),
)

CTC = Area(
    "decoders.CTC",
    "CTC",
    "decode",
    "The output of speech recognition. Fields, all required: pad_token, word_delimiter_token, cleanup.",
)


def ctc(pad: str = "<pad>", delimiter: str = "|", *, cleanup: bool = True) -> Document:
    """Return the decoder."""
    return component("CTC", pad_token=pad, word_delimiter_token=delimiter, cleanup=cleanup)


CTC.requirement(
    "CTC-REPETITIONS: Tokens that follow an equal one are dropped, then padding",
    "Of equal tokens that follow one another one stays. Then pad_token is removed, so that padding between equal tokens keeps both; tokens that are empty then are dropped.",
    "Ports remove padding first, and lose double letters.",
    [
        decoded(
            ctc(pad, cleanup=cleanup),
            ["h", "h", "e"],
            ["l", pad, "l"],
            ["l", "l", pad, pad, "l", "l"],
            [pad, pad],
            ["a", "b", "b", "a", "a"],
        )
        for pad in ("<pad>", "_")
        for cleanup in (True, False)
    ],
)
CTC.requirement(
    "CTC-WORD-DELIMITER: With cleanup, the word delimiter becomes a space",
    "With cleanup, word_delimiter_token becomes a space wherever it stands in a token, after the clean-up that the WordPiece decoder does.",
    "Ports do it first, so that the clean-up sees other blanks.",
    [
        decoded(
            ctc(delimiter=delimiter),
            ["a", delimiter, "b"],
            [f"a{delimiter}b", "c"],
            [delimiter, delimiter, "a"],
            ["a", f"{delimiter}.", "b ."],
            ["a 's", delimiter],
        )
        for delimiter in ("|", "\u2581", "xy")
    ],
)
CTC.quirk(
    "CTC-KEEPS-DELIMITERS-WITHOUT-CLEANUP: Without cleanup, the word delimiter stays",
    "The word delimiter becomes a space only with cleanup; without it, it stays.",
    "One would expect clean-up to be about blanks alone.",
    decoded(ctc(cleanup=False), ["a", "|", "b"], ["a|b", "c ."]),
)
CTC.quirk(
    "CTC-REMOVES-PADDING-INSIDE-TOKENS: The text of the padding token is removed wherever it stands",
    "The text of pad_token is removed wherever it stands in a token.",
    "One would expect whole tokens to be removed.",
    decoded(ctc(), ["a<pad>b", "<pad>"], ["<pad>a", "a<pad>", "a"], ["x<pad><pad>y", "z"]),
)

BYTE_FALLBACK = Area(
    "decoders.ByteFallback", "ByteFallback", "decode", "Tokens such as <0xE2> stand for bytes. It has no fields."
)
FALLBACK = component("ByteFallback")


def named(data: bytes) -> list[str]:
    """Return the tokens of the bytes of ``data``."""
    return [f"<0x{byte:02X}>" for byte in data]


BYTE_FALLBACK.requirement(
    "BYTEFALLBACK-RUNS: A run of byte tokens is read as UTF-8",
    "Byte tokens that follow one another are read as UTF-8 together; other tokens stay as they are.",
    "Ports read each byte as a character of that number.",
    decoded(
        FALLBACK,
        *(named(char.encode()) for char in ("a", "\u00e9", "\u65e5", "\U0001f389", "\u00e9\u00e9", *WIDTHS)),
        [*named("\u00e9".encode()), "t", *named("\u65e5".encode())],
        ["t", *named("\u00e9a".encode()), "u"],
        streamed=True,
    ),
)
BYTE_FALLBACK.edge(
    "BYTEFALLBACK-TOKEN-FORM: A byte token is <0x, two hexadecimal digits, >",
    "A byte token has six characters: <0x, two hexadecimal digits in capitals or not, and >. Anything else is text.",
    "Ports take capitals alone, or one digit.",
    decoded(
        FALLBACK,
        ["<0x6a>", "<0x6A>"],
        ["<0x6g>"],
        ["<0x6>", "<0x061>"],
        ["0x61", "<0X61>"],
        ["<0x61", "x0x61>"],
        ["<0x 1>"],
        ["<0x61>a", "a<0x61>"],
        ["<0x-1>", "<0x\u00e9>"],
    ),
)
BYTE_FALLBACK.quirk(
    "BYTE-FALLBACK-TAKES-A-PLUS-SIGN: A plus sign passes for the first digit",
    "<0x+1> is byte 1: a plus sign passes for the first digit.",
    "One would expect it to be text, as <0x-1> is.",
    decoded(FALLBACK, ["<0x+1>", "<0x-1>"], ["<0x+f>", "<0x++>", "<0x1+>"], ["<0x+a>", "<0x61>"]),
)
BYTE_FALLBACK.quirk(
    "BYTE-FALLBACK-GIVES-UP-A-WHOLE-RUN: A run that is not UTF-8 becomes one U+FFFD for each of its bytes",
    "A run of byte tokens that is not UTF-8 as a whole becomes one U+FFFD for each of its bytes, those of whole characters too.",
    "One would expect what is well formed to stay.",
    decoded(
        FALLBACK,
        *(
            named(data)
            for data in (
                b"a\xe2b",
                b"\xc3",
                b"\xa9",
                b"\xc3\xa9\xc3",
                b"\xe2\x82",
                b"\xf0\x9f\x8e",
                b"\xed\xa0\x80",
                b"\xc0\x80",
                b"\xf4\x90\x80\x80",
                b"\xff\xfe",
            )
        ),
        [*named(b"\xc3"), "t", *named(b"\xa9")],
        [*named(b"\xc3"), "\u00a9"],
        streamed=True,
    ),
)

FUSE = Area("decoders.Fuse", "Fuse", "decode", "All tokens become one. It has no fields.")
FUSE.requirement(
    "FUSE-JOINS: All tokens become one, for the decoders after it",
    "All tokens are joined into one, so that a decoder after it sees a single one.",
    "Ports leave it out, since it changes nothing by itself; a Strip after it then strips every token.",
    decoded(component("Fuse"), ["a", "b"], ["a"]),
    decoded([component("Fuse"), component("Strip", content="a", start=1, stop=0)], ["a", "ab"], ["aa", "b", "a"]),
    decoded([component("Strip", content="a", start=1, stop=0), component("Fuse")], ["a", "ab"], ["aa", "b", "a"]),
    decoded([component("Fuse"), component("Replace", pattern={"String": "ab"}, content="x")], ["a", "b"], ["b", "a"]),
)

STRIP = Area(
    "decoders.Strip",
    "Strip",
    "decode",
    "Cuts a character off the ends of every token. Fields, all required: content (one character), start and stop (how many at most).",
)


def strip(content: str, start: int, stop: int) -> Document:
    """Return the decoder."""
    return component("Strip", content=content, start=start, stop=stop)


STRIP.requirement(
    "STRIP-DECODER-ENDS: Up to start characters at the beginning and up to stop at the end are cut off",
    "Of each token up to start times content is cut off at the beginning, and up to stop times at the end; what stands between is not touched.",
    "Ports strip all of them, strip the text as a whole, or count bytes.",
    [
        decoded(
            strip(content, start, stop),
            [f"{content * 3}x{content * 3}", "y"],
            [f"{content}x", f"x{content}"],
            [f"x{content}x", "xx"],
        )
        for content in (" ", "_", "\u00e9", "\U00010000")
        for start, stop in ((0, 0), (1, 0), (0, 1), (2, 1), (4, 4))
        if content in " \u00e9" or (start, stop) in ((1, 0), (0, 1))
    ],
)
STRIP.quirk(
    "STRIP-DECODER-PANICS-ON-SHORT-TOKENS: Where the two cuts overlap, decoding is an error",
    "The two ends are measured without regard to each other: where the cuts overlap, or a token shorter than stop is of nothing but content, decoding is an error.",
    "The target panics; one would expect an empty token.",
    decoded(strip("a", 1, 1), ["a"], ["aa"], ["aaa"], ["ab", "a"], ["b", "aa"]),
    decoded(strip("a", 0, 2), ["a"], ["aa"], ["b", "aaa"]),
    # An empty token, which Fuse makes of none.
    [decoded([component("Fuse"), strip("a", 0, stop)], []) for stop in (0, 1)],
)

REPLACE = Area(
    "decoders.Replace",
    "Replace",
    "decode",
    "Replaces every match of a pattern in every token. Fields, both required: pattern (String or Regex) and content.",
)


def replace(content: str, *, string: str | None = None, regex: str | None = None) -> Document:
    """Return the decoder."""
    pattern = {"Regex": regex} if string is None else {"String": string}
    return component("Replace", pattern=pattern, content=content)


REPLACE.requirement(
    "REPLACE-DECODER-PATTERN: Every match in every token is replaced",
    "Every match of the pattern, from left to right and without overlaps, is replaced by content, in each token by itself. A String is taken literally, a Regex is one of Oniguruma.",
    "Ports replace the first match, match across tokens, or take content for a template with groups.",
    [
        decoded(decoder, ["aab", "ba"], ["a", "b"], ["x.x", "a+"], ["aaaa", "\u00e9a"])
        for decoder in (
            replace("x", string="a"),
            replace("", string="a"),
            replace("xx", string="aa"),
            replace("x", string="."),
            replace("x", string="a+"),
            replace("x", regex="."),
            replace("x", regex="a+"),
            replace("$0\\1", regex="(a)"),
            replace(" ", string="\u00e9"),
            replace("\u2581", regex="[ab]"),
            replace("x", regex="^a"),
            replace("x", regex="a$"),
        )
    ],
)

SEQUENCE = Area(
    "decoders.Sequence",
    "Sequence",
    "decode",
    "Applies decoders one after the other, each to the list of tokens that the one before left. Field: decoders.",
)
SEQUENCE.requirement(
    "DECODER-SEQUENCE-ORDER: Decoders work one after the other on lists of tokens",
    "Each decoder gets the list of tokens that the one before it gives; in the end what is left is joined without anything between.",
    "Ports join the text after the first decoder, or between decoders.",
    [
        decoded(sequence, ["\u2581a", "<0xC3>", "<0xA9>", "b"], ["\u2581", "\u2581a"], ["a", "\u2581b"], streamed=True)
        for sequence in (
            [replace(" ", string="\u2581"), FALLBACK, component("Fuse"), strip(" ", 1, 0)],
            [FALLBACK, component("Fuse"), strip(" ", 1, 0), replace(" ", string="\u2581")],
            [replace(" ", string="\u2581"), strip(" ", 1, 0), FALLBACK, component("Fuse")],
            [FALLBACK, metaspace()],
            [metaspace(), FALLBACK],
            [component("Fuse"), metaspace()],
            [replace("##", string="b"), word_piece()],
        )
    ],
)
SEQUENCE.edge(
    "DECODER-SEQUENCE-EMPTY: An empty sequence joins tokens without spaces",
    "A sequence without decoders leaves the tokens as they are, which are then joined without anything between: that is not the same as no decoder.",
    "Ports take it for none, and join with spaces.",
    decoded(component("Sequence", decoders=[]), ["a", "b"]),
    decoded(component("Sequence", decoders=[component("Fuse")]), ["a", "b"]),
    decoded(component("Sequence", decoders=[component("Sequence", decoders=[]), word_piece()]), ["a", "##b", "c"]),
)
SEQUENCE.quirk(
    "DECODER-SEQUENCE-HAS-COPIES: A sequence of decoders copies its members",
    "A Sequence of decoders copies its members when it is made; other sequences share them with their makers.",
    "One would expect all sequences to do the same.",
    not_asked=PYTHON_ONLY,
)
SEQUENCE.quirk(
    "CUSTOM-DECODER-IN-A-SEQUENCE-PANICS: A custom decoder cannot be part of a sequence",
    "A custom decoder cannot be part of a Sequence, as custom normalizers and pre-tokenizers can: it panics.",
    "One would expect it to work.",
    not_asked=PYTHON_ONLY,
)
SEQUENCE.edge(
    "DECODER-FIELDS-ARE-REQUIRED: Decoders with missing or wrong fields are refused",
    "The fields of a decoder are required, but for those of Metaspace and ByteLevel; content of Strip and replacement of Metaspace are one character; start and stop are whole numbers from 0 on.",
    "Ports take defaults for what is missing.",
    [
        case(of(good), ids([1, 2]), saved(), refused(*map(of, bad)))
        for good, bad in (
            (word_piece(), [component("WordPiece", prefix="##"), component("WordPiece", prefix=None, cleanup=True)]),
            (
                strip("a", 1, 0),
                [strip("ab", 1, 0), strip("", 1, 0), strip("a", -1, 0), component("Strip", content="a")],
            ),
            (
                ctc(),
                [
                    component("CTC", pad_token="a"),
                    component("CTC", pad_token=1, word_delimiter_token="|", cleanup=True),
                ],
            ),
            (component("BPEDecoder", suffix="x"), [component("BPEDecoder", suffix=None)]),
            (replace("x", string="a"), [component("Replace", pattern="a", content="x"), replace("x", regex="(")]),
            (metaspace(), [metaspace("ab"), metaspace(scheme="last"), metaspace("")]),
            (component("Fuse"), [component("Nothing"), component("fuse")]),
        )
    ],
    features=("load",),
)

# Streams -------------------------------------------------------------------------------------------------------------

STREAM = Area(
    "decoding.stream",
    "Decoding id by id",
    "decode",
    "Ids that come one at a time: for each, the text that it adds to what was given before. Nothing is given while the text ends in U+FFFD, since the next id may complete a character.",
)


def streamed(decoder: Document | None, *rows: list[str], skip: bool = False, **stages: Any) -> list[CaseRecipe]:
    """Return a case for each of ``rows``, tokens whose ids come one at a time."""
    cases = []
    for given in rows:
        vocab = {token: id_ for id_, token in enumerate(dict.fromkeys([UNKNOWN, *given, "z"]))}
        model = {"type": "WordLevel", "vocab": vocab, "unk_token": UNKNOWN}
        sequence = [vocab[token] for token in given]
        cases.append(
            case(
                tokenizer(model, decoder=decoder, **stages),
                stream(sequence, [vocab["z"], *sequence], skip=skip),
                ids([vocab["z"], *sequence]),
            )
        )
    return cases


STREAM.requirement(
    "STREAM-ADDS-TEXT: Each id gives the text that it adds",
    "Each id gives the text that the ids so far have beyond what was given before; the texts joined are the text of all ids, where nothing is left over at the end.",
    "Ports decode each id by itself, and lose the spaces between words.",
    streamed(None, ["a", "b", "c"], ["a"], ["a", "a"]),
    streamed(word_piece(), ["a", "##b", "c"], ["##a", "b", "##c", "."], ["do", "n't", "a"]),
    streamed(metaspace(), ["\u2581a", "\u2581b", "c"], ["a", "\u2581", "b"], ["\u2581", "\u2581", "a"]),
    streamed(metaspace(scheme="never"), ["\u2581a", "\u2581b"], ["a", "\u2581"]),
    streamed(BYTES, ["\u0120a", "b", "\u0120c"], ["a", "\u0120", "\u0120b"]),
    streamed(component("BPEDecoder", suffix="</w>"), ["a</w>", "b", "c</w>", "d"], ["a", "b</w>"]),
    features=("stream",),
)
STREAM.requirement(
    "STREAM-WAITS-FOR-CHARACTERS: Nothing is given while a character is not complete",
    "While the text of the ids so far ends in U+FFFD, nothing is given; what was held back comes with the id that completes it.",
    "Ports give U+FFFD, or wait by counting bytes of each token.",
    [
        streamed(BYTES, [*row]) if isinstance(row, str) else streamed(FALLBACK, row)
        for row in (
            *row(
                "\u00c3\u00a9•\u00e6\u0139\u00a5a•\u00f0\u0141\u0130\u012b•a\u00c3\u00a9b\u00c3\u00a9•"
                "\u00e6\u0139\u00a5\u00e6\u013e\u00ac"
            ),
            [*named("\u00e9".encode()), "a"],
            [*named("\u65e5\u672c".encode())],
            ["a", *named("\U0001f389".encode()), "b"],
        )
    ],
    features=("stream",),
)
STREAM.quirk(
    "STREAM-GIVES-DANGLING-BYTES-LATE: A dangling byte is given out as U+FFFD with the next character",
    "A byte that begins a character which never comes is held back, and given as U+FFFD with the next id that ends in a whole character.",
    "One would expect U+FFFD at once, or never.",
    streamed(
        BYTES, ["\u00c3", "a"], ["\u00c3", "\u00c3", "\u00a9"], ["a", "\u00a9", "b"], ["\u00f0", "\u0141", "a", "b"]
    ),
    streamed(FALLBACK, ["<0xC3>", "a"], ["<0xC3>", "<0xC3>", "<0xA9>", "a"], ["a", "<0xA9>", "b", "c"]),
    features=("stream",),
)
STREAM.quirk(
    "STREAM-IS-SILENT-WHERE-TEXT-DOES-NOT-GROW: Nothing is given while the text does not get longer",
    "Nothing is given for an id after which the text has no more bytes (of its UTF-8 form) than before, even if it changed.",
    "One would expect the change to be told.",
    streamed(strip("b", 0, 1), ["a", "b", "c"], ["b", "a"], ["a", "bb", "a"]),
    streamed(ctc(), ["a", "a", "b"], ["a", "<pad>", "a"]),
    streamed(component("Sequence", decoders=[component("Fuse"), replace("\u00e9", string="ab")]), ["a", "b", "c"]),
    streamed(
        component("Sequence", decoders=[component("Fuse"), replace("\U00010000", string="abc")]), ["a", "b", "c", "d"]
    ),
    streamed(component("Sequence", decoders=[component("Fuse"), replace("x", string="\u65e5a")]), ["\u65e5", "a", "b"]),
    features=("stream",),
)
STREAM.requirement(
    "STREAM-SKIPS-SPECIAL-TOKENS: Special tokens give nothing where they are skipped",
    "With skip_special_tokens, the id of a special token gives nothing, and what comes after it is decoded as if it were not there.",
    "Ports give a space for it, or take what follows for the beginning of a text.",
    [
        case(
            tokenizer(
                word_level("a b ##b"), decoder=decoder, added_tokens=[added(4, "<s>", special=True), added(5, "<n>")]
            ),
            stream([4, 1, 4, 2, 3, 5], [1, 5, 4, 3], [4, 4], skip=skip),
            ids([4, 1]),
        )
        for decoder in (None, word_piece(), metaspace(), component("Fuse"))
        for skip in (False, True)
    ],
    features=("stream",),
)
STREAM.edge(
    "STREAM-UNKNOWN-IDS: Ids without a token give nothing",
    "An id without a token gives nothing, and leaves what comes after it as it is.",
    "Ports raise an error.",
    [
        case(tokenizer(word_level("a b"), decoder=decoder), stream([1, 99, 2], [99, 1]), ids([1, 2]))
        for decoder in (None, word_piece(), component("Fuse"))
    ],
    features=("stream",),
)
STREAM.edge(
    "STREAM-LONG: A long stream gives what decoding all ids gives",
    "Only the ids since the last text that was given are kept; what is given does not depend on how many ids came before.",
    "Ports keep all ids, or lose the context of one id that a decoder needs.",
    streamed(word_piece(), ["a", "##b", "c", "."] * 8),
    streamed(metaspace(), ["\u2581a", "b", "\u2581"] * 8),
    streamed(BYTES, ["\u0120a", "\u00c3", "\u00a9", "\u00e6", "\u0139", "\u00a5"] * 5),
    case(
        tokenizer(
            {"type": "BPE", "vocab": {token: id_ for id_, token in enumerate(byte_tokens())}, "merges": []},
            decoder=component("Sequence", decoders=[FALLBACK, component("Fuse")]),
        ),
        stream([*"\u65e5\u672c\u8a9e a\u00e9\U0001f389".encode()]),
        ids([*"\u65e5a".encode()]),
    ),
    features=("stream",),
)
STREAM.edge(
    "STREAM-BROKEN-PREFIX: Where the text no longer begins with what was given, it is an error",
    "Where the text of the ids kept grows, and no longer begins with what these gave before, the step is an error.",
    "Ports give the difference of the lengths, which is another text.",
    [
        case(
            tokenizer(word_level("a b c"), decoder=component("Sequence", decoders=[component("Fuse"), decoder])),
            stream([1], [3, 1]),
            stream([1, 2]),
        )
        for decoder in (replace("xyz", string="ab"), replace("\u00e9\u00e9", regex="^ab"))
    ],
    features=("stream",),
)


def in_steps(
    decoder: Document | None, given: list[str], *, prompt: int = 0, chunks: tuple[int, ...] = (), **stages: Any
) -> CaseRecipe:
    """Return a case about tokens of which the first ``prompt`` came before, and ``chunks`` come in the first steps."""
    vocab = {token: id_ for id_, token in enumerate(dict.fromkeys([UNKNOWN, *given]))}
    sequence = [vocab[token] for token in given]
    return case(
        tokenizer({"type": "WordLevel", "vocab": vocab, "unk_token": UNKNOWN}, decoder=decoder, **stages),
        stream(sequence[prompt:], prompt=sequence[:prompt], chunks=chunks),
        ids(sequence),
    )


STREAM.requirement(
    "STREAM-STEPS: Several ids in one step give what they add together",
    "Ids that come together give together what they would give one by one, but for text that is held back between them; and what comes after them is as if they had come one by one.",
    "Ports decode the first or the last id of a step, or each without those before it.",
    *(
        in_steps(decoder, given, chunks=chunks)
        for decoder, given in (
            (None, ["a", "b", "c", "d"]),
            (word_piece(), ["a", "##b", "c", "."]),
            (metaspace(), ["\u2581a", "\u2581b", "c", "\u2581d"]),
            (BYTES, ["\u0120a", "\u00c3", "\u00a9", "b"]),
            (FALLBACK, ["a", "<0xC3>", "<0xA9>", "b"]),
        )
        for chunks in ((2,), (1, 2), (3,), (4,))
    ),
    features=("stream",),
)
STREAM.requirement(
    "STREAM-AFTER-A-PROMPT: The ids before the first step are context, and are not given out",
    "Ids that came before the first step are decoded with those that come, and their own text is not given out.",
    "Ports forget them, and lose the space before the first word; or give their text out again.",
    *(
        in_steps(decoder, given, prompt=prompt, chunks=chunks)
        for decoder, given in (
            (None, ["a", "b", "c"]),
            (word_piece(), ["a", "##b", "c", "."]),
            (metaspace(), ["\u2581a", "\u2581b", "c"]),
            (BYTES, ["\u0120a", "\u0120b", "\u00c3", "\u00a9"]),
            (component("BPEDecoder", suffix="</w>"), ["a</w>", "b</w>", "c"]),
        )
        for prompt in (1, 2)
        for chunks in ((), (2,))
    ),
    features=("stream",),
)
STREAM.quirk(
    "STREAM-HALF-PROMPT: A prompt that ends within a character is given out again",
    "Where the ids before the first step end within a character, their whole text is given out with the first text.",
    "One would expect the character that becomes whole, and nothing that came before it.",
    *(
        in_steps(decoder, given, prompt=prompt, chunks=chunks)
        for decoder, given, prompt in (
            (BYTES, ["a", "\u00c3", "\u00a9", "b"], 2),
            (BYTES, ["a", "\u0120b", "\u00f0", "\u0141", "\u0130", "\u012b"], 4),
            (BYTES, ["a", "\u00c3", "b", "c"], 2),
            (FALLBACK, ["a", "<0xC3>", "<0xA9>", "b"], 2),
        )
        for chunks in ((), (2,))
    ),
    features=("stream",),
)
STREAM.quirk(
    "STREAM-BYTES-CHANGE: A byte that makes a run of bytes no UTF-8 breaks the stream",
    "ByteFallback decodes a run of byte tokens together. A byte that makes the run no UTF-8 turns characters that were given out into U+FFFD; nothing is given for it, and the next text that does not end in U+FFFD is an error.",
    "One would expect the characters that were given out to stay.",
    streamed(
        FALLBACK,
        ["<0x41>", "<0xC3>"],
        ["<0x41>", "<0xC3>", "a"],
        ["b", "<0x41>", "<0xC3>", "a"],
        [*named("\u00e9".encode()), "<0xC3>", "<0x41>", "a"],
    ),
    features=("stream",),
)
STREAM.quirk(
    "STREAM-ENDS-IN-REPLACEMENT: A text that ends in U+FFFD is never given out",
    "Where the last ids give U+FFFD, as bytes or as a token, they and what came with them are never given out.",
    "One would expect all to be given out at the end; there is no call for that.",
    streamed(None, ["a", "\ufffd"], ["\ufffd"]),
    streamed(component("Fuse"), ["a", "b", "\ufffd"]),
    streamed(BYTES, ["a", "b", "\u00c3"]),
    features=("stream",),
)

AREAS = (
    DECODING,
    BYTE_LEVEL,
    WORD_PIECE,
    METASPACE,
    BPE_DECODER,
    CTC,
    BYTE_FALLBACK,
    FUSE,
    STRIP,
    REPLACE,
    SEQUENCE,
    STREAM,
)
