"""Recipes of the models BPE, WordPiece and WordLevel, and of what trainers do."""

from __future__ import annotations

from itertools import product
from typing import Any

from requirements.recipe import (
    UNKNOWN,
    Area,
    Document,
    added,
    bpe,
    byte_tokens,
    case,
    component,
    each,
    encode,
    ids,
    pair,
    refused,
    row,
    saved,
    text,
    tokenizer,
    vocabulary,
    word_level,
    word_piece,
    words,
)
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR

WIDTHS = ("\x7f", "\x80", "\u07ff", "\u0800", "\uffff", "\U00010000", "\U0010ffff")
"""Both sides of every change in the number of bytes that UTF-8 takes for a character."""

PYTHON_ONLY = "Only the Python API of the target shows this, and no tokenizer.json."
FOREIGN_FILES = "Only the readers and writers of vocab.json, merges.txt and vocab.txt show this, not a tokenizer.json."
DRAWN = "The answer differs from one run of the target to the next, so that nothing can be expected."
SAMPLED = "alpha and nbest_size are set through the Python API alone, and answers are drawn at random."
ABORTS = "The process of the target dies, so that nothing can be expected of others."

WHITESPACE = component("WhitespaceSplit")


def over(alphabet: str, *lengths: int) -> list[str]:
    """Return every word over ``alphabet`` of these lengths."""
    return ["".join(letters) for length in lengths for letters in product(alphabet, repeat=length)]


def lines(all_words: list[str], count: int = 8) -> list[str]:
    """Return ``all_words``, so many of them to a text, with spaces between them."""
    return [" ".join(all_words[start : start + count]) for start in range(0, len(all_words), count)]


def to_one(token: str) -> list[str]:
    """Return the merges that lead from the characters of ``token`` to it, from the left."""
    return [f"{token[:end]} {token[end]}" for end in range(1, len(token))]


def spelled(text_: str) -> str:
    """Return the characters of the bytes of ``text_``."""
    return "".join(BYTE_TO_CHAR[byte] for byte in text_.encode())


def of(model: Document, **stages: Any) -> Document:
    """Return a tokenizer of ``model`` that cuts texts at white space, which is not part of any word."""
    return tokenizer(model, **{"pre_tokenizer": WHITESPACE, **stages})


# BPE -----------------------------------------------------------------------------------------------------------------

BPE = Area(
    "models.BPE",
    "BPE",
    "model",
    "Byte-pair encoding. A word (a piece that the pre-tokenizer gave) starts as its characters, each with the id that the vocabulary has for it. Then, again and again, the two neighbours whose merge stands first in the list of merges become one token, until no two neighbours have a merge. Fields: vocab (tokens to ids), merges (pairs of tokens, the first rank first), dropout, unk_token, continuing_subword_prefix, end_of_word_suffix (all null by default), fuse_unk, byte_fallback, ignore_merges (false by default).",
)
BPE.requirement(
    "BPE-CHARACTERS: A word starts as its characters",
    "Without merges, every character (code point) of a word is a token, with the id that the vocabulary has for it, and with offsets of that one character.",
    "Ports split into bytes or UTF-16 units, and combine characters that belong to one grapheme cluster.",
    each(of(bpe("ab")), "a", "ab", "ba ab", "aabb"),
    [case(of(bpe([wide, "a", "\u0301"])), text(f"a{wide}a", f"{wide}{wide} a")) for wide in WIDTHS[1:]],
    each(of(bpe("e\u0301a")), "e\u0301a", "a\u0301\u0301"),
)
BPE.requirement(
    "BPE-LOWEST-RANK-FIRST: Of all merges that apply, the one that is listed first is done first",
    "Of all neighbours that have a merge, the two whose merge stands first in the list are merged, wherever in the word they stand. Then neighbours are looked at anew.",
    "Ports merge from left to right, take the longest token, or go through the list of merges once.",
    [
        case(of(bpe("abc", merges)), text(line))
        for merges in (("a b", "b c"), ("b c", "a b"), ("b c", "a bc"), ("a b", "ab c", "b c"), ("c a", "a b"))
        for line in lines(over("abc", 3), 9)
    ],
    [
        case(of(bpe("abcd", merges)), text("abcd", "abab", "dcba", "bcda abcabc"))
        for merges in (
            ("a b", "c d", "ab cd"),
            ("b c", "a bc", "abc d", "a b"),
            ("c d", "b cd", "a b", "a bcd"),
            ("a b", "b c", "c d", "ab c", "bc d"),
        )
    ],
)
BPE.requirement(
    "BPE-LEFTMOST-OF-EQUAL-RANK: Of equal merges, the leftmost is done first",
    "Where one merge applies at several places of a word, the leftmost of them is done first.",
    "A heap without a second key takes any of them; in a run of equal characters that is seen at its end.",
    [case(of(bpe("ab", ("a a",))), text(line)) for line in lines(["a" * count for count in range(1, 13)], 4)],
    [case(of(bpe("ab", ("a a", "aa a"))), text(line)) for line in lines(over("ab", 4), 8)],
    [case(of(bpe("ab", ("a a", "aa aa", "aaaa a"))), text("a" * count)) for count in (5, 7, 9, 15, 16, 17)],
    [case(of(bpe("ab", ("a b", "b a"))), text(line)) for line in lines(over("ab", 5), 8)],
)
BPE.quirk(
    "BPE-MERGES-ONE-OCCURRENCE-AT-A-TIME: One occurrence is merged at a time",
    "After one occurrence of a pair is merged, the new token may merge with its neighbours before the next occurrence of that pair is merged.",
    "The published algorithm merges all occurrences of a pair in one step; the target looks for the best pair anew after each single merge.",
    each(of(bpe(["a", "b", "aba"], ("a b",))), "abab"),
    [
        case(of({**bpe(tokens), "merges": merges}), text("abab", "ababab", "abaab", "babab"))
        for tokens, merges in (
            (["a", "b", "ab", "aba"], [["ab", "a"], ["a", "b"]]),
            (["a", "b", "ab", "bab"], [["b", "ab"], ["a", "b"]]),
            (["a", "b", "ab", "abab"], [["a", "b"], ["ab", "ab"]]),
        )
    ],
)
BPE.quirk(
    "BPE-OUTDATED-CANDIDATE-MERGES-IF-THE-ID-FITS: A pair that changed while it waited is merged if it still gives the same id",
    "A pair waits for its turn with the rank and the id that it had when it became neighbours. If one side changed meanwhile, and what stands there now merges to the same id, it is merged at the old rank.",
    "Only where two tokens have one id can this be seen: an implementation that looks ranks up anew answers otherwise.",
    case(
        of(
            {
                **bpe([]),
                "vocab": {"a": 0, "b": 1, "c": 2, "d": 3, "bc": 4, "bcd": 5, "ab": 9, "abc": 9},
                "merges": [["b", "c"], ["a", "b"], ["bc", "d"], ["a", "bc"]],
            }
        ),
        *(encode(word, special=False) for word in ("bcd", "bc d")),
    ),
)
BPE.requirement(
    "BPE-LONG-WORDS: A word of any length is merged by the same rule",
    "Nothing changes with the length of a word: there is no limit, and no other order of merges for long words.",
    "Ports change their data structure for long words, cut words off, or need quadratic time.",
    [case(of(bpe("abc", ("a b", "ab c", "c a", "b b"))), text("abc" * count)) for count in (5, 13, 14, 40, 67)],
    [case(of(bpe("abc", ("a a", "aa aa", "b c", "c b"))), text("aabcb" * count)) for count in (7, 8, 9, 50)],
    [case(of(bpe("ab", ("a a", "aa a"))), text("a" * count)) for count in (38, 39, 40, 41, 255, 256, 257)],
)
BPE.edge(
    "BPE-LONG-WORDS-BOTH-ENDS: The first and the last tokens of a long word merge like all others",
    "In a long word too, the first two and the last two tokens merge, and what they became merges with its neighbours.",
    "Ports that put the pairs of a long word into a heap, and link neighbours, lose those at its ends.",
    [
        case(of(bpe("abcd", merges)), encode(word, special=False))
        for merges in (("a b", "ab c"), ("b c", "a bc"))
        for word in ("abc" + "d" * 40, "d" * 40 + "abc")
    ],
    case(of(bpe("abcde", ("a b", "c d", "ab cd"))), encode("abcd" + "e" * 40, special=False)),
    case(of(bpe("abcd", ("b c", "a b", "a bc"))), encode("abc" + "d" * 40, special=False)),
)
BPE.requirement(
    "BPE-MERGES-ANY-CHARACTERS: Tokens go across spaces, line feeds, punctuation and parts of characters",
    "Within a piece, which may be a whole text, any neighbours merge that have a merge: a letter and punctuation, a line feed and a letter, the bytes of two characters. Prefix, suffix and ignore_merges are of the piece, and unknown characters fuse in all of it.",
    "Ports that cut a long piece into words of their own, to remember these, cut where a token goes on.",
    [
        case(
            tokenizer(bpe([*byte_tokens(), UNKNOWN, *tokens], merges, **{"byte_fallback": True, **options})),
            encode(piece, special=False),
        )
        for tokens, merges, piece, options in (
            (row("a ,"), ("a ,",), "a,a", {}),
            (["\n", "a"], ("\n a",), "a\na", {}),
            (["a"], ("<0x0A> a",), "\na", {}),
            (row("\u2581 a b \u2581ab"), (), "\u2581ab\u2581a", {"ignore_merges": True}),
            (row("\u2581 a a$"), (), "a\u2581a", {"end_of_word_suffix": "$"}),
            (["a"], (), "x\u2581x", {"unk_token": UNKNOWN, "fuse_unk": True, "byte_fallback": False}),
        )
    ],
    case(
        tokenizer(
            bpe(BYTE_TO_CHAR, to_one(spelled("\u4e2d\u6587")[:4])),
            pre_tokenizer=component("ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True),
        ),
        encode("\u4e2d\u6587", special=False),
    ),
    # The last byte of a character and all of the next one.
    case(
        tokenizer(
            bpe(BYTE_TO_CHAR, (*to_one(spelled("\u6709")), " ".join((spelled("\u88e1")[-1], spelled("\u6709"))))),
            pre_tokenizer=component("ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True),
        ),
        encode("\u88e1\u6709", special=False),
    ),
)
BPE.requirement(
    "BPE-MERGE-OF-NUMBER-SIGN: A merge may begin with a number sign",
    "A merge whose left side begins with # is a merge like any other, written as a pair or as a line.",
    "Ports take such lines for comments, as the first line of merges.txt is none of the merges.",
    [
        case(of({**made, "merges": merges}), text("#ab", "a## #"))
        for made in (bpe("#ab", ("# a", "#a b", "# #")),)
        for merges in (made["merges"], [" ".join(merge) for merge in made["merges"]])
    ],
    case(
        of(bpe([*"#versiona"], to_one("#versiona"))),
        encode("#versiona", special=False),
    ),
)
BPE.requirement(
    "BPE-MERGES-NEED-NOT-BE-REACHED: A token of the vocabulary that no merge leads to is never given",
    "A token that is in the vocabulary is given only if merges lead to it, one after the other, and each is done in its turn.",
    "Ports look for the longest token of the vocabulary.",
    each(of(bpe(["a", "b", "c", "abc"], ("a b",))), "abc", "abcabc"),
    each(of({**bpe(["a", "b", "c", "ab", "abc"]), "merges": [["ab", "c"]]}), "abc", "a ab abc"),
)
BPE.requirement(
    "BPE-IDS-ARE-FREE: Ids are those of the vocabulary, in any order and with gaps",
    "The id of a token is what the vocabulary says; it is neither its place nor its rank. Ids need not follow one another.",
    "Ports take the order of the vocabulary for the ids, or the ids for the ranks of merges (as in tiktoken).",
    each(
        of({**bpe([]), "vocab": {"b": 7, "a": 3, "ab": 1, "ba": 900}, "merges": [["b", "a"], ["a", "b"]]}),
        "ab",
        "ba",
        "aba bab",
    ),
    each(
        of({**bpe([]), "vocab": {"b": 7, "a": 3, "ab": 1, "ba": 900}, "merges": [["a", "b"], ["b", "a"]]}),
        "aba bab",
        "baab",
    ),
)
BPE.quirk(
    "BPE-LAST-RANK-OF-A-PAIR-COUNTS: A merge that is listed twice has the rank of its last occurrence",
    "A merge that is listed twice has the rank of its last occurrence.",
    "One would expect the first occurrence to count, or a refusal.",
    each(of({**bpe(["a", "b", "c", "ab", "bc"]), "merges": [["a", "b"], ["b", "c"], ["a", "b"]]}), "abc", "abcab"),
)
BPE.requirement(
    "BPE-UNKNOWN-TOKEN: A character that is not in the vocabulary becomes the unknown token",
    "Where unk_token is set, each character that is not in the vocabulary becomes one unknown token, with the offsets of that character.",
    "Ports give one unknown token for the whole word, as WordPiece does, or fail.",
    each(of(bpe([UNKNOWN, *"ab"], ("a b",), unk_token=UNKNOWN)), "x", "axb", "xab", "abx", "xyab xx", "abab"),
    [case(of(bpe([UNKNOWN, "a"], unk_token=UNKNOWN)), text(f"a{wide}{wide}a", f"{wide}a")) for wide in WIDTHS],
)
BPE.quirk(
    "BPE-UNKNOWN-TOKEN-MERGES: An unknown token takes part in merges like any other",
    "An unknown token takes part in merges like any other token.",
    "One would expect unknown characters to stay apart.",
    each(of(bpe([UNKNOWN, "a"], (f"{UNKNOWN} a", f"a {UNKNOWN}"), unk_token=UNKNOWN)), "xa", "ax", "axa", "xxa"),
    each(of(bpe([UNKNOWN, "a"], (f"{UNKNOWN} {UNKNOWN}",), unk_token=UNKNOWN)), "xxx", "xaxx"),
)
BPE.quirk(
    "BPE-WITHOUT-UNKNOWN-TOKEN-SLIDES-OFFSETS: Without an unknown token, unknown characters vanish and offsets slide",
    "Where unk_token is null, a character that is not in the vocabulary is left out, and the offsets of all later tokens of the word are too small by its length.",
    "One would expect the offsets of the text, or an error. Byte-level vocabularies that lack a byte show it.",
    each(of(bpe("ab")), "axb", "xab xab", "a\u00e9b b"),
    each(of(bpe("ab", ("a b",))), "axb", "\u00e9a\U00010000b ab"),
)
BPE.edge(
    "BPE-UNKNOWN-TOKEN-MISSING: An unknown token that is not in the vocabulary is an error once it is needed",
    "Where unk_token names a token that the vocabulary does not have, a text with an unknown character cannot be encoded; any other text can.",
    "Ports give id 0, or fail while loading.",
    case(of(bpe("ab", unk_token="<none>")), text("ab"), text("axb")),
)
BPE.requirement(
    "BPE-FUSE-UNKNOWN: With fuse_unk, unknown characters in a row are one token",
    "Where fuse_unk is true, unknown characters that follow one another in a word become one unknown token with the offsets of all of them; where it is false, one each.",
    "Ports fuse across words, or leave the option out; Llama and Gemma set it.",
    [
        case(of(bpe([UNKNOWN, *"ab"], ("a b",), unk_token=UNKNOWN, fuse_unk=fuse)), text(word))
        for fuse in (True, False)
        for word in ("xy", "xyz", "axyb", "xay", "xyab xx y", "x\u00e9\U00010000b", "abxyab")
    ],
)
BPE.requirement(
    "BPE-BYTE-FALLBACK: With byte_fallback, an unknown character becomes the tokens of its bytes",
    "Where byte_fallback is true, a character that is not in the vocabulary becomes one token for each byte of its UTF-8 form, named <0x00> to <0xFF> (two capital hexadecimal digits).",
    "Ports write small letters, leave leading zeros out, or fall back for the whole word.",
    [
        case(of(bpe([UNKNOWN, *byte_tokens(), "a"], unk_token=UNKNOWN, byte_fallback=True)), text(f"a{char}a{char}"))
        for char in ("\x01", *WIDTHS, "\u00e9", "\u65e5", "\U0001f389", "Z")
    ],
    each(of(bpe(["<0xC3>", "<0xA9>", "a"], ("<0xC3> <0xA9>",), byte_fallback=True)), "a\u00e9", "\u00e9\u00e9 a"),
    each(of(bpe([UNKNOWN, *byte_tokens(), "a"], unk_token=UNKNOWN)), "a\u00e9"),
)
BPE.edge(
    "BPE-BYTE-FALLBACK-NEEDS-EVERY-BYTE: A character falls back to bytes only if the vocabulary has all of them",
    "Where the vocabulary lacks the token of one byte of a character, the whole character is unknown; other characters of the word still fall back.",
    "Ports give the bytes that are there and an unknown token for the others.",
    each(
        of(bpe([UNKNOWN, "<0xC3>", "<0xA9>", "a"], unk_token=UNKNOWN, byte_fallback=True)),
        *row("\u00e9•\u00e8•a\u00e8a•\u00e9\u00e8"),
    ),
    each(of(bpe(["<0xC3>", "<0xA9>", "a"], byte_fallback=True)), "a\u00e8a", "\u00e9a"),
)
BPE.quirk(
    "BPE-BYTES-OVERTAKE-UNKNOWN-TOKENS: An unknown token is put down after the bytes that follow it",
    "With byte_fallback, an unknown token that is waiting for others to fuse with is put down by the next token of the vocabulary, or at the end: bytes that follow it come before it, and offsets go with the order of tokens.",
    "One would expect the order of the text.",
    [
        case(of(bpe([UNKNOWN, "<0x61>", "b"], unk_token=UNKNOWN, byte_fallback=True, fuse_unk=fuse)), text(word))
        for fuse in (False, True)
        for word in ("xab", "xa", "xya", "xaab", "xaxb", "axb")
    ],
)
BPE.quirk(
    "BPE-UNKNOWN-TOKENS-FUSE-ACROSS-BYTES: With fuse_unk, unknown characters fuse across the bytes between them",
    "With byte_fallback and fuse_unk, unknown characters become one token even where characters that fell back to bytes stand between them.",
    "One would expect only neighbours to fuse.",
    [
        case(of(bpe([UNKNOWN, "<0x61>", "b"], unk_token=UNKNOWN, byte_fallback=True, fuse_unk=fuse)), text(word))
        for fuse in (True, False)
        for word in ("xay", "xaaay", "xaby", "xayb")
    ],
)
BPE.requirement(
    "BPE-IGNORE-MERGES: With ignore_merges, a word that is in the vocabulary is one token",
    "Where ignore_merges is true, a whole word that the vocabulary has is that token, whatever the merges; any other word is merged as ever.",
    "Llama 3 and other tokenizers made of tiktoken ranks need it; ports that ignore it split words that merges do not lead to.",
    [
        case(of(bpe(["a", "b", "c", "abc", "\u00e9b"], ("a b",), ignore_merges=ignore)), text(word))
        for ignore in (True, False)
        for word in ("abc", "abca", "cab abc", "\u00e9b a", "ab")
    ],
)
BPE.edge(
    "BPE-IGNORE-MERGES-AS-IT-STANDS: With ignore_merges, a word is looked up as it stands",
    "Where ignore_merges is true, the whole word is looked up without continuing_subword_prefix and end_of_word_suffix; with these, and with byte_fallback, it is one token if the vocabulary has it.",
    "Ports look the word up with its suffix, or leave the option out beside others.",
    [
        case(
            of(bpe(["a", "b", "ab", "ba", "a$", "b$", "#a", "#b", "#b$"], (), ignore_merges=True, **options)),
            encode("ab ba a aa", special=False),
        )
        for options in ({"end_of_word_suffix": "$"}, {"continuing_subword_prefix": "#"}, {"byte_fallback": True})
    ],
    case(
        of(bpe(["a", "b", "a$", "b$"], ("a b$",), ignore_merges=True, end_of_word_suffix="$")),
        encode("ab a ab$", special=False),
    ),
)
BPE.quirk(
    "BPE-DROPOUT-SWITCHES-IGNORE-MERGES-OFF: ignore_merges has no effect with dropout",
    "Where dropout is set to a number that is not 0, ignore_merges has no effect. With dropout 1 no merge is done.",
    "One would expect a whole word to stay whole.",
    [
        case(of(bpe(["a", "b", "ab"], ("a b",), ignore_merges=ignore, dropout=dropout)), text("ab", "aab"))
        for ignore in (True, False)
        for dropout in (1.0, 0.0, None)
    ],
)
BPE.edge(
    "BPE-DROPOUT-ZERO: dropout 0 is no dropout",
    "dropout 0 and dropout null both mean that every merge is done. Dropout 1 leaves characters. Anything outside of 0 to 1 is refused.",
    "Ports take 0 for set, or test it against null alone.",
    each(of(bpe("ab", ("a b", "ab ab"), dropout=0.0)), "abab"),
    each(of(bpe("ab", ("a b", "ab ab"), dropout=1.0)), "abab a"),
    case(
        of(bpe("ab", ("a b",), dropout=0.0)),
        text("abb"),
        refused(*(of(bpe("ab", ("a b",), dropout=dropout)) for dropout in (1.1, -0.1, 2))),
    ),
)
BPE.quirk(
    "BPE-DROPOUT-IS-SINGLE-PRECISION: dropout is a number of single precision",
    "dropout is rounded to 32 bits when it is read; it is written with the fewest digits that give the same number.",
    "A dropout of 0.3 reads back as 0.30000001192092896 in Python.",
    [
        case(of(bpe("ab", ("a b",), dropout=dropout)), saved())
        for dropout in (0.3, 0.1, 0.30000001192092896, 0.123456789)
    ],
    features=("save",),
)
BPE.quirk(
    "BPE-DROPOUT-CAN-BE-SET-TO-ANYTHING: The attribute dropout takes any number",
    "The constructor and the file refuse a dropout outside of 0 to 1; the attribute of a built model takes any.",
    "One would expect the attribute to refuse as well.",
    not_asked=PYTHON_ONLY,
)
BPE.requirement(
    "BPE-CONTINUING-PREFIX: Every character but the first is looked up with continuing_subword_prefix before it",
    "Where continuing_subword_prefix is set, every character of a word but the first is looked up with the prefix before it. The result of a merge is the left token and the right one without its prefix.",
    "Ports add the prefix to the first character too, or keep it inside of merged tokens.",
    [
        case(
            of(
                bpe(
                    [UNKNOWN, "a", "b", f"{prefix}a", f"{prefix}b"],
                    (f"a {prefix}b", f"{prefix}a {prefix}b", f"ab {prefix}ab"),
                    continuing_subword_prefix=prefix,
                    unk_token=UNKNOWN,
                )
            ),
            text(line),
        )
        for prefix in ("##", "@", "\u00e9")
        for line in (*lines(over("ab", 1, 2, 3), 7), "abab", "axb", "xa")
    ],
)
BPE.requirement(
    "BPE-END-OF-WORD-SUFFIX: The last character of a word is looked up with end_of_word_suffix after it",
    "Where end_of_word_suffix is set, the last character of every word is looked up with the suffix after it; a word of one character has it too. Offsets do not count the suffix.",
    "CLIP and other old vocabularies (</w>) need it; ports forget words of one character, or count the suffix.",
    [
        case(
            of(
                bpe(
                    [UNKNOWN, "a", "b", "a</w>", "b</w>"],
                    ("a b", "a b</w>", "ab ab</w>"),
                    end_of_word_suffix="</w>",
                    unk_token=UNKNOWN,
                )
            ),
            text(line),
        )
        for line in (*lines(over("ab", 1, 2, 3), 7), "abab", "ax", "x", "\u00e9a \U00010000b")
    ],
)
BPE.edge(
    "BPE-PREFIX-AND-SUFFIX: Prefix and suffix can stand together",
    "With both, the first character has no prefix, the last one has the suffix, and a word of one character has the suffix alone.",
    "Ports treat the two as alternatives.",
    [
        case(
            of(
                bpe(
                    [UNKNOWN, "a", "#a", "a$", "#a$", "b$", "#b$"],
                    ("a #a$",),
                    continuing_subword_prefix="#",
                    end_of_word_suffix="$",
                    unk_token=UNKNOWN,
                )
            ),
            text(line),
        )
        for line in ("a b", "aa ab", "aaa aab", "xa ax")
    ],
)
BPE.requirement(
    "BPE-EMPTY-AFFIX: An empty prefix or suffix is the same as none",
    "continuing_subword_prefix and end_of_word_suffix may be empty strings, which is the same as null.",
    "The file of GPT-2 has empty strings there; ports that test for null look tokens up with a prefix.",
    each(of(bpe("ab", ("a b",), continuing_subword_prefix="", end_of_word_suffix="")), "ab", "aab"),
    each(of(bpe("ab", ("a b",), continuing_subword_prefix="", end_of_word_suffix=None)), "abab"),
)
BPE.quirk(
    "BPE-PREFIX-IS-CUT-FROM-ANY-TOKEN: The right side of a merge loses as many bytes as the prefix has",
    "The right side of a merge loses as many bytes as the prefix has, whether or not it begins with the prefix.",
    "One would expect the prefix alone to be cut.",
    each(
        of({**bpe(["a", "xyb", "ab", "b"]), "continuing_subword_prefix": "##", "merges": [["a", "xyb"]]}), "a", "ab aa"
    ),
)
BPE.quirk(
    "BPE-PREFIX-LONGER-THAN-A-TOKEN-PANICS: A merge whose right side is shorter than the prefix is not loaded",
    "A file with a merge whose right side has fewer bytes than continuing_subword_prefix is not loaded.",
    "The target panics; one would expect an error that names the merge.",
    case(
        of(bpe(["a", "##b"], ("a ##b",), continuing_subword_prefix="##")),
        text("ab"),
        refused(of({**bpe(["a", "b", "ab"]), "merges": [["a", "b"]], "continuing_subword_prefix": "##"})),
    ),
    features=("load",),
)
BPE.quirk(
    "BPE-PREFIX-CUT-INSIDE-A-CHARACTER-ABORTS: A merge whose right side is cut inside a character ends the process",
    "A file with a merge whose right side would be cut inside of a character by the length of the prefix ends the process that loads it.",
    "One would expect an error.",
    not_asked=ABORTS,
)
BPE.quirk(
    "BPE-BYTES-OF-AFFIXES-RUN-OFF-THE-TEXT: byte_fallback gives the bytes of prefix and suffix as well",
    "With byte_fallback, a character that is looked up with a prefix or a suffix falls back to the bytes of all of it, with an offset for each, beyond the text.",
    "One would expect the bytes of the character.",
    each(of(bpe(["<0x61>", "<0x3E>", "b"], byte_fallback=True, end_of_word_suffix=">")), "a", "aa"),
    each(of(bpe(["<0x61>", "<0x3E>", "b"], byte_fallback=True, continuing_subword_prefix=">")), "ba", "a"),
    # A character of several bytes that comes after the offsets have run on.
    case(of(bpe(["<0x3E>", "<0x3C>"], byte_fallback=True, end_of_word_suffix="<<")), text("> \u2167", "> \u00e9>")),
    case(
        of(
            bpe(
                ["<0x23>", "##a", "##\u00e9", "##a\u00e9"],
                ("##a ##\u00e9",),
                byte_fallback=True,
                continuing_subword_prefix="##",
            )
        ),
        text("##a\u00e9", "#\u00e9a\u00e9"),
    ),
)
BPE.requirement(
    "BPE-MERGE-OF-UNKNOWN-TOKENS: A merge whose parts or result are not in the vocabulary is refused",
    "Both sides of every merge, and what they merge to, are in the vocabulary; otherwise the file is not loaded.",
    "Ports skip such merges and tokenize on without them.",
    case(
        of(bpe(["a", "b", "longer"], ("a b",))),
        text("ab"),
        refused(*(of({**bpe(["a", "b", "ab", "longer"]), "merges": [merge]}) for merge in (["a", "c"], ["c", "b"]))),
        refused(of({**bpe(["a", "b", "ab", "longer"]), "merges": [["a", "b"], ["b", "a"]]})),
    ),
    features=("load",),
)
BPE.quirk(
    "BPE-MERGE-LONGER-THAN-THE-VOCABULARY-PANICS: A merge to a token that is not there is not loaded, however long it is",
    "A merge to a token that is not in the vocabulary is refused; if no token of the vocabulary is as long, the target panics.",
    "One would expect one error for both.",
    case(of(bpe("ab", ("a b",))), text("ab"), refused(of({**bpe("ab"), "merges": [["a", "b"]]}))),
    features=("load",),
)
BPE.edge(
    "BPE-EMPTY-VOCABULARY: A model without tokens gives none",
    "A BPE model may have no tokens and no merges: every text gives an empty encoding.",
    "Ports refuse it, though the target's own constructor makes it.",
    case(of(bpe("")), text("a"), saved()),
    case(of(bpe("a"), added_tokens=[added(1, "b")]), text("ab", ""), vocabulary()),
    case(of(bpe("", ())), text("ab"), refused(of({**bpe(""), "merges": [["a", "b"]]}))),
    features=("vocabulary",),
)
BPE.requirement(
    "BPE-WORDS-ARE-INDEPENDENT: Merges never cross from one word to the next",
    "Merges are done within one word (a piece of the pre-tokenizer); word_ids number the words from 0.",
    "Ports that join pieces, or that keep a cache with a wrong key, merge across words.",
    each(of(bpe("ab", ("a b", "ab ab"))), "a b", "ab ab abab", "abab ab abab ab", "a ba b"),
    each(tokenizer(bpe(["a", "b", " "], ("a b",))), "a ba", "ab ab", " a"),
    each(tokenizer(bpe([*"ab"], ("a b",)), pre_tokenizer=component("Digits", individual_digits=False)), "abab"),
    features=("word_ids",),
)
BPE.quirk(
    "BPE-REMEMBERS-WORDS-FROM-BEFORE-A-CHANGE: Words that were seen before an option was set, or before a training, keep their tokens",
    "Neither setting an option of a model nor training it empties its cache: words that were seen before keep their old tokens, and where the trained model has fewer ids, encoding them panics. Each thread has a cache of its own.",
    "One would expect the new option, and what was learned, to hold at once.",
    not_asked=PYTHON_ONLY,
)
BPE.quirk(
    "VOCAB-JSON-PASSES-OVER-OTHER-VALUES: vocab.json: tokens whose value is no number are left out",
    "A reader of vocab.json leaves out tokens whose value is no number.",
    "One would expect an error.",
    not_asked=FOREIGN_FILES,
)
BPE.quirk(
    "VOCAB-JSON-CUTS-IDS-TO-32-BITS: vocab.json: of an id of more than 32 bits the lowest 32 are taken",
    "Of an id of more than 32 bits in vocab.json the lowest 32 are taken.",
    "One would expect an error.",
    not_asked=FOREIGN_FILES,
)
BPE.quirk(
    "MERGES-TXT-VERSION-MAY-STAND-ANYWHERE: merges.txt: every line that begins with #version is left out",
    "Every line of merges.txt that begins with #version is left out, wherever it stands.",
    "One would expect the first line alone to be left out: a merge of such a token is lost.",
    not_asked=FOREIGN_FILES,
)
BPE.quirk(
    "MERGES-IN-JSON-LOSE-VERSION-LINES: A merge that is written as a string is left out if it begins with #version",
    "In tokenizer.json, too, a merge that is written as a string is left out if it begins with #version; one that is written as a pair is not.",
    "One would expect merges in JSON to have no comment lines.",
    case(
        of({**bpe(["#version", "b", "#versionb", "bb"]), "merges": ["#version b", "b b"]}), text("bb", "bbb"), saved()
    ),
    case(
        of({**bpe(["#version", "b", "#versionb", "bb"]), "merges": [["#version", "b"], ["b", "b"]]}),
        text("bb", "bbb"),
        saved(),
    ),
    case(of({**bpe(["b", "bb"]), "merges": ["b b", "#version: 0.2"]}), text("bb")),
)

# WordPiece -----------------------------------------------------------------------------------------------------------

WORD_PIECE = Area(
    "models.WordPiece",
    "WordPiece",
    "model",
    "The longest piece of the vocabulary from the start of a word, then the longest from there, and so on. Fields: vocab, unk_token, continuing_subword_prefix (## in BERT), max_input_chars_per_word (100 in BERT), all required.",
)

GREEDY = ("a b c ab abc ##a ##b ##c ##ab ##bc ##abc", "a ab abb ##b ##c ##bc", "abc ##c ##cc a ##bc", "ab ##abab ##a")

WORD_PIECE.requirement(
    "WORDPIECE-LONGEST-FIRST: From each place, the longest piece of the vocabulary is taken",
    "From the start of a word the longest piece that the vocabulary has is taken, then the longest from its end on, and so on; every piece but the first is looked up with continuing_subword_prefix before it.",
    "Ports take the shortest, look the first piece up with the prefix, or step back when the rest does not fit.",
    [case(of(word_piece(tokens)), text(line)) for tokens in GREEDY for line in lines(over("abc", 1, 2, 3), 13)],
    each(of(word_piece(GREEDY[0])), "abcabcab", "cccc abcc", "bcbcbc"),
    each(of(word_piece("un ##aff ##able ##ff aff")), "unaffable", "aff unaff", "unable affable"),
)
WORD_PIECE.requirement(
    "WORDPIECE-NO-WAY-BACK: A word is unknown as a whole where no piece fits, even if shorter pieces would lead on",
    "Where no piece of the vocabulary fits at some place of a word, the whole word is one unknown token, with the offsets of the whole word; pieces that were taken before are given up, and no shorter piece is tried.",
    "Ports backtrack, or give the pieces that fitted and one unknown token for the rest.",
    each(of(word_piece("ab a ##bc")), "abc", "abc ab", "a"),
    each(of(word_piece("a ab ##c")), "abx", "xab", "abc axc", "abcc abcx"),
    each(of(word_piece("a \u00e9 ##\u00e9 ##a")), "a\u00e9a\u00e8", "\u00e9a \u00e8"),
)
WORD_PIECE.requirement(
    "WORDPIECE-OFFSETS: Offsets count the characters of the text, without the prefix",
    "The offsets of a piece are the characters that it stands for; continuing_subword_prefix does not count. Tokens of pieces but the first have the prefix in their text.",
    "Ports count the prefix, or bytes.",
    [
        case(of(word_piece(["a", wide, f"##{wide}", "##a", f"##{wide}a"])), text(f"a{wide}a{wide}", f"{wide}a {wide}"))
        for wide in WIDTHS[1:]
    ],
    each(of(word_piece("e ##\u0301 ##e \u0301")), "e\u0301e", "\u0301 e\u0301"),
    features=("offsets",),
)
WORD_PIECE.requirement(
    "WORDPIECE-LENGTH-LIMIT: A word of more than max_input_chars_per_word characters is unknown",
    "A word with more characters (code points, not bytes) than max_input_chars_per_word is one unknown token; one with exactly as many is cut as ever.",
    "Ports count bytes or UTF-16 units, so that a long word in Cyrillic or Thai is unknown, or use >= for >.",
    [
        case(of(word_piece(["a", "##a"], max_input_chars_per_word=limit)), text("a" * count, "a"))
        for limit in (1, 2, 5, 100)
        for count in (limit - 1, limit, limit + 1)
        if count
    ],
    [
        case(of(word_piece([char, f"##{char}"], max_input_chars_per_word=limit)), text(char * count, char))
        for char in ("\u0436", "\u65e5", "\U0001f389")
        for limit in (5, 100)
        for count in (60 if limit == 100 else 3, limit, limit + 1)
    ],
    each(of(word_piece("a ##a", max_input_chars_per_word=0)), "a", "aa a"),
)
WORD_PIECE.requirement(
    "WORDPIECE-PREFIX: The prefix is whatever continuing_subword_prefix says",
    "continuing_subword_prefix may be any string; with an empty one every piece is looked up as it stands.",
    "Ports have ## built in.",
    [
        case(
            of(word_piece(["a", "b", f"{prefix}a", f"{prefix}b", f"{prefix}ab"], continuing_subword_prefix=prefix)),
            text(line),
        )
        for prefix in ("##", "@@", "\u2581", "#")
        for line in ("abab", "a ab aab", "ba")
    ],
    each(of(word_piece("a ab ##b b", continuing_subword_prefix="")), "abb", "aab", "ba"),
)
WORD_PIECE.edge(
    "WORDPIECE-PIECE-THAT-LOOKS-CONTINUED: A word may itself begin with the prefix",
    "A word that begins with the text of the prefix is looked up as it stands: a token that begins with the prefix can be the first piece of a word.",
    "Ports keep the two kinds of pieces in two tables, and lose such words.",
    each(of(word_piece("a ##a # ###")), "##a", "##aa", "#a ##", "a##"),
    each(of(word_piece("## ##a a ####")), "##", "##a", "####", "a##"),
)
WORD_PIECE.requirement(
    "WORDPIECE-UNKNOWN-TOKEN: The unknown token is the one that unk_token names",
    "unk_token names the token that stands for unknown words; where the vocabulary lacks it, a text with an unknown word cannot be encoded, and any other can.",
    "Ports have [UNK] built in, or give id 0.",
    each(of({**word_piece("a"), "vocab": {"a": 0, "<u>": 5}, "unk_token": "<u>"}), "a x", "xa"),
    case(of({**word_piece("a"), "vocab": {"a": 0}, "unk_token": "<none>"}), text("a"), text("a x")),
)
WORD_PIECE.requirement(
    "WORDPIECE-WORD-IDS: All pieces of a word have the word's number",
    "word_ids give each piece the number of its word, from 0, and an unknown word has one number like any other.",
    "Ports number pieces, or skip unknown words.",
    each(of(word_piece("a ##a b ##b")), "aa x bb", "x x a", "ab aab  b"),
    features=("word_ids",),
)
WORD_PIECE.quirk(
    "VOCAB-TXT-LOSES-WHITE-SPACE: vocab.txt: white space at the end of a line does not count",
    "White space at the end of a line of vocab.txt does not count: a token of spaces becomes the empty token.",
    "One would expect the line as it stands.",
    not_asked=FOREIGN_FILES,
)
WORD_PIECE.quirk(
    "VOCAB-TXT-LAST-OF-EQUAL-LINES-COUNTS: vocab.txt: a token that stands twice has the later id",
    "A token that stands twice in vocab.txt has the later id; the earlier id has no token.",
    "One would expect the first, or an error.",
    not_asked=FOREIGN_FILES,
)
WORD_PIECE.quirk(
    "VOCAB-TXT-IS-SAVED-WITHOUT-HOLES: vocab.txt: ids without a token are not written",
    "Ids without a token are not written to vocab.txt, so that what is read back has other ids.",
    "One would expect the ids to stay.",
    not_asked=FOREIGN_FILES,
)

# WordLevel -----------------------------------------------------------------------------------------------------------

WORD_LEVEL = Area(
    "models.WordLevel", "WordLevel", "model", "Every word is one token. Fields: vocab and unk_token, both required."
)
WORD_LEVEL.requirement(
    "WORDLEVEL-WHOLE-WORDS: A word is the token that the vocabulary has for it, or the unknown token",
    "A word is looked up whole; one that is not in the vocabulary becomes unk_token. Both have the offsets of the whole word.",
    "Ports cut words, or lowercase them.",
    each(
        of(word_level("a ab b A \u00e9 \U00010000")), "a ab b", "abx A", "x", "ba aab", "\u00e9\U00010000", "\u00e9 a"
    ),
    [case(of(word_level(["a", f"{wide}a", wide])), text(f"{wide}a a {wide} {wide}{wide}")) for wide in WIDTHS[1:]],
    each(tokenizer(word_level(["a b", "a"])), "a b", "a", "a b "),
)
WORD_LEVEL.requirement(
    "WORDLEVEL-UNKNOWN-TOKEN-MISSING: Without the unknown token in the vocabulary, an unknown word is an error",
    "Where the vocabulary lacks unk_token, a text with an unknown word cannot be encoded; any other text can.",
    "Ports leave the word out, or give id 0.",
    case(of(word_level("a b", None)), text("a b"), text("a x")),
    case(of({**word_level("a", None), "unk_token": "<u>"}), text("a a"), text("xa")),
)
WORD_LEVEL.requirement(
    "WORDLEVEL-IDS-ARE-FREE: Ids are those of the vocabulary, in any order and with gaps",
    "The id of a word is what the vocabulary says, and not its place.",
    "Ports take the order of the file.",
    case(
        of({"type": "WordLevel", "vocab": {"b": 4, "[UNK]": 2, "a": 100000}, "unk_token": "[UNK]"}),
        text("a b x"),
        ids([4, 100000, 2]),
        vocabulary(),
    ),
)
WORD_LEVEL.quirk(
    "WORD-LEVEL-MAKES-A-TOKEN-OF-NOTHING: WordLevel has a token for the empty word",
    "Given an empty word, WordLevel gives a token for it, the unknown one if there is no other; the other models give none. Empty pieces do not reach the model in encode.",
    "One would expect no token.",
    not_asked=PYTHON_ONLY,
)
WORD_LEVEL.quirk(
    "ONE-ID-FOR-TWO-TOKENS-IS-DRAWN: Of two tokens with one id, either is read back",
    "Of two tokens with one id, id_to_token and the written file have either.",
    "One would expect a refusal, or one of them always.",
    not_asked=DRAWN,
)
WORD_LEVEL.quirk(
    "LARGEST-ID-EMPTIES-THE-WRITTEN-VOCABULARY: A vocabulary with the id 4294967295 is written as an empty one",
    "A vocabulary with the id 4294967295 is written as an empty one: ids are counted in 32 bits.",
    "One would expect it to be written as it is.",
    case(of({"type": "WordLevel", "vocab": {"a": 2**32 - 1, "b": 1}, "unk_token": "a"}), text("b a"), saved()),
    case(of({"type": "WordLevel", "vocab": {"a": 40, "b": 1}, "unk_token": "a"}), text("b a"), saved()),
    features=("save",),
)
WORD_LEVEL.quirk(
    "MODEL-OFFSETS-ARE-BYTES: Model.tokenize gives offsets in UTF-8 bytes",
    "Asked by itself, a model gives offsets in UTF-8 bytes of the word; encode gives characters of the text.",
    "One would expect characters everywhere.",
    not_asked=PYTHON_ONLY,
)
WORD_LEVEL.requirement(
    "WORDLEVEL-PAIRS-AND-WORDS: A word of a pair or of pre-split input is looked up as any other",
    "Each sequence of a pair is tokenized by itself, and each word of pre-split input is cut by the pre-tokenizer before the model sees it.",
    "Ports give pre-split words to the model as they are.",
    case(of(word_level("a b")), pair("a x", "b a"), words(["a b", "a"], ["b", "x a"])),
    case(of(word_piece("a b ##b")), pair("abb", "b"), words(["ab b", "abb"])),
    features=("pair", "pre_split"),
)

# Trainers ------------------------------------------------------------------------------------------------------------

TRAINERS = Area(
    "trainers",
    "Trainers",
    "vocabulary",
    "What trainers learn is not part of tokenizer.json, and is compared by `tokconf train`. These are the oddities of the target's trainers that change what a tokenizer.json holds.",
)

TRAINED = "Training is compared by `tokconf train`, not by cases on a tokenizer.json."

TRAINERS.unasked(
    TRAINED,
    """
    TRAINED-LENGTH-LIMIT-IS-EXCLUSIVE: max_token_length is one more than the longest token has
    max_token_length is one more than the longest token has: with 3, tokens of two characters are learned.
    One would expect tokens of as many characters.
    TRAINED-LENGTH-LIMIT-SPARES-FIRST-PAIRS: Pairs of single characters are merged whatever max_token_length says
    Pairs of single characters are merged whatever max_token_length says.
    One would expect the limit to hold for all tokens.
    TRAINED-ALPHABET-EXCEEDS-THE-SIZE: All characters are in the vocabulary, even if they are more than vocab_size
    All characters are in the vocabulary, even if they are more than vocab_size.
    One would expect vocab_size to be the size.
    CHARACTERS-BEYOND-THE-ALPHABET-LEAVE-NO-GAP: What limit_alphabet leaves out is cut out of the words
    What limit_alphabet leaves out is cut out of the words: aa is learned from axa.
    One would expect the words to be parted there.
    INITIAL-ALPHABET-HAS-FIRST-CHARACTERS: Of a string in initial_alphabet only the first character counts
    Of a string in initial_alphabet only the first character counts.
    One would expect all of its characters, or an error.
    IDS-OF-CONTINUATIONS-ARE-DRAWN: Characters with a prefix or suffix get their ids in random order
    Characters with a prefix or suffix get their ids in random order, on which later ties depend.
    One would expect the same vocabulary each time; the reference numbers them in the order of the words.
    WORDPIECE-TRAINER-ADDS-NO-UNKNOWN-TOKEN: The unknown token of a WordPiece model is not learned
    The unknown token of the model is not learned: what is trained cannot encode an unknown word.
    One would expect a model that encodes every text.
    WORDLEVEL-TRAINER-LEAVES-HOLES: A word that is also a special token leaves an id without a token
    A word that is also a special token moves to its place among the words; the other id stays without a token.
    One would expect ids without gaps.
    TRAINING-RESETS-OPTIONS-OF-THE-MODEL: A trained model has the affixes of its trainer
    A trained model has the affixes of its trainer, none by default, and no byte_fallback, whatever it had before.
    One would expect the options of the model to stay.
    PROGRESS-FORMAT-TAKES-ANYTHING: An unknown progress_format is no error
    An unknown progress_format is no error, and reads back as indicatif.
    One would expect an error.
    """,
)

AREAS = (BPE, WORD_PIECE, WORD_LEVEL, TRAINERS)
