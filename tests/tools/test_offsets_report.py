"""The page on invariants is made of records, and planted faults are told as they are seen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

TOOL = str(Path(__file__).resolve().parents[2] / "tools" / "offsets_report.py")


def test_a_fault_is_told_with_what_sees_it(run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    result = run(TOOL, "--power", "types-zero")
    assert result.returncode == 0, result.stderr
    assert result.stdout == "types-zero | special.type-ids\n"


def test_what_cannot_be_used_is_refused(run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    assert run(TOOL, "--power", "no-such-fault").returncode == 2
    assert run(TOOL).returncode == 2
