"""``--html`` of all commands writes what can be made of the record alone; ``report`` makes tables of it, too."""

from __future__ import annotations

import csv
import io
import json
import re
from html import escape, unescape
from typing import TYPE_CHECKING

import pyarrow.parquet
import pytest
from long_cases import long_but

from tokenizer_conformance.report.findings_table import COLUMNS
from tokenizer_conformance.report.reading import read_page

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

RUN = ("run", "gpt2-mini", "-i", "tokenizers", "reference", "-k", "contractions/")

COMMANDS: dict[str, tuple[str, ...]] = {
    "run": RUN,
    "suite run": ("suite", "run", "-i", "reference", "-k", "BPE-"),
    "fuzz": ("fuzz", "--seed", "1", "--tokenizers", "1", "--texts", "1"),
    "search": ("fuzz", "gpt2-mini", "-i", "reference", "--cases", "20", "--seed", "1"),
    "train": ("train", "--algorithm", "bpe", "--corpus", "corpus.txt", "--vocab-size", "40"),
    "metrics": ("metrics", "gpt2-mini", "bert-mini", "--inputs", "corpus.txt"),
    "compare": ("compare", "gpt2-mini", "bert-mini", "--inputs", "corpus.txt"),
    "audit file": ("audit", "file", "gpt2-mini"),
    "audit loader": ("audit", "loader", "gpt2-mini", "-i", "transformers"),
    "audit offsets": ("audit", "offsets", "gpt2-mini", "-i", "reference", "--no-builtin", "--inputs", "corpus.txt"),
    "audit streams": ("audit", "streams", "gpt2-mini", "-i", "classical-stream", "--cases", "60"),
    "explain": ("explain", "gpt2-mini", "low lower", "-i", "tokenizers"),
}
"""Commands that take little time, with one that has findings of each kind where the kind has any."""

WITHOUT_FINDINGS = frozenset({"metrics"})
"""Commands whose table is another one."""

OWN_MARKDOWN = frozenset({"compare", "explain"})
"""Commands whose Markdown is not that of their page."""

MOST = pytest.mark.parametrize("command", long_but(4, COMMANDS))


@pytest.fixture(autouse=True)
def corpus(tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text("low lower lowest newer wider\n" * 3)


def parts(page: str) -> tuple[str, list[str]]:
    """Return a page without the data of its findings, the name of its record and times; and the data."""
    data = re.findall(r'<script type="application/octet-stream"[^>]*>([^<]*)</script>', page)
    rest = re.sub(r'<script type="application/octet-stream"[^>]*>[^<]*</script>', "", page)
    return rest.replace("not kept: --json FILE keeps it", "r.jsonl"), data


TABLES = ("--csv", "f.csv", "--parquet", "f.parquet")


@pytest.mark.long
@MOST
def test_a_page_is_that_of_the_record_and_tables_have_a_row_for_each_finding(
    tokconf: CommandLine, tmp_path: Path, command: str
) -> None:
    tables = () if command in WITHOUT_FINDINGS else TABLES
    markdown = () if command in OWN_MARKDOWN else ("--markdown", "page.md")
    done = tokconf.run(*COMMANDS[command], "--html", "page.html", *markdown, "--json", "r.jsonl")
    assert done.status in (0, 1, 3), done
    assert "internal error" not in done.err
    later = tokconf.run("report", "r.jsonl", "--html", "later.html", "--markdown", "later.md", *tables)
    assert (later.status, later.err) == (0, "")
    page = (tmp_path / "page.html").read_text()
    assert page == (tmp_path / "later.html").read_text()
    if markdown:
        assert (tmp_path / "page.md").read_text() == (tmp_path / "later.md").read_text()
    told = read_page(tmp_path / "r.jsonl")
    assert f"</span> {escape(told.headline or told.conclusion)}</h1>" in page
    if tables:
        rows_are_findings(tmp_path)


def rows_are_findings(folder: Path) -> None:
    """Hold both tables in ``folder`` to the findings of the record there."""
    page = read_page(folder / "r.jsonl")
    rows = list(csv.DictReader(io.StringIO((folder / "f.csv").read_bytes().decode(), newline="")))
    assert [row["finding"] for row in rows] == [finding.id for finding in page.findings]
    assert [int(row["count"]) for row in rows] == [finding.count for finding in page.findings]
    table = pyarrow.parquet.read_table(folder / "f.parquet")
    assert table.column_names == list(COLUMNS)
    assert table.column("finding").to_pylist() == [finding.id for finding in page.findings]
    assert table.schema.metadata[b"schema"] == b"tokenizer-conformance-findings"


@pytest.mark.long_but(1)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_needs_no_record(tokconf: CommandLine, tmp_path: Path, command: str) -> None:
    first = tokconf.run(*COMMANDS[command], "--html", "page.html")
    assert first.status in (0, 1, 3), first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus.txt", "page.html"]
    assert "not kept: --json FILE keeps it" in (tmp_path / "page.html").read_text()


DIFFERING = (
    "-i",
    "toy",
    "wrong-normalization",
    "--baseline",
    "toy",
    "--no-known",
    "--no-builtin",
    "--inputs",
    "texts.txt",
)


@pytest.fixture
def differing(tmp_path: Path, toy_tokenizer: Path) -> tuple[str, ...]:
    (tmp_path / "texts.txt").write_text("aBc\na-b\nzebra\n")
    return ("run", str(toy_tokenizer), *DIFFERING)


def test_a_page_has_the_findings(tokconf: CommandLine, tmp_path: Path, differing: tuple[str, ...]) -> None:
    done = tokconf.run(*differing, "--html", "page.html", "--json", "r.jsonl")
    assert done.status == 1
    assert tokconf.run("report", "r.jsonl", "--csv", "f.csv").status == 0
    page = (tmp_path / "page.html").read_text()
    assert "wrong-normalization: differences on 1 of 1 tokenizer" in page
    (row,) = csv.DictReader(io.StringIO((tmp_path / "f.csv").read_bytes().decode(), newline=""))
    assert row["finding"] == "1"
    assert row["headline"] in unescape(page)
    assert ", 1 finding, " in done.out.splitlines()[-1]


@pytest.mark.long
def test_a_page_on_standard_output_is_all_there_is(tokconf: CommandLine) -> None:
    done = tokconf.run(*RUN, "--html", "-")
    assert done.out.startswith("<!DOCTYPE html>\n")
    assert done.out.rstrip().endswith("</html>")
    assert "values compared" in done.err


@pytest.mark.long
def test_a_resumed_run_has_all_on_its_page(tokconf: CommandLine, tmp_path: Path, differing: tuple[str, ...]) -> None:
    whole = tokconf.run(*differing, "--json", "whole.jsonl", "--html", "whole.html")
    lines = (tmp_path / "whole.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "part.jsonl").write_text("".join(lines[:-2]))
    resumed = tokconf.run(*differing, "--json", "part.jsonl", "--resume", "--html", "part.html")
    assert (whole.status, resumed.status) == (1, 1), resumed
    found = [read_page(tmp_path / name).findings for name in ("whole.jsonl", "part.jsonl")]
    assert [each.headline for each in found[0]] == [each.headline for each in found[1]]
    shown = [parts((tmp_path / name).read_text())[1][1:] for name in ("whole.html", "part.html")]
    assert shown[0] == shown[1]


NOTES = "what I found out\n"


@pytest.mark.long
def test_files_of_people_are_not_replaced(tokconf: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text(NOTES)
    done = tokconf.run(*RUN, "--html", "notes")
    assert (done.status, "is no" in done.err) == (2, True)
    assert (tmp_path / "notes").read_text() == NOTES
    done = tokconf.run(*COMMANDS["metrics"][:3], "--inputs", "notes", "--html", "notes")
    assert (done.status, "notes" in done.err) == (2, True)
    assert (tmp_path / "notes").read_text() == NOTES


@pytest.mark.long_but(1)
@pytest.mark.parametrize("option", ["--csv", "--parquet"])
def test_nor_by_tables(tokconf: CommandLine, tmp_path: Path, option: str) -> None:
    assert tokconf.run(*RUN, "--json", "r.jsonl").status == 0
    (tmp_path / "notes").write_text(NOTES)
    done = tokconf.run("report", "r.jsonl", option, "notes")
    assert (done.status, "is no" in done.err) == (2, True)
    assert (tmp_path / "notes").read_text() == NOTES
    assert [tokconf.run("report", "r.jsonl", option, "made").status for _ in range(2)] == [0, 0]


@pytest.mark.long
def test_an_earlier_one_is_replaced(tokconf: CommandLine, tmp_path: Path) -> None:
    assert tokconf.run(*RUN, "--html", "made").status == 0
    first = (tmp_path / "made").read_bytes()
    assert tokconf.run(*RUN, "--html", "made").status == 0
    assert (tmp_path / "made").read_bytes()[:100] == first[:100]


@pytest.mark.long
def test_two_reports_do_not_share_a_file(tokconf: CommandLine) -> None:
    done = tokconf.run(*RUN, "--html", "one", "--json", "one")
    assert done.status == 2
    assert "--json and --html both name 'one'" in done.err


@pytest.mark.long
def test_a_full_disk_costs_the_page_alone(tokconf: CommandLine, tmp_path: Path) -> None:
    done = tokconf.run(*RUN, "--html", "/dev/full", "--json", "r.jsonl")
    assert done.status == 3
    assert "cannot write '/dev/full'" in done.err
    assert json.loads((tmp_path / "r.jsonl").read_text().splitlines()[-1])["conclusion"] == "conform"
