"""Records of measurements as pages, made by the command itself."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from tokenizer_conformance.cli import main
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.page import _sections, is_clear
from tokenizer_conformance.research.metrics.plots import _compression
from tokenizer_conformance.research.metrics.results import Measurement, Results
from tokenizer_conformance.research.metrics.sheets import _of_pair
from tokenizer_conformance.results.page import Drawing, Estimate, Page, Section, State, Table
from tokenizer_conformance.results.plots.plot import Bar, Dots, HeatMap, Lines, Points

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., Path]

HOSTILE = "<b>`|\u202e$x"

TEXTS = "The HTTPserver isn't ok\nHello Hello 1984\nПривет, мир and ты\nThe end of the world\n" * 3


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Make:
    """Runs ``tokconf metrics`` in this process, and returns the record that it writes."""
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "metrics"])
    Path("texts.txt").write_text(TEXTS, "utf-8")

    def run(*arguments: str) -> Path:
        record = tmp_path / "metrics.jsonl"
        options = ["--inputs", "texts.txt", "--json", str(record), "--force", "--quiet"]
        done = CliRunner().invoke(main, ["metrics", *arguments, *options])
        assert done.exit_code == 0, done.output
        return record

    return run


def lines_of(record: Path, type_: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in record.read_text("ascii").splitlines()]
    return [line for line in found if line["type"] == type_]


def table_of(page: Page, title: str) -> Table:
    return next(table for section in page.sections for table in section.tables if table.title == title)


TWO = ("bert-mini", "gpt2-mini")


def test_a_page_has_the_numbers_of_its_record(make: Make) -> None:
    record = make(*TWO)
    page = read_page(record)
    assert (page.state, page.complaints) == (State.MEASURED, ())
    titles = {line["id"]: line["title"] for line in lines_of(record, "measure")}
    table = table_of(page, "All texts")
    shown = {(row[0], name): value for row in table.rows for name, value in zip(TWO, row[2:-1], strict=True)}
    alone = [line for line in lines_of(record, "measurement") if line["group"] == "all texts"]
    for line in alone:
        if (titles[line["measure"]], line["row"]) in shown and line["value"] is not None:
            cell = shown[titles[line["measure"]], line["row"]]
            assert isinstance(cell, Estimate)
            assert (cell.value, cell.low, cell.high) == (line["value"], line["low"], line["high"])
    assert ("fertility", "gpt2-mini") in shown
    pairs = [(line["value"], line["low"], line["high"]) for line in alone if line["measure"] == "boundary_f1"]
    shown_pairs = [row[3] for row in table_of(page, "Two tokenizers").rows if row[0] == titles["boundary_f1"]]
    assert shown_pairs == [Estimate(*pair) for pair in pairs]
    assert len(table_of(page, "Definitions").rows) == len(titles)


def test_the_shortest_is_named_with_its_interval(make: Make) -> None:
    record = make(*TWO)
    found = {
        line["row"]: line
        for line in lines_of(record, "measurement")
        if line["measure"] == "bytes_per_token" and line["group"] == "all texts"
    }
    first, second = sorted(found.values(), key=lambda line: -line["value"])
    page = read_page(record)
    sentence = page.said[0]
    longer = f"{100 * (first['value'] / second['value'] - 1):.1f} % more"
    assert page.conclusion == f"{first['row']} needs the fewest tokens, {second['row']} needs {longer}"
    assert sentence.startswith(f"{first['row']} needs the fewest tokens: one for {first['value']:.4g} (")
    assert f"{second['row']} needs the most, {longer}" in sentence


@pytest.mark.parametrize(
    ("low", "high", "clear"),
    [(0.1, 0.3, True), (-0.3, -0.1, True), (-0.1, 0.3, False), (0.0, 0.3, False), (None, None, False)],
)
def test_a_difference_is_clear_where_zero_is_outside(low: float | None, high: float | None, clear: bool) -> None:
    assert is_clear(Measurement("fertility", "a", "b", ALL_TEXTS, 0.2, low, high)) is clear


def test_differences_are_said_as_sure_as_they_are(make: Make) -> None:
    record = make(*TWO)
    page = read_page(record)
    (line,) = (each for each in lines_of(record, "difference") if each["measure"] == "fertility")
    clear = line["low"] > 0 or line["high"] < 0
    (row,) = (row for row in table_of(page, "Differences to the base").rows if row[0] == "fertility")
    assert row[-1] == (("higher" if line["value"] > 0 else "lower") if clear else "not clear")
    (length,) = (
        each["value"]
        for each in lines_of(record, "measurement")
        if each["measure"] == "normalized_sequence_length" and each["row"] == "gpt2-mini" and not each["by"]
    )
    more = f"gpt2-mini needs {100 * (length - 1):.4g} % more tokens than bert-mini (95% interval +"
    assert any(sentence.startswith(more) for sentence in page.said)


def test_plots_show_the_tokenizers(make: Make) -> None:
    page = read_page(make(*TWO, "--by", "script"))
    plots = {drawing.plot.title: drawing.plot for section in page.sections for drawing in section.drawings}
    overlap = plots["Overlap of vocabularies"]
    assert isinstance(overlap, HeatMap)
    assert not overlap.judges
    assert overlap.names == TWO
    assert overlap.shares[0][1] == overlap.shares[1][0] is not None
    fertility = plots["fertility"]
    assert isinstance(fertility, Dots)
    assert fertility.groups == TWO
    assert all(bar.low is not None and bar.high is not None for bar in fertility.series["fertility"])
    by_script = plots["fertility by script"]
    assert isinstance(by_script, Dots)
    assert set(by_script.series) == set(TWO)
    assert {type(plot) for plot in plots.values()} == {Dots, HeatMap, Lines, Points}
    assert all(drawing.description for section in page.sections for drawing in section.drawings)


def test_compression_is_drawn_of_those_whose_size_is_known() -> None:
    values = {("bytes_per_token", "a"): 4.5, ("bytes_per_token", "b"): 3.0, ("vocabulary_size", "a"): 1000.0}
    found = tuple(Measurement(measure, row, "", ALL_TEXTS, value) for (measure, row), value in values.items())
    drawn, without = (Results((), (), (), each, (), partial=False) for each in (found, found[:2]))
    plot = _compression(drawn)
    assert isinstance(plot, Points)
    assert plot.points == {"a": (1000.0, Bar(4.5))}
    assert _compression(without) is None
    drawing = Drawing(plot, "How many bytes a token stands for, by the size of the vocabulary; with intervals.")
    assert list(_sections(drawn, {})) == [Section("In pictures", drawings=(drawing,), is_detail=True)]
    assert list(_sections(without, {})) == [], "what there is nothing of has no section"


def test_groups_have_tables(make: Make) -> None:
    record = make(*TWO, "--by", "script")
    page = read_page(record)
    expected = {line["name"]: line["texts"] for line in lines_of(record, "group") if line["by"] == "script"}
    assert len(expected) > 1
    assert {row[0] for row in table_of(page, "fertility, by script").rows} == expected.keys()
    assert {row[0]: row[2] for row in table_of(page, "Groups of texts").rows if row[1] == "script"} == expected


def test_what_is_against_what_is_told(make: Make) -> None:
    record = make(*TWO, "--measure", "fertility")
    page = read_page(record)
    assert [(each.name, each.role) for each in page.compared[:2]] == [("bert-mini", "base"), ("gpt2-mini", "measured")]
    facts = {fact.label: fact.value for fact in page.facts}
    assert facts["base"] == "bert-mini"
    assert "language" not in facts
    lines = [json.loads(line) for line in record.read_text("ascii").splitlines()]
    lines[0]["base_language"] = "en"
    lines[-1]["bytes"] = 100_000_000_000
    record.write_text("".join(json.dumps(line) + "\n" for line in lines), "ascii")
    page = read_page(record)
    assert {fact.label: fact.value for fact in page.facts}["language"] == "en, which premiums are against"
    assert page.summary == "2 tokenizers measured on 12 texts, 100,000.0 MB"


@pytest.mark.parametrize(
    ("measure", "shown"),
    [
        ("boundary_f1", [["", 0.5, None], [0.5, "", 0.25], [None, 0.25, ""]]),
        ("vocabulary_coverage", [["", 0.5, None], [None, "", None], [None, 0.25, ""]]),
    ],
)
def test_a_measure_that_does_not_ask_who_comes_first_stands_there_in_both_orders(
    measure: str, shown: list[list[Any]]
) -> None:
    found = {("a", "b"): 0.5, ("c", "b"): 0.25, ("a", "c"): None}
    by_pair = {pair: Measurement(measure, *pair, ALL_TEXTS, value) for pair, value in found.items()}
    cells = [[_of_pair(first, second, by_pair, measure) for second in "abc"] for first in "abc"]
    assert cells == [[Estimate(each) if isinstance(each, float) else each for each in row] for row in shown]


def test_hostile_names_are_as_they_are(make: Make, tmp_path: Path) -> None:
    folder = tmp_path / HOSTILE
    folder.mkdir()
    (folder / "tokenizer.json").write_bytes(Path(bundled_file("gpt2-mini")).read_bytes())
    page = read_page(make("bert-mini", str(folder)))
    assert page.compared[1].name == HOSTILE
    assert HOSTILE in table_of(page, "All texts").columns


def test_a_killed_record_says_so(make: Make) -> None:
    record = make(*TWO)
    record.write_text("".join(record.read_text().splitlines(keepends=True)[:1]))
    page = read_page(record)
    assert page.conclusion == "interrupted"
    assert "killed" in page.complaints[0]


@pytest.mark.long_but(4)
@pytest.mark.parametrize(
    ("type_", "old", "new"),
    [
        ("measurement", '"value": ', '"value": "'),
        ("measurement", '"value": ', '"value": [], "x": '),
        ("row", '"rank_frequency": [[', '"rank_frequency": [[7, 8, '),
        ("group", '"texts": ', '"texts": -'),
        ("difference", '"row": "', '"row": 5, "x": "'),
    ],
)
def test_a_malformed_line_is_named(make: Make, type_: str, old: str, new: str) -> None:
    record = make(*TWO)
    lines = record.read_text().splitlines(keepends=True)
    number = next(at for at, line in enumerate(lines) if f'"type": "{type_}"' in line)
    assert old in lines[number]
    lines[number] = lines[number].replace(old, new)
    record.write_text("".join(lines))
    with pytest.raises(BadInputError, match=f"line {number + 1} is no"):
        read_page(record)


def test_a_record_from_before_blank_texts_were_told_apart_is_told_as_it_was(make: Make) -> None:
    record = make(*TWO)
    lines = [json.loads(line) for line in record.read_text("ascii").splitlines()]
    counts = ("texts", "blank_texts", "words", "characters", "bytes", "tokens")
    old = [line for line in lines if line.get("id", line.get("measure")) not in counts]
    for line in old:
        line.pop("denominator", None)
        if line["type"] == "measure" and line["id"] == "lossless":
            line["definition"] = "The share of texts, whatever they are."
    record.write_text("".join(json.dumps(line) + "\n" for line in old), "ascii")
    page = read_page(record)
    assert (
        "bert-mini does not give back every text; of all, blank ones counted, these come back as they were: none."
        in " ".join(page.said)
    )
    (definition,) = (row[3:] for row in table_of(page, "Definitions").rows if row[0] == "round trip")
    assert definition == ("The share of texts, whatever they are.", "")
