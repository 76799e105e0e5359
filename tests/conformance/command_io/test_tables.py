"""Tables fit the width in one of their layouts, and no cell is torn or lost in any."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tokenizer_conformance.command_io.tables import Table, laid_out, table
from tokenizer_conformance.escape import escape

MATRIX = Table(
    headers=("against tokenizers", "normalize", "decode"),
    rows=(
        (("reference",), ("agree 1,232", "(1,232 values)"), ("DIFFER 1", "agree 1,231", "(2,464 values)")),
        (("漢字e\u0301",), ("unsupported 1,232",), ("CRASH 2", "agree 1,230")),
    ),
    title="against tokenizers",
)


def test_where_there_is_room_the_table_is_drawn() -> None:
    assert laid_out(MATRIX, 80) == [
        "against tokenizers    normalize          decode",
        "--------------------  -----------------  --------------",
        "reference             agree 1,232        DIFFER 1",
        "                      (1,232 values)     agree 1,231",
        "                                         (2,464 values)",
        "漢字e\u0301                 unsupported 1,232  CRASH 2",
        "                                         agree 1,230",
    ]
    assert laid_out(MATRIX, None) == laid_out(MATRIX, 200)


def test_where_there_is_less_the_table_is_turned() -> None:
    wide = Table(("against a", "normalize", "pre_tokenize", "decode"), ((("b",), ("agree 12",) * 1, ("x",), ("y",)),))
    assert laid_out(wide, 30) == [
        "against a     b",
        "------------  --------",
        "normalize     agree 12",
        "pre_tokenize  x",
        "decode        y",
    ]


def test_where_there_is_little_each_row_is_a_block() -> None:
    assert laid_out(MATRIX, 40) == [
        "against tokenizers:",
        "reference",
        "  normalize  agree 1,232 (1,232 values)",
        "  decode     DIFFER 1, agree 1,231",
        "             (2,464 values)",
        "漢字e\u0301",
        "  normalize  unsupported 1,232",
        "  decode     CRASH 2, agree 1,230",
        "",
    ]


def test_a_packed_block_has_its_cells_behind_one_another() -> None:
    rows = [["tiktoken", "0.14.0", "", "Rust", "https://example.org/tiktoken"], ["b", "1", "bytes", "C", ""]]
    assert laid_out(table(["name", "version", "offsets", "language", "home page"], rows), 40) == [
        "tiktoken",
        "  version 0.14.0; language Rust;",
        "    home page",
        "    https://example.org/tiktoken",
        "b",
        "  version 1; offsets bytes; language C",
    ]


names = (
    st.text(st.sampled_from('ab漢字é\u0301👩🏽\u200d🚀"\\ \u202e-|'), min_size=1, max_size=60)
    .map(escape)
    .map(str.strip)
)
cells = st.lists(st.sampled_from(["DIFFER 1", "agree 1,232", "(11,088 values)", "both error 12"]), max_size=3)


@given(st.data(), st.integers(40, 200), st.integers(1, 6), st.booleans())
def test_a_table_fits_and_shows_every_cell(data: st.DataObject, width: int, columns: int, packed: bool) -> None:
    headers = tuple(data.draw(names) or "x" for _ in range(columns + 1))
    rows = tuple(
        ((data.draw(names) or "x",), *(tuple(data.draw(cells)) for _ in range(columns)))
        for _ in range(data.draw(st.integers(1, 5)))
    )
    lines = laid_out(Table(headers, rows, title=headers[0], packed=packed), width)
    assert all(cell_len(line) <= width for line in lines)
    for word in ("DIFFER 1", "agree 1,232", "(11,088 values)", "both error 12"):
        inside = sum(cell.count(word) for row in rows for cell in row[1:])
        assert sum(line.count(word) for line in lines) == inside, "whole, on one line"
    shown = "".join(lines).replace(" ", "")
    assert all(row[0][0].replace(" ", "") in shown for row in rows)


def test_a_cell_that_fits_without_its_comma_alone_is_not_torn() -> None:
    rows = ((("ab",), (), ()), (("ab",), (), ("DIFFER 1", "DIFFER 1")))
    lines = laid_out(Table(("ab", "ab", "x" * 47), rows), 59)
    assert sum(line.count("DIFFER 1") for line in lines) == 2
