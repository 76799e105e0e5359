"""Recipes of added tokens: how they are found, their flags, their ids, and how they meet the other stages.

Most tokenizers here have :func:`~requirements.recipe.characters` for a model, so that everything between two added
tokens is seen character by character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from requirements.recipe import (
    Area,
    CaseRecipe,
    Document,
    added,
    bpe,
    case,
    changed,
    characters,
    component,
    each,
    encode,
    encode_special_tokens,
    ids,
    new_token,
    new_tokens,
    normalize,
    pair,
    pre_tokenize,
    row,
    saved,
    stream,
    text,
    tokenizer,
    unigram,
    vocabulary,
    word_level,
    word_piece,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ADDED = Area(
    "added_tokens",
    "Added tokens",
    "added_tokens",
    "Added tokens are strings that are cut out of the text before anything else is done with it: no normalizer, no pre-tokenizer and no model sees them, and each becomes one token. The list added_tokens of a tokenizer.json has an object for each, with id, content, single_word, lstrip, rstrip, normalized and special, all of them required. There are two searches. The first looks in the text as it was given for the tokens with normalized false. The normalizer then works on each piece between them, by itself, and the second search looks in what it gives for the tokens with normalized true. In code a token may be added without saying normalized: it is then the opposite of special, and all other flags are false.",
)


# Tokenizers with added tokens -----------------------------------------------------------------------------------------


def _token(content: str, **flags: bool) -> Document:
    """Return an added token whose id :func:`_numbered` puts in."""
    return added(0, content, **flags)


def _raw(content: str, **flags: bool) -> Document:
    """Return an added token that is searched for in the text as it was given."""
    return _token(content, normalized=False, **flags)


def _special(content: str, **flags: bool) -> Document:
    return _token(content, special=True, **flags)


def _numbered(vocabulary_: Mapping[str, int], tokens: Iterable[Document | str]) -> list[Document]:
    """Return ``tokens`` with the ids that they get: the model's, or the next ones from its size on."""
    known = dict(vocabulary_)
    next_id = len(known)
    listed = []
    for token in tokens:
        full = _token(token) if isinstance(token, str) else token
        content = full["content"]
        if content not in known:
            known[content] = next_id
            next_id += 1
        listed.append({**full, "id": known[content]})
    return listed


def _on(model: Document, tokens: Iterable[Document | str], **parts: Any) -> Document:
    """Return a tokenizer of ``model`` with added ``tokens``, whose ids are as they have to be."""
    vocab = model["vocab"]
    known = vocab if isinstance(vocab, dict) else {piece: id_ for id_, (piece, _) in enumerate(vocab)}
    return tokenizer(model, added_tokens=_numbered(known, tokens), **parts)


def _by_character(tokens: Iterable[Document | str], alphabet: str, **parts: Any) -> Document:
    return _on(characters("".join(dict.fromkeys(alphabet))), tokens, **parts)


def _found(tokens: Sequence[Document | str], *texts: str, also: str = "", **parts: Any) -> list[CaseRecipe]:
    """Return a case for each text, of one tokenizer that knows all characters of the texts, and ``also`` these.

    A character that is an added token is left out, so that its id says which of the two was found.
    """
    contents = {token if isinstance(token, str) else token["content"] for token in tokens}
    alphabet = "".join(sorted(set("".join(texts)) - contents))
    return each(_by_character(tokens, alphabet + also, **parts), *texts)


def _flagged(flags: Mapping[str, bool], content: str, *texts: str, also: str = "") -> list[CaseRecipe]:
    """Return cases in which both kinds of search look for ``content``."""
    return [
        one
        for normalized in (False, True)
        for one in _found([_token(content, normalized=normalized, **flags)], *texts, also=also)
    ]


LOWER: Final = component("Lowercase")
STRIP: Final = component("Strip", strip_left=True, strip_right=True)

WIDTHS: Final = "\x7f\x80\u07ff\u0800\ufffd\U00010000\U0001f600"
"""Characters at both sides of each limit of UTF-8 and UTF-16."""

NEIGHBOURS: Final = row("• •\t•\n•\u00a0•a•7•_•.•<•\u00e9•\u8a9e•\u0301•\u200d•\U0001f600•<b>")
"""What may stand beside an added token, among it another one."""


# Finding them ---------------------------------------------------------------------------------------------------------

ADDED.requirement(
    "ADDED-CUT-OUT: An added token is found wherever its content stands in the text",
    "Wherever the content of an added token stands in the text, it is cut out and becomes one token with the id of the added token. What stands before and after is tokenized as if it were a text of its own.",
    "Ports split at white space first, look for added tokens only between spaces, or escape the content wrongly when they build a regular expression of all added tokens.",
    _found(["<a>", "<b>"], *(f"{near}<a>" for near in NEIGHBOURS)),
    _found(["<a>", "<b>"], *(f"<a>{near}" for near in NEIGHBOURS[1:])),
    _found([_raw("<a>"), _raw("<b>")], *(f"x{near}<a>{near}y" for near in NEIGHBOURS)),
    links=("https://github.com/guillaume-be/rust-tokenizers/pull/33",),
)
ADDED.requirement(
    "ADDED-NOWHERE: Without an added token in it, the text is tokenized as a whole",
    "A text in which no added token stands goes through the other stages in one piece; an empty text gives no token.",
    "Ports give an empty first or last piece to the model, or lose the text behind the last added token.",
    _found(["<a>"], "x", "xy z", "<a", "a>", "<A>", "< a>", "<a\u200b>"),
    case(_by_character(["<a>"], "x"), text("", "<a>x")),
    case(_by_character([_special("<a>")], "x"), text("", "x<a>")),
    case(_by_character([], "<a>"), text("<a>", "")),
)
ADDED.requirement(
    "ADDED-EVERY-OCCURRENCE: Every occurrence is found, from left to right, without overlaps",
    "The text is searched from left to right, and a search goes on where the last match ended: matches stand side by side, and never overlap.",
    "Ports replace the first occurrence only, or look again one character after the start of the last match.",
    _found(["<a>"], "<a><a>", "<a><a><a>", "<a> <a>", "x<a>y<a>z", "<a>x<a>", "<<a>>", "<a<a>a>"),
    _found([_raw("aa")], "aa", "aaa", "aaaa", "aaaaa", "baab", "aabaa", "abaaab"),
    _found(["aba"], "ababa", "abababa", "aabaab", "abaaba"),
    _found([_special("<a>"), "<b>"], "<a><b>", "<b><a>", "<a><b><a>", "<b><b><a>x<a>"),
)
ADDED.requirement(
    "ADDED-IN-ANY-LINE: Added tokens are found in any line, and take newlines with them",
    "A search goes through the whole text, whatever its lines and however long it is; newlines are white space that a token may take.",
    "Ports search line by line, give up after a line without a token, or cut long texts before they search.",
    [
        _found([_token("<a>", normalized=normalized)], "x\ny<a>", "<a>\nx\n<a>", normalizer=LOWER)
        for normalized in (False, True)
    ],
    case(
        _by_character(
            [_token("<a>", lstrip=True, rstrip=True, normalized=True)],
            "xyz",
            normalizer=LOWER,
            pre_tokenizer=component("WhitespaceSplit"),
        ),
        encode(f"x \n<A>\n y{' ' * 2000}\nz<a>", special=False),
    ),
)
ADDED.requirement(
    "ADDED-LEFTMOST: Of overlapping matches the leftmost is taken",
    "Where two added tokens of the same search overlap in the text, the one that begins first is taken, even if the other one is longer.",
    "Ports try the tokens one after the other, the longest or the first of the list first, over the whole text.",
    _found(["ab", "bcd"], "abcd", "xabcdx", "bcd", "aabcd", "abbcd"),
    _found(["bcd", "ab"], "abcd", "xabcdx"),
    _found([_raw("bcde"), _raw("abc"), _raw("ea")], "abcde", "abcdea", "bcdea", "abcea", "cdea"),
    _found(["ab", "ba"], "aba", "bab", "abab", "baba", "aabb"),
    links=("https://github.com/huggingface/transformers/pull/13220",),
)
ADDED.requirement(
    "ADDED-LONGEST: Of matches with the same beginning the longest is taken",
    "Of all added tokens that match at the same place the longest is taken, in whatever order they were added and whatever their ids are.",
    "Ports join the contents with | in the order of the list, and their regular expression takes the first that matches.",
    [
        _found([first, *rest], "xa", "ab", "abc", "abcd", "abx", "aab", "abab", "abcabab", "abacabc")
        for first, rest in (("a", ["ab", "abc"]), ("abc", ["ab", "a"]), ("ab", ["abc", "a"]))
    ],
    _found([_special("<a>"), _special("<a>>"), _special("<a><a>")], "<a>", "<a>>", "<a><a>", "<a><a>>", "<a>><a>"),
    _found([_raw(" "), _raw("  "), _raw("    ")], *(f"a{' ' * count}b" for count in range(1, 10))),
    links=(
        "https://github.com/georg-jung/FastBertTokenizer/pull/101",
        "https://github.com/invergent-ai/surogate/issues/157",
        "https://github.com/huggingface/tokenizers/issues/772",
    ),
)
ADDED.requirement(
    "ADDED-SHORTER-WHERE-LONGER-FAILS: Where a longer token does not match to its end, shorter ones inside are found",
    "Text that is only the beginning of a longer added token is not used up by it: shorter ones that start at the same place, or inside of it, are found.",
    "Tries without failure links lose what they have read when the next character does not fit.",
    _found(["abcd", "bc"], "abce", "abcabcd", "abc", "aabcd", "abcbc"),
    _found(["ab", "abcd"], "abce", "abc", "abcabcd", "abcd"),
    _found(["abcde", "cd", "d"], "abcdx", "abcd", "abcdcd", "cdd"),
    _found(["aab", "ab"], "aaab", "aaaab", "aabab", "abaab"),
    _found(["aaa", "aab"], "aaab", "aaaab", "aabaaa", "aaaaab"),
    _found([_raw("<|a|>"), _raw("|b|")], "<|b|>", "<|a|b|>", "<|a<|a|>", "<|a||b|>"),
    # So many lengths of one beginning, as of Gemma's line breaks, that looking each up would be slow.
    _found(
        [*("a" * count for count in range(2, 20)), "aab", "abacabad", "bac", "acaba", "dd"],
        *(
            "a",
            "aaab",
            21 * "a",
            40 * "a" + "b",
            "abacabad",
            "abacabac",
            "abacaba",
            "aabacaba d",
            "ddd",
            "aabaab",
            "ca",
        ),
        *("abacabad" + "abacabac" + "bacabad", "bbacacaba", "d dd aaaaab", "aa" + "b" * 3 + "ac"),
    ),
)
ADDED.requirement(
    "ADDED-NESTED: An added token inside of a longer one is not found there",
    "A token that stands in the middle of the content of a longer one is found by itself, but not within a match of the longer one.",
    "Ports split the pieces again for every token, and find tokens inside of tokens.",
    _found(["<a>", "<<a>>"], "<<a>>", "<a>", "<<a>", "<a>>", "<<a>><a>", "<<<a>>>", "<<a><<a>>"),
    _found([_raw("b"), _raw("abc")], "abc", "ab", "bc", "abcb", "babc", "abbc"),
)
ADDED.requirement(
    "ADDED-CONTENT-IS-LITERAL: The content is literal text, not a pattern",
    "The content of an added token is compared character by character: characters that have a meaning in regular expressions stand for themselves, and case counts.",
    "Ports put contents into a regular expression without escaping them, or with an escape that the engine does not know (spaces, #, -, line feeds).",
    [
        _found([_raw(content)], content, f"a{content}b", other, other + content)
        for content, other in (
            (".", "x"),
            ("a+", "aa"),
            ("a*", "aa"),
            ("a|b", "a"),
            ("[ab]", "a"),
            ("(a)", "a"),
            ("{2}", "aa"),
            ("a?", "a"),
            ("^", "a"),
            ("$", "a"),
            ("\\d", "1"),
            ("\\", "/"),
            ("(?i)a", "A"),
            ("#", "x"),
            ("-", "x"),
            ("a b", "ab"),
            ("a\nb", "a b"),
            ("$1", "$2"),
            ("\\n", "\n"),
            ("<|A|>", "<|a|>"),
            ("&lt;", "<"),
            ("\x00", "0"),
            ('"', "'"),
        )
    ],
)
ADDED.requirement(
    "ADDED-CODE-POINTS-COUNT: Canonically equivalent text is not the same text",
    "Without a normalizer the search compares code points: a composed character does not match its decomposed form, and a match may end between a letter and the mark that follows it.",
    "Strings of some languages (Swift) compare by canonical equivalence and by grapheme, and so find other tokens.",
    _flagged({}, "\u00e9", "\u00e9", "e\u0301", "e\u0301\u00e9", "\u00e9\u0301"),
    _flagged({}, "e\u0301", "\u00e9", "e\u0301", "\u00e9e\u0301", "e\u0301\u0301", "e\u0300"),
    _flagged({}, "e", "e\u0301", "ee\u0301", "\u00e9e", "e\u200d", "e\ufe0f"),
    _flagged({}, "\u0301", "e\u0301", "\u0301", "\u00e9\u0301a"),
    _flagged({}, "\r", "\r\n", "\n\r", "a\r\nb"),
    _flagged({}, "\n", "\r\n", "\n\n", "a\r\nb"),
    _flagged({}, "\U0001f468", "\U0001f468\u200d\U0001f469", "\U0001f468\U0001f3fd", "\U0001f468"),
    _flagged({}, "\u212b", "\u00c5", "\u212b", "A\u030a"),
)
ADDED.requirement(
    "ADDED-OFFSETS: Offsets of an added token are those of its match, whatever the width of the characters",
    "The offsets of an added token are the place of its match in the original text, and those of the text after it go on from there; they count code points (an implementation may count in another unit, but then everywhere).",
    "Searches work on bytes or UTF-16 units, and ports forget to turn their results into the unit of offsets.",
    _found([_raw("<a>"), "<b>"], *(f"{char}<a>{char}<b>{char}x" for char in WIDTHS)),
    _found([_raw(f"<{WIDTHS}>"), "<b>"], f"x<{WIDTHS}>y", f"<{WIDTHS}><b>", f"<b><{WIDTHS}>", f"<{WIDTHS[1:]}>"),
    [
        _found([f"{char}a", _raw(f"a{char}")], f"x{char}ay", f"xa{char}y", f"{char}{char}a{char}{char}")
        for char in WIDTHS
    ],
    features=("offsets",),
)
ADDED.requirement(
    "ADDED-NOT-TOKENIZED: Neither pre-tokenizer nor model changes an added token",
    "An added token stays one token, with its content as text, however a pre-tokenizer or the model would cut it, and though the model knows none of its characters.",
    "Ports hand the pieces that are added tokens to the pre-tokenizer as well, which cuts <|a b|> at its space, or to the model, which makes [UNK] of it.",
    [
        each(
            _on(
                word_level(["xy", "x", "y", "|", "1"]), ["<|a 1|>", _raw("\u4e00b2\u0301")], pre_tokenizer=pre_tokenizer
            ),
            "<|a 1|>",
            "xy<|a 1|>1y",
            "x\u4e00b2\u0301y|",
        )
        for pre_tokenizer in (
            component("WhitespaceSplit"),
            component("Whitespace"),
            component("BertPreTokenizer"),
            component("Punctuation", behavior="Isolated"),
            component("Digits", individual_digits=True),
            component("CharDelimiterSplit", delimiter="|"),
            component("FixedLength", length=2),
            component("UnicodeScripts"),
            component("Split", pattern={"Regex": "[a-z]"}, behavior="Removed", invert=False),
        )
    ],
)
ADDED.requirement(
    "ADDED-WORDS-COUNT: An added token is a word in word_ids",
    "word_ids number the pieces of the text in order, and every added token counts as one piece.",
    "Ports number only what the pre-tokenizer made, or give added tokens no word as they give none to special tokens of the post-processor.",
    each(
        _by_character([_special("<a>"), "<b>"], "xyz", pre_tokenizer=component("WhitespaceSplit")),
        *row("<a>•x <a> y•x y<a>z•<a><b>x•x<b>y z<a>• <a> •<b> xy z"),
    ),
    features=("word_ids",),
)
ADDED.requirement(
    "ADDED-IN-PAIRS: Added tokens are found in both texts of a pair, each by itself",
    "Both texts of a pair are searched, each by itself: no match goes from the first into the second, and offsets and words begin anew.",
    "Ports join the texts before they search, or search the first one only.",
    [
        case(_by_character([_special("<a>"), "<b>"], "xy <>ab"), pair(*texts))
        for texts in (
            ("x<a>", "<b>y"),
            ("<a>", "<a>"),
            ("x", "<a>"),
            ("<", "a>"),
            ("<a>", ""),
            ("", "y<b><a>"),
            ("\u00e9<a>x", "\U00010000<b>y"),
        )
    ],
    features=("pair",),
)
ADDED.requirement(
    "ADDED-IN-WORDS: In input that is split into words, each word is searched by itself",
    "Of input that comes as words every word is searched by itself: no match goes over the end of a word, flags see nothing of the other words, and all tokens of a word, added ones included, have the number of the word.",
    "Ports join words with spaces and search the result, so that lstrip takes a space that is not there.",
    [
        case(
            _by_character(
                [_special("<a>"), _token("<b>", lstrip=True, rstrip=True), _token("cd", single_word=True)], "xy <>abcd"
            ),
            words(sequence),
        )
        for sequence in (
            ["<a>"],
            ["x", "<a>", "y"],
            ["x<a>y", "y"],
            ["<", "a>"],
            ["x", " <b> ", "y"],
            ["x ", "<b>", " y"],
            ["x", "cd", "y"],
            ["xcd", "cd"],
            ["", "<a>", "", "x"],
            ["<a><b>", "<b><a>"],
        )
    ],
    features=("pre_split",),
)


# Before and after normalization ---------------------------------------------------------------------------------------

ADDED.requirement(
    "ADDED-RAW-BEFORE-NORMALIZATION: With normalized false a token is searched for in the text as it was given",
    "A token with normalized false is found where its content stands in the original text exactly, and is not found where only the normalizer would give it. Its text is not normalized.",
    "Ports normalize the whole text first, and then look for [MASK] in a text in lower case.",
    _found([_raw("<A>")], "<A>", "<a>", "X<A>Y", "<A><a>", also="xya", normalizer=LOWER),
    _found([_raw("<a>")], "<A>", "<a>", "X<a>Y", "<a><A>", also="xya", normalizer=LOWER),
    _found([_special("[CLS]")], "[CLS]", "[cls]", "A[CLS]b", also="acls", normalizer=LOWER),
    _found([_raw("\u00e9")], "\u00e9", "e\u0301", "x\u00e9e\u0301", also="e", normalizer=component("NFC")),
    _found([_raw("e\u0301")], "\u00e9", "e\u0301", "xe\u0301\u00e9", also="e", normalizer=component("NFC")),
    _found([_raw("\ufb01")], "\ufb01", "fi", "\ufb01x\ufb01", also="fi", normalizer=component("NFKC")),
    _found([_raw(" a ")], " a ", "  a  ", "b a b", normalizer=STRIP),
    links=(
        "https://github.com/elastic/elasticsearch/pull/81429",
        "https://github.com/huggingface/transformers/pull/14364",
    ),
)
ADDED.requirement(
    "ADDED-NORMALIZED-AFTER-NORMALIZATION: With normalized true the normalized content is searched for in the normalized text",
    "A token with normalized true is found where the normalized text has the normalized form of its content; the token then reads as that form.",
    "Ports normalize the text but not the content, so that a token with a capital letter is never found in an uncased tokenizer.",
    _found(["ABC"], "abc", "ABC", "aBc", "xAbCy", "ABCabc", "AB C", also="abcxy", normalizer=LOWER),
    _found(["abc"], "abc", "ABC", "xAbCy", also="abcxy", normalizer=LOWER),
    _found(["\u00e9a"], "\u00e9a", "e\u0301a", "x\u00e9ae\u0301a", "ea", normalizer=component("NFC")),
    _found(["e\u0301a"], "\u00e9a", "e\u0301a", "xe\u0301a", also="\u00e9", normalizer=component("NFC")),
    _found(["\u00e9"], "\u00e9", "e\u0301", "\u00e9\u0301", "e", normalizer=component("NFD")),
    _found(["\ufb01"], "\ufb01", "fi", "xFi\ufb01", normalizer=component("NFKC")),
    _found(["\u00e9"], "\u00e9", "e", "e\u0301", normalizer=[component("NFD"), component("StripAccents")]),
    _found(
        ["a b", " c"],
        *row("a b•xa b c•a\u2581b•a  b"),
        also="\u2581",
        normalizer=component("Replace", pattern={"String": " "}, content="\u2581"),
    ),
    _found([" A "], " a ", "A", "b a b", " A", also="a", normalizer=[STRIP, LOWER]),
    _found(["\u0130x"], "\u0130x", "i\u0307X", "ix", normalizer=LOWER),
    _found(
        ["<A>"], "<A>", "<a>x", "B <A>", also="abx\u2581", normalizer=[component("Prepend", prepend="\u2581"), LOWER]
    ),
    each(
        _on(bpe(["a", "\u0120", "\u00c3", "\u00a9", "b"]), ["\u00e9 b"], normalizer=component("ByteLevel")),
        "a\u00e9 b\u00e9",
    ),
    links=("https://github.com/huggingface/tokenizers/pull/309",),
)
ADDED.requirement(
    "ADDED-NORMALIZED-OFFSETS: Offsets of a token found in the normalized text are those of the original",
    "The offsets of a token that was found in the normalized text cover the original characters that its characters stand for.",
    "Ports give offsets of the normalized text, which are wrong as soon as a character before was inserted, removed or replaced by two.",
    _found(
        ["\u00e9"], "xe\u0301y", "e\u0301\u00e9e\u0301", "o\u0301e\u0301", also="\u00f3", normalizer=component("NFC")
    ),
    _found(["i"], "\u0130x", "x\u0130i", also="\u0307", normalizer=LOWER),
    _found(["fi"], "a\ufb01b", "\ufb03b", "\ufb01\ufb01", also="f", normalizer=component("NFKC")),
    _found(["f"], "a\ufb01b", "\ufb03b", also="i", normalizer=component("NFKC")),
    _found(["ab"], "  ab  ", " xaby ", "ab ", normalizer=STRIP),
    _found(
        ["bc"],
        *row("a\x00bc•ab\x00c•\x00bc\x00•b\x00\x00cbc"),
        normalizer=component(
            "BertNormalizer", clean_text=True, handle_chinese_chars=False, strip_accents=False, lowercase=False
        ),
    ),
    _found(
        ["\u8a9e"],
        "a\u8a9eb",
        "\u8a9e\u8a9e",
        normalizer=component(
            "BertNormalizer", clean_text=False, handle_chinese_chars=True, strip_accents=False, lowercase=False
        ),
        also=" ",
    ),
    _found(["bb"], "xay", "aa", "xbb", normalizer=component("Replace", pattern={"String": "a"}, content="bb")),
    _found(["b"], "xaay", "aa", "aaaab", normalizer=component("Replace", pattern={"String": "aa"}, content="b")),
    _found(
        ["e"],
        f"{WIDTHS}\u00c9x",
        "\u00c9\u00c9",
        "e\u0301",
        normalizer=[component("NFD"), component("StripAccents"), LOWER],
    ),
    features=("offsets",),
)
ADDED.requirement(
    "ADDED-RAW-FIRST: Tokens with normalized false are found before all others",
    "The search for tokens with normalized false goes over the whole text first; the others are searched only in the pieces between, even where they would begin earlier or are longer.",
    "Ports put both kinds of tokens into one search, and take the leftmost or the longest of all.",
    _found([_raw("b"), "abc"], "abc", "xabcx", "acabc", "bac"),
    _found([_raw("bc"), "ab"], "abc", "abbc", "bcab", "aabc"),
    _found(["<a><b>", _special("<b>")], "<a><b>", "<b><a>", "<a><b><a><b>"),
    _found(["ab", _raw("abc")], "abc", "ab", "abab", "ababc"),
    _found(["ABC", _raw("B")], "abc", "aBc", "ABC", "abcB", also="abcx", normalizer=LOWER),
)
ADDED.requirement(
    "ADDED-PIECES-NORMALIZED-APART: The normalizer works on each piece between added tokens by itself",
    "The pieces between tokens with normalized false are normalized each by itself, as if it were a whole text. A token with normalized true makes no difference to the normalizer, which has worked before it is found.",
    "Ports normalize the whole text at once, so that Strip and Prepend act only at the ends of the text, and combining characters reach over an added token.",
    _found([_raw("<a>"), "<b>"], *row(" x <a> y •<a> • <a>•x <b> y• <b> •<a> <b> <a>• <a> <a> "), normalizer=STRIP),
    _found(
        [_raw("<a>"), "<b>"],
        *row("x<a>y <a>x x<a> <a> x<b>y <b>x <a><a>x <a><b>x x<b><a>y"),
        also="\u2581",
        normalizer=component("Prepend", prepend="\u2581"),
    ),
    _found(
        [_raw("<a>"), "<b>"],
        *row("e<a>\u0301•e\u0301<a>•e<b>\u0301•<a>\u0301e\u0301"),
        also="\u00e9",
        normalizer=component("NFC"),
    ),
    _found(
        [_raw("<a>"), "<b>"],
        "x<a>x",
        "xx<a>xx",
        "x<b>x",
        normalizer=component("Replace", pattern={"Regex": "^x"}, content="y"),
        also="y",
    ),
)
ADDED.requirement(
    "ADDED-LLAMA-PREFIX: Prepending and replacing spaces acts after every special token",
    "With the normalizers Prepend and Replace of older Llama files, every piece of text after a token with normalized false begins with the prepended character, also where a space follows.",
    "Ports prepend once, at the start of the text (the behaviour of SentencePiece), or not after special tokens.",
    _found(
        [_special("<s>"), "<t>"],
        *row("a b•<s>a b•<s> a•a<s>b<s> c•<s><s>a•<t>a•a<t>b• <t> a•<s><t>a"),
        also="\u2581",
        normalizer=[
            component("Prepend", prepend="\u2581"),
            component("Replace", pattern={"String": " "}, content="\u2581"),
        ],
    ),
)
ADDED.requirement(
    "ADDED-VOCABULARY-KEEPS-CONTENT: Vocabulary and file have the content as it was given",
    "The vocabulary and the saved file have an added token under its content as it was given, also where the normalizer changes it.",
    "Ports store the normalized form only, and write a file that is another tokenizer.",
    [
        case(_by_character(tokens, "ab", normalizer=normalizer), vocabulary(), saved(), text("ab"))
        for tokens in (["AB", "\u00c9"], [_special("AB", single_word=True), _raw("\u00c9", lstrip=True, rstrip=True)])
        for normalizer in (LOWER, component("NFD"), None)
    ],
    features=("vocabulary",),
)


# single_word ----------------------------------------------------------------------------------------------------------

WORD_CHARACTERS: Final = (
    "aZ09_\u00aa\u00b5\u00ba\u00c0\u00d6\u00d8\u00e9\u00f6\u00f8\u02c1\u03b1\u0416\u05d0\u0661\u0915\u0e01\u2160\u2188\u24b6"
    "\u3042\u8a9e\uac00\uff11\ufb01\u203f\u2040\U00010000\U0001d7ce\U00020000"
)
"""Letters, digits, number letters, circled letters and connecting punctuation, of all widths, with ends of ranges."""

OTHER_CHARACTERS: Final = (
    " \t\n-.'/:@[`{^~$+<"
    "\u00a0\u00a9\u00ab\u00b7\u00d7\u00f7\u00bd\u2014\u2019\u2028\u20ac\u2153\u2190\u2460\u3000\u3001\ufffd\ufeff\u200b\U0001f600"
)
"""Blanks, punctuation, symbols and other numbers, with the neighbours of ASCII's ranges."""

ADDED.requirement(
    "ADDED-SINGLE-WORD: With single_word a token is found only where no word character stands beside it",
    "A match of a token with single_word is dropped where the character right before it or right after it is a word character: a letter, a digit, an underscore or other connecting punctuation, of any script. The ends of the text are no word characters.",
    "Ports ask for white space on both sides, use a \\b that knows ASCII only, or look at one side.",
    _found([_raw("<m>", single_word=True)], *(f"{char}<m>" for char in WORD_CHARACTERS), "<m>"),
    _found([_raw("<m>", single_word=True)], *(f"<m>{char}" for char in WORD_CHARACTERS)),
    _found([_raw("<m>", single_word=True)], *(f"{char}<m>" for char in OTHER_CHARACTERS)),
    _found([_raw("<m>", single_word=True)], *(f"<m>{char}" for char in OTHER_CHARACTERS)),
)
ADDED.requirement(
    "ADDED-SINGLE-WORD-BOTH-SIDES: Both sides of a single word are looked at",
    "A token with single_word needs both sides free, and every occurrence is judged by itself; what its own content begins and ends with does not matter.",
    "Ports write \\b before and after the content, which for a content that begins with < asks for the opposite.",
    [
        _flagged(
            {"single_word": True},
            content,
            *(f"{left}{content}{right}" for left in ("", " ", "x", ".") for right in ("", " ", "x", ".")),
        )
        for content in ("ab", "<m>")
    ],
    _flagged({"single_word": True}, "ab", "ab xab abx ab", "abab ab", "ab-ab.ab", "abab", "ab ab"),
)
ADDED.requirement(
    "ADDED-SINGLE-WORD-IN-ITS-PIECE: A single word sees the text of its own search, not beyond",
    "In the first search the neighbours are those of the original text, other added tokens among them. In the second they are those of the normalized piece, which ends where a token of the first search was cut out.",
    "Ports look at the original text in both searches, or take every added token for a border.",
    _found([_raw("x"), _raw("ab", single_word=True)], "xab", "abx", "xabx", "x ab", "ab"),
    _found([_raw("x"), _token("ab", single_word=True)], "xab", "abx", "xabx", "yxab", "yab"),
    _found(["x", _token("ab", single_word=True)], "xab", "abx", "x ab x"),
    _found(
        [_token("ab", single_word=True)],
        *row("ab\u0301•\u0301ab•ab\u00e9•Ab•cab"),
        also="ec",
        normalizer=[component("NFD"), component("StripAccents"), LOWER],
    ),
    _found([_raw("ab", single_word=True)], "ab\u0301", "ab", also="e", normalizer=component("StripAccents")),
    _found(
        [_token("b", single_word=True)],
        " b",
        "a b",
        "b b",
        normalizer=component("Replace", pattern={"String": " "}, content="_"),
        also="_",
    ),
    _found(
        [_token("b", single_word=True)],
        "_b",
        "a_b",
        "b_b",
        normalizer=component("Replace", pattern={"String": "_"}, content=" "),
        also=" ",
    ),
)


# lstrip and rstrip ----------------------------------------------------------------------------------------------------

WHITE_SPACE: Final = (
    "\t\n\x0b\x0c\r \x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029"
    "\u202f\u205f\u3000"
)
NO_WHITE_SPACE: Final = (
    "\x08\x0e\x1b\x1c\x1d\x1e\x1f!\x84\x86\u009f\u00a1\u167f\u1681\u180e\u1fff\u200b\u2027\u202a\u202e\u2030\u205e"
    "\u2060\u2fff\u3001\u2420\u2581\u3164\ufeff\u0120"
)
"""The neighbours of white space, and what looks or is called like it."""

ADDED.requirement(
    "ADDED-LSTRIP: With lstrip a token takes the white space before it",
    "A token with lstrip takes all characters with the property White_Space that stand right before it, however many: they belong to its offsets and are not tokenized. It is found without any, too.",
    "Ports take one space, spaces only, or what their language calls white space (which may have U+001C to U+001F, U+180E, U+200B or U+FEFF, or lack U+0085 or U+00A0); others demand that a space is there.",
    _found([_raw("<m>", lstrip=True)], *(f"a{char}<m>" for char in WHITE_SPACE), also="x"),
    _found([_raw("<m>", lstrip=True)], *(f"a{char}<m>" for char in NO_WHITE_SPACE), also="x"),
    _flagged(
        {"lstrip": True}, "<m>", "<m>", " <m>", "a<m>", "a  <m>", "a \t\n<m>", "a <m> b", "  <m>  ", "a b <m>", also="x"
    ),
    links=(
        "https://github.com/openvinotoolkit/openvino_tokenizers/pull/742",
        "https://github.com/huggingface/transformers/issues/3796",
    ),
)
ADDED.requirement(
    "ADDED-RSTRIP: With rstrip a token takes the white space after it",
    "A token with rstrip takes all characters with the property White_Space that stand right after it, however many. It is found without any, too.",
    "As for lstrip; and ports that make \\s* of it in a regular expression depend on what its \\s is.",
    _found([_raw("<m>", rstrip=True)], *(f"<m>{char}a" for char in WHITE_SPACE), also="x"),
    _found([_raw("<m>", rstrip=True)], *(f"<m>{char}a" for char in NO_WHITE_SPACE), also="x"),
    _flagged(
        {"rstrip": True}, "<m>", "<m>", "<m> ", "<m>a", "<m>  a", "<m> \t\na", "a <m> b", "  <m>  ", "<m> b a", also="x"
    ),
    links=("https://github.com/iree-org/iree/pull/23805",),
)
ADDED.requirement(
    "ADDED-STRIP-BOTH: lstrip and rstrip do not depend on each other",
    "lstrip takes white space on the left only, rstrip on the right only, and both together on both sides; without either all white space stays in the text.",
    "Ports mix up the sides, or strip both when either is set.",
    [
        _flagged({"lstrip": left, "rstrip": right}, "<m>", "  <m>  ", "a <m> b", "a\u3000<m>\u00a0b", "a <m>", "<m> b")
        for left in (False, True)
        for right in (False, True)
    ],
)
ADDED.requirement(
    "ADDED-LSTRIP-STOPS-AT-A-TOKEN: lstrip does not reach into the added token before",
    "White space goes to the first token that takes it: lstrip takes nothing that an earlier match of the same search has, be it by rstrip or because its content ends in white space.",
    "Ports strip each match by itself, and so give the same space to two tokens, or panic.",
    _flagged({"lstrip": True, "rstrip": True}, "<m>", "<m> <m>", "<m>  <m> <m>", "<m><m>", " <m>\t<m> ", "<m> a <m>"),
    _flagged({"lstrip": True}, "<m>", "<m> <m>", "<m>  <m><m>", " <m>\t<m> ", "<m> a <m>"),
    _flagged({"rstrip": True}, "<m>", "<m> <m>", "<m>  <m><m>", " <m>\t<m> ", "<m> a <m>"),
    _found([_raw("<m>", lstrip=True), _raw("<n>", rstrip=True)], "<n> <m>", "<m> <n>", "<n>  <m>  <n>", "a <n><m> b"),
    _found([_raw("<m>", lstrip=True), _raw("<n>")], "<n> <m>", "<n>  <m>", "<n><m>", " <n> <m>"),
    _found([_raw("<m>", lstrip=True), _raw("n ")], "n <m>", "n  <m>", "n   <m>", "an \t<m>"),
    _found([_raw("<m>", lstrip=True), _raw(" ")], " <m>", "  <m>", "a <m>", "a\t<m>", "\t <m>", " \t<m>"),
)
ADDED.requirement(
    "ADDED-STRIP-IN-ITS-PIECE: White space is taken from the text of its own search only",
    "A token with normalized true takes white space of its normalized piece: it does not reach over a token of the first search, and white space that the normalizer removed is not there to be taken, nor in its offsets.",
    "Ports strip in the original text, whatever the normalizer made of it.",
    _found([_raw("<s>"), _token("<m>", lstrip=True, rstrip=True)], "<s> <m> <s>", "<m> <s> <m>", " <s> <m>", "<m> <s>"),
    _found(
        [_raw("<s>", lstrip=True, rstrip=True), _token("<m>", lstrip=True, rstrip=True)],
        "<s> <m> <s>",
        "<m> <s> <m>",
        "a <s> <m> b",
    ),
    _found([_token("<m>", lstrip=True, rstrip=True)], " <m> ", "a <m> b", " a <m> ", normalizer=STRIP),
    _found([_raw("<m>", lstrip=True, rstrip=True)], " <m> ", "a <m> b", " a <m> b ", normalizer=STRIP),
    _found(
        [_token("<m>", lstrip=True, rstrip=True), _raw("<n>", lstrip=True, rstrip=True)],
        "a <m> b",
        "a <n> b",
        "<m> ",
        normalizer=component("Replace", pattern={"String": " "}, content="\u2581"),
        also="\u2581",
    ),
    _found(
        [_token("<m>", lstrip=True, rstrip=True)],
        "a_<m>_b",
        "__<m>__",
        normalizer=component("Replace", pattern={"String": "_"}, content=" "),
        also=" ",
    ),
    _found(
        [_token("<m>", lstrip=True)],
        "\u8a9e<m>",
        "a\u8a9e <m>",
        normalizer=component(
            "BertNormalizer", clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=False
        ),
        also=" ",
    ),
)
ADDED.requirement(
    "ADDED-SINGLE-WORD-BEFORE-STRIPPING: single_word looks at the neighbours of the content, not of the white space",
    "Whether a match stands alone is decided before white space is added to it: beside the content itself no word character may stand, beyond the white space one may.",
    "Ports extend the match first, and drop a <m> b.",
    [
        _flagged(
            {"single_word": True, "lstrip": True, "rstrip": True},
            content,
            *(f"{left}{content}{right}" for left in ("a", "a ", " ", "") for right in ("b", " b", " ")),
        )
        for content in ("m", "<m>")
    ],
)
ADDED.requirement(
    "ADDED-STRIP-OF-BLANK-TOKENS: A token of white space may strip as well",
    "A token whose content is white space is found like any other; with lstrip or rstrip it takes the white space beside it too.",
    "Ports trim contents when they read them, or skip tokens that are blank.",
    _found([_raw(" ")], " ", "  ", "a b", " a ", "a\tb"),
    _found([_raw("\n", lstrip=True)], "\n", " \n", "a \n b", "\t\n", "a\nb"),
    _found([_raw("\n", rstrip=True)], "\n", "\n ", "a \n b", "\n\t", "a\nb", " \n"),
    _found([_token("\t"), _raw("\u00a0")], "a\tb", "\t\u00a0", "\u00a0\t", "a\u00a0b "),
    _found([_token(" x ")], " x ", "a x b", " x x ", "x", "  x  "),
)


# With pre-tokenizers and models ---------------------------------------------------------------------------------------


def _byte_level(**options: bool) -> Document:
    return component("ByteLevel", **{"add_prefix_space": True, "trim_offsets": True, "use_regex": True, **options})


AROUND: Final = ("a<s>b", "a <s>b", "a<s> b", "a <s> b", "<s>b", "<s> b", "a<s>", " <s>", "<s><s>b", "<s>  b", "a  <s>")

ADDED.requirement(
    "ADDED-THEN-PREFIX-SPACE: ByteLevel adds its space to every piece, also after an added token",
    "With add_prefix_space the pre-tokenizer ByteLevel puts a space before every piece between added tokens that does not begin with one, not only before the first. With lstrip or rstrip the piece is what is left.",
    "Ports add the space to the whole text, once.",
    [
        each(
            _by_character([_raw("<s>", **flags)], "ab\u0120", pre_tokenizer=_byte_level(add_prefix_space=prefix)),
            *AROUND,
        )
        for prefix, flags in ((True, {}), (False, {}), (True, {"rstrip": True}), (True, {"lstrip": True}))
    ],
)
ADDED.requirement(
    "ADDED-THEN-METASPACE: Metaspace sees each piece between added tokens by itself",
    "With the scheme always, Metaspace prepends its mark to every piece between added tokens that does not begin with a space; with first only to the piece at the very start of the text; with never to none.",
    "Ports prepend to the first piece whatever stands before it, or after special tokens but not after others.",
    [
        each(
            _by_character(
                [token],
                "ab\u2581",
                pre_tokenizer=component("Metaspace", replacement="\u2581", prepend_scheme=scheme, split=split),
            ),
            *AROUND,
        )
        for scheme, split, token in (
            ("always", True, _special("<s>")),
            ("first", True, _special("<s>")),
            ("never", True, _special("<s>")),
            ("first", False, _token("<s>")),
            ("first", True, _raw("<s>", lstrip=True, rstrip=True)),
        )
    ],
)
ADDED.requirement(
    "ADDED-BORDERS-FOR-PATTERNS: No pre-tokenizer looks beyond an added token",
    "Each piece between added tokens is a text of its own to the pre-tokenizer: look-ahead, anchors and fixed lengths end and begin at an added token, and delimiters beside it are merged with nothing of it.",
    "Ports pre-tokenize the whole text and cut the added tokens out of the result.",
    [
        each(_by_character([_raw("<s>"), "<t>"], "abc'1 \u0120-", pre_tokenizer=pre_tokenizer), *texts)
        for pre_tokenizer, texts in (
            (_byte_level(add_prefix_space=False), ("a  <s>b", "a  b", "a  <t>  b", "it<s>'s", "a'<t>s")),
            (component("Split", pattern={"Regex": "^a"}, behavior="Isolated", invert=False), ("aa<s>aa", "b<t>ab")),
            (component("Split", pattern={"Regex": "a$"}, behavior="Removed", invert=False), ("aa<s>aa", "ba<t>ab")),
            (component("Split", pattern={"Regex": "a(?=<)"}, behavior="Removed", invert=False), ("a<s>a<", "a<t>a")),
            (
                component("Split", pattern={"String": "-"}, behavior="MergedWithNext", invert=False),
                ("a-<s>b", "-<t>-a"),
            ),
            (
                component("Split", pattern={"String": "-"}, behavior="MergedWithPrevious", invert=False),
                ("a<s>-b", "-<t>-a"),
            ),
            (component("Split", pattern={"String": "-"}, behavior="Contiguous", invert=False), ("a-<s>-b", "--<t>--a")),
            (component("FixedLength", length=2), ("abc<s>abc", "a<t>bc", "<s>abc")),
            (component("Digits", individual_digits=False), ("11<s>11", "a1<t>1a")),
            (component("UnicodeScripts"), ("a<s>1", "1<t>a", " <s> a")),
            (component("Whitespace"), ("a'<s>'a", "a <t>  b")),
            (component("BertPreTokenizer"), ("a-<s>-a", "a <t>  b")),
        )
    ],
)
ADDED.requirement(
    "ADDED-BORDERS-FOR-MODELS: A word ends at an added token, and another one begins after it",
    "What stands right before an added token is the end of a word to the model, what stands right after it the beginning of one: WordPiece gives it no prefix, the end-of-word suffix of BPE goes before it, no merge or piece goes over it.",
    "Ports tokenize the text around the added token as one word.",
    each(
        _on(word_piece("a b ##a ##b ab"), ["<s>", _raw("<r>")], pre_tokenizer=component("WhitespaceSplit")),
        *row("a<s>b•ab<s>ab•a<r>b•<s>b•a <r>b•bb<s><r>bb"),
    ),
    each(
        _on(bpe(["a", "b", "a</w>", "b</w>"], ["a b</w>"], end_of_word_suffix="</w>"), ["<s>", _raw("<r>")]),
        *row("ab<s>ab a<s>b aab<r>b <r>ab"),
    ),
    each(_on(bpe(["a", "b"], ["a b"]), ["<s>", _raw("<r>")]), "ab", "a<s>b", "ab<r>ab", "a<r>ab<s>b"),
    each(
        _on(bpe(["a", "b", "##b"], ["a ##b"], continuing_subword_prefix="##"), ["<s>", _raw("<r>")]),
        "ab",
        "a<s>b",
        "ab<r>b",
    ),
    each(
        _on(unigram({"<unk>": 0.0, "a": -1.0, "b": -1.0, "ab": -1.5}), ["<s>", _raw("<r>")]),
        *row("ab a<s>b x<r>x xx<s>ab"),
    ),
    each(_on(word_level("a b ab"), ["<s>", _raw("<r>")]), "ab", "a<s>b", "ab<r>ab", "a <s>"),
)
ADDED.requirement(
    "ADDED-NOT-FUSED: Unknown text on both sides of an added token is not fused",
    "Unknown characters on the two sides of an added token stay two unknown tokens where the model fuses them, and an added token is never an unknown one.",
    "Ports fuse unknown tokens over the whole list of tokens afterwards.",
    [
        each(
            _on(bpe(["[UNK]", "a"], unk_token="[UNK]", fuse_unk=fuse), ["<s>", _raw("<r>")]),
            *row("xx x<s>x xx<r>xxa <s>xx"),
        )
        for fuse in (True, False)
    ],
)
ADDED.edge(
    "ADDED-STAGES-ALONE: Normalizer and pre-tokenizer by themselves know nothing of added tokens",
    "Asked by themselves, the normalizer and the pre-tokenizer treat an added token as any other text.",
    "Ports that cut added tokens out inside of a stage show other results for the stage.",
    case(
        _by_character([_special("<A>"), "B c"], "abc<>", normalizer=LOWER, pre_tokenizer=component("WhitespaceSplit")),
        normalize("x <A>B c", "<A>"),
        pre_tokenize("x <A>B c", "<A>b c"),
    ),
    features=("normalize", "pre_tokenize"),
)


# Ids ------------------------------------------------------------------------------------------------------------------

ADDED.requirement(
    "ADDED-IDS-AFTER-THE-MODEL: Contents that the model has not get the ids after it",
    "An added token whose content is not in the vocabulary of the model gets an id of its own; in the files that tokenizers writes these are the numbers from the size of that vocabulary on, in the order of the list.",
    "Ports number added tokens from 0, or put them before the model's tokens.",
    [
        case(_on(model, tokens), vocabulary(), text("x<s>a<t>"), ids(range(8)))
        for model in (word_level("a b"), word_piece("a ##b"), characters("ab"), unigram({"<unk>": 0.0, "a": -1.0}))
        for tokens in (["<s>"], ["<t>", "<s>"], [_special("<s>"), "<t>", _raw("<u>")])
    ],
    features=("vocabulary",),
)
ADDED.requirement(
    "ADDED-IDS-OF-THE-MODEL: Contents that the model has keep its ids",
    "An added token whose content is in the vocabulary of the model has the id that it has there, and takes none of the new ones.",
    "Ports give every added token a new id, so that [CLS] gets another one than the model was trained with.",
    [
        case(_on(model, tokens), vocabulary(), text("<s>a", "b<t>a<s>"), ids(range(8)))
        for model in (
            word_level("<s> a b"),
            characters("ab", "<s>", "<t>"),
            unigram({"<unk>": 0.0, "<s>": 0.0, "a": -1.0}),
        )
        for tokens in (["<s>"], [_special("<t>"), _special("<s>")], ["<u>", "<s>", "<t>"], [_special("a"), "<s>"])
    ],
    features=("vocabulary",),
    links=("https://github.com/ggml-org/llama.cpp/pull/3633",),
)
ADDED.requirement(
    "ADDED-MODEL-TOKEN-IS-CUT-OUT: A token of the model that is also an added one is cut out",
    "Where a token of the model is listed as an added token it is cut out before the model sees the text, also inside of words, and also where the model would never give it.",
    "Ports leave tokens out of the search that the model has.",
    each(_on(bpe(["a", "b", "c"], ["a b", "ab c"]), ["b"]), "abc", "b", "aab", "ac"),
    each(_on(bpe(["a", "b", "c"], ["a b", "ab c"]), [_raw("bc")]), "abc", "bc", "aab", "abcbc"),
    each(_on(word_piece("a ##a ab ##ab [MASK]"), [_special("[MASK]"), "##a"]), "a[MASK]a", "aab", "##a", "a##a"),
    each(_on(unigram({"<unk>": 0.0, "a": -1.0, "aa": -1.0}), ["a"]), "aa", "aab", "baa"),
)
ADDED.edge(
    "ADDED-IDS-START-AT-THE-SIZE: New ids count from the number of tokens, whatever the highest id is",
    "The first new id is the number of tokens in the vocabulary of the model, also where the model's ids have gaps and are higher. A new id may then be one that the model uses; decoding gives the added token.",
    "One would expect the highest id plus one: ports count so, and differ for a vocabulary with gaps.",
    [
        case(
            tokenizer(
                {"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"},
                added_tokens=[added(len(vocab) + at, content) for at, content in enumerate(contents)],
            ),
            vocabulary(),
            text("a<s>", "<s><t>a", "b"),
            ids(range(11)),
        )
        for vocab in (
            {"[UNK]": 0, "a": 5},
            {"[UNK]": 1, "a": 2},
            {"[UNK]": 0, "a": 3, "b": 2},
            {"[UNK]": 9, "a": 4, "b": 3},
        )
        for contents in (["<s>"], ["<s>", "<t>"])
    ],
)
ADDED.edge(
    "ADDED-IDS-OF-MODEL-WITH-GAPS: A model token beyond the size is an added token with its own id",
    "An added token keeps the model's id also where that is beyond the number of the model's tokens; tokens that are new in the same list are numbered from the number of tokens on.",
    "Ports continue after the highest id that they have seen so far.",
    [
        case(
            tokenizer(
                {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1, "<s>": 9}, "unk_token": "[UNK]"},
                added_tokens=listed,
            ),
            vocabulary(),
            text("a<s><t>", "<t><s>"),
            ids(range(12)),
            changed([new_tokens("<u>", "<v>")], encode("<u><v><t>", special=False), ids(range(13))),
        )
        for listed in (
            [added(9, "<s>"), added(3, "<t>")],
            [added(3, "<t>"), added(9, "<s>")],
            [added(9, "<s>", special=True), added(3, "<t>", special=True), added(1, "a")],
            [added(9, "<s>")],
        )
    ],
)
ADDED.requirement(
    "ADDED-DECODED: Added tokens are decoded as their content",
    "Decoding gives for the id of an added token its content; special ones are left out where special tokens are skipped, others never are. An id that no token has gives nothing.",
    "Ports skip all added tokens, none, or those that a list of well-known names has; others fail for unknown ids.",
    [
        case(
            _by_character([_special("<s>"), "<t>", _token("<u>", special=True, normalized=True)], "ab", **parts),
            ids(*sequences),
        )
        for parts in (
            {},
            {"decoder": component("Fuse")},
            {"decoder": component("ByteLevel", add_prefix_space=True, trim_offsets=True, use_regex=True)},
            {"decoder": component("Metaspace", replacement="\u2581", prepend_scheme="always", split=True)},
        )
        for sequences in (([1, 3, 2], [3, 4, 5], [3], [4]), ([1, 6, 2], [1, 4294967295, 4], [5, 5, 1], [0, 3]))
    ],
    features=("decode",),
)
ADDED.requirement(
    "ADDED-DECODED-WITH-STRIPPED-SPACE: White space that a token took does not come back",
    "The ids of an added token with lstrip or rstrip are decoded as its content, without the white space that the match had.",
    "Ports that decode from token texts bring the white space back, or leave it out twice.",
    each(
        _by_character(
            [_special("<s>", lstrip=True, rstrip=True), _token("<t>", rstrip=True)], "ab ", decoder=component("Fuse")
        ),
        "a <s> b",
        "a <t> b",
        " <s><t> ",
    ),
    features=("decode",),
)
ADDED.requirement(
    "ADDED-STREAMED: Streaming skips special tokens as decoding does",
    "Where ids are decoded one at a time, special tokens give nothing where they are skipped, and added tokens that are not special come out whole.",
    "Ports drop the state of the stream at a special token, or print it.",
    [
        case(_by_character([_special("<s>"), "<t>"], "ab", decoder=component("Fuse")), stream(*sequences, skip=skip))
        for skip in (False, True)
        for sequences in (([1, 3, 2], [3, 1, 3]), ([4, 1, 4, 4], [1, 9, 2]))
    ],
    features=("stream",),
)
ADDED.requirement(
    "ADDED-SAVED: The list is written sorted by id, with all flags",
    "A saved file lists the added tokens by ascending id, each with id, content, single_word, lstrip, rstrip, normalized and special.",
    "Ports write them in the order in which they were added, or lose flags.",
    [
        case(_on(word_level("<b> a"), tokens), saved(), text("a<b>"))
        for tokens in (
            [_special("<z>"), "<a>", "<b>"],
            [
                _token("<1>", single_word=True),
                _token("<2>", lstrip=True),
                _token("<3>", rstrip=True),
                _raw("<4>"),
                _special("<5>"),
                _token("<6>", special=True, normalized=True),
            ],
            [],
        )
    ],
    features=("save",),
)
ADDED.edge(
    "ADDED-LISTED-TWICE: Of a content that is listed twice the flags of the last count",
    "A content that the list has more than once is one token with one id, and the flags of its last entry.",
    "Ports give it two ids, or keep the flags of the first.",
    [
        case(
            tokenizer(
                characters(" ab"), added_tokens=[added(4, "<s>", **first), added(4, "<s>", **second), added(5, "<t>")]
            ),
            text("a <s> b", "a<s>b<t>"),
            vocabulary(),
            saved(),
        )
        for first, second in (
            ({}, {"lstrip": True}),
            ({"lstrip": True}, {}),
            ({"single_word": True}, {"rstrip": True}),
            ({"normalized": False}, {"normalized": True, "single_word": True}),
            ({}, {}),
        )
    ],
)
ADDED.edge(
    "ADDED-EMPTY-CONTENT: An empty content adds nothing",
    "A token with empty content is passed over: it takes no id, is never found and is not written.",
    "An empty pattern in a regular expression matches everywhere.",
    [
        case(tokenizer(characters("ab"), added_tokens=tokens), text("ab", "a<s>b"), vocabulary(), saved())
        for tokens in (
            [added(3, "")],
            [added(3, "", special=True), added(3, "<s>")],
            [added(3, "<s>"), added(4, "", lstrip=True, rstrip=True), added(4, "<t>")],
        )
    ],
)


# Added in code --------------------------------------------------------------------------------------------------------

PLAIN: Final = tokenizer(characters("ab <>stuABx_"), normalizer=LOWER)
WITH_ONE: Final = _by_character([_special("<s>"), "<t>"], "ab <>stu")


def _after(document: Document, changes: Sequence[Document], *texts: str, last: int = 20) -> CaseRecipe:
    """Return a case that asks for the encodings of ``texts`` and the decoding of all ids after ``changes``."""
    return case(
        document,
        *(changed(changes, encode(each_, special=False)) for each_ in texts),
        changed(changes, ids(range(last))),
    )


ADDED.requirement(
    "ADDED-IN-CODE: A token that is added to a loaded tokenizer is found from then on",
    "A token that is added in code is found like one of the file, also beside those of the file; its id is the next one after the highest id of an added token, or the size of the model's vocabulary where that is higher.",
    "Ports build their search once, when the file is read, and numbers from the number of all tokens, which counts those twice that the model has too.",
    _after(WITH_ONE, [new_tokens("<u>")], "a<u>b", "<s><u><t>", "<u><u>"),
    _after(WITH_ONE, [new_tokens("<u>", "ab", "s")], "ab<u>s", "<s>abs"),
    _after(WITH_ONE, [new_tokens("<u>"), new_tokens("<v>", "<u><")], "<u><v>", "<u><u>", "<v><s>"),
    _after(WITH_ONE, [new_tokens("<s>a")], "<s>ab", "<s>b", "a<s>a"),
    _after(tokenizer(characters("ab")), [new_tokens("<u>")], "a<u>", "<u>b"),
    _after(tokenizer(characters("ab")), [new_tokens("b")], "ab", "ba"),
    _after(tokenizer(characters("ab")), [new_tokens("b"), new_tokens("<u>")], "ab<u>", "<u>"),
    _after(tokenizer(characters("ab")), [new_tokens("b", "<u>", "a", "<v>")], "ab<u>", "<v>a"),
    _after(_on(characters("ab"), ["b"]), [new_tokens("<u>")], "ab<u>", "<u>"),
    _after(tokenizer(word_level([], unknown=None)), [new_tokens("<u>", "<v>")], "<v><u>", "<u>"),
    _after(tokenizer(bpe([])), [new_tokens("<u>"), new_tokens("<v>")], "<v><u>", "<u>x"),
    features=("changes",),
)
ADDED.edge(
    "ADDED-IN-CODE-WITH-GAPS: Ids go on after the highest added one, and leave gaps open",
    "The next id is one more than the highest id of an added token, where that is not below the size of the model's vocabulary; ids that no token has in between are not used.",
    "Ports use the number of tokens, which is lower where there are gaps.",
    [
        _after(
            tokenizer({"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"}, added_tokens=listed),
            changes,
            "<s>a<u>",
            "<v><u>b",
        )
        for vocab, listed in (
            ({"[UNK]": 0, "a": 1, "<s>": 9}, [added(9, "<s>")]),
            ({"[UNK]": 0, "a": 1, "<s>": 3}, [added(3, "<s>")]),
            ({"[UNK]": 0, "a": 1, "<s>": 2}, [added(2, "<s>")]),
            ({"[UNK]": 0, "a": 1, "b": 2, "<s>": 3, "c": 4}, [added(3, "<s>")]),
            ({"[UNK]": 0, "a": 6}, []),
        )
        for changes in ([new_tokens("<u>", "<v>")], [new_tokens("<u>"), new_tokens("b", "<v>")])
    ],
    features=("changes",),
)
ADDED.requirement(
    "ADDED-IN-CODE-NORMALIZED-DEFAULT: Without normalized, a token is normalized where it is not special",
    "Where normalized is not given it is the opposite of special: a special token is searched for in the original text, any other in the normalized one. Adding as special makes a token special, and then decides; a given normalized stays.",
    "Ports take false, or true, for all.",
    [
        _after(PLAIN, [new_tokens(new_token("AB", **flags), special=special)], "abAB", "xAB_ab", "ABAB")
        for special in (False, True)
        for flags in (
            {},
            {"special": True},
            {"normalized": True},
            {"normalized": False},
            {"special": True, "normalized": True},
            {"special": True, "normalized": False},
        )
    ],
    features=("changes",),
)
ADDED.requirement(
    "ADDED-IN-CODE-FLAGS: Tokens that are added in code have the same flags as those of a file",
    "single_word, lstrip and rstrip are false where they are not given, and work as in a file.",
    "Ports have two classes for tokens, one of which has no flags.",
    [
        _after(WITH_ONE, [new_tokens(new_token("<u>", **flags), special=special)], "a <u> b", "a<u>b", "<s> <u> <t>")
        for special in (False, True)
        for flags in ({}, {"lstrip": True}, {"rstrip": True}, {"single_word": True}, {"lstrip": True, "rstrip": True})
    ],
    features=("changes",),
)
ADDED.requirement(
    "ADDED-IN-CODE-AGAIN: Adding a token again replaces its flags and keeps its id",
    "A content that is an added token already keeps its id; its flags become the new ones. Other tokens keep theirs.",
    "Ports pass known tokens over, or give them a second id.",
    [
        _after(WITH_ONE, changes, "a <t> b", "a<t>b<u>", "<s> <t>")
        for changes in (
            [new_tokens("<t>")],
            [new_tokens(new_token("<t>", lstrip=True))],
            [new_tokens(new_token("<t>", rstrip=True), "<u>")],
            [new_tokens(new_token("<t>", single_word=True))],
            [new_tokens(new_token("<t>", lstrip=True)), new_tokens("<t>")],
            [new_tokens(new_token("<t>", lstrip=True), new_token("<t>", rstrip=True))],
            [new_tokens("<t>", special=True), new_tokens("<u>")],
            [new_tokens("<u>", "<u>", "<t>", "<u>")],
            [new_tokens(new_token("<s>", lstrip=True), special=True)],
        )
    ],
    features=("changes",),
)
ADDED.requirement(
    "ADDED-IN-CODE-OF-THE-MODEL: Adding a token of the model cuts it out and keeps its id",
    "A token of the model that is added in code keeps its id, is cut out from then on, and is skipped in decoding where it was added as special.",
    "Ports pass it over because the vocabulary has it, or give it a new id.",
    [
        _after(tokenizer(model), [new_tokens(*contents, special=special)], "abc", "aab", "<s>a")
        for model in (bpe(["a", "b", "c", "<s>"], ["a b", "ab c"]), characters("abc", "<s>"))
        for contents in (["b"], ["<s>", "<u>"], ["<u>", "a", "ab"])
        for special in (False, True)
    ],
    features=("changes",),
)
ADDED.edge(
    "ADDED-IN-CODE-EMPTY: Adding an empty content changes nothing",
    "A token with empty content that is added in code is passed over and takes no id.",
    "Ports add it, and then find it everywhere.",
    [
        _after(WITH_ONE, [new_tokens(*contents, special=special)], "ab", "<s>a<u>")
        for contents in ([""], ["", "<u>"], ["<u>", "", "<v>"])
        for special in (False, True)
    ],
    features=("changes",),
)
ADDED.requirement(
    "ADDED-SPECIAL-IS-FOR-DECODING: special changes nothing but what decoding skips",
    "Special tokens are found in a text like others; special decides about what decoding skips, about encode_special_tokens, and about normalized where that is not given.",
    "Ports look for special tokens only, or only for the others.",
    [
        _found(
            [_token("<s>", special=special, normalized=normalized, **flags)],
            "a<s>b",
            " <s> ",
            "<S>",
            also="s",
            normalizer=LOWER,
        )
        for special in (False, True)
        for normalized in (False, True)
        for flags in ({}, {"lstrip": True, "single_word": True})
    ],
)

ENCODING_SPECIAL: Final = [encode_special_tokens(True)]

ADDED.requirement(
    "ADDED-ENCODE-SPECIAL-TOKENS: With encode_special_tokens special tokens are text like any other",
    "With encode_special_tokens the special tokens of a text are not cut out, but go through normalizer, pre-tokenizer and model; added tokens that are not special are cut out as before. It is off at first, and no file can set it.",
    "Ports drop special tokens from the text, or stop cutting out all added tokens.",
    [
        case(
            _by_character(
                [_special("<s>"), "<t>", _raw("<r>"), _token("<N>", special=True, normalized=True)],
                "ab <>strnSN",
                normalizer=LOWER,
            ),
            changed(ENCODING_SPECIAL, encode(given, special=False)),
            changed([encode_special_tokens(False)], encode(given, special=False)),
            changed([*ENCODING_SPECIAL, encode_special_tokens(False)], encode(given, special=False)),
        )
        for given in ("<s>", "a<s>b", "<s><t>", "<t><s><r>", "<r> <s>", "<N><n>", "a<N>b<t>")
    ],
    features=("changes",),
)
ADDED.edge(
    "ADDED-ENCODE-SPECIAL-TOKENS-WHOLE-TEXT: A special token that is not cut out does not cut the text",
    "With encode_special_tokens the text around a special token is one piece with it: the model may merge over its borders, the normalizer sees no border, and a model that knows the token as a whole may give it.",
    "Ports cut the special token out and tokenize it by itself.",
    case(
        _on(bpe(["a", "b", "c"], ["a b", "ab c"]), [_special("b")]),
        *(changed(ENCODING_SPECIAL, encode(given, special=False)) for given in ("abc", "b", "bb")),
    ),
    case(
        _by_character([_special("<s>", lstrip=True, rstrip=True)], "a <>s", normalizer=STRIP),
        *(changed(ENCODING_SPECIAL, encode(given, special=False)) for given in (" a <s> a ", "<s> ")),
    ),
    case(
        _on(word_level("<s> a"), [_special("<s>")], pre_tokenizer=component("WhitespaceSplit")),
        *(changed(ENCODING_SPECIAL, encode(given, special=False)) for given in ("a <s> a", "a<s>")),
    ),
    case(
        _on(word_level("a"), [_special("<s>")], pre_tokenizer=component("WhitespaceSplit")),
        *(changed(ENCODING_SPECIAL, encode(given, special=False)) for given in ("a <s> a", "<s>")),
    ),
    case(
        WITH_ONE,
        changed([new_tokens("<u>", special=True), *ENCODING_SPECIAL], encode("<u><s><t>", special=False)),
        changed([*ENCODING_SPECIAL, new_tokens("<u>", "<s>")], encode("<u><s><t>", special=False)),
        changed(ENCODING_SPECIAL, ids([8, 9, 10, 1])),
    ),
    features=("changes",),
)


# Quirks of the register -----------------------------------------------------------------------------------------------

ADDED.quirk(
    "ADDED-TOKEN-VALUE-KEEPS-STRIPPED-SPACE: The text of a stripped token has the white space",
    "The text of an added token in an encoding is what it matched, with the white space that lstrip and rstrip took, and for a token with normalized true as the normalized text has it. Its id is decoded as the content alone.",
    "One would expect the content of the token, which is what its id stands for.",
    [
        _found(
            [_token("<M>", lstrip=left, rstrip=right, normalized=normalized)],
            "a  <M>  b",
            "\t<M>\u00a0",
            "<M>",
            also="m",
            normalizer=LOWER,
        )
        for left, right in ((True, True), (True, False), (False, True))
        for normalized in (False, True)
    ],
    features=("tokens",),
    links=("https://github.com/huggingface/tokenizers/pull/236",),
)
ADDED.quirk(
    "ADDED-TOKEN-READS-BACK-NORMALIZED: The id of a normalized token is decoded as the normalized form",
    "Where the normalizer changes the content of an added token with normalized true, decoding gives the normalized form for its id, while the vocabulary has the content as it was given.",
    "One would expect decoding to give the text that the vocabulary has for the id.",
    [
        case(_by_character([token], "ab", normalizer=normalizer), ids([3], [1, 3, 2]), vocabulary())
        for token, normalizer in (
            (_token("ABC"), LOWER),
            (_raw("ABC"), LOWER),
            (_token("abc"), LOWER),
            (_token("\u00e9"), component("NFD")),
            (_token("x y"), component("Replace", pattern={"String": " "}, content="\u2581")),
            (_token("xy"), component("Prepend", prepend="\u2581")),
            (_token(" x "), STRIP),
        )
    ],
    features=("decode",),
)
ADDED.quirk(
    "SPECIAL-TOKEN-WITH-NORMALIZED-FORM-IS-DECODED: A special token that the normalizer changes is not skipped",
    "Decoding that skips special tokens looks for the text of the id among the contents of special tokens: a special token with normalized true whose normalized form is another text is not among them, and is decoded.",
    "One would expect that special tokens are skipped by their ids.",
    [
        case(_by_character(tokens, "ab", normalizer=LOWER), ids([3], [1, 3, 2], [4, 3, 1]))
        for tokens in (
            [_token("ABC", special=True, normalized=True)],
            [_token("abc", special=True, normalized=True), "<t>"],
            [_special("ABC"), _special("<t>")],
            [_token("ABC", special=True, normalized=True), _special("abc")],
        )
    ],
    features=("decode",),
)
ADDED.quirk(
    "ADDED-TOKENS-OF-ONE-NORMALIZED-FORM-ARE-DRAWN: Of two tokens with one normalized form either may be found",
    "Where the normalizer gives the same form for the contents of two added tokens with normalized true, either id may be found in a text, and another one the next time that the file is loaded.",
    "One would expect the first or the last of the list; the target builds its search from a table without order.",
    not_asked="the answer differs from one loading of the file to the next",
)
ADDED.quirk(
    "RSTRIP-LETS-ADDED-TOKENS-OVERLAP: Tokens overlap where rstrip takes white space of the next one",
    "White space that a token takes by rstrip may be the beginning of the next added token, which is found all the same: the offsets of the two overlap, and the space is in both.",
    "One would expect that every character of the text belongs to one token; the search is over before white space is taken.",
    _found([_raw("<m>", rstrip=True), _raw(" b")], "<m> b", "<m>  b", "a<m> bb", "<m> b b"),
    _found([_token("<m>", rstrip=True), _token(" b", single_word=True)], "<m> b", "<m>  b", "<m> bb"),
    _found([_raw("<m>", rstrip=True), _raw(" ")], "<m> ", "<m>  ", "<m> a", "<m>\t a"),
    _found([_raw("<m>", rstrip=True), _raw(" b", lstrip=True)], "<m> b", "<m>  b", "<m>\t b"),
    _found([_raw("<m>", rstrip=True), _raw("\tb", rstrip=True)], "<m>\tb c", "<m> \tb\tb"),
)
ADDED.quirk(
    "ADDED-TOKEN-INSIDE-STRIPPED-SPACE-PANICS: A blank token with lstrip in stripped white space raises an error",
    "Where an added token with lstrip lies wholly in white space that an earlier token took by rstrip, and does not reach its end, encoding raises an error.",
    "One would expect that the blank token is passed over; the target panics (AddedVocabulary bad split).",
    [
        case(
            _by_character([_raw("<m>", rstrip=True), _raw(" ", lstrip=True)], "ab\t"),
            text(f"a<m>b {also}"),
            encode(given, special=False),
        )
        for given, also in (("<m>  ", ""), ("<m>  a", "a"), ("<m> \t", " b"), ("<m>   b", "<m>"))
    ],
)
ADDED.quirk(
    "REJECTED-ADDED-TOKEN-CONSUMES-ITS-TEXT: A match that single_word rejects has used up its text",
    "A match that single_word rejects is text like any other, and the search goes on behind it: shorter added tokens inside of it, or that begin inside of it, are not found.",
    "One would expect that a rejected match is as if it were not there; the flag is looked at when the search is over.",
    _found([_raw("abc", single_word=True), _raw("bc")], "xabc", "abc", "xabcbc", "xbc", "abcbc"),
    _found([_token("abc", single_word=True), "ab"], "xabc", "abc", "xab", "abcabc"),
    _found([_token("ab", single_word=True), "bc"], "xabc", "abc", "ab", "bc ab"),
    _found([_raw("ab", single_word=True), "b"], "xab", "ab", "b"),
    _found([_raw("abab", single_word=True), _raw("ab")], "ababx", "abab", "ababab", "xabababab"),
)
ADDED.quirk(
    "ENCODE-SPECIAL-TOKENS-CONSUMES-THEIR-TEXT: A special token that is passed over has used up its text",
    "With encode_special_tokens the search finds special tokens and passes them over, and goes on behind them: added tokens inside of such a match, or that begin inside of it, are not found by the same search.",
    "One would expect that special tokens are not searched for at all.",
    [
        case(
            _by_character(tokens, "<>sab"),
            *(changed(ENCODING_SPECIAL, encode(given, special=False)) for given in ("<s>s>", "<s>", "s><s>", "a<s>b")),
        )
        for tokens in (
            [_raw("s>"), _special("<s>")],
            ["s>", _special("<s>")],
            [_raw(">b"), _special("<s>")],
            [_raw("<s"), _special("<s>")],
            ["s", _token("<s>", special=True, normalized=True)],
        )
    ],
    features=("changes",),
)
ADDED.quirk(
    "ADDED-TOKEN-NORMALIZED-TO-NOTHING-MATCHES-EVERYWHERE: A token that the normalizer removes cuts the text between all characters",
    "An added token with normalized true whose content the normalizer removes matches the empty text: at every place where no other token matches, but not right where one has ended. It gives no token there, but cuts the text; with lstrip or rstrip it takes white space beside it, and then is a token.",
    "One would expect that it is never found; an empty pattern matches everywhere.",
    [
        each(_on(bpe(["a", "b", "c", " "], ["a b", "b c"]), tokens, normalizer=STRIP), *texts)
        for tokens, texts in (
            (["\n"], ("ab", "a", " ab ", "abc", "bc ab")),
            (["\n", "ab"], ("cabc", "abc", "bcabbc", "cab", "ab", "bcbc")),
            (["\n", _raw("ab")], ("cabbc", "abbc", "bc")),
            ([_raw("\n")], ("ab", "a\nb", "abc")),
            ([_token("\n", lstrip=True, rstrip=True)], ("ab", "a b")),
            ([_token("\n", single_word=True)], ("ab", "a  bc")),
        )
    ],
)
ADDED.quirk(
    "ADDED-TOKEN-NORMALIZED-TO-NOTHING-PANICS-BEYOND-ASCII: A token that the normalizer removes raises an error beyond ASCII",
    "Where an added token with normalized true is removed by the normalizer, a text with a character beyond ASCII in the normalized text raises an error, unless single_word rejects the match or the character belongs to another added token.",
    "One would expect that it is never found; the empty pattern matches between the bytes of a character, where the target panics.",
    [
        case(
            _by_character(["\n", "x\u00e9x"], "ab\u00e9\u07ff\u0800\U00010000", normalizer=STRIP),
            text("ax\u00e9xb", "ba"),
            encode(given, special=False),
        )
        for given in ("\u00e9", "a\u00e9", "\u07ff", "a\u0800b", "\U00010000", "x\u00e9x\u00e9", "ab\u00e9ab")
    ],
)
ADDED.quirk(
    "ADDED-TOKEN-NORMALIZED-TO-NOTHING-FILLS-THE-MEMORY: With a token that the normalizer removes, some texts have no end",
    "Where an added token with normalized true is removed by the normalizer, and the text ends in the beginning of another added token, the target gathers matches until its memory is full.",
    "One would expect that the empty match at the end is the last one.",
    not_asked="the process of the target dies when its memory is full",
)
ADDED.quirk(
    "NORMALIZED-FORM-OUTLIVES-ITS-TOKEN: A token that is added again without normalization keeps its normalized form in decoding",
    "A token that was added with normalized true and is added again with normalized false is found by its content in the original text, but its id is still decoded as the normalized form.",
    "One would expect the content, as for a token that was never normalized; the table of normalized forms is not cleared.",
    [
        _after(_by_character(tokens, "abx", normalizer=LOWER), changes, "ABab", "AB", last=6)
        for tokens, changes in (
            (["AB"], [new_tokens(new_token("AB", normalized=False))]),
            (["AB"], [new_tokens("AB", special=True)]),
            ([_raw("AB")], [new_tokens(new_token("AB", normalized=True))]),
            ([], [new_tokens("AB"), new_tokens(new_token("AB", normalized=False))]),
            ([], [new_tokens(new_token("AB", normalized=False)), new_tokens("AB")]),
        )
    ],
    features=("changes",),
)
ADDED.quirk(
    "NORMALIZED-FORMS-OUTLIVE-A-CHANGE-OF-THE-NORMALIZER: Changing an option of the normalizer does not normalize added tokens again",
    "The contents of added tokens are normalized when they are added and when the normalizer is replaced; where an option of the normalizer is changed in place, the old forms stay, and are not found in the text any more.",
    "One would expect that a text and an added token are always normalized in the same way.",
    not_asked="an option of a normalizer can only be changed in the Python API of tokenizers",
)
ADDED.quirk(
    "TOKENS-ADDED-BEFORE-AN-ERROR-ARE-NOT-FOUND: Where a normalizer fails while tokens are added, those before it are added and not found",
    "A custom normalizer that fails at the content of an added token ends the adding: the tokens before it stay in the vocabulary, and are found in a text only after tokens have been added again, even none.",
    "One would expect all tokens to be added, or none.",
    not_asked="a normalizer can only fail in the Python API of tokenizers",
)
ADDED.quirk(
    "NORMALIZED-FORMS-AFTER-AN-ERROR-ARE-DRAWN: Where a normalizer fails when it is set, the added tokens that have their normalized form are drawn",
    "A custom normalizer that fails at the content of an added token when it is set becomes the normalizer all the same. The contents are normalized in a random order up to the failure, and id_to_token gives the forms of those before it; what is found in a text stays as it was.",
    "One would expect the old normalizer to stay.",
    not_asked="a normalizer can only fail in the Python API of tokenizers",
)
ADDED.quirk(
    "SPECIAL-TOKEN-STAYS-SPECIAL: A token that was special once is always skipped",
    "A content that was added as special once is skipped by decoding that skips special tokens, and passed over with encode_special_tokens, also after it was added again as not special.",
    "One would expect that the new flags hold; the set of special contents only grows.",
    [
        case(
            WITH_ONE,
            changed(changes, ids([1, 12, 2], [11, 12, 10, 9]), encode("a<s><t><u>", special=False)),
            changed([*changes, *ENCODING_SPECIAL], encode("a<s><t><u>", special=False)),
        )
        for changes in (
            [new_tokens("<s>")],
            [new_tokens("<t>", special=True), new_tokens("<t>")],
            [new_tokens("<u>", special=True), new_tokens(new_token("<u>", special=False, normalized=True))],
            [new_tokens(new_token("<s>", lstrip=True))],
            [new_tokens("<u>"), new_tokens("<u>", special=True)],
            [new_tokens("<u>", new_token("<u>", special=True), "<u>")],
        )
    ],
    features=("changes",),
)
ADDED.quirk(
    "ADDED-TOKEN-IDS-ARE-NOT-MOVED: A model that is set later may use the ids of added tokens",
    "Added tokens keep their ids where another model is set or the model is trained again; where the new model uses the same ids, the added tokens hide its tokens.",
    "One would expect new ids after those of the new model.",
    not_asked="a model can only be replaced in the Python API of tokenizers; a file numbers its added tokens anew",
)
ADDED.quirk(
    "ADDED-TOKENS-COUNT-CHANGES: Adding tokens counts those that changed",
    "add_tokens and add_special_tokens give the number of tokens that were not there with the same flags before: tokens of the model and tokens with other flags count, empty contents do not.",
    "One would expect the number by which the vocabulary has grown.",
    not_asked="the number is only given by the Python API of tokenizers",
)
ADDED.quirk(
    "SPECIAL-TOKEN-FROM-TEXT-IS-NOT-IN-THE-MASK: special_tokens_mask is 0 for special tokens that stand in the text",
    "Only special tokens that a post-processor or padding adds have 1 in special_tokens_mask; special tokens that were found in the text have 0, as all tokens of the text.",
    "One would expect 1 for every special token, as the name of the mask says.",
    [
        case(_by_character([_special("<s>"), "<t>"], "ab", post_processor=processor), text("<s>a<t>", "<s>", "b<s><s>"))
        for processor in (
            None,
            component("BertProcessing", sep=["<t>", 4], cls=["<s>", 3]),
            component("ByteLevel", add_prefix_space=True, trim_offsets=True, use_regex=True),
        )
    ],
    features=("special_tokens_mask",),
)
ADDED.quirk(
    "SINGLE-WORD-LOOKS-AT-MARKS-AND-JOINERS: Marks and joiners are parts of a word, superscript digits are none",
    "The word characters of single_word are those of \\w in the regular expressions of Rust (crate regex, Unicode 16.0): Alphabetic, M, Decimal_Number, Connector_Punctuation and Join_Control. A combining mark, U+200C and U+200D beside a token reject it; superscript digits and fractions do not, nor do letters assigned after Unicode 16.0.",
    "One would expect letters and digits; Python's \\w has no marks and no joiners, but superscript digits.",
    [
        _found([_raw("ab", single_word=True)], *(f"ab{char}" for char in chars), "ab")
        + _found([_raw("ab", single_word=True)], *(f"{char}ab" for char in chars))
        for chars in (
            "\u0300\u036f\u0488\u0903\u20dd\u200c\u200d\ufe0f\U000e0100\u20e3",
            "\u00b2\u2074\u00bd\u200b\u200e\u2060\u02c2\u00ad\u2488\U0001f3fd",
            "\ua7cd\ua7ce\ua7cf\U00010d40\U00010d4a\U0001e5f1\U000323b0",
        )
    ],
)
ADDED.quirk(
    "ADDED-TOKENS-COMPARE-AS-UNORDERED: Added tokens of the Python API have no order",
    "The comparisons <, <=, > and >= of two AddedToken are all false.",
    "One would expect an error, as Python raises for objects without order.",
    not_asked="objects of the Python API of tokenizers are compared, not tokenizers",
)
ADDED.quirk(
    "UNKNOWN-OPTIONS-ARE-PRINTED: Misspelt options are printed and ignored in the Python API",
    "AddedToken, the models BPE and WordPiece, enable_truncation and enable_padding print the names of options that they do not know, and go on without them.",
    "One would expect an error, as Python raises for unknown arguments.",
    not_asked="arguments of the Python API of tokenizers have no counterpart in a file",
)

AREAS = (ADDED,)
