"""Reports that fit the summary of a CI step: cut at a boundary, and with a true word on what is left out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tokenizer_conformance.command_io.markdown import as_block, as_cell, as_code, as_words, is_report, write_report
from tokenizer_conformance.command_io.report_length import LARGEST_SUMMARY, fitting

HEAD = "# ours on toy\n\n**ours differs**\n\ndifferences; [how it was made](#how-it-was-made)\n"
NOTE = re.compile(
    r"\n\*\*This report was cut, since the summary of a CI step has room for 1 MiB: "
    r"(?P<rest>the rest of this section)?(?: and )?(?:(?P<sections>[\d,]+) further sections?)? (?:is|are) left out; "
    r"the record \(`--json`\) has all\.\*\*\n\Z"
)
MARKDOWN = MarkdownIt("commonmark").enable("table")


def parsed_headings(text: str) -> int:
    """How many headings ``text`` has, by another reader of Markdown."""
    return sum(token.type == "heading_open" for token in MARKDOWN.parse(text))


def parts(text: str, most: int) -> tuple[str, re.Match[str]]:
    """What stands before the note of a report that was cut, and the note; all that holds of any is checked."""
    cut = fitting(text.encode(), most).decode()
    note = NOTE.search(cut)
    assert note is not None, cut[-400:]
    assert len(cut.encode()) <= most
    assert is_report(cut.encode())
    before = cut[: note.start()]
    if not text.startswith(before):
        whole = before[: before.rindex("\n", 0, -1) + 1]
        assert re.fullmatch(r"`{3,}\n", before[len(whole) :])  # the end of a code block
        assert text.startswith(whole)
    # Were a code block left open, the note and this heading would be code.
    assert parsed_headings(f"{cut}\n# after\n") == parsed_headings(before) + 1
    left_out = int((note["sections"] or "0").replace(",", ""))
    assert left_out == parsed_headings(text) - parsed_headings(before)
    assert left_out or note["rest"]
    return before, note


words = st.text(st.sampled_from("ab `#~|\n<*-é漢"), max_size=40)
blocks = st.one_of(
    words.map(lambda text: f"{as_words(text) or 'x'}\n"),
    st.just(f"{as_code('``')}\n"),  # three backticks that begin no block of code
    words.map(lambda text: f"## {as_words(text)}\n"),
    words.map(lambda text: f"### {as_words(text)}\n"),
    st.lists(words, max_size=12).map(lambda lines: f"{as_block(' '.join(lines).split(' '))}\n"),
    st.lists(st.sampled_from(["# no heading", "```", "~~~", "````x", "", "    "]), max_size=30).map(
        lambda lines: f"{as_block(lines)}\n"
    ),
    st.integers(1, 30).map(lambda rows: "| a |\n|---|\n" + f"| {as_cell('`|')} |\n" * rows),
)


@pytest.mark.long
@given(st.lists(blocks, min_size=1, max_size=40), st.integers(600, 2500))
def test_a_long_report_is_cut_and_says_so(made: list[str], most: int) -> None:
    text = "\n".join([HEAD, *made * (1 + most // len("\n".join(made)))])
    before, note = parts(text, most)
    lines = before.splitlines()
    inside = [token.map for token in MARKDOWN.parse(text) if token.type in ("fence", "table_open") and token.map]
    if note["rest"] is None:
        assert not any(first < len(lines) < end for first, end in inside)
        assert parsed_headings(before) < parsed_headings(text)


@given(st.lists(blocks, max_size=20))
def test_a_report_that_fits_stays_as_it_is(made: list[str]) -> None:
    text = "\n".join([HEAD, *made]).encode()
    assert fitting(text, len(text)) == text


SECTIONS = HEAD + "".join(f"\n## section {number}\n\nwords\n" for number in range(100))
GIANTS = {
    "a block of code": f"{as_block(['# line', '~~~'] * 5000)}\n",
    "a longer fence": f"{as_block(['```', 'line'] * 5000)}\n",
    "a table": "| a |\n|---|\n" + "| b |\n" * 5000,
    "paragraphs": "words\n\n" * 5000,
    "a list": "- words\n" * 5000,
}


def test_sections_are_cut_between_them() -> None:
    before, note = parts(SECTIONS, 1500)
    assert before.endswith("\n\nwords\n\n")
    assert (note["rest"], int(note["sections"])) == (None, 100 - before.count("## section"))


@pytest.mark.long_but(2)
@pytest.mark.parametrize("name", GIANTS)
def test_one_giant_section_is_cut_inside(name: str) -> None:
    text = f"{HEAD}\n## giant\n\n{GIANTS[name]}"
    before, note = parts(text, 4000)
    assert len(before.encode()) > 3500
    assert (note["rest"], note["sections"]) == ("the rest of this section", None)
    before, note = parts(f"{text}\n## small\n", 4000)
    assert (note["rest"], note["sections"]) == ("the rest of this section", "1")


def test_no_block_of_code_is_cut_where_there_is_another_place() -> None:
    paragraphs = "words\n\n" * 400
    before, _ = parts(f"{HEAD}\n{paragraphs}{as_block(['', 'line'] * 5000)}\n", 4000)
    assert f"{before}\n" == f"{HEAD}\n{paragraphs}"


def test_a_giant_line_is_left_out() -> None:
    before, note = parts(f"{HEAD}\n{'x' * 5000}\n", 1000)
    assert before == f"{HEAD}\n"
    assert note["rest"]


class Kept:
    """A sink that keeps what is written."""

    data = b""

    def keep(self, size: int) -> None:
        raise NotImplementedError

    def write(self, data: bytes) -> None:
        self.data += data

    def close(self) -> None:
        raise NotImplementedError


@pytest.mark.long
def test_what_is_written_fits_a_summary_in_bytes() -> None:
    sink = Kept()
    write_report(sink, f"{SECTIONS}\n## long\n\n" + "漢字\ud800\n\n" * (LARGEST_SUMMARY // 4))
    assert LARGEST_SUMMARY - 400 < len(sink.data) <= LARGEST_SUMMARY == 1_048_576
    assert NOTE.search(sink.data.decode())
