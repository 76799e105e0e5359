"""How the way of a text is told, in a terminal and on a page: exact lines for ways that are made up."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.tracing import (
    BpeSteps,
    LatticePiece,
    Match,
    Member,
    MergeStep,
    Neighbours,
    NotShown,
    Path,
    Piece,
    Station,
    Symbol,
    SymbolKind,
    TextStep,
    TextWay,
    Trace,
    UnigramPaths,
    WhyUnknown,
    Word,
    WordLookup,
    WordPieceMatches,
)
from tokenizer_conformance.causes.explain.events import TextTraced
from tokenizer_conformance.causes.explain.model_lines import model_section
from tokenizer_conformance.causes.explain.plan import SHORT, UNLIMITED, Limits
from tokenizer_conformance.causes.explain.record import lines_of
from tokenizer_conformance.causes.explain.text_lines import text_sections
from tokenizer_conformance.causes.explain.word_lines import word_lines
from tokenizer_conformance.results.records import explanation as lines

if TYPE_CHECKING:
    from tokenizer_adapters.tracing import WordSteps


def piece(text: str, start: int = 0) -> Piece:
    spans = tuple((start + at, start + at + 1) for at in range(len(text)))
    return Piece(text, (start, start + len(text)), spans)


def word(text: str, steps: WordSteps | None, *tokens: str, start: int = 0) -> Word:
    return Word(piece(text, start), tuple(range(len(tokens))), tokens, (None,) * len(tokens), steps)


def trace_of(*words: Word, text: str = "abc", steps: tuple[TextStep, ...] = ()) -> Trace:
    return Trace("BPE", (TextWay(text, steps, words),), (), None, (), None, None)


def in_terminal(*words: Word, focus: int = 0, limits: Limits = SHORT) -> list[str]:
    return list(model_section(trace_of(*words), 0, focus, limits, 200).lines)


def on_page(each: Word) -> list[str]:
    line, *_ = lines_of(TextTraced(trace_of(each)))
    assert isinstance(line, lines.TextLine)
    return list(word_lines(line.words[0]))


def neighbours(left: str, right: str, rank: int, position: int = 0) -> Neighbours:
    return Neighbours(position, left, right, rank)


KINDS = (SymbolKind.VOCABULARY, SymbolKind.BYTES, SymbolKind.UNKNOWN, SymbolKind.DROPPED)
SYMBOLS = tuple(
    Symbol(text, tokens, kind)
    for text, tokens, kind in zip("abcd", (("a",), ("<0x62>",), ("?",), ()), KINDS, strict=True)
)
MERGES = (
    MergeStep(neighbours("a", "b", 1000), "ab", (), 0),
    MergeStep(neighbours("c", "d", 3, 1), "cd", (neighbours("ab", "c", 4),), 1),
    MergeStep(neighbours("ab", "cd", 7), "abcd", tuple(neighbours("x", "y", rank) for rank in (8, 9, 10)), 5),
)
MERGED = BpeSteps("abcd", False, (), ("a", "b", "c", "d"), MERGES, ("abcd",))
UNKNOWN = BpeSteps("abcd", False, SYMBOLS, ("a", "<0x62>", "?"), (), ("a", "<0x62>", "?"))
WHOLE = BpeSteps("ab", True, (), ("ab",), (), ("ab",))

LATTICE = (
    LatticePiece(0, 1, "a", -1.5, False),
    LatticePiece(0, 2, "ab", -1.0, False),
    LatticePiece(1, 2, "b", -10.25, True),
)


def paths(best: Path | None, second: Path | None = None) -> UnigramPaths:
    return UnigramPaths("ab", LATTICE, best, second, (0, 2), ("ab",))


BEST, SECOND = Path((0, 2), Fraction(-1), -1.0), Path((0, 1, 2), Fraction(-47, 4), -11.75)
LATTICE_LINES = ["at 0  ab -1  a -1.5", "at 1  b -10.25 (unknown)"]

FITS = Match(0, ("abc", "ab", "a"), "a")
NOTHING = Match(1, ("##bc", "##b"), None)
LONG = Match(0, tuple("abcdefg"[:end] for end in range(7, 0, -1)), "a")

TOLD: list[tuple[str, WordSteps, list[str], list[str]]] = [
    ("whole", WHOLE, ["the vocabulary has it whole, and ignore_merges is on: nothing is merged"],
     ["the vocabulary has it whole, and ignore_merges is on: nothing is merged"]),
    ("characters that it lacks", UNKNOWN,
     ["b is not in the vocabulary: its bytes, <0x62>", "c is not in the vocabulary: the unknown token, ?",
      "d is not in the vocabulary: dropped, since there is no unknown token", "no merge applies"],
     ['"b" is not in the vocabulary: bytes, "<0x62>"', '"c" is not in the vocabulary: unknown, "?"',
      '"d" is not in the vocabulary: dropped, nothing', 'starts as "a" "<0x62>" "?"', "no merge applies"]),
    ("merges", MERGED,
     ["starts as         a b c d", "rank 1000  a+b    ab c d", "rank 3     c+d    ab cd    over ab+c 4",
      "rank 7     ab+cd  abcd     over x+y 8, x+y 9, 3 more"],
     ['starts as "a" "b" "c" "d"', 'rank 1,000: "a" + "b": "ab" "c" "d"',
      'rank 3: "c" + "d" before "ab" + "c" (4): "ab" "cd"',
      'rank 7: "ab" + "cd" before "x" + "y" (8), "x" + "y" (9) and 3 more: "abcd"']),
    ("two paths", paths(BEST, SECOND),
     [*LATTICE_LINES, "best    -1  ab", "second  -11.75  a b", "margin  10.75 (exact 43/4)"],
     ['best: "ab", in sum -1.0', 'second: "a"  "b", in sum -11.75', "the best is ahead by 10.75"]),
    ("a tie", paths(BEST, Path((0, 1, 2), Fraction(-1), -1.0)),
     [*LATTICE_LINES, "best    -1  ab", "second  -1  a b",
      "a tie: the exact sums are equal; the path stays that was found first from the left"],
     ['best: "ab", in sum -1.0', 'second: "a"  "b", in sum -1.0', "a tie: the exact sums are equal"]),
    ("rounding", paths(BEST, Path((0, 1, 2), Fraction(-1, 2), -1.0)),
     [*LATTICE_LINES, "best    -1  ab", "second  -1  a b",
      "margin  -0.5 (exact -1/2): rounding has decided, the exact sum of the other is higher"],
     ['best: "ab", in sum -1.0', 'second: "a"  "b", in sum -1.0',
      "rounding has decided: the exact sum of the other is higher, by 0.5"]),
    ("one path", paths(BEST), [*LATTICE_LINES, "best    -1  ab", "there is no other path"],
     ['best: "ab", in sum -1.0', "there is no other path"]),
    ("no sum", paths(None), [*LATTICE_LINES, "a score is not finite: there is no exact sum"],
     ["a score is not finite: there is no exact sum"]),
    ("pieces", WordPieceMatches("abc", (FITS, NOTHING), WhyUnknown.NO_PIECE, 100, ("?",)),
     ["at 0  a; not abc, ab", "at 1  nothing fits: 2 pieces tried; not ##bc, ##b",
      "the whole word is unknown: no piece of the vocabulary fits"],
     ['at 0 "a"; not "abc", "ab"', 'at 1 nothing fits; not "##bc", "##b"',
      "the whole word is unknown: no piece of the vocabulary fits"]),
    ("the first piece", WordPieceMatches("a", (Match(0, ("a",), "a"),), None, 100, ("a",)), ["at 0  a"], ['at 0 "a"']),
    ("many pieces", WordPieceMatches("abcdefg", (LONG,), None, 100, ("a",)),
     ["at 0  a; not abcdefg, abcdef, abcde, abcd and 2 shorter"],
     ['at 0 "a"; not "abcdefg", "abcdef", "abcde", "abcd" and 2 shorter']),
    ("too long", WordPieceMatches("a" * 1001, (), WhyUnknown.TOO_LONG, 1000, ("?",)),
     ["the whole word is unknown: it has more than max_input_chars_per_word characters (1,001, and 1,000 are allowed)"],
     ["the whole word is unknown: it has more than max_input_chars_per_word characters"]),
    ("a word", WordLookup("a", None, ("a",)), ["it is in the vocabulary"], ["it is in the vocabulary"]),
    ("no word", WordLookup("a", WhyUnknown.NOT_IN_VOCABULARY, ("?",)), ["unknown: it is not in the vocabulary"],
     ["the whole word is unknown: it is not in the vocabulary"]),
    ("too much", NotShown("it is long"), ["not shown step by step: it is long (--all shows them)"],
     ["not shown step by step: it is long"]),
    ("at random", NotShown("drawn at random"), ["not shown step by step: drawn at random"],
     ["not shown step by step: drawn at random"]),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "terminal", "page"), [row[1:] for row in TOLD], ids=[row[0] for row in TOLD])
def test_steps_of_a_word(steps: WordSteps, terminal: list[str], page: list[str]) -> None:
    each = word("ab", steps, "a", "b", start=3)
    assert in_terminal(each) == ['  3-5 "ab" -> a b', *(f"    {line}" for line in terminal)]
    assert on_page(each) == ['3\u20135 "ab" -> "a"  "b"', *(f"  {line}" for line in page)]


def test_words_without_tokens_or_steps() -> None:
    assert in_terminal(word("ab", WHOLE))[0] == '  0-2 "ab" -> no token'
    assert on_page(word("ab", None)) == ['0\u20132 "ab" -> no token']
    assert in_terminal(word("ab", None, "a")) == ["  no word reaches it"]


def test_each_word_is_told_once_and_those_around_the_focus() -> None:
    words = [word(text, WHOLE, text, start=2 * at) for at, text in enumerate("abacd")]
    heads = ['  0-1 "a" -> a', '  2-3 "b" -> b', '  6-7 "c" -> c', '  8-9 "d" -> d']
    assert [line for line in in_terminal(*words) if " -> " in line] == heads
    few = Limits(None, None, 2, SHORT.detail)
    *told, more = in_terminal(*words, focus=6, limits=few)
    assert [line for line in told if " -> " in line] == heads[1:3]
    assert more == "  shown are words 2 to 3 of 4 different ones (--all shows them)"
    assert "shown are" not in in_terminal(*words, limits=UNLIMITED)[-1]


def test_many_steps_are_cut() -> None:
    merges = tuple(MergeStep(neighbours("a", "a", rank), "a", (), 0) for rank in range(45))
    steps = BpeSteps("a" * 46, False, (), ("a",) * 46, merges, ("a",))
    told = on_page(word("a" * 46, steps, "a"))
    assert len(told) == 1 + 40 + 1
    assert told[-1] == "  and 6 further steps"
    terminal = in_terminal(word("a" * 46, steps, "a"))
    assert terminal[-1] == "    \u2026 and 6 more of 46 steps (--all shows them)"
    assert len(terminal) == 1 + 40 + 1


# Before the model ----------------------------------------------------------------------------------------------------


def sections(text: str, *steps: TextStep, width: int = 80, **options: Any) -> dict[str, list[str]]:
    trace = trace_of(text=text, steps=steps)
    limits = options.get("limits", SHORT)
    return {each.title: list(each.lines) for each in text_sections(trace, 0, options.get("focus", 0), limits, width)}


def step(station: Station, *pieces: Piece, kind: str = "Kind", place: str = "place") -> TextStep:
    return TextStep(Member(station, kind, place), pieces)


def test_a_text_without_any_component_goes_to_the_model_whole() -> None:
    told = sections("ab")
    assert told["text"] == ['  "ab"', "  2 code points, 2 UTF-8 bytes"]
    assert told["added tokens"] == ["  none stands in the text"]
    assert told["normalizer"] == ["  none"]
    assert told["pre-tokenizer"] == ["  none: what is between added tokens goes to the model whole"]


def test_what_components_change_is_told() -> None:
    given, lower = piece("AB c"), piece("ab c")
    first, second = piece("ab"), piece("c", 3)
    told = sections(
        "AB c",
        step(Station.ADDED_AS_GIVEN, given, kind="", place=""),
        step(Station.NORMALIZER, lower, kind="Lowercase", place="normalizer"),
        step(Station.NORMALIZER, lower, kind="NFC", place="normalizer[1]"),
        step(Station.PRE_TOKENIZER, first, second, kind="Whitespace", place="pre_tokenizer"),
        step(Station.PRE_TOKENIZER, first, second, kind="Digits", place="pre_tokenizer[1]"),
        step(Station.PRE_TOKENIZER, kind="Other", place="pre_tokenizer[2]"),
    )
    assert told["normalizer"] == [
        "  Lowercase (normalizer)",
        '    0-2 "AB" -> "ab"',
        "  NFC (normalizer[1])",
        "    changes nothing",
        '  gives "ab c"',
    ]
    assert told["pre-tokenizer"] == [
        "  Whitespace (pre_tokenizer)",
        '    0-2 "ab"  3-4 "c"',
        "  Digits (pre_tokenizer[1])",
        "    changes nothing",
        "  Other (pre_tokenizer[2])",
        "    leaves nothing",
    ]


def test_odd_characters_and_long_texts_are_told_with_their_places() -> None:
    told = sections("a\u00a0" * 10)
    assert told["text"][1] == "  20 code points, 30 UTF-8 bytes"
    assert told["text"][-1].split("at ")[1] == "1, 3, 5, 7, 9, 11, 13, 15 and 2 more"
    assert "NO-BREAK SPACE" in told["text"][-1]
    few = Limits(4, None, None, SHORT.detail)
    told = sections("abcdefgh", limits=few, focus=4)
    assert told["text"] == [
        '  \u2026"cdef"\u2026',
        "  8 code points, 8 UTF-8 bytes",
        "  shown are characters 2 to 6 (--all shows them)",
    ]
    as_given, normalized = (step(each, piece("abcdefgh")) for each in (Station.ADDED_AS_GIVEN, Station.NORMALIZER))
    told = sections("abcdefgh", as_given, normalized, limits=few)
    assert told["text"][0] == '  "abcd"\u2026'
    assert told["normalizer"] == ["  Kind (place)", "    changes nothing"]
