"""Lines fit the width, nothing of a sentence is lost, and what is to be copied stays what it was."""

from __future__ import annotations

import ast
import json
import shlex

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from tokenizer_conformance.command_io.wrapping import cut, stacked, wrapped, wrapped_command, wrapped_json
from tokenizer_conformance.escape import escape, quoted

widths = st.integers(40, 200)
hostile = st.text(st.sampled_from('ab漢字é\u0301👩🏽\u200d🚀"\\ \n\u202e\x1b/-.,…ｶﾞ'), max_size=80)
sentences = st.lists(st.one_of(hostile.map(escape), hostile.map(quoted), st.just("word"))).map(" ".join)


@given(sentences, widths, st.integers(0, 30))
def test_a_sentence_fits_and_nothing_of_it_is_lost(text: str, width: int, hanging: int) -> None:
    lines = wrapped(text, width, hanging)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(line.startswith(" " * min(hanging, width // 2)) for line in lines[1:])


@given(sentences, widths)
def test_a_line_that_fits_stays_as_it_is(text: str, width: int) -> None:
    assert wrapped(text, None) == [text]
    assert wrapped(text[: width // 2], width) == [text[: width // 2]]


def test_a_quoted_text_is_not_broken_where_it_fits_a_line() -> None:
    assert wrapped('the tokens differ: "a long text" and others', 30, 2) == [
        "the tokens differ:",
        '  "a long text" and others',
    ]


columns = st.lists(st.one_of(hostile.map(quoted), st.just("index"), st.just("3")), min_size=1, max_size=4)


@given(st.lists(columns.map("  ".join), max_size=5), widths, st.integers(0, 6))
def test_aligned_lines_fit(lines: list[str], width: int, indent: int) -> None:
    shown = stacked(lines, width, indent)
    assert all(cell_len(line) <= width for line in shown)
    if all(cell_len(line) + indent <= width for line in lines):
        assert shown == [" " * indent + line for line in lines]


def test_columns_are_kept_together_or_stacked_together() -> None:
    lines = ["  index  tokenizers (4)  transformers (3)", '> 3      3 "[SEP]"       -']
    assert stacked(lines, 60, 4) == [f"    {line}" for line in lines]
    assert stacked(lines, 40, 4) == [
        "      index  tokenizers (4)",
        "             transformers (3)",
        '    > 3      3 "[SEP]"',
        "             -",
    ]


def test_a_quoted_text_that_is_longer_than_a_line_is_cut_with_dots() -> None:
    (line,) = stacked([f'text  "{"x" * 100}"'], 40)
    assert line == f'text  "{"x" * 31}"…'


def test_no_quoted_text_is_cut_in_what_is_to_be_copied() -> None:
    lines = stacked([f'name  say "{"x " * 60}"'], 40, cuts=False)
    assert "".join(lines).count("x") == 60


@given(hostile.map(quoted), st.integers(3, 60))
def test_what_is_cut_is_a_quoted_text_whose_escapes_are_whole(text: str, width: int) -> None:
    shown = cut(text, width)
    assert cell_len(shown) <= width
    if shown != text:
        assert shown.endswith('"…') or shown == "…"
        assert text.startswith(shown.removesuffix("…").removesuffix('"'))
        assert shown == "…" or isinstance(ast.literal_eval(shown.removesuffix("…")), str)


words = st.lists(st.text(st.sampled_from("ab '\"\\$é"), max_size=12), min_size=1, max_size=20)


@example(["'" * 12, ""], 40)
@given(words, widths)
def test_a_broken_command_is_still_the_command(arguments: list[str], width: int) -> None:
    lines = wrapped_command("", shlex.join(arguments), width, 2)
    assert shlex.split("\n".join(lines).replace("\\\n", "")) == arguments
    assert all(line.endswith(" \\") for line in lines[:-1])
    longest = max(cell_len(shlex.quote(argument)) for argument in arguments)  # with many quotes it fills a line
    assert all(cell_len(line) <= max(width, longest + len("   \\")) for line in lines)


documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"]), max_size=2),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("a b:,{", max_size=5), inner),
)


@pytest.mark.long
@given(documents, widths)
def test_a_broken_document_is_still_the_document(document: object, width: int) -> None:
    lines = wrapped_json("tokenizer.json  ", json.dumps(document), width, 2)
    shown = "\n".join(lines).removeprefix("tokenizer.json  ")
    assert json.loads(shown) == document
    assert all(cell_len(line) <= width for line in lines)


@pytest.mark.parametrize("width", [40, None])
def test_a_short_document_stands_on_one_line(width: int | None) -> None:
    assert wrapped_json("file  ", '{"a": [1, 2]}', width, 2) == ['file  {"a": [1, 2]}']
