"""The report on speed is put together of the tables that are there, and of nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "speed_report.py"


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOL), str(folder), "--output", str(folder / "speed.md")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_tables_stand_under_their_headings(tmp_path: Path) -> None:
    (tmp_path / "encode.md").write_text("| a |\n|---|\n| 1 |\n")
    assert run(tmp_path).returncode == 0
    written = (tmp_path / "speed.md").read_text()
    assert written.index("## Encoding") < written.index("| 1 |") < written.index("## Growth")
    assert written.count("Not measured.") == 3


def test_a_table_loses_the_title_of_its_own_page(tmp_path: Path) -> None:
    (tmp_path / "harness.md").write_text("# What the harness costs\n\n| a |\n|---|\n| 1 |\n")
    assert run(tmp_path).returncode == 0
    written = (tmp_path / "speed.md").read_text()
    assert "# What the harness costs" not in written
    assert "| 1 |" in written


def test_no_table_is_no_report(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.returncode == 1
    assert "make speed" in result.stderr
    assert not (tmp_path / "speed.md").exists()
