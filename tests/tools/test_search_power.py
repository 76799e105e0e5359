"""What a search makes of planted faults is measured, and told as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "search_power.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOL), *arguments], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.long
def test_faults_that_are_found_and_one_that_is_not() -> None:
    result = run("--cases", "48", "sharp-s", "prefix-space", "last-unified-ideograph")
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert "sharp-s | bert | normalize | 16 | 1 | normalizer: BertNormalizer | unexplained | 1 | '\\xdf'" in lines[0]
    assert "last-unified-ideograph | bert | normalize | no" in lines[1]
    assert "prefix-space | gpt2 | pre_tokenize" in lines[2]
    assert "prefix-space-policy | 1 |" in lines[2]
    assert lines[3] == "2 of 3 faults found within 48 texts (1 of 2 on one character)"


def test_a_fault_that_is_not_there_is_refused() -> None:
    result = run("no-such-fault")
    assert result.returncode == 2
    assert "no such fault" in result.stderr
