"""The page of a search is made of a finished record, and counts what the record counts."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from click.testing import Result

TOOL = Path(__file__).resolve().parents[2] / "tools" / "search_report.py"

Run = Callable[..., subprocess.CompletedProcess[str]]
Tokconf = Callable[..., "Result"]


@pytest.mark.long
def test_the_page_counts_what_was_asked_and_what_differed(here: Path, run: Run, tokconf: Tokconf) -> None:
    search = ("fuzz", "gpt2-mini", "-i", "tokenizers", "planted_faults:KeepsAccent")
    found = tokconf(*search, "--cases", "400", "--seed", "1", "--json", "r.jsonl")
    assert found.exit_code == 1, found.stderr
    results = [json.loads(line) for line in Path("r.jsonl").read_text().splitlines()]
    results = [each for each in results if each["type"] == "result"]
    made = run(str(TOOL), "r.jsonl")
    assert (made.returncode, made.stderr) == (0, "")
    page = (here / "reports" / "search.md").read_text()
    assert "**400 cases**" in page
    assert f"{sum(each['values'] for each in results):,} values compared" in page
    assert f"**{sum(each['differing'] for each in results):,} differ**" in page
    assert "**0 differ**" not in page
    assert "| built-in inputs" in page


@pytest.mark.long
def test_a_search_that_was_done_with_nothing_is_refused(here: Path, run: Run, tokconf: Tokconf) -> None:
    found = tokconf("fuzz", "gpt2-mini", "--cases", "20", "--seed", "1", "--json", "r.jsonl")
    assert found.exit_code == 0, found.stderr
    lines = Path("r.jsonl").read_text().splitlines(keepends=True)
    Path("r.jsonl").write_text("".join(line for line in lines if '"type": "result"' not in line))
    made = run(str(TOOL), "r.jsonl")
    assert made.returncode == 2
    assert "not the record of a search that was done with anything" in made.stderr
    assert not (here / "reports" / "search.md").exists()


@pytest.mark.long
def test_searches_with_other_seeds_are_not_summed(here: Path, run: Run, tokconf: Tokconf) -> None:
    tokconf("fuzz", "gpt2-mini", "--cases", "20", "--seed", "1", "--json", "1.jsonl")
    Path("2.jsonl").write_text(Path("1.jsonl").read_text().replace('"seed": 1', '"seed": 2'))
    made = run(str(TOOL), "1.jsonl", "2.jsonl")
    assert made.returncode == 2
    assert "other seeds" in made.stderr
    assert run(str(TOOL), "1.jsonl", "1.jsonl").returncode == 0
    page = (here / "reports" / "search.md").read_text()
    assert "**40 cases**" in page
    assert "**0 differ**" in page
