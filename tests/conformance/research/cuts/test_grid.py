"""Tokens under a text: rows of one width, bars under the characters, and nothing hostile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tokenizer_conformance.command_io.visible import visible_run
from tokenizer_conformance.escape import HIDDEN_RANGES
from tokenizer_conformance.research.cuts.grid import GridRow, grid
from tokenizer_conformance.research.cuts.regions import placed, regions_between
from tokenizer_conformance.research.cuts.wording import legend_lines
from tokenizer_conformance.research.segmentation.segmented import Segmented

Tokens = list[tuple[str, int, int]]

CHARACTERS = 'ab \n\t|?日本é\u0301\u0915\u093e\u05d0\u200d😀\x1b\u202e\\"'


def rows_of(text: str, *cuts: Tokens, unknown: int | None = None) -> list[GridRow]:
    made = []
    for number, tokens in enumerate(cuts):
        spans = tuple((start, end) for _, start, end in tokens)
        segmented = Segmented(text, tuple(range(len(tokens))), tuple(token for token, _, _ in tokens), spans)
        found = placed(segmented, unknown)
        assert found is not None
        first = made[0].placed if made else found
        regions = tuple((each.start, each.end) for each in regions_between(first, found))
        made.append(GridRow(f"t{number}", found, regions))
    return made


def lines_of(text: str, *cuts: Tokens, width: int = 200, unknown: int | None = None) -> list[str]:
    blocks = grid(text, rows_of(text, *cuts, unknown=unknown), width)
    return [line.rstrip() for block in blocks for line in block]


@st.composite
def cut_texts(draw: st.DrawFn) -> tuple[str, list[Tokens]]:
    text = draw(st.text(CHARACTERS, min_size=1, max_size=30))
    place = st.integers(0, len(text))
    token = st.tuples(st.text(CHARACTERS, max_size=5), place, place).map(lambda t: (t[0], min(t[1:]), max(t[1:])))
    return text, draw(st.lists(st.lists(token, max_size=10), min_size=1, max_size=3))


@given(cut_texts(), st.integers(30, 120))
def test_all_lines_of_a_block_are_equally_wide_and_fit(case: tuple[str, list[Tokens]], width: int) -> None:
    text, cuts = case
    blocks = grid(text, rows_of(text, *cuts), width)
    for block in blocks:
        (size,) = {cell_len(line) for line in block}
        assert size <= max(width, 40)  # of a character with its label
        assert len(block) in (len(cuts) + 1, len(cuts) + 2)


@given(cut_texts(), st.integers(30, 120))
def test_the_whole_text_is_there_and_nothing_hidden_is(case: tuple[str, list[Tokens]], width: int) -> None:
    text, cuts = case
    blocks = grid(text, rows_of(text, *cuts), width)
    shown = "".join(block[0].removeprefix("text") for block in blocks).replace(" ", "")
    # A mark is escaped where a segment begins with it; else the text is the text.
    assert shown.replace("\\u0301", "\u0301") == visible_run(text).replace("\\u0301", "\u0301")
    for block in blocks:
        for character in "".join(block):
            assert not any(first <= ord(character) <= last for first, last in HIDDEN_RANGES)


def test_a_boundary_of_its_own_and_what_differs_are_marked_without_colour() -> None:
    assert lines_of("undo it", [("undo", 0, 4), ("Ġit", 4, 7)], [("un", 0, 2), ("##do", 2, 4), ("it", 5, 7)]) == [
        "text    un do   ␣ it",
        "t0     |undo   |Ġit",
        "t1     |un‖##do|·|it",
        "differ  ^^ ^^^^",
    ]


ROWS: list[tuple[str, str, Tokens, str, str]] = [
    ("wide characters", "日本語", [("日本", 0, 2), ("語", 2, 3)], "日本 語", "|日本|語"),
    ("a combining mark stays", "e\u0301a", [("e\u0301", 0, 2), ("a", 2, 3)], "e\u0301 a", "|e\u0301|a"),
    ("a mark alone is escaped", "e\u0301", [("e", 0, 1), ("\u0301", 1, 2)], "e \\u0301", "|e|\\u0301"),
    ("bytes of a character are joined", "é!", [("Ã", 0, 1), ("©", 0, 1), ("!", 1, 2)], "é   !", "|Ã+©|!"),
    ("dropped characters", "a\u200b b", [("a", 0, 1), ("b", 3, 4)], "a \\u200b ␣ b", "|a|××××××|·|b"),
    ("right to left", "\u05d0b", [("x", 0, 1), ("b", 1, 2)], "\\u05d0 b", "|x     |b"),
    ("no characters", "ab", [("▁", 0, 0), ("ab", 0, 2)], "ab", "|▁+ab"),
    ("terminal escapes", "\x1b[m", [("\x1b[m", 0, 3)], "\\x1b[m", "|\\x1b[m"),
    ("a flag is not joined to its neighbour", "🇫🇷", [("🇫", 0, 1), ("🇷", 1, 2)], "🇫 🇷", "|🇫|🇷"),
]


@pytest.mark.parametrize(("text", "tokens", "above", "below"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_row_stands_under_its_characters(text: str, tokens: Tokens, above: str, below: str) -> None:
    first, second = lines_of(text, tokens)
    assert first.removeprefix("text").split() == above.split()
    assert second.removeprefix("t0").strip() == below or second.removeprefix("t0").split() == below.split()
    bars = [place for place, character in enumerate(second) if character == "|"]
    assert all(first[place : place + 1] in (" ", "") for place in bars if second.isascii() and first.isascii())


def test_an_unknown_token_is_marked() -> None:
    assert lines_of("☃b", [("[UNK]", 0, 1), ("b", 1, 2)], unknown=0)[1].split() == ["t0", "|?[UNK]|b"]


def test_a_long_text_goes_on_below_at_a_common_boundary_and_each_line_by_itself() -> None:
    lines = lines_of("aa bb\ncc", [("aa", 0, 2), ("bb", 3, 5), ("cc", 6, 8)], width=14)
    assert lines == ["text    aa ␣", "t0     |aa|·", "text    bb \\n", "t0     |bb|··", "text    cc", "t0     |cc"]


def test_a_word_longer_than_a_line_is_continued() -> None:
    blocks = grid("a" * 500, rows_of("a" * 500, [("a" * 500, 0, 500)]), 60)
    assert len(blocks) > 5
    assert all(cell_len(line) <= 60 for block in blocks for line in block)
    assert all(block[1].split()[1].startswith("-") for block in blocks[1:])


def test_a_text_without_characters_has_no_rows() -> None:
    assert grid("", rows_of("", []), 60) == []


def test_the_legend_has_the_signs_that_stand_there() -> None:
    plain = legend_lines([lines_of("a-b", [("a-b", 0, 3)], [("a-b", 0, 3)])])
    assert plain == ["| begins a token"]
    blocks = grid("a b" + "c" * 60, rows_of("a b" + "c" * 60, [("a", 0, 1), ("u", 2, 63)], [], unknown=1), 40)
    signs = [line[0] for line in legend_lines(blocks)]
    assert signs == ["|", "?", "·", "×", "-", "^", "␣"]
