"""What is aligned under a text, what is made visible, and what is told of odd characters and changes."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from in_one_test import in_one_test
from rich.cells import cell_len

from tokenizer_adapters.tracing import Piece
from tokenizer_conformance.causes.explain.changes import Change, changes_between
from tokenizer_conformance.causes.explain.columns import Cell, Row, aligned_under
from tokenizer_conformance.causes.explain.odd_characters import name_of, odd_characters
from tokenizer_conformance.causes.explain.section import shortened
from tokenizer_conformance.command_io.visible import visible
from tokenizer_conformance.inputs.random_tokenizers import random_text


def place_of(line: str, text: str) -> int:
    """Return the cell at which ``text`` begins in ``line``."""
    return cell_len(line[: line.index(text)])


def test_cells_stand_under_their_characters() -> None:
    lines = aligned_under(
        "京a\u0301b", 0, 4, [Row("tokens", (Cell(0, 1, "x"), Cell(1, 3, "long one"), Cell(3, 4, "z")))], 80
    )
    text, offsets, tokens = lines
    assert place_of(text, "a") == place_of(offsets, "1") == place_of(tokens, "long one")
    assert place_of(text, "b") == place_of(offsets, "3") == place_of(tokens, "z")
    assert "\\u0301" in text


def test_cells_that_overlap_are_one_and_empty_ones_none() -> None:
    *_, tokens = aligned_under("ab", 0, 2, [Row("tokens", (Cell(0, 1, "x"), Cell(0, 1, "y"), Cell(1, 1, "no")))], 80)
    assert tokens.split("|")[1:] == ["x y"]


def test_what_does_not_fit_goes_on_below() -> None:
    lines = aligned_under("abcdefghij" * 4, 0, 40, [Row("pieces", (Cell(0, 40, "whole"),))], 40)
    assert max(map(cell_len, lines)) <= 40
    starts = [line for line in lines if line.startswith("pieces")]
    assert len(starts) > 1
    assert "|whole" in starts[0]
    assert all("-whole" in line for line in starts[1:])


def test_a_part_of_a_text_has_the_offsets_of_the_whole() -> None:
    text, offsets, *_ = aligned_under("abcdef", 2, 4, [Row("tokens", (Cell(0, 3, "x"), Cell(5, 6, "y")))], 40)
    assert text.split() == ["text", "c", "d"]
    assert offsets.split() == ["offsets", "2", "3"]


@in_one_test("seed", range(20))
def test_no_line_is_wider_than_asked_for_and_none_has_hidden_characters(seed: int) -> None:
    rng = Random(seed)
    text = random_text(rng) + random_text(rng)
    bounds = sorted(rng.sample(range(len(text) + 1), k=min(5, len(text) + 1)))
    cells = tuple(Cell(a, b, visible(text[a:b])) for a, b in pairwise(bounds))
    for line in aligned_under(text, 0, len(text), [Row("pieces", cells)], 80):
        assert cell_len(line) <= 80
        assert line.isprintable()


def test_what_is_odd_has_a_name() -> None:
    found = odd_characters("a b\u00a0\u200d\u0301\ue000\U0010ffff\x00é京")
    assert [(odd.name, odd.kind) for odd in found] == [
        ("NO-BREAK SPACE", "space"),
        ("ZERO WIDTH JOINER", "format character"),
        ("COMBINING ACUTE ACCENT", "mark"),
        ("<private-use-E000>", "private use"),
        ("<noncharacter-10FFFF>", "unassigned"),
        ("NULL", "control"),
    ]
    assert name_of("\u0378") == "<unassigned-0378>"


def piece(text: str, *origins: tuple[int, int]) -> Piece:
    return Piece(text, (origins[0][0], origins[-1][1]) if origins else (0, 0), origins)


def test_changes_are_told_by_their_place_in_the_original() -> None:
    before = piece("aé b", (0, 1), (1, 2), (2, 3), (3, 4))
    assert changes_between([before], [before]) == []
    decomposed = piece("ae\u0301 b", (0, 1), (1, 2), (1, 2), (2, 3), (3, 4))
    assert changes_between([before], [decomposed]) == [Change((1, 2), "é", "e\u0301")]
    removed = piece("aéb", (0, 1), (1, 2), (3, 4))
    assert changes_between([before], [removed]) == [Change((2, 3), " ", "")]
    prepended = piece("_aé b", (0, 1), (0, 1), (1, 2), (2, 3), (3, 4))
    assert changes_between([before], [prepended]) == [Change((0, 1), "a", "_a")]
    assert changes_between([before], []) == [Change((0, 4), "aé b", "")]


def test_a_list_says_how_much_is_left_out() -> None:
    assert shortened(["a"] * 3, None, "x") == ["a"] * 3
    assert shortened(["a"] * 1200, 1, "words")[1] == "… and 1,199 more of 1,200 words (--all shows them)"
