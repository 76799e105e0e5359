"""Recipes of pre-tokenizers, but for Split, which is in ``split_patterns``."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

from requirements.recipe import (
    Area,
    added,
    bpe,
    case,
    component,
    encode,
    ids,
    pair,
    pre_tokenize,
    refused,
    row,
    saved,
    text,
    tokenizer,
    word_level,
    words,
)
from requirements.shown_pieces import cut, showing, twice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from requirements.recipe import CaseRecipe, Document
    from requirements.shown_pieces import Texts

# Characters that several requirements are about ----------------------------------------------------------------------

WHITE_SPACE: Final = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
BESIDE_WHITE_SPACE: Final = (
    "\x00\x08\x0e\x1b\x1c\x1d\x1e\x1f\x21\x7f\x84\x86\x9f\xa1\xad\u034f\u115f\u167f\u1681\u180e\u1fff\u200b\u200c\u200d"
    "\u2027\u202a\u202e\u2030\u205e\u2060\u2800\u2fff\u3001\u3164\ufeff\uffa0"
)
"""What stands directly beside white space, and what looks like it or is taken for it in some languages."""

ASCII_PUNCTUATION: Final = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
BESIDE_ASCII_PUNCTUATION: Final = "\x1f\x7f09AZaz"
WIDTHS: Final = "\x7f\x80\u07ff\u0800\uffff\U00010000"
"""Both sides of each limit at which a character takes one more byte in UTF-8, or two units in UTF-16."""

BEHAVIORS: Final = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")


def codes(characters: str) -> str:
    """Return how ``characters`` are called in the name of a case.

    >>> codes("aé")
    'U+0061 U+00E9'
    """
    return " ".join(f"U+{ord(character):04X}" for character in characters)


def between(
    pre_tokenizer: Document, characters: Iterable[str], left: str = "a", right: str = "b", *, note: str = ""
) -> list[CaseRecipe]:
    """Return a case for each of ``characters``: alone and doubled between two letters, and at the end of the text.

    ``note`` is added to the names of the cases.
    """
    listed = "".join(characters)
    shown = showing("".join(sorted({*listed, left, right})), pre_tokenizer=pre_tokenizer)
    return [
        case(shown, text(f"{left}{each}{right}", f"{left}{each * 2}{right}{each}"), name=codes(each) + note)
        for each in dict.fromkeys(listed)
    ]


def _refusals(good: Document, shown: str, bad: Sequence[Document]) -> list[CaseRecipe]:
    """Return a case for each of ``bad`` pre-tokenizers that is refused, each beside a ``shown`` text of a good one."""
    tokenizer = showing("".join(sorted(set(shown))), pre_tokenizer=good)
    return [case(tokenizer, text(shown), refused({**tokenizer, "pre_tokenizer": each})) for each in bad]


def _written(pre_tokenizer: Document, shown: str, also: str = "") -> CaseRecipe:
    """Return the case of a text and of the file that is written."""
    return case(showing("".join(sorted({*shown, *also})), pre_tokenizer=pre_tokenizer), text(shown), saved())


# Pieces --------------------------------------------------------------------------------------------------------------

PIECES = Area(
    "pre_tokenization",
    "Pieces of the text",
    "pre_tokenize",
    "The pre-tokenizer cuts the normalized text into pieces. The model gives tokens for one piece at a time, so no token goes across the end of a piece. Each piece is a word: word_ids number the pieces from 0. Offsets of pieces and tokens count code points of the original text, end exclusive. Field pre_tokenizer: a component, or null.",
)

_SPACES = component("WhitespaceSplit")
_DIGITS = component("Digits", individual_digits=True)
_PUNCTUATION = component("Punctuation", behavior="Isolated")

PIECES.requirement(
    "PIECES-WITHOUT-PRE-TOKENIZER: Without a pre-tokenizer the whole text is one piece",
    "Where pre_tokenizer is null, the whole text (or what stands between two added tokens) is one piece, white space and punctuation included.",
    "Ports split at white space by default, because most tokenizers do.",
    cut(None, "a b", " a", "a ", "a, b\n\nc", "1 2", "a\tb", "a\u3000b"),
    cut(None, "a <s> b", added_tokens=[added(99, "<s>", special=True)]),
)
PIECES.requirement(
    "PIECES-ARE-WORDS: Pieces are the words that word_ids number",
    "word_ids has, for each token, the number of its piece: the first piece of the text is 0, and all tokens of a piece have the same number.",
    "Ports number the words between blanks, or the tokens, in place of the pieces that the pre-tokenizer made.",
    cut(_SPACES, "ab c", "  ab   c  ", "a\n\nb"),
    cut(_PUNCTUATION, "ab,c", "...", ",ab"),
    cut([_SPACES, _PUNCTUATION, _DIGITS], "ab,c 12", "1,2 a"),
    features=("word_ids",),
)
PIECES.requirement(
    "PIECES-EMPTY-ONES-ARE-DROPPED: Empty pieces do not exist",
    "A piece without characters gives no token and no word number; an empty text, or one that is removed whole, has no pieces.",
    "Splitting functions of most languages give empty strings at the ends and between neighbouring delimiters.",
    cut(_SPACES, ("", "a"), (" ", "a"), (" \n\t ", "a"), " a", "a ", " a  b "),
    cut(component("CharDelimiterSplit", delimiter="-"), ("-", "a"), "-a", "a-", "a--b", "--a-b--"),
    cut(_PUNCTUATION, ("", ",a"), ",", ",,", "a,"),
    cut(_DIGITS, ("", "1a"), "1", "11", "a1"),
)
PIECES.requirement(
    "PIECES-OFFSETS-COUNT-CODE-POINTS: Offsets count code points, whatever a character takes in memory",
    "The offsets of a piece are the numbers of its first code point and of the one after its last in the original text, for characters of one, two, three and four bytes alike.",
    "Ports give UTF-8 bytes or UTF-16 units: they are the same up to U+007F and up to U+FFFF.",
    [cut(_SPACES, f"{one} b {one}{one} c") for one in (*WIDTHS, "é", "中", "😀", "e\u0301", "👩\u200d👧", "🇩🇪")],
    cut(_SPACES, "a é 中 😀 z", f"{' '.join(WIDTHS)} z"),
    [cut(each, "é1中2😀3,é.中!😀?a") for each in (_DIGITS, _PUNCTUATION, component("BertPreTokenizer"))],
    features=("offsets",),
)
PIECES.requirement(
    "PIECES-OFFSETS-ARE-OF-THE-ORIGINAL: Offsets are those of the text before normalization",
    "The pre-tokenizer cuts the normalized text, and the tokens have the offsets of what they come from in the text that was given.",
    "Ports cut the normalized text and give offsets in it, which are wrong once the normalizer deletes, inserts or replaces anything.",
    cut(_SPACES, "  ab  c", "\ta b\n", normalizer=component("Strip", strip_left=True, strip_right=True)),
    cut(_SPACES, "é b", "a ñ é", also="en\u0301\u0303", normalizer=component("NFD")),
    cut(_SPACES, "e\u0301 b", "a e\u0301e\u0301 b", also="é", normalizer=component("NFC")),
    cut(_DIGITS, "ﬁ1ﬂ", "½1", "①a", also="fil2\u20441", normalizer=component("NFKC")),
    cut(_SPACES, "a b", ("", "a"), normalizer=component("Prepend", prepend="x "), also="x"),
    cut(
        _SPACES, "axxb c", ("xx", "axx"), "xxa b", normalizer=component("Replace", pattern={"String": "xx"}, content="")
    ),
    cut(_SPACES, "axb c", "xa xb", normalizer=component("Replace", pattern={"String": "x"}, content=" - "), also="-"),
    cut(_PUNCTUATION, "É,È", "İ,a", also="éèi\u0307", normalizer=component("Lowercase")),
    [
        cut(each, "a b", "é,1", also="x", normalizer=component("Replace", pattern={"Regex": "^"}, content="x x"))
        for each in (_SPACES, _DIGITS, _PUNCTUATION, component("Whitespace"))
    ],
    features=("offsets",),
)
PIECES.requirement(
    "PIECES-ARE-CUT-BY-CODE-POINTS: A cut can go through what readers see as one character",
    "Pre-tokenizers look at one code point at a time: a combining mark, a variation selector, a joiner or the line feed after a carriage return is a character of its own.",
    "Characters of Swift are grapheme clusters: there a comma with a mark is not equal to a comma, CR LF is one character, and a keycap is no digit.",
    cut(_PUNCTUATION, "a,\u0301b", "!\ufe0f", "a.\u200db", "-\u20e3"),
    cut(_DIGITS, "a1\u0301b", "1\ufe0f\u20e32", "\u06611\u064b"),
    cut(_SPACES, "a \u0301b", "a\r\nb", "a\n\rb", "\u0301 a", "a\u200d b"),
    cut(component("CharDelimiterSplit", delimiter="-"), "a-\u0301b", "a\u0301-b", "-\ufe0f"),
    cut(component("CharDelimiterSplit", delimiter="\n"), "a\r\nb", "a\n\u0301b"),
    cut(component("CharDelimiterSplit", delimiter="e"), "ae\u0301b", "aéb", "e\u0301"),
    cut(component("CharDelimiterSplit", delimiter="\U0001f1e9"), "a🇩🇪b", "🇫🇩🇪"),
    cut(component("BertPreTokenizer"), "a,\u0301b", "a \u0301b", "a\r\nb", "👨\u200d👩,\u200d👧"),
)

_ADDED = [added(900, "<s>", special=True), added(901, "x y"), added(902, "1,")]

PIECES.requirement(
    "PIECES-STAND-BETWEEN-ADDED-TOKENS: Added tokens are not cut, and what is between them is cut on its own",
    "Added tokens are found before pre-tokenization: each is one piece, whatever the pre-tokenizer would do with its text, and the text between two of them is cut as if it stood alone.",
    "Ports cut the whole text first and look for added tokens among the pieces, so those with spaces or punctuation are never found.",
    cut(_SPACES, "a x y b", "ax yb", "<s>a<s> b", "x yx y", added_tokens=_ADDED),
    cut(_PUNCTUATION, "a1,b", "<s>,<s>", "<s", "<s>>", ",x y,", added_tokens=_ADDED),
    cut(_DIGITS, "11,1", "1,1", "2x y1", added_tokens=_ADDED),
)
PIECES.requirement(
    "PIECES-OF-GIVEN-WORDS: Words that are given are cut like texts, and keep their numbers",
    "Where the input is a list of words, each word is pre-tokenized on its own; its tokens have the number of the word in the list as word_ids, however many pieces it has, and offsets that count from the start of the word.",
    "Ports skip the pre-tokenizer for words, or join them with spaces and count the pieces of the joined text.",
    [
        case(showing("ab,c1", pre_tokenizer=each), words(given))
        for each, given in (
            (_SPACES, ["a b", "c"]),
            (_SPACES, [" a", "b c "]),
            (_PUNCTUATION, ["a,b", ",", "c"]),
            (_DIGITS, ["1a1", "b", "11"]),
            (_SPACES, ["", "a", " ", "b"]),
            (None, ["a b", "c"]),
        )
    ],
    features=("pre_split",),
)
PIECES.requirement(
    "PIECES-OF-PAIRS: Both texts of a pair are cut, each on its own",
    "The second text of a pair is pre-tokenized like the first; its word_ids and offsets start at 0 again.",
    "Ports join the two texts, so that pieces go across, or numbers and offsets go on from the first text.",
    [
        case(showing("ab,c1 ", pre_tokenizer=each), pair(first, second))
        for each, (first, second) in product((_SPACES, _PUNCTUATION), (("a b", "c a"), ("a", ",b"), ("a,", " c")))
    ],
    features=("pair",),
)
PIECES.requirement(
    "PIECES-SEE-THE-NORMALIZED-TEXT: The pre-tokenizer sees what the normalizer gives",
    "Normalization comes first: characters that it makes are cut at, characters that it removes are not.",
    "Ports pre-tokenize the original text and normalize the pieces.",
    cut(_SPACES, "axb", "xx a", normalizer=component("Replace", pattern={"String": "x"}, content=" ")),
    cut(_PUNCTUATION, "a!b", "a！b", "…", also=".!", normalizer=component("NFKC")),
    cut(_DIGITS, "a1b", "²", normalizer=component("Replace", pattern={"String": "1"}, content="")),
    cut(component("CharDelimiterSplit", delimiter="x"), "aXb", "axb", also="xX", normalizer=component("Lowercase")),
    cut(component("CharDelimiterSplit", delimiter="X"), "aXb", "axb", also="xX", normalizer=component("Lowercase")),
)

# BertPreTokenizer ----------------------------------------------------------------------------------------------------

BERT = Area(
    "pre_tokenizers.BertPreTokenizer",
    "BertPreTokenizer",
    "pre_tokenize",
    "Cuts at white space, which is removed, and makes every punctuation character a piece of its own. It has no fields.",
)
_BERT = component("BertPreTokenizer")

BERT.requirement(
    "BERTPRE-WORDS-AND-PUNCTUATION: Words are cut at white space and around each punctuation character",
    "The text is cut at white space, which is removed, and every punctuation character is a piece of its own, also in a run of them; all else stays together.",
    "Ports keep runs of punctuation together, or glue apostrophes and hyphens to the words.",
    cut(_BERT, *row("Hi, you!•don't•a...b•--•a - b•x_y•3.14•$5•(a)•e-mail@x.org•C++•a,,  b•,• , •«a»")),
    cut(_BERT, ("", "a b"), ("  ", "a b")),
)
BERT.requirement(
    "BERTPRE-WHITE-SPACE: White space is White_Space of Unicode, and is removed",
    "The 25 characters with the property White_Space are cut at and removed: U+0009 to U+000D, U+0020, U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000.",
    "Ports use the space of ASCII, or \\s of a language that leaves out U+0085 or U+00A0.",
    between(_BERT, WHITE_SPACE),
)
BERT.edge(
    "BERTPRE-NO-WHITE-SPACE: Controls, zero-width characters and fillers are no white space",
    "A character without White_Space is not removed: U+001C to U+001F, U+180E, U+200B, U+2060 and U+FEFF among them are parts of words.",
    "Python's str.isspace takes U+001C to U+001F, JavaScript's \\s takes U+FEFF, older Unicode took U+180E.",
    between(_BERT, BESIDE_WHITE_SPACE),
)
BERT.requirement(
    "BERTPRE-ASCII-PUNCTUATION: Punctuation in ASCII is all that is printed and is no letter, digit or space",
    "The 32 characters U+0021 to U+002F, U+003A to U+0040, U+005B to U+0060 and U+007B to U+007E are punctuation.",
    "$+<=>^`|~ are symbols to Unicode (category S), and \\p{P} or ispunct of a language leaves them out.",
    between(_BERT, ASCII_PUNCTUATION),
    between(_BERT, BESIDE_ASCII_PUNCTUATION, "b", "c"),
    links=("https://github.com/dotnet/machinelearning/issues/7725",),
)

_PUNCTUATION_BEYOND_ASCII: Final = (
    "\xa1\xa7\xab\xb6\xb7\xbb\xbf\u037e\u0387\u055a\u0589\u05be\u060c\u061b\u066a\u06d4\u0964\u0970\u0e4f\u10fb\u1360"
    "\u2010\u2014\u2018\u2019\u201c\u2026\u2027\u2030\u203f\u205e\u207d\u2329\u2cff\u3001\u3002\u300c\u3030\u30fb"
    "\ufe10\ufe63\uff01\uff0f\uff1a\uff3f\uff5b\uff65\U00010100\U00010a50\U0001123d\U0001da8b"
)
_SYMBOLS_BEYOND_ASCII: Final = (
    "\xa2\xa3\xa6\xa8\xa9\xac\xae\xb0\xb1\xb4\xb8\xd7\xf7\u02c6\u20ac\u2122\u2190\u2200\u2500\u2044\u2052\u3000\u309b"
    "\uff04\uff0b\uff1c\uff5e\uffe5\U0001f600\U0001d6c1"
)
BERT.requirement(
    "BERTPRE-PUNCTUATION-BEYOND-ASCII: Beyond ASCII, punctuation is category P and not category S",
    "Beyond U+007F a character is punctuation if its category is P (Pc, Pd, Ps, Pe, Pi, Pf, Po); currency signs, mathematical signs, arrows and emoji stay in the words.",
    "Ports know ASCII only, take a block such as General Punctuation whole, or take symbols along.",
    between(_BERT, _PUNCTUATION_BEYOND_ASCII),
    between(_BERT, _SYMBOLS_BEYOND_ASCII),
)
BERT.requirement(
    "BERTPRE-CHINESE-IS-NOT-CUT: Chinese characters are not set apart here",
    "Letters of every script stay together: it is BertNormalizer that puts spaces around Chinese characters.",
    "Ports have the whole of BERT's basic tokenizer in one place and cut Chinese characters here too.",
    cut(_BERT, "中文。汉字", "東京, 京都", "ひらがなカナ", "a中b", "한국어 말", "१२ कि", "abc\U00020000d, \U00020000"),
)
BERT.requirement(
    "BERTPRE-OFFSETS: Pieces have the offsets of their characters, without the white space",
    "A piece begins at its first character and ends after its last; removed white space belongs to no piece.",
    "Ports find the words again by searching for them, and find the wrong place where a word comes twice.",
    cut(_BERT, "a, a ,a", "aa a aa", "  é,é\n\n中.", ",,a,,", "😀,😀 😀"),
    features=("offsets",),
)

# Whitespace ----------------------------------------------------------------------------------------------------------

WHITESPACE = Area(
    "pre_tokenizers.Whitespace",
    "Whitespace",
    "pre_tokenize",
    "Keeps what the regular expression \\w+|[^\\w\\s]+ matches: words, and runs of symbols; white space between them is removed. It has no fields. \\w is that of Rust's regex crate (Unicode 16.0).",
)
_WORDS = component("Whitespace")

WHITESPACE.requirement(
    "WHITESPACE-WORDS-AND-SYMBOLS: A piece is a run of word characters, or a run of other characters",
    "Each run of word characters and each run of characters that are neither word characters nor white space is a piece; white space is removed.",
    "The name suggests that only white space is cut at; and other ports cut symbols one by one, as BERT does.",
    cut(_WORDS, *row("Hello there!•It's 3.14•a...b•--•a_b•__•?!a•a - b•C++ c#•x=y+1;•a,  b•!!! ???•1a2b•$5.00")),
    cut(_WORDS, ("", "a!"), (" ", "a!")),
)
WHITESPACE.requirement(
    "WHITESPACE-WHITE-SPACE: All of White_Space is removed",
    "White space is the 25 characters with White_Space (U+0009 to U+000D, U+0020, U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000), between words and inside of symbols.",
    "\\s of some languages is ASCII only, or has U+001C to U+001F.",
    between(_WORDS, WHITE_SPACE),
    cut(_WORDS, "! !", "!\u3000!", "!\xa0!", "!\x85!", "!\u2028!"),
    between(_WORDS, BESIDE_WHITE_SPACE),
)
WHITESPACE.requirement(
    "WHITESPACE-WORD-CHARACTERS: Word characters are letters, marks, decimal digits and connectors of all scripts",
    "A word character has the property Alphabetic or Join_Control, or the category M, Nd or Pc.",
    "\\w of a language may be ASCII only, or leave out marks, so that words of Hindi or of decomposed text fall apart.",
    between(_WORDS, "é\u0130\u0345\xaa\xba\u02b0\u02c1\u0370\u0627\u0e01\u3042\u4e00\uac00\U00010400\U00020000"),
    between(_WORDS, "\u0300\u0301\u0903\u093e\u094d\u0488\u20dd\ufe0f\u3099\U0001d165\U000e0100"),
    between(_WORDS, "\u0660\u0966\uff10\U0001d7ce\u2160\u2188\u24b6\u24e9\u3007\U0001f130\U0001f189"),
    between(_WORDS, "_\u203f\u2040\u2054\ufe33\ufe4d\uff3f"),
    cut(_WORDS, "नमस्ते, दुनिया", "e\u0301te\u0301!", "ไทย ที่นี่", "ﬁn.", "中文。字", "עִבְרִית", "e\u0301", "!\u0301"),
)
WHITESPACE.requirement(
    "WHITESPACE-SYMBOLS: What is neither a word character nor white space is a symbol",
    "Punctuation, symbols, emoji, controls and unassigned characters are symbols, and neighbours of them are one piece whatever their kind.",
    "Ports cut emoji one by one, or drop what is neither letter nor punctuation.",
    between(
        _WORDS, "\x00\x1f\x7f\xa9\xac\xb7\u02c2\u02ff\u2013\u20ac\u2190\u3000\u3001\ufffd\U0001f600\U000f0000\u0378"
    ),
    cut(_WORDS, "😀👍", "a😀b", "👍🏽!", "😀 😀", "€£", "a→b", "!\x00?", "\u0378!"),
    cut(_WORDS, "👨\u200d👩\u200d👧", "❤\ufe0f!", "1\ufe0f\u20e3"),
)
WHITESPACE.requirement(
    "WHITESPACE-OFFSETS: Pieces have the offsets of their characters",
    "A piece has the offsets of its own characters; removed white space belongs to none.",
    "Ports count UTF-16 units, as the regular expressions of JavaScript and Java do.",
    cut(_WORDS, "é! é!", " 中 文 ", "😀a 😀a", "a\u0301 b", "\U00010400 a\U00010400!"),
    features=("offsets",),
)

_W_SPLIT = component("Split", pattern={"Regex": r"\w+|[^\w\s]+"}, behavior="Removed", invert=True)

WHITESPACE.quirk(
    "WHITESPACE-TAKES-SUPERSCRIPTS-FOR-SYMBOLS: Superscript digits and fractions are symbols to Whitespace, and word characters to Split",
    "Whitespace takes numbers that are no decimal digits and not alphabetic (category No: ², ½, ①) for symbols; \\w of a Split with the same pattern matches ², ³, ¹, ¼, ½ and ¾.",
    "One would expect one \\w: Whitespace uses Rust's regex crate, Split uses Oniguruma (both Unicode 16.0).",
    between(_WORDS, "\xb2\xb3\xb9\xbc\xbd\xbe\u2070\u2460\u2776\u3220\U0001f100\u0b72"),
    between(_W_SPLIT, "\xb2\xb3\xb9\xbc\xbd\xbe\u2070\u2460\xb1\xb4\xb8\xbf", note=" with Split"),
    cut(_WORDS, "x²y", "3½!"),
)
WHITESPACE.quirk(
    "WHITESPACE-TAKES-JOINERS-FOR-LETTERS: The zero-width joiner and non-joiner are word characters to Whitespace, and not to Split",
    "Whitespace keeps U+200C and U+200D in words, and cuts joined emoji at them; \\w of a Split does not match them.",
    "One would expect one \\w: Rust's regex crate follows UTS #18, which adds Join_Control, and Oniguruma does not.",
    between(_WORDS, "\u200b\u200c\u200d\u200e\u2060"),
    between(_W_SPLIT, "\u200b\u200c\u200d\u200e", note=" with Split"),
    cut(_WORDS, "👨\u200d👩", "می\u200cخواهم", "\u200d"),
)
WHITESPACE.edge(
    "WHITESPACE-UNICODE-16: Word characters are those of Unicode 16.0",
    "Letters and digits that came with Unicode 16.0 are word characters; what was not assigned then is a symbol.",
    "The runtime of the language has an older or a newer Unicode.",
    between(_WORDS, "\ua7cb\ua7cd\ua7ce\ua7da\ua7dc\u1c89\u1c8a\U00010d40\U00011bf0\U00011de0\u0870\u0897\U000323b0"),
)

# WhitespaceSplit -----------------------------------------------------------------------------------------------------

WHITESPACE_SPLIT = Area(
    "pre_tokenizers.WhitespaceSplit",
    "WhitespaceSplit",
    "pre_tokenize",
    "Cuts at white space, which is removed, and nowhere else. It has no fields.",
)
WHITESPACE_SPLIT.requirement(
    "WSSPLIT-CUTS-AT-WHITE-SPACE-ONLY: Pieces are what stands between white space",
    "The text is cut at each run of white space, which is removed; punctuation, digits and symbols stay in their words.",
    "Ports treat it like Whitespace, which cuts symbols off.",
    cut(_SPACES, "Hello, there!", "a  b", " a b ", "a\t\n b", "It's 3.14", "a-b_c", "...", "a\r\n\r\nb", "中 文。 字"),
    cut(_SPACES, ("", "a b"), ("\n", "a b")),
)
WHITESPACE_SPLIT.requirement(
    "WSSPLIT-WHITE-SPACE: White space is White_Space of Unicode",
    "The 25 characters with White_Space are cut at: U+0009 to U+000D, U+0020, U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000.",
    "Ports split at the space of ASCII; U+0085 is no space to many functions.",
    between(_SPACES, WHITE_SPACE),
)
WHITESPACE_SPLIT.edge(
    "WSSPLIT-NO-WHITE-SPACE: Characters beside White_Space stay in the words",
    "A character without White_Space is a part of a word: U+001C to U+001F, U+180E, U+200B, U+2060, U+FEFF and fillers among them.",
    "str.split of Python cuts at U+001C to U+001F, String.prototype.split(/\\s/) of JavaScript at U+FEFF.",
    between(_SPACES, BESIDE_WHITE_SPACE),
)

# Digits --------------------------------------------------------------------------------------------------------------

DIGITS = Area(
    "pre_tokenizers.Digits",
    "Digits",
    "pre_tokenize",
    "Sets numbers apart from other text. Field individual_digits (required): true makes each number character a piece, false each run of them.",
)
_RUNS = component("Digits", individual_digits=False)

_DIGIT_TEXTS: Final = row("a12b•1234567•12•1•a1b22c333•1 2•3.14•1,000,000•-5•1e10•a•2nd•v2.0 b•0x1F")
DIGITS.requirement(
    "DIGITS-TOGETHER: With individual_digits false, a run of digits is one piece",
    "Where individual_digits is false, each run of number characters is one piece, and what stands between two runs another; nothing is removed.",
    "Ports take signs, separators and decimal points into the number, or remove spaces beside it.",
    cut(_RUNS, *_DIGIT_TEXTS, "１２3", "1٢३", "12½", ("", "a1")),
)
DIGITS.requirement(
    "DIGITS-APART: With individual_digits true, every digit is a piece",
    "Where individual_digits is true, every number character is a piece of its own; the text between stays together.",
    "Ports ignore the option, or cut the text between digits into characters too.",
    cut(_DIGITS, *_DIGIT_TEXTS, "１２3", "1٢३", "12½", ("", "a1")),
)

_NUMBERS: Final = (
    "\xb2\xb3\xb9\xbc\xbe\u0660\u0669\u06f0\u0966\u09f4\u0e50\u0f2a\u1369\u16ee\u2070\u2074\u2080\u2153"
    "\u2160\u2188\u2189\u2460\u24ff\u2776\u2cfd\u3007\u3021\u3192\u3220\u3280\ua6e6\uff10\uff19\U00010107\U00010140"
    "\U0001d7ce\U0001d7ff\U0001f100\U0001f10c\U0001fbf0"
)
_NO_NUMBERS: Final = (
    "/:\xb1\xb4\u065f\u066a\u0e4f\u2071\u207a\u215f\u2190\u218a\u2459\u249c\u3005\u3008\uff0f"
    "\uff1a\U0001d7cd\U0001f110\u4e00\u4e8c\u5341\u96f6\u842c\U00020001"
)
DIGITS.quirk(
    "DIGITS-ARE-ALL-NUMBERS: Digits are all characters of category N, and no Han numerals",
    "A number character is one of category Nd, Nl or No of Unicode 17.0: superscripts, fractions, Roman numerals and circled numbers too. Han characters that mean numbers (一, 二, 十) are letters.",
    "One would expect \\d, or ASCII, or what Python calls numeric: the target asks char::is_numeric of Rust's standard library (Unicode 17.0).",
    between(_RUNS, _NUMBERS),
    between(_RUNS, _NO_NUMBERS),
    between(_DIGITS, "\xb2\xbd\u2160\u3007\u0660\u4e8c\u5341", note=" apart"),
    cut(_DIGITS, "a½bⅧc二d\U00011de0e"),
    between(_RUNS, "\U00011de0\U00011de9\U00011dea\U00010d40\U00011bf0\U00011da0"),
)
DIGITS.requirement(
    "DIGITS-OFFSETS: Pieces have the offsets of their characters",
    "Pieces tile the text: each begins where the one before it ends.",
    "Ports count units, and numbers beyond U+FFFF take two of UTF-16.",
    [cut(each, "é1é22é", "\U0001d7ce1a", "中1😀2", "１a２", "a\u03011") for each in (_RUNS, _DIGITS)],
    features=("offsets",),
)
DIGITS.edge(
    "DIGITS-FIELD: individual_digits is required, and true or false",
    "A file in which individual_digits is missing, null or no boolean is refused; it is written as it was read.",
    "The Python class has the default false, and ports take it for the file too.",
    _refusals(
        _DIGITS,
        "a12",
        [component("Digits"), *(component("Digits", individual_digits=value) for value in (None, 1, "true"))],
    ),
    features=("load",),
)
DIGITS.edge(
    "DIGITS-WRITTEN: The option is written to the file",
    "The component is written with type and individual_digits.",
    "Ports leave out what has its default.",
    _written(_DIGITS, "a12"),
    _written(_RUNS, "a12"),
    features=("save",),
)

# Punctuation ---------------------------------------------------------------------------------------------------------

PUNCTUATION = Area(
    "pre_tokenizers.Punctuation",
    "Punctuation",
    "pre_tokenize",
    "Cuts at punctuation characters. Field behavior (Isolated where it is missing): what becomes of each of them, one of Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous. White space is left alone.",
)

_PUNCTUATED: Final = (
    *row("a,b•a, b!•a...b•,a•a,"),
    (",,", "a"),
    (",", "b,"),
    *row("..a!!b?•a•a-b--c•a.b,c•'a' (b)•a , b"),
)

for _behavior, _title, _rule, _why in (
    (
        "Isolated",
        "With Isolated every punctuation character is a piece",
        "Where behavior is Isolated, every punctuation character is a piece of its own, also in a run.",
        "Ports keep runs together.",
    ),
    (
        "Removed",
        "With Removed punctuation is taken out",
        "Where behavior is Removed, punctuation characters belong to no piece; the text is still cut at them.",
        "Ports delete the characters and join the text on their two sides.",
    ),
    (
        "Contiguous",
        "With Contiguous a run of punctuation is a piece",
        "Where behavior is Contiguous, neighbouring punctuation characters are one piece, different ones too.",
        "Ports join only equal characters, as \\1 in a regular expression does.",
    ),
    (
        "MergedWithPrevious",
        "With MergedWithPrevious a character goes to the piece before it",
        (
            "Where behavior is MergedWithPrevious, a punctuation character is the end of the piece before it; where it "
            "has none before it, or another punctuation character, it is a piece of its own."
        ),
        "Ports glue a whole run to the piece before it.",
    ),
    (
        "MergedWithNext",
        "With MergedWithNext a character goes to the piece after it",
        (
            "Where behavior is MergedWithNext, a punctuation character is the start of the piece after it; where it "
            "has none after it, or another punctuation character, it is a piece of its own."
        ),
        "Ports glue a whole run to the piece after it, or the first of a run in place of the last.",
    ),
):
    PUNCTUATION.requirement(
        f"PUNCTUATION-{_behavior.upper()}: {_title}",
        _rule,
        _why,
        cut(component("Punctuation", behavior=_behavior), *_PUNCTUATED, "é。中！😀…", ("", ",a")),
    )

PUNCTUATION.requirement(
    "PUNCTUATION-DEFAULT: Without behavior it is Isolated",
    "Where behavior is missing, it is Isolated, and it is written so.",
    "Files of older releases do not have the field, and ports refuse them or remove the characters.",
    cut(component("Punctuation"), "a,b", "a,,b", ",,", "a, b"),
    _written(component("Punctuation"), "a,b"),
    [_written(component("Punctuation", behavior=each), "a,,b,") for each in BEHAVIORS],
)
PUNCTUATION.edge(
    "PUNCTUATION-BEHAVIOR-NAMES: Behaviors have one spelling in files",
    "behavior is one of Removed, Isolated, MergedWithPrevious, MergedWithNext and Contiguous, spelled so; any other value, null included, is refused.",
    "The Python class takes lower case with underscores (merged_with_next), files do not.",
    _refusals(
        _PUNCTUATION,
        "a,b",
        [
            component("Punctuation", behavior=each)
            for each in ("isolated", "removed", "merged_with_next", "mergedWithNext", "", None, 1)
        ],
    ),
    features=("load",),
)
PUNCTUATION.quirk(
    "SYMBOLS-OF-ASCII-ARE-PUNCTUATION: The symbols of ASCII are punctuation, symbols beyond ASCII are not",
    "$ + < = > ^ ` | and ~ are punctuation like all other characters of ASCII that are printed and no letter, digit or space; symbols beyond ASCII, € and × among them, are not.",
    "One would expect category P of Unicode, or category S with it everywhere: BERT's original tokenizer has this mixture.",
    between(_PUNCTUATION, "$+<=>^`|~"),
    between(_PUNCTUATION, "€×÷¬±©°¨´¸˜￥＄＋～＜｜←∀😀"),
    cut(_BERT, "a$b+c€d×e"),
    cut(_PUNCTUATION, twice(ASCII_PUNCTUATION), twice("".join(map(chr, range(0x80))))),
    links=("https://github.com/dotnet/machinelearning/issues/7725",),
)
PUNCTUATION.requirement(
    "PUNCTUATION-CHARACTERS: Punctuation beyond ASCII is category P",
    "Beyond ASCII a character of category P is punctuation, in all planes; letters, marks, numbers, symbols, white space and controls are not.",
    "Ports know a list of common characters, or use a class of their language that has symbols too.",
    between(_PUNCTUATION, _PUNCTUATION_BEYOND_ASCII),
    between(_PUNCTUATION, "\t \xa0\u3000\x7f\x80\xad\u0301é中²\u02d0\u200b\U00010102\U00010103\U00010400"),
)

_NEWER_AND_CHANGED: Final = (
    "\u2e42\u2e43\u2e4f\u2e52\u2e5d\u166d\u166e\u061d\u061e\u09fd\u0a76\u0c77\u0c84\u1b4e\u1b7d\u1c7f"
)
PUNCTUATION.quirk(
    "PUNCTUATION-OF-UNICODE-8: Punctuation is that of Unicode 8.0",
    "Category P is taken from Unicode 8.0: punctuation that was assigned later is none, and U+166D and U+111C9, which became symbols and marks, are punctuation still. The same holds for BertPreTokenizer.",
    "One would expect the newest Unicode, as in Digits: the crate unicode_categories, which the target asks, ended with 8.0.",
    [between(each, _NEWER_AND_CHANGED, note=f" with {each['type']}") for each in (_PUNCTUATION, _BERT)],
)
PUNCTUATION.edge(
    "PUNCTUATION-OF-UNICODE-8-BEYOND-THE-BASIC-PLANE: Beyond U+FFFF too, punctuation is that of Unicode 8.0",
    "U+111C9, a mark since Unicode 11.0, is punctuation; U+10EAD, U+11660 and U+1E95E, assigned after 8.0, are none.",
    "Ports that take the newest tables differ in rare scripts first.",
    between(_PUNCTUATION, "\U000111c8\U000111c9\U000111ca\U000111cd\U00010ead\U00011660\U0001e95e\U0001e95f\U00016e97"),
)
PUNCTUATION.requirement(
    "PUNCTUATION-KEEPS-WHITE-SPACE: White space is not cut at, and stays in the pieces",
    "White space is a character like a letter here: it stays at the start or end of a piece, and a run between two punctuation characters is a piece.",
    "Ports trim pieces, or cut at white space as BertPreTokenizer does.",
    cut(_PUNCTUATION, "a b", " , ", "a, b", ",\n\n,", "  a  ,", "a\u3000b。 c"),
)
PUNCTUATION.quirk(
    "BEHAVIOR-READS-OTHER-THAN-IT-IS-SET: The attribute behavior of the Python class reads without underscores",
    "In Python, behavior is set as merged_with_next and reads as mergedwithnext, which cannot be set.",
    "One would expect to read what was set: the getter writes the name of Rust's variant in lower case.",
    not_asked="Only the Python API shows it: files have the names of the variants.",
)

# CharDelimiterSplit --------------------------------------------------------------------------------------------------

DELIMITER = Area(
    "pre_tokenizers.CharDelimiterSplit",
    "CharDelimiterSplit",
    "pre_tokenize",
    "Cuts at one character, which is removed. Field delimiter (required): a string of one code point.",
)


def _delimiter(character: str) -> Document:
    return component("CharDelimiterSplit", delimiter=character)


DELIMITER.requirement(
    "CHARDELIM-CUTS-AND-REMOVES: The text is cut at the delimiter, which is removed",
    "Each occurrence of the delimiter is removed, and what stands between two is a piece; nothing else is cut at or removed.",
    "Ports keep empty pieces between neighbouring delimiters, or trim white space.",
    cut(_delimiter("-"), "a-b", "a--b", "-a", "a-", "the-final--countdown", "a b-c", "a", ("-", "a-"), ("", "a-b")),
    cut(_delimiter(" "), "a b", "a  b", " a\tb ", "a\xa0b c"),
)
DELIMITER.requirement(
    "CHARDELIM-ANY-CHARACTER: Any code point can be the delimiter, and stands for itself",
    "The delimiter is compared as one code point: it is no pattern, its case counts, and no equivalent form is found.",
    "Ports build a regular expression or a character class from it, in which . ^ ] \\ - | have meanings.",
    [cut(_delimiter(each), (f"a{each}b", f"a{each}{each}b.{each}c")) for each in ".^]\\-|[*+?(){}$/&\n\t\x00 0a"],
    [cut(_delimiter(each), (f"c{each}d", f"{each}c{each}{each}d")) for each in f"{WIDTHS}é中😀\u0301\u200d"],
    cut(_delimiter("x"), "axbXc", "Xx"),
    cut(_delimiter("é"), "aébe\u0301c", "É é"),
    cut(_delimiter("\u212a"), "aKbkc\u212ad"),
    cut(_delimiter("\u03a9"), "aΩb\u2126c"),
)
DELIMITER.edge(
    "CHARDELIM-ONE-CODE-POINT: A delimiter of another length is refused",
    "A file whose delimiter is missing, null, empty or longer than one code point is refused.",
    "Ports take longer strings, and split at the whole or at its first character.",
    _refusals(
        _delimiter("-"),
        "a-b",
        [
            component("CharDelimiterSplit"),
            *(component("CharDelimiterSplit", delimiter=value) for value in ("", "ab", "--", "e\u0301", "🇩🇪", None, 1)),
        ],
    ),
    features=("load",),
)
DELIMITER.requirement(
    "CHARDELIM-OFFSETS: Removed delimiters count for the offsets",
    "A piece has the offsets of its own characters in the text with the delimiters.",
    "Ports add up the lengths of the pieces.",
    [cut(_delimiter(each), f"a{each}é{each}{each}中{each}😀b") for each in ("-", "é", "文", "🎉")],
    features=("offsets",),
)
DELIMITER.edge(
    "CHARDELIM-WRITTEN: The delimiter is written to the file",
    "The component is written with type and delimiter.",
    "Ports write a name of their own, or lose characters that JSON escapes.",
    [_written(_delimiter(each), f"a{each}b") for each in '-"\\\n😀'],
    features=("save",),
)

# Metaspace -----------------------------------------------------------------------------------------------------------

METASPACE = Area(
    "pre_tokenizers.Metaspace",
    "Metaspace",
    "pre_tokenize",
    "Replaces spaces by a visible character and cuts before each of them, as SentencePiece does. Fields: replacement (required, one code point, usually U+2581 ▁), prepend_scheme (always, never or first; always where it is missing), split (true where it is missing or null). Older files have add_prefix_space and str_rep.",
)
SCHEMES: Final = ("always", "never", "first")
MARK: Final = "▁"


def _metaspace(**options: Any) -> Document:
    return component("Metaspace", **{"replacement": MARK, "prepend_scheme": "always", "split": True, **options})


def _marked(*texts: Texts, parts: dict[str, Any] | None = None, also: str = MARK, **options: Any) -> list[CaseRecipe]:
    return cut(_metaspace(**options), *texts, also=also, **(parts or {}))


_SPACED: Final = ("a", "a b", " a", "a ", "a  b", "  a", " ", "  ", "a b c", "a  ")

METASPACE.requirement(
    "METAPRE-REPLACES-AND-CUTS: Each space becomes the replacement, and each replacement begins a piece",
    "Every U+0020 is replaced by the replacement; where split is true, the text is cut before each of them, so a piece is a replacement with the text after it. Of neighbouring spaces each but the last is a piece of its own.",
    "Ports cut at runs of spaces, or put the mark at the end of the piece.",
    _marked(*_SPACED, prepend_scheme="never"),
    _marked("é 中 😀", "a, b!", "1 2", prepend_scheme="never"),
)
METASPACE.requirement(
    "METAPRE-ALWAYS: With the scheme always, a text that does not begin with the replacement gets one",
    "Where prepend_scheme is always, the replacement is put before a text that does not begin with it once spaces are replaced; before a text that begins with a space nothing is put.",
    "Ports put it before every text, so that a text with a leading space gets two.",
    _marked(*_SPACED),
    _marked("\ta", "\na b", "é", "中 文"),
)
METASPACE.requirement(
    "METAPRE-FIRST: With the scheme first, the replacement is put before the start of the input only",
    "Where prepend_scheme is first, the replacement is put before a part of the text that begins at offset 0 of the original and does not begin with it, and before no other.",
    "Ports read first as always, or look at which piece it is in place of where it begins.",
    _marked(*_SPACED, prepend_scheme="first"),
    _marked(
        "a<s>b", "<s>a", "a<s> b<s>c", " <s>a", prepend_scheme="first", parts={"added_tokens": [added(900, "<s>")]}
    ),
    cut([_SPACES, _metaspace(prepend_scheme="first")], "a b", " a b", "a", also=MARK),
    cut([_DIGITS, _metaspace(prepend_scheme="first")], "1a2", "a1", also=MARK),
    links=("https://github.com/huggingface/tokenizers/pull/1357",),
)
METASPACE.requirement(
    "METAPRE-NEVER: With the scheme never, nothing is put before the text",
    "Where prepend_scheme is never, no replacement is put anywhere; spaces are replaced all the same.",
    "Ports let an older option or a default put it there.",
    _marked("a", "a b", " a", prepend_scheme="never"),
    _marked("a<s>b", "<s> a", prepend_scheme="never", parts={"added_tokens": [added(900, "<s>")]}),
    cut([_SPACES, _metaspace(prepend_scheme="never")], "a b", also=MARK),
)
METASPACE.requirement(
    "METAPRE-DEFAULTS: Without prepend_scheme it is always, without split it is true",
    "Where prepend_scheme is missing it is always; where split is missing or null it is true. The file that is written has all fields.",
    "XLM-RoBERTa's file has neither field nor, at times, add_prefix_space: ports then prepend nothing.",
    cut(component("Metaspace", replacement=MARK), "a b", " a", "a", also=MARK),
    cut(component("Metaspace", replacement=MARK, split=None), "a b", "a  b", also=MARK),
    cut(component("Metaspace", replacement=MARK, prepend_scheme="first"), "a b c", also=MARK),
    cut(component("Metaspace", replacement=MARK, prepend_scheme="never"), "a b c", also=MARK),
    _written(component("Metaspace", replacement=MARK), "a b", MARK),
    [
        _written(_metaspace(prepend_scheme=scheme, split=split), "a b", MARK)
        for scheme, split in product(SCHEMES, (True, False))
    ],
    links=("https://github.com/huggingface/swift-transformers/issues/318",),
)
METASPACE.requirement(
    "METAPRE-WITHOUT-SPLIT: With split false, nothing is cut",
    "Where split is false, spaces are replaced and the replacement is put before the text as prepend_scheme says, and the text stays one piece.",
    "Llama's and Gemma's files have it: ports cut at spaces all the same, and lose tokens that go across words.",
    [_marked(*_SPACED, f"{MARK}a", f"a{MARK}b", prepend_scheme=scheme, split=False) for scheme in SCHEMES],
    links=("https://github.com/huggingface/tokenizers/pull/1476",),
)
METASPACE.requirement(
    "METAPRE-REPLACEMENT: The replacement is any one code point",
    "replacement is a string of one code point, of any width; it takes the place of U+2581 in all of these rules.",
    "Ports have U+2581 (or a low line) built in.",
    [
        _marked("a b", "a", " a", f"a{each}b", f"{each}a", "c▁d", replacement=each, also=each + MARK)
        for each in ("_", "x", "é", "中", "😀", "\u0120", ".", "^", "]", "\\")
    ],
)
METASPACE.edge(
    "METAPRE-REPLACEMENT-SPACE: The replacement may be the space itself",
    "Where the replacement is U+0020, the text is cut before each space, and a space is put before it by the same rules.",
    "Ports replace in a loop that never ends, or look for U+2581.",
    [_marked("a b", "a", " a", "a  b", replacement=" ", prepend_scheme=scheme, also=" ") for scheme in SCHEMES[:2]],
)
METASPACE.requirement(
    "METAPRE-OFFSETS: A replaced space has its own offsets, one that was put there those of the first character",
    "The replacement has the offsets of the space that it replaces. One that was put before the text has the offsets of the first character, so the piece has the offsets of its own characters.",
    "Ports shift all offsets by one, give (0, 0) to the mark, or leave the space out of the piece.",
    _marked("a b", " a b", "é 中 😀", "😀 a", "a  b", "a\u0301 b"),
    _marked("é 中 😀", split=False),
    _marked("a b", "é b", prepend_scheme="first", also=MARK),
    _marked("é b", parts={"normalizer": component("NFD")}, also=f"{MARK}e\u0301"),
    _marked("ﬁ b", " ﬁ", parts={"normalizer": component("NFKC")}, also=f"{MARK}fi"),
    _marked("a b", replacement="é", also="é"),
    features=("offsets",),
)
METASPACE.requirement(
    "METAPRE-EMPTY-TEXT: Nothing is put before an empty text",
    "A text without characters gives no piece, whatever the scheme.",
    "Ports give the replacement alone, as SentencePiece's own dummy prefix would.",
    [_marked(("", "a"), prepend_scheme=scheme, split=split) for scheme, split in product(SCHEMES, (True, False))],
)
METASPACE.quirk(
    "METASPACE-REPLACES-ONE-KIND-OF-SPACE: Only U+0020 is replaced",
    "Tabs, line feeds, no-break spaces, ideographic spaces and all other white space are left as they are, and stay inside of pieces.",
    "One would expect all white space to be replaced, since SentencePiece's normalization maps it to U+0020 before.",
    [_marked((f"a{each}b c", f"{each}a")) for each in WHITE_SPACE if each != " "],
    _marked("a\xa0b\u3000c d", "a\n\n b"),
)
METASPACE.quirk(
    "METASPACE-TAKES-ITS-MARK-FOR-A-SPACE: A replacement character in the text counts like a space",
    "Where the text itself has the replacement character, it is cut before it, and nothing is put before a text that begins with it.",
    "One would expect the text's own character to be told apart from a replaced space.",
    [_marked("▁a▁b", "▁", "▁▁a", "a▁", "▁ a", " ▁a", "a▁ b", "x_y▁z", prepend_scheme=scheme) for scheme in SCHEMES],
)

_BREAKS = {"added_tokens": [added(900, "<s>", special=True), added(901, "x")]}

METASPACE.quirk(
    "METASPACE-ALWAYS-MEANS-EVERY-PIECE: The scheme always puts the replacement before every part between added tokens",
    "Where prepend_scheme is always, the replacement is put before each part of the text that follows an added token (or was cut off by an earlier pre-tokenizer), and not only before the start of the text.",
    "One would expect one prefix a text, as SentencePiece has it; the scheme first was made for that.",
    [
        _marked("a<s>b", "<s>a", "<s> a", "a<s><s>b", "a <s> b", "axb", "x", split=split, parts=_BREAKS)
        for split in (True, False)
    ],
    cut([_SPACES, _metaspace()], "a b", "a  b ", also=MARK),
    cut([_DIGITS, _metaspace()], "a1 2b", "1", f"a{MARK}b1{MARK}", "a b1", also=MARK),
    cut([_metaspace(), _metaspace()], "a b", also=MARK),
    cut([_metaspace(split=False), _SPACES], "a b\tc", also=MARK),
    links=(
        "https://github.com/huggingface/tokenizers/pull/1357",
        "https://github.com/huggingface/tokenizers/issues/1423",
    ),
)
METASPACE.quirk(
    "METASPACE-FIRST-MEANS-EVERY-WORD: The scheme first puts the replacement before every word that is given",
    "Where the input is a list of words, each word begins at offset 0: the scheme first puts the replacement before each of them. It does so before both texts of a pair.",
    "One would expect only the first word of the list to be the first.",
    [
        case(showing(f"ab {MARK}", pre_tokenizer=_metaspace(prepend_scheme=scheme)), words(["a", "b"], ["a b", " a"]))
        for scheme in SCHEMES
    ],
    [
        case(
            showing(f"ab {MARK}", pre_tokenizer=_metaspace(prepend_scheme=scheme)), words(["a", "b"]), pair("a", "b a")
        )
        for scheme in SCHEMES
    ],
    features=("pre_split",),
)
METASPACE.quirk(
    "METASPACE-FIRST-LOOKS-AT-THE-ORIGINAL: The scheme first puts nothing where the normalizer removed the start of the text",
    "A text is the first if its first character comes from offset 0 of the original: where the normalizer removed what stood there, the scheme first puts no replacement.",
    "One would expect the start of the normalized text to be the start.",
    [
        _marked(
            *row("a• a• a b•a b•\n\na"),
            prepend_scheme=scheme,
            parts={"normalizer": component("Strip", strip_left=True, strip_right=True)},
        )
        for scheme in SCHEMES
    ],
    _marked(
        "xa",
        "ax",
        prepend_scheme="first",
        parts={"normalizer": component("Replace", pattern={"String": "x"}, content="")},
    ),
    _marked(
        "a", " a", prepend_scheme="first", parts={"normalizer": component("Prepend", prepend="y")}, also=f"{MARK}y"
    ),
)
METASPACE.quirk(
    "METASPACE-IGNORES-ITS-OLDER-OPTION: add_prefix_space true and str_rep of older files change nothing",
    "add_prefix_space is accepted where it is true or null, and str_rep where it is a string or null; neither changes anything, even add_prefix_space true beside the scheme never, and neither is written. add_prefix_space false is accepted beside the scheme never.",
    "One would expect add_prefix_space true to prepend: files of releases before 0.15 meant that, and a file with both fields contradicts itself.",
    [
        cut(component("Metaspace", replacement=MARK, **options), "a b", " a", also=MARK)
        for options in (
            {"add_prefix_space": True, "prepend_scheme": "never"},
            {"add_prefix_space": True, "prepend_scheme": "first"},
            {"add_prefix_space": True, "prepend_scheme": "always"},
            {"add_prefix_space": True},
            {"add_prefix_space": None},
            {"add_prefix_space": None, "prepend_scheme": "never"},
            {"add_prefix_space": False, "prepend_scheme": "never"},
            {"str_rep": "x"},
            {"str_rep": None},
            {"str_rep": "_", "add_prefix_space": True, "split": False},
        )
    ],
    [
        _written(component("Metaspace", replacement=MARK, **options), "a b", MARK)
        for options in (
            {"add_prefix_space": True, "prepend_scheme": "never"},
            {"add_prefix_space": True, "str_rep": "x"},
        )
    ],
    links=("https://github.com/huggingface/swift-transformers/issues/318",),
)
METASPACE.quirk(
    "METASPACE-REFUSES-ITS-OLDER-OPTION: add_prefix_space false is refused without the scheme never",
    "A file with add_prefix_space false is refused where prepend_scheme is first, always or missing.",
    "One would expect files of older releases, which had add_prefix_space false alone, to be read as the scheme never.",
    [
        case(
            tokenizer,
            text("a b"),
            refused({**tokenizer, "pre_tokenizer": component("Metaspace", replacement=MARK, **options)}),
        )
        for tokenizer in [
            showing(f"ab {MARK}", pre_tokenizer=_metaspace(prepend_scheme="never", add_prefix_space=False))
        ]
        for options in (
            {"add_prefix_space": False},
            {"add_prefix_space": False, "prepend_scheme": "first"},
            {"add_prefix_space": False, "prepend_scheme": "always"},
        )
    ],
    features=("load",),
)
METASPACE.edge(
    "METAPRE-FIELDS: Other values of the fields are refused",
    "A file is refused whose replacement is missing or not one code point, whose prepend_scheme is null or none of always, never and first, or whose split, add_prefix_space or str_rep has a value of another kind.",
    "Ports fall back to a default without a word.",
    _refusals(
        _metaspace(replacement="_"),
        "ab_",
        [
            component("Metaspace"),
            *(
                _metaspace(**options)
                for options in (
                    {"replacement": ""},
                    {"replacement": "▁▁"},
                    {"replacement": None},
                    {"prepend_scheme": "Always"},
                    {"prepend_scheme": "none"},
                    {"prepend_scheme": None},
                    {"split": 1},
                    {"split": "true"},
                    {"add_prefix_space": 1},
                    {"str_rep": 1},
                )
            ),
        ],
    ),
    features=("load",),
)

# ByteLevel -----------------------------------------------------------------------------------------------------------

BYTE_LEVEL = Area(
    "pre_tokenizers.ByteLevel",
    "ByteLevel",
    "pre_tokenize",
    "Cuts the text by the pattern of GPT-2 and writes each byte of its UTF-8 form as one visible character. Fields: add_prefix_space (required), trim_offsets (required; it changes nothing here), use_regex (true where it is missing). The pattern is 's|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+ with the letters and numbers of Unicode 16.0. Bytes 21 to 7E, A1 to AC and AE to FF are written as the characters with these numbers; the other 68 bytes, in their order, as U+0100 to U+0143.",
)

_SHOWN_BYTES: Final = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_OTHER_BYTES: Final = tuple(byte for byte in range(0x100) if byte not in _SHOWN_BYTES)
BYTE_CHARACTERS: Final = "".join(
    chr(byte if byte in _SHOWN_BYTES else 0x100 + _OTHER_BYTES.index(byte)) for byte in range(0x100)
)


def _byte_level(**options: Any) -> Document:
    return component("ByteLevel", **{"add_prefix_space": False, "trim_offsets": True, "use_regex": True, **options})


def _spelled(*texts: Texts, parts: dict[str, Any] | None = None, also: str = "", **options: Any) -> list[CaseRecipe]:
    """Return a case for each of ``texts`` with a tokenizer that knows the characters of their bytes."""
    alphabet = "".join("".join(each) for each in texts) + also + " "
    written = "".join(sorted({BYTE_CHARACTERS[byte] for byte in alphabet.encode()}))
    shown = showing(written, pre_tokenizer=_byte_level(**options), **(parts or {}))
    return [case(shown, text(*((each,) if isinstance(each, str) else each))) for each in texts]


_STARTING: Final = component("Replace", pattern={"Regex": "^"}, content="é ")
"""A normalizer after which the text begins with characters that come from nothing."""

BYTE_LEVEL.requirement(
    "BYTEPRE-ALPHABET: Every byte is written as a character of GPT-2's alphabet",
    "Bytes 21 to 7E, A1 to AC and AE to FF are written as U+0021 to U+007E, U+00A1 to U+00AC and U+00AE to U+00FF; the bytes 00 to 20, 7F to A0 and AD, in this order, as U+0100 to U+0143. So the space is Ġ (U+0120), the line feed Ċ.",
    "Ports leave out AD, start the others at U+00FF, or write the code point in place of its bytes.",
    [_spelled(f"{''.join(map(chr, range(start, start + 16)))}", use_regex=False) for start in range(0x00, 0x80, 0x10)],
    [_spelled("".join(map(chr, range(start, start + 16))), use_regex=False) for start in range(0x80, 0x100, 0x10)],
    _spelled("".join(chr(0x40 * lead + 0x80) for lead in range(30)), use_regex=False),
    _spelled("".join(map(chr, (0x800, *range(0x1000, 0xD000, 0x1000), 0xD7FF, 0xE000, 0xF000))), use_regex=False),
    _spelled("".join(map(chr, (0x10000, 0x40000, 0x80000, 0xC0000, 0x100000, 0x10FFFF))), use_regex=False),
    [_spelled(f"a{each}b", use_regex=False) for each in "\x20\x21\x7e\x7f\x80\xa0\xa1\xac\xad\xae\xff\u0100"],
)
BYTE_LEVEL.requirement(
    "BYTEPRE-CONTRACTIONS: Seven contractions are cut off",
    "'s, 't, 're, 've, 'm, 'll and 'd are pieces wherever a match begins at the apostrophe, also inside of a word or before letters that go on.",
    "Ports ask for the end of a word after it, or forget one of the seven.",
    _spelled(*(f"a'{each}" for each in ("s", "t", "re", "ve", "m", "ll", "d"))),
    _spelled("a'l", "a'r", "a'v", "a'e", "a'x", "a'sx", "'tis", "don't", " 's", "''s", "'s's", "a'lla", "you'd've"),
)
BYTE_LEVEL.quirk(
    "BYTE-LEVEL-CONTRACTIONS-ARE-LOWERCASE: Contractions are cut off in lower case and after U+0027 only",
    "IT'S is cut into IT, ' and S, and it’s with U+2019 into it, ’ and s: case counts, and only U+0027 is an apostrophe.",
    "One would expect contractions in capitals to be cut off alike: GPT-2's encoder has no (?i), as its author noted.",
    _spelled(*row("IT'S•it's•it\u2019s•I'LL•I'Ll•WE'RE•we'Re•I'M•I'VE•HE'D•CAN'T•it\u02bcs•it`s")),
)
BYTE_LEVEL.requirement(
    "BYTEPRE-LETTERS: A run of letters is a piece, with one space before it",
    "A run of characters of category L is a piece, and U+0020 directly before it belongs to it.",
    "Ports take marks, digits or the low line for letters, as \\w does, or any white space for the space.",
    _spelled("ab cd", " ab", "ab_cd", "ab1", "né", "naïve café", "中文 字", "ªº", "ʰa", "שלום", "한국어 말"),
    _spelled("e\u0301te\u0301", "नमस्ते", "a\u0301", " \u0301a", "ไทยที่", "a\u200db", "ﬁn \U00010400b", "\U0001d400b"),
    _spelled("a\tb", "a\u3000b", "a\xa0b"),
)
BYTE_LEVEL.requirement(
    "BYTEPRE-NUMBERS: A run of numbers is a piece, with one space before it",
    "A run of characters of category N is a piece, and U+0020 directly before it belongs to it; superscripts, fractions, Roman numerals and digits of all scripts are numbers.",
    "Ports use \\d, which has decimal digits only.",
    _spelled(
        *row(
            "1234•a 12345678•1½•12²3•a ½•x ²³•1Ⅷ ½½•1 23•a1b2•3.14•x²•½ cup•Ⅷ•٣٤ ५•１２•①a•1e5• 1•1\u20ac•二1•"
            "\U0001d7ce1"
        )
    ),
)
BYTE_LEVEL.requirement(
    "BYTEPRE-SYMBOLS: A run of all other characters is a piece, with one space before it",
    "A run of characters that are neither white space nor letters nor numbers is a piece, and U+0020 directly before it belongs to it; marks, controls and emoji are such characters.",
    "Ports cut symbols one by one, or list punctuation and lose the rest.",
    _spelled(*row("a!•!!!• !!•a, b.•...a•_•a_b•😀👍•a😀• 😀•\x00\x01•(a)•$5•\u0301•'•' a•«é»")),
)
BYTE_LEVEL.requirement(
    "BYTEPRE-WHITE-SPACE: Of white space before a word, the last U+0020 goes to the word",
    "A run of white space that something follows is a piece without its last character; that one, if it is U+0020, belongs to the word after it, and is a piece of its own otherwise. White space at the end of the text is one piece.",
    "\\s+(?!\\S) needs a look-ahead, which RE2 and Go's regexp do not have; ports that drop it give other pieces.",
    _spelled("a  b", "a   b", "  a", "   ", "a ", "a  ", " a", "a \n b", "a\n", "a\nb", "a\n\nb", "a\n\n b", "\n \n"),
    _spelled(
        "a\tb", "a\t\tb", "a \tb", "a\t b", "\t\t", "a\u3000b", "a \u3000b", "a\u3000 b", "a\xa0\xa0b", "a\x85\u2028b"
    ),
    _spelled("a\r\nb", "a\r\n\r\nb", "a \x1cb", "a\x1c\x1cb", "a\ufeffb", "\u200b a", "  1", "  !", " \n's"),
    _spelled(*((f"a{each}b", f"a {each}{each}b", f"a{each}") for each in WHITE_SPACE)),
    links=("https://github.com/meta-pytorch/tokenizers/pull/38",),
)
BYTE_LEVEL.requirement(
    "BYTEPRE-ADD-PREFIX-SPACE: With add_prefix_space, a text that does not begin with U+0020 gets one",
    "Where add_prefix_space is true, U+0020 is put before a text that does not begin with U+0020, before it is cut; where it is false nothing is put.",
    "Ports put a space before every text, so that one with a leading space gets two, or before an empty one.",
    [
        _spelled(
            *row("a• a•  a•a b•1•!•'s•é•中•😀•\u0301a"), (" ", "a"), ("", "a"), add_prefix_space=prefix, use_regex=regex
        )
        for prefix, regex in product((True, False), (True, False))
    ],
)
BYTE_LEVEL.quirk(
    "BYTE-LEVEL-PREFIXES-OTHER-WHITE-SPACE: A text that begins with other white space gets a space too, a piece of its own",
    "add_prefix_space looks at U+0020 alone: before a tab, a line feed or a no-break space it puts U+0020, which is then cut off as white space before white space.",
    "One would expect a text that begins with white space to need no prefix.",
    [_spelled(f"{each}a", add_prefix_space=True) for each in WHITE_SPACE if each != " "],
    _spelled("\n\na", "\n", "\t a", "\r\na", add_prefix_space=True),
)
BYTE_LEVEL.requirement(
    "BYTEPRE-WITHOUT-REGEX: With use_regex false, nothing is cut",
    "Where use_regex is false, the text is written in bytes and stays one piece.",
    "Llama 3 and most newer tokenizers cut with Split before and have it: ports cut by GPT-2's pattern once more.",
    _spelled("a b", "it's 1, 2!", "a\n\nb ", "né 中", "  ", use_regex=False),
    _spelled("a b", "\na", use_regex=False, add_prefix_space=True),
    _spelled("a b1", "né,1", use_regex=False, parts={"normalizer": component("NFD")}, also="e\u0301"),
)
BYTE_LEVEL.requirement(
    "BYTEPRE-FIELDS: use_regex is true where it is missing; the others are required",
    "Where use_regex is missing it is true. A file without add_prefix_space or trim_offsets, or with null or another value that is no boolean in one of the three, is refused. All three are written.",
    "Files of older releases have no use_regex, and ports that read false then do not cut.",
    [
        cut(component("ByteLevel", add_prefix_space=False, trim_offsets=trim), "a b1", "it's", also="Ġ")
        for trim in (True, False)
    ],
    _refusals(
        _byte_level(),
        "ab!",
        [
            component("ByteLevel"),
            component("ByteLevel", add_prefix_space=True),
            component("ByteLevel", trim_offsets=True),
            _byte_level(use_regex=None),
            _byte_level(use_regex=1),
            _byte_level(add_prefix_space=None),
            _byte_level(trim_offsets="true"),
        ],
    ),
    _written(component("ByteLevel", add_prefix_space=True, trim_offsets=False), "a b", "Ġ"),
    [
        _written(_byte_level(add_prefix_space=prefix, trim_offsets=trim, use_regex=regex), "a b", "Ġ")
        for prefix, trim, regex in product((True, False), repeat=3)
    ],
)
BYTE_LEVEL.requirement(
    "BYTEPRE-TRIM-OFFSETS-IS-FOR-LATER: trim_offsets changes nothing here",
    "Pieces and tokens have the offsets with their spaces, whether trim_offsets is true or false: it is the post-processor of the same name that trims.",
    "Ports trim the offsets of the pieces already.",
    [
        _spelled("a b", "  a", "a  ", trim_offsets=trim, add_prefix_space=prefix)
        for trim, prefix in product((True, False), repeat=2)
    ],
    features=("offsets",),
)
BYTE_LEVEL.quirk(
    "BYTE-LEVEL-PIECES-OF-A-CHARACTER-SHARE-OFFSETS: All bytes of a character have the offsets of the character",
    "Each of the characters that stand for the bytes of one character has the offsets of the whole character, so the tokens of one character overlap.",
    "One would expect offsets that do not overlap; a byte is no place in a text of code points, though.",
    [_spelled("é", "aé", "中a", "😀", "é中😀a", "e\u0301", *WIDTHS, use_regex=regex) for regex in (True, False)],
    _spelled("é a", "😀", add_prefix_space=True),
    features=("offsets",),
)
BYTE_LEVEL.requirement(
    "BYTEPRE-OFFSETS: The space that was put there has the offsets of the first character",
    "A piece has the offsets of its characters, the space before it included; a space that add_prefix_space put there has those of the first character.",
    "Ports shift all offsets by one.",
    _spelled("a b", " a b", "é b", "1é", add_prefix_space=True),
    _spelled("a b", "é é", "a é😀 中", "a  b"),
    _spelled("é a", "aé b", parts={"normalizer": component("NFD")}, also="e\u0301"),
    _spelled("é a", add_prefix_space=True, parts={"normalizer": component("NFD")}, also="e\u0301"),
    _spelled("ﬁ a½", parts={"normalizer": component("NFKC")}, also="fi1\u20442"),
    _spelled(
        " é b", parts={"normalizer": component("Strip", strip_left=True, strip_right=True)}, add_prefix_space=True
    ),
    _spelled("İé", parts={"normalizer": component("Lowercase")}, also="i\u0307"),
    [
        _spelled("é b", " a1", "中", add_prefix_space=prefix, parts={"normalizer": _STARTING}, also="é ")
        for prefix in (True, False)
    ],
    _spelled("xé b", parts={"normalizer": component("Replace", pattern={"String": "x"}, content="")}),
    _spelled("xé b", parts={"normalizer": component("Replace", pattern={"String": "x"}, content="é中")}, also="中"),
    features=("offsets",),
)
BYTE_LEVEL.quirk(
    "BYTE-LEVEL-LETTERS-OF-UNICODE-16: Letters and numbers are those of Unicode 16.0",
    "A letter that came with Unicode 16.0 goes with letters; one that came with 17.0 is set apart as a symbol.",
    "One would expect the newest Unicode, as in Digits: it is Oniguruma that is asked here.",
    _spelled(
        *(
            f"a{each}b1"
            for each in "\ua7cb\ua7cd\ua7ce\ua7da\ua7dc\u1c89\u0870\U00010d40\U00011de0\U000323b0\U00016ea0\U00011bc0"
        )
    ),
)
BYTE_LEVEL.quirk(
    "BYTE-LEVEL-PREFIXES-EVERY-SPLIT: add_prefix_space puts a space before every piece of an earlier pre-tokenizer",
    "In a sequence, and after an added token, every part of the text that does not begin with U+0020 gets a space of its own.",
    "One would expect one prefix a text, where a text begins.",
    [
        cut([each, _byte_level(add_prefix_space=prefix)], "a1", "1 a", "a1b", also="Ġ")
        for each, prefix in product((_DIGITS, _RUNS, _SPACES), (True, False))
    ],
    cut([_PUNCTUATION, _byte_level(add_prefix_space=True, use_regex=False)], "a,b", ",", also="Ġ"),
    cut(_byte_level(add_prefix_space=True), "a<s>b", "<s>a", "<s> a", also="Ġ", added_tokens=[added(900, "<s>")]),
    case(showing("abĠ", pre_tokenizer=_byte_level(add_prefix_space=True)), words(["a", "b", " a"]), pair("a", "b")),
)
BYTE_LEVEL.edge(
    "BYTEPRE-LATER-PRE-TOKENIZERS-SEE-BYTES: What comes after ByteLevel sees the characters of its alphabet",
    "Pre-tokenizers after ByteLevel cut what ByteLevel has written: spaces are letters (Ġ) then, and bytes that are written as ², ³, ¹, ¼, ½ or ¾ are numbers.",
    "Ports cut the original text first, or treat the characters of the alphabet as bytes.",
    [
        cut([_byte_level(use_regex=False), each], "a b1", "ü", "ò³½", "中文", "a,é«", also=BYTE_CHARACTERS)
        for each in (_DIGITS, _SPACES, _PUNCTUATION)
    ],
    cut([_byte_level(), _byte_level()], "a é", "中", also=BYTE_CHARACTERS),
    cut([_byte_level(use_regex=False), component("Whitespace")], "a b", "é", "中", also=BYTE_CHARACTERS),
    links=("https://github.com/huggingface/tokenizers/pull/1394",),
)
BYTE_LEVEL.quirk(
    "BYTE-ALPHABET-HAS-NO-ORDER: ByteLevel.alphabet() of the Python class gives the alphabet in a random order",
    "In Python, ByteLevel.alphabet() gives the 256 characters in another order in each process.",
    "One would expect the order of the bytes: they are the values of a hash map with a random seed.",
    not_asked="Only the Python API has the function, and its order is different from run to run.",
)

# UnicodeScripts ------------------------------------------------------------------------------------------------------

SCRIPTS = Area(
    "pre_tokenizers.UnicodeScripts",
    "UnicodeScripts",
    "pre_tokenize",
    "Cuts where the script changes (property Script of Unicode 9.0, with Hiragana, Katakana and U+30FC counted as Han). Spaces and characters without a script go with what stands before them. It has no fields.",
)
_SCRIPTS = component("UnicodeScripts")

SCRIPTS.requirement(
    "SCRIPTS-CUT-WHERE-THE-SCRIPT-CHANGES: A piece is a run of characters of one script",
    "The text is cut before each character whose script is another than that of the last character with a script.",
    "Ports cut at every change back to a space, or know the few scripts of common languages.",
    cut(
        _SCRIPTS,
        *row(
            "abcдеж•aбa•abc•Καλημέρα world•שלוםabc•مرحباab•नमस्तेab•ไทยlao•한국ab•中文ab•ab\U00010400c•a\U0001d400b•"
            "ａａ中"
        ),
    ),
    between(
        _SCRIPTS, "б\u0370\u0531\u05d0\u0627\u0905\u0e01\u10a0\u1100\u1200\u13a0\u2c00\u3105\ua000\U00010330\U00020000"
    ),
    cut(_SCRIPTS, ("", "aб")),
)
SCRIPTS.requirement(
    "SCRIPTS-SPACES-GO-WITH-WHAT-IS-BEFORE: U+0020 belongs to the piece before it",
    "A space is of any script: it stays with the text before it, and the script before it counts for what comes after.",
    "A space is Common in Unicode: ports cut at it, twice.",
    cut(_SCRIPTS, "ab cd", "ab дж", "a 中 b", "a  б ", "中 文", "a б в c", "aб ", "a \u0301b", "a 1 b"),
)
SCRIPTS.edge(
    "SCRIPTS-ONLY-U0020-IS-A-SPACE: Other white space is of the script Common, and is cut off",
    "Tabs, line feeds, no-break and ideographic spaces are Common, as digits and punctuation are: they begin a piece after a letter, and are one piece with other Common characters.",
    "Ports treat all white space like U+0020.",
    between(_SCRIPTS, (each for each in WHITE_SPACE if each != " ")),
    cut(_SCRIPTS, "a\n1", "a\t\u3000!b", "\na", "中\u3000文"),
)
SCRIPTS.quirk(
    "UNICODE-SCRIPTS-DROP-LEADING-BLANKS: What stands before the first character with a script is lost",
    "Spaces and characters without a script at the start of a text belong to no piece.",
    "One would expect nothing to be lost: the first cut is taken for the start of the text.",
    cut(
        _SCRIPTS, "  hi 京", " a", " 1", " \u0301", "\u0378a", " \u0378 aб", "\U000e0000a", "\ue000\ue000a", "\uffffa б"
    ),
)
SCRIPTS.quirk(
    "UNICODE-SCRIPTS-DROP-BLANK-TEXT: A text of spaces has no pieces",
    "Nothing is left of a text in which no character has a script.",
    "One would expect one piece.",
    cut(_SCRIPTS, ("   ", "aб"), (" ", "aб"), ("\u0378", "aб"), (" \ue000 ", "aб")),
    cut(_SCRIPTS, "a<s> <s>", added_tokens=[added(900, "<s>")]),
)
SCRIPTS.quirk(
    "UNICODE-SCRIPTS-TAKE-KANA-FOR-HAN: Hiragana, Katakana and Han are one script",
    "Hiragana, Katakana and Han characters are not cut apart, and U+30FC (ー, of script Common) counts as one of them.",
    "One would expect three scripts: SentencePiece, whose trainer this follows, joins them.",
    cut(
        _SCRIPTS,
        *row(
            "京ひカー•ひa•aー•ーa•ー1•1ー•カ。ひ•カ・カ•ｶﾅ中•ｰ中•\u3099か•\u309b中•〇中•々中•\u303b中•\u3105中•㋐中•한中•\U0001b000中•"
            "\U0001f200中"
        ),
    ),
)
SCRIPTS.quirk(
    "UNICODE-SCRIPTS-SET-MARKS-AND-DIGITS-APART: Common and Inherited are scripts of their own",
    "Digits, punctuation, symbols and emoji (Common) and combining marks (Inherited) are cut off from the letters beside them.",
    "One would expect them to take the script of their neighbours, as UAX #24 says.",
    cut(
        _SCRIPTS,
        *row(
            "a3 e\u0301•a1b•1.5•a!b•a, b•don't•e\u0301\u0302e•1\u0301•a😀b•😀!1•👨\u200d👩•❤\ufe0f•k\u0327•\u0951क•"
            "क\u094d•ªa•\xb5m•\u2126a•Ⅷa•\u0660\u0627•\u060c\u0627•\u064b\u0627•\U0001d167a•\U000e0100a"
        ),
    ),
)
SCRIPTS.quirk(
    "UNICODE-SCRIPTS-OF-UNICODE-9: Scripts are those of Unicode 9.0",
    "A character that was assigned after Unicode 9.0 has no script: it goes with what stands before it.",
    "One would expect the newest Unicode: the table was made in 2019 from an older file.",
    between(
        _SCRIPTS,
        "\U00010d00\U00011d00\U00011800\u0860\u08c0\u1c90\u31bb\ua7cd\ua7ae\U000104b0\U0001e900\u1c80\u08d4\U00016fe0"
        "\U00016fe1\u20bf\U0001f6d1\U0001f6d5\U0001f9ff\u9fd5\u9fd6\U0002ceb0\U0002cea1\U00030000",
        left="б",
        right="a",
    ),
)
SCRIPTS.requirement(
    "SCRIPTS-OFFSETS: Pieces have the offsets of their characters and of the spaces after them",
    "Each piece begins at a character with a new script and ends where the next begins, or at the end of the text.",
    "Ports trim the pieces, or count UTF-16 units.",
    cut(_SCRIPTS, "aб 中 ", "  é б", "😀a😀", "\U00010400б \U00010400", "e\u0301б", "a  1  б"),
    features=("offsets",),
)

# FixedLength ---------------------------------------------------------------------------------------------------------

FIXED = Area(
    "pre_tokenizers.FixedLength",
    "FixedLength",
    "pre_tokenize",
    "Cuts the text into pieces of the same number of code points; the last may be shorter. Field length (5 where it is missing): a whole number from 0. Tokenizers before 0.22 do not have it.",
)


def _fixed(length: Any) -> Document:
    return component("FixedLength", length=length)


FIXED.requirement(
    "FIXEDLENGTH-PIECES: Pieces have length code points, the last may have fewer",
    "The text is cut after every length code points; what is left at the end is a piece too.",
    "Ports drop the rest, or fill it up.",
    [
        cut(_fixed(length), *(("abcdefg"[:size], "g") if size == 0 else "abcdefg"[:size] for size in range(8)))[first:]
        for length, first in ((1, 2), (2, 1), (3, 1), (7, 7))
    ],
    cut(_fixed(4), "a b, c\nd", "    "),
    cut(_fixed(100), "abc", "a b"),
    cut(_fixed(2**32), "abc"),
)
FIXED.requirement(
    "FIXEDLENGTH-COUNTS-CODE-POINTS: Length and offsets count code points",
    "A character counts one whatever its width, and so does each code point of a cluster: a mark can be cut off its letter.",
    "Ports count bytes, UTF-16 units or, in Swift, grapheme clusters.",
    cut(_fixed(2), "ééé", "中文字", "😀😀😀", "e\u0301e\u0301a", "a\r\nb", "🇩🇪🇫🇷", "👩\u200d👧", WIDTHS, "ab\u0301c"),
    cut(_fixed(1), "a\u0301é😀"),
    cut(_fixed(2), "éa", "ﬁa", also="e\u0301fi", normalizer=component("NFKD")),
    features=("offsets",),
)
FIXED.requirement(
    "FIXEDLENGTH-DEFAULT: Without length it is 5",
    "Where length is missing it is 5, and it is written.",
    "The default is that of the class, and files without the field are accepted.",
    cut(component("FixedLength"), "abcd", "abcde", "abcdef", "abcdefghijk"),
    _written(component("FixedLength"), "abcdef"),
    _written(_fixed(2), "abcdef"),
)
FIXED.edge(
    "FIXEDLENGTH-FIELD: length is a whole number from 0",
    "A file whose length is null, negative, a fraction, a string or larger than 18446744073709551615 is refused.",
    "JSON numbers with a fraction of zero (1.0) are taken for whole numbers by some readers.",
    _refusals(_fixed(2), "abc", [_fixed(each) for each in (None, -1, 1.0, 2.5, "2", 2**64, True)]),
    features=("load",),
)
FIXED.requirement(
    "FIXEDLENGTH-OF-EACH-PART: Each part of a text is cut on its own",
    "After an added token, in each given word and in each piece of an earlier pre-tokenizer, counting begins again.",
    "Ports count from the start of the text.",
    cut(_fixed(2), "abc<s>def", "<s>abc", added_tokens=[added(900, "<s>")]),
    cut([_SPACES, _fixed(2)], "abc de fgh", " a"),
    cut([_DIGITS, _fixed(2)], "abc1def"),
    cut([_fixed(3), _SPACES], "ab cd ef"),
    cut([_fixed(3), _fixed(2)], "abcdefg"),
    case(showing("abc", pre_tokenizer=_fixed(2)), words(["abc", "a", "bca"])),
)
FIXED.quirk(
    "FIXED-LENGTH-ZERO-PANICS: A length of 0 is accepted, and is an error once a text is cut",
    "A file with the length 0 is read; encoding or pre-tokenizing a text that is not empty is an error.",
    "One would expect the file to be refused: the target panics when it cuts.",
    case(showing("ab", pre_tokenizer=_fixed(0)), ids([1, 2]), pre_tokenize("a")),
    case(showing("ab", pre_tokenizer=_fixed(0)), ids([2]), encode("ab", special=False)),
    case(showing("ab", pre_tokenizer=_fixed(0)), ids([1]), text("")),
)

# Sequence ------------------------------------------------------------------------------------------------------------

SEQUENCE = Area(
    "pre_tokenizers.Sequence",
    "Sequence",
    "pre_tokenize",
    "Several pre-tokenizers, one after the other: each cuts the pieces that the one before it left. Field pretokenizers (required): a list of pre-tokenizers.",
)


def _sequence(*pre_tokenizers: Document) -> Document:
    return component("Sequence", pretokenizers=list(pre_tokenizers))


SEQUENCE.requirement(
    "SEQPRE-IN-ORDER: Each pre-tokenizer cuts the pieces that the one before it left",
    "The pre-tokenizers work in the order of the list, each on every piece on its own; what one removed the next does not see, and no piece grows again.",
    "Ports give the whole text to each, or take the last one only.",
    [
        cut(_sequence(*both), "a1, b2", "a,1 b", "1 a")
        for both in (
            (_SPACES, _DIGITS),
            (_DIGITS, _SPACES),
            (_SPACES, _PUNCTUATION),
            (_PUNCTUATION, _SPACES, _DIGITS),
            (_WORDS, _RUNS),
            (_BERT, _RUNS),
            (_RUNS, _BERT),
            (_delimiter(","), _SPACES),
        )
    ],
    cut(_sequence(_delimiter("a"), _delimiter("b")), "xaybz", "abx"),
    cut(_sequence(component("Punctuation", behavior="MergedWithPrevious"), _SPACES), "a, b"),
    cut(
        _sequence(component("Split", pattern={"String": "x\ny"}, behavior="Isolated", invert=False), _SPACES),
        f"ax\nyb{' ' * 2000}",
        normalizer=component("Lowercase"),
    ),
    cut(_sequence(_SPACES, component("Punctuation", behavior="MergedWithPrevious")), "a, b ,c"),
)
SEQUENCE.requirement(
    "SEQPRE-ORDER-MATTERS: The order of the list decides",
    "Where one pre-tokenizer changes or removes what another looks at, the first in the list has its way.",
    "Ports sort by kind, or begin at the end.",
    cut(_sequence(_metaspace(), _SPACES), "a b", "a\tb", also=MARK),
    cut(_sequence(_SPACES, _metaspace()), "a b", "a\tb", also=MARK),
    cut(_sequence(_metaspace(), _PUNCTUATION), "a, b", also=MARK),
    cut(_sequence(_PUNCTUATION, _metaspace()), "a, b", also=MARK),
    cut(_sequence(_SPACES, _byte_level()), "a b", also="Ġ"),
    cut(_sequence(_byte_level(), _SPACES), "a b", also="Ġ"),
    case(tokenizer(bpe(sorted(BYTE_CHARACTERS)), pre_tokenizer=[_byte_level(use_regex=False), _DIGITS]), text("é1é")),
    cut(_sequence(_WORDS, _SCRIPTS), "abв гд", " б"),
    cut(_sequence(_SCRIPTS, _WORDS), "abв гд", " б"),
)
SEQUENCE.requirement(
    "SEQPRE-OFFSETS: Offsets are of the original text after all of them",
    "A piece of a piece has offsets in the original text, not in the piece that it was cut from.",
    "Ports forget to add where the outer piece begins.",
    cut(_sequence(_SPACES, _DIGITS), "a1 b2 c3", "  é1 中2", "😀1 😀2"),
    cut(_sequence(_SPACES, _PUNCTUATION, _DIGITS), "é, é1 ,1"),
    cut(_sequence(_DIGITS, _metaspace()), "é1 中", " 1é", also=MARK),
    cut(_sequence(_DIGITS, _byte_level(add_prefix_space=True)), "a1é", "1 a", also=BYTE_CHARACTERS),
    features=("offsets",),
)
SEQUENCE.edge(
    "SEQPRE-EMPTY: A sequence of nothing cuts nothing",
    "With an empty list the whole text is one piece.",
    "Ports index the first item, or give no pieces.",
    cut(_sequence(), "a b", "a, 1"),
    cut(_sequence(_sequence(), _SPACES), "a b"),
)
SEQUENCE.edge(
    "SEQPRE-NESTED: Sequences can stand in sequences",
    "A sequence inside of a sequence works like its items in its place, and is written as it was read.",
    "Ports read one level.",
    cut(_sequence(_sequence(_SPACES, _DIGITS), _PUNCTUATION), "a1, b"),
    cut(_sequence(_SPACES, _sequence(_DIGITS, _sequence(_PUNCTUATION))), "a1, b"),
    _written(_sequence(_sequence(_SPACES), _sequence(), _DIGITS), "a1 b"),
    _written(_sequence(), "a1 b"),
    _written(_sequence(_SPACES, _metaspace(), _byte_level()), "a b", MARK + BYTE_CHARACTERS),
)
SEQUENCE.edge(
    "SEQPRE-FIELD: The list is called pretokenizers, and each item is a pre-tokenizer",
    "A file is refused whose pretokenizers is missing or no list, or has an item that is no pre-tokenizer.",
    "The parameter of the Python class is pre_tokenizers, which files do not know.",
    _refusals(
        _sequence(_SPACES),
        "a b",
        [
            component("Sequence"),
            component("Sequence", pre_tokenizers=[_SPACES]),
            component("Sequence", pretokenizers=None),
            component("Sequence", pretokenizers=_SPACES),
            component("Sequence", pretokenizers=[None]),
            component("Sequence", pretokenizers=[component("Digits")]),
            component("Sequence", pretokenizers=[component("Foo")]),
        ],
    ),
    features=("load",),
)
SEQUENCE.requirement(
    "SEQPRE-WHOLE-WORDS: What the model sees are whole pieces",
    "The model is asked for each piece that is left at the end, as a whole.",
    "Ports give the model the pieces of the first pre-tokenizer.",
    [
        case(
            {**showing(""), "pre_tokenizer": each, "model": word_level(["ab", "c", "1", ",", "ab1", "ab,", "c,"])},
            text("ab1 c, ab,", "c1"),
        )
        for each in (_SPACES, _sequence(_SPACES, _DIGITS), _sequence(_SPACES, _PUNCTUATION, _DIGITS))
    ],
)

AREAS = (
    PIECES,
    BERT,
    WHITESPACE,
    WHITESPACE_SPLIT,
    DIGITS,
    PUNCTUATION,
    DELIMITER,
    METASPACE,
    BYTE_LEVEL,
    SCRIPTS,
    FIXED,
    SEQUENCE,
)
