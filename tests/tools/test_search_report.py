"""The page of a search is made of a finished record, and counts what the record counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from published.records import RecordError
from search_report import page

if TYPE_CHECKING:
    from click.testing import Result

Tokconf = Callable[..., "Result"]


@pytest.mark.long
@pytest.mark.usefixtures("here")
def test_the_page_counts_what_was_asked_and_what_differed(tokconf: Tokconf) -> None:
    search = ("fuzz", "gpt2-mini", "-i", "tokenizers", "planted_faults:KeepsAccent")
    found = tokconf(*search, "--cases", "400", "--seed", "1", "--json", "r.jsonl")
    assert found.exit_code == 1, found.stderr
    results = [json.loads(line) for line in Path("r.jsonl").read_text().splitlines()]
    results = [each for each in results if each["type"] == "result"]
    text = page([Path("r.jsonl")])
    assert "**400 cases**" in text
    assert f"{sum(each['values'] for each in results):,} values compared" in text
    assert f"**{sum(each['differing'] for each in results):,} differ**" in text
    assert "**0 differ**" not in text
    assert "| built-in inputs" in text


@pytest.mark.long
@pytest.mark.usefixtures("here")
def test_only_searches_that_compared_something_with_the_same_seed_are_summed(tokconf: Tokconf) -> None:
    found = tokconf("fuzz", "gpt2-mini", "--cases", "20", "--seed", "1", "--json", "1.jsonl")
    assert found.exit_code == 0, found.stderr
    first, second, empty = Path("1.jsonl"), Path("2.jsonl"), Path("3.jsonl")
    text = page([first, first])
    assert "**40 cases**" in text
    assert "**0 differ**" in text
    second.write_text(first.read_text().replace('"seed": 1', '"seed": 2'))
    with pytest.raises(RecordError, match="other seeds"):
        page([first, second])
    lines = first.read_text().splitlines(keepends=True)
    empty.write_text("".join(line for line in lines if '"type": "result"' not in line))
    with pytest.raises(RecordError, match=r"3\.jsonl is not the record of a search that was done with anything"):
        page([empty])
