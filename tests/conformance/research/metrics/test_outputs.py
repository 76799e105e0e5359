"""What other programs read: CSV, Parquet, LaTeX, Markdown, plots."""

from __future__ import annotations

import csv
import struct
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pyarrow.parquet
import pytest
from metrics_records import Recorded
from PIL import Image
from small_tokenizers import characters_tokenizer, words_tokenizer

from tokenizer_conformance.research.metrics.flat_table import COLUMNS
from tokenizer_conformance.results.figures import figure
from tokenizer_conformance.results.plots.drawing import drawn
from tokenizer_conformance.results.plots.plot import Bar, Bars, Dots, HeatMap, Lines, Plot, Points

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLines

HOSTILE = "=a&b_50%$#{x}~^<日本>`|"
"""The name of a tokenizer, with what is markup somewhere."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, command_lines: CommandLines) -> Path:
    folder = tmp_path_factory.mktemp("written")
    words_tokenizer(folder, HOSTILE)
    characters_tokenizer(folder, "[c")
    (folder / "texts.txt").write_text("ab ba\nab\nabc b\n")
    done = command_lines(folder).run(
        *("metrics", f"{HOSTILE}.json", "[c.json", "--inputs", "texts.txt", "--by", "file,script"),
        *("--json", "r.jsonl", "--csv", "t.csv", "--parquet", "t.parquet", "--latex", "t.tex", "--markdown", "t.md"),
        *("--plots", "plots"),
        TOKCONF_PROGRESS="off",
    )
    assert (done.status, done.err) == (0, "")
    assert done.out.count("exit status") == 1
    return folder


@pytest.mark.long
def test_tables_have_what_the_record_has(written: Path) -> None:
    record = Recorded.at(written / "r.jsonl")
    with (written / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table = pyarrow.parquet.read_table(written / "t.parquet")
    measured = record.of("measurement")
    assert len(rows) == table.num_rows == len(measured) > 100
    assert list(rows[0]) == table.column_names == list(COLUMNS)
    assert [float(row["value"]) if row["value"] else None for row in rows] == [line["value"] for line in measured]
    assert table["value"].to_pylist() == [line["value"] for line in measured]
    assert table["low"].to_pylist() == [line["low"] for line in measured]
    assert {row["tokenizer"] for row in rows} == {f"'{HOSTILE}", "[c"}
    assert set(table["tokenizer"].to_pylist()) == {HOSTILE, "[c"}
    assert {row["partial"] for row in rows} == {"false"}


def test_latex_is_escaped(written: Path) -> None:
    text = (written / "t.tex").read_text(encoding="utf-8")
    tables = [line for line in text.splitlines() if not line.startswith("%")]
    escaped = r"=a\&b\_50\%\$\#\{x\}\textasciitilde{}\^{}\ensuremath{<}日本\ensuremath{>}`|"
    assert any(line.strip().startswith(escaped) for line in tables)
    assert HOSTILE not in "\n".join(tables)
    assert any(line.strip().startswith("{[}c") for line in tables)
    begun, ended = (text.count(rf"\{word}{{tabular}}") for word in ("begin", "end"))
    assert begun == ended > 4
    rows = [line for line in tables if line.rstrip().endswith(r"\\")]
    assert rows
    for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
        assert text.count(rule) == begun


def test_markdown_is_escaped(written: Path) -> None:
    text = (written / "t.md").read_text(encoding="utf-8")
    title, _, told, _, counts = text.splitlines()[:5]
    assert title == r"# =a\&b\_50%$\#{x}\~^\<日本\>\`\| and \[c measured on 3 texts of texts.txt"
    assert told == (r"**\[c alone reads the texts: more than 1 % of the characters are unknown to the others**")
    assert counts.startswith("2 tokenizers measured on 3 texts, ")
    rows = [line for line in text.splitlines() if line.startswith(r"| =a\&b\_50%$\#{x}\~^\<日本\>\`\| |")]
    assert rows
    header, rule = text.split("|---|")[0].splitlines()[-1], "|---|" + text.split("|---|")[1].splitlines()[0]
    cells = [line.replace(r"\|", "").count("|") for line in (header, rule, rows[0])]
    assert cells[0] == cells[1] == cells[2] == 8


@pytest.mark.long
def test_earlier_tables_are_replaced_and_other_files_are_not(command_lines: CommandLines, written: Path) -> None:
    tokconf = command_lines(written)
    again = ("metrics", "[c.json", "--inputs", "texts.txt")
    for option, name in (("--csv", "t.csv"), ("--parquet", "t.parquet"), ("--latex", "t.tex"), ("--plots", "plots")):
        assert tokconf.run(*again, option, name).status == 0
    (written / "mine.csv").write_text("a,b\n1,2\n")
    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), written / "mine.parquet")
    (written / "mine").mkdir()
    (written / "mine" / "compression.svg").write_text("<svg/>")
    for option, name in (("--csv", "mine.csv"), ("--parquet", "mine.parquet"), ("--plots", "mine")):
        done = tokconf.run(*again, option, name)
        assert (done.status, "--force" in done.err) == (2, True)
    assert (written / "mine.csv").read_text() == "a,b\n1,2\n"


def test_plots_can_be_read(written: Path) -> None:
    files = sorted((written / "plots").iterdir())
    assert [file.name for file in files if file.suffix == ".svg"] == [
        "agreement.svg",
        "bytes_per_token-by-file.svg",
        "bytes_per_token-by-script.svg",
        "compression.svg",
        "fertility-by-file.svg",
        "fertility-by-script.svg",
        "rank-frequency.svg",
        "token-lengths.svg",
    ]
    for file in files:
        if file.suffix == ".svg":
            assert ET.parse(file).getroot().tag.endswith("svg")
        else:
            with Image.open(file) as image:
                image.load()
                assert min(image.size) > 250
    assert len(files) == 16


NAMES = ("日本語 ไทย हिन्दी 😀", "$x_1$ \\frac{a}", "\x1b[31m\u202e", "a" * 200)
PLOTS: dict[str, Plot] = {
    "heat map": HeatMap("t", NAMES[:2], ((1.0, None), (None, 1.0))),
    "bars": Bars("t", "y", NAMES, {name: (Bar(1.0, 0.5, 2.0), Bar(None), Bar(2.0), Bar(0.0)) for name in NAMES}),
    "dots": Dots("t", "y", NAMES, {name: (Bar(1.0, 0.5, 2.0), Bar(None), Bar(2.0), Bar(0.0)) for name in NAMES}),
    "marks": Bars("t", "y", NAMES * 10, {name: (Bar(1.0, 0.5, 2.0), Bar(None)) * 20 for name in NAMES}),
    "lines": Lines("t", "x", "y", dict.fromkeys(NAMES, ((1.0, 10.0), (10.0, 1.0))), logarithmic=True),
    "points": Points("t", "x", "y", {name: (1000.0, Bar(4.0, 3.5, 4.1)) for name in NAMES}),
    "many": Lines("t", "x", "y", {str(number): ((1.0, 1.0),) for number in range(50)}),
}


BY_DEFAULT = {"svg": set(PLOTS), "png": {"bars", "points"}}
"""What the default run draws in each form; the slow one draws all in both."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "form"),
    [
        pytest.param(name, form, marks=() if name in names else pytest.mark.slow)
        for form, names in BY_DEFAULT.items()
        for name in PLOTS
    ],
)
def test_a_plot_of_any_names_is_the_same_file_each_time(name: str, form: str) -> None:
    # A glyph that is missing, or markup that is wrong, is a warning, which fails.
    first = drawn(PLOTS[name], form)
    assert first == drawn(PLOTS[name], form)
    assert len(first) > 5_000
    assert b"mathdefault" not in first  # labels of ticks are plain numbers


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0"), (1.0, "1"), (50257.0, "50,257"), (4.43912, "4.439"), (0.98765, "0.9877"), (0.99996, "0.99996")],
)
def test_a_figure_never_claims_all_or_nothing_where_it_is_not(value: float, shown: str) -> None:
    assert figure(value) == shown


@pytest.mark.long
def test_groups_too_many_for_bars_have_a_line_each() -> None:
    def size(groups: int) -> tuple[int, int]:
        bars = Bars("t", "y", tuple(map(str, range(groups))), {name: (Bar(1.0),) * groups for name in "abcdefgh"})
        return struct.unpack(">II", drawn(bars, "png")[16:24])

    (few, low), (many, high) = size(7), size(40)
    assert few > low
    assert high > many
    assert many < 1_500
