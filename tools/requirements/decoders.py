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
    for row in rows:
        tokens = list(dict.fromkeys([*row, "z"]))
        vocab = {token: id_ for id_, token in enumerate([UNKNOWN, *tokens])}
        model = {"type": "WordLevel", "vocab": vocab, "unk_token": UNKNOWN}
        sequence = [vocab[token] for token in row]
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
    "From ids to text. Ids become tokens, special tokens are left out where that is asked for, the decoder changes the "
    "list of tokens, and what it leaves is joined without anything between. Without a decoder, tokens are joined with "
    "spaces.",
)

SPECIALS = [added(4, "<s>", special=True), added(5, "<n>"), added(6, "<x>", special=True)]


def plain(**stages: Any) -> Document:
    """Return a tokenizer of the words a, b and c, and of added tokens."""
    return tokenizer(word_level("a b c"), added_tokens=SPECIALS, **stages)


DECODING.requirement(
    "DECODE-WITHOUT-DECODER",
    "Without a decoder, tokens are joined with spaces",
    rule="Where the decoder is null, the tokens of the ids are joined with one space between them.",
    why="Ports join them without anything.",
    cases=[case(plain(), ids(row)) for row in ([1], [1, 2], [2, 1, 3], [1, 1, 0], [3, 4, 1], [5, 4, 6])],
)
DECODING.requirement(
    "DECODE-SKIPS-SPECIAL-TOKENS",
    "skip_special_tokens leaves out added tokens that are special",
    rule="With skip_special_tokens, the ids of added tokens that are special are left out before the decoder sees them; "
    "added tokens that are not special stay, and so does the unknown token of the model.",
    why="Ports leave out all added tokens, or tokens that look special, or those that the post-processor adds.",
    cases=[
        *(case(plain(), ids(row)) for row in ([4, 1, 5, 6], [4, 6], [5, 4, 5], [1, 4, 2], [0, 4, 1])),
        *(case(plain(decoder=component("Fuse")), ids(row)) for row in ([4, 1, 5, 6, 2], [4, 1, 2], [5, 6, 1])),
        *(
            case(plain(decoder=component("WordPiece", prefix="##", cleanup=True)), ids(row))
            for row in ([4, 1, 2], [1, 4, 2], [4, 5, 1])
        ),
        *(
            case(
                plain(decoder=component("Metaspace", replacement="\u2581", prepend_scheme="always", split=True)),
                ids(row),
            )
            for row in ([4, 1, 2], [1, 4, 2])
        ),
    ],
)
DECODING.requirement(
    "DECODING-PASSES-OVER-UNKNOWN-IDS",
    "Ids that have no token are left out",
    rule="An id that has no token is left out, without an error.",
    why="One would expect an error; ports raise one, or give the unknown token.",
    importance="quirk",
    cases=[case(plain(), ids(row)) for row in ([1, 99, 2], [99, 1], [1, 2, 4294967295], [7, 1, 8])],
)
DECODING.requirement(
    "DECODE-NOTHING",
    "No ids give the empty text",
    rule="An empty list of ids, or one of which everything is left out, gives the empty text.",
    why="Ports fail in decoders that look at the first token.",
    importance="edge",
    cases=[
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
    "DECODE-ADDED-TOKENS-PASS-THROUGH-THE-DECODER",
    "Added tokens go through the decoder like all others",
    rule="An added token that is not left out goes through the decoder as a token like any other.",
    why="Ports put added tokens into the text as they are, and decode what is between them by itself.",
    cases=[
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
    "Every character of GPT-2's byte alphabet stands for a byte; the bytes of all tokens together are read as UTF-8. "
    "Its fields are without effect.",
)
BYTES = component("ByteLevel", add_prefix_space=True, trim_offsets=True, use_regex=True)

BYTE_LEVEL.requirement(
    "BYTELEVEL-DECODER-BYTES",
    "Characters of the byte alphabet become bytes, and bytes become text",
    rule="Each character of the byte alphabet stands for one byte; the bytes of all tokens are joined before they are "
    "read as UTF-8, so that a character may be parted between tokens.",
    why="Ports read each token as UTF-8 by itself.",
    cases=[
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
        *(
            decoded({**BYTES, **options}, ["\u0120a", "\u0120"])
            for options in ({"add_prefix_space": False}, {"trim_offsets": False}, {"use_regex": False})
        ),
    ],
)
BYTE_LEVEL.requirement(
    "BYTELEVEL-DECODER-ALPHABET",
    "The byte alphabet has 256 characters",
    rule="The bytes 0x21 to 0x7E, 0xA1 to 0xAC and 0xAE to 0xFF stand for themselves, as characters of these numbers; the "
    "others, in their order, are U+0100 to U+0143.",
    why="Ports shift the table by one at 0x7F, 0xA0 or 0xAD.",
    cases=[
        decoded(BYTES, *([chr(code_point)] for code_point in (0x21, 0x7E, 0x100, 0x108, 0x10A, 0x11F, 0x120, 0x121))),
        decoded(
            BYTES,
            *(
                ["\u00c2", chr(code_point)]
                for code_point in (0xA1, 0xAC, 0xAE, 0xBF, 0x121, 0x122, 0x140, 0x141, 0x142, 0x143)
            ),
        ),
        decoded(BYTES, ["\u00df", "\u00bf"], ["\u00ef", "\u00bf", "\u00bd"], ["\u00f4", "\u0131", "\u00bf", "\u00bf"]),
    ],
)
BYTE_LEVEL.requirement(
    "BYTELEVEL-DECODER-BROKEN-UTF8",
    "Bytes that are not UTF-8 become U+FFFD, one for each maximal part of a character",
    rule="What is not UTF-8 becomes U+FFFD: one for each longest beginning of a character, and one for each byte that "
    "begins none.",
    why="Ports give one for each byte or one for the whole run, raise an error, or give nothing.",
    importance="edge",
    cases=[
        decoded(
            BYTES,
            *(
                [*row]
                for row in (
                    "\u00c3",
                    "\u00a9",
                    "\u00a9a",
                    "\u00c3a",
                    "\u00e2a",
                    "\u00e2\u0124a",
                    "\u00e2\u0124\u00c3",
                    "\u00f0\u0141a",
                    "\u00f0\u0141\u0132",
                    "\u00f0\u0141\u0132\u00c3\u00a9",
                    "\u00c0\u0122",
                    "\u00c1\u00bf",
                    "\u00e0\u0122\u0122",
                    "\u00e0\u0141\u00bf",
                    "\u00ed\u0142\u0122",
                    "\u00ed\u0141\u00bf",
                    "\u00f0\u0122\u0122\u0122",
                    "\u00f0\u0131\u00bf\u00bf",
                    "\u00f4\u0131\u00bf\u00bf",
                    "\u00f4\u0132\u0122\u0122",
                    "\u00f5\u0122\u0122\u0122",
                    "\u00fe\u00ff",
                    "\u0122\u0122",
                    "a\u00c3\u00c3\u00a9",
                )
            ),
            streamed=True,
        ),
    ],
)
BYTE_LEVEL.requirement(
    "BYTE-LEVEL-DECODER-TAKES-FOREIGN-TOKENS-AS-TEXT",
    "A token with a character outside of the byte alphabet stands for its own text",
    rule="A token with any character outside of the byte alphabet stands for itself as a whole: its UTF-8 form takes the "
    "place of its bytes.",
    why="One would expect the other characters of the token to be bytes.",
    importance="quirk",
    cases=decoded(
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
    "A prefix marks tokens that continue a word. Fields, both required: prefix (## in BERT) and cleanup (whether blanks "
    "before punctuation and in English contractions are removed).",
)


def word_piece(prefix: str = "##", *, cleanup: bool = True) -> Document:
    """Return the decoder."""
    return component("WordPiece", prefix=prefix, cleanup=cleanup)


WORD_PIECE.requirement(
    "WORDPIECE-DECODER-PREFIX",
    "A token without the prefix has a space before it",
    rule="Of every token but the first, the prefix is cut off once where it begins with it; where it does not, a space "
    "is put before it.",
    why="Ports replace the prefix anywhere, cut it several times, or put a space before the first token.",
    cases=[
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
WORD_PIECE.requirement(
    "WORDPIECE-DECODER-KEEPS-THE-FIRST-PREFIX",
    "The first token keeps its prefix",
    rule="The first token stays as it is, also where it begins with the prefix.",
    why="One would expect the prefix to be cut off.",
    importance="quirk",
    cases=decoded(word_piece(), ["##a", "##b"], ["##a"], ["##", "a"]),
)
WORD_PIECE.requirement(
    "WORDPIECE-DECODER-EMPTY-PREFIX",
    "With an empty prefix, no space is ever put",
    rule="With an empty prefix every token begins with it: tokens are joined without spaces.",
    why="Ports put a space before every token.",
    importance="edge",
    cases=decoded(word_piece("", cleanup=False), ["a", "b"], ["a", "##b"]),
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
)
WORD_PIECE.requirement(
    "WORDPIECE-DECODER-CLEANUP",
    "Clean-up removes blanks before punctuation and in contractions",
    rule="With cleanup, in each token, in this order: the blank goes before . ? ! and , ; both blanks around ' go; the "
    "blank goes before n't and 'm; \" do not\" becomes \" don't\"; the blank goes before 's, 've and 're.",
    why="Ports use another list, or regular expressions for it.",
    cases=[decoded(word_piece(cleanup=cleanup), *CLEANED) for cleanup in (True, False)],
)
WORD_PIECE.requirement(
    "CLEANUP-SEES-ONE-TOKEN-AT-A-TIME",
    "Clean-up looks at each token by itself",
    rule="Clean-up is applied to each token by itself, with the space that was put before it; it never sees across "
    "tokens.",
    why="One would expect it to be applied to the whole text.",
    importance="quirk",
    cases=decoded(
        word_piece(),
        ["we", "do not"],
        ["we", "do", "not"],
        ["a", "'", "s"],
        ["a ", "##."],
        ["a ", "."],
        ["n", "##'t"],
    ),
)
WORD_PIECE.requirement(
    "CLEANUP-CONTRACTS-DO-NOT",
    "Clean-up writes don't for do not",
    rule='Clean-up writes " don\'t" for " do not" within a token.',
    why="One would expect clean-up to change blanks only.",
    importance="quirk",
    cases=decoded(word_piece(), ["we", "do not"], ["do not"], ["we", "x do notes"]),
)

METASPACE = Area(
    "decoders.Metaspace",
    "Metaspace",
    "decode",
    "A visible character stands for spaces. Fields: replacement (one character, U+2581 by default), prepend_scheme "
    "(always by default, first, never), split (without effect).",
)


def metaspace(replacement: str = "\u2581", scheme: str = "always", *, split: bool = True) -> Document:
    """Return the decoder."""
    return component("Metaspace", replacement=replacement, prepend_scheme=scheme, split=split)


METASPACE.requirement(
    "METASPACE-DECODER-REPLACEMENT",
    "The replacement becomes a space",
    rule="In every token but the first, each replacement character becomes a space. In the first one it vanishes, unless "
    "prepend_scheme is never: then it becomes a space there too.",
    why="Ports strip the text at the end, or strip with every scheme.",
    cases=[
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
METASPACE.requirement(
    "METASPACE-DECODER-DROPS-ALL-MARKS-OF-THE-FIRST-TOKEN",
    "In the first token every replacement is dropped, also inside and at the end",
    rule="In the first token every replacement character is dropped, also inside of it and at its end, unless "
    "prepend_scheme is never.",
    why="One would expect the one that was prepended to be dropped.",
    importance="quirk",
    cases=[
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
    "BPEDECODER-SUFFIX",
    "The suffix becomes a space, in the last token nothing",
    rule="The suffix becomes a space in every token but the last, where it is removed.",
    why="Ports strip the whole text, or leave a space at the end.",
    cases=[
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
BPE_DECODER.requirement(
    "BPE-DECODER-REPLACES-SUFFIX-ANYWHERE",
    "The suffix is replaced wherever it stands in a token",
    rule="The suffix is replaced wherever it stands in a token, as often as it stands there.",
    why="One would expect it to be looked for at the end.",
    importance="quirk",
    cases=decoded(
        component("BPEDecoder", suffix="</w>"), ["a</w>b", "c</w>"], ["</w>a</w></w>", "b"], ["a", "</w>b</w>c"]
    ),
)
BPE_DECODER.requirement(
    "BPE-DECODER-SPACES-OUT-CHARACTERS",
    "With an empty suffix, a space stands between all characters",
    rule="An empty suffix is found before, between and after all characters of a token: each place has a space, but for "
    "the last token.",
    why="One would expect nothing to be replaced.",
    importance="quirk",
    cases=decoded(component("BPEDecoder", suffix=""), ["ab", "c"], ["\u00e9\U00010000", "a"], ["a"]),
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
    "CTC-REPETITIONS",
    "Tokens that follow an equal one are dropped, then padding",
    rule="Of equal tokens that follow one another one stays. Then pad_token is removed, so that padding between equal "
    "tokens keeps both; tokens that are empty then are dropped.",
    why="Ports remove padding first, and lose double letters.",
    cases=[
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
    "CTC-WORD-DELIMITER",
    "With cleanup, the word delimiter becomes a space",
    rule="With cleanup, word_delimiter_token becomes a space wherever it stands in a token, after the clean-up that the "
    "WordPiece decoder does.",
    why="Ports do it first, so that the clean-up sees other blanks.",
    cases=[
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
CTC.requirement(
    "CTC-KEEPS-DELIMITERS-WITHOUT-CLEANUP",
    "Without cleanup, the word delimiter stays",
    rule="The word delimiter becomes a space only with cleanup; without it, it stays.",
    why="One would expect clean-up to be about blanks alone.",
    importance="quirk",
    cases=decoded(ctc(cleanup=False), ["a", "|", "b"], ["a|b", "c ."]),
)
CTC.requirement(
    "CTC-REMOVES-PADDING-INSIDE-TOKENS",
    "The text of the padding token is removed wherever it stands",
    rule="The text of pad_token is removed wherever it stands in a token.",
    why="One would expect whole tokens to be removed.",
    importance="quirk",
    cases=decoded(ctc(), ["a<pad>b", "<pad>"], ["<pad>a", "a<pad>", "a"], ["x<pad><pad>y", "z"]),
)

BYTE_FALLBACK = Area(
    "decoders.ByteFallback",
    "ByteFallback",
    "decode",
    "Tokens such as <0xE2> stand for bytes. It has no fields.",
)
FALLBACK = component("ByteFallback")


def named(data: bytes) -> list[str]:
    """Return the tokens of the bytes of ``data``."""
    return [f"<0x{byte:02X}>" for byte in data]


BYTE_FALLBACK.requirement(
    "BYTEFALLBACK-RUNS",
    "A run of byte tokens is read as UTF-8",
    rule="Byte tokens that follow one another are read as UTF-8 together; other tokens stay as they are.",
    why="Ports read each byte as a character of that number.",
    cases=decoded(
        FALLBACK,
        *(named(char.encode()) for char in ("a", "\u00e9", "\u65e5", "\U0001f389", "\u00e9\u00e9", *WIDTHS)),
        [*named("\u00e9".encode()), "t", *named("\u65e5".encode())],
        ["t", *named("\u00e9a".encode()), "u"],
        streamed=True,
    ),
)
BYTE_FALLBACK.requirement(
    "BYTEFALLBACK-TOKEN-FORM",
    "A byte token is <0x, two hexadecimal digits, >",
    rule="A byte token has six characters: <0x, two hexadecimal digits in capitals or not, and >. Anything else is text.",
    why="Ports take capitals alone, or one digit.",
    importance="edge",
    cases=decoded(
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
BYTE_FALLBACK.requirement(
    "BYTE-FALLBACK-TAKES-A-PLUS-SIGN",
    "A plus sign passes for the first digit",
    rule="<0x+1> is byte 1: a plus sign passes for the first digit.",
    why="One would expect it to be text, as <0x-1> is.",
    importance="quirk",
    cases=decoded(FALLBACK, ["<0x+1>", "<0x-1>"], ["<0x+f>", "<0x++>", "<0x1+>"], ["<0x+a>", "<0x61>"]),
)
BYTE_FALLBACK.requirement(
    "BYTE-FALLBACK-GIVES-UP-A-WHOLE-RUN",
    "A run that is not UTF-8 becomes one U+FFFD for each of its bytes",
    rule="A run of byte tokens that is not UTF-8 as a whole becomes one U+FFFD for each of its bytes, those of whole "
    "characters too.",
    why="One would expect what is well formed to stay.",
    importance="quirk",
    cases=decoded(
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
    "FUSE-JOINS",
    "All tokens become one, for the decoders after it",
    rule="All tokens are joined into one, so that a decoder after it sees a single one.",
    why="Ports leave it out, since it changes nothing by itself; a Strip after it then strips every token.",
    cases=[
        decoded(component("Fuse"), ["a", "b"], ["a"]),
        decoded([component("Fuse"), component("Strip", content="a", start=1, stop=0)], ["a", "ab"], ["aa", "b", "a"]),
        decoded([component("Strip", content="a", start=1, stop=0), component("Fuse")], ["a", "ab"], ["aa", "b", "a"]),
        decoded(
            [component("Fuse"), component("Replace", pattern={"String": "ab"}, content="x")], ["a", "b"], ["b", "a"]
        ),
    ],
)

STRIP = Area(
    "decoders.Strip",
    "Strip",
    "decode",
    "Cuts a character off the ends of every token. Fields, all required: content (one character), start and stop (how "
    "many at most).",
)


def strip(content: str, start: int, stop: int) -> Document:
    """Return the decoder."""
    return component("Strip", content=content, start=start, stop=stop)


STRIP.requirement(
    "STRIP-DECODER-ENDS",
    "Up to start characters at the beginning and up to stop at the end are cut off",
    rule="Of each token up to start times content is cut off at the beginning, and up to stop times at the end; what "
    "stands between is not touched.",
    why="Ports strip all of them, strip the text as a whole, or count bytes.",
    cases=[
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
STRIP.requirement(
    "STRIP-DECODER-PANICS-ON-SHORT-TOKENS",
    "Where the two cuts overlap, decoding is an error",
    rule="The two ends are measured without regard to each other: where the cuts overlap, or a token shorter than stop "
    "is of nothing but content, decoding is an error.",
    why="The target panics; one would expect an empty token.",
    importance="quirk",
    cases=decoded(strip("a", 1, 1), ["a"], ["aa"], ["aaa"], ["ab", "a"], ["b", "aa"])
    + decoded(strip("a", 0, 2), ["a"], ["aa"], ["b", "aaa"]),
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
    "REPLACE-DECODER-PATTERN",
    "Every match in every token is replaced",
    rule="Every match of the pattern, from left to right and without overlaps, is replaced by content, in each token by "
    "itself. A String is taken literally, a Regex is one of Oniguruma.",
    why="Ports replace the first match, match across tokens, or take content for a template with groups.",
    cases=[
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
    "DECODER-SEQUENCE-ORDER",
    "Decoders work one after the other on lists of tokens",
    rule="Each decoder gets the list of tokens that the one before it gives; in the end what is left is joined without "
    "anything between.",
    why="Ports join the text after the first decoder, or between decoders.",
    cases=[
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
SEQUENCE.requirement(
    "DECODER-SEQUENCE-EMPTY",
    "An empty sequence joins tokens without spaces",
    rule="A sequence without decoders leaves the tokens as they are, which are then joined without anything between: that "
    "is not the same as no decoder.",
    why="Ports take it for none, and join with spaces.",
    importance="edge",
    cases=[
        decoded(component("Sequence", decoders=[]), ["a", "b"]),
        decoded(component("Sequence", decoders=[component("Fuse")]), ["a", "b"]),
        decoded(component("Sequence", decoders=[component("Sequence", decoders=[]), word_piece()]), ["a", "##b", "c"]),
    ],
)
SEQUENCE.requirement(
    "DECODER-SEQUENCE-HAS-COPIES",
    "A sequence of decoders copies its members",
    rule="A Sequence of decoders copies its members when it is made; other sequences share them with their makers.",
    why="One would expect all sequences to do the same.",
    importance="quirk",
    not_asked=PYTHON_ONLY,
)
SEQUENCE.requirement(
    "CUSTOM-DECODER-IN-A-SEQUENCE-PANICS",
    "A custom decoder cannot be part of a sequence",
    rule="A custom decoder cannot be part of a Sequence, as custom normalizers and pre-tokenizers can: it panics.",
    why="One would expect it to work.",
    importance="quirk",
    not_asked=PYTHON_ONLY,
)
SEQUENCE.requirement(
    "DECODER-FIELDS-ARE-REQUIRED",
    "Decoders with missing or wrong fields are refused",
    rule="The fields of a decoder are required, but for those of Metaspace and ByteLevel; content of Strip and "
    "replacement of Metaspace are one character; start and stop are whole numbers from 0 on.",
    why="Ports take defaults for what is missing.",
    importance="edge",
    features=("load",),
    cases=[
        case(
            of(good),
            ids([1, 2]),
            saved(),
            refused(*map(of, bad)),
        )
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
)

# Streams -------------------------------------------------------------------------------------------------------------

STREAM = Area(
    "decoding.stream",
    "Decoding id by id",
    "decode",
    "Ids that come one at a time: for each, the text that it adds to what was given before. Nothing is given while the "
    "text ends in U+FFFD, since the next id may complete a character.",
)


def streamed(decoder: Document | None, *rows: list[str], skip: bool = False, **stages: Any) -> list[CaseRecipe]:
    """Return a case for each of ``rows``, tokens whose ids come one at a time."""
    cases = []
    for row in rows:
        vocab = {token: id_ for id_, token in enumerate(dict.fromkeys([UNKNOWN, *row, "z"]))}
        model = {"type": "WordLevel", "vocab": vocab, "unk_token": UNKNOWN}
        sequence = [vocab[token] for token in row]
        cases.append(
            case(
                tokenizer(model, decoder=decoder, **stages),
                stream(sequence, [vocab["z"], *sequence], skip=skip),
                ids([vocab["z"], *sequence]),
            )
        )
    return cases


STREAM.requirement(
    "STREAM-ADDS-TEXT",
    "Each id gives the text that it adds",
    rule="Each id gives the text that the ids so far have beyond what was given before; the texts joined are the text of "
    "all ids, where nothing is left over at the end.",
    why="Ports decode each id by itself, and lose the spaces between words.",
    features=("stream",),
    cases=[
        streamed(None, ["a", "b", "c"], ["a"], ["a", "a"]),
        streamed(word_piece(), ["a", "##b", "c"], ["##a", "b", "##c", "."], ["do", "n't", "a"]),
        streamed(metaspace(), ["\u2581a", "\u2581b", "c"], ["a", "\u2581", "b"], ["\u2581", "\u2581", "a"]),
        streamed(metaspace(scheme="never"), ["\u2581a", "\u2581b"], ["a", "\u2581"]),
        streamed(BYTES, ["\u0120a", "b", "\u0120c"], ["a", "\u0120", "\u0120b"]),
        streamed(component("BPEDecoder", suffix="</w>"), ["a</w>", "b", "c</w>", "d"], ["a", "b</w>"]),
    ],
)
STREAM.requirement(
    "STREAM-WAITS-FOR-CHARACTERS",
    "Nothing is given while a character is not complete",
    rule="While the text of the ids so far ends in U+FFFD, nothing is given; what was held back comes with the id that "
    "completes it.",
    why="Ports give U+FFFD, or wait by counting bytes of each token.",
    features=("stream",),
    cases=[
        streamed(BYTES, [*row]) if isinstance(row, str) else streamed(FALLBACK, row)
        for row in (
            "\u00c3\u00a9",
            "\u00e6\u0139\u00a5a",
            "\u00f0\u0141\u0130\u012b",
            "a\u00c3\u00a9b\u00c3\u00a9",
            "\u00e6\u0139\u00a5\u00e6\u013e\u00ac",
            [*named("\u00e9".encode()), "a"],
            [*named("\u65e5\u672c".encode())],
            ["a", *named("\U0001f389".encode()), "b"],
        )
    ],
)
STREAM.requirement(
    "STREAM-GIVES-DANGLING-BYTES-LATE",
    "A dangling byte is given out as U+FFFD with the next character",
    rule="A byte that begins a character which never comes is held back, and given as U+FFFD with the next id that ends "
    "in a whole character.",
    why="One would expect U+FFFD at once, or never.",
    importance="quirk",
    features=("stream",),
    cases=[
        streamed(
            BYTES, ["\u00c3", "a"], ["\u00c3", "\u00c3", "\u00a9"], ["a", "\u00a9", "b"], ["\u00f0", "\u0141", "a", "b"]
        ),
        streamed(FALLBACK, ["<0xC3>", "a"], ["<0xC3>", "<0xC3>", "<0xA9>", "a"], ["a", "<0xA9>", "b", "c"]),
    ],
)
STREAM.requirement(
    "STREAM-IS-SILENT-WHERE-TEXT-DOES-NOT-GROW",
    "Nothing is given while the text does not get longer",
    rule="Nothing is given for an id after which the text has no more bytes (of its UTF-8 form) than before, even if it "
    "changed.",
    why="One would expect the change to be told.",
    importance="quirk",
    features=("stream",),
    cases=[
        streamed(strip("b", 0, 1), ["a", "b", "c"], ["b", "a"], ["a", "bb", "a"]),
        streamed(ctc(), ["a", "a", "b"], ["a", "<pad>", "a"]),
        streamed(component("Sequence", decoders=[component("Fuse"), replace("\u00e9", string="ab")]), ["a", "b", "c"]),
        streamed(
            component("Sequence", decoders=[component("Fuse"), replace("\U00010000", string="abc")]),
            ["a", "b", "c", "d"],
        ),
        streamed(
            component("Sequence", decoders=[component("Fuse"), replace("x", string="\u65e5a")]), ["\u65e5", "a", "b"]
        ),
    ],
)
STREAM.requirement(
    "STREAM-SKIPS-SPECIAL-TOKENS",
    "Special tokens give nothing where they are skipped",
    rule="With skip_special_tokens, the id of a special token gives nothing, and what comes after it is decoded as if it "
    "were not there.",
    why="Ports give a space for it, or take what follows for the beginning of a text.",
    features=("stream",),
    cases=[
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
)
STREAM.requirement(
    "STREAM-UNKNOWN-IDS",
    "Ids without a token give nothing",
    rule="An id without a token gives nothing, and leaves what comes after it as it is.",
    why="Ports raise an error.",
    importance="edge",
    features=("stream",),
    cases=[
        case(tokenizer(word_level("a b"), decoder=decoder), stream([1, 99, 2], [99, 1]), ids([1, 2]))
        for decoder in (None, word_piece(), component("Fuse"))
    ],
)
STREAM.requirement(
    "STREAM-LONG",
    "A long stream gives what decoding all ids gives",
    rule="Only the ids since the last text that was given are kept; what is given does not depend on how many ids came "
    "before.",
    why="Ports keep all ids, or lose the context of one id that a decoder needs.",
    importance="edge",
    features=("stream",),
    cases=[
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
    ],
)
STREAM.requirement(
    "STREAM-BROKEN-PREFIX",
    "Where the text no longer begins with what was given, it is an error",
    rule="Where the text of the ids kept grows, and no longer begins with what these gave before, the step is an error.",
    why="Ports give the difference of the lengths, which is another text.",
    importance="edge",
    features=("stream",),
    cases=[
        case(
            tokenizer(word_level("a b c"), decoder=component("Sequence", decoders=[component("Fuse"), decoder])),
            stream([1], [3, 1]),
            stream([1, 2]),
        )
        for decoder in (replace("xyz", string="ab"), replace("\u00e9\u00e9", regex="^ab"))
    ],
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
