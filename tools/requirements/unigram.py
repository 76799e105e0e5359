"""Recipes of the model Unigram."""

from __future__ import annotations

from requirements.models import SAMPLED, WIDTHS, lines, of, over
from requirements.recipe import (
    Area,
    Document,
    added,
    byte_tokens,
    case,
    component,
    each,
    ids,
    pair,
    refused,
    row,
    saved,
    text,
    tokenizer,
    unigram,
    vocabulary,
    words,
)

UNIGRAM = Area(
    "models.Unigram",
    "Unigram",
    "model",
    "The cut of a word into pieces of the vocabulary whose scores (log probabilities) add up to most, as in SentencePiece. Fields: vocab (a list of pieces and scores; the id of a piece is its place), unk_id (the id of the unknown piece, or null), byte_fallback (false by default).",
)

UNK = "<unk>"


def pieces(scores: str, *, unknown: float = 0.0, **options: object) -> Document:
    """Return a model of ``scores``, written as ``a -1 ab -1.5``, with the unknown piece first.

    >>> pieces("a -1 ab -1.5")["vocab"]
    [['<unk>', 0.0], ['a', -1.0], ['ab', -1.5]]
    """
    fields = scores.split()
    listed = {UNK: unknown} | {piece: float(score) for piece, score in zip(fields[::2], fields[1::2], strict=True)}
    return unigram(listed, **options)  # type: ignore[arg-type]


def alone(model: Document, **stages: object) -> Document:
    """Return a tokenizer of ``model`` that gives it the whole text as one word."""
    return tokenizer(model, **stages)  # type: ignore[arg-type]


UNIGRAM.requirement(
    "UNIGRAM-HIGHEST-SUM: The cut with the highest sum of scores is taken",
    "Of all ways to cut a word into pieces of the vocabulary, the one is taken whose scores add up to most; a piece may be of any length, and the number of pieces does not count by itself.",
    "Ports take the longest piece from the left, or the piece with the best score first.",
    [
        case(of(pieces(scores)), text(line))
        for scores in (
            "a -1 b -1 c -1 ab -1.5 bc -1.4 abc -2.9",
            "a -1 b -2 c -3 ab -3.5 bc -4.5 abc -7",
            "a -2 b -2 c -2 ab -3 bc -3.5 ca -1 abc -5.5",
            "a -0.5 b -4 c -4 ab -4.25 bc -6 cab -8",
        )
        for line in lines(over("abc", 2, 3, 4), 30)
    ],
    each(of(pieces("a -5 b -5 ab -1 aba -20 ba -1")), "aba", "abab", "babab", "ababababab"),
)
UNIGRAM.quirk(
    "UNIGRAM-TIES-GO-TO-THE-EARLIEST-START: Of cuts with equal sums, the one stays whose last piece begins first",
    "Of cuts with equal sums, the one is taken whose last piece begins first; of those, the one whose piece before that begins first, and so on: sums are handed on from left to right, and a later one replaces an earlier one only if it is greater.",
    "One would expect the longest first piece, or the fewest pieces; SentencePiece and other ports decide otherwise.",
    [
        case(of(pieces(scores)), text(line))
        for scores in (
            "a -1 b -1 c -1 ab -2 bc -2",
            "a -1 b -1 c -1 ab -2 bc -2 abc -3",
            "a -1 aa -2 aaa -3 b -1 ba -2 c -1",
            "c -1 b -1 a -1 bc -2 abc -3 ab -2 ca -2",
        )
        for line in lines(over("abc", 2, 3), 12)
    ],
    each(of(pieces("a -1 aa -2 aaa -3")), "a", "aa", "aaa", "aaaa", "aaaaa", "a" * 30),
)
UNIGRAM.edge(
    "UNIGRAM-SCORES-ARE-DOUBLES: Sums are of double precision, added from left to right",
    "Scores are numbers of double precision; the score of a piece is added to the sum of what is before it, from left to right, without rounding to anything less.",
    "Ports add in single precision, as SentencePiece does, and cut otherwise where two sums are close.",
    [
        case(of(pieces(f"a -1 b -1 ab {score!r}")), text("ab", "abab", "aabb"))
        for score in (-1.9999999999999998, -2.0, -2.0000000000000004, -2.00000001, -1.99999999)
    ],
    [
        case(of(pieces(f"a {first!r} b {second!r} ab {third!r}")), text("ab", "abab", "aab"))
        for first, second, third in (
            (-0.1, -0.2, -0.3),
            (-0.1, -0.2, -0.30000000000000004),
            (-16777216.0, -1.0, -16777217.0),
            (-16777216.0, -1.5, -16777217.0),
        )
    ],
    each(of(pieces("a -0.1 aaa -0.3 aaaaaa -0.6")), "aaa", "aaaaaa", "a" * 10),
)
UNIGRAM.edge(
    "UNIGRAM-SCORES-OF-ANY-SIGN: Scores may be positive, zero, or written as whole numbers",
    "A score may be any number, also zero, positive, or without a fraction.",
    "Ports take scores for log probabilities that are never above zero, and start from there.",
    each(of(pieces("a 1 b 2 ab 2.5")), "ab", "abab"),
    each(of(pieces("a 0 b 0 ab 0")), "ab", "abab"),
    each(of({"type": "Unigram", "unk_id": 0, "vocab": [[UNK, 0], ["a", -1], ["b", -2], ["ab", -3]]}), "ab", "abxb"),
    each(of(pieces("a 5 b -1e300 ab -1e-300")), "ab", "aab"),
)
UNIGRAM.requirement(
    "UNIGRAM-UNKNOWN-CHARACTER: A character that is no piece is cut off as unknown",
    "A character that is no piece by itself may be cut off as an unknown one; its id is unk_id, its text in tokens is the text itself, and its offsets are its own.",
    "Ports give the name of the unknown piece as the token, or leave the character out.",
    each(of(pieces("a -1 b -1 ab -1.5")), "x", "axb", "xab", "abx", "ab x b"),
    [case(of(pieces("a -1 b -1 ab -1.5")), text(f"a{wide}b", f"{wide}ab {wide}")) for wide in WIDTHS],
    each(of(pieces("a -1 bc -1")), "b", "abc", "ab", "bcb"),
)
UNIGRAM.edge(
    "UNIGRAM-UNKNOWN-PENALTY: An unknown character scores 10 less than the lowest score of the vocabulary",
    "An unknown character has the lowest score of the vocabulary, the unknown piece's own included, less 10.",
    "Ports use another penalty, or the score of the unknown piece; it decides whether a long piece is left for an unknown character and a better rest.",
    [
        case(of(pieces(f"a -1 xb {score} b -1", unknown=unknown)), text("xb", "axb", "xbxb", "xxb"))
        for unknown in (0.0, -5.0)
        for score in (-9, -10, -11, -11.5, -12, -12.5, -15.5, -16, -16.5, -17, -20)
    ],
    # A piece that scores more than 0: the rest is worth the unknown character where it makes up for the 10.
    [case(of(pieces(f"a -1 xb -2 b {score}")), text("xb", "axb")) for score in (0.5, 9, 9.5, 10.5, 11, 12)],
)
UNIGRAM.requirement(
    "UNIGRAM-UNKNOWN-RUN-IS-ONE-TOKEN: Unknown characters in a row are one token",
    "Unknown characters that follow one another in a word become one token, whose text and offsets are those of all of them.",
    "Ports give one unknown token for each character; SentencePiece joins them as well.",
    each(of(pieces("a -1 b -1")), "xy", "axyb", "xyz a", "x\u00e9\U00010000", "axbyxab", "xx xx"),
    [case(of(pieces("a -1")), text(f"{wide}{wide}a{wide}x")) for wide in WIDTHS[1:]],
)
UNIGRAM.quirk(
    "UNIGRAM-LOOKS-UNKNOWN-RUNS-UP-AGAIN: A run of unknown characters is looked up once more",
    "A run of unknown characters that was joined is looked up in the vocabulary once more, and is the piece of that text where there is one.",
    "One would expect the best cut to be the answer: a piece that it avoided comes back.",
    each(of(pieces("a -1 xy -100")), "axya", "xy", "xyx", "axyxya"),
    each(of(pieces("a -1 xyz -100 xy -100")), "xyz", "xya", "axyz"),
)
UNIGRAM.quirk(
    "UNIGRAM-UNKNOWN-TOKEN-HAS-THE-TEXT-AS-VALUE: The value of an unknown token is the text that it stands for",
    "The value of an unknown token (in tokens) is the text that it stands for, and not the name of the unknown piece.",
    "One would expect the name, as in the other models.",
    each(of(pieces("a -1")), "xy", "axa", "\u00e9 x"),
    features=("tokens",),
)
UNIGRAM.quirk(
    "UNIGRAM-UNKNOWN-TOKEN-IN-THE-TEXT-IS-UNKNOWN: The text of the unknown piece counts as unknown",
    "Where the text has the unknown piece's own text, that piece is joined with unknown characters beside it.",
    "One would expect a piece of the vocabulary to stay apart.",
    each(of(unigram({"u": 0.0, "a": -1.0})), "uxu", "u", "uau", "xu a", "uu"),
    each(of(unigram({"a": -1.0, "u": -2.0}, unknown=1)), "uxu", "aua", "auxa"),
    each(of(pieces("a -1 <unk>x -2")), "<unk>", "x<unk>", "<unk>x"),
)
UNIGRAM.requirement(
    "UNIGRAM-UNK-ID-ANYWHERE: The unknown piece may stand anywhere in the vocabulary",
    "unk_id is the place of the unknown piece, which need not be the first. One that lies outside of the vocabulary is refused.",
    "Ports take id 0.",
    each(of(unigram({"a": -1.0, "b": -2.0, UNK: 0.0}, unknown=2)), "ax", "xab"),
    case(
        of(unigram({"a": -1.0, UNK: 0.0}, unknown=1)),
        text("ax"),
        refused(of(unigram({"a": -1.0, UNK: 0.0}, unknown=2)), of(unigram({"a": -1.0}, unknown=-1))),
    ),
)
UNIGRAM.edge(
    "UNIGRAM-WITHOUT-UNKNOWN-PIECE: Without unk_id, a text that needs an unknown piece cannot be encoded",
    "Where unk_id is null, a text is encoded if no unknown character is needed on the way from left to right; otherwise it is an error.",
    "Ports give id 0, or refuse the file.",
    case(of(unigram({"a": -1.0, "b": -1.0, "ab": -1.5}, unknown=None)), text("ab"), text("axb")),
    case(of(unigram({"a": -1.0, "bc": -1.0}, unknown=None)), text("abc"), text("ab")),
    case(of(unigram({"a": -1.0, "bc": -1.0}, unknown=None)), text("bca"), text("bcb")),
)
UNIGRAM.edge(
    "UNIGRAM-EQUAL-PIECES: Of a piece that is listed twice, the last one counts",
    "Of a piece that is listed twice, the later id and score count.",
    "Ports take the first, or the better score.",
    [
        case(
            of({"type": "Unigram", "unk_id": 0, "vocab": [[UNK, 0.0], ["a", -1.0], ["ab", -1.0], ["b", -1.0], *extra]}),
            text("ab", "aab"),
        )
        for extra in ([["ab", -5.0]], [["ab", -0.5]], [["a", -3.0]], [["b", -0.1], ["b", -9.0]])
    ],
)
UNIGRAM.quirk(
    "UNIGRAM-SIZE-COUNTS-EQUAL-PIECES: A piece that is listed twice counts twice in the size of the vocabulary",
    "A piece that is listed twice has the later id, and both places count: a token that is added has the id after the last place.",
    "One would expect each piece to count once.",
    case(
        of(
            {"type": "Unigram", "unk_id": 0, "vocab": [[UNK, 0.0], ["a", -1.0], ["a", -2.0]]},
            added_tokens=[added(3, "new")],
        ),
        text("a new"),
        vocabulary(),
    ),
    features=("vocabulary",),
)
UNIGRAM.requirement(
    "UNIGRAM-BYTE-FALLBACK: With byte_fallback, an unknown run becomes the tokens of its bytes",
    "Where byte_fallback is true, a run of unknown characters becomes one token for each byte of its UTF-8 form, named <0x00> to <0xFF>, if the vocabulary has them all.",
    "Llama-like Unigram models need it; ports fall back for each character, or write small letters.",
    [
        case(
            of(unigram({UNK: 0.0, "a": -1.0, **dict.fromkeys(byte_tokens(), -2.0)}, byte_fallback=fallback)),
            text(f"a{char}a", f"{char}x{char}"),
        )
        for fallback in (True, False)
        for char in ("\x01", *WIDTHS, "\u65e5", "Z")
    ],
    each(
        of(unigram({UNK: 0.0, "<0xC3>": 0.0, "<0xA9>": 0.0, "a": -1.0}, byte_fallback=True)), "\u00e9", "a\u00e9\u00e9a"
    ),
)
UNIGRAM.quirk(
    "UNIGRAM-BYTES-HAVE-OFFSETS-OF-THE-RUN: The bytes of an unknown run all have the offsets of the run",
    "Every byte token has the offsets of the whole run of unknown characters.",
    "One would expect the offsets of the character that the byte belongs to.",
    each(
        of(unigram({UNK: 0.0, "a": -1.0, **dict.fromkeys(byte_tokens(), -2.0)}, byte_fallback=True)),
        "\u00e9x",
        "a\u00e9\U00010000a",
        "x \u65e5\u672c a",
    ),
    features=("offsets",),
)
UNIGRAM.quirk(
    "UNIGRAM-BYTES-ALL-OR-NONE-OF-THE-RUN: Where one byte of a run has no token, all of the run is one unknown token",
    "Where one byte of a run of unknown characters has no token, the whole run is one unknown token.",
    "One would expect the characters whose bytes are there to fall back.",
    each(
        of(unigram({UNK: 0.0, "<0xC3>": 0.0, "<0xA9>": 0.0, "a": -1.0}, byte_fallback=True)),
        *row("\u00e9x•\u00e9a\u00e8•\u00e8•\u00e9 \u00e9x"),
    ),
)
UNIGRAM.edge(
    "UNIGRAM-LONG-TEXTS: A word of any length is cut by the same rule",
    "A word may have any length and a piece may be as long as a word; the best cut is of the whole word, and nothing is cut at some length before.",
    "Without a pre-tokenizer that splits, the whole text is one word: ports take quadratic time, or cut it into chunks.",
    each(of(pieces("a -1 b -1 ab -1.5 abab -3.1 ba -1.2")), "ab" * 50, "ba" * 50, "abb" * 33),
    each(of(pieces(f"a -1 {'a' * 40} -3 b -1")), "a" * 39, "a" * 40, "a" * 81, "b" + "a" * 40),
)
UNIGRAM.edge(
    "UNIGRAM-PIECES-WITH-SPACES: A piece may hold any characters, white space too",
    "A piece is any string; where the pre-tokenizer keeps white space in a word, pieces with it are found.",
    "Ports cut at white space before the model.",
    each(alone(unigram({UNK: 0.0, "a b": -1.0, "a": -2.0, "b": -2.0, " ": -3.0})), "a b", "ab", "a a b", " "),
    each(
        alone(
            unigram({UNK: 0.0, "\u2581a": -1.0, "a": -2.0, "\u2581": -3.0, "\u2581a\u2581a": -1.5}),
            pre_tokenizer=component("Metaspace", replacement="\u2581", prepend_scheme="always", split=False),
        ),
        "a a",
        "aa",
        "a  a",
    ),
    each(
        alone(
            unigram({UNK: 0.0, "\u2581a": -1.0, "a": -2.0, "\u2581": -3.0, "\u2581a\u2581a": -1.5}),
            pre_tokenizer=component("Metaspace", replacement="\u2581", prepend_scheme="always", split=True),
        ),
        "a a",
        "aa",
        "a  a",
    ),
)
UNIGRAM.requirement(
    "UNIGRAM-WORDS-ARE-INDEPENDENT: Every word is cut by itself",
    "Every word is cut by itself; word_ids number the words from 0, and sums do not go from one word to the next.",
    "Ports cut the joined text, so that pieces reach over the border of words.",
    each(of(pieces("a -1 b -1 ab -1.5 ba -0.5")), "a b", "ab ab", "aba b ab"),
    case(of(pieces("a -1 b -1 ab -1.5")), pair("ab", "b ab"), words(["ab", "a b"], ["b"])),
    features=("word_ids",),
)
UNIGRAM.edge(
    "UNIGRAM-SAVED: Pieces and scores are written as they were read",
    "The vocabulary is written in its order, with the scores as numbers of double precision.",
    "Ports sort by score, or write single precision.",
    case(of(unigram({UNK: 0.0, "b": -1.5, "a": -0.1, "\u00e9": -123.456789012345})), saved(), text("ab")),
    case(of(unigram({UNK: 0.0, "b": -1e-7, "a": 1e21}, byte_fallback=True)), saved()),
    features=("save",),
)
UNIGRAM.requirement(
    "UNIGRAM-DECODES-BY-ID: Ids are places in the vocabulary",
    "The id of a piece is its place in the vocabulary, from 0.",
    "Ports number the pieces by score.",
    case(alone(pieces("b -3 a -1")), ids([2, 1, 0, 1]), text("ab"), vocabulary()),
)
UNIGRAM.quirk(
    "UNIGRAM-SAMPLING-COMPOUNDS-ALPHA: Sampling applies alpha again at each step of the sum",
    "alpha is not the exponent of the probability of a cut, as published: it is applied again at each step of the sum.",
    "One would expect the published distribution.",
    not_asked=SAMPLED,
)
UNIGRAM.quirk(
    "UNIGRAM-SAMPLING-NEEDS-AN-UNKNOWN-TOKEN: With alpha, a model without unk_id fails on every text",
    "With alpha, a model without unk_id fails on texts that have nothing unknown.",
    "One would expect the text to be encoded.",
    not_asked=SAMPLED,
)
UNIGRAM.quirk(
    "UNIGRAM-SAMPLING-PANICS-ON-EXTREME-WEIGHTS: Scores times alpha that no number holds panic",
    "With alpha, scores that no number holds once they are multiplied panic.",
    "One would expect an error.",
    not_asked=SAMPLED,
)
UNIGRAM.quirk(
    "UNIGRAM-SAMPLING-IS-NOT-WRITTEN: alpha and nbest_size are not written to tokenizer.json",
    "alpha and nbest_size are not written to tokenizer.json.",
    "One would expect a saved tokenizer to do the same.",
    not_asked=SAMPLED,
)
UNIGRAM.quirk(
    "UNIGRAM-INFINITE-SCORE-IS-WRITTEN-AS-NULL: A score that is not finite is written as null",
    "A score that is not finite, which only the Python API can give, is written as null, which cannot be read again: a score that is null is refused.",
    "One would expect a refusal where it is given.",
    case(
        of(pieces("a -1")),
        text("ax"),
        refused(of({"type": "Unigram", "unk_id": 0, "vocab": [[UNK, 0.0], ["a", None]]})),
    ),
    features=("load",),
)

AREAS = (UNIGRAM,)
