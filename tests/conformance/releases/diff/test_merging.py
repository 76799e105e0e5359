"""The record of a diff is told from that of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tokenizer_conformance.command_io.recorded_lines import RecordedLines
from tokenizer_conformance.releases.diff.merging import is_of_diff


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([], False),
        ([{"type": "sides"}], False),
        ([{"type": "header"}, {"type": "sides"}], True),
        ([{"type": "header"}, {"type": "started"}], False),
        ([{"type": "header"}, {"type": "tokenizer"}], False),
        ([{"type": "header"}, {"type": "started"}, {"type": "sides"}], False),
        ([{"type": "header"}, {"type": "sides"}, {"type": "started"}], True),
        ([{"type": "header"}, {}], False),
    ],
)
def test_a_diff_says_its_sides_after_its_header(lines: list[dict[str, Any]], told: bool) -> None:
    assert is_of_diff(RecordedLines(Path("record.jsonl"), lines, None, "")) is told
