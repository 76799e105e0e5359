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
    "The cut of a word into pieces of the vocabulary whose scores (log probabilities) add up to most, as in "
    "SentencePiece. Fields: vocab (a list of pieces and scores; the id of a piece is its place), unk_id (the id of the "
    "unknown piece, or null), byte_fallback (false by default).",
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
    "UNIGRAM-HIGHEST-SUM",
    "The cut with the highest sum of scores is taken",
    rule="Of all ways to cut a word into pieces of the vocabulary, the one is taken whose scores add up to most; a piece "
    "may be of any length, and the number of pieces does not count by itself.",
    why="Ports take the longest piece from the left, or the piece with the best score first.",
    cases=[
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
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-TIES-GO-TO-THE-EARLIEST-START",
    "Of cuts with equal sums, the one stays whose last piece begins first",
    rule="Of cuts with equal sums, the one is taken whose last piece begins first; of those, the one whose piece before "
    "that begins first, and so on: sums are handed on from left to right, and a later one replaces an earlier one only "
    "if it is greater.",
    why="One would expect the longest first piece, or the fewest pieces; SentencePiece and other ports decide "
    "otherwise.",
    importance="quirk",
    cases=[
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
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-SCORES-ARE-DOUBLES",
    "Sums are of double precision, added from left to right",
    rule="Scores are numbers of double precision; the score of a piece is added to the sum of what is before it, from "
    "left to right, without rounding to anything less.",
    why="Ports add in single precision, as SentencePiece does, and cut otherwise where two sums are close.",
    importance="edge",
    cases=[
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
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-SCORES-OF-ANY-SIGN",
    "Scores may be positive, zero, or written as whole numbers",
    rule="A score may be any number, also zero, positive, or without a fraction.",
    why="Ports take scores for log probabilities that are never above zero, and start from there.",
    importance="edge",
    cases=[
        each(of(pieces("a 1 b 2 ab 2.5")), "ab", "abab"),
        each(of(pieces("a 0 b 0 ab 0")), "ab", "abab"),
        each(
            of({"type": "Unigram", "unk_id": 0, "vocab": [[UNK, 0], ["a", -1], ["b", -2], ["ab", -3]]}),
            "ab",
            "abxb",
        ),
        each(of(pieces("a 5 b -1e300 ab -1e-300")), "ab", "aab"),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-UNKNOWN-CHARACTER",
    "A character that is no piece is cut off as unknown",
    rule="A character that is no piece by itself may be cut off as an unknown one; its id is unk_id, its text in tokens "
    "is the text itself, and its offsets are its own.",
    why="Ports give the name of the unknown piece as the token, or leave the character out.",
    cases=[
        each(of(pieces("a -1 b -1 ab -1.5")), "x", "axb", "xab", "abx", "ab x b"),
        [case(of(pieces("a -1 b -1 ab -1.5")), text(f"a{wide}b", f"{wide}ab {wide}")) for wide in WIDTHS],
        each(of(pieces("a -1 bc -1")), "b", "abc", "ab", "bcb"),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-UNKNOWN-PENALTY",
    "An unknown character scores 10 less than the lowest score of the vocabulary",
    rule="An unknown character has the lowest score of the vocabulary, the unknown piece's own included, less 10.",
    why="Ports use another penalty, or the score of the unknown piece; it decides whether a long piece is left for an "
    "unknown character and a better rest.",
    importance="edge",
    cases=[
        case(of(pieces(f"a -1 xb {score} b -1", unknown=unknown)), text("xb", "axb", "xbxb", "xxb"))
        for unknown in (0.0, -5.0)
        for score in (-9, -10, -11, -11.5, -12, -12.5, -15.5, -16, -16.5, -17, -20)
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-UNKNOWN-RUN-IS-ONE-TOKEN",
    "Unknown characters in a row are one token",
    rule="Unknown characters that follow one another in a word become one token, whose text and offsets are those of "
    "all of them.",
    why="Ports give one unknown token for each character; SentencePiece joins them as well.",
    cases=[
        each(of(pieces("a -1 b -1")), "xy", "axyb", "xyz a", "x\u00e9\U00010000", "axbyxab", "xx xx"),
        [case(of(pieces("a -1")), text(f"{wide}{wide}a{wide}x")) for wide in WIDTHS[1:]],
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-LOOKS-UNKNOWN-RUNS-UP-AGAIN",
    "A run of unknown characters is looked up once more",
    rule="A run of unknown characters that was joined is looked up in the vocabulary once more, and is the piece of that "
    "text where there is one.",
    why="One would expect the best cut to be the answer: a piece that it avoided comes back.",
    importance="quirk",
    cases=[
        each(of(pieces("a -1 xy -100")), "axya", "xy", "xyx", "axyxya"),
        each(of(pieces("a -1 xyz -100 xy -100")), "xyz", "xya", "axyz"),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-UNKNOWN-TOKEN-HAS-THE-TEXT-AS-VALUE",
    "The value of an unknown token is the text that it stands for",
    rule="The value of an unknown token (in tokens) is the text that it stands for, and not the name of the unknown "
    "piece.",
    why="One would expect the name, as in the other models.",
    importance="quirk",
    features=("tokens",),
    cases=[each(of(pieces("a -1")), "xy", "axa", "\u00e9 x")],
)
UNIGRAM.requirement(
    "UNIGRAM-UNKNOWN-TOKEN-IN-THE-TEXT-IS-UNKNOWN",
    "The text of the unknown piece counts as unknown",
    rule="Where the text has the unknown piece's own text, that piece is joined with unknown characters beside it.",
    why="One would expect a piece of the vocabulary to stay apart.",
    importance="quirk",
    cases=[
        each(of(unigram({"u": 0.0, "a": -1.0})), "uxu", "u", "uau", "xu a", "uu"),
        each(of(unigram({"a": -1.0, "u": -2.0}, unknown=1)), "uxu", "aua", "auxa"),
        each(of(pieces("a -1 <unk>x -2")), "<unk>", "x<unk>", "<unk>x"),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-UNK-ID-ANYWHERE",
    "The unknown piece may stand anywhere in the vocabulary",
    rule="unk_id is the place of the unknown piece, which need not be the first. One that lies outside of the vocabulary "
    "is refused.",
    why="Ports take id 0.",
    cases=[
        each(of(unigram({"a": -1.0, "b": -2.0, UNK: 0.0}, unknown=2)), "ax", "xab"),
        case(
            of(unigram({"a": -1.0, UNK: 0.0}, unknown=1)),
            text("ax"),
            refused(of(unigram({"a": -1.0, UNK: 0.0}, unknown=2)), of(unigram({"a": -1.0}, unknown=-1))),
        ),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-WITHOUT-UNKNOWN-PIECE",
    "Without unk_id, a text that needs an unknown piece cannot be encoded",
    rule="Where unk_id is null, a text is encoded if no unknown character is needed on the way from left to right; "
    "otherwise it is an error.",
    why="Ports give id 0, or refuse the file.",
    importance="edge",
    cases=[
        case(of(unigram({"a": -1.0, "b": -1.0, "ab": -1.5}, unknown=None)), text("ab"), text("axb")),
        case(of(unigram({"a": -1.0, "bc": -1.0}, unknown=None)), text("abc"), text("ab")),
        case(of(unigram({"a": -1.0, "bc": -1.0}, unknown=None)), text("bca"), text("bcb")),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-EQUAL-PIECES",
    "Of a piece that is listed twice, the last one counts",
    rule="Of a piece that is listed twice, the later id and score count.",
    why="Ports take the first, or the better score.",
    importance="edge",
    cases=[
        case(
            of({"type": "Unigram", "unk_id": 0, "vocab": [[UNK, 0.0], ["a", -1.0], ["ab", -1.0], ["b", -1.0], *extra]}),
            text("ab", "aab"),
        )
        for extra in ([["ab", -5.0]], [["ab", -0.5]], [["a", -3.0]], [["b", -0.1], ["b", -9.0]])
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-SIZE-COUNTS-EQUAL-PIECES",
    "A piece that is listed twice counts twice in the size of the vocabulary",
    rule="A piece that is listed twice has the later id, and both places count: a token that is added has the id after "
    "the last place.",
    why="One would expect each piece to count once.",
    importance="quirk",
    features=("vocabulary",),
    cases=[
        case(
            of(
                {"type": "Unigram", "unk_id": 0, "vocab": [[UNK, 0.0], ["a", -1.0], ["a", -2.0]]},
                added_tokens=[added(3, "new")],
            ),
            text("a new"),
            vocabulary(),
        ),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-BYTE-FALLBACK",
    "With byte_fallback, an unknown run becomes the tokens of its bytes",
    rule="Where byte_fallback is true, a run of unknown characters becomes one token for each byte of its UTF-8 form, "
    "named <0x00> to <0xFF>, if the vocabulary has them all.",
    why="Llama-like Unigram models need it; ports fall back for each character, or write small letters.",
    cases=[
        [
            case(
                of(unigram({UNK: 0.0, "a": -1.0, **dict.fromkeys(byte_tokens(), -2.0)}, byte_fallback=fallback)),
                text(f"a{char}a", f"{char}x{char}"),
            )
            for fallback in (True, False)
            for char in ("\x01", *WIDTHS, "\u65e5", "Z")
        ],
        each(
            of(unigram({UNK: 0.0, "<0xC3>": 0.0, "<0xA9>": 0.0, "a": -1.0}, byte_fallback=True)),
            "\u00e9",
            "a\u00e9\u00e9a",
        ),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-BYTES-HAVE-OFFSETS-OF-THE-RUN",
    "The bytes of an unknown run all have the offsets of the run",
    rule="Every byte token has the offsets of the whole run of unknown characters.",
    why="One would expect the offsets of the character that the byte belongs to.",
    importance="quirk",
    features=("offsets",),
    cases=[
        each(
            of(unigram({UNK: 0.0, "a": -1.0, **dict.fromkeys(byte_tokens(), -2.0)}, byte_fallback=True)),
            "\u00e9x",
            "a\u00e9\U00010000a",
            "x \u65e5\u672c a",
        ),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-BYTES-ALL-OR-NONE-OF-THE-RUN",
    "Where one byte of a run has no token, all of the run is one unknown token",
    rule="Where one byte of a run of unknown characters has no token, the whole run is one unknown token.",
    why="One would expect the characters whose bytes are there to fall back.",
    importance="quirk",
    cases=[
        each(
            of(unigram({UNK: 0.0, "<0xC3>": 0.0, "<0xA9>": 0.0, "a": -1.0}, byte_fallback=True)),
            "\u00e9x",
            "\u00e9a\u00e8",
            "\u00e8",
            "\u00e9 \u00e9x",
        ),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-LONG-TEXTS",
    "A word of any length is cut by the same rule",
    rule="A word may have any length and a piece may be as long as a word; the best cut is of the whole word, and "
    "nothing is cut at some length before.",
    why="Without a pre-tokenizer that splits, the whole text is one word: ports take quadratic time, or cut it into "
    "chunks.",
    importance="edge",
    cases=[
        each(of(pieces("a -1 b -1 ab -1.5 abab -3.1 ba -1.2")), "ab" * 50, "ba" * 50, "abb" * 33),
        each(of(pieces(f"a -1 {'a' * 40} -3 b -1")), "a" * 39, "a" * 40, "a" * 81, "b" + "a" * 40),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-PIECES-WITH-SPACES",
    "A piece may hold any characters, white space too",
    rule="A piece is any string; where the pre-tokenizer keeps white space in a word, pieces with it are found.",
    why="Ports cut at white space before the model.",
    importance="edge",
    cases=[
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
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-WORDS-ARE-INDEPENDENT",
    "Every word is cut by itself",
    rule="Every word is cut by itself; word_ids number the words from 0, and sums do not go from one word to the next.",
    why="Ports cut the joined text, so that pieces reach over the border of words.",
    features=("word_ids",),
    cases=[
        each(of(pieces("a -1 b -1 ab -1.5 ba -0.5")), "a b", "ab ab", "aba b ab"),
        case(of(pieces("a -1 b -1 ab -1.5")), pair("ab", "b ab"), words(["ab", "a b"], ["b"])),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-SAVED",
    "Pieces and scores are written as they were read",
    rule="The vocabulary is written in its order, with the scores as numbers of double precision.",
    why="Ports sort by score, or write single precision.",
    importance="edge",
    features=("save",),
    cases=[
        case(of(unigram({UNK: 0.0, "b": -1.5, "a": -0.1, "\u00e9": -123.456789012345})), saved(), text("ab")),
        case(of(unigram({UNK: 0.0, "b": -1e-7, "a": 1e21}, byte_fallback=True)), saved()),
    ],
)
UNIGRAM.requirement(
    "UNIGRAM-DECODES-BY-ID",
    "Ids are places in the vocabulary",
    rule="The id of a piece is its place in the vocabulary, from 0.",
    why="Ports number the pieces by score.",
    cases=[case(alone(pieces("b -3 a -1")), ids([2, 1, 0, 1]), text("ab"), vocabulary())],
)
UNIGRAM.requirement(
    "UNIGRAM-SAMPLING-COMPOUNDS-ALPHA",
    "Sampling applies alpha again at each step of the sum",
    rule="alpha is not the exponent of the probability of a cut, as published: it is applied again at each step of the "
    "sum.",
    why="One would expect the published distribution.",
    importance="quirk",
    not_asked=SAMPLED,
)
UNIGRAM.requirement(
    "UNIGRAM-SAMPLING-NEEDS-AN-UNKNOWN-TOKEN",
    "With alpha, a model without unk_id fails on every text",
    rule="With alpha, a model without unk_id fails on texts that have nothing unknown.",
    why="One would expect the text to be encoded.",
    importance="quirk",
    not_asked=SAMPLED,
)
UNIGRAM.requirement(
    "UNIGRAM-SAMPLING-PANICS-ON-EXTREME-WEIGHTS",
    "Scores times alpha that no number holds panic",
    rule="With alpha, scores that no number holds once they are multiplied panic.",
    why="One would expect an error.",
    importance="quirk",
    not_asked=SAMPLED,
)
UNIGRAM.requirement(
    "UNIGRAM-SAMPLING-IS-NOT-WRITTEN",
    "alpha and nbest_size are not written to tokenizer.json",
    rule="alpha and nbest_size are not written to tokenizer.json.",
    why="One would expect a saved tokenizer to do the same.",
    importance="quirk",
    not_asked=SAMPLED,
)
UNIGRAM.requirement(
    "UNIGRAM-INFINITE-SCORE-IS-WRITTEN-AS-NULL",
    "A score that is not finite is written as null",
    rule="A score that is not finite, which only the Python API can give, is written as null, which cannot be read "
    "again: a score that is null is refused.",
    why="One would expect a refusal where it is given.",
    importance="quirk",
    features=("load",),
    cases=[
        case(
            of(pieces("a -1")),
            text("ax"),
            refused(of({"type": "Unigram", "unk_id": 0, "vocab": [[UNK, 0.0], ["a", None]]})),
        )
    ],
)

AREAS = (UNIGRAM,)
