"""Recipes of Split, and of the language of its regular expressions, which Replace has too."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

from requirements.pre_tokenizers import BEHAVIORS, BYTE_CHARACTERS, WHITE_SPACE, WIDTHS, codes
from requirements.recipe import (
    Area,
    added,
    case,
    component,
    encode,
    normalize,
    pre_tokenize,
    refused,
    row,
    saved,
    text,
    words,
)
from requirements.shown_pieces import cut, showing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from requirements.recipe import CaseRecipe, Document
    from requirements.shown_pieces import Texts


def split(pattern: str, behavior: str = "Isolated", *, invert: bool = False, literal: bool = False) -> Document:
    """Return a Split at a regular expression, or at a ``literal`` text."""
    kind = "String" if literal else "Regex"
    return component("Split", pattern={kind: pattern}, behavior=behavior, invert=invert)


def found(pattern: str, *texts: str, cuts: bool = False, name: str | None = None) -> CaseRecipe:
    """Return the case of what ``pattern`` matches in ``texts``: only matches are kept, each a piece.

    With ``cuts`` everything is kept and the matches are set apart, so that empty matches show. The case is called like
    the pattern, where it has no other ``name``.
    """
    pre_tokenizer = split(pattern) if cuts else split(pattern, "Removed", invert=True)
    shown = showing("".join(sorted(set("".join(texts)))), pre_tokenizer=pre_tokenizer)
    asked = tuple(question for each in texts for question in (*pre_tokenize(each), *encode(each, special=False)))
    return case(shown, asked, name=_called(pattern) if name is None else name)


def _called(pattern: str) -> str:
    return pattern if pattern.isprintable() else ""


def _found(table: Mapping[str, Iterable[str]], *, cuts: bool = False) -> list[CaseRecipe]:
    """Return a case for each pattern of ``table``, which has the texts of each."""
    return [found(pattern, *texts, cuts=cuts) for pattern, texts in table.items()]


def _all(patterns: Iterable[str], *texts: str, cuts: bool = False) -> list[CaseRecipe]:
    """Return a case for each of ``patterns``, each with all ``texts``."""
    return [found(pattern, *texts, cuts=cuts) for pattern in patterns]


def _refused(*patterns: str) -> list[CaseRecipe]:
    """Return a case for each of ``patterns`` that is refused, each beside a text that a good one cuts."""
    good = showing("ab", pre_tokenizer=split("a"))
    return [
        case(good, pre_tokenize("ab", "bab"), refused({**good, "pre_tokenizer": split(pattern)}), name=pattern)
        for pattern in patterns
    ]


def _replaced(pattern: str, *texts: str, content: str = "-") -> CaseRecipe:
    """Return the case of ``texts`` in which a Replace puts ``content`` for what ``pattern`` matches."""
    shown = showing(
        "".join(sorted({*"".join(texts), *content})),
        normalizer=component("Replace", pattern={"Regex": pattern}, content=content),
    )
    asked = tuple(question for each in texts for question in (*normalize(each), *encode(each, special=False)))
    return case(shown, asked, name=f"Replace {_called(pattern)}")


# Split ---------------------------------------------------------------------------------------------------------------

SPLIT = Area(
    "pre_tokenizers.Split",
    "Split",
    "pre_tokenize",
    'Cuts at the matches of a pattern. Fields, all required: pattern, {"String": s} for a text that stands for itself or {"Regex": s} for a regular expression of Oniguruma (area Regex); behavior, what becomes of the matches: Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous; invert: true takes what is between the matches for the matches. The last requirements have the patterns of published tokenizers.',
)

_DASHED: Final = (
    *row("the-final--countdown a-b -a a- --a--"),
    ("-", "a-b"),
    ("---", "a-b"),
    "a",
    ("", "a-b"),
    "a--b-c---d",
)


def _behaved(behavior: str, *, invert: bool) -> list[CaseRecipe]:
    texts: tuple[Texts, ...] = _DASHED
    if behavior == "Removed" and invert:
        texts = tuple(("a", "a-b") if each == "a" else each for each in texts)
    return [
        *cut(split("-", behavior, invert=invert, literal=True), *texts),
        *cut(split("-", behavior, invert=invert), "the-final--countdown", "--a--"),
        *cut(split("-+", behavior, invert=invert), "the-final--countdown", "--a--", ("-", "a-b"), "a-"),
        *cut(split(r"\w+|-", behavior, invert=invert), "a-b--c d", "a b", ("a", "a b ")),
    ]


SPLIT.requirement(
    "SPLIT-REMOVED: With Removed the matches are taken out",
    "Where behavior is Removed, each match belongs to no piece, and what stands between two matches is a piece.",
    "Ports keep empty pieces between neighbouring matches, or at both ends.",
    _behaved("Removed", invert=False),
)
SPLIT.requirement(
    "SPLIT-ISOLATED: With Isolated each match is a piece",
    "Where behavior is Isolated, each match is a piece, and so is what stands between two matches; nothing is lost.",
    "Ports use a split function that drops what it splits at, or join neighbouring matches.",
    _behaved("Isolated", invert=False),
)
SPLIT.requirement(
    "SPLIT-CONTIGUOUS: With Contiguous neighbouring matches are one piece",
    "Where behavior is Contiguous, matches that follow each other directly are one piece, and what stands between is another.",
    "Ports treat it like Isolated.",
    _behaved("Contiguous", invert=False),
)
SPLIT.requirement(
    "SPLIT-MERGED-WITH-PREVIOUS: With MergedWithPrevious a match goes to the piece before it",
    "Where behavior is MergedWithPrevious, a match is the end of the piece of what stands before it; without anything before it, it is a piece.",
    "Ports glue it to what comes after it, or lose a match at the start.",
    _behaved("MergedWithPrevious", invert=False),
)
SPLIT.requirement(
    "SPLIT-MERGED-WITH-NEXT: With MergedWithNext a match goes to the piece after it",
    "Where behavior is MergedWithNext, a match is the start of the piece of what stands after it; without anything after it, it is a piece.",
    "Ports lose a match at the end, or glue a run of matches to the piece.",
    _behaved("MergedWithNext", invert=False),
)
SPLIT.requirement(
    "SPLIT-INVERT: With invert, what is between the matches is what is split at",
    "Where invert is true, matches and what stands between them change their parts before the behavior is applied: with Removed only the matches are kept, each a piece.",
    "Ports ignore the field, give an empty list, or join neighbouring matches, which are neighbouring pieces here.",
    [_behaved(behavior, invert=True) for behavior in BEHAVIORS],
    links=("https://github.com/huggingface/swift-transformers/issues/55",),
)
SPLIT.requirement(
    "SPLIT-STRING-STANDS-FOR-ITSELF: A pattern under String has no special characters",
    "The text under String is found as it stands: no character of it has a meaning, case counts, and it can have any length.",
    "Ports compile both kinds as regular expressions, or look at Regex only.",
    [
        cut(split(each, literal=True), f"a{each}b", f"{each}{each}", "a.b\\d1")
        for each in (".", "a|b", "[ab]", "(a)", "a*", "^a", "a$", r"\d", "a{2}", "+", "?", "\\", r"\E", "[", "(?i)a")
    ],
    cut(split("ab", literal=True), "abab", "aab", "ba", "AB"),
    cut(split("aa", literal=True), "aaa", "aaaa", "aaaaa"),
    cut(split("é", literal=True), "aéb", "e\u0301"),
    cut(split("😀", literal=True), "a😀b😀😀"),
    cut(split("\n", literal=True), "a\nb\n\n", "a\r\nb"),
    cut(split(" ", literal=True), "a b  c", "a\xa0b\tc"),
    cut(split("aba", literal=True), "ababa", "abaaba"),
)
SPLIT.requirement(
    "SPLIT-MATCHES-DO-NOT-OVERLAP: Matches are found from the left and do not overlap",
    "The first match from the left counts, and the search goes on where it ended; what follows sees what stands before.",
    "Ports search each piece anew, so that look-behinds and anchors see another start of the text.",
    _found(
        {
            "aba": ("ababa", "abababa"),
            "aa": ("aaa", "aaaaa"),
            "ab|ba": ("aba", "bab", "abba"),
            "a.": ("aaab", "a"),
            "(?<=a)b": ("abb", "ab ab"),
            "(?<!a)b": ("abb", "bab"),
            "^a": ("aa", "aab"),
            r"\Aa": ("aa", "aab"),
            r"\ba": ("aa", "a a"),
            "a+?": ("aaa", "baa"),
            "(?<=aa)a": ("aaaa", "aa"),
        },
        cuts=True,
    ),
)
SPLIT.requirement(
    "SPLIT-EMPTY-MATCHES-CUT: A match without characters cuts the text where it stands",
    "A match of no characters is no piece, but the text is cut at its place.",
    "Splitting functions leave empty matches out, or search for ever.",
    _found(
        {
            "(?=b)": ("abab", "b", "ba"),
            "(?<=b)": ("abab", "b", "ab"),
            "(?<=[a-z])(?=[A-Z])": ("camelCaseText", "aA", "Aa"),
            r"\b": ("a b", "a", "ab, c"),
            "x*": ("axb", "axxb", "x", "ab"),
            "^|$": ("a\nb", "a"),
            "(?!^)(?=1)": ("a1b1", "11"),
        },
        cuts=True,
    ),
    [
        cut(split("(?=b)", behavior, invert=invert), "abab", "ba", ("b", "abb"))
        for behavior, invert in product(BEHAVIORS, (False, True))
        if not (behavior == "Removed" and invert)
    ],
)
SPLIT.requirement(
    "SPLIT-OFFSETS: Pieces have the offsets of their characters",
    "The offsets of a piece count the code points of the text, whatever the pattern looked at to find it.",
    "Regular expressions count bytes or UTF-16 units.",
    cut(split(r"\p{L}+"), "é中 😀a😀 b", "😀é", "e\u0301e", f"a {WIDTHS} a", "𐐀1𐐀"),
    cut(split("中", literal=True), "é中😀中a", "中😀"),
    cut(split(r"\s", "Removed"), " é  😀 a", "\u3000a"),
    cut(split(r"\s", "MergedWithNext"), " é  😀 a"),
    cut(split("(?=😀)"), "a😀b😀"),
    cut(split(r"\d"), "ﬁ1é", "½a", also="fie\u03011\u20442", normalizer=component("NFKD")),
    features=("offsets",),
)
SPLIT.requirement(
    "SPLIT-IN-THE-PIPELINE: Each part of the text is searched on its own",
    "After an added token, in each given word and in each piece of an earlier pre-tokenizer, the text begins anew: anchors and look-behinds do not see what stands before.",
    "Ports search the whole text and cut the matches.",
    cut(split("^a"), "a<s>a", "ba<s>aa", "<s> a", added_tokens=[added(900, "<s>")]),
    cut(split("a$"), "aa<s>a", "a<s>", added_tokens=[added(900, "<s>")]),
    cut(split(r"(?<=\s)a"), "a a<s> a", added_tokens=[added(900, "<s>")]),
    cut([split(r"\d", "Removed"), split("^a")], "a1aa1ba"),
    cut([split("b", "MergedWithPrevious"), split("(?<=b)a")], "abab", "bba"),
    cut([split("b", "Isolated"), split("ab")], "abab"),
    case(showing("ab", pre_tokenizer=split("^a")), words(["aa", "ba", "a"])),
    cut([split(r"\s+", "Removed"), component("Digits", individual_digits=True)], "a1 b22"),
)
SPLIT.quirk(
    "MERGING-SPARES-RUNS-OF-MATCHES: Of a run of matches only one is merged",
    "MergedWithPrevious glues the first match of a run to the text before it, and each other one is a piece; MergedWithNext glues the last one to the text after it, and each other one is a piece.",
    "One would expect the run to go to its neighbour as a whole: a match is not glued to a match.",
    [
        cut(split(" ", behavior, literal=literal), "  a b  ", "a  b", "a   b", "   a", "a   ", ("   ", "a b"))
        for behavior, literal in product(("MergedWithPrevious", "MergedWithNext"), (True, False))
    ],
    [
        cut(component("Punctuation", behavior=behavior), ",,a,b,,", "a,,b", "a,!?b", ("...", "a,"))
        for behavior in ("MergedWithPrevious", "MergedWithNext")
    ],
    [
        cut(split("ab|c", behavior, invert=invert), "xabcy", "abc", "cabx", "xyabz")
        for behavior, invert in product(("MergedWithPrevious", "MergedWithNext", "Contiguous"), (True, False))
    ],
)
SPLIT.quirk(
    "SPLITTING-AT-NOTHING-GIVES-CHARACTERS: An empty pattern cuts between all characters",
    "An empty text under String, or an empty regular expression, matches before each character and at the end, so every code point is a piece, whatever the behavior.",
    "One would expect an empty pattern to be refused or to match nothing.",
    [
        cut(split("", behavior, literal=literal), "abc", "é😀e\u0301", "a b")
        for behavior, literal in product(BEHAVIORS, (True, False))
    ],
    cut(split("|a"), "ab", "aab"),
    cut(split("a{0}"), "aba"),
    cut(split("()"), "ab"),
)
SPLIT.quirk(
    "PATTERN-CANNOT-BE-READ: The attribute pattern of the Python class cannot be read",
    "In Python, Split has an attribute pattern that raises an error when it is read or set.",
    "One would expect to read what was given to the constructor.",
    not_asked="Only the Python API shows it; the file that is written has the pattern.",
)

_GOOD: Final = showing("-ab", pre_tokenizer=split("-"))
_BAD_PATTERNS: Final[tuple[Any, ...]] = (
    "-",
    None,
    {},
    {"string": "-"},
    {"String": "-", "Regex": "-"},
    {"Regex": "("},
    {"Regex": None},
)
SPLIT.requirement(
    "SPLIT-FIELDS: All three fields are required, and have one form each",
    "A file is refused if pattern is missing, null, a string, or not an object with the one member String or Regex; if behavior is missing or not one of the five names; if invert is missing or no boolean; or if the regular expression is not well formed.",
    "Ports take pattern as a string, or fill in false for invert.",
    [
        case(_GOOD, text("a-b"), refused({**_GOOD, "pre_tokenizer": given}))
        for given in (
            *(
                {name: value for name, value in split("-").items() if name != left_out}
                for left_out in ("pattern", "behavior", "invert")
            ),
            *({**split("-"), "pattern": pattern} for pattern in _BAD_PATTERNS),
            *({**split("-"), "behavior": behavior} for behavior in ("isolated", "merged_with_next", None)),
            *({**split("-"), "invert": value} for value in (None, 1)),
        )
    ],
    features=("load",),
)
SPLIT.edge(
    "SPLIT-WRITTEN: The fields are written as they were read",
    "The component is written with type, pattern in the form that it had, behavior and invert.",
    "Ports write literals as regular expressions with escapes, or normalize the pattern.",
    [
        case(showing("-ab", pre_tokenizer=each), text("a-b"), saved())
        for each in (
            *(split("-", behavior, invert=invert) for behavior, invert in product(BEHAVIORS, (False, True))),
            split("a.-", literal=True),
            split(r"(?i:A)|\x{2d}|[\r\n]|é😀\\"),
            split("", literal=True),
            split("", literal=False),
        )
    ],
    features=("save",),
)

# Published patterns --------------------------------------------------------------------------------------------------

GPT2: Final = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K: Final = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
    r"|\s+(?!\S)|\s"
)
LLAMA3: Final = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
QWEN2: Final = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
_UPPER: Final = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
_LOWER: Final = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_CONTRACTIONS: Final = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
O200K: Final = (
    rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*"
    rf"{_CONTRACTIONS}|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEKKEN: Final = O200K.replace(_CONTRACTIONS, "").replace(r"\p{N}{1,3}", r"\p{N}")
_NO_HAN: Final = r"&&[^\p{Han}]"
KIMI: Final = (
    rf"[\p{{Han}}]+|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}{_NO_HAN}]*[{_LOWER}{_NO_HAN}]+{_CONTRACTIONS}"
    rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}{_NO_HAN}]+[{_LOWER}{_NO_HAN}]*{_CONTRACTIONS}"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
BLOOM: Final = r" ?[^(\s|[.,!?…。，、।۔،])]+"
CLIP: Final = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
DEEPSEEK_V3: Final = (
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"
)
DEEPSEEK_LETTERS: Final = (
    "\\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-\u1f7d"
    "ᾀ-ᾴᾶ-ᾼ\u1fbeῂ-ῄῆ-ῌῐ-\u1fd3ῖ-\u1fdbῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤ\u2126ℨ\u212a-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿ"
    "ﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+"
)
DEEPSEEK_PUNCTUATION: Final = "\\s?[!-/:-~！-／：-～‘-‟\u3000-。]+"

_PUBLISHED_TEXTS: Final = row(
    "Hello world•Hello, y'all! How are you 😁 ?•I'm you're he'd we've don't I'll it's•"
    "I'M YOU'RE HE'D DON'T I'LL IT'S 'S•it\u2019s 'tis 'quoted' ''s•3.14 1234567 12 1234 $1,000•"
    "a1b22 1a x2y ½² Ⅷ ١٢٣٤•  leading and trailing  •a  b   c•line\nline\n\nline\n \n  x•"
    "a\r\nb\r\n\r\nc \r\n d•\n\n\n•\t\ttab\t x•a\u3000b\xa0c\u2028d \u2029e\x85f•"
    "def f(x):\n    return x**2  # note\n•a.b!c...  (d) [e] {f}•http://a.b/c?d=e&f #tag @me•!!\n?? /\n//\r\n•"
    "snake_case camelCase HTTPServer X•naïve café Straße ÉTÉ•e\u0301te\u0301 \u0301a•中文和English混排。ひらカナ 한국어•"
    "Привет, мир! Καλημέρα•नमस्ते ไทย שלום مرحبا•😀👍🏽 👨\u200d👩\u200d👧 🇩🇪•𐐀𐐨 𝒳1 𠀀•ǅa ʰa ªa \ufb01n•"
    "<|endoftext|> <s>•\x00\x1c\u200b\ufeff"
)


def _published(pre_tokenizer: Document | list[Document], *left_out: str) -> list[CaseRecipe]:
    return cut(pre_tokenizer, *(each for each in _PUBLISHED_TEXTS if each not in left_out))


SPLIT.requirement(
    "SPLIT-PATTERN-OF-GPT-2: The pattern of GPT-2 cuts as in ByteLevel",
    f"Isolated at {GPT2}, a text is cut into contractions in lower case, runs of letters, of numbers and of other characters, each with one space before it, and blanks.",
    "The look-ahead \\s+(?!\\S) leaves the last blank to the word; ports without it, or with ASCII classes, differ.",
    _published(split(GPT2)),
)
SPLIT.requirement(
    "SPLIT-PATTERN-OF-GPT-4: The pattern cl100k_base of GPT-4, with possessive quantifiers",
    f"Removed and inverted at {CL100K}, a run of letters takes one other character before it, symbols take the line breaks after them, and blanks at the end of the text are one piece. A number is one piece whatever its length, since {{1,3}}+ repeats the interval here.",
    "++, ?+ and *+ give nothing back, and {1,3}+ is possessive elsewhere: tiktoken, for which the pattern was written, cuts numbers into threes.",
    _published(split(CL100K, "Removed", invert=True)),
    links=("https://github.com/huggingface/tokenizers.js/pull/24",),
)
SPLIT.requirement(
    "SPLIT-PATTERN-OF-LLAMA-3: The pattern of Llama 3",
    f"Isolated at {LLAMA3}, contractions of any case are cut off, numbers have at most three digits counted from the left, and line breaks stay together with the blanks before them.",
    "JavaScript before 2025 and RE2 have no (?i:…) or no look-ahead; ports rewrite the pattern by hand.",
    _published(split(LLAMA3)),
    links=(
        "https://github.com/belladoreai/llama-tokenizer-js/issues/15",
        "https://github.com/ggml-org/llama.cpp/pull/6920",
    ),
)
SPLIT.requirement(
    "SPLIT-PATTERN-OF-QWEN-2: The pattern of Qwen 2: Llama 3's with single digits",
    f"Isolated at {QWEN2}, every number character is a piece; all else is as with Llama 3's pattern.",
    "Ports use Llama 3's pattern for all models of its kind.",
    _published(split(QWEN2)),
)
SPLIT.requirement(
    "SPLIT-PATTERN-OF-GPT-4O: The pattern o200k_base of GPT-4o cuts words by case",
    f"Removed and inverted at {O200K}, a word is capitals and then small letters with the contraction after it, marks belong to words, and symbols take line breaks and slashes after them.",
    "Lm, Lo and M are in both classes, and backtracking decides where capitals end: automata differ from it.",
    _published(split(O200K, "Removed", invert=True)),
    cut(split(O200K), "ABCdef", "ABC", "AbCd", "aBC", "中Ab中", "AʰB", "A\u0301b", "Ab's", "AB'S", "ǅab", "ABCd'll1"),
    links=("https://github.com/meta-pytorch/tokenizers/pull/38",),
)
SPLIT.requirement(
    "SPLIT-PATTERN-OF-TEKKEN: The pattern of Mistral's Tekken: GPT-4o's without contractions",
    f"Isolated at {TEKKEN}, words are cut by case, and every number character is a piece.",
    "Ports use GPT-4o's pattern, and glue contractions to words.",
    _published(split(TEKKEN)),
)
SPLIT.requirement(
    "SPLIT-PATTERN-OF-KIMI-K2: The pattern of Kimi K2 intersects classes",
    f"Isolated at {KIMI}, runs of Han characters are pieces, and the classes of letters leave Han out with &&.",
    "&& in a class is an operator here, and two ordinary characters in PCRE, Python and RE2.",
    _published(split(KIMI)),
)
SPLIT.requirement(
    "SPLIT-PATTERN-OF-BLOOM: The pattern of BLOOM has a bracket inside of brackets",
    f"Isolated at {BLOOM}, the inner [ opens a class of its own, so that ) and ] and what follows are read as they stand.",
    "In most engines [ inside of brackets is a character, and the class ends at another place.",
    _published(split(BLOOM)),
)
SPLIT.requirement(
    "SPLIT-PATTERN-OF-CLIP: The pattern of CLIP leaves blanks out",
    f"Removed and inverted at {CLIP}, pieces are contractions, letters, single numbers and symbols; blanks are lost.",
    "Ports keep what no alternative matches.",
    _published(split(CLIP, "Removed", invert=True), "\n\n\n"),
)
SPLIT.requirement(
    "SPLIT-PATTERNS-OF-DEEPSEEK-LLM: The five patterns of DeepSeek LLM and Coder work one after the other",
    "Line breaks, letters of a long list of ranges with one blank before them, punctuation with one blank before it, blanks at the end, and Han with Hangul are set apart in this order, then single digits.",
    "\\s? takes U+2028, U+2029 and line breaks too, and ranges of the lists go beyond U+FFFF.",
    _published(
        [
            split("[\r\n]"),
            split(DEEPSEEK_LETTERS),
            split(DEEPSEEK_PUNCTUATION),
            split(r"\s+$"),
            split("[一-龥ࠀ-一가-퟿]+"),
            component("Digits", individual_digits=True),
        ]
    ),
    links=("https://github.com/ggml-org/llama.cpp/pull/7530", "https://github.com/ggml-org/llama.cpp/pull/6920"),
)
SPLIT.requirement(
    "SPLIT-PATTERNS-OF-DEEPSEEK-V3: The three patterns of DeepSeek V3 and R1 work one after the other",
    "Numbers of up to three digits are set apart first (\\p{N}{1,3}), then Han and kana ([一-龥぀-ゟ゠-ヿ]+), then the parts of the rest by a pattern in which a punctuation character with ASCII letters is one piece.",
    "Each pattern sees the pieces of the one before it, so look-aheads end where a piece ends.",
    _published([split(r"\p{N}{1,3}"), split("[一-龥぀-ゟ゠-ヿ]+"), split(DEEPSEEK_V3)]),
)
SPLIT.requirement(
    "SPLIT-PATTERN-THEN-BYTE-LEVEL: Split and then ByteLevel without its regex, as in Llama 3, Qwen and GPT-4o",
    "The pieces of the pattern are written in bytes and not cut again; offsets are those of the text.",
    "Ports cut by GPT-2's pattern once more, or apply the pattern to the bytes.",
    [
        cut(
            [each, component("ByteLevel", add_prefix_space=False, trim_offsets=False, use_regex=False)],
            "I'M 1234 naïve",
            "a\r\n  b 中文",
            "😀 e\u0301",
            also=BYTE_CHARACTERS,
        )
        for each in (split(LLAMA3), split(QWEN2), split(O200K, "Removed", invert=True))
    ],
)
SPLIT.requirement(
    "SPLIT-PATTERNS-OF-DIGITS-AND-BLANKS: Smaller patterns of published tokenizers",
    "Digits in threes from the right, single numbers, runs of blanks, edges of camel case, and Han against all else are cut by look-arounds, intervals and properties.",
    "Each has a construct that some engine lacks: look-behind, nested look-ahead, intervals with a minimum, scripts.",
    _found(
        {
            r"(?=(\d{3})+(?!\d))": ("1234567", "123", "12", "1,234567 x1234"),
            r"\d{1,3}(?=(?:\d{3})*\b)": ("1234567", "123456", "12", "1234x", "12345 1"),
            r"\A\p{Nd}{1,2}(?=\p{Nd}{3}+\z)": ("12345", "1234567", "123", "a12345"),
            r"\p{N}": ("a12½", "Ⅷ1"),
            " {2,}": ("a  b c   d", " a "),
            r"(?:[ ]{2,24}|\t+)": ("a  b\t\tc", " a\t", f"a{' ' * 26}b"),
            r"^\s+|\s+$": (" a \n b ", "a", "  "),
            r"\p{Han}+|\P{Han}+": ("中文a字", "ab", "ひ中"),
            "(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])": ("camelCaseHTTPServer", "ABc", "aB"),
            r"[\(\)\[\]\{\}]|([!\"\#\$%\&'\*\+,\-\./:;<=>\?\\\^_`\|\~])\1*": ("a((b!!?", "--==[x]"),
            "[^\u0590-\u05ff\x00-\x7f]+": ("aéאb中", "éé"),
        },
        cuts=True,
    ),
)

# Regular expressions -------------------------------------------------------------------------------------------------

REGEX = Area(
    "Regex",
    "Regular expressions",
    "pre_tokenize",
    'The language of {"Regex": …} in Split and Replace, and of the pattern that ByteLevel has built in: Oniguruma 6.9 with the syntax of Ruby on UTF-8, and Unicode 16.0. A search goes from the left and tries alternatives and repetitions in order, taking back what does not lead to a match. Matches do not overlap. Most cases keep the matches alone: a Split with the behavior Removed and invert.',
)

SAMPLE: Final = (
    "AaÉéßǅʰªא中\u0301\u0903\u20dd1٣Ⅷ²½_-()«»!+$^© "
    "\xa0\u2028\u2029\n\t\r\x0b\x0c\x85\x00\x1c\x7f\u200d\ue000\u0378\U00010400\U00010428\U00020000\U0001d7ce\U0001f600ひカБαيก한क"
)
"""A character of each category, and of some scripts."""

# Matching

REGEX.requirement(
    "REGEX-ALTERNATIVES-IN-ORDER: Of several alternatives the first that leads to a match counts",
    "Alternatives are tried from left to right, and the first with which the whole pattern matches is taken, even where another one is longer; an empty alternative matches nothing at all.",
    "Automata (RE2, Go's leftmost-longest, DFA engines) take the longest.",
    _found(
        {
            "a|ab": ("ab", "aab"),
            "ab|a": ("ab", "aab"),
            "(?:a|ab)c": ("abc", "ac", "aabc"),
            "(?:a|ab)(?:c|bcd)(?:d*)": ("abcd", "abcdd", "ac"),
            "'s|'|s": ("a's", "s'"),
            "a|b|ab": ("ab", "ba"),
            "a||b": ("ab", "ba"),
            "(?:|a)b": ("ab", "b"),
            "(a|b|c)+": ("abxc", "d ab"),
            "x|(?:y|z)|a": ("xyza b", "zz a"),
            "(?:ab|a)*b": ("abab", "aab", "ab"),
            "(?:a|b|)+c": ("abc", "c", "aabd c"),
        }
    ),
)
REGEX.requirement(
    "REGEX-GREEDY-AND-LAZY: Quantifiers take as much as they can, lazy ones as little",
    "?, * and + take as many rounds as possible and give them back one by one; ??, *? and +? take as few as possible and one more at a time.",
    "Engines without backtracking have no lazy quantifiers, or swap the two.",
    _all((f"a{sign}b?" for sign in ("?", "*", "+", "??", "*?", "+?")), "aaab", "ab", "b a", "xaa"),
    _all(("a.*b", "a.*?b", "a.+b", "a.+?b", "a.?b", "a.??b"), "axbxb", "abb", "ab xaxxb"),
    _all((".*", ".*?", ".+?", "a*?$", "^a*?"), "aab", "a", cuts=True),
    found("(?:a|b)*?c", "abc", "xcabc"),
    found("<.+?>|<.+>", "<a><b>", "<>a>"),
)
REGEX.requirement(
    "REGEX-POSSESSIVE-AND-ATOMIC: Possessive quantifiers and atomic groups give nothing back",
    "?+, *+ and ++ and (?>…) keep the first way in which they matched, even if the rest of the pattern then fails.",
    "Ports leave the + out, which gives other pieces for cl100k_base, or have an engine that refuses it.",
    _found(
        {
            "a*+a": ("aaa", "xa"),
            "a++b": ("aab", "b"),
            "a?+a": ("a", "aa", "aaa"),
            "a?+b": ("ab", "b"),
            "(?>a*)a": ("aaa", "xa"),
            "(?>a|ab)c": ("abc", "ac"),
            "(?>ab|a)c": ("abc", "ac"),
            "(?:ab|a)*+b": ("abab", "aab", "ab"),
            "(?>a+)b|a": ("aab", "aac"),
            r"\s++$|\s": ("a  ", "a  b", " \n"),
            r"[^a]?+a++": ("xaa", "aa", "xxa"),
            "(?>(?:a|ab)(?:c|bcd))d?": ("abcd", "acd"),
        },
        cuts=True,
    ),
    links=("https://github.com/huggingface/tokenizers.js/pull/24",),
)
REGEX.requirement(
    "REGEX-INTERVALS: {n}, {n,} and {n,m} count rounds",
    "{n} takes exactly n rounds, {n,} at least n, {n,m} at least n and at most m; a ? after {n,} or {n,m} makes it lazy. n and m are at most 100,000.",
    "Both limits are met off by one; \\p{N}{1,3} is in most newer tokenizers.",
    _all(
        ("a{2}", "a{2,}", "a{1,2}", "a{2,3}", "a{0,1}", "a{0}b", "a{1}", "a{0,0}b", "a{2,}?", "a{1,2}?", "a{2,3}?"),
        "aaaaa",
        "ab aab aaab",
        "b",
    ),
    _all((r"\d{1,3}", r"\d{3}", r"\d{3,}", "(?:ab){2}", "(?:ab){1,2}c", "(ab){2}"), "1", "12", "1234567", "ababab abc"),
    found("a{3}", "a" * 7),
    found("a{12}", "a" * 25),
    found("a{2,12}b", f"{'a' * 13}b"),
    found("(?:ab){11}", "ab" * 23),
    found("(?:a|b){12}c", f"{'ab' * 7}c"),
    found("(?:ab?){3,11}c", f"{'ab' * 12}c"),
    found("[ab]{100}", "ab" * 51),
    found("a{100000}|b", "ab"),
)
REGEX.edge(
    "REGEX-BRACE-AS-TEXT: A brace that starts no interval is a character",
    "{ stands for itself where no interval follows: {, {a}, {,}, {1 and {1,a} are text, and so are } and ] alone.",
    "Engines refuse it, or take {,} for {0,}.",
    _found(
        {
            "{": ("a{b", "{{"),
            "a{": ("a{", "aa{{"),
            "}": ("a}b", "{}"),
            "]": ("a]b", "[]"),
            "a{,}": ("a{,}a", "aa"),
            "a{x}": ("a{x}", "ax"),
            "a{1": ("a{1", "a1"),
            "a{1,": ("a{1,", "a1,"),
            "{a": ("x{a", "a"),
            "a{ 1}": ("a{ 1}a", "a"),
            "{}": ("a{}", "{ }"),
        }
    ),
)
REGEX.edge(
    "REGEX-NESTED-QUANTIFIERS: A quantifier on a quantifier repeats what was repeated",
    "Quantifiers can follow each other, and (?:a+)? and the like are simplified to one: ?, * and + in each other give the widest of both.",
    "Ports take ++ after a group for possessive only, or refuse a second quantifier.",
    _all(
        (
            f"(?:a{inner}){outer}b"
            for inner in ("?", "*", "+", "??", "*?", "+?")
            for outer in ("?", "*", "+", "??", "*?", "+?")
        ),
        "aab",
        "b",
        "aaa ab",
    ),
    _all(
        (f"(?:a{inner}){outer}" for inner in ("{2}", "{1,2}") for outer in ("{2}", "{1,2}", "{2}?", "*", "+?")),
        "xaaaaa",
        "ab aab",
        cuts=True,
    ),
    _all(("a**", "a+?*", "a?+*", "a{2}{3}", "a{2}{1,2}", "a+{2}", "a*{2,3}", "a+{1,2}"), "aaaaaaab", "ba", cuts=True),
)
REGEX.edge(
    "REGEX-EMPTY-ROUNDS: A round that matches nothing ends a repetition",
    "Where the repeated part matches without characters, the repetition ends and the pattern goes on.",
    "Engines loop for ever, refuse such patterns, or drop what the round before had taken.",
    _all(
        row(
            "(?:)*a (?:|a)*b (?:|a)+b (?:a|)*b (?:a|)+b (?:a*)*b (?:a*?)*?b (?:a??)*b (?:|a|ab)+c "
            "(?:|aa|a){2}b (?:|aa|a){2,3}b (?:|a){2,}b (?:|a){2}?b (?:a|b|){1,3}c (?:a?){3}a{3} (?:a{0})b "
            "(?:a?b??)*c (?:a?|b)*c (?:(?=a)|b)a (?:a*b?){2,4}c (?:a?){12}b (?:|a){12,}b"
        ),
        *row("ab•aaab•abc•b c•aabbc"),
    ),
)

# Characters

REGEX.requirement(
    "REGEX-CHARACTERS-STAND-FOR-THEMSELVES: A character without a meaning matches itself, and so does an escaped one",
    "Only \\ . * + ? | ( ) ^ $ [ and { have meanings; all other characters match themselves, white space and # included. A backslash before a character without a meaning of its own is dropped.",
    "Ports run in an extended mode in which blanks do not count, or refuse escapes that they do not know.",
    [found(each, f"a{each}b", f"{each}{each}") for each in ("é", "中", "😀", " ", "-", ",", "#", "&&", "/", '"', "~")],
    [found(f"\\{each}", f"a{each}b", f"{each}\\{each}") for each in row(".•*•+•?•|•(•)•^•$•[•]•{•}•\\•-•#•/• •é•q")],
    _found(
        {
            r"\<": ("<a", "a<"),
            r"\`": ("`a", "a"),
            r"\'": ("'a", "a'"),
            r"\E": ("E.", "e"),
            r"\L": ("aL", "l"),
            r"\u": ("u0", "a"),
            r"\p": ("ap", "L"),
            r"\P": ("aP", "p"),
            "a b": ("a b", "ab"),
            "#a": ("#a", "a"),
            "ab": ("ab", "aab", "abab"),
            "e\u0301": ("ae\u0301", "éae"),
        }
    ),
)
REGEX.requirement(
    "REGEX-ESCAPES-OF-CONTROLS: Controls have escapes",
    "\\t is U+0009, \\n U+000A, \\v U+000B, \\f U+000C, \\r U+000D, \\a U+0007 and \\e U+001B; \\cA, \\C-a are U+0001 and \\c? is U+007F.",
    "\\a, \\e and \\v are other things in other engines.",
    _all(
        row(r"\t \n \v \f \r \a \e \cA \ca \C-a \c? \c\\ [\t\e] [\cA]"),
        "\x00a\x01b\x07\x08\t\n\x0b\x0c\r\x1b\x1c\x7f\x85\u2028 tnvfrae",
    ),
    found(r"\n+|\r\n", "a\r\n\nb"),
)
REGEX.edge(
    "REGEX-ESCAPES-OF-CODE-POINTS: Code points can be written as numbers",
    "\\uHHHH has four hexadecimal digits; \\x{H…} and \\o{O…} have a code point in hexadecimal or octal, or several with blanks between, of which a quantifier repeats the last; \\xHH and \\OOO are one byte of UTF-8, which is a character below U+0080.",
    "\\u{41} and \\U are not known here, and \\xe9 is no é.",
    _found(
        {
            r"\u0061": ("ba", "A"),
            r"\u00e9": ("aéb", "e\u0301"),
            r"\uffff": ("a\uffff", "a"),
            r"\x61": ("ba", "A"),
            r"\x6": ("a\x06", "6"),
            r"\x": ("a\x00", "x"),
            r"\xg": ("a\x00g", "xg"),
            r"\x{61}": ("ba", "A"),
            r"\x{e9}": ("aé", "e"),
            r"\x{1F600}": ("a😀", "a"),
            r"\x{10ffff}": ("a\U0010ffff", "a"),
            r"\x{61 62}": ("ab a", "b"),
            r"\x{61 62}+": ("abbab", "b a"),
            r"\x{}": ("x{} a", "x"),
            r"\x{g}": ("x{g} a", "g"),
            r"\o{141}": ("ba", "A"),
            r"\o{141 142}": ("cab", "a"),
            r"\o": ("ao", "0"),
            r"\141": ("ba", "A"),
            r"\0": ("a\x00", "0"),
            r"\012": ("a\n", "1"),
            r"\0123": ("a\n3", "\n"),
            r"\18": ("a\x018", "8"),
            r"\81": ("a81", "1"),
            r"\M-\C-a": ("a\x81", "\x01"),
            r"[\x61-\x63]": ("abcd", "-"),
            r"[\u0061-\u0063]": ("abcd", "-"),
            r"[\x{61}-\x{63}]": ("abcd", "-"),
            r"[\x{61-63}]": ("abcd", "-"),
            r"[\x{61 63-65 e9}]": ("abcdefé", " "),
            r"[\o{141-143}]": ("abcd", "-"),
            r"[\0-\177]": ("a\x7f\x80", "é"),
            r"[\x{1F600}-\x{1F64F}]": ("\U0001f5ff😀\U0001f64f\U0001f650", "a"),
        }
        | dict.fromkeys(
            (r"\xc3\xa9", r"\303\251", r"\xe4\xb8\xad+", r"\xf0\x9f\x98\x80", r"[\xc3\xa9]", r"[\303\251]"),
            ("aé中😀Ãÿ", "ÿ"),
        )
        | {
            written: (f"a{WIDTHS}\u00c0\u0fff\U0010ffffb", "a")
            for bytes_ in row(r"\xc2\x80 \xdf\xbf \xe0\xa0\x80 \xef\xbf\xbf \xf0\x90\x80\x80 \xf4\x8f\xbf\xbf")
            for written in (bytes_, f"[{bytes_}]")
        }
    ),
)
REGEX.edge(
    "REGEX-DOT-AND-ITS-KIN: \\N is any character but a line feed, \\O is any character",
    "\\N matches every code point but U+000A, \\O every code point; both match one code point of any width.",
    "\\O is unknown elsewhere; in ports . or \\O take a byte or a unit of UTF-16.",
    _all((r"\N", r"\O", ".", "(?m:.)"), "a\nb\r\n", "é中😀e\u0301", "\u2028\x85\x0b\x00"),
    found("..", "é中😀a\nbc"),
    found("a.b", "a\nb a\rb a😀b"),
)

# Classes

REGEX.requirement(
    "REGEX-WORD-CHARACTERS: \\w is letters, marks, decimal digits and connectors of all scripts",
    "\\w matches characters with the property Alphabetic and those of category M, Nd and Pc (and a few more, see below); \\W all others.",
    "\\w is ASCII in JavaScript, RE2 and Go, and has no marks in Python.",
    _all((r"\w", r"\W", r"[\w]", r"[^\w]", r"[\W]", r"\p{Word}", r"\P{Word}", "[[:word:]]"), SAMPLE),
    found(r"\w+", "foo_bar-1 né e\u0301te नमस्ते", "中文, ひらがな 한국어", "١٢٣ x²"),
    found(r"\w", "\u2160\u24b6\u203f\u0488\u200c\u200d\ua7cd\ua7ce\u2070①", name=r"\w, single characters"),
)
REGEX.requirement(
    "REGEX-DIGITS: \\d is category Nd",
    "\\d matches the decimal digits of all scripts and no other numbers; \\D all others.",
    "\\d is ASCII in JavaScript, RE2 and Go.",
    _all((r"\d", r"\D", r"[\d]", r"[^\d]", r"\p{Digit}", "[[:digit:]]", r"\p{Nd}"), SAMPLE),
    found(r"\d+", "a12 ٣٤ ५६ １２ \U0001d7ce1 ²½Ⅷ①"),
)
REGEX.requirement(
    "REGEX-WHITE-SPACE: \\s is White_Space",
    "\\s matches the 25 characters with White_Space, U+0085, U+00A0 and U+3000 among them; \\S all others, U+001C to U+001F, U+180E, U+200B and U+FEFF among them.",
    "\\s is ASCII in RE2 and Go, has U+FEFF in JavaScript, and U+001C to U+001F in Python.",
    _all((r"\s", r"\S", r"[\s]", r"[^\s]", r"\p{Space}", "[[:space:]]"), SAMPLE, f"a{WHITE_SPACE}"),
    found(
        r"\S",
        "\x08\x0e\x1b\x1c\x1d\x1e\x1f\x84\x86\u167f\u180e\u1fff\u200b\u2027\u202a\u2060\u2fff\u3001\ufeff ",
        name=r"\S, neighbours",
    ),
    found(r"\s+", f"a{WHITE_SPACE}b \n c"),
    [
        found(r"\s", f"a{each}b{each}{each}", name=rf"\s, {codes(each)}")
        for each in row("\x0b•\x85•\xa0•\u1680•\u2000•\u200a•\u2028•\u2029•\u202f•\u205f•\u3000")
    ],
)

_CATEGORIES: Final = row(
    "L Lu Ll Lt Lm Lo LC M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co Cn"
)

REGEX.requirement(
    "REGEX-CATEGORIES: \\p{…} matches a general category, \\P{…} all else",
    "\\p{L}, \\p{Lu} and all other general categories match the characters of them, in all planes; \\P{L} and \\p{^L} match all others, and \\P{^L} the category again. Inside of brackets they are members.",
    "Engines know a few of them, only ASCII, or only the first 65,536 characters.",
    _all((rf"\p{{{name}}}" for name in _CATEGORIES), SAMPLE),
    _all((rf"[^\P{{{name}}}]" for name in ("L", "Lu", "M", "N", "P", "S", "Z", "C", "Cn")), SAMPLE),
    _all(
        (r"\P{L}", r"\p{^L}", r"\P{^L}", r"[\p{L}]", r"[\P{L}]", r"[\p{^L}]", r"[^\p{L}\p{N}\s]", r"[\p{L}\p{M}]+"),
        SAMPLE,
    ),
    found(r"\p{L}+", "né中😀\U00010400\U00020000\U0001d400 1"),
)
REGEX.edge(
    "REGEX-PROPERTY-NAMES: Properties have long names too, and case, blanks, - and _ do not count",
    "Categories and scripts can be written with their long names; upper and lower case, blanks, hyphens and low lines in a name make no difference.",
    "Engines compare names as they stand.",
    _all(
        row(
            r"\p{Letter}•\p{letter}•\p{Lowercase_Letter}•\p{lowercaseletter}•\p{LOWERCASE-LETTER}•"
            r"\p{lowercase letter}•\p{ l }•\p{lu}•\p{Decimal_Number}•\p{Cased_Letter}•\p{Other_Punctuation}•"
            r"\p{Open_Punctuation}•\p{Space_Separator}•\p{Math_Symbol}•\p{Nonspacing_Mark}•\p{Control}•"
            r"\p{Unassigned}•\p{LATN}•\p{Hani}"
        ),
        SAMPLE,
    ),
)

REGEX.requirement(
    "REGEX-SCRIPTS: \\p{…} matches a script",
    "\\p{Han}, \\p{Latin} and other names of scripts match the characters whose property Script is that.",
    "Engines know \\p{Script=Han} or \\p{IsHan} in its place, or a block.",
    _all(
        (
            rf"\p{{{name}}}"
            for name in row(
                "Latin Greek Cyrillic Han Hiragana Katakana Hangul Arabic Hebrew Thai Devanagari Common "
                "Inherited Deseret Unknown"
            )
        ),
        SAMPLE + "〇々ー。ｶ\u3105",
    ),
    found(r"\p{Han}+", "漢字かな交じり文〇々\U00020000ab"),
    found(r"\P{Han}+", "漢字かな交じり文"),
    found(r"[\p{Han}\p{Hiragana}]+", "漢字かなカナ"),
)

REGEX.edge(
    "REGEX-BINARY-PROPERTIES: \\p{…} matches other properties and blocks",
    "\\p{Any}, \\p{Assigned}, \\p{Alphabetic}, \\p{Uppercase}, \\p{White_Space}, \\p{Emoji}, \\p{Ideographic} and other binary properties are known, and blocks with In_ before their names.",
    "Engines have different lists of properties.",
    _all(
        (
            rf"\p{{{name}}}"
            for name in row(
                "Any Assigned ASCII Alphabetic Uppercase Lowercase White_Space Emoji Emoji_Presentation "
                "Extended_Pictographic Ideographic Cased Math ID_Start XID_Continue Dash Hex_Digit Diacritic "
                "In_Basic_Latin In_Latin_1_Supplement In_CJK_Unified_Ideographs InHiragana"
            )
        ),
        SAMPLE,
        "aF09#-\u2014👍🏽",
    ),
)

_POSIX: Final = row("alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit")

REGEX.edge(
    "REGEX-POSIX-BRACKETS: [[:alpha:]] and its kin match characters of all scripts",
    "Inside of brackets [:name:] is a set, [:^name:] all else, for alnum, alpha, ascii, blank, cntrl, digit, graph, lower, print, punct, space, upper, word and xdigit; all but ascii and xdigit have characters beyond ASCII. \\p{name} is the same set, but for punct.",
    "They are ASCII in RE2, Go and PCRE without UCP, and unknown to JavaScript and Python.",
    _all((f"[[:{sign}{name}:]]" for name in _POSIX for sign in ("", "^")), SAMPLE, "a\x1fF g"),
    _all(
        (
            rf"\p{{{name}}}"
            for name in ("Alnum", "Alpha", "Blank", "Cntrl", "Graph", "Lower", "Print", "Upper", "XDigit")
        ),
        SAMPLE,
        "aF g",
    ),
    _all(
        ("[[:alpha:][:digit:]]", "[[:alpha:]_]", "[^[:alpha:]]", "[:alpha:]", "[[:alpha:]-]", "[[:alpha:]]+"),
        "ab1_-: hl[p]",
    ),
    found("[[::]]", ":] a", "[:]"),
)
REGEX.requirement(
    "REGEX-BRACKETS: Brackets match one of their members, or with ^ one of no member",
    "[abc] matches one of its members, [a-c] one from a to c by code point, [^…] one that is none; . $ | ( * and the like are members as they stand. A line feed is matched by [^a] too.",
    "Negated brackets leave line feeds out in some engines, and ranges go by code unit in others.",
    _all(
        row(r"[a] [^a] [ab] [a-c] [^a-c] [a-cx-z] [a^] [\^a] [&] [a&b] [.] [$^] [|] [(] [*+?]"), "abcdwxyz^&.$|(*+?\n-"
    ),
    _all(
        ("[à-ÿ]", "[\u4e00-\u9fff]", "[😀-😂]", "[^a-z]+", "[\U00010400-\U0001044f]", "[\uff01-\U00010000]", "[^😀]"),
        "aàÿ\u0100\u4dff\u4e00\u9fff\ua000\ud7ff\ue000\U0001f5ff😀😂😃\U00010400\uffff\U00010000\n",
    ),
    _all(("[ -~]", "[!-/:-@\\[-`{-~]", "[A-z]", "[0-9A-Fa-f]"), "".join(map(chr, range(0x80)))),
    found("[abc]+", "abcd cab"),
    found("[^abc]+", "abcd\ncab é"),
)
REGEX.edge(
    "REGEX-BRACKETS-DASH-AND-CLOSING: ] at the start and - where no range can be are members",
    "] directly after [ or [^ is a member if another ] follows. - is a member at either end, before &&, and after a range.",
    "In JavaScript [] is an empty class, and with its flag v a dash needs a backslash.",
    _all(
        row(
            "[]a] [^]a] []] []-a] [a-] [-a] [^-a] [--/] [!--] [a-c-e] [a-c-] [a\\-c] [a-z&&-]|b [a-&&-] "
            "[\\w-] [-\\w] [\\d.-] [a[b-c]-d] [\\]-a] [\\[\\]] [-] [--]"
        ),
        "abcde-]^[.!,/1&_`",
    ),
)

REGEX.edge(
    "REGEX-BRACKETS-ESCAPES: Escapes stand for the same inside of brackets, but \\b is a backspace and anchors are letters",
    "\\w, \\d, \\s, \\h, \\p{…} and their negations are members; \\n, \\t and numbers are characters; \\b is U+0008; \\R, \\X, \\A, \\z, \\G and \\K are the letters.",
    "\\b in brackets is an error or a boundary in some engines.",
    _all(
        row(
            r"[\b] [\n-\r] [\s\S] [^\s\S]|a [\w.] [\W] [^\W] [\d\s] [\D] [^\D\S]|a [\h] [\H] [\R] [\X] "
            r"[\A\z\G\K] [\.\*] [\8\9] [\x] [\x{}] [\p] [\q] [\\] [^\p{L}\p{N}\s] [^\r\n\p{L}\p{N}] [\P{L}a]"
        ),
        "aRXAzGKqupx{}.*89 \n\r\t\x08\x0b\x00\\éF_",
    ),
)

REGEX.requirement(
    "REGEX-BRACKETS-IN-BRACKETS: A bracket opens a class of its own inside of brackets",
    "[ inside of brackets begins a class that is joined to the outer one; ^ in the inner class is for that one only.",
    "In most engines [ inside of brackets is a character.",
    _all(
        row(
            r"[[a]] [[a][b]] [a[b]c] [^a[^b]] [[^a]b] [^[a]] [[a-c]x] [a[b[c]]] [[^a-y]] [a[^a]] [[a]-] "
            r"[(\s|[.,])]+ [\[a]"
        ),
        "abcxyz[]^-. ,(|)",
        "a]b]",
    ),
)
REGEX.requirement(
    "REGEX-BRACKETS-INTERSECTION: && in brackets intersects",
    "[x&&y] matches what is in both; each side is all that stands there, so && binds less than standing side by side, and ^ negates the whole. An empty side has nothing.",
    "&& is two ordinary characters in Python, PCRE and Go.",
    _all(
        row(
            r"[[a-z]&&[aeiou]] [a-z&&[^aeiou]] [a-w&&[^c-g]z] [a&&a&&a] [^a&&a] [^a-z&&a-c] [a-z&&aeiou] "
            r"[a-e&&c-g&&d-z] [\p{L}&&[^\p{Lu}]] [\w&&[^\d_]] [^\w&&\S] [\p{L}\p{M}&&[^\p{Han}]] "
            r"[a-c&&[b-d]x] [&&a]|b [a&&]|b [a&&b]|c [a&b] [a-z&&[^b]&&[^c]]"
        ),
        "abcdefgxyzAB&1_ !中\u0301",
    ),
)

# Places

REGEX.requirement(
    "REGEX-TEXT-ANCHORS: \\A and \\z are the ends of the text, \\Z also before a last line feed",
    "\\A holds at the start of the text, \\z at its end, \\Z there and before a line feed that ends it.",
    "\\Z is \\z in Python, and JavaScript and Go have others.",
    _all(
        (r"\Aa", r"a\z", r"a\Z", r"\A", r"\z", r"\Z", r"\s+\z", r"\s+\Z", r"\A\s", r"\Aa\z", r"\A.|.\z", r"(?m)\Aa"),
        *row("aba•a\n•\na\na\n\n•a a "),
        cuts=True,
    ),
)
REGEX.requirement(
    "REGEX-WORD-BOUNDARIES: \\b is between a word character and another, \\B elsewhere",
    "\\b holds where a character of \\w stands on one side only, the ends of the text counting as none; \\B everywhere else.",
    "\\b knows ASCII letters alone in JavaScript, RE2 and Go.",
    _all(
        (r"\b", r"\B", r"\ba", r"a\b", r"\Ba", r"a\B", r"\b\w+\b", r"\b.", r"\B."),
        *row("a ba, aab•éa a\u0301 x²y•中a 文!a•a• •_a-a1"),
        cuts=True,
    ),
    found(r"\bé", "é aé é", "e\u0301é"),
)
REGEX.edge(
    "REGEX-SEARCH-START: \\G is where the search begins",
    "\\G holds at the start of the text and where the last match ended.",
    "Few engines have it.",
    _all((r"\Ga", r"\G\w", r"\G", r"\Ga|b", r"(?:\G|b)a"), "aab aa", "baa", " a", cuts=True),
)
REGEX.requirement(
    "REGEX-LOOK-AHEAD: (?=…) and (?!…) look at what follows",
    "(?=…) holds where its pattern matches what follows, (?!…) where it does not; nothing is taken. What a positive one captured stays known.",
    "RE2 and Go have neither, and ports drop them from the pattern.",
    _all(
        row(
            "a(?=b) a(?!b) (?=a) (?!a) \\s+(?!\\S)|\\s+ \\s+(?!\\S) \\s+(?=\\S) (?=(a))a (?!(a))b (?=.*b)a "
            "(?=a*?b)a (?!)|b (?=) (?=ab)a|b (?!ab)a a(?=b|$) a(?!b|$) (?=(ab))\\1 (?=(?!b)). (?!(?!b)). "
            "a(?=\\z) (?=[ab])\\w(?!\\w)"
        ),
        *row("ab a aab•a  b   •bab\na•b"),
        cuts=True,
    ),
    links=("https://github.com/meta-pytorch/tokenizers/pull/38",),
)

REGEX.requirement(
    "REGEX-LOOK-BEHIND: (?<=…) and (?<!…) look at what stands before",
    "(?<=…) holds where its pattern matches text that ends here, (?<!…) where it does not; they see all the text before, earlier matches included.",
    "RE2 and Go have neither, and older JavaScript engines refuse the pattern.",
    _all(
        row(
            r"(?<=a)b (?<!a)b (?<=\s)a (?<!\S)\w (?<=(a))b (?<=a|bc)x? (?<!a|bc)x (?<=^)a (?<=^|,)a "
            r"(?<=(?<=a)b)c (?<!(?<!a)b)c (?<!(?<=a)b)c (?<=.)a (?<=)a (?<!)|a (?<=(?>a|ab))c (?<=\p{L}{2})\d "
            r"(?<=a)(?<!ba)b (?<=\b)a (?<=$)a (?<=[ab]c)x (?<!\d)(?=\d) (?<=ab)"
        ),
        *row("ab bc abc•ax bcx abcx•a,a\na 1ab12•b a"),
        cuts=True,
    ),
)

REGEX.edge(
    "REGEX-LOOK-BEHIND-OF-VARYING-LENGTH: A look-behind can have repetitions and alternatives of different lengths",
    "Inside of a look-behind ?, *, +, intervals and alternatives of any lengths are allowed, up to 65,535 characters; the nearest start is tried first.",
    "PCRE, Python and Ruby's older engines refuse them.",
    _all(
        row(
            "(?<=a*)b (?<=a+)b (?<!a+)b (?<=a?b)c? (?<=ab?)x? (?<!ab?)x (?<=a(?:b|cd))x? (?<=a{1,2}b)x? "
            "(?<=^a*)b (?<=.*b)a (?<=a\\R)b (?<=ab??|\\B)x? (?<=a??|\\B)x? (?<=\\Ba?)x? (?<=(a|ab)c)x? "
            "(?<=ab|b)c (?<=a.*)x (?<!a.*)x (?<=(a*))b\\1 (?<=\\X)a (?<=a+?b)c"
        ),
        *row("ab abb aabx•abcx acdx bx•a\nb b x•xaab bc"),
        cuts=True,
    ),
)

REGEX.edge(
    "REGEX-LOOK-BEHIND-LIMITS: Some constructs are refused in look-behinds",
    "Look-aheads, \\z and \\Z are refused in any look-behind; captures are refused in a negative one, negative look-behinds in a positive one; so is one that is longer than 65,535 characters, or in which only repeats that can be empty follow each other.",
    "Other engines take them, or refuse others.",
    _refused(
        *row(
            r"(?<=(?=a))b (?<=(?!a))b (?<!(?=a))b (?<=\z)a (?<=\Z)a (?<!(a))b (?<=(?<!a)b)c (?<=a?b?)c "
            r"(?<!a*b{0,2})c (?<=x|a?b*)c (?<=a{65536})b"
        )
    ),
)

REGEX.edge(
    "REGEX-KEEP: \\K lets the match start here",
    "What was matched before \\K has to be there, but is not part of the match.",
    "Few engines have it; ports leave it out.",
    _all(
        (r"a\Kb", r"\Ka", r"ab\K", r"\w+\K\s", r"a\Kb|b", r"(?:a\K)?b", r"\s\K\w"),
        "ab aab",
        "b ab a",
        "aa b ",
        cuts=True,
    ),
)
REGEX.edge(
    "REGEX-LINE-BREAKS: \\R is any line break, CR LF as one",
    "\\R matches CR LF together, and else U+000A to U+000D, U+0085, U+2028 or U+2029; it never gives back the LF of a CR LF.",
    "Engines without it are given \\r?\\n.",
    _all(
        (r"\R", r"\R+", r"\R\n", r"\R?a", r"a\R", r"\R{2}"),
        *row("a\r\nb\n\rc•\x0b\x0c\x85\u2028\u2029\x1c•\r\n\r\na\n•a\r\n\na"),
    ),
)
REGEX.edge(
    "REGEX-CLUSTERS: \\X is a grapheme cluster, \\y and \\Y are at and inside of its ends",
    "\\X matches an extended grapheme cluster of Unicode 16.0 as a whole, but for Indic conjuncts; \\y holds between two clusters and \\Y inside of one.",
    "\\X is missing or has older rules: emoji with joiners and flags fall apart.",
    _all(
        (r"\X", r"\y", r"\Y", r".\Y.", r"\y\X\y", r"\Xb", r"\X{2}"),
        *row("ae\u0301b•a\r\nb\n\r•👩\u200d👧👍🏽•🇩🇪🇫🇷🇪•각\u11a8한a\u200d😀•\u0600a\u0301\u0903b"),
        cuts=True,
    ),
    found(
        *row(
            "\\X•\u1100\u1161\u11a8•\uac00\u11a8•\uac01\u1161•\u1100a•a\u0300\u0300•\x00\u0301•\u200d😀•"
            "😀\u0301\u200d😀•a\u200d😀•©\u200d©•\U00011a3aa•❤\ufe0fa•\u0e33a"
        ),
        cuts=True,
        name=r"\X, rule by rule",
    ),
)

# Case

REGEX.requirement(
    "REGEX-CASE: (?i) lets letters match in any case",
    "With the option i a letter matches all characters that have the same case folding in Unicode 16.0: k matches K and the Kelvin sign, s matches ſ, σ matches ς and Σ.",
    "Case folds in ASCII only, or by lower case, in which ſ and the Kelvin sign differ.",
    _found(
        {
            "(?i)a": ("aAbÀ", "xA"),
            "(?i)A": ("aAb", "xa"),
            "(?i)k": ("kK\u212aj", "Kk"),
            "(?i)\u212a": ("kK\u212aj", "k"),
            "(?i)s": ("sS\u017fß", "t"),
            "(?i)\u017f": ("sS\u017fß", "t"),
            "(?i)é": ("éÉe", "E\u0301é"),
            "(?i)É": ("éÉe", "e"),
            "(?i)σ": ("σςΣs", "a"),
            "(?i)ς": ("σςΣs", "a"),
            "(?i)μ": ("μ\u00b5Μm", "a"),
            "(?i)å": ("åÅ\u212ba", "A"),
            "(?i)ω": ("ωΩ\u2126w", "a"),
            "(?i)i": ("iIİıj", "I"),
            "(?i)ı": ("iIİıj", "i"),
            "(?i)ǆ": ("ǆǅǄd", "D"),
            "(?i)ǅ": ("ǆǅǄd", "D"),
            "(?i)б": ("бБb", "B"),
            "(?i)\U00010428": ("\U00010400\U00010428a", "a"),
            "(?i)ა": ("აᲐa", "Ა"),
            "(?i)ꭰ": ("ꭰᎠa", "Ꭰ"),
            "(?i)中": ("中a", "文"),
            "(?i)1": ("1a", "A"),
            "(?i)'S": ("a's A'S 'ſ", "'"),
            "(?i)'ll": ("I'll I'LL I'Ll", "'l"),
            "(?i:'s|'t|'re|'ve|'m|'ll|'d)": ("it's IT'S we'Re I'Ve", "'m'M'D"),
        }
    ),
)
REGEX.requirement(
    "REGEX-CASE-OF-CLASSES: (?i) closes brackets over case, negated ones before they are negated",
    "With the option i a bracket has the other cases of its members too; [^a] then matches neither a nor A. \\w and a property outside of brackets stay as they are.",
    "Ports negate first, so that (?i)[^a] matches everything.",
    _all(
        row(
            "(?i)[a-c] (?i)[A-C] (?i)[^a-c] (?i)[k] (?i)[^k] (?i)[s] (?i)[^s] (?i)[à-ÿ] (?i)[i] (?i)[ı] "
            "(?i)[σ] (?i)[[:upper:]] (?i)[\\p{Lu}] (?i)[^\\p{Lu}] (?i)[a&&A]|x (?i)[[^a]b] (?i)[^[^a]]|b "
            "(?i)\\w (?i)[α-ω] (?i)[\U00010428]"
        ),
        "abcdABCDxX",
        "kK\u212asS\u017fiIİıéÉàÀσςΣ",
        "\U00010400\U00010428 1中",
    ),
)

REGEX.requirement(
    "REGEX-OPTIONS-SCOPE: Options hold to the end of their group",
    "(?i) holds to the end of the group that it stands in, (?i:…) inside of it; (?-i) and (?-i:…) switch it off. Several can be switched at once: (?mi-x).",
    "JavaScript has no options inside of a pattern before 2025; ports make the whole pattern ignore case.",
    _all(
        row(
            "(?i)ab a(?i)b a(?i:b)c (?i:a)b (?i)a(?-i)b (?i)a(?-i:b)c (?:a(?i)b)c ((?i)a)b (?-i)a (?i-i)a "
            "(?i:a|b)c (?mi)a.b (?mi-i:a.)b (?im:a.)b (?-)a (?-:a) (?:(?i)a|b)c (?i)(?-i)a(?i)b"
        ),
        *row("ab AB aB Ab•abc aBC ABc abC•a\nb A\nB a.B•bc BC Bc"),
    ),
    links=("https://github.com/belladoreai/llama-tokenizer-js/issues/15",),
)

REGEX.edge(
    "REGEX-EXTENDED: (?x) leaves out blanks and comments of the pattern",
    "With the option x blanks, tabs, line breaks and what follows # in a line do not count, but for brackets and after a backslash. (?#…) is a comment with and without it.",
    "Ports drop the option and match the blanks.",
    _all(
        row(
            "(?x) a b •(?x:a b) c•(?x)a#b\nc•(?x)a\\ b•(?x-i)a b•(?x)[ a#]•(?x)a {2}•(?x)a # comment\n{2}•"
            "(?:(?x) a )b c•(?#comment)a•a(?#\\)x)b•(?#)a•a(?#b)*•(?x)a\t\n\r\fb•a(?#b)b•(?x)a(?-x: )b•"
            "(?x)\\#a•(?x) a | b "
        ),
        "ab abc aa ab c",
        "a b b c a#bc",
        "ac #a aab",
    ),
)

REGEX.edge(
    "REGEX-ASCII-OPTIONS: (?W), (?D), (?S) and (?P) restrict classes to ASCII",
    "With the option W, \\w, \\b and [:word:] know ASCII only; with D \\d and [:digit:], with S \\s and [:space:], and with P all of these and the other POSIX names; categories such as \\p{L} stay as they are.",
    "Other engines have an option a, or none.",
    _all(
        (
            *(
                f"(?{option}:{name})"
                for option in "WDSP"
                for name in row(
                    r"\w \W \d \D \s \S [\w] [^\d] [[:alpha:]] [[:punct:]] \p{Alpha} \p{Digit} \p{Word} \p{Cntrl} "
                    r"\p{L}"
                )
            ),
            *row(
                "(?P:[[:ascii:]]) (?W:\\w)\\w (?W)a(?-W)\\w (?P)\\h (?P:[[:^alpha:]]) (?WD)\\w\\d (?P)\\p{Punct} "
                "(?P)\\p{Nd}"
            ),
        ),
        "aéé1٣٣ \xa0_²!€中\n\x85",
        "aa1 é1",
    ),
    _all((r"(?W)\b", r"(?W:\B).", r"(?P)\b\w+"), "éa é a中b", cuts=True),
)

REGEX.edge(
    "REGEX-WHOLE-OPTIONS: (?C) and (?I) stand at the start of the whole pattern",
    "(?C) makes parentheses capture nothing, (?I) lets the option i know the case of ASCII letters only; both are refused elsewhere than at the start, and twice.",
    "They are Oniguruma's own.",
    _all(
        row("(?C)(a)(b) (?C)(a|b)c (?C:(a)) (?C)(a)*b (?I)(?i)k (?iI)ß|k|s (?iI:[k]) (?iI)é (?Ii)[é]a (?IC)(a)"),
        "ab ac kK\u212a ßss éÉa",
        "aab éa S",
    ),
    _all(("(?iI:[@A])", "(?iI:[Z\\[])", "(?iI:[`a])", "(?iI:[z{])", "(?iI:a)", "(?iI:@)"), "@A`aZz[{Àà"),
    _refused("a(?C)b", "a(?I)b", "(?C)(?C)a", "(?I)a(?C)", r"(?C)(a)\1", "(?-I)a"),
)

# Captures

REGEX.edge(
    "REGEX-BACKREFERENCES: \\1 matches what the first group captured",
    "\\n, \\k<n> and \\k'n' match again the text that group n captured last, \\k<-n> counts groups back from here; one to a group that has captured nothing fails.",
    "In JavaScript a reference to a group without a capture matches the empty text; RE2 and Go have none.",
    _all(
        row(
            r"(a)\1 (a|b)\1 (.)\1+ (\w)(\w)\2\1 (a)\k<1> (a)\k'1' (a)(b)\k<-1> (a)\k<-1> \k<+1>?(a) (a)?\1b "
            r"(a)?b\1 \1(a)|b (?:\1|(a))*b (a\1?)+ (a*)\1b (a*)*\1b (?:(a)|b)*\1 (?:(a)|(b))*\1\2 (|a)+\1b "
            r"(?:()|a)+\1b (?:a|())*\1b? (?=(a))\1 (?>(a|ab))\1 ((a)|(b))+\2 (?:(a)){2}\1 (a)(b)\1\2 "
            r"(a){0}\1|b (?i)(a)\1 (?i)(s)\1 (?i)(ß)\1 (?i:(k))\1 (k)(?i:\1) (a)(?i)\1"
        ),
        *row("aa abba abab•aab bb b•aA ssSſ ßß ßẞ kK\u212akk•aaab aba"),
    ),
)

REGEX.edge(
    "REGEX-NAMED-GROUPS: (?<name>…) and (?'name'…) name groups",
    "\\k<name> matches what the group captured; several groups can have one name, of which the last that captured counts first. Names start with a word character, of any script, that is no digit.",
    "(?P<name>…) is Python's form; others refuse a name twice.",
    _all(
        row(
            r"(?<x>a) (?'x'a) (?<été>a) (?<x>a)\k<x> (?<x>a)\k'x' (?<x>a)|(?<x>b)\k<x> (?<x>a)(?<x>b)?\k<x> "
            r"(?<x>a)(b)\k<x> (?<x>a|b)\g<x> (?<x>a){0}\g<x>b (?<_x1>a)b (?<x>a*)*b"
        ),
        "aa ab aba",
        "bb abb aab",
    ),
    _refused("(?<>a)", "(?<1x>a)", "(?<-x>a)", "(?< x>a)", r"\k<x>", r"\k<x>(?<x>a)", r"\k<a b>"),
)

REGEX.edge(
    "REGEX-CALLS: \\g<n> matches the pattern of a group again",
    "\\g<n>, \\g<-n>, \\g<+n> and \\g<name> stand for the group itself, with the options that it has where it is written, and capture into it.",
    "\\g<1> is a reference to the captured text elsewhere.",
    _all(
        row(
            r"(a|b)\g<1> (a)\g<-1> \g<+1>(a|b) \g<1>(ab) (a(b)?)\g<1>\2 (?i:(a))\g<1> (a)(?i)\g<1> (ab?)\g'1' "
            r"(a|b)\g<1>\1 \g|a \k|a \ga"
        ),
        "ab ba aa bb",
        "abab aab aA Aa",
        "gk ga abb",
    ),
    _refused(r"(a)\g<2>", r"\g<1>", r"\g<x>", r"(?<x>a)(?<x>b)\g<x>", r"\g<", r"\g<>", r"\g<1a>", r"\g<+a>"),
)
REGEX.edge(
    "REGEX-CONDITIONS: (?(1)…|…) goes on by whether a group has captured, or a pattern matches",
    "(?(n)a|b) matches a if group n has captured, else b; (?(<name>)a|b) asks for a name; any other condition is a pattern that is matched and taken if it can be. Without b it matches nothing on the other side; (?(n)) alone asks.",
    "Most engines have the first form only, or none.",
    _all(
        row(
            r"(a)?(?(1)b|c) (a)?(?(1)b) (a)?(?(1))b (?<x>a)?(?(<x>)b|c) (?<x>a)?(?('x')b|c) (?(a)b|c) "
            r"(?(a)b|c|d) (?(a)|c) (?(a|b)c|d) (?((?=a))a|b) (?((?!a)).|a)b (a)?(?(-1)b|c) (?(a)(?:b|c)) "
            r"(?(a)(?:b|c)|d) (?(1a)b|c) (?()a|b) (?(a*)b|c) x(?(a)b) (?(ab|a)b|a)"
        ),
        "ab ac b c",
        "aab d abb",
        "xab x bd",
        cuts=True,
    ),
    _refused("(?(1)a|b)", "(?(a)", "(?(a))", "(?(<x>)a)", "(a)(?(2)b)", "(?(", "(?(1"),
)

# Refused

REGEX.edge(
    "REGEX-REFUSED-GROUPS: Groups that are open, or of an unknown kind, are refused",
    "A file with a pattern whose parentheses do not pair, or that has (?s, (?a, (?u, (?|, (?P, (?&, (?R, (?1 or another opening that is not described here, is refused.",
    "Ports read the file and fail at the first text, or take what their own engine knows.",
    _refused(
        *row(
            "( (a a) ) (? (?: (?:a (?=a (?< (?<=a (?<x (?<x>a (?z) (?) (?i (?i:a (?s:a) (?a) (?u) (?|a) (?P=n) "
            "(?&n) (?R) (?1) (?p) (?@a) (?y) (?y{x}) (?#a"
        )
    ),
    features=("load",),
)

REGEX.edge(
    "REGEX-REFUSED-QUANTIFIERS: Quantifiers with nothing to repeat are refused, and more than 100,000 rounds",
    "A quantifier at the start of the pattern, of a group or of an alternative, after a look-around or an option, and a count above 100,000, are refused.",
    "Other engines take ^* or a{100001}.",
    _refused(
        *row(
            r"* +a ? {2}a a|* (?:+) a|{2} (?=a)* (?!a)? (?<=a)+ (?i)* a(?i)* \y* a{100001} a{1,100001} "
            r"a{99999999999} (?:a{50000}){50000}"
        )
    ),
    features=("load",),
)

REGEX.edge(
    "REGEX-REFUSED-BRACKETS: Brackets that are open, empty or have a range backwards are refused",
    "An open or empty bracket, a range from a higher to a lower code point, one with a set at either end, and an unknown POSIX name are refused.",
    "Other engines take [] for nothing, or swap the ends.",
    _refused(
        *row(
            r"[ [a [] [^] [^ [a- [b-a] [a-\w] [\p{L}-z] [[:alpha:]-z] [a-[:alpha:]] [[:foo:]] [[:alpha] [[:a] "
            r"[[:^:]] [a&& [[a] [\x{62}-\x{61}] [\x{61-62-63}] [\x{-61}] [a-\x{62-63}] [\xc3] [\xc3\x28] [\400] "
            r"[\u12] [\x{200000}]"
        )
    ),
    features=("load",),
)

REGEX.edge(
    "REGEX-REFUSED-ESCAPES: Escapes that are not complete, and properties and groups that do not exist, are refused",
    "A backslash at the end, \\u without four digits, code points above the limit, bytes that are no UTF-8, unknown properties and references to groups that do not exist are refused.",
    "Other engines take an unknown escape for a character.",
    _refused(
        *row(
            "\\•a\\•\\u12•\\u{41}•\\x{61•\\x{61,62}•\\x{200000}•\\x{123456789}•\\o{81•\\o{18}•\\c•\\C•\\Ca•\\C-•"
            "\\M•\\Ma•\\M-•\\x80•\\xc3•\\xc3a•\\xe4\\xb8•\\200•\\xc3\\x28•\\p{•\\p{L•\\p{}•\\p{foo}•\\p{gc=L}•"
            "\\p{IsL}•\\p{L&}•\\p{é}•\\p{^^L}•\\P{foo}•\\1•\\9•(a)\\2•\\k<1>•\\k<0>•(a)\\k<-2>•(a)\\k<>•(a)\\k<1•"
            "(a)\\k<-0>•\\k<"
        )
    ),
    features=("load",),
)

REGEX.requirement(
    "REGEX-OFFSETS: Matches beside characters of any width are found where they stand",
    "A pattern sees code points, whatever their width, and its matches begin and end between code points.",
    "Engines on bytes or UTF-16 units give places in these, or match half of a character.",
    _found(
        {
            ".": ("aé中😀e\u0301", "😀"),
            "[^a]": ("aé中😀a", "😀a"),
            r"\W": ("a中😀!", "😀a"),
            "(?<=😀)a": ("a😀aa", "😀😀a"),
            "中?😀": ("中😀😀", "a中"),
            r"\p{L}\P{L}": ("中😀é!", "\U00010400😀"),
            "[😀中]": ("a😀b中", "中"),
            "😀{2}": ("😀😀😀", "a"),
        },
        cuts=True,
    ),
    features=("offsets",),
)
REGEX.requirement(
    "REGEX-OF-REPLACE: Replace has the same language",
    "The normalizer Replace with a pattern under Regex finds the same matches as Split, and puts its content for each of them, as it stands: \\1 and $1 in it have no meaning.",
    "Ports use another engine there, or one whose replacements have references.",
    _replaced(r"\s+", "a  b\n\nc", "\u3000a"),
    _replaced(r"\p{Nd}", "a1٣²", "１"),
    _replaced("(?i)k", "kK\u212a", "a"),
    _replaced("(?<=a)b|b(?=c)", "ab bc b", "abc"),
    _replaced("[a-z&&[^b]]", "abc", "B"),
    _replaced(r"(a)\1", "aaa", "ab", content=r"\1$1$&"),
    _replaced("^", "a\nb", "a"),
    _replaced("$", "a\nb\n", "a"),
    _replaced(r"\b", "a b", "é"),
    _replaced("(?=b)", "abb", "b"),
    _replaced(".", "a\nb😀", "é"),
    _replaced("a|ab", "ab", "aab"),
)

# Oddities of the language


REGEX.quirk(
    "REGEX-EMPTY-MATCH-AFTER-A-MATCH-IS-SKIPPED: An empty match directly after a match does not count",
    "An empty match at the place where the match before it ended is none: x* on axb is found before a, at x, and at the end.",
    "One would expect four matches, as in Python since 3.7, PCRE and Rust's regex crate, which count the one after x.",
    _replaced("x*", "axb", "xx", "axxbx"),
    _replaced("a?", "aab", "b"),
    _replaced("a*?", "aab", "ba"),
    _replaced(r"\b|a", "a ab", "ba"),
    _replaced("a|$", "ba", "ab"),
    _replaced(r"\s*", "a b", " a"),
    found("x*", "axb", "axxb", cuts=True),
    found("a?", "aab", "baa", cuts=True),
)
REGEX.quirk(
    "REGEX-SKIPPED-EMPTY-MATCH-HIDES-ALTERNATIVES: Where an empty match is skipped, the search goes on one character later",
    "After an empty match, or one that is skipped, nothing else is tried at the same place: |a never matches the a.",
    "One would expect the other alternatives to be tried there, as Perl and Python do.",
    _replaced("|a", "a", "aa", "ba"),
    _replaced("x*|b", "xb", "axbb", "b"),
    _replaced("(?=a)|a", "a", "ba a"),
    _replaced(r"\b|a", "a", "a a"),
    _replaced("a??", "ab", "aa"),
    found("|a", "aa", "ab", cuts=True),
    found("x*|b", "xb", "axb", "xbb", cuts=True),
)
REGEX.quirk(
    "REGEX-WORD-AND-BRACKETED-WORD-DIFFER: \\w matches six characters that [\\w] does not",
    "\\w and \\p{Word} match U+00B2, U+00B3, U+00B9, U+00BC, U+00BD and U+00BE (²³¹¼½¾), and \\b counts them; [\\w], [\\p{Word}] and [[:word:]] do not match them.",
    "One would expect \\w and [\\w] to be one: Oniguruma has another table for characters below U+0100.",
    _all(
        (r"\w", r"\W", r"\p{Word}", r"\P{Word}", r"[\w]", r"[\W]", r"[^\w]", r"[\p{Word}]", "[[:word:]]"),
        "a²³¹¼½¾①±´¸¿⁰",
        "½a",
    ),
    found(r"\b", "a² ½ ①", "²", cuts=True),
    found(r"\w+", "x²y½", "1½"),
    found(r"(?<²>a)\k<²>", "aab", "a"),
)
REGEX.quirk(
    "REGEX-PROPERTIES-OF-UNICODE-16: Categories and scripts are those of Unicode 16.0",
    "A character that came with Unicode 17.0 is unassigned; a script of 17.0 is an unknown property, and refused.",
    "One would expect the Unicode of the rest of the library, which is 17.0 in Digits and 8.0 in Punctuation.",
    _all(
        (r"\p{L}", r"\p{Lu}", r"\p{Cn}", r"\w", "(?i)\ua7cd"),
        "a\ua7cb\ua7cc\ua7cd\ua7ce\ua7da\ua7dc\u0264",
        "\U00010d40\U00010d50\U000323b0\U00016ea0 a",
    ),
    _all((r"\p{Nd}", r"\p{No}"), "1\U00010d40\U00011de0\U00011de9½"),
    found(r"\p{Todhri}", "\U000105c0a"),
    _refused(r"\p{Beria_Erfe}", r"\p{Sidetic}", r"\p{Tolong_Siki}"),
)
REGEX.quirk(
    "REGEX-OPTION-COVERS-LATER-ALTERNATIVES: An option inside of a group covers the later alternatives too, as a group of its own",
    "(?i) takes all that follows in its group, | included, for its body: a(?i)b|c is a(?i:b|c).",
    "One would expect a(?i:b)|(?i:c), as in Perl, PCRE and Java: Ruby reads it in this way.",
    _all(
        ("a(?i)b|c", "(?:a(?i)b)|C", "(?:a(?i)b|c)d", "a(?m).|c", "b|a(?i)b|c", "a(?x) b | c", "a(?i)|b"),
        "ab aB ac aC c C",
        "abd acD ACd a\nb",
        cuts=True,
    ),
)
REGEX.quirk(
    "REGEX-PUNCT-IN-BRACKETS-HAS-SYMBOLS: [[:punct:]] matches symbols too, \\p{Punct} does not",
    "[[:punct:]] matches categories P and S; \\p{Punct} matches category P alone, inside of brackets too.",
    "One would expect one set: POSIX has the symbols of ASCII, Unicode's category has none.",
    _all(
        ("[[:punct:]]", "[[:^punct:]]", r"\p{Punct}", r"\P{Punct}", r"[\p{Punct}]", "(?P:[[:punct:]])"),
        "a!$€+«_-\u0301^`|~😀。",
    ),
)
REGEX.quirk(
    "REGEX-H-IS-A-HEXADECIMAL-DIGIT: \\h is a hexadecimal digit",
    "\\h matches 0 to 9, A to F and a to f; \\H all else.",
    "One would expect a horizontal blank, as in Perl, PCRE and Java.",
    _all((r"\h", r"\H", r"[\h]", r"[^\h]", r"\h+"), "/09:@AFG`afg \t\xa0０Ａé"),
)
REGEX.quirk(
    "REGEX-V-IS-ONE-CHARACTER: \\v is U+000B alone",
    "\\v matches the vertical tab and no other line break, inside of brackets too.",
    "One would expect vertical white space, as in Perl, PCRE and Java.",
    _all((r"\v", r"[\v]", r"[^\v]", r"\v+"), "a\n\x0b\x0b\x0c\r\x85\u2028\u2029v"),
)
REGEX.quirk(
    "REGEX-ANCHORS-ARE-OF-LINES: ^ and $ match at every line",
    "^ holds at the start of the text and after each line feed that does not end the text; $ holds at the end of the text and before each line feed. There is no option for it.",
    "One would expect the ends of the text, as everywhere but in Ruby; \\s+$ is in published tokenizers.",
    _all(
        row(r"^a$ ^ $ ^a a$ ^$ ^^a $\n^ ^.*$ \s+$ \s++$|\s ^\s+ (?:^|b)a (?:a|$)b? (?m)^a.b$ (?-m)^a"),
        *row("b\na\nb•a\n•\na\n\na•a b  \n b •a\r\nb\r•a"),
        cuts=True,
    ),
    found("^", "a\u2028b\x85c\x0bd", "\r\ra", cuts=True, name="^, other line breaks"),
    found("$", "a\u2028b\x85c\x0bd", "a\r", cuts=True, name="$, other line breaks"),
)
REGEX.quirk(
    "REGEX-M-LETS-THE-DOT-MATCH-NEWLINES: (?m) lets the dot match line feeds, and (?s) is refused",
    "With the option m the dot matches U+000A too; ^ and $ are as without it. The option s does not exist.",
    "One would expect (?s) for the dot and (?m) for the anchors, as everywhere but in Ruby.",
    _all(
        row(r"(?m). (?m:.)a (?m).+ (?-m). (?m)a.b (?m:a.)b (?m)a(?-m).b (?m)[^a] (?m)\N (?m)^a"),
        "a\nb",
        "\n\na",
        "ab\naab",
    ),
    _refused("(?s).", "(?s:.)", "(?is)a", "(?-s)a"),
)
REGEX.quirk(
    "REGEX-DOT-LEAVES-OUT-THE-LINE-FEED-ONLY: The dot matches every line break but U+000A",
    "The dot matches U+000D, U+000B, U+000C, U+0085, U+2028 and U+2029 like any other character.",
    "One would expect it to stop at carriage returns and line separators too, as in JavaScript and Java.",
    _all((".", ".+", "a.b", "[^\\n]"), "a\rb\x85c\u2028d", "\n\ra\x0b\x0c\u2029", "a\r\nb"),
)
REGEX.quirk(
    "REGEX-CLUSTERS-WITHOUT-CONJUNCTS: \\X cuts Indic conjuncts in two",
    "\\X has no rule GB9c: between a virama and a consonant a cluster ends.",
    "One would expect one cluster, as UAX #29 says since Unicode 15.1.",
    _all((r"\X", r"\y", r"\Y"), "\u0915\u094d\u0937a", "\u0915\u094d\u200d\u0937", "\u0995\u09cd\u09b7", cuts=True),
)
REGEX.quirk(
    "REGEX-INCB-IS-HALF-A-PROPERTY: \\p{InCB} is known, and matches no set of Unicode",
    "\\p{InCB} matches the six viramas U+094D, U+09CD, U+0ACD, U+0B4D, U+0C4D and U+0D4D, and of the other characters with a conjunct class those above U+0D4D, as U+1DC0.",
    "One would expect a value to be asked for, or all characters that have one.",
    _all(
        (r"\p{InCB}", r"\P{InCB}", r"[\p{InCB}]"),
        "\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4da",
        "\u0915\u0300\u0d15\u0d4e\u1dc0\u0b15 a",
    ),
)
REGEX.quirk(
    "REGEX-CASE-FOLDS-TO-SEVERAL-CHARACTERS: (?i) matches one character with several",
    "With the option i text matches what has the same full case folding, of one character and of two or three: ss matches ß and ẞ, ß matches ss, st matches ﬆ and ﬅ, and i with U+0307 matches İ.",
    "One would expect one character for one, as nearly everywhere.",
    _all(
        row(
            "(?i)ss•(?i)ß•(?i)ẞ•(?i)st•(?i)ﬆ•(?i)fi•(?i)ff•(?i)ﬁ•(?i)İ•(?i)i\u0307•(?i)ŉ•(?i)ʼn•(?i)ΐ•(?i)ᾳ•"
            "(?i)αι•(?i)straße•(?i)STRASSE•(?i)ss+•(?i)s{2}•(?i)s|s•(?i)(s)s•(?i:s)s•(?i)s\\x73•(?i)s()s•"
            "(?i)s(?:s)•(?i)s(?#)s•(?xi)s s•(?i)s(?:)s•(?i:s)(?i:s)•(?i)s+s•(?i)(?:s|t)t•(?i)(?:ss){2}•"
            "(?i)f(?:i)•(?i)f(?:f|i)•(?i)x?(?:as+s)s•(?i)և•(?i)ﬓ"
        ),
        "ß ẞ ss Ss ſs sß",
        "ﬆ ﬅ st ſt ﬁ fi ﬀ ff FI",
        "İ i\u0307 I\u0307 ŉ ʼn ΐ \u1fd3 ᾳ αι ΑΙ ᾼ և եւ ﬓ մն",
        "straße STRASSE Straẞe as assß",
    ),
)
REGEX.edge(
    "REGEX-CASE-IN-LOOK-BEHIND-IS-OF-ONE-CHARACTER: In a look-behind (?i) matches one character with one",
    "Inside of a look-behind text has as many characters as it is written with: (?<=ss) does not see ß there, but (?<=ß) sees ẞ.",
    "One would expect the same as outside; a look-behind needs to know its length.",
    _all(
        ("(?i)(?<=ss)x", "(?i)(?<=ß)x", "(?i)(?<=k)x", "(?i)(?<=[ß])x", "(?<=(?i:st))x", "(?i)(?<=fi)x", "(?i)(?<!ß)x"),
        "ßx ssx ẞx",
        "kx Kx \u212ax",
        "ﬆx stx ﬁx fix",
        cuts=True,
    ),
)
REGEX.quirk(
    "REGEX-CLASS-FOLDS-NO-NEIGHBOURS: A bracket is a unit of its own for case",
    "Text that is written in brackets is not joined with its neighbours: (?i)[s]t does not match ﬆ, which (?i)st matches. A member whose folding is longer matches that: (?i)[ß] matches ss.",
    "One would expect [s] and s to be the same.",
    _all(
        row(
            r"(?i)[s]t (?i)s[t] (?i)st (?i)[s][s] (?i)[ß] (?i)[^ß] (?i)[ﬁ] (?i)[ﬀﬃ] (?i)[ﬅſ] (?i)[ὖὒ] "
            r"(?i)[\x{df}] (?i)[İ] (?i)[a-z]i (?i)[f]i"
        ),
        "ﬆ st ﬅ s ß ss",
        "ﬁ fi ﬀ ff ffi ﬃ",
        "İ i\u0307 ὖ ὒ u\u0313\u0342",
    ),
)
REGEX.quirk(
    "REGEX-LONGEST-FOLDING-IS-ONE-UNIT: Text is read in units of the longest folding from the left",
    "(?i)ffi is the folding of ﬃ and one unit: it matches ﬃ and the letters ffi, but not ﬀi or fﬁ.",
    "One would expect all ways to be tried.",
    _all(
        row("(?i)ffi (?i)fi (?i)fffi (?i)ff (?i)ffl (?i)sss (?i)ssss (?i)ﬀi (?i)fﬁ (?i)sst (?i)aff"),
        "ffi ﬃ ﬀi fﬁ FFI",
        "ffl ﬄ ﬀl fffi fﬃ ﬀﬁ",
        "sss sß ßs ßß ssß sﬆ ßt aﬀ",
    ),
)
REGEX.quirk(
    "REGEX-CASE-OF-PROPERTIES-IN-BRACKETS-ONLY: (?i)\\p{Lu} matches upper case alone, (?i)[\\p{Lu}] both cases",
    "The option i closes brackets over case, and leaves properties and POSIX classes outside of brackets alone.",
    "One would expect both or neither.",
    _all(
        row(
            r"(?i)\p{Lu} (?i)[\p{Lu}] (?i)\p{Ll} (?i)[\p{Ll}] (?i)[^\p{Lu}] (?i)\P{Lu} (?i)\p{Upper} "
            r"(?i)[[:lower:]] (?i)[[:^lower:]]"
        ),
        "aAéÉß1ǅ中σΣ\U00010400\U00010428 ss",
    ),
)
REGEX.quirk(
    "REGEX-PROPERTY-NEEDS-BRACES: \\pL is no property",
    "\\p and \\P without a brace stand for the letters p and P.",
    "One would expect \\pL to be \\p{L}, as in Perl, PCRE, Java, Rust and Go.",
    _all((r"\pL", r"\PL", r"[\pL]", r"\p L", r"\pN+"), "apL PL pNN", "L p P p L 1"),
)
REGEX.quirk(
    "REGEX-LONG-ESCAPE-IS-TEXT: \\U0001F600 is text",
    "\\U stands for the letter U, so \\U0001F600 matches these nine characters.",
    "One would expect U+1F600, as in Python.",
    found(r"\U0001F600", "\U0001f600 U0001F600", "aU0001F600"),
    found(r"[\U0001]", "U01a", "\x01u"),
    found(r"\U", "aU", "u"),
)
REGEX.quirk(
    "REGEX-QUOTATION-IS-TEXT: \\Q and \\E quote nothing",
    "\\Q stands for Q and \\E for E: \\Q.\\E matches Q, any character and E.",
    "One would expect a quotation, as in Perl, PCRE and Java.",
    found(r"\Q.\E", ". QxE", "Q.E"),
    found(r"\Qa*", "Qaab", "aQ"),
)
REGEX.quirk(
    "REGEX-CAPITAL-N-IS-NO-NAME: \\N is any character but a line feed",
    "\\N{2} matches two characters that are no line feeds; a brace after \\N is an interval, or text.",
    "One would expect the name of a character in the braces, as in Perl and Python.",
    found(r"\N{2}", "ab\nc", "abc\n\n"),
    found(r"\N{LATIN}", "x{LATIN}", "N{LATIN}a"),
    found(r"\N+", "a\rb\nc", "\na"),
)
REGEX.quirk(
    "REGEX-INTERVAL-MAY-LACK-ITS-START: {,2} is {0,2}",
    "An interval without its first number begins at 0.",
    "One would expect text, as in Perl before 5.34, PCRE before 10.43, JavaScript and Rust.",
    found("a{,2}", "aaa a{,2}", "baab", cuts=True),
    found("xa{,2}", "xaaa xa x", "xx"),
    found("a{,2}?b", "aab ab", "b"),
    found(r"\d{,3}a", "12345a", "a"),
)
REGEX.quirk(
    "REGEX-REVERSED-INTERVAL-IS-POSSESSIVE: {3,1} is {1,3}, and gives nothing back",
    "An interval whose first number is the larger is turned around and possessive; ? after it is a quantifier of its own.",
    "One would expect an error, as everywhere else.",
    _all(
        ("a{3,1}", "a{3,1}a", "a{2,1}b", "a{2,1}?b", "a{2,1}+b", "(?:ab){2,1}a", "a{2,0}a"),
        "aaa a",
        "aaaa aab",
        "ababa ab b",
    ),
)
REGEX.quirk(
    "REGEX-EXACT-COUNT-CANNOT-BE-LAZY: {2}? is two or nothing",
    "? after {n} is a quantifier of its own: a{2}? is (?:a{2})?.",
    "One would expect a lazy interval, which matches exactly two.",
    _all(("a{2}?b", "xa{2}?", "(?:ab){2}?c", "a{1}?b", "a{0}?b", "a{2}??b"), "b aab ab", "xa xaa xaaa", "ababc abc c"),
)
REGEX.quirk(
    "REGEX-INTERVAL-CANNOT-BE-POSSESSIVE: {2,3}+ repeats the interval",
    "+ after an interval is a quantifier of its own: a{2,3}+ is (?:a{2,3})+, which gives back.",
    "One would expect a possessive interval, as in PCRE and Java; \\p{N}{1,3}+ of cl100k_base is (?:\\p{N}{1,3})+ here, so its numbers have no limit.",
    _all(
        ("a{2,3}+", "a{2}+", "a{2,}+a", "a{,2}+b", "a{1,2}+a", r"\p{N}{1,3}+", r"\d{1,3}++a"),
        "aaaaaaa a",
        "xaaab aab",
        "1234567a 12 123",
        cuts=True,
    ),
)
REGEX.quirk(
    "REGEX-ONCE-DROPS-THE-GROUP: {1} after a group drops the group",
    "(?:ab){1} is ab without a group, so a quantifier after it repeats the last character: (?:ab){1}* is ab*.",
    "One would expect (?:ab)*.",
    _all(
        row("(?:ab){1}* (?:ab){1} (?:ab){1}+ (?:ab){1}{2} (?:ab){1,1}? ab{1}* (ab){1}* (?:a|b){1}* (?:[ab]c){1}+"),
        "abbab",
        "abab abb a",
        "acbcc ab",
    ),
)
REGEX.quirk(
    "REGEX-ANCHOR-REPEATS-IN-A-CAPTURE-ONLY: A quantifier after an anchor is refused, but not after a capture of one",
    "A quantifier after ^, $, \\b and other anchors, or after a group one of whose alternatives is an anchor alone, is refused; after a capturing group with an anchor it is accepted.",
    "One would expect all or none of them.",
    _refused(*row(r"^*a $+a \b?a \A{2}a \K*a \G+a (?:^)*a (?:^|a)* (?:\b|a)+?b (?:(?=a)|b)+ (?:a|(?=b))+")),
    _all(("(^)*a", "(^)?a", r"(\b)*a", "(^|a)*b", r"($)?", "(?:a^)*b", "(?:(^))*a"), "a\na ba", "aab b", cuts=True),
)
REGEX.quirk(
    "REGEX-UNFINISHED-RANGE-IS-LOST: [a-[b]] is [b]",
    "Where a bracket follows the - of a range, the start of the range and the - are lost.",
    "One would expect a, - and b, or a subtraction as in .NET.",
    _all(("[a-[b]]", "[xa-[b]y]", "[a-z-[b]]", "[^a-[b]]", "[a-[b-c]]", "[a-[^b]]"), "abcxyz-[]"),
)
REGEX.quirk(
    "REGEX-RANGE-AFTER-A-NAMED-SET-IS-REFUSED: [\\w-z] is refused, [\\w-] is not",
    "- after a named set is refused, but where it stands at the end of the brackets or before &&.",
    "One would expect a member, as in Perl, PCRE and JavaScript.",
    _refused(r"[\w-z]", r"[\w-a]", r"[\d-x]", r"[\p{L}-z]", "[[:alpha:]-z]", r"[\s-\w]"),
    _all((r"[\w-]", r"[\d-]", r"[-\d]", r"[\w-&&a-]", r"[\d\-x]"), "a1- x"),
)
REGEX.quirk(
    "REGEX-LONE-BYTE-MATCHES-NOTHING: \\xff is a byte that no text has",
    "\\x80 to \\xff alone are bytes, not code points: \\xff and [\\xff] are accepted and match nothing, not even ÿ; the end of a range in bytes goes as far as ASCII only.",
    "One would expect U+00FF, as everywhere else.",
    _all((r"\xff", r"[\xff]", r"[^\xff]", r"[a\xff]", r"[\x80-\xff]", r"\xff|a"), "aÿ\x80é", cuts=True),
    _all((r"[a-\xff]", r"[\x80-é]|b", r"[\x00-\xff]", r"[\u0080-\xff]|a"), "abÿ\x80éz\x7f中"),
)
REGEX.quirk(
    "REGEX-LOOK-BEHIND-DOES-NOT-SEE-THE-START: In a look-behind of varying length \\b does not hold at the start of the text",
    "Where the length of a look-behind varies, the text ends for it where it stands; at the start of the text no word character follows then, so (?<=\\bb*)a does not match a at the start.",
    "One would expect \\b to hold there as outside.",
    _all((r"(?<=\b)a", r"(?<=\bb*)a", r"(?<=\Bb*)a", r"(?<=\bb?)a", r"(?<!\bb*)a"), "a a", " a ba", "ba aa", cuts=True),
)
REGEX.quirk(
    "REGEX-LOOK-BEHIND-SEES-ONLY-ONE-LINE-BREAK: (?<=\\R) holds after CR LF alone",
    "\\R at the end of a look-behind holds where CR LF stands before, and not after any other line break.",
    "One would expect every line break.",
    _all(
        (r"(?<=\R)a", r"(?<=b\R)a", r"(?<=\Rb)a", r"(?<!\R)a", r"(?<=\Rb?)a"),
        *row("\na•\r\na•b\na b\r\na•\nba\r\nba"),
        cuts=True,
    ),
)
REGEX.quirk(
    "REGEX-CONDITION-IN-NEGATIVE-LOOK-BEHIND-NEVER-HOLDS: A negative look-behind for a condition without another side holds nowhere",
    "(?<!(?(a)b)) holds at no place of any text.",
    "One would expect it to hold where ab does not stand before.",
    found("(?<!(?(a)b))x", "x bx", "abx", cuts=True),
    found("(?<!(?(a)b))c|x", "xc", "abcx", cuts=True),
)
REGEX.quirk(
    "REGEX-CONDITION-WITHOUT-OTHER-SIDE-LOSES-TEXT: A condition without another side before something else loses matches",
    "(?(ab)c)d finds the d of abcd only: the search takes the condition for empty, and looks for matches in the wrong place.",
    "One would expect abcd.",
    not_asked="Expected answers are those that an independent implementation gives too, and the reference refuses such patterns: what the target's search misses follows from how it is optimized.",
)
REGEX.quirk(
    "REGEX-RELATIVE-CALL-CAN-REACH-THE-WHOLE-PATTERN: \\g<-1> with no group before it calls the whole pattern",
    "Group 0, the whole pattern, is one group back where no group stands before: <\\g<-1>?> matches pairs of brackets in each other.",
    "One would expect an error, as for other references to groups that do not exist.",
    not_asked="Expected answers are those that an independent implementation gives too, and the reference has no recursion; no published tokenizer is known to use it.",
)
REGEX.quirk(
    "REGEX-PROPERTY-NAMES-WITHOUT-VALUES: \\p{Script=Latin} is refused; blanks, - and _ in names do not count",
    "A property has no = or : with a value; \\p{ l a-t_in } is \\p{Latin}.",
    "One would expect Script=Latin, as in UTS #18, JavaScript and PCRE.",
    _refused(r"\p{Script=Latin}", r"\p{Script=Han}", r"\p{sc:Han}", r"\p{General_Category=L}"),
    _all((r"\p{ l a-t_in }", r"\p{HAN}", r"\p{upper case-letter}", r"[\p{g_r-e ek}]"), "aA中αé1"),
)
REGEX.quirk(
    "REGEX-NAMED-GROUPS-OF-ONE-FORM: (?<n>…) names a group, (?P<n>…) is refused",
    "(?<name>…) and (?'name'…) are the forms of named groups; (?P<name>…), (?P=name) and (?P>name) are refused.",
    "One would expect Python's form, which most engines take beside the other.",
    _refused("(?P<n>a)", "(?P<n>a)(?P=n)", "(?P>n)"),
    _all(("(?<n>a)", "(?'n'a)b", r"(?<n>a)\k<n>"), "aab ab"),
)
REGEX.quirk(
    "REGEX-NAMES-FORBID-NUMBERS: With a named group in the pattern, references by number are refused",
    "Where a pattern has a named group, unnamed parentheses capture nothing, and \\1, \\k<1>, \\g<1> and (?(1)…) are refused.",
    "One would expect numbers to go on working, as everywhere else.",
    _refused(r"(a)(?<n>b)\1", r"(?<x>a)\1", r"(?<x>a)(b)\2", r"(?<x>a)\k<1>", r"(?<x>a)\g<1>", r"(?<x>a)(?(1)b)"),
    _all(
        (r"(a)(?<n>b)\k<n>", r"(?:(a)|(?<n>b))\k<n>", r"(a)*(?<n>b)", r"(a+)?(?<n>b)\k<n>?"),
        "abb ab bb",
        "aabb b",
        cuts=True,
    ),
)
REGEX.quirk(
    "REGEX-BACKTRACKING-LIMIT-PANICS: A search that goes back ten million times panics",
    "A match is given up with a panic once it has gone back 10,000,000 times (retry-limit-in-match).",
    "One would expect an error that can be handled, or no limit.",
    not_asked="An implementation without backtracking, or without a limit, gives the right matches: the reference does, so there is no answer to expect.",
)

AREAS = (SPLIT, REGEX)
